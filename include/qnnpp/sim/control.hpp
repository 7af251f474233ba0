// Steering and watching the simulated HTP: plain structs, two tables of C functions that the shared
// libraries export, and a small client for tests. A program that does not know of the simulation
// needs none of it, and can be steered by environment variables instead (docs/simulated-htp.md).
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
#include <string>

#include "qnnpp/abi/interface.hpp"

namespace qnnpp::sim {

/// One call of the simulated HTP: counters and faults name calls so.
using c_api::Slot;

/// Stands for "every slot" where a fault names one.
inline constexpr std::uint32_t any_slot = 0xFFFFFFFFu;

/// Entries of the function table that the simulated HTP offers (core 2.32).
inline constexpr std::size_t table_slots = c_api::slots_of_core(32);

/// True for a call that gives something back (free, destroy, deregister, release).
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

/// The device model. All of it can be set by environment too (docs/simulated-htp.md).
struct Config {
  std::uint64_t vtcm_bytes;              ///< VTCM of the device; what does not fit there spills
  std::uint64_t start_alignment_bytes;   ///< BUFFER_START_ALIGNMENT of weights and spill-fill
                                         ///< buffers; a power of two
  std::uint64_t pd_budget_bytes;         ///< estimate that one process domain can take
  std::uint32_t pd_count;                ///< process domains, 1 to 16
  std::uint32_t estimate_per_mille_x10;  ///< a context's estimate = this / 10000 of the sum of
                                         ///< weights, spill-fill, I/O, op data and VTCM
  std::uint32_t max_contexts;            ///< contexts alive at once; 0 = no limit
  std::uint32_t max_mappings;            ///< fds that the device maps at once; 0 = no limit
  std::uint64_t max_mapped_bytes;        ///< bytes that the device maps at once; 0 = no limit
  std::uint32_t arch;                    ///< Hexagon version, 79
  std::uint32_t soc_model;               ///< Qnn_SocModel_t, 69 (SM8750)
  std::uint32_t external_buffers;  ///< 1: a FastRPC platform, weights and spill-fill buffers can be
                                   ///< registered
  std::uint32_t deferred_init;     ///< 1: DEFER_GRAPH_INIT and contextFinalize are supported
  std::uint32_t node_delay_us;     ///< each node takes at least so long
  std::uint32_t lockstep_executions;  ///< n > 1: up to n executions meet, then take turns node by
                                      ///< node; 0 = off
  std::uint32_t lockstep_timeout_ms;  ///< how long an execution waits for another one to meet it or
                                      ///< to take its turn
  std::uint32_t
      error_high_bits;  ///< put above the 16 bits of every error code, as a backend may (LOAD-06)
  std::uint64_t max_io_copy_bytes;  ///< copies of raw I/O tensors that the device holds at once;
                                    ///< 0 = no limit
  std::uint32_t dma_buf;  ///< 1: tensor memory of type DMA_BUF can be registered (capability 1104)
  std::uint32_t linux_weights;    ///< 1: external weights as on Linux, where the library maps none:
                                  ///< memRegister succeeds, contextFinalize gives 1002 (EXT-08);
                                  ///< 0: as on Android
  std::uint32_t undefined_loads;  ///< after a load that found no process domain, so many creations
                                  ///< or contextFinalize return 0x7fffffff (RES-03)
  std::uint32_t start_failure;    ///< StartFailure
  std::uint32_t recycled_handles;  ///< 1: the lowest free number is a new object's handle, as in
                                   ///< the host library, so that a stale handle soon names another
                                   ///< object; 0: no number is given out twice
  std::uint32_t crash;             ///< 1: abort() where the host library crashes or hangs;
                                   ///< 0: an error
  std::uint32_t failing_domains;  ///< in the next load that needs a process domain, so many domains
                                  ///< fail; the load tries the others, as the host library does
  std::uint32_t shared_resources;  ///< 1: the contexts of a list may share resources;
                                   ///< 0: SHARE_RESOURCES there is refused with 1000
  std::uint64_t seed;  ///< not 0: answers that no host library confirms are drawn from this number
};

/// What a client finds missing when it starts.
enum class StartFailure : std::uint32_t {
  none = 0,
  no_stub = 1,      ///< libQnnHtpV*Stub.so cannot be loaded: deviceCreate gives 14001
  no_skel = 2,      ///< the DSP finds no skel library: 14001
  no_fastrpc = 3,   ///< libcdsprpc.so, which is FastRPC, cannot be loaded: 14001
  unknown_soc = 4,  ///< the library does not know the chip: 4000
  other_sdk = 5,    ///< the skel library is of another SDK: 1008
};

/// What is alive, what was done, what is taken. A snapshot. Grows at its end only.
struct Counters {
  // handles alive
  std::uint64_t live_logs;
  std::uint64_t live_backends;
  std::uint64_t live_devices;
  std::uint64_t live_contexts;
  std::uint64_t live_graphs;
  std::uint64_t live_profiles;
  std::uint64_t live_signals;
  std::uint64_t live_tensor_registrations;
  std::uint64_t live_weights_registrations;
  std::uint64_t live_spill_fill_registrations;
  std::uint64_t live_power_configs;
  std::uint64_t live_platform_infos;
  std::uint64_t live_messages;       ///< verbose error texts not yet freed
  std::uint64_t live_binary_pieces;  ///< incremental binary pieces not yet released
  // memory that the device sees
  std::uint64_t mapped_fds;    ///< registrations of client fds, one for each memory handle
  std::uint64_t mapped_bytes;  ///< sum of their sizes; see device_mappings
  std::uint64_t external_weights_bytes;     ///< registered weights regions
  std::uint64_t external_spill_fill_bytes;  ///< distinct registered spill-fill regions: shared ones
                                            ///< count once
  std::uint64_t
      internal_weights_bytes;  ///< weights the device keeps itself, where no buffer was registered
  std::uint64_t internal_spill_fill_bytes;  ///< spill-fill the device keeps itself, groups included
  std::uint64_t device_bytes;               ///< external_weights_bytes + external_spill_fill_bytes
  std::uint64_t internal_bytes;             ///< internal_weights_bytes + internal_spill_fill_bytes
  std::uint64_t io_preallocated_bytes;      ///< copies of tensors prepared as raw, allocated when
                                            ///< their graph came up (QMEM-01, QMEM-02)
  std::uint64_t io_at_execution_bytes;      ///< copies of tensors prepared for memory handles,
                                            ///< allocated by a raw execution (QMEM-03)
  // process domains
  std::uint64_t pd_used_bytes[16];
  std::uint64_t pd_refusals;  ///< contexts refused with 1002 for want of room
  // work done
  std::uint64_t calls;         ///< calls of every slot
  std::uint64_t failed_calls;  ///< calls that returned an error
  std::uint64_t executions;    ///< graphExecute calls that ran to their end
  std::uint64_t copied_in;     ///< input tensors copied from client memory
  std::uint64_t copied_in_bytes;
  std::uint64_t copied_out;
  std::uint64_t copied_out_bytes;
  std::uint64_t in_place;              ///< tensors used where the client registered them
  std::uint64_t weights_loaded_bytes;  ///< weights copied out of binaries
  std::uint64_t graph_switches;        ///< graphs brought up by an execution (graph switching)
  std::uint64_t parallel_sharers;      ///< executions that began while another one used the same
                                       ///< spill-fill memory
  // complaints
  std::uint64_t misuses;             ///< see Control::misuse_text
  std::uint64_t left_registrations;  ///< tensor registrations that contextFree had to drop
  std::uint64_t faults_fired;
  // peaks
  std::uint64_t peak_contexts;
  std::uint64_t peak_mapped_bytes;
  std::uint64_t peak_device_bytes;
  std::uint64_t peak_internal_bytes;
  std::uint64_t peak_pd_bytes;  ///< over all process domains together
  // more of tensor memory
  std::uint64_t in_place_bytes;   ///< bytes of the tensors that in_place counts
  std::uint64_t idle_copies;      ///< of those: prepared as raw, so that their copy was not used
  std::uint64_t idle_copy_bytes;  ///< bytes of the copies that lay there for nothing (QMEM-02)
  std::uint64_t device_mappings;  ///< files that the device maps: all registrations of one share it
};

/// Whether a fault restarts the sub-system, as it may without saying so, and may not though it says
/// so (SSR-02).
enum class FaultRestart : std::uint32_t {
  by_code = 0,  ///< with the codes 1007 and 1011
  never = 1,
  always = 2,
};

/// An error to come. A fault on a call that releases something lets it do its work and then returns
/// the code, so that what stays alive is what the client failed to give back.
struct Fault {
  std::uint32_t slot;        ///< Slot, or any_slot
  std::uint32_t code;        ///< what the call returns
  std::uint64_t at_call;     ///< the k-th matching call from now on, from 1
  std::uint32_t persistent;  ///< 0: that call only; 1: every matching call from then on
  std::uint32_t restart;     ///< FaultRestart
};

/// Functions of libQnnHtp.so, by the exported symbol qnnpp_sim_control. Sizes are sizeof of the
/// caller's struct: at most so many bytes are read or written.
struct ControlTable {
  std::uint32_t version;  ///< control_version
  std::uint32_t size;     ///< sizeof(ControlTable) of the library
  void (*get_config)(Config* config, std::uint64_t size);
  std::int32_t (*set_config)(const Config* config,
                             std::uint64_t size);  ///< 0, or -1 for values that make no device
  void (*get_counters)(Counters* counters, std::uint64_t size);
  std::uint64_t (*calls_of)(std::uint32_t slot);
  void (*add_fault)(const Fault* fault, std::uint64_t size);
  void (*clear_faults)();
  void (*restart_subsystem)(std::int32_t fatal);
  std::uint64_t (*misuse_text)(std::uint64_t index, char* text, std::uint64_t size);
  void (*reset_counters)();
  void (*reset_config)();
  /// How often this rule of docs/rules.md was broken since the last reset ("ORD-12").
  std::uint64_t (*misuses_of)(const char* rule);
  /// The CPU's access to this file, named as fstat does, begins (1) or ends (0).
  void (*cpu_access)(std::uint64_t device, std::uint64_t inode, std::uint32_t begins);
};
inline constexpr std::uint32_t control_version = 4;

/// What libcdsprpc.so has handed out.
struct RpcmemCounters {
  std::uint64_t live_allocations;
  std::uint64_t live_bytes;
  std::uint64_t live_fds;
  std::uint64_t live_fastrpc_maps;
  std::uint64_t live_registered_buffers;
  std::uint64_t peak_bytes;
  std::uint64_t allocations;  ///< calls that succeeded, both kinds
  std::uint64_t failed_allocations;
  std::uint64_t ignored_frees;  ///< rpcmem_free of an address that is no allocation
  std::uint64_t refused_to_fd;  ///< rpcmem_to_fd of an address that is no allocation
  std::uint64_t
      freed_while_mapped;  ///< rpcmem_free of memory that the device still maps (ION-04, BUF-06)
  std::uint64_t refused_sizes;  ///< rpcmem_alloc of a size that is not above 0 (ALC-01)
};

/// Calls of libcdsprpc.so that can be made to fail.
enum class RpcmemCall : std::uint32_t { alloc = 0, alloc2 = 1, to_fd = 2 };

/// What a failing allocation answers.
enum class RpcmemFailure : std::uint32_t { null = 0, map_failed = 1 };

/// Functions of libcdsprpc.so, by the exported symbol qnnpp_sim_rpcmem_control.
struct RpcmemControlTable {
  std::uint32_t version;
  std::uint32_t size;
  void (*get_counters)(RpcmemCounters* counters, std::uint64_t size);
  /// The k-th matching call from now on (from 1) fails, once or for good. call: RpcmemCall or
  /// any_slot.
  void (*add_fault)(std::uint32_t call, std::uint64_t at_call, std::uint32_t persistent,
                    std::uint32_t failure);
  void (*clear_faults)();
  void (*reset_counters)();
  /// 1 if fastrpc_mmap has mapped this file, named as fstat does.
  std::uint32_t (*is_fastrpc_mapped)(std::uint64_t device, std::uint64_t inode);
  /// From now on rpcmem_free calls `freed` with the file of the memory, after it was freed. NULL
  /// ends that.
  void (*watch_frees)(void (*freed)(std::uint64_t device, std::uint64_t inode));
};

using ControlFn = const ControlTable* (*)();
using RpcmemControlFn = const RpcmemControlTable* (*)();

/// Client of libQnnHtp.so's control table. Empty where the library is not the simulated one. Does
/// not keep the library loaded (it stays loaded by itself).
class Control {
 public:
  Control() noexcept = default;

  /// `library` is a handle from dlopen. Test the result with operator bool.
  [[nodiscard]] static Control from(void* library) noexcept {
    Control control;
    if (library == nullptr) return control;
    const auto entry = reinterpret_cast<ControlFn>(::dlsym(library, "qnnpp_sim_control"));
    if (entry != nullptr && entry()->version == control_version) control.table_ = entry();
    return control;
  }

  [[nodiscard]] explicit operator bool() const noexcept { return table_ != nullptr; }

  [[nodiscard]] Config config() const noexcept {
    Config config{};
    table_->get_config(&config, sizeof config);
    return config;
  }
  /// False, and nothing is changed, for values that make no device (alignment not a power of
  /// two...).
  [[nodiscard]] bool set_config(const Config& config) const noexcept {
    return table_->set_config(&config, sizeof config) == 0;
  }
  [[nodiscard]] Counters counters() const noexcept {
    Counters counters{};
    table_->get_counters(&counters, sizeof counters);
    return counters;
  }
  /// How often a slot was called since the last reset.
  [[nodiscard]] std::uint64_t calls(Slot slot) const noexcept {
    return table_->calls_of(static_cast<std::uint32_t>(slot));
  }

  /// The k-th call of `slot` from now on fails with `code`; with `persistent` every one after it
  /// too.
  void fail_call(Slot slot, std::uint64_t at_call, std::uint32_t code, bool persistent = false,
                 FaultRestart restart = FaultRestart::by_code) const noexcept {
    add_fault(static_cast<std::uint32_t>(slot), at_call, code, persistent, restart);
  }
  /// The k-th call of whatever slot from now on fails with `code`.
  void fail_any_call(std::uint64_t at_call, std::uint32_t code,
                     bool persistent = false) const noexcept {
    add_fault(any_slot, at_call, code, persistent, FaultRestart::by_code);
  }
  void clear_faults() const noexcept { table_->clear_faults(); }

  /// The DSP restarts: contexts, graphs and memory handles are dead, and stay until they are
  /// released; power configs are gone. After a fatal restart each call that needs the DSP returns
  /// 1011 until reset_config.
  void restart_subsystem(bool fatal) const noexcept { table_->restart_subsystem(fatal ? 1 : 0); }

  /// What a client did wrong, in words; empty past the last one. The first 64 are kept.
  [[nodiscard]] std::string misuse_text(std::uint64_t index) const {
    char text[256];
    const std::uint64_t length = table_->misuse_text(index, text, sizeof text);
    return std::string(text, length < sizeof text ? length : sizeof text - 1);
  }

  /// How often the program broke this rule of docs/rules.md ("ORD-12") since the last reset.
  [[nodiscard]] std::uint64_t misuses(const char* rule) const noexcept {
    return table_->misuses_of(rule);
  }
  /// Tells of a DMA_BUF_IOCTL_SYNC, which goes to the kernel and not to QNN: for a program whose
  /// own ioctl() stands for the kernel's. An execution meanwhile with a tensor of the file is
  /// counted as misuse (SHB-07).
  void cpu_access(std::uint64_t device, std::uint64_t inode, bool begins) const noexcept {
    table_->cpu_access(device, inode, begins ? 1 : 0);
  }

  /// Sets work, complaints and peaks to zero, and drops faults; what is alive stays counted.
  void reset_counters() const noexcept { table_->reset_counters(); }
  /// The configuration as it was when the library was loaded (environment included).
  void reset_config() const noexcept { table_->reset_config(); }

 private:
  void add_fault(std::uint32_t slot, std::uint64_t at_call, std::uint32_t code, bool persistent,
                 FaultRestart restart) const noexcept {
    const Fault fault{slot, code, at_call, persistent ? 1u : 0u,
                      static_cast<std::uint32_t>(restart)};
    table_->add_fault(&fault, sizeof fault);
  }

  const ControlTable* table_ = nullptr;
};

/// Client of libcdsprpc.so's control table.
class RpcmemControl {
 public:
  RpcmemControl() noexcept = default;

  [[nodiscard]] static RpcmemControl from(void* library) noexcept {
    RpcmemControl control;
    if (library == nullptr) return control;
    const auto entry =
        reinterpret_cast<RpcmemControlFn>(::dlsym(library, "qnnpp_sim_rpcmem_control"));
    if (entry != nullptr && entry()->version == control_version) control.table_ = entry();
    return control;
  }

  [[nodiscard]] explicit operator bool() const noexcept { return table_ != nullptr; }

  [[nodiscard]] RpcmemCounters counters() const noexcept {
    RpcmemCounters counters{};
    table_->get_counters(&counters, sizeof counters);
    return counters;
  }
  void fail_call(RpcmemCall call, std::uint64_t at_call, bool persistent = false,
                 RpcmemFailure failure = RpcmemFailure::null) const noexcept {
    table_->add_fault(static_cast<std::uint32_t>(call), at_call, persistent ? 1u : 0u,
                      static_cast<std::uint32_t>(failure));
  }
  void fail_any_call(std::uint64_t at_call, bool persistent = false) const noexcept {
    table_->add_fault(any_slot, at_call, persistent ? 1u : 0u, 0u);
  }
  void clear_faults() const noexcept { table_->clear_faults(); }
  void reset_counters() const noexcept { table_->reset_counters(); }

 private:
  const RpcmemControlTable* table_ = nullptr;
};

}  // namespace qnnpp::sim
