// EXPECT: the memory of a temporary would dangle; name the buffer first
#include "qnnpp/graph/graph.hpp"
#include <vector>

using namespace qnnpp;

bool step(Graph<Retrieved> graph) {
#ifdef MISUSE
  const Binding binding = raw("input", std::vector<float>(16));
#else
  std::vector<float> input(16);
  const Binding binding = raw("input", input);
#endif
  return std::move(graph).bind({binding}).has_value();
}
