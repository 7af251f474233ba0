// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool bind(Graph<Retrieved> graph, Result<RegisteredTensors> tensors) {
#ifdef MISUSE
  return std::move(graph).bind(tensors).has_value();
#else
  return tensors && std::move(graph).bind(*tensors).has_value();
#endif
}
