// EXPECT: the graph is not finalized; call std::move(graph).finalize() first
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

bool step(Graph<Composing, RegisteredIo> graph, const std::vector<RegisteredBinding>& all) {
#ifdef MISUSE
  return std::move(graph).bind(all).has_value();
#else
  auto final = std::move(graph).finalize();
  return final && std::move(*final).bind(all).has_value();
#endif
}
