// EXPECT: a DMA buffer has one owner; write std::move(buffer)
#include "qnnpp/memory/dma_buffer.hpp"

using namespace qnnpp;

DmaBuffer take(DmaBuffer& buffer) {
#ifdef MISUSE
  return DmaBuffer(buffer);
#else
  return DmaBuffer(std::move(buffer));
#endif
}
