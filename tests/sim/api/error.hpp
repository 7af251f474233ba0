// Texts of error codes: errorGetMessage, and errorGetVerboseMessage, which has none.
#pragma once

#include <cstdint>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/core/error_hints.hpp"

#include "sim/api/call.hpp"

namespace qnnpp::sim {

/// Returns qnnpp's name of a code, or NULL for an unknown code. The text is static.
[[nodiscard]] inline const char* error_text(std::uint32_t code) noexcept {
  if (code == 0) return "SUCCESS";
  const char* const name = error_hint(static_cast<std::uint16_t>(code)).name;
  return name[0] == '\0' ? nullptr : name;
}

namespace api {

inline c_api::ErrorHandle error_get_message(c_api::ErrorHandle error, const char** message) {
  Call call{Slot::error_get_message};
  if (const auto code = call.gate()) return call.fail(code);
  if (message == nullptr) return call.fail(c_api::ErrorError::invalid_argument, "message is NULL");
  *message = error_text(static_cast<std::uint32_t>(error & 0xFFFF));
  const auto words = static_cast<ErrorText>(call.dev().unconfirmed(Unconfirmed::error_text));
  if (words == ErrorText::none) *message = nullptr;
  if (*message == nullptr)
    return call.fail(c_api::ErrorError::invalid_error_handle, "unknown error code");
  if (words == ErrorText::other_words) *message = "an error of the simulated HTP";
  return call.ok();
}

/// Fails: there are no verbose messages, as capability 1002 reports.
inline c_api::ErrorHandle error_get_verbose_message(c_api::ErrorHandle, const char**) {
  Call call{Slot::error_get_verbose_message};
  if (const auto code = call.gate()) return call.fail(code);
  return call.fail(c_api::CommonError::not_supported, "this library has no verbose messages");
}

inline c_api::ErrorHandle error_free_verbose_message(const char*) {
  Call call{Slot::error_free_verbose_message};
  return call.fail(c_api::CommonError::not_supported, "this library has no verbose messages");
}

}  // namespace api
}  // namespace qnnpp::sim
