// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

bool bind(Graph<Retrieved> graph, Result<RpcmemAllocator> rpcmem) {
#ifdef MISUSE
  return std::move(graph).bind(rpcmem).has_value();
#else
  return rpcmem && std::move(graph).bind(*rpcmem).has_value();
#endif
}
