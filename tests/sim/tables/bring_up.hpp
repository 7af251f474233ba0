// Loads a context's graphs on the DSP: estimate and process domain, weights, spill-fill, VTCM, I/O
// copies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/error.hpp"

#include "sim/api/call.hpp"
#include "sim/objects/context.hpp"
#include "sim/objects/device.hpp"

namespace qnnpp::sim {

namespace detail {

inline IoTensors list_io(const Graph& graph, const std::vector<std::uint32_t>& indices) {
  IoTensors io;
  for (const std::uint32_t index : indices) {
    const Tensor& tensor = graph.tensors[index];
    io.by_id.push_back(static_cast<std::uint32_t>(io.tensors.size()));
    io.tensors.push_back(
        {tensor.id, index, tensor_bytes(tensor), tensor.mem_type == c_api::TensorMemType::raw});
  }
  std::sort(io.by_id.begin(), io.by_id.end(), [&io](std::uint32_t a, std::uint32_t b) {
    return io.tensors[a].id < io.tensors[b].id;
  });
  return io;
}

/// Fails for external buffers that cannot be used and that no earlier call checks: lost
/// registrations, and errors that FastRPC or the library's mapping reports.
inline Status check_external_buffers(const Context& context) {
  using c_api::ContextError;
  if (context.lost_weights || context.lost_spill_fill)
    return misused(ContextError::create_from_binary, "BUF-15",
                   "a buffer's handle is lost, because its memRegister failed at another buffer");
  const auto& weights = context.external_weights;
  if (weights != nullptr && weights->is_cut_off)
    return crashing(ContextError::mem_alloc, "BUF-16",
                    "the external weights buffer ends beyond the end of its file");
  if (weights != nullptr && weights->data == nullptr && weights->size_bytes != 0)
    return failure(ContextError::mem_alloc, "FastRPC cannot map the external weights buffer");
  const auto& spill_fill = context.external_spill_fill;
  if (spill_fill != nullptr && spill_fill->data == nullptr && context.needs.spill_fill_bytes != 0)
    return failure(ContextError::mem_alloc, "FastRPC cannot map the external spill-fill buffer");
  const auto& backup = context.external_vtcm_backup;
  if (backup != nullptr && backup->data == nullptr && backup->size_bytes != 0)
    return failure(ContextError::mem_alloc, "FastRPC cannot map the external VTCM backup buffer");
  return success();
}

}  // namespace detail

/// Lists a graph's I/O tensors for execution, and allocates its table of addresses and its memory
/// for conversions.
inline void prepare_graph(Context& context, GraphState& state) {
  const Graph& graph = context.network.graphs[state.index];
  state.inputs = detail::list_io(graph, graph_inputs(graph));
  state.outputs = detail::list_io(graph, graph_outputs(graph));
  state.copies.resize(graph.tensors.size());
  state.conversion.resize(static_cast<std::size_t>(scratch_floats(graph)));
  state.addressed = false;
  state.addresses.assign(graph.tensors.size(), nullptr);
}

/// True if `more_bytes` of I/O copies stay within Config::max_io_copy_bytes.
inline bool takes_io_copies(const Device& d, std::uint64_t more_bytes) noexcept {
  const std::uint64_t limit = d.config.max_io_copy_bytes;
  const std::uint64_t held = d.own.io_prepared_bytes + d.own.io_at_execution_bytes;
  return limit == 0 || (held <= limit && more_bytes <= limit - held);
}

/// Allocates the copies of the I/O tensors that were prepared as raw, in one allocation per graph.
/// Returns false without free memory.
inline bool take_io(Device& d, const GraphPlan& plan, CountedMemory& out) {
  if (plan.io_copies_bytes == 0) return true;
  if (!takes_io_copies(d, plan.raw_io_bytes)) return false;
  out = CountedMemory::allocate(plan.io_copies_bytes, d.own.io_prepared_bytes, plan.raw_io_bytes);
  return static_cast<bool>(out);
}

/// Reasons why a load failed on a process domain.
struct DomainFailures {
  bool is_unreachable = false;  ///< a mapping or a remote call failed
  bool lacks_memory = false;    ///< the library had no memory for itself
};

/// Finds a process domain with room for a load. The load fails on the first Config::failing_domains
/// domains and where its allocation or its remote call fails, and continues with the next one.
inline std::uint32_t find_domain(Call& call, std::uint64_t estimate_bytes, const char* what,
                                 DomainFailures& failures) {
  Device& d = call.dev();
  std::uint32_t failing = std::exchange(d.config.failing_domains, 0);
  return d.domains.place(estimate_bytes, d.config, [&](std::uint32_t domain) {
    if (failing == 0 && !call.allocates()) {
      failures.lacks_memory = true;
    } else if (failing == 0 && call.remote() == 0) {
      return true;
    } else {
      failing -= failing == 0 ? 0 : 1;
      failures.is_unreachable = true;
    }
    call.log(c_api::LogLevel::error,
             text("loading %s failed on process domain %u, trying another one", what, domain));
    return false;
  });
}

/// The process domain that is half made, and what the library logs about it.
inline constexpr std::uint32_t half_made_domain = 2;
inline constexpr const char* half_made_words =
    "Unable to pause polling: unable to find polling context for device 0 core 0 processDomain 2";

/// Adds a context to a process domain, or moves it to one with room for a new estimate. Without
/// room it returns the code 1002 and the log line of a device.
inline Status place_in_domain(Call& call, Context& context, std::uint64_t estimate_bytes) {
  Device& d = call.dev();
  d.domains.release(context.domain, context.estimate_bytes);
  const std::uint32_t before = context.domain;
  const std::uint64_t before_bytes = context.estimate_bytes;
  DomainFailures failures;
  context.domain = find_domain(
      call, estimate_bytes,
      text("context %llu", static_cast<unsigned long long>(context.number)).c_str(), failures);
  context.estimate_bytes = estimate_bytes;
  if (context.domain != no_domain) {
    context.spoils_numbers = failures.is_unreachable && d.host().failed_load_confuses_next;
    return success();
  }
  const bool had_half_domain = d.has_half_domain;
  d.has_half_domain =
      had_half_domain || (failures.is_unreachable && d.host().failed_load_leaves_half_domain);
  ++d.counted.pd_refusals;
  // A creation that failed on every domain of the DSP leaves a graph number, which the next load
  // gets.
  const bool confuses =
      failures.is_unreachable && !context.options.deferred && d.host().failed_load_confuses_next;
  d.undefined_loads = std::max(d.config.undefined_loads, confuses ? 1u : 0u);
  if (before != no_domain)
    context.domain = d.domains.place(before_bytes, d.config, [](std::uint32_t) { return true; });
  context.estimate_bytes = context.domain == no_domain ? 0 : before_bytes;
  if (failures.lacks_memory)
    return failure(c_api::BackendError::cannot_initialize, "Failed to allocate memory");
  if (had_half_domain && failures.is_unreachable)
    return failure(c_api::DeviceError::invalid_config, half_made_words);
  return failure(
      c_api::ContextError::mem_alloc,
      text(
          "Failed to find available PD for contextId %llu on deviceId 0 coreId 0 with context size "
          "estimate %llu",
          static_cast<unsigned long long>(context.number),
          static_cast<unsigned long long>(estimate_bytes)));
}

/// Allocates the spill-fill memory of a context from a binary without an external buffer: shares
/// its group's, or allocates its own. Requires that check_group() has succeeded.
inline Status take_spill_fill(Call& call, Context& context, std::uint64_t need_bytes) {
  Device& d = call.dev();
  const GroupOption& group = context.options.group;
  if (group.given && group.head != 0) {
    context.spill_fill = d.contexts.find(group.head)->spill_fill;
    context.group_head = group.head;
    return success();
  }
  std::uint64_t bytes = need_bytes;
  if (group.given) {
    bytes = group.max_spill_fill_bytes;
    context.group_head = context.id;
  }
  if (bytes == 0 && !group.given) return success();
  context.spill_fill = std::make_shared<SpillFill>();
  context.spill_fill->memory = CountedMemory::allocate(bytes, d.own.spill_fill_bytes);
  if (bytes != 0 && !context.spill_fill->memory)
    return failure(c_api::ContextError::mem_alloc, "no memory for the spill-fill buffer");
  return success();
}

/// Reverses bring_up(). The description stays.
inline void take_down(Call& call, Context& context) {
  Device& d = call.dev();
  for (const auto& [name, graph] : context.graphs) d.graphs.erase(graph.first);
  context.graphs.clear();
  d.domains.release(context.domain, context.estimate_bytes);
  context.domain = no_domain;
  context.estimate_bytes = 0;
  context.restored = nullptr;
  context.weights = {};
  context.vtcm = {};
  context.spill_fill = nullptr;
  context.group_head = 0;
  context.finalized = false;
}

/// Refuses external weights on Linux. The library does not map them there, and reads them at their
/// offset.
inline Status check_platform(const Device& d, const Context& context) {
  if (context.external_weights == nullptr || d.config.linux_weights == 0) return success();
  if (context.external_weights->region.offset_bytes != 0)
    return crashing(c_api::ContextError::mem_alloc, "EXT-08",
                    "external weights at an offset crash the library on Linux");
  return failure(c_api::ContextError::mem_alloc,
                 "the external weights buffer is invalid: this platform does not map it");
}

/// Leaves what a contextFinalize leaves whose last remote call failed: a mark on the context's
/// number for the buffers that it has, and the library's own memory. Takes the context down.
inline void leave_mark(Call& call, Context& context) {
  Device& d = call.dev();
  for (auto& [name, graph] : context.graphs) d.lost_copies.push_back(std::move(graph.second->io));
  d.lost_copies.push_back(std::move(context.weights));
  if (context.spill_fill != nullptr) d.lost_copies.push_back(std::move(context.spill_fill->memory));
  d.marks[context.id] = {context.external_weights, context.external_spill_fill};
  context.lost_buffers = true;
  take_down(call, context);
}

/// Gives a context whose number is marked the buffers of the mark, and ends the mark. The host
/// library uses a buffer that is too small, too; the simulated HTP does not.
inline void use_marked_buffers(Call& call, Context& context, std::uint64_t number) {
  Device& d = call.dev();
  const auto found = d.marks.find(number);
  if (found == d.marks.end()) return;
  const Mark mark = std::move(found->second);
  d.marks.erase(found);
  const auto use = [](const std::shared_ptr<Registration>& old, std::uint64_t need_bytes,
                      std::shared_ptr<Registration>& buffer) {
    if (old == nullptr || old->size_bytes < need_bytes) return false;
    buffer = old;
    return true;
  };
  const bool uses_weights =
      use(mark.weights, context.needs.weights_bytes, context.external_weights);
  const bool uses_spill_fill =
      use(mark.spill_fill, context.needs.spill_fill_bytes, context.external_spill_fill);
  if ((uses_weights || uses_spill_fill) && mark.is_freed)
    call.misuse("BUF-06",
                "the context uses the buffers of an earlier one with its number, whose "
                "contextFinalize failed in its last remote call, and they are freed");
}

/// Loads the graphs of a parsed binary. Requires network, plan, options and binary of the context.
/// A failure leaves nothing behind. Requires the device's mutex, and unlocks it while it copies
/// weights.
inline Status bring_up(Call& call, Context& context) {
  Device& d = call.dev();
  if (d.undefined_loads != 0) {
    --d.undefined_loads;
    return failure(c_api::CommonError::undefined,
                   "the graph has the number of an earlier load that failed");
  }
  if (Status status = detail::check_external_buffers(context); !status.ok()) return status;
  if (const auto& bytes = context.options.io_limit_bytes; bytes && context.io_limit == nullptr)
    context.io_limit = std::make_shared<IoLimit>(IoLimit{*bytes});
  std::optional<std::uint64_t> io_limit_bytes;
  if (context.io_limit != nullptr)
    io_limit_bytes = context.counts_io_limit ? context.io_limit->bytes : 0;
  std::vector<bool> enabled;
  for (const auto& graph : context.network.graphs)
    enabled.push_back(context.is_enabled(graph.name));
  const std::uint64_t bytes = domain_bytes(
      context.plan, context.options.switches_graphs() ? LoadedGraphs::one : LoadedGraphs::all,
      d.unconfirmed(Unconfirmed::run_list), enabled, io_limit_bytes);
  if (Status status = place_in_domain(call, context, estimate_of(d, bytes)); !status.ok())
    return status;

  if (context.external_spill_fill == nullptr) {
    if (Status status = take_spill_fill(call, context, context.needs.spill_fill_bytes);
        !status.ok()) {
      take_down(call, context);
      return status;
    }
  }
  const std::uint64_t weights_bytes = context.plan.weights_bytes;
  if (context.external_weights == nullptr && weights_bytes != 0) {
    context.weights = CountedMemory::allocate(context.needs.weights_bytes, d.own.weights_bytes);
    if (!context.weights) {
      take_down(call, context);
      return failure(c_api::ContextError::mem_alloc, "no memory for the weights");
    }
  }
  // With graph switching an execution loads its weights, unless there is only one graph.
  const bool loads_now = !context.options.switches_graphs() || context.network.graphs.size() == 1;
  if (loads_now && weights_bytes != 0) {
    call.unlocked([&] { context.load_weights(0, weights_bytes); });
    d.counted.weights_loaded_bytes += weights_bytes;
    context.loaded_graph = 0;
  }
  if (context.by_engine) {
    Status status = call.unlocked([&] {
      return engine::Restored::restore(
          {context.binary, static_cast<std::size_t>(context.binary_bytes)}, context.network,
          context.plan, context.restored);
    });
    if (!status.ok()) {
      take_down(call, context);
      return status;
    }
  }
  std::uint64_t vtcm = 0;
  for (const GraphPlan& plan : context.plan.graphs)
    vtcm = plan.vtcm_bytes > vtcm ? plan.vtcm_bytes : vtcm;
  context.vtcm = DeviceMemory::allocate(vtcm);
  if (vtcm != 0 && !context.vtcm) {
    take_down(call, context);
    return failure(c_api::ContextError::mem_alloc, "no memory for the VTCM");
  }

  for (std::uint32_t i = 0; i < context.network.graphs.size(); ++i) {
    const std::string& name = context.network.graphs[i].name;
    auto state = std::make_shared<GraphState>();
    state->context = &context;
    state->context_id = context.id;
    state->index = i;
    state->finalized = true;
    state->enabled = context.is_enabled(name);
    prepare_graph(context, *state);
    if (state->enabled && !take_io(d, context.plan.graphs[i], state->io)) {
      take_down(call, context);
      return failure(
          c_api::ContextError::mem_alloc,
          text("no memory for the copies of the raw tensors of graph \"%s\", %llu B", name.c_str(),
               static_cast<unsigned long long>(context.plan.graphs[i].raw_io_bytes)));
    }
    context.graphs.emplace(name, std::pair{std::uint64_t{0}, std::move(state)});
  }
  context.finalized = true;
  return success();
}

}  // namespace qnnpp::sim
