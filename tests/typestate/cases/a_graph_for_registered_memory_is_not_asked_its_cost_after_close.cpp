// CLANG-CONSUMED: while it is in the 'consumed' state
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Bound, RegisteredIo> graph) {
#ifdef MISUSE
  const bool closed = std::move(graph).close().has_value();
  return closed && graph.io_cost() == IoCost();
#else
  const bool free = graph.io_cost() == IoCost();
  return std::move(graph).close().has_value() && free;
#endif
}
