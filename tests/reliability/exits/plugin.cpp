// A shared object with its own qnnpp, whose global objects the program never destroys itself.
#include "objects.hpp"

namespace {
exits::Objects global;
}

extern "C" __attribute__((visibility("default"))) void exits_make(const char* library) {
  global.make(library);
}
extern "C" __attribute__((visibility("default"))) bool exits_executes() {
  return global.graph->execute().has_value();
}
