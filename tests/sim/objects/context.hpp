// A context of the simulated HTP and its graphs: description, plan, memory, and how far it has
// come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/context.hpp"
#include "qnnpp/core/process_domain.hpp"
#include "sim/binary/binary.hpp"
#include "sim/objects/async_queue.hpp"
#include "sim/objects/context_options.hpp"
#include "sim/objects/device_memory.hpp"
#include "sim/objects/process_domains.hpp"
#include "sim/objects/registration.hpp"
#include "sim/ops/network.hpp"
#include "sim/ops/run.hpp"
#include "sim/plan/plan.hpp"

namespace qnnpp::sim {

/// Spill-fill memory of the device itself, alone or shared by a group of contexts.
struct SpillFill {
  CountedMemory memory;
  SpillFillUse use;
  /// Who owns it: false once the head of the group was freed.
  bool head_alive = true;
};

/// What a deferred context tells before it is finalized.
struct Needs {
  std::uint64_t weights_bytes = 0;
  std::uint64_t spill_fill_bytes = 0;
  std::uint64_t start_alignment_bytes = 0;
  friend bool operator==(const Needs&, const Needs&) = default;
};

/// An I/O tensor as an execution needs it.
struct IoTensor {
  std::uint32_t id;
  std::uint32_t index;  ///< into Graph::tensors
  std::uint64_t size_bytes;
  bool prepared_raw;  ///< has a copy since the graph came up
};

/// What a client gave for one tensor: its own memory, or registered memory that the device maps.
struct BoundTensor {
  bool given = false;
  std::byte* client = nullptr;               ///< raw: copied
  std::shared_ptr<Registration> registered;  ///< used in place
};

/// A node's time, for a detailed profile.
struct NodeTime {
  std::uint32_t node;
  std::uint64_t microseconds;
};

/// What one execution writes down on its way; kept for the next one, so that it allocates nothing.
struct Scratch {
  std::vector<BoundTensor> inputs;   ///< as GraphState::inputs
  std::vector<BoundTensor> outputs;  ///< as GraphState::outputs
  std::vector<NodeTime> times;
};

/// The I/O tensors of one direction.
struct IoTensors {
  std::vector<IoTensor> tensors;     ///< in order of creation
  std::vector<std::uint32_t> by_id;  ///< indices into `tensors`
};

struct Context;

/// A graph with a handle.
struct GraphState {
  Context* context = nullptr;  ///< lives longer: it owns this
  std::uint64_t context_id = 0;
  std::uint32_t index = 0;  ///< into Network::graphs
  bool finalized = false;
  bool enabled = true;
  std::uint64_t continuous_profile = 0;
  bool profiling = true;
  IoTensors inputs;
  IoTensors outputs;
  /// Copies of the tensors that were prepared as raw: taken when the graph comes up.
  CountedMemory io;
  /// Copies of tensors that were prepared for memory handles, by tensor index: taken by their first
  /// raw execution.
  std::vector<CountedMemory> copies;
  /// Scratch that no execution uses; there is as much as there ever were executions at once.
  std::vector<std::unique_ptr<Scratch>> idle;
  std::size_t scratches = 0;
  std::uint32_t executing = 0;  ///< calls of graphExecute
  // guarded by the context's `execution`
  bool addressed = false;
  Areas areas;
  std::vector<std::byte*> addresses;  ///< as `areas` say once addressed, but for the I/O tensors
};

/// One context. The device's mutex guards it, but for what an execution uses: that is under
/// `execution`.
struct Context {
  std::uint64_t id = 0;
  std::uint64_t backend = 0;
  std::uint64_t device = 0;  ///< 0: the default device
  std::uint64_t number = 0;  ///< for the log
  ContextOptions options;
  ContextOptions created_options;  ///< as the configs were at the creation
  bool composed = false;
  bool finalized = false;  ///< from a binary: graphs are up
  /// A finalize failed: there is no second try (ORD-13).
  bool failed_to_finalize = false;
  bool finalizing = false;  ///< contextFinalize is at work, partly without the device's mutex
  /// contextFinalize found NULL in the out variable: it cannot be freed any more (ORD-12).
  bool stuck = false;
  /// contextFinalize stopped before it mapped the external buffers: contextFree loses their
  /// handles.
  bool lost_buffers = false;
  bool secure_domain = false;

  // what the client keeps alive until contextFinalize, or contextFree with PERSISTENT_BINARY; of
  // an entry of a list the out variable is the library's own, and NULL here
  const c_api::ContextConfig** client_configs = nullptr;
  const c_api::ContextHandle* client_handle = nullptr;  ///< deferred: the out variable (ORD-12)
  const std::byte* binary = nullptr;
  std::uint64_t binary_bytes = 0;
  std::vector<std::byte> binary_header;  ///< as it was at creation: checksums and sizes
  Needs needs;
  std::uint64_t weights_granularity = 1;  ///< weights take a multiple of so many bytes

  BinaryTarget target;
  std::uint64_t weights_offset = 0;
  Network network;
  NetworkPlan plan;

  std::uint32_t domain = no_domain;
  std::uint64_t estimate_bytes = 0;
  CountedMemory weights;  ///< of the device itself
  std::shared_ptr<Registration> external_weights;
  std::shared_ptr<Registration> external_spill_fill;
  std::uint64_t external_weights_id = 0;
  std::uint64_t external_spill_fill_id = 0;
  /// Registered by a call that failed at a later buffer: marked for ever, without a handle
  /// (BUF-15).
  bool lost_weights = false;
  bool lost_spill_fill = false;
  std::shared_ptr<SpillFill> spill_fill;
  std::uint64_t group_head = 0;  ///< handle of the head; its own in the head
  DeviceMemory vtcm;
  std::uint32_t loaded_graph = no_index;  ///< with graph switching: the one whose weights are there

  std::map<std::string, std::pair<std::uint64_t, std::shared_ptr<GraphState>>> graphs;  ///< by name
  std::vector<std::byte> serialized;

  std::uint32_t executing = 0;
  std::shared_ptr<AsyncQueue> async;  ///< from the first asynchronous execution on
  std::mutex execution;

  [[nodiscard]] std::uint64_t rounded_weights(std::uint64_t bytes) const noexcept {
    return (bytes + weights_granularity - 1) / weights_granularity * weights_granularity;
  }
  [[nodiscard]] std::byte* weights_data() const noexcept {
    return external_weights != nullptr ? external_weights->data : weights.data();
  }
  [[nodiscard]] std::byte* spill_fill_data() const noexcept {
    if (external_spill_fill != nullptr) return external_spill_fill->data;
    return spill_fill != nullptr ? spill_fill->memory.data() : nullptr;
  }
  /// Who runs over this context's spill-fill memory; NULL if it has none.
  [[nodiscard]] SpillFillUse* spill_fill_use() const noexcept {
    if (external_spill_fill != nullptr) return external_spill_fill->spill_fill_use.get();
    return spill_fill != nullptr ? &spill_fill->use : nullptr;
  }
  [[nodiscard]] bool is_enabled(const std::string& graph) const {
    if (options.all_graphs) return true;
    for (const std::string& name : options.enabled_graphs)
      if (name == graph) return true;
    return false;
  }
};

/// Largest spill-fill need of the graphs that are enabled.
inline std::uint64_t enabled_spill_fill_bytes(const Context& context, const Network& network,
                                              const NetworkPlan& plan) {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < plan.graphs.size(); ++i)
    if (context.is_enabled(network.graphs[i].name) && plan.graphs[i].spill_fill_bytes > most)
      most = plan.graphs[i].spill_fill_bytes;
  return most;
}

/// Bytes of weights that the given graph alone needs, shared ones counted.
inline std::uint64_t weights_bytes_of(const GraphPlan& plan) {
  std::map<std::uint64_t, std::uint64_t> places;
  for (const Placement& place : plan.placements)
    if (place.space == Space::weights) places[place.offset] = place.size_bytes;
  std::uint64_t total = 0;
  for (const auto& [offset, size] : places)
    total += (size + placement_alignment - 1) / placement_alignment * placement_alignment;
  return total;
}

/// What the enabled graphs take of a process domain, by the model that plans use too: what external
/// buffers hold counts (PD-01). The op data stands for the run list. With graph switching only the
/// largest graph's weights and op data count; a member of a group uses the head's spill-fill.
inline std::uint64_t estimate_of(const Context& context, std::uint64_t spill_fill,
                                 std::uint32_t per_mille_x10) {
  DomainNeeds needs;
  std::uint64_t largest = 0;
  std::map<std::uint64_t, std::uint64_t> places;
  for (std::size_t i = 0; i < context.plan.graphs.size(); ++i) {
    const GraphPlan& graph = context.plan.graphs[i];
    if (!context.is_enabled(context.network.graphs[i].name)) continue;
    needs.run_list_bytes += graph.op_data_bytes;
    needs.io_bytes += graph.io_bytes;
    needs.vtcm_bytes = std::max(needs.vtcm_bytes, graph.vtcm_bytes);
    const std::uint64_t own = weights_bytes_of(graph);
    if (own + graph.op_data_bytes > largest) largest = own + graph.op_data_bytes;
    for (const Placement& place : graph.placements)
      if (place.space == Space::weights) places[place.offset] = place.size_bytes;
  }
  for (const auto& [offset, size] : places)
    needs.weights_bytes +=
        (size + placement_alignment - 1) / placement_alignment * placement_alignment;
  const bool is_member = context.options.group.given && context.options.group.head != 0;
  needs.spill_fill_bytes = is_member ? 0 : spill_fill;
  if (context.options.switches_graphs()) {
    needs.weights_bytes = largest;
    needs.run_list_bytes = 0;
  }
  needs.weights_bytes = context.rounded_weights(needs.weights_bytes);
  const std::uint64_t sum = needs.sum_bytes();
  return sum / 10000 * per_mille_x10 + sum % 10000 * per_mille_x10 / 10000;
}

}  // namespace qnnpp::sim
