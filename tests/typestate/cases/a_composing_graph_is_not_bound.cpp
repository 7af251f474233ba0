// EXPECT: the graph is not finalized; call std::move(graph).finalize() first
#include "qnnpp/graph/compose.hpp"
#include <array>

using namespace qnnpp;

bool step(Graph<Composing> graph) {
#ifdef MISUSE
  std::array<float, 4> input{};
  return std::move(graph).bind({raw("input", input)}).has_value();
#else
  std::array<float, 4> input{};
  auto final = std::move(graph).finalize();
  return final && std::move(*final).bind({raw("input", input)}).has_value();
#endif
}
