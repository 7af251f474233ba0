// The ten ops of package "qti.aisw" in the simulated HTP, each as the numbers that its
// kernel needs. op_resolve.hpp creates them from a node.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "qnnpp/abi/op.hpp"

#include "sim/ops/network.hpp"

namespace qnnpp::sim {

/// Kind of an op; op_type_name() returns QNN's name.
enum class OpKind : std::uint8_t {
  mat_mul,
  fully_connected,
  element_wise_add,
  element_wise_multiply,
  relu,
  softmax,
  reshape,
  transpose,
  conv2d,
  convert,
};

/// QNN's names of the op types, by kind.
inline constexpr std::array op_type_names{c_api::op_names::mat_mul::type,
                                          c_api::op_names::fully_connected::type,
                                          c_api::op_names::element_wise_add::type,
                                          c_api::op_names::element_wise_multiply::type,
                                          c_api::op_names::relu::type,
                                          c_api::op_names::softmax::type,
                                          c_api::op_names::reshape::type,
                                          c_api::op_names::transpose::type,
                                          c_api::op_names::conv2d::type,
                                          c_api::op_names::convert::type};
inline constexpr std::size_t op_kind_count = op_type_names.size();

/// The only supported op package.
inline constexpr const char* op_package_name = c_api::op_names::package_qti_aisw;

/// Returns QNN's name of the op type, as static text.
inline const char* op_type_name(OpKind kind) noexcept {
  return op_type_names[static_cast<std::size_t>(kind)];
}

/// Finds the kind by QNN's name. Returns false for an unsupported op.
inline bool find_op_kind(std::string_view type_name, OpKind& kind) noexcept {
  for (std::size_t i = 0; i < op_kind_count; ++i) {
    if (type_name != op_type_names[i]) continue;
    kind = static_cast<OpKind>(i);
    return true;
  }
  return false;
}

/// Matrices of [m, k] by [k, n] for each batch. Batch strides are in elements, 0 for broadcast
/// dimensions.
struct MatMulOp {
  std::uint64_t m, k, n;
  bool transpose_in0, transpose_in1;
  std::uint32_t batch_rank;
  std::array<std::uint32_t, max_rank> batch;
  std::array<std::uint64_t, max_rank> stride0, stride1;
};

/// Product of [rows, in] and the transpose of [out, in], plus a bias of `out` elements if
/// `has_bias`.
struct FullyConnectedOp {
  std::uint64_t rows, in, out;
  bool has_bias;
};

/// Output dimensions, and both inputs' strides in elements (0 for broadcast dimensions).
struct BroadcastOp {
  std::uint32_t rank;
  std::array<std::uint32_t, max_rank> dimensions;
  std::array<std::uint64_t, max_rank> stride0, stride1;
};

/// Relu, Reshape and Convert: the number of elements.
struct FlatOp {
  std::uint64_t count;
};

/// exp(beta x), normalised over `axis` elements with a distance of `inner` elements.
struct SoftmaxOp {
  std::uint64_t outer, axis, inner;
  float beta;
};

/// Output dimensions, and the input's stride for each of them, in elements.
struct TransposeOp {
  std::uint32_t rank;
  std::array<std::uint32_t, max_rank> dimensions;
  std::array<std::uint64_t, max_rank> stride;
};

/// NHWC activations, HWIO filter [kernel_h, kernel_w, in_c / group, out_c].
struct Conv2dOp {
  std::uint64_t batch, in_h, in_w, in_c, out_h, out_w, out_c, kernel_h, kernel_w;
  std::uint64_t stride_h, stride_w, pad_top, pad_left, dilation_h, dilation_w, group;
  bool has_bias;
};

/// A checked node: all numbers that its kernel needs, except addresses. Only the member for `kind`
/// is valid.
struct Op {
  OpKind kind = OpKind::relu;
  union {
    MatMulOp mat_mul;
    FullyConnectedOp fully_connected;
    BroadcastOp broadcast;
    FlatOp flat{0};
    SoftmaxOp softmax;
    TransposeOp transpose;
    Conv2dOp conv2d;
  };
};

/// Returns the op's multiply-accumulates or element steps, for profiling. Wraps around at 64 bits.
inline std::uint64_t op_work(const Op& op) noexcept {
  const auto product = [](std::span<const std::uint32_t> dimensions) {
    std::uint64_t count = 1;
    for (const std::uint32_t dimension : dimensions) count *= dimension;
    return count;
  };
  switch (op.kind) {
    case OpKind::mat_mul:
      return product({op.mat_mul.batch.data(), op.mat_mul.batch_rank}) * op.mat_mul.m *
             op.mat_mul.k * op.mat_mul.n;
    case OpKind::fully_connected:
      return op.fully_connected.rows * op.fully_connected.in * op.fully_connected.out;
    case OpKind::element_wise_add:
    case OpKind::element_wise_multiply:
      return product({op.broadcast.dimensions.data(), op.broadcast.rank});
    case OpKind::relu:
    case OpKind::convert:
    case OpKind::reshape: return op.flat.count;
    case OpKind::softmax: return op.softmax.outer * op.softmax.axis * op.softmax.inner;
    case OpKind::transpose: return product({op.transpose.dimensions.data(), op.transpose.rank});
    case OpKind::conv2d: {
      const Conv2dOp& c = op.conv2d;
      return c.batch * c.out_h * c.out_w * c.out_c * c.kernel_h * c.kernel_w * (c.in_c / c.group);
    }
  }
  return 0;
}

}  // namespace qnnpp::sim
