// EXPECT: close() consumes the graph; write std::move(graph).close()
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool close(Graph<Retrieved, RegisteredIo> graph) {
#ifdef MISUSE
  return graph.close().has_value();
#else
  return std::move(graph).close().has_value();
#endif
}
