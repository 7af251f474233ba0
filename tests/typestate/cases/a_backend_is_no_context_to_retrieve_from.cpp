// EXPECT: no context; retrieve(context, name) wants a finalized Context
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool retrieve(const Backend<Htp>& backend, const Context<Finalized>& context) {
#ifdef MISUSE
  (void)context;
  return Graph<Retrieved>::retrieve(backend, "stem").has_value();
#else
  (void)backend;
  return Graph<Retrieved>::retrieve(context, "stem").has_value();
#endif
}
