// EXPECT: a graph has one owner; write std::move(graph)
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

Graph<Bound> take(Graph<Bound>& graph) {
#ifdef MISUSE
  return Graph<Bound>(graph);
#else
  return Graph<Bound>(std::move(graph));
#endif
}
