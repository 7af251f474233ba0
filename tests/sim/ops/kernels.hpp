// The arithmetic: plain float32 loops over dense row-major memory. Deterministic: the order of
// additions does not depend on addresses. No allocation, no state. Outputs never overlap inputs.
// Inner loops use contiguous blocks of a fixed width, so that compilers vectorise them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/ops/ops.hpp"

namespace qnnpp::sim {

namespace detail {

/// sum[0..Width) += the sum over k of a[k * a_step] * b[k * b_step + 0..Width).
template <std::size_t Width>
inline void accumulate(float (&sum)[Width], const float* a, std::uint64_t a_step, const float* b,
                       std::uint64_t b_step, std::uint64_t count) noexcept {
  for (std::uint64_t k = 0; k < count; ++k, a += a_step, b += b_step) {
    const float factor = *a;
    for (std::size_t j = 0; j < Width; ++j) sum[j] += factor * b[j];
  }
}

/// Returns the sum of a[i] * b[i], with eight partial sums.
inline float dot(const float* a, const float* b, std::uint64_t count) noexcept {
  float partial[8] = {};
  std::uint64_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (std::size_t j = 0; j < 8; ++j) partial[j] += a[i + j] * b[i + j];
  float sum = 0.0f;
  for (; i < count; ++i) sum += a[i] * b[i];
  for (const float value : partial) sum += value;
  return sum;
}

/// Covers `count` elements with calls block(offset, width), with widths 16, 4 and 1 as compile-time
/// constants.
template <typename Block>
inline void in_blocks(std::uint64_t count, Block block) noexcept {
  std::uint64_t i = 0;
  for (; i + 16 <= count; i += 16) block.template operator()<16>(i);
  for (; i + 4 <= count; i += 4) block.template operator()<4>(i);
  for (; i < count; ++i) block.template operator()<1>(i);
}

inline void multiply_matrices(const MatMulOp& op, const float* a, const float* b,
                              float* out) noexcept {
  const std::uint64_t a_row = op.transpose_in0 ? 1 : op.k;
  const std::uint64_t a_step = op.transpose_in0 ? op.m : 1;
  for (std::uint64_t i = 0; i < op.m; ++i, a += a_row, out += op.n) {
    if (!op.transpose_in1) {
      in_blocks(op.n, [&]<std::size_t Width>(std::uint64_t j) {
        float sum[Width] = {};
        accumulate(sum, a, a_step, b + j, op.n, op.k);
        std::copy_n(sum, Width, out + j);
      });
    } else if (!op.transpose_in0) {
      for (std::uint64_t j = 0; j < op.n; ++j) out[j] = dot(a, b + j * op.k, op.k);
    } else {
      for (std::uint64_t j = 0; j < op.n; ++j) {
        float sum[1] = {};
        accumulate(sum, a, a_step, b + j * op.k, 1, op.k);
        out[j] = sum[0];
      }
    }
  }
}

/// Calls visit(offset0, offset1) for every index of `rank` dimensions, in row-major order, with the
/// offsets into two inputs.
template <typename Visit>
inline void walk(const std::uint32_t* dimensions, std::uint32_t rank, const std::uint64_t* stride0,
                 const std::uint64_t* stride1, Visit visit) noexcept {
  std::array<std::uint32_t, max_rank> index{};
  std::uint64_t offset0 = 0, offset1 = 0;
  for (;;) {
    visit(offset0, offset1);
    std::uint32_t axis = rank;
    for (;;) {
      if (axis == 0) return;
      --axis;
      offset0 += stride0[axis];
      offset1 += stride1[axis];
      if (++index[axis] < dimensions[axis]) break;
      offset0 -= stride0[axis] * dimensions[axis];
      offset1 -= stride1[axis] * dimensions[axis];
      index[axis] = 0;
    }
  }
}

template <typename Combine>
inline void run_broadcast(const BroadcastOp& op, const float* in0, const float* in1, float* out,
                          Combine combine) noexcept {
  const std::uint32_t outer = op.rank - 1;
  const std::uint64_t count = op.dimensions[outer];
  const bool moves0 = op.stride0[outer] != 0, moves1 = op.stride1[outer] != 0;
  walk(op.dimensions.data(), outer, op.stride0.data(), op.stride1.data(),
       [&](std::uint64_t offset0, std::uint64_t offset1) {
         const float* a = in0 + offset0;
         const float* b = in1 + offset1;
         if (moves0 && moves1) {
           for (std::uint64_t i = 0; i < count; ++i) out[i] = combine(a[i], b[i]);
         } else if (moves0) {
           const float value = *b;
           for (std::uint64_t i = 0; i < count; ++i) out[i] = combine(a[i], value);
         } else if (moves1) {
           const float value = *a;
           for (std::uint64_t i = 0; i < count; ++i) out[i] = combine(value, b[i]);
         } else {
           std::fill_n(out, count, combine(*a, *b));
         }
         out += count;
       });
}

/// Computes one output position of a convolution: the channels [oc, oc + Width) of one group.
template <std::size_t Width>
inline void convolve_block(const Conv2dOp& op, const float* in, const float* filter,
                           const float* bias, std::uint64_t oy, std::uint64_t ox,
                           std::uint64_t first_in, std::uint64_t oc, float* out) noexcept {
  const std::uint64_t group_in = op.in_c / op.group;
  float sum[Width] = {};
  if (op.has_bias) std::copy_n(bias + oc, Width, sum);
  for (std::uint64_t ky = 0; ky < op.kernel_h; ++ky) {
    // Positions in the padding wrap around to large numbers.
    const std::uint64_t iy = oy * op.stride_h + ky * op.dilation_h - op.pad_top;
    if (iy >= op.in_h) continue;
    for (std::uint64_t kx = 0; kx < op.kernel_w; ++kx) {
      const std::uint64_t ix = ox * op.stride_w + kx * op.dilation_w - op.pad_left;
      if (ix >= op.in_w) continue;
      accumulate(sum, in + (iy * op.in_w + ix) * op.in_c + first_in, 1,
                 filter + (ky * op.kernel_w + kx) * group_in * op.out_c + oc, op.out_c, group_in);
    }
  }
  std::copy_n(sum, Width, out + oc);
}

}  // namespace detail

inline void run_mat_mul(const MatMulOp& op, const float* in0, const float* in1,
                        float* out) noexcept {
  detail::walk(op.batch.data(), op.batch_rank, op.stride0.data(), op.stride1.data(),
               [&](std::uint64_t offset0, std::uint64_t offset1) {
                 detail::multiply_matrices(op, in0 + offset0, in1 + offset1, out);
                 out += op.m * op.n;
               });
}

/// Reads `bias` only if op.has_bias.
inline void run_fully_connected(const FullyConnectedOp& op, const float* in, const float* weights,
                                const float* bias, float* out) noexcept {
  for (std::uint64_t row = 0; row < op.rows; ++row, in += op.in, out += op.out)
    for (std::uint64_t j = 0; j < op.out; ++j)
      out[j] = detail::dot(in, weights + j * op.in, op.in) + (op.has_bias ? bias[j] : 0.0f);
}

inline void run_add(const BroadcastOp& op, const float* in0, const float* in1,
                    float* out) noexcept {
  detail::run_broadcast(op, in0, in1, out, [](float a, float b) { return a + b; });
}

inline void run_multiply(const BroadcastOp& op, const float* in0, const float* in1,
                         float* out) noexcept {
  detail::run_broadcast(op, in0, in1, out, [](float a, float b) { return a * b; });
}

/// Keeps NaN.
inline void run_relu(const FlatOp& op, const float* in, float* out) noexcept {
  for (std::uint64_t i = 0; i < op.count; ++i) out[i] = in[i] < 0.0f ? 0.0f : in[i];
}

inline void run_softmax(const SoftmaxOp& op, const float* in, float* out) noexcept {
  for (std::uint64_t outer = 0; outer < op.outer; ++outer) {
    for (std::uint64_t inner = 0; inner < op.inner; ++inner) {
      const std::uint64_t start = outer * op.axis * op.inner + inner;
      float largest = op.beta * in[start];
      for (std::uint64_t i = 1; i < op.axis; ++i)
        largest = std::max(largest, op.beta * in[start + i * op.inner]);
      float sum = 0.0f;
      for (std::uint64_t i = 0; i < op.axis; ++i) {
        const float value = std::exp(op.beta * in[start + i * op.inner] - largest);
        out[start + i * op.inner] = value;
        sum += value;
      }
      for (std::uint64_t i = 0; i < op.axis; ++i) out[start + i * op.inner] /= sum;
    }
  }
}

/// Reshape and Convert: copies the numbers; run_node() converts the elements. A Reshape between
/// equal element types copies bytes instead.
inline void run_copy(const FlatOp& op, const float* in, float* out) noexcept {
  std::memcpy(out, in, op.count * sizeof(float));
}

inline void run_transpose(const TransposeOp& op, const float* in, float* out) noexcept {
  const std::uint32_t outer = op.rank - 1;
  const std::uint64_t count = op.dimensions[outer], step = op.stride[outer];
  detail::walk(op.dimensions.data(), outer, op.stride.data(), op.stride.data(),
               [&](std::uint64_t offset, std::uint64_t) {
                 const float* from = in + offset;
                 for (std::uint64_t i = 0; i < count; ++i) out[i] = from[i * step];
                 out += count;
               });
}

/// Reads `bias` only if op.has_bias.
inline void run_conv2d(const Conv2dOp& op, const float* in, const float* filter, const float* bias,
                       float* out) noexcept {
  const std::uint64_t group_in = op.in_c / op.group, group_out = op.out_c / op.group;
  for (std::uint64_t image = 0; image < op.batch; ++image, in += op.in_h * op.in_w * op.in_c)
    for (std::uint64_t oy = 0; oy < op.out_h; ++oy)
      for (std::uint64_t ox = 0; ox < op.out_w; ++ox, out += op.out_c)
        for (std::uint64_t g = 0; g < op.group; ++g)
          detail::in_blocks(group_out, [&]<std::size_t Width>(std::uint64_t block) {
            detail::convolve_block<Width>(op, in, filter, bias, oy, ox, g * group_in,
                                          g * group_out + block, out);
          });
}

}  // namespace qnnpp::sim
