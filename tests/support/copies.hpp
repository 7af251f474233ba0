// Graphs whose k-th output is computed from their k-th input alone: copies, for tests of memory.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"

#include "results.hpp"

namespace support {

/// Composes and finalizes a graph with one node for each pair of an input and an output.
template <class Io = qnnpp::RegisteredIo>
void compose_copies(const qnnpp::Context<qnnpp::Composing>& context, const qnnpp::GraphSpec& spec,
                    const char* type = "Reshape") {
  using namespace qnnpp;
  auto graph = must(Graph<Composing, Io>::create(context, spec.name));
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
    const auto in = must(graph.add_tensor(spec.inputs[i]));
    const auto out = must(graph.add_tensor(spec.outputs[i]));
    must(graph.add_node(
        {.name = spec.outputs[i].name, .type = type, .inputs = {in}, .outputs = {out}}));
  }
  (void)must(std::move(graph).finalize());
}

/// Returns the binary of a context with such graphs.
inline std::vector<std::byte> binary_of_copies(const qnnpp::Backend<qnnpp::Htp>& backend,
                                               const std::vector<qnnpp::GraphSpec>& graphs,
                                               const char* type = "Reshape") {
  auto composing = must(qnnpp::Context<qnnpp::Composing>::create(backend));
  for (const qnnpp::GraphSpec& graph : graphs) compose_copies(composing, graph, type);
  const auto composed = must(std::move(composing).finalize());
  return must(composed.serialize());
}
/// Restores a context with such graphs.
inline qnnpp::Context<qnnpp::Finalized> context_of_copies(
    const qnnpp::Backend<qnnpp::Htp>& backend, const std::vector<qnnpp::GraphSpec>& graphs,
    const char* type = "Reshape") {
  auto binary =
      must(qnnpp::ContextBinary::own(binary_of_copies(backend, graphs, type), "copies.bin"));
  return must(qnnpp::Context<qnnpp::Finalized>::restore(backend, std::move(binary)));
}

}  // namespace support
