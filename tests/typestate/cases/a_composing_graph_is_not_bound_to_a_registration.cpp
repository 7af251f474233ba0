// EXPECT: the graph is not finalized; call std::move(graph).finalize() first
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

bool step(Graph<Composing, RegisteredIo> graph, const RegisteredTensors& tensors) {
#ifdef MISUSE
  return std::move(graph).bind(tensors).has_value();
#else
  auto final = std::move(graph).finalize();
  return final && std::move(*final).bind(tensors).has_value();
#endif
}
