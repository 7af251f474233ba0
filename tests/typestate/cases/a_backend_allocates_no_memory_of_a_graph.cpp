// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

bool bind(Graph<Retrieved> graph, const Backend<Htp>& backend, const RpcmemAllocator& allocator) {
#ifdef MISUSE
  (void)allocator;
  return std::move(graph).bind(backend).has_value();
#else
  (void)backend;
  return std::move(graph).bind(allocator).has_value();
#endif
}
