// A context of the simulated HTP and its graphs: description, plan, memory, state.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/context.hpp"

#include "sim/binary/binary.hpp"
#include "sim/engine/pattern.hpp"
#include "sim/engine/restored.hpp"
#include "sim/objects/async_queue.hpp"
#include "sim/objects/context_options.hpp"
#include "sim/objects/device_memory.hpp"
#include "sim/objects/process_domains.hpp"
#include "sim/objects/registration.hpp"
#include "sim/ops/network.hpp"
#include "sim/ops/run.hpp"
#include "sim/plan/actual.hpp"
#include "sim/plan/needs.hpp"
#include "sim/plan/plan.hpp"

namespace qnnpp::sim {

/// Spill-fill memory of the device, for one context or shared by a group.
struct SpillFill {
  CountedMemory memory;
  SpillFillUse use;
  /// The group's head owns the memory; false after the head was freed.
  bool head_alive = true;
};

/// Needs that a deferred context reports before it is finalized.
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
  bool prepared_raw;  ///< prepared as raw: has a copy while the graph is loaded
};

/// Memory that a client gave for one tensor: a client buffer, or registered memory.
struct BoundTensor {
  bool given = false;
  std::uint64_t size_bytes = 0;              ///< of the actual extents
  std::byte* client = nullptr;               ///< raw: copied
  std::shared_ptr<Registration> registered;  ///< used in place
  /// The client's extents of an output with dynamic dimensions; the execution writes them.
  std::uint32_t* extents = nullptr;
};

/// Duration of one node, for a profile.
struct NodeTime {
  std::uint32_t node;
  std::uint64_t cycles;
};

/// Working memory of one execution. Later executions reuse it, and so allocate nothing.
struct Scratch {
  std::vector<BoundTensor> inputs;   ///< as in GraphState::inputs
  std::vector<BoundTensor> outputs;  ///< as in GraphState::outputs
  std::vector<NodeTime> times;
  std::unique_ptr<ActualGraph> actual;  ///< NULL for a graph without dynamic dimensions
};

/// The I/O tensors of one direction.
struct IoTensors {
  std::vector<IoTensor> tensors;     ///< in order of creation
  std::vector<std::uint32_t> by_id;  ///< indices into `tensors`, sorted by tensor id
};

struct Context;

/// State of a graph with a handle.
struct GraphState {
  Context* context = nullptr;  ///< owns this graph, so it lives longer
  std::uint64_t context_id = 0;
  std::uint32_t index = 0;  ///< into Network::graphs
  bool finalized = false;
  bool enabled = true;
  std::uint64_t continuous_profile = 0;
  bool profiling = true;
  IoTensors inputs;
  IoTensors outputs;
  /// Elements that are not float32, converted for one node. No memory of the device.
  std::vector<float> conversion;
  /// Copies of the tensors that were prepared as raw; allocated when the graph is loaded.
  CountedMemory io;
  /// Copies of tensors that were prepared for memory handles, by tensor index. Their first raw
  /// execution allocates them.
  std::vector<CountedMemory> copies;
  /// Unused scratch memory. The number in total is the largest number of parallel executions so
  /// far.
  std::vector<std::unique_ptr<Scratch>> idle;
  std::size_t scratches = 0;
  std::uint32_t executing = 0;  ///< calls of graphExecute now
  // Guarded by Context::execution:
  bool addressed = false;
  Areas areas;
  std::vector<std::byte*> addresses;  ///< for `areas`; I/O tensors change each time
};

/// REUSED_IO_LIMIT: most bytes of inputs and outputs that are registered at a time with the
/// contexts that have this object: one context, or those of a list.
struct IoLimit {
  std::uint64_t bytes = 0;
};

/// One context. The device's mutex guards it. `execution` guards what an execution uses.
struct Context {
  std::uint64_t id = 0;
  std::uint64_t backend = 0;
  std::uint64_t device = 0;  ///< 0: the default device
  std::uint64_t number = 0;  ///< for the log
  ContextOptions options;
  ContextOptions created_options;  ///< the options that the creation read
  bool composed = false;
  bool finalized = false;  ///< from a binary: the graphs are loaded
  /// A finalize has failed, and every further finalize fails (ORD-13).
  bool failed_to_finalize = false;
  bool finalizing = false;  ///< contextFinalize is running, partly without the device's mutex
  /// contextFinalize found NULL in the out variable: contextFree fails from then on (ORD-12).
  bool stuck = false;
  /// contextFinalize stopped before it mapped the external buffers: contextFree invalidates their
  /// memory handles.
  bool lost_buffers = false;
  bool is_left_over = false;  ///< a failed creation has left this context (ORD-14)
  /// A left-over whose contextFree makes it permanent remnants (ORD-17).
  bool is_fatal_to_free = false;
  /// A process domain failed while the context was loaded: the load that gets its graphs' numbers
  /// after it returns UNDEFINED (RES-03).
  bool spoils_numbers = false;
  bool secure_domain = false;

  // Borrowed from the client until contextFinalize, or until contextFree with PERSISTENT_BINARY.
  // For an entry of a list, client_handle is NULL: the library owned that variable.
  const c_api::ContextConfig** client_configs = nullptr;
  const c_api::ContextHandle* client_handle = nullptr;  ///< deferred: the out variable (ORD-12)
  const std::byte* binary = nullptr;
  std::uint64_t binary_bytes = 0;
  std::vector<std::byte> binary_header;  ///< copy from the creation: checksums and sizes
  Needs needs;

  BinaryTarget target;
  std::uint64_t weights_offset = 0;
  Network network;
  NetworkPlan plan;
  bool by_engine = false;                      ///< the engine runs the graphs
  std::uint32_t digest = 0;                    ///< of the engine's binary
  std::unique_ptr<engine::Restored> restored;  ///< by_engine: while the graphs are loaded

  std::uint32_t domain = no_domain;
  std::uint64_t estimate_bytes = 0;
  std::shared_ptr<const IoLimit> io_limit;  ///< NULL: no limit
  bool counts_io_limit = true;              ///< false in a list after its first context
  CountedMemory weights;                    ///< owned by the device
  std::shared_ptr<Registration> external_weights;
  std::shared_ptr<Registration> external_spill_fill;
  std::shared_ptr<Registration> external_vtcm_backup;
  std::uint64_t external_weights_id = 0;
  std::uint64_t external_spill_fill_id = 0;
  std::uint64_t external_vtcm_backup_id = 0;
  /// A failed call registered this buffer before the failure. It counts as registered for the
  /// context's lifetime, without a handle (BUF-15).
  bool lost_weights = false;
  bool lost_spill_fill = false;
  std::shared_ptr<SpillFill> spill_fill;
  std::uint64_t group_head = 0;  ///< handle of the group's head; in the head, its own
  DeviceMemory vtcm;
  std::uint32_t loaded_graph = no_index;  ///< graph switching: the loaded graph

  std::map<std::string, std::pair<std::uint64_t, std::shared_ptr<GraphState>>> graphs;  ///< by name
  std::vector<std::byte> serialized;

  std::uint32_t executing = 0;
  std::shared_ptr<AsyncQueue> async;  ///< NULL before the first asynchronous execution
  std::mutex execution;

  [[nodiscard]] std::byte* weights_data() const noexcept {
    return external_weights != nullptr ? external_weights->data : weights.data();
  }
  /// Copies weights of the binary to their memory. The engine has its own: a pattern of the binary
  /// stands for them.
  void load_weights(std::uint64_t offset, std::uint64_t size_bytes) const noexcept {
    std::byte* const to = weights_data() + offset;
    if (by_engine)
      engine::write_pattern({to, static_cast<std::size_t>(size_bytes)}, digest, offset);
    else
      std::memcpy(to, binary + weights_offset + offset, static_cast<std::size_t>(size_bytes));
  }
  [[nodiscard]] std::byte* spill_fill_data() const noexcept {
    if (external_spill_fill != nullptr) return external_spill_fill->data;
    return spill_fill != nullptr ? spill_fill->memory.data() : nullptr;
  }
  /// Returns the record of the executions that use this context's spill-fill memory; NULL without
  /// such memory.
  [[nodiscard]] SpillFillUse* spill_fill_use() const noexcept {
    if (external_spill_fill != nullptr) return external_spill_fill->shared_use.get();
    return spill_fill != nullptr ? &spill_fill->use : nullptr;
  }
  [[nodiscard]] bool is_enabled(const std::string& graph) const {
    if (options.all_graphs) return true;
    for (const std::string& name : options.enabled_graphs)
      if (name == graph) return true;
    return false;
  }
};

}  // namespace qnnpp::sim
