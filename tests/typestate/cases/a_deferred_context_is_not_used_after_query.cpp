// CLANG-CONSUMED: while it is in the 'consumed' state
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool step(Context<Deferred> context) {
#ifdef MISUSE
  const auto queried = std::move(context).query();
  return queried && !context.name().empty();
#else
  const auto queried = std::move(context).query();
  return queried && !queried->name().empty();
#endif
}
