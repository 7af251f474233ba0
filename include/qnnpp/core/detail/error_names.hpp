// Table of QNN's error codes: the name of each code.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>

#include "qnnpp/abi/error.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Name of one error code.
struct ErrorName {
  template <class Code>
  constexpr ErrorName(Code of, const char* its_name) noexcept
      : code(c_api::code_of(of)), name(its_name) {}

  std::uint16_t code;  ///< The error code, see c_api::code_of().
  const char* name;    ///< Name of the C enumerator, without QNN_ and without ERROR_.
};

/// One row for each code that a call may return.
inline constexpr ErrorName error_names[] = {
    {c_api::CommonError::not_supported, "NOT_SUPPORTED"},
    {c_api::CommonError::mem_alloc, "MEM_ALLOC"},
    {c_api::CommonError::system, "SYSTEM"},
    {c_api::CommonError::invalid_argument, "INVALID_ARGUMENT"},
    {c_api::CommonError::operation_not_permitted, "OPERATION_NOT_PERMITTED"},
    {c_api::CommonError::platform_not_supported, "PLATFORM_NOT_SUPPORTED"},
    {c_api::CommonError::system_communication, "SYSTEM_COMMUNICATION"},
    {c_api::CommonError::incompatible_binaries, "INCOMPATIBLE_BINARIES"},
    {c_api::CommonError::loading_binaries, "LOADING_BINARIES"},
    {c_api::CommonError::resource_unavailable, "RESOURCE_UNAVAILABLE"},
    {c_api::CommonError::system_communication_fatal, "SYSTEM_COMMUNICATION_FATAL"},
    {c_api::CommonError::general, "GENERAL"},
    {c_api::PropertyError::unknown_key, "PROPERTY_UNKNOWN_KEY"},
    {c_api::OpPackageError::library_already_initialized, "OP_PACKAGE_LIBRARY_ALREADY_INITIALIZED"},
    {c_api::OpPackageError::library_not_initialized, "OP_PACKAGE_LIBRARY_NOT_INITIALIZED"},
    {c_api::OpPackageError::invalid_handle, "OP_PACKAGE_INVALID_HANDLE"},
    {c_api::OpPackageError::invalid_infrastructure, "OP_PACKAGE_INVALID_INFRASTRUCTURE"},
    {c_api::OpPackageError::invalid_info, "OP_PACKAGE_INVALID_INFO"},
    {c_api::OpPackageError::validation_failure, "OP_PACKAGE_VALIDATION_FAILURE"},
    {c_api::OpPackageError::invalid_argument, "OP_PACKAGE_INVALID_ARGUMENT"},
    {c_api::BackendError::cannot_initialize, "BACKEND_CANNOT_INITIALIZE"},
    {c_api::BackendError::terminate_failed, "BACKEND_TERMINATE_FAILED"},
    {c_api::BackendError::not_supported, "BACKEND_NOT_SUPPORTED"},
    {c_api::BackendError::invalid_argument, "BACKEND_INVALID_ARGUMENT"},
    {c_api::BackendError::op_package_not_found, "BACKEND_OP_PACKAGE_NOT_FOUND"},
    {c_api::BackendError::op_package_if_provider_not_found,
     "BACKEND_OP_PACKAGE_IF_PROVIDER_NOT_FOUND"},
    {c_api::BackendError::op_package_registration_failed, "BACKEND_OP_PACKAGE_REGISTRATION_FAILED"},
    {c_api::BackendError::op_package_unsupported_version, "BACKEND_OP_PACKAGE_UNSUPPORTED_VERSION"},
    {c_api::BackendError::op_package_duplicate, "BACKEND_OP_PACKAGE_DUPLICATE"},
    {c_api::BackendError::inconsistent_config, "BACKEND_INCONSISTENT_CONFIG"},
    {c_api::BackendError::invalid_handle, "BACKEND_INVALID_HANDLE"},
    {c_api::BackendError::invalid_config, "BACKEND_INVALID_CONFIG"},
    {c_api::SaverError::dummy_retvalue, "SAVER_DUMMY_RETVALUE"},
    {c_api::SaverError::already_instantiated, "SAVER_ALREADY_INSTANTIATED"},
    {c_api::ContextError::invalid_argument, "CONTEXT_INVALID_ARGUMENT"},
    {c_api::ContextError::ctx_does_not_exist, "CONTEXT_DOES_NOT_EXIST"},
    {c_api::ContextError::invalid_handle, "CONTEXT_INVALID_HANDLE"},
    {c_api::ContextError::not_finalized, "CONTEXT_NOT_FINALIZED"},
    {c_api::ContextError::binary_version, "CONTEXT_BINARY_VERSION"},
    {c_api::ContextError::create_from_binary, "CONTEXT_CREATE_FROM_BINARY"},
    {c_api::ContextError::get_binary_size_failed, "CONTEXT_GET_BINARY_SIZE_FAILED"},
    {c_api::ContextError::get_binary_failed, "CONTEXT_GET_BINARY_FAILED"},
    {c_api::ContextError::binary_configuration, "CONTEXT_BINARY_CONFIGURATION"},
    {c_api::ContextError::set_profile, "CONTEXT_SET_PROFILE"},
    {c_api::ContextError::invalid_config, "CONTEXT_INVALID_CONFIG"},
    {c_api::ContextError::binary_suboptimal, "CONTEXT_BINARY_SUBOPTIMAL"},
    {c_api::ContextError::aborted, "CONTEXT_ABORTED"},
    {c_api::ContextError::timed_out, "CONTEXT_TIMED_OUT"},
    {c_api::ContextError::increment_invalid_buffer, "CONTEXT_INCREMENT_INVALID_BUFFER"},
    {c_api::GraphError::invalid_argument, "GRAPH_INVALID_ARGUMENT"},
    {c_api::GraphError::invalid_handle, "GRAPH_INVALID_HANDLE"},
    {c_api::GraphError::graph_does_not_exist, "GRAPH_DOES_NOT_EXIST"},
    {c_api::GraphError::invalid_name, "GRAPH_INVALID_NAME"},
    {c_api::GraphError::invalid_tensor, "GRAPH_INVALID_TENSOR"},
    {c_api::GraphError::invalid_op_config, "GRAPH_INVALID_OP_CONFIG"},
    {c_api::GraphError::set_profile, "GRAPH_SET_PROFILE"},
    {c_api::GraphError::unconnected_node, "GRAPH_UNCONNECTED_NODE"},
    {c_api::GraphError::create_failed, "GRAPH_CREATE_FAILED"},
    {c_api::GraphError::optimization_failed, "GRAPH_OPTIMIZATION_FAILED"},
    {c_api::GraphError::finalize_failed, "GRAPH_FINALIZE_FAILED"},
    {c_api::GraphError::graph_not_finalized, "GRAPH_NOT_FINALIZED"},
    {c_api::GraphError::graph_finalized, "GRAPH_FINALIZED"},
    {c_api::GraphError::execution_async_fifo_full, "GRAPH_EXECUTION_ASYNC_FIFO_FULL"},
    {c_api::GraphError::signal_in_use, "GRAPH_SIGNAL_IN_USE"},
    {c_api::GraphError::aborted, "GRAPH_ABORTED"},
    {c_api::GraphError::profile_in_use, "GRAPH_PROFILE_IN_USE"},
    {c_api::GraphError::timed_out, "GRAPH_TIMED_OUT"},
    {c_api::GraphError::subgraph, "GRAPH_SUBGRAPH"},
    {c_api::GraphError::disabled, "GRAPH_DISABLED"},
    {c_api::GraphError::dynamic_tensor_shape, "GRAPH_DYNAMIC_TENSOR_SHAPE"},
    {c_api::GraphError::tensor_sparsity, "GRAPH_TENSOR_SPARSITY"},
    {c_api::GraphError::early_termination, "GRAPH_EARLY_TERMINATION"},
    {c_api::GraphError::invalid_context, "GRAPH_INVALID_CONTEXT"},
    {c_api::GraphError::cycle_detected, "GRAPH_CYCLE_DETECTED"},
    {c_api::TensorError::invalid_handle, "TENSOR_INVALID_HANDLE"},
    {c_api::TensorError::does_not_exist, "TENSOR_DOES_NOT_EXIST"},
    {c_api::TensorError::already_exists, "TENSOR_ALREADY_EXISTS"},
    {c_api::TensorError::invalid_tensor_param, "TENSOR_INVALID_TENSOR_PARAM"},
    {c_api::TensorError::unsupported_tensor_param, "TENSOR_UNSUPPORTED_TENSOR_PARAM"},
    {c_api::TensorError::name_hash_collision, "TENSOR_NAME_HASH_COLLISION"},
    {c_api::TensorError::incompatible_tensor_update, "TENSOR_INCOMPATIBLE_TENSOR_UPDATE"},
    {c_api::MemError::invalid_argument, "MEM_INVALID_ARGUMENT"},
    {c_api::MemError::invalid_handle, "MEM_INVALID_HANDLE"},
    {c_api::MemError::already_registered, "MEM_ALREADY_REGISTERED"},
    {c_api::MemError::mapping, "MEM_MAPPING"},
    {c_api::MemError::invalid_shape, "MEM_INVALID_SHAPE"},
    {c_api::MemError::unsupported_memtype, "MEM_UNSUPPORTED_MEMTYPE"},
    {c_api::SignalError::signal_in_use, "SIGNAL_IN_USE"},
    {c_api::SignalError::signal_idle, "SIGNAL_IDLE"},
    {c_api::SignalError::invalid_argument, "SIGNAL_INVALID_ARGUMENT"},
    {c_api::SignalError::invalid_handle, "SIGNAL_INVALID_HANDLE"},
    {c_api::SignalError::timeout, "SIGNAL_TIMEOUT"},
    {c_api::SignalError::incompatible_signal_type, "SIGNAL_INCOMPATIBLE_SIGNAL_TYPE"},
    {c_api::ErrorError::invalid_argument, "ERROR_INVALID_ARGUMENT"},
    {c_api::ErrorError::invalid_error_handle, "ERROR_INVALID_ERROR_HANDLE"},
    {c_api::LogError::initialization, "LOG_INITIALIZATION"},
    {c_api::LogError::invalid_argument, "LOG_INVALID_ARGUMENT"},
    {c_api::LogError::invalid_handle, "LOG_INVALID_HANDLE"},
    {c_api::ProfileError::invalid_handle, "PROFILE_INVALID_HANDLE"},
    {c_api::ProfileError::handle_in_use, "PROFILE_HANDLE_IN_USE"},
    {c_api::ProfileError::incompatible_event, "PROFILE_INCOMPATIBLE_EVENT"},
    {c_api::HtpPerfInfrastructureError::invalid_handle_ptr,
     "HTP_PERF_INFRASTRUCTURE_INVALID_HANDLE_PTR"},
    {c_api::HtpPerfInfrastructureError::invalid_input, "HTP_PERF_INFRASTRUCTURE_INVALID_INPUT"},
    {c_api::HtpPerfInfrastructureError::unsupported_config,
     "HTP_PERF_INFRASTRUCTURE_UNSUPPORTED_CONFIG"},
    {c_api::HtpPerfInfrastructureError::transport, "HTP_PERF_INFRASTRUCTURE_TRANSPORT"},
    {c_api::HtpPerfInfrastructureError::unsupported, "HTP_PERF_INFRASTRUCTURE_UNSUPPORTED"},
    {c_api::HtpPerfInfrastructureError::mem_alloc, "HTP_PERF_INFRASTRUCTURE_MEM_ALLOC"},
    {c_api::HtpPerfInfrastructureError::failed, "HTP_PERF_INFRASTRUCTURE_FAILED"},
    {c_api::DeviceError::invalid_handle, "DEVICE_INVALID_HANDLE"},
    {c_api::DeviceError::invalid_config, "DEVICE_INVALID_CONFIG"},
    {c_api::DeviceError::hardware_unavailable, "DEVICE_HARDWARE_UNAVAILABLE"},
    {c_api::DeviceError::associated_to_context, "DEVICE_ASSOCIATED_TO_CONTEXT"},
    {c_api::GlobalConfigError::invalid_config, "GLOBAL_CONFIG_INVALID_CONFIG"},
    {c_api::SystemCommonError::invalid_handle, "SYSTEM_INVALID_HANDLE"},
    {c_api::SystemCommonError::invalid_argument, "SYSTEM_INVALID_ARGUMENT"},
    {c_api::SystemContextError::operation_failed, "SYSTEM_OPERATION_FAILED"},
    {c_api::SystemContextError::malformed_binary, "SYSTEM_MALFORMED_BINARY"},
    {c_api::SystemProfileError::mem_alloc, "SYSTEM_PROFILE_MEM_ALLOC"},
    {c_api::CommonError::undefined, "UNDEFINED"},
};

/// Returns the name of a code; "" for an unknown code.
[[nodiscard]] constexpr const char* error_name(std::uint16_t code) noexcept {
  for (const ErrorName& each : error_names)
    if (each.code == code) return each.name;
  return "";
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
