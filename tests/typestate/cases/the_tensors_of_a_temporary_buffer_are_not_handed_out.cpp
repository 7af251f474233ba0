// EXPECT: tensors() of a temporary would dangle; name the buffer first
#include "qnnpp/memory/shared_buffer.hpp"

using namespace qnnpp;

const std::vector<TensorPlacement>& tensors_of(SharedBuffer<PerTensor>& buffer) {
#ifdef MISUSE
  return std::move(buffer).tensors();
#else
  return buffer.tensors();
#endif
}
