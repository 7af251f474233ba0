// CLANG-CONSUMED: while it is in the 'consumed' state
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& tensors) {
#ifdef MISUSE
  const bool bound = std::move(graph).bind(tensors).has_value();
  return bound && graph.inputs().empty();
#else
  const bool none = graph.inputs().empty();
  return std::move(graph).bind(tensors).has_value() && none;
#endif
}
