// Loggers of the C API.
#pragma once

#include <cstdint>
#include <memory>

#include "qnnpp/abi/interface.hpp"

#include "sim/api/call.hpp"
#include "sim/objects/logger.hpp"

namespace qnnpp::sim::api {

namespace internal {
/// True for a known level. Level 0 suppresses every line.
inline bool is_level(c_api::LogLevel level) noexcept {
  return static_cast<std::uint32_t>(level) <= static_cast<std::uint32_t>(c_api::LogLevel::debug);
}

/// Returns the code for a handle without a logger: one code for NULL, another for all others.
inline c_api::LogError no_logger(std::uint64_t id) noexcept {
  return id == 0 ? c_api::LogError::invalid_handle : c_api::LogError::invalid_argument;
}
}  // namespace internal

inline c_api::ErrorHandle log_create(c_api::LogCallback callback, c_api::LogLevel level,
                                     c_api::LogHandle* logger) {
  Call call{Slot::log_create};
  if (const auto code = call.gate()) {
    // The host library keeps the callback although the call fails.
    if (!call.injected())
      call.dev().early_logger = std::make_shared<Logger>(Logger{callback, level});
    return call.fail(code);
  }
  if (logger == nullptr) return call.fail(c_api::LogError::invalid_handle, "logger is NULL");
  if (!internal::is_level(level))
    return call.fail(c_api::LogError::invalid_argument,
                     text("no such log level: %u", static_cast<unsigned>(level)));
  const auto made = std::make_shared<Logger>(Logger{callback, level});
  if (call.dev().first_logger == nullptr) call.dev().first_logger = made;
  const std::uint64_t id = call.dev().logs.insert(made);
  *logger = handle_of<c_api::LogHandle>(id);
  call.about_logger(id);
  call.log(c_api::LogLevel::info, "log started");
  return call.ok();
}

inline c_api::ErrorHandle log_set_log_level(c_api::LogHandle logger, c_api::LogLevel level) {
  Call call{Slot::log_set_log_level};
  if (const auto code = call.gate()) return call.fail(code);
  const auto found = call.dev().logs.find(logger);
  if (found == nullptr)
    return call.fail(unknown(call, call.dev().logs, logger, internal::no_logger(id_of(logger))));
  if (!internal::is_level(level))
    return call.fail(c_api::LogError::invalid_argument,
                     text("no such log level: %u", static_cast<unsigned>(level)));
  found->level = level;
  return call.ok();
}

/// Frees a logger; backends and devices do not own loggers. Counts a misuse if one of them still
/// writes to it. Before the library has started, every handle succeeds.
inline c_api::ErrorHandle log_free(c_api::LogHandle logger) {
  Call call{Slot::log_free};
  Device& d = call.dev();
  const std::uint64_t id = id_of(logger);
  if (d.logs.find(id) == nullptr) {
    if (d.started)
      return call.fail(unknown(call, call.dev().logs, logger, internal::no_logger(id)));
    if (id != 0) call.misuse("ORD-09", "no call has returned this handle; the library returns 0");
    return call.ok();
  }
  bool used = false;
  for (const auto& [handle, backend] : d.backends.all()) used = used || backend->logger == id;
  for (const auto& [handle, state] : d.devices.all()) used = used || state->logger == id;
  if (used)
    call.misuse("ORD-08", "the logger is freed before the backend or device that writes to it");
  d.logs.erase(id);
  return call.freed(id);
}

}  // namespace qnnpp::sim::api
