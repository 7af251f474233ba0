// human_bytes: a number of bytes as people read it.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace qnnpp::inline QNNPP_NAMESPACE {

/// "12.3 MiB"; exact bytes below 1 KiB.
[[nodiscard]] inline std::string human_bytes(std::uint64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return std::to_string(bytes) + " B";
  // In integers, so that the locale has no say in it: the least unit whose tenths, rounded, are
  // less than 1024.0.
  std::size_t unit = 0;
  std::uint64_t tenths = 0;
  do {
    const std::uint64_t one = std::uint64_t{1} << (10 * ++unit);
    tenths = bytes / one * 10 + (bytes % one * 10 + one / 2) / one;
  } while (tenths >= 10240 && unit < 4);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " " + units[unit];
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
