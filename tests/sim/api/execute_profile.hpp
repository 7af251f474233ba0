// The events of an execution in a profile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "qnnpp/abi/htp/profile.hpp"

#include "sim/objects/context.hpp"
#include "sim/objects/profile.hpp"
#include "sim/ops/network.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim::detail {

/// Vector threads that a profile reports for a graph that was prepared without a number.
inline constexpr std::uint32_t default_hvx_threads = 4;

/// Adds the nodes of an execution below one event: their cycles and, for linting, how they wait.
/// Nodes of the simulated device run one after the other, so they neither wait nor overlap.
inline void write_nodes(Profile& profile, const Graph& graph, std::span<const NodeTime> times,
                        std::uint64_t cycles) {
  namespace event = c_api::htp_profile_event_type;
  const bool linting = profile.linting();
  const std::size_t all = profile.add(linting ? event::graph_execute_critical_accel_time_cycle
                                              : event::graph_execute_accel_time_cycle,
                                      cycles);
  for (const NodeTime& time : times) {
    const std::size_t node =
        profile.add(c_api::profile_event_type::node, time.cycles, all, graph.nodes[time.node].name);
    if (!linting) continue;
    for (const auto type : {event::node_wait, event::node_overlap, event::node_wait_overlap,
                            event::node_resourcemask})
      profile.add(type, 0, node);
  }
}

/// Adds the events of an execution in the order of the host library.
inline void write_profile(Profile& profile, const Graph& graph, std::span<const NodeTime> times,
                          std::uint64_t elapsed_us) {
  namespace event = c_api::htp_profile_event_type;
  std::uint64_t cycles = 0;
  for (const NodeTime& time : times) cycles += time.cycles;
  profile.add(event::graph_number_of_hvx_threads,
              graph.hints.hvx_threads != 0 ? graph.hints.hvx_threads : default_hvx_threads);
  profile.add(event::graph_execute_host_rpc_time_microsec, elapsed_us);
  profile.add(event::graph_execute_htp_rpc_time_microsec, elapsed_us);
  if (profile.detailed() || profile.linting()) {
    profile.add(event::graph_execute_yield_count, 0);
    profile.add(event::graph_execute_vtcm_acquire_time, 0);
    profile.add(event::graph_execute_resource_power_up_time, 0);
    write_nodes(profile, graph, times, cycles);
  }
  profile.add(event::graph_execute_accel_time_microsec, cycles / 1000);
  profile.add(event::graph_execute_accel_excl_wait_time_microsec, cycles / 1000);
  if (profile.op_trace) {
    std::string& trace = profile.events[profile.add(c_api::profile_event_type::trace, 0)].object;
    for (const NodeTime& time : times)
      trace += text("%s %llu\n", graph.nodes[time.node].name.c_str(),
                    static_cast<unsigned long long>(time.cycles));
  }
  profile.add(c_api::profile_event_type::execute, elapsed_us);
}

}  // namespace qnnpp::sim::detail
