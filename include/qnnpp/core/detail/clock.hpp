// The clock of measured times.
#pragma once

#include "qnnpp/config.hpp"

#include <time.h>

#include <cstdint>

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Returns the time of the monotonic clock in nanoseconds, as std::chrono::steady_clock does. Saves
/// the include of <chrono>.
[[nodiscard]] inline std::uint64_t now_ns() noexcept {
  timespec now{};
  (void)::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
