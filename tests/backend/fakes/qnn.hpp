// Controls the fake backend library, and records its calls.
#pragma once

#include <cstdint>

#include "qnnpp/abi/interface.hpp"

namespace fakes {

/// One provider of the list.
struct Provider {
  std::uint32_t backend_id = 6;
  const char* name = "FAKE";
  qnnpp::c_api::Version core = {2, 18, 0};
  qnnpp::c_api::Version backend = {5, 25, 0};
  bool listed_as_null = false;
};

/// One event of the fake profile. Its number is its index in Behaviour::events plus 1.
struct Event {
  qnnpp::c_api::ProfileExtendedEventData data = {};
  std::uint64_t below[8] = {};    ///< numbers of the events below it
  std::uint32_t below_count = 0;  ///< reported number of them
  bool null_list = false;         ///< reports NULL as their list
};

/// Behaviour of the library. Set it before requesting the providers.
struct Behaviour {
  std::uint64_t get_providers_result = 0;
  std::uint32_t provider_count = 1;
  /// Reported number of providers; 0: the real number.
  std::uint32_t said_providers = 0;
  bool null_list = false;
  Provider providers[3] = {};
  /// Indices of the slots that every provider leaves null.
  std::int32_t null_slots[8] = {-1, -1, -1, -1, -1, -1, -1, -1};

  std::uint64_t log_create_result = 0;
  std::uint64_t backend_create_result = 0;
  std::uint64_t device_create_result = 0;
  /// Function that device_create calls before it logs.
  void (*device_create_begins)() = nullptr;
  /// Error line that device_create logs.
  const char* device_create_log = nullptr;
  std::uint64_t log_free_result = 0;
  /// Whether the library logs a line when the process ends.
  bool logs_at_exit = false;
  std::uint64_t backend_free_result = 0;
  std::uint64_t device_free_result = 0;
  std::uint64_t capability_result = 0;
  std::uint64_t build_id_result = 0;
  const char* build_id = "v2.25.0.fake";
  /// Answer of device_get_platform_info; null: an error.
  const qnnpp::c_api::DevicePlatformInfo* platform_info = nullptr;

  std::uint64_t profile_create_result = 0;
  std::uint64_t profile_set_config_result = 0;
  std::uint64_t profile_free_result = 0;
  std::uint64_t extended_event_result = 0;
  Event events[8] = {};
  std::uint64_t top_level[8] = {};    ///< numbers of the events at the top level
  std::uint32_t top_level_count = 0;  ///< reported number of them
};

/// Record of the library's calls.
struct Record {
  const char* calls[32] = {};  ///< C functions in call order, without getters
  std::uint32_t call_count = 0;
  int live_logs = 0;
  int live_backends = 0;
  int live_devices = 0;
  int live_platform_infos = 0;
  int live_profiles = 0;
  std::uint32_t profile_level = 0;
  bool op_trace = false;
  int plain_events = 0;     ///< calls of profile_get_event_data
  int extended_events = 0;  ///< calls of profile_get_extended_event_data
  int foreign_handles = 0;  ///< handles passed to a function that this library did not create
  qnnpp::c_api::LogCallback callback = nullptr;
  qnnpp::c_api::LogLevel level = qnnpp::c_api::LogLevel::max;
  qnnpp::c_api::LogHandle backend_log = nullptr;
  qnnpp::c_api::LogHandle device_log = nullptr;
  std::uint32_t asked_capability = 0;
};

struct Control {
  Behaviour behaviour;
  Record record;
  /// Sends one message to the callback of the logger.
  void (*emit)(qnnpp::c_api::LogLevel level, const char* format, ...);
};

using ControlFn = Control* (*)();  ///< exported as fake_control

/// Returns the number of slots of a provider with this core minor version.
constexpr std::uint32_t slot_count(std::uint32_t core_minor) {
  if (core_minor < 23) return 62;
  if (core_minor < 27) return 64;
  if (core_minor < 28) return 68;
  if (core_minor < 32) return 69;
  if (core_minor < 34) return 71;
  if (core_minor < 39) return 72;
  return 75;
}

}  // namespace fakes
