// EXPECT: the graph is not finalized; call std::move(graph).finalize() first
#include "qnnpp/graph/compose.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

bool step(Graph<Composing, RegisteredIo> graph, const MemfdAllocator& allocator) {
#ifdef MISUSE
  return std::move(graph).bind(allocator).has_value();
#else
  auto final = std::move(graph).finalize();
  return final && std::move(*final).bind(allocator).has_value();
#endif
}
