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
