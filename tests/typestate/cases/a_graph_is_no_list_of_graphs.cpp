// EXPECT: a graph is no list; write create(allocator, {std::move(graph)})
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

bool chain(const RpcmemAllocator& rpcmem, Graph<Retrieved> graph) {
#ifdef MISUSE
  return Pipeline::create(rpcmem, std::move(graph)).has_value();
#else
  return Pipeline::create(rpcmem, {std::move(graph)}).has_value();
#endif
}
