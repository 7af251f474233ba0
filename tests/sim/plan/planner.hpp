// Plans one graph by the rules in placement.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "sim/ops/network.hpp"
#include "sim/ops/op_resolve.hpp"
#include "sim/plan/placement.hpp"
#include "sim/tables/status.hpp"

namespace qnnpp::sim {

/// Returns the memory of a graph's ops on the device: a fixed amount per node and per tensor, plus
/// the parameters.
inline std::uint64_t op_data_bytes(const Graph& graph) noexcept {
  constexpr std::uint64_t per_node = 512, per_tensor = 128, per_param = 32;
  std::uint64_t bytes = graph.nodes.size() * per_node + graph.tensors.size() * per_tensor;
  for (const Node& node : graph.nodes)
    for (const Param& param : node.params) bytes += per_param + param.tensor.data.size();
  return bytes;
}

namespace detail {

inline Status not_finalizable(const Graph& graph, std::string what) {
  return failure(c_api::GraphError::finalize_failed,
                 "graph '" + graph.name + "': " + std::move(what));
}

/// Finds the producer of each tensor, or no_index. Fails for wrong tensor roles.
inline Status find_producers(const Graph& graph, std::vector<std::uint32_t>& producers) {
  producers.assign(graph.tensors.size(), no_index);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const std::uint32_t output : graph.nodes[n].outputs) {
      const Tensor& tensor = graph.tensors[output];
      if (!is_producible(tensor.type))
        return not_finalizable(graph, "tensor '" + tensor.name + "' cannot be an output of a node");
      if (producers[output] != no_index)
        return not_finalizable(graph, "tensor '" + tensor.name + "' has two producers");
      producers[output] = static_cast<std::uint32_t>(n);
    }
  }
  for (std::size_t t = 0; t < graph.tensors.size(); ++t)
    if (graph.tensors[t].type == c_api::TensorType::app_read && producers[t] == no_index)
      return not_finalizable(graph, "no node produces output '" + graph.tensors[t].name + "'");
  for (const Node& node : graph.nodes)
    for (const std::uint32_t input : node.inputs)
      if (graph.tensors[input].type == c_api::TensorType::native && producers[input] == no_index)
        return not_finalizable(graph, "no node produces '" + graph.tensors[input].name +
                                          "', which node '" + node.name + "' reads");
  return success();
}

/// Sorts producers before consumers. Among the nodes that are ready, the node that was added first
/// comes first.
inline Status sort_nodes(const Graph& graph, const std::vector<std::uint32_t>& producers,
                         std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> waits_for(graph.nodes.size(), 0);
  std::vector<std::vector<std::uint32_t>> consumers(graph.nodes.size());
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const std::uint32_t input : graph.nodes[n].inputs) {
      if (producers[input] == no_index) continue;
      consumers[producers[input]].push_back(static_cast<std::uint32_t>(n));
      ++waits_for[n];
    }
    if (waits_for[n] == 0) ready.push(static_cast<std::uint32_t>(n));
  }
  order.clear();
  while (!ready.empty()) {
    const std::uint32_t node = ready.top();
    ready.pop();
    order.push_back(node);
    for (const std::uint32_t consumer : consumers[node])
      if (--waits_for[consumer] == 0) ready.push(consumer);
  }
  if (order.size() != graph.nodes.size()) return not_finalizable(graph, "the nodes form a cycle");
  return success();
}

/// Time span in which a tensor's memory is in use. Time 0 is before the first step; step p (from 0)
/// has time p + 1; the time after the last step is the number of nodes + 1.
struct Lifetime {
  std::uint32_t first = no_index;
  std::uint32_t last = 0;

  bool exists() const noexcept { return first != no_index; }
  void extend(std::uint32_t time) noexcept { last = std::max(last, time); }
};

/// Returns the lifetimes of all tensors that a node uses or a client binds, before any sharing.
/// `order` must be a permutation of the nodes.
inline std::vector<Lifetime> lifetimes(const Graph& graph,
                                       const std::vector<std::uint32_t>& order) {
  std::vector<Lifetime> lives(graph.tensors.size());
  for (std::size_t step = 0; step < order.size(); ++step) {
    const std::uint32_t time = static_cast<std::uint32_t>(step + 1);
    const Node& node = graph.nodes[order[step]];
    for (const std::uint32_t input : node.inputs) {
      if (!lives[input].exists()) lives[input].first = 0;
      lives[input].extend(time);
    }
    for (const std::uint32_t output : node.outputs) {
      lives[output].first = time;
      lives[output].extend(time);
    }
  }
  const std::uint32_t end = static_cast<std::uint32_t>(order.size() + 1);
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    if (!is_io(graph.tensors[t].type)) continue;
    if (!lives[t].exists()) lives[t].first = 0;
    if (is_app_readable(graph.tensors[t].type) && lives[t].first != 0) lives[t].extend(end);
  }
  return lives;
}

/// A memory of `limit` bytes with allocated blocks.
class Area {
 public:
  explicit Area(std::uint64_t limit_bytes) : limit_(limit_bytes) {}

  /// Allocates the lowest free range of `bytes` bytes. Returns false if there is none.
  bool take(std::uint64_t bytes, std::uint64_t& offset) {
    std::uint64_t end = 0;
    std::size_t i = 0;
    while (i < blocks_.size() && blocks_[i].offset - end < bytes) {
      end = blocks_[i].offset + blocks_[i].bytes;
      ++i;
    }
    if (end > limit_ || limit_ - end < bytes) return false;
    offset = end;
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(i), {end, bytes});
    high_water_ = std::max(high_water_, end + bytes);
    return true;
  }

  /// Frees the block at `offset`.
  void give_back(std::uint64_t offset) {
    const auto at = std::lower_bound(blocks_.begin(), blocks_.end(), offset,
                                     [](const Block& b, std::uint64_t o) { return b.offset < o; });
    if (at != blocks_.end() && at->offset == offset) blocks_.erase(at);
  }

  std::uint64_t high_water_bytes() const noexcept { return high_water_; }

 private:
  struct Block {
    std::uint64_t offset, bytes;
  };
  std::vector<Block> blocks_;
  std::uint64_t limit_;
  std::uint64_t high_water_ = 0;
};

/// Chooses the space of each tensor, and sets its size and alias_of. `vtcm` also stands for
/// spill_fill here. Merges the lifetimes of tensors that share memory. Sets the offsets of raw I/O
/// tensors' copies.
inline void assign_spaces(const Graph& graph, std::vector<Lifetime>& lives, GraphPlan& plan) {
  plan.placements.assign(graph.tensors.size(), {});
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    const Tensor& tensor = graph.tensors[t];
    Placement& placement = plan.placements[t];
    placement.size_bytes = tensor_bytes(tensor);
    if (!lives[t].exists()) continue;
    if (tensor.type == c_api::TensorType::static_) {
      placement.space = Space::weights;
    } else if (!is_io(tensor.type)) {
      placement.space = Space::vtcm;
    } else if (tensor.mem_type == c_api::TensorMemType::memhandle) {
      placement.space = Space::client;
    } else {
      placement.space = Space::io;
      placement.offset = plan.io_copies_bytes;
      plan.io_copies_bytes += round_to_placement(placement.size_bytes);
    }
  }
  for (const std::uint32_t index : plan.order) {
    if (plan.ops[index].kind != OpKind::reshape) continue;
    const std::uint32_t input = graph.nodes[index].inputs[0];
    const std::uint32_t output = graph.nodes[index].outputs[0];
    if (!reshape_may_share(graph.tensors[input], graph.tensors[output])) continue;
    const std::uint32_t shared = plan.placements[input].alias_of;
    const std::uint32_t root = shared == no_index ? input : shared;
    plan.placements[output].alias_of = root;
    plan.placements[output].space = plan.placements[root].space;
    lives[root].extend(lives[output].last);
  }
}

/// Sets the offsets of tensors in VTCM and spill-fill memory, except those that share memory.
inline Status assign_offsets(const Graph& graph, const std::vector<Lifetime>& lives,
                             GraphPlan& plan) {
  std::vector<std::vector<std::uint32_t>> begins(graph.nodes.size() + 2), ends = begins;
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    const Placement& placement = plan.placements[t];
    if (placement.space != Space::vtcm || placement.alias_of != no_index) continue;
    begins[lives[t].first].push_back(static_cast<std::uint32_t>(t));
    ends[lives[t].last].push_back(static_cast<std::uint32_t>(t));
  }
  constexpr std::uint64_t unlimited = std::uint64_t{1} << 62;
  Area vtcm(plan.vtcm_limit_bytes / placement_alignment * placement_alignment);
  Area spill_fill(unlimited);
  for (std::size_t time = 0; time < begins.size(); ++time) {
    for (const std::uint32_t t : begins[time]) {
      Placement& placement = plan.placements[t];
      const std::uint64_t bytes = round_to_placement(placement.size_bytes);
      if (vtcm.take(bytes, placement.offset)) continue;
      placement.space = Space::spill_fill;
      if (!spill_fill.take(bytes, placement.offset))
        return not_finalizable(graph, "its tensors do not fit any memory");
    }
    for (const std::uint32_t t : ends[time]) {
      const Placement& placement = plan.placements[t];
      (placement.space == Space::vtcm ? vtcm : spill_fill).give_back(placement.offset);
    }
  }
  plan.vtcm_bytes = vtcm.high_water_bytes();
  plan.spill_fill_bytes = spill_fill.high_water_bytes();
  return success();
}

}  // namespace detail

/// Copies space and offset from each owner to the tensors that share its memory.
inline void resolve_shared_places(GraphPlan& plan) noexcept {
  for (Placement& placement : plan.placements) {
    if (placement.alias_of == no_index) continue;
    placement.space = plan.placements[placement.alias_of].space;
    placement.offset = plan.placements[placement.alias_of].offset;
  }
}

/// Computes the totals of I/O tensors and op data, which depend on the graph alone.
inline void summarise(const Graph& graph, GraphPlan& plan) noexcept {
  plan.io_bytes = plan.raw_io_bytes = 0;
  for (const Tensor& tensor : graph.tensors) {
    if (!is_io(tensor.type)) continue;
    plan.io_bytes += tensor_bytes(tensor);
    if (tensor.mem_type == c_api::TensorMemType::raw) plan.raw_io_bytes += tensor_bytes(tensor);
  }
  plan.op_data_bytes = op_data_bytes(graph);
}

/// Plans one graph for `device_vtcm_bytes`, or less if the graph's hint is smaller: order, ops,
/// placements. Weights get Space::weights without an offset; layout_weights() sets it. Returns 6022
/// for a graph without nodes, for a cycle, and for a required tensor without a producer or with
/// two. Also returns the codes of resolve().
inline Status plan_graph(const Graph& graph, std::uint64_t device_vtcm_bytes, GraphPlan& out) {
  out = GraphPlan{};
  out.vtcm_limit_bytes = graph.hints.vtcm_bytes == 0
                             ? device_vtcm_bytes
                             : std::min(device_vtcm_bytes, graph.hints.vtcm_bytes);
  if (graph.nodes.empty()) return detail::not_finalizable(graph, "it has no nodes");
  out.ops.resize(graph.nodes.size());
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    Status status = resolve(graph, graph.nodes[n], out.ops[n]);
    if (!status.ok()) return status;
  }
  std::vector<std::uint32_t> producers;
  Status status = detail::find_producers(graph, producers);
  if (status.ok()) status = detail::sort_nodes(graph, producers, out.order);
  if (!status.ok()) return status;
  std::vector<detail::Lifetime> lives = detail::lifetimes(graph, out.order);
  detail::assign_spaces(graph, lives, out);
  status = detail::assign_offsets(graph, lives, out);
  resolve_shared_places(out);
  summarise(graph, out);
  return status;
}

}  // namespace qnnpp::sim
