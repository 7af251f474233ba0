// The end of contexts: by contextFree, and for use of all at once when the sub-system restarts.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/objects/device.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim {

/// Takes everything of a context, which may be dead, off the device: graphs, memory handles, its
/// place in a process domain. An execution that runs meanwhile keeps the memory until it ends.
/// Returns how many tensor registrations were left. The device's mutex is held.
inline std::uint64_t drop_context(Device& d, std::uint64_t id) {
  const std::shared_ptr<Context> context = d.find_to_release(id);
  if (context == nullptr) return 0;
  if (context->async != nullptr) context->async->close();
  // A finalize that stopped while it applied configs loses the external buffers' handles.
  if (context->lost_buffers)
    for (const std::uint64_t lost : {context->external_weights_id, context->external_spill_fill_id})
      if (lost != 0) d.lost_memory.insert(lost);
  const std::uint64_t left = d.memory.erase_context(id);
  for (const auto& [name, graph] : context->graphs) {
    if (const auto profile = d.profiles.find(graph.second->continuous_profile))
      profile->bound_graph = 0;
    d.graphs.erase(graph.first);
  }
  if (context->spill_fill != nullptr && context->group_head == id)
    context->spill_fill->head_alive = false;
  d.domains.release(context->domain, context->estimate_bytes);
  context->domain = no_domain;
  d.contexts.erase(id);
  d.dead_contexts.erase(id);
  // A number that is given out again is a context's like any other.
  d.stillborn.erase(id);
  d.freed_with_error.erase(id);
  return left;
}

/// Votes on power end with the session on the DSP; their ids can still be destroyed.
inline void end_power_configs(Device& d) { d.dead_power_configs.merge(d.power_configs); }

/// backendFree ends the contexts that were left, and loses their memory handles. The device's mutex
/// is held.
inline void drop_contexts_of(Device& d, std::uint64_t backend) {
  std::vector<std::uint64_t> left;
  const auto note = [&left, backend](const auto& contexts) {
    for (const auto& [id, context] : contexts)
      if (context->backend == backend) left.push_back(id);
  };
  note(d.contexts.all());
  note(d.dead_contexts);
  for (const std::uint64_t id : left) {
    for (const std::uint64_t handle : d.memory.handles_of(id)) d.lost_memory.insert(handle);
    drop_context(d, id);
  }
}

/// The DSP restarts: contexts, graphs and memory handles are dead for use, power configs are gone.
/// The process domains are empty; memory and handles of the dead stay until they are released
/// (SSR-01). The device's mutex is held.
inline void restart_subsystem(Device& d, bool fatal) {
  for (const auto& [id, context] : d.contexts.copy()) {
    d.domains.release(context->domain, context->estimate_bytes);
    context->domain = no_domain;
    for (const auto& [name, graph] : context->graphs) d.graphs.retire(graph.first);
    d.contexts.retire(id);
    d.dead_contexts.emplace(id, context);
  }
  end_power_configs(d);
  if (fatal) d.subsystem = Subsystem::down;
}

}  // namespace qnnpp::sim
