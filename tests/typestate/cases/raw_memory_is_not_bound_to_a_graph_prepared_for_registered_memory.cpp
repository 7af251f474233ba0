// EXPECT: raw memory is copied at every inference; bind registered memory or use AnyIo
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& tensors, std::vector<float>& input) {
#ifdef MISUSE
  return std::move(graph).bind({raw("input", input)}).has_value() && tensors.handle_count() != 0;
#else
  return std::move(graph).bind({registered(tensors, "input")}).has_value() && !input.empty();
#endif
}
