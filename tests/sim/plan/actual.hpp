// Dynamic dimensions: a planned graph with the extents of one execution.
//
// The model, which no host library confirms:
//  1. The extents that are marked as dynamic and have the same maximum in a graph are one symbol.
//  An
//     execution gives each symbol one value.
//  2. The inputs of the execution set the values, from 1 to the maximum. A symbol that no input has
//     keeps its maximum.
//  3. All nodes are checked again with these values. The plan's places stay those of the maxima; a
//     tensor is dense at the start of its place.
// An execution that contradicts this returns 6036.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "qnnpp/abi/error.hpp"

#include "sim/ops/network.hpp"
#include "sim/ops/op_resolve.hpp"
#include "sim/plan/placement.hpp"
#include "sim/tables/status.hpp"

namespace qnnpp::sim {

/// A planned graph with the extents of one execution. Later executions reuse it, and so allocate
/// nothing.
struct ActualGraph {
  /// All dynamic extents with one maximum.
  struct Symbol {
    std::uint32_t maximum;
    std::uint32_t value = 0;  ///< 0 while no input has set it
  };
  Graph graph;  ///< without the contents of static tensors
  GraphPlan plan;
  std::vector<Symbol> symbols;
};

namespace detail {

inline ActualGraph::Symbol* find_symbol(ActualGraph& actual, std::uint32_t maximum) noexcept {
  for (ActualGraph::Symbol& symbol : actual.symbols)
    if (symbol.maximum == maximum) return &symbol;
  return nullptr;
}

inline Status wrong_extents(const Tensor& tensor, std::string what) {
  return failure(c_api::GraphError::dynamic_tensor_shape,
                 "tensor '" + tensor.name + "': " + std::move(what));
}

}  // namespace detail

/// Copies a planned graph that has dynamic dimensions.
inline std::unique_ptr<ActualGraph> make_actual(const Graph& graph, const GraphPlan& plan) {
  auto actual = std::make_unique<ActualGraph>(ActualGraph{graph, plan, {}});
  for (Tensor& tensor : actual->graph.tensors) {
    tensor.data = {};
    for (std::size_t i = 0; i < tensor.dynamic.size(); ++i)
      if (tensor.dynamic[i] != 0 && detail::find_symbol(*actual, tensor.dimensions[i]) == nullptr)
        actual->symbols.push_back({tensor.dimensions[i]});
  }
  return actual;
}

/// Forgets the values of the last execution.
inline void forget_extents(ActualGraph& actual) noexcept {
  for (ActualGraph::Symbol& symbol : actual.symbols) symbol.value = 0;
}

/// Sets the values of an input's symbols. `maximum` is the tensor as it was prepared, `extents` has
/// its rank.
inline Status set_extents(ActualGraph& actual, const Tensor& maximum,
                          std::span<const std::uint32_t> extents) {
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (maximum.dynamic[i] == 0) continue;
    ActualGraph::Symbol& symbol = *detail::find_symbol(actual, maximum.dimensions[i]);
    if (extents[i] == 0 || extents[i] > symbol.maximum)
      return detail::wrong_extents(maximum, "extent " + std::to_string(extents[i]) +
                                                " in dimension " + std::to_string(i) + ", 1 to " +
                                                std::to_string(symbol.maximum) + " are possible");
    if (symbol.value != 0 && symbol.value != extents[i])
      return detail::wrong_extents(
          maximum, "extent " + std::to_string(extents[i]) + " in dimension " + std::to_string(i) +
                       ", another input gives " + std::to_string(symbol.value) +
                       " for the same maximum");
    symbol.value = extents[i];
  }
  return success();
}

/// Gives every dynamic tensor its extents, and resolves the nodes for them. `maxima` is the graph
/// as it was prepared.
inline Status resolve_extents(ActualGraph& actual, const Graph& maxima) {
  for (std::size_t t = 0; t < maxima.tensors.size(); ++t) {
    const Tensor& maximum = maxima.tensors[t];
    for (std::size_t i = 0; i < maximum.dynamic.size(); ++i) {
      if (maximum.dynamic[i] == 0) continue;
      const ActualGraph::Symbol& symbol = *detail::find_symbol(actual, maximum.dimensions[i]);
      actual.graph.tensors[t].dimensions[i] = symbol.value != 0 ? symbol.value : symbol.maximum;
    }
  }
  for (std::size_t n = 0; n < actual.graph.nodes.size(); ++n) {
    Status status = resolve(actual.graph, actual.graph.nodes[n], actual.plan.ops[n]);
    if (!status.ok())
      return failure(c_api::GraphError::dynamic_tensor_shape, std::move(status.reason));
  }
  return success();
}

}  // namespace qnnpp::sim
