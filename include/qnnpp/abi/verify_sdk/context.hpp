// Part of verify_sdk.hpp; do not include it alone. Compares abi/context.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/context.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/context.hpp"

// clang-format off
namespace qnnpp::c_api {

QNNPP_SAME_VALUE(ContextConfigOption::custom, QNN_CONTEXT_CONFIG_OPTION_CUSTOM);
QNNPP_SAME_VALUE(ContextConfigOption::priority, QNN_CONTEXT_CONFIG_OPTION_PRIORITY);
QNNPP_SAME_VALUE(ContextConfigOption::error_reporting, QNN_CONTEXT_CONFIG_OPTION_ERROR_REPORTING);
QNNPP_SAME_VALUE(ContextConfigOption::oem_string, QNN_CONTEXT_CONFIG_OPTION_OEM_STRING);
QNNPP_SAME_VALUE(ContextConfigOption::async_execution_queue_depth, QNN_CONTEXT_CONFIG_ASYNC_EXECUTION_QUEUE_DEPTH);
QNNPP_SAME_VALUE(ContextConfigOption::enable_graphs, QNN_CONTEXT_CONFIG_ENABLE_GRAPHS);
QNNPP_SAME_VALUE(ContextConfigOption::memory_limit_hint, QNN_CONTEXT_CONFIG_MEMORY_LIMIT_HINT);
QNNPP_SAME_VALUE(ContextConfigOption::persistent_binary, QNN_CONTEXT_CONFIG_PERSISTENT_BINARY);
QNNPP_SAME_VALUE(ContextConfigOption::binary_compatibility, QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(ContextConfigOption::defer_graph_init, QNN_CONTEXT_CONFIG_OPTION_DEFER_GRAPH_INIT);
#endif
#if QNN_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(ContextConfigOption::graph_retention_order, QNN_CONTEXT_CONFIG_GRAPH_RETENTION_ORDER);
#endif
QNNPP_SAME_VALUE(ContextConfigOption::undefined, QNN_CONTEXT_CONFIG_UNDEFINED);
QNNPP_SAME_VALUE(ContextBinaryCompatibilityType::permissive, QNN_CONTEXT_BINARY_COMPATIBILITY_PERMISSIVE);
QNNPP_SAME_VALUE(ContextBinaryCompatibilityType::strict, QNN_CONTEXT_BINARY_COMPATIBILITY_STRICT);
QNNPP_SAME_VALUE(ContextBinaryCompatibilityType::undefined, QNN_CONTEXT_BINARY_COMPATIBILITY_TYPE_UNDEFINED);
QNNPP_SAME_VALUE(ContextAsyncExecutionQueueDepthType::numeric, QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_NUMERIC);
QNNPP_SAME_VALUE(ContextAsyncExecutionQueueDepthType::undefined, QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_UNDEFINED);
QNNPP_SAME_SIZE(ContextAsyncExecutionQueueDepth, QnnContext_AsyncExecutionQueueDepth_t);
QNNPP_SAME_FIELD(ContextAsyncExecutionQueueDepth, type, QnnContext_AsyncExecutionQueueDepth_t, type);
QNNPP_SAME_FIELD(ContextAsyncExecutionQueueDepth, depth, QnnContext_AsyncExecutionQueueDepth_t, depth);
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
QNNPP_SAME_FIELD(ContextConfig, binary_compatibility_type, QnnContext_Config_t, binaryCompatibilityType);
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
QNNPP_SAME_VALUE(ContextSectionType::updatable, QNN_CONTEXT_SECTION_UPDATABLE);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(ContextSectionType::updatable_weights, QNN_CONTEXT_SECTION_UPDATABLE_WEIGHTS);
QNNPP_SAME_VALUE(ContextSectionType::updatable_quant_params, QNN_CONTEXT_SECTION_UPDATABLE_QUANT_PARAMS);
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
#if defined(QNN_CONTEXT_CONFIG_INIT)
QNNPP_SAME_INIT(QnnContext_Config_t, QNN_CONTEXT_CONFIG_INIT, option, ContextConfigOption::undefined);
#endif

}  // namespace qnnpp::c_api

#endif
