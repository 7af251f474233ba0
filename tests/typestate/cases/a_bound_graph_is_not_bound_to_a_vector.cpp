// EXPECT: this graph is bound; call std::move(graph).unbind() first
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Bound, RegisteredIo> graph, const std::vector<RegisteredBinding>& all) {
#ifdef MISUSE
  return std::move(graph).bind(all).has_value();
#else
  return std::move(graph).unbind().bind(all).has_value();
#endif
}
