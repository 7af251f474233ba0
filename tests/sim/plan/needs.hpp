// What a context needs on the device: the numbers of its metadata, of contextGetProperty, and of
// the estimate that chooses a process domain.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <vector>

#include "sim/plan/placement.hpp"

namespace qnnpp::sim {

/// Rounds up to 2 MiB, of which the host library makes the sizes of weights and spill-fill.
inline std::uint64_t round_to_piece(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t piece = std::uint64_t{2} << 20;
  return bytes > UINT64_MAX - piece ? UINT64_MAX : (bytes + piece - 1) / piece * piece;
}

/// Returns the sum of sizes, or the largest number.
inline std::uint64_t saturating_sum(std::initializer_list<std::uint64_t> sizes) noexcept {
  std::uint64_t sum = 0;
  for (const std::uint64_t size : sizes) sum = size > UINT64_MAX - sum ? UINT64_MAX : sum + size;
  return sum;
}

/// Returns the size of the weights that this graph uses. Shared weights count in full.
inline std::uint64_t weights_bytes_of(const GraphPlan& plan) {
  std::map<std::uint64_t, std::uint64_t> places;
  for (const Placement& place : plan.placements)
    if (place.space == Space::weights) places[place.offset] = place.size_bytes;
  std::uint64_t total = 0;
  for (const auto& [offset, size] : places) total += round_to_placement(size);
  return total;
}

/// Returns the size of the weights that the graph has for itself: none if the graphs share theirs.
inline std::uint64_t constant_bytes(const NetworkPlan& network, const GraphPlan& graph) {
  return network.shared_weights_bytes != 0 ? 0 : weights_bytes_of(graph);
}

/// Returns the VTCM that the graph was planned for, in megabytes of 2^20 bytes.
inline std::uint32_t vtcm_megabytes(const GraphPlan& graph) noexcept {
  return static_cast<std::uint32_t>((graph.vtcm_limit_bytes + (1u << 20) - 1) >> 20);
}

/// WEIGHTS_BUFFER_SIZE: whole pieces for the shared weights and for the constants of each graph.
inline std::uint64_t weights_property(const NetworkPlan& network) {
  std::uint64_t sum = round_to_piece(network.shared_weights_bytes);
  for (const GraphPlan& graph : network.graphs)
    sum = saturating_sum({sum, round_to_piece(constant_bytes(network, graph))});
  return sum;
}

/// MAX_SPILLFILL_BUFFER_SIZE: whole pieces for the graph that needs most (BUF-10).
inline std::uint64_t spill_fill_property(const NetworkPlan& network) noexcept {
  return round_to_piece(spill_fill_bytes(network));
}

/// Returns the size of a graph's run list: its op data and a multiple of 256 bytes. `per_cent` of
/// the op data is the least.
inline std::uint64_t run_list_bytes(std::uint64_t op_data_bytes, std::uint64_t per_cent) noexcept {
  constexpr std::uint64_t step = 256;
  const std::uint64_t more =
      op_data_bytes / 100 * (per_cent - 100) + op_data_bytes % 100 * (per_cent - 100) / 100;
  return op_data_bytes + (more + step - 1) / step * step;
}

/// Returns the bytes of a process domain that a graph with these constants needs.
inline std::uint64_t domain_bytes(std::uint64_t constants, const GraphPlan& graph,
                                  std::uint64_t run_list_per_cent, bool counts_io = true) noexcept {
  return saturating_sum({round_to_piece(constants), counts_io ? graph.io_bytes : 0,
                         run_list_bytes(graph.op_data_bytes, run_list_per_cent),
                         graph.spill_fill_bytes, std::uint64_t{vtcm_megabytes(graph)} << 20});
}

/// Graphs that a context has on the device at a time.
enum class LoadedGraphs : std::uint8_t { all, one };

/// Returns the bytes of a process domain that a context needs. Neither external buffers nor groups
/// change them. `enabled` tells of each graph whether it counts; empty: all do. With one loaded
/// graph at a time, the largest graph counts alone. `io_limit_bytes` counts instead of all inputs
/// and outputs.
inline std::uint64_t domain_bytes(const NetworkPlan& network, LoadedGraphs loaded,
                                  std::uint64_t run_list_per_cent,
                                  const std::vector<bool>& enabled = {},
                                  const std::optional<std::uint64_t>& io_limit_bytes = {}) {
  std::uint64_t graphs = 0;
  for (std::size_t i = 0; i < network.graphs.size(); ++i) {
    if (!enabled.empty() && !enabled[i]) continue;
    const GraphPlan& graph = network.graphs[i];
    const std::uint64_t bytes =
        domain_bytes(constant_bytes(network, graph), graph, run_list_per_cent, !io_limit_bytes);
    graphs =
        loaded == LoadedGraphs::all ? saturating_sum({graphs, bytes}) : std::max(graphs, bytes);
  }
  return saturating_sum(
      {round_to_piece(network.shared_weights_bytes), graphs, io_limit_bytes.value_or(0)});
}

}  // namespace qnnpp::sim
