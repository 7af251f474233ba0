// Keys of property_has_capability, which reports whether a backend has a capability (LOAD-04).
//
// Keys form groups. If a group is an optional part of the API, its number is a key too. A library
// that does not know a key returns PropertyError::unknown_key.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Key of a capability. C: QnnProperty_Key_t, QNN_PROPERTY_...
enum class PropertyKey : std::uint32_t {
  group_core = 1,  ///< The core API.

  group_backend = 101,                     ///< Not a key: base of the backend keys.
  backend_support_op_package = 105,        ///< backend_register_op_package.
  backend_support_platform_options = 106,  ///< BackendConfigOption::platform.
  /// Composing graphs: context_create, graph_create and the later calls.
  backend_support_composition = 107,
  backend_support_custom_property = 108,  ///< BackendPropertyOption::custom.

  group_context = 201,                             ///< Not a key: base of the context keys.
  context_support_caching = 202,                   ///< Context binaries.
  context_support_configuration = 205,             ///< Any ContextConfig.
  context_support_config_enable_graphs = 206,      ///< ContextConfigOption::enable_graphs.
  context_support_config_memory_limit_hint = 207,  ///< ContextConfigOption::memory_limit_hint.
  context_support_config_persistent_binary = 208,  ///< ContextConfigOption::persistent_binary.
  /// ContextConfigOption::binary_compatibility.
  context_support_config_binary_compatibility_type = 209,
  context_support_validate_binary = 210,  ///< context_validate_binary.
  /// context_create_from_binary_with_signal.
  context_support_create_from_binary_with_signals = 211,
  context_support_create_from_binary_list_async = 212,  ///< context_create_from_binary_list_async.
  context_support_binary_updates = 213,  ///< Sections: ContextSectionType::updatable.
  /// Sections of the whole context: a NULL graph.
  context_support_binary_section_full_context = 214,
  /// ContextPropertyOption::custom, which reports the sizes of external buffers.
  context_support_custom_property = 215,
  context_support_incremental_binary = 216,  ///< context_get_incremental_binary.
  /// ContextConfigOption::defer_graph_init and context_finalize.
  context_support_deferred_graph_init = 217,
  /// Sections: ContextSectionType::updatable_weights.
  context_support_binary_weight_only_updates = 218,
  /// Sections: ContextSectionType::updatable_quant_params.
  context_support_binary_quant_only_updates = 219,
  /// context_create_from_binary_with_callback.
  context_support_create_from_binary_with_callback = 220,
  context_support_graph_retention_order = 221,   ///< ContextConfigOption::graph_retention_order.
  context_support_binary_section_updates = 222,  ///< context_get_binary_section_update.

  group_graph = 301,            ///< Not a key: base of the graph keys.
  graph_support_config = 302,   ///< graph_set_config.
  graph_support_signals = 303,  ///< All three signal keys below; deprecated, use them instead.
  graph_support_async_execution = 304,            ///< graph_execute_async.
  graph_support_null_inputs = 305,                ///< Graphs without inputs.
  graph_support_priority_control = 306,           ///< GraphConfigOption::priority.
  graph_support_finalize_signal = 307,            ///< Signals of graph_finalize.
  graph_support_execute_signal = 308,             ///< Signals for graph_execute.
  graph_support_execute_async_signal = 309,       ///< Signals for graph_execute_async.
  graph_support_continuous_profiling = 310,       ///< GraphConfigOption::profile_handle.
  graph_support_execute = 311,                    ///< graph_execute.
  graph_support_batch_multiple = 312,             ///< A batch that is a multiple of the graph's.
  graph_support_execute_per_api_profiling = 313,  ///< A profile for one execution.
  graph_support_subgraph = 314,                   ///< graph_create_subgraph.
  graph_support_profiling_state = 315,            ///< GraphConfigOption::set_profiling_state.
  /// GraphConfigOption::set_profiling_num_executions.
  graph_support_set_profiling_num_executions = 316,
  /// GraphExecuteEnvironmentOption::bind_mem_handles.
  graph_support_env_option_bind_mem_handles = 317,
  /// GraphExecuteEnvironmentOption::populate_client_bufs.
  graph_support_env_option_populate_client_bufs = 318,
  graph_support_finalize_deserialized_graph = 319,  ///< graph_finalize of a retrieved graph.
  graph_support_custom_property = 320,              ///< GraphPropertyOption::custom.
  graph_support_early_termination = 321,            ///< Graphs that can end early.
  graph_support_online_prepare = 322,               ///< Preparation on the device.
  /// Creation of sections with updatable weights during preparation.
  graph_support_updatable_weights_binary_section_creation = 323,
  graph_reserved_324 = 324,  ///< Known to libraries; meaning unknown. Core 2.40.

  group_op_package = 401,                     ///< Op packages.
  op_package_supports_validation = 402,       ///< Validation of nodes.
  op_package_supports_op_impls = 403,         ///< Creating and freeing implementations.
  op_package_supports_duplicate_names = 404,  ///< Several ops with one name in a package.

  group_tensor = 501,                                       ///< Not a key: base of the tensor keys.
  tensor_support_memhandle_type = 502,                      ///< TensorMemType::memhandle.
  tensor_support_context_tensors = 503,                     ///< tensor_create_context_tensor.
  tensor_support_dynamic_dimensions = 504,                  ///< TensorV2::is_dynamic_dimensions.
  tensor_support_sparsity = 505,                            ///< TensorV2::sparse_params.
  tensor_support_updateable_static_tensors = 506,           ///< TensorType::updateable_static.
  tensor_support_updateable_native_tensors = 507,           ///< TensorType::updateable_native.
  tensor_support_updateable_app_tensors = 508,              ///< TensorType::updateable_app_...
  tensor_support_quantization_encoding_scale_offset = 509,  ///< QuantizationEncoding::scale_offset.
  /// QuantizationEncoding::axis_scale_offset.
  tensor_support_quantization_encoding_axis_scale_offset = 510,
  /// QuantizationEncoding::bw_scale_offset.
  tensor_support_quantization_encoding_bw_scale_offset = 511,
  /// QuantizationEncoding::bw_axis_scale_offset.
  tensor_support_quantization_encoding_bw_axis_scale_offset = 512,
  tensor_support_quantization_encoding_block = 513,  ///< QuantizationEncoding::block.
  /// QuantizationEncoding::blockwise_expansion.
  tensor_support_quantization_encoding_blockwise_expansion = 514,
  tensor_support_quantization_encoding_vector = 515,       ///< QuantizationEncoding::vector.
  tensor_support_retrieve_raw = 516,                       ///< TensorMemType::retrieve_raw.
  tensor_support_optional_app_write = 517,                 ///< TensorType::optional_app_write.
  tensor_support_optional_app_read = 518,                  ///< TensorType::optional_app_read.
  tensor_support_optional_app_readwrite = 519,             ///< TensorType::optional_app_readwrite.
  tensor_support_mx_data_format = 520,                     ///< tensor_data_format::mx.
  tensor_support_ubwc_rgba8888 = 521,                      ///< tensor_data_format::ubwc_rgba8888.
  tensor_support_ubwc_nv12 = 522,                          ///< tensor_data_format::ubwc_nv12.
  tensor_support_ubwc_nv12_y = 523,                        ///< tensor_data_format::ubwc_nv12_y.
  tensor_support_ubwc_nv12_uv = 524,                       ///< tensor_data_format::ubwc_nv12_uv.
  tensor_support_ubwc_nv124r = 525,                        ///< tensor_data_format::ubwc_nv124r.
  tensor_support_ubwc_nv124r_y = 526,                      ///< tensor_data_format::ubwc_nv124r_y.
  tensor_support_ubwc_nv124r_uv = 527,                     ///< tensor_data_format::ubwc_nv124r_uv.
  tensor_support_quantization_encoding_float_block = 528,  ///< QuantizationEncoding::float_block.
  /// QuantizationEncoding::bw_axis_scale_offset_mapped.
  tensor_support_quantization_encoding_bw_axis_scale_offset_mapped = 529,
  /// QuantizationEncoding::bw_block_mapped.
  tensor_support_quantization_encoding_bw_block_scale_offset_mapped = 530,
  /// QuantizationEncoding::bw_blockwise_expansion_mapped.
  tensor_support_quantization_encoding_bw_blockwise_expansion_mapped = 531,
  /// QuantizationEncoding::bw_float_block.
  tensor_support_quantization_encoding_bw_float_block = 532,

  group_error = 1001,                ///< Text of errors.
  error_get_verbose_message = 1002,  ///< error_get_verbose_message.

  group_memory = 1101,                     ///< mem_register.
  memory_support_mem_type_ion = 1102,      ///< MemType::ion.
  memory_support_mem_type_custom = 1103,   ///< MemType::custom.
  memory_support_mem_type_dma_buf = 1104,  ///< MemType::dma_buf.
  memory_reserved_1105 = 1105,             ///< Known to libraries; meaning unknown. Core 2.35.

  group_signal = 1201,            ///< Signals.
  signal_support_abort = 1202,    ///< SignalConfigOption::abort.
  signal_support_timeout = 1203,  ///< SignalConfigOption::timeout.

  group_log = 1301,                    ///< Logging.
  log_supports_default_stream = 1302,  ///< log_create without a callback.

  group_profile = 1401,                      ///< Profiling.
  profile_support_custom_config = 1402,      ///< ProfileConfigOption::custom.
  profile_support_max_events_config = 1403,  ///< ProfileConfigOption::max_events.
  profile_supports_extended_event = 1404,    ///< profile_get_extended_event_data.
  profile_support_optrace_config = 1405,     ///< ProfileConfigOption::enable_optrace.

  group_device = 1501,                   ///< Devices.
  device_support_infrastructure = 1502,  ///< device_get_infrastructure.

  group_custom = 2001,                    ///< Not a key: base of keys that backends define.
  custom_htp_unsigned_pd_support = 2002,  ///< HTP: unsigned process domains.
};

/// Returns the minor of the first core API 2.x that has a key; 0 if core 2.18 has it, or if the
/// version is unknown.
[[nodiscard, gnu::visibility("hidden")]] constexpr std::uint32_t first_minor_of(
    PropertyKey key) noexcept {
  switch (key) {
    case PropertyKey::context_support_custom_property: return 23;
    case PropertyKey::context_support_incremental_binary:
    case PropertyKey::context_support_deferred_graph_init: return 27;
    case PropertyKey::context_support_create_from_binary_with_callback: return 30;
    case PropertyKey::context_support_binary_section_updates: return 32;
    default: return 0;
  }
}

/// Reports whether the backend has a capability. Callable at any time, also before any other call.
/// C: QnnProperty_hasCapability. Codes: 1000, 2000.
using PropertyHasCapabilityFn = ErrorHandle (*)(PropertyKey key);

}  // namespace qnnpp::c_api
