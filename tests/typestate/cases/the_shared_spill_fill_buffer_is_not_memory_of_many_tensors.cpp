// EXPECT: spill-fill memory holds no tensors; allocate a MemRegion<TensorIo>
#include "qnnpp/memory/shared_buffer.hpp"

using namespace qnnpp;

bool hold(SharedSpillFill& special, MemRegion<TensorIo> memory, const std::vector<TensorPlacement>& places) {
#ifdef MISUSE
  return SharedBuffer<MultiTensor>::from_region(special, places).has_value() || !memory;
#else
  return SharedBuffer<MultiTensor>::from_region(std::move(memory), places).has_value() || !special;
#endif
}
