// EXPECT: native() of a temporary would dangle; name the graph first
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

c_api::GraphHandle handle_of(Graph<Composing, RegisteredIo>& graph) {
#ifdef MISUSE
  return std::move(graph).native();
#else
  return graph.native();
#endif
}
