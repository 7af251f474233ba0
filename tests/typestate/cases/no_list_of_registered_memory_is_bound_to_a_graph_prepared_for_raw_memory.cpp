// EXPECT: registered memory leaves copies of this graph unused; bind raw memory or use AnyIo
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Retrieved, RawIo> graph, const RegisteredTensors& tensors, std::vector<float>& input) {
#ifdef MISUSE
  return std::move(graph).bind({registered(tensors, "input"), registered(tensors, "output")}).has_value() &&
         !input.empty();
#else
  return std::move(graph).bind({raw("input", input), raw("output", input)}).has_value() &&
         tensors.handle_count() != 0;
#endif
}
