// EXPECT: raw memory is copied at every inference; bind registered memory or use AnyIo
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& tensors, std::vector<float>& input) {
#ifdef MISUSE
  return std::move(graph).bind({registered(tensors, "input"), raw("output", input)}).has_value();
#else
  return std::move(graph).bind({registered(tensors, "input"), registered(tensors, "output")}).has_value() &&
         !input.empty();
#endif
}
