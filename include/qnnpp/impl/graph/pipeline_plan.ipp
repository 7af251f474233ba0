// The plan of a pipeline: which tensors its graphs share, and where they lie in the buffer.
#pragma once

#include <algorithm>
#include <map>

#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/graph/detail/graph_block.hpp"
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/impl/graph/offered_memory.ipp"
#include "qnnpp/memory/tensor_memory.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

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
    const auto unknown = [&](std::size_t graph, const std::string& tensor, const char* says,
                             const std::vector<TensorSpec>& list) {
      NameList known(tensor);
      for (const TensorSpec& each : list) known.add("", each.name);
      return fail(Errc::unknown_name, connecting, end_name(graphs, graph, tensor),
                  {says, known.empty() ? "nothing" : known.text()});
    };
    const std::vector<TensorSpec>& outputs = graphs[wire.from].spec->outputs;
    const std::vector<TensorSpec>& inputs = graphs[wire.to].spec->inputs;
    if (index_in(outputs, wire.output) == outputs.size())
      return unknown(wire.from, wire.output, "a wire begins there; the graph's outputs: ", outputs);
    if (index_in(inputs, wire.input) == inputs.size())
      return unknown(wire.to, wire.input, "a wire ends there; the graph's inputs: ", inputs);
    if (&*wire_to(wires, wire.to, wire.input) != &wire)
      return fail(Errc::duplicate_name, connecting, end_name(graphs, wire.to, wire.input),
                  "two wires end there");
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
      NameList known(name);
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

  /// Fails with `error`. If it names a tensor as the buffer does, it then names it as the graphs
  /// do.
  [[nodiscard]] Failure failed(GraphList graphs, Error error) const;

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
      return fail(
          beyond_limit(making_pipeline, tensor_name(graphs, tensor), *bytes, max_registered_bytes));
    TensorPlacement& placed = draft.tensors[i];
    placed.spec = *tensor.spec;
    placed.size_bytes = *bytes;
    // Prefixed by the graph's index, because names of graphs need not be unique: "2.scores".
    placed.spec.name =
        detail::joined({tensor.is_input ? std::string("in") : std::to_string(tensor.graph), ".",
                        tensor.spec->name});
  }
  if (auto done = draft.lay_out(graphs.size(), options); !done)
    return draft.failed(graphs, std::move(done).error());
  return draft;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Failure PipelineDraft::failed(GraphList graphs,
                                                                        Error error) const {
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].spec.name == error.object) {
      error.object = tensor_name(graphs, plan.tensors[i]);
      break;
    }
  return fail(std::move(error));
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
