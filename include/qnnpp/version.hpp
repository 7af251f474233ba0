// Version of qnnpp, the namespace that is named after it, and the QNN versions that it supports.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstdint>
#include <version>

// Version of qnnpp (semantic versioning).
#define QNNPP_VERSION_MAJOR 0
#define QNNPP_VERSION_MINOR 1
#define QNNPP_VERSION_PATCH 0

// Inline namespace that holds everything except c_api and sim. Its name contains qnnpp's version
// and the kind of Result, so that code compiled with another version or another kind does not link.
// Write qnnpp:: and never this name.
#if defined(__cpp_lib_expected) && __cpp_lib_expected >= 202211L
#define QNNPP_HAS_STD_EXPECTED 1
#define QNNPP_NAMESPACE QNNPP_NAMESPACE_OF(QNNPP_VERSION_MAJOR, QNNPP_VERSION_MINOR, std_expected)
#else
#define QNNPP_HAS_STD_EXPECTED 0
#define QNNPP_NAMESPACE QNNPP_NAMESPACE_OF(QNNPP_VERSION_MAJOR, QNNPP_VERSION_MINOR, tl_expected)
#endif
#define QNNPP_NAMESPACE_OF(major, minor, kind) QNNPP_NAMESPACE_JOIN(major, minor, kind)
#define QNNPP_NAMESPACE_JOIN(major, minor, kind) v##major##_##minor##_##kind

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

inline constexpr std::uint32_t version_major = QNNPP_VERSION_MAJOR;  ///< Major version of qnnpp.
inline constexpr std::uint32_t version_minor = QNNPP_VERSION_MINOR;  ///< Minor version of qnnpp.
inline constexpr std::uint32_t version_patch = QNNPP_VERSION_PATCH;  ///< Patch version of qnnpp.

/// Major version of QNN's core API that a provider must have (LOAD-02).
inline constexpr std::uint32_t core_api_major = 2;
/// Oldest supported minor version of the core API, first in SDK 2.25 (LOAD-02). Since 2.18 the
/// function table has grown only at its end.
inline constexpr std::uint32_t core_api_oldest_minor = 18;

}}  // namespace qnnpp::QNNPP_NAMESPACE
