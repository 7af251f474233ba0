// Misuses of model::Residency and its leases.
#include "qnnpp/model/residency.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

using Residency = model::Residency<MemfdAllocator>;
using Lease = model::ResidencyLease<model::NoPayload>;

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
  return model::Residency<RpcmemAllocator>::create(backend, rpcmem, std::move(binaries))
      .has_value();
#else
  return rpcmem && model::Residency<RpcmemAllocator>::create(backend, *rpcmem, std::move(binaries))
                       .has_value();
#endif
}

// EXPECT: a lease has one owner; write std::move(lease)
Lease a_lease_of_a_context_is_not_copied(Lease& lease) {
#if MISUSE == 3
  return Lease(lease);
#else
  return Lease(std::move(lease));
#endif
}

// EXPECT: context() of a temporary would dangle; name the lease first
const Context<Finalized>& the_context_of_a_temporary_lease_is_not_handed_out(Lease& lease) {
#if MISUSE == 4
  return std::move(lease).context();
#else
  return lease.context();
#endif
}

// EXPECT: payload() of a temporary would dangle; name the lease first
int& the_payload_of_a_temporary_lease_is_not_handed_out(model::ResidencyLease<int>& lease) {
#if MISUSE == 5
  return std::move(lease).payload();
#else
  return lease.payload();
#endif
}
