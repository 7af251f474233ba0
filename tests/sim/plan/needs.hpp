// What a context's memory needs are on the device: the numbers of its metadata.
#pragma once

#include <cstdint>
#include <map>

#include "sim/plan/placement.hpp"

namespace qnnpp::sim {

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

}  // namespace qnnpp::sim
