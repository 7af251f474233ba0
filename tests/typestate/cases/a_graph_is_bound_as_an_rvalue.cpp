// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
#include "qnnpp/graph/graph.hpp"
#include <array>

using namespace qnnpp;

bool step(Graph<Retrieved> graph) {
#ifdef MISUSE
  std::array<float, 4> input{};
  return graph.bind({raw("input", input)}).has_value();
#else
  std::array<float, 4> input{};
  return std::move(graph).bind({raw("input", input)}).has_value();
#endif
}
