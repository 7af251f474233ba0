// EXPECT: a graph has one owner; write std::move(graph)
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

Graph<Retrieved, SharedIo> take(Graph<Retrieved, SharedIo>& graph) {
#ifdef MISUSE
  return Graph<Retrieved, SharedIo>(graph);
#else
  return Graph<Retrieved, SharedIo>(std::move(graph));
#endif
}
