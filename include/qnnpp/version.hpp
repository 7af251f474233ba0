// Version of the library, the namespace that is named after it, and the QNN versions it speaks.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstdint>
#include <version>

// Version of qnnpp (semantic versioning).
#define QNNPP_VERSION_MAJOR 0
#define QNNPP_VERSION_MINOR 1
#define QNNPP_VERSION_PATCH 0

// An inline namespace, named after qnnpp's version and the kind of Result, holds everything except
// c_api and sim. Code that was compiled with another of either does not link. Write
// qnnpp:: and never this name.
#if defined(__cpp_lib_expected) && __cpp_lib_expected >= 202211L
#define QNNPP_HAS_STD_EXPECTED 1
#define QNNPP_NAMESPACE QNNPP_NAMESPACE_OF(QNNPP_VERSION_MAJOR, QNNPP_VERSION_MINOR, std_expected)
#else
#define QNNPP_HAS_STD_EXPECTED 0
#define QNNPP_NAMESPACE QNNPP_NAMESPACE_OF(QNNPP_VERSION_MAJOR, QNNPP_VERSION_MINOR, tl_expected)
#endif
#define QNNPP_NAMESPACE_OF(major, minor, kind) QNNPP_NAMESPACE_JOIN(major, minor, kind)
#define QNNPP_NAMESPACE_JOIN(major, minor, kind) v##major##_##minor##_##kind

namespace qnnpp::inline QNNPP_NAMESPACE {

/// The same for code.
inline constexpr std::uint32_t version_major = QNNPP_VERSION_MAJOR;
inline constexpr std::uint32_t version_minor = QNNPP_VERSION_MINOR;
inline constexpr std::uint32_t version_patch = QNNPP_VERSION_PATCH;

/// Core API of QNN: the major number a provider must have, and its lowest minor (SDK 2.25;
/// LOAD-02). From 2.18 on the function table only grew at its end.
inline constexpr std::uint32_t core_api_major = 2;
inline constexpr std::uint32_t core_api_oldest_minor = 18;

}  // namespace qnnpp::inline QNNPP_NAMESPACE
