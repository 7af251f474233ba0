// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

bool allocate(Result<RpcmemAllocator> rpcmem) {
#ifdef MISUSE
  return MemRegion<Weights>::allocate(rpcmem, 4096).has_value();
#else
  return rpcmem && MemRegion<Weights>::allocate(*rpcmem, 4096).has_value();
#endif
}
