// A small network for handwritten digits, cut into four segments that run one after the other.
//
//   stem       image -> convolution, residual convolution
//   features   halved, two convolutions whose results are both kept for the sums at the end
//   gate       halved, a 1x1 convolution that gates its own input
//   classifier the 49 positions attend to each other, then two fully connected layers
//
// The output of a segment has the name and the shape of the next one's input. Every segment keeps
// at least two intermediates above 32 KiB alive at once; `features` needs the most.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "layers.hpp"

namespace digits {

inline constexpr std::uint32_t batch = 4;  ///< images that one execution classifies
inline constexpr std::uint32_t image_side = 28;
inline constexpr std::size_t image_pixels = std::size_t{image_side} * image_side;
inline constexpr std::size_t classes = 10;

namespace detail {

/// Adds layers to one segment, each with its output tensor. Removes their weights from the front of
/// a span.
class SegmentBuilder {
 public:
  SegmentBuilder(std::string name, std::string input, Dims dims, std::span<const float>& weights)
      : weights_(weights) {
    segment_.name = std::move(name);
    segment_.input = add(std::move(input), std::move(dims), Kind::input);
  }

  [[nodiscard]] std::size_t input() const noexcept { return segment_.input; }

  std::size_t conv(const std::string& name, std::size_t in, std::uint32_t channels,
                   std::uint32_t side, std::uint32_t stride) {
    const Dims from = dims(in);
    const std::uint32_t pad = side / 2;
    const auto halved = [&](std::uint32_t size) { return (size + 2 * pad - side) / stride + 1; };
    const std::size_t filter = weights(name + "_filter", {side, side, from[3], channels});
    const std::size_t bias = weights(name + "_bias", {channels});
    return layer(Op::conv_2d, name, {in, filter, bias},
                 {from[0], halved(from[1]), halved(from[2]), channels},
                 {{"stride", UintTensor{{2}, {stride, stride}}},
                  {"pad_amount", UintTensor{{2, 2}, {pad, pad, pad, pad}}}});
  }

  std::size_t fully_connected(const std::string& name, std::size_t in, std::uint32_t out) {
    const Dims from = dims(in);
    const std::size_t matrix = weights(name + "_weights", {out, from[1]});
    const std::size_t bias = weights(name + "_bias", {out});
    return layer(Op::fully_connected, name, {in, matrix, bias}, {from[0], out});
  }

  std::size_t mat_mul(const std::string& name, std::size_t a, std::size_t b) {
    const Dims left = dims(a);
    return layer(Op::mat_mul, name, {a, b}, {left[0], left[1], dims(b)[2]},
                 {{"transpose_in0", false}, {"transpose_in1", false}});
  }

  std::size_t softmax(const std::string& name, std::size_t in, float beta) {
    const Dims from = dims(in);
    const auto last = static_cast<std::uint32_t>(from.size() - 1);
    return layer(Op::softmax, name, {in}, from, {{"axis", last}, {"beta", beta}});
  }

  std::size_t transpose(const std::string& name, std::size_t in, std::vector<std::uint32_t> perm) {
    const Dims from = dims(in);
    Dims to;
    for (const std::uint32_t axis : perm) to.push_back(from[axis]);
    const auto rank = static_cast<std::uint32_t>(perm.size());
    return layer(Op::transpose, name, {in}, std::move(to),
                 {{"perm", UintTensor{{rank}, std::move(perm)}}});
  }

  std::size_t reshape(const std::string& name, std::size_t in, Dims to) {
    return layer(Op::reshape, name, {in}, std::move(to));
  }
  std::size_t relu(const std::string& name, std::size_t in) {
    return layer(Op::relu, name, {in}, dims(in));
  }
  std::size_t sum(const std::string& name, std::size_t a, std::size_t b) {
    return layer(Op::element_wise_add, name, {a, b}, dims(a));
  }
  std::size_t product(const std::string& name, std::size_t a, std::size_t b) {
    return layer(Op::element_wise_multiply, name, {a, b}, dims(a));
  }

  /// Ends the segment: makes the tensor its output.
  [[nodiscard]] Segment finish(std::size_t output) {
    segment_.output = output;
    segment_.tensors[output].kind = Kind::output;
    return std::move(segment_);
  }

 private:
  [[nodiscard]] const Dims& dims(std::size_t tensor) const { return segment_.tensors[tensor].dims; }

  std::size_t add(std::string name, Dims dims, Kind kind, std::span<const float> data = {}) {
    segment_.tensors.push_back({std::move(name), std::move(dims), kind, data});
    return segment_.tensors.size() - 1;
  }

  std::size_t weights(std::string name, Dims dims) {
    const std::size_t count = element_count(dims);
    std::span<const float> data;
    if (count <= weights_.size()) {
      data = weights_.first(count);
      weights_ = weights_.subspan(count);
    }
    return add(std::move(name), std::move(dims), Kind::static_, data);
  }

  /// Adds a layer with one output of the same name.
  std::size_t layer(Op op, const std::string& name, std::vector<std::size_t> inputs, Dims dims,
                    std::vector<Param> params = {}) {
    const std::size_t output = add(name, std::move(dims), Kind::native);
    segment_.layers.push_back({op, name + "_op", std::move(inputs), {output}, std::move(params)});
    return output;
  }

  Segment segment_;
  std::span<const float>& weights_;
};

}  // namespace detail

/// Returns the network's segments in the order they run. Their static tensors borrow from
/// `weights`, which holds weight_count() values (the result of load_weights()). With an empty span
/// the static tensors have no data.
[[nodiscard]] inline std::array<Segment, 4> make_segments(std::span<const float> weights) {
  using detail::SegmentBuilder;

  SegmentBuilder stem("stem", "image", {batch, 28, 28, 1}, weights);
  const auto edges = stem.relu("edges", stem.conv("edges_conv", stem.input(), 8, 3, 1));
  auto stem_segment =
      stem.finish(stem.sum("strokes", edges, stem.conv("edges_more", edges, 8, 3, 1)));

  SegmentBuilder features("features", "strokes", {batch, 28, 28, 8}, weights);
  const auto coarse =
      features.relu("coarse", features.conv("coarse_conv", features.input(), 20, 3, 2));
  const auto fine = features.relu("fine", features.conv("fine_conv", coarse, 20, 3, 1));
  const auto finer = features.sum("finer", fine, features.conv("finer_conv", fine, 20, 3, 1));
  auto features_segment =
      features.finish(features.relu("parts", features.sum("parts_sum", coarse, finer)));

  SegmentBuilder gate("gate", "parts", {batch, 14, 14, 20}, weights);
  const auto shapes = gate.relu("shapes", gate.conv("shapes_conv", gate.input(), 48, 3, 2));
  const auto gated = gate.product("gated", shapes, gate.conv("gate_conv", shapes, 48, 1, 1));
  const auto kept = gate.sum("kept", shapes, gated);
  auto gate_segment =
      gate.finish(gate.relu("positions", gate.conv("positions_conv", kept, 32, 1, 1)));

  SegmentBuilder top("classifier", "positions", {batch, 7, 7, 32}, weights);
  const auto rows = top.reshape("rows", top.input(), {batch * 49, 32});
  const auto asked = top.fully_connected("asked", rows, 32);
  const auto queries = top.reshape("queries", asked, {batch, 49, 32});
  const auto values = top.reshape("values", rows, {batch, 49, 32});
  const auto keys = top.transpose("keys", values, {0, 2, 1});
  const auto scores = top.mat_mul("scores", queries, keys);
  const auto attention = top.softmax("attention", scores, 0.176776695F);  // 1 / sqrt(32)
  const auto seen = top.sum("seen", values, top.mat_mul("mixed", attention, values));
  const auto flat = top.reshape("flat", seen, {batch, 49 * 32});
  const auto hidden = top.relu("hidden", top.fully_connected("hidden_fc", flat, 64));
  const auto logits = top.fully_connected("logits", hidden, classes);
  auto top_segment = top.finish(top.softmax("probabilities", logits, 1.0F));

  return {std::move(stem_segment), std::move(features_segment), std::move(gate_segment),
          std::move(top_segment)};
}

/// Number of weights of the whole network, in floats.
[[nodiscard]] inline std::size_t weight_count() {
  std::size_t count = 0;
  for (const Segment& segment : make_segments({})) {
    for (const TensorSpec& tensor : segment.tensors) {
      if (tensor.kind == Kind::static_) count += tensor.elements();
    }
  }
  return count;
}

}  // namespace digits
