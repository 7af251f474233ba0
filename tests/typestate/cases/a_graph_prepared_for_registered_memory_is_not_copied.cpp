// EXPECT: a graph has one owner; write std::move(graph)
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

Graph<Retrieved, RegisteredIo> take(Graph<Retrieved, RegisteredIo>& graph) {
#ifdef MISUSE
  return Graph<Retrieved, RegisteredIo>(graph);
#else
  return Graph<Retrieved, RegisteredIo>(std::move(graph));
#endif
}
