// EXPECT: raw memory is copied at every inference; bind registered memory or use AnyIo
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& tensors, std::vector<float>& input) {
#ifdef MISUSE
  const std::vector<RawBinding> all = {raw("input", input)};
  return std::move(graph).bind(all).has_value() && tensors.handle_count() != 0;
#else
  const std::vector<RegisteredBinding> all = {registered(tensors, "input")};
  return std::move(graph).bind(all).has_value() && !input.empty();
#endif
}
