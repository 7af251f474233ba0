// Element types of tensors: their sizes, their names and the matching C++ types.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "qnnpp/abi/common.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Returns the bits of one element; 0 for a type without a size (string, undefined).
[[nodiscard]] constexpr std::uint32_t element_bits(c_api::DataType type) noexcept {
  using enum c_api::DataType;
  switch (type) {
    case sfixed_point_4:
    case ufixed_point_4: return 4;
    case int_8:
    case uint_8:
    case sfixed_point_8:
    case ufixed_point_8:
    case bool_8: return 8;
    case int_16:
    case uint_16:
    case float_16:
    case bfloat_16:
    case sfixed_point_16:
    case ufixed_point_16: return 16;
    case int_32:
    case uint_32:
    case float_32:
    case sfixed_point_32:
    case ufixed_point_32: return 32;
    case int_64:
    case uint_64:
    case float_64: return 64;
    default: return 0;
  }
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
  using enum c_api::DataType;
  switch (type) {
    case int_8: return "INT_8";
    case int_16: return "INT_16";
    case int_32: return "INT_32";
    case int_64: return "INT_64";
    case uint_8: return "UINT_8";
    case uint_16: return "UINT_16";
    case uint_32: return "UINT_32";
    case uint_64: return "UINT_64";
    case float_16: return "FLOAT_16";
    case bfloat_16: return "BFLOAT_16";
    case float_32: return "FLOAT_32";
    case float_64: return "FLOAT_64";
    case sfixed_point_4: return "SFIXED_POINT_4";
    case sfixed_point_8: return "SFIXED_POINT_8";
    case sfixed_point_16: return "SFIXED_POINT_16";
    case sfixed_point_32: return "SFIXED_POINT_32";
    case ufixed_point_4: return "UFIXED_POINT_4";
    case ufixed_point_8: return "UFIXED_POINT_8";
    case ufixed_point_16: return "UFIXED_POINT_16";
    case ufixed_point_32: return "UFIXED_POINT_32";
    case bool_8: return "BOOL_8";
    case string: return "STRING";
    default: return "UNDEFINED";
  }
}

#if QNNPP_HAS_FLOAT16
/// IEEE half, for FLOAT_16 tensors. Exists only if the compiler has it in C++: not clang 14 for
/// x86-64, nor g++ 12 for arm64. std::uint16_t holds its bits everywhere.
__extension__ using Float16 = _Float16;
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
#if QNNPP_HAS_FLOAT16
  else if constexpr (std::is_same_v<U, Float16>)
    return float_16;
#endif
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
/// - std::uint8_t for BOOL_8, and std::uint16_t for a 16-bit float (also Float16 for FLOAT_16);
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
    case bool_8: return own == uint_8;
    case ufixed_point_16:
    case float_16:
    case bfloat_16: return own == uint_16;
    case ufixed_point_32: return own == uint_32;
    default: return false;
  }
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
