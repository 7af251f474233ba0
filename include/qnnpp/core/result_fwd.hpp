// Result<T>, declared: enough for functions that return one. To look into one, include result.hpp.
#pragma once

#include "qnnpp/config.hpp"

#if QNNPP_HAS_STD_EXPECTED
#include <expected>
namespace qnnpp::inline QNNPP_NAMESPACE {
struct Error;
/// Outcome of every fallible call. Test it before use; nothing throws.
template <class T>
using Result = std::expected<T, Error>;
}  // namespace qnnpp::inline QNNPP_NAMESPACE
#else
namespace tl {
template <class T, class E>
class expected;
}  // namespace tl
namespace qnnpp::inline QNNPP_NAMESPACE {
struct Error;
/// Outcome of every fallible call. Test it before use; nothing throws.
template <class T>
using Result = tl::expected<T, Error>;
}  // namespace qnnpp::inline QNNPP_NAMESPACE
#endif
