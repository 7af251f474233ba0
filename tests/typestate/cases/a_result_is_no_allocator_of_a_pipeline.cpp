// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

bool chain(Result<RpcmemAllocator> rpcmem, std::vector<Graph<Retrieved>> graphs) {
#ifdef MISUSE
  return Pipeline::create(rpcmem, std::move(graphs)).has_value();
#else
  return rpcmem && Pipeline::create(*rpcmem, std::move(graphs)).has_value();
#endif
}
