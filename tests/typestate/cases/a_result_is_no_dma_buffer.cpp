// EXPECT: this is a Result; test it and pass *std::move(buffer), or use value_or_throw()
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

bool make(const MemfdAllocator& memfd) {
#ifdef MISUSE
  return MemRegion<TensorIo>::from_buffer(memfd.allocate(4096)).has_value();
#else
  auto buffer = memfd.allocate(4096);
  return buffer && MemRegion<TensorIo>::from_buffer(*std::move(buffer)).has_value();
#endif
}
