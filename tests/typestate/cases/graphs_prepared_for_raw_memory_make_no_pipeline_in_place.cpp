// EXPECT: raw memory is copied between graphs; retrieve them as RegisteredIo or AnyIo
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

bool chain(const RpcmemAllocator& rpcmem, Graph<Retrieved, RawIo> raw,
           Graph<Retrieved, RegisteredIo> shared) {
#ifdef MISUSE
  return Pipeline::create(rpcmem, {std::move(raw)}).has_value() || shared.inputs().empty();
#else
  return Pipeline::create(rpcmem, {std::move(shared)}).has_value() || raw.inputs().empty();
#endif
}
