// EXPECT: payload() of a temporary would dangle; name the lease first
#include "qnnpp/model/residency.hpp"

using namespace qnnpp;

int& payload_of(model::ResidencyLease<int>& lease) {
#ifdef MISUSE
  return std::move(lease).payload();
#else
  return lease.payload();
#endif
}
