// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& inputs, const RegisteredTensors& outputs) {
#ifdef MISUSE
  return graph.bind(inputs, outputs).has_value();
#else
  return std::move(graph).bind(inputs, outputs).has_value();
#endif
}
