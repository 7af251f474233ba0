// EXPECT: native_log() of a temporary would dangle; name the backend first
#include "qnnpp/backend/backend.hpp"

using namespace qnnpp;

c_api::LogHandle load() {
#ifdef MISUSE
  return Backend<Htp>::load().value().native_log();
#else
  static const auto backend = Backend<Htp>::load();
  return backend->native_log();
#endif
}
