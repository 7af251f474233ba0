// A small binary with two graphs, every kind of parameter, both tensor versions, registered and raw
// I/O, shared weights and spilled tensors.
#pragma once

#include "builder.hpp"

namespace qnnpp::sim::testing {

inline constexpr std::uint64_t sample_vtcm_bytes = 1024;
inline constexpr BinaryDevice sample_device{75, sample_vtcm_bytes, true};

inline BinaryTarget sample_target() {
  BinaryTarget target;
  target.core_api_version = {2, 32, 0};
  target.backend_api_version = {5, 43, 1};
  target.build_id = "sim-test";
  target.soc_model = 57;
  target.dsp_arch = 75;
  target.vtcm_bytes = sample_vtcm_bytes;
  target.start_alignment_bytes = 4096;
  return target;
}

inline Network sample_network() {
  Builder builder("conv");
  builder.network.shares_weights = true;
  builder.graph().hints = {c_api::Priority::high, 0, 3, 4, true};
  builder.input("in", {1, 6, 6, 2}).weights("filter", {3, 3, 2, 4}, values(72, 1));
  builder.weights("bias", {4}, values(4, 2)).native("conv", {1, 6, 6, 4});
  builder.native("relu", {1, 6, 6, 4}).native("rows", {36, 4}).native("turned", {4, 36});
  builder.tensor("out", c_api::TensorType::app_read, {4, 36}, c_api::TensorMemType::memhandle);
  builder.node("Conv2d", {"in", "filter", "bias"}, "conv",
               {builder.uints("stride", {2}, {1, 1}),
                builder.uints("pad_amount", {2, 2}, {1, 1, 1, 1}), uint_value("group", 1)});
  builder.node("Relu", {"conv"}, "relu").node("Reshape", {"relu"}, "rows");
  builder.node("Transpose", {"rows"}, "turned", {builder.uints("perm", {2}, {1, 0})});
  builder.node("Softmax", {"turned"}, "out", {float_value("beta", 0.5f), uint_value("axis", 1)});

  Dims dims{4};
  c_api::ScaleOffset scales[] = {{0.5f, 1}, {0.25f, 2}, {2.0f, -3}, {4.0f, 0}};
  c_api::Tensor quantised{};
  quantised.version = c_api::TensorVersion::v2;
  quantised.v2 = c_api::TensorV2{};
  quantised.v2.name = "quantised";
  quantised.v2.type = c_api::TensorType::native;
  quantised.v2.data_type = c_api::DataType::ufixed_point_8;
  quantised.v2.quantize_params.encoding_definition = c_api::Definition::defined;
  quantised.v2.quantize_params.quantization_encoding =
      c_api::QuantizationEncoding::axis_scale_offset;
  quantised.v2.quantize_params.axis_scale_offset_encoding = {0, 4, scales};
  quantised.v2.rank = 1;
  quantised.v2.dimensions = dims.data();
  EXPECT_TRUE(builder.add(quantised).ok());

  builder.begin_graph("dense");
  builder.input("in", {2, 4}).weights("w", {3, 4}, values(12, 3)).weights("b", {4}, values(4, 2));
  builder.native("sum", {2, 4}).native("y", {2, 3}).output("out", {2, 2});
  builder.weights("m", {3, 2}, values(6, 5));
  builder.node("ElementWiseAdd", {"in", "b"}, "sum");
  builder.node("FullyConnected", {"sum", "w"}, "y", {flag("keep_dims", true)});
  builder.node("MatMul", {"y", "m"}, "out",
               {flag("transpose_in0", false), flag("transpose_in1", false)});
  return std::move(builder.network);
}

inline std::vector<std::byte> sample_binary() {
  const Network network = sample_network();
  NetworkPlan plan;
  const Status status = plan_network(network, sample_vtcm_bytes, plan);
  EXPECT_TRUE(status.ok()) << status.reason;
  return serialize(network, plan, sample_target());
}

/// Reads a little-endian field of a binary, for tests that check or change single fields.
template <typename Value>
Value field(std::span<const std::byte> binary, std::size_t offset) {
  Value value{};
  std::memcpy(&value, binary.data() + offset, sizeof value);
  return value;
}
template <typename Value>
void set_field(std::span<std::byte> binary, std::size_t offset, Value value) {
  std::memcpy(binary.data() + offset, &value, sizeof value);
}

/// Corrects the checksums of a changed binary, if its sections can be found.
inline void seal(std::span<std::byte> binary) {
  if (binary.size() < binary_header_bytes) return;
  const std::uint64_t description_bytes = field<std::uint64_t>(binary, 24);
  const std::uint64_t weights_offset = field<std::uint64_t>(binary, 32);
  if (description_bytes <= binary.size() - binary_header_bytes)
    set_field(binary, 48, crc32(binary.subspan(binary_header_bytes, description_bytes)));
  if (weights_offset <= binary.size()) set_field(binary, 52, crc32(binary.subspan(weights_offset)));
  set_field(binary, binary_header_bytes - 4, crc32(binary.first(binary_header_bytes - 4)));
}

}  // namespace qnnpp::sim::testing
