// The end of contexts: by contextFree, and of all of them at once when the sub-system restarts.
#pragma once

#include <cstdint>
#include <memory>

#include "qnnpp/sim/device.hpp"
#include "qnnpp/sim/text.hpp"

namespace qnnpp::sim {

/// Takes everything of a context off the device: graphs, memory handles, its place in a process
/// domain. An execution that runs meanwhile keeps the memory until it ends. Returns how many tensor
/// registrations were left. The device's mutex is held.
inline std::uint64_t drop_context(Device& d, std::uint64_t id) {
  const std::shared_ptr<Context> context = d.contexts.find(id);
  if (context == nullptr) return 0;
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
  return left;
}

/// The DSP restarts: contexts, graphs, memory handles and power configs die (SSR-01). The device's
/// mutex is held.
inline void restart_subsystem(Device& d, bool fatal) {
  for (const auto& [id, context] : d.contexts.copy()) drop_context(d, id);
  d.power_configs.clear();
  if (fatal) d.subsystem = Subsystem::down;
}

}  // namespace qnnpp::sim
