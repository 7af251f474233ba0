// A profile: the events of the last call that used it, with measured times.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "qnnpp/abi/profile.hpp"

namespace qnnpp::sim {

/// Returns the microseconds since a fixed time.
[[nodiscard]] inline std::uint64_t now_us() noexcept {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

/// One measured event of a call.
struct ProfileEvent {
  std::uint32_t type;
  std::uint32_t unit;
  std::uint64_t value;
  std::uint64_t timestamp;
  std::string identifier;
  std::vector<std::uint64_t> sub_events;
};

/// Events and their numbers. Not thread-safe: the device's mutex guards them.
struct Profile {
  std::uint64_t backend = 0;
  std::uint64_t serial = 0;
  std::uint32_t level = c_api::profile_level::basic;
  bool in_use = false;            ///< a call is filling it
  std::uint64_t bound_graph = 0;  ///< collects continuously for this graph
  std::deque<ProfileEvent> events;
  std::vector<std::uint64_t> top_level;

  [[nodiscard]] bool detailed() const noexcept { return level == c_api::profile_level::detailed; }

  void reset() {
    events.clear();
    top_level.clear();
  }

  /// Returns the number of an event, made of the profile and the index. Never 0.
  [[nodiscard]] std::uint64_t id_at(std::size_t index) const noexcept {
    return (std::uint64_t{0xE7} << 56) | (serial << 24) | (index + 1);
  }

  /// Adds an event below `parent` (an index into events), or at the top level if no such event
  /// exists.
  std::size_t add(std::uint32_t type, std::uint32_t unit, std::uint64_t value,
                  std::string identifier, std::size_t parent = static_cast<std::size_t>(-1)) {
    events.push_back({type, unit, value, now_us(), std::move(identifier), {}});
    const std::uint64_t id = id_at(events.size() - 1);
    if (parent < events.size() - 1) {
      events[parent].sub_events.push_back(id);
    } else {
      top_level.push_back(id);
    }
    return events.size() - 1;
  }
};

}  // namespace qnnpp::sim
