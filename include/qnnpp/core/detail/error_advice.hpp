// Table of advice: the causes of each of QNN's error codes by step and by facts, and what to do.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/core/detail/error_facts.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Code of a row that holds for every code.
enum class AnyCode : std::uint16_t { any = 0 };

/// One cause of an error, and what to do about it. Holds for an error with the code, a step of
/// `steps`, all facts of `needs` and no fact of `excluded`.
struct ErrorAdvice {
  /// A cause at every step, whatever the facts.
  template <class Code>
  constexpr ErrorAdvice(Code of, const char* its_cause, const char* its_cure) noexcept
      : ErrorAdvice(of, step::all, 0, 0, its_cause, its_cure) {}
  template <class Code>
  constexpr ErrorAdvice(Code of, std::uint16_t at, std::uint32_t needed, std::uint32_t excludes,
                        const char* its_cause, const char* its_cure) noexcept
      : code(c_api::code_of(of)),
        steps(at),
        needs(needed),
        excluded(excludes),
        cause(its_cause),
        cure(its_cure) {}

  std::uint16_t code;      ///< The error code, see c_api::code_of(); 0: every code.
  std::uint16_t steps;     ///< Bits of detail::step.
  std::uint32_t needs;     ///< Bits of detail::fact.
  std::uint32_t excluded;  ///< Bits of detail::fact.
  const char* cause;       ///< A clause; "": a further cure of the causes before.
  const char* cure;        ///< Begins with a verb; "": the same as for the causes before.
};

/// Texts of several rows.
namespace words {

inline constexpr char refused[] = "the function refused an argument";
inline constexpr char compare_call[] = "compare the call with the SDK's header";
inline constexpr char damaged[] = "the binary is damaged, truncated or no context binary";
inline constexpr char check_binary[] = "check or replace the file";
inline constexpr char newer_binary[] = "a newer SDK made the binary";
inline constexpr char newer_library[] = "use a library at least as new";
inline constexpr char no_domain[] = "no process domain has room";
inline constexpr char unknown_soc[] =
    "the library did not start, most often because it does not know this SoC";
inline constexpr char other_soc[] = "use the libraries of an SDK that supports the SoC";
inline constexpr char no_soc[] = "no Snapdragon chip was detected";
inline constexpr char show_soc[] =
    "use a device with such a chip, and let the process read /sys/devices/soc0";
inline constexpr char read_log[] = "read the reason in the backend's log";
inline constexpr char ended[] = "the backend ended a call that has no stop and no time limit";
inline constexpr char make_again[] = "make the call again";
inline constexpr char free_contexts[] = "free other contexts";

}  // namespace words

/// Rows in the order in which a message names causes and cures. A message names each text once.
inline constexpr ErrorAdvice error_advice[] = {
    // Memory and room. An execution of raw tensors makes QNN copy them on the device (QMEM-03).
    // Host library 2.51.0 returns 1002 for a node that it cannot prepare, also where there is room.
    {c_api::CommonError::mem_alloc, step::execute, 0, fact::registered,
     "QNN's copies of raw tensors do not fit", "bind registered tensor memory"},
    {c_api::CommonError::mem_alloc, step::execute, 0, fact::raw_tensors,
     "the device has no memory for the execution", ""},
    {c_api::CommonError::mem_alloc, step::prepare, 0, 0, "the HTP cannot prepare an op or a node",
     "read in the log which node it is, and change its types or shapes"},
    {c_api::CommonError::mem_alloc,
     step::loads | step::compose | step::prepare | step::register_mem | step::other, 0,
     fact::emulation, words::no_domain, ""},
    {c_api::CommonError::mem_alloc, step::loads | step::register_mem | step::other, 0,
     fact::emulation, "an SMMU mapping failed", ""},
    {c_api::CommonError::mem_alloc, step::all & ~(step::execute | step::prepare), fact::emulation,
     0, "memory is used up", "free memory of the process"},
    {c_api::CommonError::mem_alloc, step::start | step::system, 0, fact::emulation,
     "memory is used up", "free memory of the process"},
    // QnnMem_register documents 8003 for a mapping; which code a full device returns is not known.
    {c_api::MemError::mapping, step::all, 0, fact::rpcmem | fact::dma_heap,
     "the device cannot map memory of this kind", "allocate it from rpcmem or a DMA heap"},
    {c_api::MemError::mapping, "the process domain has no room to map the memory", ""},
    {c_api::CommonError::system, step::register_mem, 0, 0,
     "the process domain has no room to map the memory", ""},
    {c_api::CommonError::resource_unavailable, step::register_mem, 0, 0,
     "the process domain has no room to map the memory", ""},
    // In a load these codes do not mean what they mean in a start (RES-01).
    {c_api::BackendError::cannot_initialize, step::loads, fact::no_room, fact::emulation,
     "rpcmem has no memory for the context", ""},
    {c_api::DeviceError::invalid_config, step::loads, fact::no_room, fact::emulation,
     "no process domain has room, as for an earlier load", ""},
    {c_api::ContextError::create_from_binary, step::all, 0, fact::emulation, words::no_domain, ""},
    // What is_exhausted() calls no room has its cures once, for all its codes: first what this
    // process holds; if it holds nothing else, what other processes hold.
    {AnyCode::any, step::all & ~step::prepare, fact::no_room, fact::alone, "",
     words::free_contexts},
    {AnyCode::any, step::prepare, fact::no_room, fact::alone | fact::emulation, "",
     words::free_contexts},
    {AnyCode::any, step::register_mem, fact::no_room, 0, "", "release other registrations"},
    {AnyCode::any, step::reads | step::finalize | step::other, fact::no_room, fact::one_graph, "",
     "enable fewer graphs"},
    {AnyCode::any, step::reads | step::finalize | step::other, fact::no_room,
     fact::spill_fill_shared | fact::alone | fact::emulation, "", "share spill-fill memory"},
    {AnyCode::any, step::all, fact::no_room | fact::alone, fact::emulation, "",
     "end other processes that use the HTP"},
    {AnyCode::any, step::loads | step::register_mem, fact::no_room | fact::alone, 0, "",
     "split the model into smaller contexts"},
    {c_api::BackendError::cannot_initialize, step::loads, fact::no_room, 0, "",
     "free other buffers"},
    // Linux libraries register external weights and refuse them here (EXT-08).
    {c_api::CommonError::mem_alloc, step::finalize | step::other, 0,
     fact::own_weights | fact::weights_worked | fact::emulation,
     "a Linux library was given external weights", "leave the weights to QNN"},

    // Binaries. A device refuses a newer architecture with 5005 (RES-04), a library a newer SDK's
    // binary with 5000 (BIN-01). 5005 of QnnContext_createFromBinary does not mean damage; 5000,
    // 5007, 30002 and 30010 do, by the library that read 528 damaged binaries.
    {c_api::ContextError::create_from_binary, step::all, 0, fact::arch_fits | fact::emulation,
     "the binary is for another architecture", "prepare the binary for this device"},
    {c_api::ContextError::create_from_binary, step::all & ~step::create, 0, fact::digest_matches,
     "the binary is damaged or was replaced", words::check_binary},
    {c_api::ContextError::invalid_argument, step::reads, 0, fact::digest_matches, words::damaged,
     words::check_binary},
    {c_api::ContextError::invalid_argument, step::reads, 0, fact::not_newer, words::newer_binary,
     words::newer_library},
    {c_api::ContextError::invalid_argument, step::finalize, 0, 0, "a call to the DSP failed",
     "load the context again"},
    {c_api::ContextError::invalid_argument, step::all & ~step::finalize, 0, 0, words::refused,
     words::compare_call},
    {c_api::ContextError::get_binary_failed, step::reads, 0, fact::digest_matches, words::damaged,
     words::check_binary},
    {c_api::ContextError::get_binary_failed, step::all & ~step::reads, 0, 0,
     "the context cannot be serialised", "finalize its graphs first"},
    {c_api::SystemCommonError::invalid_argument, step::all, 0, fact::digest_matches, words::damaged,
     words::check_binary},
    {c_api::SystemCommonError::invalid_argument, step::all & ~step::reads, 0, 0,
     "an argument is wrong", words::compare_call},
    {c_api::SystemContextError::operation_failed, step::reads, 0, fact::digest_matches,
     words::damaged, words::check_binary},
    {c_api::SystemContextError::operation_failed, step::all & ~step::reads, 0, 0,
     "the metadata could not be read", "use libQnnSystem.so of the SDK that made the binary"},
    {c_api::SystemContextError::malformed_binary, step::all, 0, fact::digest_matches,
     words::damaged, words::check_binary},
    {c_api::SystemContextError::malformed_binary, step::reads, 0, fact::not_newer,
     words::newer_binary, words::newer_library},
    {c_api::SystemContextError::malformed_binary, step::all & ~step::reads, 0, 0,
     "the binary is newer than the system library", "use libQnnSystem.so of the SDK that made it"},

    // Starting: libraries and chips. Where the log names the cause, it replaces the usual ones.
    {c_api::CommonError::incompatible_binaries,
     "the backend library, its stub and the skel on the DSP are of different SDKs",
     "put the three files of one SDK in place"},
    {c_api::CommonError::incompatible_binaries, step::all, 0, fact::library_named, "",
     "check which copy of each library was loaded"},
    {c_api::CommonError::incompatible_binaries, step::all, 0, fact::library_named, "",
     "check ADSP_LIBRARY_PATH for an older skel"},
    {c_api::CommonError::loading_binaries,
     step::new_context | step::compose | step::prepare | step::other, 0, 0,
     "libQnnHtpPrepare.so, which composing needs, cannot be loaded",
     "put libQnnHtpPrepare.so beside the backend library"},
    {c_api::CommonError::loading_binaries, step::all & ~(step::compose | step::prepare), 0, 0,
     "a second copy of the backend is loaded", "load one copy per process"},
    {c_api::BackendError::cannot_initialize, step::all & ~step::loads, 0, fact::log_no_soc,
     words::unknown_soc, words::other_soc},
    {c_api::BackendError::cannot_initialize, step::all & ~step::loads, fact::log_no_soc, 0,
     words::no_soc, words::show_soc},
    {c_api::BackendError::cannot_initialize, step::all & ~step::loads, 0, 0, "", words::read_log},
    {c_api::LogError::initialization, step::all, 0, fact::log_no_soc, words::unknown_soc,
     words::other_soc},
    {c_api::LogError::initialization, step::all, fact::log_no_soc, 0, words::no_soc,
     words::show_soc},
    {c_api::DeviceError::invalid_config, step::all, fact::log_unknown_soc, 0,
     "the library does not know the SoC of an option",
     "give a SoC that it knows, or use a library of a newer SDK"},
    {c_api::DeviceError::invalid_config, step::all & ~step::loads, 0,
     fact::log_unknown_soc | fact::library_named, "the DSP side did not start",
     "check the stub and the skel of this SDK, ADSP_LIBRARY_PATH, FastRPC and the SoC"},
    {c_api::DeviceError::invalid_config, step::all & ~step::loads, fact::library_named,
     fact::log_unknown_soc, "the DSP side did not start",
     "put the library that is named into place"},
    {c_api::DeviceError::invalid_config, step::loads, fact::log_no_stub, 0,
     "the stub library cannot be loaded", "put the stub of this SDK beside the backend library"},
    {c_api::DeviceError::invalid_config, step::loads, fact::log_no_skel, 0,
     "the DSP cannot load the skel library", "check ADSP_LIBRARY_PATH for the skel of this SDK"},

    // Ops and nodes. A library does not tell an op that it lacks from one with wrong tensors, nor
    // a package that is not registered from a producer that is missing.
    {c_api::GraphError::invalid_op_config, "the backend has no such op",
     "check the op's type and package"},
    {c_api::GraphError::invalid_op_config, "the op's inputs, outputs or parameters do not fit",
     "compare them with the op's definition"},
    {c_api::GraphError::unconnected_node, "no earlier node produces an input",
     "add its producer first"},
    {c_api::GraphError::unconnected_node, "no such op package is registered",
     "check the op's type and package"},

    // Calls that end early. QNN ends them by a signal, and qnnpp passes none.
    {c_api::ContextError::aborted, words::ended, words::make_again},
    {c_api::GraphError::aborted, words::ended, words::make_again},
    {c_api::ContextError::timed_out, words::ended, words::make_again},
    {c_api::GraphError::timed_out, words::ended, words::make_again},

    // clang-format off: one row a line
    // Codes with one cause at every step.
    {c_api::CommonError::system, step::all, 0, 0, "a service of the platform failed", "read the system log"},
    {c_api::CommonError::resource_unavailable, step::all, 0, 0, "a resource is used up", "release others first"},
    {c_api::CommonError::not_supported, "the backend lacks this feature", "ask for its capability first"},
    {c_api::CommonError::invalid_argument, words::refused, words::compare_call},
    {c_api::CommonError::operation_not_permitted, "the object does not allow this now or at all",
     "check its state and its options"},
    {c_api::CommonError::platform_not_supported, "this backend does not run on this platform",
     "use the backend of this platform's SDK folder"},
    {c_api::CommonError::system_communication, "the DSP restarted and contexts, graphs and registrations are dead",
     "create them again"},
    {c_api::CommonError::system_communication_fatal, "the DSP is lost to this process", "restart the process"},
    {c_api::CommonError::general, "the backend gives no reason", "raise the log level"},
    {c_api::PropertyError::unknown_key, "the library is older than this capability", "use a newer SDK"},
    {c_api::OpPackageError::library_already_initialized, "the op package is registered already",
     "use the registration that exists"},
    {c_api::OpPackageError::library_not_initialized, "the op package is not initialized",
     "use it after it is registered with the backend"},
    {c_api::OpPackageError::invalid_handle, "the op implementation is stale or of another package",
     "make it again from this package"},
    {c_api::OpPackageError::invalid_infrastructure, "the op package was made for another backend", "make it again for this one"},
    {c_api::OpPackageError::invalid_info, "the op package describes itself wrongly",
     "correct the names and counts in its description"},
    {c_api::OpPackageError::validation_failure, "the operation's inputs, outputs or parameters do not fit",
     "compare them with the op's definition, or read the reason in the backend's log"},
    {c_api::OpPackageError::invalid_argument, "the op package refused an argument", "compare the call with the SDK's header"},
    {c_api::BackendError::terminate_failed, "the backend did not shut down", "free its contexts and devices first"},
    {c_api::BackendError::not_supported, "the backend lacks this feature", "ask for its capability first"},
    {c_api::BackendError::invalid_argument, words::refused, words::compare_call},
    {c_api::BackendError::op_package_not_found, "no op package has the operation, or the op package's library cannot be opened",
     "check the operation's type and package, or the library's path"},
    {c_api::BackendError::op_package_if_provider_not_found, "the op package's library does not export the provider",
     "give the name that it exports"},
    {c_api::BackendError::op_package_registration_failed, "the op package refused", "read the reason in the backend's log"},
    {c_api::BackendError::op_package_unsupported_version, "the op package was built with another SDK",
     "make it again with this one"},
    {c_api::BackendError::op_package_duplicate, "a package of this name has the op already", "use the one that is registered"},
    {c_api::BackendError::inconsistent_config, "another backend of this process has other options", "use the same options"},
    {c_api::BackendError::invalid_handle, "the backend handle is stale or of another kind", "use the handle of a live backend"},
    {c_api::BackendError::invalid_config, "an option is unknown, wrong or excluded by another", "remove options one by one"},
    {c_api::SaverError::dummy_retvalue, "this library is the Saver, which records calls and executes none",
     "load the library of the target"},
    {c_api::SaverError::already_instantiated, "the Saver has a backend already", "make this call before the backend is created"},
    {c_api::ContextError::ctx_does_not_exist, "no such context exists", "create it again"},
    {c_api::ContextError::invalid_handle, "the context handle is stale or of another kind", "use the handle of a live context"},
    {c_api::ContextError::not_finalized, "a graph of the context is not finalized", "finalize all its graphs first"},
    {c_api::ContextError::binary_version, "this library does not support the binary's format version", "prepare the binary again"},
    {c_api::ContextError::get_binary_size_failed, "the context cannot be serialised", "finalize its graphs first"},
    {c_api::ContextError::binary_configuration, "the binary was prepared for another device",
     "prepare it for this one's architecture and VTCM"},
    {c_api::ContextError::set_profile, "the function refused the profile handle", "use a live profile of this backend"},
    {c_api::ContextError::invalid_config, "an option is unknown, wrong or excluded by another", "remove options one by one"},
    {c_api::ContextError::binary_suboptimal, "the binary does not use this device fully", "prepare it again"},
    {c_api::ContextError::increment_invalid_buffer, "the buffer is not a piece of an incremental binary",
     "release each piece once"},
    {c_api::GraphError::invalid_argument, words::refused, words::compare_call},
 
       {c_api::GraphError::invalid_handle,
     "the graph or context handle is stale or of another kind, or the graph is not among the context's enabled graphs",
     "use the handle of a live, enabled graph"},
    {c_api::GraphError::graph_does_not_exist, "the context has no graph of this name", "use a name that its binary lists"},
    {c_api::GraphError::invalid_name, "the name is missing or taken", "use another name"},
    {c_api::GraphError::invalid_tensor, "a tensor is unknown or does not fit", "compare it with the graph's tensors"},
    {c_api::GraphError::set_profile, "the function refused the profile handle", "use a live profile of this backend"},
    {c_api::GraphError::create_failed, "the backend did not make the graph", "raise the log level"},
    {c_api::GraphError::optimization_failed, "the backend did not prepare the graph", "raise the log level"},
    {c_api::GraphError::finalize_failed, "the backend did not finalize the graph", "raise the log level"},
    {c_api::GraphError::graph_not_finalized, "the graph is not finalized", "finalize it first"},
    {c_api::GraphError::graph_finalized, "the graph is final and accepts no changes", "compose another graph"},
    {c_api::GraphError::execution_async_fifo_full, "the queue of executions is full",
     "allow a longer queue or wait for an execution"},
    {c_api::GraphError::signal_in_use, "another call uses the signal", "use one signal per call"},
    {c_api::GraphError::profile_in_use, "another call uses the profile", "use one profile per call"},
    {c_api::GraphError::subgraph, "a subgraph cannot be used here", "use its top-level graph"},
    {c_api::GraphError::disabled, "the graph is not among the context's enabled graphs", "enable it when the context is restored"},
    {c_api::GraphError::dynamic_tensor_shape, "a dynamic dimension has no value or a wrong one",
     "give each a value within its limit"},
    {c_api::GraphError::tensor_sparsity, "the parameters of a sparse tensor do not fit", "correct them"},
    {c_api::GraphError::early_termination, "an op ended the execution early", "check the inputs"},
    {c_api::GraphError::invalid_context, "the context no longer exists", "create it again"},
    {c_api::GraphError::cycle_detected, "the nodes form a cycle", "remove it"},
    {c_api::TensorError::invalid_handle, "the graph handle is stale or of another kind", "use the handle of a live graph"},
    {c_api::TensorError::does_not_exist, "no such tensor exists", "create it first"},
    {c_api::TensorError::already_exists, "the name is taken", "use another name"},
    {c_api::TensorError::invalid_tensor_param, "the tensor's description is wrong",
     "correct its type, rank, dimensions or quantisation"},
    {c_api::TensorError::unsupported_tensor_param, "the backend does not support such a tensor",
     "use another type, rank or quantisation"},
    {c_api::TensorError::name_hash_collision, "the name has the same hash as the name of another tensor", "use another name"},
    {c_api::TensorError::incompatible_tensor_update, "the update changes parts of the tensor that must not change",
     "compare it with the tensor"},
    {c_api::MemError::invalid_argument, "the function refused a descriptor", "check size, offset and alignment"},
    {c_api::MemError::invalid_handle, "a handle is stale or of another kind", "use the handle of a live registration"},
    {c_api::MemError::already_registered, "the memory is already registered with this context", "use the registration that exists"},
    {c_api::MemError::invalid_shape, "the shape does not fit the memory", "use a buffer of the shape's size"},
    {c_api::MemError::unsupported_memtype, "the backend does not support this type of memory here", "use another type of memory"},
    {c_api::SignalError::signal_in_use, "another call uses the signal", "use one signal per call"},
    {c_api::SignalError::signal_idle, "no call uses the signal", "start the call first"},
    {c_api::SignalError::invalid_argument, words::refused, words::compare_call},
    {c_api::SignalError::invalid_handle, "the signal handle is stale or of another kind", "use the handle of a live signal"},
    {c_api::SignalError::timeout, "the signal's time limit passed", "allow more time"},
    {c_api::SignalError::incompatible_signal_type, "the call does not support this type of signal", "use another type"},
    {c_api::ErrorError::invalid_argument, words::refused, words::compare_call},
    {c_api::ErrorError::invalid_error_handle, "the library does not know the code", "see the SDK's error codes"},
    {c_api::LogError::invalid_argument, words::refused, words::compare_call},
    {c_api::LogError::invalid_handle, "the log handle is stale or of another kind", "use the handle of a live logger"},
    {c_api::ProfileError::invalid_handle, "the profile handle is stale or of another kind", "use the handle of a live profile"},
    {c_api::ProfileError::handle_in_use, "a graph or a call uses the profile", "free it when both have ended"},
    {c_api::ProfileError::incompatible_event, "the event has extended data", "ask for the extended data"},
    {c_api::HtpPerfInfrastructureError::invalid_handle_ptr, "no such power configuration exists", "create it first"},
 
       {c_api::HtpPerfInfrastructureError::invalid_input,
     "the core has no votes, the id is not known, or a setting lacks the DCVS vote that it needs",
     "use core 0 of device 0, and vote again after a restart"},
    {c_api::HtpPerfInfrastructureError::unsupported_config, "the library does not know this setting",
     "use a newer SDK or do without the setting"},
    {c_api::HtpPerfInfrastructureError::transport, "a remote call failed, usually because the DSP restarts", "make the vote again"},
    {c_api::HtpPerfInfrastructureError::unsupported, "this chip does not have the setting", "do without it"},
    {c_api::HtpPerfInfrastructureError::mem_alloc, "out of memory", "free other objects"},
    {c_api::HtpPerfInfrastructureError::failed, "the backend refused a value, such as a polling time above 9999 us",
     "use a smaller one"},
    {c_api::DeviceError::invalid_handle, "the device handle is stale or of another kind", "use the handle of a live device"},
    {c_api::DeviceError::hardware_unavailable, "no such device exists here", "use one that the platform's information lists"},
    {c_api::DeviceError::associated_to_context, "contexts still use the device", "free them first"},
    {c_api::GlobalConfigError::invalid_config, "an option is unknown or wrong", "remove options one by one"},
    {c_api::SystemCommonError::invalid_handle, "the system context handle is stale or of another kind",
     "use the handle of a live one"},
    {c_api::SystemProfileError::mem_alloc, "out of memory", "free other objects"},
    {c_api::CommonError::undefined, "the backend gives no code, for example for a load after a failed load", "try the load again"},
    // clang-format on
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
