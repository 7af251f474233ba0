// CLANG-CONSUMED: while it is in the 'consumed' state
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool end(Context<Finalized> context) {
#ifdef MISUSE
  const bool closed = std::move(context).close().has_value();
  return closed && context.name().empty();
#else
  const bool named = !context.name().empty();
  return std::move(context).close().has_value() && named;
#endif
}
