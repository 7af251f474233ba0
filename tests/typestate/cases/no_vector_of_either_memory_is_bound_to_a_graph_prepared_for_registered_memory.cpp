// EXPECT: raw memory is copied at every inference; bind registered memory or use AnyIo
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& tensors) {
#ifdef MISUSE
  const std::vector<Binding> all = {registered(tensors, "input")};
  return std::move(graph).bind(all).has_value();
#else
  const std::vector<RegisteredBinding> all = {registered(tensors, "input")};
  return std::move(graph).bind(all).has_value();
#endif
}
