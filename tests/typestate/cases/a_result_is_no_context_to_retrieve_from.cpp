// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool retrieve(const Result<Context<Finalized>>& context) {
#ifdef MISUSE
  return Graph<Retrieved>::retrieve(context, "stem").has_value();
#else
  return context && Graph<Retrieved>::retrieve(*context, "stem").has_value();
#endif
}
