// Part of verify_sdk.hpp; do not include it alone. Compares abi/interface.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/interface.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/interface.hpp"

// clang-format off
namespace qnnpp::c_api {

QNNPP_SAME_FIELD(InterfaceTable, property_has_capability, QNN_INTERFACE_VER_TYPE, propertyHasCapability);
QNNPP_SAME_FIELD(InterfaceTable, backend_create, QNN_INTERFACE_VER_TYPE, backendCreate);
QNNPP_SAME_FIELD(InterfaceTable, backend_set_config, QNN_INTERFACE_VER_TYPE, backendSetConfig);
QNNPP_SAME_FIELD(InterfaceTable, backend_get_api_version, QNN_INTERFACE_VER_TYPE, backendGetApiVersion);
QNNPP_SAME_FIELD(InterfaceTable, backend_get_build_id, QNN_INTERFACE_VER_TYPE, backendGetBuildId);
QNNPP_SAME_FIELD(InterfaceTable, backend_register_op_package, QNN_INTERFACE_VER_TYPE, backendRegisterOpPackage);
QNNPP_SAME_FIELD(InterfaceTable, backend_get_supported_operations, QNN_INTERFACE_VER_TYPE, backendGetSupportedOperations);
QNNPP_SAME_FIELD(InterfaceTable, backend_validate_op_config, QNN_INTERFACE_VER_TYPE, backendValidateOpConfig);
QNNPP_SAME_FIELD(InterfaceTable, backend_free, QNN_INTERFACE_VER_TYPE, backendFree);
QNNPP_SAME_FIELD(InterfaceTable, context_create, QNN_INTERFACE_VER_TYPE, contextCreate);
QNNPP_SAME_FIELD(InterfaceTable, context_set_config, QNN_INTERFACE_VER_TYPE, contextSetConfig);
QNNPP_SAME_FIELD(InterfaceTable, context_get_binary_size, QNN_INTERFACE_VER_TYPE, contextGetBinarySize);
QNNPP_SAME_FIELD(InterfaceTable, context_get_binary, QNN_INTERFACE_VER_TYPE, contextGetBinary);
QNNPP_SAME_FIELD(InterfaceTable, context_create_from_binary, QNN_INTERFACE_VER_TYPE, contextCreateFromBinary);
QNNPP_SAME_FIELD(InterfaceTable, context_free, QNN_INTERFACE_VER_TYPE, contextFree);
QNNPP_SAME_FIELD(InterfaceTable, graph_create, QNN_INTERFACE_VER_TYPE, graphCreate);
QNNPP_SAME_FIELD(InterfaceTable, graph_create_subgraph, QNN_INTERFACE_VER_TYPE, graphCreateSubgraph);
QNNPP_SAME_FIELD(InterfaceTable, graph_set_config, QNN_INTERFACE_VER_TYPE, graphSetConfig);
QNNPP_SAME_FIELD(InterfaceTable, graph_add_node, QNN_INTERFACE_VER_TYPE, graphAddNode);
QNNPP_SAME_FIELD(InterfaceTable, graph_finalize, QNN_INTERFACE_VER_TYPE, graphFinalize);
QNNPP_SAME_FIELD(InterfaceTable, graph_retrieve, QNN_INTERFACE_VER_TYPE, graphRetrieve);
QNNPP_SAME_FIELD(InterfaceTable, graph_execute, QNN_INTERFACE_VER_TYPE, graphExecute);
QNNPP_SAME_FIELD(InterfaceTable, graph_execute_async, QNN_INTERFACE_VER_TYPE, graphExecuteAsync);
QNNPP_SAME_FIELD(InterfaceTable, tensor_create_context_tensor, QNN_INTERFACE_VER_TYPE, tensorCreateContextTensor);
QNNPP_SAME_FIELD(InterfaceTable, tensor_create_graph_tensor, QNN_INTERFACE_VER_TYPE, tensorCreateGraphTensor);
QNNPP_SAME_FIELD(InterfaceTable, log_create, QNN_INTERFACE_VER_TYPE, logCreate);
QNNPP_SAME_FIELD(InterfaceTable, log_set_log_level, QNN_INTERFACE_VER_TYPE, logSetLogLevel);
QNNPP_SAME_FIELD(InterfaceTable, log_free, QNN_INTERFACE_VER_TYPE, logFree);
QNNPP_SAME_FIELD(InterfaceTable, profile_create, QNN_INTERFACE_VER_TYPE, profileCreate);
QNNPP_SAME_FIELD(InterfaceTable, profile_set_config, QNN_INTERFACE_VER_TYPE, profileSetConfig);
QNNPP_SAME_FIELD(InterfaceTable, profile_get_events, QNN_INTERFACE_VER_TYPE, profileGetEvents);
QNNPP_SAME_FIELD(InterfaceTable, profile_get_sub_events, QNN_INTERFACE_VER_TYPE, profileGetSubEvents);
QNNPP_SAME_FIELD(InterfaceTable, profile_get_event_data, QNN_INTERFACE_VER_TYPE, profileGetEventData);
QNNPP_SAME_FIELD(InterfaceTable, profile_get_extended_event_data, QNN_INTERFACE_VER_TYPE, profileGetExtendedEventData);
QNNPP_SAME_FIELD(InterfaceTable, profile_free, QNN_INTERFACE_VER_TYPE, profileFree);
QNNPP_SAME_FIELD(InterfaceTable, mem_register, QNN_INTERFACE_VER_TYPE, memRegister);
QNNPP_SAME_FIELD(InterfaceTable, mem_de_register, QNN_INTERFACE_VER_TYPE, memDeRegister);
QNNPP_SAME_FIELD(InterfaceTable, device_get_platform_info, QNN_INTERFACE_VER_TYPE, deviceGetPlatformInfo);
QNNPP_SAME_FIELD(InterfaceTable, device_free_platform_info, QNN_INTERFACE_VER_TYPE, deviceFreePlatformInfo);
QNNPP_SAME_FIELD(InterfaceTable, device_get_infrastructure, QNN_INTERFACE_VER_TYPE, deviceGetInfrastructure);
QNNPP_SAME_FIELD(InterfaceTable, device_create, QNN_INTERFACE_VER_TYPE, deviceCreate);
QNNPP_SAME_FIELD(InterfaceTable, device_set_config, QNN_INTERFACE_VER_TYPE, deviceSetConfig);
QNNPP_SAME_FIELD(InterfaceTable, device_get_info, QNN_INTERFACE_VER_TYPE, deviceGetInfo);
QNNPP_SAME_FIELD(InterfaceTable, device_free, QNN_INTERFACE_VER_TYPE, deviceFree);
QNNPP_SAME_FIELD(InterfaceTable, signal_create, QNN_INTERFACE_VER_TYPE, signalCreate);
QNNPP_SAME_FIELD(InterfaceTable, signal_set_config, QNN_INTERFACE_VER_TYPE, signalSetConfig);
QNNPP_SAME_FIELD(InterfaceTable, signal_trigger, QNN_INTERFACE_VER_TYPE, signalTrigger);
QNNPP_SAME_FIELD(InterfaceTable, signal_free, QNN_INTERFACE_VER_TYPE, signalFree);
QNNPP_SAME_FIELD(InterfaceTable, error_get_message, QNN_INTERFACE_VER_TYPE, errorGetMessage);
QNNPP_SAME_FIELD(InterfaceTable, error_get_verbose_message, QNN_INTERFACE_VER_TYPE, errorGetVerboseMessage);
QNNPP_SAME_FIELD(InterfaceTable, error_free_verbose_message, QNN_INTERFACE_VER_TYPE, errorFreeVerboseMessage);
QNNPP_SAME_FIELD(InterfaceTable, graph_prepare_execution_environment, QNN_INTERFACE_VER_TYPE, graphPrepareExecutionEnvironment);
QNNPP_SAME_FIELD(InterfaceTable, graph_release_execution_environment, QNN_INTERFACE_VER_TYPE, graphReleaseExecutionEnvironment);
QNNPP_SAME_FIELD(InterfaceTable, graph_get_property, QNN_INTERFACE_VER_TYPE, graphGetProperty);
QNNPP_SAME_FIELD(InterfaceTable, context_validate_binary, QNN_INTERFACE_VER_TYPE, contextValidateBinary);
QNNPP_SAME_FIELD(InterfaceTable, context_create_from_binary_with_signal, QNN_INTERFACE_VER_TYPE, contextCreateFromBinaryWithSignal);
QNNPP_SAME_FIELD(InterfaceTable, context_create_from_binary_list_async, QNN_INTERFACE_VER_TYPE, contextCreateFromBinaryListAsync);
QNNPP_SAME_FIELD(InterfaceTable, tensor_update_graph_tensors, QNN_INTERFACE_VER_TYPE, tensorUpdateGraphTensors);
QNNPP_SAME_FIELD(InterfaceTable, tensor_update_context_tensors, QNN_INTERFACE_VER_TYPE, tensorUpdateContextTensors);
QNNPP_SAME_FIELD(InterfaceTable, context_get_binary_section_size, QNN_INTERFACE_VER_TYPE, contextGetBinarySectionSize);
QNNPP_SAME_FIELD(InterfaceTable, context_get_binary_section, QNN_INTERFACE_VER_TYPE, contextGetBinarySection);
QNNPP_SAME_FIELD(InterfaceTable, context_apply_binary_section, QNN_INTERFACE_VER_TYPE, contextApplyBinarySection);
#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_FIELD(InterfaceTable, backend_get_property, QNN_INTERFACE_VER_TYPE, backendGetProperty);
QNNPP_SAME_FIELD(InterfaceTable, context_get_property, QNN_INTERFACE_VER_TYPE, contextGetProperty);
#endif
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_FIELD(InterfaceTable, context_get_incremental_binary, QNN_INTERFACE_VER_TYPE, contextGetIncrementalBinary);
QNNPP_SAME_FIELD(InterfaceTable, context_release_incremental_binary, QNN_INTERFACE_VER_TYPE, contextReleaseIncrementalBinary);
QNNPP_SAME_FIELD(InterfaceTable, context_finalize, QNN_INTERFACE_VER_TYPE, contextFinalize);
QNNPP_SAME_FIELD(InterfaceTable, global_config_set, QNN_INTERFACE_VER_TYPE, globalConfigSet);
#endif
#if QNN_API_VERSION_MINOR >= 30
QNNPP_SAME_FIELD(InterfaceTable, context_create_from_binary_with_callback, QNN_INTERFACE_VER_TYPE, contextCreateFromBinaryWithCallback);
#endif
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_FIELD(InterfaceTable, context_get_binary_section_update, QNN_INTERFACE_VER_TYPE, contextGetBinarySectionUpdate);
QNNPP_SAME_FIELD(InterfaceTable, context_free_binary_section_update, QNN_INTERFACE_VER_TYPE, contextFreeBinarySectionUpdate);
#endif
#if QNN_API_VERSION_MINOR >= 37
QNNPP_SAME_FIELD(InterfaceTable, context_add_to_dlc, QNN_INTERFACE_VER_TYPE, contextAddToDlc);
#endif
#if QNN_API_VERSION_MINOR >= 39
QNNPP_SAME_FIELD(InterfaceTable, graph_validate, QNN_INTERFACE_VER_TYPE, graphValidate);
QNNPP_SAME_FIELD(InterfaceTable, graph_free_validation_result, QNN_INTERFACE_VER_TYPE, graphFreeValidationResult);
QNNPP_SAME_FIELD(InterfaceTable, backend_register_op_package_from_binary, QNN_INTERFACE_VER_TYPE, backendRegisterOpPackageFromBinary);
#endif
QNNPP_SAME_FIELD(Interface, backend_id, QnnInterface_t, backendId);
QNNPP_SAME_FIELD(Interface, provider_name, QnnInterface_t, providerName);
QNNPP_SAME_FIELD(Interface, api_version, QnnInterface_t, apiVersion);
QNNPP_SAME_PLACE(Interface, table, QnnInterface_t, QNN_INTERFACE_VER_NAME);

}  // namespace qnnpp::c_api

#endif
