// Element types: their bits, their names, and the C++ types for them.
#include "qnnpp/core/data_type.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <type_traits>

#include "../support/sized_types.hpp"

namespace {

using qnnpp::carries;
using qnnpp::data_type_of;
using qnnpp::element_bits;
using Type = qnnpp::c_api::DataType;

TEST(data_type, has_the_bits_that_its_name_ends_in) {
  for (const Type type : support::sized_types) {
    const std::string name = qnnpp::name_of(type);
    EXPECT_EQ(element_bits(type),
              static_cast<unsigned>(std::stoi(name.substr(name.rfind('_') + 1))))
        << name;
  }
}

TEST(data_type, without_a_size_has_no_bits) {
  EXPECT_EQ(element_bits(Type::string), 0u);
  EXPECT_EQ(element_bits(Type::undefined), 0u);
  EXPECT_EQ(element_bits(static_cast<Type>(12345)), 0u);
}

TEST(data_type, has_a_name_of_its_own) {
  std::set<std::string_view> names{"UNDEFINED", qnnpp::name_of(Type::string)};
  for (const Type type : support::sized_types) names.insert(qnnpp::name_of(type));
  EXPECT_EQ(names.size(), std::size(support::sized_types) + 2);
  EXPECT_STREQ(qnnpp::name_of(Type::string), "STRING");
  EXPECT_STREQ(qnnpp::name_of(Type::undefined), "UNDEFINED");
  EXPECT_STREQ(qnnpp::name_of(Type::sfixed_point_8), "SFIXED_POINT_8");
}

TEST(data_type, float16_holds_half_where_the_compiler_has_it) {
  const auto expect = []<class Half>(std::type_identity<Half>) {
    if constexpr (std::is_void_v<Half>) {
      GTEST_SKIP() << "this compiler has no _Float16";
    } else {
      static_assert(data_type_of<Half> == Type::float_16);
      static_assert(carries<Half>(Type::float_16));
      static_assert(!carries<Half>(Type::bfloat_16) && !carries<Half>(Type::uint_16));
    }
  };
  expect(std::type_identity<qnnpp::Float16>());
}

TEST(data_type, of_an_arithmetic_type_is_that_of_its_kind_and_width) {
  static_assert(data_type_of<std::int8_t> == Type::int_8);
  static_assert(data_type_of<std::int16_t> == Type::int_16);
  static_assert(data_type_of<std::int32_t> == Type::int_32);
  static_assert(data_type_of<std::int64_t> == Type::int_64);
  static_assert(data_type_of<long> == Type::int_64 && data_type_of<long long> == Type::int_64);
  static_assert(data_type_of<std::uint8_t> == Type::uint_8);
  static_assert(data_type_of<std::uint16_t> == Type::uint_16);
  static_assert(data_type_of<std::uint32_t> == Type::uint_32);
  static_assert(data_type_of<std::uint64_t> == Type::uint_64);
  static_assert(data_type_of<float> == Type::float_32 && data_type_of<double> == Type::float_64);
  static_assert(data_type_of<const volatile float> == Type::float_32);
  static_assert(data_type_of<bool> == Type::bool_8);
  static_assert(data_type_of<std::byte> == Type::undefined &&
                data_type_of<void> == Type::undefined);
}

TEST(data_type, is_carried_by_the_type_that_it_is_named_after) {
  EXPECT_TRUE(carries<std::int8_t>(Type::int_8));
  EXPECT_TRUE(carries<std::int64_t>(Type::int_64));
  EXPECT_TRUE(carries<float>(Type::float_32));
  EXPECT_TRUE(carries<const float>(Type::float_32));
  EXPECT_TRUE(carries<double>(Type::float_64));
  EXPECT_TRUE(carries<bool>(Type::bool_8));
}

TEST(data_type, of_fixed_point_is_carried_by_the_integer_of_its_width_and_sign) {
  EXPECT_TRUE(carries<std::int8_t>(Type::sfixed_point_8));
  EXPECT_TRUE(carries<std::int16_t>(Type::sfixed_point_16));
  EXPECT_TRUE(carries<std::int32_t>(Type::sfixed_point_32));
  EXPECT_TRUE(carries<std::uint8_t>(Type::ufixed_point_8));
  EXPECT_TRUE(carries<std::uint16_t>(Type::ufixed_point_16));
  EXPECT_TRUE(carries<std::uint32_t>(Type::ufixed_point_32));
  EXPECT_FALSE(carries<std::uint8_t>(Type::sfixed_point_8));
  EXPECT_FALSE(carries<std::int8_t>(Type::ufixed_point_8));
  EXPECT_FALSE(carries<std::int16_t>(Type::sfixed_point_8));
}

TEST(data_type, of_half_floats_and_bools_is_carried_by_unsigned_integers) {
  EXPECT_TRUE(carries<std::uint16_t>(Type::float_16));
  EXPECT_TRUE(carries<std::uint16_t>(Type::bfloat_16));
  EXPECT_TRUE(carries<std::uint8_t>(Type::bool_8));
  EXPECT_FALSE(carries<std::int16_t>(Type::float_16));
  EXPECT_FALSE(carries<float>(Type::float_16));
}

TEST(data_type, is_not_carried_by_another_type_of_the_same_width) {
  EXPECT_FALSE(carries<float>(Type::int_32));
  EXPECT_FALSE(carries<std::int32_t>(Type::float_32));
  EXPECT_FALSE(carries<double>(Type::int_64));
  EXPECT_FALSE(carries<std::uint8_t>(Type::int_8));
  EXPECT_FALSE(carries<bool>(Type::uint_8));
}

TEST(data_type, of_any_kind_is_carried_by_bytes_and_none_by_other_types) {
  struct Pixel {};
  for (const Type type : support::sized_types) {
    EXPECT_TRUE(carries<std::byte>(type)) << qnnpp::name_of(type);
    EXPECT_TRUE(carries<const std::byte>(type)) << qnnpp::name_of(type);
    EXPECT_FALSE(carries<Pixel>(type)) << qnnpp::name_of(type);
  }
  EXPECT_FALSE(carries<Pixel>(Type::undefined));
}

TEST(data_type, carried_by_more_than_bytes_has_the_size_of_its_carrier) {
  const auto fits = [](Type type, auto element) {
    return !carries<decltype(element)>(type) || element_bits(type) == 8 * sizeof(element);
  };
  for (const Type type : support::sized_types) {
    EXPECT_TRUE(fits(type, std::int8_t{}) && fits(type, std::uint8_t{}) && fits(type, bool{}) &&
                fits(type, std::int16_t{}) && fits(type, std::uint16_t{}) &&
                fits(type, std::int32_t{}) && fits(type, std::uint32_t{}) &&
                fits(type, std::int64_t{}) && fits(type, std::uint64_t{}) && fits(type, float{}) &&
                fits(type, double{}))
        << qnnpp::name_of(type);
  }
}

}  // namespace
