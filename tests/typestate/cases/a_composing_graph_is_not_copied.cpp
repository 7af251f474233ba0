// EXPECT: a graph has one owner; write std::move(graph)
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

Graph<Composing, RegisteredIo> take(Graph<Composing, RegisteredIo>& graph) {
#ifdef MISUSE
  return Graph<Composing, RegisteredIo>(graph);
#else
  return Graph<Composing, RegisteredIo>(std::move(graph));
#endif
}
