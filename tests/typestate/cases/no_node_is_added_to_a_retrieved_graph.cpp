// EXPECT: a final graph takes no more nodes; use Graph<Composing>::create()
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

bool extend(Graph<Retrieved>& retrieved, Graph<Composing>& composing) {
#ifdef MISUSE
  return retrieved.add_node({.name = "relu", .type = "Relu"}).has_value() || composing.name().empty();
#else
  return composing.add_node({.name = "relu", .type = "Relu"}).has_value() || retrieved.name().empty();
#endif
}
