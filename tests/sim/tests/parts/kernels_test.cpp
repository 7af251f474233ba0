// Every op, run through the C API's structs and the planner, against double-precision loops that
// follow the op's definition.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "builder.hpp"

namespace qnnpp::sim::testing { namespace {

constexpr std::uint64_t vtcm = 1u << 24;

struct MatMulCase {
  Dims a, b, out;
  bool transpose0, transpose1;
};

/// Returns the row-major offset of `index` in a tensor that is broadcast from the right.
std::size_t broadcast_offset(const Dims& dims, const Dims& index) {
  std::size_t offset = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::uint32_t at = index[index.size() - dims.size() + i];
    offset = offset * dims[i] + (dims[i] == 1 ? 0 : at);
  }
  return offset;
}

/// Returns all indices of a shape in row-major order.
std::vector<Dims> indices_of(const Dims& dims) {
  std::vector<Dims> all;
  for (std::size_t flat = 0; flat < elements(dims); ++flat) {
    Dims index(dims.size());
    std::size_t rest = flat;
    for (std::size_t i = dims.size(); i-- > 0; rest /= dims[i])
      index[i] = static_cast<std::uint32_t>(rest % dims[i]);
    all.push_back(index);
  }
  return all;
}

std::vector<double> mat_mul_reference(const MatMulCase& shape, const Floats& a, const Floats& b) {
  std::vector<double> out;
  const std::size_t rank_a = shape.a.size();
  const std::uint32_t inner = shape.transpose0 ? shape.a[rank_a - 2] : shape.a[rank_a - 1];
  for (const Dims& index : indices_of(shape.out)) {
    double sum = 0;
    for (std::uint32_t k = 0; k < inner; ++k) {
      Dims at_a = index, at_b = index;
      const std::size_t row = index.size() - 2, column = index.size() - 1;
      at_a[row] = shape.transpose0 ? k : index[row];
      at_a[column] = shape.transpose0 ? index[row] : k;
      at_b[row] = shape.transpose1 ? index[column] : k;
      at_b[column] = shape.transpose1 ? k : index[column];
      sum += double(a[broadcast_offset(shape.a, at_a)]) * b[broadcast_offset(shape.b, at_b)];
    }
    out.push_back(sum);
  }
  return out;
}

TEST(kernels, mat_mul_agrees_with_the_definition_for_all_transpositions_and_batches) {
  const MatMulCase cases[] = {
      {{3, 5}, {5, 7}, {3, 7}, false, false},
      {{5, 3}, {5, 37}, {3, 37}, true, false},
      {{3, 29}, {7, 29}, {3, 7}, false, true},
      {{29, 3}, {21, 29}, {3, 21}, true, true},
      {{2, 3, 4, 5}, {2, 3, 5, 18}, {2, 3, 4, 18}, false, false},
      {{2, 1, 4, 5}, {3, 5, 6}, {2, 3, 4, 6}, false, false},
      {{4, 5}, {3, 2, 5, 6}, {3, 2, 4, 6}, false, false},
      {{1, 1}, {1, 1}, {1, 1}, true, true},
  };
  for (const MatMulCase& shape : cases) {
    const Floats a = values(elements(shape.a), 1), b = values(elements(shape.b), 2);
    Builder builder;
    builder.input("a", shape.a).weights("b", shape.b, b).output("out", shape.out);
    builder.node(
        "MatMul", {"a", "b"}, "out",
        {flag("transpose_in0", shape.transpose0), flag("transpose_in1", shape.transpose1)});
    expect_near(plan_and_execute(builder, vtcm, {{"a", a}})["out"], mat_mul_reference(shape, a, b));
  }
}

TEST(kernels, mat_mul_transposes_nothing_unless_asked) {
  const MatMulCase shape{{2, 3}, {3, 2}, {2, 2}, false, false};
  const Floats a = values(6, 3), b = values(6, 4);
  Builder builder;
  builder.input("a", shape.a).input("b", shape.b).output("out", shape.out);
  builder.node("MatMul", {"a", "b"}, "out");
  expect_near(plan_and_execute(builder, vtcm, {{"a", a}, {"b", b}})["out"],
              mat_mul_reference(shape, a, b));
}

TEST(kernels, fully_connected_multiplies_rows_with_each_output_s_weights_and_adds_the_bias) {
  struct Case {
    Dims in, out;
    bool bias, keep_dims;
  };
  const Case cases[] = {{{4, 19}, {4, 6}, true, false},
                        {{4, 19}, {4, 6}, false, false},
                        {{2, 2, 19}, {4, 6}, true, false},
                        {{38}, {2, 6}, true, false},
                        {{2, 2, 19}, {2, 2, 6}, true, true}};
  for (const Case& shape : cases) {
    const Floats in = values(elements(shape.in), 5), weights = values(6 * 19, 6);
    const Floats bias = values(6, 7);
    Builder builder;
    builder.input("in", shape.in).weights("w", {6, 19}, weights).weights("b", {6}, bias);
    builder.output("out", shape.out);
    std::vector<std::string> inputs{"in", "w"};
    if (shape.bias) inputs.push_back("b");
    builder.node("FullyConnected", inputs, "out", {flag("keep_dims", shape.keep_dims)});
    std::vector<double> expected;
    for (std::size_t row = 0; row < in.size() / 19; ++row)
      for (std::size_t o = 0; o < 6; ++o) {
        double sum = shape.bias ? bias[o] : 0.0;
        for (std::size_t i = 0; i < 19; ++i) sum += double(in[row * 19 + i]) * weights[o * 19 + i];
        expected.push_back(sum);
      }
    expect_near(plan_and_execute(builder, vtcm, {{"in", in}})["out"], expected);
  }
}

TEST(kernels, element_wise_ops_broadcast_from_the_right) {
  struct Case {
    Dims a, b, out;
  };
  const Case cases[] = {{{2, 3, 4}, {2, 3, 4}, {2, 3, 4}}, {{2, 3, 4}, {4}, {2, 3, 4}},
                        {{2, 3, 4}, {1}, {2, 3, 4}},       {{2, 1, 4}, {3, 1}, {2, 3, 4}},
                        {{1, 1, 1}, {5, 2}, {1, 5, 2}},    {{2, 3, 1}, {1, 3, 1}, {2, 3, 1}},
                        {{3, 1}, {1, 4}, {3, 4}},          {{1}, {1}, {1}}};
  for (const Case& shape : cases) {
    const Floats a = values(elements(shape.a), 8), b = values(elements(shape.b), 9);
    Builder builder;
    builder.input("a", shape.a).input("b", shape.b).output("sum", shape.out);
    builder.output("product", shape.out);
    builder.node("ElementWiseAdd", {"a", "b"}, "sum");
    builder.node("ElementWiseMultiply", {"a", "b"}, "product");
    std::vector<double> sum, product;
    for (const Dims& index : indices_of(shape.out)) {
      const double x = a[broadcast_offset(shape.a, index)], y = b[broadcast_offset(shape.b, index)];
      sum.push_back(x + y);
      product.push_back(x * y);
    }
    std::map<std::string, Floats> out = plan_and_execute(builder, vtcm, {{"a", a}, {"b", b}});
    expect_near(out["sum"], sum);
    expect_near(out["product"], product);
  }
}

TEST(kernels, relu_keeps_positive_values_and_zeroes_negative_ones) {
  const Floats in{-2.0f, -0.0f, 0.0f, 3.5f, -std::numeric_limits<float>::infinity(), 0.25f};
  Builder builder;
  builder.input("in", {2, 3}).output("out", {2, 3}).node("Relu", {"in"}, "out");
  expect_near(plan_and_execute(builder, vtcm, {{"in", in}})["out"], {0, 0, 0, 3.5, 0, 0.25}, 0.0);
}

TEST(kernels, softmax_normalises_over_its_axis_with_beta) {
  const Dims dims{3, 4, 5};
  const Floats in = values(60, 10);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    Builder builder;
    builder.input("in", dims).output("out", dims);
    builder.node("Softmax", {"in"}, "out", {uint_value("axis", axis), float_value("beta", 2.5f)});
    std::vector<double> expected;
    for (const Dims& index : indices_of(dims)) {
      double sum = 0;
      Dims other = index;
      for (other[axis] = 0; other[axis] < dims[axis]; ++other[axis])
        sum += std::exp(2.5 * in[broadcast_offset(dims, other)]);
      expected.push_back(std::exp(2.5 * in[broadcast_offset(dims, index)]) / sum);
    }
    expect_near(plan_and_execute(builder, vtcm, {{"in", in}})["out"], expected);
  }
}

TEST(kernels, softmax_defaults_to_the_last_axis_and_survives_large_values) {
  Builder builder;
  builder.input("in", {1, 3}).output("out", {1, 3}).node("Softmax", {"in"}, "out");
  expect_near(plan_and_execute(builder, vtcm, {{"in", {1000.0f, 1000.0f, -1000.0f}}})["out"],
              {0.5, 0.5, 0.0});
}

TEST(kernels, reshape_keeps_the_values_in_order_into_shared_and_into_client_memory) {
  const Floats in = values(24, 11);
  for (const c_api::TensorMemType mem_type :
       {c_api::TensorMemType::raw, c_api::TensorMemType::memhandle}) {
    Builder builder;
    builder.input("in", {2, 3, 4}).tensor("out", c_api::TensorType::app_read, {6, 4}, mem_type);
    builder.node("Reshape", {"in"}, "out");
    EXPECT_EQ(plan_and_execute(builder, vtcm, {{"in", in}})["out"], in);
  }
}

TEST(kernels, reshape_of_weights_gives_the_weights) {
  const Floats data = values(6, 12);
  Builder builder;
  builder.input("in", {3, 2}).weights("first", {1}, {100.0f}).weights("w", {6}, data);
  builder.native("w2", {3, 2}).native("sum", {3, 2}).output("out", {3, 2});
  builder.node("ElementWiseAdd", {"in", "first"}, "sum");
  builder.node("Reshape", {"w"}, "w2").node("ElementWiseAdd", {"sum", "w2"}, "out");
  std::vector<double> expected(data.begin(), data.end());
  for (double& value : expected) value += 100.0;
  expect_near(plan_and_execute(builder, vtcm, {{"in", Floats(6, 0.0f)}})["out"], expected);
}

TEST(kernels, transpose_moves_each_axis_where_perm_says) {
  const Dims dims{2, 3, 4, 5};
  const Floats in = values(120, 13);
  const Dims perms[] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {0, 3, 1, 2}, {1, 0, 3, 2}, {2, 3, 0, 1}};
  for (const Dims& perm : perms) {
    Dims out_dims;
    for (const std::uint32_t axis : perm) out_dims.push_back(dims[axis]);
    Builder builder;
    builder.input("in", dims).output("out", out_dims);
    builder.node("Transpose", {"in"}, "out", {builder.uints("perm", {4}, perm)});
    std::vector<double> expected;
    for (const Dims& index : indices_of(out_dims)) {
      Dims source(4);
      for (std::size_t i = 0; i < 4; ++i) source[perm[i]] = index[i];
      expected.push_back(in[broadcast_offset(dims, source)]);
    }
    expect_near(plan_and_execute(builder, vtcm, {{"in", in}})["out"], expected, 0.0);
  }
}

struct ConvCase {
  Dims in, filter, out;
  Dims stride, pad, dilation;
  std::uint32_t group;
  bool bias;
};

std::vector<double> conv_reference(const ConvCase& c, const Floats& in, const Floats& filter,
                                   const Floats& bias) {
  std::vector<double> out;
  const std::uint32_t group_in = c.filter[2], group_out = c.filter[3] / c.group;
  for (const Dims& at : indices_of(c.out)) {
    double sum = c.bias ? bias[at[3]] : 0.0;
    for (std::uint32_t ky = 0; ky < c.filter[0]; ++ky)
      for (std::uint32_t kx = 0; kx < c.filter[1]; ++kx)
        for (std::uint32_t ic = 0; ic < group_in; ++ic) {
          const std::int64_t y = std::int64_t{at[1]} * c.stride[0] +
                                 std::int64_t{ky} * c.dilation[0] - std::int64_t{c.pad[0]};
          const std::int64_t x = std::int64_t{at[2]} * c.stride[1] +
                                 std::int64_t{kx} * c.dilation[1] - std::int64_t{c.pad[2]};
          if (y < 0 || x < 0 || y >= std::int64_t{c.in[1]} || x >= std::int64_t{c.in[2]}) continue;
          const std::uint32_t channel = at[3] / group_out * group_in + ic;
          sum += double(in[broadcast_offset(
                     c.in, {at[0], std::uint32_t(y), std::uint32_t(x), channel})]) *
                 filter[broadcast_offset(c.filter, {ky, kx, ic, at[3]})];
        }
    out.push_back(sum);
  }
  return out;
}

TEST(kernels, conv2d_agrees_with_the_definition_for_stride_pad_dilation_and_groups) {
  const ConvCase cases[] = {
      {{1, 8, 9, 3}, {3, 3, 3, 21}, {1, 6, 7, 21}, {1, 1}, {0, 0, 0, 0}, {1, 1}, 1, true},
      {{2, 8, 9, 3}, {3, 3, 3, 16}, {2, 8, 9, 16}, {1, 1}, {1, 1, 1, 1}, {1, 1}, 1, false},
      {{1, 9, 8, 4}, {2, 3, 4, 5}, {1, 5, 4, 5}, {2, 2}, {0, 1, 1, 0}, {1, 1}, 1, true},
      {{1, 11, 12, 2}, {3, 2, 2, 4}, {1, 7, 11, 4}, {1, 1}, {0, 0, 2, 0}, {2, 3}, 1, true},
      {{1, 6, 6, 6}, {3, 3, 2, 9}, {1, 6, 6, 9}, {1, 1}, {1, 1, 1, 1}, {1, 1}, 3, true},
      {{1, 5, 5, 4}, {3, 3, 1, 4}, {1, 3, 3, 4}, {2, 2}, {1, 1, 1, 1}, {1, 1}, 4, true},
      {{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 3, 4, 1}, {1, 1}, {1, 1, 2, 1}, {1, 1}, 1, false},
  };
  for (const ConvCase& c : cases) {
    const Floats in = values(elements(c.in), 14), filter = values(elements(c.filter), 15);
    const Floats bias = values(c.filter[3], 16);
    Builder builder;
    builder.input("in", c.in).weights("filter", c.filter, filter);
    builder.weights("bias", {c.filter[3]}, bias).output("out", c.out);
    std::vector<std::string> inputs{"in", "filter"};
    if (c.bias) inputs.push_back("bias");
    builder.node(
        "Conv2d", inputs, "out",
        {builder.uints("stride", {2}, c.stride), builder.uints("pad_amount", {2, 2}, c.pad),
         builder.uints("dilation", {2}, c.dilation), uint_value("group", c.group)});
    expect_near(plan_and_execute(builder, vtcm, {{"in", in}})["out"],
                conv_reference(c, in, filter, bias));
  }
}

TEST(kernels, a_chain_gives_the_same_numbers_whether_it_fits_the_vtcm_or_is_spilled) {
  const Floats in = values(28 * 28, 17);
  const auto build = [](Builder& builder) {
    builder.input("in", {1, 28, 28, 1}).weights("f", {3, 3, 1, 16}, values(144, 18));
    builder.native("c", {1, 28, 28, 16}).native("r", {1, 28, 28, 16});
    builder.native("flat", {16, 784}).native("t", {784, 16}).output("out", {784, 16});
    builder.node(
        "Conv2d", {"in", "f"}, "c",
        {builder.uints("stride", {2}, {1, 1}), builder.uints("pad_amount", {2, 2}, {1, 1, 1, 1})});
    builder.node("Relu", {"c"}, "r").node("Reshape", {"r"}, "flat");
    builder.node("Transpose", {"flat"}, "t", {builder.uints("perm", {2}, {1, 0})});
    builder.node("Softmax", {"t"}, "out");
  };
  Builder builder;
  build(builder);
  const Floats expected = plan_and_execute(builder, vtcm, {{"in", in}})["out"];
  for (const std::uint64_t small : {0u, 4096u, 60000u, 110000u})
    EXPECT_EQ(plan_and_execute(builder, small, {{"in", in}})["out"], expected) << small;
}

TEST(run, calls_the_hook_before_each_node_and_after_the_last_and_stops_when_it_says_so) {
  Builder builder;
  builder.input("in", {4}).native("a", {4}).output("out", {4});
  builder.node("Relu", {"in"}, "a").node("Relu", {"a"}, "out");
  NetworkPlan plan;
  ASSERT_TRUE(plan_network(builder.network, vtcm, plan).ok());
  std::vector<std::byte> area(plan.graphs[0].vtcm_bytes);
  std::vector<std::byte> io(plan.graphs[0].io_copies_bytes);
  std::vector<std::byte*> addresses(builder.graph().tensors.size());
  assign_addresses(builder.graph(), plan.graphs[0], {nullptr, area.data(), nullptr, io.data()},
                   addresses);
  struct Log {
    std::vector<std::uint32_t> steps, nodes;
    std::uint32_t stop_at;
  };
  const RunHook hook{[](void* user, std::uint32_t step, std::uint32_t node) {
                       Log& log = *static_cast<Log*>(user);
                       log.steps.push_back(step);
                       log.nodes.push_back(node);
                       return step != log.stop_at;
                     },
                     nullptr};
  for (std::uint32_t stop_at = 0; stop_at <= 3; ++stop_at) {
    Log log{{}, {}, stop_at};
    const bool finished =
        run(builder.graph(), plan.graphs[0], addresses, nullptr, {hook.call, &log});
    EXPECT_EQ(finished, stop_at == 3);
    EXPECT_EQ(log.steps.size(), std::min(stop_at + 1, 3u));
    if (stop_at == 3) {
      EXPECT_EQ(log.nodes, (std::vector<std::uint32_t>{0, 1, no_index}));
    }
  }
}

TEST(run, reads_weights_from_the_description_where_there_is_no_weights_area) {
  Builder builder;
  builder.input("in", {2}).weights("w", {2}, {10.0f, 20.0f}).output("out", {2});
  builder.node("ElementWiseAdd", {"in", "w"}, "out");
  NetworkPlan plan;
  ASSERT_TRUE(plan_network(builder.network, vtcm, plan).ok());
  const auto out = execute(builder.graph(), plan.graphs[0], {}, {{"in", {1.0f, 2.0f}}});
  EXPECT_EQ(out.at("out"), (Floats{11.0f, 22.0f}));
}

}}  // namespace qnnpp::sim::testing
