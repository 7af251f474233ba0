// K: every capability in the SDK's headers, one line for each.
#include "host.hpp"

namespace conformance {
namespace {

struct Key {
  std::uint32_t number;
  const char* name;
};
constexpr Key keys[] = {
    {1, "group_core"},
    {101, "group_backend"},
    {105, "backend_support_op_package"},
    {106, "backend_support_platform_options"},
    {107, "backend_support_composition"},
    {108, "backend_support_custom_property"},
    {201, "group_context"},
    {202, "context_support_caching"},
    {205, "context_support_configuration"},
    {206, "context_support_config_enable_graphs"},
    {207, "context_support_config_memory_limit_hint"},
    {208, "context_support_config_persistent_binary"},
    {209, "context_support_config_binary_compatibility_type"},
    {210, "context_support_validate_binary"},
    {211, "context_support_create_from_binary_with_signals"},
    {212, "context_support_create_from_binary_list_async"},
    {213, "context_support_binary_updates"},
    {214, "context_support_binary_section_full_context"},
    {215, "context_support_custom_property"},
    {216, "context_support_incremental_binary"},
    {217, "context_support_deferred_graph_init"},
    {218, "context_support_binary_weight_only_updates"},
    {219, "context_support_binary_quant_only_updates"},
    {220, "context_support_create_from_binary_with_callback"},
    {221, "context_support_graph_retention_order"},
    {222, "context_support_binary_section_updates"},
    {301, "group_graph"},
    {302, "graph_support_config"},
    {303, "graph_support_signals"},
    {304, "graph_support_async_execution"},
    {305, "graph_support_null_inputs"},
    {306, "graph_support_priority_control"},
    {307, "graph_support_finalize_signal"},
    {308, "graph_support_execute_signal"},
    {309, "graph_support_execute_async_signal"},
    {310, "graph_support_continuous_profiling"},
    {311, "graph_support_execute"},
    {312, "graph_support_batch_multiple"},
    {313, "graph_support_execute_per_api_profiling"},
    {314, "graph_support_subgraph"},
    {315, "graph_support_profiling_state"},
    {316, "graph_support_set_profiling_num_executions"},
    {317, "graph_support_env_option_bind_mem_handles"},
    {318, "graph_support_env_option_populate_client_bufs"},
    {319, "graph_support_finalize_deserialized_graph"},
    {320, "graph_support_custom_property"},
    {321, "graph_support_early_termination"},
    {322, "graph_support_online_prepare"},
    {323, "graph_support_updatable_weights_binary_section_creation"},
    {324, "graph_reserved_324"},
    {401, "group_op_package"},
    {402, "op_package_supports_validation"},
    {403, "op_package_supports_op_impls"},
    {404, "op_package_supports_duplicate_names"},
    {501, "group_tensor"},
    {502, "tensor_support_memhandle_type"},
    {503, "tensor_support_context_tensors"},
    {504, "tensor_support_dynamic_dimensions"},
    {505, "tensor_support_sparsity"},
    {506, "tensor_support_updateable_static_tensors"},
    {507, "tensor_support_updateable_native_tensors"},
    {508, "tensor_support_updateable_app_tensors"},
    {509, "tensor_support_quantization_encoding_scale_offset"},
    {510, "tensor_support_quantization_encoding_axis_scale_offset"},
    {511, "tensor_support_quantization_encoding_bw_scale_offset"},
    {512, "tensor_support_quantization_encoding_bw_axis_scale_offset"},
    {513, "tensor_support_quantization_encoding_block"},
    {514, "tensor_support_quantization_encoding_blockwise_expansion"},
    {515, "tensor_support_quantization_encoding_vector"},
    {516, "tensor_support_retrieve_raw"},
    {517, "tensor_support_optional_app_write"},
    {518, "tensor_support_optional_app_read"},
    {519, "tensor_support_optional_app_readwrite"},
    {520, "tensor_support_mx_data_format"},
    {521, "tensor_support_ubwc_rgba8888"},
    {522, "tensor_support_ubwc_nv12"},
    {523, "tensor_support_ubwc_nv12_y"},
    {524, "tensor_support_ubwc_nv12_uv"},
    {525, "tensor_support_ubwc_nv124r"},
    {526, "tensor_support_ubwc_nv124r_y"},
    {527, "tensor_support_ubwc_nv124r_uv"},
    {528, "tensor_support_quantization_encoding_float_block"},
    {529, "tensor_support_quantization_encoding_bw_axis_scale_offset_mapped"},
    {530, "tensor_support_quantization_encoding_bw_block_scale_offset_mapped"},
    {531, "tensor_support_quantization_encoding_bw_blockwise_expansion_mapped"},
    {532, "tensor_support_quantization_encoding_bw_float_block"},
    {1001, "group_error"},
    {1002, "error_get_verbose_message"},
    {1101, "group_memory"},
    {1102, "memory_support_mem_type_ion"},
    {1103, "memory_support_mem_type_custom"},
    {1104, "memory_support_mem_type_dma_buf"},
    {1105, "memory_reserved_1105"},
    {1201, "group_signal"},
    {1202, "signal_support_abort"},
    {1203, "signal_support_timeout"},
    {1301, "group_log"},
    {1302, "log_supports_default_stream"},
    {1401, "group_profile"},
    {1402, "profile_support_custom_config"},
    {1403, "profile_support_max_events_config"},
    {1404, "profile_supports_extended_event"},
    {1405, "profile_support_optrace_config"},
    {1501, "group_device"},
    {1502, "device_support_infrastructure"},
    {2001, "group_custom"},
    {2002, "custom_htp_unsigned_pd_support"},
};

void ask_all(Host& host) {
  for (const Key& key : keys) {
    const ErrorHandle code = host.qnn.property_has_capability(static_cast<PropertyKey>(key.number));
    say_row("K-" + std::to_string(key.number), key.name, std::to_string(code));
  }
}

}  // namespace

void ask_capabilities(Catalogue& ask) {
  ask("K", "capabilities after backendCreate", [](Host& host) {
    host.start();
    ask_all(host);
  });
  ask("K-before", "capabilities 217, 1103, 107 before backendCreate", [](Host& host) {
    for (const std::uint32_t key : {217u, 1103u, 107u})
      say("%llu", static_cast<unsigned long long>(
                      host.qnn.property_has_capability(static_cast<PropertyKey>(key))));
  });
}

}  // namespace conformance
