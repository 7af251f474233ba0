// Configuration, counters and faults of the simulated HTP: plain structs, and the functions that
// the two shared libraries export for tests. Programs can use environment variables instead of this
// header (docs/simulated-htp.md).
//
//   void* htp = dlopen("libQnnHtp.so", RTLD_NOW);
//   auto control = qnnpp::sim::Control::from(htp);
//   control.fail_call(qnnpp::sim::Slot::context_finalize, 2, 1002);  // the second one fails
//   ...
//   control.counters().live_contexts
#pragma once

#include "qnnpp/platform.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "qnnpp/abi/interface.hpp"

namespace qnnpp::sim {

/// Function of the simulated HTP, which counters and faults refer to.
using c_api::Slot;

/// Represents every slot in a fault.
inline constexpr std::uint32_t any_slot = 0xFFFFFFFFu;
/// Represents, in a fault, the calls that the host library makes to the DSP.
inline constexpr std::uint32_t remote_call = 0xFFFFFFFEu;
/// Represents, in a fault, the host library's allocations of rpcmem for itself.
inline constexpr std::uint32_t own_allocation = 0xFFFFFFFDu;

/// Number of entries in the function table of the default host library (core 2.32).
inline constexpr std::size_t table_slots = c_api::slots_of_core(32);

/// Returns true for a call that releases something (free, destroy, deregister, release).
[[nodiscard]] constexpr bool releases(Slot slot) noexcept {
  switch (slot) {
    case Slot::backend_free:
    case Slot::context_free:
    case Slot::log_free:
    case Slot::profile_free:
    case Slot::mem_de_register:
    case Slot::device_free_platform_info:
    case Slot::device_free:
    case Slot::signal_free:
    case Slot::error_free_verbose_message:
    case Slot::graph_release_execution_environment:
    case Slot::context_release_incremental_binary:
    case Slot::context_free_binary_section_update:
    case Slot::perf_destroy_power_config_id: return true;
    default: return false;
  }
}

/// Model of the device. Environment variables can set all of it too (docs/simulated-htp.md).
struct Config {
  std::uint64_t vtcm_bytes;  ///< VTCM of the device; data beyond it is in spill-fill
  /// BUFFER_START_ALIGNMENT of weights and spill-fill; a power of two.
  std::uint64_t start_alignment_bytes;
  std::uint64_t pd_budget_bytes;  ///< capacity of one process domain, compared with estimates
  std::uint32_t pd_count;         ///< number of process domains, 1 to 16
  /// Factor of a context's estimate in ten-thousandths. The estimate is the sum over all graphs of
  /// weights, I/O, run list, spill-fill and VTCM.
  std::uint32_t estimate_per_mille_x10;
  std::uint32_t max_contexts;      ///< limit of live contexts; 0: no limit
  std::uint32_t max_mappings;      ///< limit of fds that the device maps; 0: no limit
  std::uint64_t max_mapped_bytes;  ///< limit of bytes that the device maps; 0: no limit
  std::uint32_t arch;              ///< Hexagon version; default 79
  std::uint32_t soc_model;         ///< Qnn_SocModel_t; default 69 (SM8750)
  /// 1: FastRPC platform, which registers weights and spill-fill buffers.
  std::uint32_t external_buffers;
  std::uint32_t deferred_init;  ///< 1: DEFER_GRAPH_INIT and contextFinalize are supported
  std::uint32_t node_delay_us;  ///< minimum duration of each node in microseconds
  /// n > 1: up to n executions wait for each other, then alternate node by node; 0: off.
  std::uint32_t lockstep_executions;
  /// Time limit in milliseconds of an execution that waits for another execution or for its turn.
  std::uint32_t lockstep_timeout_ms;
  std::uint32_t error_high_bits;  ///< bits above the low 16 of every error code, as a backend may
                                  ///< set (LOAD-06)
  /// Limit of the device's copies of raw I/O tensors; 0: no limit.
  std::uint64_t max_io_copy_bytes;
  std::uint32_t dma_buf;  ///< 1: tensor memory of type DMA_BUF can be registered (capability 1104)
  /// 1: external weights as on Linux, where the library cannot map them: memRegister succeeds and
  /// contextFinalize returns 1002 (EXT-08). 0: as on Android.
  std::uint32_t linux_weights;
  /// Number of creations or contextFinalize calls that return 0x7fffffff after a load that found no
  /// process domain (RES-03). A context of a list is made without its graphs instead.
  std::uint32_t undefined_loads;
  std::uint32_t start_failure;  ///< StartFailure
  /// 1: a new object has the lowest free number as its handle, as in the host library, so a stale
  /// handle soon identifies another object. 0: no number is used twice.
  std::uint32_t recycled_handles;
  std::uint32_t crash;  ///< 1: abort() if the host library crashes or hangs; 0: an error
  /// Number of process domains that fail in the next load. The load tries the others, as the host
  /// library does.
  std::uint32_t failing_domains;
  /// 1: contexts of a list may share resources. 0: a list with SHARE_RESOURCES fails with 1000.
  std::uint32_t shared_resources;
  std::uint64_t seed;  ///< not 0: random seed for behavior that no host library confirms
  /// 1: graphs may have dynamic dimensions (capability 504). 0: they are refused, as by host
  /// libraries 2.43 and 2.45. The model of their execution is not confirmed by any host library.
  std::uint32_t dynamic_dimensions;
  /// Options of setPowerConfig that the chip has, as a mask of 1 << option; the others fail with
  /// 13004. 0: those of its architecture: HMX and CENG from v75, DDR from v81,
  /// expanded votes from v85, the others always.
  std::uint32_t power_options;
  /// 1: a device can have a secure process domain. 0: deviceCreate with SECUREPD returns 1000, as
  /// by host libraries 2.43 and 2.45.
  std::uint32_t secure_domains;
  /// 1: a seccomp filter, which stays until the process ends, reports the DMA_BUF_IOCTL_SYNC calls
  /// of the process (SHB-07). 0: they go to the kernel, which refuses them for rpcmem here.
  std::uint32_t see_syncs;
  std::uint32_t host_library;  ///< HostLibrary
  /// Minimum duration in microseconds of a load: a creation from a binary that is not deferred,
  /// each entry of a list, a contextFinalize. A signal can end a creation in ten places of it.
  std::uint32_t load_delay_us;
  /// 1: the DSP ends an execution between two nodes when its signal aborts it or times out. 0: it
  /// never does, so signalTrigger waits for the end of the execution and returns 9001, and the
  /// execution succeeds.
  std::uint32_t dsp_aborts;
};

/// Host library whose versions, layouts and answers the simulated HTP has.
enum class HostLibrary : std::uint32_t { v2_43_1, v2_46_0, v2_48_40, v2_51_0, v2_43_1_android };

/// Failure that a client meets when it starts.
enum class StartFailure : std::uint32_t {
  none = 0,         ///< no failure
  no_stub = 1,      ///< libQnnHtpV*Stub.so cannot be loaded: deviceCreate returns 14001
  no_skel = 2,      ///< the DSP does not find the skel library: 14001
  no_fastrpc = 3,   ///< libcdsprpc.so, which is FastRPC, cannot be loaded: 14001
  unknown_soc = 4,  ///< the library does not know the chip: 4000
  other_sdk = 5,    ///< the skel library is from another SDK: 1008
  other_stub = 6,   ///< libQnnHtpV*Stub.so is from another SDK: 1008
};

/// Snapshot of live objects, work and memory. New members are added only at the end.
struct Counters {
  // Live objects.
  std::uint64_t live_logs;                      ///< live loggers
  std::uint64_t live_backends;                  ///< live backends
  std::uint64_t live_devices;                   ///< live devices
  std::uint64_t live_contexts;                  ///< live contexts
  std::uint64_t live_graphs;                    ///< live graphs
  std::uint64_t live_profiles;                  ///< live profiles
  std::uint64_t live_signals;                   ///< live signals
  std::uint64_t live_tensor_registrations;      ///< registrations of tensors
  std::uint64_t live_weights_registrations;     ///< registrations of weights buffers
  std::uint64_t live_spill_fill_registrations;  ///< registrations of spill-fill buffers
  std::uint64_t live_power_configs;             ///< live power configurations
  std::uint64_t live_platform_infos;            ///< platform infos not yet freed
  std::uint64_t live_messages;                  ///< verbose error texts not yet freed
  std::uint64_t live_binary_pieces;             ///< incremental binary pieces not yet released
  // Memory of the device.
  std::uint64_t mapped_fds;    ///< registrations of client fds, one for each memory handle
  std::uint64_t mapped_bytes;  ///< sum of their sizes; see device_mappings
  std::uint64_t external_weights_bytes;  ///< registered weights regions
  /// Registered spill-fill regions; shared regions count once.
  std::uint64_t external_spill_fill_bytes;
  std::uint64_t internal_weights_bytes;  ///< weights in the device's own memory
  /// Spill-fill in the device's own memory, groups included.
  std::uint64_t internal_spill_fill_bytes;
  std::uint64_t device_bytes;    ///< external_weights_bytes + external_spill_fill_bytes
  std::uint64_t internal_bytes;  ///< internal_weights_bytes + internal_spill_fill_bytes
  /// Copies of tensors prepared as raw, allocated when their graph was initialized (QMEM-01,
  /// QMEM-02).
  std::uint64_t io_preallocated_bytes;
  /// Copies of tensors prepared for memory handles, allocated by a raw execution (QMEM-03).
  std::uint64_t io_at_execution_bytes;
  // Process domains.
  std::uint64_t pd_used_bytes[16];  ///< sum of estimates in each process domain
  std::uint64_t pd_refusals;        ///< contexts refused with 1002 because no domain had room
  // Work.
  std::uint64_t calls;                 ///< calls of all slots
  std::uint64_t failed_calls;          ///< calls that returned an error
  std::uint64_t executions;            ///< completed graphExecute calls
  std::uint64_t copied_in;             ///< input tensors copied from client memory
  std::uint64_t copied_in_bytes;       ///< bytes of the input tensors copied
  std::uint64_t copied_out;            ///< output tensors copied to client memory
  std::uint64_t copied_out_bytes;      ///< bytes of the output tensors copied
  std::uint64_t in_place;              ///< tensors used in registered memory without a copy
  std::uint64_t weights_loaded_bytes;  ///< weights copied out of binaries
  std::uint64_t graph_switches;        ///< graphs that an execution initialized (graph switching)
  /// Executions that overlapped another one on the same spill-fill memory.
  std::uint64_t parallel_sharers;
  // Misuse and faults.
  std::uint64_t misuses;             ///< number of misuses; see Control::misuse_text
  std::uint64_t left_registrations;  ///< tensor registrations that contextFree had to release
  std::uint64_t faults_fired;        ///< faults that have made a call fail
  // Peaks.
  std::uint64_t peak_contexts;        ///< peak of live_contexts
  std::uint64_t peak_mapped_bytes;    ///< peak of mapped_bytes
  std::uint64_t peak_device_bytes;    ///< peak of device_bytes
  std::uint64_t peak_internal_bytes;  ///< peak of internal_bytes
  std::uint64_t peak_pd_bytes;        ///< peak of the estimates in all process domains together
  // Tensor memory, continued.
  std::uint64_t in_place_bytes;   ///< bytes of the tensors that in_place counts
  std::uint64_t idle_copies;      ///< in_place tensors prepared as raw, whose copy was not used
  std::uint64_t idle_copy_bytes;  ///< bytes of those unused copies (QMEM-02)
  /// Files that the device maps; registrations of one file share it.
  std::uint64_t device_mappings;
  // Power.
  std::uint64_t live_power_votes;   ///< live power configurations that have voted
  std::uint64_t power_core_corner;  ///< highest core corner of these votes; 0: none
  std::uint64_t power_polling_us;   ///< longest polling time of FastRPC of these votes
  std::uint64_t power_calls;        ///< successful setPowerConfig calls since the last reset
  // Work, continued.
  std::uint64_t remote_calls;  ///< calls of the host library to the DSP, failed ones too
  // Buffers for the backup of VTCM.
  std::uint64_t live_vtcm_backup_registrations;  ///< registrations of VTCM backup buffers
  std::uint64_t external_vtcm_backup_bytes;      ///< of distinct VTCM backup buffers
};

/// Options of a composed graph that no metadata reports. New members are added only at the end.
struct GraphSettings {
  c_api::Priority priority;    ///< the graph's, else the context's
  c_api::Precision precision;  ///< precision of float operations; undefined: not stated
  std::uint32_t dlbc_weights;  ///< 1: bandwidth compression of weights
  bool operator==(const GraphSettings&) const = default;  ///< whether all options are equal
};

/// Whether a fault restarts the sub-system. On a device a restart can come without its code, and
/// its code without a restart (SSR-02).
enum class FaultRestart : std::uint32_t {
  by_code = 0,  ///< restart with the codes 1007 and 1011
  never = 1,    ///< no restart
  always = 2,   ///< restart with any code
};

/// Layout of Control and RpcmemControl. A client and a library of different layouts do not fit.
inline constexpr std::uint32_t control_version = 6;

/// Returns the control that `library`, a handle from dlopen, exports by the symbol `entry`. The
/// result is empty if the library is not the simulated one, or has another control_version.
template <class Control>
[[nodiscard]] Control control_from(void* library, const char* entry) noexcept {
  using Entry = const Control* (*)();
  if (library == nullptr) return {};
  const auto exported = reinterpret_cast<Entry>(::dlsym(library, entry));
  return exported != nullptr && exported()->version == control_version ? *exported() : Control{};
}

/// Functions of libQnnHtp.so, which exports them as qnnpp_sim_control, and short forms for tests.
/// Empty if the library is not the simulated one; an empty Control has only operator bool. The
/// functions stay valid, because the library is never unloaded. Threads: const members are
/// thread-safe.
struct Control {
  std::uint32_t version = 0;  ///< control_version of the library; 0: empty.

  // Here `size` is sizeof of the caller's struct; a function accesses no more bytes than that.
  /// Reads the configuration.
  void (*read_config)(Config* config, std::uint64_t size) = nullptr;
  /// Sets the configuration. Returns false and changes nothing if a value is not valid, or if the
  /// system refuses the filter of see_syncs; stderr then has the reason.
  bool (*write_config)(const Config* config, std::uint64_t size) = nullptr;
  /// Reads the counters.
  void (*read_counters)(Counters* counters, std::uint64_t size) = nullptr;
  /// Reads the settings of a composed graph. Returns false for another handle.
  bool (*read_graph_settings)(c_api::GraphHandle graph, GraphSettings* settings,
                              std::uint64_t size) = nullptr;
  /// Makes a call fail as fail_call() does. `slot` is a Slot, any_slot, remote_call or
  /// own_allocation.
  void (*add_fault)(std::uint32_t slot, std::uint64_t at_call, std::uint32_t code, bool persistent,
                    FaultRestart restart) = nullptr;
  /// Writes the description of a misuse to `text` of `size` bytes, and returns its full length; 0
  /// after the last misuse.
  std::uint64_t (*read_misuse)(std::uint64_t index, char* text, std::uint64_t size) = nullptr;

  /// Returns the number of calls of a slot since the last reset.
  std::uint64_t (*calls)(Slot slot) = nullptr;
  /// Removes all faults.
  void (*clear_faults)() = nullptr;
  /// Restarts the DSP. Contexts, graphs and memory handles become invalid, but must still be
  /// released; power configurations are destroyed. After a fatal restart each call that needs the
  /// DSP returns 1011 until reset_config.
  void (*restart_subsystem)(bool fatal) = nullptr;
  /// Returns the number of violations of a rule of docs/rules.md ("ORD-12") since the last reset.
  std::uint64_t (*misuses)(const char* rule) = nullptr;
  /// Reports a DMA_BUF_IOCTL_SYNC, in programs that replace ioctl() instead of using see_syncs.
  /// `device` and `inode` identify the file, as in fstat. An execution with a tensor in the file is
  /// counted as misuse until the access ends (SHB-07).
  void (*cpu_access)(std::uint64_t device, std::uint64_t inode, bool begins) = nullptr;
  /// Sets work and misuses to zero and peaks to the current values, and removes faults. Counters of
  /// live objects and memory keep their values.
  void (*reset_counters)() = nullptr;
  /// Restores the configuration that the library had when it was loaded, including the environment.
  void (*reset_config)() = nullptr;

  /// Returns the control of a library, a handle from dlopen.
  [[nodiscard]] static Control from(void* library) noexcept {
    return control_from<Control>(library, "qnnpp_sim_control");
  }

  /// True if the library is the simulated one.
  [[nodiscard]] explicit operator bool() const noexcept { return version != 0; }

  /// Returns the current configuration.
  [[nodiscard]] Config config() const noexcept {
    Config config{};
    read_config(&config, sizeof config);
    return config;
  }
  /// Sets the configuration. Returns false and changes nothing if a value is not valid, such as an
  /// alignment that is not a power of two.
  [[nodiscard]] bool set_config(const Config& config) const noexcept {
    return write_config(&config, sizeof config);
  }
  /// Returns a snapshot of the counters.
  [[nodiscard]] Counters counters() const noexcept {
    Counters counters{};
    read_counters(&counters, sizeof counters);
    return counters;
  }
  /// Returns the settings of a composed graph; nothing for a graph from a binary, whose options
  /// have no effect, and for an unknown handle.
  [[nodiscard]] std::optional<GraphSettings> graph_settings(
      c_api::GraphHandle graph) const noexcept {
    GraphSettings settings{};
    if (!read_graph_settings(graph, &settings, sizeof settings)) return {};
    return settings;
  }

  /// Makes a later call of `slot` fail with `code`: the call number `at_call`, from 1 for the next
  /// one; with `persistent` all calls after it too. A call that releases something does its work
  /// before it returns the error, so objects that stay alive are leaks of the client.
  void fail_call(Slot slot, std::uint64_t at_call, std::uint32_t code, bool persistent = false,
                 FaultRestart restart = FaultRestart::by_code) const noexcept {
    add_fault(static_cast<std::uint32_t>(slot), at_call, code, persistent, restart);
  }
  /// Makes a later call fail with `code`, as fail_call does, but counts the calls of all slots.
  void fail_any_call(std::uint64_t at_call, std::uint32_t code,
                     bool persistent = false) const noexcept {
    add_fault(any_slot, at_call, code, persistent, FaultRestart::by_code);
  }
  /// Makes a later call to the DSP fail, as fail_call does. The function of QNN that makes it
  /// returns `code`, unless the library tries another process domain. No restart follows.
  void fail_remote_call(std::uint64_t at_call, std::uint32_t code,
                        bool persistent = false) const noexcept {
    add_fault(remote_call, at_call, code, persistent, FaultRestart::never);
  }
  /// Makes a later allocation of rpcmem fail that the host library needs for itself, as fail_call()
  /// does. The library decides the code. Allocations of the client do not count.
  void fail_own_allocation(std::uint64_t at_call, bool persistent = false) const noexcept {
    add_fault(own_allocation, at_call, 1, persistent, FaultRestart::never);
  }

  /// Returns the description of a misuse; empty after the last misuse. The library keeps the
  /// first 64.
  [[nodiscard]] std::string misuse_text(std::uint64_t index) const {
    char text[256];
    const std::uint64_t length = read_misuse(index, text, sizeof text);
    return std::string(text, length < sizeof text ? length : sizeof text - 1);
  }
};

/// Snapshot of libcdsprpc.so's allocations and calls.
struct RpcmemCounters {
  std::uint64_t live_allocations;         ///< allocations not yet freed
  std::uint64_t live_bytes;               ///< bytes of those allocations
  std::uint64_t live_fds;                 ///< their file descriptors
  std::uint64_t live_fastrpc_maps;        ///< mappings of fastrpc_mmap
  std::uint64_t live_registered_buffers;  ///< buffers registered with remote_register_buf
  std::uint64_t peak_bytes;               ///< peak of live_bytes
  std::uint64_t allocations;              ///< successful calls of rpcmem_alloc and rpcmem_alloc2
  std::uint64_t failed_allocations;       ///< failed calls of rpcmem_alloc and rpcmem_alloc2
  std::uint64_t ignored_frees;            ///< rpcmem_free of an address that is not an allocation
  std::uint64_t refused_to_fd;            ///< rpcmem_to_fd of an address that is not an allocation
  /// rpcmem_free of memory that the device maps (ION-04, BUF-06).
  std::uint64_t freed_while_mapped;
  std::uint64_t refused_sizes;       ///< rpcmem_alloc with a negative size (ALC-01)
  std::uint64_t refused_zero_sizes;  ///< rpcmem_alloc with a size of 0 (ALC-01)
};

/// Functions of libcdsprpc.so that faults can select: rpcmem_alloc, rpcmem_alloc2, rpcmem_to_fd.
enum class RpcmemCall : std::uint32_t { alloc = 0, alloc2 = 1, to_fd = 2 };

/// Result of an allocation that fails: NULL or MAP_FAILED.
enum class RpcmemFailure : std::uint32_t { null = 0, map_failed = 1 };

/// Functions of libcdsprpc.so, which exports them as qnnpp_sim_rpcmem_control, and short forms for
/// tests. Empty if the library is not the simulated one; an empty RpcmemControl has only operator
/// bool. Threads: const members are thread-safe.
struct RpcmemControl {
  std::uint32_t version = 0;  ///< control_version of the library; 0: empty.

  /// Reads the counters; `size` is sizeof of the caller's struct.
  void (*read_counters)(RpcmemCounters* counters, std::uint64_t size) = nullptr;
  /// Makes a call fail as fail_call() does. `call` is an RpcmemCall or any_slot.
  void (*add_fault)(std::uint32_t call, std::uint64_t at_call, bool persistent,
                    RpcmemFailure failure) = nullptr;
  /// Removes all faults.
  void (*clear_faults)() = nullptr;
  /// Sets the counters of calls to zero and the peak to the current value, and removes faults.
  void (*reset_counters)() = nullptr;
  /// Returns whether fastrpc_mmap has mapped a file. `device` and `inode` are those of fstat.
  bool (*is_fastrpc_mapped)(std::uint64_t device, std::uint64_t inode) = nullptr;
  /// Sets a function that rpcmem_free calls with the memory's file after it has freed the memory.
  /// NULL removes it.
  void (*watch_frees)(void (*freed)(std::uint64_t device, std::uint64_t inode)) = nullptr;

  /// Returns the control of a library, a handle from dlopen.
  [[nodiscard]] static RpcmemControl from(void* library) noexcept {
    return control_from<RpcmemControl>(library, "qnnpp_sim_rpcmem_control");
  }

  /// True if the library is the simulated one.
  [[nodiscard]] explicit operator bool() const noexcept { return version != 0; }

  /// Returns a snapshot of the counters.
  [[nodiscard]] RpcmemCounters counters() const noexcept {
    RpcmemCounters counters{};
    read_counters(&counters, sizeof counters);
    return counters;
  }
  /// Makes a later call of `call` fail: the call number `at_call`, from 1 for the next one; with
  /// `persistent` all calls after it too. An allocation returns `failure`, rpcmem_to_fd -1.
  void fail_call(RpcmemCall call, std::uint64_t at_call, bool persistent = false,
                 RpcmemFailure failure = RpcmemFailure::null) const noexcept {
    add_fault(static_cast<std::uint32_t>(call), at_call, persistent, failure);
  }
  /// Makes a later call fail, as fail_call does with NULL, but counts the calls of all RpcmemCall
  /// functions.
  void fail_any_call(std::uint64_t at_call, bool persistent = false) const noexcept {
    add_fault(any_slot, at_call, persistent, RpcmemFailure::null);
  }
};

}  // namespace qnnpp::sim
