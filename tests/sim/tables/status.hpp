// Result of a step of the simulated HTP: a code of the C API, and after a failure a sentence for
// the log. The simulation throws no exceptions.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "qnnpp/abi/error.hpp"

namespace qnnpp::sim {

/// Low 16 bits of the C function's return value, 0 for success. After a failure it has a reason,
/// which the caller logs.
struct [[nodiscard]] Status {
  std::uint32_t code = 0;
  std::string reason;
  /// Rule of docs/rules.md that the client broke, such as "ORD-12"; NULL for an ordinary failure.
  /// Static text.
  const char* rule = nullptr;
  /// True if the host library crashes or hangs here.
  bool crashes = false;
  /// Not empty if the simulated HTP lacks what a device may have, such as an op: its name. `reason`
  /// then says so.
  std::string lacks = {};

  bool ok() const noexcept { return code == 0; }
};

/// Returns a successful Status.
inline Status success() { return {}; }

/// Returns a failed Status with a code from any error enum of the C API.
template <typename Code>
inline Status failure(Code code, std::string reason) {
  return {static_cast<std::uint32_t>(code), std::move(reason)};
}

/// Returns a failed Status for something that the simulated HTP lacks.
template <typename Code>
inline Status lacking(Code code, std::string what, std::string reason) {
  Status status = failure(code, std::move(reason));
  status.lacks = std::move(what);
  return status;
}

/// Returns a failed Status for a misuse, which is counted by its rule.
template <typename Code>
inline Status misused(Code code, const char* rule, std::string reason) {
  return {static_cast<std::uint32_t>(code), std::move(reason), rule};
}

/// Returns the same for a misuse that makes the host library crash or hang: an error here, or
/// abort() with Config::crash.
template <typename Code>
inline Status crashing(Code code, const char* rule, std::string reason) {
  return {static_cast<std::uint32_t>(code), std::move(reason), rule, true};
}

}  // namespace qnnpp::sim
