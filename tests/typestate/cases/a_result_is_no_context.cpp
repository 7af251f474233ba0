// EXPECT: this is a Result; test it and pass *std::move(context), or use value_or_throw()
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool find(Result<Context<Finalized>> context) {
#ifdef MISUSE
  return Graph<Retrieved>::retrieve(context, "g").has_value();
#else
  return context && Graph<Retrieved>::retrieve(*context, "g").has_value();
#endif
}
