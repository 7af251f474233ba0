// value_or_throw(): turns errors into exceptions. No other header of qnnpp throws errors.
#pragma once

#include "qnnpp/config.hpp"

#include <stdexcept>
#include <type_traits>
#include <utility>

#include "qnnpp/core/error.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Error as an exception; what() returns its message().
class Exception : public std::runtime_error {
 public:
  /// Makes an exception that owns `error`.
  explicit Exception(Error error) : std::runtime_error(error.message()), error_(std::move(error)) {}
  /// The error; valid until the exception is destroyed.
  [[nodiscard]] const Error& error() const noexcept { return error_; }

 private:
  Error error_;
};

namespace detail {
/// Throws an error, out of line of the functions that value_or_throw() is in.
[[noreturn]] [[gnu::cold, gnu::noinline]] inline void throw_error(Error&& error) {
  throw Exception(std::move(error));
}
}  // namespace detail

/// Moves the value out of `result` and returns it. Throws Exception if `result` holds an error.
template <class T>
T value_or_throw(Result<T>&& result) {
  if (!result) detail::throw_error(std::move(result).error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
