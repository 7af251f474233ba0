// EXPECT: a memory region has one owner; write std::move(region)
#include "qnnpp/memory/mem_region.hpp"

using namespace qnnpp;

MemRegion<Weights> take(MemRegion<Weights>& region) {
#ifdef MISUSE
  return MemRegion<Weights>(region);
#else
  return MemRegion<Weights>(std::move(region));
#endif
}
