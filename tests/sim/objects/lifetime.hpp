// The end of contexts: by contextFree, by backendFree, or by a restart of the sub-system.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/objects/device.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim {

/// Removes everything of a context, alive or dead, from the device: graphs, memory handles, its
/// share of a process domain. A running execution keeps the memory until it ends. Returns the
/// number of tensor registrations that were left. Requires the device's mutex.
inline std::uint64_t drop_context(Device& d, std::uint64_t id) {
  const std::shared_ptr<Context> context = d.find_to_release(id);
  if (context == nullptr) return 0;
  if (context->async != nullptr) context->async->close();
  // A finalize that failed while it applied configs invalidates the external buffers' handles.
  if (context->lost_buffers)
    for (const std::uint64_t lost : {context->external_weights_id, context->external_spill_fill_id,
                                     context->external_vtcm_backup_id})
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
  // A recycled number behaves like any other handle.
  d.stillborn.erase(id);
  d.freed_with_error.erase(id);
  return left;
}

/// Destroys the contexts that backendFree finds, and invalidates their memory handles. Requires the
/// device's mutex.
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

/// Restarts the DSP: contexts, graphs and memory handles become unusable, and power configs end.
/// The process domains are empty. Memory and handles of the dead contexts remain until the client
/// releases them (SSR-01). Requires the device's mutex.
inline void restart_subsystem(Device& d, bool fatal) {
  for (const auto& [id, context] : d.contexts.copy()) {
    d.domains.release(context->domain, context->estimate_bytes);
    context->domain = no_domain;
    for (const auto& [name, graph] : context->graphs) d.graphs.retire(graph.first);
    d.contexts.retire(id);
    d.dead_contexts.emplace(id, context);
  }
  d.power.end_all();
  if (fatal) d.subsystem = Subsystem::down;
}

}  // namespace qnnpp::sim
