// EXPECT: this is a Result; test it and pass *allocator, or use value_or_throw()
#include "qnnpp/memory/rpcmem_allocator.hpp"
#include "qnnpp/model/residency.hpp"

using namespace qnnpp;

bool create(const Backend<Htp>& backend, Result<RpcmemAllocator> rpcmem,
            std::vector<model::BinarySource> binaries) {
#ifdef MISUSE
  return model::Residency<RpcmemAllocator>::create(backend, rpcmem, std::move(binaries))
      .has_value();
#else
  return rpcmem && model::Residency<RpcmemAllocator>::create(backend, *rpcmem, std::move(binaries))
                       .has_value();
#endif
}
