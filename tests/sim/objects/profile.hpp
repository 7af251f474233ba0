// A profile: the events of the last call that used it, with measured times.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "qnnpp/abi/htp/profile.hpp"

namespace qnnpp::sim {

/// Returns the nanoseconds since a fixed time. The simulated device has one cycle a nanosecond.
[[nodiscard]] inline std::uint64_t now_ns() noexcept {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}
/// Returns the microseconds since the same time.
[[nodiscard]] inline std::uint64_t now_us() noexcept { return now_ns() / 1000; }

/// Unit and name of the host library's events of one type. Events of nodes have the node's name.
struct ProfileEventKind {
  c_api::ProfileEventType type;
  c_api::ProfileEventUnit unit;
  const char* name;
};

namespace detail {
namespace event = c_api::profile_event_type;
namespace htp_event = c_api::htp_profile_event_type;
namespace unit = c_api::profile_event_unit;
inline constexpr ProfileEventKind event_kinds[] = {
    {event::init, unit::microsec, "QNN (load binary) time"},
    {event::finalize, unit::microsec, "QNN (finalize) time"},
    {event::execute, unit::microsec, "QNN (execute) time"},
    {event::node, unit::cycles, "node"},
    {event::deinit, unit::microsec, "QNN (deinit) time"},
    {event::trace, unit::object, "Unknown event type"},
    {htp_event::context_load_bin_host_rpc_time_microsec, unit::microsec, "RPC (load binary) time"},
    {htp_event::context_load_bin_htp_rpc_time_microsec, unit::microsec,
     "QNN accelerator (load binary) time"},
    {htp_event::graph_execute_host_rpc_time_microsec, unit::microsec, "RPC (execute) time"},
    {htp_event::graph_execute_htp_rpc_time_microsec, unit::microsec,
     "QNN accelerator (execute) time"},
    {htp_event::graph_execute_accel_time_cycle, unit::cycles,
     "Accelerator (execute) time (cycles)"},
    {htp_event::graph_execute_accel_time_microsec, unit::microsec, "Accelerator (execute) time"},
    {htp_event::graph_execute_yield_count, unit::count, "Num times yield occured"},
    {htp_event::graph_execute_vtcm_acquire_time, unit::microsec, "Time for initial VTCM acquire"},
    {htp_event::graph_execute_resource_power_up_time, unit::microsec,
     "Time for HVX + HMX power on and acquire"},
    {htp_event::graph_execute_accel_excl_wait_time_microsec, unit::microsec,
     "Accelerator (execute excluding wait) time"},
    {htp_event::graph_deinit_host_rpc_time_microsec, unit::microsec, "RPC (deinit) time"},
    {htp_event::graph_deinit_htp_rpc_time_microsec, unit::microsec,
     "QNN Accelerator (deinit) time"},
    {htp_event::node_wait, unit::cycles, "Wait (Scheduler) time"},
    {htp_event::node_overlap, unit::cycles, "Overlap time"},
    {htp_event::node_wait_overlap, unit::cycles, "Overlap (wait) time"},
    {htp_event::node_resourcemask, unit::cycles, "Resources"},
    {htp_event::graph_execute_critical_accel_time_cycle, unit::cycles,
     "Accelerator (critical path execute) time (cycles)"},
    {htp_event::graph_number_of_hvx_threads, unit::count, "Number of HVX threads used"},
};
constexpr ProfileEventKind kind_of(c_api::ProfileEventType type) noexcept {
  for (const ProfileEventKind& kind : event_kinds)
    if (kind.type == type) return kind;
  return {type, unit::microsec, "Unknown event type"};
}
}  // namespace detail

/// One measured event of a call.
struct ProfileEvent {
  c_api::ProfileEventType type;
  c_api::ProfileEventUnit unit;
  std::uint64_t value;
  std::string identifier;
  std::vector<std::uint64_t> sub_events;
  std::string object;  ///< bytes of an event with the unit object
};

/// Events and their numbers. Keeps the memory of events, so that a call with as many as before
/// allocates nothing for them. Not thread-safe: the device's mutex guards them.
struct Profile {
  std::uint64_t backend = 0;
  std::uint64_t serial = 0;
  c_api::ProfileLevel level = c_api::profile_level::basic;
  bool op_trace = false;
  bool in_use = false;              ///< a call is filling it
  std::uint64_t bound_graph = 0;    ///< collects continuously for this graph
  std::deque<ProfileEvent> events;  ///< the events, then unused ones
  std::size_t event_count = 0;
  std::vector<std::uint64_t> top_level;

  [[nodiscard]] bool detailed() const noexcept { return level == c_api::profile_level::detailed; }
  [[nodiscard]] bool linting() const noexcept { return level == c_api::htp_profile_level::linting; }

  void reset() {
    event_count = 0;
    top_level.clear();
  }

  /// Returns the number of an event, made of the profile and the index. Never 0.
  [[nodiscard]] std::uint64_t id_at(std::size_t index) const noexcept {
    return (std::uint64_t{0xE7} << 56) | (serial << 24) | (index + 1);
  }

  /// Adds an event below `parent` (an index into events), or at the top level if no such event
  /// exists. The type decides its unit and, without a `name`, its name. Returns its index.
  std::size_t add(c_api::ProfileEventType type, std::uint64_t value,
                  std::size_t parent = static_cast<std::size_t>(-1), std::string_view name = {}) {
    const ProfileEventKind kind = detail::kind_of(type);
    if (event_count == events.size()) events.emplace_back();
    const std::size_t index = event_count++;
    ProfileEvent& event = events[index];
    event.type = type;
    event.unit = kind.unit;
    event.value = value;
    event.identifier = name.empty() ? kind.name : name;
    event.sub_events.clear();
    event.object.clear();
    (parent < index ? events[parent].sub_events : top_level).push_back(id_at(index));
    return index;
  }
};

}  // namespace qnnpp::sim
