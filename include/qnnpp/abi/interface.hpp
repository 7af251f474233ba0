// The function table of a backend library, and the symbol that hands it out.
//
// The table has only grown at its end since core 2.18, so this declaration serves every library
// from there on, if a late slot is read only when the library's core minor has it: behind the end
// of an older library's table there is other memory, not NULL (LOAD-03). Then the slot may still be
// NULL.
#pragma once

#include "qnnpp/abi/backend.hpp"
#include "qnnpp/abi/context_functions.hpp"
#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/global_config.hpp"
#include "qnnpp/abi/graph_functions.hpp"
#include "qnnpp/abi/log.hpp"
#include "qnnpp/abi/memory.hpp"
#include "qnnpp/abi/op.hpp"
#include "qnnpp/abi/profile.hpp"
#include "qnnpp/abi/property.hpp"
#include "qnnpp/abi/signal.hpp"

namespace qnnpp::c_api {

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
