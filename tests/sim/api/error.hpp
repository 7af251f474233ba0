// Texts of error codes: errorGetMessage, and errorGetVerboseMessage, which has none.
#pragma once

#include <cstdint>

#include "qnnpp/abi/interface.hpp"

#include "sim/api/call.hpp"
#include "sim/tables/error_names.hpp"

namespace qnnpp::sim::api {

inline c_api::ErrorHandle error_get_message(c_api::ErrorHandle error, const char** message) {
  Call call{Slot::error_get_message};
  if (const auto code = call.gate()) return call.fail(code);
  if (message == nullptr) return call.fail(c_api::ErrorError::invalid_argument, "message is NULL");
  *message = error_name(static_cast<std::uint16_t>(error));
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

}  // namespace qnnpp::sim::api
