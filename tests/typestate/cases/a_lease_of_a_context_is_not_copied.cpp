// EXPECT: a lease has one owner; write std::move(lease)
#include "qnnpp/model/residency.hpp"

using namespace qnnpp;

using Lease = model::ResidencyLease<model::NoPayload>;

Lease take(Lease& lease) {
#ifdef MISUSE
  return Lease(lease);
#else
  return Lease(std::move(lease));
#endif
}
