// EXPECT: these have no requirements(); pass a std::vector<Context<Queried>>
#include "qnnpp/context/context.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

bool share(const RpcmemAllocator& rpcmem, const std::vector<Context<Deferred>>& deferred,
           const std::vector<Context<Queried>>& queried) {
#ifdef MISUSE
  return SharedSpillFill::allocate(rpcmem, deferred).has_value() || queried.empty();
#else
  return SharedSpillFill::allocate(rpcmem, queried).has_value() || deferred.empty();
#endif
}
