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
//   mask                   [1, n, p]   0 for each position up to the token's own, else -128
//
// Activations have 16 bits, the cache and the weights 8 signed bits: all chips multiply these. Only
// the op Convert makes 8 bits of 16.
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
template <class Io>
class Composer {
 public:
  Composer(const qnnpp::Context<qnnpp::Composing>& context, const char* name)
      : graph_(value_or_throw(qnnpp::Graph<qnnpp::Composing, Io>::create(context, name))) {}

  GraphTensor add(std::string name, Dims dims, const Encoding& encoding,
                  TensorType kind = TensorType::native) {
    return value_or_throw(graph_.add_tensor(
        {.name = std::move(name),
         .kind = kind,
         .data_type = encoding.smallest < 0 ? DataType::sfixed_point_8 : DataType::ufixed_point_16,
         .dimensions = std::move(dims),
         .quantisation = {encoding.scale, encoding.offset}}));
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
                   Dims dims, const Encoding& encoding = hidden_encoding, Params params = {}) {
    return node(type, std::move(inputs), add(name, std::move(dims), encoding), name,
                std::move(params));
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
    return node("Transpose", {std::move(tensor)}, std::move(output), name, {{"perm", constant}});
  }
  void finalize() && { value_or_throw(std::move(graph_).finalize()); }

 private:
  qnnpp::Graph<qnnpp::Composing, Io> graph_;
};

// Orders of the dimensions [tokens, heads, head_width].
inline constexpr std::array<std::uint32_t, 3> heads_first = {1, 0, 2};
inline constexpr std::array<std::uint32_t, 3> tokens_last = {1, 2, 0};

template <class Io>
void compose(const qnnpp::Context<qnnpp::Composing>& context, const Layer& layer,
             const Shape& shape) {
  const std::uint32_t n = shape.tokens, p = shape.positions;
  Composer<Io> to(context, shape.graph);
  const auto input = TensorType::app_write, output = TensorType::app_read;
  const auto hidden = to.add("hidden", {n, width}, hidden_encoding, input);
  const auto keys = to.add("keys", {heads, head_width, p}, cache_encoding, input);
  const auto values = to.add("values", {heads, p, head_width}, cache_encoding, input);
  const auto place = to.add("place", {1, n, p}, place_encoding, input);
  const auto past = to.add("past", {1, 1, p}, past_encoding, input);
  const auto mask = to.add("mask", {1, n, p}, score_encoding, input);

  // The queries, and what these tokens add to the cache.
  const auto split = [&](GraphTensor rows, const std::string& name, const Encoding& encoding) {
    return to.node("Reshape", {std::move(rows)}, name + "_heads", {n, heads, head_width}, encoding);
  };
  const auto for_cache = [&](const Matrix& weights, const std::string& name) {
    const auto rows = to.dense(hidden, weights, name + "_rows", n);
    const auto codes = to.node("Convert", {rows}, name + "_codes", {n, width}, cache_encoding);
    return split(codes, name, cache_encoding);
  };
  const auto query =
      to.transpose(split(to.dense(hidden, layer.query, "query_rows", n), "query", hidden_encoding),
                   heads_first, to.add("query", {heads, n, head_width}, hidden_encoding), "query");
  const auto new_keys =
      to.transpose(for_cache(layer.key, "key"), tokens_last,
                   to.add("new_keys", {heads, head_width, n}, cache_encoding, output), "new_keys");
  const auto new_values = to.transpose(
      for_cache(layer.value, "value"), heads_first,
      to.add("new_values", {heads, n, head_width}, cache_encoding, output), "new_values");

  // Scores of the cached positions, and of the new ones at their places.
  const Dims to_all = {heads, n, p}, to_new = {heads, n, n}, per_head = {heads, n, head_width};
  const auto cached = to.node("MatMul", {query, keys}, "cached", to_all, score_encoding);
  const auto known =
      to.node("ElementWiseMultiply", {cached, past}, "known", to_all, score_encoding);
  const auto own = to.node("MatMul", {query, new_keys}, "own", to_new, score_encoding);
  const auto placed = to.node("MatMul", {own, place}, "placed", to_all, score_encoding);
  const auto scores = to.node("ElementWiseAdd", {known, placed}, "scores", to_all, score_encoding);
  const auto masked = to.node("ElementWiseAdd", {scores, mask}, "masked", to_all, score_encoding);
  const auto shares = to.node("Softmax", {masked}, "shares", to_all, share_encoding,
                              {qnnpp::scalar_param("beta", 0.25F)});  // 1 / sqrt(head_width)

  // The values in these shares.
  const auto of_known =
      to.node("ElementWiseMultiply", {shares, past}, "of_known", to_all, share_encoding);
  const auto from_cache = to.node("MatMul", {of_known, values}, "from_cache", per_head);
  const auto of_own = to.node("MatMul", {shares, place}, "of_own", to_new, share_encoding,
                              {qnnpp::scalar_param("transpose_in1", true)});
  const auto from_own = to.node("MatMul", {of_own, new_values}, "from_own", per_head);
  const auto seen = to.node("ElementWiseAdd", {from_cache, from_own}, "seen", per_head);
  const auto by_token = to.transpose(
      seen, heads_first, to.add("by_token", {n, heads, head_width}, hidden_encoding), "by_token");
  const auto joined = to.node("Reshape", {by_token}, "joined", {n, width});
  const auto mixed = to.dense(joined, layer.mix, "mixed", n);
  const auto half = to.node("ElementWiseAdd", {hidden, mixed}, "half", {n, width});

  const auto wider = to.dense(half, layer.widen, "wider", n);
  const auto positive = to.node("Relu", {wider}, "positive", {n, wide});
  const auto narrow = to.dense(positive, layer.narrow, "narrow", n);
  to.node("ElementWiseAdd", {half, narrow},
          to.add("next_hidden", {n, width}, hidden_encoding, output), "next_hidden");
  std::move(to).finalize();
}

}  // namespace detail

/// Returns a context binary with both graphs of a layer, with inputs and outputs for the memory
/// kind Io. Throws qnnpp::Exception.
template <class Io = qnnpp::RegisteredIo>
[[nodiscard]] std::vector<std::byte> make_binary(const qnnpp::Backend<qnnpp::Htp>& backend,
                                                 const Layer& layer, const std::string& name) {
  auto context =
      qnnpp::value_or_throw(qnnpp::Context<qnnpp::Composing>::create(backend, {.name = name}));
  for (const Shape& shape : shapes) detail::compose<Io>(context, layer, shape);
  return qnnpp::value_or_throw(
      std::move(context).finalize().and_then([](const auto& done) { return done.serialize(); }));
}

/// Codes of 1 in `place` and in `past`. They are large, because the HTP drops low bits of a
/// product: with the code 1 in `place` it would drop 8 of 16.
inline constexpr std::int8_t is_place = 127;
inline constexpr std::uint16_t is_past = 32768;
/// Code of 0 in `mask`. Code 0 is -128 there, which makes a score the least one.
inline constexpr std::uint16_t not_masked = 32768;

/// Fills the inputs that say where the tokens are: `count` new ones behind `length` in the cache.
inline void fill_positions(const Shape& shape, std::size_t length, std::size_t count,
                           std::span<std::int8_t> place, std::span<std::uint16_t> past,
                           std::span<std::uint16_t> mask) {
  const std::size_t p = shape.positions;
  for (std::size_t j = 0; j < p; ++j) past[j] = j < length ? is_past : 0;
  for (std::size_t i = 0; i < shape.tokens; ++i)
    for (std::size_t j = 0; j < p; ++j) {
      place[i * p + j] = i < count && j == length + i ? is_place : 0;
      mask[i * p + j] = j <= length + i ? not_masked : 0;
    }
}

}  // namespace decoder
