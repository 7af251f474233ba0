// Contexts of the C API: made empty or from a binary, deferred or at once, listed.
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
#include "sim/api/versions.hpp"
#include "sim/binary/binary.hpp"
#include "sim/binary/binary_format.hpp"
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

/// Backend, device and what belongs to both: 5002 for a handle that is not alive.
inline Status attach(Call& call, c_api::BackendHandle backend, c_api::DeviceHandle device_handle,
                     Context& context) {
  Device& d = call.dev();
  if (d.backends.find(backend) == nullptr)
    return failure(c_api::ContextError::invalid_handle, "unknown backend handle");
  call.about_backend(id_of(backend));
  call.sets_up_in(id_of(backend), 0);
  context.backend = id_of(backend);
  if (device_handle != nullptr) {
    const auto found = d.devices.find(device_handle);
    if (found == nullptr)
      return failure(c_api::ContextError::invalid_handle, "unknown device handle");
    context.device = id_of(device_handle);
    context.secure_domain = found->secure_domain;
  }
  if (d.config.max_contexts != 0 && d.contexts.size() >= d.config.max_contexts)
    return failure(c_api::ContextError::mem_alloc, "the device holds no more contexts");
  return success();
}

/// What the device demands of external buffers for this binary.
inline Needs needs_of(const Device& d, const Context& context, const BinaryContents& contents) {
  Needs needs;
  needs.weights_bytes = context.rounded_weights(contents.plan.weights_bytes);
  needs.spill_fill_bytes = enabled_spill_fill_bytes(context, contents.network, contents.plan);
  needs.start_alignment_bytes =
      contents.target.start_alignment_bytes > d.config.start_alignment_bytes
          ? contents.target.start_alignment_bytes
          : d.config.start_alignment_bytes;
  return needs;
}

/// Looks at a binary without its weights: what a deferred creation does. Codes as parse.
inline Status glance(std::span<const std::byte> binary, const BinaryDevice& target,
                     BinaryContents& contents) {
  if (inspect(binary, contents).ok()) {
    if (contents.target.dsp_arch > target.dsp_arch)
      return failure(c_api::ContextError::create_from_binary,
                     "the binary was prepared for a newer architecture");
    if (contents.target.vtcm_bytes > target.vtcm_bytes)
      return failure(c_api::ContextError::binary_configuration,
                     "the binary was prepared for another device");
    return success();
  }
  Status status = parse(binary, target, contents);
  if (status.ok())
    status = failure(c_api::ContextError::create_from_binary, "the binary is malformed");
  return status;
}

inline void keep(Context& context, BinaryContents&& contents) {
  context.target = std::move(contents.target);
  context.weights_offset = contents.weights_offset;
  context.network = std::move(contents.network);
  context.plan = std::move(contents.plan);
}

/// Gives the context's graphs their handles, once the context has its own.
inline void publish_graphs(Device& d, Context& context) {
  for (auto& [name, graph] : context.graphs) {
    graph.second->context_id = context.id;
    if (graph.first == 0) graph.first = d.graphs.insert(graph.second);
  }
  const GroupOption& group = context.options.group;
  if (group.given && group.head == 0 && context.spill_fill != nullptr)
    context.group_head = context.id;
}

/// Code of a call that a signal has stopped, or 0.
inline Status interrupted(const SignalUse& signal) {
  switch (signal.state()) {
    case Interruption::aborted:
      return failure(c_api::ContextError::aborted, "aborted by its signal");
    case Interruption::timed_out: return failure(c_api::ContextError::timed_out, "timed out");
    case Interruption::none: break;
  }
  return success();
}

/// Fails a creation, and puts into `out` what the host library leaves there.
inline Status refuse(Device& d, Refusal refusal, std::shared_ptr<Context> context,
                     std::shared_ptr<Context>& out) {
  if (refusal.leaves == Leaves::nothing) return std::move(refusal.status);
  context->options = {};
  context->id = d.contexts.insert(context);
  if (refusal.leaves == Leaves::dead_number) {
    d.contexts.erase(context->id);
    d.stillborn.insert(context->id);
  }
  out = std::move(context);
  return std::move(refusal.status);
}

/// The work of every creation from a binary. The new context is in `out` on success; a failure may
/// leave one there too, alive or not (ORD-14).
inline Status create_from_binary(Call& call, c_api::BackendHandle backend,
                                 c_api::DeviceHandle device_handle,
                                 const c_api::ContextConfig** configs,
                                 const c_api::ContextConfig** list_configs, const void* binary,
                                 std::uint64_t binary_bytes, ContextOrigin origin,
                                 const SignalUse& signal, std::shared_ptr<Context>& out) {
  Device& d = call.dev();
  if (binary == nullptr || binary_bytes == 0)
    return failure(c_api::ContextError::invalid_argument, "no binary");
  auto context = std::make_shared<Context>();
  if (Status status = attach(call, backend, device_handle, *context); !status.ok()) return status;
  if (Status status = read_context_options(configs, origin, context->options); !status.ok())
    return status;
  if (Status status = read_context_options(list_configs, origin, context->options); !status.ok())
    return status;
  if (Refusal refusal = check_exclusions(context->options); !refusal.status.ok())
    return refuse(d, std::move(refusal), std::move(context), out);
  if (context->options.deferred && d.config.deferred_init == 0)
    return failure(c_api::ContextError::unsupported_feature,
                   "this device does not have DEFER_GRAPH_INIT");
  if (Status status = interrupted(signal); !status.ok()) return status;

  context->client_configs = configs;
  context->binary = static_cast<const std::byte*>(binary);
  context->binary_bytes = binary_bytes;
  context->number = ++d.last_context_number;
  context->weights_granularity = d.unconfirmed(Unconfirmed::weights_granularity);
  const BinaryDevice target{d.config.arch, d.config.vtcm_bytes};
  BinaryContents contents;
  const bool deferred = context->options.deferred;
  Status status = call.unlocked([&] {
    const auto bytes = bytes_of(binary, binary_bytes);
    return deferred ? glance(bytes, target, contents) : parse(bytes, target, contents);
  });
  if (!status.ok()) return status;
  if (context->options.strict_compatibility && contents.target.vtcm_bytes < d.config.vtcm_bytes)
    return failure(c_api::ContextError::binary_suboptimal, "the binary was prepared for less VTCM");
  context->needs = needs_of(d, *context, contents);
  context->binary_header.assign(context->binary, context->binary + binary_header_bytes);
  if (!deferred) {
    if (Refusal refusal = check_group(d, context->options.group, context->needs.spill_fill_bytes);
        !refusal.status.ok())
      return refuse(d, std::move(refusal), std::move(context), out);
    keep(*context, std::move(contents));
    if (status = bring_up(call, *context); !status.ok()) return status;
  }
  if (status = interrupted(signal); !status.ok()) {
    take_down(call, *context);
    return status;
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
  out = std::move(context);
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
  auto made = std::make_shared<Context>();
  if (Status status = detail::attach(call, backend, device_handle, *made); !status.ok())
    return call.fail(status);
  if (Status status = read_context_options(config, ContextOrigin::composed, made->options);
      !status.ok())
    return call.fail(status);
  made->composed = true;
  made->number = ++d.last_context_number;
  made->network.next_tensor_id =
      static_cast<std::uint32_t>(d.unconfirmed(Unconfirmed::first_tensor_id));
  made->target.core_api_version = core_api_version;
  made->target.backend_api_version = htp_api_version;
  made->target.build_id = build_id;
  made->target.soc_model = d.config.soc_model;
  made->target.dsp_arch = d.config.arch;
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
  ProfileUse profile_use{call, profile};
  if (profile_use.bad() || profile_use.busy())
    return call.fail(c_api::ContextError::set_profile, "unknown profile handle, or one in use");
  SignalUse signal_use{call, signal};
  if (signal_use.bad() || signal_use.busy())
    return call.fail(c_api::ContextError::invalid_argument, "unknown signal handle, or one in use");
  std::shared_ptr<Context> made;
  if (Status status =
          detail::create_from_binary(call, backend, device_handle, config, nullptr, binary, size,
                                     ContextOrigin::binary, signal_use, made);
      !status.ok()) {
    // Bytes that are no context binary leave the variable as it was.
    if (status.code != static_cast<std::uint32_t>(c_api::ContextError::create_from_binary))
      *context = made == nullptr ? nullptr : handle_of<c_api::ContextHandle>(made->id);
    return call.fail(status);
  }
  *context = handle_of<c_api::ContextHandle>(made->id);
  if (made->options.deferred) made->client_handle = context;
  profile_use.finish(c_api::profile_event_type::init, "context creation from binary");
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

inline c_api::ErrorHandle context_create_from_binary_with_callback(
    c_api::BackendHandle, c_api::DeviceHandle, const c_api::ContextConfig**,
    const c_api::ContextBinaryCallback*, const void*, c_api::ContextBinarySize,
    c_api::ContextHandle*, c_api::ProfileHandle, c_api::SignalHandle) {
  Call call{Slot::context_create_from_binary_with_callback};
  if (const auto code = call.gate()) return call.fail(code);
  return call.fail(c_api::ContextError::unsupported_feature,
                   "this device does not load weights by callback");
}

/// Blocks until every entry is made or has failed, and notifies on the caller's thread before it
/// returns: of each entry its graphs, then its context. An entry that fails is notified with 5005,
/// whatever the cause, which only the log says; the call then returns 5005 and the others live.
/// Where the HTP library crashes, a misuse is counted: an entry that is no context binary, or one
/// without a notify function (ASY-02).
inline c_api::ErrorHandle context_create_from_binary_list_async(
    c_api::BackendHandle backend, c_api::DeviceHandle device_handle,
    const c_api::ContextParams** params, const c_api::ContextConfig** list_config,
    c_api::SignalHandle signal) {
  struct Notification {
    c_api::ContextNotifyFn function;
    void* parameter;
    c_api::ContextHandle context;
    c_api::GraphHandle graph;
    std::string name;
    c_api::ContextNotifyType type;
    c_api::ErrorHandle status;
  };
  std::vector<Notification> notifications;
  auto manner = ListNotifications::in_order;
  c_api::ErrorHandle result = 0;
  {
    Call call{Slot::context_create_from_binary_list_async};
    if (const auto code = call.gate()) return call.fail(code);
    if (params == nullptr || *params == nullptr)
      return call.fail(c_api::ContextError::invalid_argument, "no contexts");
    if (call.dev().backends.find(backend) == nullptr)
      return call.fail(c_api::ContextError::invalid_handle, "unknown backend handle");
    std::vector<const c_api::ContextParamsV1*> entries;
    for (const c_api::ContextParams** entry = params; *entry != nullptr; ++entry) {
      if ((*entry)->version == c_api::ContextParamsVersion::v2)
        return call.fail(c_api::ContextError::unsupported_feature,
                         "this device does not load weights by callback");
      const c_api::ContextParamsV1& v1 = (*entry)->v1;
      if (v1.notify_func == nullptr) call.misuse("ASY-02", "an entry without a notify function");
      if ((*entry)->version != c_api::ContextParamsVersion::v1 || v1.notify_func == nullptr ||
          v1.binary_buffer == nullptr || v1.binary_buffer_size == 0)
        return call.fail(c_api::ContextError::invalid_argument,
                         "an entry without binary, size or notify function");
      if (v1.profile != nullptr && call.dev().profiles.find(v1.profile) == nullptr)
        return call.fail(c_api::ContextError::set_profile, "unknown profile handle");
      entries.push_back(&v1);
    }
    ContextOptions options;
    if (Status status = read_context_options(list_config, ContextOrigin::binary_list, options);
        !status.ok())
      return call.fail(status);
    SignalUse signal_use{call, signal};
    if (signal_use.bad() || signal_use.busy())
      return call.fail(c_api::ContextError::invalid_argument,
                       "unknown signal handle, or one in use");
    Device& d = call.dev();
    manner = static_cast<ListNotifications>(d.unconfirmed(Unconfirmed::list_notifications));
    bool all_made = true;
    if (manner == ListNotifications::reversed) std::reverse(entries.begin(), entries.end());
    for (const c_api::ContextParamsV1* entry : entries) {
      const auto notify = [&](c_api::ContextHandle context, c_api::GraphHandle graph,
                              std::string name, c_api::ContextNotifyType type,
                              c_api::ErrorHandle status) {
        notifications.push_back({entry->notify_func, entry->notify_param, context, graph,
                                 std::move(name), type, status});
      };
      BinaryContents contents;
      if (!inspect(detail::bytes_of(entry->binary_buffer, entry->binary_buffer_size), contents)
               .ok())
        call.misuse("ASY-02", "an entry that is no context binary");
      for (auto config = entry->config; config != nullptr && *config != nullptr; ++config)
        if ((*config)->option == c_api::ContextConfigOption::defer_graph_init)
          call.misuse("ASY-03", "an entry with DEFER_GRAPH_INIT");
      std::shared_ptr<Context> made;
      const Status status = detail::create_from_binary(
          call, backend, device_handle, entry->config, list_config, entry->binary_buffer,
          entry->binary_buffer_size, ContextOrigin::binary_list, signal_use, made);
      if (made != nullptr && !status.ok()) d.contexts.erase(made->id);
      if (made != nullptr && status.ok()) {
        for (const auto& [name, graph] : made->graphs)
          notify(nullptr, handle_of<c_api::GraphHandle>(graph.first), name,
                 c_api::ContextNotifyType::graph_init, 0);
        notify(handle_of<c_api::ContextHandle>(made->id), nullptr, "",
               c_api::ContextNotifyType::context_init, 0);
        continue;
      }
      all_made = false;
      (void)call.fail(status);  // The log has the cause.
      notify(nullptr, nullptr, "", c_api::ContextNotifyType::context_init,
             call.native(c_api::ContextError::create_from_binary));
    }
    result = all_made ? call.ok()
                      : call.fail(c_api::ContextError::create_from_binary,
                                  "not every context of the list was made");
  }
  const auto deliver_all = [notifications = std::move(notifications)] {
    for (const Notification& n : notifications)
      n.function(n.context, n.graph,
                 n.type == c_api::ContextNotifyType::graph_init ? n.name.c_str() : nullptr, n.type,
                 n.parameter, n.status);
  };
  switch (manner) {
    case ListNotifications::another_thread: std::thread{deliver_all}.join(); break;
    case ListNotifications::later:
      // A call that knows of a failure has waited for the others.
      if (result == 0)
        std::thread{deliver_all}.detach();
      else
        deliver_all();
      break;
    default: deliver_all(); break;
  }
  return result;
}

inline c_api::ErrorHandle context_validate_binary(c_api::BackendHandle backend,
                                                  c_api::DeviceHandle device_handle,
                                                  const c_api::ContextConfig** config,
                                                  const void* binary,
                                                  c_api::ContextBinarySize size) {
  Call call{Slot::context_validate_binary};
  if (const auto code = call.gate()) return call.fail(code);
  if (binary == nullptr || size == 0)
    return call.fail(c_api::ContextError::invalid_argument, "no binary");
  Device& d = call.dev();
  if (d.backends.find(backend) == nullptr ||
      (device_handle != nullptr && d.devices.find(device_handle) == nullptr))
    return call.fail(c_api::ContextError::invalid_handle, "unknown backend or device handle");
  ContextOptions options;
  if (Status status = read_context_options(config, ContextOrigin::binary, options); !status.ok())
    return call.fail(status);
  const BinaryDevice target{d.config.arch, d.config.vtcm_bytes};
  BinaryContents contents;
  const Status status =
      call.unlocked([&] { return parse(detail::bytes_of(binary, size), target, contents); });
  if (!status.ok()) return call.fail(status);
  if (options.strict_compatibility && contents.target.vtcm_bytes < d.config.vtcm_bytes)
    return call.fail(c_api::ContextError::binary_suboptimal,
                     "the binary was prepared for less VTCM");
  return call.ok();
}

}  // namespace api

}  // namespace qnnpp::sim
