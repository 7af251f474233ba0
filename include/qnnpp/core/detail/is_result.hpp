// ResultOf, AnyResult: what a caller passes who has not looked into a Result yet. For refusals.
#pragma once

#include <concepts>

#include "qnnpp/core/result_fwd.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

template <class T>
inline constexpr bool is_result = false;
template <class T>
inline constexpr bool is_result<Result<T>> = true;

/// A Result of anything.
template <class T>
concept AnyResult = is_result<T>;

/// A Result of `Value`. A class refuses to be made from it: every function that wants the class,
/// and every container of it, then says so.
template <class T, class Value>
concept ResultOf = std::same_as<T, Result<Value>>;

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
