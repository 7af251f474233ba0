// PipelinePlan: which tensors a chain of graphs has, and which graph makes and uses each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Says that an output of a graph is an input of a later one. Graphs count from 0.
struct Wire {
  std::size_t from = 0;
  std::string output;
  std::size_t to = 0;
  std::string input;
};

namespace detail {

/// A tensor of a pipeline: an input of it, or the output of one of its graphs.
struct PipelineTensor {
  static constexpr std::size_t outside = SIZE_MAX;

  const TensorSpec* spec = nullptr;
  std::size_t producer = outside;  ///< The graph that makes it; outside: the caller does.
  std::size_t last_user = 0;       ///< The last graph that reads it; its producer where none does.
  bool consumed = false;           ///< Whether a graph reads it.
};

/// By graph, the tensor behind each of its inputs and outputs. Borrows the specs.
struct PipelinePlan {
  std::vector<PipelineTensor> tensors;
  std::vector<std::vector<std::size_t>> inputs;
  std::vector<std::vector<std::size_t>> outputs;
  /// Inputs of the pipeline, and the latest output of each name.
  std::map<std::string_view, std::size_t> inputs_by_name;
  std::map<std::string_view, std::size_t> outputs_by_name;

  /// Connects graphs in the order they run: an input takes what its wire says, else the latest
  /// earlier output of its name, else it is an input of the pipeline; inputs of one name are one.
  ///
  /// Errors: `unknown_name`, `duplicate_name` and `invalid_argument` for wires that do not lead
  /// from an output to an input of a later graph; `type_mismatch` and `shape_mismatch` naming both
  /// ends.
  [[nodiscard]] static Result<PipelinePlan> connect(std::span<const GraphSpec* const> graphs,
                                                    std::span<const Wire> wires);
};

/// "scores of graph classifier (3)", for messages.
[[nodiscard]] inline std::string end_name(std::span<const GraphSpec* const> graphs,
                                          std::size_t graph, std::string_view tensor) {
  std::string name(tensor);
  if (graph >= graphs.size()) return name + ", an input of the pipeline";
  return name + " of graph " + graphs[graph]->name + " (" + std::to_string(graph) + ")";
}

inline Result<PipelinePlan> PipelinePlan::connect(std::span<const GraphSpec* const> graphs,
                                                  std::span<const Wire> wires) {
  constexpr const char* step = "connecting graphs";
  const auto position = [](const std::vector<TensorSpec>& list, std::string_view name) {
    std::size_t at = 0;
    while (at < list.size() && list[at].name != name) ++at;
    return at;
  };

  const auto wire_to = [&](std::size_t graph, std::string_view input) {
    return std::find_if(wires.begin(), wires.end(),
                        [&](const Wire& wire) { return wire.to == graph && wire.input == input; });
  };
  for (const Wire& wire : wires) {
    if (wire.to >= graphs.size() || wire.from >= wire.to)
      return fail(Error::make(Errc::invalid_argument, step, wire.output,
                              "a wire from graph " + std::to_string(wire.from) + " to graph " +
                                  std::to_string(wire.to) + " of " +
                                  std::to_string(graphs.size())));
    if (position(graphs[wire.from]->outputs, wire.output) == graphs[wire.from]->outputs.size())
      return fail(Error::make(Errc::unknown_name, step, end_name(graphs, wire.from, wire.output),
                              "the wire begins at no output"));
    if (position(graphs[wire.to]->inputs, wire.input) == graphs[wire.to]->inputs.size())
      return fail(Error::make(Errc::unknown_name, step, end_name(graphs, wire.to, wire.input),
                              "the wire ends at no input"));
    if (&*wire_to(wire.to, wire.input) != &wire)
      return fail(Error::make(Errc::duplicate_name, step, end_name(graphs, wire.to, wire.input),
                              "two wires end there"));
  }

  PipelinePlan plan;
  plan.inputs.resize(graphs.size());
  plan.outputs.resize(graphs.size());
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    for (const TensorSpec& wanted : graphs[g]->inputs) {
      std::size_t source = plan.tensors.size();
      if (const auto wire = wire_to(g, wanted.name); wire != wires.end()) {
        source = plan.outputs[wire->from][position(graphs[wire->from]->outputs, wire->output)];
      } else if (const auto made = plan.outputs_by_name.find(wanted.name);
                 made != plan.outputs_by_name.end()) {
        source = made->second;
      } else if (const auto given = plan.inputs_by_name.find(wanted.name);
                 given != plan.inputs_by_name.end()) {
        source = given->second;
      } else {
        plan.inputs_by_name.emplace(wanted.name, source);
        plan.tensors.push_back({.spec = &wanted});
      }
      PipelineTensor& tensor = plan.tensors[source];
      const TensorSpec& found = *tensor.spec;
      if (found.data_type != wanted.data_type)
        return fail(Error::make(Errc::type_mismatch, step, end_name(graphs, g, wanted.name),
                                std::string("it is ") + name_of(wanted.data_type) + ", " +
                                    end_name(graphs, tensor.producer, found.name) + " is " +
                                    name_of(found.data_type)));
      if (found.dimensions != wanted.dimensions)
        return fail(Error::make(Errc::shape_mismatch, step, end_name(graphs, g, wanted.name),
                                "it is " + to_string(wanted.dimensions) + ", " +
                                    end_name(graphs, tensor.producer, found.name) + " is " +
                                    to_string(found.dimensions)));
      if (!same_quantisation(found, wanted))
        return fail(Error::make(Errc::type_mismatch, step, end_name(graphs, g, wanted.name),
                                "it has " + quantisation_text(wanted) + ", " +
                                    end_name(graphs, tensor.producer, found.name) + " has " +
                                    quantisation_text(found)));
      tensor.last_user = std::max(tensor.last_user, g);
      tensor.consumed = true;
      plan.inputs[g].push_back(source);
    }
    for (const TensorSpec& made : graphs[g]->outputs) {
      plan.outputs[g].push_back(plan.tensors.size());
      plan.outputs_by_name[made.name] = plan.tensors.size();
      plan.tensors.push_back({.spec = &made, .producer = g, .last_user = g});
    }
  }
  return plan;
}

}  // namespace detail
}  // namespace qnnpp::inline QNNPP_NAMESPACE
