// EXPECT: a context from a binary takes no new graphs; use Context<Composing>
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

bool begin(Context<Finalized>& final, Context<Composing>& composing) {
#ifdef MISUSE
  return Graph<Composing, RegisteredIo>::create(final, "late").has_value() || composing.name().empty();
#else
  return Graph<Composing, RegisteredIo>::create(composing, "timely").has_value() || final.name().empty();
#endif
}
