// EXPECT: graphs() of a temporary would dangle; name the context first
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

const std::vector<GraphSpec>& graphs_of(Context<Finalized>& context) {
#ifdef MISUSE
  return std::move(context).graphs();
#else
  return context.graphs();
#endif
}
