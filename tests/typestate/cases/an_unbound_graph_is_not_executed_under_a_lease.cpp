// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool run(Graph<Retrieved> graph, const SpillFillLease& lease) {
#ifdef MISUSE
  return graph.execute(lease).has_value();
#else
  auto bound = std::move(graph).bind({});
  return bound && bound->execute(lease).has_value();
#endif
}
