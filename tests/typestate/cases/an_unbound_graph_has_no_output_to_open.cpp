// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool open(Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& tensors) {
#ifdef MISUSE
  return graph.output<float>("scores").has_value() && tensors.handle_count() != 0;
#else
  auto bound = std::move(graph).bind(tensors);
  return bound && bound->output<float>("scores").has_value();
#endif
}
