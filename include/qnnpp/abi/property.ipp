// Numbers of property.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/property.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum PropertyKey;
  using detail::is;
  return is(group_core, 1) && is(group_backend, 101) && is(backend_support_op_package, 105) &&
         is(backend_support_platform_options, 106) && is(backend_support_composition, 107) &&
         is(backend_support_custom_property, 108) && is(group_context, 201) &&
         is(context_support_caching, 202) && is(context_support_configuration, 205) &&
         is(context_support_config_enable_graphs, 206) &&
         is(context_support_config_memory_limit_hint, 207) &&
         is(context_support_config_persistent_binary, 208) &&
         is(context_support_config_binary_compatibility_type, 209) &&
         is(context_support_validate_binary, 210) &&
         is(context_support_create_from_binary_with_signals, 211) &&
         is(context_support_create_from_binary_list_async, 212) &&
         is(context_support_binary_updates, 213) &&
         is(context_support_binary_section_full_context, 214) &&
         is(context_support_custom_property, 215) && is(context_support_incremental_binary, 216) &&
         is(context_support_deferred_graph_init, 217) &&
         is(context_support_binary_weight_only_updates, 218) &&
         is(context_support_binary_quant_only_updates, 219) &&
         is(context_support_create_from_binary_with_callback, 220) &&
         is(context_support_graph_retention_order, 221) && is(group_graph, 301) &&
         is(graph_support_config, 302) && is(graph_support_signals, 303) &&
         is(graph_support_async_execution, 304) && is(graph_support_null_inputs, 305) &&
         is(graph_support_priority_control, 306) && is(graph_support_finalize_signal, 307) &&
         is(graph_support_execute_signal, 308) && is(graph_support_execute_async_signal, 309) &&
         is(graph_support_continuous_profiling, 310) && is(graph_support_execute, 311) &&
         is(graph_support_batch_multiple, 312) &&
         is(graph_support_execute_per_api_profiling, 313) && is(graph_support_subgraph, 314) &&
         is(graph_support_profiling_state, 315) &&
         is(graph_support_set_profiling_num_executions, 316) &&
         is(graph_support_env_option_bind_mem_handles, 317) &&
         is(graph_support_env_option_populate_client_bufs, 318) &&
         is(graph_support_finalize_deserialized_graph, 319) &&
         is(graph_support_custom_property, 320) && is(graph_support_early_termination, 321) &&
         is(graph_support_online_prepare, 322) && is(group_op_package, 401) &&
         is(op_package_supports_validation, 402) && is(op_package_supports_op_impls, 403) &&
         is(op_package_supports_duplicate_names, 404) && is(group_tensor, 501) &&
         is(tensor_support_memhandle_type, 502) && is(tensor_support_context_tensors, 503) &&
         is(tensor_support_dynamic_dimensions, 504) && is(tensor_support_sparsity, 505) &&
         is(tensor_support_updateable_static_tensors, 506) &&
         is(tensor_support_updateable_native_tensors, 507) &&
         is(tensor_support_updateable_app_tensors, 508) &&
         is(tensor_support_quantization_encoding_scale_offset, 509) &&
         is(tensor_support_quantization_encoding_axis_scale_offset, 510) &&
         is(tensor_support_quantization_encoding_bw_scale_offset, 511) &&
         is(tensor_support_quantization_encoding_bw_axis_scale_offset, 512) &&
         is(tensor_support_quantization_encoding_block, 513) &&
         is(tensor_support_quantization_encoding_blockwise_expansion, 514) &&
         is(tensor_support_quantization_encoding_vector, 515) &&
         is(tensor_support_retrieve_raw, 516) && is(tensor_support_optional_app_write, 517) &&
         is(tensor_support_optional_app_read, 518) &&
         is(tensor_support_optional_app_readwrite, 519) && is(tensor_support_mx_data_format, 520) &&
         is(tensor_support_ubwc_rgba8888, 521) && is(tensor_support_ubwc_nv12, 522) &&
         is(tensor_support_ubwc_nv12_y, 523) && is(tensor_support_ubwc_nv12_uv, 524) &&
         is(tensor_support_ubwc_nv124r, 525) && is(tensor_support_ubwc_nv124r_y, 526) &&
         is(tensor_support_ubwc_nv124r_uv, 527) &&
         is(tensor_support_quantization_encoding_float_block, 528) &&
         is(tensor_support_quantization_encoding_bw_axis_scale_offset_mapped, 529) &&
         is(tensor_support_quantization_encoding_bw_block_scale_offset_mapped, 530) &&
         is(tensor_support_quantization_encoding_bw_blockwise_expansion_mapped, 531) &&
         is(tensor_support_quantization_encoding_bw_float_block, 532) && is(group_error, 1001) &&
         is(error_get_verbose_message, 1002) && is(group_memory, 1101) &&
         is(memory_support_mem_type_ion, 1102) && is(memory_support_mem_type_custom, 1103) &&
         is(memory_support_mem_type_dma_buf, 1104) && is(group_signal, 1201) &&
         is(signal_support_abort, 1202) && is(signal_support_timeout, 1203) &&
         is(group_log, 1301) && is(log_supports_default_stream, 1302) && is(group_profile, 1401) &&
         is(profile_support_custom_config, 1402) && is(profile_support_max_events_config, 1403) &&
         is(profile_supports_extended_event, 1404) && is(profile_support_optrace_config, 1405) &&
         is(group_device, 1501) && is(device_support_infrastructure, 1502) &&
         is(group_custom, 2001) && is(custom_htp_unsigned_pd_support, 2002);
}());

}  // namespace qnnpp::c_api
