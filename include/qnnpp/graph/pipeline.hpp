// Pipeline: graphs that run one after another, each reading what earlier ones wrote, without a
// copy.
#pragma once

#include "qnnpp/platform.hpp"

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/config.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/graph/io_cost.hpp"
#include "qnnpp/graph/pipeline_plan.hpp"
#include "qnnpp/memory/execution_lock.hpp"
#include "qnnpp/memory/scheduled_tensors.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

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
/// Move-only. Keeps graphs, contexts and memory alive. One thread at a time uses it.
class Pipeline {
 public:
  QNNPP_MOVE_ONLY(Pipeline, "a pipeline has one owner; write std::move(pipeline)");

  /// Connects `graphs` in their order (see PipelineOptions), allocates one buffer for all tensors,
  /// registers with each context those that its graphs use, in one call a context, and binds.
  ///
  /// Errors: `empty` for no graph; those of wires that lead nowhere; `type_mismatch` and
  /// `shape_mismatch` naming both tensors; those of SharedBuffer, of RegisteredTensors and of
  /// bind(). Everything made so far is released then.
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

  /// Runs all graphs in their order. Takes the right to execute once for all of them, waiting for
  /// whoever has it (BUF-12); copies and allocates nothing. Error: that of the graph that failed,
  /// with its place; those after it did not run.
  [[nodiscard]] Result<void> execute() {
    const Locked held(locks_);
    return run();
  }
  /// The same under a lease that the caller holds already. The lease must be that of all contexts
  /// that share spill-fill memory here (contract).
  [[nodiscard]] Result<void> execute(const SpillFillLease& lease) {
    for (const auto& lock : locks_)
      QNNPP_EXPECTS(
          detail::covers(lease, lock),
          "the lease does not cover the pipeline; pass the lease of the buffer its contexts share");
    return run();
  }

  /// Opens an input that no graph of the pipeline makes, for the CPU to write. The access ends, as
  /// its object does, before the pipeline executes. Errors: `unknown_name` listing the inputs;
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
  [[nodiscard]] Result<CpuAccess> access(CpuUse use) const { return buffer_.access(use); }

  /// The graphs in their order, and what each did.
  [[nodiscard]] std::span<const PipelineStage> stages() const& { return stages_; }
  QNNPP_REFUSE("stages() of a temporary would dangle; name the pipeline first",
               std::span<const PipelineStage>, stages() const&&);
  /// What all graphs cost together because of how they were prepared.
  [[nodiscard]] IoCost io_cost() const {
    IoCost sum;
    for (const PipelineStage& stage : stages_) sum += stage.cost;
    return sum;
  }
  /// Bytes of the buffer that holds all tensors.
  [[nodiscard]] std::uint64_t buffer_bytes() const { return buffer_.size_bytes(); }

 private:
  static constexpr char moved[] = "the pipeline was moved from; use the object it was moved to";

  /// A name that the caller may use, and the tensor's name in the buffer.
  struct Name {
    std::string name;
    std::string in_buffer;
  };

  /// Holds some locks. Everybody takes them in the order of their addresses.
  class Locked {
   public:
    explicit Locked(std::span<const Ref<detail::ExecutionLock>> locks) : locks_(locks) {
      for (const auto& lock : locks_) lock->mutex.lock();
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;
    ~Locked() {
      for (const auto& lock : locks_) lock->mutex.unlock();
    }

   private:
    std::span<const Ref<detail::ExecutionLock>> locks_;
  };

  explicit Pipeline(SharedBuffer<MultiTensor> buffer) : buffer_(std::move(buffer)) {}

  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<Pipeline> make(const Allocator& allocator,
                                             std::vector<Ref<detail::GraphBlock>> graphs,
                                             const PipelineOptions& options);
  [[nodiscard]] Result<void> connect(const detail::PipelinePlan& plan,
                                     std::span<const std::string> names);

  template <class T>
  [[nodiscard]] Result<TensorAccess<T>> open(const std::vector<Name>& names, std::string_view name,
                                             const char* what, CpuUse use) const {
    QNNPP_EXPECTS(!graphs_.empty(), moved);  // ORD-09
    for (const Name& each : names) {
      if (each.name != name) continue;
      auto opened = buffer_.access<T>(each.in_buffer, use);
      if (!opened) opened.error().object = each.name;
      return opened;
    }
    std::string known;
    for (const Name& each : names) known += (known.empty() ? "" : ", ") + each.name;
    return fail(Error::make(Errc::unknown_name, "finding a tensor", std::string(name),
                            std::string("not ") + what + "; there are: " + known));
  }

  [[nodiscard]] static std::uint64_t now_ns() noexcept {
    timespec now{};
    (void)::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
           static_cast<std::uint64_t>(now.tv_nsec);
  }

  [[nodiscard]] Result<void> run() {
    QNNPP_EXPECTS(!graphs_.empty(), moved);  // ORD-09: the pipeline was not moved from.
    std::uint64_t before = now_ns();
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      if (auto done = graphs_[i]->run(); !done) {
        done.error().detail = "graph " + std::to_string(i) + " of the pipeline";
        return done;
      }
      const std::uint64_t after = now_ns();
      PipelineStage& stage = stages_[i];
      ++stage.executions;
      stage.last_ns = after - before;
      stage.total_ns += stage.last_ns;
      before = after;
    }
    return {};
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
  return make(allocator, std::move(blocks), options);
}

template <DmaAllocator Allocator, class Io, std::size_t count>
Result<Pipeline> Pipeline::create(const Allocator& allocator,
                                  Graph<Retrieved, Io> (&&graphs)[count],
                                  const PipelineOptions& options) {
  std::vector<Ref<detail::GraphBlock>> blocks;
  blocks.reserve(count);
  for (auto& graph : graphs) blocks.push_back(detail::Access::take(std::move(graph)));
  return make(allocator, std::move(blocks), options);
}

template <DmaAllocator Allocator>
Result<Pipeline> Pipeline::make(const Allocator& allocator,
                                std::vector<Ref<detail::GraphBlock>> graphs,
                                const PipelineOptions& options) {
  if (graphs.empty()) return fail(Error::make(Errc::empty, "making a pipeline", "list of graphs"));
  std::vector<const GraphSpec*> specs;
  for (const auto& graph : graphs) specs.push_back(&graph->spec);
  const auto plan = detail::PipelinePlan::connect(specs, options.wires);
  if (!plan) return fail(plan.error());

  // Step g is the run of graph g. What the caller writes and reads keeps its bytes throughout.
  const std::uint64_t end = graphs.size();
  std::vector<ScheduledTensor> scheduled;
  std::vector<std::string> names;
  for (const detail::PipelineTensor& tensor : plan->tensors) {
    const bool inside = tensor.producer != detail::PipelineTensor::outside && tensor.consumed;
    const bool shares = options.share_bytes && inside;
    scheduled.push_back(
        {*tensor.spec, shares ? tensor.producer : 0, shares ? tensor.last_user : end});
    // Unique, as a graph's name need not be: "2.scores" is made by graph 2.
    names.push_back((tensor.producer == detail::PipelineTensor::outside
                         ? std::string("in")
                         : std::to_string(tensor.producer)) +
                    "." + tensor.spec->name);
    scheduled.back().spec.name = names.back();
  }
  auto buffer =
      SharedBuffer<MultiTensor>::allocate(allocator, std::span<const ScheduledTensor>(scheduled));
  if (!buffer) return fail(std::move(buffer).error());

  Pipeline pipeline(std::move(*buffer));
  pipeline.graphs_ = std::move(graphs);
  if (auto connected = pipeline.connect(*plan, names); !connected)
    return fail(std::move(connected).error());
  for (const auto& [name, tensor] : plan->inputs_by_name)
    pipeline.inputs_.push_back({std::string(name), names[tensor]});
  for (const auto& [name, tensor] : plan->outputs_by_name)
    if (!options.share_bytes || !plan->tensors[tensor].consumed)
      pipeline.outputs_.push_back({std::string(name), names[tensor]});
  return pipeline;
}

inline Result<void> Pipeline::connect(const detail::PipelinePlan& plan,
                                      std::span<const std::string> names) {
  // One registration a context, of what its graphs use.
  std::vector<std::size_t> registration_of(graphs_.size());
  std::vector<std::vector<std::string>> used;
  std::vector<std::size_t> first_graph_of;
  for (std::size_t g = 0; g < graphs_.size(); ++g) {
    std::size_t& at = registration_of[g];
    while (at < used.size() && !(graphs_[first_graph_of[at]]->context == graphs_[g]->context)) ++at;
    if (at == used.size()) {
      used.emplace_back();
      first_graph_of.push_back(g);
    }
    for (const auto* tensors : {&plan.inputs[g], &plan.outputs[g]})
      for (const std::size_t tensor : *tensors) used[at].push_back(names[tensor]);
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    std::sort(used[i].begin(), used[i].end());
    used[i].erase(std::unique(used[i].begin(), used[i].end()), used[i].end());
    auto registered_with = detail::Access::make<RegisteredTensors>(
        graphs_[first_graph_of[i]]->context, buffer_, used[i]);
    if (!registered_with) return fail(std::move(registered_with).error());
    registrations_.push_back(std::move(*registered_with));
  }

  for (std::size_t g = 0; g < graphs_.size(); ++g) {
    detail::GraphBlock& graph = *graphs_[g];
    std::vector<Binding> bindings;
    PipelineStage stage{.graph = graph.spec.name, .context = graph.context->name};
    const auto bind_all = [&](const std::vector<TensorSpec>& specs,
                              const std::vector<std::size_t>& tensors, std::uint64_t& bytes) {
      for (std::size_t i = 0; i < specs.size(); ++i) {
        const auto& io = registrations_[registration_of[g]];
        bindings.push_back(registered(specs[i].name, io, names[tensors[i]]));
        bytes += specs[i].size_bytes().value_or(0);
      }
    };
    bind_all(graph.spec.inputs, plan.inputs[g], stage.input_bytes);
    bind_all(graph.spec.outputs, plan.outputs[g], stage.output_bytes);
    if (auto bound = graph.bind(bindings); !bound) return bound;
    stage.cost = graph.cost;
    stages_.push_back(std::move(stage));
    if (graph.context->lock) locks_.push_back(graph.context->lock);
  }
  std::sort(locks_.begin(), locks_.end(),
            [](const auto& a, const auto& b) { return a.get() < b.get(); });
  locks_.erase(std::unique(locks_.begin(), locks_.end()), locks_.end());
  return {};
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
