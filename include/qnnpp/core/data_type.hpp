// Element types of tensors: their sizes, their names and the matching C++ types.
#pragma once

#include "qnnpp/config.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "qnnpp/abi/common.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

/// Facts of an element type.
struct DataTypeFacts {
  c_api::DataType type;
  std::uint32_t bits;  ///< Bits of one element; 0 for a type without a size.
  const char* name;    ///< Name in QNN's documents, without the prefix.
};

/// All element types; the last one stands for every unknown number.
inline constexpr std::array data_types = [] {
  using enum c_api::DataType;
  return std::to_array<DataTypeFacts>({
      {int_8, 8, "INT_8"},
      {int_16, 16, "INT_16"},
      {int_32, 32, "INT_32"},
      {int_64, 64, "INT_64"},
      {uint_8, 8, "UINT_8"},
      {uint_16, 16, "UINT_16"},
      {uint_32, 32, "UINT_32"},
      {uint_64, 64, "UINT_64"},
      {float_4, 4, "FLOAT_4"},
      {float_8, 8, "FLOAT_8"},
      {float_16, 16, "FLOAT_16"},
      {bfloat_16, 16, "BFLOAT_16"},
      {float_32, 32, "FLOAT_32"},
      {float_64, 64, "FLOAT_64"},
      {sfixed_point_4, 4, "SFIXED_POINT_4"},
      {sfixed_point_8, 8, "SFIXED_POINT_8"},
      {sfixed_point_16, 16, "SFIXED_POINT_16"},
      {sfixed_point_32, 32, "SFIXED_POINT_32"},
      {ufixed_point_4, 4, "UFIXED_POINT_4"},
      {ufixed_point_8, 8, "UFIXED_POINT_8"},
      {ufixed_point_16, 16, "UFIXED_POINT_16"},
      {ufixed_point_32, 32, "UFIXED_POINT_32"},
      {bool_8, 8, "BOOL_8"},
      {string, 0, "STRING"},
      {undefined, 0, "UNDEFINED"},
  });
}();

/// Returns the facts of an element type; those of `undefined` for an unknown number.
[[nodiscard]] constexpr const DataTypeFacts& facts_of(c_api::DataType type) noexcept {
  for (const DataTypeFacts& facts : data_types)
    if (facts.type == type) return facts;
  return data_types.back();
}

}  // namespace detail

/// Returns the bits of one element; 0 for a type without a size (string, undefined).
[[nodiscard]] constexpr std::uint32_t element_bits(c_api::DataType type) noexcept {
  return detail::facts_of(type).bits;
}

namespace detail {

/// Returns the alignment of one element in bytes: its size; 1 for a type of less than a byte or
/// without a size.
[[nodiscard]] constexpr std::uint64_t element_alignment(c_api::DataType type) noexcept {
  return element_bits(type) < 8 ? 1 : element_bits(type) / 8;
}

}  // namespace detail

/// Returns the name of an element type as in QNN's documents, without the prefix: "FLOAT_32".
[[nodiscard]] constexpr const char* name_of(c_api::DataType type) noexcept {
  return detail::facts_of(type).name;
}

/// IEEE half, for FLOAT_16 tensors; void if the compiler lacks it in C++, as clang 14 for x86-64
/// and g++ 12 for arm64. std::uint16_t holds its bits everywhere.
// g++ 12 defines __FLT16_MAX__ on arm64 too.
#if defined(__FLT16_MAX__) && (defined(__clang__) || __GNUC__ >= 13 || defined(__x86_64__))
__extension__ using Float16 = _Float16;
#else
using Float16 = void;
#endif

/// QNN type of an arithmetic C++ type: FLOAT_32 for float, INT_8 for std::int8_t. UNDEFINED for any
/// other type, and for char, because its sign differs between platforms.
template <class T>
inline constexpr c_api::DataType data_type_of = [] {
  using enum c_api::DataType;
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, char>)
    return undefined;
  else if constexpr (std::is_same_v<U, bool>)
    return bool_8;
  else if constexpr (std::is_same_v<U, float>)
    return float_32;
  else if constexpr (std::is_same_v<U, double>)
    return float_64;
  else if constexpr (std::is_same_v<U, Float16> && !std::is_void_v<U>)
    return float_16;
  else if constexpr (std::is_integral_v<U> && std::is_signed_v<U>)
    return sizeof(U) == 1 ? int_8 : sizeof(U) == 2 ? int_16 : sizeof(U) == 4 ? int_32 : int_64;
  else if constexpr (std::is_integral_v<U>)
    return sizeof(U) == 1 ? uint_8 : sizeof(U) == 2 ? uint_16 : sizeof(U) == 4 ? uint_32 : uint_64;
  else
    return undefined;
}();

/// Returns whether elements of T can hold a tensor of `type`. T is one of:
/// - the C++ type of `type`, see data_type_of;
/// - the integer of the same width and sign, for a fixed-point type;
/// - std::uint8_t for BOOL_8 and FLOAT_8;
/// - std::uint16_t for a 16-bit float (also Float16 for FLOAT_16);
/// - std::byte, for every type.
template <class T>
[[nodiscard]] constexpr bool carries(c_api::DataType type) noexcept {
  using enum c_api::DataType;
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, std::byte>) return true;
  constexpr c_api::DataType own = data_type_of<U>;
  if (own == type && type != undefined) return true;
  switch (type) {
    case sfixed_point_8: return own == int_8;
    case sfixed_point_16: return own == int_16;
    case sfixed_point_32: return own == int_32;
    case ufixed_point_8:
    case float_8:
    case bool_8: return own == uint_8;
    case ufixed_point_16:
    case float_16:
    case bfloat_16: return own == uint_16;
    case ufixed_point_32: return own == uint_32;
    default: return false;
  }
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
