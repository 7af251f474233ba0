// A graph or a pipeline with memory for all its tensors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/qnnpp.hpp"

#include "memory.hpp"
#include "tensor_data.hpp"

namespace run {

/// Kind of memory for inputs and outputs.
enum class IoKind : std::uint8_t { registered, raw };

/// A graph or a pipeline that is bound to memory. Move-only.
class Runnable {
 public:
  /// Binds one graph. Errors: those of Graph::bind(), of SharedBuffer and of TensorSpec.
  [[nodiscard]] static qnnpp::Result<Runnable> from_graph(const std::string& context,
                                                          qnnpp::Graph<qnnpp::Retrieved> graph,
                                                          const Allocator& allocator, IoKind io) {
    using qnnpp::fail;
    Plan plan{.name = graph.name(),
              .context = context,
              .inputs = graph.inputs(),
              .outputs = graph.outputs()};
    if (io == IoKind::registered) {
      auto bound = std::move(graph).bind(allocator);
      if (!bound) {
        qnnpp::Error error = std::move(bound).error();
        if (error.kind == qnnpp::Errc::qnn && plan.has_four_bits())
          error.detail +=
              std::string(error.detail.empty() ? "" : "; ") + "4-bit tensors need --io raw";
        return fail(std::move(error));
      }
      return Runnable(std::move(plan), std::move(*bound), {});
    }
    Raw raw;
    std::vector<qnnpp::Binding<>> bindings;
    for (const auto* list : {&plan.inputs, &plan.outputs})
      for (const qnnpp::TensorSpec& tensor : *list) {
        const auto size = tensor.size_bytes();
        if (!size) return fail(size.error());
        const auto [memory, is_new] = raw.try_emplace(tensor.name, static_cast<std::size_t>(*size));
        // An input and an output of one name are one tensor.
        if (is_new) bindings.push_back(qnnpp::raw(tensor.name, memory->second));
      }
    auto bound = std::move(graph).bind(std::span<const qnnpp::Binding<>>(bindings));
    if (!bound) return fail(std::move(bound).error());
    return Runnable(std::move(plan), std::move(*bound), std::move(raw));
  }

  /// Chains graphs. Inputs in `given` are the caller's although a later graph makes them. Errors:
  /// those of Pipeline::create().
  [[nodiscard]] static qnnpp::Result<Runnable> from_pipeline(
      std::vector<qnnpp::Graph<qnnpp::Retrieved>> graphs, const Allocator& allocator,
      const std::set<std::string>& given) {
    qnnpp::PipelineOptions options;
    for (const std::string& name : given)
      if (is_read_first(graphs, name)) options.inputs.push_back(name);
    auto pipeline = qnnpp::Pipeline::create(allocator, std::move(graphs), options);
    if (!pipeline) {
      qnnpp::Error error = std::move(pipeline).error();
      if (error.kind == qnnpp::Errc::wrong_order) error.detail += ", and no --input gives it";
      return qnnpp::fail(std::move(error));
    }
    Plan plan{.name = "pipeline", .context = {}, .inputs = {}, .outputs = {}};
    for (auto& input : pipeline->inputs()) plan.inputs.push_back(std::move(input.spec));
    for (auto& output : pipeline->outputs()) plan.outputs.push_back(std::move(output.spec));
    return Runnable(std::move(plan), std::move(*pipeline), {});
  }

  [[nodiscard]] const std::string& name() const { return plan_.name; }
  /// Name of the graph's context; empty for a pipeline.
  [[nodiscard]] const std::string& context() const { return plan_.context; }
  [[nodiscard]] const std::vector<qnnpp::TensorSpec>& inputs() const { return plan_.inputs; }
  [[nodiscard]] const std::vector<qnnpp::TensorSpec>& outputs() const { return plan_.outputs; }

  [[nodiscard]] qnnpp::IoCost io_cost() const {
    return std::visit([](const auto& bound) { return bound.io_cost(); }, bound_);
  }
  /// The graphs of a pipeline, with their times; empty for a graph.
  [[nodiscard]] std::span<const qnnpp::PipelineStage> stages() const {
    const auto* const pipeline = std::get_if<qnnpp::Pipeline>(&bound_);
    return pipeline != nullptr ? pipeline->stages() : std::span<const qnnpp::PipelineStage>();
  }
  /// The connections of a pipeline; none for a graph.
  [[nodiscard]] std::vector<qnnpp::Wire> wires() const {
    const auto* const pipeline = std::get_if<qnnpp::Pipeline>(&bound_);
    return pipeline != nullptr ? pipeline->wires() : std::vector<qnnpp::Wire>();
  }

  /// Executes once. Errors: those of execute().
  [[nodiscard]] qnnpp::Result<void> execute(const qnnpp::ExecuteOptions& options = {}) {
    return std::visit([&](auto& bound) { return bound.execute(options); }, bound_);
  }

  /// Whether inputs with dynamic dimensions have extents of their own. A pipeline always executes
  /// with the largest extents.
  [[nodiscard]] bool has_extents() const {
    return std::holds_alternative<qnnpp::Graph<qnnpp::Bound>>(bound_);
  }
  /// Sets the actual extents of an input with dynamic dimensions. Requires has_extents(). Errors:
  /// those of Graph::set_extents().
  [[nodiscard]] qnnpp::Result<void> set_extents(const std::string& input,
                                                const std::vector<std::uint32_t>& extents) {
    return std::get<qnnpp::Graph<qnnpp::Bound>>(bound_).set_extents(input, extents);
  }
  /// Returns a tensor with its actual extents as dimensions.
  [[nodiscard]] qnnpp::Result<qnnpp::TensorSpec> actual(qnnpp::TensorSpec tensor) const {
    const auto* const graph = std::get_if<qnnpp::Graph<qnnpp::Bound>>(&bound_);
    if (graph == nullptr || !tensor.is_dynamic()) return tensor;
    const auto extents = graph->extents(tensor.name);
    if (!extents) return qnnpp::fail(extents.error());
    tensor.dimensions.assign(extents->begin(), extents->end());
    return tensor;
  }

  /// Writes all bytes of an input. Errors: those of write_elements().
  [[nodiscard]] qnnpp::Result<void> write(const std::string& input,
                                          std::span<const std::byte> bytes) {
    if (const auto memory = raw_.find(input); memory != raw_.end()) {
      std::copy(bytes.begin(), bytes.end(), memory->second.begin());
      return {};
    }
    return std::visit(
        [&](const auto& bound) {
          return qnnpp::write_elements(bound.template input<std::byte>(input), bytes);
        },
        bound_);
  }

  /// Returns all bytes of an output, whose dimensions are the actual ones. Errors: those of
  /// read_elements().
  [[nodiscard]] qnnpp::Result<Data> read(const qnnpp::TensorSpec& output) const {
    const auto size = output.size_bytes();
    if (!size) return qnnpp::fail(size.error());
    Data bytes(static_cast<std::size_t>(*size));
    if (const auto memory = raw_.find(output.name); memory != raw_.end()) {
      std::copy_n(memory->second.begin(), bytes.size(), bytes.begin());
      return bytes;
    }
    auto read = std::visit(
        [&](const auto& bound) {
          return qnnpp::read_elements(bound.template output<std::byte>(output.name),
                                      std::span(bytes));
        },
        bound_);
    if (!read) return qnnpp::fail(std::move(read).error());
    return bytes;
  }

 private:
  struct Plan {
    std::string name;
    std::string context;
    std::vector<qnnpp::TensorSpec> inputs;
    std::vector<qnnpp::TensorSpec> outputs;

    [[nodiscard]] bool has_four_bits() const {
      const auto is_four_bits = [](const qnnpp::TensorSpec& tensor) {
        return detail::has_four_bits(tensor.data_type);
      };
      return std::any_of(inputs.begin(), inputs.end(), is_four_bits) ||
             std::any_of(outputs.begin(), outputs.end(), is_four_bits);
    }
  };
  using Raw = std::map<std::string, Data>;  // A map keeps its values in place.

  /// Whether the first graph that has a tensor with this name reads it.
  [[nodiscard]] static bool is_read_first(const std::vector<qnnpp::Graph<qnnpp::Retrieved>>& graphs,
                                          const std::string& name) {
    const auto has_it = [&](const std::vector<qnnpp::TensorSpec>& tensors) {
      return std::ranges::find(tensors, name, &qnnpp::TensorSpec::name) != tensors.end();
    };
    for (const auto& graph : graphs)
      if (has_it(graph.inputs()) || has_it(graph.outputs())) return has_it(graph.inputs());
    return false;
  }

  template <class BoundTo>
  Runnable(Plan plan, BoundTo bound, Raw raw)
      : plan_(std::move(plan)), raw_(std::move(raw)), bound_(std::move(bound)) {}

  Plan plan_;
  Raw raw_;
  std::variant<qnnpp::Graph<qnnpp::Bound>, qnnpp::Pipeline> bound_;
};

}  // namespace run
