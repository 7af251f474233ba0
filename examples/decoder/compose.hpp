// Composes a layer of the decoder as two graphs of one context. They share the weights and the
// cache, but see the cache in their own shapes.
//
// Inputs and outputs of a graph, for n tokens and a cache of p positions:
//   hidden, next_hidden    [n, width]               before and after the layer
//   keys                   [heads, head_width, p]   the cache
//   values                 [heads, p, head_width]
//   new_keys, new_values   the same, with n positions: what these tokens add to the cache
//   place                  [1, n, p]   1 where a token's position will be
//   past                   [1, 1, p]   1 for each position in the cache
//   mask                   [1, n, p]   0 for each position up to the token's own, else very small
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "network.hpp"

namespace decoder {

/// A graph of a layer.
struct Shape {
  const char* graph;
  std::uint32_t tokens;     ///< Tokens of one execution.
  std::uint32_t positions;  ///< Positions of the cache.
};
inline constexpr std::array<Shape, 2> shapes = {
    {{"prefill", 16, 96}, {"decode", 1, most_positions}}};

namespace detail {

using qnnpp::GraphTensor;
using qnnpp::TensorSpec;
using qnnpp::value_or_throw;
using Dims = std::vector<std::uint32_t>;
using Params = std::vector<qnnpp::NodeParam>;
using qnnpp::c_api::DataType;
using qnnpp::c_api::TensorType;

/// Adds tensors and nodes to a graph; each node is named after its output.
class Composer {
 public:
  Composer(const qnnpp::Context<qnnpp::Composing>& context, const char* name)
      : graph_(value_or_throw(
            qnnpp::Graph<qnnpp::Composing, qnnpp::RegisteredIo>::create(context, name))) {}

  GraphTensor add(TensorSpec spec) { return value_or_throw(graph_.add_tensor(std::move(spec))); }
  GraphTensor input(const char* name, Dims dims) {
    return add({.name = name, .kind = TensorType::app_write, .dimensions = std::move(dims)});
  }
  GraphTensor native(std::string name, Dims dims) {
    return add({.name = std::move(name), .dimensions = std::move(dims)});
  }
  /// A tensor of codes.
  TensorSpec codes(const char* name, TensorType kind, Dims dims, const Encoding& encoding) {
    return {
        .name = name,
        .kind = kind,
        .data_type = encoding.largest > 255 ? DataType::ufixed_point_16 : DataType::ufixed_point_8,
        .dimensions = std::move(dims),
        .quantisation = {encoding.scale, encoding.offset}};
  }
  GraphTensor node(const char* type, std::vector<GraphTensor> inputs, GraphTensor output,
                   const std::string& name, Params params = {}) {
    value_or_throw(graph_.add_node({.name = name,
                                    .type = type,
                                    .inputs = std::move(inputs),
                                    .outputs = {output},
                                    .params = std::move(params)}));
    return output;
  }
  GraphTensor node(const char* type, std::vector<GraphTensor> inputs, const std::string& name,
                   Dims dims, Params params = {}) {
    return node(type, std::move(inputs), native(name, std::move(dims)), name, std::move(params));
  }
  /// Multiplies rows of numbers by weights.
  GraphTensor dense(GraphTensor rows, const Matrix& weights, const std::string& name,
                    std::uint32_t count) {
    std::vector<qnnpp::ScaleOffset> pairs;
    for (const float scale : weights.scales) pairs.push_back({scale, 0});
    const auto constant = value_or_throw(
        graph_.add_static({.name = name + "_weights",
                           .data_type = DataType::sfixed_point_8,
                           .dimensions = {weights.rows, weights.columns},
                           .quantisation = qnnpp::Quantisation::per_axis(0, std::move(pairs))},
                          std::as_bytes(std::span(weights.codes))));
    return node("FullyConnected", {std::move(rows), constant}, name, {count, weights.rows});
  }
  /// Changes the order of dimensions.
  GraphTensor transpose(GraphTensor tensor, const std::array<std::uint32_t, 3>& order,
                        GraphTensor output, const std::string& name) {
    const auto constant = value_or_throw(graph_.add_static(
        {.name = name + "_order", .data_type = DataType::uint_32, .dimensions = {3}},
        std::as_bytes(std::span(order))));
    return node("Transpose", {std::move(tensor)}, std::move(output), name,
                {qnnpp::tensor_param("perm", constant)});
  }
  void finalize() && { value_or_throw(std::move(graph_).finalize()); }

 private:
  qnnpp::Graph<qnnpp::Composing, qnnpp::RegisteredIo> graph_;
};

// Orders of the dimensions [tokens, heads, head_width].
inline constexpr std::array<std::uint32_t, 3> heads_first = {1, 0, 2};
inline constexpr std::array<std::uint32_t, 3> tokens_last = {1, 2, 0};

inline void compose(const qnnpp::Context<qnnpp::Composing>& context, const Layer& layer,
                    const Shape& shape) {
  const std::uint32_t n = shape.tokens, p = shape.positions;
  Composer to(context, shape.graph);
  const auto hidden =
      to.add(to.codes("hidden", TensorType::app_write, {n, width}, hidden_encoding));
  const auto keys =
      to.add(to.codes("keys", TensorType::app_write, {heads, head_width, p}, cache_encoding));
  const auto values =
      to.add(to.codes("values", TensorType::app_write, {heads, p, head_width}, cache_encoding));
  const auto place = to.input("place", {1, n, p});
  const auto past = to.input("past", {1, 1, p});
  const auto mask = to.input("mask", {1, n, p});

  // The queries, and what these tokens add to the cache.
  const auto split = [&](const Matrix& weights, const std::string& name) {
    return to.node("Reshape", {to.dense(hidden, weights, name + "_rows", n)}, name + "_heads",
                   {n, heads, head_width});
  };
  const auto query = to.transpose(split(layer.query, "query"), heads_first,
                                  to.native("query", {heads, n, head_width}), "query");
  const auto new_keys = to.transpose(
      split(layer.key, "key"), tokens_last,
      to.add(to.codes("new_keys", TensorType::app_read, {heads, head_width, n}, cache_encoding)),
      "new_keys");
  const auto new_values = to.transpose(
      split(layer.value, "value"), heads_first,
      to.add(to.codes("new_values", TensorType::app_read, {heads, n, head_width}, cache_encoding)),
      "new_values");

  // Scores of the cached positions, and of the new ones at their places.
  const auto cached = to.node("MatMul", {query, keys}, "cached", {heads, n, p});
  const auto known = to.node("ElementWiseMultiply", {cached, past}, "known", {heads, n, p});
  const auto own = to.node("MatMul", {query, new_keys}, "own", {heads, n, n});
  const auto placed = to.node("MatMul", {own, place}, "placed", {heads, n, p});
  const auto scores = to.node("ElementWiseAdd", {known, placed}, "scores", {heads, n, p});
  const auto masked = to.node("ElementWiseAdd", {scores, mask}, "masked", {heads, n, p});
  const auto shares = to.node("Softmax", {masked}, "shares", {heads, n, p},
                              {qnnpp::scalar_param("beta", 0.25F)});  // 1 / sqrt(head_width)

  // The values in these shares.
  const auto of_known = to.node("ElementWiseMultiply", {shares, past}, "of_known", {heads, n, p});
  const auto from_cache = to.node("MatMul", {of_known, values}, "from_cache", {heads, n, 16});
  const auto of_own = to.node("MatMul", {shares, place}, "of_own", {heads, n, n},
                              {qnnpp::scalar_param("transpose_in1", true)});
  const auto from_own = to.node("MatMul", {of_own, new_values}, "from_own", {heads, n, 16});
  const auto seen = to.node("ElementWiseAdd", {from_cache, from_own}, "seen", {heads, n, 16});
  const auto by_token =
      to.transpose(seen, heads_first, to.native("by_token", {n, heads, head_width}), "by_token");
  const auto joined = to.node("Reshape", {by_token}, "joined", {n, width});
  const auto mixed = to.dense(joined, layer.mix, "mixed", n);
  const auto half = to.node("ElementWiseAdd", {hidden, mixed}, "half", {n, width});

  const auto wider = to.dense(half, layer.widen, "wider", n);
  const auto positive = to.node("Relu", {wider}, "positive", {n, wide});
  const auto narrow = to.dense(positive, layer.narrow, "narrow", n);
  to.node("ElementWiseAdd", {half, narrow},
          to.add(to.codes("next_hidden", TensorType::app_read, {n, width}, hidden_encoding)),
          "next_hidden");
  std::move(to).finalize();
}

}  // namespace detail

/// Returns a context binary with both graphs of a layer. Throws qnnpp::Exception.
[[nodiscard]] inline std::vector<std::byte> make_binary(const qnnpp::Backend<qnnpp::Htp>& backend,
                                                        const Layer& layer,
                                                        const std::string& name) {
  auto context =
      qnnpp::value_or_throw(qnnpp::Context<qnnpp::Composing>::create(backend, {.name = name}));
  for (const Shape& shape : shapes) detail::compose(context, layer, shape);
  return qnnpp::value_or_throw(
      std::move(context).finalize().and_then([](const auto& done) { return done.serialize(); }));
}

/// Fills the inputs that say where the tokens are: `count` new ones behind `length` in the cache.
inline void fill_positions(const Shape& shape, std::size_t length, std::size_t count,
                           std::span<float> place, std::span<float> past, std::span<float> mask) {
  const std::size_t p = shape.positions;
  for (std::size_t j = 0; j < p; ++j) past[j] = j < length ? 1.0F : 0.0F;
  for (std::size_t i = 0; i < shape.tokens; ++i)
    for (std::size_t j = 0; j < p; ++j) {
      place[i * p + j] = i < count && j == length + i ? 1.0F : 0.0F;
      mask[i * p + j] = j <= length + i ? 0.0F : -1e4F;
    }
}

}  // namespace decoder
