// EXPECT: a path is no BackendOptions; write load({.library = path})
#include "qnnpp/backend/backend.hpp"

using namespace qnnpp;

bool load() {
#ifdef MISUSE
  return Backend<Htp>::load("libQnnHtp.so").has_value();
#else
  return Backend<Htp>::load({.library = "libQnnHtp.so"}).has_value();
#endif
}
