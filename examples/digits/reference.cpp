// Definitions of reference.hpp. A separate source, because it is optimised in debug builds too.
#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "layers.hpp"

namespace digits {

namespace {

/// A tensor while a segment runs: its values, and its shape by reference.
struct View {
  std::span<const float> data;
  const Dims& dims;
};

void conv_2d(const Layer& layer, View in, View filter, View bias, const Dims& out_dims,
             std::span<float> out) {
  const auto& stride = layer.param<UintTensor>("stride")->values;
  const auto& pad = layer.param<UintTensor>("pad_amount")->values;  // top, bottom, left, right
  const std::size_t height = in.dims[1], width = in.dims[2], channels = in.dims[3];
  const std::size_t rows = filter.dims[0], columns = filter.dims[1], filters = filter.dims[3];
  std::size_t at = 0;
  for (std::size_t n = 0; n < out_dims[0]; ++n) {
    for (std::size_t y = 0; y < out_dims[1]; ++y) {
      for (std::size_t x = 0; x < out_dims[2]; ++x) {
        const std::span<float> sums = out.subspan(at, filters);
        at += filters;
        std::ranges::copy(bias.data, sums.begin());
        for (std::size_t r = 0; r < rows; ++r) {
          const std::size_t from_y = y * stride[0] + r;
          if (from_y < pad[0] || from_y - pad[0] >= height) continue;
          for (std::size_t c = 0; c < columns; ++c) {
            const std::size_t from_x = x * stride[1] + c;
            if (from_x < pad[2] || from_x - pad[2] >= width) continue;
            const std::size_t pixel = (n * height + from_y - pad[0]) * width + from_x - pad[2];
            const std::size_t tap = (r * columns + c) * channels;
            for (std::size_t i = 0; i < channels; ++i) {
              const float value = in.data[pixel * channels + i];
              const float* const weights = &filter.data[(tap + i) * filters];
              for (std::size_t f = 0; f < filters; ++f) sums[f] += value * weights[f];
            }
          }
        }
      }
    }
  }
}

void fully_connected(View in, View weights, View bias, std::span<float> out) {
  const std::size_t outputs = weights.dims[0], inputs = weights.dims[1];
  for (std::size_t row = 0; row < in.data.size() / inputs; ++row) {
    for (std::size_t o = 0; o < outputs; ++o) {
      float sum = bias.data[o];
      for (std::size_t i = 0; i < inputs; ++i) {
        sum += in.data[row * inputs + i] * weights.data[o * inputs + i];
      }
      out[row * outputs + o] = sum;
    }
  }
}

void mat_mul(const Layer& layer, View a, View b, std::span<float> out) {
  const bool* flip_a = layer.param<bool>("transpose_in0");
  const bool* flip_b = layer.param<bool>("transpose_in1");
  const bool a_flipped = flip_a && *flip_a, b_flipped = flip_b && *flip_b;
  const std::size_t a_rows = a.dims.end()[-2], a_columns = a.dims.end()[-1];
  const std::size_t b_rows = b.dims.end()[-2], b_columns = b.dims.end()[-1];
  const std::size_t m = a_flipped ? a_columns : a_rows, k = a_flipped ? a_rows : a_columns;
  const std::size_t n = b_flipped ? b_rows : b_columns;
  for (std::size_t matrix = 0; matrix < a.data.size() / (m * k); ++matrix) {
    const auto left = a.data.subspan(matrix * m * k), right = b.data.subspan(matrix * k * n);
    for (std::size_t y = 0; y < m; ++y) {
      for (std::size_t x = 0; x < n; ++x) {
        float sum = 0;
        for (std::size_t i = 0; i < k; ++i) {
          sum += left[a_flipped ? i * a_columns + y : y * a_columns + i] *
                 right[b_flipped ? x * b_columns + i : i * b_columns + x];
        }
        out[(matrix * m + y) * n + x] = sum;
      }
    }
  }
}

void softmax(const Layer& layer, View in, std::span<float> out) {
  const auto* given_axis = layer.param<std::uint32_t>("axis");
  const auto* given_beta = layer.param<float>("beta");
  const std::size_t axis = given_axis ? *given_axis : in.dims.size() - 1;
  const float beta = given_beta ? *given_beta : 1.0F;
  const std::size_t length = in.dims[axis];
  const std::size_t step = element_count(std::span(in.dims).subspan(axis + 1));
  for (std::size_t first = 0; first < in.data.size(); ++first) {
    if (first / step % length != 0) continue;  // not the first element of a line along the axis
    float highest = in.data[first];
    for (std::size_t i = 1; i < length; ++i) highest = std::max(highest, in.data[first + i * step]);
    float total = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t at = first + i * step;
      out[at] = std::exp((in.data[at] - highest) * beta);
      total += out[at];
    }
    for (std::size_t i = 0; i < length; ++i) out[first + i * step] /= total;
  }
}

void transpose(const Layer& layer, View in, const Dims& out_dims, std::span<float> out) {
  const auto& perm = layer.param<UintTensor>("perm")->values;
  for (std::size_t to = 0; to < out.size(); ++to) {
    std::size_t from = 0, rest = to;
    for (std::size_t axis = perm.size(); axis-- > 0;) {
      const std::size_t index = rest % out_dims[axis];
      rest /= out_dims[axis];
      from += index * element_count(std::span(in.dims).subspan(perm[axis] + 1));
    }
    out[to] = in.data[from];
  }
}

}  // namespace

void run_layer(const Segment& segment, const Layer& layer,
               std::span<const std::span<const float>> inputs, std::span<float> out) {
  const auto view = [&](std::size_t i) {
    return View{inputs[i], segment.tensors[layer.inputs[i]].dims};
  };
  const Dims& out_dims = segment.tensors[layer.outputs[0]].dims;
  switch (layer.op) {
    case Op::conv_2d: return conv_2d(layer, view(0), view(1), view(2), out_dims, out);
    case Op::fully_connected: return fully_connected(view(0), view(1), view(2), out);
    case Op::mat_mul: return mat_mul(layer, view(0), view(1), out);
    case Op::softmax: return softmax(layer, view(0), out);
    case Op::transpose: return transpose(layer, view(0), out_dims, out);
    case Op::relu:
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::max(inputs[0][i], 0.0F);
      return;
    case Op::element_wise_add:
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = inputs[0][i] + inputs[1][i];
      return;
    case Op::element_wise_multiply:
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = inputs[0][i] * inputs[1][i];
      return;
    case Op::reshape: std::copy(inputs[0].begin(), inputs[0].end(), out.begin()); return;
  }
}

std::vector<float> run_segment(const Segment& segment, std::span<const float> input) {
  std::vector<std::vector<float>> made(segment.tensors.size());
  for (const Layer& layer : segment.layers) {
    std::vector<std::span<const float>> inputs;
    for (const std::size_t tensor : layer.inputs) {
      const bool is_static = segment.tensors[tensor].kind == Kind::static_;
      inputs.push_back(tensor == segment.input ? input
                       : is_static             ? segment.tensors[tensor].data
                                               : std::span<const float>(made[tensor]));
    }
    const std::size_t output = layer.outputs[0];
    made[output].resize(segment.tensors[output].elements());
    run_layer(segment, layer, inputs, made[output]);
  }
  return std::move(made[segment.output]);
}

std::vector<float> run_network(std::span<const Segment> segments, std::span<const float> input) {
  std::vector<float> values(input.begin(), input.end());
  for (const Segment& segment : segments) values = run_segment(segment, values);
  return values;
}

float largest_difference(std::span<const float> found, std::span<const float> expected) noexcept {
  float largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const float difference = std::abs(found[i] - expected[i]);
    if (!(difference <= std::numeric_limits<float>::max()))
      return std::numeric_limits<float>::infinity();
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace digits
