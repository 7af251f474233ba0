// EXPECT: raw memory is copied between graphs; retrieve them as RegisteredIo or AnyIo
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

bool chain(std::vector<Graph<Retrieved, RawIo>> raw, std::vector<Graph<Retrieved, RegisteredIo>> shared) {
#ifdef MISUSE
  return Pipeline::create(MemfdAllocator(), std::move(raw)).has_value() || shared.empty();
#else
  return Pipeline::create(MemfdAllocator(), std::move(shared)).has_value() || raw.empty();
#endif
}
