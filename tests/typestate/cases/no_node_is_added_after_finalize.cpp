// CLANG-CONSUMED: while it is in the 'consumed' state
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

bool step(Graph<Composing> graph, const NodeSpec& node) {
#ifdef MISUSE
  const bool done = std::move(graph).finalize().has_value();
  return done && graph.add_node(node).has_value();
#else
  const bool added = graph.add_node(node).has_value();
  return std::move(graph).finalize().has_value() && added;
#endif
}
