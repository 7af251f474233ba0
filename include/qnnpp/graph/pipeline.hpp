// Pipeline: graphs that run one after another, each reading what earlier ones wrote, without a
// copy.
#pragma once

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

#include "qnnpp/config.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/detail/allocator_ref.hpp"
#include "qnnpp/memory/shared_buffer.hpp"
#include "qnnpp/memory/spill_fill_lease.hpp"
#include "qnnpp/memory/tensor_access.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

namespace detail {

struct PipelinePlan;
struct PipelineDraft;

}  // namespace detail

/// Says that an output of a graph is an input of a later one. Graphs count from 0.
struct Wire {
  std::size_t from = 0;
  std::string output = {};
  std::size_t to = 0;
  std::string input = {};
};

/// How graphs are chained.
struct PipelineOptions {
  /// Connections between tensors of different names, or against the rule that an input takes the
  /// latest earlier output of its name.
  std::vector<Wire> wires = {};
  /// Tensors between graphs share bytes where they are never needed at once. Inputs and outputs of
  /// the pipeline keep bytes of their own; what lies between can then not be read afterwards.
  bool share_bytes = false;
};

/// One graph of a pipeline, and what it did.
struct PipelineStage {
  std::string graph = {};
  std::string context = {};
  std::uint64_t input_bytes = 0;
  std::uint64_t output_bytes = 0;
  IoCost cost = {};              ///< All 0 where the graph was prepared for registered memory.
  std::uint64_t executions = 0;  ///< Successful ones.
  std::uint64_t last_ns = 0;     ///< Time of the last of them, by the monotonic clock.
  std::uint64_t total_ns = 0;
};

/// Graphs of one or many contexts, with all their inputs and outputs in one shared buffer that is
/// registered with each context: the output of a graph is the input of the next where it lies.
///
/// Move-only. Keeps graphs, contexts and memory alive. One thread at a time uses it, and may
/// destroy it; different pipelines run on different threads, in turn where they share spill-fill
/// memory.
class Pipeline {
 public:
  QNNPP_MOVE_ONLY(Pipeline, "a pipeline has one owner; write std::move(pipeline)");

  /// Connects `graphs` in their order (see PipelineOptions), allocates one buffer for all tensors,
  /// registers with each context those that its graphs use, in one call a context, and binds.
  ///
  /// Errors: `empty` for no graph; those of wires that lead nowhere; `type_mismatch` and
  /// `shape_mismatch` naming both tensors; `too_large` for a tensor of 2 GiB or more (SHB-08);
  /// those of SharedBuffer, of RegisteredTensors and of bind(). Everything made so far is released
  /// then, and the graphs are consumed: check() asks beforehand.
  template <DmaAllocator Allocator, class Io>
  [[nodiscard]] static Result<Pipeline> create(const Allocator& allocator,
                                               std::vector<Graph<Retrieved, Io>> graphs,
                                               const PipelineOptions& options = {});
  template <DmaAllocator Allocator>
  static QNNPP_REFUSE("raw memory is copied between graphs; retrieve them as RegisteredIo or AnyIo",
                      Result<Pipeline>,
                      create(const Allocator&, const std::vector<Graph<Retrieved, RawIo>>&,
                             const PipelineOptions& = {}));

  /// The same for graphs written in place: `create(rpcmem, {std::move(stem), std::move(head)})`.
  template <DmaAllocator Allocator, class Io, std::size_t count>
  [[nodiscard]] static Result<Pipeline> create(const Allocator& allocator,
                                               Graph<Retrieved, Io> (&&graphs)[count],
                                               const PipelineOptions& options = {});
  template <DmaAllocator Allocator, std::size_t count>
  static QNNPP_REFUSE("raw memory is copied between graphs; retrieve them as RegisteredIo or AnyIo",
                      Result<Pipeline>,
                      create(const Allocator&, Graph<Retrieved, RawIo> (&&)[count],
                             const PipelineOptions& = {}));

  /// Whether create() would take these graphs: the same errors, but for those of the allocator and
  /// of QNN. Nothing is consumed, allocated or called. The graphs were not moved from (contract).
  template <class Io>
  [[nodiscard]] static Result<void> check(const std::vector<Graph<Retrieved, Io>>& graphs,
                                          const PipelineOptions& options = {});
  /// The same for graphs that stand apart: `check({&stem, &head})`.
  template <class Io>
    requires(!std::is_same_v<Io, RawIo>)
  [[nodiscard]] static Result<void> check(std::initializer_list<const Graph<Retrieved, Io>*> graphs,
                                          const PipelineOptions& options = {});
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

  /// Runs all graphs in their order. Takes the right to execute once for all of them, in turn with
  /// others that wait (BUF-12); copies and allocates nothing. Contexts of several spill-fill
  /// buffers are locked in one order, the same for every pipeline.
  ///
  /// Errors: `would_deadlock` where this thread holds a lease of one of the contexts; that of the
  /// graph that failed, with its place: those after it did not run.
  [[nodiscard]] Result<void> execute();
  /// The same under a lease that the caller holds already. The lease must be that of all contexts
  /// that share spill-fill memory here (contract). Error: also `in_use` where another thread
  /// executes under the same lease.
  [[nodiscard]] Result<void> execute(SpillFillLease& lease);
  QNNPP_REFUSE("a const lease cannot be used; declare it without const", Result<void>,
               execute(const SpillFillLease&) const);
  QNNPP_REFUSE("a temporary lease ends with the call; write execute(), or name the lease",
               Result<void>, execute(SpillFillLease&&) const);
  template <detail::ResultOf<SpillFillLease> R>
  QNNPP_REFUSE("this is a Result; test it and pass *lease, or use value_or_throw()", Result<void>,
               execute(const R&) const);

  /// Opens an input that no graph of the pipeline makes, for the CPU to write. The access ends, as
  /// its object does, before the pipeline executes. Errors: `unknown_name` with the first inputs;
  /// `type_mismatch` (both types); `sync_failed`.
  template <class T>
  [[nodiscard]] Result<TensorAccess<T>> input(std::string_view name) const& {
    return open<T>(inputs_, name, "an input of the pipeline", CpuUse::write);
  }
  /// Opens the latest output of this name, for the CPU to read. Errors: those of input(); with
  /// share_bytes also `unknown_name` for what a later graph of the pipeline has read.
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

  /// Opens all tensors for the CPU at once (SHB-07). Error: `sync_failed`.
  [[nodiscard]] Result<CpuAccess> access(CpuUse use) const;

  /// The graphs in their order, and what each did.
  [[nodiscard]] std::span<const PipelineStage> stages() const& { return stages_; }
  QNNPP_REFUSE("stages() of a temporary would dangle; name the pipeline first",
               std::span<const PipelineStage>, stages() const&&);
  /// What all graphs cost together because of how they were prepared.
  [[nodiscard]] IoCost io_cost() const;
  /// Bytes of the buffer that holds all tensors.
  [[nodiscard]] std::uint64_t buffer_bytes() const { return buffer_.size_bytes(); }

 private:
  /// A name that the caller may use, and the tensor's name in the buffer.
  struct Name {
    std::string name;
    std::string in_buffer;
  };

  explicit Pipeline(SharedBuffer<MultiTensor> buffer) : buffer_(std::move(buffer)) {}

  QNNPP_ON_USE [[nodiscard]] static Result<Pipeline> make(
      detail::AllocatorRef allocator, std::vector<Ref<detail::GraphBlock>> graphs,
      const PipelineOptions& options);
  QNNPP_ON_USE [[nodiscard]] static Result<void> check_graphs(
      const std::vector<const detail::GraphBlock*>& graphs, const PipelineOptions& options);
  QNNPP_ON_USE [[nodiscard]] Result<void> connect(const detail::PipelineDraft& draft);
  [[nodiscard]] Result<void> run();

  /// Null where there is none of this name. The pipeline was not moved from (contract).
  [[nodiscard]] const Name* find(const std::vector<Name>& names, std::string_view name) const;
  QNNPP_ON_USE [[nodiscard]] static Error unknown(const std::vector<Name>& names,
                                                  std::string_view name, const char* what);

  template <class T>
  [[nodiscard]] Result<TensorAccess<T>> open(const std::vector<Name>& names, std::string_view name,
                                             const char* what, CpuUse use) const {
    const Name* found = find(names, name);
    if (found == nullptr) return fail(unknown(names, name, what));
    auto opened = buffer_.access<T>(found->in_buffer, use);
    if (!opened) opened.error().object = found->name;
    return opened;
  }

  SharedBuffer<MultiTensor> buffer_;
  std::vector<RegisteredTensors> registrations_;
  std::vector<Ref<detail::GraphBlock>> graphs_;
  std::vector<PipelineStage> stages_;
  std::vector<Ref<detail::ExecutionLock>> locks_;
  std::vector<Name> inputs_;
  std::vector<Name> outputs_;
};

// ---------------------------------------------------------------------------------------------

template <DmaAllocator Allocator, class Io>
Result<Pipeline> Pipeline::create(const Allocator& allocator,
                                  std::vector<Graph<Retrieved, Io>> graphs,
                                  const PipelineOptions& options) {
  std::vector<Ref<detail::GraphBlock>> blocks;
  blocks.reserve(graphs.size());
  for (auto& graph : graphs) blocks.push_back(detail::Access::take(std::move(graph)));
  return make(detail::AllocatorRef(allocator), std::move(blocks), options);
}

template <DmaAllocator Allocator, class Io, std::size_t count>
Result<Pipeline> Pipeline::create(const Allocator& allocator,
                                  Graph<Retrieved, Io> (&&graphs)[count],
                                  const PipelineOptions& options) {
  std::vector<Ref<detail::GraphBlock>> blocks;
  blocks.reserve(count);
  for (auto& graph : graphs) blocks.push_back(detail::Access::take(std::move(graph)));
  return make(detail::AllocatorRef(allocator), std::move(blocks), options);
}

template <class Io>
Result<void> Pipeline::check(const std::vector<Graph<Retrieved, Io>>& graphs,
                             const PipelineOptions& options) {
  std::vector<const detail::GraphBlock*> blocks;
  blocks.reserve(graphs.size());
  for (const auto& graph : graphs) blocks.push_back(detail::Access::block(graph).get());
  return check_graphs(blocks, options);
}

template <class Io>
  requires(!std::is_same_v<Io, RawIo>)
Result<void> Pipeline::check(std::initializer_list<const Graph<Retrieved, Io>*> graphs,
                             const PipelineOptions& options) {
  std::vector<const detail::GraphBlock*> blocks;
  blocks.reserve(graphs.size());
  for (const auto* graph : graphs) blocks.push_back(detail::Access::block(*graph).get());
  return check_graphs(blocks, options);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/graph/pipeline.ipp"
#endif
