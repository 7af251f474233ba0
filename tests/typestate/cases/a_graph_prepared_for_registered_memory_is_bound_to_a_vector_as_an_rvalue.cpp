// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Retrieved, RegisteredIo> graph, const std::vector<RegisteredBinding>& all) {
#ifdef MISUSE
  return graph.bind(all).has_value();
#else
  return std::move(graph).bind(all).has_value();
#endif
}
