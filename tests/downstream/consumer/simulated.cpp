// Loads the libraries of qnnpp::sim, before main().
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace {

const bool loaded = [] {
  for (const char* library : {QNNPP_SIM_DIR "/libQnnHtp.so", QNNPP_SIM_DIR "/libQnnSystem.so",
                              QNNPP_SIM_DIR "/libcdsprpc.so"}) {
    if (dlopen(library, RTLD_NOW | RTLD_LOCAL) == nullptr) {
      std::printf("%s\n", dlerror());
      std::abort();
    }
  }
  return true;
}();

}  // namespace
