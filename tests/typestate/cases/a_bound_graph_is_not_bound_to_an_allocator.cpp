// EXPECT: this graph is bound; call std::move(graph).unbind() first
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

bool step(Graph<Bound> graph, const MemfdAllocator& allocator) {
#ifdef MISUSE
  return std::move(graph).bind(allocator).has_value();
#else
  return std::move(graph).unbind().bind(allocator).has_value();
#endif
}
