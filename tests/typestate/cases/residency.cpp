// Misuses of model::Residency and its pinned contexts.
#include "qnnpp/model/residency.hpp"

#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

using Residency = model::Residency<>;
using Pinned = model::Pinned<std::monostate>;

// EXPECT: a residency has one owner; write std::move(residency)
Residency a_residency_is_not_copied(Residency& residency) {
#if MISUSE == 1
  return Residency(residency);
#else
  return Residency(std::move(residency));
#endif
}

// EXPECT: this is a Result; test it and pass *allocator, or use value_or_throw()
bool a_result_is_no_allocator_of_a_residency(const Backend<Htp>& backend,
                                             Result<RpcmemAllocator> rpcmem,
                                             std::vector<model::BinarySource> binaries) {
#if MISUSE == 2
  return model::Residency<>::create(backend, rpcmem, std::move(binaries)).has_value();
#else
  return rpcmem && model::Residency<>::create(backend, *rpcmem, std::move(binaries)).has_value();
#endif
}

// EXPECT: a pinned context has one owner; write std::move(pinned)
Pinned a_pinned_context_is_not_copied(Pinned& pinned) {
#if MISUSE == 3
  return Pinned(pinned);
#else
  return Pinned(std::move(pinned));
#endif
}

// EXPECT: context() of a temporary would dangle; name the pinned context first
const Context<Finalized>& the_context_of_a_temporary_pinned_object_is_not_handed_out(
    Pinned& pinned) {
#if MISUSE == 4
  return std::move(pinned).context();
#else
  return pinned.context();
#endif
}

// EXPECT: payload() of a temporary would dangle; name the pinned context first
int& the_payload_of_a_temporary_pinned_object_is_not_handed_out(model::Pinned<int>& pinned) {
#if MISUSE == 5
  return std::move(pinned).payload();
#else
  return pinned.payload();
#endif
}
