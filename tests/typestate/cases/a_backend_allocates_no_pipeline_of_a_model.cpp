// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/model/model.hpp"

using namespace qnnpp;

bool chain(const model::Model& network, [[maybe_unused]] const Backend<Htp>& backend,
           [[maybe_unused]] const MemfdAllocator& allocator) {
#ifdef MISUSE
  return network.pipeline(backend, {"encoder", "decoder"}).has_value();
#else
  return network.pipeline(allocator, {"encoder", "decoder"}).has_value();
#endif
}
