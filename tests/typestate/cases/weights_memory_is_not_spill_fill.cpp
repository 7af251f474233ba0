// EXPECT: weights memory is not spill-fill; use SharedSpillFill::allocate()
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"

using namespace qnnpp;

Result<SharedSpillFill> share(MemRegion<Weights> weights, const MemfdAllocator& allocator) {
#ifdef MISUSE
  (void)allocator;
  return SharedSpillFill(std::move(weights));
#else
  return SharedSpillFill::allocate(allocator, BufferRequirements{.spill_fill_bytes = weights.size_bytes()});
#endif
}
