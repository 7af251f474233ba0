// Element types and quantisation, against plain definitions in double precision.

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "sample_binary.hpp"
#include "sim/tables/abi_view.hpp"

namespace qnnpp::sim::testing::elements_test { namespace {

using enum c_api::DataType;
using c_api::QuantizationEncoding::axis_scale_offset;
using c_api::QuantizationEncoding::block;
using c_api::QuantizationEncoding::blockwise_expansion;
using c_api::QuantizationEncoding::bw_axis_scale_offset;
using c_api::QuantizationEncoding::bw_scale_offset;
using c_api::QuantizationEncoding::scale_offset;

constexpr std::uint64_t vtcm = 1u << 20;

Tensor tensor_of(c_api::DataType type, Dims dims, Quantization quantization = {}) {
  Tensor tensor;
  tensor.data_type = type;
  tensor.dimensions = std::move(dims);
  tensor.quantization = std::move(quantization);
  return tensor;
}

Quantization quantised(c_api::QuantizationEncoding encoding,
                       std::vector<c_api::ScaleOffset> pairs) {
  Quantization made;
  made.definition = c_api::Definition::defined;
  made.encoding = encoding;
  made.pairs = std::move(pairs);
  return made;
}
Quantization per_tensor(float scale, std::int32_t offset) {
  return quantised(scale_offset, {{scale, offset}});
}

/// Returns what comes back after the values are stored as elements of the tensor.
Floats stored(const Tensor& tensor, const Floats& values) {
  std::vector<std::byte> bytes(tensor_bytes(tensor), std::byte{0xA5});
  from_floats(tensor, values.data(), bytes.data());
  Floats back(values.size());
  to_floats(tensor, bytes.data(), back.data());
  return back;
}

/// Definition: the nearest multiple of the scale whose code has `bits` bits.
double reference(double value, float scale, std::int32_t offset, unsigned bits, bool is_signed) {
  const double high = std::ldexp(1.0, static_cast<int>(is_signed ? bits - 1 : bits)) - 1;
  const double low = is_signed ? -high - 1 : 0;
  const double code = std::nearbyint(value / double(scale)) - offset;
  return double(scale) * (std::min(std::max(code, low), high) + offset);
}

TEST(elements, every_half_is_exact_and_comes_back) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const int fraction = static_cast<int>(bits & 1023);
    const float found = detail::from_half(half);
    if (exponent == 31) {
      ASSERT_TRUE(fraction == 0 ? std::isinf(found) : std::isnan(found)) << bits;
      continue;
    }
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    ASSERT_EQ(found, bits < 32768 ? magnitude : -magnitude) << bits;
    ASSERT_EQ(detail::to_half(found), half) << bits;
  }
}

TEST(elements, a_half_is_the_nearest_one_ties_to_even) {
  for (std::uint32_t bits = 0; bits < 31 * 1024 - 1; ++bits) {
    const double low = detail::from_half(static_cast<std::uint16_t>(bits));
    const double high = detail::from_half(static_cast<std::uint16_t>(bits + 1));
    const auto middle = static_cast<float>((low + high) / 2);
    ASSERT_EQ(detail::to_half(middle), bits + bits % 2) << bits;
    ASSERT_EQ(detail::to_half(std::nextafterf(middle, 0.0f)), bits) << bits;
    ASSERT_EQ(detail::to_half(-std::nextafterf(middle, 1e9f)), bits + 1 + 32768) << bits;
  }
  EXPECT_EQ(detail::to_half(65519.0f), 0x7BFF);
  EXPECT_EQ(detail::to_half(65520.0f), 0x7C00);
  EXPECT_EQ(detail::to_half(-1e9f), 0xFC00);
  EXPECT_TRUE(std::isnan(detail::from_half(detail::to_half(NAN))));
}

TEST(elements, a_bfloat_is_the_nearest_one_ties_to_even) {
  EXPECT_EQ(detail::to_bfloat(1.0f), 0x3F80);
  EXPECT_EQ(detail::to_bfloat(std::bit_cast<float>(0x3F808000u)), 0x3F80);
  EXPECT_EQ(detail::to_bfloat(std::bit_cast<float>(0x3F818000u)), 0x3F82);
  EXPECT_EQ(detail::to_bfloat(std::bit_cast<float>(0x3F808001u)), 0x3F81);
  EXPECT_EQ(detail::from_bfloat(0xC000), -2.0f);
  EXPECT_TRUE(std::isnan(detail::from_bfloat(detail::to_bfloat(NAN))));
}

TEST(elements, integers_and_bools_are_rounded_and_limited) {
  const Floats values = {-1e30f, -128.5f, -2.5f, -0.5f, 0.0f, 0.5f, 1.5f, 254.5f, 1e30f, NAN};
  EXPECT_EQ(stored(tensor_of(int_8, {10}), values),
            (Floats{-128, -128, -2, 0, 0, 0, 2, 127, 127, 0}));
  EXPECT_EQ(stored(tensor_of(uint_8, {10}), values), (Floats{0, 0, 0, 0, 0, 0, 2, 254, 255, 0}));
  EXPECT_EQ(stored(tensor_of(int_32, {10}), values),
            (Floats{-2147483648.0f, -128, -2, 0, 0, 0, 2, 254, 2147483648.0f, 0}));
  EXPECT_EQ(stored(tensor_of(bool_8, {10}), values), (Floats{1, 1, 1, 1, 0, 1, 1, 1, 1, 0}));
}

/// Expects that the values are stored as these elements.
template <class T>
void expect_stored(c_api::DataType type, const Floats& values, const std::vector<T>& elements) {
  const Tensor tensor = tensor_of(type, {static_cast<std::uint32_t>(values.size())});
  ASSERT_EQ(tensor_bytes(tensor), elements.size() * sizeof(T)) << static_cast<unsigned>(type);
  std::vector<T> written(elements.size());
  from_floats(tensor, values.data(), reinterpret_cast<std::byte*>(written.data()));
  EXPECT_EQ(written, elements) << static_cast<unsigned>(type);
}
template <class T>
void expect_integers(c_api::DataType type) {
  using Limits = std::numeric_limits<T>;
  const std::vector<T> elements = {std::is_signed_v<T> ? static_cast<T>(-3) : T{0}, 2,
                                   Limits::max(), Limits::lowest()};
  expect_stored(type, {-3, 2.5f, 1e30f, -1e30f}, elements);
  Floats read(elements.size()), expected;
  for (const T element : elements) expected.push_back(static_cast<float>(element));
  to_floats(tensor_of(type, {4}), reinterpret_cast<const std::byte*>(elements.data()), read.data());
  EXPECT_EQ(read, expected) << static_cast<unsigned>(type);
}

TEST(elements, each_type_has_its_own_elements) {
  expect_integers<std::int8_t>(int_8);
  expect_integers<std::int16_t>(int_16);
  expect_integers<std::int32_t>(int_32);
  expect_integers<std::int64_t>(int_64);
  expect_integers<std::uint8_t>(uint_8);
  expect_integers<std::uint16_t>(uint_16);
  expect_integers<std::uint32_t>(uint_32);
  expect_integers<std::uint64_t>(uint_64);
  const Floats values = {-3, 2.5f, 1e30f};
  expect_stored<float>(float_32, values, values);
  expect_stored<double>(float_64, values, {-3, 2.5, static_cast<double>(1e30f)});
  expect_stored<std::uint16_t>(float_16, values, {0xC200, 0x4100, 0x7C00});
  expect_stored<std::uint16_t>(bfloat_16, values, {0xC040, 0x4020, 0x714A});
  for (const c_api::DataType type : {float_32, float_64, float_16, bfloat_16})
    EXPECT_EQ(stored(tensor_of(type, {2}), {-3, 2.5f}), (Floats{-3, 2.5f}));
}

TEST(elements, fixed_point_is_the_nearest_code_of_each_type) {
  const Floats values = testing::values(256, 7);
  for (const c_api::DataType type :
       {sfixed_point_4, sfixed_point_8, sfixed_point_16, ufixed_point_4, ufixed_point_8,
        ufixed_point_16, sfixed_point_32, ufixed_point_32}) {
    const std::uint32_t bits = element_bits(type);
    for (const std::int32_t offset : {0, -3, -100, 5}) {
      const float scale = std::ldexp(0.37f, 3 - static_cast<int>(std::min(bits, 16u)));
      const Floats found = stored(tensor_of(type, {256}, per_tensor(scale, offset)), values);
      for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(found[i], static_cast<float>(reference(double(values[i]), scale, offset, bits,
                                                         is_signed_fixed_point(type))))
            << static_cast<unsigned>(type) << " offset " << offset << " value " << values[i];
    }
  }
}

TEST(elements, four_bit_codes_share_bytes_the_lower_half_first) {
  const Tensor tensor = tensor_of(sfixed_point_4, {3}, per_tensor(1.0f, 0));
  EXPECT_EQ(tensor_bytes(tensor), 2u);
  std::array<std::byte, 2> bytes{std::byte{0xFF}, std::byte{0xFF}};
  const Floats values = {-8, 7, 3};
  from_floats(tensor, values.data(), bytes.data());
  EXPECT_EQ(bytes[0], std::byte{0x78});
  EXPECT_EQ(bytes[1], std::byte{0xF3}) << "the unused half of the last byte is kept";
}

TEST(elements, codes_with_fewer_bits_than_their_container_use_its_low_bits) {
  Quantization narrow = quantised(bw_scale_offset, {{0.5f, 0}});
  narrow.bitwidth = 4;
  const Tensor tensor = tensor_of(sfixed_point_8, {4}, narrow);
  EXPECT_EQ(stored(tensor, {-100, -4, 3.5f, 100}), (Floats{-4, -4, 3.5f, 3.5f}));
  const std::array<std::byte, 4> bytes{std::byte{0x0F}, std::byte{0xFF}, std::byte{0x17},
                                       std::byte{0x08}};
  Floats back(4);
  to_floats(tensor, bytes.data(), back.data());
  EXPECT_EQ(back, (Floats{-0.5f, -0.5f, 3.5f, -4}));
}

TEST(elements, an_axis_has_a_scale_for_each_index) {
  for (const std::int32_t axis : {0, 1, 2}) {
    const Dims dims{2, 3, 4};
    std::vector<c_api::ScaleOffset> pairs;
    for (std::uint32_t i = 0; i < dims[static_cast<std::size_t>(axis)]; ++i)
      pairs.push_back({0.01f * static_cast<float>(i + 1), static_cast<std::int32_t>(i) - 1});
    Quantization quantization = quantised(axis_scale_offset, pairs);
    quantization.axis = axis;
    const Floats values = testing::values(24, 3);
    const Floats found = stored(tensor_of(sfixed_point_8, dims, quantization), values);
    quantization.encoding = bw_axis_scale_offset;
    quantization.bitwidth = 5;
    const Floats narrow = stored(tensor_of(sfixed_point_8, dims, quantization), values);
    std::size_t i = 0;
    for (std::uint32_t a = 0; a < 2; ++a)
      for (std::uint32_t b = 0; b < 3; ++b)
        for (std::uint32_t c = 0; c < 4; ++c, ++i) {
          const auto& [scale, offset] = pairs[std::array{a, b, c}[static_cast<std::size_t>(axis)]];
          const double value = double(values[i]);
          ASSERT_EQ(found[i], static_cast<float>(reference(value, scale, offset, 8, true))) << i;
          ASSERT_EQ(narrow[i], static_cast<float>(reference(value, scale, offset, 5, true))) << i;
        }
  }
}

TEST(elements, a_block_has_its_scale) {
  Quantization quantization = quantised(block, {{0.01f, 0}, {0.02f, 1}, {0.03f, 2}, {0.04f, 3}});
  quantization.blocks = {2, 3};
  const Tensor tensor = tensor_of(sfixed_point_8, {4, 6}, quantization);
  ASSERT_EQ(fault_of(quantization, sfixed_point_8, tensor.dimensions), "");
  const Floats values = testing::values(24, 5);
  const Floats found = stored(tensor, values);
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t column = 0; column < 6; ++column) {
      const auto& [scale, offset] = quantization.pairs[row / 2 * 2 + column / 3];
      const std::size_t i = row * 6 + column;
      ASSERT_EQ(found[i], static_cast<float>(reference(double(values[i]), scale, offset, 8, true)));
    }
}

TEST(elements, blockwise_expansion_multiplies_the_scale_of_an_index_by_that_of_its_block) {
  for (const bool narrow : {true, false}) {
    Quantization quantization = quantised(blockwise_expansion, {{0.01f, 0}, {0.005f, 0}});
    quantization.axis = 1;  // weights [inputs, outputs]: blocks of 2 of the 4 inputs
    quantization.blocks = {2};
    if (narrow)
      quantization.block_scales8 = {1, 3, 7, 2};
    else
      quantization.block_scales16 = {1, 3, 7, 2};
    const Tensor tensor = tensor_of(sfixed_point_4, {4, 2}, quantization);
    ASSERT_EQ(fault_of(quantization, sfixed_point_4, tensor.dimensions), "");
    const Floats values = testing::values(8, 9);
    const Floats found = stored(tensor, values);
    constexpr float block_scales[] = {1, 3, 7, 2};
    for (std::size_t row = 0; row < 4; ++row)
      for (std::size_t column = 0; column < 2; ++column) {
        const float scale = quantization.pairs[column].scale * block_scales[column * 2 + row / 2];
        const std::size_t i = row * 2 + column;
        ASSERT_EQ(found[i], static_cast<float>(reference(double(values[i]), scale, 0, 4, true)));
      }
  }
}

/// A C tensor with each encoding, valid for sfixed_point_8 and the shape [2, 4].
struct EachEncoding {
  Dims dims{2, 4};
  c_api::ScaleOffset pairs[4] = {{0.5f, 0}, {0.25f, 1}, {2.0f, -1}, {1.0f, 7}};
  float scales[2] = {0.5f, 0.25f};
  std::int32_t offsets[2] = {3, -3};
  std::uint32_t block_size[2] = {1, 2};
  std::uint8_t block_scales[4] = {1, 2, 3, 4};
  c_api::BlockwiseExpansion expansion{};

  c_api::Tensor tensor(const char* name, c_api::QuantizationEncoding encoding) {
    c_api::Tensor made = abi_tensor(name, c_api::TensorType::native, dims, sfixed_point_8);
    c_api::QuantizeParams& params = made.v1.quantize_params;
    params.encoding_definition = c_api::Definition::defined;
    params.quantization_encoding = encoding;
    switch (encoding) {
      case scale_offset: params.scale_offset_encoding = pairs[1]; break;
      case bw_scale_offset: params.bw_scale_offset_encoding = {4, 0.5f, 0}; break;
      case axis_scale_offset: params.axis_scale_offset_encoding = {1, 4, pairs}; break;
      case bw_axis_scale_offset:
        params.bw_axis_scale_offset_encoding = {4, 0, 2, scales, offsets};
        break;
      case block: params.block_encoding = {block_size, pairs}; break;
      default:
        expansion.axis = 0;
        expansion.scale_offsets = pairs;
        expansion.num_blocks_per_axis = 2;
        expansion.block_scale_bitwidth = 4;
        expansion.block_scale_storage_type = c_api::BlockwiseExpansionBlockScaleStorageType::v8;
        expansion.blocks_scale8 = block_scales;
        params.blockwise_expansion = &expansion;
    }
    return made;
  }
};
constexpr c_api::QuantizationEncoding each_encoding[] = {
    scale_offset,         bw_scale_offset, axis_scale_offset,
    bw_axis_scale_offset, block,           blockwise_expansion};

TEST(elements, each_encoding_is_kept_in_binaries_and_in_views) {
  EachEncoding each;
  Builder builder;
  for (const auto encoding : each_encoding) {
    const std::string name = "t" + std::to_string(static_cast<unsigned>(encoding));
    c_api::Tensor tensor = each.tensor(name.c_str(), encoding);
    ASSERT_TRUE(builder.add(tensor).ok());
  }
  builder.input("in", {2}).output("out", {2}).node("Relu", {"in"}, "out");
  NetworkPlan plan;
  ASSERT_TRUE(plan_network(builder.network, sample_vtcm_bytes, plan).ok());
  BinaryContents contents;
  const auto binary = serialize(builder.network, plan, sample_target());
  const Status status = parse(binary, sample_device, contents);
  ASSERT_TRUE(status.ok()) << status.reason;
  for (std::size_t i = 0; i < std::size(each_encoding); ++i) {
    const Tensor& tensor = contents.network.graphs[0].tensors[i];
    EXPECT_EQ(tensor.quantization, builder.graph().tensors[i].quantization) << tensor.name;
    c_api::Tensor view = abi_view(tensor);
    Tensor copied;
    ASSERT_TRUE(copy_tensor(view, copied).ok()) << tensor.name;
    EXPECT_EQ(copied.quantization, tensor.quantization) << tensor.name;
    EXPECT_EQ(copied.quantization.encoding, each_encoding[i]);
  }
}

TEST(elements, a_quantisation_that_does_not_fit_its_tensor_is_refused) {
  const auto code = [](c_api::QuantizationEncoding encoding, auto change) {
    EachEncoding each;
    Builder builder;
    c_api::Tensor tensor = each.tensor("t", encoding);
    change(tensor.v1.quantize_params);
    return builder.add(tensor).code;
  };
  constexpr auto invalid = static_cast<std::uint32_t>(c_api::TensorError::invalid_tensor_param);
  using Params = c_api::QuantizeParams;
  for (const auto encoding : each_encoding) EXPECT_EQ(code(encoding, [](Params&) {}), 0u);
  for (const float scale : {0.0f, -1.0f, NAN, INFINITY})
    EXPECT_EQ(code(scale_offset, [&](Params& p) { p.scale_offset_encoding.scale = scale; }),
              invalid);
  for (const std::uint32_t bits : {0u, 9u})
    EXPECT_EQ(code(bw_scale_offset, [&](Params& p) { p.bw_scale_offset_encoding.bitwidth = bits; }),
              invalid);
  for (const std::int32_t axis : {-1, 0, 2})
    EXPECT_EQ(code(axis_scale_offset, [&](Params& p) { p.axis_scale_offset_encoding.axis = axis; }),
              invalid);
  EXPECT_EQ(code(axis_scale_offset,
                 [](Params& p) { p.axis_scale_offset_encoding.scale_offset = nullptr; }),
            invalid);
  EXPECT_EQ(code(bw_axis_scale_offset,
                 [](Params& p) { p.bw_axis_scale_offset_encoding.scales = nullptr; }),
            invalid);
  EXPECT_EQ(code(bw_axis_scale_offset,
                 [](Params& p) { p.bw_axis_scale_offset_encoding.offsets = nullptr; }),
            0u)
      << "without offsets they are 0";
  for (const std::uint32_t extent : {0u, 3u})
    EXPECT_EQ(code(block, [&](Params& p) { p.block_encoding.block_size[1] = extent; }), invalid);
  EXPECT_EQ(code(blockwise_expansion, [](Params& p) { p.blockwise_expansion = nullptr; }), invalid);
  for (const std::uint32_t blocks : {0u, 3u})
    EXPECT_EQ(code(blockwise_expansion,
                   [&](Params& p) { p.blockwise_expansion->num_blocks_per_axis = blocks; }),
              invalid);
}

/// Adds a tensor with a quantisation for the tensor or for an axis.
void add(Builder& builder, const char* name, c_api::TensorType kind, c_api::DataType type,
         Dims dims, std::vector<c_api::ScaleOffset> pairs, void* data = nullptr,
         std::size_t bytes = 0) {
  c_api::Tensor tensor = abi_tensor(name, kind, dims, type, data, bytes);
  c_api::QuantizeParams& params = tensor.v1.quantize_params;
  if (!pairs.empty()) params.encoding_definition = c_api::Definition::defined;
  if (pairs.size() == 1) {
    params.quantization_encoding = scale_offset;
    params.scale_offset_encoding = pairs[0];
  } else if (!pairs.empty()) {
    params.quantization_encoding = axis_scale_offset;
    params.axis_scale_offset_encoding = {0, static_cast<std::uint32_t>(pairs.size()), pairs.data()};
  }
  const Status status = builder.add(tensor);
  ASSERT_TRUE(status.ok()) << status.reason;
}

TEST(elements, a_quantised_layer_gives_the_codes_of_its_definition) {
  // y = relu-free x W + b: uint8 activations, int8 weights for each output, int32 bias, uint16 out.
  constexpr std::size_t rows = 3, in = 16, out = 5;
  std::vector<std::uint8_t> x(rows * in);
  std::vector<std::int8_t> w(out * in);
  std::vector<std::int32_t> b(out);
  Random random{42};
  for (std::uint8_t& code : x) code = static_cast<std::uint8_t>(random());
  for (std::int8_t& code : w) code = static_cast<std::int8_t>(random());
  for (std::int32_t& code : b) code = static_cast<std::int32_t>(random.below(20001)) - 10000;
  const c_api::ScaleOffset of_x{0.02f, -128}, of_y{0.0005f, -32768};
  std::vector<c_api::ScaleOffset> of_w, of_b;
  for (std::size_t j = 0; j < out; ++j) {
    of_w.push_back({0.003f * static_cast<float>(j + 1), 0});
    of_b.push_back({of_x.scale * of_w[j].scale, 0});
  }
  Builder builder;
  add(builder, "x", c_api::TensorType::app_write, ufixed_point_8, {rows, in}, {of_x});
  add(builder, "w", c_api::TensorType::static_, sfixed_point_8, {out, in}, of_w, w.data(),
      w.size());
  add(builder, "b", c_api::TensorType::static_, sfixed_point_32, {out}, of_b, b.data(), 4 * out);
  add(builder, "y", c_api::TensorType::app_read, ufixed_point_16, {rows, out}, {of_y});
  builder.node("FullyConnected", {"x", "w", "b"}, "y");
  NetworkPlan plan;
  ASSERT_TRUE(plan_network(builder.network, vtcm, plan).ok());
  std::vector<std::byte> weights(plan.weights_bytes), io(plan.graphs[0].io_copies_bytes);
  write_weights(builder.network, plan, weights);
  std::vector<std::byte*> addresses(4);
  assign_addresses(builder.graph(), plan.graphs[0], {weights.data(), nullptr, nullptr, io.data()},
                   addresses);
  std::memcpy(addresses[0], x.data(), x.size());
  Floats scratch(scratch_floats(builder.graph()));
  EXPECT_EQ(scratch.size(), rows * in + out * in + out + rows * out);
  ASSERT_TRUE(run(builder.graph(), plan.graphs[0], addresses, scratch.data()));

  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < out; ++j) {
      std::int64_t sum = b[j];
      for (std::size_t k = 0; k < in; ++k)
        sum += std::int64_t{x[r * in + k] + of_x.offset} * w[j * in + k];
      const double real = double(sum) * double(of_x.scale) * double(of_w[j].scale);
      const double code = std::nearbyint(real / double(of_y.scale)) - of_y.offset;
      std::uint16_t found = 0;
      std::memcpy(&found, addresses[3] + 2 * (r * out + j), 2);
      EXPECT_NEAR(found, std::min(std::max(code, 0.0), 65535.0), 1.0) << r << " " << j;
    }
}

TEST(elements, convert_changes_the_code_and_keeps_the_number) {
  Builder builder;
  builder.input("in", {6});
  add(builder, "wide", c_api::TensorType::native, ufixed_point_16, {6}, {{1.0f / 2048, -32768}});
  add(builder, "narrow", c_api::TensorType::native, sfixed_point_8, {6}, {{0.0625f, 0}});
  builder.output("out", {6});
  builder.node("Relu", {"in"}, "wide").node("Convert", {"wide"}, "narrow");
  builder.node("Convert", {"narrow"}, "out");
  const auto found = plan_and_execute(builder, vtcm, {{"in", {0, 0.03f, 0.04f, 1, 7.9f, 15}}});
  EXPECT_EQ(found.at("out"), (Floats{0, 0, 0.0625f, 1, 7.875f, 7.9375f}))
      << "the nearest code, limited to 127";
}

TEST(elements, reshape_shares_memory_only_between_equal_elements) {
  for (const float scale : {0.5f, 0.25f}) {
    Builder builder;
    builder.input("in", {2, 3});
    add(builder, "a", c_api::TensorType::native, ufixed_point_8, {2, 3}, {{0.5f, 0}});
    add(builder, "b", c_api::TensorType::native, ufixed_point_8, {3, 2}, {{scale, 0}});
    builder.output("out", {3, 2});
    builder.node("Relu", {"in"}, "a").node("Reshape", {"a"}, "b").node("Relu", {"b"}, "out");
    NetworkPlan plan;
    ASSERT_TRUE(plan_network(builder.network, vtcm, plan).ok());
    EXPECT_EQ(plan.graphs[0].placements[2].alias_of, scale == 0.5f ? 1u : no_index);
    const auto found = plan_and_execute(builder, vtcm, {{"in", {0.4f, 1.1f, -2, 3, 200, 0.3f}}});
    EXPECT_EQ(found.at("out"), (Floats{0.5f, 1.0f, 0, 3, scale == 0.5f ? 127.5f : 63.75f, 0.5f}));
  }
}

}}  // namespace qnnpp::sim::testing::elements_test
