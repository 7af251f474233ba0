// The QNNPP_SIM_* variables: their names, numbers in them, and the lines on stderr about a variable
// that does not exist or has a value that is not possible.
#pragma once

#include "qnnpp/platform.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace qnnpp::sim {

/// Every variable that the simulated HTP reads, without QNNPP_SIM_. The table of
/// docs/simulated-htp.md has the same names.
inline constexpr std::string_view variable_names[] = {"ENGINE",
                                                      "HOST_LIBRARY",
                                                      "VTCM_BYTES",
                                                      "START_ALIGNMENT_BYTES",
                                                      "PD_BUDGET_BYTES",
                                                      "PD_COUNT",
                                                      "ESTIMATE_PER_MILLE_X10",
                                                      "MAX_CONTEXTS",
                                                      "MAX_MAPPINGS",
                                                      "MAX_MAPPED_BYTES",
                                                      "ARCH",
                                                      "SOC_MODEL",
                                                      "EXTERNAL_BUFFERS",
                                                      "DEFERRED_INIT",
                                                      "NODE_DELAY_US",
                                                      "LOCKSTEP_EXECUTIONS",
                                                      "LOCKSTEP_TIMEOUT_MS",
                                                      "ERROR_HIGH_BITS",
                                                      "MAX_IO_COPY_BYTES",
                                                      "DMA_BUF",
                                                      "RECYCLED_HANDLES",
                                                      "LINUX_WEIGHTS",
                                                      "FAILING_DOMAINS",
                                                      "SHARED_RESOURCES",
                                                      "DYNAMIC_DIMENSIONS",
                                                      "POWER_OPTIONS",
                                                      "SECURE_DOMAINS",
                                                      "SEE_SYNCS",
                                                      "LOAD_DELAY_US",
                                                      "DSP_ABORTS",
                                                      "GRAPH_BLOB_BYTES",
                                                      "UNDEFINED_LOADS",
                                                      "START_FAILURE",
                                                      "SEED",
                                                      "LOG",
                                                      "REPORT",
                                                      "COUNTS",
                                                      "STRICT",
                                                      "STRICT_CALLS",
                                                      "FAULT",
                                                      "CRASH"};
inline constexpr std::string_view variable_prefix = "QNNPP_SIM_";

/// Returns the value of a variable; empty if it is unset or empty, which is the same.
[[nodiscard]] inline std::string_view variable(const char* name) noexcept {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Returns the number that a whole text is, decimal, hexadecimal (0x) or octal (0); nullopt for any
/// other text.
[[nodiscard]] inline std::optional<std::uint64_t> number_in(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) == 0) return std::nullopt;
  const std::string whole{text};
  char* end = nullptr;
  errno = 0;
  const unsigned long long number = std::strtoull(whole.c_str(), &end, 0);
  if (*end != '\0' || errno == ERANGE) return std::nullopt;
  return number;
}

/// Prints what is wrong with the value of a variable: "is no number, ignored".
inline void report_value(const char* name, std::string_view value, const char* what) {
  std::fprintf(stderr, "simulated HTP: %s: '%.*s' %s; docs/simulated-htp.md has its values\n", name,
               static_cast<int>(value.size()), value.data(), what);
}

/// Reads a number up to `most` from a variable. Prints one line for any other value, and returns
/// nullopt, as for a variable that is unset.
[[nodiscard]] inline std::optional<std::uint64_t> read_variable(const char* name,
                                                                std::uint64_t most) {
  const std::string_view value = variable(name);
  if (value.empty()) return std::nullopt;
  const std::optional<std::uint64_t> number = number_in(value);
  if (number && *number <= most) return number;
  report_value(name, value, number ? "is too large, ignored" : "is no number, ignored");
  return std::nullopt;
}

/// Returns the number of letters to insert, delete or replace to make one word of the other.
[[nodiscard]] inline std::size_t distance(std::string_view one, std::string_view other) noexcept {
  constexpr std::size_t most = 64;
  if (other.size() >= most) return most;
  std::array<std::size_t, most> row{};
  for (std::size_t i = 0; i <= other.size(); ++i) row[i] = i;
  for (std::size_t j = 1; j <= one.size(); ++j) {
    std::size_t diagonal = std::exchange(row[0], j);
    for (std::size_t i = 1; i <= other.size(); ++i) {
      const std::size_t replaced = diagonal + (one[j - 1] == other[i - 1] ? 0u : 1u);
      diagonal = std::exchange(row[i], std::min({replaced, row[i] + 1, row[i - 1] + 1}));
    }
  }
  return row[other.size()];
}

/// Prints one line for each variable of the environment that begins as those of the simulated HTP
/// and is none: a typo would otherwise test the default device.
inline void report_unknown_variables() {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    std::string_view name = *entry;
    name = name.substr(0, name.find('='));
    if (!name.starts_with(variable_prefix)) continue;
    const std::string_view rest = name.substr(variable_prefix.size());
    if (std::find(std::begin(variable_names), std::end(variable_names), rest) !=
        std::end(variable_names))
      continue;
    const std::string_view nearest =
        *std::min_element(std::begin(variable_names), std::end(variable_names),
                          [rest](std::string_view one, std::string_view other) {
                            return distance(rest, one) < distance(rest, other);
                          });
    const std::string meant = distance(rest, nearest) > 3
                                  ? std::string{"docs/simulated-htp.md has their names"}
                                  : "QNNPP_SIM_" + std::string{nearest} + " exists";
    std::fprintf(stderr, "simulated HTP: %.*s: no such variable, ignored; %s\n",
                 static_cast<int>(name.size()), name.data(), meant.c_str());
  }
}

}  // namespace qnnpp::sim
