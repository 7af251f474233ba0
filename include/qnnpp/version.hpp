// Version of qnnpp, the namespace that is named after it, and the QNN versions that it supports.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstdint>
#include <version>

// Version of qnnpp (semantic versioning): major * 10000 + minor * 100 + patch.
#define QNNPP_VERSION 100

// Library of Result: std if the standard library has std::expected, else tl.
#if defined(__cpp_lib_expected) && __cpp_lib_expected >= 202211L
#include <expected>
#define QNNPP_EXPECTED std
#else
#include <tl/expected.hpp>
#define QNNPP_EXPECTED tl
#endif

// Inline namespace that holds everything except c_api and sim. Its name contains whatever changes a
// layout or a definition: qnnpp's version, the library of Result, and the kind of the standard
// library if it is not libstdc++ with its defaults. So code compiled with another of them does not
// link, and shared objects with different ones have no symbol of this namespace in common.
// Write qnnpp:: and never this name. The other macros only paste it together.
#if defined(_LIBCPP_VERSION)
#define QNNPP_NAMESPACE_LIBRARY _libcpp
#elif defined(_GLIBCXX_DEBUG)
#define QNNPP_NAMESPACE_LIBRARY _debug
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define QNNPP_NAMESPACE_LIBRARY _shared_strings
#else
#define QNNPP_NAMESPACE_LIBRARY
#endif
#define QNNPP_NAMESPACE QNNPP_NAMESPACE_OF(QNNPP_VERSION, QNNPP_EXPECTED, QNNPP_NAMESPACE_LIBRARY)
#define QNNPP_NAMESPACE_OF(version, expected, library) \
  QNNPP_NAMESPACE_JOIN(version, expected, library)
#define QNNPP_NAMESPACE_JOIN(version, expected, library) v##version##_##expected##_expected##library

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Major version of qnnpp.
inline constexpr std::uint32_t version_major = QNNPP_VERSION / 100 / 100;
/// Minor version of qnnpp.
inline constexpr std::uint32_t version_minor = QNNPP_VERSION / 100 % 100;
/// Patch version of qnnpp.
inline constexpr std::uint32_t version_patch = QNNPP_VERSION % 100;

/// Major version of QNN's core API that a provider must have (LOAD-02).
inline constexpr std::uint32_t core_api_major = 2;
/// Oldest supported minor version of the core API, first in SDK 2.25 (LOAD-02). Since 2.18 the
/// function table has grown only at its end.
inline constexpr std::uint32_t core_api_oldest_minor = 18;

}}  // namespace qnnpp::QNNPP_NAMESPACE
