// Definitions of quantise.hpp.
#pragma once

#include "qnnpp/core/quantise.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/quantization.hpp"
#include "qnnpp/core/quantisation.hpp"
#include "qnnpp/impl/core/fixed_point.ipp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

/// Returns `a` if `condition` holds, else `b`: without a branch, so that loops are vectorised.
[[nodiscard]] inline std::uint32_t choose(bool condition, std::uint32_t a,
                                          std::uint32_t b) noexcept {
  const std::uint32_t mask = 0u - static_cast<std::uint32_t>(condition);
  return (a & mask) | (b & ~mask);
}

/// Returns the float of a half's bits.
[[nodiscard]] QNNPP_INLINE float half_to_float(std::uint16_t half) noexcept {
  const std::int32_t magnitude = half & 0x7FFF;
  const auto normal = static_cast<std::uint32_t>(magnitude << 13) + (112u << 23);
  // A subnormal half is a multiple of 2^-24. Infinity and NaN have the greatest exponent.
  const auto subnormal = std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * 0x1p-24f);
  const std::uint32_t finite = choose(magnitude < 0x400, subnormal, normal);
  const std::uint32_t bits = choose(magnitude < 0x7C00, finite, normal + (112u << 23));
  return std::bit_cast<float>(bits | static_cast<std::uint32_t>(half & 0x8000) << 16);
}

/// Returns the bits of the nearest half, ties to even; infinity beyond the range.
[[nodiscard]] QNNPP_INLINE std::uint16_t float_to_half(float number) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  const auto magnitude = static_cast<std::int32_t>(bits & 0x7FFFFFFFu);
  const std::int32_t normal = ((magnitude + 0xFFF + (magnitude >> 13 & 1)) >> 13) - (112 << 10);
  // Floats beside 0.5 are multiples of 2^-24, as subnormal halves are.
  const std::int32_t subnormal =
      std::bit_cast<std::int32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3F000000;
  const std::int32_t finite = magnitude < 113 << 23 ? subnormal : normal;
  const std::int32_t limited = magnitude < std::bit_cast<std::int32_t>(65520.0f) ? finite : 0x7C00;
  const std::int32_t half = magnitude > 0x7F800000 ? 0x7E00 : limited;
  return static_cast<std::uint16_t>(static_cast<std::uint32_t>(half) | (bits >> 16 & 0x8000u));
}

[[nodiscard]] QNNPP_INLINE std::uint16_t float_to_bfloat(float number) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  const bool is_nan = static_cast<std::int32_t>(bits & 0x7FFFFFFFu) > 0x7F800000;
  return static_cast<std::uint16_t>(
      choose(is_nan, bits | 0x400000u, bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}

/// Calls visit(element type) with a zero of the C++ type for an integer or float type of QNN, and
/// returns true. Returns false for other types.
template <class Visit>
bool with_number_type(c_api::DataType type, Visit visit) {
  using enum c_api::DataType;
  switch (type) {
    case int_8: return visit(std::int8_t{}), true;
    case int_16: return visit(std::int16_t{}), true;
    case int_32: return visit(std::int32_t{}), true;
    case int_64: return visit(std::int64_t{}), true;
    case uint_8: return visit(std::uint8_t{}), true;
    case uint_16: return visit(std::uint16_t{}), true;
    case uint_32: return visit(std::uint32_t{}), true;
    case uint_64: return visit(std::uint64_t{}), true;
    case float_32: return visit(float{}), true;
    case float_64: return visit(double{}), true;
    default: return false;
  }
}

/// Writes convert(element) for each of `count` elements. `from` and `to` are bytes, as elements may
/// be at any address.
template <class From, class To, class Convert>
void convert_each(const std::byte* __restrict from, std::byte* __restrict to, std::size_t count,
                  Convert convert) {
  std::size_t i = 0;
  for (; i + block_size <= count; i += block_size)
    for (std::size_t j = 0; j < block_size; ++j)
      put_element<To>(to, i + j, convert(element_at<From>(from, i + j)));
  for (; i < count; ++i) put_element<To>(to, i, convert(element_at<From>(from, i)));
}

/// Checks the arguments of a conversion. Returns the number of elements.
[[nodiscard]] QNNPP_INLINE Result<std::size_t> check_conversion(const TensorSpec& tensor,
                                                                std::size_t numbers,
                                                                std::size_t bytes, bool fits) {
  constexpr const char* step = "conversion of a tensor";
  const auto size = tensor.size_bytes();
  if (!size) return fail(size.error());
  if (!fits)
    return fail(
        Errc::type_mismatch, step, tensor.name,
        {"its type is ", name_of(tensor.data_type), ", which the span's elements cannot hold"});
  QNNPP_TRY(check_dense(tensor, step));
  std::size_t elements = 1;
  for (const std::uint32_t extent : tensor.dimensions) elements *= extent;
  if (numbers != elements)
    return fail(Error::mismatch(Errc::size_mismatch, step, tensor.name, elements, numbers));
  if (bytes != *size)
    return fail(Error::mismatch(Errc::size_mismatch, step, tensor.name, *size, bytes));
  if (is_fixed(tensor.data_type) && !tensor.quantisation)
    return fail(
        Errc::invalid_argument, step, tensor.name,
        {"its type is ", name_of(tensor.data_type), ", but it has no quantisation; give it one"});
  if (auto checked = tensor.quantisation.check(tensor.data_type, tensor.dimensions, tensor.name);
      is_fixed(tensor.data_type) && !checked)
    return fail(std::move(checked).error());
  return elements;
}

}  // namespace detail

QNNPP_INLINE Result<void> detail::quantise(const TensorSpec& tensor, std::span<const float> numbers,
                                           std::span<std::byte> elements, bool fits) {
  using enum c_api::DataType;
  const auto count = check_conversion(tensor, numbers.size(), elements.size(), fits);
  if (!count) return fail(count.error());
  const auto all = [&](auto element) {
    convert_each<float, decltype(element(0.0f))>(std::as_bytes(numbers).data(), elements.data(),
                                                 *count, element);
  };
  const bool done = with_number_type(tensor.data_type, [&]<class T>(T) {
    if constexpr (std::is_floating_point_v<T>)
      return all([](float number) { return static_cast<T>(number); });
    else
      return all([](float number) {
        const double found = nearest(number, static_cast<double>(std::numeric_limits<T>::lowest()),
                                     static_cast<double>(std::numeric_limits<T>::max()));
        // The largest 64-bit integers are no doubles.
        return found >= static_cast<double>(std::numeric_limits<T>::max())
                   ? std::numeric_limits<T>::max()
                   : static_cast<T>(found);
      });
  });
  if (done) return {};
  if (tensor.data_type == float_16) {
    all([](float number) { return float_to_half(number); });
  } else if (tensor.data_type == bfloat_16) {
    all([](float number) { return float_to_bfloat(number); });
  } else if (tensor.data_type == bool_8) {
    all([](float number) { return static_cast<std::uint8_t>(number < 0.0f || number > 0.0f); });
  } else {
    const FixedPoint fixed(tensor);
    if (in_blocks(tensor.data_type, fixed, [&](auto blocks) {
          blocks.quantise(std::as_bytes(numbers).data(), elements.data(), *count);
        }))
      return {};
    for (std::size_t i = 0; i < *count; ++i) fixed.put(elements.data(), i, numbers[i]);
  }
  return {};
}

QNNPP_INLINE Result<void> detail::dequantise(const TensorSpec& tensor,
                                             std::span<const std::byte> elements,
                                             std::span<float> numbers, bool fits) {
  using enum c_api::DataType;
  const auto count = check_conversion(tensor, numbers.size(), elements.size(), fits);
  if (!count) return fail(count.error());
  const auto all = [&]<class T>(T, auto number) {
    convert_each<T, float>(elements.data(), std::as_writable_bytes(numbers).data(), *count, number);
  };
  const bool done = with_number_type(tensor.data_type, [&]<class T>(T zero) {
    all(zero, [](T element) { return static_cast<float>(element); });
  });
  if (done) return {};
  if (tensor.data_type == float_16) {
    all(std::uint16_t{}, [](std::uint16_t half) { return half_to_float(half); });
  } else if (tensor.data_type == bfloat_16) {
    all(std::uint16_t{}, [](std::uint16_t upper) {
      return std::bit_cast<float>(static_cast<std::uint32_t>(upper) << 16);
    });
  } else if (tensor.data_type == bool_8) {
    all(std::uint8_t{}, [](std::uint8_t element) { return element != 0 ? 1.0f : 0.0f; });
  } else {
    const FixedPoint fixed(tensor);
    if (in_blocks(tensor.data_type, fixed, [&](auto blocks) {
          blocks.dequantise(elements.data(), std::as_writable_bytes(numbers).data(), *count);
        }))
      return {};
    for (std::size_t i = 0; i < *count; ++i) {
      const ScaleOffset pair = fixed.pair(i);
      numbers[i] =
          static_cast<float>(static_cast<double>(pair.scale) *
                             static_cast<double>(fixed.code(elements.data(), i) + pair.offset));
    }
  }
  return {};
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
