// EXPECT: native() of a temporary would dangle; name the graph first
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

abi::GraphHandle handle_of(Graph<Composing, SharedIo>& graph) {
#ifdef MISUSE
  return std::move(graph).native();
#else
  return graph.native();
#endif
}
