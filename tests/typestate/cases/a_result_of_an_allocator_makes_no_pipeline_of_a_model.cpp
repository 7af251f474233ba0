// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
#include "qnnpp/memory/rpcmem_allocator.hpp"
#include "qnnpp/model/model.hpp"

using namespace qnnpp;

bool chain(const model::Model& network, const Result<RpcmemAllocator>& rpcmem) {
#ifdef MISUSE
  return network.pipeline(rpcmem, {"encoder", "decoder"}).has_value();
#else
  return rpcmem && network.pipeline(*rpcmem, {"encoder", "decoder"}).has_value();
#endif
}
