// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

struct OfAnotherShape {
  DmaBuffer allocate(std::uint64_t bytes) const;
};

bool chain([[maybe_unused]] const MemfdAllocator& allocator,
           [[maybe_unused]] const OfAnotherShape& of_another_shape,
           std::vector<Graph<Retrieved>> graphs) {
#ifdef MISUSE
  return Pipeline::create(of_another_shape, std::move(graphs)).has_value();
#else
  return Pipeline::create(allocator, std::move(graphs)).has_value();
#endif
}
