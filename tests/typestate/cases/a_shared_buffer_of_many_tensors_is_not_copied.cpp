// EXPECT: a shared buffer has one owner; write std::move(buffer)
#include "qnnpp/memory/shared_buffer.hpp"

using namespace qnnpp;

SharedBuffer<MultiTensor> take(SharedBuffer<MultiTensor>& buffer) {
#ifdef MISUSE
  return SharedBuffer<MultiTensor>(buffer);
#else
  return SharedBuffer<MultiTensor>(std::move(buffer));
#endif
}
