// Numbers of error.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/error.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum CommonError;
  using detail::is;
  return is(min_error, 1000) && is(not_supported, 1000) && is(mem_alloc, 1002) &&
         is(system, 1003) && is(invalid_argument, 1004) && is(operation_not_permitted, 1005) &&
         is(platform_not_supported, 1006) && is(system_communication, 1007) &&
         is(incompatible_binaries, 1008) && is(loading_binaries, 1009) &&
         is(resource_unavailable, 1010) && is(system_communication_fatal, 1011) &&
         is(general, 1100) && is(max_error, 1999) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum PropertyError;
  using detail::is;
  return is(min_error, 2000) && is(no_error, 0) && is(supported, 0) && is(not_supported, 1000) &&
         is(unknown_key, 2000) && is(max_error, 2999) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum BackendError;
  using detail::is;
  return is(min_error, 4000) && is(no_error, 0) && is(mem_alloc, 1002) &&
         is(unsupported_platform, 1006) && is(cannot_initialize, 4000) &&
         is(terminate_failed, 4002) && is(not_supported, 4003) && is(invalid_argument, 4004) &&
         is(op_package_not_found, 4005) && is(op_package_if_provider_not_found, 4006) &&
         is(op_package_registration_failed, 4007) && is(op_package_unsupported_version, 4008) &&
         is(op_package_duplicate, 4009) && is(inconsistent_config, 4010) &&
         is(invalid_handle, 4011) && is(invalid_config, 4012) && is(max_error, 4999) &&
         is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum ContextError;
  using detail::is;
  return is(min_error, 5000) && is(no_error, 0) && is(unsupported_feature, 1000) &&
         is(mem_alloc, 1002) && is(invalid_argument, 5000) && is(ctx_does_not_exist, 5001) &&
         is(invalid_handle, 5002) && is(not_finalized, 5003) && is(binary_version, 5004) &&
         is(create_from_binary, 5005) && is(get_binary_size_failed, 5006) &&
         is(get_binary_failed, 5007) && is(binary_configuration, 5008) && is(set_profile, 5009) &&
         is(invalid_config, 5010) && is(binary_suboptimal, 5011) && is(aborted, 5012) &&
         is(timed_out, 5013) && is(increment_invalid_buffer, 5014) && is(max_error, 5999) &&
         is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum GraphError;
  using detail::is;
  return is(min_error, 6000) && is(no_error, 0) && is(unsupported_feature, 1000) &&
         is(mem_alloc, 1002) && is(general, 1100) && is(invalid_argument, 6000) &&
         is(invalid_handle, 6001) && is(graph_does_not_exist, 6002) && is(invalid_name, 6003) &&
         is(invalid_tensor, 6004) && is(invalid_op_config, 6005) && is(set_profile, 6006) &&
         is(unconnected_node, 6007) && is(create_failed, 6020) && is(optimization_failed, 6021) &&
         is(finalize_failed, 6022) && is(graph_not_finalized, 6023) && is(graph_finalized, 6024) &&
         is(execution_async_fifo_full, 6025) && is(signal_in_use, 6030) && is(aborted, 6031) &&
         is(profile_in_use, 6032) && is(timed_out, 6033) && is(subgraph, 6034) &&
         is(disabled, 6035) && is(dynamic_tensor_shape, 6036) && is(tensor_sparsity, 6037) &&
         is(early_termination, 6038) && is(invalid_context, 6039) && is(cycle_detected, 6040) &&
         is(max_error, 6999) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum TensorError;
  using detail::is;
  return is(min_error, 7000) && is(no_error, 0) && is(invalid_handle, 7001) &&
         is(does_not_exist, 7002) && is(already_exists, 7003) && is(invalid_tensor_param, 7004) &&
         is(unsupported_tensor_param, 7005) && is(name_hash_collision, 7006) &&
         is(incompatible_tensor_update, 7007) && is(unsupported_feature, 1000) &&
         is(max_error, 7999) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum MemError;
  using detail::is;
  return is(min_error, 8000) && is(no_error, 0) && is(not_supported, 1000) &&
         is(invalid_argument, 8000) && is(invalid_handle, 8001) && is(already_registered, 8002) &&
         is(mapping, 8003) && is(invalid_shape, 8004) && is(unsupported_memtype, 8005) &&
         is(max_error, 8999) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum SignalError;
  using detail::is;
  return is(min_error, 9000) && is(no_error, 0) && is(unsupported, 1000) &&
         is(signal_in_use, 9000) && is(signal_idle, 9001) && is(invalid_argument, 9002) &&
         is(invalid_handle, 9003) && is(timeout, 9004) && is(incompatible_signal_type, 9005) &&
         is(mem_alloc, 1002) && is(max_error, 9999) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum ErrorError;
  using detail::is;
  return is(min_error, 10000) && is(no_error, 0) && is(invalid_argument, 10000) &&
         is(invalid_error_handle, 10001) && is(max_error, 10999) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum LogError;
  using detail::is;
  return is(min_error, 11000) && is(no_error, 0) && is(mem_alloc, 1002) &&
         is(initialization, 11002) && is(invalid_argument, 11003) && is(invalid_handle, 11004) &&
         is(max_error, 11999) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum ProfileError;
  using detail::is;
  return is(min_error, 12000) && is(no_error, 0) && is(unsupported, 1000) &&
         is(invalid_argument, 1004) && is(mem_alloc, 1002) && is(invalid_handle, 12000) &&
         is(handle_in_use, 12001) && is(incompatible_event, 12002) && is(max_error, 12999) &&
         is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum DeviceError;
  using detail::is;
  return is(min_error, 14000) && is(unsupported_feature, 1000) && is(mem_alloc, 1002) &&
         is(invalid_argument, 1004) && is(invalid_handle, 14000) && is(invalid_config, 14001) &&
         is(hardware_unavailable, 14002) && is(associated_to_context, 14003) && is(no_error, 0) &&
         is(max_error, 14999) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum GlobalConfigError;
  using detail::is;
  return is(min_error, 15000) && is(no_error, 0) && is(invalid_config, 15000) &&
         is(max_error, 15999) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum InterfaceError;
  using detail::is;
  return is(min_error, 60000) && is(no_error, 0) && is(not_supported, 1000) &&
         is(invalid_parameter, 1004) && is(max_error, 60999);
}());

static_assert([] {
  using enum HtpPerfInfrastructureError;
  using detail::is;
  return is(min_error, 13000) && is(no_error, 0) && is(invalid_handle_ptr, 13000) &&
         is(invalid_input, 13001) && is(unsupported_config, 13002) && is(transport, 13003) &&
         is(unsupported, 13004) && is(mem_alloc, 13005) && is(failed, 13006) &&
         is(max_error, 13999) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
