// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/shared_buffer.hpp"

using namespace qnnpp;

struct OfAnotherShape {
  DmaBuffer allocate(std::uint64_t bytes) const;
};

bool allocate([[maybe_unused]] const MemfdAllocator& allocator,
              [[maybe_unused]] const OfAnotherShape& of_another_shape,
              const std::vector<TensorSpec>& tensors) {
#ifdef MISUSE
  return SharedBuffer<PerTensor>::allocate(of_another_shape, tensors).has_value();
#else
  return SharedBuffer<PerTensor>::allocate(allocator, tensors).has_value();
#endif
}
