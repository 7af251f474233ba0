// EXPECT: inputs() of a temporary would dangle; name the graph first
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

const std::vector<TensorSpec>& inputs_of(Graph<Retrieved>& graph) {
#ifdef MISUSE
  return std::move(graph).inputs();
#else
  return graph.inputs();
#endif
}
