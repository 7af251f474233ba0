// EXPECT: outputs() of a temporary would dangle; name the graph first
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

const std::vector<TensorSpec>& outputs_of(Graph<Retrieved>& graph) {
#ifdef MISUSE
  return std::move(graph).outputs();
#else
  return graph.outputs();
#endif
}
