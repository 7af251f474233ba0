// EXPECT: view() of a temporary would dangle; name the buffer first
#include "qnnpp/memory/shared_buffer.hpp"

using namespace qnnpp;

Result<TensorView<float, 2>> view_of(SharedBuffer<DmaBuf>& buffer) {
#ifdef MISUSE
  return std::move(buffer).view<float, 2>("image");
#else
  return buffer.view<float, 2>("image");
#endif
}
