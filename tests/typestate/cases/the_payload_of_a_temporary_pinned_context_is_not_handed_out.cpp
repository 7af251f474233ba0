// EXPECT: payload() of a temporary would dangle; name the pinned context first
#include "qnnpp/model/residency.hpp"

using namespace qnnpp;

int& payload_of(model::Pinned<int>& pinned) {
#ifdef MISUSE
  return std::move(pinned).payload();
#else
  return pinned.payload();
#endif
}
