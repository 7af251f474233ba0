// The clock of measured times.
#pragma once

#include "qnnpp/config.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Returns the time of std::chrono::steady_clock in nanoseconds.
[[nodiscard]] inline std::uint64_t now_ns() noexcept {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

inline constexpr std::uint64_t ns_per_us = 1'000;

/// Returns a time in nanoseconds as text in microseconds, such as "812.045".
[[nodiscard]] inline std::string us_text(std::uint64_t ns) {
  const std::string fraction = std::to_string(ns_per_us + ns % ns_per_us);
  return std::to_string(ns / ns_per_us) + '.' + fraction.substr(1);
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
