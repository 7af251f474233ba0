// Function table of a backend library, and the symbol that returns it.
//
// Since core 2.18 the table has only grown at its end, so this declaration fits every library since
// then. Read a late slot only if the library's core minor has it: an older library's table is
// shorter, and other memory follows it (LOAD-03). A slot within the table can be NULL.
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

/// Function of a backend. Each enumerator is a member of InterfaceTable, and its number is the
/// member's index there; `slots` has the C names. The last four are members of
/// HtpDevicePerfInfrastructure.
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
  // Members of HtpDevicePerfInfrastructure, a separate table; qnnpp chose the numbers.
  perf_create_power_config_id = 75,
  perf_destroy_power_config_id = 76,
  perf_set_power_config = 77,
  perf_set_memory_config = 78,
};

/// C name and version of a slot.
struct SlotFacts {
  const char* name;               ///< Name of the C function.
  std::uint32_t first_minor = 0;  ///< First core 2.x that has the slot; 0 if 2.18 has it.
};

/// C names and versions of all slots, indexed by Slot. Each shared object has its own list, because
/// the length differs between versions of qnnpp, which may meet in a process.
[[gnu::visibility("hidden")]] inline constexpr SlotFacts slots[] = {
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
    {"QnnContext_addToDlc", 34},
    {"QnnGraph_validate", 39},
    {"QnnGraph_freeValidationResult", 39},
    {"QnnBackend_registerOpPackageFromBinary", 39},
    {"QnnHtpPerfInfrastructure_createPowerConfigId"},
    {"QnnHtpPerfInfrastructure_destroyPowerConfigId"},
    {"QnnHtpPerfInfrastructure_setPowerConfig"},
    {"QnnHtpPerfInfrastructure_setMemoryConfig"},
};

/// Number of slots, including the members of HtpDevicePerfInfrastructure.
inline constexpr std::size_t slot_count = sizeof slots / sizeof slots[0];

/// Returns the number of InterfaceTable members that core 2.`minor` has.
[[nodiscard]] constexpr std::size_t slots_of_core(std::uint32_t minor) noexcept {
  std::size_t count = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Slot::perf_create_power_config_id); ++i)
    count += slots[i].first_minor <= minor;
  return count;
}

/// Returns the name of the C function in a slot; "?" for an unknown number.
[[nodiscard, gnu::visibility("hidden")]] constexpr const char* name_of(Slot slot) noexcept {
  const auto number = static_cast<std::size_t>(slot);
  return number < slot_count ? slots[number].name : "?";
}

/// Functions of a backend, in the order of core 2.40. Slot has their indexes. Tables of older
/// versions are a prefix of this table. C: QnnInterface_ImplementationV2_39_t.
struct InterfaceTable {
  /// C: QnnProperty_hasCapability.
  PropertyHasCapabilityFn property_has_capability;
  /// C: QnnBackend_create.
  BackendCreateFn backend_create;
  /// C: QnnBackend_setConfig.
  BackendSetConfigFn backend_set_config;
  /// C: QnnBackend_getApiVersion.
  BackendGetApiVersionFn backend_get_api_version;
  /// C: QnnBackend_getBuildId.
  BackendGetBuildIdFn backend_get_build_id;
  /// C: QnnBackend_registerOpPackage.
  BackendRegisterOpPackageFn backend_register_op_package;
  /// C: QnnBackend_getSupportedOperations.
  BackendGetSupportedOperationsFn backend_get_supported_operations;
  /// C: QnnBackend_validateOpConfig.
  BackendValidateOpConfigFn backend_validate_op_config;
  /// C: QnnBackend_free.
  BackendFreeFn backend_free;
  /// C: QnnContext_create.
  ContextCreateFn context_create;
  /// C: QnnContext_setConfig.
  ContextSetConfigFn context_set_config;
  /// C: QnnContext_getBinarySize.
  ContextGetBinarySizeFn context_get_binary_size;
  /// C: QnnContext_getBinary.
  ContextGetBinaryFn context_get_binary;
  /// C: QnnContext_createFromBinary.
  ContextCreateFromBinaryFn context_create_from_binary;
  /// C: QnnContext_free.
  ContextFreeFn context_free;
  /// C: QnnGraph_create.
  GraphCreateFn graph_create;
  /// C: QnnGraph_createSubgraph.
  GraphCreateSubgraphFn graph_create_subgraph;
  /// C: QnnGraph_setConfig.
  GraphSetConfigFn graph_set_config;
  /// C: QnnGraph_addNode.
  GraphAddNodeFn graph_add_node;
  /// C: QnnGraph_finalize.
  GraphFinalizeFn graph_finalize;
  /// C: QnnGraph_retrieve.
  GraphRetrieveFn graph_retrieve;
  /// C: QnnGraph_execute.
  GraphExecuteFn graph_execute;
  /// C: QnnGraph_executeAsync.
  GraphExecuteAsyncFn graph_execute_async;
  /// C: QnnTensor_createContextTensor.
  TensorCreateContextTensorFn tensor_create_context_tensor;
  /// C: QnnTensor_createGraphTensor.
  TensorCreateGraphTensorFn tensor_create_graph_tensor;
  /// C: QnnLog_create.
  LogCreateFn log_create;
  /// C: QnnLog_setLogLevel.
  LogSetLogLevelFn log_set_log_level;
  /// C: QnnLog_free.
  LogFreeFn log_free;
  /// C: QnnProfile_create.
  ProfileCreateFn profile_create;
  /// C: QnnProfile_setConfig.
  ProfileSetConfigFn profile_set_config;
  /// C: QnnProfile_getEvents.
  ProfileGetEventsFn profile_get_events;
  /// C: QnnProfile_getSubEvents.
  ProfileGetSubEventsFn profile_get_sub_events;
  /// C: QnnProfile_getEventData.
  ProfileGetEventDataFn profile_get_event_data;
  /// C: QnnProfile_getExtendedEventData.
  ProfileGetExtendedEventDataFn profile_get_extended_event_data;
  /// C: QnnProfile_free.
  ProfileFreeFn profile_free;
  /// C: QnnMem_register.
  MemRegisterFn mem_register;
  /// C: QnnMem_deRegister.
  MemDeRegisterFn mem_de_register;
  /// C: QnnDevice_getPlatformInfo.
  DeviceGetPlatformInfoFn device_get_platform_info;
  /// C: QnnDevice_freePlatformInfo.
  DeviceFreePlatformInfoFn device_free_platform_info;
  /// C: QnnDevice_getInfrastructure.
  DeviceGetInfrastructureFn device_get_infrastructure;
  /// C: QnnDevice_create.
  DeviceCreateFn device_create;
  /// C: QnnDevice_setConfig.
  DeviceSetConfigFn device_set_config;
  /// C: QnnDevice_getInfo.
  DeviceGetInfoFn device_get_info;
  /// C: QnnDevice_free.
  DeviceFreeFn device_free;
  /// C: QnnSignal_create.
  SignalCreateFn signal_create;
  /// C: QnnSignal_setConfig.
  SignalSetConfigFn signal_set_config;
  /// C: QnnSignal_trigger.
  SignalTriggerFn signal_trigger;
  /// C: QnnSignal_free.
  SignalFreeFn signal_free;
  /// C: QnnError_getMessage.
  ErrorGetMessageFn error_get_message;
  /// C: QnnError_getVerboseMessage.
  ErrorGetVerboseMessageFn error_get_verbose_message;
  /// C: QnnError_freeVerboseMessage.
  ErrorFreeVerboseMessageFn error_free_verbose_message;
  /// C: QnnGraph_prepareExecutionEnvironment.
  GraphPrepareExecutionEnvironmentFn graph_prepare_execution_environment;
  /// C: QnnGraph_releaseExecutionEnvironment.
  GraphReleaseExecutionEnvironmentFn graph_release_execution_environment;
  /// C: QnnGraph_getProperty.
  GraphGetPropertyFn graph_get_property;
  /// C: QnnContext_validateBinary.
  ContextValidateBinaryFn context_validate_binary;
  /// C: QnnContext_createFromBinaryWithSignal.
  ContextCreateFromBinaryWithSignalFn context_create_from_binary_with_signal;
  /// C: QnnContext_createFromBinaryListAsync.
  ContextCreateFromBinaryListAsyncFn context_create_from_binary_list_async;
  /// C: QnnTensor_updateGraphTensors.
  TensorUpdateGraphTensorsFn tensor_update_graph_tensors;
  /// C: QnnTensor_updateContextTensors.
  TensorUpdateContextTensorsFn tensor_update_context_tensors;
  /// C: QnnContext_getBinarySectionSize.
  ContextGetBinarySectionSizeFn context_get_binary_section_size;
  /// C: QnnContext_getBinarySection.
  ContextGetBinarySectionFn context_get_binary_section;
  /// C: QnnContext_applyBinarySection.
  ContextApplyBinarySectionFn context_apply_binary_section;
  /// C: QnnBackend_getProperty. Core 2.23.
  BackendGetPropertyFn backend_get_property;
  /// C: QnnContext_getProperty. Core 2.23.
  ContextGetPropertyFn context_get_property;
  /// C: QnnContext_getIncrementalBinary. Core 2.27.
  ContextGetIncrementalBinaryFn context_get_incremental_binary;
  /// C: QnnContext_releaseIncrementalBinary. Core 2.27.
  ContextReleaseIncrementalBinaryFn context_release_incremental_binary;
  /// C: QnnContext_finalize. Core 2.27.
  ContextFinalizeFn context_finalize;
  /// C: QnnGlobalConfig_set. Core 2.27.
  GlobalConfigSetFn global_config_set;
  /// C: QnnContext_createFromBinaryWithCallback. Core 2.28.
  ContextCreateFromBinaryWithCallbackFn context_create_from_binary_with_callback;
  /// C: QnnContext_getBinarySectionUpdate. Core 2.32.
  ContextGetBinarySectionUpdateFn context_get_binary_section_update;
  /// C: QnnContext_freeBinarySectionUpdate. Core 2.32.
  ContextFreeBinarySectionUpdateFn context_free_binary_section_update;
  /// C: QnnContext_addToDlc. Core 2.34.
  ContextAddToDlcFn context_add_to_dlc;
  /// C: QnnGraph_validate. Core 2.39.
  GraphValidateFn graph_validate;
  /// C: QnnGraph_freeValidationResult. Core 2.39.
  GraphFreeValidationResultFn graph_free_validation_result;
  /// C: QnnBackend_registerOpPackageFromBinary. Core 2.39.
  BackendRegisterOpPackageFromBinaryFn backend_register_op_package_from_binary;
};

/// Interface of a library, which owns it. The version determines the length of the table.
/// C: QnnInterface_t.
struct Interface {
  std::uint32_t backend_id;   ///< Backend of the library: a number of backend_id; may be 0.
  const char* provider_name;  ///< "HTP_QTI_AISW" for HTP; may be NULL.
  ApiVersion api_version;     ///< Check core_api_version before reading any slot after 61.
  InterfaceTable table;       ///< The functions.
};

/// Returns the interfaces of the library. Exported symbol QnnInterface_getProviders. The list and
/// its entries are valid while the library is loaded. Codes: 1000, 1004.
using InterfaceGetProvidersFn = ErrorHandle (*)(const Interface*** provider_list,
                                                std::uint32_t* num_providers);

}  // namespace qnnpp::c_api
