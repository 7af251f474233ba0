// EXPECT: QNN alone writes this memory; only MemRegion<TensorIo> has bytes()
#include "qnnpp/memory/mem_region.hpp"

using namespace qnnpp;

std::size_t view(MemRegion<SpillFill>& spill_fill, MemRegion<TensorIo>& tensor) {
#ifdef MISUSE
  return spill_fill.bytes().size() + tensor.size_bytes();
#else
  return tensor.bytes().size() + spill_fill.size_bytes();
#endif
}
