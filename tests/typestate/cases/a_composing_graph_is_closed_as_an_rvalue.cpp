// EXPECT: close() consumes the graph; write std::move(graph).close()
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

bool close(Graph<Composing> graph) {
#ifdef MISUSE
  return graph.close().has_value();
#else
  return std::move(graph).close().has_value();
#endif
}
