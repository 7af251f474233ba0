// Part of verify_sdk.hpp; do not include it alone. Compares error codes and the constants that are
// macros in C, if the SDK has them.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include <cstddef>
#include <cstdint>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/htp/profile.hpp"
#include "qnnpp/abi/op.hpp"
#include "qnnpp/abi/profile.hpp"

namespace qnnpp::c_api {

// error.hpp
QNNPP_SAME_VALUE(CommonError::not_supported, QNN_COMMON_ERROR_NOT_SUPPORTED);
QNNPP_SAME_VALUE(CommonError::mem_alloc, QNN_COMMON_ERROR_MEM_ALLOC);
QNNPP_SAME_VALUE(CommonError::system, QNN_COMMON_ERROR_SYSTEM);
QNNPP_SAME_VALUE(CommonError::invalid_argument, QNN_COMMON_ERROR_INVALID_ARGUMENT);
QNNPP_SAME_VALUE(CommonError::operation_not_permitted, QNN_COMMON_ERROR_OPERATION_NOT_PERMITTED);
QNNPP_SAME_VALUE(CommonError::platform_not_supported, QNN_COMMON_ERROR_PLATFORM_NOT_SUPPORTED);
QNNPP_SAME_VALUE(CommonError::system_communication, QNN_COMMON_ERROR_SYSTEM_COMMUNICATION);
QNNPP_SAME_VALUE(CommonError::incompatible_binaries, QNN_COMMON_ERROR_INCOMPATIBLE_BINARIES);
QNNPP_SAME_VALUE(CommonError::loading_binaries, QNN_COMMON_ERROR_LOADING_BINARIES);
QNNPP_SAME_VALUE(CommonError::resource_unavailable, QNN_COMMON_ERROR_RESOURCE_UNAVAILABLE);
QNNPP_SAME_VALUE(CommonError::system_communication_fatal,
                 QNN_COMMON_ERROR_SYSTEM_COMMUNICATION_FATAL);
QNNPP_SAME_VALUE(CommonError::general, QNN_COMMON_ERROR_GENERAL);
QNNPP_SAME_VALUE(CommonError::undefined, QNN_COMMON_ERROR_UNDEFINED);
QNNPP_SAME_VALUE(PropertyError::supported, QNN_PROPERTY_SUPPORTED);
QNNPP_SAME_VALUE(PropertyError::not_supported, QNN_PROPERTY_NOT_SUPPORTED);
QNNPP_SAME_VALUE(PropertyError::unknown_key, QNN_PROPERTY_ERROR_UNKNOWN_KEY);
#if defined(QNNPP_VERIFY_OP_PACKAGE)
QNNPP_SAME_VALUE(OpPackageError::unsupported_feature, QNN_OP_PACKAGE_ERROR_UNSUPPORTED_FEATURE);
QNNPP_SAME_VALUE(OpPackageError::general, QNN_OP_PACKAGE_ERROR_GENERAL);
QNNPP_SAME_VALUE(OpPackageError::library_already_initialized,
                 QNN_OP_PACKAGE_ERROR_LIBRARY_ALREADY_INITIALIZED);
QNNPP_SAME_VALUE(OpPackageError::library_not_initialized,
                 QNN_OP_PACKAGE_ERROR_LIBRARY_NOT_INITIALIZED);
QNNPP_SAME_VALUE(OpPackageError::invalid_handle, QNN_OP_PACKAGE_ERROR_INVALID_HANDLE);
QNNPP_SAME_VALUE(OpPackageError::invalid_infrastructure,
                 QNN_OP_PACKAGE_ERROR_INVALID_INFRASTRUCTURE);
QNNPP_SAME_VALUE(OpPackageError::invalid_info, QNN_OP_PACKAGE_ERROR_INVALID_INFO);
QNNPP_SAME_VALUE(OpPackageError::validation_failure, QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE);
QNNPP_SAME_VALUE(OpPackageError::invalid_argument, QNN_OP_PACKAGE_ERROR_INVALID_ARGUMENT);
#endif
#if defined(QNNPP_VERIFY_SAVER)
QNNPP_SAME_VALUE(SaverError::dummy_retvalue, QNN_SAVER_ERROR_DUMMY_RETVALUE);
QNNPP_SAME_VALUE(SaverError::already_instantiated, QNN_SAVER_ERROR_ALREADY_INSTANTIATED);
#endif
QNNPP_SAME_VALUE(BackendError::mem_alloc, QNN_BACKEND_ERROR_MEM_ALLOC);
QNNPP_SAME_VALUE(BackendError::unsupported_platform, QNN_BACKEND_ERROR_UNSUPPORTED_PLATFORM);
QNNPP_SAME_VALUE(BackendError::cannot_initialize, QNN_BACKEND_ERROR_CANNOT_INITIALIZE);
QNNPP_SAME_VALUE(BackendError::terminate_failed, QNN_BACKEND_ERROR_TERMINATE_FAILED);
QNNPP_SAME_VALUE(BackendError::not_supported, QNN_BACKEND_ERROR_NOT_SUPPORTED);
QNNPP_SAME_VALUE(BackendError::invalid_argument, QNN_BACKEND_ERROR_INVALID_ARGUMENT);
QNNPP_SAME_VALUE(BackendError::op_package_not_found, QNN_BACKEND_ERROR_OP_PACKAGE_NOT_FOUND);
QNNPP_SAME_VALUE(BackendError::op_package_if_provider_not_found,
                 QNN_BACKEND_ERROR_OP_PACKAGE_IF_PROVIDER_NOT_FOUND);
QNNPP_SAME_VALUE(BackendError::op_package_registration_failed,
                 QNN_BACKEND_ERROR_OP_PACKAGE_REGISTRATION_FAILED);
QNNPP_SAME_VALUE(BackendError::op_package_unsupported_version,
                 QNN_BACKEND_ERROR_OP_PACKAGE_UNSUPPORTED_VERSION);
QNNPP_SAME_VALUE(BackendError::op_package_duplicate, QNN_BACKEND_ERROR_OP_PACKAGE_DUPLICATE);
QNNPP_SAME_VALUE(BackendError::inconsistent_config, QNN_BACKEND_ERROR_INCONSISTENT_CONFIG);
QNNPP_SAME_VALUE(BackendError::invalid_handle, QNN_BACKEND_ERROR_INVALID_HANDLE);
QNNPP_SAME_VALUE(BackendError::invalid_config, QNN_BACKEND_ERROR_INVALID_CONFIG);
QNNPP_SAME_VALUE(ContextError::unsupported_feature, QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE);
QNNPP_SAME_VALUE(ContextError::mem_alloc, QNN_CONTEXT_ERROR_MEM_ALLOC);
QNNPP_SAME_VALUE(ContextError::invalid_argument, QNN_CONTEXT_ERROR_INVALID_ARGUMENT);
QNNPP_SAME_VALUE(ContextError::ctx_does_not_exist, QNN_CONTEXT_ERROR_CTX_DOES_NOT_EXIST);
QNNPP_SAME_VALUE(ContextError::invalid_handle, QNN_CONTEXT_ERROR_INVALID_HANDLE);
QNNPP_SAME_VALUE(ContextError::not_finalized, QNN_CONTEXT_ERROR_NOT_FINALIZED);
QNNPP_SAME_VALUE(ContextError::binary_version, QNN_CONTEXT_ERROR_BINARY_VERSION);
QNNPP_SAME_VALUE(ContextError::create_from_binary, QNN_CONTEXT_ERROR_CREATE_FROM_BINARY);
QNNPP_SAME_VALUE(ContextError::get_binary_size_failed, QNN_CONTEXT_ERROR_GET_BINARY_SIZE_FAILED);
QNNPP_SAME_VALUE(ContextError::get_binary_failed, QNN_CONTEXT_ERROR_GET_BINARY_FAILED);
QNNPP_SAME_VALUE(ContextError::binary_configuration, QNN_CONTEXT_ERROR_BINARY_CONFIGURATION);
QNNPP_SAME_VALUE(ContextError::set_profile, QNN_CONTEXT_ERROR_SET_PROFILE);
QNNPP_SAME_VALUE(ContextError::invalid_config, QNN_CONTEXT_ERROR_INVALID_CONFIG);
QNNPP_SAME_VALUE(ContextError::binary_suboptimal, QNN_CONTEXT_ERROR_BINARY_SUBOPTIMAL);
QNNPP_SAME_VALUE(ContextError::aborted, QNN_CONTEXT_ERROR_ABORTED);
QNNPP_SAME_VALUE(ContextError::timed_out, QNN_CONTEXT_ERROR_TIMED_OUT);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(ContextError::increment_invalid_buffer,
                 QNN_CONTEXT_ERROR_INCREMENT_INVALID_BUFFER);
#endif
QNNPP_SAME_VALUE(GraphError::unsupported_feature, QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE);
QNNPP_SAME_VALUE(GraphError::mem_alloc, QNN_GRAPH_ERROR_MEM_ALLOC);
QNNPP_SAME_VALUE(GraphError::general, QNN_GRAPH_ERROR_GENERAL);
QNNPP_SAME_VALUE(GraphError::invalid_argument, QNN_GRAPH_ERROR_INVALID_ARGUMENT);
QNNPP_SAME_VALUE(GraphError::invalid_handle, QNN_GRAPH_ERROR_INVALID_HANDLE);
QNNPP_SAME_VALUE(GraphError::graph_does_not_exist, QNN_GRAPH_ERROR_GRAPH_DOES_NOT_EXIST);
QNNPP_SAME_VALUE(GraphError::invalid_name, QNN_GRAPH_ERROR_INVALID_NAME);
QNNPP_SAME_VALUE(GraphError::invalid_tensor, QNN_GRAPH_ERROR_INVALID_TENSOR);
QNNPP_SAME_VALUE(GraphError::invalid_op_config, QNN_GRAPH_ERROR_INVALID_OP_CONFIG);
QNNPP_SAME_VALUE(GraphError::set_profile, QNN_GRAPH_ERROR_SET_PROFILE);
QNNPP_SAME_VALUE(GraphError::unconnected_node, QNN_GRAPH_ERROR_UNCONNECTED_NODE);
QNNPP_SAME_VALUE(GraphError::create_failed, QNN_GRAPH_ERROR_CREATE_FAILED);
QNNPP_SAME_VALUE(GraphError::optimization_failed, QNN_GRAPH_ERROR_OPTIMIZATION_FAILED);
QNNPP_SAME_VALUE(GraphError::finalize_failed, QNN_GRAPH_ERROR_FINALIZE_FAILED);
QNNPP_SAME_VALUE(GraphError::graph_not_finalized, QNN_GRAPH_ERROR_GRAPH_NOT_FINALIZED);
QNNPP_SAME_VALUE(GraphError::graph_finalized, QNN_GRAPH_ERROR_GRAPH_FINALIZED);
QNNPP_SAME_VALUE(GraphError::execution_async_fifo_full, QNN_GRAPH_ERROR_EXECUTION_ASYNC_FIFO_FULL);
QNNPP_SAME_VALUE(GraphError::signal_in_use, QNN_GRAPH_ERROR_SIGNAL_IN_USE);
QNNPP_SAME_VALUE(GraphError::aborted, QNN_GRAPH_ERROR_ABORTED);
QNNPP_SAME_VALUE(GraphError::profile_in_use, QNN_GRAPH_ERROR_PROFILE_IN_USE);
QNNPP_SAME_VALUE(GraphError::timed_out, QNN_GRAPH_ERROR_TIMED_OUT);
QNNPP_SAME_VALUE(GraphError::subgraph, QNN_GRAPH_ERROR_SUBGRAPH);
QNNPP_SAME_VALUE(GraphError::disabled, QNN_GRAPH_ERROR_DISABLED);
QNNPP_SAME_VALUE(GraphError::dynamic_tensor_shape, QNN_GRAPH_ERROR_DYNAMIC_TENSOR_SHAPE);
QNNPP_SAME_VALUE(GraphError::tensor_sparsity, QNN_GRAPH_ERROR_TENSOR_SPARSITY);
QNNPP_SAME_VALUE(GraphError::early_termination, QNN_GRAPH_ERROR_EARLY_TERMINATION);
#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_VALUE(GraphError::invalid_context, QNN_GRAPH_ERROR_INVALID_CONTEXT);
#endif
#if QNN_API_VERSION_MINOR >= 39
QNNPP_SAME_VALUE(GraphError::cycle_detected, QNN_GRAPH_ERROR_CYCLE_DETECTED);
#endif
QNNPP_SAME_VALUE(TensorError::invalid_handle, QNN_TENSOR_ERROR_INVALID_HANDLE);
QNNPP_SAME_VALUE(TensorError::does_not_exist, QNN_TENSOR_ERROR_DOES_NOT_EXIST);
QNNPP_SAME_VALUE(TensorError::already_exists, QNN_TENSOR_ERROR_ALREADY_EXISTS);
QNNPP_SAME_VALUE(TensorError::invalid_tensor_param, QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM);
QNNPP_SAME_VALUE(TensorError::unsupported_tensor_param, QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM);
QNNPP_SAME_VALUE(TensorError::name_hash_collision, QNN_TENSOR_ERROR_NAME_HASH_COLLISION);
QNNPP_SAME_VALUE(TensorError::incompatible_tensor_update,
                 QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE);
QNNPP_SAME_VALUE(TensorError::unsupported_feature, QNN_TENSOR_ERROR_UNSUPPORTED_FEATURE);
QNNPP_SAME_VALUE(MemError::not_supported, QNN_MEM_ERROR_NOT_SUPPORTED);
QNNPP_SAME_VALUE(MemError::invalid_argument, QNN_MEM_ERROR_INVALID_ARGUMENT);
QNNPP_SAME_VALUE(MemError::invalid_handle, QNN_MEM_ERROR_INVALID_HANDLE);
QNNPP_SAME_VALUE(MemError::already_registered, QNN_MEM_ERROR_ALREADY_REGISTERED);
QNNPP_SAME_VALUE(MemError::mapping, QNN_MEM_ERROR_MAPPING);
QNNPP_SAME_VALUE(MemError::invalid_shape, QNN_MEM_ERROR_INVALID_SHAPE);
QNNPP_SAME_VALUE(MemError::unsupported_memtype, QNN_MEM_ERROR_UNSUPPORTED_MEMTYPE);
QNNPP_SAME_VALUE(SignalError::unsupported, QNN_SIGNAL_ERROR_UNSUPPORTED);
QNNPP_SAME_VALUE(SignalError::signal_in_use, QNN_SIGNAL_ERROR_SIGNAL_IN_USE);
QNNPP_SAME_VALUE(SignalError::signal_idle, QNN_SIGNAL_ERROR_SIGNAL_IDLE);
QNNPP_SAME_VALUE(SignalError::invalid_argument, QNN_SIGNAL_ERROR_INVALID_ARGUMENT);
QNNPP_SAME_VALUE(SignalError::invalid_handle, QNN_SIGNAL_ERROR_INVALID_HANDLE);
QNNPP_SAME_VALUE(SignalError::timeout, QNN_SIGNAL_ERROR_TIMEOUT);
QNNPP_SAME_VALUE(SignalError::incompatible_signal_type, QNN_SIGNAL_ERROR_INCOMPATIBLE_SIGNAL_TYPE);
QNNPP_SAME_VALUE(SignalError::mem_alloc, QNN_SIGNAL_ERROR_MEM_ALLOC);
QNNPP_SAME_VALUE(ErrorError::invalid_argument, QNN_ERROR_INVALID_ARGUMENT);
QNNPP_SAME_VALUE(ErrorError::invalid_error_handle, QNN_ERROR_INVALID_ERROR_HANDLE);
QNNPP_SAME_VALUE(LogError::mem_alloc, QNN_LOG_ERROR_MEM_ALLOC);
QNNPP_SAME_VALUE(LogError::initialization, QNN_LOG_ERROR_INITIALIZATION);
QNNPP_SAME_VALUE(LogError::invalid_argument, QNN_LOG_ERROR_INVALID_ARGUMENT);
QNNPP_SAME_VALUE(LogError::invalid_handle, QNN_LOG_ERROR_INVALID_HANDLE);
QNNPP_SAME_VALUE(ProfileError::unsupported, QNN_PROFILE_ERROR_UNSUPPORTED);
QNNPP_SAME_VALUE(ProfileError::invalid_argument, QNN_PROFILE_ERROR_INVALID_ARGUMENT);
QNNPP_SAME_VALUE(ProfileError::mem_alloc, QNN_PROFILE_ERROR_MEM_ALLOC);
QNNPP_SAME_VALUE(ProfileError::invalid_handle, QNN_PROFILE_ERROR_INVALID_HANDLE);
QNNPP_SAME_VALUE(ProfileError::handle_in_use, QNN_PROFILE_ERROR_HANDLE_IN_USE);
QNNPP_SAME_VALUE(ProfileError::incompatible_event, QNN_PROFILE_ERROR_INCOMPATIBLE_EVENT);
QNNPP_SAME_VALUE(DeviceError::unsupported_feature, QNN_DEVICE_ERROR_UNSUPPORTED_FEATURE);
QNNPP_SAME_VALUE(DeviceError::mem_alloc, QNN_DEVICE_ERROR_MEM_ALLOC);
QNNPP_SAME_VALUE(DeviceError::invalid_argument, QNN_DEVICE_ERROR_INVALID_ARGUMENT);
QNNPP_SAME_VALUE(DeviceError::invalid_handle, QNN_DEVICE_ERROR_INVALID_HANDLE);
QNNPP_SAME_VALUE(DeviceError::invalid_config, QNN_DEVICE_ERROR_INVALID_CONFIG);
QNNPP_SAME_VALUE(DeviceError::hardware_unavailable, QNN_DEVICE_ERROR_HARDWARE_UNAVAILABLE);
QNNPP_SAME_VALUE(DeviceError::associated_to_context, QNN_DEVICE_ERROR_ASSOCIATED_TO_CONTEXT);
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(GlobalConfigError::invalid_config, QNN_GLOBAL_CONFIG_ERROR_INVALID_CONFIG);
#endif
QNNPP_SAME_VALUE(InterfaceError::not_supported, QNN_INTERFACE_ERROR_NOT_SUPPORTED);
QNNPP_SAME_VALUE(InterfaceError::invalid_parameter, QNN_INTERFACE_ERROR_INVALID_PARAMETER);

// profile.hpp: profile_level
#if defined(QNN_PROFILE_LEVEL_BASIC)
QNNPP_SAME_VALUE(profile_level::basic, QNN_PROFILE_LEVEL_BASIC);
#endif
#if defined(QNN_PROFILE_LEVEL_DETAILED)
QNNPP_SAME_VALUE(profile_level::detailed, QNN_PROFILE_LEVEL_DETAILED);
#endif
#if defined(QNN_PROFILE_LEVEL_BACKEND)
QNNPP_SAME_VALUE(profile_level::backend, QNN_PROFILE_LEVEL_BACKEND);
#endif

// profile.hpp: profile_event_type
#if defined(QNN_PROFILE_EVENTTYPE_INIT)
QNNPP_SAME_VALUE(profile_event_type::init, QNN_PROFILE_EVENTTYPE_INIT);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_FINALIZE)
QNNPP_SAME_VALUE(profile_event_type::finalize, QNN_PROFILE_EVENTTYPE_FINALIZE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE)
QNNPP_SAME_VALUE(profile_event_type::execute, QNN_PROFILE_EVENTTYPE_EXECUTE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_NODE)
QNNPP_SAME_VALUE(profile_event_type::node, QNN_PROFILE_EVENTTYPE_NODE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE_QUEUE_WAIT)
QNNPP_SAME_VALUE(profile_event_type::execute_queue_wait, QNN_PROFILE_EVENTTYPE_EXECUTE_QUEUE_WAIT);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE_PREPROCESS)
QNNPP_SAME_VALUE(profile_event_type::execute_preprocess, QNN_PROFILE_EVENTTYPE_EXECUTE_PREPROCESS);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE_DEVICE)
QNNPP_SAME_VALUE(profile_event_type::execute_device, QNN_PROFILE_EVENTTYPE_EXECUTE_DEVICE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE_POSTPROCESS)
QNNPP_SAME_VALUE(profile_event_type::execute_postprocess,
                 QNN_PROFILE_EVENTTYPE_EXECUTE_POSTPROCESS);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_DEINIT)
QNNPP_SAME_VALUE(profile_event_type::deinit, QNN_PROFILE_EVENTTYPE_DEINIT);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_TRACE)
QNNPP_SAME_VALUE(profile_event_type::trace, QNN_PROFILE_EVENTTYPE_TRACE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_BACKEND)
QNNPP_SAME_VALUE(profile_event_type::backend, QNN_PROFILE_EVENTTYPE_BACKEND);
#endif

// profile.hpp: profile_event_unit
#if defined(QNN_PROFILE_EVENTUNIT_MICROSEC)
QNNPP_SAME_VALUE(profile_event_unit::microsec, QNN_PROFILE_EVENTUNIT_MICROSEC);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_BYTES)
QNNPP_SAME_VALUE(profile_event_unit::bytes, QNN_PROFILE_EVENTUNIT_BYTES);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_CYCLES)
QNNPP_SAME_VALUE(profile_event_unit::cycles, QNN_PROFILE_EVENTUNIT_CYCLES);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_COUNT)
QNNPP_SAME_VALUE(profile_event_unit::count, QNN_PROFILE_EVENTUNIT_COUNT);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_OBJECT)
QNNPP_SAME_VALUE(profile_event_unit::object, QNN_PROFILE_EVENTUNIT_OBJECT);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_BACKEND)
QNNPP_SAME_VALUE(profile_event_unit::backend, QNN_PROFILE_EVENTUNIT_BACKEND);
#endif

// htp/profile.hpp: htp_profile_level
#if defined(QNN_HTP_PROFILE_LEVEL_LINTING)
QNNPP_SAME_VALUE(htp_profile_level::linting, QNN_HTP_PROFILE_LEVEL_LINTING);
#endif

// htp/profile.hpp: htp_profile_event_type
#if defined(QNN_HTP_PROFILE_EVENTTYPE_CONTEXT_LOAD_BIN_HOST_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::context_load_bin_host_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_CONTEXT_LOAD_BIN_HOST_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_CONTEXT_LOAD_BIN_HTP_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::context_load_bin_htp_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_CONTEXT_LOAD_BIN_HTP_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_CONTEXT_LOAD_BIN_ACCEL_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::context_load_bin_accel_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_CONTEXT_LOAD_BIN_ACCEL_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_HOST_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_host_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_HOST_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_HTP_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_htp_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_HTP_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_ACCEL_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_accel_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_ACCEL_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_MODE)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_mode,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_MODE);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_SIM_EXEC_CYCLES)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_sim_exec_cycles,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_SIM_EXEC_CYCLES);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_SIM_EXEC_LOWER_CYCLES)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_sim_exec_lower_cycles,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_SIM_EXEC_LOWER_CYCLES);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_SIM_EXEC_UPPER_CYCLES)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_sim_exec_upper_cycles,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_SIM_EXEC_UPPER_CYCLES);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_BANDWIDTH_STATS)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_bandwidth_stats,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_BANDWIDTH_STATS);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_BANDWIDTH_STATS_HTP_ID)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_bandwidth_stats_htp_id,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_BANDWIDTH_STATS_HTP_ID);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INPUT_FILL)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_input_fill,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INPUT_FILL);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTERMEDIATE_FILL)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_intermediate_fill,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTERMEDIATE_FILL);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTERMEDIATE_SPILL)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_intermediate_spill,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTERMEDIATE_SPILL);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTER_HTP_FILL)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_inter_htp_fill,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTER_HTP_FILL);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTER_HTP_SPILL)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_inter_htp_spill,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_INTER_HTP_SPILL);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_OUTPUT_SPILL)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_output_spill,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_OUTPUT_SPILL);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_MISSING_COST_OPS)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_missing_cost_ops,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_MISSING_COST_OPS);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_MISSING_COST_OPID)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_finalize_perf_estimate_missing_cost_opid,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_FINALIZE_PERF_ESTIMATE_MISSING_COST_OPID);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_HOST_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_host_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_HOST_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_HTP_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_htp_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_HTP_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_CYCLE)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_accel_time_cycle,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_CYCLE);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_accel_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_MISC_ACCEL_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_misc_accel_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_MISC_ACCEL_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_RELEASE_TIME)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_yield_instance_release_time,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_RELEASE_TIME);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_WAIT_TIME)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_yield_instance_wait_time,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_WAIT_TIME);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_RESTORE_TIME)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_yield_instance_restore_time,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_RESTORE_TIME);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_COUNT)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_yield_count,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_COUNT);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_VTCM_ACQUIRE_TIME)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_vtcm_acquire_time,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_VTCM_ACQUIRE_TIME);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_RESOURCE_POWER_UP_TIME)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_resource_power_up_time,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_RESOURCE_POWER_UP_TIME);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_EXCL_WAIT_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_accel_excl_wait_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_EXCL_WAIT_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_DEINIT_HOST_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_deinit_host_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_DEINIT_HOST_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_DEINIT_HTP_RPC_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_deinit_htp_rpc_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_DEINIT_HTP_RPC_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_DEINIT_ACCEL_TIME_MICROSEC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_deinit_accel_time_microsec,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_DEINIT_ACCEL_TIME_MICROSEC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT)
QNNPP_SAME_VALUE(htp_profile_event_type::node_wait, QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_NODE_OVERLAP)
QNNPP_SAME_VALUE(htp_profile_event_type::node_overlap, QNN_HTP_PROFILE_EVENTTYPE_NODE_OVERLAP);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT_OVERLAP)
QNNPP_SAME_VALUE(htp_profile_event_type::node_wait_overlap,
                 QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT_OVERLAP);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_NODE_RESOURCEMASK)
QNNPP_SAME_VALUE(htp_profile_event_type::node_resourcemask,
                 QNN_HTP_PROFILE_EVENTTYPE_NODE_RESOURCEMASK);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_NODE_CRITICAL_BG_OP_ID)
QNNPP_SAME_VALUE(htp_profile_event_type::node_critical_bg_op_id,
                 QNN_HTP_PROFILE_EVENTTYPE_NODE_CRITICAL_BG_OP_ID);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT_BG_OP_ID)
QNNPP_SAME_VALUE(htp_profile_event_type::node_wait_bg_op_id,
                 QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT_BG_OP_ID);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_CRITICAL_ACCEL_TIME_CYCLE)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_execute_critical_accel_time_cycle,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_CRITICAL_ACCEL_TIME_CYCLE);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_NUMBER_OF_HVX_THREADS)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_number_of_hvx_threads,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_NUMBER_OF_HVX_THREADS);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_QNN)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_apply_binary_section_qnn,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_QNN);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_RPC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_apply_binary_section_rpc,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_RPC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_QNN_ACC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_apply_binary_section_qnn_acc,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_QNN_ACC);
#endif
#if defined(QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_ACC)
QNNPP_SAME_VALUE(htp_profile_event_type::graph_apply_binary_section_acc,
                 QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_ACC);
#endif

// op.hpp: names
#if defined(QNN_OP_PACKAGE_NAME_QTI_AISW)
QNNPP_SAME_TEXT(op_names::package_qti_aisw, QNN_OP_PACKAGE_NAME_QTI_AISW);
#endif
#if defined(QNN_OP_MAT_MUL)
QNNPP_SAME_TEXT(op_names::mat_mul::type, QNN_OP_MAT_MUL);
#endif
#if defined(QNN_OP_MAT_MUL_PARAM_TRANSPOSE_IN0)
QNNPP_SAME_TEXT(op_names::mat_mul::transpose_in0, QNN_OP_MAT_MUL_PARAM_TRANSPOSE_IN0);
#endif
#if defined(QNN_OP_MAT_MUL_PARAM_TRANSPOSE_IN1)
QNNPP_SAME_TEXT(op_names::mat_mul::transpose_in1, QNN_OP_MAT_MUL_PARAM_TRANSPOSE_IN1);
#endif
#if defined(QNN_OP_FULLY_CONNECTED)
QNNPP_SAME_TEXT(op_names::fully_connected::type, QNN_OP_FULLY_CONNECTED);
#endif
#if defined(QNN_OP_FULLY_CONNECTED_PARAM_KEEP_DIMS)
QNNPP_SAME_TEXT(op_names::fully_connected::keep_dims, QNN_OP_FULLY_CONNECTED_PARAM_KEEP_DIMS);
#endif
#if defined(QNN_OP_ELEMENT_WISE_ADD)
QNNPP_SAME_TEXT(op_names::element_wise_add::type, QNN_OP_ELEMENT_WISE_ADD);
#endif
#if defined(QNN_OP_ELEMENT_WISE_MULTIPLY)
QNNPP_SAME_TEXT(op_names::element_wise_multiply::type, QNN_OP_ELEMENT_WISE_MULTIPLY);
#endif
#if defined(QNN_OP_RELU)
QNNPP_SAME_TEXT(op_names::relu::type, QNN_OP_RELU);
#endif
#if defined(QNN_OP_SOFTMAX)
QNNPP_SAME_TEXT(op_names::softmax::type, QNN_OP_SOFTMAX);
#endif
#if defined(QNN_OP_SOFTMAX_PARAM_AXIS)
QNNPP_SAME_TEXT(op_names::softmax::axis, QNN_OP_SOFTMAX_PARAM_AXIS);
#endif
#if defined(QNN_OP_SOFTMAX_PARAM_BETA)
QNNPP_SAME_TEXT(op_names::softmax::beta, QNN_OP_SOFTMAX_PARAM_BETA);
#endif
#if defined(QNN_OP_RESHAPE)
QNNPP_SAME_TEXT(op_names::reshape::type, QNN_OP_RESHAPE);
#endif
#if defined(QNN_OP_CONVERT)
QNNPP_SAME_TEXT(op_names::convert::type, QNN_OP_CONVERT);
#endif
#if defined(QNN_OP_TRANSPOSE)
QNNPP_SAME_TEXT(op_names::transpose::type, QNN_OP_TRANSPOSE);
#endif
#if defined(QNN_OP_TRANSPOSE_PARAM_PERM)
QNNPP_SAME_TEXT(op_names::transpose::perm, QNN_OP_TRANSPOSE_PARAM_PERM);
#endif
#if defined(QNN_OP_CONV_2D)
QNNPP_SAME_TEXT(op_names::conv2d::type, QNN_OP_CONV_2D);
#endif
#if defined(QNN_OP_CONV_2D_PARAM_STRIDE)
QNNPP_SAME_TEXT(op_names::conv2d::stride, QNN_OP_CONV_2D_PARAM_STRIDE);
#endif
#if defined(QNN_OP_CONV_2D_PARAM_PAD_AMOUNT)
QNNPP_SAME_TEXT(op_names::conv2d::pad_amount, QNN_OP_CONV_2D_PARAM_PAD_AMOUNT);
#endif
#if defined(QNN_OP_CONV_2D_PARAM_DILATION)
QNNPP_SAME_TEXT(op_names::conv2d::dilation, QNN_OP_CONV_2D_PARAM_DILATION);
#endif
#if defined(QNN_OP_CONV_2D_PARAM_GROUP)
QNNPP_SAME_TEXT(op_names::conv2d::group, QNN_OP_CONV_2D_PARAM_GROUP);
#endif

}  // namespace qnnpp::c_api

#endif
