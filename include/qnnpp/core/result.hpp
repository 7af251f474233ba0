// Result<T>: a value or an Error. std::expected if the standard library has it, else tl::expected.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "qnnpp/core/error.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Outcome of every fallible call. Test it before use; nothing throws.
template <class T>
using Result = QNNPP_EXPECTED::expected<T, Error>;
/// Makes a Result of an Error in place: `Result<void>(unexpect, std::move(error))`.
using QNNPP_EXPECTED::unexpect;
namespace detail {
using Failure = QNNPP_EXPECTED::unexpected<Error>;
}  // namespace detail

/// Wraps an error for return: `return fail(std::move(error))`.
[[nodiscard]] inline detail::Failure fail(Error&& error) {
  return detail::Failure(std::move(error));
}
/// Wraps a copy of an error for return.
[[nodiscard]] inline detail::Failure fail(const Error& error) { return detail::Failure(error); }
/// Makes an error as Error::make() does and wraps it: `return fail(Errc::empty, step, name)`.
[[nodiscard]] [[gnu::cold, gnu::noinline]] inline detail::Failure fail(
    Errc kind, const char* step, std::string_view object, std::string_view detail = {}) {
  return fail(Error::make(kind, step, object, detail));
}
/// Makes an error whose detail has several pieces, and wraps it.
[[nodiscard]] [[gnu::cold, gnu::noinline]] inline detail::Failure fail(
    Errc kind, const char* step, std::string_view object,
    std::initializer_list<detail::TextPiece> detail) {
  return fail(Error::make(kind, step, object, detail));
}

namespace detail {
/// The error of a Result that a function returns as its own: moved once, not through a Failure.
/// Refers to the error, so it is for return statements only.
class PassedError {
 public:
  explicit PassedError(Error&& error) noexcept : error_(error) {}
  template <class T>
  operator Result<T>() const {
    return Result<T>(unexpect, std::move(error_));
  }

 private:
  Error& error_;
};
}  // namespace detail

}}  // namespace qnnpp::QNNPP_NAMESPACE

/// Evaluates a Result. If it has an error, returns this error from the function.
#define QNNPP_TRY(...)                                                     \
  do {                                                                     \
    if (auto qnnpp_tried = (__VA_ARGS__); !qnnpp_tried)                    \
      return ::qnnpp::detail::PassedError(std::move(qnnpp_tried).error()); \
  } while (false)
/// Declares `name`, a Result that has a value. If it has an error, returns this error from the
/// function.
#define QNNPP_LET(name, ...) \
  auto name = (__VA_ARGS__); \
  if (!name) return ::qnnpp::detail::PassedError(std::move(name).error())

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Returns whether `native`, the value that a QNN function returned, means success. The error code
/// is in the low 16 bits (LOAD-06).
[[nodiscard]] constexpr bool is_success(std::uint64_t native) noexcept {
  return (native & 0xFFFFu) == 0;
}

/// Converts `native`, the value that the QNN function `step` returned, to success or an Error about
/// `object` (LOAD-06).
[[nodiscard]] [[gnu::noinline]] inline Result<void> check(std::uint64_t native, const char* step,
                                                          const std::string& object) {
  if (is_success(native)) return {};
  return fail(Error::from_qnn(native, step, object));
}

namespace detail {
/// Checks that `path` contains no NUL: the system would end the path there. Error:
/// `invalid_argument`.
[[nodiscard]] inline Result<void> check_path(const std::string& path, const char* step) {
  if (path.find('\0') == std::string::npos) return {};
  return fail(Errc::invalid_argument, step, path, "the path holds a NUL; remove it");
}
}  // namespace detail

}}  // namespace qnnpp::QNNPP_NAMESPACE
