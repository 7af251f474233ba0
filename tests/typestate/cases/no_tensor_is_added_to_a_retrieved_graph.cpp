// EXPECT: a final graph takes no more tensors; use Graph<Composing>::create()
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

bool extend(Graph<Retrieved>& retrieved, Graph<Composing>& composing, const TensorSpec& spec) {
#ifdef MISUSE
  return retrieved.add_tensor(spec).has_value() || composing.name().empty();
#else
  return composing.add_tensor(spec).has_value() || retrieved.name().empty();
#endif
}
