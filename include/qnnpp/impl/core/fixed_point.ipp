// FixedPoint: the codes of a fixed-point tensor; FixedBlocks: many of them at a time.
#pragma once

#include "qnnpp/config.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "qnnpp/abi/quantization.hpp"
#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/quantisation.hpp"
#include "qnnpp/core/tensor_spec.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

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

  /// Number of elements with one pair that follow each other, if an element's pair depends on its
  /// place along one dimension at most: the element `i` has the pair i / run() % pairs().size().
  /// Else 0.
  [[nodiscard]] std::size_t run() const noexcept {
    using enum c_api::QuantizationEncoding;
    if (groups_ == nullptr || groups_->encoding == bw_scale_offset) return SIZE_MAX;
    return groups_->encoding == block || groups_->encoding == blockwise_expansion ? 0 : inner_;
  }
  [[nodiscard]] std::span<const ScaleOffset> pairs() const noexcept { return pairs_; }
  /// Least and greatest code.
  [[nodiscard]] double low() const noexcept { return low_; }
  [[nodiscard]] double high() const noexcept { return high_; }
  /// Whether FixedBlocks can convert the tensor: its codes fill 8 or 16 bits, a float holds each of
  /// their quotients exactly, and the inverse of a scale neither overflows nor underflows.
  [[nodiscard]] bool has_blocks() const noexcept {
    if (code_bits_ != element_bits_ || element_bits_ < 8 || element_bits_ > 16 || run() == 0)
      return false;
    return std::ranges::all_of(pairs_, [](const ScaleOffset& pair) {
      return pair.scale > 0x1p-100f && pair.scale < 0x1p100f && pair.offset > -(1 << 20) &&
             pair.offset < 1 << 20;
    });
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

/// Number of neighbours whose pairs are kept at hand. The loops over them, or over a part of them,
/// have a constant length and no branches: g++ and clang vectorise them at -O2.
inline constexpr std::size_t block_size = 256;

/// Pairs of the elements of a block. N: block_size, or 1 if all have the same pair.
template <std::size_t N>
class BlockPairs {
 public:
  /// `next()` returns the scale and offset of the next element. `low` and `high`: the limits of
  /// codes.
  template <class Next>
  BlockPairs(double low, double high, Next next) noexcept {
    for (std::size_t j = 0; j < N; ++j) {
      const ScaleOffset pair = next();
      scales_[j] = pair.scale;
      inverses_[j] = 1.0f / pair.scale;
      offsets_[j] = pair.offset;
      lows_[j] = static_cast<float>(low + pair.offset);
      highs_[j] = static_cast<float>(high + pair.offset);
    }
  }
  // These return, for element `j`: the pair, the inverse of its scale, the quotients of the limits.
  [[nodiscard]] float scale(std::size_t j) const noexcept { return scales_[at(j)]; }
  [[nodiscard]] float inverse(std::size_t j) const noexcept { return inverses_[at(j)]; }
  [[nodiscard]] std::int32_t offset(std::size_t j) const noexcept { return offsets_[at(j)]; }
  [[nodiscard]] float low(std::size_t j) const noexcept { return lows_[at(j)]; }
  [[nodiscard]] float high(std::size_t j) const noexcept { return highs_[at(j)]; }

 private:
  [[nodiscard]] static constexpr std::size_t at(std::size_t j) noexcept { return N == 1 ? 0 : j; }

  alignas(16) float scales_[N], inverses_[N], lows_[N], highs_[N];
  alignas(16) std::int32_t offsets_[N];
};

/// Converts fixed-point elements in blocks of neighbours. T: the C++ type of a code, of 8 or 16
/// bits. Gives the same codes and numbers as FixedPoint does one by one.
template <class T>
class FixedBlocks {
 public:
  explicit FixedBlocks(const FixedPoint& fixed) noexcept : fixed_(fixed) {}

  void quantise(const std::byte* numbers, std::byte* elements, std::size_t count) const {
    each_block<float, T>(
        numbers, elements, count,
        [](const std::byte* from, std::byte* to, const auto& pairs, std::size_t j) {
          if (!quick_codes(from, to, pairs, j)) [[unlikely]]
            exact_codes(from, to, pairs, j);
        });
  }

  void dequantise(const std::byte* elements, std::byte* numbers, std::size_t count) const {
    each_block<T, float>(elements, numbers, count,
                         [](const std::byte* from, std::byte* to, const auto& pairs,
                            std::size_t j) { numbers_of(from, to, pairs, j); });
  }

 private:
  // A float of this size has no fraction, so that adding it rounds to the nearest integer, ties to
  // even. The lower bits of the sum are the integer.
  static constexpr float to_integer = 0x1.8p23f;
  static constexpr double to_integer_exactly = 0x1.8p52;
  /// Number of elements that are converted at a time.
  static constexpr std::size_t part = 16;

  /// Calls convert(from, to, pairs, j) for the parts of all elements: with the first bytes of the
  /// part, the pairs of its block, and its first element in them. Converts copies for a part that
  /// is not whole.
  template <class From, class To, class Convert>
  void each_block(const std::byte* from, std::byte* to, std::size_t count, Convert convert) const {
    const auto block = [&](std::size_t first, std::size_t size, const auto& pairs) {
      const std::byte* const in = from + first * sizeof(From);
      std::byte* const out = to + first * sizeof(To);
      std::size_t j = 0;
      for (; j + part <= size; j += part)
        convert(in + j * sizeof(From), out + j * sizeof(To), pairs, j);
      if (j == size) return;
      std::byte last_in[part * sizeof(From)] = {}, last_out[part * sizeof(To)];
      std::memcpy(last_in, in + j * sizeof(From), (size - j) * sizeof(From));
      convert(last_in, last_out, pairs, j);
      std::memcpy(out + j * sizeof(To), last_out, (size - j) * sizeof(To));
    };
    const std::span<const ScaleOffset> pairs = fixed_.pairs();
    const double low = fixed_.low(), high = fixed_.high();
    const std::size_t run = std::min(fixed_.run(), count);
    if (run >= block_size || pairs.size() == 1) {
      for (std::size_t first = 0; first < count; first += run) {
        const ScaleOffset pair = pairs[first / run % pairs.size()];
        block(first, run, BlockPairs<1>(low, high, [&] { return pair; }));
      }
      return;
    }
    // The pairs repeat: those of a block serve one block of each repetition, or several repetitions
    // that fit a block.
    const std::size_t period = run * pairs.size();
    const std::size_t step = period < block_size ? block_size / period * period : period;
    for (std::size_t first = 0; first < period; first += block_size) {
      std::size_t index = first / run % pairs.size(), left = run - first % run;
      const BlockPairs<block_size> of_each(low, high, [&] {
        const ScaleOffset pair = pairs[index];
        if (--left == 0) {
          left = run;
          index = index + 1 == pairs.size() ? 0 : index + 1;
        }
        return pair;
      });
      const std::size_t size = std::min(block_size, step - first);
      for (std::size_t at = first; at < count; at += step)
        block(at, std::min(size, count - at), of_each);
    }
  }

  /// Writes the codes of a part of a block, from its element `first`, by products with the inverse
  /// scale. Returns false if one of the products is so near to the middle of two integers that the
  /// quotient may round otherwise.
  template <std::size_t N>
  [[nodiscard]] static bool quick_codes(const std::byte* __restrict numbers,
                                        std::byte* __restrict codes, const BlockPairs<N>& pairs,
                                        std::size_t first) noexcept {
    std::int32_t found[part];
    std::int32_t doubtful = 0;
    for (std::size_t j = 0; j < part; ++j) {
      float code = element_at<float>(numbers, j) * pairs.inverse(first + j);
      code = code == code ? code : 0.0f;  // NaN is 0.
      code = code < pairs.low(first + j) ? pairs.low(first + j) : code;
      code = code > pairs.high(first + j) ? pairs.high(first + j) : code;
      const std::int32_t rounded =
          std::bit_cast<std::int32_t>(code + to_integer) - std::bit_cast<std::int32_t>(to_integer);
      // The inverse and the product are each wrong by 2^-24 of them at most, and this difference by
      // 2^-27.
      const float fraction = std::fabs(code - static_cast<float>(rounded));
      doubtful |= fraction >= 0.5f - std::fabs(code) * 0x1.2p-23f ? 1 : 0;
      found[j] = rounded - pairs.offset(first + j);
    }
    for (std::size_t j = 0; j < part; ++j) put_element(codes, j, static_cast<T>(found[j]));
    return doubtful == 0;
  }

  template <std::size_t N>
  static void exact_codes(const std::byte* __restrict numbers, std::byte* __restrict codes,
                          const BlockPairs<N>& pairs, std::size_t first) noexcept {
    std::uint32_t found[part];
    for (std::size_t j = 0; j < part; ++j) {
      const auto low = static_cast<double>(pairs.low(first + j));
      const auto high = static_cast<double>(pairs.high(first + j));
      double code = static_cast<double>(element_at<float>(numbers, j)) /
                    static_cast<double>(pairs.scale(first + j));
      code = code == code ? code : 0.0;
      code = code < low ? low : code;
      code = code > high ? high : code;
      const auto bits = std::bit_cast<std::uint64_t>(code + to_integer_exactly);
      found[j] =
          static_cast<std::uint32_t>(bits) - static_cast<std::uint32_t>(pairs.offset(first + j));
    }
    for (std::size_t j = 0; j < part; ++j) put_element(codes, j, static_cast<T>(found[j]));
  }

  template <std::size_t N>
  static void numbers_of(const std::byte* __restrict codes, std::byte* __restrict numbers,
                         const BlockPairs<N>& pairs, std::size_t first) noexcept {
    for (std::size_t j = 0; j < part; ++j) {
      const std::int32_t code = std::int32_t{element_at<T>(codes, j)} + pairs.offset(first + j);
      put_element(numbers, j, pairs.scale(first + j) * static_cast<float>(code));
    }
  }

  const FixedPoint& fixed_;
};

/// Calls convert(FixedBlocks) for a tensor of `type` that has blocks, and returns true. Returns
/// false for others.
template <class Convert>
bool in_blocks(c_api::DataType type, const FixedPoint& fixed, Convert convert) {
  using enum c_api::DataType;
  if (!fixed.has_blocks()) return false;
  switch (type) {
    case sfixed_point_8: return convert(FixedBlocks<std::int8_t>(fixed)), true;
    case ufixed_point_8: return convert(FixedBlocks<std::uint8_t>(fixed)), true;
    case sfixed_point_16: return convert(FixedBlocks<std::int16_t>(fixed)), true;
    default: return convert(FixedBlocks<std::uint16_t>(fixed)), true;
  }
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
