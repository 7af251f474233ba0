// EXPECT: finalize() consumes the graph; write std::move(graph).finalize()
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

Result<Graph<Retrieved, RegisteredIo>> step(Graph<Composing, RegisteredIo> graph) {
#ifdef MISUSE
  return graph.finalize();
#else
  return std::move(graph).finalize();
#endif
}
