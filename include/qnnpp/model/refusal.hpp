// is_refusal(): whether a way of sharing is not to be had, or failed on the way.
#pragma once

#include "qnnpp/core/error.hpp"

namespace qnnpp::model::detail {

/// Whether the backend lacks a way of sharing as such, so that another one is to be tried. Anything
/// else, such as no room (1002), a bad binary or a cancellation, is the caller's to know.
[[nodiscard]] inline bool is_refusal(const Error& error) noexcept {
  constexpr std::uint16_t not_supported = 1000, unsupported_platform = 1006,
                          unsupported_memory_type = 8005;
  switch (error.kind) {
    case Errc::capability_missing:
    case Errc::slot_missing:
    case Errc::slot_null:
    case Errc::no_metadata: return true;
    case Errc::qnn:
      return error.code == not_supported || error.code == unsupported_platform ||
             error.code == unsupported_memory_type;
    default: return false;
  }
}

}  // namespace qnnpp::model::detail
