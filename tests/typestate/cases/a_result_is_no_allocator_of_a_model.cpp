// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
#include "qnnpp/memory/rpcmem_allocator.hpp"
#include "qnnpp/model/load.hpp"

using namespace qnnpp;

bool load(const Backend<Htp>& backend) {
#ifdef MISUSE
  return model::load(backend, RpcmemAllocator::load(), {"a.bin", "b.bin"}).has_value();
#else
  const auto rpcmem = RpcmemAllocator::load();
  return rpcmem && model::load(backend, *rpcmem, {"a.bin", "b.bin"}).has_value();
#endif
}
