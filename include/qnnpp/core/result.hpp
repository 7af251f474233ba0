// Result<T>: a value or an Error. std::expected where the standard library has it, else
// tl::expected.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <version>

#include "qnnpp/core/error.hpp"
#include "qnnpp/core/result_fwd.hpp"

#if QNNPP_HAS_STD_EXPECTED
#include <expected>
namespace qnnpp::inline QNNPP_NAMESPACE {
/// Makes a Result of an Error in place: `Result<void>(unexpect, std::move(error))`.
using std::unexpect;
/// Wraps an error for return: `return fail(Error::make(...))`.
[[nodiscard]] inline std::unexpected<Error> fail(Error error) {
  return std::unexpected<Error>(std::move(error));
}
}  // namespace qnnpp::inline QNNPP_NAMESPACE
#else
#include <tl/expected.hpp>
namespace qnnpp::inline QNNPP_NAMESPACE {
/// Makes a Result of an Error in place: `Result<void>(unexpect, std::move(error))`.
using tl::unexpect;
/// Wraps an error for return: `return fail(Error::make(...))`.
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}
}  // namespace qnnpp::inline QNNPP_NAMESPACE
#endif

namespace qnnpp::inline QNNPP_NAMESPACE {

namespace detail {
/// T, told only where a template that has the parameter `Of` is used.
template <class T, class Of>
struct Late {
  using type = T;
};
}  // namespace detail

/// Result<T> of a template that has the parameter `Of`. A Result of what is known beforehand would
/// be completed wherever the template is read, used or not, at the cost of a small header.
template <class T, class Of>
using LateResult = Result<typename detail::Late<T, Of>::type>;

/// What went well, where every instruction counts: of {}, tl::expected fills all bytes with zeros.
[[nodiscard]] QNNPP_ALWAYS_INLINE inline Result<void> success() noexcept {
  Result<void> done;
  return done;
}

/// Whether a QNN function says so by what it returned: its code is in the low 16 bits (LOAD-06).
[[nodiscard]] constexpr bool is_success(std::uint64_t native) noexcept {
  return (native & 0xFFFFu) == 0;
}

/// Success, or the error that `native` (as a QNN function returned it) stands for (LOAD-06).
[[nodiscard]] Result<void> check(std::uint64_t native, const char* step, const std::string& object);

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/result.ipp"
#endif
