// CLANG-CONSUMED: while it is in the 'consumed' state
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Retrieved, RawIo> graph, std::vector<float>& input) {
#ifdef MISUSE
  const bool bound = std::move(graph).bind({raw("input", input)}).has_value();
  return bound && graph.inputs().empty();
#else
  const bool none = graph.inputs().empty();
  return std::move(graph).bind({raw("input", input)}).has_value() && none;
#endif
}
