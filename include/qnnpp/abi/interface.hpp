// The function table of a backend library, and the symbol that hands it out.
//
// The table has only grown at its end since core 2.18, so this declaration serves every library
// from there on, if a late slot is read only when the library's core minor has it: behind the end
// of an older library's table there is other memory, not NULL (LOAD-03). Then the slot may still be
// NULL.
#pragma once

#include <cstddef>
#include <cstdint>

#include "qnnpp/abi/backend.hpp"
#include "qnnpp/abi/context.hpp"
#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/graph.hpp"
#include "qnnpp/abi/log.hpp"
#include "qnnpp/abi/memory.hpp"
#include "qnnpp/abi/op.hpp"
#include "qnnpp/abi/profile.hpp"
#include "qnnpp/abi/property.hpp"
#include "qnnpp/abi/signal.hpp"

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

/// The functions of a backend, in the order of core 2.39. slots.hpp has their numbers, their C
/// names and the first core version of each. C: QnnInterface_ImplementationV2_39_t; older versions
/// are its beginning.
struct InterfaceTable {
  PropertyHasCapabilityFn property_has_capability;
  BackendCreateFn backend_create;
  BackendSetConfigFn backend_set_config;
  BackendGetApiVersionFn backend_get_api_version;
  BackendGetBuildIdFn backend_get_build_id;
  BackendRegisterOpPackageFn backend_register_op_package;
  BackendGetSupportedOperationsFn backend_get_supported_operations;
  BackendValidateOpConfigFn backend_validate_op_config;
  BackendFreeFn backend_free;
  ContextCreateFn context_create;
  ContextSetConfigFn context_set_config;
  ContextGetBinarySizeFn context_get_binary_size;
  ContextGetBinaryFn context_get_binary;
  ContextCreateFromBinaryFn context_create_from_binary;
  ContextFreeFn context_free;
  GraphCreateFn graph_create;
  GraphCreateSubgraphFn graph_create_subgraph;
  GraphSetConfigFn graph_set_config;
  GraphAddNodeFn graph_add_node;
  GraphFinalizeFn graph_finalize;
  GraphRetrieveFn graph_retrieve;
  GraphExecuteFn graph_execute;
  GraphExecuteAsyncFn graph_execute_async;
  TensorCreateContextTensorFn tensor_create_context_tensor;
  TensorCreateGraphTensorFn tensor_create_graph_tensor;
  LogCreateFn log_create;
  LogSetLogLevelFn log_set_log_level;
  LogFreeFn log_free;
  ProfileCreateFn profile_create;
  ProfileSetConfigFn profile_set_config;
  ProfileGetEventsFn profile_get_events;
  ProfileGetSubEventsFn profile_get_sub_events;
  ProfileGetEventDataFn profile_get_event_data;
  ProfileGetExtendedEventDataFn profile_get_extended_event_data;
  ProfileFreeFn profile_free;
  MemRegisterFn mem_register;
  MemDeRegisterFn mem_de_register;
  DeviceGetPlatformInfoFn device_get_platform_info;
  DeviceFreePlatformInfoFn device_free_platform_info;
  DeviceGetInfrastructureFn device_get_infrastructure;
  DeviceCreateFn device_create;
  DeviceSetConfigFn device_set_config;
  DeviceGetInfoFn device_get_info;
  DeviceFreeFn device_free;
  SignalCreateFn signal_create;
  SignalSetConfigFn signal_set_config;
  SignalTriggerFn signal_trigger;
  SignalFreeFn signal_free;
  ErrorGetMessageFn error_get_message;
  ErrorGetVerboseMessageFn error_get_verbose_message;
  ErrorFreeVerboseMessageFn error_free_verbose_message;
  GraphPrepareExecutionEnvironmentFn graph_prepare_execution_environment;
  GraphReleaseExecutionEnvironmentFn graph_release_execution_environment;
  GraphGetPropertyFn graph_get_property;
  ContextValidateBinaryFn context_validate_binary;
  ContextCreateFromBinaryWithSignalFn context_create_from_binary_with_signal;
  ContextCreateFromBinaryListAsyncFn context_create_from_binary_list_async;
  TensorUpdateGraphTensorsFn tensor_update_graph_tensors;
  TensorUpdateContextTensorsFn tensor_update_context_tensors;
  ContextGetBinarySectionSizeFn context_get_binary_section_size;
  ContextGetBinarySectionFn context_get_binary_section;
  ContextApplyBinarySectionFn context_apply_binary_section;
  BackendGetPropertyFn backend_get_property;
  ContextGetPropertyFn context_get_property;
  ContextGetIncrementalBinaryFn context_get_incremental_binary;
  ContextReleaseIncrementalBinaryFn context_release_incremental_binary;
  ContextFinalizeFn context_finalize;
  GlobalConfigSetFn global_config_set;
  ContextCreateFromBinaryWithCallbackFn context_create_from_binary_with_callback;
  ContextGetBinarySectionUpdateFn context_get_binary_section_update;
  ContextFreeBinarySectionUpdateFn context_free_binary_section_update;
  ContextAddToDlcFn context_add_to_dlc;
  GraphValidateFn graph_validate;
  GraphFreeValidationResultFn graph_free_validation_result;
  BackendRegisterOpPackageFromBinaryFn backend_register_op_package_from_binary;
};

/// What a library offers. The version tells how long the table is. Belongs to the library.
/// C: QnnInterface_t.
struct Interface {
  std::uint32_t backend_id;   ///< 6 is HTP; may be 0.
  const char* provider_name;  ///< "HTP_QTI_AISW" for HTP; may be NULL.
  ApiVersion api_version;     ///< Look at core_api_version before any slot past 61.
  InterfaceTable table;       ///< The functions.
};

/// The exported symbol QnnInterface_getProviders. The list and its entries live as long as the
/// library is loaded. Codes: 1000, 1004.
using InterfaceGetProvidersFn = ErrorHandle (*)(const Interface*** provider_list,
                                                std::uint32_t* num_providers);

}  // namespace qnnpp::c_api
