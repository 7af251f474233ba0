// Converts elements of any type to float32, and back. The arithmetic of kernels.hpp is float32.
//
// Integers are rounded to the nearest, ties to even, and limited to their range. In fixed point,
// number / scale is rounded so, before the offset is subtracted; then the code is limited. NaN
// becomes the code of 0. Codes and integers beyond 24 bits lose their low bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "sim/ops/network.hpp"

namespace qnnpp::sim {

namespace detail {

inline float from_half(std::uint16_t half) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = half >> 10 & 31u, fraction = half & 0x3FFu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
  return sign != 0 ? -magnitude : magnitude;
}

/// Rounds to the nearest, ties to even; a large number becomes infinite.
inline std::uint16_t to_half(float value) noexcept {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7E00u);
  if (magnitude >= 65520.0f) return static_cast<std::uint16_t>(sign | 0x7C00u);
  if (magnitude < 0x1p-14f)  // subnormal: multiples of 2^-24
    return static_cast<std::uint16_t>(
        sign | static_cast<std::uint16_t>(std::nearbyint(std::ldexp(magnitude, 24))));
  const std::uint32_t rounded = (bits & 0x7FFFFFFFu) + 0xFFFu + (bits >> 13 & 1u);
  return static_cast<std::uint16_t>(sign | ((rounded >> 13) - (112u << 10)));
}

inline float from_bfloat(std::uint16_t upper) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(upper) << 16);
}
inline std::uint16_t to_bfloat(float value) noexcept {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}

template <class T>
T load(const std::byte* from, std::uint64_t i) noexcept {
  T value;
  std::memcpy(&value, from + i * sizeof(T), sizeof(T));
  return value;
}
template <class T>
void store(std::byte* to, std::uint64_t i, T value) noexcept {
  std::memcpy(to + i * sizeof(T), &value, sizeof(T));
}

/// Returns the nearest T, ties to even, within the range of T; 0 for NaN.
template <class T>
T nearest(double value) noexcept {
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(value);
  if (rounded <= static_cast<double>(std::numeric_limits<T>::lowest()))
    return std::numeric_limits<T>::lowest();
  if (rounded >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return static_cast<T>(rounded);
}

/// Scale and offset of each element of a tensor.
class Pairs {
 public:
  explicit Pairs(const Tensor& tensor) : tensor_(tensor), of_(tensor.quantization) {
    using enum c_api::QuantizationEncoding;
    if (of_.encoding == scale_offset || of_.encoding == bw_scale_offset) return;
    if (of_.encoding == block) {
      std::uint64_t inner = 1, blocks = 1;
      for (std::size_t i = tensor.dimensions.size(); i-- > 0;) {
        inner_[i] = inner;
        block_step_[i] = blocks;
        inner *= tensor.dimensions[i];
        blocks *= tensor.dimensions[i] / of_.blocks[i];
      }
      return;
    }
    const auto axis = static_cast<std::size_t>(of_.axis);
    for (std::size_t i = axis + 1; i < tensor.dimensions.size(); ++i)
      inner_[0] *= tensor.dimensions[i];
    if (of_.encoding == blockwise_expansion)
      per_block_ = element_count(tensor) / tensor.dimensions[axis] / of_.blocks[0];
  }

  [[nodiscard]] c_api::ScaleOffset operator()(std::uint64_t element) const noexcept {
    using enum c_api::QuantizationEncoding;
    switch (of_.encoding) {
      case scale_offset:
      case bw_scale_offset: return of_.pairs[0];
      case block: {
        std::uint64_t at = 0;
        for (std::size_t i = 0; i < tensor_.dimensions.size(); ++i)
          at += element / inner_[i] % tensor_.dimensions[i] / of_.blocks[i] * block_step_[i];
        return of_.pairs[at];
      }
      default: break;
    }
    const std::uint64_t extent = tensor_.dimensions[static_cast<std::size_t>(of_.axis)];
    const std::uint64_t index = element / inner_[0] % extent;
    c_api::ScaleOffset pair = of_.pairs[index];
    if (of_.encoding != blockwise_expansion) return pair;
    // The elements of an index, in row-major order, consist of equal runs: the blocks.
    const std::uint64_t within = element / (inner_[0] * extent) * inner_[0] + element % inner_[0];
    const std::uint64_t at = index * of_.blocks[0] + within / per_block_;
    pair.scale *= of_.block_scales16.empty() ? static_cast<float>(of_.block_scales8[at])
                                             : static_cast<float>(of_.block_scales16[at]);
    return pair;
  }

 private:
  const Tensor& tensor_;
  const Quantization& of_;
  std::array<std::uint64_t, max_rank> inner_ = {1, 1, 1, 1, 1, 1, 1, 1};
  std::array<std::uint64_t, max_rank> block_step_{};
  std::uint64_t per_block_ = 1;
};

/// Codes of a fixed-point tensor: their container and their range.
class Codes {
 public:
  explicit Codes(const Tensor& tensor)
      : container_(element_bits(tensor.data_type)),
        bits_(container_),
        signed_(is_signed_fixed_point(tensor.data_type)) {
    using enum c_api::QuantizationEncoding;
    const Quantization& of = tensor.quantization;
    if (of.encoding == bw_scale_offset || of.encoding == bw_axis_scale_offset) bits_ = of.bitwidth;
  }

  /// Reads the low bits in use of a container; a signed code is in two's complement.
  [[nodiscard]] std::int64_t read(const std::byte* from, std::uint64_t i) const noexcept {
    std::uint32_t word = 0;
    switch (container_) {
      case 4: word = std::to_integer<std::uint32_t>(from[i / 2]) >> i % 2 * 4; break;
      case 8: word = load<std::uint8_t>(from, i); break;
      case 16: word = load<std::uint16_t>(from, i); break;
      default: word = load<std::uint32_t>(from, i); break;
    }
    const std::uint32_t unused = 32 - bits_;
    word <<= unused;
    return signed_ ? std::int64_t{static_cast<std::int32_t>(word) >> unused}
                   : std::int64_t{word >> unused};
  }

  void write(std::byte* to, std::uint64_t i, double code) const noexcept {
    const double highest = std::ldexp(1.0, static_cast<int>(signed_ ? bits_ - 1 : bits_)) - 1.0;
    const double lowest = signed_ ? -highest - 1.0 : 0.0;
    const auto value = static_cast<std::int64_t>(std::clamp(code, lowest, highest));
    switch (container_) {
      case 4: {
        const std::uint32_t shift = i % 2 * 4;
        const auto kept = std::to_integer<std::uint32_t>(to[i / 2]) & 0xF0u >> shift;
        to[i / 2] =
            static_cast<std::byte>(kept | (static_cast<std::uint32_t>(value) & 15u) << shift);
        break;
      }
      case 8: store(to, i, static_cast<std::uint8_t>(value)); break;
      case 16: store(to, i, static_cast<std::uint16_t>(value)); break;
      default: store(to, i, static_cast<std::uint32_t>(value)); break;
    }
  }

 private:
  std::uint32_t container_, bits_;
  bool signed_;
};

/// Elements that are numbers of type T.
template <class T>
struct PlainElements {
  static float read(const std::byte* from, std::uint64_t i) noexcept {
    return static_cast<float>(load<T>(from, i));
  }
  static void write(std::byte* to, std::uint64_t i, float value) noexcept {
    if constexpr (std::is_floating_point_v<T>)
      store(to, i, static_cast<T>(value));
    else
      store(to, i, nearest<T>(static_cast<double>(value)));
  }
};
struct HalfElements {
  static float read(const std::byte* from, std::uint64_t i) noexcept {
    return from_half(load<std::uint16_t>(from, i));
  }
  static void write(std::byte* to, std::uint64_t i, float value) noexcept {
    store(to, i, to_half(value));
  }
};
struct BfloatElements {
  static float read(const std::byte* from, std::uint64_t i) noexcept {
    return from_bfloat(load<std::uint16_t>(from, i));
  }
  static void write(std::byte* to, std::uint64_t i, float value) noexcept {
    store(to, i, to_bfloat(value));
  }
};
struct BoolElements {
  static float read(const std::byte* from, std::uint64_t i) noexcept {
    return from[i] != std::byte{0} ? 1.0f : 0.0f;
  }
  static void write(std::byte* to, std::uint64_t i, float value) noexcept {
    to[i] = value < 0.0f || value > 0.0f ? std::byte{1} : std::byte{0};
  }
};
/// Elements of a fixed-point tensor.
class FixedPointElements {
 public:
  explicit FixedPointElements(const Tensor& tensor) : pairs_(tensor), codes_(tensor) {}

  [[nodiscard]] float read(const std::byte* from, std::uint64_t i) const noexcept {
    const c_api::ScaleOffset pair = pairs_(i);
    return static_cast<float>(static_cast<double>(pair.scale) *
                              static_cast<double>(codes_.read(from, i) + pair.offset));
  }
  void write(std::byte* to, std::uint64_t i, float value) const noexcept {
    const c_api::ScaleOffset pair = pairs_(i);
    const double steps =
        std::isnan(value)
            ? 0.0
            : std::nearbyint(static_cast<double>(value) / static_cast<double>(pair.scale));
    codes_.write(to, i, steps - pair.offset);
  }

 private:
  Pairs pairs_;
  Codes codes_;
};

/// Calls `visitor` with the elements of a tensor: an object that reads and writes one as float32.
template <class Visitor>
void visit_elements(const Tensor& tensor, const Visitor& visitor) noexcept {
  using enum c_api::DataType;
  switch (tensor.data_type) {
    case float_32: return visitor(PlainElements<float>());
    case float_64: return visitor(PlainElements<double>());
    case int_8: return visitor(PlainElements<std::int8_t>());
    case int_16: return visitor(PlainElements<std::int16_t>());
    case int_32: return visitor(PlainElements<std::int32_t>());
    case int_64: return visitor(PlainElements<std::int64_t>());
    case uint_8: return visitor(PlainElements<std::uint8_t>());
    case uint_16: return visitor(PlainElements<std::uint16_t>());
    case uint_32: return visitor(PlainElements<std::uint32_t>());
    case uint_64: return visitor(PlainElements<std::uint64_t>());
    case float_16: return visitor(HalfElements());
    case bfloat_16: return visitor(BfloatElements());
    case bool_8: return visitor(BoolElements());
    default: return visitor(FixedPointElements(tensor));
  }
}

}  // namespace detail

/// Converts all elements of a tensor to float32. Requires is_computable().
inline void to_floats(const Tensor& tensor, const std::byte* from, float* to) noexcept {
  const std::uint64_t count = element_count(tensor);
  detail::visit_elements(tensor, [&](const auto& elements) {
    for (std::uint64_t i = 0; i < count; ++i) to[i] = elements.read(from, i);
  });
}

/// Converts float32 to the tensor's elements. Requires is_computable().
inline void from_floats(const Tensor& tensor, const float* from, std::byte* to) noexcept {
  const std::uint64_t count = element_count(tensor);
  detail::visit_elements(tensor, [&](const auto& elements) {
    for (std::uint64_t i = 0; i < count; ++i) elements.write(to, i, from[i]);
  });
}

}  // namespace qnnpp::sim
