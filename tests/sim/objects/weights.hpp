// The weights of a context: placement of all graphs' static tensors in one area, and its contents.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sim/binary/checksum.hpp"
#include "sim/ops/network.hpp"
#include "sim/plan/placement.hpp"
#include "sim/plan/planner.hpp"

namespace qnnpp::sim {

/// Assigns offsets to the weights of all planned graphs, and sets their sizes. Equal contents of a
/// graph share one offset; with Network::shares_weights, equal contents of all graphs. Graphs and
/// plans correspond by index. Requires the static tensors' data.
inline void layout_weights(const Network& network, NetworkPlan& plan) {
  struct Stored {
    const std::vector<std::byte>* data;
    std::uint64_t offset;
  };
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<Stored>> stored;
  std::uint64_t end = 0;
  const std::span<GraphPlan> plans = plan.graphs;
  for (std::size_t g = 0; g < plans.size(); ++g) {
    if (!network.shares_weights) stored.clear();
    for (std::size_t t = 0; t < plans[g].placements.size(); ++t) {
      Placement& placement = plans[g].placements[t];
      if (placement.space != Space::weights || placement.alias_of != no_index) continue;
      const std::vector<std::byte>& data = network.graphs[g].tensors[t].data;
      std::vector<Stored>& candidates = stored[{data.size(), crc32(data)}];
      const auto same = std::find_if(candidates.begin(), candidates.end(),
                                     [&data](const Stored& other) { return *other.data == data; });
      if (same != candidates.end()) {
        placement.offset = same->offset;
        continue;
      }
      placement.offset = end;
      candidates.push_back({&data, end});
      end += round_to_placement(placement.size_bytes);
    }
    resolve_shared_places(plans[g]);
  }
  plan.weights_bytes = end;
  plan.shared_weights_bytes = network.shares_weights ? end : 0;
}

/// Copies the static tensors to their offsets and zeroes the padding. `weights` must have
/// plan.weights_bytes.
inline void write_weights(const Network& network, const NetworkPlan& plan,
                          std::span<std::byte> weights) {
  std::fill(weights.begin(), weights.end(), std::byte{0});
  for (std::size_t g = 0; g < plan.graphs.size(); ++g) {
    for (std::size_t t = 0; t < plan.graphs[g].placements.size(); ++t) {
      const Placement& placement = plan.graphs[g].placements[t];
      if (placement.space != Space::weights || placement.alias_of != no_index) continue;
      const std::vector<std::byte>& data = network.graphs[g].tensors[t].data;
      std::copy(data.begin(), data.end(),
                weights.begin() + static_cast<std::ptrdiff_t>(placement.offset));
    }
  }
}

}  // namespace qnnpp::sim
