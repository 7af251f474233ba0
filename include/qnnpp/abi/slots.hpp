// The functions of a backend by number: the C function of each, and the first core version that has
// it.
//
// Messages, the gate by version and the simulated HTP read this table. The function's type is that
// of its member of InterfaceTable (interface.hpp).
#pragma once

#include "qnnpp/platform.hpp"

#include <cstddef>
#include <cstdint>

namespace qnnpp::c_api {

/// A function of a backend. The number of a member of InterfaceTable is its place there.
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
  context_add_to_dlc = 71,
  graph_validate = 72,
  graph_free_validation_result = 73,
  backend_register_op_package_from_binary = 74,
  // Members of HtpDevicePerfInfrastructure, which is a table of its own: numbers of ours.
  perf_create_power_config_id = 75,
  perf_destroy_power_config_id = 76,
  perf_set_power_config = 77,
  perf_set_memory_config = 78,
};

/// What a slot's declaration does not say.
struct SlotFacts {
  const char* name;               ///< The C function.
  std::uint32_t first_minor = 0;  ///< First core 2.x that has it; 0: every one since 2.18.
};

/// By number.
inline constexpr SlotFacts slots[] = {
    {"QnnProperty_hasCapability"},
    {"QnnBackend_create"},
    {"QnnBackend_setConfig"},
    {"QnnBackend_getApiVersion"},
    {"QnnBackend_getBuildId"},
    {"QnnBackend_registerOpPackage"},
    {"QnnBackend_getSupportedOperations"},
    {"QnnBackend_validateOpConfig"},
    {"QnnBackend_free"},
    {"QnnContext_create"},
    {"QnnContext_setConfig"},
    {"QnnContext_getBinarySize"},
    {"QnnContext_getBinary"},
    {"QnnContext_createFromBinary"},
    {"QnnContext_free"},
    {"QnnGraph_create"},
    {"QnnGraph_createSubgraph"},
    {"QnnGraph_setConfig"},
    {"QnnGraph_addNode"},
    {"QnnGraph_finalize"},
    {"QnnGraph_retrieve"},
    {"QnnGraph_execute"},
    {"QnnGraph_executeAsync"},
    {"QnnTensor_createContextTensor"},
    {"QnnTensor_createGraphTensor"},
    {"QnnLog_create"},
    {"QnnLog_setLogLevel"},
    {"QnnLog_free"},
    {"QnnProfile_create"},
    {"QnnProfile_setConfig"},
    {"QnnProfile_getEvents"},
    {"QnnProfile_getSubEvents"},
    {"QnnProfile_getEventData"},
    {"QnnProfile_getExtendedEventData"},
    {"QnnProfile_free"},
    {"QnnMem_register"},
    {"QnnMem_deRegister"},
    {"QnnDevice_getPlatformInfo"},
    {"QnnDevice_freePlatformInfo"},
    {"QnnDevice_getInfrastructure"},
    {"QnnDevice_create"},
    {"QnnDevice_setConfig"},
    {"QnnDevice_getInfo"},
    {"QnnDevice_free"},
    {"QnnSignal_create"},
    {"QnnSignal_setConfig"},
    {"QnnSignal_trigger"},
    {"QnnSignal_free"},
    {"QnnError_getMessage"},
    {"QnnError_getVerboseMessage"},
    {"QnnError_freeVerboseMessage"},
    {"QnnGraph_prepareExecutionEnvironment"},
    {"QnnGraph_releaseExecutionEnvironment"},
    {"QnnGraph_getProperty"},
    {"QnnContext_validateBinary"},
    {"QnnContext_createFromBinaryWithSignal"},
    {"QnnContext_createFromBinaryListAsync"},
    {"QnnTensor_updateGraphTensors"},
    {"QnnTensor_updateContextTensors"},
    {"QnnContext_getBinarySectionSize"},
    {"QnnContext_getBinarySection"},
    {"QnnContext_applyBinarySection"},
    {"QnnBackend_getProperty", 23},
    {"QnnContext_getProperty", 23},
    {"QnnContext_getIncrementalBinary", 27},
    {"QnnContext_releaseIncrementalBinary", 27},
    {"QnnContext_finalize", 27},
    {"QnnGlobalConfig_set", 27},
    {"QnnContext_createFromBinaryWithCallback", 28},
    {"QnnContext_getBinarySectionUpdate", 32},
    {"QnnContext_freeBinarySectionUpdate", 32},
    {"QnnContext_addToDlc", 39},
    {"QnnGraph_validate", 39},
    {"QnnGraph_freeValidationResult", 39},
    {"QnnBackend_registerOpPackageFromBinary", 39},
    {"QnnHtpPerfInfrastructure_createPowerConfigId"},
    {"QnnHtpPerfInfrastructure_destroyPowerConfigId"},
    {"QnnHtpPerfInfrastructure_setPowerConfig"},
    {"QnnHtpPerfInfrastructure_setMemoryConfig"},
};

/// How many there are, those of HtpDevicePerfInfrastructure among them.
inline constexpr std::size_t slot_count = sizeof slots / sizeof slots[0];

/// How many members of InterfaceTable core 2.`minor` has.
[[nodiscard]] constexpr std::size_t slots_of_core(std::uint32_t minor) noexcept {
  std::size_t count = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Slot::perf_create_power_config_id); ++i)
    count += slots[i].first_minor <= minor;
  return count;
}

/// Name of the C function in a slot; "?" for a number that is none.
[[nodiscard]] constexpr const char* name_of(Slot slot) noexcept {
  const auto number = static_cast<std::size_t>(slot);
  return number < slot_count ? slots[number].name : "?";
}

}  // namespace qnnpp::c_api
