// Converts a node to an Op: checks its shapes and parameters against the op's definition, and
// computes the numbers that its kernel needs.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "sim/ops/network.hpp"
#include "sim/ops/op_params.hpp"
#include "sim/ops/ops.hpp"
#include "sim/tables/status.hpp"

namespace qnnpp::sim {

namespace detail {

namespace names = c_api::op_names;

using Dimensions = std::span<const std::uint32_t>;

inline std::string to_text(Dimensions dimensions) {
  std::string text = "[";
  for (std::size_t i = 0; i < dimensions.size(); ++i)
    text += (i == 0 ? "" : ",") + std::to_string(dimensions[i]);
  return text + "]";
}

inline std::uint64_t product(Dimensions dimensions) noexcept {
  std::uint64_t count = 1;
  for (const std::uint32_t dimension : dimensions) count *= dimension;
  return count;
}

inline bool equal(Dimensions a, Dimensions b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

inline Status wrong_output(const Node& node, Dimensions found, Dimensions expected) {
  return invalid_op(node,
                    "output has shape " + to_text(found) + ", the op gives " + to_text(expected));
}

/// Computes the right-aligned broadcast of two shapes over `out`: the strides of both inputs, in
/// units of `unit_a` and `unit_b` elements. Returns false if `out` is not their broadcast shape.
inline bool broadcast(Dimensions a, Dimensions b, Dimensions out, std::uint64_t unit_a,
                      std::uint64_t unit_b, std::array<std::uint64_t, max_rank>& stride_a,
                      std::array<std::uint64_t, max_rank>& stride_b) noexcept {
  if (out.size() != std::max(a.size(), b.size())) return false;
  for (std::size_t back = 1; back <= out.size(); ++back) {
    const std::size_t i = out.size() - back;
    const std::uint32_t extent_a = back <= a.size() ? a[a.size() - back] : 1;
    const std::uint32_t extent_b = back <= b.size() ? b[b.size() - back] : 1;
    if (extent_a != extent_b && extent_a != 1 && extent_b != 1) return false;
    if (out[i] != (extent_a == 1 ? extent_b : extent_a)) return false;
    stride_a[i] = extent_a == 1 ? 0 : unit_a;
    stride_b[i] = extent_b == 1 ? 0 : unit_b;
    unit_a *= extent_a;
    unit_b *= extent_b;
  }
  return true;
}

/// The shapes of a node's tensors.
struct Shapes {
  const Graph& graph;
  const Node& node;

  Dimensions in(std::size_t i) const noexcept { return graph.tensors[node.inputs[i]].dimensions; }
  Dimensions out() const noexcept { return graph.tensors[node.outputs[0]].dimensions; }
};

inline Status resolve_mat_mul(const Shapes& shapes, MatMulOp& op) {
  const Node& node = shapes.node;
  const Dimensions a = shapes.in(0), b = shapes.in(1), out = shapes.out();
  if (a.size() < 2 || b.size() < 2 || out.size() < 2)
    return invalid_op(node, "tensors must have a rank of 2 or more");
  op.transpose_in0 = flag_param(node, names::mat_mul::transpose_in0);
  op.transpose_in1 = flag_param(node, names::mat_mul::transpose_in1);
  const auto last = [](Dimensions d, bool other) { return d[d.size() - (other ? 2 : 1)]; };
  op.m = last(a, !op.transpose_in0);
  op.k = last(a, op.transpose_in0);
  op.n = last(b, op.transpose_in1);
  if (op.k != last(b, !op.transpose_in1))
    return invalid_op(node, "inner extents of " + to_text(a) + " and " + to_text(b) + " differ");
  op.batch_rank = static_cast<std::uint32_t>(out.size() - 2);
  std::copy_n(out.begin(), op.batch_rank, op.batch.begin());
  if (last(out, true) != op.m || last(out, false) != op.n ||
      !broadcast(a.first(a.size() - 2), b.first(b.size() - 2), out.first(out.size() - 2),
                 op.m * op.k, op.k * op.n, op.stride0, op.stride1))
    return invalid_op(node, "output shape " + to_text(out) + " does not follow from " + to_text(a) +
                                " and " + to_text(b));
  return success();
}

inline Status resolve_fully_connected(const Shapes& shapes, FullyConnectedOp& op) {
  const Node& node = shapes.node;
  const Dimensions in = shapes.in(0), weights = shapes.in(1), out = shapes.out();
  if (weights.size() != 2) return invalid_op(node, "weights must be [outputs, inputs]");
  op = {0, weights[1], weights[0], node.inputs.size() == 3};
  if (op.has_bias && !equal(shapes.in(2), weights.first(1)))
    return invalid_op(node, "bias must have as many elements as the weights have outputs");
  const std::uint64_t count = product(in);
  if (count % op.in != 0)
    return invalid_op(node, "input " + to_text(in) + " is not a whole number of rows of " +
                                std::to_string(op.in));
  op.rows = count / op.in;
  if (flag_param(node, names::fully_connected::keep_dims)) {
    if (in.back() != op.in)
      return invalid_op(node, "keep_dims: the last extent is not the inputs'");
    std::array<std::uint32_t, max_rank> expected{};
    std::copy(in.begin(), in.end(), expected.begin());
    expected[in.size() - 1] = weights[0];
    const Dimensions kept = Dimensions(expected).first(in.size());
    return equal(out, kept) ? success() : wrong_output(node, out, kept);
  }
  if (out.size() != 2 || out[0] != op.rows || out[1] != op.out)
    return invalid_op(node, "output has shape " + to_text(out) + ", the op gives [" +
                                std::to_string(op.rows) + "," + std::to_string(op.out) + "]");
  return success();
}

inline Status resolve_broadcast(const Shapes& shapes, BroadcastOp& op) {
  const Dimensions a = shapes.in(0), b = shapes.in(1), out = shapes.out();
  op.rank = static_cast<std::uint32_t>(out.size());
  std::copy(out.begin(), out.end(), op.dimensions.begin());
  if (!broadcast(a, b, out, 1, 1, op.stride0, op.stride1))
    return invalid_op(shapes.node, "output shape " + to_text(out) + " does not follow from " +
                                       to_text(a) + " and " + to_text(b));
  return success();
}

inline Status resolve_softmax(const Shapes& shapes, SoftmaxOp& op) {
  const Dimensions in = shapes.in(0);
  if (!equal(in, shapes.out())) return wrong_output(shapes.node, shapes.out(), in);
  const std::uint32_t axis =
      uint_param(shapes.node, names::softmax::axis, static_cast<std::uint32_t>(in.size() - 1));
  if (axis >= in.size())
    return invalid_op(shapes.node,
                      "axis " + std::to_string(axis) + " is not one of " + to_text(in));
  op = {product(in.first(axis)), in[axis], product(in.subspan(axis + 1)),
        float_param(shapes.node, names::softmax::beta, 1.0f)};
  return success();
}

inline Status resolve_transpose(const Shapes& shapes, TransposeOp& op) {
  const Node& node = shapes.node;
  const Dimensions in = shapes.in(0), out = shapes.out();
  const std::size_t rank = in.size();
  if (find_param(node, names::transpose::perm)->tensor.dimensions[0] != rank)
    return invalid_op(node, "perm must have one entry per dimension of the input");
  std::array<std::uint32_t, max_rank> perm{};
  uint_params(node, names::transpose::perm, std::span(perm).first(rank));
  op.rank = static_cast<std::uint32_t>(rank);
  std::array<bool, max_rank> seen{};
  for (std::size_t i = 0; i < rank; ++i) {
    if (perm[i] >= rank || seen[perm[i]])
      return invalid_op(node,
                        "perm " + to_text(Dimensions(perm).first(rank)) + " is not a permutation");
    seen[perm[i]] = true;
    op.dimensions[i] = in[perm[i]];
    op.stride[i] = product(in.subspan(perm[i] + 1));
  }
  const Dimensions expected = Dimensions(op.dimensions).first(rank);
  return equal(out, expected) ? success() : wrong_output(node, out, expected);
}

/// Returns the number of positions of a dilated kernel over a padded extent; 0 if it does not fit.
inline std::uint64_t conv_extent(std::uint64_t in, std::uint64_t pad, std::uint64_t kernel,
                                 std::uint64_t stride, std::uint64_t dilation) noexcept {
  const std::uint64_t reach = dilation * (kernel - 1) + 1;
  return in + pad < reach ? 0 : (in + pad - reach) / stride + 1;
}

inline Status resolve_conv2d(const Shapes& shapes, Conv2dOp& op) {
  const Node& node = shapes.node;
  const Dimensions in = shapes.in(0), filter = shapes.in(1), out = shapes.out();
  if (in.size() != 4) return invalid_op(node, "input must be [batch, height, width, channels]");
  if (filter.size() != 4)
    return invalid_op(node, "filter must be [height, width, inputs / group, outputs]");
  std::array<std::uint32_t, 2> stride{1, 1}, dilation{1, 1};
  std::array<std::uint32_t, 4> pad{};
  uint_params(node, names::conv2d::stride, stride);
  uint_params(node, names::conv2d::dilation, dilation);
  uint_params(node, names::conv2d::pad_amount, pad);
  const std::uint32_t group = uint_param(node, names::conv2d::group, 1);
  if (stride[0] == 0 || stride[1] == 0 || dilation[0] == 0 || dilation[1] == 0 || group == 0)
    return invalid_op(node, "stride, dilation and group must not be 0");
  if (in[3] % group != 0 || filter[3] % group != 0 || filter[2] != in[3] / group)
    return invalid_op(node, "filter " + to_text(filter) + " does not divide " +
                                std::to_string(in[3]) + " channels into " + std::to_string(group) +
                                " groups");
  op.batch = in[0], op.in_h = in[1], op.in_w = in[2], op.in_c = in[3];
  op.kernel_h = filter[0], op.kernel_w = filter[1], op.out_c = filter[3], op.group = group;
  op.stride_h = stride[0], op.stride_w = stride[1];
  op.dilation_h = dilation[0], op.dilation_w = dilation[1];
  op.pad_top = pad[0], op.pad_left = pad[2];
  op.out_h =
      conv_extent(op.in_h, std::uint64_t{pad[0]} + pad[1], op.kernel_h, op.stride_h, op.dilation_h);
  op.out_w =
      conv_extent(op.in_w, std::uint64_t{pad[2]} + pad[3], op.kernel_w, op.stride_w, op.dilation_w);
  op.has_bias = node.inputs.size() == 3;
  if (op.has_bias && !equal(shapes.in(2), filter.last(1)))
    return invalid_op(node, "bias must have as many elements as the filter has outputs");
  if (op.out_h == 0 || op.out_w == 0)
    return invalid_op(node, "the kernel is larger than the padded input");
  if (out.size() != 4 || out[0] != op.batch || out[1] != op.out_h || out[2] != op.out_w ||
      out[3] != op.out_c)
    return invalid_op(node, "output has shape " + to_text(out) + ", the op gives [" +
                                std::to_string(op.batch) + "," + std::to_string(op.out_h) + "," +
                                std::to_string(op.out_w) + "," + std::to_string(op.out_c) + "]");
  return success();
}

}  // namespace detail

/// Checks a node against its op's definition (package, type, number of tensors, parameters, data
/// types, ranks, shapes), and fills `op`. Requires valid tensor indices, and tensors whose size is
/// not 0 and whose rank is at most max_rank. Returns 6005 with a reason that names the node, the op
/// and the error.
inline Status resolve(const Graph& graph, const Node& node, Op& op) {
  if (node.package_name != op_package_name)
    return invalid_op(node, "there is no op package '" + node.package_name + "'");
  if (!find_op_kind(node.type_name, op.kind)) return missing_op(node);
  const OpDefinition definition = op_definition(op.kind);
  if (node.inputs.size() < definition.min_inputs || node.inputs.size() > definition.max_inputs)
    return invalid_op(node, "wrong number of inputs: " + std::to_string(node.inputs.size()));
  if (node.outputs.size() != 1)
    return invalid_op(node, "wrong number of outputs: " + std::to_string(node.outputs.size()));
  for (const std::vector<std::uint32_t>* indices : {&node.inputs, &node.outputs})
    for (const std::uint32_t index : *indices)
      if (!is_computable(graph.tensors[index]))
        return invalid_op(node, "tensor '" + graph.tensors[index].name + "' has no quantisation");
  Status status = check_params(node, definition);
  if (!status.ok()) return status;

  const detail::Shapes shapes{graph, node};
  switch (op.kind) {
    case OpKind::mat_mul: return detail::resolve_mat_mul(shapes, op.mat_mul = MatMulOp{});
    case OpKind::fully_connected:
      return detail::resolve_fully_connected(shapes, op.fully_connected = FullyConnectedOp{});
    case OpKind::element_wise_add:
    case OpKind::element_wise_multiply:
      return detail::resolve_broadcast(shapes, op.broadcast = BroadcastOp{});
    case OpKind::relu:
    case OpKind::convert:
      op.flat = {detail::product(shapes.in(0))};
      if (!detail::equal(shapes.in(0), shapes.out()))
        return detail::wrong_output(node, shapes.out(), shapes.in(0));
      return success();
    case OpKind::reshape:
      op.flat = {detail::product(shapes.in(0))};
      if (detail::product(shapes.out()) != op.flat.count)
        return invalid_op(node, "output " + detail::to_text(shapes.out()) + " and input " +
                                    detail::to_text(shapes.in(0)) + " differ in size");
      return success();
    case OpKind::softmax: return detail::resolve_softmax(shapes, op.softmax = SoftmaxOp{});
    case OpKind::transpose: return detail::resolve_transpose(shapes, op.transpose = TransposeOp{});
    case OpKind::conv2d: return detail::resolve_conv2d(shapes, op.conv2d = Conv2dOp{});
  }
  return success();
}

}  // namespace qnnpp::sim
