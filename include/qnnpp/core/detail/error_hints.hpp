// Table of QNN's error codes: the name, the possible causes and the advice for each code.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/interface.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Texts for one error code.
struct ErrorHint {
  template <class Code>
  constexpr ErrorHint(Code of, const char* its_name, const char* its_hint) noexcept
      : code(c_api::code_of(of)), name(its_name), hint(its_hint) {}

  std::uint16_t code;  ///< The error code, see c_api::code_of().
  const char* name;    ///< Name of the C enumerator, without QNN_ and without ERROR_.
  const char* hint;    ///< Likely causes, commonest first, then what to do.
};

inline constexpr char refused_argument[] =
    "the function refused an argument; compare the call with the SDK's header";

/// One row for each code that a call may return.
inline constexpr ErrorHint error_hints[] = {
    {c_api::CommonError::not_supported, "NOT_SUPPORTED",
     "the backend lacks this feature; ask for its capability first"},
    {c_api::CommonError::mem_alloc, "MEM_ALLOC",
     "no process domain has room, an SMMU mapping failed, or a Linux library was given external "
     "weights; free other contexts, enable fewer graphs, or leave the weights to QNN"},
    {c_api::CommonError::system, "SYSTEM", "a service of the platform failed; read the system log"},
    {c_api::CommonError::invalid_argument, "INVALID_ARGUMENT", refused_argument},
    {c_api::CommonError::operation_not_permitted, "OPERATION_NOT_PERMITTED",
     "the object does not allow this now or at all; check its state and its options"},
    {c_api::CommonError::platform_not_supported, "PLATFORM_NOT_SUPPORTED",
     "this backend does not run on this platform; use the backend of this platform's SDK folder"},
    {c_api::CommonError::system_communication, "SYSTEM_COMMUNICATION",
     "the DSP restarted and contexts, graphs and registrations are dead; create them again"},
    {c_api::CommonError::incompatible_binaries, "INCOMPATIBLE_BINARIES",
     "the backend library and the library that it runs on the DSP (skel) are of different SDKs; "
     "put libQnnHtp.so, its stub and its skel of one SDK in place, and check ADSP_LIBRARY_PATH for "
     "an older skel"},
    {c_api::CommonError::loading_binaries, "LOADING_BINARIES",
     "a library cannot be loaded: when composing a graph, libQnnHtpPrepare.so; otherwise a second "
     "copy of the backend; put libQnnHtpPrepare.so beside the backend library, and load one copy "
     "per process"},
    {c_api::CommonError::resource_unavailable, "RESOURCE_UNAVAILABLE",
     "a resource is used up; release others first"},
    {c_api::CommonError::system_communication_fatal, "SYSTEM_COMMUNICATION_FATAL",
     "the DSP is lost to this process; restart the process"},
    {c_api::CommonError::general, "GENERAL", "the backend gives no reason; raise the log level"},
    {c_api::PropertyError::unknown_key, "PROPERTY_UNKNOWN_KEY",
     "the library is older than this capability; use a newer SDK"},
    {c_api::OpPackageError::library_already_initialized, "OP_PACKAGE_LIBRARY_ALREADY_INITIALIZED",
     "the op package is registered already; use the registration that exists"},
    {c_api::OpPackageError::library_not_initialized, "OP_PACKAGE_LIBRARY_NOT_INITIALIZED",
     "the op package is not initialized; use it after it is registered with the backend"},
    {c_api::OpPackageError::invalid_handle, "OP_PACKAGE_INVALID_HANDLE",
     "the op implementation is stale or of another package; make it again from this package"},
    {c_api::OpPackageError::invalid_infrastructure, "OP_PACKAGE_INVALID_INFRASTRUCTURE",
     "the op package was made for another backend; make it again for this one"},
    {c_api::OpPackageError::invalid_info, "OP_PACKAGE_INVALID_INFO",
     "the op package describes itself wrongly; correct the names and counts in its description"},
    {c_api::OpPackageError::validation_failure, "OP_PACKAGE_VALIDATION_FAILURE",
     "the operation's inputs, outputs or parameters do not fit; compare them with the op's "
     "definition, or read the reason in the backend's log"},
    {c_api::OpPackageError::invalid_argument, "OP_PACKAGE_INVALID_ARGUMENT",
     "the op package refused an argument; compare the call with the SDK's header"},
    {c_api::BackendError::cannot_initialize, "BACKEND_CANNOT_INITIALIZE",
     "the backend did not start, most often because its library does not know this SoC; use the "
     "libraries of an SDK that supports the SoC, or read the backend's log"},
    {c_api::BackendError::terminate_failed, "BACKEND_TERMINATE_FAILED",
     "the backend did not shut down; free its contexts and devices first"},
    {c_api::BackendError::not_supported, "BACKEND_NOT_SUPPORTED",
     "the backend lacks this feature; ask for its capability first"},
    {c_api::BackendError::invalid_argument, "BACKEND_INVALID_ARGUMENT", refused_argument},
    {c_api::BackendError::op_package_not_found, "BACKEND_OP_PACKAGE_NOT_FOUND",
     "no op package has the operation, or the op package's library cannot be opened; check the "
     "operation's type and package, or the library's path"},
    {c_api::BackendError::op_package_if_provider_not_found,
     "BACKEND_OP_PACKAGE_IF_PROVIDER_NOT_FOUND",
     "the op package's library does not export the provider; give the name that it exports"},
    {c_api::BackendError::op_package_registration_failed, "BACKEND_OP_PACKAGE_REGISTRATION_FAILED",
     "the op package refused; read the reason in the backend's log"},
    {c_api::BackendError::op_package_unsupported_version, "BACKEND_OP_PACKAGE_UNSUPPORTED_VERSION",
     "the op package was built with another SDK; make it again with this one"},
    {c_api::BackendError::op_package_duplicate, "BACKEND_OP_PACKAGE_DUPLICATE",
     "a package of this name has the op already; use the one that is registered"},
    {c_api::BackendError::inconsistent_config, "BACKEND_INCONSISTENT_CONFIG",
     "another backend of this process has other options; use the same options"},
    {c_api::BackendError::invalid_handle, "BACKEND_INVALID_HANDLE",
     "the backend handle is stale or of another kind; use the handle of a live backend"},
    {c_api::BackendError::invalid_config, "BACKEND_INVALID_CONFIG",
     "an option is unknown, wrong or excluded by another; remove options one by one"},
    {c_api::SaverError::dummy_retvalue, "SAVER_DUMMY_RETVALUE",
     "this library is the Saver, which records calls and executes none; load the library of the "
     "target"},
    {c_api::SaverError::already_instantiated, "SAVER_ALREADY_INSTANTIATED",
     "the Saver has a backend already; make this call before the backend is created"},
    {c_api::ContextError::invalid_argument, "CONTEXT_INVALID_ARGUMENT", refused_argument},
    {c_api::ContextError::ctx_does_not_exist, "CONTEXT_DOES_NOT_EXIST",
     "no such context exists; create it again"},
    {c_api::ContextError::invalid_handle, "CONTEXT_INVALID_HANDLE",
     "the context handle is stale or of another kind; use the handle of a live context"},
    {c_api::ContextError::not_finalized, "CONTEXT_NOT_FINALIZED",
     "a graph of the context is not finalized; finalize all its graphs first"},
    {c_api::ContextError::binary_version, "CONTEXT_BINARY_VERSION",
     "this library does not support the binary's format version; prepare the binary again"},
    {c_api::ContextError::create_from_binary, "CONTEXT_CREATE_FROM_BINARY",
     "the device has no room, the binary is for another architecture, or (in a list or in "
     "contextFinalize) it is damaged or was replaced; free other contexts, prepare the binary for "
     "this device, or check the binary"},
    {c_api::ContextError::get_binary_size_failed, "CONTEXT_GET_BINARY_SIZE_FAILED",
     "the context cannot be serialised; finalize its graphs first"},
    {c_api::ContextError::get_binary_failed, "CONTEXT_GET_BINARY_FAILED",
     "the context cannot be serialised; finalize its graphs first"},
    {c_api::ContextError::binary_configuration, "CONTEXT_BINARY_CONFIGURATION",
     "the binary was prepared for another device; prepare it for this one's architecture and VTCM"},
    {c_api::ContextError::set_profile, "CONTEXT_SET_PROFILE",
     "the function refused the profile handle; use a live profile of this backend"},
    {c_api::ContextError::invalid_config, "CONTEXT_INVALID_CONFIG",
     "an option is unknown, wrong or excluded by another; remove options one by one"},
    {c_api::ContextError::binary_suboptimal, "CONTEXT_BINARY_SUBOPTIMAL",
     "the binary does not use this device fully; prepare it again"},
    {c_api::ContextError::aborted, "CONTEXT_ABORTED",
     "a signal aborted the call; make the call again"},
    {c_api::ContextError::timed_out, "CONTEXT_TIMED_OUT",
     "a signal's time limit passed; allow more time"},
    {c_api::ContextError::increment_invalid_buffer, "CONTEXT_INCREMENT_INVALID_BUFFER",
     "the buffer is not a piece of an incremental binary; release each piece once"},
    {c_api::GraphError::invalid_argument, "GRAPH_INVALID_ARGUMENT", refused_argument},
    {c_api::GraphError::invalid_handle, "GRAPH_INVALID_HANDLE",
     "the graph or context handle is stale or of another kind, or the graph is not among the "
     "context's enabled graphs; use the handle of a live, enabled graph"},
    {c_api::GraphError::graph_does_not_exist, "GRAPH_DOES_NOT_EXIST",
     "the context has no graph of this name; use a name that its binary lists"},
    {c_api::GraphError::invalid_name, "GRAPH_INVALID_NAME",
     "the name is missing or taken; use another name"},
    {c_api::GraphError::invalid_tensor, "GRAPH_INVALID_TENSOR",
     "a tensor is unknown or does not fit; compare it with the graph's tensors"},
    {c_api::GraphError::invalid_op_config, "GRAPH_INVALID_OP_CONFIG",
     "the operation's inputs, outputs or parameters do not fit; compare them with the op's "
     "definition"},
    {c_api::GraphError::set_profile, "GRAPH_SET_PROFILE",
     "the function refused the profile handle; use a live profile of this backend"},
    {c_api::GraphError::unconnected_node, "GRAPH_UNCONNECTED_NODE",
     "no earlier node produces an input; add its producer first"},
    {c_api::GraphError::create_failed, "GRAPH_CREATE_FAILED",
     "the backend did not make the graph; raise the log level"},
    {c_api::GraphError::optimization_failed, "GRAPH_OPTIMIZATION_FAILED",
     "the backend did not prepare the graph; raise the log level"},
    {c_api::GraphError::finalize_failed, "GRAPH_FINALIZE_FAILED",
     "the backend did not finalize the graph; raise the log level"},
    {c_api::GraphError::graph_not_finalized, "GRAPH_NOT_FINALIZED",
     "the graph is not finalized; finalize it first"},
    {c_api::GraphError::graph_finalized, "GRAPH_FINALIZED",
     "the graph is final and accepts no changes; compose another graph"},
    {c_api::GraphError::execution_async_fifo_full, "GRAPH_EXECUTION_ASYNC_FIFO_FULL",
     "the queue of executions is full; allow a longer queue or wait for an execution"},
    {c_api::GraphError::signal_in_use, "GRAPH_SIGNAL_IN_USE",
     "another call uses the signal; use one signal per call"},
    {c_api::GraphError::aborted, "GRAPH_ABORTED", "a signal aborted the call; make the call again"},
    {c_api::GraphError::profile_in_use, "GRAPH_PROFILE_IN_USE",
     "another call uses the profile; use one profile per call"},
    {c_api::GraphError::timed_out, "GRAPH_TIMED_OUT",
     "a signal's time limit passed; allow more time"},
    {c_api::GraphError::subgraph, "GRAPH_SUBGRAPH",
     "a subgraph cannot be used here; use its top-level graph"},
    {c_api::GraphError::disabled, "GRAPH_DISABLED",
     "the graph is not among the context's enabled graphs; enable it when the context is restored"},
    {c_api::GraphError::dynamic_tensor_shape, "GRAPH_DYNAMIC_TENSOR_SHAPE",
     "a dynamic dimension has no value or a wrong one; give each a value within its limit"},
    {c_api::GraphError::tensor_sparsity, "GRAPH_TENSOR_SPARSITY",
     "the parameters of a sparse tensor do not fit; correct them"},
    {c_api::GraphError::early_termination, "GRAPH_EARLY_TERMINATION",
     "an op ended the execution early; check the inputs"},
    {c_api::GraphError::invalid_context, "GRAPH_INVALID_CONTEXT",
     "the context no longer exists; create it again"},
    {c_api::GraphError::cycle_detected, "GRAPH_CYCLE_DETECTED",
     "the nodes form a cycle; remove it"},
    {c_api::TensorError::invalid_handle, "TENSOR_INVALID_HANDLE",
     "the graph handle is stale or of another kind; use the handle of a live graph"},
    {c_api::TensorError::does_not_exist, "TENSOR_DOES_NOT_EXIST",
     "no such tensor exists; create it first"},
    {c_api::TensorError::already_exists, "TENSOR_ALREADY_EXISTS",
     "the name is taken; use another name"},
    {c_api::TensorError::invalid_tensor_param, "TENSOR_INVALID_TENSOR_PARAM",
     "the tensor's description is wrong; correct its type, rank, dimensions or quantisation"},
    {c_api::TensorError::unsupported_tensor_param, "TENSOR_UNSUPPORTED_TENSOR_PARAM",
     "the backend does not support such a tensor; use another type, rank or quantisation"},
    {c_api::TensorError::name_hash_collision, "TENSOR_NAME_HASH_COLLISION",
     "the name has the same hash as the name of another tensor; use another name"},
    {c_api::TensorError::incompatible_tensor_update, "TENSOR_INCOMPATIBLE_TENSOR_UPDATE",
     "the update changes parts of the tensor that must not change; compare it with the tensor"},
    {c_api::MemError::invalid_argument, "MEM_INVALID_ARGUMENT",
     "the function refused a descriptor; check size, offset and alignment"},
    {c_api::MemError::invalid_handle, "MEM_INVALID_HANDLE",
     "a handle is stale or of another kind; use the handle of a live registration"},
    {c_api::MemError::already_registered, "MEM_ALREADY_REGISTERED",
     "the memory is already registered with this context; use the registration that exists"},
    {c_api::MemError::mapping, "MEM_MAPPING",
     "the device cannot map the memory; allocate it from rpcmem or a DMA heap"},
    {c_api::MemError::invalid_shape, "MEM_INVALID_SHAPE",
     "the shape does not fit the memory; use a buffer of the shape's size"},
    {c_api::MemError::unsupported_memtype, "MEM_UNSUPPORTED_MEMTYPE",
     "the backend does not support this type of memory here; use another type of memory"},
    {c_api::SignalError::signal_in_use, "SIGNAL_IN_USE",
     "another call uses the signal; use one signal per call"},
    {c_api::SignalError::signal_idle, "SIGNAL_IDLE",
     "no call uses the signal; start the call first"},
    {c_api::SignalError::invalid_argument, "SIGNAL_INVALID_ARGUMENT", refused_argument},
    {c_api::SignalError::invalid_handle, "SIGNAL_INVALID_HANDLE",
     "the signal handle is stale or of another kind; use the handle of a live signal"},
    {c_api::SignalError::timeout, "SIGNAL_TIMEOUT",
     "the signal's time limit passed; allow more time"},
    {c_api::SignalError::incompatible_signal_type, "SIGNAL_INCOMPATIBLE_SIGNAL_TYPE",
     "the call does not support this type of signal; use another type"},
    {c_api::ErrorError::invalid_argument, "ERROR_INVALID_ARGUMENT", refused_argument},
    {c_api::ErrorError::invalid_error_handle, "ERROR_INVALID_ERROR_HANDLE",
     "the library does not know the code; see the SDK's error codes"},
    {c_api::LogError::initialization, "LOG_INITIALIZATION",
     "the logger did not start, most often because the library does not know this SoC; use the "
     "libraries of an SDK that supports the SoC"},
    {c_api::LogError::invalid_argument, "LOG_INVALID_ARGUMENT", refused_argument},
    {c_api::LogError::invalid_handle, "LOG_INVALID_HANDLE",
     "the log handle is stale or of another kind; use the handle of a live logger"},
    {c_api::ProfileError::invalid_handle, "PROFILE_INVALID_HANDLE",
     "the profile handle is stale or of another kind; use the handle of a live profile"},
    {c_api::ProfileError::handle_in_use, "PROFILE_HANDLE_IN_USE",
     "a graph or a call uses the profile; free it when both have ended"},
    {c_api::ProfileError::incompatible_event, "PROFILE_INCOMPATIBLE_EVENT",
     "the event has extended data; ask for the extended data"},
    {c_api::HtpPerfInfrastructureError::invalid_handle_ptr,
     "HTP_PERF_INFRASTRUCTURE_INVALID_HANDLE_PTR",
     "no such power configuration exists; create it first"},
    {c_api::HtpPerfInfrastructureError::invalid_input, "HTP_PERF_INFRASTRUCTURE_INVALID_INPUT",
     "the core has no votes, the id is not known, or a setting lacks the DCVS vote that it needs; "
     "use core 0 of device 0, and vote again after a restart"},
    {c_api::HtpPerfInfrastructureError::unsupported_config,
     "HTP_PERF_INFRASTRUCTURE_UNSUPPORTED_CONFIG",
     "the library does not know this setting; use a newer SDK or do without the setting"},
    {c_api::HtpPerfInfrastructureError::transport, "HTP_PERF_INFRASTRUCTURE_TRANSPORT",
     "a remote call failed, usually because the DSP restarts; make the vote again"},
    {c_api::HtpPerfInfrastructureError::unsupported, "HTP_PERF_INFRASTRUCTURE_UNSUPPORTED",
     "this chip does not have the setting; do without it"},
    {c_api::HtpPerfInfrastructureError::mem_alloc, "HTP_PERF_INFRASTRUCTURE_MEM_ALLOC",
     "out of memory; free other objects"},
    {c_api::HtpPerfInfrastructureError::failed, "HTP_PERF_INFRASTRUCTURE_FAILED",
     "the backend refused a value, such as a polling time above 9999 us; use a smaller one"},
    {c_api::DeviceError::invalid_handle, "DEVICE_INVALID_HANDLE",
     "the device handle is stale or of another kind; use the handle of a live device"},
    {c_api::DeviceError::invalid_config, "DEVICE_INVALID_CONFIG",
     "the DSP side did not start; check the stub and the skel of this SDK, ADSP_LIBRARY_PATH, "
     "FastRPC and the SoC"},
    {c_api::DeviceError::hardware_unavailable, "DEVICE_HARDWARE_UNAVAILABLE",
     "no such device exists here; use one that the platform's information lists"},
    {c_api::DeviceError::associated_to_context, "DEVICE_ASSOCIATED_TO_CONTEXT",
     "contexts still use the device; free them first"},
    {c_api::GlobalConfigError::invalid_config, "GLOBAL_CONFIG_INVALID_CONFIG",
     "an option is unknown or wrong; remove options one by one"},
    {c_api::SystemCommonError::invalid_handle, "SYSTEM_INVALID_HANDLE",
     "the system context handle is stale or of another kind; use the handle of a live one"},
    {c_api::SystemCommonError::invalid_argument, "SYSTEM_INVALID_ARGUMENT",
     "the bytes are damaged or no context binary, or an argument is wrong; check or replace the "
     "file"},
    {c_api::SystemContextError::operation_failed, "SYSTEM_OPERATION_FAILED",
     "the metadata could not be read; use libQnnSystem.so of the SDK that made the binary"},
    {c_api::SystemContextError::malformed_binary, "SYSTEM_MALFORMED_BINARY",
     "the file is damaged, truncated or no context binary, or it is newer than the system library; "
     "check the file, or use libQnnSystem.so of the SDK that made it"},
    {c_api::SystemProfileError::mem_alloc, "SYSTEM_PROFILE_MEM_ALLOC",
     "out of memory; free other objects"},
    {c_api::CommonError::undefined, "UNDEFINED",
     "the backend gives no code, for example for a load after a failed load; try the load again"},
};

/// Codes with another meaning in a call that creates or finalizes a context, whose backend has
/// started.
inline constexpr ErrorHint error_hints_of_loads[] = {
    {c_api::BackendError::cannot_initialize, "BACKEND_CANNOT_INITIALIZE",
     "rpcmem has no memory for the context; free other contexts or buffers"},
    {c_api::DeviceError::invalid_config, "DEVICE_INVALID_CONFIG",
     "no process domain has room, as for an earlier load, or the log says that the stub or the "
     "skel cannot be loaded; free other contexts, or check both libraries and ADSP_LIBRARY_PATH"},
};

/// Whether a step is a call that creates or finalizes a context.
[[nodiscard]] constexpr bool is_load(std::string_view step) noexcept {
  using enum c_api::Slot;
  for (const c_api::Slot slot : {context_create, context_create_from_binary,
                                 context_create_from_binary_list_async, context_finalize})
    if (step == name_of(slot)) return true;
  return false;
}

/// Returns the texts for a code that `step` returned. The name of an unknown code is "".
[[nodiscard]] constexpr ErrorHint error_hint(std::uint16_t code,
                                             std::string_view step = {}) noexcept {
  if (is_load(step))
    for (const ErrorHint& hint : error_hints_of_loads)
      if (hint.code == code) return hint;
  for (const ErrorHint& hint : error_hints)
    if (hint.code == code) return hint;
  return {code, "", "see the SDK's error codes"};
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
