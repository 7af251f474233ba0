// EXPECT: native() of a temporary would dangle; name the backend first
#include "qnnpp/backend/backend.hpp"

using namespace qnnpp;

c_api::BackendHandle load() {
#ifdef MISUSE
  return Backend<Htp>::load().value().native();
#else
  static const auto backend = Backend<Htp>::load();
  return backend->native();
#endif
}
