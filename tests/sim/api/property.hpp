// Capabilities: the answer of propertyHasCapability for each key, as in version 2.45.0 of the host
// library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/property.hpp"

#include "sim/api/call.hpp"

namespace qnnpp::sim {

/// Answer of the device for one capability.
enum class Capability : std::uint8_t { unknown, no, yes };

namespace detail {

inline constexpr c_api::PropertyKey supported[] = {
    c_api::PropertyKey::backend_support_op_package,
    // The host library supports composition only with libQnnHtpPrepare.so; the simulated HTP
    // always.
    c_api::PropertyKey::backend_support_composition,
    c_api::PropertyKey::context_support_caching,
    c_api::PropertyKey::context_support_configuration,
    c_api::PropertyKey::context_support_config_enable_graphs,
    c_api::PropertyKey::context_support_config_memory_limit_hint,
    c_api::PropertyKey::context_support_config_persistent_binary,
    c_api::PropertyKey::context_support_create_from_binary_with_signals,
    c_api::PropertyKey::context_support_create_from_binary_list_async,
    c_api::PropertyKey::context_support_create_from_binary_with_callback,
    c_api::PropertyKey::context_support_graph_retention_order,
    c_api::PropertyKey::graph_support_config,
    c_api::PropertyKey::graph_support_async_execution,
    c_api::PropertyKey::graph_support_priority_control,
    c_api::PropertyKey::graph_support_execute_signal,
    c_api::PropertyKey::graph_support_execute,
    c_api::PropertyKey::graph_support_batch_multiple,
    c_api::PropertyKey::graph_support_execute_per_api_profiling,
    c_api::PropertyKey::graph_support_online_prepare,
    c_api::PropertyKey::op_package_supports_validation,
    c_api::PropertyKey::op_package_supports_op_impls,
    c_api::PropertyKey::op_package_supports_duplicate_names,
    c_api::PropertyKey::tensor_support_sparsity,
    c_api::PropertyKey::group_memory,
    c_api::PropertyKey::memory_support_mem_type_ion,
    c_api::PropertyKey::memory_support_mem_type_custom,
    c_api::PropertyKey::group_signal,
    c_api::PropertyKey::signal_support_abort,
    c_api::PropertyKey::signal_support_timeout,
    c_api::PropertyKey::group_log,
    c_api::PropertyKey::log_supports_default_stream,
    c_api::PropertyKey::group_profile,
    c_api::PropertyKey::profile_supports_extended_event,
    c_api::PropertyKey::profile_support_optrace_config,
    c_api::PropertyKey::group_device,
    c_api::PropertyKey::device_support_infrastructure,
    c_api::PropertyKey::group_custom,
    c_api::PropertyKey::custom_htp_unsigned_pd_support,
};

/// Unsupported keys. Some of their calls work nevertheless: never gate on 209, 210, 215, 502 and
/// 503.
inline constexpr c_api::PropertyKey unsupported[] = {
    c_api::PropertyKey::backend_support_platform_options,
    c_api::PropertyKey::backend_support_custom_property,
    c_api::PropertyKey::context_support_config_binary_compatibility_type,
    c_api::PropertyKey::context_support_validate_binary,
    c_api::PropertyKey::context_support_binary_updates,
    c_api::PropertyKey::context_support_binary_section_full_context,
    c_api::PropertyKey::context_support_custom_property,
    c_api::PropertyKey::context_support_incremental_binary,
    c_api::PropertyKey::context_support_binary_weight_only_updates,
    c_api::PropertyKey::context_support_binary_quant_only_updates,
    c_api::PropertyKey::context_support_binary_section_updates,
    c_api::PropertyKey::graph_support_signals,
    c_api::PropertyKey::graph_support_null_inputs,
    c_api::PropertyKey::graph_support_finalize_signal,
    c_api::PropertyKey::graph_support_execute_async_signal,
    c_api::PropertyKey::graph_support_continuous_profiling,
    c_api::PropertyKey::graph_support_subgraph,
    c_api::PropertyKey::graph_support_profiling_state,
    c_api::PropertyKey::graph_support_set_profiling_num_executions,
    c_api::PropertyKey::graph_support_env_option_bind_mem_handles,
    c_api::PropertyKey::graph_support_env_option_populate_client_bufs,
    c_api::PropertyKey::graph_support_finalize_deserialized_graph,
    c_api::PropertyKey::graph_support_custom_property,
    c_api::PropertyKey::graph_support_early_termination,
    c_api::PropertyKey::graph_support_updatable_weights_binary_section_creation,
    c_api::PropertyKey::group_op_package,
    c_api::PropertyKey::tensor_support_memhandle_type,
    c_api::PropertyKey::tensor_support_context_tensors,
    c_api::PropertyKey::tensor_support_updateable_static_tensors,
    c_api::PropertyKey::tensor_support_updateable_native_tensors,
    c_api::PropertyKey::tensor_support_updateable_app_tensors,
    c_api::PropertyKey::tensor_support_optional_app_write,
    c_api::PropertyKey::tensor_support_optional_app_read,
    c_api::PropertyKey::tensor_support_optional_app_readwrite,
    c_api::PropertyKey::tensor_support_mx_data_format,
    c_api::PropertyKey::tensor_support_ubwc_rgba8888,
    c_api::PropertyKey::tensor_support_ubwc_nv12,
    c_api::PropertyKey::tensor_support_ubwc_nv12_y,
    c_api::PropertyKey::tensor_support_ubwc_nv12_uv,
    c_api::PropertyKey::tensor_support_ubwc_nv124r,
    c_api::PropertyKey::tensor_support_ubwc_nv124r_y,
    c_api::PropertyKey::tensor_support_ubwc_nv124r_uv,
    c_api::PropertyKey::group_error,
    c_api::PropertyKey::error_get_verbose_message,
    c_api::PropertyKey::profile_support_custom_config,
    c_api::PropertyKey::profile_support_max_events_config,
};

}  // namespace detail

/// Returns `unknown` for keys in neither list: other groups, quantisation encodings, and future
/// keys.
[[nodiscard]] inline Capability capability(c_api::PropertyKey key, const Config& config) noexcept {
  const auto yes_if = [](bool is_there) { return is_there ? Capability::yes : Capability::no; };
  if (key == c_api::PropertyKey::context_support_deferred_graph_init)
    return yes_if(config.deferred_init != 0);
  if (key == c_api::PropertyKey::memory_support_mem_type_dma_buf)
    return yes_if(config.dma_buf != 0);
  if (key == c_api::PropertyKey::tensor_support_dynamic_dimensions)
    return yes_if(config.dynamic_dimensions != 0);
  const auto no_from = [&config](std::uint32_t core_minor) {
    return host_of(config).core_api.minor >= core_minor ? Capability::no : Capability::unknown;
  };
  if (key == c_api::PropertyKey::graph_reserved_324) return no_from(40);
  if (key == c_api::PropertyKey::memory_reserved_1105) return no_from(35);
  const auto is_in = [key](const auto& keys) {
    return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
  };
  if (is_in(detail::supported)) return Capability::yes;
  return is_in(detail::unsupported) ? Capability::no : Capability::unknown;
}

namespace api {

/// Returns 0 (supported), 1000 (not supported) or 2000 (unknown key). Can be called at any time.
/// The log and the counters do not report "not supported" as a failure.
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
