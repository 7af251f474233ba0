// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

struct OfAnotherShape {
  DmaBuffer allocate(std::uint64_t bytes) const;
};

bool allocate([[maybe_unused]] const MemfdAllocator& allocator,
              [[maybe_unused]] const OfAnotherShape& of_another_shape) {
#ifdef MISUSE
  return MemRegion<Weights>::allocate(of_another_shape, 4096).has_value();
#else
  return MemRegion<Weights>::allocate(allocator, 4096).has_value();
#endif
}
