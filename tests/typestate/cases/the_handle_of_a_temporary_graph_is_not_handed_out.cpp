// EXPECT: native() of a temporary would dangle; name the graph first
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

c_api::GraphHandle handle_of(Graph<Bound>& graph) {
#ifdef MISUSE
  return std::move(graph).native();
#else
  return graph.native();
#endif
}
