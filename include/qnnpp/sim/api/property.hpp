// Capabilities: what propertyHasCapability answers for each key of abi/property.hpp.
#pragma once

#include <cstdint>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/property.hpp"
#include "qnnpp/sim/api/call.hpp"

namespace qnnpp::sim {

/// What the device says about a capability.
enum class Capability : std::uint8_t { unknown, no, yes };

[[nodiscard]] inline Capability capability(std::uint32_t key, const Config& config) noexcept {
  const auto known = [](bool supported) { return supported ? Capability::yes : Capability::no; };
  switch (key) {
    case 217: return known(config.deferred_init != 0);  // DEFER_GRAPH_INIT
    case 221: return known(false);                      // GRAPH_RETENTION_ORDER
    case 304: return known(false);                      // asynchronous execution
    default: return Capability::unknown;
  }
}

namespace api {

/// 0 supported, 1000 not supported, 2000 unknown key. Callable at any time. Not an error, so not counted as one.
inline abi::ErrorHandle property_has_capability(abi::PropertyKey key) {
  Call call{Slot::property_has_capability};
  if (const auto code = call.gate()) return call.fail(code);
  switch (capability(static_cast<std::uint32_t>(key), call.dev().config)) {
    case Capability::yes: return 0;
    case Capability::no: return static_cast<abi::ErrorHandle>(abi::PropertyError::not_supported);
    case Capability::unknown: break;
  }
  return static_cast<abi::ErrorHandle>(abi::PropertyError::unknown_key);
}

}  // namespace api
}  // namespace qnnpp::sim
