// Refusals of the ops' definitions: each case differs in one detail from an accepted one.

#include <gtest/gtest.h>

#include <functional>

#include "builder.hpp"

namespace qnnpp::sim::testing { namespace {

constexpr std::uint32_t invalid_op_config = 6005;

/// Adds one node with new tensors of these shapes. The first input is the client's, the others are
/// static.
Status try_shapes(const char* type, const std::vector<Dims>& inputs, const Dims& output,
                  const std::function<std::vector<c_api::Param>(Builder&)>& params = {}) {
  Builder builder;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    names.push_back("in" + std::to_string(i));
    if (i == 0)
      builder.input(names.back().c_str(), inputs[i]);
    else
      builder.weights(names.back().c_str(), inputs[i], Floats(elements(inputs[i])));
  }
  builder.output("out", output);
  return builder.try_node(type, names, {"out"},
                          params ? params(builder) : std::vector<c_api::Param>{});
}

void expect_accepted(const Status& status) { EXPECT_TRUE(status.ok()) << status.reason; }

void expect_refused(const Status& status, std::string_view words) {
  EXPECT_EQ(status.code, invalid_op_config) << words;
  EXPECT_NE(status.reason.find(words), std::string::npos) << status.reason;
}

TEST(ops, know_the_ten_names_and_no_other) {
  OpKind kind{};
  for (std::size_t i = 0; i < op_kind_count; ++i) {
    ASSERT_TRUE(find_op_kind(op_type_names[i], kind));
    EXPECT_STREQ(op_type_name(kind), op_type_names[i]);
  }
  EXPECT_FALSE(find_op_kind("Sigmoid", kind));
  EXPECT_FALSE(find_op_kind("relu", kind));
  expect_refused(try_shapes("Sigmoid", {{2}}, {2}), "the simulated HTP does not compute Sigmoid");
}

TEST(ops, refuse_a_wrong_number_of_tensors) {
  expect_refused(try_shapes("Relu", {}, {2}), "number of inputs: 0");
  expect_refused(try_shapes("Relu", {{2}, {2}}, {2}), "number of inputs: 2");
  expect_refused(try_shapes("ElementWiseAdd", {{2}}, {2}), "number of inputs: 1");
  expect_refused(try_shapes("FullyConnected", {{1, 2}, {3, 2}, {3}, {3}}, {1, 3}),
                 "number of inputs: 4");
  Builder builder;
  builder.input("in", {2}).output("a", {2}).output("b", {2});
  expect_refused(builder.try_node("Relu", {"in"}, {"a", "b"}), "number of outputs: 2");
  expect_refused(builder.try_node("Relu", {"in"}, {}), "number of outputs: 0");
}

TEST(ops, refuse_fixed_point_without_quantisation) {
  Builder builder;
  Dims dims{2};
  c_api::Tensor codes =
      abi_tensor("codes", c_api::TensorType::app_write, dims, c_api::DataType::ufixed_point_8);
  ASSERT_TRUE(builder.add(codes).ok());
  builder.output("out", {2});
  expect_refused(builder.try_node("Relu", {"codes"}, {"out"}), "'codes' has no quantisation");
}

TEST(ops, refuse_parameters_that_are_unknown_doubled_missing_or_of_the_wrong_type) {
  const auto softmax = [](std::vector<c_api::Param> params) {
    return try_shapes("Softmax", {{2, 3}}, {2, 3}, [params](Builder&) { return params; });
  };
  expect_accepted(softmax({uint_value("axis", 1), float_value("beta", 1.0f)}));
  expect_refused(softmax({uint_value("axes", 1)}), "no parameter 'axes'");
  expect_refused(softmax({uint_value("axis", 1), uint_value("axis", 1)}), "'axis' is given twice");
  expect_refused(softmax({float_value("axis", 1.0f)}), "'axis' has the wrong data type");
  expect_refused(softmax({flag("beta", true)}), "'beta' has the wrong data type");
  expect_refused(
      try_shapes("Relu", {{2}}, {2},
                 [](Builder&) { return std::vector<c_api::Param>{flag("keep_dims", true)}; }),
      "no parameter 'keep_dims'");
  expect_refused(try_shapes("Transpose", {{2, 3}}, {3, 2}), "'perm' is missing");
  expect_refused(
      try_shapes("Transpose", {{2, 3}}, {3, 2},
                 [](Builder&) { return std::vector<c_api::Param>{uint_value("perm", 1)}; }),
      "'perm' must be a tensor");
  expect_refused(try_shapes("Softmax", {{2, 3}}, {2, 3},
                            [](Builder& builder) {
                              return std::vector<c_api::Param>{builder.uints("axis", {1}, {1})};
                            }),
                 "'axis' must be a scalar");
}

TEST(ops, mat_mul_refuses_ranks_below_two_and_shapes_that_do_not_match) {
  expect_accepted(try_shapes("MatMul", {{2, 3}, {3, 4}}, {2, 4}));
  expect_refused(try_shapes("MatMul", {{3}, {3, 4}}, {1, 4}), "rank of 2");
  expect_refused(try_shapes("MatMul", {{2, 3}, {3}}, {2, 1}), "rank of 2");
  expect_refused(try_shapes("MatMul", {{2, 3}, {4, 3}}, {2, 4}), "inner extents");
  expect_refused(try_shapes("MatMul", {{2, 3}, {3, 4}}, {4, 2}), "does not follow");
  expect_refused(try_shapes("MatMul", {{2, 3}, {3, 4}}, {1, 2, 4}), "does not follow");
  expect_refused(try_shapes("MatMul", {{2, 2, 3}, {3, 3, 4}}, {2, 2, 4}), "does not follow");
  const auto transposed = [](const Dims& second) {
    return try_shapes("MatMul", {{2, 3}, second}, {2, 4}, [](Builder&) {
      return std::vector<c_api::Param>{flag("transpose_in1", true)};
    });
  };
  expect_accepted(transposed({4, 3}));
  expect_refused(transposed({3, 4}), "inner extents");
}

TEST(ops, fully_connected_refuses_weights_bias_and_outputs_that_do_not_fit) {
  expect_accepted(try_shapes("FullyConnected", {{2, 2, 5}, {3, 5}, {3}}, {4, 3}));
  expect_refused(try_shapes("FullyConnected", {{2, 5}, {3, 5, 1}}, {2, 3}), "[outputs, inputs]");
  expect_refused(try_shapes("FullyConnected", {{2, 5}, {3, 5}, {5}}, {2, 3}), "bias");
  expect_refused(try_shapes("FullyConnected", {{2, 5}, {3, 5}, {1, 3}}, {2, 3}), "bias");
  expect_refused(try_shapes("FullyConnected", {{2, 5}, {3, 4}}, {2, 3}), "whole number of rows");
  expect_refused(try_shapes("FullyConnected", {{2, 5}, {3, 5}}, {3, 2}), "the op gives [2,3]");
  expect_refused(try_shapes("FullyConnected", {{2, 2, 5}, {3, 5}}, {2, 2, 3}),
                 "the op gives [4,3]");
  const auto kept = [](const Dims& in, const Dims& out) {
    return try_shapes("FullyConnected", {in, {3, 5}}, out,
                      [](Builder&) { return std::vector<c_api::Param>{flag("keep_dims", true)}; });
  };
  expect_accepted(kept({2, 2, 5}, {2, 2, 3}));
  expect_refused(kept({2, 2, 5}, {4, 3}), "the op gives [2,2,3]");
  expect_refused(kept({5, 2}, {5, 3}), "keep_dims");
}

TEST(ops, element_wise_ops_refuse_shapes_that_do_not_broadcast) {
  for (const char* type : {"ElementWiseAdd", "ElementWiseMultiply"}) {
    expect_accepted(try_shapes(type, {{2, 1}, {3}}, {2, 3}));
    expect_refused(try_shapes(type, {{2, 2}, {3}}, {2, 3}), "does not follow");
    expect_refused(try_shapes(type, {{2, 1}, {3}}, {2, 1}), "does not follow");
    expect_refused(try_shapes(type, {{2, 1}, {3}}, {1, 2, 3}), "does not follow");
    expect_refused(try_shapes(type, {{1}, {1}}, {3}), "does not follow");
  }
}

TEST(ops, relu_convert_softmax_and_reshape_refuse_outputs_of_another_shape_or_size) {
  expect_refused(try_shapes("Relu", {{2, 3}}, {3, 2}), "the op gives [2,3]");
  expect_refused(try_shapes("Convert", {{2, 3}}, {3, 2}), "the op gives [2,3]");
  expect_refused(try_shapes("Softmax", {{2, 3}}, {6}), "the op gives [2,3]");
  expect_refused(
      try_shapes("Softmax", {{2, 3}}, {2, 3},
                 [](Builder&) { return std::vector<c_api::Param>{uint_value("axis", 2)}; }),
      "axis 2");
  expect_accepted(try_shapes("Reshape", {{2, 3}}, {6}));
  expect_refused(try_shapes("Reshape", {{2, 3}}, {7}), "differ in size");
}

TEST(ops, transpose_refuses_what_is_not_a_permutation_of_its_input_s_axes) {
  const auto transpose = [](const Dims& perm, const Dims& out) {
    return try_shapes("Transpose", {{2, 3, 4}}, out, [perm](Builder& builder) {
      const std::uint32_t count = static_cast<std::uint32_t>(perm.size());
      return std::vector<c_api::Param>{builder.uints("perm", {count}, perm)};
    });
  };
  expect_accepted(transpose({2, 0, 1}, {4, 2, 3}));
  expect_refused(transpose({2, 0}, {4, 2, 3}), "one entry per dimension");
  expect_refused(transpose({2, 0, 2}, {4, 2, 4}), "not a permutation");
  expect_refused(transpose({2, 0, 3}, {4, 2, 3}), "not a permutation");
  expect_refused(transpose({2, 0, 0xFFFFFFFFu}, {4, 2, 3}), "not a permutation");
  expect_refused(transpose({2, 0, 1}, {2, 3, 4}), "the op gives [4,2,3]");
}

struct Conv {
  Dims in{1, 8, 8, 4}, filter{3, 3, 4, 6}, bias{6}, out{1, 6, 6, 6};
  Dims stride{1, 1}, pad{0, 0, 0, 0}, dilation{1, 1}, pad_dims{2, 2};
  std::uint32_t group = 1;

  Status try_it() const {
    return try_shapes("Conv2d", {in, filter, bias}, out, [this](Builder& builder) {
      return std::vector<c_api::Param>{
          builder.uints("stride", {static_cast<std::uint32_t>(stride.size())}, stride),
          builder.uints("pad_amount", pad_dims, pad), builder.uints("dilation", {2}, dilation),
          uint_value("group", group)};
    });
  }
};

TEST(ops, conv2d_refuses_parameters_and_shapes_that_do_not_fit) {
  expect_accepted(Conv{}.try_it());
  const auto changed = [](auto change) {
    Conv conv;
    change(conv);
    return conv.try_it();
  };
  expect_refused(changed([](Conv& c) { c.in = {8, 8, 4}; }), "[batch, height, width, channels]");
  expect_refused(changed([](Conv& c) { c.filter = {9, 4, 6}; }), "filter must be");
  expect_refused(changed([](Conv& c) { c.filter = {3, 3, 3, 6}; }), "does not divide");
  expect_refused(changed([](Conv& c) { c.group = 2; }), "does not divide");
  expect_refused(changed([](Conv& c) { c.group = 3; }), "does not divide");
  expect_refused(changed([](Conv& c) { c.group = 0; }), "must not be 0");
  expect_refused(changed([](Conv& c) { c.stride = {0, 1}; }), "must not be 0");
  expect_refused(changed([](Conv& c) { c.dilation = {1, 0}; }), "must not be 0");
  expect_refused(changed([](Conv& c) { c.stride = {1, 1, 1}; }), "'stride' has the wrong shape");
  expect_refused(changed([](Conv& c) { c.pad_dims = {4}; }), "'pad_amount' has the wrong shape");
  expect_refused(changed([](Conv& c) { c.bias = {4}; }), "bias");
  expect_refused(changed([](Conv& c) { c.out = {1, 8, 8, 6}; }), "the op gives [1,6,6,6]");
  expect_refused(changed([](Conv& c) { c.in = {1, 2, 8, 4}; }), "larger than the padded input");
  expect_refused(changed([](Conv& c) { c.dilation = {0xFFFFFFFFu, 1}; }), "larger than");
  Conv grouped;
  grouped.group = 2;
  grouped.filter = {3, 3, 2, 6};
  expect_accepted(grouped.try_it());
}

TEST(ops, conv2d_requires_stride_and_pad_amount_but_not_dilation_and_group) {
  const auto with = [](bool stride, bool pad) {
    return try_shapes("Conv2d", {{1, 4, 4, 1}, {1, 1, 1, 1}}, {1, 4, 4, 1}, [=](Builder& builder) {
      std::vector<c_api::Param> params;
      if (stride) params.push_back(builder.uints("stride", {2}, {1, 1}));
      if (pad) params.push_back(builder.uints("pad_amount", {2, 2}, {0, 0, 0, 0}));
      return params;
    });
  };
  expect_accepted(with(true, true));
  expect_refused(with(false, true), "'stride' is missing");
  expect_refused(with(true, false), "'pad_amount' is missing");
}

}}  // namespace qnnpp::sim::testing
