// EXPECT: a name is no list of names; write pipeline(allocator, {name})
#include "qnnpp/memory/rpcmem_allocator.hpp"
#include "qnnpp/model/model.hpp"

using namespace qnnpp;

bool chain(const model::Model& network, const RpcmemAllocator& rpcmem) {
#ifdef MISUSE
  return network.pipeline(rpcmem, "encoder").has_value();
#else
  return network.pipeline(rpcmem, {"encoder"}).has_value();
#endif
}
