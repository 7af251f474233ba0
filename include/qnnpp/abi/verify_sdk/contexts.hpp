// Part of verify_sdk.hpp; do not include it alone. Compares the function table, contexts and
// graphs.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include <cstddef>
#include <cstdint>

#include "qnnpp/abi/backend.hpp"
#include "qnnpp/abi/context.hpp"
#include "qnnpp/abi/context_callback.hpp"
#include "qnnpp/abi/graph.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/memory.hpp"
#include "qnnpp/abi/op.hpp"
#include "qnnpp/abi/profile.hpp"
#include "qnnpp/abi/tensor.hpp"

namespace qnnpp::c_api {

// interface.hpp
QNNPP_SAME_FIELD(InterfaceTable, property_has_capability, QNN_INTERFACE_VER_TYPE,
                 propertyHasCapability);
QNNPP_SAME_FIELD(InterfaceTable, backend_create, QNN_INTERFACE_VER_TYPE, backendCreate);
QNNPP_SAME_FIELD(InterfaceTable, backend_set_config, QNN_INTERFACE_VER_TYPE, backendSetConfig);
QNNPP_SAME_FIELD(InterfaceTable, backend_get_api_version, QNN_INTERFACE_VER_TYPE,
                 backendGetApiVersion);
QNNPP_SAME_FIELD(InterfaceTable, backend_get_build_id, QNN_INTERFACE_VER_TYPE, backendGetBuildId);
QNNPP_SAME_FIELD(InterfaceTable, backend_register_op_package, QNN_INTERFACE_VER_TYPE,
                 backendRegisterOpPackage);
QNNPP_SAME_FIELD(InterfaceTable, backend_get_supported_operations, QNN_INTERFACE_VER_TYPE,
                 backendGetSupportedOperations);
QNNPP_SAME_FIELD(InterfaceTable, backend_validate_op_config, QNN_INTERFACE_VER_TYPE,
                 backendValidateOpConfig);
QNNPP_SAME_FIELD(InterfaceTable, backend_free, QNN_INTERFACE_VER_TYPE, backendFree);
QNNPP_SAME_FIELD(InterfaceTable, context_create, QNN_INTERFACE_VER_TYPE, contextCreate);
QNNPP_SAME_FIELD(InterfaceTable, context_set_config, QNN_INTERFACE_VER_TYPE, contextSetConfig);
QNNPP_SAME_FIELD(InterfaceTable, context_get_binary_size, QNN_INTERFACE_VER_TYPE,
                 contextGetBinarySize);
QNNPP_SAME_FIELD(InterfaceTable, context_get_binary, QNN_INTERFACE_VER_TYPE, contextGetBinary);
QNNPP_SAME_FIELD(InterfaceTable, context_create_from_binary, QNN_INTERFACE_VER_TYPE,
                 contextCreateFromBinary);
QNNPP_SAME_FIELD(InterfaceTable, context_free, QNN_INTERFACE_VER_TYPE, contextFree);
QNNPP_SAME_FIELD(InterfaceTable, graph_create, QNN_INTERFACE_VER_TYPE, graphCreate);
QNNPP_SAME_FIELD(InterfaceTable, graph_create_subgraph, QNN_INTERFACE_VER_TYPE,
                 graphCreateSubgraph);
QNNPP_SAME_FIELD(InterfaceTable, graph_set_config, QNN_INTERFACE_VER_TYPE, graphSetConfig);
QNNPP_SAME_FIELD(InterfaceTable, graph_add_node, QNN_INTERFACE_VER_TYPE, graphAddNode);
QNNPP_SAME_FIELD(InterfaceTable, graph_finalize, QNN_INTERFACE_VER_TYPE, graphFinalize);
QNNPP_SAME_FIELD(InterfaceTable, graph_retrieve, QNN_INTERFACE_VER_TYPE, graphRetrieve);
QNNPP_SAME_FIELD(InterfaceTable, graph_execute, QNN_INTERFACE_VER_TYPE, graphExecute);
QNNPP_SAME_FIELD(InterfaceTable, graph_execute_async, QNN_INTERFACE_VER_TYPE, graphExecuteAsync);
QNNPP_SAME_FIELD(InterfaceTable, tensor_create_context_tensor, QNN_INTERFACE_VER_TYPE,
                 tensorCreateContextTensor);
QNNPP_SAME_FIELD(InterfaceTable, tensor_create_graph_tensor, QNN_INTERFACE_VER_TYPE,
                 tensorCreateGraphTensor);
QNNPP_SAME_FIELD(InterfaceTable, log_create, QNN_INTERFACE_VER_TYPE, logCreate);
QNNPP_SAME_FIELD(InterfaceTable, log_set_log_level, QNN_INTERFACE_VER_TYPE, logSetLogLevel);
QNNPP_SAME_FIELD(InterfaceTable, log_free, QNN_INTERFACE_VER_TYPE, logFree);
QNNPP_SAME_FIELD(InterfaceTable, profile_create, QNN_INTERFACE_VER_TYPE, profileCreate);
QNNPP_SAME_FIELD(InterfaceTable, profile_set_config, QNN_INTERFACE_VER_TYPE, profileSetConfig);
QNNPP_SAME_FIELD(InterfaceTable, profile_get_events, QNN_INTERFACE_VER_TYPE, profileGetEvents);
QNNPP_SAME_FIELD(InterfaceTable, profile_get_sub_events, QNN_INTERFACE_VER_TYPE,
                 profileGetSubEvents);
QNNPP_SAME_FIELD(InterfaceTable, profile_get_event_data, QNN_INTERFACE_VER_TYPE,
                 profileGetEventData);
QNNPP_SAME_FIELD(InterfaceTable, profile_get_extended_event_data, QNN_INTERFACE_VER_TYPE,
                 profileGetExtendedEventData);
QNNPP_SAME_FIELD(InterfaceTable, profile_free, QNN_INTERFACE_VER_TYPE, profileFree);
QNNPP_SAME_FIELD(InterfaceTable, mem_register, QNN_INTERFACE_VER_TYPE, memRegister);
QNNPP_SAME_FIELD(InterfaceTable, mem_de_register, QNN_INTERFACE_VER_TYPE, memDeRegister);
QNNPP_SAME_FIELD(InterfaceTable, device_get_platform_info, QNN_INTERFACE_VER_TYPE,
                 deviceGetPlatformInfo);
QNNPP_SAME_FIELD(InterfaceTable, device_free_platform_info, QNN_INTERFACE_VER_TYPE,
                 deviceFreePlatformInfo);
QNNPP_SAME_FIELD(InterfaceTable, device_get_infrastructure, QNN_INTERFACE_VER_TYPE,
                 deviceGetInfrastructure);
QNNPP_SAME_FIELD(InterfaceTable, device_create, QNN_INTERFACE_VER_TYPE, deviceCreate);
QNNPP_SAME_FIELD(InterfaceTable, device_set_config, QNN_INTERFACE_VER_TYPE, deviceSetConfig);
QNNPP_SAME_FIELD(InterfaceTable, device_get_info, QNN_INTERFACE_VER_TYPE, deviceGetInfo);
QNNPP_SAME_FIELD(InterfaceTable, device_free, QNN_INTERFACE_VER_TYPE, deviceFree);
QNNPP_SAME_FIELD(InterfaceTable, signal_create, QNN_INTERFACE_VER_TYPE, signalCreate);
QNNPP_SAME_FIELD(InterfaceTable, signal_set_config, QNN_INTERFACE_VER_TYPE, signalSetConfig);
QNNPP_SAME_FIELD(InterfaceTable, signal_trigger, QNN_INTERFACE_VER_TYPE, signalTrigger);
QNNPP_SAME_FIELD(InterfaceTable, signal_free, QNN_INTERFACE_VER_TYPE, signalFree);
QNNPP_SAME_FIELD(InterfaceTable, error_get_message, QNN_INTERFACE_VER_TYPE, errorGetMessage);
QNNPP_SAME_FIELD(InterfaceTable, error_get_verbose_message, QNN_INTERFACE_VER_TYPE,
                 errorGetVerboseMessage);
QNNPP_SAME_FIELD(InterfaceTable, error_free_verbose_message, QNN_INTERFACE_VER_TYPE,
                 errorFreeVerboseMessage);
QNNPP_SAME_FIELD(InterfaceTable, graph_prepare_execution_environment, QNN_INTERFACE_VER_TYPE,
                 graphPrepareExecutionEnvironment);
QNNPP_SAME_FIELD(InterfaceTable, graph_release_execution_environment, QNN_INTERFACE_VER_TYPE,
                 graphReleaseExecutionEnvironment);
QNNPP_SAME_FIELD(InterfaceTable, graph_get_property, QNN_INTERFACE_VER_TYPE, graphGetProperty);
QNNPP_SAME_FIELD(InterfaceTable, context_validate_binary, QNN_INTERFACE_VER_TYPE,
                 contextValidateBinary);
QNNPP_SAME_FIELD(InterfaceTable, context_create_from_binary_with_signal, QNN_INTERFACE_VER_TYPE,
                 contextCreateFromBinaryWithSignal);
QNNPP_SAME_FIELD(InterfaceTable, context_create_from_binary_list_async, QNN_INTERFACE_VER_TYPE,
                 contextCreateFromBinaryListAsync);
QNNPP_SAME_FIELD(InterfaceTable, tensor_update_graph_tensors, QNN_INTERFACE_VER_TYPE,
                 tensorUpdateGraphTensors);
QNNPP_SAME_FIELD(InterfaceTable, tensor_update_context_tensors, QNN_INTERFACE_VER_TYPE,
                 tensorUpdateContextTensors);
QNNPP_SAME_FIELD(InterfaceTable, context_get_binary_section_size, QNN_INTERFACE_VER_TYPE,
                 contextGetBinarySectionSize);
QNNPP_SAME_FIELD(InterfaceTable, context_get_binary_section, QNN_INTERFACE_VER_TYPE,
                 contextGetBinarySection);
QNNPP_SAME_FIELD(InterfaceTable, context_apply_binary_section, QNN_INTERFACE_VER_TYPE,
                 contextApplyBinarySection);
#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_FIELD(InterfaceTable, backend_get_property, QNN_INTERFACE_VER_TYPE, backendGetProperty);
QNNPP_SAME_FIELD(InterfaceTable, context_get_property, QNN_INTERFACE_VER_TYPE, contextGetProperty);
#endif
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_FIELD(InterfaceTable, context_get_incremental_binary, QNN_INTERFACE_VER_TYPE,
                 contextGetIncrementalBinary);
QNNPP_SAME_FIELD(InterfaceTable, context_release_incremental_binary, QNN_INTERFACE_VER_TYPE,
                 contextReleaseIncrementalBinary);
QNNPP_SAME_FIELD(InterfaceTable, context_finalize, QNN_INTERFACE_VER_TYPE, contextFinalize);
QNNPP_SAME_FIELD(InterfaceTable, global_config_set, QNN_INTERFACE_VER_TYPE, globalConfigSet);
#endif
#if QNN_API_VERSION_MINOR >= 30
QNNPP_SAME_FIELD(InterfaceTable, context_create_from_binary_with_callback, QNN_INTERFACE_VER_TYPE,
                 contextCreateFromBinaryWithCallback);
#endif
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_FIELD(InterfaceTable, context_get_binary_section_update, QNN_INTERFACE_VER_TYPE,
                 contextGetBinarySectionUpdate);
QNNPP_SAME_FIELD(InterfaceTable, context_free_binary_section_update, QNN_INTERFACE_VER_TYPE,
                 contextFreeBinarySectionUpdate);
#endif
#if QNN_API_VERSION_MINOR >= 39
QNNPP_SAME_FIELD(InterfaceTable, context_add_to_dlc, QNN_INTERFACE_VER_TYPE, contextAddToDlc);
QNNPP_SAME_FIELD(InterfaceTable, graph_validate, QNN_INTERFACE_VER_TYPE, graphValidate);
QNNPP_SAME_FIELD(InterfaceTable, graph_free_validation_result, QNN_INTERFACE_VER_TYPE,
                 graphFreeValidationResult);
QNNPP_SAME_FIELD(InterfaceTable, backend_register_op_package_from_binary, QNN_INTERFACE_VER_TYPE,
                 backendRegisterOpPackageFromBinary);
#endif

QNNPP_SAME_FIELD(Interface, backend_id, QnnInterface_t, backendId);
QNNPP_SAME_FIELD(Interface, provider_name, QnnInterface_t, providerName);
QNNPP_SAME_FIELD(Interface, api_version, QnnInterface_t, apiVersion);
static_assert(offsetof(Interface, table) == offsetof(QnnInterface_t, QNN_INTERFACE_VER_NAME));

// context.hpp
QNNPP_SAME_VALUE(ContextConfigOption::custom, QNN_CONTEXT_CONFIG_OPTION_CUSTOM);
QNNPP_SAME_VALUE(ContextConfigOption::priority, QNN_CONTEXT_CONFIG_OPTION_PRIORITY);
QNNPP_SAME_VALUE(ContextConfigOption::error_reporting, QNN_CONTEXT_CONFIG_OPTION_ERROR_REPORTING);
QNNPP_SAME_VALUE(ContextConfigOption::oem_string, QNN_CONTEXT_CONFIG_OPTION_OEM_STRING);
QNNPP_SAME_VALUE(ContextConfigOption::async_execution_queue_depth,
                 QNN_CONTEXT_CONFIG_ASYNC_EXECUTION_QUEUE_DEPTH);
QNNPP_SAME_VALUE(ContextConfigOption::enable_graphs, QNN_CONTEXT_CONFIG_ENABLE_GRAPHS);
QNNPP_SAME_VALUE(ContextConfigOption::memory_limit_hint, QNN_CONTEXT_CONFIG_MEMORY_LIMIT_HINT);
QNNPP_SAME_VALUE(ContextConfigOption::persistent_binary, QNN_CONTEXT_CONFIG_PERSISTENT_BINARY);
QNNPP_SAME_VALUE(ContextConfigOption::binary_compatibility,
                 QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(ContextConfigOption::defer_graph_init, QNN_CONTEXT_CONFIG_OPTION_DEFER_GRAPH_INIT);
#endif
#if QNN_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(ContextConfigOption::graph_retention_order,
                 QNN_CONTEXT_CONFIG_GRAPH_RETENTION_ORDER);
#endif
QNNPP_SAME_VALUE(ContextConfigOption::undefined, QNN_CONTEXT_CONFIG_UNDEFINED);
QNNPP_SAME_VALUE(ContextBinaryCompatibilityType::permissive,
                 QNN_CONTEXT_BINARY_COMPATIBILITY_PERMISSIVE);
QNNPP_SAME_VALUE(ContextBinaryCompatibilityType::strict, QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT);
QNNPP_SAME_VALUE(ContextBinaryCompatibilityType::undefined,
                 QNN_CONTEXT_BINARY_COMPATIBILITY_TYPE_UNDEFINED);
QNNPP_SAME_VALUE(ContextAsyncExecutionQueueDepthType::numeric,
                 QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_NUMERIC);
QNNPP_SAME_VALUE(ContextAsyncExecutionQueueDepthType::undefined,
                 QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_UNDEFINED);
QNNPP_SAME_SIZE(ContextAsyncExecutionQueueDepth, QnnContext_AsyncExecutionQueueDepth_t);
QNNPP_SAME_FIELD(ContextAsyncExecutionQueueDepth, type, QnnContext_AsyncExecutionQueueDepth_t,
                 type);
QNNPP_SAME_FIELD(ContextAsyncExecutionQueueDepth, depth, QnnContext_AsyncExecutionQueueDepth_t,
                 depth);
QNNPP_SAME_SIZE(ContextConfig, QnnContext_Config_t);
QNNPP_SAME_FIELD(ContextConfig, option, QnnContext_Config_t, option);
QNNPP_SAME_FIELD(ContextConfig, custom_config, QnnContext_Config_t, customConfig);
QNNPP_SAME_FIELD(ContextConfig, priority, QnnContext_Config_t, priority);
QNNPP_SAME_FIELD(ContextConfig, error_config, QnnContext_Config_t, errorConfig);
QNNPP_SAME_FIELD(ContextConfig, oem_string, QnnContext_Config_t, oemString);
QNNPP_SAME_FIELD(ContextConfig, async_exe_queue_depth, QnnContext_Config_t, asyncExeQueueDepth);
QNNPP_SAME_FIELD(ContextConfig, enable_graphs, QnnContext_Config_t, enableGraphs);
QNNPP_SAME_FIELD(ContextConfig, memory_limit_hint, QnnContext_Config_t, memoryLimitHint);
QNNPP_SAME_FIELD(ContextConfig, is_persistent_binary, QnnContext_Config_t, isPersistentBinary);
QNNPP_SAME_FIELD(ContextConfig, binary_compatibility_type, QnnContext_Config_t,
                 binaryCompatibilityType);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_FIELD(ContextConfig, is_graph_init_deferred, QnnContext_Config_t, isGraphInitDeferred);
#endif
#if QNN_API_VERSION_MINOR >= 30
QNNPP_SAME_FIELD(ContextConfig, graph_retention_order, QnnContext_Config_t, graphRetentionOrder);
#endif
#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_VALUE(ContextPropertyOption::custom, QNN_CONTEXT_PROPERTY_OPTION_CUSTOM);
QNNPP_SAME_VALUE(ContextPropertyOption::undefined, QNN_CONTEXT_PROPERTY_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(ContextProperty, QnnContext_Property_t);
QNNPP_SAME_FIELD(ContextProperty, option, QnnContext_Property_t, option);
QNNPP_SAME_FIELD(ContextProperty, custom_property, QnnContext_Property_t, customProperty);
#endif
QNNPP_SAME_VALUE(ContextNotifyType::graph_init, QNN_CONTEXT_NOTIFY_TYPE_GRAPH_INIT);
QNNPP_SAME_VALUE(ContextNotifyType::context_init, QNN_CONTEXT_NOTIFY_TYPE_CONTEXT_INIT);
QNNPP_SAME_VALUE(ContextNotifyType::undefined, QNN_CONTEXT_NOTIFY_TYPE_UNDEFINED);
QNNPP_SAME_VALUE(ContextParamsVersion::v1, QNN_CONTEXT_PARAMS_VERSION_1);
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_VALUE(ContextParamsVersion::v2, QNN_CONTEXT_PARAMS_VERSION_2);
#endif
QNNPP_SAME_VALUE(ContextParamsVersion::undefined, QNN_CONTEXT_PARAMS_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(ContextParamsV1, QnnContext_ParamsV1_t);
QNNPP_SAME_FIELD(ContextParamsV1, config, QnnContext_ParamsV1_t, config);
QNNPP_SAME_FIELD(ContextParamsV1, binary_buffer, QnnContext_ParamsV1_t, binaryBuffer);
QNNPP_SAME_FIELD(ContextParamsV1, binary_buffer_size, QnnContext_ParamsV1_t, binaryBufferSize);
QNNPP_SAME_FIELD(ContextParamsV1, profile, QnnContext_ParamsV1_t, profile);
QNNPP_SAME_FIELD(ContextParamsV1, notify_func, QnnContext_ParamsV1_t, notifyFunc);
QNNPP_SAME_FIELD(ContextParamsV1, notify_param, QnnContext_ParamsV1_t, notifyParam);

// context_callback.hpp
#if QNN_API_VERSION_MINOR >= 30
QNNPP_SAME_SIZE(ContextBinaryDataRequest, Qnn_ContextBinaryDataRequest_t);
QNNPP_SAME_FIELD(ContextBinaryDataRequest, offset, Qnn_ContextBinaryDataRequest_t, offset);
QNNPP_SAME_FIELD(ContextBinaryDataRequest, size, Qnn_ContextBinaryDataRequest_t, size);
QNNPP_SAME_FIELD(ContextBinaryDataRequest, is_backend_mapping_needed,
                 Qnn_ContextBinaryDataRequest_t, isBackendMappingNeeded);
QNNPP_SAME_SIZE(ContextBinaryRawDataResponse, Qnn_ContextBinaryRawDataResponse_t);
QNNPP_SAME_FIELD(ContextBinaryRawDataResponse, mem_ptr, Qnn_ContextBinaryRawDataResponse_t, memPtr);
QNNPP_SAME_FIELD(ContextBinaryRawDataResponse, data_start_offset,
                 Qnn_ContextBinaryRawDataResponse_t, dataStartOffset);
QNNPP_SAME_FIELD(ContextBinaryRawDataResponse, aligned_size, Qnn_ContextBinaryRawDataResponse_t,
                 alignedSize);
QNNPP_SAME_SIZE(ContextBinaryDmaDataResponse, Qnn_ContextBinaryDmaDataResponse_t);
QNNPP_SAME_FIELD(ContextBinaryDmaDataResponse, dma_buffer, Qnn_ContextBinaryDmaDataResponse_t,
                 dmaBuffer);
QNNPP_SAME_FIELD(ContextBinaryDmaDataResponse, data_start_offset,
                 Qnn_ContextBinaryDmaDataResponse_t, dataStartOffset);
QNNPP_SAME_FIELD(ContextBinaryDmaDataResponse, aligned_size, Qnn_ContextBinaryDmaDataResponse_t,
                 alignedSize);
QNNPP_SAME_SIZE(ContextBinaryRawDataMem, Qnn_ContextBinaryRawDataMem_t);
QNNPP_SAME_FIELD(ContextBinaryRawDataMem, mem_ptr, Qnn_ContextBinaryRawDataMem_t, memPtr);
QNNPP_SAME_FIELD(ContextBinaryRawDataMem, mem_size, Qnn_ContextBinaryRawDataMem_t, memSize);
QNNPP_SAME_SIZE(ContextBinaryDmaDataMem, Qnn_ContextBinaryDmaDataMem_t);
QNNPP_SAME_FIELD(ContextBinaryDmaDataMem, dma_buffer, Qnn_ContextBinaryDmaDataMem_t, dmaBuffer);
QNNPP_SAME_FIELD(ContextBinaryDmaDataMem, mem_size, Qnn_ContextBinaryDmaDataMem_t, memSize);
QNNPP_SAME_VALUE(ContextBinaryRawBufferCallbackVersion::v1,
                 QNN_CONTEXT_CALLBACK_RAW_BUFFER_VERSION_1);
QNNPP_SAME_VALUE(ContextBinaryRawBufferCallbackVersion::undefined,
                 QNN_CONTEXT_CALLBACK_RAW_BUFFER_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(ContextBinaryRawBufferCallbackV1, Qnn_ContextBinaryRawBufferCallbackV1_t);
QNNPP_SAME_FIELD(ContextBinaryRawBufferCallbackV1, data_provide,
                 Qnn_ContextBinaryRawBufferCallbackV1_t, dataProvide);
QNNPP_SAME_FIELD(ContextBinaryRawBufferCallbackV1, data_release,
                 Qnn_ContextBinaryRawBufferCallbackV1_t, dataRelease);
QNNPP_SAME_FIELD(ContextBinaryRawBufferCallbackV1, notify_param,
                 Qnn_ContextBinaryRawBufferCallbackV1_t, notifyParam);
QNNPP_SAME_SIZE(ContextBinaryRawBufferCallback, Qnn_ContextBinaryRawBufferCallback_t);
QNNPP_SAME_FIELD(ContextBinaryRawBufferCallback, version, Qnn_ContextBinaryRawBufferCallback_t,
                 version);
QNNPP_SAME_FIELD(ContextBinaryRawBufferCallback, v1, Qnn_ContextBinaryRawBufferCallback_t, v1);
QNNPP_SAME_VALUE(ContextBinaryDmaBufferCallbackVersion::v1,
                 QNN_CONTEXT_CALLBACK_DMA_BUFFER_VERSION_1);
QNNPP_SAME_VALUE(ContextBinaryDmaBufferCallbackVersion::undefined,
                 QNN_CONTEXT_CALLBACK_DMA_BUFFER_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(ContextBinaryDmaBufferCallbackV1, Qnn_ContextBinaryDmaBufferCallbackV1_t);
QNNPP_SAME_FIELD(ContextBinaryDmaBufferCallbackV1, data_provide,
                 Qnn_ContextBinaryDmaBufferCallbackV1_t, dataProvide);
QNNPP_SAME_FIELD(ContextBinaryDmaBufferCallbackV1, data_release,
                 Qnn_ContextBinaryDmaBufferCallbackV1_t, dataRelease);
QNNPP_SAME_FIELD(ContextBinaryDmaBufferCallbackV1, notify_param,
                 Qnn_ContextBinaryDmaBufferCallbackV1_t, notifyParam);
QNNPP_SAME_SIZE(ContextBinaryDmaBufferCallback, Qnn_ContextBinaryDmaBufferCallback_t);
QNNPP_SAME_FIELD(ContextBinaryDmaBufferCallback, version, Qnn_ContextBinaryDmaBufferCallback_t,
                 version);
QNNPP_SAME_FIELD(ContextBinaryDmaBufferCallback, v1, Qnn_ContextBinaryDmaBufferCallback_t, v1);
QNNPP_SAME_VALUE(ContextBinaryCallbackType::raw_buffer, QNN_CONTEXT_CALLBACK_RAW_BUFFER);
QNNPP_SAME_VALUE(ContextBinaryCallbackType::dma_buffer, QNN_CONTEXT_CALLBACK_DMA_BUFFER);
QNNPP_SAME_VALUE(ContextBinaryCallbackType::undefined, QNN_CONTEXT_CALLBACK_UNDEFINED);
QNNPP_SAME_SIZE(ContextBinaryCallback, Qnn_ContextBinaryCallback_t);
QNNPP_SAME_FIELD(ContextBinaryCallback, type, Qnn_ContextBinaryCallback_t, type);
QNNPP_SAME_FIELD(ContextBinaryCallback, raw_buffer_callback, Qnn_ContextBinaryCallback_t,
                 rawBufferCallback);
QNNPP_SAME_FIELD(ContextBinaryCallback, dma_buffer_callback, Qnn_ContextBinaryCallback_t,
                 dmaBufferCallback);
#endif
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_SIZE(ContextParamsV2, QnnContext_ParamsV2_t);
QNNPP_SAME_FIELD(ContextParamsV2, config, QnnContext_ParamsV2_t, config);
QNNPP_SAME_FIELD(ContextParamsV2, binary_buffer, QnnContext_ParamsV2_t, binaryBuffer);
QNNPP_SAME_FIELD(ContextParamsV2, binary_buffer_size, QnnContext_ParamsV2_t, binaryBufferSize);
QNNPP_SAME_FIELD(ContextParamsV2, profile, QnnContext_ParamsV2_t, profile);
QNNPP_SAME_FIELD(ContextParamsV2, notify_func, QnnContext_ParamsV2_t, notifyFunc);
QNNPP_SAME_FIELD(ContextParamsV2, notify_param, QnnContext_ParamsV2_t, notifyParam);
QNNPP_SAME_FIELD(ContextParamsV2, callback, QnnContext_ParamsV2_t, callback);
#endif
QNNPP_SAME_SIZE(ContextParams, QnnContext_Params_t);
QNNPP_SAME_FIELD(ContextParams, version, QnnContext_Params_t, version);
QNNPP_SAME_FIELD(ContextParams, v1, QnnContext_Params_t, v1);
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_FIELD(ContextParams, v2, QnnContext_Params_t, v2);
#endif

// context.hpp: sections
QNNPP_SAME_VALUE(ContextSectionType::updatable, QNN_CONTEXT_SECTION_UPDATABLE);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(ContextSectionType::updatable_weights, QNN_CONTEXT_SECTION_UPDATABLE_WEIGHTS);
QNNPP_SAME_VALUE(ContextSectionType::updatable_quant_params,
                 QNN_CONTEXT_SECTION_UPDATABLE_QUANT_PARAMS);
#endif
QNNPP_SAME_VALUE(ContextSectionType::undefined, QNN_CONTEXT_SECTION_UNDEFINED);
QNNPP_SAME_VALUE(ContextMemType::raw, QNN_CONTEXTMEMTYPE_RAW);
QNNPP_SAME_VALUE(ContextMemType::memhandle, QNN_CONTEXTMEMTYPE_MEMHANDLE);
QNNPP_SAME_VALUE(ContextMemType::undefined, QNN_CONTEXTMEMTYPE_UNDEFINED);
QNNPP_SAME_SIZE(BinaryBuffer, Qnn_BinaryBuffer_t);
QNNPP_SAME_FIELD(BinaryBuffer, data, Qnn_BinaryBuffer_t, data);
QNNPP_SAME_FIELD(BinaryBuffer, data_size, Qnn_BinaryBuffer_t, dataSize);
QNNPP_SAME_VALUE(ContextBufferVersion::v1, QNN_CONTEXT_BUFFER_VERSION_1);
QNNPP_SAME_VALUE(ContextBufferVersion::undefined, QNN_CONTEXT_BUFFER_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(ContextBufferV1, QnnContext_BufferV1_t);
QNNPP_SAME_FIELD(ContextBufferV1, mem_type, QnnContext_BufferV1_t, memType);
QNNPP_SAME_FIELD(ContextBufferV1, binary_buf, QnnContext_BufferV1_t, binaryBuf);
QNNPP_SAME_FIELD(ContextBufferV1, mem_handle, QnnContext_BufferV1_t, memHandle);
QNNPP_SAME_SIZE(ContextBuffer, QnnContext_Buffer_t);
QNNPP_SAME_FIELD(ContextBuffer, version, QnnContext_Buffer_t, version);
QNNPP_SAME_FIELD(ContextBuffer, v1, QnnContext_Buffer_t, v1);

// graph.hpp
QNNPP_SAME_VALUE(GraphConfigOption::custom, QNN_GRAPH_CONFIG_OPTION_CUSTOM);
QNNPP_SAME_VALUE(GraphConfigOption::priority, QNN_GRAPH_CONFIG_OPTION_PRIORITY);
QNNPP_SAME_VALUE(GraphConfigOption::profile_handle, QNN_GRAPH_CONFIG_OPTION_PROFILE_HANDLE);
QNNPP_SAME_VALUE(GraphConfigOption::set_profiling_state,
                 QNN_GRAPH_CONFIG_OPTION_SET_PROFILING_STATE);
QNNPP_SAME_VALUE(GraphConfigOption::set_profiling_num_executions,
                 QNN_GRAPH_CONFIG_OPTION_SET_PROFILING_NUM_EXECUTIONS);
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_VALUE(GraphConfigOption::enable_binary_section_weights_updates,
                 QNN_GRAPH_CONFIG_OPTION_ENABLE_BINARY_SECTION_WEIGHTS_UPDATES);
#endif
QNNPP_SAME_VALUE(GraphConfigOption::undefined, QNN_GRAPH_CONFIG_OPTION_UNDEFINED);
QNNPP_SAME_VALUE(GraphProfilingState::enabled, QNN_GRAPH_PROFILING_STATE_ENABLED);
QNNPP_SAME_VALUE(GraphProfilingState::disabled, QNN_GRAPH_PROFILING_STATE_DISABLED);
QNNPP_SAME_VALUE(GraphProfilingState::undefined, QNN_GRAPH_PROFILING_STATE_UNDEFINED);
QNNPP_SAME_SIZE(GraphConfig, QnnGraph_Config_t);
QNNPP_SAME_FIELD(GraphConfig, option, QnnGraph_Config_t, option);
QNNPP_SAME_FIELD(GraphConfig, custom_config, QnnGraph_Config_t, customConfig);
QNNPP_SAME_FIELD(GraphConfig, priority, QnnGraph_Config_t, priority);
QNNPP_SAME_FIELD(GraphConfig, profile_handle, QnnGraph_Config_t, profileHandle);
QNNPP_SAME_FIELD(GraphConfig, profiling_state, QnnGraph_Config_t, profilingState);
QNNPP_SAME_FIELD(GraphConfig, num_profiling_executions, QnnGraph_Config_t, numProfilingExecutions);
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_FIELD(GraphConfig, enable_binary_section_weights_updates, QnnGraph_Config_t,
                 enableBinarySectionWeightsUpdates);
#endif
QNNPP_SAME_VALUE(GraphPropertyOption::custom, QNN_GRAPH_PROPERTY_OPTION_CUSTOM);
QNNPP_SAME_VALUE(GraphPropertyOption::undefined, QNN_GRAPH_PROPERTY_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(GraphProperty, QnnGraph_Property_t);
QNNPP_SAME_FIELD(GraphProperty, option, QnnGraph_Property_t, option);
QNNPP_SAME_FIELD(GraphProperty, custom_property, QnnGraph_Property_t, customProperty);
QNNPP_SAME_VALUE(GraphExecuteEnvironmentOption::bind_mem_handles,
                 QNN_GRAPH_EXECUTE_ENVIRONMENT_OPTION_BIND_MEM_HANDLES);
QNNPP_SAME_VALUE(GraphExecuteEnvironmentOption::populate_client_bufs,
                 QNN_GRAPH_EXECUTE_ENVIRONMENT_OPTION_POPULATE_CLIENT_BUFS);
QNNPP_SAME_VALUE(GraphExecuteEnvironmentOption::undefined,
                 QNN_GRAPH_EXECUTE_ENVIRONMENT_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(GraphExecuteEnvironment, QnnGraph_ExecuteEnvironment_t);
QNNPP_SAME_FIELD(GraphExecuteEnvironment, option, QnnGraph_ExecuteEnvironment_t, option);
QNNPP_SAME_FIELD(GraphExecuteEnvironment, tensor_set, QnnGraph_ExecuteEnvironment_t, tensorSet);
#if QNN_API_VERSION_MINOR >= 39
QNNPP_SAME_VALUE(GraphValidateOption::custom, QNN_GRAPH_VALIDATE_OPTION_CUSTOM);
QNNPP_SAME_VALUE(GraphValidateOption::undefined, QNN_GRAPH_VALIDATE_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(GraphValidateConfig, QnnGraph_ValidateConfig_t);
QNNPP_SAME_FIELD(GraphValidateConfig, option, QnnGraph_ValidateConfig_t, option);
QNNPP_SAME_FIELD(GraphValidateConfig, custom_config, QnnGraph_ValidateConfig_t, customConfig);
QNNPP_SAME_VALUE(GraphNodeValidationStatus::supported, QNN_GRAPH_NODE_VALIDATION_STATUS_SUPPORTED);
QNNPP_SAME_VALUE(GraphNodeValidationStatus::unsupported,
                 QNN_GRAPH_NODE_VALIDATION_STATUS_UNSUPPORTED);
QNNPP_SAME_VALUE(GraphNodeValidationStatus::undefined, QNN_GRAPH_NODE_VALIDATION_STATUS_UNDEFINED);
QNNPP_SAME_SIZE(GraphNodeValidationResult, QnnGraph_NodeValidationResult_t);
QNNPP_SAME_FIELD(GraphNodeValidationResult, node_name, QnnGraph_NodeValidationResult_t, nodeName);
QNNPP_SAME_FIELD(GraphNodeValidationResult, status, QnnGraph_NodeValidationResult_t, status);
QNNPP_SAME_FIELD(GraphNodeValidationResult, error_code, QnnGraph_NodeValidationResult_t, errorCode);
QNNPP_SAME_FIELD(GraphNodeValidationResult, error_message, QnnGraph_NodeValidationResult_t,
                 errorMessage);
QNNPP_SAME_SIZE(GraphValidationResult, QnnGraph_ValidationResult_t);
QNNPP_SAME_FIELD(GraphValidationResult, num_results, QnnGraph_ValidationResult_t, numResults);
QNNPP_SAME_FIELD(GraphValidationResult, results, QnnGraph_ValidationResult_t, results);
QNNPP_SAME_FIELD(GraphValidationResult, overall_status, QnnGraph_ValidationResult_t, overallStatus);
#endif

// backend.hpp, memory.hpp: constants
#if defined(QNN_BACKEND_ID_NULL)
QNNPP_SAME_VALUE(backend_id::null, QNN_BACKEND_ID_NULL);
#endif
#if defined(QNN_BACKEND_ID_HTP)
QNNPP_SAME_VALUE(backend_id::htp, QNN_BACKEND_ID_HTP);
#endif
#if defined(QNN_MEM_INVALID_FD)
QNNPP_SAME_VALUE(mem_invalid_fd, QNN_MEM_INVALID_FD);
#endif

// Values of the selecting fields after the SDK's initializers.
#if defined(QNN_TENSOR_INIT)
QNNPP_SAME_INIT(Qnn_Tensor_t, QNN_TENSOR_INIT, version, TensorVersion::v1);
#endif
#if defined(QNN_OPCONFIG_INIT)
QNNPP_SAME_INIT(Qnn_OpConfig_t, QNN_OPCONFIG_INIT, version, OpConfigVersion::v1);
#endif
#if defined(QNN_CONTEXT_CONFIG_INIT)
QNNPP_SAME_INIT(QnnContext_Config_t, QNN_CONTEXT_CONFIG_INIT, option,
                ContextConfigOption::undefined);
#endif
#if defined(QNN_GRAPH_CONFIG_INIT)
QNNPP_SAME_INIT(QnnGraph_Config_t, QNN_GRAPH_CONFIG_INIT, option, GraphConfigOption::undefined);
#endif
#if defined(QNN_BACKEND_CONFIG_INIT)
QNNPP_SAME_INIT(QnnBackend_Config_t, QNN_BACKEND_CONFIG_INIT, option,
                BackendConfigOption::undefined);
#endif
#if defined(QNN_PROFILE_CONFIG_INIT)
QNNPP_SAME_INIT(QnnProfile_Config_t, QNN_PROFILE_CONFIG_INIT, option,
                ProfileConfigOption::undefined);
#endif
#if defined(QNN_MEM_DESCRIPTOR_INIT)
QNNPP_SAME_INIT(Qnn_MemDescriptor_t, QNN_MEM_DESCRIPTOR_INIT, memType, MemType::undefined);
QNNPP_SAME_INIT(Qnn_MemDescriptor_t, QNN_MEM_DESCRIPTOR_INIT, ionInfo.fd, mem_invalid_fd);
#endif

}  // namespace qnnpp::c_api

#endif
