// CLANG-CONSUMED: while it is in the 'consumed' state
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool step(Context<Registered> context) {
#ifdef MISUSE
  const bool first = std::move(context).finalize().has_value();
  return std::move(context).finalize().has_value() && first;
#else
  return std::move(context).finalize().has_value();
#endif
}
