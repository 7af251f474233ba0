// The calls of the simulated HTP by number: slots 0 to 70 are the entries of the QNN function table
// of core 2.32 in their order, four more stand for the performance infrastructure. Counters and
// faults name calls by these numbers.
#pragma once

#include "qnnpp/platform.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace qnnpp::sim {

/// One call of the simulated HTP.
enum class Slot : std::uint32_t {
  property_has_capability = 0,
  backend_create = 1,
  backend_set_config = 2,
  backend_get_api_version = 3,
  backend_get_build_id = 4,
  backend_register_op_package = 5,
  backend_get_supported_operations = 6,
  backend_validate_op_config = 7,
  backend_free = 8,
  context_create = 9,
  context_set_config = 10,
  context_get_binary_size = 11,
  context_get_binary = 12,
  context_create_from_binary = 13,
  context_free = 14,
  graph_create = 15,
  graph_create_subgraph = 16,
  graph_set_config = 17,
  graph_add_node = 18,
  graph_finalize = 19,
  graph_retrieve = 20,
  graph_execute = 21,
  graph_execute_async = 22,
  tensor_create_context_tensor = 23,
  tensor_create_graph_tensor = 24,
  log_create = 25,
  log_set_log_level = 26,
  log_free = 27,
  profile_create = 28,
  profile_set_config = 29,
  profile_get_events = 30,
  profile_get_sub_events = 31,
  profile_get_event_data = 32,
  profile_get_extended_event_data = 33,
  profile_free = 34,
  mem_register = 35,
  mem_de_register = 36,
  device_get_platform_info = 37,
  device_free_platform_info = 38,
  device_get_infrastructure = 39,
  device_create = 40,
  device_set_config = 41,
  device_get_info = 42,
  device_free = 43,
  signal_create = 44,
  signal_set_config = 45,
  signal_trigger = 46,
  signal_free = 47,
  error_get_message = 48,
  error_get_verbose_message = 49,
  error_free_verbose_message = 50,
  graph_prepare_execution_environment = 51,
  graph_release_execution_environment = 52,
  graph_get_property = 53,
  context_validate_binary = 54,
  context_create_from_binary_with_signal = 55,
  context_create_from_binary_list_async = 56,
  tensor_update_graph_tensors = 57,
  tensor_update_context_tensors = 58,
  context_get_binary_section_size = 59,
  context_get_binary_section = 60,
  context_apply_binary_section = 61,
  backend_get_property = 62,
  context_get_property = 63,
  context_get_incremental_binary = 64,
  context_release_incremental_binary = 65,
  context_finalize = 66,
  global_config_set = 67,
  context_create_from_binary_with_callback = 68,
  context_get_binary_section_update = 69,
  context_free_binary_section_update = 70,
  perf_create_power_config_id = 71,
  perf_destroy_power_config_id = 72,
  perf_set_power_config = 73,
  perf_set_memory_config = 74,
};

/// Entries of the function table that the simulated HTP offers (core 2.32).
inline constexpr std::size_t table_slots = 71;
/// All calls that are counted: the table and the performance infrastructure.
inline constexpr std::size_t slot_count = 75;

/// Stands for "every slot" where a fault names one.
inline constexpr std::uint32_t any_slot = 0xFFFFFFFFu;

/// Names of the slots, as the members of c_api::InterfaceTable are called.
inline constexpr std::array<std::string_view, slot_count> slot_names{
    "property_has_capability",
    "backend_create",
    "backend_set_config",
    "backend_get_api_version",
    "backend_get_build_id",
    "backend_register_op_package",
    "backend_get_supported_operations",
    "backend_validate_op_config",
    "backend_free",
    "context_create",
    "context_set_config",
    "context_get_binary_size",
    "context_get_binary",
    "context_create_from_binary",
    "context_free",
    "graph_create",
    "graph_create_subgraph",
    "graph_set_config",
    "graph_add_node",
    "graph_finalize",
    "graph_retrieve",
    "graph_execute",
    "graph_execute_async",
    "tensor_create_context_tensor",
    "tensor_create_graph_tensor",
    "log_create",
    "log_set_log_level",
    "log_free",
    "profile_create",
    "profile_set_config",
    "profile_get_events",
    "profile_get_sub_events",
    "profile_get_event_data",
    "profile_get_extended_event_data",
    "profile_free",
    "mem_register",
    "mem_de_register",
    "device_get_platform_info",
    "device_free_platform_info",
    "device_get_infrastructure",
    "device_create",
    "device_set_config",
    "device_get_info",
    "device_free",
    "signal_create",
    "signal_set_config",
    "signal_trigger",
    "signal_free",
    "error_get_message",
    "error_get_verbose_message",
    "error_free_verbose_message",
    "graph_prepare_execution_environment",
    "graph_release_execution_environment",
    "graph_get_property",
    "context_validate_binary",
    "context_create_from_binary_with_signal",
    "context_create_from_binary_list_async",
    "tensor_update_graph_tensors",
    "tensor_update_context_tensors",
    "context_get_binary_section_size",
    "context_get_binary_section",
    "context_apply_binary_section",
    "backend_get_property",
    "context_get_property",
    "context_get_incremental_binary",
    "context_release_incremental_binary",
    "context_finalize",
    "global_config_set",
    "context_create_from_binary_with_callback",
    "context_get_binary_section_update",
    "context_free_binary_section_update",
    "perf_create_power_config_id",
    "perf_destroy_power_config_id",
    "perf_set_power_config",
    "perf_set_memory_config",
};

/// Name of a slot; "?" for a number that is none.
[[nodiscard]] constexpr std::string_view name_of(Slot slot) noexcept {
  const auto index = static_cast<std::size_t>(slot);
  return index < slot_count ? slot_names[index] : std::string_view{"?"};
}

/// True for a call that gives something back (free, destroy, deregister, release).
[[nodiscard]] constexpr bool releases(Slot slot) noexcept {
  switch (slot) {
    case Slot::backend_free:
    case Slot::context_free:
    case Slot::log_free:
    case Slot::profile_free:
    case Slot::mem_de_register:
    case Slot::device_free_platform_info:
    case Slot::device_free:
    case Slot::signal_free:
    case Slot::error_free_verbose_message:
    case Slot::graph_release_execution_environment:
    case Slot::context_release_incremental_binary:
    case Slot::context_free_binary_section_update:
    case Slot::perf_destroy_power_config_id: return true;
    default: return false;
  }
}

}  // namespace qnnpp::sim
