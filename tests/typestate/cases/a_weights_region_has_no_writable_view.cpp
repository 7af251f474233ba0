// EXPECT: QNN alone writes this memory; only MemRegion<TensorIo> has bytes()
#include "qnnpp/memory/mem_region.hpp"

using namespace qnnpp;

std::size_t view(MemRegion<Weights>& weights, MemRegion<TensorIo>& tensor) {
#ifdef MISUSE
  return weights.bytes().size() + tensor.size_bytes();
#else
  return tensor.bytes().size() + weights.size_bytes();
#endif
}
