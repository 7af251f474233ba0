// Result<T>, declared: enough for functions that return one. To look into one, include result.hpp.
#pragma once

#include "qnnpp/platform.hpp"

#include <version>

#if defined(__cpp_lib_expected) && __cpp_lib_expected >= 202211L
#include <expected>
namespace qnnpp {
struct Error;
/// Outcome of every fallible call. Test it before use; nothing throws.
template <class T>
using Result = std::expected<T, Error>;
}  // namespace qnnpp
#else
namespace tl {
template <class T, class E>
class expected;
}  // namespace tl
namespace qnnpp {
struct Error;
/// Outcome of every fallible call. Test it before use; nothing throws.
template <class T>
using Result = tl::expected<T, Error>;
}  // namespace qnnpp
#endif
