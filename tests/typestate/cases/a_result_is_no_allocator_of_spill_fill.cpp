// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
#include "qnnpp/context/context.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"

using namespace qnnpp;

bool allocate(const std::vector<Context<Queried>>& contexts) {
#ifdef MISUSE
  return SharedSpillFill::allocate(RpcmemAllocator::load(), contexts).has_value();
#else
  const auto rpcmem = RpcmemAllocator::load();
  return rpcmem && SharedSpillFill::allocate(*rpcmem, contexts).has_value();
#endif
}
