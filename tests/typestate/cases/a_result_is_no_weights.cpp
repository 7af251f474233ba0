// EXPECT: this is a Result; test it and pass *std::move(region), or use value_or_throw()
#include "qnnpp/context/context.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

bool give(Context<Queried> context, const RpcmemAllocator& rpcmem) {
#ifdef MISUSE
  const auto needs = context.requirements();
  return std::move(context)
      .register_buffers({.weights = MemRegion<Weights>::allocate(rpcmem, needs)})
      .has_value();
#else
  auto weights = MemRegion<Weights>::allocate(rpcmem, context.requirements());
  return weights &&
         std::move(context).register_buffers({.weights = *std::move(weights)}).has_value();
#endif
}
