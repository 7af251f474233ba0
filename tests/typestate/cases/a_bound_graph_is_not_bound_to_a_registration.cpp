// EXPECT: this graph is bound; call std::move(graph).unbind() first
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Bound, RegisteredIo> graph, const RegisteredTensors& tensors) {
#ifdef MISUSE
  return std::move(graph).bind(tensors).has_value();
#else
  return std::move(graph).unbind().bind(tensors).has_value();
#endif
}
