// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
#include "qnnpp/memory/dma_heap_allocator.hpp"
#include "qnnpp/memory/shared_buffer.hpp"

using namespace qnnpp;

bool allocate(Result<DmaHeapAllocator> heap, const std::vector<TensorSpec>& tensors) {
#ifdef MISUSE
  return SharedBuffer<MultiTensor>::allocate(heap, tensors).has_value();
#else
  return heap && SharedBuffer<MultiTensor>::allocate(*heap, tensors).has_value();
#endif
}
