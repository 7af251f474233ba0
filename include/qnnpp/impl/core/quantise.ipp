// Definitions of quantise.hpp.
#pragma once

#include "qnnpp/core/quantise.hpp"

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

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

/// Returns the float of a half's bits.
[[nodiscard]] QNNPP_INLINE float half_to_float(std::uint16_t half) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = half >> 10 & 31u, fraction = half & 0x3FFu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
  return sign != 0 ? -magnitude : magnitude;
}

/// Returns the bits of the nearest half, ties to even; infinity beyond the range.
[[nodiscard]] QNNPP_INLINE std::uint16_t float_to_half(float number) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const float magnitude = std::fabs(number);
  if (std::isnan(number)) return static_cast<std::uint16_t>(sign | 0x7E00u);
  if (magnitude >= 65520.0f) return static_cast<std::uint16_t>(sign | 0x7C00u);
  if (magnitude < 0x1p-14f)  // A subnormal half is a multiple of 2^-24.
    return static_cast<std::uint16_t>(
        sign | static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 24))));
  const std::uint32_t rounded = (bits & 0x7FFFFFFFu) + 0xFFFu + (bits >> 13 & 1u);
  return static_cast<std::uint16_t>(sign | ((rounded >> 13) - (112u << 10)));
}

[[nodiscard]] QNNPP_INLINE std::uint16_t float_to_bfloat(float number) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  if (std::isnan(number)) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}

/// Returns the nearest integer, ties to even, from `low` to `high`; 0 for NaN.
[[nodiscard]] inline double nearest(double number, double low, double high) noexcept {
  if (std::isnan(number)) return 0.0;
  const double rounded = std::nearbyint(number);
  return rounded < low ? low : rounded > high ? high : rounded;
}

template <class T>
[[nodiscard]] T element_at(const std::byte* elements, std::size_t i) noexcept {
  T element;
  std::memcpy(&element, elements + i * sizeof(T), sizeof(T));
  return element;
}
template <class T>
void put_element(std::byte* elements, std::size_t i, T element) noexcept {
  std::memcpy(elements + i * sizeof(T), &element, sizeof(T));
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

[[nodiscard]] inline bool is_signed_fixed(c_api::DataType type) noexcept {
  using enum c_api::DataType;
  return type == sfixed_point_4 || type == sfixed_point_8 || type == sfixed_point_16 ||
         type == sfixed_point_32;
}
[[nodiscard]] inline bool is_fixed(c_api::DataType type) noexcept {
  using enum c_api::DataType;
  return is_signed_fixed(type) || type == ufixed_point_4 || type == ufixed_point_8 ||
         type == ufixed_point_16 || type == ufixed_point_32;
}

/// Codes of a fixed-point tensor with a quantisation that fits it.
class FixedPoint {
 public:
  explicit FixedPoint(const TensorSpec& tensor)
      : dimensions_(tensor.dimensions),
        groups_(Access::block(tensor.quantisation).get()),
        pairs_(tensor.quantisation.pairs()),
        element_bits_(element_bits(tensor.data_type)),
        code_bits_(tensor.quantisation.code_bits()),
        signed_(is_signed_fixed(tensor.data_type)) {
    if (code_bits_ == 0) code_bits_ = element_bits_;
    high_ = std::ldexp(1.0, static_cast<int>(signed_ ? code_bits_ - 1 : code_bits_)) - 1.0;
    low_ = signed_ ? -high_ - 1.0 : 0.0;
    if (groups_ == nullptr) return;
    for (std::size_t i = static_cast<std::size_t>(groups_->axis) + 1; i < dimensions_.size(); ++i)
      inner_ *= dimensions_[i];
  }

  /// Returns the scale and offset of element `i`.
  [[nodiscard]] ScaleOffset pair(std::size_t i) const noexcept {
    using enum c_api::QuantizationEncoding;
    if (pairs_.size() == 1 && (groups_ == nullptr || groups_->encoding == bw_scale_offset))
      return pairs_[0];
    if (groups_->encoding == block) {
      std::size_t at = 0, stride = 1, rest = i;
      for (std::size_t d = dimensions_.size(); d-- > 0; rest /= dimensions_[d]) {
        at += rest % dimensions_[d] / groups_->blocks[d] * stride;
        stride *= dimensions_[d] / groups_->blocks[d];
      }
      return pairs_[at];
    }
    const std::size_t index = i / inner_ % pairs_.size();
    ScaleOffset found = pairs_[index];
    if (groups_->encoding != blockwise_expansion) return found;
    // Offset among the elements of this index, and the length of a block.
    const std::size_t within = i / (inner_ * pairs_.size()) * inner_ + i % inner_;
    const std::size_t block_at = index * groups_->blocks[0] + within / run_length();
    found.scale *= groups_->scales16.empty() ? static_cast<float>(groups_->scales8[block_at])
                                             : static_cast<float>(groups_->scales16[block_at]);
    return found;
  }

  [[nodiscard]] std::int64_t code(const std::byte* elements, std::size_t i) const noexcept {
    std::uint32_t word = 0;
    switch (element_bits_) {
      case 4: word = std::to_integer<std::uint32_t>(elements[i / 2]) >> i % 2 * 4; break;
      case 8: word = element_at<std::uint8_t>(elements, i); break;
      case 16: word = element_at<std::uint16_t>(elements, i); break;
      default: word = element_at<std::uint32_t>(elements, i); break;
    }
    const std::uint32_t unused = 32 - code_bits_;
    word <<= unused;
    return signed_ ? std::int64_t{static_cast<std::int32_t>(word) >> unused}
                   : std::int64_t{word >> unused};
  }

  void put(std::byte* elements, std::size_t i, float number) const noexcept {
    const ScaleOffset at = pair(i);
    const double code =
        std::isnan(number)
            ? 0.0
            : std::nearbyint(static_cast<double>(number) / static_cast<double>(at.scale));
    const auto limited = static_cast<std::int64_t>(nearest(code - at.offset, low_, high_));
    switch (element_bits_) {
      case 4: {
        const std::uint32_t shift = i % 2 * 4;
        const auto other = std::to_integer<std::uint32_t>(elements[i / 2]) & 0xF0u >> shift;
        elements[i / 2] =
            static_cast<std::byte>(other | (static_cast<std::uint32_t>(limited) & 15u) << shift);
        break;
      }
      case 8: put_element(elements, i, static_cast<std::uint8_t>(limited)); break;
      case 16: put_element(elements, i, static_cast<std::uint16_t>(limited)); break;
      default: put_element(elements, i, static_cast<std::uint32_t>(limited)); break;
    }
  }

 private:
  /// Returns the elements of a block of blockwise_expansion.
  [[nodiscard]] std::size_t run_length() const noexcept {
    std::size_t elements = 1;
    for (const std::uint32_t extent : dimensions_) elements *= extent;
    return elements / pairs_.size() / groups_->blocks[0];
  }

  std::span<const std::uint32_t> dimensions_;
  const QuantisationGroups* groups_;
  std::span<const ScaleOffset> pairs_;
  std::uint32_t element_bits_, code_bits_;
  bool signed_;
  double low_ = 0.0, high_ = 0.0;
  std::size_t inner_ = 1;
};

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
    for (std::size_t i = 0; i < *count; ++i) put_element(elements.data(), i, element(numbers[i]));
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
    all(float_to_half);
  } else if (tensor.data_type == bfloat_16) {
    all(float_to_bfloat);
  } else if (tensor.data_type == bool_8) {
    all([](float number) { return static_cast<std::uint8_t>(number < 0.0f || number > 0.0f); });
  } else {
    const FixedPoint fixed(tensor);
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
  const auto all = [&](auto number) {
    for (std::size_t i = 0; i < *count; ++i) numbers[i] = number(i);
  };
  const std::byte* const from = elements.data();
  const bool done = with_number_type(tensor.data_type, [&]<class T>(T) {
    all([&](std::size_t i) { return static_cast<float>(element_at<T>(from, i)); });
  });
  if (done) return {};
  if (tensor.data_type == float_16) {
    all([&](std::size_t i) { return half_to_float(element_at<std::uint16_t>(from, i)); });
  } else if (tensor.data_type == bfloat_16) {
    all([&](std::size_t i) {
      return std::bit_cast<float>(static_cast<std::uint32_t>(element_at<std::uint16_t>(from, i))
                                  << 16);
    });
  } else if (tensor.data_type == bool_8) {
    all([&](std::size_t i) { return from[i] != std::byte{0} ? 1.0f : 0.0f; });
  } else {
    const FixedPoint fixed(tensor);
    all([&](std::size_t i) {
      const ScaleOffset pair = fixed.pair(i);
      return static_cast<float>(static_cast<double>(pair.scale) *
                                static_cast<double>(fixed.code(from, i) + pair.offset));
    });
  }
  return {};
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
