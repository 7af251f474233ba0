// Start of the host library, and its failures on an incomplete platform: the code and the log lines
// of each StartFailure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/log.hpp"
#include "qnnpp/sim/control.hpp"

#include "sim/tables/text.hpp"

namespace qnnpp::sim {

/// True for a call that starts the library unless it has started before.
[[nodiscard]] constexpr bool starts_library(Slot slot) noexcept {
  switch (slot) {
    case Slot::property_has_capability:
    case Slot::log_create:
    case Slot::log_set_log_level:
    case Slot::backend_create:
    case Slot::device_get_platform_info:
    case Slot::device_create: return true;
    default: return false;
  }
}

/// True for a call that creates a context. It opens a device if the client passes none.
[[nodiscard]] constexpr bool makes_context(Slot slot) noexcept {
  switch (slot) {
    case Slot::context_create:
    case Slot::context_create_from_binary:
    case Slot::context_create_from_binary_with_signal:
    case Slot::context_create_from_binary_list_async:
    case Slot::context_create_from_binary_with_callback:
    case Slot::context_validate_binary: return true;
    default: return false;
  }
}

/// Names of StartFailure, in its order.
inline constexpr std::string_view start_failure_names[] = {
    "none", "no_stub", "no_skel", "no_fastrpc", "unknown_soc", "other_sdk", "other_stub"};

/// Returns the number of this name, as in QNNPP_SIM_START_FAILURE and QNNPP_SIM_HOST_LIBRARY. The
/// text may be the number itself; any other text gives the number after the last one.
[[nodiscard]] inline std::uint32_t number_of(std::string_view text,
                                             std::span<const std::string_view> names) noexcept {
  std::uint32_t number = 0;
  for (const std::string_view name : names) {
    if (text == name || (text.size() == 1 && text[0] == static_cast<char>('0' + number))) break;
    ++number;
  }
  return number;
}

/// Reason why the library or the DSP does not start; code 0 if it starts.
struct StartRefusal {
  std::uint32_t code = 0;
  std::vector<std::pair<c_api::LogLevel, std::string>> lines;
};

namespace detail {

/// The library does not know the chip: no call starts it.
inline StartRefusal refuse_chip(Slot slot) {
  using enum c_api::LogLevel;
  StartRefusal refusal;
  if (starts_library(slot)) {
    refusal.lines.emplace_back(error, "no supported SoC was detected");
    refusal.lines.emplace_back(error, "the provider did not start");
  } else {
    refusal.lines.emplace_back(error, "the provider has not started");
  }
  switch (slot) {
    case Slot::log_create:
    case Slot::backend_create:
      refusal.code = code_of(c_api::BackendError::cannot_initialize);
      break;
    case Slot::property_has_capability:
      refusal.code = code_of(c_api::PropertyError::unknown_key);
      break;
    default: refusal.code = code_of(c_api::CommonError::general); break;
  }
  return refusal;
}

/// The library starts, the DSP does not. The lines resemble the host library's lines; a warning
/// names the missing file.
inline StartRefusal refuse_device(Slot slot, StartFailure failure, std::uint32_t arch) {
  using enum c_api::LogLevel;
  StartRefusal refusal{code_of(c_api::DeviceError::invalid_config), {}};
  std::uint32_t cause = code_of(c_api::BackendError::cannot_initialize);
  const auto add = [&refusal](c_api::LogLevel level, std::string line) {
    refusal.lines.emplace_back(level, std::move(line));
  };
  const auto no_file = [&add](const std::string& file) {
    add(warn, text("Failed in loading stub: %s: cannot open shared object file: No such file or "
                   "directory",
                   file.c_str()));
  };
  switch (failure) {
    case StartFailure::no_stub: no_file(text("libQnnHtpV%uStub.so", arch)); break;
    case StartFailure::no_fastrpc: no_file("libcdsprpc.so"); break;
    case StartFailure::no_skel:
      cause = code_of(c_api::CommonError::mem_alloc);
      add(error, "the session with the DSP was not opened, 0x80000406");
      add(error, "the DSP was unable to load a library, 0x80000406");
      break;
    default:
      refusal.code = cause = code_of(c_api::CommonError::incompatible_binaries);
      add(error,
          text("the id of the %s library does not match: expected (qnnpp-sim), detected (v1.2.3)",
               failure == StartFailure::other_stub ? "stub" : "skel"));
      break;
  }
  if (failure == StartFailure::no_stub || failure == StartFailure::no_fastrpc ||
      failure == StartFailure::other_stub)
    add(error, text("the remote functions cannot be loaded, error: %u", cause));
  add(error, text("Failed to load skel, error: %u", cause));
  add(error, text("the transport to the DSP was not set up, error: %u", refusal.code));
  if (makes_context(slot)) add(error, "no device can be made for the context");
  return refusal;
}

}  // namespace detail

/// Returns the refusal of `slot` before the call reads its arguments. `started`: a call has started
/// the library. `has_device`: a device is alive.
[[nodiscard]] inline StartRefusal refusal_at_start(Slot slot, const Config& config, bool started,
                                                   bool has_device) {
  const bool needs_library = starts_library(slot) || makes_context(slot) ||
                             slot == Slot::device_get_infrastructure || slot == Slot::signal_create;
  if (!needs_library) return {};
  const auto failure = static_cast<StartFailure>(config.start_failure);
  if (failure == StartFailure::unknown_soc || (!started && !starts_library(slot)))
    return detail::refuse_chip(slot);
  const bool opens_device = slot == Slot::device_create || (makes_context(slot) && !has_device);
  if (failure == StartFailure::none || !opens_device) return {};
  return detail::refuse_device(slot, failure, config.arch);
}

}  // namespace qnnpp::sim
