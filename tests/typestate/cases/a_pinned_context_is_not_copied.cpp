// EXPECT: a pinned context has one owner; write std::move(pinned)
#include "qnnpp/model/residency.hpp"

using namespace qnnpp;

using Pinned = model::Pinned<model::NoPayload>;

Pinned take(Pinned& pinned) {
#ifdef MISUSE
  return Pinned(pinned);
#else
  return Pinned(std::move(pinned));
#endif
}
