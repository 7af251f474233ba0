// EXPECT: context() of a temporary would dangle; name the lease first
#include "qnnpp/model/residency.hpp"

using namespace qnnpp;

const Context<Finalized>& context_of(model::ResidencyLease<model::NoPayload>& lease) {
#ifdef MISUSE
  return std::move(lease).context();
#else
  return lease.context();
#endif
}
