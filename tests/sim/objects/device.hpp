// The one simulated device of a process: configuration, live objects, counters. The source of
// libQnnHtp.so defines device(); headers only use it.
#pragma once

#include "qnnpp/platform.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "qnnpp/abi/backend.hpp"
#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/sim/control.hpp"

#include "sim/objects/client_rpcmem.hpp"
#include "sim/objects/configuration.hpp"
#include "sim/objects/context.hpp"
#include "sim/objects/faults.hpp"
#include "sim/objects/handle_table.hpp"
#include "sim/objects/lockstep.hpp"
#include "sim/objects/logger.hpp"
#include "sim/objects/power.hpp"
#include "sim/objects/process_domains.hpp"
#include "sim/objects/profile.hpp"
#include "sim/objects/registration_table.hpp"
#include "sim/objects/setup_calls.hpp"
#include "sim/objects/signal.hpp"
#include "sim/objects/tally.hpp"
#include "sim/tables/host_library.hpp"
#include "sim/tables/unconfirmed.hpp"

namespace qnnpp::sim {

/// State of a backend.
struct Backend {
  std::uint64_t logger = 0;
  /// Op packages registered with the backend, each "path provider target".
  std::set<std::string> op_packages;
};

/// State of a device of the client.
struct DeviceState {
  std::uint64_t logger = 0;
  bool secure_domain = false;
  std::uint32_t soc_model = 0;  ///< Chip to prepare for; 0: the device's own.
  std::uint32_t dsp_arch = 0;   ///< Architecture to prepare for; 0: the device's own.
};

/// A platform description that a client has requested.
struct PlatformInfo {
  c_api::DevicePlatformInfo info{};
  c_api::DeviceHardwareDeviceInfo hardware[2]{};
  c_api::DeviceCoreInfo core{};
  c_api::HtpDeviceDeviceInfoExtension extension{};
};

/// Remnant of a failed creation. The client cannot free it, and deviceFree and backendFree fail for
/// the rest of the process.
struct Remnant {
  std::uint64_t backend = 0;
  std::uint64_t device = 0;
};

/// External buffers of a context whose contextFinalize failed in its last remote call. The library
/// keeps them under the context's number, also after contextFree, and the next context with that
/// number uses them.
struct Mark {
  std::shared_ptr<Registration> weights;
  std::shared_ptr<Registration> spill_fill;
  bool is_freed = false;  ///< the client has freed one of them
  [[nodiscard]] bool has(MemoryUse use) const noexcept {
    return (use == MemoryUse::weights      ? weights
            : use == MemoryUse::spill_fill ? spill_fill
                                           : nullptr) != nullptr;
  }
  [[nodiscard]] bool names(const FileKey& file) const noexcept {
    return (weights != nullptr && weights->region.file == file) ||
           (spill_fill != nullptr && spill_fill->region.file == file);
  }
};

/// State of the sub-system.
enum class Subsystem : std::uint8_t { up, down };

/// Memory that the device allocated itself, in bytes. CountedMemory keeps the totals.
struct OwnMemory {
  std::uint64_t weights_bytes = 0;
  std::uint64_t spill_fill_bytes = 0;
  std::uint64_t io_prepared_bytes = 0;
  std::uint64_t io_at_execution_bytes = 0;
};

/// State of the device. `mutex` guards everything except `lockstep`, `rpcmem` and `setup_calls`,
/// which are thread-safe. Arithmetic, parsing and callbacks run without it.
struct Device {
  Device() : original(config_from_environment(default_config())), config(original) {
    report_unknown_variables();
    report_unknown_level();
    faults.add_from_environment();
    begin_handles();
    tally = map_tally();
    has_mapped_tally = tally != nullptr;
    if (!has_mapped_tally) tally = new Tally{};
    tally->begin();
  }

  [[nodiscard]] const HostAnswers& host() const noexcept { return host_of(config); }
  /// Returns the value that the seed draws.
  [[nodiscard]] std::uint64_t unconfirmed(Unconfirmed answer) const noexcept {
    return drawn(config.seed, answer);
  }
  /// Returns the code that the seed draws.
  template <class Code>
  [[nodiscard]] std::uint32_t unconfirmed(Unconfirmed answer, Code own_code) const noexcept {
    return drawn_code(config.seed, answer, own_code);
  }
  /// Sets the first handle of each kind according to the seed, unless a handle exists.
  void begin_handles() noexcept {
    const std::uint64_t serial = unconfirmed(Unconfirmed::first_handle);
    logs.begin_after(serial);
    backends.begin_after(serial);
    devices.begin_after(serial);
    contexts.begin_after(serial);
    graphs.begin_after(serial);
    memory.begin_after(serial);
    profiles.begin_after(serial);
    signals.begin_after(serial);
  }

  /// Counts the start or the end of an access by the CPU; an end without a start counts nothing.
  void note_cpu_access(const FileKey& file, bool begins) {
    if (begins) {
      ++open_for_cpu[file];
    } else if (const auto open = open_for_cpu.find(file);
               open != open_for_cpu.end() && --open->second == 0) {
      open_for_cpu.erase(open);
    }
  }

  /// True once the process has destroyed the library's objects of static storage. The functions of
  /// a host library from 2.47 on need theirs, so no client may call one from then on (PRC-04).
  std::atomic<bool> is_over{false};
  /// True in a child of a process that has called the library: the session with the DSP, and all
  /// objects, belong to the parent (PRC-01).
  std::atomic<bool> is_inherited{false};
  /// A bit for each function whose first call made objects of static storage (make_host_objects()).
  std::uint64_t host_objects = 0;
  static constexpr int no_sync_listener = -1000000;
  /// Descriptor through which see_syncs() gets the calls, or an errno with a minus.
  std::atomic<int> sync_listener{no_sync_listener};
  std::mutex mutex;
  Config original;
  Config config;
  Faults faults;
  Subsystem subsystem = Subsystem::up;
  /// True after a call has started the library. Before that, releases of any handle succeed.
  bool started = false;
  /// Logger of a logCreate that failed because the library did not start. Receives log lines while
  /// no logger is alive.
  std::shared_ptr<Logger> early_logger;
  /// The first logger of the process, also after logFree: the library calls it at exit.
  std::shared_ptr<Logger> first_logger;
  // Before all members whose memory it counts.
  OwnMemory own;

  HandleTable<Logger, HandleKind::log> logs;
  HandleTable<Backend, HandleKind::backend> backends;
  HandleTable<DeviceState, HandleKind::device> devices;
  HandleTable<Context, HandleKind::context> contexts{&config.recycled_handles};
  /// Numbers that failed creations returned. Clients may free each of them once (ORD-14).
  std::set<std::uint64_t> stillborn;
  std::vector<Remnant> remnants;
  /// By number of the context.
  std::map<std::uint64_t, Mark> marks;
  /// The library's own memory of such contexts, which stays until the process ends.
  std::vector<CountedMemory> lost_copies;
  /// Memory handles destroyed with their contexts without memDeRegister's knowledge. It returns 0
  /// for them, however often it is called.
  std::set<std::uint64_t> lost_memory;
  /// Contexts that a restart has ended, by handle, until contextFree.
  std::map<std::uint64_t, std::shared_ptr<Context>> dead_contexts;
  /// Numbers of objects that were freed by a call with an injected error. Clients may try again.
  std::set<std::uint64_t> freed_with_error;
  HandleTable<GraphState, HandleKind::graph> graphs{&config.recycled_handles};
  ClientRpcmem rpcmem;
  SetupCalls setup_calls;
  RegistrationTable memory{&config.recycled_handles};
  HandleTable<Profile, HandleKind::profile> profiles;
  HandleTable<Signal, HandleKind::signal> signals;
  std::vector<std::unique_ptr<PlatformInfo>> platform_infos;
  std::unique_ptr<PlatformInfo> own_platform_info;
  PowerConfigs power;
  std::uint64_t last_profile_serial = 0;
  std::uint64_t last_context_number = 0;
  std::uint64_t last_execution = 0;

  ProcessDomains domains;
  bool has_half_domain = false;  ///< see HostAnswers::failed_load_leaves_half_domain
  /// Number of further loads that return 0x7fffffff; see Config::undefined_loads.
  std::uint32_t undefined_loads = 0;
  Lockstep lockstep;

  /// What the report is written from; never NULL. The calls keep it up to date, and
  /// update_tally() sets the numbers of live objects.
  Tally* tally;
  bool has_mapped_tally = false;  ///< QNNPP_SIM_COUNTS: it is updated after every call
  /// Counts of work and misuses, and peaks. snapshot() adds the live objects.
  Counters counted{};
  std::vector<std::string> misuses;
  /// Files that the CPU has open between two syncs, and how often.
  std::map<FileKey, std::uint64_t> open_for_cpu;
  std::set<std::string, std::less<>> announced_rules;  ///< already printed to stderr
  std::vector<c_api::BackendOperationName> operations;

  /// Finds a context for contextFree, alive or dead; NULL for any other handle.
  [[nodiscard]] std::shared_ptr<Context> find_to_release(std::uint64_t id) const {
    const auto dead = dead_contexts.find(id);
    return dead == dead_contexts.end() ? contexts.find(id) : dead->second;
  }
  /// True if the graph's context is dead but not yet freed.
  [[nodiscard]] bool is_dead_graph(std::uint64_t id) const {
    for (const auto& [number, context] : dead_contexts)
      for (const auto& [name, graph] : context->graphs)
        if (graph.first == id) return true;
    return false;
  }
  /// True if the client itself has freed the object with this number (ORD-09).
  template <class Object, HandleKind kind>
  [[nodiscard]] bool is_freed(const HandleTable<Object, kind>& table, std::uint64_t id) const {
    if (!table.is_stale(id) || freed_with_error.contains(id)) return false;
    if constexpr (kind == HandleKind::context)
      return !stillborn.contains(id) && !dead_contexts.contains(id);
    if constexpr (kind == HandleKind::graph) return !is_dead_graph(id);
    return true;
  }
  /// True if `predicate` holds for a context that is not yet freed, alive or dead.
  template <class Predicate>
  [[nodiscard]] bool any_context(Predicate predicate) const {
    for (const auto* const some : {&contexts.all(), &dead_contexts})
      for (const auto& [id, context] : *some)
        if (predicate(*context)) return true;
    return false;
  }
};

/// Returns the device of this process.
[[nodiscard]] Device& device() noexcept;

/// Returns the estimate of a context that needs these bytes of a process domain.
[[nodiscard]] inline std::uint64_t estimate_of(const Device& d, std::uint64_t bytes) noexcept {
  const std::uint64_t factor = d.config.estimate_per_mille_x10;
  return bytes / 10000 * factor + bytes % 10000 * factor / 10000;
}

/// Returns what the device can run.
[[nodiscard]] inline BinaryDevice binary_device(const Device& d) noexcept {
  return {d.config.arch, d.config.vtcm_bytes, d.config.dynamic_dimensions != 0};
}
/// Returns whether the device supports dynamic dimensions.
[[nodiscard]] inline DynamicDimensions dynamic_dimensions(const Device& d) noexcept {
  return d.config.dynamic_dimensions != 0 ? DynamicDimensions::supported
                                          : DynamicDimensions::unsupported;
}

/// Returns the counters with the numbers of live objects. Requires the device's mutex.
inline Counters snapshot(const Device& d) {
  Counters c = d.counted;
  c.live_logs = d.logs.size();
  c.live_backends = d.backends.size();
  c.live_devices = d.devices.size();
  c.live_contexts = d.contexts.size() + d.dead_contexts.size();
  c.live_graphs = d.graphs.size();
  c.live_profiles = d.profiles.size();
  c.live_signals = d.signals.size();
  c.live_power_configs = d.power.live.size();
  for (const auto& [id, votes] : d.power.live) {
    if (!votes.any) continue;
    ++c.live_power_votes;
    c.power_core_corner = std::max<std::uint64_t>(c.power_core_corner, votes.core_corner);
    c.power_polling_us = std::max<std::uint64_t>(c.power_polling_us, votes.polling_us);
  }
  c.live_platform_infos = d.platform_infos.size();
  const RegistrationTotals registered = d.memory.totals();
  c.live_tensor_registrations = registered.tensors;
  c.live_weights_registrations = registered.weights;
  c.live_spill_fill_registrations = registered.spill_fills;
  c.mapped_fds = d.memory.size();
  c.mapped_bytes = registered.mapped_bytes;
  c.external_weights_bytes = registered.weights_bytes;
  c.external_spill_fill_bytes = registered.spill_fill_bytes;
  c.device_mappings = registered.files;
  c.internal_weights_bytes = d.own.weights_bytes;
  c.internal_spill_fill_bytes = d.own.spill_fill_bytes;
  c.io_preallocated_bytes = d.own.io_prepared_bytes;
  c.io_at_execution_bytes = d.own.io_at_execution_bytes;
  c.device_bytes = c.external_weights_bytes + c.external_spill_fill_bytes;
  c.internal_bytes = c.internal_weights_bytes + c.internal_spill_fill_bytes;
  c.live_vtcm_backup_registrations = registered.vtcm_backups;
  c.external_vtcm_backup_bytes = registered.vtcm_backup_bytes;
  for (std::size_t i = 0; i < 16; ++i) c.pd_used_bytes[i] = d.domains.used_bytes(i);
  return c;
}

/// Raises the peaks to the present values. Call it after each addition, with the device's mutex
/// held.
inline void note_peaks(Device& d) {
  const RegistrationTotals registered = d.memory.totals();
  const auto raise = [](std::uint64_t& peak, std::uint64_t value) {
    if (value > peak) peak = value;
  };
  raise(d.counted.peak_contexts, d.contexts.size() + d.dead_contexts.size());
  raise(d.counted.peak_mapped_bytes, registered.mapped_bytes);
  raise(d.counted.peak_device_bytes, registered.weights_bytes + registered.spill_fill_bytes);
  raise(d.counted.peak_internal_bytes, d.own.weights_bytes + d.own.spill_fill_bytes);
  raise(d.counted.peak_pd_bytes, d.domains.total_bytes());
}

/// Records a misuse and the rule that it broke. Returns true for the first misuse of a rule, and
/// prints that one to stderr if `tell` is true. Requires the device's mutex.
inline bool note_misuse(Device& d, const char* rule, std::string what, bool tell = true) {
  const bool is_first = d.announced_rules.insert(rule).second;
  if (is_first && tell) notice(what);
  ++d.counted.misuses;
  d.tally->add_misuse(rule, what);
  if (d.misuses.size() < 64) d.misuses.push_back(std::move(what));
  return is_first;
}

}  // namespace qnnpp::sim
