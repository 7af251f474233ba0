// Functions behind qnnpp_sim_control: they configure and observe the device.
#pragma once

#include <cstdint>
#include <cstring>
#include <mutex>

#include "qnnpp/sim/control.hpp"

#include "sim/objects/device.hpp"
#include "sim/objects/lifetime.hpp"

namespace qnnpp::sim::control {

/// Copies at most `size` bytes, because a caller may have an older, smaller struct.
template <class Struct>
void copy_out(const Struct& from, void* to, std::uint64_t size) noexcept {
  if (to != nullptr)
    std::memcpy(to, &from, static_cast<std::size_t>(size < sizeof from ? size : sizeof from));
}

inline void get_config(Config* config, std::uint64_t size) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  copy_out(d.config, config, size);
}

inline std::int32_t set_config(const Config* config, std::uint64_t size) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  Config changed = d.config;
  if (config == nullptr) return -1;
  std::memcpy(&changed, config,
              static_cast<std::size_t>(size < sizeof changed ? size : sizeof changed));
  if (!is_valid(changed)) return -1;
  if (const std::uint64_t seed = changed.seed; seed != d.config.seed) {
    changed.seed = d.config.seed;
    changed = with_seed(changed, seed);
  }
  complete_chip(changed, d.config);
  if (changed.start_failure != static_cast<std::uint32_t>(StartFailure::unknown_soc))
    d.early_logger = nullptr;
  d.config = changed;
  d.begin_handles();
  return 0;
}

inline void get_counters(Counters* counters, std::uint64_t size) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  copy_out(snapshot(d), counters, size);
}

inline std::uint64_t calls_of(std::uint32_t slot) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  return slot < c_api::slot_count ? d.calls[slot] : 0;
}

inline std::int32_t get_graph_settings(c_api::GraphHandle handle, GraphSettings* settings,
                                       std::uint64_t size) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  const auto graph = d.graphs.find(handle);
  if (graph == nullptr || !graph->context->composed) return -1;
  const GraphHints& hints = graph->context->network.graphs[graph->index].hints;
  copy_out(GraphSettings{hints.priority, hints.precision, hints.dlbc_weights ? 1u : 0u}, settings,
           size);
  return 0;
}

inline void add_fault(const Fault* fault, std::uint64_t size) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  if (fault != nullptr && size >= sizeof(Fault)) d.faults.add(*fault);
}

inline void clear_faults() {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  d.faults.clear();
}

inline void restart(std::int32_t fatal) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  restart_subsystem(d, fatal != 0);
}

inline std::uint64_t misuse_text(std::uint64_t index, char* text, std::uint64_t size) {
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

inline std::uint64_t misuses_of(const char* rule) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  const auto found = rule == nullptr ? d.misuses_by_rule.end() : d.misuses_by_rule.find(rule);
  return found == d.misuses_by_rule.end() ? 0 : found->second;
}

inline void cpu_access(std::uint64_t on_device, std::uint64_t inode, std::uint32_t begins) {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  const FileKey file{on_device, inode};
  if (begins != 0) {
    ++d.open_for_cpu[file];
  } else if (const auto open = d.open_for_cpu.find(file);
             open != d.open_for_cpu.end() && --open->second == 0) {
    d.open_for_cpu.erase(open);
  }
}

inline void reset_counters() {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  d.counted = {};
  d.calls.fill(0);
  d.failures.fill(0);
  d.io_taken_at_execution_bytes = 0;
  d.misuses.clear();
  d.misuses_by_rule.clear();
  d.first_misuses.clear();
  d.faults.clear();
  note_peaks(d);
}

inline void reset_config() {
  Device& d = device();
  const std::lock_guard lock{d.mutex};
  d.config = d.original;
  d.undefined_loads = 0;
  d.remnants.clear();
  d.early_logger = nullptr;
  if (d.logs.size() + d.backends.size() + d.devices.size() == 0) d.started = false;
  d.subsystem = Subsystem::up;
}

inline constexpr ControlTable table{control_version, sizeof(ControlTable), get_config,
                                    set_config,      get_counters,         calls_of,
                                    add_fault,       clear_faults,         restart,
                                    misuse_text,     reset_counters,       reset_config,
                                    misuses_of,      cpu_access,           get_graph_settings};

}  // namespace qnnpp::sim::control
