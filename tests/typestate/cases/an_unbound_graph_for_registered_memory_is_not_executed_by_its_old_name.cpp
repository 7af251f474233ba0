// CLANG-CONSUMED: while it is in the 'consumed' state
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Bound, RegisteredIo> graph) {
#ifdef MISUSE
  const auto retrieved = std::move(graph).unbind();
  return graph.execute().has_value() && retrieved.inputs().empty();
#else
  const bool done = graph.execute().has_value();
  const auto retrieved = std::move(graph).unbind();
  return done && retrieved.inputs().empty();
#endif
}
