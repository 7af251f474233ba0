// Binding of the tensors that a call of graphExecute gives: the state of one execution, the checks
// of each tensor, and copies of raw tensors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/tensor.hpp"

#include "sim/api/actual_extents.hpp"
#include "sim/api/call.hpp"
#include "sim/objects/client_memory.hpp"
#include "sim/objects/client_structs.hpp"
#include "sim/objects/context.hpp"
#include "sim/objects/device.hpp"
#include "sim/ops/run.hpp"
#include "sim/tables/bring_up.hpp"

namespace qnnpp::sim::detail {

/// State of one execution, from the checks to the last copy.
struct Execution {
  std::shared_ptr<Context> context;
  std::shared_ptr<GraphState> graph;
  std::unique_ptr<Scratch> scratch;
  const SignalUse* signal = nullptr;
  std::uint64_t id = 0;
  std::uint32_t node_delay_us = 0;
  std::uint32_t lockstep = 0;
  std::chrono::milliseconds lockstep_timeout{};
  Lockstep* turns = nullptr;
  bool timed = false;
  std::uint64_t node_started_ns = 0;
  std::uint32_t running_node = no_index;
  Interruption interruption = Interruption::none;
  std::uint64_t switched_bytes = 0;
  bool binary_changed = false;
  bool binary_gone = false;
  // Of an execution on the engine:
  Status engine;
  bool lost_weights = false;      ///< the weights buffer has other contents
  bool lost_spill_fill = false;   ///< the spill-fill memory changed during the execution
  bool freed_spill_fill = false;  ///< the client has freed the spill-fill buffer
};

/// Returns the index of the tensor with this id in `io.tensors`, or no_index.
inline std::uint32_t find_io(const IoTensors& io, std::uint32_t id) noexcept {
  const auto found = std::lower_bound(
      io.by_id.begin(), io.by_id.end(), id,
      [&io](std::uint32_t place, std::uint32_t wanted) { return io.tensors[place].id < wanted; });
  return found != io.by_id.end() && io.tensors[*found].id == id ? *found : no_index;
}

/// Checks the extents of a tensor of the call. Ignores another rank, as the host library does.
inline Status check_extents(const c_api::TensorV1& tensor, std::span<const std::uint32_t> wanted) {
  if (tensor.dimensions == nullptr || tensor.rank != wanted.size()) return success();
  if (!is_readable_array(tensor.dimensions, tensor.rank))
    return dead_pointer(c_api::GraphError::invalid_tensor, "the dimensions of a tensor");
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (tensor.dimensions[i] != wanted[i])
      return failure(c_api::GraphError::invalid_tensor,
                     text("tensor id %u has extent %u in dimension %zu, %u is given", tensor.id,
                          wanted[i], i, tensor.dimensions[i]));
  return success();
}

/// Checks one tensor of the call and binds it. Returns 6000 for a tensor of another graph. Returns
/// 6004 for wrong memory or a wrong size, which the host library does not check and the device
/// would fault on.
inline Status bind_one(Call& call, const Execution& execution, const c_api::Tensor& given,
                       const IoTensors& expected, std::vector<BoundTensor>& out) {
  using c_api::GraphError;
  if (given.version != c_api::TensorVersion::v1 && given.version != c_api::TensorVersion::v2)
    return failure(GraphError::invalid_tensor, "unknown tensor version");
  // Versions 1 and 2 begin with the same members.
  const c_api::TensorV1& tensor = given.v1;
  const std::uint32_t place = find_io(expected, tensor.id);
  if (place == no_index)
    return failure(GraphError::invalid_argument,
                   text("tensor id %u is not expected here", tensor.id));
  const IoTensor& wanted = expected.tensors[place];
  BoundTensor& bound = out[place];
  if (bound.given)
    return failure(GraphError::invalid_tensor, text("tensor id %u is given twice", tensor.id));
  const Tensor& prepared =
      execution.context->network.graphs[execution.graph->index].tensors[wanted.index];
  const bool is_output = &expected == &execution.graph->outputs;
  if (Status status = prepared.dynamic.empty() ? check_extents(tensor, prepared.dimensions)
                                               : take_extents(given, prepared, is_output,
                                                              *execution.scratch->actual, bound);
      !status.ok())
    return status;
  const RegistrationTable& memory = call.dev().memory;
  switch (tensor.mem_type) {
    case c_api::TensorMemType::raw: {
      // A union: a value meant as a memory handle is read as the client buffer's address (ION-01).
      const std::uint64_t address = reinterpret_cast<std::uint64_t>(tensor.client_buf.data);
      if (memory.is_stale(address) || memory.find(address) != nullptr)
        return misused(GraphError::invalid_tensor, "ION-01",
                       text("tensor id %u is raw, but has a memory handle", tensor.id));
      if (tensor.client_buf.data == nullptr)
        return failure(GraphError::invalid_tensor,
                       text("tensor id %u has a NULL client buffer", tensor.id));
      if (tensor.client_buf.data_size != wanted.size_bytes) {
        const std::string sizes =
            text("tensor id %u has %llu bytes, its client buffer %u", tensor.id,
                 static_cast<unsigned long long>(wanted.size_bytes), tensor.client_buf.data_size);
        if (tensor.client_buf.data_size < wanted.size_bytes)
          return misused(GraphError::invalid_tensor, "SHB-06", sizes);
        call.misuse("SHB-06", sizes);
      }
      if (!is_mapped(tensor.client_buf.data, wanted.size_bytes))
        return dead_pointer(GraphError::invalid_tensor, "a client buffer");
      bound.client = static_cast<std::byte*>(tensor.client_buf.data);
      break;
    }
    case c_api::TensorMemType::memhandle: {
      bound.registered = memory.find(tensor.mem_handle);
      if (bound.registered == nullptr) {
        if (memory.is_stale(id_of(tensor.mem_handle)))
          return misused(GraphError::invalid_tensor, "SHB-09",
                         text("tensor id %u has a memory handle that is deregistered", tensor.id));
        return failure(GraphError::invalid_tensor,
                       text("tensor id %u has an unknown memory handle", tensor.id));
      }
      const std::uint32_t foreign =
          call.dev().unconfirmed(Unconfirmed::foreign_memory, GraphError::invalid_tensor);
      if (bound.registered->context != execution.context->id ||
          bound.registered->use != MemoryUse::tensor)
        return misused(
            foreign, "SHB-09",
            text("tensor id %u has memory that is registered for something else", tensor.id));
      if (bound.registered->size_bytes != wanted.size_bytes)
        return misused(foreign, "SHB-09",
                       text("tensor id %u has %llu bytes, its registered memory %llu", tensor.id,
                            static_cast<unsigned long long>(wanted.size_bytes),
                            static_cast<unsigned long long>(bound.registered->size_bytes)));
      if (call.dev().open_for_cpu.contains(bound.registered->region.file))
        call.misuse("SHB-07",
                    text("tensor id %u lies in memory that is open for the CPU", tensor.id));
      break;
    }
    case c_api::TensorMemType::retrieve_raw:
      return failure(GraphError::unsupported_feature, "RETRIEVE_RAW tensors");
    default:
      return failure(GraphError::invalid_tensor,
                     text("tensor id %u has an unknown memory type", tensor.id));
  }
  bound.given = true;
  bound.size_bytes = wanted.size_bytes;
  return success();
}

inline Status bind_all(Call& call, const Execution& execution, std::span<const c_api::Tensor> given,
                       const IoTensors& expected, std::vector<BoundTensor>& out, const char* what) {
  if (given.data() == nullptr && !given.empty())
    return failure(c_api::GraphError::invalid_argument, text("%s are NULL", what));
  if (!is_readable_array(given.data(), given.size()))
    return dead_pointer(c_api::GraphError::invalid_argument, "the array of tensors");
  if (given.size() != expected.tensors.size())
    return failure(
        given.empty() ? c_api::GraphError::invalid_argument : c_api::GraphError::invalid_tensor,
        text("the graph has %zu %s, %zu are given", expected.tensors.size(), what, given.size()));
  for (const c_api::Tensor& tensor : given)
    if (Status status = bind_one(call, execution, tensor, expected, out); !status.ok())
      return status;
  return success();
}

/// Calls `act(io tensor, bound tensor)` for all inputs and outputs.
template <class Act>
void for_each_bound(const Execution& execution, Act&& act) {
  const GraphState& state = *execution.graph;
  for (std::size_t i = 0; i < state.inputs.tensors.size(); ++i)
    act(state.inputs.tensors[i], execution.scratch->inputs[i]);
  for (std::size_t i = 0; i < state.outputs.tensors.size(); ++i)
    act(state.outputs.tensors[i], execution.scratch->outputs[i]);
}

/// Allocates copies for raw tensors that were prepared for memory handles: all missing ones, or
/// none (QMEM-03). The graph keeps them for later executions.
inline Status take_copies(Device& d, const Execution& execution) {
  GraphState& state = *execution.graph;
  const auto is_missing = [&state](const IoTensor& io, const BoundTensor& bound) {
    return bound.client != nullptr && !io.prepared_raw && !state.copies[io.index];
  };
  std::uint64_t bytes = 0;
  for_each_bound(execution, [&](const IoTensor& io, const BoundTensor& bound) {
    if (is_missing(io, bound)) bytes += io.size_bytes;
  });
  if (bytes == 0) return success();
  bool all = takes_io_copies(d, bytes);
  std::vector<std::pair<std::uint32_t, CountedMemory>> made;
  for_each_bound(execution, [&](const IoTensor& io, const BoundTensor& bound) {
    if (!all || !is_missing(io, bound)) return;
    made.emplace_back(io.index,
                      CountedMemory::allocate(io.size_bytes, d.own.io_at_execution_bytes));
    all = static_cast<bool>(made.back().second);
  });
  if (!all)
    return failure(d.unconfirmed(Unconfirmed::no_io_copies, c_api::GraphError::mem_alloc),
                   text("no memory for the copies of raw tensors, %llu B",
                        static_cast<unsigned long long>(bytes)));
  for (auto& [index, copy] : made) state.copies[index] = std::move(copy);
  d.tally->io_taken_at_execution_bytes += bytes;
  return success();
}

}  // namespace qnnpp::sim::detail
