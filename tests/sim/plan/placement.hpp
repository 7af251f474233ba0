// The plan of a context: where a finalized graph's tensors live and in which order its nodes run.
//
// Rule of placement, in this order, deterministic:
// 1. Static inputs of nodes are weights: one area per context, each tensor at a multiple of
//    placement_alignment, tensors with equal contents stored once.
// 2. I/O tensors never take VTCM or spill-fill. Those that were created with mem_type memhandle
//    live in the client's memory. Those that were created raw have a copy each, all in one
//    allocation of the graph, one after the other in order of creation; no other tensor uses it.
// 3. Every native tensor is live from the step that produces it to the last step that reads it.
//    When it is produced it goes to the lowest free place of the VTCM that holds it; if no free
//    place there is large enough at that time, it is spilled: it goes to the lowest free place of
//    the spill-fill area. It never moves.
// 4. A Reshape's output shares its input's place, unless one of the two is an I/O tensor; the
//    place is then taken as long as either is live. A Reshape of a weight is a weight.
// 5. Sizes are rounded up to placement_alignment, so every offset is a multiple of it.
// The graph's spill_fill_bytes is the high-water mark of the spill-fill area, 0 if nothing is
// spilled. It does not depend on which I/O tensors are raw.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/ops/network.hpp"
#include "sim/ops/ops.hpp"

namespace qnnpp::sim {

/// Alignment of every placement, relative to the start of its area.
inline constexpr std::uint64_t placement_alignment = 256;

/// Which memory a tensor lives in.
enum class Space : std::uint8_t {
  /// Used by no node: it lives nowhere. Static tensors that are only parameters are here too.
  none = 0,
  weights = 1,
  vtcm = 2,
  spill_fill = 3,
  /// The client's registered memory, bound at execution: I/O that was prepared as memhandle.
  client = 4,
  /// The graph's copies of its I/O tensors that were prepared as raw.
  io = 5,
};

/// The place of one tensor; `offset` is relative to the start of the space, in bytes.
struct Placement {
  Space space = Space::none;
  /// The tensor whose place this one shares (rule 4), or no_index.
  std::uint32_t alias_of = no_index;
  std::uint64_t offset = 0;
  /// Size of the tensor, not rounded.
  std::uint64_t size_bytes = 0;
};

/// The plan of one graph.
struct GraphPlan {
  /// Indices into Graph::nodes, in the order of execution.
  std::vector<std::uint32_t> order;
  /// One per tensor of the graph.
  std::vector<Placement> placements;
  /// One per node of the graph, by node index.
  std::vector<Op> ops;
  /// VTCM that the plan was made for, and how much of it is used at most.
  std::uint64_t vtcm_limit_bytes = 0;
  std::uint64_t vtcm_bytes = 0;
  /// High-water mark of the spill-fill area.
  std::uint64_t spill_fill_bytes = 0;
  /// Size of the allocation that holds the copies of raw I/O tensors (Space::io).
  std::uint64_t io_copies_bytes = 0;
  /// Sum of the sizes of the graph's I/O tensors, and of those created as raw.
  std::uint64_t io_bytes = 0;
  std::uint64_t raw_io_bytes = 0;
  /// What the ops themselves take on the device: see op_data_bytes().
  std::uint64_t op_data_bytes = 0;
};

/// The plan of a context.
struct NetworkPlan {
  /// By graph index.
  std::vector<GraphPlan> graphs;
  /// Size of the weights of all graphs, a multiple of placement_alignment.
  std::uint64_t weights_bytes = 0;
};

/// The largest spill-fill need of the context's graphs (BUF-10).
inline std::uint64_t spill_fill_bytes(const NetworkPlan& plan) noexcept {
  std::uint64_t largest = 0;
  for (const GraphPlan& graph : plan.graphs) largest = std::max(largest, graph.spill_fill_bytes);
  return largest;
}

/// Sum of the op data of the context's graphs.
inline std::uint64_t op_data_bytes(const NetworkPlan& plan) noexcept {
  std::uint64_t sum = 0;
  for (const GraphPlan& graph : plan.graphs) sum += graph.op_data_bytes;
  return sum;
}

/// `bytes` rounded up to placement_alignment; `bytes` is at most max_tensor_bytes or a sum of such.
inline std::uint64_t round_to_placement(std::uint64_t bytes) noexcept {
  return (bytes + placement_alignment - 1) / placement_alignment * placement_alignment;
}

/// A Reshape shares its input's place unless one of the two is an I/O tensor (rule 4): an execution
/// may put that one into the client's memory.
inline bool reshape_may_share(const Tensor& input, const Tensor& output) noexcept {
  return !is_io(input.type) && !is_io(output.type);
}

}  // namespace qnnpp::sim
