// EXPECT: the access of a temporary ends at once; name it first
#include "qnnpp/memory/tensor_access.hpp"

using namespace qnnpp;

void clear(TensorAccess<float> access) {
#ifdef MISUSE
  for (float& value : std::move(access).elements()) value = 0;
#else
  for (float& value : access.elements()) value = 0;
#endif
}
