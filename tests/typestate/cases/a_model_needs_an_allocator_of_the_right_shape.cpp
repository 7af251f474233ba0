// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/model/load.hpp"

using namespace qnnpp;

struct OfAnotherShape {
  DmaBuffer allocate(std::uint64_t bytes) const;
};

bool load(const Backend<Htp>& backend, [[maybe_unused]] const MemfdAllocator& allocator,
          [[maybe_unused]] const OfAnotherShape& of_another_shape) {
#ifdef MISUSE
  return model::load(backend, of_another_shape, {"a.bin", "b.bin"}).has_value();
#else
  return model::load(backend, allocator, {"a.bin", "b.bin"}).has_value();
#endif
}
