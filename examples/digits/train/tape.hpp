// Forward and backward through the network's data: values and gradients of every tensor.
// Made for speed (matrix products); reference.hpp is made for reading.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../network.hpp"
#include "gemm.hpp"

namespace digits::train {

/// One batch in the network. Reads the weights through the segments, so that an optimiser can
/// change them between batches. Weight gradients add up until they are cleared.
class Tape {
 public:
  /// `segments` and the `weights` that they borrow from outlive the tape.
  Tape(std::span<const Segment> segments, std::span<const float> weights)
      : segments_(segments), weights_(weights), weight_gradients(weights.size()) {
    for (const Segment& segment : segments) {
      auto& cells = cells_.emplace_back(segment.tensors.size());
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const TensorSpec& tensor = segment.tensors[i];
        if (tensor.kind == Kind::static_) continue;
        cells[i].value.resize(tensor.elements());
        cells[i].gradient.resize(tensor.elements());
      }
      patches_.emplace_back(segment.layers.size());
    }
  }

  /// The network's input; fill it before forward().
  [[nodiscard]] std::span<float> input() { return cells_[0][segments_[0].input].value; }

  /// The network's output after the last forward().
  [[nodiscard]] std::span<const float> output() const {
    return cells_.back()[segments_.back().output].value;
  }

  void forward() {
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      if (s > 0) at(s, segments_[s].input).value = at(s - 1, segments_[s - 1].output).value;
      for (std::size_t l = 0; l < segments_[s].layers.size(); ++l) forward_layer(s, l);
    }
  }

  /// Adds the gradients of the cross-entropy, summed over the batch, to weight_gradients. The
  /// network ends in a softmax along the classes; the gradient starts at the input of that softmax.
  void backward(std::span<const std::uint8_t> labels) {
    for (auto& cells : cells_) {
      for (Cell& cell : cells) std::fill(cell.gradient.begin(), cell.gradient.end(), 0.0F);
    }
    for (std::size_t s = segments_.size(); s-- > 0;) {
      const auto& layers = segments_[s].layers;
      std::size_t left = layers.size();
      if (s + 1 == segments_.size()) {
        Cell& logits = at(s, layers[--left].inputs[0]);
        logits.gradient.assign(output().begin(), output().end());
        for (std::size_t i = 0; i < labels.size(); ++i) {
          logits.gradient[i * classes + labels[i]] -= 1.0F;
        }
      } else {
        at(s, segments_[s].output).gradient = at(s + 1, segments_[s + 1].input).gradient;
      }
      while (left-- > 0) backward_layer(s, left);
    }
  }

 private:
  struct Cell {
    std::vector<float> value, gradient;
  };

  const std::span<const Segment> segments_;
  const std::span<const float> weights_;
  std::vector<std::vector<Cell>> cells_;                  // per segment, per tensor
  std::vector<std::vector<std::vector<float>>> patches_;  // per segment, per convolution

 public:
  std::vector<float> weight_gradients;

 private:
  Cell& at(std::size_t s, std::size_t tensor) { return cells_[s][tensor]; }
  const TensorSpec& spec(std::size_t s, std::size_t tensor) const {
    return segments_[s].tensors[tensor];
  }
  const float* values(std::size_t s, std::size_t tensor) {
    const TensorSpec& of = spec(s, tensor);
    return of.kind == Kind::static_ ? of.data.data() : at(s, tensor).value.data();
  }
  float* gradients(std::size_t s, std::size_t tensor) {
    const TensorSpec& of = spec(s, tensor);
    if (of.kind != Kind::static_) return at(s, tensor).gradient.data();
    return weight_gradients.data() + (of.data.data() - weights_.data());
  }

  /// Calls visit(place in the patches, place in the image) for every tap that hits the image;
  /// a place is the first of the pixel's channels.
  template <class Visit>
  void each_tap(std::size_t s, const Layer& layer, Visit visit) const {
    const Dims& in = spec(s, layer.inputs[0]).dims;
    const Dims& filter = spec(s, layer.inputs[1]).dims;
    const Dims& out = spec(s, layer.outputs[0]).dims;
    const auto& stride = layer.param<UintTensor>("stride")->values;
    const auto& pad = layer.param<UintTensor>("pad_amount")->values;
    std::size_t patch = 0;
    for (std::size_t n = 0; n < out[0]; ++n) {
      for (std::size_t y = 0; y < out[1]; ++y) {
        for (std::size_t x = 0; x < out[2]; ++x) {
          for (std::size_t r = 0; r < filter[0]; ++r) {
            for (std::size_t c = 0; c < filter[1]; ++c, patch += in[3]) {
              // A place above or left of the image wraps to a huge number.
              const std::size_t from_y = y * stride[0] + r - pad[0];
              const std::size_t from_x = x * stride[1] + c - pad[2];
              if (from_y >= in[1] || from_x >= in[2]) continue;
              visit(patch, ((n * in[1] + from_y) * in[2] + from_x) * in[3]);
            }
          }
        }
      }
    }
  }

  /// A layer as matrix product: rows x inner, inner x columns.
  struct Shape {
    std::size_t rows, columns, inner;
  };
  Shape shape(std::size_t s, const Layer& layer) const {
    const Dims& out = spec(s, layer.outputs[0]).dims;
    const Dims& second = spec(s, layer.inputs[1]).dims;
    const std::size_t columns = out.back();
    const std::size_t inner = layer.op == Op::mat_mul ? second[1] : element_count(second) / columns;
    const std::size_t rows = layer.op == Op::mat_mul ? out[1] : element_count(out) / columns;
    return {rows, columns, inner};
  }

  void start_with_bias(std::size_t s, const Layer& layer, std::span<float> out) {
    const auto bias = spec(s, layer.inputs[2]).data;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = bias[i % bias.size()];
  }

  void forward_layer(std::size_t s, std::size_t l) {
    const Layer& layer = segments_[s].layers[l];
    std::vector<float>& out = at(s, layer.outputs[0]).value;
    const float* a = values(s, layer.inputs[0]);
    const float* b = layer.inputs.size() > 1 ? values(s, layer.inputs[1]) : nullptr;
    switch (layer.op) {
      case Op::conv_2d: {
        const auto [rows, columns, inner] = shape(s, layer);
        const std::size_t channels = spec(s, layer.inputs[0]).dims[3];
        std::vector<float>& patches = patches_[s][l];
        patches.assign(rows * inner, 0.0F);
        each_tap(s, layer, [&](std::size_t patch, std::size_t pixel) {
          for (std::size_t i = 0; i < channels; ++i) patches[patch + i] = a[pixel + i];
        });
        start_with_bias(s, layer, out);
        return gemm(rows, columns, inner, rows_of(patches.data(), inner), rows_of(b, columns),
                    out.data());
      }
      case Op::fully_connected: {
        const auto [rows, columns, inner] = shape(s, layer);
        start_with_bias(s, layer, out);
        return gemm(rows, columns, inner, rows_of(a, inner), columns_of(b, inner), out.data());
      }
      case Op::mat_mul: {
        const auto [rows, columns, inner] = shape(s, layer);
        std::fill(out.begin(), out.end(), 0.0F);
        for (std::size_t n = 0; n < batch; ++n) {
          gemm(rows, columns, inner, rows_of(a + n * rows * inner, inner),
               rows_of(b + n * inner * columns, columns), out.data() + n * rows * columns);
        }
        return;
      }
      case Op::softmax: {
        const std::size_t length = spec(s, layer.outputs[0]).dims.back();
        const float beta = *layer.param<float>("beta");
        for (std::size_t first = 0; first < out.size(); first += length) {
          const float highest = *std::max_element(a + first, a + first + length);
          float total = 0;
          for (std::size_t i = first; i < first + length; ++i) {
            total += out[i] = std::exp((a[i] - highest) * beta);
          }
          for (std::size_t i = first; i < first + length; ++i) out[i] /= total;
        }
        return;
      }
      case Op::relu:
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::max(a[i], 0.0F);
        return;
      case Op::element_wise_add:
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] + b[i];
        return;
      case Op::element_wise_multiply:
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] * b[i];
        return;
      case Op::reshape: std::copy_n(a, out.size(), out.begin()); return;
      case Op::transpose: {
        const auto [from_rows, from_columns] = last_two(s, layer);
        each_swap(out.size(), from_rows, from_columns,
                  [&](std::size_t from, std::size_t to) { out[to] = a[from]; });
        return;
      }
    }
  }

  void backward_layer(std::size_t s, std::size_t l) {
    const Layer& layer = segments_[s].layers[l];
    const std::vector<float>& out = at(s, layer.outputs[0]).value;
    const float* up = at(s, layer.outputs[0]).gradient.data();
    const float* a = values(s, layer.inputs[0]);
    float* da = gradients(s, layer.inputs[0]);
    const float* b = layer.inputs.size() > 1 ? values(s, layer.inputs[1]) : nullptr;
    float* db = layer.inputs.size() > 1 ? gradients(s, layer.inputs[1]) : nullptr;
    if (layer.inputs.size() > 2) {
      float* bias = gradients(s, layer.inputs[2]);
      const std::size_t length = spec(s, layer.inputs[2]).elements();
      for (std::size_t i = 0; i < out.size(); ++i) bias[i % length] += up[i];
    }
    switch (layer.op) {
      case Op::conv_2d: {
        const auto [rows, columns, inner] = shape(s, layer);
        std::vector<float>& patches = patches_[s][l];
        gemm(inner, columns, rows, columns_of(patches.data(), inner), rows_of(up, columns), db);
        if (s == 0 && layer.inputs[0] == segments_[0].input) return;  // the image needs no gradient
        const std::size_t channels = spec(s, layer.inputs[0]).dims[3];
        std::fill(patches.begin(), patches.end(), 0.0F);
        gemm(rows, inner, columns, rows_of(up, columns), columns_of(b, columns), patches.data());
        each_tap(s, layer, [&](std::size_t patch, std::size_t pixel) {
          for (std::size_t i = 0; i < channels; ++i) da[pixel + i] += patches[patch + i];
        });
        return;
      }
      case Op::fully_connected: {
        const auto [rows, columns, inner] = shape(s, layer);
        gemm(columns, inner, rows, columns_of(up, columns), rows_of(a, inner), db);
        return gemm(rows, inner, columns, rows_of(up, columns), rows_of(b, inner), da);
      }
      case Op::mat_mul: {
        const auto [rows, columns, inner] = shape(s, layer);
        for (std::size_t n = 0; n < batch; ++n) {
          const std::size_t a_at = n * rows * inner, b_at = n * inner * columns;
          const Matrix above = rows_of(up + n * rows * columns, columns);
          gemm(rows, inner, columns, above, columns_of(b + b_at, columns), da + a_at);
          gemm(inner, columns, rows, columns_of(a + a_at, inner), above, db + b_at);
        }
        return;
      }
      case Op::softmax: {
        const std::size_t length = spec(s, layer.outputs[0]).dims.back();
        const float beta = *layer.param<float>("beta");
        for (std::size_t first = 0; first < out.size(); first += length) {
          float mean = 0;
          for (std::size_t i = first; i < first + length; ++i) mean += out[i] * up[i];
          for (std::size_t i = first; i < first + length; ++i) {
            da[i] += beta * out[i] * (up[i] - mean);
          }
        }
        return;
      }
      case Op::relu:
        for (std::size_t i = 0; i < out.size(); ++i) da[i] += out[i] > 0.0F ? up[i] : 0.0F;
        return;
      case Op::element_wise_add:
        for (std::size_t i = 0; i < out.size(); ++i) da[i] += up[i], db[i] += up[i];
        return;
      case Op::element_wise_multiply:
        for (std::size_t i = 0; i < out.size(); ++i) da[i] += up[i] * b[i], db[i] += up[i] * a[i];
        return;
      case Op::reshape:
        for (std::size_t i = 0; i < out.size(); ++i) da[i] += up[i];
        return;
      case Op::transpose: {
        const auto [from_rows, from_columns] = last_two(s, layer);
        each_swap(out.size(), from_rows, from_columns,
                  [&](std::size_t from, std::size_t to) { da[from] += up[to]; });
        return;
      }
    }
  }

  /// The network's transpositions swap the last two of three dimensions.
  struct Plane {
    std::size_t rows, columns;
  };
  Plane last_two(std::size_t s, const Layer& layer) const {
    const Dims& in = spec(s, layer.inputs[0]).dims;
    return {in[1], in[2]};
  }
  template <class Visit>
  static void each_swap(std::size_t size, std::size_t rows, std::size_t columns, Visit visit) {
    for (std::size_t plane = 0; plane < size; plane += rows * columns) {
      for (std::size_t y = 0; y < rows; ++y) {
        for (std::size_t x = 0; x < columns; ++x) {
          visit(plane + y * columns + x, plane + x * rows + y);
        }
      }
    }
  }
};

}  // namespace digits::train
