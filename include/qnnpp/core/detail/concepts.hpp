// Concepts for arguments that refusals recognise: an untested Result, temporary memory, a path.
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

template <class T>
inline constexpr bool is_result = false;
template <class T>
inline constexpr bool is_result<Result<T>> = true;

/// Any Result.
template <class T>
concept AnyResult = is_result<T>;

/// A Result of `Value`. A class refuses construction from it. The refusal then also appears for
/// every function that has a parameter of the class, and for every container of the class.
template <class T, class Value>
concept ResultOf = std::same_as<T, Result<Value>>;

template <class T>
inline constexpr bool is_span = false;
template <class T, std::size_t N>
inline constexpr bool is_span<std::span<T, N>> = true;

/// Memory that outlives the call: a named container, or a view.
template <class R>
concept LastingMemory = (std::is_lvalue_reference_v<R> || is_span<std::remove_cvref_t<R>>) &&
                        requires(R&& range) { std::span(range); };

/// A file's path: a literal, a string, a view, or a class that converts to a string, such as
/// std::filesystem::path.
template <class T>
concept PathLike =
    std::convertible_to<const T&, std::string> || std::convertible_to<const T&, std::string_view>;

/// Whether T converts to a span of one of these element types.
template <class T, class... Elements>
inline constexpr bool is_list_of =
    (std::is_convertible_v<const T&, std::span<const Elements>> || ...);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
