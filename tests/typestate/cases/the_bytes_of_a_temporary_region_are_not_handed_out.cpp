// EXPECT: bytes() of a temporary would dangle; name the region first
#include "qnnpp/memory/mem_region.hpp"

using namespace qnnpp;

std::span<std::byte> view(MemRegion<TensorIo>& tensor) {
#ifdef MISUSE
  return std::move(tensor).bytes();
#else
  return tensor.bytes();
#endif
}
