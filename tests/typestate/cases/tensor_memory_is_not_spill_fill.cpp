// EXPECT: tensor memory is not spill-fill; use SharedSpillFill::allocate()
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"

using namespace qnnpp;

Result<SharedSpillFill> share(MemRegion<TensorIo> tensor, const MemfdAllocator& allocator) {
#ifdef MISUSE
  (void)allocator;
  return SharedSpillFill(std::move(tensor));
#else
  return SharedSpillFill::allocate(allocator, BufferRequirements{.spill_fill_bytes = tensor.size_bytes()});
#endif
}
