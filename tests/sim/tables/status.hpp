// The result of a step of the simulated HTP: a code of the C API and, on failure, a sentence for
// the log. Nothing in the simulation throws.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "qnnpp/abi/error.hpp"

namespace qnnpp::sim {

/// 0 is success; else the low 16 bits of what the C function returns, with the reason in words.
/// The reason is empty on success. The caller writes it to the backend's log.
struct [[nodiscard]] Status {
  std::uint32_t code = 0;
  std::string reason;
  /// The rule of docs/rules.md that the client broke, such as "ORD-12"; NULL for an ordinary
  /// failure. Static.
  const char* rule = nullptr;
  /// The host library crashes here, or never returns.
  bool crashes = false;

  bool ok() const noexcept { return code == 0; }
};

/// The successful Status.
inline Status success() { return {}; }

/// A failed Status from any of the C API's error enums.
template <typename Code>
inline Status failure(Code code, std::string reason) {
  return {static_cast<std::uint32_t>(code), std::move(reason)};
}

/// A failed Status for what a client must never do: it is counted by its rule, too.
template <typename Code>
inline Status misused(Code code, const char* rule, std::string reason) {
  return {static_cast<std::uint32_t>(code), std::move(reason), rule};
}

/// The same where the host library crashes or never returns: an error, or abort() if
/// Config::crash asks for it.
template <typename Code>
inline Status crashing(Code code, const char* rule, std::string reason) {
  return {static_cast<std::uint32_t>(code), std::move(reason), rule, true};
}

}  // namespace qnnpp::sim
