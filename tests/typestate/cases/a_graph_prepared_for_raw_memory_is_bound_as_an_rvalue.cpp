// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Retrieved, RawIo> graph, std::vector<float>& input) {
#ifdef MISUSE
  return graph.bind({raw("input", input)}).has_value();
#else
  return std::move(graph).bind({raw("input", input)}).has_value();
#endif
}
