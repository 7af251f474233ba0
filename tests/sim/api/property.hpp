// Capabilities: what propertyHasCapability answers for each key of abi/property.hpp.
#pragma once

#include <cstdint>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/property.hpp"
#include "sim/api/call.hpp"

namespace qnnpp::sim {

/// What the device says about a capability.
enum class Capability : std::uint8_t { unknown, no, yes };

/// Every key that is one is known; groups that are no keys are not.
[[nodiscard]] inline Capability capability(c_api::PropertyKey key, const Config& config) noexcept {
  switch (key) {
    using enum c_api::PropertyKey;
    case context_support_deferred_graph_init:
      return config.deferred_init != 0 ? Capability::yes : Capability::no;
    case memory_support_mem_type_dma_buf:
      return config.dma_buf != 0 ? Capability::yes : Capability::no;
    case group_core:
    case backend_support_composition:
    case context_support_caching:
    case context_support_configuration:
    case context_support_config_enable_graphs:
    case context_support_config_memory_limit_hint:
    case context_support_config_persistent_binary:
    case context_support_config_binary_compatibility_type:
    case context_support_validate_binary:
    case context_support_create_from_binary_with_signals:
    case context_support_create_from_binary_list_async:
    case context_support_custom_property:
    case context_support_incremental_binary:
    case graph_support_config:
    case graph_support_priority_control:
    case graph_support_finalize_signal:
    case graph_support_execute_signal:
    case graph_support_continuous_profiling:
    case graph_support_execute:
    case graph_support_execute_per_api_profiling:
    case graph_support_profiling_state:
    case graph_support_set_profiling_num_executions:
    case graph_support_online_prepare:
    case tensor_support_memhandle_type:
    case tensor_support_context_tensors:
    case tensor_support_quantization_encoding_scale_offset:
    case tensor_support_quantization_encoding_axis_scale_offset:
    case tensor_support_quantization_encoding_bw_scale_offset:
    case group_error:
    case error_get_verbose_message:
    case group_memory:
    case memory_support_mem_type_ion:
    case memory_support_mem_type_custom:
    case group_signal:
    case signal_support_abort:
    case signal_support_timeout:
    case group_log:
    case log_supports_default_stream:
    case group_profile:
    case profile_support_max_events_config:
    case profile_supports_extended_event:
    case group_device:
    case device_support_infrastructure:
    case custom_htp_unsigned_pd_support: return Capability::yes;
    case backend_support_op_package:
    case backend_support_platform_options:
    case backend_support_custom_property:
    case context_support_binary_updates:
    case context_support_binary_section_full_context:
    case context_support_binary_weight_only_updates:
    case context_support_binary_quant_only_updates:
    case context_support_create_from_binary_with_callback:
    case context_support_graph_retention_order:
    case context_support_binary_section_updates:
    case graph_support_signals:
    case graph_support_async_execution:
    case graph_support_null_inputs:
    case graph_support_execute_async_signal:
    case graph_support_batch_multiple:
    case graph_support_subgraph:
    case graph_support_env_option_bind_mem_handles:
    case graph_support_env_option_populate_client_bufs:
    case graph_support_finalize_deserialized_graph:
    case graph_support_custom_property:
    case graph_support_early_termination:
    case graph_support_updatable_weights_binary_section_creation:
    case group_op_package:
    case op_package_supports_validation:
    case op_package_supports_op_impls:
    case op_package_supports_duplicate_names:
    case tensor_support_dynamic_dimensions:
    case tensor_support_sparsity:
    case tensor_support_updateable_static_tensors:
    case tensor_support_updateable_native_tensors:
    case tensor_support_updateable_app_tensors:
    case tensor_support_quantization_encoding_bw_axis_scale_offset:
    case tensor_support_quantization_encoding_block:
    case tensor_support_quantization_encoding_blockwise_expansion:
    case tensor_support_quantization_encoding_vector:
    case tensor_support_retrieve_raw:
    case tensor_support_optional_app_write:
    case tensor_support_optional_app_read:
    case tensor_support_optional_app_readwrite:
    case tensor_support_mx_data_format:
    case tensor_support_ubwc_rgba8888:
    case tensor_support_ubwc_nv12:
    case tensor_support_ubwc_nv12_y:
    case tensor_support_ubwc_nv12_uv:
    case tensor_support_ubwc_nv124r:
    case tensor_support_ubwc_nv124r_y:
    case tensor_support_ubwc_nv124r_uv:
    case tensor_support_quantization_encoding_float_block:
    case tensor_support_quantization_encoding_bw_axis_scale_offset_mapped:
    case tensor_support_quantization_encoding_bw_block_scale_offset_mapped:
    case tensor_support_quantization_encoding_bw_blockwise_expansion_mapped:
    case tensor_support_quantization_encoding_bw_float_block:
    case profile_support_custom_config:
    case profile_support_optrace_config: return Capability::no;
    case group_backend:
    case group_context:
    case group_custom:
    case group_graph:
    case group_tensor: break;
  }
  return Capability::unknown;
}

namespace api {

/// 0 supported, 1000 not supported, 2000 unknown key. Callable at any time. No is an answer, not a
/// failure, so it is not counted as one.
inline c_api::ErrorHandle property_has_capability(c_api::PropertyKey key) {
  Call call{Slot::property_has_capability};
  if (const auto code = call.gate()) return call.fail(code);
  switch (capability(key, call.dev().config)) {
    case Capability::yes: return 0;
    case Capability::no:
      return static_cast<c_api::ErrorHandle>(c_api::PropertyError::not_supported);
    case Capability::unknown: break;
  }
  return static_cast<c_api::ErrorHandle>(c_api::PropertyError::unknown_key);
}

}  // namespace api
}  // namespace qnnpp::sim
