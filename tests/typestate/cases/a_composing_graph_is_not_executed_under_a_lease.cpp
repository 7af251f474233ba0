// EXPECT: the graph is not finalized; call std::move(graph).finalize() first
#include "qnnpp/graph/compose.hpp"

using namespace qnnpp;

bool run(Graph<Composing, RegisteredIo> graph, const RegisteredTensors& tensors, const SpillFillLease& lease) {
#ifdef MISUSE
  return graph.execute(lease).has_value() && tensors.handle_count() != 0;
#else
  const auto bind = [&](Graph<Retrieved, RegisteredIo> final) { return std::move(final).bind(tensors); };
  auto bound = std::move(graph).finalize().and_then(bind);
  return bound && bound->execute(lease).has_value();
#endif
}
