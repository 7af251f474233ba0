// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool run(Graph<Retrieved, RegisteredIo> graph, std::span<const RegisteredBinding> all) {
#ifdef MISUSE
  return graph.execute().has_value() && !all.empty();
#else
  auto bound = std::move(graph).bind(all);
  return bound && bound->execute().has_value();
#endif
}
