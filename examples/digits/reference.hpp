// A plain float forward pass over the network's data: naive loops in the order of the definitions.
// It is what results of a real or simulated device are compared with.
#pragma once

#include <span>
#include <vector>

#include "layers.hpp"

namespace digits {

/// Runs one layer. `inputs` are the values of layer.inputs, in that order; `out` has the size of
/// its one output.
void run_layer(const Segment& segment, const Layer& layer,
               std::span<const std::span<const float>> inputs, std::span<float> out);

/// Runs a segment: `input` has the size of its input tensor, the result that of its output.
[[nodiscard]] std::vector<float> run_segment(const Segment& segment, std::span<const float> input);

/// Runs all segments, each on the output of the one before.
[[nodiscard]] std::vector<float> run_network(std::span<const Segment> segments,
                                             std::span<const float> input);

/// The largest difference of two results of one size; infinity where one of them is no number.
[[nodiscard]] float largest_difference(std::span<const float> found,
                                       std::span<const float> expected) noexcept;

}  // namespace digits
