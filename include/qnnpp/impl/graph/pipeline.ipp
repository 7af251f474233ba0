// Definitions of pipeline.hpp, and the plan of a pipeline.
#pragma once

#include "qnnpp/graph/pipeline.hpp"

#include <algorithm>
#include <map>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/profiled_call.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/detail/clock.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/graph/detail/graph_block.hpp"
#include "qnnpp/impl/graph/offered_memory.ipp"
#include "qnnpp/memory/tensor_memory.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

inline constexpr char moved_pipeline[] =
    "the pipeline was moved from; use the object it was moved to";

/// Holds a list of locks, which is sorted by address. Everyone locks in this order, so that no two
/// threads wait for each other.
class AllLocked {
 public:
  /// Locks all within `seconds`. Locks none if this thread already holds one of them.
  AllLocked(std::span<const Ref<ExecutionLock>> locks, double seconds) : locks_(locks) {
    for (const auto& lock : locks_)
      if (lock->is_held_by_this_thread()) return;
    const std::uint64_t began = seconds < ExecutionLock::endless ? now_ns() : 0;
    const auto left = [&] {
      return began == 0 ? seconds : seconds - 1e-9 * static_cast<double>(now_ns() - began);
    };
    result_ = ExecutionLock::Attempt::taken;
    while (taken_ != locks_.size() &&
           (result_ = locks_[taken_]->take(left())) == ExecutionLock::Attempt::taken)
      ++taken_;
  }
  AllLocked(const AllLocked&) = delete;
  AllLocked& operator=(const AllLocked&) = delete;
  ~AllLocked() {
    while (taken_ != 0) locks_[--taken_]->give_back();
  }

  [[nodiscard]] ExecutionLock::Attempt result() const noexcept { return result_; }

 private:
  std::span<const Ref<ExecutionLock>> locks_;
  std::size_t taken_ = 0;
  ExecutionLock::Attempt result_ = ExecutionLock::Attempt::held_by_this_thread;
};

/// Tensor of a pipeline: an input of the pipeline, or an output of one of its graphs.
struct PlannedTensor {
  const TensorSpec* spec = nullptr;
  bool is_input = false;
  std::size_t graph = 0;      ///< See qnnpp::PipelineTensor.
  std::size_t last_user = 0;  ///< Last graph that reads it; `graph` if none does.
  bool consumed = false;      ///< Whether a graph reads it.
};

/// A graph of a pipeline before it is connected.
struct PlannedGraph {
  const GraphSpec* spec = nullptr;
  const ContextBlock* context = nullptr;  ///< Only compared.
};
/// The graphs of a pipeline, in the order of their execution.
using GraphList = std::span<const PlannedGraph>;

/// Assignment of tensors to the inputs and outputs of graphs. Borrows the specs.
struct PipelinePlan {
  std::vector<PlannedTensor> tensors;
  std::vector<std::vector<std::size_t>> inputs;   ///< By graph and input: index in `tensors`.
  std::vector<std::vector<std::size_t>> outputs;  ///< By graph and output: index in `tensors`.
  std::map<std::string_view, std::size_t> inputs_by_name;   ///< Inputs of the pipeline.
  std::map<std::string_view, std::size_t> outputs_by_name;  ///< The latest output of each name.
  std::vector<Wire> wires;                                  ///< All connections.

  /// Connects graphs in their order of execution. The source of an input is, in this order: its
  /// wire; the latest earlier output with its name; an input of the pipeline. Pipeline inputs with
  /// equal names are one input.
  ///
  /// Errors: `unknown_name`, `duplicate_name` and `invalid_argument` for wires that do not connect
  /// an output to an input of a later graph; `type_mismatch` (element type or quantisation) and
  /// `shape_mismatch` naming both ends; the errors of check_order().
  [[nodiscard]] static Result<PipelinePlan> connect(GraphList graphs,
                                                    const PipelineOptions& options);

 private:
  /// Checks that no graph makes what an earlier one reads as an input of the pipeline, unless
  /// `allowed` has its name (PIP-01), and that no graph does the same twice (PIP-03). Errors:
  /// `wrong_order`; `unknown_name` for an allowed name that is no input of the pipeline;
  /// `duplicate_name`.
  [[nodiscard]] Result<void> check_order(GraphList graphs,
                                         std::span<const std::string> allowed) const;
};

/// Returns "graph classifier (3)", for messages.
[[nodiscard]] QNNPP_INLINE std::string graph_name(GraphList graphs, std::size_t graph) {
  return detail::joined({"graph ", graphs[graph].spec->name, " (", graph, ")"});
}

/// Returns "scores of graph classifier (3)", for messages.
[[nodiscard]] QNNPP_INLINE std::string end_name(GraphList graphs, std::size_t graph,
                                                std::string_view tensor) {
  return detail::joined({tensor, " of ", graph_name(graphs, graph)});
}

/// Returns the name of a tensor for messages.
[[nodiscard]] QNNPP_INLINE std::string tensor_name(GraphList graphs, const PlannedTensor& tensor) {
  return tensor.is_input ? detail::joined({tensor.spec->name, ", an input of the pipeline"})
                         : end_name(graphs, tensor.graph, tensor.spec->name);
}

/// Step in the errors of PipelinePlan::connect().
inline constexpr char connecting[] = "connecting graphs";

/// Index of the tensor `name` in a list; the size of the list if there is none.
[[nodiscard]] QNNPP_INLINE std::size_t index_in(const std::vector<TensorSpec>& list,
                                                std::string_view name) {
  std::size_t at = 0;
  while (at < list.size() && list[at].name != name) ++at;
  return at;
}

/// Finds the first wire that ends at an input; `wires.end()` if there is none.
[[nodiscard]] QNNPP_INLINE auto wire_to(std::span<const Wire> wires, std::size_t graph,
                                        std::string_view input) {
  return std::find_if(wires.begin(), wires.end(),
                      [&](const Wire& wire) { return wire.to == graph && wire.input == input; });
}

/// Checks that each wire connects an output to an input of a later graph, which has no other wire.
[[nodiscard]] QNNPP_INLINE Result<void> check_wires(GraphList graphs, std::span<const Wire> wires) {
  for (const Wire& wire : wires) {
    if (wire.to >= graphs.size() || wire.from >= wire.to)
      return fail(Errc::invalid_argument, connecting, wire.output,
                  {"the wire leads from graph ", wire.from, " to graph ", wire.to, " of ",
                   graphs.size(), " graphs; it must lead to a later graph"});
    const auto refuse = [&](Errc kind, std::size_t graph, std::string_view tensor,
                            const char* why) {
      return fail(kind, connecting, end_name(graphs, graph, tensor), why);
    };
    const std::vector<TensorSpec>& outputs = graphs[wire.from].spec->outputs;
    const std::vector<TensorSpec>& inputs = graphs[wire.to].spec->inputs;
    if (index_in(outputs, wire.output) == outputs.size())
      return refuse(Errc::unknown_name, wire.from, wire.output,
                    "the wire begins there; the graph has no such output");
    if (index_in(inputs, wire.input) == inputs.size())
      return refuse(Errc::unknown_name, wire.to, wire.input,
                    "the wire ends there; the graph has no such input");
    if (&*wire_to(wires, wire.to, wire.input) != &wire)
      return refuse(Errc::duplicate_name, wire.to, wire.input, "two wires end there");
  }
  return {};
}

QNNPP_INLINE Result<PipelinePlan> PipelinePlan::connect(GraphList graphs,
                                                        const PipelineOptions& options) {
  const std::span<const Wire> wires = options.wires;
  QNNPP_TRY(check_wires(graphs, wires));
  PipelinePlan plan;
  plan.inputs.resize(graphs.size());
  plan.outputs.resize(graphs.size());
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    for (const TensorSpec& wanted : graphs[g].spec->inputs) {
      std::size_t source = plan.tensors.size();
      if (const auto wire = wire_to(wires, g, wanted.name); wire != wires.end()) {
        source = plan.outputs[wire->from][index_in(graphs[wire->from].spec->outputs, wire->output)];
      } else if (const auto made = plan.outputs_by_name.find(wanted.name);
                 made != plan.outputs_by_name.end()) {
        source = made->second;
      } else if (const auto given = plan.inputs_by_name.find(wanted.name);
                 given != plan.inputs_by_name.end()) {
        source = given->second;
      } else {
        plan.inputs_by_name.emplace(wanted.name, source);
        plan.tensors.push_back({.spec = &wanted, .is_input = true, .graph = g});
      }
      PlannedTensor& tensor = plan.tensors[source];
      const TensorSpec& found = *tensor.spec;
      if (!fits(wanted, found))
        return fail(misfit(connecting, end_name(graphs, g, wanted.name), wanted, "it", found,
                           tensor_name(graphs, tensor)));
      tensor.last_user = std::max(tensor.last_user, g);
      tensor.consumed = true;
      plan.inputs[g].push_back(source);
      if (!tensor.is_input) plan.wires.push_back({tensor.graph, found.name, g, wanted.name});
    }
    for (const TensorSpec& made : graphs[g].spec->outputs) {
      plan.outputs[g].push_back(plan.tensors.size());
      plan.outputs_by_name[made.name] = plan.tensors.size();
      plan.tensors.push_back({.spec = &made, .graph = g, .last_user = g});
    }
  }
  QNNPP_TRY(plan.check_order(graphs, options.inputs));
  return plan;
}

QNNPP_INLINE Result<void> PipelinePlan::check_order(GraphList graphs,
                                                    std::span<const std::string> allowed) const {
  for (const std::string& name : allowed)
    if (!inputs_by_name.contains(name)) {
      NameList known;
      for (const auto& [input, tensor] : inputs_by_name) known.add("", input);
      return fail(
          Errc::unknown_name, connecting, name,
          {"PipelineOptions::inputs lists it; the inputs of the pipeline are: ", known.text()});
    }
  for (const auto& [name, input] : inputs_by_name) {
    const std::size_t reader = tensors[input].graph;
    const auto made = outputs_by_name.find(name);
    if (made == outputs_by_name.end() || tensors[made->second].graph <= reader ||
        std::find(allowed.begin(), allowed.end(), name) != allowed.end())
      continue;
    return fail(Errc::wrong_order, connecting, end_name(graphs, reader, name),
                {graph_name(graphs, tensors[made->second].graph), " makes it, but comes later"});
  }
  for (std::size_t g = 0; g < graphs.size(); ++g)
    for (std::size_t earlier = 0; earlier < g; ++earlier)
      if (inputs[earlier] == inputs[g] && graphs[earlier].context == graphs[g].context &&
          graphs[earlier].spec->name == graphs[g].spec->name)
        return fail(Errc::duplicate_name, connecting, graph_name(graphs, g),
                    {"graph ", earlier, " is the same and reads the same tensors"});
  return {};
}

/// A pipeline before it has memory. Borrows the specs.
struct PipelineDraft {
  PipelinePlan plan;
  /// The tensors of the plan in the buffer, with names that are unique there.
  std::vector<TensorPlacement> tensors;
  std::uint64_t bytes = 0;  ///< Size of the buffer.

  /// Errors: the errors of PipelinePlan::connect() and TensorSpec::size_bytes(); `empty`;
  /// `too_large`; the errors of lay_out().
  [[nodiscard]] static Result<PipelineDraft> make(GraphList graphs, const PipelineOptions& options);

 private:
  /// Places the tensors in the buffer. Errors: `too_large`; the errors of the planner;
  /// `invalid_argument` if it plans another number of tensors.
  [[nodiscard]] Result<void> lay_out(std::size_t graphs, const PipelineOptions& options);
};

/// Step in the errors of PipelineDraft.
inline constexpr char making_pipeline[] = "making a pipeline";

QNNPP_INLINE Result<void> PipelineDraft::lay_out(std::size_t graphs,
                                                 const PipelineOptions& options) {
  if (options.share_bytes == nullptr) {
    QNNPP_LET(end, detail::lay_out(tensors));
    bytes = *end;
    return {};
  }
  // Time g is the execution of graph g. Tensors of the caller are in use all the time.
  std::vector<ScheduledTensor> schedule(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const PlannedTensor& tensor = plan.tensors[i];
    const bool shares = !tensor.is_input && tensor.consumed;
    schedule[i].spec = tensors[i].spec;
    schedule[i].first_use = shares ? tensor.graph : 0;
    schedule[i].last_use = shares ? tensor.last_user : graphs;
  }
  std::vector<std::uint64_t> offsets_bytes(tensors.size());
  QNNPP_LET(end, options.share_bytes(schedule, offsets_bytes));
  for (std::size_t i = 0; i < tensors.size(); ++i) tensors[i].offset_bytes = offsets_bytes[i];
  bytes = *end;
  return {};
}

QNNPP_INLINE Result<PipelineDraft> PipelineDraft::make(GraphList graphs,
                                                       const PipelineOptions& options) {
  if (graphs.empty()) return fail(Errc::empty, making_pipeline, "list of graphs");
  QNNPP_LET(plan, PipelinePlan::connect(graphs, options));
  PipelineDraft draft;
  draft.plan = std::move(*plan);
  draft.tensors.resize(draft.plan.tensors.size());
  for (std::size_t i = 0; i < draft.tensors.size(); ++i) {
    const PlannedTensor& tensor = draft.plan.tensors[i];
    QNNPP_LET(bytes, tensor.spec->size_bytes());
    if (*bytes > max_registered_bytes)
      return fail(Error::mismatch(Errc::too_large, making_pipeline, tensor_name(graphs, tensor),
                                  *bytes, max_registered_bytes));
    TensorPlacement& placed = draft.tensors[i];
    placed.spec = *tensor.spec;
    placed.size_bytes = *bytes;
    // Prefixed by the graph's index, because names of graphs need not be unique: "2.scores".
    placed.spec.name =
        detail::joined({tensor.is_input ? std::string("in") : std::to_string(tensor.graph), ".",
                        tensor.spec->name});
  }
  QNNPP_TRY(draft.lay_out(graphs.size(), options));
  return draft;
}

/// Lists graphs for the plan.
template <class Blocks>
[[nodiscard]] std::vector<PlannedGraph> planned(const Blocks& graphs) {
  std::vector<PlannedGraph> list;
  list.reserve(graphs.size());
  for (const auto& graph : graphs) list.push_back({&graph->spec, graph->context.get()});
  return list;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<void> Pipeline::check_graphs(
    const std::vector<const detail::GraphBlock*>& graphs, const PipelineOptions& options) {
  for (const detail::GraphBlock* graph : graphs) {
    QNNPP_EXPECTS(graph != nullptr, detail::moved_graph);  // ORD-09
    if (graph->is_for_registered) QNNPP_TRY(detail::require_registered(*graph));
  }
  QNNPP_LET(draft, detail::PipelineDraft::make(detail::planned(graphs), options));
  detail::TensorMemoryBlock memory;
  memory.tensors = std::move(draft->tensors);
  return memory.index();
}

QNNPP_INLINE Result<Pipeline> Pipeline::make(detail::AllocatorRef allocator,
                                             std::vector<Ref<detail::GraphBlock>> graphs,
                                             const PipelineOptions& options) {
  QNNPP_LET(draft, detail::PipelineDraft::make(detail::planned(graphs), options));
  QNNPP_LET(buffer, detail::Access::make<SharedBuffer<MultiTensor>>(allocator, draft->tensors,
                                                                    draft->bytes));

  Pipeline pipeline(std::move(*buffer));
  pipeline.graphs_ = std::move(graphs);
  QNNPP_TRY(pipeline.connect(*draft));
  const detail::PipelinePlan& plan = draft->plan;
  for (const auto& [name, tensor] : plan.inputs_by_name)
    pipeline.inputs_.push_back({std::string(name), tensor, plan.tensors[tensor].graph});
  for (const auto& [name, tensor] : plan.outputs_by_name)
    if (options.share_bytes == nullptr || !plan.tensors[tensor].consumed)
      pipeline.outputs_.push_back({std::string(name), tensor, plan.tensors[tensor].graph});
  pipeline.wires_ = std::move(draft->plan.wires);
  pipeline.unwritten_ = pipeline.inputs_.size();
  return pipeline;
}

QNNPP_INLINE Result<void> Pipeline::connect(const detail::PipelineDraft& draft) {
  const detail::PipelinePlan& plan = draft.plan;
  const Ref<detail::TensorMemoryBlock>& memory = detail::Access::block(buffer_);
  // One registration per context, with the tensors that its graphs use.
  std::vector<std::size_t> registration_of(graphs_.size());
  std::vector<std::vector<bool>> used;  // By registration and tensor.
  std::vector<std::size_t> first_graph_of;
  for (std::size_t g = 0; g < graphs_.size(); ++g) {
    std::size_t& at = registration_of[g];
    while (at < used.size() && !(graphs_[first_graph_of[at]]->context == graphs_[g]->context)) ++at;
    if (at == used.size()) {
      used.emplace_back(draft.tensors.size());
      first_graph_of.push_back(g);
    }
    for (const auto* tensors : {&plan.inputs[g], &plan.outputs[g]})
      for (const std::size_t tensor : *tensors) used[at][tensor] = true;
  }
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < used.size(); ++i) {
    chosen.clear();
    for (std::size_t tensor = 0; tensor < used[i].size(); ++tensor)
      if (used[i][tensor]) chosen.push_back(tensor);
    QNNPP_LET(made, detail::register_tensors(graphs_[first_graph_of[i]]->context, memory, chosen));
    registrations_.push_back(std::move(*made));
  }

  for (std::size_t g = 0; g < graphs_.size(); ++g) {
    detail::GraphBlock& graph = *graphs_[g];
    std::vector<detail::OfferedMemory> offered;
    PipelineStage stage{.graph = graph.spec.name, .context = graph.context->name};
    const auto offer_all = [&](const std::vector<TensorSpec>& specs,
                               const std::vector<std::size_t>& tensors, std::uint64_t& bytes) {
      for (std::size_t i = 0; i < specs.size(); ++i) {
        offered.push_back({.name = specs[i].name,
                           .registration = &registrations_[registration_of[g]],
                           .tensor = tensors[i]});
        bytes += draft.tensors[tensors[i]].size_bytes;
      }
    };
    offer_all(graph.spec.inputs, plan.inputs[g], stage.input_bytes);
    offer_all(graph.spec.outputs, plan.outputs[g], stage.output_bytes);
    QNNPP_TRY(graph.use(graph.bind(std::move(offered))));
    stage.cost = graph.io_cost();
    stages_.push_back(std::move(stage));
    if (const auto& lock = graph.context->lock) {
      const auto at = std::ranges::lower_bound(locks_, lock.get(), {},
                                               [](const auto& each) { return each.get(); });
      if (at == locks_.end() || *at != lock) locks_.insert(at, lock);
    }
  }
  return {};
}

QNNPP_INLINE Result<void> Pipeline::execute(const ExecuteOptions& options) {
  QNNPP_TRY(check_call(options.profile));
  const detail::AllLocked held(locks_, options.wait_at_most.seconds());
  if (held.result() != detail::ExecutionLock::Attempt::taken)
    return fail(detail::not_taken(held.result(), stages_.front().graph, Errc::timed_out));
  return run_each(options.profile);
}

QNNPP_INLINE Result<void> Pipeline::execute(SpillFillLease& lease, Profile* profile) {
  QNNPP_TRY(check_call(profile));
  for (const auto& lock : locks_)
    QNNPP_EXPECTS(
        detail::covers(lease, lock),
        "the lease does not cover the pipeline; pass the lease of the buffer its contexts share");
  if (locks_.empty()) return run_each(profile);
  // There is only one lock, because the lease covers all contexts.
  detail::ExecutionLock& lock = *locks_.front();
  if (!lock.begin_execution()) return fail(detail::lease_executes(stages_.front().graph));
  const detail::EndsExecution guard{lock};
  return run_each(profile);
}

QNNPP_INLINE Result<void> Pipeline::run_each(Profile* profile) {
  QNNPP_EXPECTS(!graphs_.empty(), detail::moved_pipeline);  // ORD-09: not moved from.
  std::uint64_t before = detail::now_ns();
  for (std::size_t i = 0; i < graphs_.size(); ++i) {
    if (auto done = graphs_[i]->run(profile); !done) {
      std::string& detail = done.error().detail;
      detail = detail::joined(
          {"graph ", i, " of the pipeline", detail.empty() ? "" : detail::joined({"; ", detail})});
      return done;
    }
    const std::uint64_t after = detail::now_ns();
    PipelineStage& stage = stages_[i];
    ++stage.executions;
    stage.last_ns = after - before;
    stage.total_ns += stage.last_ns;
    before = after;
  }
  return {};
}

QNNPP_INLINE Result<void> Pipeline::check_call(Profile* profile) const {
  if (unwritten_ != 0) [[unlikely]]
    return fail(unwritten());
  if (detail::has_open_accesses()) [[unlikely]]
    for (const auto& graph : graphs_) QNNPP_TRY(graph->check_order());
  if (profile == nullptr) return {};
  const detail::ProfiledCall profiled(profile, name_of(c_api::Slot::graph_execute));
  for (const auto& graph : graphs_)
    QNNPP_TRY(profiled.check(graph->context->backend, graph->spec.name));
  return {};
}

QNNPP_INLINE Error Pipeline::unwritten() const {
  QNNPP_EXPECTS(!graphs_.empty(), detail::moved_pipeline);  // ORD-09
  const Name& input = *std::ranges::find(inputs_, false, &Name::is_written);
  return Error::make(Errc::unwritten_input, "executing a pipeline", input.name,
                     {"graph ", stages_[input.graph].graph, " (", input.graph,
                      ") reads it, but no graph before makes it and it was never written"});
}

QNNPP_INLINE Result<CpuAccess> Pipeline::access(CpuUse use) const {
  auto opened = buffer_.access(use);
  if (opened && use != CpuUse::read)
    for (const Name& input : inputs_) count_written(input);
  return opened;
}

QNNPP_INLINE std::vector<PipelineTensor> Pipeline::listed(std::vector<Name> names) const {
  std::ranges::sort(names, {}, &Name::tensor);
  std::vector<PipelineTensor> list;
  for (Name& each : names) {
    list.push_back({detail::Access::block(buffer_)->tensors[each.tensor].spec, each.graph});
    list.back().spec.name = std::move(each.name);  // Without the prefix of the buffer's name.
  }
  return list;
}

QNNPP_INLINE IoCost Pipeline::io_cost() const {
  IoCost sum;
  for (const PipelineStage& stage : stages_) sum += stage.cost;
  return sum;
}

QNNPP_INLINE const Pipeline::Name* Pipeline::find(const std::vector<Name>& names,
                                                  std::string_view name) const {
  QNNPP_EXPECTS(!graphs_.empty(), detail::moved_pipeline);  // ORD-09
  // create() lists them in the order of the names.
  const auto at = std::ranges::lower_bound(names, name, {}, &Name::name);
  return at != names.end() && at->name == name ? &*at : nullptr;
}

QNNPP_INLINE Error Pipeline::unknown(const std::vector<Name>& names, std::string_view name,
                                     const char* what) {
  detail::NameList known;
  for (const Name& each : names) known.add("", each.name);
  return Error::make(Errc::unknown_name, "finding a tensor", name,
                     {"not ", what, "; there are: ", known.text()});
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
