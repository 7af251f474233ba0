// Checks a plan from any source: the planner, or a file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/ops/network.hpp"
#include "sim/ops/ops.hpp"
#include "sim/plan/placement.hpp"
#include "sim/plan/planner.hpp"
#include "sim/tables/status.hpp"

namespace qnnpp::sim {

namespace detail {

inline Status bad_plan(const Graph& graph, std::string what) {
  return failure(c_api::GraphError::finalize_failed,
                 "plan of graph '" + graph.name + "': " + std::move(what));
}

inline Status bad_place(const Graph& graph, std::size_t tensor, std::string what) {
  return bad_plan(graph, "tensor '" + graph.tensors[tensor].name + "' " + std::move(what));
}

/// Checks that the order is a permutation in which every producer runs before its consumers.
inline Status verify_order(const Graph& graph, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> producers;
  Status status = find_producers(graph, producers);
  if (!status.ok()) return status;
  if (graph.nodes.empty() || order.size() != graph.nodes.size())
    return bad_plan(graph, "the order and the nodes differ in number");
  std::vector<bool> done(graph.nodes.size(), false);
  for (const std::uint32_t index : order) {
    if (index >= graph.nodes.size() || done[index])
      return bad_plan(graph, "the order is not a permutation of the nodes");
    for (const std::uint32_t input : graph.nodes[index].inputs)
      if (producers[input] != no_index && !done[producers[input]])
        return bad_plan(graph, "a node runs before the producer of its input");
    done[index] = true;
  }
  return success();
}

/// Checks shared memory: only a Reshape's output may share its input's memory. Merges the lifetimes
/// of tensors that share memory.
inline Status verify_sharing(const Graph& graph, const GraphPlan& plan,
                             std::vector<Lifetime>& lives) {
  std::vector<bool> may_share(graph.tensors.size(), false);
  for (const std::uint32_t index : plan.order) {
    const Node& node = graph.nodes[index];
    if (node.type_name != op_type_name(OpKind::reshape) || node.inputs.size() != 1 ||
        node.outputs.size() != 1)
      continue;
    const std::uint32_t input = node.inputs[0], output = node.outputs[0];
    const std::uint32_t shared = plan.placements[output].alias_of;
    if (shared == no_index) continue;
    const std::uint32_t root =
        plan.placements[input].alias_of == no_index ? input : plan.placements[input].alias_of;
    if (shared != root || !reshape_may_share(graph.tensors[input], graph.tensors[output]))
      return bad_place(graph, output, "shares the place of a tensor that is not its input");
    may_share[output] = true;
    lives[root].extend(lives[output].last);
  }
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    const Placement& placement = plan.placements[t];
    if (placement.alias_of == no_index) continue;
    if (!may_share[t]) return bad_place(graph, t, "shares a place but is no output of a Reshape");
    const Placement& root = plan.placements[placement.alias_of];
    if (root.alias_of != no_index || root.space != placement.space ||
        root.offset != placement.offset || root.size_bytes != placement.size_bytes)
      return bad_place(graph, t, "has another place than the tensor that it shares with");
  }
  return success();
}

/// Checks the size, space, alignment and bounds of one tensor's placement.
inline Status verify_place(const Graph& graph, const GraphPlan& plan, std::size_t index, bool used,
                           std::uint64_t weights_bytes) {
  const Tensor& tensor = graph.tensors[index];
  const Placement& placement = plan.placements[index];
  if (placement.size_bytes != tensor_bytes(tensor))
    return bad_place(graph, index, "has a place of another size");
  const bool io = is_io(tensor.type);
  bool fits = false;
  std::uint64_t limit = 0;
  switch (placement.space) {
    case Space::none: return used ? bad_place(graph, index, "has no place") : success();
    case Space::client:
      fits = used && tensor.mem_type == c_api::TensorMemType::memhandle;
      return fits ? success() : bad_place(graph, index, "is wrongly placed in client memory");
    case Space::weights:
      fits = tensor.type == c_api::TensorType::static_ || (!io && placement.alias_of != no_index);
      limit = weights_bytes;
      break;
    case Space::vtcm:
      fits = !io && tensor.type != c_api::TensorType::static_;
      limit = std::min(plan.vtcm_bytes, plan.vtcm_limit_bytes);
      break;
    case Space::spill_fill:
      fits = !io && tensor.type != c_api::TensorType::static_;
      limit = plan.spill_fill_bytes;
      break;
    case Space::io:
      fits = io && tensor.mem_type == c_api::TensorMemType::raw;
      limit = plan.io_copies_bytes;
      break;
  }
  if (!used || !fits) return bad_place(graph, index, "is in the wrong memory");
  const std::uint64_t bytes = round_to_placement(placement.size_bytes);
  if (placement.offset % placement_alignment != 0 || placement.offset > limit ||
      limit - placement.offset < bytes)
    return bad_place(graph, index, "does not fit its memory");
  return success();
}

/// Checks that no two placements of `space` overlap while both are in use, and that the highest end
/// is `total`. Copies of raw I/O tensors are always in use.
inline Status verify_overlaps(const Graph& graph, const GraphPlan& plan,
                              const std::vector<Lifetime>& lives, Space space,
                              std::uint64_t total) {
  std::vector<std::vector<std::uint32_t>> begins(plan.order.size() + 2), ends = begins;
  std::uint64_t high_water = 0;
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    const Placement& placement = plan.placements[t];
    if (placement.space != space || placement.alias_of != no_index) continue;
    const bool always = space == Space::io;
    begins[always ? 0 : lives[t].first].push_back(static_cast<std::uint32_t>(t));
    ends[always ? plan.order.size() + 1 : lives[t].last].push_back(static_cast<std::uint32_t>(t));
    high_water = std::max(high_water, placement.offset + round_to_placement(placement.size_bytes));
  }
  if (high_water != total) return bad_plan(graph, "a total is not the high-water mark");
  std::map<std::uint64_t, std::uint64_t> taken;  // start -> end
  for (std::size_t time = 0; time < begins.size(); ++time) {
    for (const std::uint32_t t : begins[time]) {
      const std::uint64_t start = plan.placements[t].offset;
      const std::uint64_t end = start + round_to_placement(plan.placements[t].size_bytes);
      const auto next = taken.lower_bound(start);
      if ((next != taken.end() && next->first < end) ||
          (next != taken.begin() && std::prev(next)->second > start))
        return bad_place(graph, t, "overlaps a tensor that is live at the same time");
      taken.emplace_hint(next, start, end);
    }
    for (const std::uint32_t t : ends[time]) taken.erase(plan.placements[t].offset);
  }
  return success();
}

}  // namespace detail

/// Checks a plan against its graph: the order is a permutation with producers first; every used
/// tensor has an aligned placement of its size in its space; placements of simultaneously live
/// tensors do not overlap, except by rule 4; the totals are the high-water marks. Returns 6022 with
/// a reason. Ignores `ops`. Accepts any contents of `plan`. Requires valid tensor indices in the
/// graph, and tensors that pass check_tensor(). Needs O(n log n) steps.
inline Status verify(const Graph& graph, const GraphPlan& plan, std::uint64_t weights_bytes) {
  Status status = detail::verify_order(graph, plan.order);
  if (!status.ok()) return status;
  if (plan.placements.size() != graph.tensors.size())
    return detail::bad_plan(graph, "the places and the tensors differ in number");
  for (std::size_t t = 0; t < graph.tensors.size(); ++t)
    if (plan.placements[t].alias_of != no_index &&
        plan.placements[t].alias_of >= graph.tensors.size())
      return detail::bad_place(graph, t, "shares the place of a tensor that does not exist");
  std::vector<detail::Lifetime> lives = detail::lifetimes(graph, plan.order);
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    status = detail::verify_place(graph, plan, t, lives[t].exists(), weights_bytes);
    if (!status.ok()) return status;
  }
  status = detail::verify_sharing(graph, plan, lives);
  if (status.ok())
    status = detail::verify_overlaps(graph, plan, lives, Space::vtcm, plan.vtcm_bytes);
  if (status.ok())
    status = detail::verify_overlaps(graph, plan, lives, Space::spill_fill, plan.spill_fill_bytes);
  if (status.ok())
    status = detail::verify_overlaps(graph, plan, lives, Space::io, plan.io_copies_bytes);
  return status;
}

}  // namespace qnnpp::sim
