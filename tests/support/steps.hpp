// Small graphs for tests that chain many graphs: each output is the sum of the inputs times a
// factor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"

#include "fixture.hpp"
#include "results.hpp"

namespace support {

/// The k-th output is (in_0 + in_1 + ...) * (factor + k), element by element.
struct Step {
  std::string name = "step";
  std::vector<std::string> inputs = {"x"};
  std::vector<std::string> outputs = {"y"};
  float factor = 2.0f;
  std::vector<std::uint32_t> dimensions = {4, 8};
  qnnpp::c_api::TensorMemType io = qnnpp::c_api::TensorMemType::memhandle;
  /// inputs and outputs that use the other memory type than `io`
  std::vector<std::string> otherwise = {};

  /// Returns the memory type for which an input or output is prepared.
  [[nodiscard]] qnnpp::c_api::TensorMemType prepared(const std::string& tensor) const {
    using enum qnnpp::c_api::TensorMemType;
    if (std::find(otherwise.begin(), otherwise.end(), tensor) == otherwise.end()) return io;
    return io == raw ? memhandle : raw;
  }
  [[nodiscard]] std::size_t elements() const {
    std::size_t product = 1;
    for (const std::uint32_t extent : dimensions) product *= extent;
    return product;
  }
  [[nodiscard]] std::size_t bytes() const { return elements() * sizeof(float); }
  /// Returns small numbers, so that products of a few factors are exact.
  [[nodiscard]] std::vector<float> input(std::uint32_t which = 0) const {
    std::vector<float> values(elements());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>((i * 3 + which * 5) % 11) - 5.0f;
    return values;
  }
  [[nodiscard]] std::vector<float> reference(const std::vector<std::vector<float>>& given,
                                             std::size_t output = 0) const {
    std::vector<float> values(elements());
    for (const std::vector<float>& one : given)
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += one[i];
    for (float& value : values) value *= factor + static_cast<float>(output);
    return values;
  }
};

/// Composes and finalizes the graph of a step. `prepared()` decides the memory type of its inputs
/// and outputs; the kind of the graph does not.
inline void compose(const qnnpp::Context<qnnpp::Composing>& context, const Step& step) {
  using namespace qnnpp;
  auto graph = must(Graph<Composing>::create(context, step.name));
  std::vector<std::vector<float>> factors;
  const auto tensor = [&](std::string name, c_api::TensorType kind) {
    const c_api::TensorMemType prepared = step.prepared(name);
    return must(graph.add_tensor({.name = std::move(name),
                                  .kind = kind,
                                  .dimensions = step.dimensions,
                                  .mem_type = prepared}));
  };
  const auto node = [&](std::string name, const char* type, std::vector<GraphTensor> inputs,
                        GraphTensor output) {
    must(graph.add_node(
        {.name = std::move(name), .type = type, .inputs = std::move(inputs), .outputs = {output}}));
  };
  GraphTensor sum = tensor(step.inputs[0], c_api::TensorType::app_write);
  for (std::size_t i = 1; i < step.inputs.size(); ++i) {
    const GraphTensor next = tensor(step.inputs[i], c_api::TensorType::app_write);
    const GraphTensor larger = tensor("sum_" + std::to_string(i), c_api::TensorType::native);
    node("add_" + std::to_string(i), "ElementWiseAdd", {sum, next}, larger);
    sum = larger;
  }
  // The elements must not move before the graph is finalized.
  factors.reserve(step.outputs.size());
  for (std::size_t k = 0; k < step.outputs.size(); ++k) {
    factors.emplace_back(step.elements(), step.factor + static_cast<float>(k));
    const GraphTensor factor = must(
        graph.add_static({.name = "factor_" + std::to_string(k), .dimensions = step.dimensions},
                         std::as_bytes(std::span(factors.back()))));
    node("multiply_" + std::to_string(k), "ElementWiseMultiply", {sum, factor},
         tensor(step.outputs[k], c_api::TensorType::app_read));
  }
  (void)must(std::move(graph).finalize());
}

/// Makes a context binary with a graph for each step.
inline std::vector<std::byte> binary_of(const qnnpp::Backend<qnnpp::Htp>& backend,
                                        const std::vector<Step>& steps) {
  auto context = must(qnnpp::Context<qnnpp::Composing>::create(backend));
  for (const Step& step : steps) compose(context, step);
  const auto composed = must(std::move(context).finalize());
  return must(composed.serialize());
}

/// Adds contexts and graphs of steps.
class StepsTest : public LoadedTest {
 protected:
  qnnpp::Context<qnnpp::Finalized> context_of(const std::vector<Step>& steps,
                                              std::string name = "steps.bin") const {
    return must(qnnpp::Context<qnnpp::Finalized>::restore(
        backend(), own(binary_of(backend(), steps), std::move(name))));
  }
  template <class Io = qnnpp::RegisteredIo>
  static qnnpp::Graph<qnnpp::Retrieved, Io> graph(const qnnpp::Context<qnnpp::Finalized>& context,
                                                  const std::string& name) {
    return must(qnnpp::Graph<qnnpp::Retrieved, Io>::retrieve(context, name));
  }
  /// Retrieves the graphs of a context that have these names, in their order.
  template <class Io = qnnpp::RegisteredIo>
  static std::vector<qnnpp::Graph<qnnpp::Retrieved, Io>> graphs(
      const qnnpp::Context<qnnpp::Finalized>& context, const std::vector<std::string>& names) {
    std::vector<qnnpp::Graph<qnnpp::Retrieved, Io>> all;
    for (const std::string& name : names) all.push_back(graph<Io>(context, name));
    return all;
  }
  /// Returns the bytes that the device has copied from and to memory of clients.
  static std::uint64_t copied_bytes() {
    const sim::Counters counters = control().counters();
    return counters.copied_in_bytes + counters.copied_out_bytes;
  }
};

}  // namespace support
