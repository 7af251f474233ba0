// Loggers of the C API.
#pragma once

#include <cstdint>
#include <memory>

#include "qnnpp/abi/interface.hpp"
#include "sim/api/call.hpp"
#include "sim/objects/logger.hpp"

namespace qnnpp::sim::api {

namespace internal {
inline bool is_level(c_api::LogLevel level) noexcept {
  const auto number = static_cast<std::uint32_t>(level);
  return (number >= 1 && number <= 5) || level == c_api::LogLevel::max;
}
}  // namespace internal

inline c_api::ErrorHandle log_create(c_api::LogCallback callback, c_api::LogLevel level,
                                     c_api::LogHandle* logger) {
  Call call{Slot::log_create};
  if (const auto code = call.gate()) return call.fail(code);
  if (logger == nullptr || !internal::is_level(level))
    return call.fail(c_api::LogError::invalid_argument, "logger is NULL, or the level is none");
  const std::uint64_t id =
      call.dev().logs.insert(std::make_shared<Logger>(Logger{callback, level}));
  *logger = handle_of<c_api::LogHandle>(id);
  call.about_logger(id);
  call.log(c_api::LogLevel::info, "simulated HTP: log started");
  return call.ok();
}

inline c_api::ErrorHandle log_set_log_level(c_api::LogHandle logger, c_api::LogLevel level) {
  Call call{Slot::log_set_log_level};
  if (const auto code = call.gate()) return call.fail(code);
  const auto found = call.dev().logs.find(logger);
  if (found == nullptr) return call.fail(c_api::LogError::invalid_handle, "unknown logger handle");
  if (!internal::is_level(level))
    return call.fail(c_api::LogError::invalid_argument, "the level is none");
  found->level = level;
  return call.ok();
}

/// Loggers belong to no backend; one that a backend or device still writes to is freed with a
/// complaint.
inline c_api::ErrorHandle log_free(c_api::LogHandle logger) {
  Call call{Slot::log_free};
  Device& d = call.dev();
  const std::uint64_t id = id_of(logger);
  if (d.logs.find(id) == nullptr)
    return call.fail(c_api::LogError::invalid_handle, "unknown logger handle");
  bool used = false;
  for (const auto& [handle, backend] : d.backends.all()) used = used || backend->logger == id;
  for (const auto& [handle, state] : d.devices.all()) used = used || state->logger == id;
  if (used)
    call.misuse("ORD-08", "the logger is freed before the backend or device that writes to it");
  d.logs.erase(id);
  return call.ok();
}

}  // namespace qnnpp::sim::api
