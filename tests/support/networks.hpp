// Small networks for tests, their context binaries in memory, and a reference in plain floats.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/detail/lost_contexts.hpp"
#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"

#include "controls.hpp"
#include "results.hpp"

namespace support {

/// A graph with a skip connection, so that three of its tensors live at the same time:
///   h = relu(x * A'), y = (h * B' + h) * C'
struct Network {
  std::string name = "net";
  std::uint32_t rows = 4;
  std::uint32_t width = 32;   ///< width of x and y
  std::uint32_t hidden = 64;  ///< width of h; a larger h spills more
  std::uint32_t seed = 1;
  qnnpp::c_api::TensorMemType io = qnnpp::c_api::TensorMemType::raw;
  std::string x_name = "x";  ///< name of x, for graphs that are chained by name
  std::string y_name = "y";
  bool dynamic_rows = false;  ///< executions set the number of rows; `rows` is the maximum
  /// Size of a tensor that spills, and of further weights, in MiB. y depends on neither.
  std::uint32_t spill_mib = 0;
  std::uint32_t weights_mib = 0;

  [[nodiscard]] std::vector<std::uint32_t> io_dimensions() const { return {rows, width}; }
  [[nodiscard]] std::size_t io_elements() const { return std::size_t{rows} * width; }
  [[nodiscard]] std::size_t io_bytes() const { return io_elements() * sizeof(float); }
  /// Bytes of the weights as the HTP lays them out: each tensor starts at a multiple of 256 bytes.
  [[nodiscard]] std::uint64_t constants_bytes() const {
    const auto rounded = [](std::uint64_t elements) {
      return (elements * sizeof(float) + 255) / 256 * 256;
    };
    return rounded(std::uint64_t{hidden} * width) * 2 + rounded(std::uint64_t{hidden} * hidden) +
           (spill_mib == 0 ? 0 : rounded(spill_rows()) + rounded(spill_columns)) +
           (std::uint64_t{weights_mib} << 20);
  }
  /// Bytes of the weights buffer that the HTP requests: whole pieces of 2 MiB.
  [[nodiscard]] std::uint64_t weights_bytes() const {
    constexpr std::uint64_t piece = std::uint64_t{2} << 20;
    return (constants_bytes() + piece - 1) / piece * piece;
  }

  /// Extents of the tensor of spill_mib.
  static constexpr std::uint32_t spill_columns = 1024;
  [[nodiscard]] std::uint32_t spill_rows() const {
    return (spill_mib << 20) / (spill_columns * static_cast<std::uint32_t>(sizeof(float)));
  }

  [[nodiscard]] qnnpp::TensorSpec spec(const char* tensor) const {
    using enum qnnpp::c_api::TensorType;
    const bool is_input = std::string(tensor) == "x";
    const bool is_output = std::string(tensor) == "y";
    return {.name = is_input    ? x_name
                    : is_output ? y_name
                                : tensor,
            .kind = is_input ? app_write : app_read,
            .dimensions = io_dimensions(),
            .dynamic_dimensions = flags(),
            .mem_type = io};
  }
  /// Flags of all tensors that have rows.
  [[nodiscard]] std::vector<std::uint8_t> flags() const {
    return dynamic_rows ? std::vector<std::uint8_t>{1, 0} : std::vector<std::uint8_t>();
  }
  /// Returns the network as an execution with this number of rows computes it.
  [[nodiscard]] Network with_rows(std::uint32_t count) const {
    Network actual = *this;
    actual.rows = count;
    return actual;
  }

  /// Returns the values of the matrix `which` (0: A, 1: B, 2: C), equal at each call.
  [[nodiscard]] std::vector<float> matrix(std::uint32_t which) const {
    const std::size_t in = which == 0 ? width : hidden;
    const std::size_t out = which == 2 ? width : hidden;
    std::vector<float> values(in * out);
    std::uint32_t state = seed * 747796405u + which * 2891336453u + 1u;
    for (float& value : values) {
      state = state * 1664525u + 1013904223u;
      value = (static_cast<float>(state >> 8) / 16777216.0f - 0.5f) * 0.4f;
    }
    return values;
  }

  [[nodiscard]] std::vector<float> input(std::uint32_t which = 0) const {
    std::vector<float> values(io_elements());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>((i * 7 + seed * 3 + which * 5) % 17) / 17.0f;
    return values;
  }

  /// Computes the graph's output in plain floats.
  [[nodiscard]] std::vector<float> reference(const std::vector<float>& x) const {
    const auto times = [this](const std::vector<float>& values, std::uint32_t which) {
      const std::vector<float> weights = matrix(which);
      const std::size_t in = values.size() / rows;
      const std::size_t out = weights.size() / in;
      std::vector<float> product(rows * out);
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t o = 0; o < out; ++o)
          for (std::size_t i = 0; i < in; ++i)
            product[row * out + o] += values[row * in + i] * weights[o * in + i];
      return product;
    };
    std::vector<float> h = times(x, 0);
    for (float& value : h) value = std::max(value, 0.0f);
    std::vector<float> sum = times(h, 1);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += h[i];
    return times(sum, 2);
  }
};

/// Returns the largest difference of two vectors; infinity if a value is not a number.
inline float largest_difference(std::span<const float> a, std::span<const float> b) {
  if (a.size() != b.size()) return std::numeric_limits<float>::infinity();
  float most = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float difference = std::fabs(a[i] - b[i]);
    if (!(difference <= std::numeric_limits<float>::max()))
      return std::numeric_limits<float>::infinity();
    most = std::max(most, difference);
  }
  return most;
}

/// Returns the largest difference of a tensor from `b`. The access may be a temporary, because it
/// lasts until this function returns.
template <class T>
float largest_difference(const qnnpp::TensorAccess<T>& a, std::span<const float> b) {
  return largest_difference(a.elements(), b);
}

/// Largest error of a sum of a few dozen floats in another order.
inline constexpr float tolerance = 1e-4f;

/// Adds the product of two constant matrices to a graph, which no other node reads.
inline void add_product(qnnpp::Graph<qnnpp::Composing>& graph, const std::string& name,
                        std::uint32_t rows, std::uint32_t inner, std::uint32_t columns) {
  // Values of their own, because equal contents are stored once. They live until the node is added.
  const std::vector<float> left(std::size_t{rows} * inner, inner == 1 ? 0.5f : 0.25f);
  const std::vector<float> right(std::size_t{inner} * columns, 0.25f);
  const auto constant = [&](const char* which, std::vector<std::uint32_t> dimensions,
                            const std::vector<float>& values) {
    return must(graph.add_static({.name = name + which, .dimensions = std::move(dimensions)},
                                 std::as_bytes(std::span(values))));
  };
  const std::vector<qnnpp::GraphTensor> factors{constant(" left", {rows, inner}, left),
                                                constant(" right", {inner, columns}, right)};
  const qnnpp::GraphTensor product =
      must(graph.add_tensor({.name = name + " product", .dimensions = {rows, columns}}));
  must(graph.add_node({.name = name, .type = "MatMul", .inputs = factors, .outputs = {product}}));
}

/// Adds all tensors and nodes of a network to a graph.
inline void add_all(qnnpp::Graph<qnnpp::Composing>& graph, const Network& network,
                    const std::vector<std::vector<float>>& matrices) {
  using namespace qnnpp;
  const auto native = [&](const char* name) {
    return must(graph.add_tensor({.name = name,
                                  .dimensions = {network.rows, network.hidden},
                                  .dynamic_dimensions = network.flags()}));
  };
  const auto weights = [&](const char* name, std::uint32_t which) {
    const std::uint32_t in = which == 0 ? network.width : network.hidden;
    const std::uint32_t out = which == 2 ? network.width : network.hidden;
    return must(graph.add_static({.name = name, .dimensions = {out, in}},
                                 std::as_bytes(std::span(matrices[which]))));
  };
  const auto node = [&](const char* name, const char* type, std::vector<GraphTensor> inputs,
                        GraphTensor output) {
    must(graph.add_node(
        {.name = name, .type = type, .inputs = std::move(inputs), .outputs = {output}}));
  };
  const GraphTensor x = must(graph.add_tensor(network.spec("x")));
  const GraphTensor product = native("xA");
  node("first", "FullyConnected", {x, weights("A", 0)}, product);
  const GraphTensor h = native("h");
  node("relu", "Relu", {product}, h);
  const GraphTensor second = native("hB");
  node("second", "FullyConnected", {h, weights("B", 1)}, second);
  const GraphTensor sum = native("sum");
  node("skip", "ElementWiseAdd", {second, h}, sum);
  const GraphTensor y = must(graph.add_tensor(network.spec("y")));
  node("third", "FullyConnected", {sum, weights("C", 2)}, y);
  if (network.spill_mib != 0)
    add_product(graph, "spilled", network.spill_rows(), 1, Network::spill_columns);
  if (network.weights_mib != 0) add_product(graph, "weights", 1, network.weights_mib << 18, 1);
}

/// Composes and finalizes one graph.
inline qnnpp::Graph<qnnpp::Retrieved> compose(const qnnpp::Context<qnnpp::Composing>& context,
                                              const Network& network) {
  const std::vector<std::vector<float>> matrices{network.matrix(0), network.matrix(1),
                                                 network.matrix(2)};
  auto graph = must(qnnpp::Graph<qnnpp::Composing>::create(context, network.name));
  add_all(graph, network, matrices);
  return must(std::move(graph).finalize());
}

/// Makes a context binary with a graph for each network, prepared for the device in its current
/// configuration.
inline std::vector<std::byte> binary_of(const qnnpp::Backend<qnnpp::Htp>& backend,
                                        const std::vector<Network>& networks) {
  auto context = must(qnnpp::Context<qnnpp::Composing>::create(backend));
  for (const Network& network : networks) (void)compose(context, network);
  const auto composed = must(std::move(context).finalize());
  return must(composed.serialize());
}

/// Makes a context, with a backend that `load` returns, if a failed QnnContext_free has left
/// external buffers that may be in use: its creation looks whether they are (RES-05).
template <class Load>
void settle_lost_contexts(Load load) {
  if (qnnpp::detail::lost_contexts->count() == 0) return;
  const qnnpp::Backend<qnnpp::Htp> with = must(load());
  auto binary = must(qnnpp::ContextBinary::own(binary_of(with, {Network{}}), "net.bin"));
  (void)must(qnnpp::Context<qnnpp::Deferred>::create(with, std::move(binary)));
}

/// Returns four networks that need different amounts of spill-fill memory, in whole pieces of 2
/// MiB. The largest is neither the first nor the last.
inline std::vector<Network> four_networks() {
  return {{.name = "one", .hidden = 48, .seed = 11, .spill_mib = 2},
          {.name = "two", .hidden = 64, .seed = 12, .spill_mib = 4},
          {.name = "three", .hidden = 96, .seed = 13, .spill_mib = 8},
          {.name = "four", .hidden = 80, .seed = 14, .spill_mib = 6}};
}

}  // namespace support
