// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool bind(Graph<Retrieved> graph, const RegisteredTensors& inputs,
          Result<RegisteredTensors> outputs) {
#ifdef MISUSE
  return std::move(graph).bind(inputs, outputs).has_value();
#else
  return outputs && std::move(graph).bind(inputs, *outputs).has_value();
#endif
}
