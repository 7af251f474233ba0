// What each QNN error code is called, what it can mean, and what to do about it.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Text of one code. `name` is the C enumerator without QNN_ and without the group; `hint` is what
/// it can mean and what to do.
struct ErrorHint {
  std::uint16_t code;
  const char* name;
  const char* hint;
};

namespace detail {

inline constexpr ErrorHint error_hints[] = {
    {1000, "NOT_SUPPORTED", "the backend lacks this feature; ask for its capability first"},
    {1002, "MEM_ALLOC",
     "no process domain has room, an SMMU mapping failed, or the skel library is missing; "
     "free other contexts, enable fewer graphs, or check ADSP_LIBRARY_PATH"},
    {1003, "SYSTEM", "a service of the platform failed; read the system log"},
    {1004, "INVALID_ARGUMENT",
     "the function refused an argument; compare the call with the SDK's header"},
    {1005, "OPERATION_NOT_PERMITTED",
     "the object does not allow this now or at all; check its state and its options"},
    {1006, "PLATFORM_NOT_SUPPORTED",
     "this backend does not run on this platform; use the backend of this platform's SDK folder"},
    {1007, "SYSTEM_COMMUNICATION",
     "the DSP restarted and contexts, graphs and registrations are dead; create them again"},
    {1008, "INCOMPATIBLE_BINARIES", "libraries of different SDKs are mixed; use one SDK for all"},
    {1009, "LOADING_BINARIES",
     "the backend is loaded already from another path; load one copy per process"},
    {1010, "RESOURCE_UNAVAILABLE", "a resource is used up; release others first"},
    {1011, "SYSTEM_COMMUNICATION_FATAL", "the DSP is lost to this process; restart the process"},
    {1100, "GENERAL", "the backend gives no reason; raise the log level"},
    {2000, "PROPERTY_UNKNOWN_KEY", "the backend is older than this capability; use a newer SDK"},
    {3110, "OP_PACKAGE_VALIDATION_FAILURE",
     "the operation's inputs, outputs or parameters do not fit; compare them with the op's "
     "definition, or read the reason in the backend's log"},
    {4000, "BACKEND_CANNOT_INITIALIZE", "the backend did not start; raise the log level"},
    {4002, "BACKEND_TERMINATE_FAILED",
     "the backend did not shut down; free its contexts and devices first"},
    {4003, "BACKEND_NOT_SUPPORTED", "the backend lacks this feature; ask for its capability first"},
    {4004, "BACKEND_INVALID_ARGUMENT",
     "the function refused an argument; compare the call with the SDK's header"},
    {4010, "BACKEND_INCONSISTENT_CONFIG",
     "another backend of this process has other options; use the same options"},
    {4011, "BACKEND_INVALID_HANDLE",
     "the backend handle is stale or of another kind; use the handle of a live backend"},
    {5000, "CONTEXT_INVALID_ARGUMENT",
     "the function refused an argument; compare the call with the SDK's header"},
    {5001, "CONTEXT_DOES_NOT_EXIST", "no such context exists; create it again"},
    {5002, "CONTEXT_INVALID_HANDLE",
     "the context handle is stale or of another kind; use the handle of a live context"},
    {5003, "CONTEXT_NOT_FINALIZED", "finalize all graphs first"},
    {5004, "CONTEXT_BINARY_VERSION",
     "the binary was made by an SDK that this library does not read; prepare it again"},
    {5005, "CONTEXT_CREATE_FROM_BINARY",
     "the file is damaged, truncated or no context binary, or the device is full; check the "
     "file, then free other contexts"},
    {5006, "CONTEXT_GET_BINARY_SIZE_FAILED",
     "the context cannot be serialised; finalize its graphs first"},
    {5007, "CONTEXT_GET_BINARY_FAILED",
     "the context cannot be serialised; finalize its graphs first"},
    {5008, "CONTEXT_BINARY_CONFIGURATION",
     "the binary was prepared for another device; prepare it for this one's architecture and VTCM"},
    {5009, "CONTEXT_SET_PROFILE",
     "the function refused the profile handle; use a live profile of this backend"},
    {5010, "CONTEXT_INVALID_CONFIG",
     "an option is unknown, wrong or excluded by another; remove options one by one"},
    {5011, "CONTEXT_BINARY_SUBOPTIMAL",
     "the binary does not use this device fully; prepare it again"},
    {5012, "CONTEXT_ABORTED", "a signal aborted the call; make the call again"},
    {5013, "CONTEXT_TIMED_OUT", "a signal's time limit passed; allow more time"},
    {6000, "GRAPH_INVALID_ARGUMENT",
     "the function refused an argument; compare the call with the SDK's header"},
    {6001, "GRAPH_INVALID_HANDLE",
     "the graph or context handle is stale or of another kind; use the handle of a live object"},
    {6002, "GRAPH_DOES_NOT_EXIST",
     "the context has no graph of this name; use a name that its binary lists"},
    {6003, "GRAPH_INVALID_NAME", "the name is missing or taken; use another name"},
    {6004, "GRAPH_INVALID_TENSOR",
     "a tensor is unknown or does not fit; compare it with the graph's tensors"},
    {6005, "GRAPH_INVALID_OP_CONFIG",
     "the operation's inputs, outputs or parameters do not fit; compare them with the op's "
     "definition"},
    {6006, "GRAPH_SET_PROFILE",
     "the function refused the profile handle; use a live profile of this backend"},
    {6007, "GRAPH_UNCONNECTED_NODE", "no earlier node produces an input; add its producer first"},
    {6020, "GRAPH_CREATE_FAILED", "the backend did not make the graph; raise the log level"},
    {6021, "GRAPH_OPTIMIZATION_FAILED",
     "the backend did not prepare the graph; raise the log level"},
    {6022, "GRAPH_FINALIZE_FAILED", "the backend did not finalize the graph; raise the log level"},
    {6023, "GRAPH_NOT_FINALIZED", "finalize the graph first"},
    {6024, "GRAPH_FINALIZED", "the graph is final and accepts no changes; compose another graph"},
    {6030, "GRAPH_SIGNAL_IN_USE", "another call uses the signal; use one signal per call"},
    {6031, "GRAPH_ABORTED", "a signal aborted the call; make the call again"},
    {6032, "GRAPH_PROFILE_IN_USE", "another call uses the profile; use one profile per call"},
    {6033, "GRAPH_TIMED_OUT", "a signal's time limit passed; allow more time"},
    {6034, "GRAPH_SUBGRAPH", "a subgraph cannot be used here; use its top-level graph"},
    {6035, "GRAPH_DISABLED",
     "the graph is not among the context's enabled graphs; enable it when the context is restored"},
    {6039, "GRAPH_INVALID_CONTEXT", "the context no longer exists; create it again"},
    {7001, "TENSOR_INVALID_HANDLE",
     "the graph handle is stale or of another kind; use the handle of a live graph"},
    {7003, "TENSOR_ALREADY_EXISTS", "the name is taken; use another name"},
    {7004, "TENSOR_INVALID_TENSOR_PARAM",
     "the tensor's description is wrong; correct its type, rank, dimensions or quantisation"},
    {7005, "TENSOR_UNSUPPORTED_TENSOR_PARAM",
     "the backend does not support such a tensor; use another type, rank or quantisation"},
    {8000, "MEM_INVALID_ARGUMENT",
     "the function refused a descriptor; check size, offset and alignment"},
    {8001, "MEM_INVALID_HANDLE",
     "a handle is stale or of another kind; use the handle of a live registration"},
    {8002, "MEM_ALREADY_REGISTERED",
     "this context knows the memory already; use the registration that exists"},
    {8003, "MEM_MAPPING",
     "the device cannot map the memory; allocate it from rpcmem or a DMA heap"},
    {8004, "MEM_INVALID_SHAPE",
     "the shape does not fit the memory; use a buffer of the shape's size"},
    {8005, "MEM_UNSUPPORTED_MEMTYPE",
     "the backend does not support this type of memory here; use another type of memory"},
    {9000, "SIGNAL_IN_USE", "another call uses the signal; use one signal per call"},
    {11002, "LOG_INITIALIZATION", "the logger did not start; create the backend without it"},
    {11003, "LOG_INVALID_ARGUMENT",
     "the function refused an argument; compare the call with the SDK's header"},
    {11004, "LOG_INVALID_HANDLE",
     "the log handle is stale or of another kind; use the handle of a live logger"},
    {12000, "PROFILE_INVALID_HANDLE",
     "the profile handle is stale or of another kind; use the handle of a live profile"},
    {14000, "DEVICE_INVALID_HANDLE",
     "the device handle is stale or of another kind; use the handle of a live device"},
    {14001, "DEVICE_INVALID_CONFIG",
     "an option of the device is unknown or wrong; compare it with the platform's information"},
    {14002, "DEVICE_HARDWARE_UNAVAILABLE",
     "no such device exists here; use one that the platform's information lists"},
    {14003, "DEVICE_ASSOCIATED_TO_CONTEXT", "free the device's contexts first"},
    {30000, "SYSTEM_INVALID_HANDLE",
     "the system context handle is stale or of another kind; use the handle of a live one"},
    {30001, "SYSTEM_INVALID_ARGUMENT",
     "the function refused an argument; compare the call with the SDK's header"},
    {30002, "SYSTEM_OPERATION_FAILED",
     "the metadata could not be read; use libQnnSystem.so of the SDK that made the binary"},
    {30010, "SYSTEM_MALFORMED_BINARY",
     "the file is damaged, truncated or no context binary; check or replace the file"},
    {65535, "UNDEFINED",
     "the backend gives no code, as for a load after one that failed; try the load again"},
};

}  // namespace detail

/// Text of a code; name "" where none is known.
[[nodiscard]] constexpr ErrorHint error_hint(std::uint16_t code) noexcept {
  for (const ErrorHint& hint : detail::error_hints)
    if (hint.code == code) return hint;
  return {code, "", "see the SDK's error codes"};
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
