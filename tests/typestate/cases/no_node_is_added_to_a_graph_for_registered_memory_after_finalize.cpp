// CLANG-CONSUMED: while it is in the 'consumed' state
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

/// Leaves the graph usable, and says so.
bool add(Graph<Composing, RegisteredIo>& graph QNNPP_KEEPS, const NodeSpec& node) {
  return graph.add_node(node).has_value();
}

bool step(Graph<Composing, RegisteredIo> graph, const NodeSpec& node) {
#ifdef MISUSE
  const bool done = std::move(graph).finalize().has_value();
  return done && graph.add_node(node).has_value();
#else
  const bool added = add(graph, node) && add(graph, node);
  return std::move(graph).finalize().has_value() && added;
#endif
}
