// EXPECT: a graph has one owner; write std::move(graph)
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

Graph<Composing, SharedIo> take(Graph<Composing, SharedIo>& graph) {
#ifdef MISUSE
  return Graph<Composing, SharedIo>(graph);
#else
  return Graph<Composing, SharedIo>(std::move(graph));
#endif
}
