// Pipeline: graphs that execute in order. Each reads the outputs of earlier graphs without a copy.
#pragma once

#include "qnnpp/config.hpp"
#include "qnnpp/platform.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/fwd.hpp"
#include "qnnpp/graph/detail/execute_refusals.hpp"
#include "qnnpp/graph/execute_options.hpp"
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/detail/allocator_ref.hpp"
#include "qnnpp/memory/shared_buffer.hpp"
#include "qnnpp/memory/spill_fill_lease.hpp"
#include "qnnpp/memory/tensor_access.hpp"
#include "qnnpp/memory/tensor_memory.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

struct PipelinePlan;
struct PipelineDraft;

}  // namespace detail

/// Connects an output of a graph to an input of a later graph. Graphs are numbered from 0.
struct Wire {
  std::size_t from = 0;     ///< Number of the graph with the output.
  std::string output = {};  ///< Name of the output.
  std::size_t to = 0;       ///< Number of the graph with the input; greater than `from`.
  std::string input = {};   ///< Name of the input.
};

/// Options for the connection of graphs.
struct PipelineOptions {
  /// Connections that differ from the default. By default, an input reads the latest earlier output
  /// with the same name; without such an output, it is an input of the pipeline.
  std::vector<Wire> wires = {};
  /// Names of inputs of the pipeline that the caller writes although a later graph makes an output
  /// of the same name: the state of a loop, which the caller carries over. Without its name here,
  /// such an input is an error, because its graph is in the wrong place (PIP-01).
  std::vector<std::string> inputs = {};
  /// `TensorArena::lay_out` (memory/tensor_arena.hpp) lets tensors between graphs share bytes if
  /// they are not in use at the same time. They cannot be read after an execution. Inputs and
  /// outputs of the pipeline share no bytes. Null: each tensor has bytes of its own.
  Result<std::uint64_t> (*share_bytes)(std::span<const ScheduledTensor> tensors,
                                       std::span<std::uint64_t> offsets_bytes) = nullptr;
};

/// An input or output of a pipeline.
struct PipelineTensor {
  TensorSpec spec = {};  ///< Name, data type and dimensions.
  /// Index of the graph that makes the output, or of the first graph that reads the input.
  std::size_t graph = 0;
};

/// One graph of a pipeline, with its memory and the times of its executions.
struct PipelineStage {
  std::string graph = {};          ///< Name of the graph.
  std::string context = {};        ///< Name of its context.
  std::uint64_t input_bytes = 0;   ///< Bytes of all inputs.
  std::uint64_t output_bytes = 0;  ///< Bytes of all outputs.
  IoCost cost = {};                ///< All 0 in registered memory, if prepared for it.
  std::uint64_t executions = 0;    ///< Number of successful executions.
  std::uint64_t last_ns = 0;       ///< Duration of the latest one, by the monotonic clock.
  std::uint64_t total_ns = 0;      ///< Sum of their durations.
};

/// Graphs of one or more contexts, executed in order. One shared buffer, which is registered with
/// each context, holds all inputs and outputs. An output of a graph is the input of a later graph
/// in the same bytes.
///
/// Move-only. Keeps graphs, contexts and memory alive.
///
/// Threads: only one thread at a time may use or destroy one pipeline. Different pipelines may
/// execute on different threads; pipelines that share spill-fill memory execute one after another.
class Pipeline : private detail::ExecuteRefusals {
 public:
  QNNPP_MOVE_ONLY(Pipeline, "a pipeline has one owner; write std::move(pipeline)");

  /// Connects `graphs` in their order (see PipelineOptions) and allocates one buffer for all
  /// tensors. Registers with each context the tensors that its graphs use, in one call per context.
  /// Binds the graphs. An error releases the new memory and consumes the graphs: call check() first
  /// to keep them.
  ///
  /// Errors:
  /// - `empty` without graphs;
  /// - `unknown_name`, `duplicate_name` and `invalid_argument` for wrong wires;
  /// - `wrong_order` for an input that a later graph makes, unless PipelineOptions::inputs lists it
  ///   (PIP-01); `unknown_name` for a name of that list that is no input of the pipeline;
  /// - `duplicate_name` for a graph that occurs twice and reads the same tensors (PIP-03);
  /// - `type_mismatch` (element type or quantisation) and `shape_mismatch` naming both tensors;
  /// - `too_large` for a tensor of 2 GiB or more (SHB-08);
  /// - the errors of `share_bytes`, SharedBuffer, RegisteredTensors and Graph::bind().
  template <DmaAllocator Allocator, class Io>
  [[nodiscard]] static Result<Pipeline> create(const Allocator& allocator,
                                               std::vector<Graph<Retrieved, Io>> graphs,
                                               const PipelineOptions& options = {}) {
    return make(detail::AllocatorRef(allocator), take(graphs), options);
  }
  template <DmaAllocator Allocator>
  static QNNPP_REFUSE("raw memory is copied between graphs; retrieve them as RegisteredIo or AnyIo",
                      Result<Pipeline>,
                      create(const Allocator&, const std::vector<Graph<Retrieved, RawIo>>&,
                             const PipelineOptions& = {}));

  /// Connects the graphs of a braced list: `create(rpcmem, {std::move(stem), std::move(head)})`.
  template <DmaAllocator Allocator, class Io, std::size_t count>
  [[nodiscard]] static Result<Pipeline> create(const Allocator& allocator,
                                               Graph<Retrieved, Io> (&&graphs)[count],
                                               const PipelineOptions& options = {}) {
    return make(detail::AllocatorRef(allocator), take(graphs), options);
  }
  template <DmaAllocator Allocator, std::size_t count>
  static QNNPP_REFUSE("raw memory is copied between graphs; retrieve them as RegisteredIo or AnyIo",
                      Result<Pipeline>,
                      create(const Allocator&, Graph<Retrieved, RawIo> (&&)[count],
                             const PipelineOptions& = {}));

  /// Checks whether create() would accept these graphs. Returns the same errors, except the errors
  /// of the allocator and of QNN. Keeps the graphs, allocates no DMA memory and does not call QNN.
  /// The graphs must not be moved from (contract).
  template <class Io>
  [[nodiscard]] static Result<void> check(const std::vector<Graph<Retrieved, Io>>& graphs,
                                          const PipelineOptions& options = {}) {
    std::vector<const detail::GraphBlock*> blocks;
    for (const auto& graph : graphs) blocks.push_back(detail::Access::block(graph).get());
    return check_graphs(blocks, options);
  }
  /// Checks whether create() would accept these separate graphs: `check({&stem, &head})`.
  template <class Io>
    requires(!std::is_same_v<Io, RawIo>)
  [[nodiscard]] static Result<void> check(std::initializer_list<const Graph<Retrieved, Io>*> graphs,
                                          const PipelineOptions& options = {}) {
    std::vector<const detail::GraphBlock*> blocks;
    for (const auto* graph : graphs) blocks.push_back(detail::Access::block(*graph).get());
    return check_graphs(blocks, options);
  }
  static QNNPP_REFUSE("raw memory is copied between graphs; retrieve them as RegisteredIo or AnyIo",
                      Result<void>,
                      check(const std::vector<Graph<Retrieved, RawIo>>&,
                            const PipelineOptions& = {}));

  template <class Allocator, class Graphs>
    requires(detail::AnyResult<Allocator> || detail::AnyResult<Graphs>)
  static QNNPP_REFUSE("an argument is a Result; test it and pass *result, or use value_or_throw()",
                      Result<Pipeline>,
                      create(const Allocator&, const Graphs&, const PipelineOptions& = {}));
  template <DmaAllocator Allocator, class Io>
  static QNNPP_REFUSE("a graph is no list; write create(allocator, {std::move(graph)})",
                      Result<Pipeline>,
                      create(const Allocator&, const Graph<Retrieved, Io>&,
                             const PipelineOptions& = {}));
  template <detail::NoAllocator Allocator, class Graphs>
    requires(!detail::AnyResult<Graphs>)
  static QNNPP_REFUSE("no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const",
                      Result<Pipeline>,
                      create(const Allocator&, const Graphs&, const PipelineOptions& = {}));

  /// Executes all graphs in their order. First locks the spill-fill memory of all graphs for the
  /// whole execution; waiting threads proceed in order of arrival (BUF-12). Copies and allocates
  /// nothing. The pipeline must not be moved from (contract).
  ///
  /// Several spill-fill buffers: all pipelines lock them in the same order, which a program cannot
  /// know. A thread that holds the lease of one of them and waits for another one, by execute() or
  /// lease(), may get `would_deadlock`, or the pipeline may: see SpillFillLease.
  ///
  /// Errors: `unwritten_input` if an input of the pipeline was never opened for writing, before any
  /// graph is executed (PIP-02); `in_use` while the CPU has a tensor open (ORD-18);
  /// `would_deadlock` if this thread holds a lease of one of the contexts, or would wait for a
  /// thread that waits for it; the error of the graph that failed, with its index. The graphs after
  /// it are not executed.
  ///
  /// `profile` records the call of each graph, unless it is null. Recording allocates, and the
  /// stages' times include reading the events. Error: `foreign_object` for a profile of another
  /// backend, before the first graph is executed.
  [[nodiscard]] Result<void> execute(Profile* profile = nullptr) {
    return execute(ExecuteOptions{.profile = profile});
  }
  /// Executes all graphs as execute() does, with options. Further errors: `timed_out` and
  /// `cancelled`, before a graph or in one.
  [[nodiscard]] Result<void> execute(const ExecuteOptions& options);
  /// Executes all graphs under a lease that the caller holds. The lease must cover every context of
  /// the pipeline that shares spill-fill memory (contract). Further error: `in_use` if another
  /// thread executes under the same lease.
  [[nodiscard]] Result<void> execute(SpillFillLease& lease, Profile* profile = nullptr) {
    return execute(lease, ExecuteOptions{.profile = profile});
  }
  /// Executes all graphs under a lease, with options; `wait_at_most` is not used.
  [[nodiscard]] Result<void> execute(SpillFillLease& lease, const ExecuteOptions& options);
  using detail::ExecuteRefusals::execute;

  /// Opens an input of the pipeline, for the CPU to write: an input that no graph before its reader
  /// makes. The input then counts as written (PIP-02). For the types T see carries(). Destroy the
  /// returned access before the pipeline executes. Errors: `unknown_name` with the nearest inputs;
  /// `type_mismatch` (both types); `sync_failed`.
  template <class T>
  [[nodiscard]] Result<TensorAccess<T>> input(std::string_view name) const& {
    return open<T>(inputs_, name, "an input of the pipeline", CpuUse::write);
  }
  /// Opens the latest output of this name, for the CPU to read. Errors: the errors of input(); with
  /// share_bytes also `unknown_name` for an output that a later graph reads.
  template <class T>
  [[nodiscard]] Result<TensorAccess<const T>> output(std::string_view name) const& {
    return open<const T>(outputs_, name, "an output that can be read", CpuUse::read);
  }
  template <class T>
  QNNPP_REFUSE("input() of a temporary would dangle; name the pipeline first",
               Result<TensorAccess<T>>, input(std::string_view) const&&);
  template <class T>
  QNNPP_REFUSE("output() of a temporary would dangle; name the pipeline first",
               Result<TensorAccess<const T>>, output(std::string_view) const&&);

  /// Opens all tensors for the CPU with one sync (SHB-07). Unless it only reads, all inputs then
  /// count as written. Error: `sync_failed`.
  [[nodiscard]] Result<CpuAccess> access(CpuUse use) const;

  /// Returns the tensors that input() opens, in the order of the graphs that read them.
  [[nodiscard]] std::vector<PipelineTensor> inputs() const { return listed(inputs_); }
  /// Returns the tensors that output() opens, in the order of the graphs that make them.
  [[nodiscard]] std::vector<PipelineTensor> outputs() const { return listed(outputs_); }
  /// Returns all connections between graphs: those of PipelineOptions and those by name, in the
  /// order of the graphs that read.
  [[nodiscard]] std::vector<Wire> wires() const { return wires_; }

  /// The graphs in their order, with the times of their executions. Valid while the pipeline exists
  /// and is not moved.
  [[nodiscard]] std::span<const PipelineStage> stages() const& { return stages_; }
  QNNPP_REFUSE("stages() of a temporary would dangle; name the pipeline first",
               std::span<const PipelineStage>, stages() const&&);
  /// Returns the sum of the costs of all graphs, see IoCost.
  [[nodiscard]] IoCost io_cost() const;
  /// Bytes of the buffer that holds all tensors.
  [[nodiscard]] std::uint64_t buffer_bytes() const { return buffer_.size_bytes(); }

 private:
  /// An input or output of the pipeline.
  struct Name {
    std::string name;
    std::size_t tensor;               ///< Its index in the buffer.
    std::size_t graph;                ///< See PipelineTensor.
    mutable bool is_written = false;  ///< Whether the caller has opened it for writing.
  };

  explicit Pipeline(SharedBuffer<MultiTensor> buffer) : buffer_(std::move(buffer)) {}

  template <class Graphs>
  [[nodiscard]] static std::vector<Ref<detail::GraphBlock>> take(Graphs& graphs) {
    std::vector<Ref<detail::GraphBlock>> blocks;
    for (auto& graph : graphs) blocks.push_back(detail::Access::take(std::move(graph)));
    return blocks;
  }
  [[nodiscard]] static Result<Pipeline> make(detail::AllocatorRef allocator,
                                             std::vector<Ref<detail::GraphBlock>> graphs,
                                             const PipelineOptions& options);
  [[nodiscard]] static Result<void> check_graphs(
      const std::vector<const detail::GraphBlock*>& graphs, const PipelineOptions& options);
  [[nodiscard]] Result<void> connect(const detail::PipelineDraft& draft);
  /// Executes all graphs. The caller holds their locks.
  [[nodiscard]] Result<void> run_each(Profile* profile, const detail::CallLimits& limits);
  /// Checks that all inputs are written, and that the profile, unless it is null, belongs to the
  /// backends of all graphs.
  [[nodiscard]] Result<void> check_call(Profile* profile) const;
  /// Makes the error for the first input that is not written.
  [[nodiscard]] Error unwritten() const;
  [[nodiscard]] std::vector<PipelineTensor> listed(std::vector<Name> names) const;

  /// Returns null if no entry has this name. The pipeline must not be moved from (contract).
  [[nodiscard]] const Name* find(const std::vector<Name>& names, std::string_view name) const;
  [[nodiscard]] static Error unknown(const std::vector<Name>& names, std::string_view name,
                                     const char* what);

  template <class T>
  [[nodiscard]] Result<TensorAccess<T>> open(const std::vector<Name>& names, std::string_view name,
                                             const char* what, CpuUse use) const {
    const Name* found = find(names, name);
    if (found == nullptr) return fail(unknown(names, name, what));
    auto opened = detail::TensorMemoryBlock::access<T>(detail::Access::block(buffer_),
                                                       found->tensor, use, name);
    if (!opened)
      opened.error().object = found->name;
    else if (use != CpuUse::read)
      count_written(*found);
    return opened;
  }
  void count_written(const Name& input) const noexcept {
    if (!std::exchange(input.is_written, true)) --unwritten_;
  }

  SharedBuffer<MultiTensor> buffer_;
  std::vector<Ref<detail::TensorRegistrationBlock>> registrations_;
  std::vector<Ref<detail::GraphBlock>> graphs_;
  std::vector<PipelineStage> stages_;
  std::vector<Ref<detail::ExecutionLock>> locks_;
  std::vector<Wire> wires_;
  std::vector<Name> inputs_;
  std::vector<Name> outputs_;
  mutable std::size_t unwritten_ = 0;  ///< Number of inputs that are not written.
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/graph/pipeline.ipp"
#endif
