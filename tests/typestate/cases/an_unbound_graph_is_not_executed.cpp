// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool run(Graph<Retrieved> graph) {
#ifdef MISUSE
  return graph.execute().has_value();
#else
  auto bound = std::move(graph).bind({});
  return bound && bound->execute().has_value();
#endif
}
