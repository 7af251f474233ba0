// EXPECT: no context; retrieve(context, name) wants a finalized Context
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool retrieve(const Context<Finalized>& context) {
#ifdef MISUSE
  (void)context;
  return Graph<Retrieved>::retrieve("stem.bin", "stem").has_value();
#else
  return Graph<Retrieved>::retrieve(context, "stem").has_value();
#endif
}
