// EXPECT: raw memory is copied between graphs; retrieve them as RegisteredIo or AnyIo
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

bool chain(std::vector<Graph<Retrieved, RawIo>> raw, std::vector<Graph<Retrieved>> any) {
#ifdef MISUSE
  return Pipeline::create(MemfdAllocator(), std::move(raw), {.share_bytes = true}).has_value() || any.empty();
#else
  return Pipeline::create(MemfdAllocator(), std::move(any), {.share_bytes = true}).has_value() || raw.empty();
#endif
}
