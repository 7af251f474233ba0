// Quantisation: its encodings, their C structs, and the shapes that they fit.

#include "qnnpp/core/quantisation.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

using qnnpp::Errc;
using qnnpp::Quantisation;
using qnnpp::ScaleOffset;
using qnnpp::c_api::DataType;
using Encoding = qnnpp::c_api::QuantizationEncoding;
using Dims = std::vector<std::uint32_t>;

const Dims two_by_four{2, 4};

/// Every encoding, for a tensor of [2, 4] elements of 8 bits.
std::vector<Quantisation> each_quantisation() {
  return {Quantisation(0.5f, -3),
          Quantisation::per_tensor({0.25f, 1}, 4),
          Quantisation::per_axis(1, {{0.5f, 0}, {0.25f, 1}, {2.0f, -1}, {1.0f, 7}}),
          Quantisation::per_axis(0, {{0.5f, 3}, {0.25f, -3}}, 4),
          Quantisation::per_block({1, 2}, {{0.5f, 0}, {0.25f, 1}, {2.0f, -1}, {1.0f, 7}}),
          Quantisation::per_axis_and_block(0, {{0.5f, 0}, {0.25f, 0}}, 2, {1, 2, 3, 4}, 4),
          Quantisation::per_axis_and_block(0, {{0.5f, 0}, {0.25f, 0}}, 2, {1, 2, 3, 999}, 16)};
}

std::string reason(const Quantisation& quantisation, Errc kind = Errc::invalid_argument,
                   const Dims& dimensions = two_by_four) {
  const auto fits = quantisation.check(DataType::sfixed_point_8, dimensions, "w");
  if (fits) return "it fits";
  EXPECT_EQ(fits.error().kind, kind);
  EXPECT_EQ(fits.error().object, "w");
  return fits.error().detail;
}

TEST(quantisation, none_is_stated_by_default) {
  const Quantisation none;
  EXPECT_FALSE(none);
  EXPECT_EQ(none.encoding(), Encoding::undefined);
  EXPECT_TRUE(none.pairs().empty());
  EXPECT_EQ(none.native().encoding_definition, qnnpp::c_api::Definition::undefined);
  EXPECT_EQ(to_string(none), "no quantisation");
  EXPECT_EQ(reason(none), "it fits");
}

TEST(quantisation, of_every_encoding_comes_back_from_its_c_struct) {
  const std::vector<Quantisation> each = each_quantisation();
  for (std::size_t i = 0; i < each.size(); ++i) {
    SCOPED_TRACE(to_string(each[i]));
    const Quantisation read = Quantisation::from(each[i].native(), two_by_four);
    EXPECT_TRUE(read);
    EXPECT_EQ(read, each[i]);
    EXPECT_EQ(reason(read), "it fits");
    for (std::size_t k = 0; k < each.size(); ++k) EXPECT_EQ(read == each[k], i == k) << k;
  }
}

TEST(quantisation, copies_keep_what_the_c_struct_points_to) {
  qnnpp::c_api::QuantizeParams params{};
  Quantisation copy;
  {
    const Quantisation made = each_quantisation()[3];
    params = made.native();
    copy = made;
  }
  ASSERT_EQ(params.bw_axis_scale_offset_encoding.num_elements, 2u);
  EXPECT_EQ(params.bw_axis_scale_offset_encoding.scales[1], 0.25f);
  EXPECT_EQ(params.bw_axis_scale_offset_encoding.offsets[1], -3);
  EXPECT_EQ(copy.pairs()[1].scale, 0.25f);
  const auto& pairs = Quantisation(copy).pairs();
  EXPECT_EQ(pairs[1].offset, -3) << "a temporary gives a copy";
}

TEST(quantisation, is_said_in_words) {
  const auto text = [](std::size_t i) { return to_string(each_quantisation()[i]); };
  EXPECT_EQ(text(0), "scale 0.5, offset -3");
  EXPECT_EQ(to_string(Quantisation(1.0f / 255, 0)), "scale 0.003921569, offset 0");
  EXPECT_EQ(to_string(Quantisation(1.25e-7f, 0)), "scale 1.25e-07, offset 0");
  EXPECT_EQ(text(1), "scale 0.25, offset 1, 4 bits");
  EXPECT_EQ(text(2), "4 scales along axis 1 from 0.5");
  EXPECT_EQ(text(3), "2 scales along axis 0 from 0.5, 4 bits");
  EXPECT_EQ(text(4), "4 scales of blocks");
  EXPECT_EQ(text(5), "2 scales of blocks along axis 0");
}

TEST(quantisation, that_does_not_fit_the_tensor_is_refused_with_the_reason) {
  const std::vector<Quantisation> each = each_quantisation();
  EXPECT_EQ(reason(each[2], Errc::invalid_argument, {4}),
            "its axis is 1, the tensor has 1 dimensions; give the axis of one");
  EXPECT_EQ(reason(each[2], Errc::invalid_argument, {4, 2}),
            "it has 4 scales, the dimensions need 2; give one for each");
  EXPECT_EQ(reason(Quantisation::per_axis(-1, {{1.0f, 0}})),
            "its axis is -1, the tensor has 2 dimensions; give the axis of one");
  EXPECT_EQ(reason(each[4], Errc::invalid_argument, {2, 3}),
            "its blocks do not divide its dimensions; give blocks that do");
  EXPECT_EQ(reason(Quantisation::per_block({0, 1}, {{1.0f, 0}})),
            "its blocks do not divide its dimensions; give blocks that do");
  EXPECT_EQ(reason(each[4], Errc::invalid_argument, {2, 8}),
            "it has 4 scales, the dimensions need 8; give one for each");
  EXPECT_EQ(reason(Quantisation::per_axis_and_block(0, {{1.0f, 0}, {1.0f, 0}}, 3, {1}, 4)),
            "its blocks do not divide its dimensions; give blocks that do");
  EXPECT_EQ(reason(Quantisation::per_axis_and_block(0, {{1.0f, 0}, {1.0f, 0}}, 2, {1}, 4)),
            "it has 1 scales of blocks, the dimensions need 4; give one for each");
  EXPECT_EQ(reason(Quantisation(-0.5f, 0)), "a scale is -0.5; give a positive one");
  EXPECT_EQ(
      reason(Quantisation::per_tensor({1.0f, 0}, 9)),
      "its codes have 9 bits, elements of type SFIXED_POINT_8 have 8; give a type with as many");
  EXPECT_EQ(reason(Quantisation::per_axis(0, {}), Errc::unsupported_tensor),
            "encoding 1 can be neither composed nor converted, or its scales are missing");
}

TEST(quantisation, that_is_unknown_or_broken_is_read_as_its_encoding_alone) {
  qnnpp::c_api::QuantizeParams params{};
  params.encoding_definition = qnnpp::c_api::Definition::defined;
  ScaleOffset pairs[2] = {{0.5f, 0}, {0.25f, 0}};
  float scales[2] = {0.5f, 0.25f};
  std::uint32_t extents[2] = {3, 3};
  const auto alone = [&](Encoding encoding) {
    params.quantization_encoding = encoding;
    const Quantisation read = Quantisation::from(params, two_by_four);
    EXPECT_TRUE(read);
    EXPECT_EQ(read.encoding(), encoding);
    EXPECT_TRUE(read.pairs().empty());
    EXPECT_EQ(read.native().encoding_definition, qnnpp::c_api::Definition::undefined);
    (void)reason(read, Errc::unsupported_tensor);
    return to_string(read);
  };
  EXPECT_EQ(alone(Encoding::vector), "quantisation encoding 6");
  params.axis_scale_offset_encoding = {0, 3, pairs};
  alone(Encoding::axis_scale_offset);
  params.axis_scale_offset_encoding = {7, 2, pairs};
  alone(Encoding::axis_scale_offset);
  params.axis_scale_offset_encoding = {0, 2, nullptr};
  alone(Encoding::axis_scale_offset);
  params.bw_axis_scale_offset_encoding = {0, 0, 2, scales, nullptr};
  alone(Encoding::bw_axis_scale_offset);
  params.block_encoding = {extents, pairs};
  alone(Encoding::block);
  params.block_encoding = {nullptr, pairs};
  alone(Encoding::block);
  params.blockwise_expansion = nullptr;
  alone(Encoding::blockwise_expansion);
  params.scale_offset_encoding = {0.0f, 0};
  params.quantization_encoding = Encoding::scale_offset;
  EXPECT_FALSE(Quantisation::from(params, two_by_four)) << "a scale of 0 states none";
}

}  // namespace
