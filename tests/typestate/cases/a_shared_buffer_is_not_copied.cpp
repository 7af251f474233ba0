// EXPECT: a shared buffer has one owner; write std::move(buffer)
#include "qnnpp/memory/shared_buffer.hpp"

using namespace qnnpp;

SharedBuffer<PerTensor> take(SharedBuffer<PerTensor>& buffer) {
#ifdef MISUSE
  return SharedBuffer<PerTensor>(buffer);
#else
  return SharedBuffer<PerTensor>(std::move(buffer));
#endif
}
