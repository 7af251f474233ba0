// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

bool step(Graph<Retrieved, RegisteredIo> graph, const MemfdAllocator& allocator) {
#ifdef MISUSE
  return graph.bind(allocator).has_value();
#else
  return std::move(graph).bind(allocator).has_value();
#endif
}
