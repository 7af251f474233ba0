// A plain float forward pass over the network's data: naive loops in the order of the definitions.
// The reference for the results of a real or simulated device.
#pragma once

#include <span>
#include <vector>

#include "layers.hpp"

namespace digits {

/// Runs one layer. `inputs` are the values of layer.inputs, in that order; `out` has the size of
/// its one output.
void run_layer(const Segment& segment, const Layer& layer,
               std::span<const std::span<const float>> inputs, std::span<float> out);

/// Runs a segment. `input` has the size of its input tensor; the result has the size of its output.
[[nodiscard]] std::vector<float> run_segment(const Segment& segment, std::span<const float> input);

/// Runs all segments, each on the output of the one before.
[[nodiscard]] std::vector<float> run_network(std::span<const Segment> segments,
                                             std::span<const float> input);

/// Returns the largest difference of two results of equal size; infinity if a value is not a
/// number.
[[nodiscard]] float largest_difference(std::span<const float> found,
                                       std::span<const float> expected) noexcept;

}  // namespace digits
