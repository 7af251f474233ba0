// EXPECT: this is a Result; test it and pass *backend, or use value_or_throw()
#include "qnnpp/memory/rpcmem_allocator.hpp"
#include "qnnpp/model/load.hpp"

using namespace qnnpp;

bool load(const RpcmemAllocator& rpcmem) {
#ifdef MISUSE
  return model::load(Backend<Htp>::load(), rpcmem, {"a.bin", "b.bin"}).has_value();
#else
  const auto backend = Backend<Htp>::load();
  return backend && model::load(*backend, rpcmem, {"a.bin", "b.bin"}).has_value();
#endif
}
