// Error codes of the core API, of HTP and of the system library, and the calls that return their
// text. Each group has a range of a thousand numbers; the groups of the system library share one
// range.
//
// A call returns codes of its group and of CommonError. Some groups repeat a common code with the
// same number: ContextError::mem_alloc is CommonError::mem_alloc. Enumerators that no call returns
// as an error, such as the bounds of a group, are left out.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Codes that any call may return. C: QnnCommon_Error_t.
enum class CommonError : std::uint32_t {
  not_supported = 1000,  ///< The backend does not support the feature.
  /// Out of memory. From HTP also: no process domain has room, or an SMMU mapping failed.
  mem_alloc = 1002,
  system = 1003,            ///< A call of the operating system failed.
  invalid_argument = 1004,  ///< An argument is NULL or out of range.
  /// Not allowed in this state, such as getBinary on a context that came from a binary.
  operation_not_permitted = 1005,
  platform_not_supported = 1006,  ///< The library cannot run here.
  /// The DSP has restarted (SSR) and is available: contexts, graphs and memory handles are invalid;
  /// create them again.
  system_communication = 1007,
  incompatible_binaries = 1008,  ///< The libraries on the CPU and on the DSP do not fit each other.
  /// A library was not found, or a second copy of the HTP library is loaded.
  loading_binaries = 1009,
  resource_unavailable = 1010,        ///< A resource is in use or no longer exists.
  system_communication_fatal = 1011,  ///< The DSP has restarted and stays unreachable.
  general = 1100,                     ///< Failure without a known cause.
  undefined = 0x7FFFFFFF,
};

/// Results of property_has_capability. C: QnnProperty_Error_t.
enum class PropertyError : std::uint32_t {
  supported = 0,         ///< The backend has the capability.
  not_supported = 1000,  ///< The backend does not have the capability.
  unknown_key = 2000,    ///< The library is older than the key.
};

/// Codes of an op package, which backend_validate_op_config and graph_finalize return.
/// C: QnnOpPackage_Error_t.
enum class OpPackageError : std::uint32_t {
  unsupported_feature = 1000,          ///< The package does not support the feature.
  general = 1100,                      ///< Failure without a known cause.
  library_already_initialized = 3000,  ///< The package is initialized already.
  library_not_initialized = 3001,      ///< The package is not initialized.
  invalid_handle = 3002,               ///< The op implementation is not valid.
  invalid_infrastructure =
      3100,             ///< The infrastructure that the backend passed to the package is not valid.
  invalid_info = 3101,  ///< The package's description of itself is not valid.
  validation_failure = 3110,  ///< Inputs, outputs or parameters do not fit the op.
  invalid_argument = 3200,    ///< An argument is NULL or out of range.
};

/// Codes of the Saver, a backend that records calls instead of executing them. C: QnnSaver_Error_t.
enum class SaverError : std::uint32_t {
  dummy_retvalue = 4950,        ///< The call is recorded; its results have no meaning.
  already_instantiated = 4951,  ///< The call comes too late: a backend exists already.
};

/// Codes of the backend calls. C: QnnBackend_Error_t.
enum class BackendError : std::uint32_t {
  mem_alloc = 1002,             ///< Out of memory.
  unsupported_platform = 1006,  ///< The library cannot run on this platform.
  cannot_initialize = 4000,     ///< The backend cannot be initialized.
  terminate_failed = 4002,      ///< The backend failed to terminate.
  not_supported =
      4003,  ///< The feature is not supported; backend calls use this code instead of 1000.
  invalid_argument = 4004,  ///< An argument is NULL or out of range.
  /// No op package has this op, or the op package's library cannot be opened.
  op_package_not_found = 4005,
  /// The op package's library does not export the provider symbol.
  op_package_if_provider_not_found = 4006,
  op_package_registration_failed = 4007,  ///< The op package failed to register.
  op_package_unsupported_version = 4008,  ///< The op package's interface version is not supported.
  /// A package with the same name and op is registered already.
  op_package_duplicate = 4009,
  inconsistent_config = 4010,  ///< The process has a backend with other configs.
  invalid_handle = 4011,       ///< The backend handle is not valid.
  invalid_config = 4012,       ///< An option is malformed or unknown.
};

/// Codes of the context calls. C: QnnContext_Error_t.
enum class ContextError : std::uint32_t {
  unsupported_feature = 1000,  ///< The backend does not support the feature.
  /// Out of memory. From HTP also: no process domain has room, or mapping the weights failed.
  mem_alloc = 1002,
  invalid_argument = 5000,        ///< An argument is NULL or out of range.
  ctx_does_not_exist = 5001,      ///< The context does not exist.
  invalid_handle = 5002,          ///< Backend, device or context handle is not valid.
  not_finalized = 5003,           ///< A graph of the context is not finalized.
  binary_version = 5004,          ///< The binary's format is too old or too new.
  create_from_binary = 5005,      ///< The binary could not be deserialized.
  get_binary_size_failed = 5006,  ///< The size could not be determined.
  get_binary_failed = 5007,       ///< The context could not be serialized.
  binary_configuration = 5008,    ///< The binary was prepared for other hardware.
  set_profile = 5009,             ///< The profile handle cannot be used.
  invalid_config = 5010,          ///< An option is malformed, unknown or not allowed here.
  /// The binary would run with poor performance; only with ContextBinaryCompatibilityType::strict.
  binary_suboptimal = 5011,
  aborted = 5012,    ///< A signal aborted the call.
  timed_out = 5013,  ///< The signal's time limit expired.
  /// The buffer is not from context_get_incremental_binary. Core 2.27.
  increment_invalid_buffer = 5014,
};

/// Codes of the graph calls. C: QnnGraph_Error_t.
enum class GraphError : std::uint32_t {
  unsupported_feature = 1000,        ///< The backend does not support the feature.
  mem_alloc = 1002,                  ///< Out of memory.
  general = 1100,                    ///< Failure without a known cause.
  invalid_argument = 6000,           ///< An argument is NULL or out of range.
  invalid_handle = 6001,             ///< The context or graph handle is not valid.
  graph_does_not_exist = 6002,       ///< The context has no graph with this name.
  invalid_name = 6003,               ///< The name is NULL, empty or in use.
  invalid_tensor = 6004,             ///< A tensor does not fit the graph's.
  invalid_op_config = 6005,          ///< A node's op, parameters or tensors are not valid.
  set_profile = 6006,                ///< The profile handle cannot be used.
  unconnected_node = 6007,           ///< A node was added before the nodes that make its inputs.
  create_failed = 6020,              ///< The graph could not be created.
  optimization_failed = 6021,        ///< The optimizer failed, or no implementation fits.
  finalize_failed = 6022,            ///< The graph could not be finalized.
  graph_not_finalized = 6023,        ///< The graph is not finalized.
  graph_finalized = 6024,            ///< The graph is finalized already.
  execution_async_fifo_full = 6025,  ///< The queue of asynchronous executions is full.
  signal_in_use = 6030,              ///< The signal controls another call.
  aborted = 6031,                    ///< A signal aborted the call.
  profile_in_use = 6032,             ///< The profile handle is bound to another graph.
  timed_out = 6033,                  ///< The signal's time limit expired.
  subgraph = 6034,                   ///< The call does not accept a subgraph.
  /// ContextConfigOption::enable_graphs excludes the graph.
  disabled = 6035,
  dynamic_tensor_shape = 6036,  ///< A dynamic dimension has no or a wrong value.
  tensor_sparsity = 6037,       ///< A sparse tensor's parameters are not valid.
  early_termination = 6038,     ///< An op of the graph ended the execution early.
  invalid_context = 6039,       ///< The graph's context has been freed. Core 2.23.
  cycle_detected = 6040,        ///< The nodes form a cycle. Core 2.39.
};

/// Codes of the tensor calls. C: QnnTensor_Error_t.
enum class TensorError : std::uint32_t {
  invalid_handle = 7001,            ///< The context or graph handle is not valid.
  does_not_exist = 7002,            ///< The tensor does not exist.
  already_exists = 7003,            ///< The name is in use.
  invalid_tensor_param = 7004,      ///< A field of the tensor is not valid.
  unsupported_tensor_param = 7005,  ///< A field of the tensor is valid, but not supported.
  /// Another tensor's name has the same id; choose another name.
  name_hash_collision = 7006,
  incompatible_tensor_update = 7007,  ///< The update changes a field that must stay.
  unsupported_feature = 1000,         ///< The backend does not support the feature.
};

/// Codes of mem_register and mem_de_register. C: QnnMem_Error_t.
enum class MemError : std::uint32_t {
  not_supported = 1000,        ///< The backend registers no memory.
  invalid_argument = 8000,     ///< An argument is NULL or out of range.
  invalid_handle = 8001,       ///< Context or memory handle is not valid.
  already_registered = 8002,   ///< The memory is registered in the context already.
  mapping = 8003,              ///< The memory could not be mapped into the DSP's address space.
  invalid_shape = 8004,        ///< The shape does not fit the memory.
  unsupported_memtype = 8005,  ///< The backend does not support this MemType.
};

/// Codes of the signal calls. C: QnnSignal_Error_t.
enum class SignalError : std::uint32_t {
  unsupported = 1000,               ///< The backend does not support signals, or not this type.
  signal_in_use = 9000,             ///< The signal controls a call.
  signal_idle = 9001,               ///< The signal controls no call.
  invalid_argument = 9002,          ///< An argument is NULL or out of range.
  invalid_handle = 9003,            ///< The signal handle is not valid.
  timeout = 9004,                   ///< The time limit expired.
  incompatible_signal_type = 9005,  ///< The call does not accept a signal of this type.
  mem_alloc = 1002,                 ///< Out of memory.
};

/// Codes of the calls that return the text of errors. C: QnnError_Error_t.
enum class ErrorError : std::uint32_t {
  invalid_argument = 10000,      ///< An argument is NULL.
  invalid_error_handle = 10001,  ///< The code is unknown and has no text.
};

/// Codes of the log calls. C: QnnLog_Error_t.
enum class LogError : std::uint32_t {
  mem_alloc = 1002,          ///< Out of memory.
  initialization = 11002,    ///< Logging cannot be initialized.
  invalid_argument = 11003,  ///< An argument is NULL or out of range.
  invalid_handle = 11004,    ///< The logger handle is not valid.
};

/// Codes of the profile calls. C: QnnProfile_Error_t.
enum class ProfileError : std::uint32_t {
  unsupported = 1000,          ///< The backend does not support profiling, or not this level.
  invalid_argument = 1004,     ///< An argument is NULL or out of range.
  mem_alloc = 1002,            ///< Out of memory.
  invalid_handle = 12000,      ///< The profile or event is not valid.
  handle_in_use = 12001,       ///< A graph or a call uses the profile.
  incompatible_event = 12002,  ///< The event is extended; use profile_get_extended_event_data.
};

/// Codes of the device calls. C: QnnDevice_Error_t.
enum class DeviceError : std::uint32_t {
  unsupported_feature = 1000,     ///< The backend does not support the feature, or has no devices.
  mem_alloc = 1002,               ///< Out of memory.
  invalid_argument = 1004,        ///< An argument is NULL or out of range.
  invalid_handle = 14000,         ///< The device or logger handle is not valid.
  invalid_config = 14001,         ///< An option is malformed or unknown.
  hardware_unavailable = 14002,   ///< The requested hardware is not available.
  associated_to_context = 14003,  ///< The device has contexts; free them first.
};

/// Codes of global_config_set. C: QnnGlobalConfig_Error_t. Core 2.27.
enum class GlobalConfigError : std::uint32_t {
  invalid_config = 15000,  ///< An option is malformed or unknown.
};

/// Codes of QnnInterface_getProviders. C: QnnInterface_Error_t.
enum class InterfaceError : std::uint32_t {
  not_supported = 1000,      ///< The library provides no interface.
  invalid_parameter = 1004,  ///< An argument is NULL.
};

/// Codes of the functions in HtpDevicePerfInfrastructure. C: QnnHtpPerfInfrastructure_Error_t.
enum class HtpPerfInfrastructureError : std::uint32_t {
  invalid_handle_ptr = 13000,  ///< The power configuration is not valid.
  invalid_input = 13001,       ///< Device, core or configuration does not exist.
  unsupported_config = 13002,  ///< The library does not know the setting.
  transport = 13003,           ///< The DSP could not be reached.
  unsupported = 13004,         ///< Not supported on this platform.
  mem_alloc = 13005,           ///< Out of memory.
  failed = 13006,              ///< Failure without a known cause.
};

/// Codes common to the system library's calls. C: QnnSystemCommon_Error_t. System 1.6.
enum class SystemCommonError : std::uint32_t {
  unsupported_feature = 1000,  ///< The feature is not supported.
  invalid_handle = 30000,      ///< The handle is not valid.
  invalid_argument = 30001,    ///< An argument is NULL or out of range.
};

/// Codes of QnnSystemInterface_getProviders. C: QnnSystemInterface_Error_t.
enum class SystemInterfaceError : std::uint32_t {
  not_supported = 1000,      ///< The library provides no interface.
  invalid_parameter = 1004,  ///< An argument is NULL.
};

/// Codes of the system context calls. C: QnnSystemContext_Error_t.
enum class SystemContextError : std::uint32_t {
  unsupported_feature = 1000,  ///< The feature is not supported.
  invalid_handle = 30000,      ///< The system context handle is not valid.
  invalid_argument = 30001,    ///< An argument is NULL or out of range.
  operation_failed = 30002,    ///< Failure without a known cause.
  malformed_binary = 30010,    ///< Not a context binary, or a damaged one.
};

/// Codes of the system tensor calls. C: QnnSystemTensor_Error_t. System 1.4.
enum class SystemTensorError : std::uint32_t {
  unsupported_feature = 1000,  ///< The feature is not supported.
  invalid_argument = 30001,    ///< An argument is NULL or out of range.
  invalid_tensor = 30002,      ///< The tensor's fields are inconsistent.
};

/// Codes of the DLC calls. C: QnnSystemDlc_Error_t. System 1.4.
enum class SystemDlcError : std::uint32_t {
  unsupported_feature = 1000,  ///< The feature is not supported.
  invalid_handle = 30000,      ///< The DLC handle is not valid.
  invalid_argument = 30001,    ///< An argument is NULL or out of range.
  operation_failed = 30002,    ///< Failure without a known cause.
  malformed_binary = 30010,    ///< Not a DLC, or a damaged one.
};

/// Codes of the system profile calls. C: QnnSystemProfile_Error_t. System 1.6.
enum class SystemProfileError : std::uint32_t {
  unsupported_feature = 1000,  ///< The feature is not supported.
  invalid_handle = 30000,      ///< The serialization target is not valid.
  invalid_argument = 30001,    ///< An argument is NULL or out of range.
  mem_alloc = 31000,           ///< Out of memory.
};

/// Returns the low 16 bits of a code; compare codes by them (LOAD-06).
template <class Code>
[[nodiscard]] constexpr std::uint16_t code_of(Code code) noexcept {
  return static_cast<std::uint16_t>(static_cast<std::uint32_t>(code) & 0xFFFFu);
}

/// Returns the short text of a code. The text is static; do not free it. C: QnnError_getMessage.
/// Codes: 10000, 10001.
using ErrorGetMessageFn = ErrorHandle (*)(ErrorHandle error_handle, const char** error_message);

/// Returns the long text of an error. Release it with error_free_verbose_message.
/// C: QnnError_getVerboseMessage. Codes: 10000, 10001.
using ErrorGetVerboseMessageFn = ErrorHandle (*)(ErrorHandle error_handle,
                                                 const char** error_message);

/// Releases the result of error_get_verbose_message. C: QnnError_freeVerboseMessage. Codes: 10000.
using ErrorFreeVerboseMessageFn = ErrorHandle (*)(const char* error_message);

}  // namespace qnnpp::c_api
