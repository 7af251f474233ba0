// EXPECT: a residency has one owner; write std::move(residency)
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/model/residency.hpp"

using namespace qnnpp;

using Residency = model::Residency<MemfdAllocator>;

Residency take(Residency& residency) {
#ifdef MISUSE
  return Residency(residency);
#else
  return Residency(std::move(residency));
#endif
}
