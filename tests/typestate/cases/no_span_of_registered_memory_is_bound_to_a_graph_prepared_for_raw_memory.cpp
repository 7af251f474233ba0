// EXPECT: registered memory leaves copies of this graph unused; bind raw memory or use AnyIo
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

bool step(Graph<Retrieved, RawIo> graph, std::span<const RawBinding> raw, std::span<const RegisteredBinding> shared) {
#ifdef MISUSE
  return std::move(graph).bind(shared).has_value() && !raw.empty();
#else
  return std::move(graph).bind(raw).has_value() && !shared.empty();
#endif
}
