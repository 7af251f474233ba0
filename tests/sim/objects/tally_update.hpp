// Brings the tally of the process up to date with the live objects of the device.
#pragma once

#include <cstdint>
#include <string>

#include "sim/objects/device.hpp"
#include "sim/objects/tally.hpp"

namespace qnnpp::sim {

namespace detail {

/// Returns the names of the graphs of all live contexts, three at most.
inline std::string graphs_of_contexts(const Device& d) {
  std::string names;
  std::size_t count = 0;
  for (const auto* const some : {&d.contexts.all(), &d.dead_contexts})
    for (const auto& [id, context] : *some)
      for (const auto& graph : context->network.graphs) {
        if (++count > 3) return names + ", ...";
        names += (names.empty() ? "graph " : ", ") + graph.name;
      }
  return names;
}

/// Counts contexts that a failed creation has left in the client's variable: those that contextFree
/// ends (ORD-14), or those that only backendFree ends (ORD-17).
inline std::uint64_t left_by_failed_creations(const Device& d, bool fatal_to_free) {
  std::uint64_t count = 0;
  for (const auto& [id, context] : d.contexts.all())
    count += context->is_left_over && context->is_fatal_to_free == fatal_to_free ? 1u : 0u;
  return count;
}

/// Counts external buffers of contexts that were never finalized (ORD-07).
inline std::uint64_t registrations_before_finalize(const Device& d) {
  std::uint64_t count = 0;
  for (const auto& [id, context] : d.contexts.all())
    if (!context->finalized)
      count += (context->external_weights != nullptr ? 1u : 0u) +
               (context->external_spill_fill != nullptr ? 1u : 0u) +
               (context->external_vtcm_backup != nullptr ? 1u : 0u);
  return count;
}

}  // namespace detail

/// Sets the numbers of live objects, and the counters. Requires the device's mutex.
inline void update_tally(Device& d) {
  Tally& tally = *d.tally;
  tally.counters = snapshot(d);
  tally.of_failed_creations = detail::left_by_failed_creations(d, false);
  tally.of_failed_deferrals = detail::left_by_failed_creations(d, true);
  tally.unfinalized_buffers = detail::registrations_before_finalize(d);
  tally.graphs.set(detail::graphs_of_contexts(d));
}

}  // namespace qnnpp::sim
