// GraphBlock: the control block of a final graph: its handle, its tensors and their memory.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/backend/detail/signalled_call.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/graph_options.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/fwd.hpp"
#include "qnnpp/graph/binding.hpp"
#include "qnnpp/graph/detail/execute_call.hpp"
#include "qnnpp/graph/detail/offered_memory.hpp"
#include "qnnpp/graph/detail/order_checks.hpp"
#include "qnnpp/memory/tensor_memory.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Contract sentence for a graph that was moved from.
inline constexpr char moved_graph[] =
    "the graph was moved from or consumed by a transition; use the object that the transition "
    "returned";

/// Contract sentence for an execution under the lease of other spill-fill memory.
inline constexpr char foreign_lease[] =
    "the lease does not cover the graph; pass the lease of the graph's own context";

/// Memory of all inputs and outputs of a graph, in the form that QNN needs.
struct BoundMemory {
  std::vector<c_api::Tensor> inputs;
  std::vector<c_api::Tensor> outputs;
  std::vector<UsedMemory> used;  ///< One per input, then one per output.
  ApartRanges ranges;            ///< Those of `used`, once one of them was replaced.
  /// Actual extents of the tensors with dynamic dimensions, one tensor after the other; the C
  /// tensors point to them.
  std::vector<std::uint32_t> extents;
  mutable OrderChecks order;  ///< A const graph executes.

  // Indices count the inputs first, then the outputs.
  [[nodiscard]] c_api::Tensor& tensor_at(std::size_t i) noexcept {
    return i < inputs.size() ? inputs[i] : outputs[i - inputs.size()];
  }
  [[nodiscard]] const c_api::Tensor& tensor_at(std::size_t i) const noexcept {
    return const_cast<BoundMemory&>(*this).tensor_at(i);
  }

  /// Fills OrderChecks::caches.
  void note_caches();
};

/// Control block of a final graph. Never moves in memory, because the C tensors point into the
/// specs.
struct GraphBlock : RefCounted<GraphBlock>, BoundMemory {
  /// Borrows the description of a graph that its context lists. `listed` is null for a composed
  /// graph, whose description the block owns.
  GraphBlock(Ref<ContextBlock> parent, c_api::GraphHandle made, c_api::GraphExecuteFn execute,
             const GraphSpec* listed, GraphSpec described = {});
  ~GraphBlock();

  Ref<ContextBlock> context;
  /// Executes the graph with the tensors that use() set. The context owns the graph's handle, so
  /// there is nothing to free.
  ExecuteCall call;

  GraphSpec composed;              ///< Description of a composed graph; empty for a listed graph.
  const GraphSpec& spec;           ///< Refers to `composed` or into the context.
  bool is_for_registered = false;  ///< Whether the graph is RegisteredIo: no address is bound.
  mutable ForkableMutex names;     ///< Locked while the index is made.
  LazyNameTable tensors_by_name;   ///< Inputs first.
  mutable CallSignals signals;     ///< For executions with limits.
  ContextUser user;                ///< Ends before `spec`, which has its name.

  /// Returns the memory that a binding offers. Errors: `unknown_name` for its registered tensor.
  [[nodiscard]] [[gnu::always_inline]] Result<OfferedMemory> offer(
      const BindingBlock& binding) const {
    OfferedMemory offered{.name = binding.name, .binding = &binding};
    if (!binding.registration) return offered;
    const TensorRegistrationBlock& registration = *binding.registration;
    const std::uint32_t at = binding.registered_tensor;
    if (at == NameTable::none || registration.handles[at] == nullptr) [[unlikely]]
      QNNPP_TRY(registration.find(binding.registered_name));
    offered.registration = &binding.registration;
    offered.tensor = shape_for(*registration.memory, at, binding.name);
    return offered;
  }
  /// Adds what a binding offers.
  template <class Io>
  [[nodiscard]] Result<void> offer(const Binding<Io>& binding,
                                   std::vector<OfferedMemory>& offered) const {
    QNNPP_LET(one, offer(Access::block(binding)));
    offered.push_back(*one);
    return {};
  }
  /// Adds the registered tensors, each in the shape of the graph.
  [[nodiscard]] Result<void> offer(const RegisteredTensors* tensors,
                                   std::vector<OfferedMemory>& offered) const;
  /// Assigns each memory of a list, of bindings or of registrations, to the input or output with
  /// its name. Does not change the graph.
  template <class List>
  [[nodiscard]] Result<BoundMemory> prepare(const List& memory) const {
    std::vector<OfferedMemory> offered;
    offered.reserve(memory.size());
    for (const auto& each : memory) QNNPP_TRY(offer(each, offered));
    return bind(std::move(offered));
  }

  /// Assigns each memory to the input or output with its name. Ignores tensors of registrations
  /// that the graph does not have, if there are more than it has. Reports the errors of
  /// require_registered() if `is_for_registered`.
  [[nodiscard]] Result<BoundMemory> bind(std::vector<OfferedMemory> offered) const;

  /// Binds the memory that prepare() or bind() returned. Returns their error and changes nothing if
  /// there is one.
  [[nodiscard]] Result<void> use(Result<BoundMemory> prepared);

  /// Demands from now on that each input is opened for writing, or rebound, before the graph
  /// executes: its memory is new.
  void expect_writes();

  /// Gives one tensor of a bound graph other memory. Allocates nothing, except the index of names
  /// in the first call for a graph with many tensors. Changes nothing on an error.
  [[nodiscard]] Result<void> rebind(const BindingBlock& binding);

  /// Exchanges the registered memory of an input and an output of a bound graph. Allocates as
  /// rebind(). Changes nothing on an error.
  [[nodiscard]] Result<void> exchange(std::string_view input, std::string_view output);
  /// Exchanges the memory of each pair of an input and an output, or of none on an error.
  [[nodiscard]] Result<void> exchange(
      std::span<const std::pair<std::string_view, std::string_view>> pairs);

  /// Sets the actual extents of an input with dynamic dimensions, and the outputs' extents to their
  /// maxima. Allocates as rebind(). Changes nothing on an error.
  [[nodiscard]] Result<void> set_extents(std::string_view name,
                                         std::span<const std::uint32_t> wanted);
  /// Actual extents of an input or output. Error: `unknown_name`.
  [[nodiscard]] Result<std::span<const std::uint32_t>> extents_of_tensor(
      std::string_view name) const;

  /// Cost of the bound memory.
  [[nodiscard]] IoCost io_cost() const;

  /// Sets the priority of the next executions.
  [[nodiscard]] Result<void> set_priority(c_api::Priority priority);
  /// Sets the number of vector threads of the executions, before the first of them.
  [[nodiscard]] Result<void> set_hvx_threads(std::uint32_t threads);
  /// Calls QnnGraph_setConfig.
  [[nodiscard]] Result<void> set(const GraphOptions& options);

  /// Releases the bound memory.
  void unbind() noexcept;

  /// An input or output of a bound graph in registered memory.
  struct RegisteredTensor {
    std::size_t at = 0;  ///< Index in the graph.
    Ref<TensorMemoryBlock> memory;
    std::size_t tensor = 0;
    std::span<const std::uint32_t> extents = {};  ///< Empty without dynamic dimensions.
  };
  /// Finds an input (or output) by its name. Errors: `unknown_name` with the nearest inputs (or
  /// outputs); `raw_memory` for a tensor that is bound to raw memory; `shape_mismatch` if an
  /// execution wrote extents above the maxima.
  [[nodiscard]] Result<RegisteredTensor> registered_tensor(std::string_view name,
                                                           bool is_output) const;

  /// Opens an input (or output) for the CPU. Errors: those of registered_tensor(); `type_mismatch`,
  /// `sync_failed`.
  template <class T>
  [[nodiscard]] Result<TensorAccess<T>> access(std::string_view name, bool is_output) {
    QNNPP_LET(found, registered_tensor(name, is_output));
    auto opened = TensorMemoryBlock::access<T>(found->memory, found->tensor,
                                               is_output ? CpuUse::read : CpuUse::write, name,
                                               found->extents);
    if (opened && !is_output) set_unwritten(found->at, false);
    return opened;
  }

  /// Executes the graph. If the context has a lock, the caller must hold it. `lease`: the lock of
  /// the caller's lease, if the graph executes under one; its execution is ended after the call.
  /// Searches and allocates nothing. Errors: `dead` (SSR-01); those of check_order(); `qnn`.
  [[nodiscard]] [[gnu::always_inline]] Result<void> run(ExecutionLock* lease = nullptr) const {
    // Read before has_ended(), so that a reported restart does not affect contexts created after
    // it.
    const Epoch& epoch = call.epoch();
    const std::uint64_t created = epoch.contexts_created();
    const std::uint64_t logged = epoch.lines_logged();
    std::uint64_t native = not_called;
    if (!epoch.has_ended()) [[likely]] {
      // Another thread may close its access between the two, so that check_order() finds none.
      if (needs_checks() && !is_in_order()) [[unlikely]]
        if (auto checked = check_order(); !checked) {
          if (lease != nullptr) lease->end_execution();
          return checked;
        }
      native = call();
      if (lease != nullptr) lease->end_execution();
      if (order.matters) [[unlikely]]
        order.executed(is_success(native));
      if (is_success(native)) [[likely]]
        return executed();
    } else if (lease != nullptr) {
      lease->end_execution();
    }
    return failed(native, created, logged);
  }
  /// Executes the graph as the first run() does; `profile` records the call, unless it is null.
  /// `signal` is for the call, or null. Recording allocates as ProfileLog does. Further error:
  /// `foreign_object` for a profile of another backend.
  [[nodiscard]] Result<void> run(Profile* profile, c_api::SignalHandle signal = nullptr) const;
  /// Executes the graph as the second run() does, within limits. Further errors: `cancelled`,
  /// `timed_out`.
  [[nodiscard]] Result<void> run(Profile* profile, const CallLimits& limits) const;

  /// Locks the context's lock within `seconds`, if there is one, and executes the graph as run()
  /// does.
  [[nodiscard]] Result<void> lock_and_run(Profile* profile,
                                          double seconds = ExecutionLock::endless) const;
  /// Locks and executes as lock_and_run() does, with options.
  [[nodiscard]] Result<void> lock_and_run(const ExecuteOptions& options) const;
  /// Executes the graph as run() does, under a lease of the caller. Error: `in_use` if another
  /// execution runs under it.
  [[nodiscard]] Result<void> run_under_lease(Profile* profile) const {
    return run_under_lease(profile, {});
  }
  /// Executes under the lease within limits.
  [[nodiscard]] Result<void> run_under_lease(Profile* profile, const CallLimits& limits) const;

  /// Checks what must have happened before an execution. Errors: `unwritten_input` (ORD-19);
  /// `in_use` while the CPU has a tensor of the graph open (ORD-18); `wrong_order` if a KvCache is
  /// laid out for another graph (ORD-20). Each names the tensor.
  [[nodiscard]] Result<void> check_order() const;

 private:
  /// Whether check_order() may find an error.
  [[nodiscard]] bool needs_checks() const noexcept { return order.matters || has_open_accesses(); }
  /// Whether check_order() finds none.
  [[nodiscard]] bool is_in_order() const;
  /// Sets whether a tensor has memory that nobody has written.
  void set_unwritten(std::size_t tensor, bool is_unwritten) noexcept;
  /// Returns success. `{}` would write zeros over all of it.
  [[nodiscard]] [[gnu::always_inline]] static Result<void> executed() noexcept {
    Result<void> done;
    return done;
  }
  /// Indices count the inputs first, then the outputs.
  [[nodiscard]] std::size_t tensor_count() const noexcept {
    return spec.inputs.size() + spec.outputs.size();
  }
  [[nodiscard]] const TensorSpec& spec_at(std::size_t i) const noexcept {
    return i < spec.inputs.size() ? spec.inputs[i] : spec.outputs[i - spec.inputs.size()];
  }
  /// Finds an input (or output); by default an input or, without such an input, an output. Returns
  /// tensor_count() if there is none.
  [[nodiscard]] std::size_t find_tensor(std::string_view name,
                                        std::optional<bool> is_output = {}) const;
  /// Finds a tensor as find_tensor(). Error: `unknown_name` with the nearest tensors and `step`.
  [[nodiscard]] Result<std::size_t> index_of(std::string_view name, const char* step,
                                             std::optional<bool> is_output = {}) const {
    const std::size_t at = find_tensor(name, is_output);
    if (at == tensor_count()) [[unlikely]]
      return unknown_tensor(name, step, is_output);
    return at;
  }
  [[nodiscard]] Failure unknown_tensor(std::string_view name, const char* step,
                                       std::optional<bool> is_output) const;
  /// Finds, among the shapes of a tensor in `offered`, the shape of the input or output `name`.
  [[nodiscard]] std::size_t shape_for(const TensorMemoryBlock& offered, std::size_t tensor,
                                      std::string_view name) const;
  /// Marks the C tensors with dynamic dimensions, and fills BoundMemory::extents with their maxima.
  void hold_extents(BoundMemory& bound) const;
  /// Completes the extents of a tensor with dynamic dimensions. Error: `shape_mismatch`.
  [[nodiscard]] static Result<void> complete_extents(const TensorSpec& tensor,
                                                     const c_api::Tensor& bound,
                                                     RegisteredTensor& found);
  /// Whether the graph updates a tensor in place: one is an input, the other an output, and both
  /// are of type app_readwrite. They may have the same bytes.
  [[nodiscard]] bool is_updated(std::size_t a, std::size_t b) const noexcept;
  /// Makes the error `overlapping` for two tensors.
  [[nodiscard]] Error shares_bytes(std::size_t tensor, std::size_t other) const;
  /// Checks that the tensor `at` could use `memory` beside the memory of all other tensors but
  /// `except`. Error: `overlapping`.
  [[nodiscard]] Result<void> check_apart(std::size_t at, const UsedMemory& memory,
                                         std::size_t except) const;

  /// Finds the memory for each tensor: its index in `offered`. Errors: `duplicate_name`;
  /// `missing_tensor` or `unknown_name` with all missing and unknown names.
  [[nodiscard]] Result<std::vector<std::uint32_t>> assign(
      std::span<const OfferedMemory> offered) const;
  /// Checks that a memory fits the tensor `at`, and writes it to `tensor`. Errors: those of bind()
  /// about one tensor.
  [[nodiscard]] Result<UsedMemory> bind_one(std::size_t at, const OfferedMemory& offered,
                                            c_api::Tensor& tensor) const;

  /// Checks that no output shares bytes with another tensor, because QNN promises no order of a
  /// graph's reads and writes. Inputs may share bytes, and so may the two tensors of is_updated().
  /// Compares raw memory with registered memory only if the registered memory is mapped for the
  /// CPU. Error: `overlapping` naming both.
  [[nodiscard]] Result<void> check_overlaps(std::span<const UsedMemory> all) const;

  /// Replaces the value of QNN if there was no call. No failed call returns 0 (LOAD-06).
  static constexpr std::uint64_t not_called = 0;

  /// Returns the error for `native`, the value of QnnGraph_execute; `dead` for `not_called`.
  /// Records a restart of the DSP that `native` reports. Adds the error lines after the first
  /// `logged`.
  [[nodiscard]] Result<void> failed(std::uint64_t native, std::uint64_t created,
                                    std::uint64_t logged) const;
  /// Returns which memory the tensors are bound to: fact::raw_tensors, fact::registered, or 0 if
  /// the library takes registered tensors by address.
  [[nodiscard]] std::uint32_t facts_of_memory() const noexcept;
};

/// Fills `tensor`, which must be all zero, from `spec`, as version 1. The tensor then points into
/// `spec`.
void describe(const TensorSpec& spec, c_api::Tensor& tensor);
/// Makes a described tensor version 2, with the flags of `spec`.
void mark_dynamic(const TensorSpec& spec, c_api::Tensor& tensor);

/// Finds a graph of a context and its tensors (QnnGraph_retrieve).
[[nodiscard]] Result<Ref<GraphBlock>> retrieve_graph(const Ref<ContextBlock>& context,
                                                     const std::string& name);

/// Checks that the graph's backend registers tensors, and decides so if it is undecided. Error:
/// `capability_missing` for TensorMemory::by_address.
[[nodiscard]] Result<void> require_registered(const GraphBlock& graph);

/// Checks that every input and output was prepared for registered (or raw) memory. Errors:
/// `memory_type_mismatch` naming the first tensor that was not; those of require_registered().
[[nodiscard]] Result<void> require_prepared(const GraphBlock& graph, bool for_registered);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/graph/graph_block.ipp"
#include "qnnpp/impl/graph/graph_extents.ipp"
#include "qnnpp/impl/graph/graph_memory.ipp"
#include "qnnpp/impl/graph/graph_options.ipp"
#endif
