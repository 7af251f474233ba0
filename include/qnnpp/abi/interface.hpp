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

/// The functions of a backend, in the order of core 2.39. Each comment is the slot's number, and
/// the first core version that has it where not all have. C: QnnInterface_ImplementationV2_39_t;
/// older versions are its beginning.
struct InterfaceTable {
  PropertyHasCapabilityFn property_has_capability;                             ///< 0
  BackendCreateFn backend_create;                                              ///< 1
  BackendSetConfigFn backend_set_config;                                       ///< 2
  BackendGetApiVersionFn backend_get_api_version;                              ///< 3
  BackendGetBuildIdFn backend_get_build_id;                                    ///< 4
  BackendRegisterOpPackageFn backend_register_op_package;                      ///< 5
  BackendGetSupportedOperationsFn backend_get_supported_operations;            ///< 6
  BackendValidateOpConfigFn backend_validate_op_config;                        ///< 7
  BackendFreeFn backend_free;                                                  ///< 8
  ContextCreateFn context_create;                                              ///< 9
  ContextSetConfigFn context_set_config;                                       ///< 10
  ContextGetBinarySizeFn context_get_binary_size;                              ///< 11
  ContextGetBinaryFn context_get_binary;                                       ///< 12
  ContextCreateFromBinaryFn context_create_from_binary;                        ///< 13
  ContextFreeFn context_free;                                                  ///< 14
  GraphCreateFn graph_create;                                                  ///< 15
  GraphCreateSubgraphFn graph_create_subgraph;                                 ///< 16
  GraphSetConfigFn graph_set_config;                                           ///< 17
  GraphAddNodeFn graph_add_node;                                               ///< 18
  GraphFinalizeFn graph_finalize;                                              ///< 19
  GraphRetrieveFn graph_retrieve;                                              ///< 20
  GraphExecuteFn graph_execute;                                                ///< 21
  GraphExecuteAsyncFn graph_execute_async;                                     ///< 22
  TensorCreateContextTensorFn tensor_create_context_tensor;                    ///< 23
  TensorCreateGraphTensorFn tensor_create_graph_tensor;                        ///< 24
  LogCreateFn log_create;                                                      ///< 25
  LogSetLogLevelFn log_set_log_level;                                          ///< 26
  LogFreeFn log_free;                                                          ///< 27
  ProfileCreateFn profile_create;                                              ///< 28
  ProfileSetConfigFn profile_set_config;                                       ///< 29
  ProfileGetEventsFn profile_get_events;                                       ///< 30
  ProfileGetSubEventsFn profile_get_sub_events;                                ///< 31
  ProfileGetEventDataFn profile_get_event_data;                                ///< 32
  ProfileGetExtendedEventDataFn profile_get_extended_event_data;               ///< 33
  ProfileFreeFn profile_free;                                                  ///< 34
  MemRegisterFn mem_register;                                                  ///< 35
  MemDeRegisterFn mem_de_register;                                             ///< 36
  DeviceGetPlatformInfoFn device_get_platform_info;                            ///< 37
  DeviceFreePlatformInfoFn device_free_platform_info;                          ///< 38
  DeviceGetInfrastructureFn device_get_infrastructure;                         ///< 39
  DeviceCreateFn device_create;                                                ///< 40
  DeviceSetConfigFn device_set_config;                                         ///< 41
  DeviceGetInfoFn device_get_info;                                             ///< 42
  DeviceFreeFn device_free;                                                    ///< 43
  SignalCreateFn signal_create;                                                ///< 44
  SignalSetConfigFn signal_set_config;                                         ///< 45
  SignalTriggerFn signal_trigger;                                              ///< 46
  SignalFreeFn signal_free;                                                    ///< 47
  ErrorGetMessageFn error_get_message;                                         ///< 48
  ErrorGetVerboseMessageFn error_get_verbose_message;                          ///< 49
  ErrorFreeVerboseMessageFn error_free_verbose_message;                        ///< 50
  GraphPrepareExecutionEnvironmentFn graph_prepare_execution_environment;      ///< 51
  GraphReleaseExecutionEnvironmentFn graph_release_execution_environment;      ///< 52
  GraphGetPropertyFn graph_get_property;                                       ///< 53
  ContextValidateBinaryFn context_validate_binary;                             ///< 54
  ContextCreateFromBinaryWithSignalFn context_create_from_binary_with_signal;  ///< 55
  ContextCreateFromBinaryListAsyncFn context_create_from_binary_list_async;    ///< 56
  TensorUpdateGraphTensorsFn tensor_update_graph_tensors;                      ///< 57
  TensorUpdateContextTensorsFn tensor_update_context_tensors;                  ///< 58
  ContextGetBinarySectionSizeFn context_get_binary_section_size;               ///< 59
  ContextGetBinarySectionFn context_get_binary_section;                        ///< 60
  ContextApplyBinarySectionFn context_apply_binary_section;                    ///< 61
  BackendGetPropertyFn backend_get_property;                                   ///< 62, core 2.23
  ContextGetPropertyFn context_get_property;                                   ///< 63, core 2.23
  ContextGetIncrementalBinaryFn context_get_incremental_binary;                ///< 64, core 2.27
  ContextReleaseIncrementalBinaryFn context_release_incremental_binary;        ///< 65, core 2.27
  ContextFinalizeFn context_finalize;                                          ///< 66, core 2.27
  GlobalConfigSetFn global_config_set;                                         ///< 67, core 2.27
  /// 68, core 2.28
  ContextCreateFromBinaryWithCallbackFn context_create_from_binary_with_callback;
  ContextGetBinarySectionUpdateFn context_get_binary_section_update;             ///< 69, core 2.32
  ContextFreeBinarySectionUpdateFn context_free_binary_section_update;           ///< 70, core 2.32
  ContextAddToDlcFn context_add_to_dlc;                                          ///< 71, core 2.39
  GraphValidateFn graph_validate;                                                ///< 72, core 2.39
  GraphFreeValidationResultFn graph_free_validation_result;                      ///< 73, core 2.39
  BackendRegisterOpPackageFromBinaryFn backend_register_op_package_from_binary;  ///< 74, core 2.39
};
static_assert(sizeof(InterfaceTable) == 75 * 8 && alignof(InterfaceTable) == 8 &&
              offsetof(InterfaceTable, property_has_capability) == 0 * 8 &&
              offsetof(InterfaceTable, backend_create) == 1 * 8 &&
              offsetof(InterfaceTable, backend_set_config) == 2 * 8 &&
              offsetof(InterfaceTable, backend_get_api_version) == 3 * 8 &&
              offsetof(InterfaceTable, backend_get_build_id) == 4 * 8 &&
              offsetof(InterfaceTable, backend_register_op_package) == 5 * 8 &&
              offsetof(InterfaceTable, backend_get_supported_operations) == 6 * 8 &&
              offsetof(InterfaceTable, backend_validate_op_config) == 7 * 8 &&
              offsetof(InterfaceTable, backend_free) == 8 * 8 &&
              offsetof(InterfaceTable, context_create) == 9 * 8 &&
              offsetof(InterfaceTable, context_set_config) == 10 * 8 &&
              offsetof(InterfaceTable, context_get_binary_size) == 11 * 8 &&
              offsetof(InterfaceTable, context_get_binary) == 12 * 8 &&
              offsetof(InterfaceTable, context_create_from_binary) == 13 * 8 &&
              offsetof(InterfaceTable, context_free) == 14 * 8 &&
              offsetof(InterfaceTable, graph_create) == 15 * 8 &&
              offsetof(InterfaceTable, graph_create_subgraph) == 16 * 8 &&
              offsetof(InterfaceTable, graph_set_config) == 17 * 8 &&
              offsetof(InterfaceTable, graph_add_node) == 18 * 8 &&
              offsetof(InterfaceTable, graph_finalize) == 19 * 8 &&
              offsetof(InterfaceTable, graph_retrieve) == 20 * 8 &&
              offsetof(InterfaceTable, graph_execute) == 21 * 8 &&
              offsetof(InterfaceTable, graph_execute_async) == 22 * 8 &&
              offsetof(InterfaceTable, tensor_create_context_tensor) == 23 * 8 &&
              offsetof(InterfaceTable, tensor_create_graph_tensor) == 24 * 8 &&
              offsetof(InterfaceTable, log_create) == 25 * 8 &&
              offsetof(InterfaceTable, log_set_log_level) == 26 * 8 &&
              offsetof(InterfaceTable, log_free) == 27 * 8 &&
              offsetof(InterfaceTable, profile_create) == 28 * 8 &&
              offsetof(InterfaceTable, profile_set_config) == 29 * 8 &&
              offsetof(InterfaceTable, profile_get_events) == 30 * 8 &&
              offsetof(InterfaceTable, profile_get_sub_events) == 31 * 8 &&
              offsetof(InterfaceTable, profile_get_event_data) == 32 * 8 &&
              offsetof(InterfaceTable, profile_get_extended_event_data) == 33 * 8 &&
              offsetof(InterfaceTable, profile_free) == 34 * 8 &&
              offsetof(InterfaceTable, mem_register) == 35 * 8 &&
              offsetof(InterfaceTable, mem_de_register) == 36 * 8 &&
              offsetof(InterfaceTable, device_get_platform_info) == 37 * 8 &&
              offsetof(InterfaceTable, device_free_platform_info) == 38 * 8 &&
              offsetof(InterfaceTable, device_get_infrastructure) == 39 * 8 &&
              offsetof(InterfaceTable, device_create) == 40 * 8 &&
              offsetof(InterfaceTable, device_set_config) == 41 * 8 &&
              offsetof(InterfaceTable, device_get_info) == 42 * 8 &&
              offsetof(InterfaceTable, device_free) == 43 * 8 &&
              offsetof(InterfaceTable, signal_create) == 44 * 8 &&
              offsetof(InterfaceTable, signal_set_config) == 45 * 8 &&
              offsetof(InterfaceTable, signal_trigger) == 46 * 8 &&
              offsetof(InterfaceTable, signal_free) == 47 * 8 &&
              offsetof(InterfaceTable, error_get_message) == 48 * 8 &&
              offsetof(InterfaceTable, error_get_verbose_message) == 49 * 8 &&
              offsetof(InterfaceTable, error_free_verbose_message) == 50 * 8 &&
              offsetof(InterfaceTable, graph_prepare_execution_environment) == 51 * 8 &&
              offsetof(InterfaceTable, graph_release_execution_environment) == 52 * 8 &&
              offsetof(InterfaceTable, graph_get_property) == 53 * 8 &&
              offsetof(InterfaceTable, context_validate_binary) == 54 * 8 &&
              offsetof(InterfaceTable, context_create_from_binary_with_signal) == 55 * 8 &&
              offsetof(InterfaceTable, context_create_from_binary_list_async) == 56 * 8 &&
              offsetof(InterfaceTable, tensor_update_graph_tensors) == 57 * 8 &&
              offsetof(InterfaceTable, tensor_update_context_tensors) == 58 * 8 &&
              offsetof(InterfaceTable, context_get_binary_section_size) == 59 * 8 &&
              offsetof(InterfaceTable, context_get_binary_section) == 60 * 8 &&
              offsetof(InterfaceTable, context_apply_binary_section) == 61 * 8 &&
              offsetof(InterfaceTable, backend_get_property) == 62 * 8 &&
              offsetof(InterfaceTable, context_get_property) == 63 * 8 &&
              offsetof(InterfaceTable, context_get_incremental_binary) == 64 * 8 &&
              offsetof(InterfaceTable, context_release_incremental_binary) == 65 * 8 &&
              offsetof(InterfaceTable, context_finalize) == 66 * 8 &&
              offsetof(InterfaceTable, global_config_set) == 67 * 8 &&
              offsetof(InterfaceTable, context_create_from_binary_with_callback) == 68 * 8 &&
              offsetof(InterfaceTable, context_get_binary_section_update) == 69 * 8 &&
              offsetof(InterfaceTable, context_free_binary_section_update) == 70 * 8 &&
              offsetof(InterfaceTable, context_add_to_dlc) == 71 * 8 &&
              offsetof(InterfaceTable, graph_validate) == 72 * 8 &&
              offsetof(InterfaceTable, graph_free_validation_result) == 73 * 8 &&
              offsetof(InterfaceTable, backend_register_op_package_from_binary) == 74 * 8);

/// What a library offers. The version tells how long the table is. Belongs to the library.
/// C: QnnInterface_t.
struct Interface {
  std::uint32_t backend_id;   ///< 6 is HTP; may be 0.
  const char* provider_name;  ///< "HTP_QTI_AISW" for HTP; may be NULL.
  ApiVersion api_version;     ///< Look at core_api_version before any slot past 61.
  InterfaceTable table;       ///< The functions.
};
static_assert(sizeof(Interface) == 640 && alignof(Interface) == 8 &&
              offsetof(Interface, backend_id) == 0 && offsetof(Interface, provider_name) == 8 &&
              offsetof(Interface, api_version) == 16 && offsetof(Interface, table) == 40);

/// The exported symbol QnnInterface_getProviders. The list and its entries live as long as the
/// library is loaded. Codes: 1000, 1004.
using InterfaceGetProvidersFn = ErrorHandle (*)(const Interface*** provider_list,
                                                std::uint32_t* num_providers);

}  // namespace qnnpp::c_api
