// Acceleration: whether QNN initialized a context on all hardware threads.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Whether QNN initialized a context's graphs on all hardware threads (init_acceleration).
enum class Acceleration : std::uint8_t {
  not_requested,  ///< The options do not ask for it.
  effective,      ///< Requested, and the binary is of the library's version.
  /// Requested without a patch for a binary of another version: QNN initializes as without the
  /// option. Newer libraries do not even log it.
  other_version,
  patched,  ///< Requested with a patch for a binary of another version; the first load is slower.
  unknown,  ///< Requested; the metadata does not state the binary's version.
};

/// Returns the name of the enumerator, such as "other_version".
[[nodiscard]] constexpr const char* name_of(Acceleration acceleration) noexcept {
  switch (acceleration) {
    case Acceleration::not_requested: return "not_requested";
    case Acceleration::effective: return "effective";
    case Acceleration::other_version: return "other_version";
    case Acceleration::patched: return "patched";
    case Acceleration::unknown: return "unknown";
  }
  return "?";
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
