// EXPECT: native_device() of a temporary would dangle; name the backend first
#include "qnnpp/backend/backend.hpp"

using namespace qnnpp;

c_api::DeviceHandle load() {
#ifdef MISUSE
  return Backend<Htp>::load().value().native_device();
#else
  static const auto backend = Backend<Htp>::load();
  return backend->native_device();
#endif
}
