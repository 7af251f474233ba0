// Version of the library, and the QNN versions it speaks.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstdint>

namespace qnnpp {

/// Version of qnnpp (semantic versioning).
inline constexpr std::uint32_t version_major = 0;
inline constexpr std::uint32_t version_minor = 1;
inline constexpr std::uint32_t version_patch = 0;

/// Core API of QNN: the major number a provider must have, and its lowest minor (SDK 2.25;
/// LOAD-02). From 2.18 on the function table only grew at its end.
inline constexpr std::uint32_t core_api_major = 2;
inline constexpr std::uint32_t core_api_oldest_minor = 18;

}  // namespace qnnpp
