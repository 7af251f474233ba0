// Executes a planned graph: one kernel after the other, with addresses from the caller.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "sim/ops/elements.hpp"
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

inline void run_op(const Op& op, const std::array<const float*, 3>& in, float* out) noexcept {
  switch (op.kind) {
    case OpKind::mat_mul: return run_mat_mul(op.mat_mul, in[0], in[1], out);
    case OpKind::fully_connected:
      return run_fully_connected(op.fully_connected, in[0], in[1], in[2], out);
    case OpKind::element_wise_add: return run_add(op.broadcast, in[0], in[1], out);
    case OpKind::element_wise_multiply: return run_multiply(op.broadcast, in[0], in[1], out);
    case OpKind::relu: return run_relu(op.flat, in[0], out);
    case OpKind::softmax: return run_softmax(op.softmax, in[0], out);
    case OpKind::reshape:
    case OpKind::convert: return run_copy(op.flat, in[0], out);
    case OpKind::transpose: return run_transpose(op.transpose, in[0], out);
    case OpKind::conv2d: return run_conv2d(op.conv2d, in[0], in[1], in[2], out);
  }
}

/// Runs a node. Elements that are not float32 are converted in `scratch`.
inline void run_node(const Graph& graph, const Op& op, const Node& node,
                     std::span<std::byte* const> addresses, float* scratch) noexcept {
  const Tensor& result = graph.tensors[node.outputs[0]];
  std::byte* const out = addresses[node.outputs[0]];
  if (op.kind == OpKind::reshape && same_elements(graph.tensors[node.inputs[0]], result)) {
    const std::byte* const in = addresses[node.inputs[0]];
    if (in != out) std::memcpy(out, in, static_cast<std::size_t>(tensor_bytes(result)));
    return;
  }
  std::array<const float*, 3> in{};
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Tensor& tensor = graph.tensors[node.inputs[i]];
    const std::byte* const data = addresses[node.inputs[i]];
    if (tensor.data_type == c_api::DataType::float_32) {
      in[i] = reinterpret_cast<const float*>(data);
    } else {
      to_floats(tensor, data, scratch);
      in[i] = scratch;
      scratch += element_count(tensor);
    }
  }
  if (result.data_type == c_api::DataType::float_32)
    return run_op(op, in, reinterpret_cast<float*>(out));
  run_op(op, in, scratch);
  from_floats(result, scratch, out);
}

}  // namespace detail

/// Returns the length of the scratch memory that run() needs: the elements of the largest node that
/// are not float32.
inline std::uint64_t scratch_floats(const Graph& graph) noexcept {
  std::uint64_t most = 0;
  for (const Node& node : graph.nodes) {
    std::uint64_t count = 0;
    for (const auto* const side : {&node.inputs, &node.outputs})
      for (const std::uint32_t index : *side)
        if (graph.tensors[index].data_type != c_api::DataType::float_32)
          count += element_count(graph.tensors[index]);
    most = std::max(most, count);
  }
  return most;
}

/// Runs all nodes in the plan's order, without allocations. Requires an address for every tensor
/// that a node uses, and scratch_floats() of scratch memory. Returns false if the hook has stopped
/// the run.
inline bool run(const Graph& graph, const GraphPlan& plan, std::span<std::byte* const> addresses,
                float* scratch, RunHook hook = {}) noexcept {
  std::uint32_t step = 0;
  for (const std::uint32_t node : plan.order) {
    if (hook.call != nullptr && !hook.call(hook.user, step, node)) return false;
    detail::run_node(graph, plan.ops[node], graph.nodes[node], addresses, scratch);
    ++step;
  }
  return hook.call == nullptr || hook.call(hook.user, step, no_index);
}

}  // namespace qnnpp::sim
