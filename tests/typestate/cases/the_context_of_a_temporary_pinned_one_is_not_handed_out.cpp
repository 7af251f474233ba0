// EXPECT: context() of a temporary would dangle; name the pinned context first
#include "qnnpp/model/residency.hpp"

using namespace qnnpp;

const Context<Finalized>& context_of(model::Pinned<model::NoPayload>& pinned) {
#ifdef MISUSE
  return std::move(pinned).context();
#else
  return pinned.context();
#endif
}
