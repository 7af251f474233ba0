// EXPECT: an access has one owner; write std::move(access)
#include "qnnpp/memory/tensor_access.hpp"

using namespace qnnpp;

TensorAccess<float> pass(TensorAccess<float>& access) {
#ifdef MISUSE
  return TensorAccess<float>(access);
#else
  return TensorAccess<float>(std::move(access));
#endif
}
