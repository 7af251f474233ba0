// Tensors keep their content through the description and back.

#include "sim/tables/abi_view.hpp"

#include <gtest/gtest.h>

#include "builder.hpp"

namespace qnnpp::sim::testing { namespace {

TEST(abi_view, shows_the_tensor_that_was_created) {
  Dims dims{2, 3};
  c_api::Tensor source = abi_tensor("x", c_api::TensorType::app_write, dims);
  source.v1.mem_type = c_api::TensorMemType::memhandle;
  source.v1.mem_handle = nullptr;
  Builder builder;
  ASSERT_TRUE(builder.add(source).ok());
  const c_api::Tensor view = abi_view(builder.graph().tensors[0]);
  ASSERT_EQ(view.version, c_api::TensorVersion::v1);
  EXPECT_EQ(view.v1.id, source.v1.id);
  EXPECT_STREQ(view.v1.name, "x");
  EXPECT_NE(view.v1.name, source.v1.name);
  EXPECT_EQ(view.v1.type, c_api::TensorType::app_write);
  EXPECT_EQ(view.v1.data_type, c_api::DataType::float_32);
  ASSERT_EQ(view.v1.rank, 2u);
  EXPECT_NE(view.v1.dimensions, dims.data());
  EXPECT_EQ(view.v1.dimensions[0], 2u);
  EXPECT_EQ(view.v1.dimensions[1], 3u);
  EXPECT_EQ(view.v1.mem_type, c_api::TensorMemType::memhandle);
  EXPECT_EQ(view.v1.mem_handle, nullptr);
}

TEST(abi_view, keeps_the_struct_version_and_leaves_nothing_of_it_uninitialised) {
  Dims dims{4};
  c_api::Tensor source{};
  source.version = c_api::TensorVersion::v2;
  source.v2 = c_api::TensorV2{};
  source.v2.name = "y";
  source.v2.type = c_api::TensorType::native;
  source.v2.data_type = c_api::DataType::float_32;
  source.v2.quantize_params.encoding_definition = c_api::Definition::undefined;
  source.v2.rank = 1;
  source.v2.dimensions = dims.data();
  Builder builder;
  ASSERT_TRUE(builder.add(source).ok());
  const c_api::Tensor view = abi_view(builder.graph().tensors[0]);
  ASSERT_EQ(view.version, c_api::TensorVersion::v2);
  EXPECT_STREQ(view.v2.name, "y");
  EXPECT_EQ(view.v2.id, source.v2.id);
  EXPECT_EQ(view.v2.client_buf.data, nullptr);
  EXPECT_EQ(view.v2.is_dynamic_dimensions, nullptr);
  EXPECT_EQ(view.v2.is_produced, 0u);
}

TEST(abi_view, shows_scales_and_offsets_of_quantised_tensors) {
  Dims dims{2};
  c_api::ScaleOffset per_channel[] = {{0.5f, 3}, {0.25f, -4}};
  Builder builder;
  c_api::Tensor whole =
      abi_tensor("t", c_api::TensorType::app_write, dims, c_api::DataType::ufixed_point_8);
  whole.v1.quantize_params.encoding_definition = c_api::Definition::defined;
  whole.v1.quantize_params.quantization_encoding = c_api::QuantizationEncoding::scale_offset;
  whole.v1.quantize_params.scale_offset_encoding = {0.125f, -7};
  ASSERT_TRUE(builder.add(whole).ok());
  c_api::Tensor narrow = whole;
  narrow.v1.name = "n";
  narrow.v1.quantize_params.quantization_encoding = c_api::QuantizationEncoding::bw_scale_offset;
  narrow.v1.quantize_params.bw_scale_offset_encoding = {4, 2.0f, 1};
  ASSERT_TRUE(builder.add(narrow).ok());
  c_api::Tensor axis = whole;
  axis.v1.name = "a";
  axis.v1.quantize_params.quantization_encoding = c_api::QuantizationEncoding::axis_scale_offset;
  axis.v1.quantize_params.axis_scale_offset_encoding = {0, 2, per_channel};
  ASSERT_TRUE(builder.add(axis).ok());

  const std::uint32_t indices[] = {0, 1, 2};
  const std::vector<c_api::Tensor> views = abi_views(builder.graph(), indices);
  ASSERT_EQ(views.size(), 3u);
  EXPECT_EQ(views[0].v1.quantize_params.scale_offset_encoding.scale, 0.125f);
  EXPECT_EQ(views[0].v1.quantize_params.scale_offset_encoding.offset, -7);
  EXPECT_EQ(views[1].v1.quantize_params.bw_scale_offset_encoding.bitwidth, 4u);
  EXPECT_EQ(views[1].v1.quantize_params.bw_scale_offset_encoding.offset, 1);
  const c_api::AxisScaleOffset& channels = views[2].v1.quantize_params.axis_scale_offset_encoding;
  ASSERT_EQ(channels.num_scale_offsets, 2u);
  EXPECT_NE(channels.scale_offset, per_channel);
  EXPECT_EQ(channels.scale_offset[1].scale, 0.25f);
  EXPECT_EQ(channels.scale_offset[1].offset, -4);
}

TEST(abi_view, lists_inputs_and_outputs_in_order_of_creation) {
  Builder builder;
  builder.output("late", {2}).input("first", {2}).native("mid", {2});
  builder.tensor("state", c_api::TensorType::app_readwrite, {2});
  builder.tensor("result", c_api::TensorType::app_readwrite, {2}).input("second", {2});
  builder.node("ElementWiseAdd", {"first", "state"}, "mid");
  builder.node("ElementWiseAdd", {"mid", "second"}, "result").node("Relu", {"mid"}, "late");
  const auto names = [&builder](const std::vector<std::uint32_t>& indices) {
    std::vector<std::string> all;
    for (const std::uint32_t index : indices) all.push_back(builder.graph().tensors[index].name);
    return all;
  };
  EXPECT_EQ(names(graph_inputs(builder.graph())),
            (std::vector<std::string>{"first", "state", "second"}));
  EXPECT_EQ(names(graph_outputs(builder.graph())), (std::vector<std::string>{"late", "result"}));
}

}}  // namespace qnnpp::sim::testing
