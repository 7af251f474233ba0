// EXPECT: the context is not finalized; register_buffers() and finalize() it first
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool find(Context<Queried>& context, Context<Finalized>& final) {
#ifdef MISUSE
  return Graph<Retrieved>::retrieve(context, final.name()).has_value();
#else
  return Graph<Retrieved>::retrieve(final, context.name()).has_value();
#endif
}
