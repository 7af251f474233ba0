// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& tensors) {
#ifdef MISUSE
  return graph.bind({registered(tensors, "input")}).has_value();
#else
  return std::move(graph).bind({registered(tensors, "input")}).has_value();
#endif
}
