// Dynamic dimensions: which tensors may have them, their place in the binary, and the model of one
// value for all extents with one maximum.

#include <gtest/gtest.h>

#include "sample_binary.hpp"
#include "sim/plan/actual.hpp"
#include "sim/tables/abi_view.hpp"

namespace qnnpp::sim::testing { namespace {

constexpr std::uint32_t unsupported_tensor_code = 7005, dynamic_shape_code = 6036;

/// A tensor of version 2 with dynamic dimensions.
struct DynamicTensor {
  Dims dims;
  std::vector<std::uint8_t> flags;
  c_api::Tensor tensor{};

  DynamicTensor(const char* name, c_api::TensorType type, Dims dimensions,
                std::vector<std::uint8_t> dynamic)
      : dims(std::move(dimensions)), flags(std::move(dynamic)) {
    tensor.version = c_api::TensorVersion::v2;
    tensor.v2 = c_api::TensorV2{};
    tensor.v2.name = name;
    tensor.v2.type = type;
    tensor.v2.data_type = c_api::DataType::float_32;
    tensor.v2.rank = static_cast<std::uint32_t>(dims.size());
    tensor.v2.dimensions = dims.data();
    tensor.v2.is_dynamic_dimensions = flags.data();
  }
  DynamicTensor(const DynamicTensor&) = delete;
  DynamicTensor& operator=(const DynamicTensor&) = delete;

  std::uint32_t code(DynamicDimensions supported = DynamicDimensions::supported) {
    Network network;
    Graph graph;
    return add_graph_tensor(network, graph, tensor, supported).code;
  }
};

TEST(dynamic, tensors_are_refused_unless_the_device_supports_them) {
  DynamicTensor input("x", c_api::TensorType::app_write, {8, 4}, {1, 0});
  EXPECT_EQ(input.code(DynamicDimensions::unsupported), unsupported_tensor_code);
  EXPECT_EQ(input.code(), 0u);
  DynamicTensor fixed("x", c_api::TensorType::app_write, {8, 4}, {0, 0});
  EXPECT_EQ(fixed.code(DynamicDimensions::unsupported), 0u);
}

TEST(dynamic, tensors_that_are_static_or_have_several_scales_are_refused) {
  Floats contents(32);
  DynamicTensor weights("w", c_api::TensorType::static_, {8, 4}, {1, 0});
  weights.tensor.v2.client_buf = {contents.data(), 128};
  EXPECT_EQ(weights.code(), unsupported_tensor_code);
  DynamicTensor scaled("x", c_api::TensorType::app_write, {8, 2}, {1, 0});
  c_api::ScaleOffset scales[] = {{0.5f, 1}, {0.25f, 2}};
  scaled.tensor.v2.data_type = c_api::DataType::ufixed_point_8;
  scaled.tensor.v2.quantize_params.encoding_definition = c_api::Definition::defined;
  scaled.tensor.v2.quantize_params.quantization_encoding =
      c_api::QuantizationEncoding::axis_scale_offset;
  scaled.tensor.v2.quantize_params.axis_scale_offset_encoding = {1, 2, scales};
  EXPECT_EQ(scaled.code(), unsupported_tensor_code);
}

/// y = relu(a + b), [8, 4] each; the extents of 8 are dynamic.
Network dynamic_network() {
  Network network;
  network.graphs.push_back({.name = "sum", .hints = {}, .tensors = {}, .nodes = {}});
  Graph& graph = network.graphs[0];
  const auto add = [&](const char* name, c_api::TensorType type) {
    DynamicTensor made(name, type, {8, 4}, {1, 0});
    EXPECT_TRUE(add_graph_tensor(network, graph, made.tensor, DynamicDimensions::supported).ok());
    return made.tensor;
  };
  c_api::Tensor inputs[] = {add("a", c_api::TensorType::app_write),
                            add("b", c_api::TensorType::app_write)};
  c_api::Tensor sum = add("sum", c_api::TensorType::native);
  c_api::Tensor y = add("y", c_api::TensorType::app_read);
  c_api::OpConfig op{};
  op.version = c_api::OpConfigVersion::v1;
  op.v1 = {"add", op_package_name, "ElementWiseAdd", 0, nullptr, 2, inputs, 1, &sum};
  EXPECT_TRUE(add_node(network, graph, op).ok());
  op.v1 = {"relu", op_package_name, "Relu", 0, nullptr, 1, &sum, 1, &y};
  EXPECT_TRUE(add_node(network, graph, op).ok());
  return network;
}

std::vector<std::byte> dynamic_binary() {
  const Network network = dynamic_network();
  NetworkPlan plan;
  EXPECT_TRUE(plan_network(network, sample_vtcm_bytes, plan).ok());
  return serialize(network, plan, sample_target());
}

TEST(dynamic, flags_are_kept_by_the_binary_and_shown_as_version_2) {
  const std::vector<std::byte> binary = dynamic_binary();
  BinaryContents contents;
  ASSERT_TRUE(parse(binary, sample_device, contents).ok());
  for (const Tensor& tensor : contents.network.graphs[0].tensors) {
    EXPECT_EQ(tensor.dynamic, (std::vector<std::uint8_t>{1, 0}));
    const c_api::Tensor view = abi_view(tensor);
    ASSERT_EQ(view.version, c_api::TensorVersion::v2);
    ASSERT_NE(view.v2.is_dynamic_dimensions, nullptr);
    EXPECT_EQ(view.v2.is_dynamic_dimensions[0], 1u);
    EXPECT_EQ(view.v2.is_dynamic_dimensions[1], 0u);
    EXPECT_EQ(view.v2.dimensions[0], 8u);
  }
  EXPECT_EQ(serialize(contents.network, contents.plan, contents.target), binary);
}

TEST(dynamic, binaries_are_5008_on_a_device_without_support_and_readable_as_metadata) {
  const std::vector<std::byte> binary = dynamic_binary();
  BinaryContents contents;
  EXPECT_EQ(parse(binary, {75, sample_vtcm_bytes, false}, contents).code, 5008u);
  EXPECT_EQ(inspect(binary, contents).code, 0u);
}

TEST(dynamic, flags_of_a_damaged_binary_that_no_tensor_can_have_are_refused) {
  std::vector<std::byte> binary = dynamic_binary();
  // The first tensor: id, name, five fields, dimensions; then its flags.
  const std::size_t graph = 128 + 4 + 8;
  const std::size_t flags = graph + 4 + 3 + 4 + 8 + 3 * 4 + 4 * 8 + 4 + 4 + 4 + 1 + 5 * 4 + 3 * 4;
  ASSERT_EQ(field<std::uint32_t>(binary, flags), 1u);
  const auto code = [&](std::size_t at, std::uint32_t value) {
    std::vector<std::byte> changed = binary;
    set_field(std::span(changed), at, value);
    seal(changed);
    BinaryContents contents;
    return parse(changed, sample_device, contents).code;
  };
  EXPECT_EQ(code(flags, 3), 0u) << "another dimension of the tensor";
  EXPECT_EQ(code(flags, 4), 30010u) << "a dimension that it does not have";
  EXPECT_EQ(code(flags, 0x80000000u), 30010u);
  const std::size_t version = flags - 3 * 4 - 5 * 4;
  ASSERT_EQ(field<std::uint32_t>(binary, version), 2u);
  EXPECT_EQ(code(version, 1), 30010u) << "version 1 has no flags";
}

/// The planned dynamic_network(), and the extents of one execution.
struct Actual {
  Network network = dynamic_network();
  NetworkPlan plan;
  std::unique_ptr<ActualGraph> actual;

  Actual() {
    EXPECT_TRUE(plan_network(network, sample_vtcm_bytes, plan).ok());
    actual = make_actual(network.graphs[0], plan.graphs[0]);
  }
  const Graph& maxima() const { return network.graphs[0]; }
  Status set(const char* tensor, const Dims& extents) {
    return set_extents(*actual, maxima().tensors[find_tensor(maxima(), tensor)], extents);
  }
  Dims extents(const char* tensor) const {
    return actual->graph.tensors[find_tensor(maxima(), tensor)].dimensions;
  }
};

TEST(dynamic, extents_with_one_maximum_are_one_value) {
  Actual run;
  EXPECT_EQ(run.actual->symbols.size(), 1u);
  ASSERT_TRUE(run.set("a", {3, 4}).ok());
  ASSERT_TRUE(run.set("b", {3, 4}).ok());
  ASSERT_TRUE(resolve_extents(*run.actual, run.maxima()).ok());
  for (const char* tensor : {"a", "b", "sum", "y"})
    EXPECT_EQ(run.extents(tensor), (Dims{3, 4})) << tensor;
  EXPECT_EQ(run.actual->plan.ops[1].flat.count, 12u);
}

TEST(dynamic, extents_that_no_input_sets_are_the_maxima) {
  Actual run;
  ASSERT_TRUE(run.set("a", {3, 4}).ok());
  forget_extents(*run.actual);
  ASSERT_TRUE(resolve_extents(*run.actual, run.maxima()).ok());
  EXPECT_EQ(run.extents("y"), (Dims{8, 4}));
  EXPECT_EQ(run.actual->plan.ops[1].flat.count, 32u);
}

TEST(dynamic, extents_out_of_range_or_different_for_one_maximum_are_6036) {
  Actual run;
  EXPECT_EQ(run.set("a", {0, 4}).code, dynamic_shape_code);
  EXPECT_EQ(run.set("a", {9, 4}).code, dynamic_shape_code);
  EXPECT_TRUE(run.set("a", {8, 4}).ok());
  const Status status = run.set("b", {7, 4});
  EXPECT_EQ(status.code, dynamic_shape_code);
  EXPECT_EQ(status.reason,
            "tensor 'b': extent 7 in dimension 0, another input gives 8 for the same maximum");
}

TEST(dynamic, extents_that_a_node_cannot_compute_are_6036) {
  Actual run;
  // The sum keeps its maximum, so that its inputs do not fit.
  run.network.graphs[0].tensors[run.actual->plan.ops.size()].dynamic.clear();
  ASSERT_TRUE(run.set("a", {3, 4}).ok());
  const Status status = resolve_extents(*run.actual, run.maxima());
  EXPECT_EQ(status.code, dynamic_shape_code);
  EXPECT_NE(status.reason.find("output shape [8,4] does not follow from"), std::string::npos)
      << status.reason;
}

}}  // namespace qnnpp::sim::testing
