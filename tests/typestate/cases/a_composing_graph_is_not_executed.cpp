// EXPECT: the graph is not finalized; call std::move(graph).finalize() first
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

bool run(Graph<Composing> graph) {
#ifdef MISUSE
  return graph.execute().has_value();
#else
  const auto final = std::move(graph).finalize();
  return final && !final->inputs().empty();
#endif
}
