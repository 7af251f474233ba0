// EXPECT: close() consumes the access; write std::move(access).close()
#include "qnnpp/memory/tensor_access.hpp"

using namespace qnnpp;

bool done(TensorAccess<float> access) {
#ifdef MISUSE
  return access.close().has_value();
#else
  return std::move(access).close().has_value();
#endif
}
