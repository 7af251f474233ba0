// EXPECT: registered memory leaves copies of this graph unused; bind raw memory or use AnyIo
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

#ifdef MISUSE
bool step(Graph<Retrieved, RawIo> graph, const MemfdAllocator& allocator) {
#else
bool step(Graph<Retrieved, AnyIo> graph, const MemfdAllocator& allocator) {
#endif
  return std::move(graph).bind(allocator).has_value();
}
