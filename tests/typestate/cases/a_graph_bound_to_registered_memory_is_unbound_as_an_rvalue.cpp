// EXPECT: unbind() consumes the graph; write std::move(graph).unbind()
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

Graph<Retrieved, RegisteredIo> step(Graph<Bound, RegisteredIo> graph) {
#ifdef MISUSE
  return graph.unbind();
#else
  return std::move(graph).unbind();
#endif
}
