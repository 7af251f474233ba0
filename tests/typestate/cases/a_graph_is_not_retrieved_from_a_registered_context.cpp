// EXPECT: the context is not finalized; call std::move(context).finalize() first
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool find(Context<Registered>& context, Context<Finalized>& final) {
#ifdef MISUSE
  return Graph<Retrieved>::retrieve(context, final.name()).has_value();
#else
  return Graph<Retrieved>::retrieve(final, context.name()).has_value();
#endif
}
