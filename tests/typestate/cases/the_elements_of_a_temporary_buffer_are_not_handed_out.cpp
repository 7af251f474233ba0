// EXPECT: tensor() of a temporary would dangle; name the buffer first
#include "qnnpp/memory/shared_buffer.hpp"

using namespace qnnpp;

Result<std::span<float>> elements_of(SharedBuffer<MultiTensor>& buffer) {
#ifdef MISUSE
  return std::move(buffer).tensor<float>("image");
#else
  return buffer.tensor<float>("image");
#endif
}
