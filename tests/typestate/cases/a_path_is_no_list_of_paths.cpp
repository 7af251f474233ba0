// EXPECT: a path is no list of paths; write load(backend, allocator, {path})
#include "qnnpp/memory/rpcmem_allocator.hpp"
#include "qnnpp/model/load.hpp"

using namespace qnnpp;

bool load(const Backend<Htp>& backend, const RpcmemAllocator& rpcmem, const std::string& path) {
#ifdef MISUSE
  return model::load(backend, rpcmem, path).has_value();
#else
  return model::load(backend, rpcmem, {path}).has_value();
#endif
}
