// EXPECT: spill-fill memory holds no tensors; allocate a MemRegion<TensorIo>
#include "qnnpp/memory/shared_buffer.hpp"

using namespace qnnpp;

bool hold(MemRegion<SpillFill>& special, MemRegion<TensorIo> memory, TensorSpec spec) {
#ifdef MISUSE
  return SharedBuffer<PerTensor>::from_region(special, std::move(spec)).has_value() || !memory;
#else
  return SharedBuffer<PerTensor>::from_region(std::move(memory), std::move(spec)).has_value() || !special;
#endif
}
