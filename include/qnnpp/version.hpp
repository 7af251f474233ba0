// Version of the library, and the QNN versions it speaks.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstdint>

// Version of qnnpp (semantic versioning).
#define QNNPP_VERSION_MAJOR 0
#define QNNPP_VERSION_MINOR 1
#define QNNPP_VERSION_PATCH 0

namespace qnnpp {

/// The same for code.
inline constexpr std::uint32_t version_major = QNNPP_VERSION_MAJOR;
inline constexpr std::uint32_t version_minor = QNNPP_VERSION_MINOR;
inline constexpr std::uint32_t version_patch = QNNPP_VERSION_PATCH;

/// Core API of QNN: the major number a provider must have, and its lowest minor (SDK 2.25;
/// LOAD-02). From 2.18 on the function table only grew at its end.
inline constexpr std::uint32_t core_api_major = 2;
inline constexpr std::uint32_t core_api_oldest_minor = 18;

}  // namespace qnnpp
