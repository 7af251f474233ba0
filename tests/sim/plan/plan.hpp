// Plans a whole context: every graph (planner.hpp), then the weights (weights.hpp). placement.hpp
// has the rules of placement; plan_verify.hpp checks a plan.
#pragma once

#include <cstdint>

#include "sim/objects/weights.hpp"
#include "sim/ops/network.hpp"
#include "sim/plan/placement.hpp"
#include "sim/plan/plan_verify.hpp"
#include "sim/plan/planner.hpp"
#include "sim/tables/status.hpp"

namespace qnnpp::sim {

/// Calls plan_graph() for every graph of the network, then layout_weights().
inline Status plan_network(const Network& network, std::uint64_t device_vtcm_bytes,
                           NetworkPlan& out) {
  out = NetworkPlan{};
  out.graphs.resize(network.graphs.size());
  for (std::size_t g = 0; g < network.graphs.size(); ++g) {
    Status status = plan_graph(network.graphs[g], device_vtcm_bytes, out.graphs[g]);
    if (!status.ok()) return status;
  }
  layout_weights(network, out);
  return success();
}

}  // namespace qnnpp::sim
