// EXPECT: a context from a binary is not serialised; keep its binary
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool save(Context<Finalized> restored, Context<Composed> composed) {
#ifdef MISUSE
  return restored.serialize().has_value() || composed.native() != nullptr;
#else
  return composed.serialize().has_value() || restored.native() != nullptr;
#endif
}
