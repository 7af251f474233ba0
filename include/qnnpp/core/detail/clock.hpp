// The clock of measured times.
#pragma once

#include "qnnpp/config.hpp"

#include <time.h>

#include <cstdint>
#include <string>

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Returns the time of the monotonic clock in nanoseconds, as std::chrono::steady_clock does. Saves
/// the include of <chrono>.
[[nodiscard]] inline std::uint64_t now_ns() noexcept {
  timespec now{};
  (void)::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

inline constexpr std::uint64_t ns_per_us = 1'000;

/// Returns a time in nanoseconds as text in microseconds, such as "812.045".
[[nodiscard]] inline std::string us_text(std::uint64_t ns) {
  const std::string fraction = std::to_string(ns_per_us + ns % ns_per_us);
  return std::to_string(ns / ns_per_us) + '.' + fraction.substr(1);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
