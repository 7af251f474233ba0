// TensorSpec: the size of a tensor, and conversion from a C tensor.
#include "qnnpp/core/tensor_spec.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

using qnnpp::Errc;
using qnnpp::TensorSpec;
using Type = qnnpp::c_api::DataType;

TensorSpec spec(Type type, std::vector<std::uint32_t> dimensions) {
  TensorSpec made;
  made.name = "image";
  made.data_type = type;
  made.dimensions = std::move(dimensions);
  return made;
}

TEST(tensor_spec, SHB_06_the_size_is_the_product_of_dimensions_and_element_size) {
  EXPECT_EQ(spec(Type::float_32, {1, 28, 28, 1}).size_bytes().value(), 28u * 28u * 4u);
  EXPECT_EQ(spec(Type::ufixed_point_8, {3, 5, 7}).size_bytes().value(), 105u);
  EXPECT_EQ(spec(Type::float_16, {9}).size_bytes().value(), 18u);
  EXPECT_EQ(spec(Type::int_64, {2, 2}).size_bytes().value(), 32u);
}

TEST(tensor_spec, SHB_06_four_bit_elements_fill_whole_bytes) {
  EXPECT_EQ(spec(Type::ufixed_point_4, {6}).size_bytes().value(), 3u);
  EXPECT_EQ(spec(Type::ufixed_point_4, {7}).size_bytes().value(), 4u);
  EXPECT_EQ(spec(Type::sfixed_point_4, {1}).size_bytes().value(), 1u);
  EXPECT_EQ(spec(Type::sfixed_point_4, {3, 3}).size_bytes().value(), 5u);
}

TEST(tensor_spec, SHB_06_a_size_of_more_than_32_bits_is_no_overflow) {
  EXPECT_EQ(spec(Type::float_32, {65536, 65536}).size_bytes().value(), std::uint64_t{1} << 34);
}

TEST(tensor_spec, SHB_06_an_overflowing_product_is_an_error) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  for (const auto& dimensions :
       {std::vector<std::uint32_t>{most, most, 2}, std::vector<std::uint32_t>{1u << 31, 1u << 31},
        std::vector<std::uint32_t>(64, 2)}) {
    const auto size = spec(Type::float_64, dimensions).size_bytes();
    ASSERT_FALSE(size.has_value());
    EXPECT_EQ(size.error().kind, Errc::too_large);
    EXPECT_EQ(size.error().object, "image");
    EXPECT_NE(size.error().detail.find(qnnpp::to_string(dimensions)), std::string::npos);
  }
}

TEST(tensor_spec, SHB_06_a_dimension_of_zero_is_an_error) {
  for (const auto& dimensions :
       {std::vector<std::uint32_t>{0}, std::vector<std::uint32_t>{4, 0, 4}}) {
    const auto size = spec(Type::float_32, dimensions).size_bytes();
    ASSERT_FALSE(size.has_value());
    EXPECT_EQ(size.error().kind, Errc::unsupported_tensor);
    EXPECT_EQ(size.error().object, "image");
  }
}

TEST(tensor_spec, SHB_06_rank_0_is_an_error) {
  const auto size = spec(Type::float_32, {}).size_bytes();
  ASSERT_FALSE(size.has_value());
  EXPECT_EQ(size.error().kind, Errc::unsupported_tensor);
  EXPECT_NE(size.error().detail.find("rank 0"), std::string::npos);
}

TEST(tensor_spec, SHB_06_a_type_without_size_is_an_error_that_names_it) {
  for (const Type type : {Type::string, Type::undefined}) {
    const auto size = spec(type, {2}).size_bytes();
    ASSERT_FALSE(size.has_value());
    EXPECT_EQ(size.error().kind, Errc::unsupported_tensor);
    EXPECT_NE(size.error().detail.find(qnnpp::name_of(type)), std::string::npos);
  }
}

__extension__ typedef unsigned __int128 Wide;

TEST(tensor_spec, SHB_06_the_size_agrees_with_wide_arithmetic_for_any_dimensions) {
  std::mt19937 random(20260104);
  constexpr Type types[] = {Type::sfixed_point_4, Type::int_8, Type::float_16, Type::float_32,
                            Type::int_64};
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::vector<std::uint32_t> dimensions(1 + random() % 5);
    for (auto& extent : dimensions)
      extent = 1 + (static_cast<std::uint32_t>(random()) >> (1 + random() % 31));
    const Type type = types[random() % std::size(types)];
    Wide bits = qnnpp::element_bits(type);
    for (const std::uint32_t extent : dimensions)
      if (bits >> 90 == 0) bits *= extent;
    const Wide bytes = bits / 8 + (bits % 8 != 0 ? 1 : 0);
    const auto size = spec(type, dimensions).size_bytes();
    if (size) {
      ASSERT_TRUE(bytes == *size) << qnnpp::to_string(dimensions);
    } else {
      ASSERT_EQ(size.error().kind, Errc::too_large);
      ASSERT_TRUE(bytes >> 56 != 0) << "far from any overflow: " << qnnpp::to_string(dimensions);
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

template <class CTensor>
void describe(CTensor& tensor, std::uint32_t* dimensions, std::uint32_t rank) {
  tensor.id = 42;
  tensor.name = "logits";
  tensor.type = qnnpp::c_api::TensorType::app_read;
  tensor.data_format = 3;
  tensor.data_type = Type::ufixed_point_8;
  tensor.dimensions = dimensions;
  tensor.rank = rank;
  tensor.mem_type = qnnpp::c_api::TensorMemType::memhandle;
  tensor.quantize_params.encoding_definition = qnnpp::c_api::Definition::defined;
  tensor.quantize_params.quantization_encoding = qnnpp::c_api::QuantizationEncoding::scale_offset;
  tensor.quantize_params.scale_offset_encoding.scale = 0.5f;
  tensor.quantize_params.scale_offset_encoding.offset = -3;
}

void expect_logits(const TensorSpec& read) {
  EXPECT_EQ(read.id, 42u);
  EXPECT_EQ(read.name, "logits");
  EXPECT_EQ(read.kind, qnnpp::c_api::TensorType::app_read);
  EXPECT_EQ(read.format, 3u);
  EXPECT_EQ(read.data_type, Type::ufixed_point_8);
  EXPECT_EQ(read.dimensions, (std::vector<std::uint32_t>{1, 10}));
  EXPECT_EQ(read.mem_type, qnnpp::c_api::TensorMemType::memhandle);
  EXPECT_EQ(read.quantisation.scale(), 0.5f);
  EXPECT_EQ(read.quantisation.offset(), -3);
}

TEST(tensor_spec, is_read_from_a_tensor_of_version_1) {
  std::uint32_t dimensions[] = {1, 10};
  qnnpp::c_api::Tensor tensor{};
  tensor.version = qnnpp::c_api::TensorVersion::v1;
  tensor.v1 = {};
  describe(tensor.v1, dimensions, 2);
  const auto read = qnnpp::tensor_spec(tensor);
  ASSERT_TRUE(read.has_value());
  expect_logits(*read);
}

TEST(tensor_spec, is_read_from_a_tensor_of_version_2) {
  std::uint32_t dimensions[] = {1, 10};
  qnnpp::c_api::Tensor tensor{};
  tensor.version = qnnpp::c_api::TensorVersion::v2;
  tensor.v2 = {};
  describe(tensor.v2, dimensions, 2);
  const auto read = qnnpp::tensor_spec(tensor);
  ASSERT_TRUE(read.has_value());
  expect_logits(*read);
}

TEST(tensor_spec, SHB_06_of_a_tensor_with_a_dynamic_dimension_has_the_size_of_its_maximum) {
  std::uint32_t dimensions[] = {1, 10};
  for (const std::vector<std::uint8_t>& flags :
       {std::vector<std::uint8_t>{1, 0}, std::vector<std::uint8_t>{0, 1}}) {
    qnnpp::c_api::Tensor tensor{};
    tensor.version = qnnpp::c_api::TensorVersion::v2;
    tensor.v2 = {};
    describe(tensor.v2, dimensions, 2);
    tensor.v2.is_dynamic_dimensions = const_cast<std::uint8_t*>(flags.data());
    const auto read = qnnpp::tensor_spec(tensor);
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(read->is_dynamic());
    EXPECT_EQ(read->dynamic_dimensions, flags);
    EXPECT_EQ(read->size_bytes().value(), 10u);
  }
}

TEST(tensor_spec, SHB_06_with_another_number_of_dynamic_flags_than_dimensions_has_no_size) {
  for (const std::size_t flags : {1u, 3u}) {
    const TensorSpec spec{.name = "logits",
                          .dimensions = {1, 10},
                          .dynamic_dimensions = std::vector<std::uint8_t>(flags, 1)};
    const auto size = spec.size_bytes();
    ASSERT_FALSE(size.has_value());
    EXPECT_EQ(size.error().kind, Errc::unsupported_tensor);
    EXPECT_EQ(size.error().object, "logits");
    EXPECT_EQ(size.error().detail, std::to_string(flags) + " dynamic flags for 2 dimensions");
  }
}

TEST(tensor_spec, SHB_06_of_a_tensor_whose_dimensions_are_all_static_has_a_size) {
  std::uint32_t dimensions[] = {1, 10};
  std::uint8_t flags[] = {0, 0};
  qnnpp::c_api::Tensor tensor{};
  tensor.version = qnnpp::c_api::TensorVersion::v2;
  tensor.v2 = {};
  describe(tensor.v2, dimensions, 2);
  tensor.v2.is_dynamic_dimensions = flags;
  const auto read = qnnpp::tensor_spec(tensor);
  ASSERT_TRUE(read.has_value());
  EXPECT_FALSE(read->is_dynamic());
  EXPECT_TRUE(read->dynamic_dimensions.empty());
  EXPECT_EQ(read->size_bytes().value(), 10u);
}

TEST(tensor_spec, owns_what_it_says) {
  std::uint32_t dimensions[] = {1, 10};
  char name[] = "logits";
  qnnpp::c_api::Tensor tensor{};
  tensor.version = qnnpp::c_api::TensorVersion::v1;
  tensor.v1 = {};
  describe(tensor.v1, dimensions, 2);
  tensor.v1.name = name;
  const auto read = qnnpp::tensor_spec(tensor);
  dimensions[1] = 99;
  name[0] = 'X';
  ASSERT_TRUE(read.has_value());
  expect_logits(*read);
}

TEST(tensor_spec, of_a_tensor_without_name_and_dimensions_has_none) {
  qnnpp::c_api::Tensor tensor{};
  tensor.version = qnnpp::c_api::TensorVersion::v1;
  tensor.v1 = {};
  describe(tensor.v1, nullptr, 0);
  tensor.v1.name = nullptr;
  const auto read = qnnpp::tensor_spec(tensor);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->name, "");
  EXPECT_TRUE(read->dimensions.empty());
}

TEST(tensor_spec, of_a_rank_without_dimensions_is_refused) {
  qnnpp::c_api::Tensor tensor{};
  for (const auto version : {qnnpp::c_api::TensorVersion::v1, qnnpp::c_api::TensorVersion::v2}) {
    tensor = {};
    tensor.version = version;
    describe(tensor.v1, nullptr, 2);
    const auto read = qnnpp::tensor_spec(tensor);
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().kind, qnnpp::Errc::unsupported_tensor);
    EXPECT_EQ(read.error().detail, "it reports 2 dimensions, but their address is null");
  }
}

TEST(tensor_spec, has_no_scale_unless_quantised_by_one_that_is_defined) {
  std::uint32_t dimensions[] = {1, 10};
  qnnpp::c_api::Tensor tensor{};
  tensor.version = qnnpp::c_api::TensorVersion::v1;
  tensor.v1 = {};
  describe(tensor.v1, dimensions, 2);
  tensor.v1.quantize_params.encoding_definition = qnnpp::c_api::Definition::undefined;
  EXPECT_EQ(qnnpp::tensor_spec(tensor)->quantisation.scale(), 0.0f);
  describe(tensor.v1, dimensions, 2);
  tensor.v1.quantize_params.quantization_encoding =
      qnnpp::c_api::QuantizationEncoding::axis_scale_offset;
  EXPECT_EQ(qnnpp::tensor_spec(tensor)->quantisation.scale(), 0.0f);
  EXPECT_EQ(qnnpp::tensor_spec(tensor)->quantisation.offset(), 0);
}

TEST(tensor_spec, is_quantised_as_another_that_has_its_scale_and_offset_or_says_nothing) {
  const auto quantised = [](float scale, std::int32_t offset) {
    TensorSpec spec;
    spec.quantisation = {scale, offset};
    return spec;
  };
  const TensorSpec half = quantised(0.5f, -3);
  EXPECT_TRUE(qnnpp::same_quantisation(half, half));
  EXPECT_TRUE(qnnpp::same_quantisation(half, {}));
  EXPECT_TRUE(qnnpp::same_quantisation({}, half));
  EXPECT_FALSE(qnnpp::same_quantisation(half, quantised(0.5f, 3)));
  EXPECT_FALSE(qnnpp::same_quantisation(half, quantised(0.25f, -3)));
  EXPECT_FALSE(qnnpp::same_quantisation(quantised(0.25f, -3), half));
  EXPECT_EQ(qnnpp::to_string(half.quantisation), "scale 0.5, offset -3");
}

TEST(tensor_spec, is_not_read_from_a_tensor_of_another_version) {
  qnnpp::c_api::Tensor tensor{};
  tensor.version = static_cast<qnnpp::c_api::TensorVersion>(3);
  const auto read = qnnpp::tensor_spec(tensor);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().kind, Errc::unsupported_tensor);
  EXPECT_NE(read.error().detail.find("version is 3"), std::string::npos);
}

TEST(tensor_spec, dimensions_are_written_as_a_list) {
  EXPECT_EQ(qnnpp::to_string(std::vector<std::uint32_t>{}), "[]");
  EXPECT_EQ(qnnpp::to_string({1}), "[1]");
  EXPECT_EQ(qnnpp::to_string({1, 28, 28, 1}), "[1, 28, 28, 1]");
}

}  // namespace
