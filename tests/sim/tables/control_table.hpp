// Functions behind qnnpp_sim_control: they configure and observe the device.
#pragma once

#include <cstdint>
#include <cstring>
#include <mutex>

#include "qnnpp/sim/control.hpp"

#include "sim/objects/device.hpp"
#include "sim/objects/lifetime.hpp"
#include "sim/objects/sync_filter.hpp"

namespace qnnpp::sim::control {

/// Copies at most `size` bytes, because a caller may have an older, smaller struct.
template <class Struct>
void copy_out(const Struct& from, void* to, std::uint64_t size) noexcept {
  if (to != nullptr)
    std::memcpy(to, &from, static_cast<std::size_t>(size < sizeof from ? size : sizeof from));
}

inline void read_config(Config* config, std::uint64_t size) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  copy_out(d.config, config, size);
}

inline bool write_config(const Config* config, std::uint64_t size) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  Config changed = d.config;
  if (config == nullptr) return false;
  std::memcpy(&changed, config,
              static_cast<std::size_t>(size < sizeof changed ? size : sizeof changed));
  if (!is_valid(changed) || (changed.see_syncs != 0 && !see_syncs(d))) return false;
  if (const std::uint64_t seed = changed.seed; seed != d.config.seed) {
    changed.seed = d.config.seed;
    changed = with_seed(changed, seed);
  }
  complete_chip(changed, d.config);
  if (changed.start_failure != static_cast<std::uint32_t>(StartFailure::unknown_soc))
    d.early_logger = nullptr;
  d.config = changed;
  d.begin_handles();
  return true;
}

inline void read_counters(Counters* counters, std::uint64_t size) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  copy_out(snapshot(d), counters, size);
}

inline std::uint64_t calls(Slot slot) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  const auto index = static_cast<std::size_t>(slot);
  return index < c_api::slot_count ? d.tally->calls[index] : 0;
}

inline bool read_graph_settings(c_api::GraphHandle handle, GraphSettings* settings,
                                std::uint64_t size) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  const auto graph = d.graphs.find(handle);
  if (graph == nullptr || !graph->context->composed) return false;
  const GraphHints& hints = graph->context->network.graphs[graph->index].hints;
  copy_out(GraphSettings{hints.priority, hints.precision, hints.dlbc_weights ? 1u : 0u}, settings,
           size);
  return true;
}

inline void add_fault(std::uint32_t slot, std::uint64_t at_call, std::uint32_t code,
                      bool persistent, FaultRestart restart) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  d.faults.add({slot, code, at_call, persistent, restart});
}

inline void clear_faults() {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  d.faults.clear();
}

inline void restart(bool fatal) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  restart_subsystem(d, fatal);
}

inline std::uint64_t read_misuse(std::uint64_t index, char* text, std::uint64_t size) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  const std::string empty;
  const std::string& what =
      index < d.misuses.size() ? d.misuses[static_cast<std::size_t>(index)] : empty;
  if (text != nullptr && size != 0) {
    const std::size_t length =
        what.size() < size ? what.size() : static_cast<std::size_t>(size) - 1;
    std::memcpy(text, what.data(), length);
    text[length] = '\0';
  }
  return what.size();
}

inline std::uint64_t misuses(const char* rule) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  return rule == nullptr ? 0 : d.tally->misuses(rule);
}

inline void cpu_access(std::uint64_t on_device, std::uint64_t inode, bool begins) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  d.note_cpu_access({on_device, inode}, begins);
}

inline void reset_counters() {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  d.counted = {};
  d.tally->forget_work();
  d.misuses.clear();
  d.faults.clear();
  note_peaks(d);
}

inline void reset_config() {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  d.config = d.original;
  d.undefined_loads = 0;
  d.has_half_domain = false;
  d.remnants.clear();
  d.marks.clear();
  d.lost_copies.clear();
  d.early_logger = nullptr;
  if (d.logs.size() + d.backends.size() + d.devices.size() == 0) d.started = false;
  d.subsystem = Subsystem::up;
}

inline constexpr Control functions{
    .version = control_version,
    .read_config = read_config,
    .write_config = write_config,
    .read_counters = read_counters,
    .read_graph_settings = read_graph_settings,
    .add_fault = add_fault,
    .read_misuse = read_misuse,
    .calls = calls,
    .clear_faults = clear_faults,
    .restart_subsystem = restart,
    .misuses = misuses,
    .cpu_access = cpu_access,
    .reset_counters = reset_counters,
    .reset_config = reset_config,
};

}  // namespace qnnpp::sim::control
