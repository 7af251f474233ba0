// graphExecute and graphExecuteAsync. Inputs are copied in; the nodes run in order with weights,
// VTCM and spill-fill memory; outputs are copied out.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/tensor.hpp"

#include "sim/api/bind_call.hpp"
#include "sim/api/call.hpp"
#include "sim/api/execute_profile.hpp"
#include "sim/objects/async_queue.hpp"
#include "sim/objects/client_memory.hpp"
#include "sim/objects/client_structs.hpp"
#include "sim/objects/context.hpp"
#include "sim/objects/device.hpp"
#include "sim/ops/run.hpp"
#include "sim/tables/bring_up.hpp"

namespace qnnpp::sim {

namespace detail {

/// Borrows scratch memory for one execution, and returns it on destruction. Requires the device's
/// mutex at both times.
class ScratchUse {
 public:
  explicit ScratchUse(Execution& execution) : execution_(execution) {
    GraphState& state = *execution.graph;
    if (state.idle.empty()) {
      execution.scratch = std::make_unique<Scratch>();
      execution.scratch->inputs.resize(state.inputs.tensors.size());
      execution.scratch->outputs.resize(state.outputs.tensors.size());
      const Graph& graph = execution.context->network.graphs[state.index];
      if (is_dynamic(graph))
        execution.scratch->actual = make_actual(graph, execution.context->plan.graphs[state.index]);
      // Reserves the slot that the destructor needs.
      state.idle.reserve(++state.scratches);
    } else {
      execution.scratch = std::move(state.idle.back());
      state.idle.pop_back();
    }
    if (execution.scratch->actual != nullptr) forget_extents(*execution.scratch->actual);
  }
  ScratchUse(const ScratchUse&) = delete;
  ScratchUse& operator=(const ScratchUse&) = delete;
  ~ScratchUse() {
    for (auto* const tensors : {&execution_.scratch->inputs, &execution_.scratch->outputs})
      for (BoundTensor& bound : *tensors) bound = {};
    execution_.scratch->times.clear();
    execution_.graph->idle.push_back(std::move(execution_.scratch));
  }

 private:
  Execution& execution_;
};

inline bool before_node(void* user, std::uint32_t step, std::uint32_t node) {
  auto& execution = *static_cast<Execution*>(user);
  if (execution.node_delay_us != 0 && step != 0)
    execution.signal->pause(std::chrono::microseconds{execution.node_delay_us});
  if (execution.timed) {
    const std::uint64_t now = now_ns();
    if (execution.running_node != no_index)
      execution.scratch->times.push_back({execution.running_node, now - execution.node_started_ns});
    execution.running_node = node;
  }
  execution.interruption = execution.signal->state();
  if (execution.interruption != Interruption::none) return false;
  if (execution.lockstep > 1) execution.turns->step(execution.id, execution.lockstep_timeout);
  if (execution.timed) execution.node_started_ns = now_ns();
  return true;
}

/// Loads the graph's weights from the binary, if graph switching needs it. Requires that the binary
/// is unchanged.
inline bool switch_graph(Execution& execution, const BinaryDevice& target) {
  Context& context = *execution.context;
  if (!context.options.switches_graphs() || context.composed ||
      context.loaded_graph == execution.graph->index)
    return true;
  if (!is_mapped(context.binary, context.binary_bytes)) {
    execution.binary_gone = true;
    return false;
  }
  BinaryContents contents;
  const std::span<const std::byte> binary{context.binary,
                                          static_cast<std::size_t>(context.binary_bytes)};
  if (!parse(binary, target, contents).ok() ||
      contents.plan.weights_bytes != context.plan.weights_bytes)
    return false;
  for (const Placement& place : context.plan.graphs[execution.graph->index].placements) {
    if (place.space != Space::weights) continue;
    context.load_weights(place.offset, place.size_bytes);
    execution.switched_bytes += place.size_bytes;
  }
  context.loaded_graph = execution.graph->index;
  return true;
}

/// Writes the output of an execution that lost what it had in a buffer: all bits are set, so floats
/// are not-a-number.
inline void spoil_outputs(const GraphState& state) noexcept {
  for (const IoTensor& output : state.outputs.tensors)
    std::memset(state.addresses[output.index], 0xFF, static_cast<std::size_t>(output.size_bytes));
}

/// Runs a graph on the engine. Patterns stand for its weights, and for its data in the spill-fill
/// memory: without them the outputs are spoiled.
inline bool run_on_engine(Execution& execution) {
  Context& context = *execution.context;
  const GraphState& state = *execution.graph;
  const GraphPlan& plan = context.plan.graphs[state.index];
  for (const Placement& place : plan.placements)
    if (place.space == Space::weights &&
        !engine::has_pattern(
            {context.weights_data() + place.offset, static_cast<std::size_t>(place.size_bytes)},
            context.digest, place.offset))
      execution.lost_weights = true;
  const std::span<std::byte> share{
      context.spill_fill_data(),
      plan.spill_fill_bytes == 0 ? 0 : static_cast<std::size_t>(plan.spill_fill_bytes)};
  engine::write_pattern(share, execution.id);
  if (!before_node(&execution, 1, no_index)) return false;
  execution.engine = context.restored->execute(state.index, state.addresses);
  const bool goes_on = before_node(&execution, 2, no_index);
  execution.lost_spill_fill = !engine::has_pattern(share, execution.id);
  engine::write_pattern(share, ~execution.id);  // spoils what an execution beside it has there
  if (execution.lost_weights || execution.lost_spill_fill || execution.freed_spill_fill)
    spoil_outputs(state);
  return goes_on && execution.engine.ok();
}

/// Runs the arithmetic, without the device's mutex. Executions of one context run one after the
/// other.
inline bool execute(Execution& execution, const BinaryDevice& target) {
  Context& context = *execution.context;
  GraphState& state = *execution.graph;
  const Graph& graph = context.network.graphs[state.index];
  const GraphPlan& plan = context.plan.graphs[state.index];
  const std::lock_guard one_at_a_time{context.execution};
  if (!switch_graph(execution, target)) {
    execution.binary_changed = !execution.binary_gone;
    return false;
  }
  if (execution.lockstep > 1) {
    execution.turns->enter(execution.id, execution.lockstep, execution.lockstep_timeout);
    execution.turns->step(execution.id, execution.lockstep_timeout);
  }
  const Areas areas{context.weights_data(), context.vtcm.data(), context.spill_fill_data(),
                    state.io.data()};
  if (!state.addressed || areas != state.areas) {
    assign_addresses(graph, plan, areas, state.addresses);
    state.areas = areas;
    state.addressed = true;
  }
  for_each_bound(execution, [&](const IoTensor& io, const BoundTensor& bound) {
    std::byte*& address = state.addresses[io.index];
    if (bound.registered != nullptr) {
      address = bound.registered->data;
    } else if (io.prepared_raw) {
      address = areas.io + plan.placements[io.index].offset;
    } else {
      address = state.copies[io.index].data();
    }
  });
  const Scratch& bound = *execution.scratch;
  for (std::size_t i = 0; i < bound.inputs.size(); ++i)
    if (bound.inputs[i].client != nullptr)
      std::memcpy(state.addresses[state.inputs.tensors[i].index], bound.inputs[i].client,
                  static_cast<std::size_t>(bound.inputs[i].size_bytes));
  const ActualGraph* const actual = bound.actual.get();
  const bool done =
      context.by_engine
          ? run_on_engine(execution)
          : run(actual != nullptr ? actual->graph : graph, actual != nullptr ? actual->plan : plan,
                state.addresses, state.conversion.data(), {before_node, &execution});
  for (std::size_t i = 0; done && i < bound.outputs.size(); ++i)
    if (bound.outputs[i].client != nullptr)
      std::memcpy(bound.outputs[i].client, state.addresses[state.outputs.tensors[i].index],
                  static_cast<std::size_t>(bound.outputs[i].size_bytes));
  if (execution.lockstep > 1) execution.turns->leave(execution.id);
  return done;
}

inline void count(Counters& counted, const IoTensors& io, const std::vector<BoundTensor>& tensors,
                  std::uint64_t Counters::* copies, std::uint64_t Counters::* bytes) noexcept {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::uint64_t size_bytes = tensors[i].size_bytes;
    if (tensors[i].client != nullptr) {
      ++(counted.*copies);
      counted.*bytes += size_bytes;
      continue;
    }
    ++counted.in_place;
    counted.in_place_bytes += size_bytes;
    if (!io.tensors[i].prepared_raw) continue;
    ++counted.idle_copies;
    counted.idle_copy_bytes += size_bytes;
  }
}

/// One admitted execution and everything that it uses until its end. Cannot be moved. Requires the
/// device's mutex for construction and destruction.
struct Run {
  Execution execution;
  std::optional<ProfileUse> profile;
  std::optional<SignalUse> signal;
  std::optional<ScratchUse> scratch;
};

/// Checks a call and binds its tensors. graphExecute and graphExecuteAsync both use it.
inline Status admit(Call& call, c_api::GraphHandle handle, std::span<const c_api::Tensor> inputs,
                    std::span<const c_api::Tensor> outputs, c_api::ProfileHandle profile,
                    c_api::SignalHandle signal, Run& run) {
  using c_api::GraphError;
  Device& d = call.dev();
  Execution& execution = run.execution;
  execution.graph = d.graphs.find(handle);
  if (execution.graph == nullptr) {
    if (d.is_dead_graph(id_of(handle)))
      return failure(c_api::CommonError::system_communication,
                     "the graph's context died with the sub-system");
    return unknown(call, d.graphs, handle, GraphError::invalid_handle);
  }
  const GraphState& graph = *execution.graph;
  execution.context = d.contexts.find(graph.context_id);
  const Context& context = *execution.context;
  call.about_backend(context.backend);
  if (!graph.finalized)
    return failure(GraphError::graph_not_finalized, "the graph is not finalized");
  if (!graph.enabled)
    return failure(GraphError::invalid_handle, "the graph is not in ENABLE_GRAPHS");
  if (context.options.prepare_only)
    return failure(GraphError::invalid_argument, "the context was made with PREPARE_ONLY");
  if (context.external_spill_fill == nullptr && context.spill_fill != nullptr &&
      !context.spill_fill->head_alive)
    return misused(
        d.unconfirmed(Unconfirmed::head_freed, GraphError::invalid_context), "GRP-03",
        "the first context of the group is freed, and the group's spill-fill buffer with it");
  c_api::ProfileHandle collecting = profile;
  if (graph.continuous_profile != 0) {
    if (profile != nullptr)
      return failure(GraphError::profile_in_use, "the graph has a continuous profile");
    if (graph.profiling) collecting = handle_of<c_api::ProfileHandle>(graph.continuous_profile);
  }
  run.profile.emplace(call, collecting);
  if (run.profile->bad())
    return unknown(call, d.profiles, collecting, GraphError::invalid_argument);
  if (run.profile->busy()) return failure(GraphError::profile_in_use, "the profile is in use");
  const bool heeds = d.config.dsp_aborts != 0;
  run.signal.emplace(call, signal, Heed{.aborts = heeds, .timeouts = heeds});
  if (run.signal->bad()) return unknown(call, d.signals, signal, GraphError::invalid_argument);
  if (run.signal->busy()) return failure(GraphError::signal_in_use, "the signal is in use");
  run.scratch.emplace(execution);
  if (Status status =
          bind_all(call, execution, inputs, graph.inputs, execution.scratch->inputs, "inputs");
      !status.ok())
    return status;
  if (Status status =
          bind_all(call, execution, outputs, graph.outputs, execution.scratch->outputs, "outputs");
      !status.ok())
    return status;
  if (Status status =
          resolve_actual(*execution.graph, context.network.graphs[graph.index], *execution.scratch);
      !status.ok())
    return status;
  return take_copies(d, execution);
}

/// Executes an admitted call, and returns the code of the call.
inline c_api::ErrorHandle finish(Call& call, Run& run) {
  using c_api::GraphError;
  Device& d = call.dev();
  Execution& execution = run.execution;
  Context& context = *execution.context;
  execution.signal = &*run.signal;
  execution.id = ++d.last_execution;
  execution.node_delay_us = d.config.node_delay_us;
  execution.lockstep = d.config.lockstep_executions;
  execution.lockstep_timeout = std::chrono::milliseconds{d.config.lockstep_timeout_ms};
  execution.turns = &d.lockstep;
  execution.timed = run.profile->get() != nullptr;
  const BinaryDevice target = binary_device(d);
  const bool spills = context.plan.graphs[execution.graph->index].spill_fill_bytes != 0;
  const std::shared_ptr<SpillFill> kept = context.spill_fill;
  SpillFillUse* const spill_fill = spills ? context.spill_fill_use() : nullptr;
  const bool shared = spill_fill != nullptr && spill_fill->enter(context.id);
  if (shared) {
    ++d.counted.parallel_sharers;
    call.misuse("BUF-12", "graphs that share a spill-fill buffer run at the same time");
  }
  const std::shared_ptr<Registration> backup = context.external_vtcm_backup;
  if (backup != nullptr && backup->shared_use->enter(context.id)) {
    ++d.counted.parallel_sharers;
    call.misuse("BUF-12", "graphs that share a VTCM backup buffer run at the same time");
  }
  const std::uint64_t parallel = spill_fill == nullptr ? 0 : spill_fill->parallel();
  const auto& buffer = context.external_spill_fill;
  execution.freed_spill_fill = spill_fill != nullptr && buffer != nullptr && buffer->is_freed;
  ++context.executing;
  const bool done = call.unlocked([&] { return execute(execution, target); });
  --context.executing;
  if (spill_fill != nullptr) spill_fill->leave(context.id);
  if (backup != nullptr) backup->shared_use->leave(context.id);
  // A misuse of its own explains memory that was freed or shared.
  if (execution.lost_weights &&
      (context.external_weights == nullptr || !context.external_weights->is_freed))
    call.misuse("BUF-05", "the weights buffer does not have the weights any more");
  if (execution.lost_spill_fill && !shared && spill_fill->parallel() == parallel &&
      (buffer == nullptr || !buffer->is_freed))
    call.misuse("BUF-05", "the spill-fill buffer changed during an execution");

  if (execution.switched_bytes != 0) {
    ++d.counted.graph_switches;
    d.counted.weights_loaded_bytes += execution.switched_bytes;
  }
  if (execution.binary_gone)
    return call.fail(crashing(c_api::GraphError::general, "ORD-05",
                              "the binary of a context with PERSISTENT_BINARY cannot be read "
                              "before contextFree"));
  if (execution.binary_changed) {
    call.misuse("ORD-05",
                "the binary of a context with PERSISTENT_BINARY changed before contextFree");
    return call.fail(d.unconfirmed(Unconfirmed::binary_changed, GraphError::general),
                     "the graph's weights cannot be brought up again");
  }
  if (!execution.engine.ok()) return call.fail(execution.engine);
  if (!done) {
    return execution.interruption == Interruption::aborted
               ? call.fail(GraphError::aborted, "aborted by its signal")
               : call.fail(GraphError::timed_out, "timed out");
  }
  write_extents(*execution.graph, *execution.scratch);
  ++d.counted.executions;
  count(d.counted, execution.graph->inputs, execution.scratch->inputs, &Counters::copied_in,
        &Counters::copied_in_bytes);
  count(d.counted, execution.graph->outputs, execution.scratch->outputs, &Counters::copied_out,
        &Counters::copied_out_bytes);
  if (run.profile->get() != nullptr)
    write_profile(*run.profile->get(), context.network.graphs[execution.graph->index],
                  execution.scratch->times, run.profile->elapsed_us());
  return call.ok();
}

/// One asynchronous execution, from graphExecuteAsync to its notification.
class AsyncRun final : public AsyncJob {
 public:
  AsyncRun(c_api::NotifyFn function, void* parameter) : notify_(function), parameter_(parameter) {}

  [[nodiscard]] Run& admitted() noexcept { return *run_; }
  /// Releases everything that the execution uses. Requires the device's mutex.
  void drop() noexcept { run_.reset(); }

  void execute() override {
    Call call{Slot::graph_execute_async, Call::Continued{}};
    status_.error = execute_now(call);
    drop();
  }
  void notify() override {
    if (notify_ != nullptr) notify_(parameter_, status_);
  }

 private:
  [[nodiscard]] c_api::ErrorHandle execute_now(Call& call) {
    const Context& context = *run_->execution.context;
    call.about_backend(context.backend);
    if (call.dev().contexts.find(context.id).get() == &context) return finish(call, *run_);
    if (call.dev().dead_contexts.contains(context.id))
      return call.fail(c_api::CommonError::system_communication,
                       "the graph's context died with the sub-system");
    return call.fail(c_api::GraphError::invalid_handle, "the graph's context is freed");
  }

  std::optional<Run> run_{std::in_place};
  c_api::NotifyFn notify_;
  void* parameter_;
  c_api::NotifyStatus status_{};
};

/// Waits until no other call uses the signal of an execution. Counts a second execution of one
/// graph. Unlocks the device meanwhile, so it precedes all checks.
inline void wait_for_signal(Call& call, c_api::GraphHandle graph, c_api::SignalHandle handle) {
  Device& d = call.dev();
  const std::shared_ptr<Signal> signal = d.signals.find(handle);
  if (signal == nullptr || !signal->in_use()) return;
  if (const auto state = d.graphs.find(graph); state != nullptr && state->executing != 0)
    call.misuse("THR-02", "a graph is executed by two calls at a time; the second one waits");
  while (signal->in_use()) call.unlocked([&] { signal->wait(); });
}

/// Depth of a context's queue if ASYNC_EXECUTION_QUEUE_DEPTH is not set.
inline constexpr std::uint32_t default_queue_depth = 16;

}  // namespace detail

namespace api {

inline c_api::ErrorHandle graph_execute(c_api::GraphHandle handle, const c_api::Tensor* inputs,
                                        std::uint32_t num_inputs, c_api::Tensor* outputs,
                                        std::uint32_t num_outputs, c_api::ProfileHandle profile,
                                        c_api::SignalHandle signal) {
  Call call{Slot::graph_execute};
  if (const auto code = call.gate()) return call.fail(code);
  detail::wait_for_signal(call, handle, signal);
  detail::Run run;
  if (Status status = detail::admit(call, handle, {inputs, num_inputs}, {outputs, num_outputs},
                                    profile, signal, run);
      !status.ok())
    return call.fail(status);
  const std::shared_ptr<GraphState> graph = run.execution.graph;
  if (graph->executing++ != 0)
    call.misuse("THR-02", "a graph is executed by two calls at a time; the second one waits");
  const c_api::ErrorHandle result = detail::finish(call, run);
  --graph->executing;
  return result;
}

/// Checks the arguments and binds the tensors in the call. Executes in order on a thread of the
/// context, which also calls `notify`. Blocks while the queue is full. Does not notify if the call
/// itself fails.
inline c_api::ErrorHandle graph_execute_async(c_api::GraphHandle handle,
                                              const c_api::Tensor* inputs, std::uint32_t num_inputs,
                                              c_api::Tensor* outputs, std::uint32_t num_outputs,
                                              c_api::ProfileHandle profile,
                                              c_api::SignalHandle signal, c_api::NotifyFn notify,
                                              void* parameter) {
  Call call{Slot::graph_execute_async};
  if (const auto code = call.gate()) return call.fail(code);
  auto run = std::make_unique<detail::AsyncRun>(notify, parameter);
  if (Status status = detail::admit(call, handle, {inputs, num_inputs}, {outputs, num_outputs},
                                    profile, signal, run->admitted());
      !status.ok()) {
    run->drop();
    return call.fail(status);
  }
  Context& context = *run->admitted().execution.context;
  if (context.async == nullptr)
    context.async =
        AsyncQueue::start(context.options.queue_depth != 0 ? context.options.queue_depth
                                                           : detail::default_queue_depth);
  const std::shared_ptr<AsyncQueue> queue = context.async;
  std::unique_ptr<AsyncJob> job = std::move(run);
  const auto put = call.unlocked([&] { return queue->put(job); });
  if (put == AsyncQueue::Put::done) return call.ok();
  static_cast<detail::AsyncRun&>(*job).drop();
  return put == AsyncQueue::Put::full
             ? call.fail(c_api::GraphError::execution_async_fifo_full,
                         "the queue is full, and this thread is the one that empties it")
             : call.fail(c_api::GraphError::invalid_handle, "the graph's context is freed");
}

}  // namespace api
}  // namespace qnnpp::sim
