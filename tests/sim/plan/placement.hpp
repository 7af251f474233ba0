// The plan of a context: the memory of each tensor of a finalized graph, and the order of nodes.
//
// The planner is deterministic and follows these rules in order:
//  1. Static inputs of nodes are weights. Each context has one weights area. Each tensor starts at
//     a multiple of placement_alignment. Tensors with equal contents are stored once for each
//     graph, or once in the context if its graphs share weights.
//  2. I/O tensors never use VTCM or spill-fill. With mem_type memhandle a tensor is in the client's
//     memory. With mem_type raw it has a copy. All copies are in one allocation of the graph, in
//     order of creation, and no other tensor uses them.
//  3. A native tensor is live from the step that produces it to the last step that reads it. The
//     planner places it in the lowest free range of the VTCM that is large enough at its
//     production. If there is no such range, the tensor is spilled: it gets the lowest free range
//     of the spill-fill area. It never moves.
//  4. A Reshape's output shares its input's memory, unless one of the two is an I/O tensor. The
//     memory stays in use while either is live. A Reshape of a weight is a weight.
//  5. Sizes are rounded up to placement_alignment, so every offset is a multiple of it.
// The graph's spill_fill_bytes is the high-water mark of the spill-fill area, or 0 if no tensor is
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

/// Memory that holds a tensor.
enum class Space : std::uint8_t {
  /// No memory: no node uses the tensor, or it is a static tensor used only as a parameter.
  none = 0,
  weights = 1,
  vtcm = 2,
  spill_fill = 3,
  /// The client's registered memory, bound at execution: I/O prepared as memhandle.
  client = 4,
  /// The graph's copies of its I/O tensors that were prepared as raw.
  io = 5,
};

/// Memory of one tensor; `offset` is relative to the start of the space, in bytes.
struct Placement {
  Space space = Space::none;
  /// Index of the tensor that owns the shared memory (rule 4), or no_index.
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
  /// VTCM available to the plan, and its high-water mark.
  std::uint64_t vtcm_limit_bytes = 0;
  std::uint64_t vtcm_bytes = 0;
  /// High-water mark of the spill-fill area.
  std::uint64_t spill_fill_bytes = 0;
  /// Size of the allocation for the copies of raw I/O tensors (Space::io).
  std::uint64_t io_copies_bytes = 0;
  /// Total size of the graph's I/O tensors, and of the raw ones among them.
  std::uint64_t io_bytes = 0;
  std::uint64_t raw_io_bytes = 0;
  /// Memory of the ops themselves on the device: see op_data_bytes().
  std::uint64_t op_data_bytes = 0;
};

/// The plan of a context.
struct NetworkPlan {
  /// By graph index.
  std::vector<GraphPlan> graphs;
  /// Size of the weights of all graphs, a multiple of placement_alignment.
  std::uint64_t weights_bytes = 0;
  /// Size of the weights that all graphs share: weights_bytes, or 0 if each graph has its own.
  std::uint64_t shared_weights_bytes = 0;
};

/// Returns the largest spill-fill need of the context's graphs (BUF-10).
inline std::uint64_t spill_fill_bytes(const NetworkPlan& plan) noexcept {
  std::uint64_t largest = 0;
  for (const GraphPlan& graph : plan.graphs) largest = std::max(largest, graph.spill_fill_bytes);
  return largest;
}

/// Returns the total op data of the context's graphs.
inline std::uint64_t op_data_bytes(const NetworkPlan& plan) noexcept {
  std::uint64_t sum = 0;
  for (const GraphPlan& graph : plan.graphs) sum += graph.op_data_bytes;
  return sum;
}

/// Rounds `bytes` up to placement_alignment. `bytes` is at most max_tensor_bytes, or a sum of sizes
/// below that limit.
inline std::uint64_t round_to_placement(std::uint64_t bytes) noexcept {
  return (bytes + placement_alignment - 1) / placement_alignment * placement_alignment;
}

/// True if a Reshape's output may share its input's memory (rule 4). An execution may place an I/O
/// tensor in the client's memory, so I/O tensors share none. Neither do tensors of different
/// elements.
inline bool reshape_may_share(const Tensor& input, const Tensor& output) noexcept {
  return !is_io(input.type) && !is_io(output.type) && same_elements(input, output);
}

}  // namespace qnnpp::sim
