// Creation of contexts: empty, or from a binary, at once or deferred.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/abi/context_callback.hpp"
#include "qnnpp/abi/interface.hpp"

#include "sim/api/call.hpp"
#include "sim/api/load_delay.hpp"
#include "sim/binary/binary.hpp"
#include "sim/binary/binary_format.hpp"
#include "sim/objects/client_memory.hpp"
#include "sim/objects/context.hpp"
#include "sim/objects/device.hpp"
#include "sim/objects/exclusions.hpp"
#include "sim/objects/lifetime.hpp"
#include "sim/tables/bring_up.hpp"

namespace qnnpp::sim {

namespace detail {

inline std::span<const std::byte> bytes_of(const void* binary, std::uint64_t size) {
  return {static_cast<const std::byte*>(binary), static_cast<std::size_t>(size)};
}

/// Sets the context's device and its domain. Returns 5002 for a handle without a live device.
inline Status attach(Call& call, c_api::DeviceHandle device_handle, Context& context) {
  Device& d = call.dev();
  call.sets_up_in(context.backend, 0);
  if (device_handle != nullptr) {
    const auto found = d.devices.find(device_handle);
    if (found == nullptr)
      return unknown(call, d.devices, device_handle, c_api::ContextError::invalid_handle);
    context.device = id_of(device_handle);
    context.secure_domain = found->secure_domain;
    context.target.soc_model = found->soc_model;
    context.target.dsp_arch = found->dsp_arch;
  }
  if (d.config.max_contexts != 0 && d.contexts.size() >= d.config.max_contexts)
    return failure(c_api::ContextError::mem_alloc, "the device holds no more contexts");
  return success();
}

/// Sizes and alignment that the device requires of external buffers for this binary.
inline Needs needs_of(const Device& d, const BinaryContents& contents) {
  Needs needs;
  needs.weights_bytes = weights_property(contents.plan);
  needs.spill_fill_bytes = spill_fill_property(contents.plan);
  needs.start_alignment_bytes =
      contents.target.start_alignment_bytes > d.config.start_alignment_bytes
          ? contents.target.start_alignment_bytes
          : d.config.start_alignment_bytes;
  return needs;
}

inline void keep(Context& context, BinaryContents&& contents) {
  context.target = std::move(contents.target);
  context.by_engine = contents.by_engine;
  context.digest = contents.digest;
  context.weights_offset = contents.weights_offset;
  context.network = std::move(contents.network);
  context.plan = std::move(contents.plan);
}

/// Creates handles for the context's graphs. Requires that the context has its own handle.
inline void publish_graphs(Device& d, Context& context) {
  for (auto& [name, graph] : context.graphs) {
    graph.second->context_id = context.id;
    if (graph.first == 0) graph.first = d.graphs.insert(graph.second);
  }
  const GroupOption& group = context.options.group;
  if (group.given && group.head == 0 && context.spill_fill != nullptr)
    context.group_head = context.id;
}

/// Arguments and results of one creation from a binary.
struct Creation {
  c_api::BackendHandle backend = nullptr;
  c_api::DeviceHandle device = nullptr;
  const c_api::ContextConfig** configs = nullptr;
  const void* binary = nullptr;
  std::uint64_t binary_bytes = 0;
  ContextOrigin origin = ContextOrigin::binary;
  const SignalUse* signal = nullptr;
  std::shared_ptr<const IoLimit> io_limit = nullptr;  ///< of the list
  bool counts_io_limit = true;                        ///< see Context
  /// The new context after a success. After a failure it can be a remnant, alive or not (ORD-14).
  std::shared_ptr<Context> made;
  /// Whether the call writes the out variable. It does not if it refuses the binary or the backend.
  bool writes = false;
};

/// Fails a creation, and leaves the same remnants as the host library.
inline Status refuse(Device& d, Refusal refusal, std::shared_ptr<Context> context,
                     Creation& creation) {
  if (refusal.leaves == Leaves::nothing) return std::move(refusal.status);
  const bool deferred = context->options.deferred;
  context->options = {};
  context->options.deferred = deferred;
  context->failed_to_finalize = true;
  context->is_left_over = true;
  context->is_fatal_to_free = refusal.leaves == Leaves::fatal_context;
  context->id = d.contexts.insert(context);
  if (refusal.leaves == Leaves::dead_number) {
    d.contexts.erase(context->id);
    d.stillborn.insert(context->id);
  }
  if (refusal.leaves == Leaves::stuck_remnants && !d.host().device_free_ends_contexts)
    d.remnants.push_back({context->backend, context->device});
  creation.made = std::move(context);
  return std::move(refusal.status);
}

/// Refuses a binary whose format is newer than the library. Formats are not versions of SDKs, but
/// the device's binaries have no other mark of their age (BIN-01).
inline Status check_age(const Device& d, const BinaryTarget& target) {
  if (target.backend_api_version.minor <= d.host().htp_api.minor) return success();
  return failure(c_api::ContextError::invalid_argument, "Using newer context binary on old SDK");
}

/// Checks the backend, the binary, the device, and that they fit together. Reads the configs, and
/// reports their status in `options`.
inline Status begin_creation(Call& call, Creation& creation, Context& context,
                             BinaryContents& contents, Status& options) {
  Device& d = call.dev();
  if (creation.binary == nullptr || creation.binary_bytes == 0)
    return failure(c_api::ContextError::invalid_argument, "no binary");
  if (d.backends.find(creation.backend) == nullptr)
    return unknown(call, d.backends, creation.backend, c_api::ContextError::invalid_handle);
  call.about_backend(id_of(creation.backend));
  context.backend = id_of(creation.backend);
  if (!call.unlocked([&] { return is_mapped(creation.binary, creation.binary_bytes); }))
    return crashing(c_api::ContextError::create_from_binary, "ORD-05",
                    "the binary is in memory that cannot be read");
  context.options.more_options = d.host().more_context_options;
  options = read_context_options(creation.configs, creation.origin, context.options);
  call.odd_booleans(context.options.odd_booleans);
  if (options.crashes) return std::move(options);
  const WithWeights weights = context.options.deferred ? WithWeights::no : WithWeights::yes;
  Status status = call.unlocked([&] {
    return take_apart(bytes_of(creation.binary, creation.binary_bytes), weights, contents);
  });
  if (!status.ok()) return status;
  if (status = check_age(d, contents.target); !status.ok()) return status;
  creation.writes = true;
  if (status = attach(call, creation.device, context); !status.ok()) return status;
  return check_fit(contents, binary_device(d));
}

/// Lets a context lead a group whose head was freed, where the library takes new members.
inline void lead_dead_group(Call& call, std::uint64_t need_bytes, GroupOption& group) {
  const Device& d = call.dev();
  if (!d.host().dead_head_takes_members || !d.contexts.is_stale(group.head)) return;
  call.misuse("GRP-02", "the context joins a group whose head was freed");
  group.head = 0;
  group.max_spill_fill_bytes = std::max(group.max_spill_fill_bytes, need_bytes);
}

/// Makes the first remote call of a creation, which needs memory. Returns the code of its failure.
inline std::uint32_t ask_dsp(Call& call) {
  return call.allocates() ? call.remote() : c_api::code_of(c_api::ContextError::mem_alloc);
}

/// Creates a context from a binary, for every function that does so.
inline Status create_from_binary(Call& call, Creation& creation) {
  Device& d = call.dev();
  auto context = std::make_shared<Context>();
  BinaryContents contents;
  Status options = success();
  Status status = begin_creation(call, creation, *context, contents, options);
  if (!status.ok()) return status;
  const bool deferred = context->options.deferred;
  if (deferred) creation.signal->ignore();
  lead_dead_group(call, spill_fill_bytes(contents.plan), context->options.group);
  // The host library checks no exclusions for entries of a list.
  if (creation.origin != ContextOrigin::list_entry)
    if (Refusal refusal = check_exclusions(d, context->options); !refusal.status.ok())
      return refuse(d, std::move(refusal), std::move(context), creation);
  if (const std::uint32_t code = d.host().creation_asks_dsp ? ask_dsp(call) : 0; code != 0)
    return refuse(d,
                  {failure(code, "Failed to query VTCM info"),
                   deferred && d.host().failed_deferral_is_fatal_to_free ? Leaves::fatal_context
                                                                         : Leaves::live_context},
                  std::move(context), creation);
  if (deferred && d.config.deferred_init == 0)
    return failure(c_api::ContextError::unsupported_feature,
                   "this device does not have DEFER_GRAPH_INIT");
  if (deferred && context->options.extended_udma)
    call.misuse("EXT-05", "deferred creation excludes extended udma");
  if (status = interrupted(d, *creation.signal, Place::on_the_way); !status.ok()) return status;
  if (!deferred)
    if (status = take_load_time(call, creation.signal); !status.ok()) return status;
  if (context->options.strict_compatibility && contents.target.vtcm_bytes < d.config.vtcm_bytes)
    return failure(c_api::ContextError::binary_suboptimal, "the binary was prepared for less VTCM");

  context->created_options = context->options;
  context->client_configs = creation.configs;
  context->io_limit = creation.io_limit;
  context->counts_io_limit = creation.counts_io_limit;
  context->binary = static_cast<const std::byte*>(creation.binary);
  context->binary_bytes = creation.binary_bytes;
  context->number = ++d.last_context_number;
  context->needs = needs_of(d, contents);
  context->binary_header.assign(context->binary, context->binary + binary_header_bytes);
  // The other options of a deferred context are checked by contextFinalize.
  if (!deferred) {
    Refusal refusal = check_group_head(d, context->options.group);
    if (refusal.status.ok())
      refusal = check_group(d, context->options.group, spill_fill_bytes(contents.plan));
    if (!refusal.status.ok()) return refuse(d, std::move(refusal), std::move(context), creation);
    if (!options.ok()) return options;
    keep(*context, std::move(contents));
    use_marked_buffers(call, *context, d.contexts.next_recycled());
    if (status = bring_up(call, *context); !status.ok()) {
      // A load that fails with this code leaves a context, as in the host library. A list reports
      // the context as made, without its graphs.
      const bool leaves = status.code == static_cast<std::uint32_t>(c_api::CommonError::undefined);
      if (!leaves || creation.origin != ContextOrigin::list_entry)
        return refuse(d, {std::move(status), leaves ? Leaves::live_context : Leaves::nothing},
                      std::move(context), creation);
      call.log(c_api::LogLevel::error, std::move(status.reason));
      context->finalized = true;
    }
  }
  if (status = interrupted(d, *creation.signal, Place::at_end); !status.ok()) {
    take_down(call, *context);
    return status;
  }
  if (d.backends.find(context->backend) == nullptr ||
      (context->device != 0 && d.devices.find(context->device) == nullptr)) {
    take_down(call, *context);
    return misused(c_api::ContextError::invalid_handle, "ORD-08",
                   "the backend or the device was freed while the context was made");
  }
  context->id = d.contexts.insert(context);
  publish_graphs(d, *context);
  if (!context->options.persistent && !deferred) context->binary = nullptr;
  note_peaks(d);
  call.log(c_api::LogLevel::info,
           text("context %llu created%s, weights %llu B, spill-fill %llu B, estimate %llu B",
                static_cast<unsigned long long>(context->number), deferred ? " (deferred)" : "",
                static_cast<unsigned long long>(context->needs.weights_bytes),
                static_cast<unsigned long long>(context->needs.spill_fill_bytes),
                static_cast<unsigned long long>(context->estimate_bytes)));
  creation.made = std::move(context);
  return success();
}

}  // namespace detail

namespace api {

inline c_api::ErrorHandle context_create(c_api::BackendHandle backend,
                                         c_api::DeviceHandle device_handle,
                                         const c_api::ContextConfig** config,
                                         c_api::ContextHandle* context) {
  Call call{Slot::context_create};
  if (const auto code = call.gate()) return call.fail(code);
  if (context == nullptr)
    return call.fail(c_api::ContextError::invalid_argument, "context is NULL");
  Device& d = call.dev();
  if (d.backends.find(backend) == nullptr)
    return call.fail(unknown(call, call.dev().backends, backend, c_api::GraphError::general));
  call.about_backend(id_of(backend));
  auto made = std::make_shared<Context>();
  made->backend = id_of(backend);
  if (Status status = detail::attach(call, device_handle, *made); !status.ok())
    return call.fail(status);
  Status options = read_context_options(config, ContextOrigin::composed, made->options);
  call.odd_booleans(made->options.odd_booleans);
  if (!options.ok()) return call.fail(options);
  made->composed = true;
  made->network.shares_weights = made->options.weight_sharing;
  made->number = ++d.last_context_number;
  made->network.next_tensor_id =
      static_cast<std::uint32_t>(d.unconfirmed(Unconfirmed::first_tensor_id));
  made->target.core_api_version = d.host().core_api;
  made->target.backend_api_version = d.host().htp_api;
  made->target.build_id = build_id;
  if (made->target.dsp_arch == 0) {  // The device's options name no chip.
    made->target.soc_model = d.config.soc_model;
    made->target.dsp_arch = d.config.arch;
  }
  made->target.vtcm_bytes = d.config.vtcm_bytes;
  made->target.start_alignment_bytes = d.config.start_alignment_bytes;
  made->id = d.contexts.insert(made);
  *context = handle_of<c_api::ContextHandle>(made->id);
  note_peaks(d);
  return call.ok();
}

inline c_api::ErrorHandle create_from_binary(
    Slot slot, c_api::BackendHandle backend, c_api::DeviceHandle device_handle,
    const c_api::ContextConfig** config, const void* binary, c_api::ContextBinarySize size,
    c_api::ContextHandle* context, c_api::ProfileHandle profile, c_api::SignalHandle signal) {
  Call call{slot};
  if (const auto code = call.gate()) return call.fail(code);
  if (context == nullptr)
    return call.fail(c_api::ContextError::invalid_argument, "context is NULL");
  if (!is_readable(context, sizeof *context))
    return call.fail(crashing(c_api::ContextError::invalid_argument, "ORD-12",
                              "the variable for the handle is in memory that cannot be used"));
  ProfileUse profile_use{call, profile};
  if (profile_use.bad())
    return call.fail(
        unknown(call, call.dev().profiles, profile, c_api::ContextError::invalid_argument));
  if (profile_use.busy())
    return call.fail(c_api::ContextError::set_profile, "the profile is in use");
  const SignalUse signal_use{call, signal, call.dev().host().heed_of_creation};
  if (signal_use.bad())
    return call.fail(unknown(call, call.dev().signals, signal, c_api::SignalError::signal_in_use));
  if (signal_use.busy())
    return call.fail(c_api::SignalError::signal_in_use, "the signal is in use");
  detail::Creation creation{.backend = backend,
                            .device = device_handle,
                            .configs = config,
                            .binary = binary,
                            .binary_bytes = size,
                            .origin = ContextOrigin::binary,
                            .signal = &signal_use,
                            .made = nullptr,
                            .writes = false};
  const Status status = detail::create_from_binary(call, creation);
  const std::shared_ptr<Context>& made = creation.made;
  if (creation.writes)
    *context = made == nullptr ? nullptr : handle_of<c_api::ContextHandle>(made->id);
  if (!status.ok()) return call.fail(status);
  if (made->options.deferred) {
    made->client_handle = context;
    profile_use.finish({c_api::profile_event_type::init});
  } else {
    profile_use.finish_load();
  }
  return call.ok();
}

inline c_api::ErrorHandle context_create_from_binary(
    c_api::BackendHandle backend, c_api::DeviceHandle device_handle,
    const c_api::ContextConfig** config, const void* binary, c_api::ContextBinarySize size,
    c_api::ContextHandle* context, c_api::ProfileHandle profile) {
  return create_from_binary(Slot::context_create_from_binary, backend, device_handle, config,
                            binary, size, context, profile, nullptr);
}

inline c_api::ErrorHandle context_create_from_binary_with_signal(
    c_api::BackendHandle backend, c_api::DeviceHandle device_handle,
    const c_api::ContextConfig** config, const void* binary, c_api::ContextBinarySize size,
    c_api::ContextHandle* context, c_api::ProfileHandle profile, c_api::SignalHandle signal) {
  return create_from_binary(Slot::context_create_from_binary_with_signal, backend, device_handle,
                            config, binary, size, context, profile, signal);
}

/// Fails with 5010. Accepts only DMA-buffer callbacks and binaries prepared for them, which this
/// device does not have. The refusal leaves remnants that nothing can free.
inline c_api::ErrorHandle context_create_from_binary_with_callback(
    c_api::BackendHandle backend, c_api::DeviceHandle device_handle, const c_api::ContextConfig**,
    const c_api::ContextBinaryCallback* callback, const void* binary, c_api::ContextBinarySize size,
    c_api::ContextHandle* context, c_api::ProfileHandle, c_api::SignalHandle) {
  Call call{Slot::context_create_from_binary_with_callback};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  using c_api::ContextError;
  if (context == nullptr) return call.fail(ContextError::invalid_argument, "context is NULL");
  const auto read = read_client(callback);
  if (callback == nullptr || !read)
    return call.fail(ContextError::invalid_argument, "no context callback");
  if (read->type != c_api::ContextBinaryCallbackType::dma_buffer)
    return call.fail(ContextError::invalid_argument, "only callbacks of the dma buffer type");
  detail::Creation creation;
  creation.backend = backend;
  creation.device = device_handle;
  creation.binary = binary;
  creation.binary_bytes = size;
  Context given;
  BinaryContents contents;
  Status options = success();
  Status status = detail::begin_creation(call, creation, given, contents, options);
  if (creation.writes) *context = nullptr;
  if (status.ok()) {
    if (!d.host().device_free_ends_contexts) d.remnants.push_back({given.backend, given.device});
    status = failure(ContextError::invalid_config,
                     "the binary is too old to be loaded through callbacks (blob version)");
  }
  return call.fail(status);
}

inline c_api::ErrorHandle context_validate_binary(c_api::BackendHandle backend,
                                                  c_api::DeviceHandle device_handle,
                                                  const c_api::ContextConfig** config,
                                                  const void* binary,
                                                  c_api::ContextBinarySize size) {
  Call call{Slot::context_validate_binary};
  if (const auto code = call.gate()) return call.fail(code);
  detail::Creation creation;
  creation.backend = backend;
  creation.device = device_handle;
  creation.configs = config;
  creation.binary = binary;
  creation.binary_bytes = size;
  Context given;
  BinaryContents contents;
  Status options = success();
  if (Status status = detail::begin_creation(call, creation, given, contents, options);
      !status.ok())
    return call.fail(status);
  if (!options.ok()) return call.fail(options);
  if (given.options.strict_compatibility &&
      contents.target.vtcm_bytes < call.dev().config.vtcm_bytes)
    return call.fail(c_api::ContextError::binary_suboptimal,
                     "the binary was prepared for less VTCM");
  return call.ok();
}

}  // namespace api
}  // namespace qnnpp::sim
