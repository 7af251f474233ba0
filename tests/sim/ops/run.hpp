// Executes a planned graph: one kernel after the other, with addresses from the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/ops/kernels.hpp"
#include "sim/ops/network.hpp"
#include "sim/plan/placement.hpp"

namespace qnnpp::sim {

/// Start of each space as the device sees it, aligned for floats; NULL if the graph has nothing in
/// that space. A run does not write to `weights`.
struct Areas {
  std::byte* weights = nullptr;
  std::byte* vtcm = nullptr;
  std::byte* spill_fill = nullptr;
  std::byte* io = nullptr;
  friend bool operator==(const Areas&, const Areas&) = default;
};

/// Fills `addresses` (one per tensor of the graph) from the plan: area plus offset. Tensors in
/// client memory and unused tensors get NULL. If `areas.weights` is NULL, a static tensor of a
/// composed graph is read from its description. The caller then fills in the client's addresses of
/// I/O tensors. It may replace the address of a raw copy, too, because no other tensor shares that
/// memory.
inline void assign_addresses(const Graph& graph, const GraphPlan& plan, const Areas& areas,
                             std::span<std::byte*> addresses) noexcept {
  for (std::size_t t = 0; t < addresses.size(); ++t) {
    const Placement& placement = plan.placements[t];
    const std::size_t owner = placement.alias_of == no_index ? t : placement.alias_of;
    const std::vector<std::byte>& data = graph.tensors[owner].data;
    std::byte* area = nullptr;
    addresses[t] = nullptr;
    if (placement.space == Space::vtcm) area = areas.vtcm;
    if (placement.space == Space::spill_fill) area = areas.spill_fill;
    if (placement.space == Space::weights) area = areas.weights;
    if (placement.space == Space::io) area = areas.io;
    if (area != nullptr)
      addresses[t] = area + placement.offset;
    else if (placement.space == Space::weights && !data.empty())
      addresses[t] = const_cast<std::byte*>(data.data());
  }
}

/// Callback before each node and after the last one. Returns false to stop the run. `step` counts
/// from 0 to the number of nodes; `node` is the node index, or no_index after the last node.
struct RunHook {
  bool (*call)(void* user, std::uint32_t step, std::uint32_t node) = nullptr;
  void* user = nullptr;
};

namespace detail {

inline void run_op(const Op& op, const Node& node, std::span<std::byte* const> addresses) noexcept {
  const auto in = [&](std::size_t i) {
    return i < node.inputs.size() ? reinterpret_cast<const float*>(addresses[node.inputs[i]])
                                  : nullptr;
  };
  float* out = reinterpret_cast<float*>(addresses[node.outputs[0]]);
  switch (op.kind) {
    case OpKind::mat_mul: return run_mat_mul(op.mat_mul, in(0), in(1), out);
    case OpKind::fully_connected:
      return run_fully_connected(op.fully_connected, in(0), in(1), in(2), out);
    case OpKind::element_wise_add: return run_add(op.broadcast, in(0), in(1), out);
    case OpKind::element_wise_multiply: return run_multiply(op.broadcast, in(0), in(1), out);
    case OpKind::relu: return run_relu(op.flat, in(0), out);
    case OpKind::softmax: return run_softmax(op.softmax, in(0), out);
    case OpKind::reshape: return run_reshape(op.flat, in(0), out);
    case OpKind::transpose: return run_transpose(op.transpose, in(0), out);
    case OpKind::conv2d: return run_conv2d(op.conv2d, in(0), in(1), in(2), out);
  }
}

}  // namespace detail

/// Runs all nodes in the plan's order, without allocations. Requires an address for every tensor
/// that a node uses. Returns false if the hook has stopped the run.
inline bool run(const Graph& graph, const GraphPlan& plan, std::span<std::byte* const> addresses,
                RunHook hook = {}) noexcept {
  std::uint32_t step = 0;
  for (const std::uint32_t node : plan.order) {
    if (hook.call != nullptr && !hook.call(hook.user, step, node)) return false;
    detail::run_op(plan.ops[node], graph.nodes[node], addresses);
    ++step;
  }
  return hook.call == nullptr || hook.call(hook.user, step, no_index);
}

}  // namespace qnnpp::sim
