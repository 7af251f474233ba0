// The resident set of this process, as the kernel counts it.
#pragma once

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>

namespace bench {

/// Returns the value of a line of /proc/self/status in bytes, such as VmRSS.
[[nodiscard]] inline std::uint64_t status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key + ":")) return std::stoull(line.substr(key.size() + 1)) * 1024;
  throw std::runtime_error("/proc/self/status lacks " + key);
}

}  // namespace bench
