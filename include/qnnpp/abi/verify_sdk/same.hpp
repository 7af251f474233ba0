// Part of verify_sdk.hpp: comparison of qnnpp's declarations with the SDK's. Fields of equal size
// can still differ in the kind of number or in the signature of a function pointer.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace qnnpp::verify_sdk {

template <class Ours, class Theirs>
consteval bool same_kind();

/// True for two functions with parameters and results of the same kinds.
template <class Ours, class Theirs>
struct SameSignature : std::false_type {};
template <class Result, class... Parameters, class TheirResult, class... TheirParameters>
  requires(sizeof...(Parameters) == sizeof...(TheirParameters))
struct SameSignature<Result(Parameters...), TheirResult(TheirParameters...)>
    : std::bool_constant<same_kind<Result, TheirResult>() &&
                         (same_kind<Parameters, TheirParameters>() && ...)> {};

/// Compares the targets of two pointers. void matches any target type: the SDK declares handles and
/// extensions as void*.
template <class Ours, class Theirs>
consteval bool same_pointee() {
  if constexpr (std::is_function_v<Ours> || std::is_function_v<Theirs>)
    return SameSignature<Ours, Theirs>::value;
  else if constexpr (std::is_const_v<Ours> != std::is_const_v<Theirs>)
    return false;
  else if constexpr (std::is_void_v<Ours> || std::is_void_v<Theirs>)
    return true;
  else if constexpr (std::is_class_v<Ours> && std::is_class_v<Theirs>)
    return true;  // Either may be incomplete here; the fields of records are compared separately.
  else
    return same_kind<std::remove_cv_t<Ours>, std::remove_cv_t<Theirs>>();
}

/// Reports whether values of the two types are passed and read alike. Compares pointers by depth,
/// const and signature, and distinguishes floating-point numbers from integers, and signed from
/// unsigned integers. Enumerations and bool match integers of either sign.
template <class Ours, class Theirs>
consteval bool same_kind() {
  using O = std::remove_cv_t<Ours>;
  using T = std::remove_cv_t<Theirs>;
  constexpr auto has_sign = []<class N>(std::type_identity<N>) {
    return std::is_integral_v<N> && !std::is_same_v<N, bool> && !std::is_same_v<N, char>;
  };
  if constexpr (std::is_void_v<O> || std::is_void_v<T>) {
    return std::is_void_v<O> && std::is_void_v<T>;
  } else if constexpr (std::is_array_v<O> || std::is_array_v<T>) {
    if constexpr (std::is_array_v<O> && std::is_array_v<T>)
      return std::extent_v<O> == std::extent_v<T> &&
             same_kind<std::remove_extent_t<O>, std::remove_extent_t<T>>();
    else
      return false;
  } else if constexpr (std::is_pointer_v<O> || std::is_pointer_v<T>) {
    if constexpr (std::is_pointer_v<O> && std::is_pointer_v<T>)
      return same_pointee<std::remove_pointer_t<O>, std::remove_pointer_t<T>>();
    else
      return false;
  } else if constexpr (std::is_class_v<O> || std::is_class_v<T>) {
    // The sizes are compared separately: a table that is passed by value grows with each SDK.
    return std::is_class_v<O> && std::is_class_v<T>;
  } else if constexpr (has_sign(std::type_identity<O>()) && has_sign(std::type_identity<T>())) {
    return sizeof(O) == sizeof(T) && std::is_signed_v<O> == std::is_signed_v<T>;
  } else {
    return sizeof(O) == sizeof(T) && std::is_floating_point_v<O> == std::is_floating_point_v<T>;
  }
}

}  // namespace qnnpp::verify_sdk

#define QNNPP_SAME_SIZE(ours, theirs)                                               \
  static_assert(sizeof(ours) == sizeof(theirs) && alignof(ours) == alignof(theirs), \
                #ours " and " #theirs " differ in size or alignment")
// Compares only where a field begins: its type grows with each SDK.
#define QNNPP_SAME_PLACE(ours, our_field, theirs, their_field)                    \
  static_assert(offsetof(ours, our_field) == offsetof(theirs, their_field), #ours \
                "::" #our_field " and " #theirs "::" #their_field " begin at different offsets")
#define QNNPP_SAME_FIELD(ours, our_field, theirs, their_field)                                    \
  static_assert(offsetof(ours, our_field) == offsetof(theirs, their_field) &&                     \
                    sizeof(ours::our_field) == sizeof(theirs::their_field),                       \
                #ours "::" #our_field " and " #theirs "::" #their_field                           \
                      " differ in place or size");                                                \
  static_assert(                                                                                  \
      ::qnnpp::verify_sdk::same_kind<decltype(ours::our_field), decltype(theirs::their_field)>(), \
      #ours "::" #our_field " and " #theirs "::" #their_field                                     \
            " differ in type: number, floating-point number, pointer or signature")
#define QNNPP_SAME_VALUE(ours, theirs)                                                  \
  static_assert(static_cast<std::uint32_t>(ours) == static_cast<std::uint32_t>(theirs), \
                #ours " and " #theirs " differ in value")
#define QNNPP_SAME_TEXT(ours, theirs) \
  static_assert(std::string_view(ours) == std::string_view(theirs), #ours " has another text")

// Compares a field after the SDK's initializer `macro` of `theirs`.
#define QNNPP_SAME_INIT(theirs, macro, their_field, value)            \
  static_assert(                                                      \
      [] {                                                            \
        constexpr theirs initialised = macro;                         \
        return static_cast<std::uint32_t>(initialised.their_field) == \
               static_cast<std::uint32_t>(value);                     \
      }(),                                                            \
      #macro " leaves another value than " #value " in " #theirs "::" #their_field)
