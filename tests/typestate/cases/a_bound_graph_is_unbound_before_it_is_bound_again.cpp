// EXPECT: this graph is bound; call std::move(graph).unbind() first
#include "qnnpp/graph/graph.hpp"
#include <array>

using namespace qnnpp;

bool step(Graph<Bound> graph) {
#ifdef MISUSE
  std::array<float, 4> input{};
  return std::move(graph).bind({raw("input", input)}).has_value();
#else
  std::array<float, 4> input{};
  return std::move(graph).unbind().bind({raw("input", input)}).has_value();
#endif
}
