// Graphs of the C API: composition node by node, finalization, retrieval, configs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "qnnpp/abi/graph.hpp"
#include "qnnpp/abi/htp/graph.hpp"
#include "qnnpp/abi/interface.hpp"

#include "sim/api/call.hpp"
#include "sim/api/graph_options.hpp"
#include "sim/api/op_limits.hpp"
#include "sim/objects/client_structs.hpp"
#include "sim/objects/context.hpp"
#include "sim/objects/device.hpp"
#include "sim/ops/compose.hpp"
#include "sim/tables/bring_up.hpp"

namespace qnnpp::sim {

namespace detail {

/// Reads the options of one call into `hints` and `state`. After a failure both hold part of the
/// options.
inline Status read_graph_configs(Call& call, const c_api::GraphConfig** configs, bool finalized,
                                 GraphHints& hints, GraphState& state) {
  if (configs == nullptr) return success();
  if (!are_readable_configs(configs))
    return dead_pointer(c_api::GraphError::invalid_argument, "a config of the graph");
  Device& d = call.dev();
  for (const c_api::GraphConfig** entry = configs; *entry != nullptr; ++entry) {
    const c_api::GraphConfig& config = **entry;
    switch (config.option) {
      case c_api::GraphConfigOption::custom: {
        if (finalized) return failure(c_api::GraphError::graph_finalized, "the graph is finalized");
        if (config.custom_config == nullptr)
          return failure(c_api::GraphError::invalid_argument,
                         "option CUSTOM with a NULL custom config");
        if (!is_readable(config.custom_config, sizeof(c_api::HtpGraphCustomConfig)))
          return dead_pointer(c_api::GraphError::invalid_argument, "a custom config of the graph");
        const auto& custom = *static_cast<const c_api::HtpGraphCustomConfig*>(config.custom_config);
        call.odd_boolean(boolean_of(custom));
        if (Status status = read_htp_graph_option(custom, hints); !status.ok()) return status;
        break;
      }
      case c_api::GraphConfigOption::priority:
        switch (config.priority) {
          case c_api::Priority::low:
          case c_api::Priority::normal:
          case c_api::Priority::normal_high:
          case c_api::Priority::high: hints.priority = config.priority; break;
          default: return failure(c_api::GraphError::invalid_argument, "unknown priority");
        }
        break;
      case c_api::GraphConfigOption::profile_handle: {
        if (config.profile_handle != nullptr) {
          const auto profile = d.profiles.find(config.profile_handle);
          if (profile == nullptr)
            return unknown(call, d.profiles, config.profile_handle,
                           c_api::GraphError::invalid_argument);
          if (profile->bound_graph != 0 || profile->in_use)
            return failure(c_api::GraphError::profile_in_use,
                           "the profile is bound to a graph already");
        }
        state.continuous_profile = id_of(config.profile_handle);
        break;
      }
      case c_api::GraphConfigOption::set_profiling_state:
        if (config.profiling_state != c_api::GraphProfilingState::enabled &&
            config.profiling_state != c_api::GraphProfilingState::disabled)
          return failure(c_api::GraphError::invalid_argument, "unknown profiling state");
        state.profiling = config.profiling_state == c_api::GraphProfilingState::enabled;
        break;
      case c_api::GraphConfigOption::set_profiling_num_executions: break;
      case c_api::GraphConfigOption::enable_binary_section_weights_updates:
        call.odd_boolean({"ENABLE_BINARY_SECTION_WEIGHTS_UPDATES",
                          config.enable_binary_section_weights_updates});
        return failure(c_api::GraphError::unsupported_feature,
                       "this device has no binary sections");
      default:
        return failure(c_api::GraphError::invalid_argument,
                       text("unknown graph option %u", static_cast<unsigned>(config.option)));
    }
  }
  return success();
}

/// Returns the graph's description in the network.
inline Graph& description(GraphState& state) { return state.context->network.graphs[state.index]; }

/// Allocates what a composed graph needs: spill-fill, VTCM, copies of its raw I/O tensors. Also
/// places the context's new estimate in a process domain. A failure changes nothing.
inline Status bring_up_composed(Call& call, Context& context, GraphState& state,
                                const GraphPlan& plan) {
  Device& d = call.dev();
  std::shared_ptr<SpillFill> spill_fill;
  const std::uint64_t spill_bytes = plan.spill_fill_bytes;
  if (spill_bytes > (context.spill_fill == nullptr ? 0 : context.spill_fill->memory.size_bytes())) {
    spill_fill = std::make_shared<SpillFill>();
    spill_fill->memory = CountedMemory::allocate(spill_bytes, d.own.spill_fill_bytes);
    if (!spill_fill->memory)
      return failure(c_api::GraphError::mem_alloc, "no memory for the spill-fill buffer");
  }
  DeviceMemory vtcm;
  if (plan.vtcm_bytes > context.vtcm.size_bytes()) {
    vtcm = DeviceMemory::allocate(plan.vtcm_bytes);
    if (!vtcm) return failure(c_api::GraphError::mem_alloc, "no memory for the VTCM");
  }
  CountedMemory io;
  if (!take_io(d, plan, io))
    return failure(c_api::GraphError::mem_alloc,
                   text("no memory for the copies of the graph's raw tensors, %llu B",
                        static_cast<unsigned long long>(plan.raw_io_bytes)));
  std::uint64_t constants = 0;
  for (const Tensor& tensor : description(state).tensors) constants += tensor.data.size();
  const std::uint64_t more =
      estimate_of(d, domain_bytes(constants, plan, d.unconfirmed(Unconfirmed::run_list)));
  if (Status status = place_in_domain(call, context, context.estimate_bytes + more); !status.ok())
    return status;
  if (spill_fill != nullptr) context.spill_fill = std::move(spill_fill);
  if (vtcm) context.vtcm = std::move(vtcm);
  state.io = std::move(io);
  return success();
}

/// Checks the options of a graph from a binary, as the host library does. Accepted ones have no
/// effect; any number is a priority.
inline Status check_restored_configs(Call& call, const c_api::GraphConfig** configs) {
  const std::uint32_t minor = call.dev().host().htp_api.minor;
  using Option = c_api::GraphConfigOption;
  for (const c_api::GraphConfig** entry = configs; *entry != nullptr; ++entry) {
    const c_api::GraphConfig& config = **entry;
    switch (config.option) {
      case Option::custom: {
        const auto custom =
            read_client(static_cast<const c_api::HtpGraphCustomConfig*>(config.custom_config));
        if (!custom)
          return crashing(c_api::GraphError::invalid_argument, "ORD-16",
                          "option CUSTOM with a custom config that is NULL or cannot be read");
        call.odd_boolean(boolean_of(*custom));
        if (Status status = check_restored_custom(*custom, minor); !status.ok()) return status;
        break;
      }
      case Option::priority: break;
      case Option::enable_binary_section_weights_updates:
        call.odd_boolean({"ENABLE_BINARY_SECTION_WEIGHTS_UPDATES",
                          config.enable_binary_section_weights_updates});
        break;
      default:
        return failure(
            c_api::GraphError::unsupported_feature,
            text("a graph from a binary has no option %u", static_cast<unsigned>(config.option)));
    }
  }
  return success();
}

/// Moves the graph's continuous profile from the profile `before` to the profile `after`; 0 is
/// none.
inline void bind_profile(Call& call, std::uint64_t graph, std::uint64_t before,
                         std::uint64_t after) {
  if (before == after) return;
  if (const auto profile = call.dev().profiles.find(before)) profile->bound_graph = 0;
  if (const auto profile = call.dev().profiles.find(after)) profile->bound_graph = graph;
}

}  // namespace detail

namespace api {

inline c_api::ErrorHandle graph_create(c_api::ContextHandle handle, const char* name,
                                       const c_api::GraphConfig** config, c_api::GraphHandle* out) {
  Call call{Slot::graph_create};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  if (handle == nullptr)
    return call.fail(c_api::GraphError::invalid_handle, "the context handle is NULL");
  const auto context = d.contexts.find(handle);
  if (context == nullptr)
    return call.fail(
        unknown(call, call.dev().contexts, handle, c_api::GraphError::invalid_argument));
  call.about_backend(context->backend);
  if (!context->composed)
    return call.fail(c_api::GraphError::general, "the context comes from a binary");
  call.composes();
  if (out == nullptr) return call.fail(c_api::GraphError::invalid_argument, "graph is NULL");
  if (name == nullptr || *name == '\0' || context->graphs.contains(name))
    return call.fail(c_api::GraphError::invalid_name,
                     "the name is missing, or the context has a graph with this name");
  auto state = std::make_shared<GraphState>();
  Graph graph;
  graph.name = name;
  graph.hints.priority = context->options.priority;
  if (Status status = detail::read_graph_configs(call, config, false, graph.hints, *state);
      !status.ok())
    return call.fail(status);
  state->context = context.get();
  state->context_id = context->id;
  state->index = static_cast<std::uint32_t>(context->network.graphs.size());
  context->network.graphs.push_back(std::move(graph));
  context->plan.graphs.emplace_back();
  const std::uint64_t id = d.graphs.insert(state);
  context->graphs.emplace(name, std::pair{id, state});
  detail::bind_profile(call, id, 0, state->continuous_profile);
  *out = handle_of<c_api::GraphHandle>(id);
  return call.ok();
}

inline c_api::ErrorHandle graph_create_subgraph(c_api::GraphHandle, const char*,
                                                c_api::GraphHandle*) {
  Call call{Slot::graph_create_subgraph};
  if (const auto code = call.gate()) return call.fail(code);
  return call.fail(c_api::GraphError::unsupported_feature, "this device has no subgraphs");
}

inline c_api::ErrorHandle graph_set_config(c_api::GraphHandle handle,
                                           const c_api::GraphConfig** config) {
  Call call{Slot::graph_set_config};
  if (const auto code = call.gate()) return call.fail(code);
  const auto state = call.dev().graphs.find(handle);
  if (state == nullptr)
    return call.fail(unknown(call, call.dev().graphs, handle, c_api::GraphError::invalid_handle));
  call.about_backend(state->context->backend);
  if (config == nullptr) return call.fail(c_api::GraphError::invalid_argument, "config is NULL");
  if (!are_readable_configs(config))
    return call.fail(dead_pointer(c_api::GraphError::invalid_argument, "a config of the graph"));
  if (!state->context->composed) {
    Status status = detail::check_restored_configs(call, config);
    return status.ok() ? call.ok() : call.fail(status);
  }
  GraphHints hints = detail::description(*state).hints;
  GraphState changed = GraphState{};
  changed.continuous_profile = state->continuous_profile;
  changed.profiling = state->profiling;
  if (Status status = detail::read_graph_configs(call, config, state->finalized, hints, changed);
      !status.ok())
    return call.fail(status);
  detail::description(*state).hints = hints;
  detail::bind_profile(call, id_of(handle), state->continuous_profile, changed.continuous_profile);
  state->continuous_profile = changed.continuous_profile;
  state->profiling = changed.profiling;
  return call.ok();
}

inline c_api::ErrorHandle tensor_create_graph_tensor(c_api::GraphHandle handle,
                                                     c_api::Tensor* tensor) {
  Call call{Slot::tensor_create_graph_tensor};
  if (const auto code = call.gate()) return call.fail(code);
  const auto state = call.dev().graphs.find(handle);
  if (state == nullptr)
    return call.fail(unknown(call, call.dev().graphs, handle, c_api::TensorError::invalid_handle));
  call.about_backend(state->context->backend);
  if (tensor == nullptr)
    return call.fail(c_api::TensorError::invalid_tensor_param, "tensor is NULL");
  if (!state->context->composed || state->finalized)
    return call.fail(c_api::GraphError::graph_finalized, "the graph is finalized");
  call.composes();
  if (!are_readable_tensors(tensor, 1, true))
    return call.fail(
        dead_pointer(c_api::TensorError::invalid_tensor_param, "a part of the tensor"));
  Status status = add_graph_tensor(state->context->network, detail::description(*state), *tensor,
                                   dynamic_dimensions(call.dev()));
  return status.ok() ? call.ok() : call.fail(status);
}

inline c_api::ErrorHandle tensor_create_context_tensor(c_api::ContextHandle, c_api::Tensor*) {
  Call call{Slot::tensor_create_context_tensor};
  if (const auto code = call.gate()) return call.fail(code);
  return call.fail(c_api::TensorError::unsupported_feature, "this device has no context tensors");
}

inline c_api::ErrorHandle tensor_update_graph_tensors(c_api::GraphHandle handle,
                                                      const c_api::Tensor**, std::uint64_t) {
  Call call{Slot::tensor_update_graph_tensors};
  if (const auto code = call.gate()) return call.fail(code);
  if (call.dev().graphs.find(handle) == nullptr)
    return call.fail(unknown(call, call.dev().graphs, handle, c_api::TensorError::invalid_handle));
  return call.fail(c_api::TensorError::unsupported_feature,
                   "this device has no updateable tensors");
}

inline c_api::ErrorHandle tensor_update_context_tensors(c_api::ContextHandle, const c_api::Tensor**,
                                                        std::uint64_t) {
  Call call{Slot::tensor_update_context_tensors};
  if (const auto code = call.gate()) return call.fail(code);
  return call.fail(c_api::TensorError::unsupported_feature,
                   "this device has no updateable tensors");
}

inline c_api::ErrorHandle graph_add_node(c_api::GraphHandle handle, c_api::OpConfig config) {
  Call call{Slot::graph_add_node};
  if (const auto code = call.gate()) return call.fail(code);
  const auto state = call.dev().graphs.find(handle);
  if (state == nullptr)
    return call.fail(unknown(call, call.dev().graphs, handle, c_api::GraphError::invalid_handle));
  call.about_backend(state->context->backend);
  if (!state->context->composed || state->finalized)
    return call.fail(c_api::GraphError::graph_finalized, "the graph is finalized");
  call.composes();
  if (!is_readable_op(config))
    return call.fail(dead_pointer(c_api::GraphError::invalid_argument, "a part of the node"));
  Status status =
      detail::with_limit(call, state->context->backend, config,
                         add_node(state->context->network, detail::description(*state), config));
  return status.ok() ? call.ok() : call.fail(status);
}

inline c_api::ErrorHandle graph_finalize(c_api::GraphHandle handle, c_api::ProfileHandle profile,
                                         c_api::SignalHandle signal) {
  Call call{Slot::graph_finalize};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  const auto state = d.graphs.find(handle);
  if (state == nullptr)
    return call.fail(unknown(call, call.dev().graphs, handle, c_api::GraphError::invalid_handle));
  const auto context = d.contexts.find(state->context_id);
  call.about_backend(context->backend);
  ProfileUse profile_use{call, profile};
  if (profile_use.bad())
    return call.fail(unknown(call, d.profiles, profile, c_api::GraphError::set_profile));
  if (profile_use.busy()) return call.fail(c_api::GraphError::set_profile, "the profile is in use");
  SignalUse signal_use{call, signal};
  if (signal_use.bad())
    return call.fail(
        unknown(call, call.dev().signals, signal, c_api::GraphError::invalid_argument));
  if (signal_use.busy()) return call.fail(c_api::GraphError::signal_in_use, "the signal is in use");
  if (!context->composed)
    return call.fail(c_api::GraphError::unsupported_feature,
                     "a graph from a binary needs no finalize");
  call.composes();
  if (state->finalized)
    return call.fail(c_api::GraphError::finalize_failed, "the graph is finalized already");

  const Graph& graph = detail::description(*state);
  GraphPlan plan;
  Status status = call.unlocked([&] { return plan_graph(graph, d.config.vtcm_bytes, plan); });
  if (!status.ok()) return call.fail(status);
  switch (signal_use.state()) {
    case Interruption::aborted:
      return call.fail(code_of(c_api::GraphError::aborted), "aborted by its signal");
    case Interruption::timed_out:
      return call.fail(code_of(c_api::GraphError::timed_out), "timed out");
    case Interruption::none: break;
  }
  if (!context->options.prepare_only) {
    if (status = detail::bring_up_composed(call, *context, *state, plan); !status.ok())
      return call.fail(status);
  }
  context->plan.graphs[state->index] = std::move(plan);
  state->finalized = true;
  context->serialized.clear();
  prepare_graph(*context, *state);
  note_peaks(d);
  profile_use.finish({c_api::profile_event_type::finalize});
  return call.ok();
}

inline c_api::ErrorHandle graph_retrieve(c_api::ContextHandle handle, const char* name,
                                         c_api::GraphHandle* out) {
  Call call{Slot::graph_retrieve};
  if (const auto code = call.gate()) return call.fail(code);
  if (handle == nullptr)
    return call.fail(c_api::GraphError::invalid_argument, "the context handle is NULL");
  const auto context = call.dev().contexts.find(handle);
  if (context == nullptr)
    return call.fail(
        unknown(call, call.dev().contexts, handle, c_api::ContextError::invalid_handle));
  call.about_backend(context->backend);
  if (name == nullptr) return call.fail(c_api::GraphError::invalid_name, "no name");
  if (!is_readable_text(name))
    return call.fail(dead_pointer(c_api::GraphError::invalid_name, "the name"));
  if (!context->composed && !context->finalized) {
    call.misuse("ORD-04", "a deferred context has graphs only after contextFinalize");
    return call.fail(c_api::GraphError::graph_not_finalized, "the context needs finalization");
  }
  const auto found = context->graphs.find(name);
  if (found == context->graphs.end())
    return call.fail(c_api::GraphError::invalid_name, text("no graph \"%s\"", name));
  if (!is_readable(out, sizeof *out))
    return call.fail(dead_pointer(c_api::GraphError::invalid_name, "the variable for the graph"));
  *out = handle_of<c_api::GraphHandle>(found->second.first);
  return call.ok();
}

inline c_api::ErrorHandle graph_get_property(c_api::GraphHandle handle,
                                             c_api::GraphProperty** properties) {
  Call call{Slot::graph_get_property};
  if (const auto code = call.gate()) return call.fail(code);
  if (call.dev().graphs.find(handle) == nullptr)
    return call.fail(unknown(call, call.dev().graphs, handle, c_api::GraphError::invalid_handle));
  if (properties == nullptr)
    return call.fail(c_api::GraphError::invalid_argument, "properties is NULL");
  if (*properties == nullptr) return call.ok();
  return call.fail(c_api::GraphError::unsupported_feature,
                   "graphs of this device have no properties");
}

inline c_api::ErrorHandle graph_prepare_execution_environment(
    c_api::GraphHandle handle, c_api::GraphExecuteEnvironment** environments, std::uint32_t count) {
  Call call{Slot::graph_prepare_execution_environment};
  if (const auto code = call.gate()) return call.fail(code);
  if (call.dev().graphs.find(handle) == nullptr)
    return call.fail(unknown(call, call.dev().graphs, handle, c_api::GraphError::invalid_handle));
  if (environments == nullptr || count == 0)
    return call.fail(c_api::GraphError::invalid_argument, "no execution environments");
  return call.fail(c_api::GraphError::unsupported_feature,
                   "this device has no execution environments");
}

inline c_api::ErrorHandle graph_release_execution_environment(
    c_api::GraphHandle handle, const c_api::GraphExecuteEnvironment**, std::uint32_t) {
  Call call{Slot::graph_release_execution_environment};
  if (call.dev().graphs.find(handle) == nullptr)
    return call.fail(unknown(call, call.dev().graphs, handle, c_api::GraphError::invalid_handle));
  return call.fail(c_api::GraphError::unsupported_feature,
                   "this device has no execution environments");
}

}  // namespace api
}  // namespace qnnpp::sim
