// Part of verify_sdk.hpp, and nothing without it: property keys, as far as the SDK has them.
#pragma once

#if defined(QNNPP_SAME_FIELD)

#include <cstddef>
#include <cstdint>

#include "qnnpp/abi/property.hpp"

namespace qnnpp::c_api {

// property.hpp
#if defined(QNN_PROPERTY_GROUP_CORE)
QNNPP_SAME_VALUE(PropertyKey::group_core, QNN_PROPERTY_GROUP_CORE);
#endif
#if defined(QNN_PROPERTY_GROUP_BACKEND)
QNNPP_SAME_VALUE(PropertyKey::group_backend, QNN_PROPERTY_GROUP_BACKEND);
#endif
#if defined(QNN_PROPERTY_BACKEND_SUPPORT_OP_PACKAGE)
QNNPP_SAME_VALUE(PropertyKey::backend_support_op_package, QNN_PROPERTY_BACKEND_SUPPORT_OP_PACKAGE);
#endif
#if defined(QNN_PROPERTY_BACKEND_SUPPORT_PLATFORM_OPTIONS)
QNNPP_SAME_VALUE(PropertyKey::backend_support_platform_options,
                 QNN_PROPERTY_BACKEND_SUPPORT_PLATFORM_OPTIONS);
#endif
#if defined(QNN_PROPERTY_BACKEND_SUPPORT_COMPOSITION)
QNNPP_SAME_VALUE(PropertyKey::backend_support_composition,
                 QNN_PROPERTY_BACKEND_SUPPORT_COMPOSITION);
#endif
#if defined(QNN_PROPERTY_BACKEND_SUPPORT_CUSTOM_PROPERTY)
QNNPP_SAME_VALUE(PropertyKey::backend_support_custom_property,
                 QNN_PROPERTY_BACKEND_SUPPORT_CUSTOM_PROPERTY);
#endif
#if defined(QNN_PROPERTY_GROUP_CONTEXT)
QNNPP_SAME_VALUE(PropertyKey::group_context, QNN_PROPERTY_GROUP_CONTEXT);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CACHING)
QNNPP_SAME_VALUE(PropertyKey::context_support_caching, QNN_PROPERTY_CONTEXT_SUPPORT_CACHING);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CONFIGURATION)
QNNPP_SAME_VALUE(PropertyKey::context_support_configuration,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CONFIGURATION);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_ENABLE_GRAPHS)
QNNPP_SAME_VALUE(PropertyKey::context_support_config_enable_graphs,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_ENABLE_GRAPHS);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_MEMORY_LIMIT_HINT)
QNNPP_SAME_VALUE(PropertyKey::context_support_config_memory_limit_hint,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_MEMORY_LIMIT_HINT);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_PERSISTENT_BINARY)
QNNPP_SAME_VALUE(PropertyKey::context_support_config_persistent_binary,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_PERSISTENT_BINARY);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_BINARY_COMPATIBILITY_TYPE)
QNNPP_SAME_VALUE(PropertyKey::context_support_config_binary_compatibility_type,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_BINARY_COMPATIBILITY_TYPE);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_VALIDATE_BINARY)
QNNPP_SAME_VALUE(PropertyKey::context_support_validate_binary,
                 QNN_PROPERTY_CONTEXT_SUPPORT_VALIDATE_BINARY);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_WITH_SIGNALS)
QNNPP_SAME_VALUE(PropertyKey::context_support_create_from_binary_with_signals,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_WITH_SIGNALS);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_LIST_ASYNC)
QNNPP_SAME_VALUE(PropertyKey::context_support_create_from_binary_list_async,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_LIST_ASYNC);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_UPDATES)
QNNPP_SAME_VALUE(PropertyKey::context_support_binary_updates,
                 QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_UPDATES);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_SECTION_FULL_CONTEXT)
QNNPP_SAME_VALUE(PropertyKey::context_support_binary_section_full_context,
                 QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_SECTION_FULL_CONTEXT);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CUSTOM_PROPERTY)
QNNPP_SAME_VALUE(PropertyKey::context_support_custom_property,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CUSTOM_PROPERTY);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_INCREMENTAL_BINARY)
QNNPP_SAME_VALUE(PropertyKey::context_support_incremental_binary,
                 QNN_PROPERTY_CONTEXT_SUPPORT_INCREMENTAL_BINARY);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_DEFERRED_GRAPH_INIT)
QNNPP_SAME_VALUE(PropertyKey::context_support_deferred_graph_init,
                 QNN_PROPERTY_CONTEXT_SUPPORT_DEFERRED_GRAPH_INIT);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_WEIGHT_ONLY_UPDATES)
QNNPP_SAME_VALUE(PropertyKey::context_support_binary_weight_only_updates,
                 QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_WEIGHT_ONLY_UPDATES);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_QUANT_ONLY_UPDATES)
QNNPP_SAME_VALUE(PropertyKey::context_support_binary_quant_only_updates,
                 QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_QUANT_ONLY_UPDATES);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_WITH_CALLBACK)
QNNPP_SAME_VALUE(PropertyKey::context_support_create_from_binary_with_callback,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_WITH_CALLBACK);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_GRAPH_RETENTION_ORDER)
QNNPP_SAME_VALUE(PropertyKey::context_support_graph_retention_order,
                 QNN_PROPERTY_CONTEXT_SUPPORT_GRAPH_RETENTION_ORDER);
#endif
#if defined(QNN_PROPERTY_GROUP_GRAPH)
QNNPP_SAME_VALUE(PropertyKey::group_graph, QNN_PROPERTY_GROUP_GRAPH);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_CONFIG)
QNNPP_SAME_VALUE(PropertyKey::graph_support_config, QNN_PROPERTY_GRAPH_SUPPORT_CONFIG);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_SIGNALS)
QNNPP_SAME_VALUE(PropertyKey::graph_support_signals, QNN_PROPERTY_GRAPH_SUPPORT_SIGNALS);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_ASYNC_EXECUTION)
QNNPP_SAME_VALUE(PropertyKey::graph_support_async_execution,
                 QNN_PROPERTY_GRAPH_SUPPORT_ASYNC_EXECUTION);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_NULL_INPUTS)
QNNPP_SAME_VALUE(PropertyKey::graph_support_null_inputs, QNN_PROPERTY_GRAPH_SUPPORT_NULL_INPUTS);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_PRIORITY_CONTROL)
QNNPP_SAME_VALUE(PropertyKey::graph_support_priority_control,
                 QNN_PROPERTY_GRAPH_SUPPORT_PRIORITY_CONTROL);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_FINALIZE_SIGNAL)
QNNPP_SAME_VALUE(PropertyKey::graph_support_finalize_signal,
                 QNN_PROPERTY_GRAPH_SUPPORT_FINALIZE_SIGNAL);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_SIGNAL)
QNNPP_SAME_VALUE(PropertyKey::graph_support_execute_signal,
                 QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_SIGNAL);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_ASYNC_SIGNAL)
QNNPP_SAME_VALUE(PropertyKey::graph_support_execute_async_signal,
                 QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_ASYNC_SIGNAL);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_CONTINUOUS_PROFILING)
QNNPP_SAME_VALUE(PropertyKey::graph_support_continuous_profiling,
                 QNN_PROPERTY_GRAPH_SUPPORT_CONTINUOUS_PROFILING);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE)
QNNPP_SAME_VALUE(PropertyKey::graph_support_execute, QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_BATCH_MULTIPLE)
QNNPP_SAME_VALUE(PropertyKey::graph_support_batch_multiple,
                 QNN_PROPERTY_GRAPH_SUPPORT_BATCH_MULTIPLE);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_PER_API_PROFILING)
QNNPP_SAME_VALUE(PropertyKey::graph_support_execute_per_api_profiling,
                 QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_PER_API_PROFILING);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_SUBGRAPH)
QNNPP_SAME_VALUE(PropertyKey::graph_support_subgraph, QNN_PROPERTY_GRAPH_SUPPORT_SUBGRAPH);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_PROFILING_STATE)
QNNPP_SAME_VALUE(PropertyKey::graph_support_profiling_state,
                 QNN_PROPERTY_GRAPH_SUPPORT_PROFILING_STATE);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_SET_PROFILING_NUM_EXECUTIONS)
QNNPP_SAME_VALUE(PropertyKey::graph_support_set_profiling_num_executions,
                 QNN_PROPERTY_GRAPH_SUPPORT_SET_PROFILING_NUM_EXECUTIONS);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_ENV_OPTION_BIND_MEM_HANDLES)
QNNPP_SAME_VALUE(PropertyKey::graph_support_env_option_bind_mem_handles,
                 QNN_PROPERTY_GRAPH_SUPPORT_ENV_OPTION_BIND_MEM_HANDLES);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_ENV_OPTION_POPULATE_CLIENT_BUFS)
QNNPP_SAME_VALUE(PropertyKey::graph_support_env_option_populate_client_bufs,
                 QNN_PROPERTY_GRAPH_SUPPORT_ENV_OPTION_POPULATE_CLIENT_BUFS);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_FINALIZE_DESERIALIZED_GRAPH)
QNNPP_SAME_VALUE(PropertyKey::graph_support_finalize_deserialized_graph,
                 QNN_PROPERTY_GRAPH_SUPPORT_FINALIZE_DESERIALIZED_GRAPH);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_CUSTOM_PROPERTY)
QNNPP_SAME_VALUE(PropertyKey::graph_support_custom_property,
                 QNN_PROPERTY_GRAPH_SUPPORT_CUSTOM_PROPERTY);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_EARLY_TERMINATION)
QNNPP_SAME_VALUE(PropertyKey::graph_support_early_termination,
                 QNN_PROPERTY_GRAPH_SUPPORT_EARLY_TERMINATION);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_ONLINE_PREPARE)
QNNPP_SAME_VALUE(PropertyKey::graph_support_online_prepare,
                 QNN_PROPERTY_GRAPH_SUPPORT_ONLINE_PREPARE);
#endif
#if defined(QNN_PROPERTY_GROUP_OP_PACKAGE)
QNNPP_SAME_VALUE(PropertyKey::group_op_package, QNN_PROPERTY_GROUP_OP_PACKAGE);
#endif
#if defined(QNN_PROPERTY_OP_PACKAGE_SUPPORTS_VALIDATION)
QNNPP_SAME_VALUE(PropertyKey::op_package_supports_validation,
                 QNN_PROPERTY_OP_PACKAGE_SUPPORTS_VALIDATION);
#endif
#if defined(QNN_PROPERTY_OP_PACKAGE_SUPPORTS_OP_IMPLS)
QNNPP_SAME_VALUE(PropertyKey::op_package_supports_op_impls,
                 QNN_PROPERTY_OP_PACKAGE_SUPPORTS_OP_IMPLS);
#endif
#if defined(QNN_PROPERTY_OP_PACKAGE_SUPPORTS_DUPLICATE_NAMES)
QNNPP_SAME_VALUE(PropertyKey::op_package_supports_duplicate_names,
                 QNN_PROPERTY_OP_PACKAGE_SUPPORTS_DUPLICATE_NAMES);
#endif
#if defined(QNN_PROPERTY_GROUP_TENSOR)
QNNPP_SAME_VALUE(PropertyKey::group_tensor, QNN_PROPERTY_GROUP_TENSOR);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_MEMHANDLE_TYPE)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_memhandle_type,
                 QNN_PROPERTY_TENSOR_SUPPORT_MEMHANDLE_TYPE);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_CONTEXT_TENSORS)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_context_tensors,
                 QNN_PROPERTY_TENSOR_SUPPORT_CONTEXT_TENSORS);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_DYNAMIC_DIMENSIONS)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_dynamic_dimensions,
                 QNN_PROPERTY_TENSOR_SUPPORT_DYNAMIC_DIMENSIONS);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_SPARSITY)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_sparsity, QNN_PROPERTY_TENSOR_SUPPORT_SPARSITY);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_STATIC_TENSORS)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_updateable_static_tensors,
                 QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_STATIC_TENSORS);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_NATIVE_TENSORS)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_updateable_native_tensors,
                 QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_NATIVE_TENSORS);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_APP_TENSORS)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_updateable_app_tensors,
                 QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_APP_TENSORS);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_SCALE_OFFSET)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_scale_offset,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_SCALE_OFFSET);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_axis_scale_offset,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_SCALE_OFFSET)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_bw_scale_offset,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_SCALE_OFFSET);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_bw_axis_scale_offset,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BLOCK)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_block,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BLOCK);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_blockwise_expansion,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_VECTOR)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_vector,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_VECTOR);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_RETRIEVE_RAW)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_retrieve_raw,
                 QNN_PROPERTY_TENSOR_SUPPORT_RETRIEVE_RAW);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_WRITE)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_optional_app_write,
                 QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_WRITE);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_READ)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_optional_app_read,
                 QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_READ);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_READWRITE)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_optional_app_readwrite,
                 QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_READWRITE);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_MX_DATA_FORMAT)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_mx_data_format,
                 QNN_PROPERTY_TENSOR_SUPPORT_MX_DATA_FORMAT);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UBWC_RGBA8888)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_ubwc_rgba8888,
                 QNN_PROPERTY_TENSOR_SUPPORT_UBWC_RGBA8888);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV12)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_ubwc_nv12, QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV12);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV12_Y)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_ubwc_nv12_y, QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV12_Y);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV12_UV)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_ubwc_nv12_uv,
                 QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV12_UV);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV124R)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_ubwc_nv124r, QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV124R);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV124R_Y)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_ubwc_nv124r_y,
                 QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV124R_Y);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV124R_UV)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_ubwc_nv124r_uv,
                 QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV124R_UV);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_FLOAT_BLOCK)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_float_block,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_FLOAT_BLOCK);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET_MAPPED)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_bw_axis_scale_offset_mapped,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET_MAPPED);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_BLOCK_SCALE_OFFSET_MAPPED)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_bw_block_scale_offset_mapped,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_BLOCK_SCALE_OFFSET_MAPPED);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_BLOCKWISE_EXPANSION_MAPPED)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_bw_blockwise_expansion_mapped,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_BLOCKWISE_EXPANSION_MAPPED);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_FLOAT_BLOCK)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_bw_float_block,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_FLOAT_BLOCK);
#endif
#if defined(QNN_PROPERTY_GROUP_ERROR)
QNNPP_SAME_VALUE(PropertyKey::group_error, QNN_PROPERTY_GROUP_ERROR);
#endif
#if defined(QNN_PROPERTY_ERROR_GET_VERBOSE_MESSAGE)
QNNPP_SAME_VALUE(PropertyKey::error_get_verbose_message, QNN_PROPERTY_ERROR_GET_VERBOSE_MESSAGE);
#endif
#if defined(QNN_PROPERTY_GROUP_MEMORY)
QNNPP_SAME_VALUE(PropertyKey::group_memory, QNN_PROPERTY_GROUP_MEMORY);
#endif
#if defined(QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_ION)
QNNPP_SAME_VALUE(PropertyKey::memory_support_mem_type_ion,
                 QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_ION);
#endif
#if defined(QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_CUSTOM)
QNNPP_SAME_VALUE(PropertyKey::memory_support_mem_type_custom,
                 QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_CUSTOM);
#endif
#if defined(QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_DMA_BUF)
QNNPP_SAME_VALUE(PropertyKey::memory_support_mem_type_dma_buf,
                 QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_DMA_BUF);
#endif
#if defined(QNN_PROPERTY_GROUP_SIGNAL)
QNNPP_SAME_VALUE(PropertyKey::group_signal, QNN_PROPERTY_GROUP_SIGNAL);
#endif
#if defined(QNN_PROPERTY_SIGNAL_SUPPORT_ABORT)
QNNPP_SAME_VALUE(PropertyKey::signal_support_abort, QNN_PROPERTY_SIGNAL_SUPPORT_ABORT);
#endif
#if defined(QNN_PROPERTY_SIGNAL_SUPPORT_TIMEOUT)
QNNPP_SAME_VALUE(PropertyKey::signal_support_timeout, QNN_PROPERTY_SIGNAL_SUPPORT_TIMEOUT);
#endif
#if defined(QNN_PROPERTY_GROUP_LOG)
QNNPP_SAME_VALUE(PropertyKey::group_log, QNN_PROPERTY_GROUP_LOG);
#endif
#if defined(QNN_PROPERTY_LOG_SUPPORTS_DEFAULT_STREAM)
QNNPP_SAME_VALUE(PropertyKey::log_supports_default_stream,
                 QNN_PROPERTY_LOG_SUPPORTS_DEFAULT_STREAM);
#endif
#if defined(QNN_PROPERTY_GROUP_PROFILE)
QNNPP_SAME_VALUE(PropertyKey::group_profile, QNN_PROPERTY_GROUP_PROFILE);
#endif
#if defined(QNN_PROPERTY_PROFILE_SUPPORT_CUSTOM_CONFIG)
QNNPP_SAME_VALUE(PropertyKey::profile_support_custom_config,
                 QNN_PROPERTY_PROFILE_SUPPORT_CUSTOM_CONFIG);
#endif
#if defined(QNN_PROPERTY_PROFILE_SUPPORT_MAX_EVENTS_CONFIG)
QNNPP_SAME_VALUE(PropertyKey::profile_support_max_events_config,
                 QNN_PROPERTY_PROFILE_SUPPORT_MAX_EVENTS_CONFIG);
#endif
#if defined(QNN_PROPERTY_PROFILE_SUPPORTS_EXTENDED_EVENT)
QNNPP_SAME_VALUE(PropertyKey::profile_supports_extended_event,
                 QNN_PROPERTY_PROFILE_SUPPORTS_EXTENDED_EVENT);
#endif
#if defined(QNN_PROPERTY_PROFILE_SUPPORT_OPTRACE_CONFIG)
QNNPP_SAME_VALUE(PropertyKey::profile_support_optrace_config,
                 QNN_PROPERTY_PROFILE_SUPPORT_OPTRACE_CONFIG);
#endif
#if defined(QNN_PROPERTY_GROUP_DEVICE)
QNNPP_SAME_VALUE(PropertyKey::group_device, QNN_PROPERTY_GROUP_DEVICE);
#endif
#if defined(QNN_PROPERTY_DEVICE_SUPPORT_INFRASTRUCTURE)
QNNPP_SAME_VALUE(PropertyKey::device_support_infrastructure,
                 QNN_PROPERTY_DEVICE_SUPPORT_INFRASTRUCTURE);
#endif
#if defined(QNN_PROPERTY_GROUP_CUSTOM)
QNNPP_SAME_VALUE(PropertyKey::group_custom, QNN_PROPERTY_GROUP_CUSTOM);
#endif
#if defined(QNN_PROPERTY_CUSTOM_HTP_UNSIGNED_PD_SUPPORT)
QNNPP_SAME_VALUE(PropertyKey::custom_htp_unsigned_pd_support,
                 QNN_PROPERTY_CUSTOM_HTP_UNSIGNED_PD_SUPPORT);
#endif

}  // namespace qnnpp::c_api

#endif
