// EXPECT: a context from a binary takes no new graphs; use Context<Composing>
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

bool begin(Context<Finalized>& final, Context<Composing>& composing) {
#ifdef MISUSE
  return Graph<Composing, SharedIo>::create(final, "late").has_value() || composing.name().empty();
#else
  return Graph<Composing, SharedIo>::create(composing, "timely").has_value() || final.name().empty();
#endif
}
