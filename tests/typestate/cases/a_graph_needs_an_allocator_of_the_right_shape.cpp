// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

struct OfAnotherShape {
  DmaBuffer allocate(std::uint64_t bytes) const;
};

bool bind(Graph<Retrieved> graph, [[maybe_unused]] const MemfdAllocator& allocator,
          [[maybe_unused]] const OfAnotherShape& of_another_shape) {
#ifdef MISUSE
  return std::move(graph).bind(of_another_shape).has_value();
#else
  return std::move(graph).bind(allocator).has_value();
#endif
}
