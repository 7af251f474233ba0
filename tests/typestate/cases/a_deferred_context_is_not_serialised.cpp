// EXPECT: a context from a binary is not serialised; keep its binary
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool save(Context<Deferred> deferred, Context<Composed> composed) {
#ifdef MISUSE
  return deferred.serialize().has_value() || composed.native() != nullptr;
#else
  return composed.serialize().has_value() || deferred.native() != nullptr;
#endif
}
