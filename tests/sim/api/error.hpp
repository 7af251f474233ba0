// Texts of error codes: errorGetMessage, errorGetVerboseMessage and what frees the latter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/core/error_hints.hpp"
#include "sim/api/call.hpp"

namespace qnnpp::sim {

/// Text of a code, NULL for one that is none: qnnpp's name of it. Static.
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

inline c_api::ErrorHandle error_get_verbose_message(c_api::ErrorHandle error,
                                                    const char** message) {
  Call call{Slot::error_get_verbose_message};
  if (const auto code = call.gate()) return call.fail(code);
  if (message == nullptr) return call.fail(c_api::ErrorError::invalid_argument, "message is NULL");
  *message = nullptr;
  const auto number = static_cast<std::uint32_t>(error & 0xFFFF);
  const char* const brief = error_text(number);
  if (brief == nullptr)
    return call.fail(c_api::ErrorError::invalid_error_handle, "unknown error code");
  const std::string verbose = text("QNN error %u (0x%x): %s", number, number, brief);
  auto copy = std::make_unique<char[]>(verbose.size() + 1);
  std::memcpy(copy.get(), verbose.c_str(), verbose.size() + 1);
  *message = copy.get();
  call.dev().messages.emplace(copy.get(), std::move(copy));
  return call.ok();
}

inline c_api::ErrorHandle error_free_verbose_message(const char* message) {
  Call call{Slot::error_free_verbose_message};
  if (message == nullptr || call.dev().messages.erase(message) == 0)
    return call.fail(c_api::ErrorError::invalid_argument, "no such message is handed out");
  return call.ok();
}

}  // namespace api
}  // namespace qnnpp::sim
