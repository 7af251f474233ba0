// The digits network made deep: residual blocks, each a segment, between gate and classifier.
//
//   stem -> features -> gate -> block 1 -> ... -> block n -> classifier
//
// A block adds to each of the 49 positions the result of two small layers:
//   y = x + second(relu(first(x)))
// Its weights are small and fixed by a formula, so that the network still recognises the digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "network.hpp"

namespace digits {

/// Returns the weights of all blocks: floats from -0.05 to 0.05, the same in every run.
[[nodiscard]] inline std::vector<float> make_block_weights(std::size_t blocks) {
  constexpr std::size_t of_a_layer = std::size_t{32} * 32 + 32;
  std::vector<float> weights(blocks * 2 * of_a_layer);
  std::uint32_t state = 1;
  for (float& weight : weights) {
    state = state * 1664525U + 1013904223U;
    weight = (static_cast<float>(state >> 8U) / 16777216.0F - 0.5F) * 0.1F;
  }
  return weights;
}

/// The segments of the deep network in the order they run. Their static tensors borrow from
/// `weights` (see make_segments()) and from `block_weights` (the result of make_block_weights()).
[[nodiscard]] inline std::vector<Segment> make_deep_segments(std::span<const float> weights,
                                                             std::span<const float> block_weights,
                                                             std::size_t blocks) {
  auto [stem, features, gate, classifier] = make_segments(weights);
  std::vector<Segment> segments;
  segments.push_back(std::move(stem));
  segments.push_back(std::move(features));
  segments.push_back(std::move(gate));
  for (std::size_t i = 1; i <= blocks; ++i) {
    const std::string number = std::to_string(i);
    detail::SegmentBuilder block("block_" + number, "positions", {batch, 7, 7, 32}, block_weights);
    const auto first = block.relu("first", block.conv("first_conv", block.input(), 32, 1, 1));
    const auto second = block.conv("second_conv", first, 32, 1, 1);
    segments.push_back(block.finish(block.sum("refined", block.input(), second)));
  }
  segments.push_back(std::move(classifier));
  return segments;
}

}  // namespace digits
