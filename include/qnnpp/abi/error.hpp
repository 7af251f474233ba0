#pragma once

#include <cstdint>

namespace qnnpp::abi {

/// QnnCommon_Error_t.
enum class CommonError : std::uint32_t {
  min_error = 1000,
  not_supported = 1000,
  mem_alloc = 1002,
  system = 1003,
  invalid_argument = 1004,
  operation_not_permitted = 1005,
  platform_not_supported = 1006,
  system_communication = 1007,
  incompatible_binaries = 1008,
  loading_binaries = 1009,
  resource_unavailable = 1010,
  system_communication_fatal = 1011,
  general = 1100,
  max_error = 1999,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(CommonError::min_error) == 1000u);
static_assert(std::uint32_t(CommonError::not_supported) == 1000u);
static_assert(std::uint32_t(CommonError::mem_alloc) == 1002u);
static_assert(std::uint32_t(CommonError::system) == 1003u);
static_assert(std::uint32_t(CommonError::invalid_argument) == 1004u);
static_assert(std::uint32_t(CommonError::operation_not_permitted) == 1005u);
static_assert(std::uint32_t(CommonError::platform_not_supported) == 1006u);
static_assert(std::uint32_t(CommonError::system_communication) == 1007u);
static_assert(std::uint32_t(CommonError::incompatible_binaries) == 1008u);
static_assert(std::uint32_t(CommonError::loading_binaries) == 1009u);
static_assert(std::uint32_t(CommonError::resource_unavailable) == 1010u);
static_assert(std::uint32_t(CommonError::system_communication_fatal) == 1011u);
static_assert(std::uint32_t(CommonError::general) == 1100u);
static_assert(std::uint32_t(CommonError::max_error) == 1999u);
static_assert(std::uint32_t(CommonError::undefined) == 0x7FFFFFFFu);

/// QnnProperty_Error_t.
enum class PropertyError : std::uint32_t {
  min_error = 2000,
  no_error = 0,
  supported = 0,
  not_supported = 1000,
  unknown_key = 2000,
  max_error = 2999,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(PropertyError::min_error) == 2000u);
static_assert(std::uint32_t(PropertyError::no_error) == 0u);
static_assert(std::uint32_t(PropertyError::supported) == 0u);
static_assert(std::uint32_t(PropertyError::not_supported) == 1000u);
static_assert(std::uint32_t(PropertyError::unknown_key) == 2000u);
static_assert(std::uint32_t(PropertyError::max_error) == 2999u);
static_assert(std::uint32_t(PropertyError::undefined) == 0x7FFFFFFFu);

/// QnnBackend_Error_t.
enum class BackendError : std::uint32_t {
  min_error = 4000,
  no_error = 0,
  mem_alloc = 1002,
  unsupported_platform = 1006,
  cannot_initialize = 4000,
  terminate_failed = 4002,
  not_supported = 4003,
  invalid_argument = 4004,
  op_package_not_found = 4005,
  op_package_if_provider_not_found = 4006,
  op_package_registration_failed = 4007,
  op_package_unsupported_version = 4008,
  op_package_duplicate = 4009,
  inconsistent_config = 4010,
  invalid_handle = 4011,
  invalid_config = 4012,
  max_error = 4999,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(BackendError::min_error) == 4000u);
static_assert(std::uint32_t(BackendError::no_error) == 0u);
static_assert(std::uint32_t(BackendError::mem_alloc) == 1002u);
static_assert(std::uint32_t(BackendError::unsupported_platform) == 1006u);
static_assert(std::uint32_t(BackendError::cannot_initialize) == 4000u);
static_assert(std::uint32_t(BackendError::terminate_failed) == 4002u);
static_assert(std::uint32_t(BackendError::not_supported) == 4003u);
static_assert(std::uint32_t(BackendError::invalid_argument) == 4004u);
static_assert(std::uint32_t(BackendError::op_package_not_found) == 4005u);
static_assert(std::uint32_t(BackendError::op_package_if_provider_not_found) == 4006u);
static_assert(std::uint32_t(BackendError::op_package_registration_failed) == 4007u);
static_assert(std::uint32_t(BackendError::op_package_unsupported_version) == 4008u);
static_assert(std::uint32_t(BackendError::op_package_duplicate) == 4009u);
static_assert(std::uint32_t(BackendError::inconsistent_config) == 4010u);
static_assert(std::uint32_t(BackendError::invalid_handle) == 4011u);
static_assert(std::uint32_t(BackendError::invalid_config) == 4012u);
static_assert(std::uint32_t(BackendError::max_error) == 4999u);
static_assert(std::uint32_t(BackendError::undefined) == 0x7FFFFFFFu);

/// QnnContext_Error_t.
enum class ContextError : std::uint32_t {
  min_error = 5000,
  no_error = 0,
  unsupported_feature = 1000,
  mem_alloc = 1002,
  invalid_argument = 5000,
  ctx_does_not_exist = 5001,
  invalid_handle = 5002,
  not_finalized = 5003,
  binary_version = 5004,
  create_from_binary = 5005,
  get_binary_size_failed = 5006,
  get_binary_failed = 5007,
  binary_configuration = 5008,
  set_profile = 5009,
  invalid_config = 5010,
  binary_suboptimal = 5011,
  aborted = 5012,
  timed_out = 5013,
  increment_invalid_buffer = 5014,
  max_error = 5999,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ContextError::min_error) == 5000u);
static_assert(std::uint32_t(ContextError::no_error) == 0u);
static_assert(std::uint32_t(ContextError::unsupported_feature) == 1000u);
static_assert(std::uint32_t(ContextError::mem_alloc) == 1002u);
static_assert(std::uint32_t(ContextError::invalid_argument) == 5000u);
static_assert(std::uint32_t(ContextError::ctx_does_not_exist) == 5001u);
static_assert(std::uint32_t(ContextError::invalid_handle) == 5002u);
static_assert(std::uint32_t(ContextError::not_finalized) == 5003u);
static_assert(std::uint32_t(ContextError::binary_version) == 5004u);
static_assert(std::uint32_t(ContextError::create_from_binary) == 5005u);
static_assert(std::uint32_t(ContextError::get_binary_size_failed) == 5006u);
static_assert(std::uint32_t(ContextError::get_binary_failed) == 5007u);
static_assert(std::uint32_t(ContextError::binary_configuration) == 5008u);
static_assert(std::uint32_t(ContextError::set_profile) == 5009u);
static_assert(std::uint32_t(ContextError::invalid_config) == 5010u);
static_assert(std::uint32_t(ContextError::binary_suboptimal) == 5011u);
static_assert(std::uint32_t(ContextError::aborted) == 5012u);
static_assert(std::uint32_t(ContextError::timed_out) == 5013u);
static_assert(std::uint32_t(ContextError::increment_invalid_buffer) == 5014u);
static_assert(std::uint32_t(ContextError::max_error) == 5999u);
static_assert(std::uint32_t(ContextError::undefined) == 0x7FFFFFFFu);

/// QnnGraph_Error_t.
enum class GraphError : std::uint32_t {
  min_error = 6000,
  no_error = 0,
  unsupported_feature = 1000,
  mem_alloc = 1002,
  general = 1100,
  invalid_argument = 6000,
  invalid_handle = 6001,
  graph_does_not_exist = 6002,
  invalid_name = 6003,
  invalid_tensor = 6004,
  invalid_op_config = 6005,
  set_profile = 6006,
  unconnected_node = 6007,
  create_failed = 6020,
  optimization_failed = 6021,
  finalize_failed = 6022,
  graph_not_finalized = 6023,
  graph_finalized = 6024,
  execution_async_fifo_full = 6025,
  signal_in_use = 6030,
  aborted = 6031,
  profile_in_use = 6032,
  timed_out = 6033,
  subgraph = 6034,
  disabled = 6035,
  dynamic_tensor_shape = 6036,
  tensor_sparsity = 6037,
  early_termination = 6038,
  invalid_context = 6039,
  max_error = 6999,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(GraphError::min_error) == 6000u);
static_assert(std::uint32_t(GraphError::no_error) == 0u);
static_assert(std::uint32_t(GraphError::unsupported_feature) == 1000u);
static_assert(std::uint32_t(GraphError::mem_alloc) == 1002u);
static_assert(std::uint32_t(GraphError::general) == 1100u);
static_assert(std::uint32_t(GraphError::invalid_argument) == 6000u);
static_assert(std::uint32_t(GraphError::invalid_handle) == 6001u);
static_assert(std::uint32_t(GraphError::graph_does_not_exist) == 6002u);
static_assert(std::uint32_t(GraphError::invalid_name) == 6003u);
static_assert(std::uint32_t(GraphError::invalid_tensor) == 6004u);
static_assert(std::uint32_t(GraphError::invalid_op_config) == 6005u);
static_assert(std::uint32_t(GraphError::set_profile) == 6006u);
static_assert(std::uint32_t(GraphError::unconnected_node) == 6007u);
static_assert(std::uint32_t(GraphError::create_failed) == 6020u);
static_assert(std::uint32_t(GraphError::optimization_failed) == 6021u);
static_assert(std::uint32_t(GraphError::finalize_failed) == 6022u);
static_assert(std::uint32_t(GraphError::graph_not_finalized) == 6023u);
static_assert(std::uint32_t(GraphError::graph_finalized) == 6024u);
static_assert(std::uint32_t(GraphError::execution_async_fifo_full) == 6025u);
static_assert(std::uint32_t(GraphError::signal_in_use) == 6030u);
static_assert(std::uint32_t(GraphError::aborted) == 6031u);
static_assert(std::uint32_t(GraphError::profile_in_use) == 6032u);
static_assert(std::uint32_t(GraphError::timed_out) == 6033u);
static_assert(std::uint32_t(GraphError::subgraph) == 6034u);
static_assert(std::uint32_t(GraphError::disabled) == 6035u);
static_assert(std::uint32_t(GraphError::dynamic_tensor_shape) == 6036u);
static_assert(std::uint32_t(GraphError::tensor_sparsity) == 6037u);
static_assert(std::uint32_t(GraphError::early_termination) == 6038u);
static_assert(std::uint32_t(GraphError::invalid_context) == 6039u);
static_assert(std::uint32_t(GraphError::max_error) == 6999u);
static_assert(std::uint32_t(GraphError::undefined) == 0x7FFFFFFFu);

/// QnnTensor_Error_t.
enum class TensorError : std::uint32_t {
  min_error = 7000,
  no_error = 0,
  invalid_handle = 7001,
  does_not_exist = 7002,
  already_exists = 7003,
  invalid_tensor_param = 7004,
  unsupported_tensor_param = 7005,
  name_hash_collision = 7006,
  incompatible_tensor_update = 7007,
  unsupported_feature = 1000,
  max_error = 7999,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(TensorError::min_error) == 7000u);
static_assert(std::uint32_t(TensorError::no_error) == 0u);
static_assert(std::uint32_t(TensorError::invalid_handle) == 7001u);
static_assert(std::uint32_t(TensorError::does_not_exist) == 7002u);
static_assert(std::uint32_t(TensorError::already_exists) == 7003u);
static_assert(std::uint32_t(TensorError::invalid_tensor_param) == 7004u);
static_assert(std::uint32_t(TensorError::unsupported_tensor_param) == 7005u);
static_assert(std::uint32_t(TensorError::name_hash_collision) == 7006u);
static_assert(std::uint32_t(TensorError::incompatible_tensor_update) == 7007u);
static_assert(std::uint32_t(TensorError::unsupported_feature) == 1000u);
static_assert(std::uint32_t(TensorError::max_error) == 7999u);
static_assert(std::uint32_t(TensorError::undefined) == 0x7FFFFFFFu);

/// QnnMem_Error_t.
enum class MemError : std::uint32_t {
  min_error = 8000,
  no_error = 0,
  not_supported = 1000,
  invalid_argument = 8000,
  invalid_handle = 8001,
  already_registered = 8002,
  mapping = 8003,
  invalid_shape = 8004,
  unsupported_memtype = 8005,
  max_error = 8999,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(MemError::min_error) == 8000u);
static_assert(std::uint32_t(MemError::no_error) == 0u);
static_assert(std::uint32_t(MemError::not_supported) == 1000u);
static_assert(std::uint32_t(MemError::invalid_argument) == 8000u);
static_assert(std::uint32_t(MemError::invalid_handle) == 8001u);
static_assert(std::uint32_t(MemError::already_registered) == 8002u);
static_assert(std::uint32_t(MemError::mapping) == 8003u);
static_assert(std::uint32_t(MemError::invalid_shape) == 8004u);
static_assert(std::uint32_t(MemError::unsupported_memtype) == 8005u);
static_assert(std::uint32_t(MemError::max_error) == 8999u);
static_assert(std::uint32_t(MemError::undefined) == 0x7FFFFFFFu);

/// QnnSignal_Error_t.
enum class SignalError : std::uint32_t {
  min_error = 9000,
  no_error = 0,
  unsupported = 1000,
  signal_in_use = 9000,
  signal_idle = 9001,
  invalid_argument = 9002,
  invalid_handle = 9003,
  timeout = 9004,
  incompatible_signal_type = 9005,
  mem_alloc = 1002,
  max_error = 9999,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(SignalError::min_error) == 9000u);
static_assert(std::uint32_t(SignalError::no_error) == 0u);
static_assert(std::uint32_t(SignalError::unsupported) == 1000u);
static_assert(std::uint32_t(SignalError::signal_in_use) == 9000u);
static_assert(std::uint32_t(SignalError::signal_idle) == 9001u);
static_assert(std::uint32_t(SignalError::invalid_argument) == 9002u);
static_assert(std::uint32_t(SignalError::invalid_handle) == 9003u);
static_assert(std::uint32_t(SignalError::timeout) == 9004u);
static_assert(std::uint32_t(SignalError::incompatible_signal_type) == 9005u);
static_assert(std::uint32_t(SignalError::mem_alloc) == 1002u);
static_assert(std::uint32_t(SignalError::max_error) == 9999u);
static_assert(std::uint32_t(SignalError::undefined) == 0x7FFFFFFFu);

/// QnnError_Error_t.
enum class ErrorError : std::uint32_t {
  min_error = 10000,
  no_error = 0,
  invalid_argument = 10000,
  invalid_error_handle = 10001,
  max_error = 10999,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ErrorError::min_error) == 10000u);
static_assert(std::uint32_t(ErrorError::no_error) == 0u);
static_assert(std::uint32_t(ErrorError::invalid_argument) == 10000u);
static_assert(std::uint32_t(ErrorError::invalid_error_handle) == 10001u);
static_assert(std::uint32_t(ErrorError::max_error) == 10999u);
static_assert(std::uint32_t(ErrorError::undefined) == 0x7FFFFFFFu);

/// QnnLog_Error_t.
enum class LogError : std::uint32_t {
  min_error = 11000,
  no_error = 0,
  mem_alloc = 1002,
  initialization = 11002,
  invalid_argument = 11003,
  invalid_handle = 11004,
  max_error = 11999,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(LogError::min_error) == 11000u);
static_assert(std::uint32_t(LogError::no_error) == 0u);
static_assert(std::uint32_t(LogError::mem_alloc) == 1002u);
static_assert(std::uint32_t(LogError::initialization) == 11002u);
static_assert(std::uint32_t(LogError::invalid_argument) == 11003u);
static_assert(std::uint32_t(LogError::invalid_handle) == 11004u);
static_assert(std::uint32_t(LogError::max_error) == 11999u);
static_assert(std::uint32_t(LogError::undefined) == 0x7FFFFFFFu);

/// QnnProfile_Error_t.
enum class ProfileError : std::uint32_t {
  min_error = 12000,
  no_error = 0,
  unsupported = 1000,
  invalid_argument = 1004,
  mem_alloc = 1002,
  invalid_handle = 12000,
  handle_in_use = 12001,
  incompatible_event = 12002,
  max_error = 12999,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ProfileError::min_error) == 12000u);
static_assert(std::uint32_t(ProfileError::no_error) == 0u);
static_assert(std::uint32_t(ProfileError::unsupported) == 1000u);
static_assert(std::uint32_t(ProfileError::invalid_argument) == 1004u);
static_assert(std::uint32_t(ProfileError::mem_alloc) == 1002u);
static_assert(std::uint32_t(ProfileError::invalid_handle) == 12000u);
static_assert(std::uint32_t(ProfileError::handle_in_use) == 12001u);
static_assert(std::uint32_t(ProfileError::incompatible_event) == 12002u);
static_assert(std::uint32_t(ProfileError::max_error) == 12999u);
static_assert(std::uint32_t(ProfileError::undefined) == 0x7FFFFFFFu);

/// QnnDevice_Error_t.
enum class DeviceError : std::uint32_t {
  min_error = 14000,
  unsupported_feature = 1000,
  mem_alloc = 1002,
  invalid_argument = 1004,
  invalid_handle = 14000,
  invalid_config = 14001,
  hardware_unavailable = 14002,
  associated_to_context = 14003,
  no_error = 0,
  max_error = 14999,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(DeviceError::min_error) == 14000u);
static_assert(std::uint32_t(DeviceError::unsupported_feature) == 1000u);
static_assert(std::uint32_t(DeviceError::mem_alloc) == 1002u);
static_assert(std::uint32_t(DeviceError::invalid_argument) == 1004u);
static_assert(std::uint32_t(DeviceError::invalid_handle) == 14000u);
static_assert(std::uint32_t(DeviceError::invalid_config) == 14001u);
static_assert(std::uint32_t(DeviceError::hardware_unavailable) == 14002u);
static_assert(std::uint32_t(DeviceError::associated_to_context) == 14003u);
static_assert(std::uint32_t(DeviceError::no_error) == 0u);
static_assert(std::uint32_t(DeviceError::max_error) == 14999u);
static_assert(std::uint32_t(DeviceError::undefined) == 0x7FFFFFFFu);

/// QnnGlobalConfig_Error_t.
enum class GlobalConfigError : std::uint32_t {
  min_error = 15000,
  no_error = 0,
  invalid_config = 15000,
  max_error = 15999,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(GlobalConfigError::min_error) == 15000u);
static_assert(std::uint32_t(GlobalConfigError::no_error) == 0u);
static_assert(std::uint32_t(GlobalConfigError::invalid_config) == 15000u);
static_assert(std::uint32_t(GlobalConfigError::max_error) == 15999u);
static_assert(std::uint32_t(GlobalConfigError::undefined) == 0x7FFFFFFFu);

/// QnnInterface_Error_t.
enum class InterfaceError : std::uint32_t {
  min_error = 60000,
  no_error = 0,
  not_supported = 1000,
  invalid_parameter = 1004,
  max_error = 60999,
};
static_assert(std::uint32_t(InterfaceError::min_error) == 60000u);
static_assert(std::uint32_t(InterfaceError::no_error) == 0u);
static_assert(std::uint32_t(InterfaceError::not_supported) == 1000u);
static_assert(std::uint32_t(InterfaceError::invalid_parameter) == 1004u);
static_assert(std::uint32_t(InterfaceError::max_error) == 60999u);

/// QnnHtpPerfInfrastructure_Error_t.
enum class HtpPerfInfrastructureError : std::uint32_t {
  min_error = 13000,
  no_error = 0,
  invalid_handle_ptr = 13000,
  invalid_input = 13001,
  unsupported_config = 13002,
  transport = 13003,
  unsupported = 13004,
  mem_alloc = 13005,
  failed = 13006,
  max_error = 13999,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpPerfInfrastructureError::min_error) == 13000u);
static_assert(std::uint32_t(HtpPerfInfrastructureError::no_error) == 0u);
static_assert(std::uint32_t(HtpPerfInfrastructureError::invalid_handle_ptr) == 13000u);
static_assert(std::uint32_t(HtpPerfInfrastructureError::invalid_input) == 13001u);
static_assert(std::uint32_t(HtpPerfInfrastructureError::unsupported_config) == 13002u);
static_assert(std::uint32_t(HtpPerfInfrastructureError::transport) == 13003u);
static_assert(std::uint32_t(HtpPerfInfrastructureError::unsupported) == 13004u);
static_assert(std::uint32_t(HtpPerfInfrastructureError::mem_alloc) == 13005u);
static_assert(std::uint32_t(HtpPerfInfrastructureError::failed) == 13006u);
static_assert(std::uint32_t(HtpPerfInfrastructureError::max_error) == 13999u);
static_assert(std::uint32_t(HtpPerfInfrastructureError::undefined) == 0x7FFFFFFFu);

/// QnnSystemContext_Error_t.
enum class SystemContextError : std::uint32_t {
  minerror = 30000,
  no_error = 0,
  unsupported_feature = 1000,
  invalid_handle = 30000,
  invalid_argument = 30001,
  operation_failed = 30002,
  malformed_binary = 30010,
  maxerror = 49999,
};
static_assert(std::uint32_t(SystemContextError::minerror) == 30000u);
static_assert(std::uint32_t(SystemContextError::no_error) == 0u);
static_assert(std::uint32_t(SystemContextError::unsupported_feature) == 1000u);
static_assert(std::uint32_t(SystemContextError::invalid_handle) == 30000u);
static_assert(std::uint32_t(SystemContextError::invalid_argument) == 30001u);
static_assert(std::uint32_t(SystemContextError::operation_failed) == 30002u);
static_assert(std::uint32_t(SystemContextError::malformed_binary) == 30010u);
static_assert(std::uint32_t(SystemContextError::maxerror) == 49999u);

/// QnnSystemInterface_Error_t.
enum class SystemInterfaceError : std::uint32_t {
  min_error = 30000,
  no_error = 0,
  not_supported = 1000,
  invalid_parameter = 1004,
  max_error = 49999,
};
static_assert(std::uint32_t(SystemInterfaceError::min_error) == 30000u);
static_assert(std::uint32_t(SystemInterfaceError::no_error) == 0u);
static_assert(std::uint32_t(SystemInterfaceError::not_supported) == 1000u);
static_assert(std::uint32_t(SystemInterfaceError::invalid_parameter) == 1004u);
static_assert(std::uint32_t(SystemInterfaceError::max_error) == 49999u);

/// QnnSystemTensor_Error_t.
enum class SystemTensorError : std::uint32_t {
  min_error = 30000,
  no_error = 0,
  unsupported_feature = 1000,
  invalid_argument = 30001,
  invalid_tensor = 30002,
  max_error = 49999,
};
static_assert(std::uint32_t(SystemTensorError::min_error) == 30000u);
static_assert(std::uint32_t(SystemTensorError::no_error) == 0u);
static_assert(std::uint32_t(SystemTensorError::unsupported_feature) == 1000u);
static_assert(std::uint32_t(SystemTensorError::invalid_argument) == 30001u);
static_assert(std::uint32_t(SystemTensorError::invalid_tensor) == 30002u);
static_assert(std::uint32_t(SystemTensorError::max_error) == 49999u);

/// QnnSystemCommon_Error_t.
enum class SystemCommonError : std::uint32_t {
  no_error = 0,
  unsupported_feature = 1000,
  invalid_handle = 30000,
  invalid_argument = 30001,
};
static_assert(std::uint32_t(SystemCommonError::no_error) == 0u);
static_assert(std::uint32_t(SystemCommonError::unsupported_feature) == 1000u);
static_assert(std::uint32_t(SystemCommonError::invalid_handle) == 30000u);
static_assert(std::uint32_t(SystemCommonError::invalid_argument) == 30001u);

}  // namespace qnnpp::abi
