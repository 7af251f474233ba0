// quantise() and dequantise(), against plain definitions in double precision.
#include "qnnpp/core/quantise.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

using qnnpp::Errc;
using qnnpp::Quantisation;
using qnnpp::ScaleOffset;
using qnnpp::TensorSpec;
using Type = qnnpp::c_api::DataType;
using Floats = std::vector<float>;

TensorSpec tensor(Type type, std::vector<std::uint32_t> dimensions,
                  Quantisation quantisation = {}) {
  return {.name = "t",
          .data_type = type,
          .dimensions = std::move(dimensions),
          .quantisation = std::move(quantisation)};
}

/// Deterministic numbers in [-1, 1).
Floats numbers(std::size_t count) {
  Floats made(count);
  std::uint32_t state = 12345;
  for (float& number : made) {
    state = state * 1664525u + 1013904223u;
    number = static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
  }
  return made;
}

/// Quantises to bytes that are 0xA5 before, and back.
Floats there_and_back(const TensorSpec& spec, const Floats& from) {
  std::vector<std::byte> bytes(spec.size_bytes().value(), std::byte{0xA5});
  const auto there = qnnpp::quantise<std::byte>(spec, from, bytes);
  EXPECT_TRUE(there) << there.error().message();
  Floats found(from.size());
  const auto back = qnnpp::dequantise<std::byte>(spec, bytes, found);
  EXPECT_TRUE(back) << back.error().message();
  return found;
}

/// Definition: number / scale is rounded, ties to even; then the offset is subtracted and the code
/// limited to `bits` bits. Returns its number.
float by_definition(float number, ScaleOffset pair, unsigned bits, bool is_signed) {
  const double high = std::ldexp(1.0, static_cast<int>(is_signed ? bits - 1 : bits)) - 1;
  const double low = is_signed ? -high - 1 : 0;
  const double code = std::nearbyint(double(number) / double(pair.scale)) - pair.offset;
  return static_cast<float>(double(pair.scale) *
                            (std::min(std::max(code, low), high) + pair.offset));
}

TEST(quantise, rounds_to_the_nearest_code_of_each_fixed_point_type) {
  const Floats from = numbers(251);
  for (const Type type : {Type::sfixed_point_4, Type::ufixed_point_4, Type::sfixed_point_8,
                          Type::ufixed_point_8, Type::sfixed_point_16, Type::ufixed_point_16,
                          Type::sfixed_point_32, Type::ufixed_point_32}) {
    const unsigned bits = qnnpp::element_bits(type);
    const bool is_signed = std::string(qnnpp::name_of(type))[0] == 'S';
    for (const std::int32_t offset : {0, -3, -100, 5}) {
      const ScaleOffset pair{std::ldexp(0.37f, 3 - static_cast<int>(std::min(bits, 16u))), offset};
      const Floats found = there_and_back(tensor(type, {251}, {pair.scale, offset}), from);
      for (std::size_t i = 0; i < from.size(); ++i)
        ASSERT_EQ(found[i], by_definition(from[i], pair, bits, is_signed))
            << qnnpp::name_of(type) << " offset " << offset << " at " << i;
    }
  }
}

TEST(quantise, gives_each_of_many_elements_the_code_of_the_definition) {
  // Ties, the limits and beyond, NaN, infinity and numbers next to each.
  const auto hard = [](std::size_t count, const std::vector<ScaleOffset>& pairs, std::size_t run) {
    const Floats random = numbers(count);
    Floats made(count);
    for (std::size_t i = 0; i < count; ++i) {
      const ScaleOffset pair = pairs[i / run % pairs.size()];
      const double code = std::floor(double(random[i]) * 70000.0);
      const double part = i % 3 == 0 ? 0.5 : i % 3 == 1 ? double(random[i]) : 0.0;
      made[i] = static_cast<float>((i % 2 == 0 ? code : code / 256) + part) * pair.scale;
      if (i % 5 == 0) made[i] = std::nextafter(made[i], random[i] < 0 ? -INFINITY : INFINITY);
      if (i % 41 == 0) made[i] = i % 2 == 0 ? NAN : std::copysign(INFINITY, random[i]);
    }
    return made;
  };
  const auto check = [&](Type type, const std::vector<std::uint32_t>& shape, std::int32_t axis,
                         const std::vector<ScaleOffset>& pairs) {
    std::size_t count = 1, run = 1;
    for (const std::uint32_t extent : shape) count *= extent;
    for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < shape.size(); ++i) run *= shape[i];
    const Floats from = hard(count, pairs, run);
    const Quantisation quantisation = pairs.size() == 1
                                          ? Quantisation(pairs[0].scale, pairs[0].offset)
                                          : Quantisation::per_axis(axis, pairs);
    const Floats found = there_and_back(tensor(type, shape, quantisation), from);
    const bool is_signed = std::string(qnnpp::name_of(type))[0] == 'S';
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(found[i],
                by_definition(std::isnan(from[i]) ? 0.0f : from[i], pairs[i / run % pairs.size()],
                              qnnpp::element_bits(type), is_signed))
          << qnnpp::name_of(type) << " of " << count << ": " << from[i] << " at " << i;
  };
  for (const Type type :
       {Type::sfixed_point_8, Type::ufixed_point_8, Type::sfixed_point_16, Type::ufixed_point_16}) {
    for (const std::uint32_t size : {1u, 31u, 32u, 33u, 5000u})
      for (const ScaleOffset pair : {ScaleOffset{0.037f, -128}, ScaleOffset{0.0625f, 3},
                                     ScaleOffset{1e-35f, 0}, ScaleOffset{0.1f, -2000000}})
        check(type, {size}, 0, {pair});
    for (const std::vector<std::uint32_t>& shape :
         {std::vector<std::uint32_t>{3, 5, 7}, {40, 3, 50}, {2, 70, 3}})
      for (const std::int32_t axis : {0, 1, 2}) {
        std::vector<ScaleOffset> pairs;
        for (std::uint32_t i = 0; i < shape[static_cast<std::size_t>(axis)]; ++i)
          pairs.push_back({0.013f * static_cast<float>(i + 1), static_cast<std::int32_t>(i) - 9});
        check(type, shape, axis, pairs);
      }
  }
}

TEST(quantise, rounds_ties_to_even_before_it_subtracts_the_offset) {
  const Floats ties = {0.5f, 1.5f, 2.5f, 3.5f, 74.5f, -0.5f, 253.5f, 254.5f};
  const auto codes = [&](std::int32_t offset) {
    std::vector<std::uint8_t> made(ties.size());
    EXPECT_TRUE(qnnpp::quantise<std::uint8_t>(tensor(Type::ufixed_point_8, {8}, {1.0f, offset}),
                                              ties, made));
    return made;
  };
  EXPECT_EQ(codes(0), (std::vector<std::uint8_t>{0, 2, 2, 4, 74, 0, 254, 254}));
  EXPECT_EQ(codes(-1), (std::vector<std::uint8_t>{1, 3, 3, 5, 75, 1, 255, 255}));
}

TEST(quantise, uses_the_scale_of_the_axis_or_block_of_each_element) {
  const Floats from = numbers(24);
  for (const std::int32_t axis : {0, 1, 2}) {
    const std::vector<std::uint32_t> dims{2, 3, 4};
    std::vector<ScaleOffset> pairs;
    for (std::uint32_t i = 0; i < dims[static_cast<std::size_t>(axis)]; ++i)
      pairs.push_back({0.01f * static_cast<float>(i + 1), static_cast<std::int32_t>(i) - 1});
    for (const unsigned bits : {0u, 5u}) {
      const Floats found = there_and_back(
          tensor(Type::sfixed_point_8, dims, Quantisation::per_axis(axis, pairs, bits)), from);
      for (std::uint32_t i = 0; i < 24; ++i) {
        const std::array<std::uint32_t, 3> index{i / 12, i / 4 % 3, i % 4};
        ASSERT_EQ(found[i], by_definition(from[i], pairs[index[static_cast<std::size_t>(axis)]],
                                          bits == 0 ? 8 : bits, true));
      }
    }
  }
  const std::vector<ScaleOffset> pairs{{0.01f, 0}, {0.02f, 1}, {0.03f, 2}, {0.04f, 3}};
  const Floats blocks = there_and_back(
      tensor(Type::sfixed_point_8, {4, 6}, Quantisation::per_block({2, 3}, pairs)), from);
  for (std::size_t i = 0; i < 24; ++i)
    ASSERT_EQ(blocks[i], by_definition(from[i], pairs[i / 12 * 2 + i % 6 / 3], 8, true));
  for (const std::uint32_t bits : {4u, 16u}) {
    // Weights [12 inputs, 2 outputs]: 3 blocks of 4 inputs for each output.
    const std::vector<std::uint16_t> scales{1, 3, 7, 2, 5, 4};
    const Floats found = there_and_back(
        tensor(Type::sfixed_point_4, {12, 2},
               Quantisation::per_axis_and_block(1, {{0.01f, 0}, {0.02f, 0}}, 3, scales, bits)),
        from);
    for (std::size_t i = 0; i < 24; ++i) {
      const float scale = (i % 2 == 0 ? 0.01f : 0.02f) * scales[i % 2 * 3 + i / 2 / 4];
      ASSERT_EQ(found[i], by_definition(from[i], {scale, 0}, 4, true)) << i;
    }
  }
}

TEST(quantise, packs_four_bit_codes_the_lower_half_first) {
  const TensorSpec spec = tensor(Type::sfixed_point_4, {3}, {1.0f, 0});
  std::array<std::byte, 2> bytes{std::byte{0xFF}, std::byte{0xFF}};
  ASSERT_TRUE(qnnpp::quantise<std::byte>(spec, Floats{-8, 7, 3}, bytes));
  EXPECT_EQ(bytes, (std::array<std::byte, 2>{std::byte{0x78}, std::byte{0xF3}}));
}

TEST(quantise, converts_halves_exactly_and_rounds_to_the_nearest_one) {
  const TensorSpec one = tensor(Type::float_16, {1});
  const auto half = [&](float number) {
    std::array<std::uint16_t, 1> bits{};
    EXPECT_TRUE(qnnpp::quantise<std::uint16_t>(one, Floats{number}, bits));
    return bits[0];
  };
  std::vector<std::uint16_t> all(65536);
  for (std::uint32_t i = 0; i < 65536; ++i) all[i] = static_cast<std::uint16_t>(i);
  Floats exact(65536);
  ASSERT_TRUE(qnnpp::dequantise<std::uint16_t>(tensor(Type::float_16, {65536}), all, exact));
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const int exponent = static_cast<int>(i >> 10 & 31), fraction = static_cast<int>(i & 1023);
    if (exponent == 31) {
      ASSERT_TRUE(fraction == 0 ? std::isinf(exact[i]) : std::isnan(exact[i])) << i;
      continue;
    }
    const double size =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    ASSERT_EQ(exact[i], i < 32768 ? size : -size) << i;
    if (i % 37 != 0 || i >= 31743) continue;
    const auto middle = static_cast<float>((double(exact[i]) + double(exact[i + 1])) / 2);
    ASSERT_EQ(half(middle), i + i % 2) << i;
    ASSERT_EQ(half(std::nextafter(middle, 0.0f)), i) << i;
    ASSERT_EQ(half(std::nextafter(middle, 1e9f)), i + 1) << i;
  }
  EXPECT_EQ(half(65519.0f), 0x7BFF);
  EXPECT_EQ(half(-65520.0f), 0xFC00);
  EXPECT_TRUE(std::isnan(there_and_back(one, {NAN})[0]));
  const TensorSpec upper = tensor(Type::bfloat_16, {3});
  std::array<std::uint16_t, 3> bits{};
  ASSERT_TRUE(qnnpp::quantise<std::uint16_t>(
      upper, Floats{-2.0f, std::bit_cast<float>(0x3F808000u), std::bit_cast<float>(0x3F818000u)},
      bits));
  EXPECT_EQ(bits, (std::array<std::uint16_t, 3>{0xC000, 0x3F80, 0x3F82}));
}

TEST(quantise, rounds_and_limits_integers_and_bools) {
  const Floats from = {-1e30f, -128.5f, -2.5f, -0.5f, 0.0f, 0.5f, 1.5f, 254.5f, 1e30f, NAN};
  const auto found = [&](Type type) { return there_and_back(tensor(type, {10}), from); };
  EXPECT_EQ(found(Type::int_8), (Floats{-128, -128, -2, 0, 0, 0, 2, 127, 127, 0}));
  EXPECT_EQ(found(Type::uint_8), (Floats{0, 0, 0, 0, 0, 0, 2, 254, 255, 0}));
  EXPECT_EQ(found(Type::int_64)[8], 0x1p63f);
  EXPECT_EQ(found(Type::uint_64)[8], 0x1p64f);
  EXPECT_EQ(found(Type::float_64)[1], -128.5f);
  EXPECT_EQ(found(Type::float_32)[7], 254.5f);
  EXPECT_EQ(found(Type::bool_8), (Floats{1, 1, 1, 1, 0, 1, 1, 1, 1, 0}));
}

TEST(quantise, makes_nan_the_code_of_zero) {
  EXPECT_EQ(there_and_back(tensor(Type::ufixed_point_8, {2}, {0.5f, -7}), {NAN, INFINITY}),
            (Floats{0.0f, 124.0f}));
}

TEST(quantise, refuses_arguments_that_do_not_fit_the_tensor_before_it_writes) {
  const TensorSpec good = tensor(Type::ufixed_point_8, {4}, {0.5f, 0});
  std::array<std::uint8_t, 5> codes{9, 9, 9, 9, 9};
  const auto error = [&](const TensorSpec& spec, std::size_t numbers, std::size_t elements) {
    const Floats from(numbers, 1.0f);
    const auto done = qnnpp::quantise<std::uint8_t>(spec, from, std::span(codes).first(elements));
    EXPECT_FALSE(done);
    EXPECT_EQ(codes, (std::array<std::uint8_t, 5>{9, 9, 9, 9, 9}));
    return done ? qnnpp::Error() : done.error();
  };
  EXPECT_EQ(error(good, 3, 4).kind, Errc::size_mismatch);
  EXPECT_EQ(error(good, 4, 5).kind, Errc::size_mismatch);
  EXPECT_EQ(error(good, 4, 5).needed, 4u);
  EXPECT_EQ(error(good, 4, 5).found, 5u);
  EXPECT_EQ(error(tensor(Type::sfixed_point_8, {4}, {0.5f, 0}), 4, 4).kind, Errc::type_mismatch);
  EXPECT_EQ(error(tensor(Type::ufixed_point_8, {4}), 4, 4).detail,
            "its type is UFIXED_POINT_8, but it has no quantisation; give it one");
  EXPECT_EQ(error(tensor(Type::ufixed_point_8, {4}, {-1.0f, 0}), 4, 4).kind,
            Errc::invalid_argument);
  EXPECT_EQ(error(tensor(Type::ufixed_point_8, {}, {0.5f, 0}), 4, 4).kind,
            Errc::unsupported_tensor);
  Floats back(4);
  EXPECT_EQ(qnnpp::dequantise<std::uint8_t>(good, codes, back).error().kind, Errc::size_mismatch);
}

}  // namespace
