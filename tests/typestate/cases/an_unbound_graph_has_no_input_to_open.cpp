// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

bool open(Graph<Retrieved> graph, [[maybe_unused]] const RpcmemAllocator& rpcmem) {
#ifdef MISUSE
  return graph.input<float>("image").has_value();
#else
  auto bound = std::move(graph).bind(rpcmem);
  return bound && bound->input<float>("image").has_value();
#endif
}
