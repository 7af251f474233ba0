// Contexts of the C API after their creation: contextFinalize, properties, configs, release.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "qnnpp/abi/interface.hpp"

#include "sim/api/call.hpp"
#include "sim/api/context_create.hpp"
#include "sim/binary/binary_format.hpp"
#include "sim/objects/client_memory.hpp"
#include "sim/objects/context.hpp"
#include "sim/objects/device.hpp"
#include "sim/objects/exclusions.hpp"
#include "sim/objects/lifetime.hpp"
#include "sim/tables/bring_up.hpp"

namespace qnnpp::sim {

namespace detail {

/// Reads the creation's out variable again, if the library does, and reports its context in
/// `configured`, which receives the configs. Another live context there is a misuse: this context
/// then stays without the configs (ORD-12). Fails for an entry of a list, whose variable belonged
/// to the library and no longer exists (ASY-03).
inline Status reread_handle(Call& call, Context& context, std::shared_ptr<Context>& configured) {
  using c_api::ContextError;
  if (!call.dev().host().finalize_reads_variable) {
    configured = call.dev().contexts.find(context.id);
    return success();
  }
  if (context.client_handle == nullptr)
    return misused(ContextError::invalid_handle, "ASY-03",
                   "a deferred context of a list can never be finalized");
  const auto found = read_client(context.client_handle);
  if (!found)
    return crashing(ContextError::invalid_handle, "ORD-12",
                    "the variable that contextCreateFromBinary wrote the handle to cannot be read");
  if (*found == nullptr) {
    context.stuck = true;
    return misused(ContextError::invalid_handle, "ORD-12",
                   "the variable that contextCreateFromBinary wrote the handle to is NULL");
  }
  configured = call.dev().contexts.find(*found);
  if (configured == nullptr)
    return misused(ContextError::invalid_handle, "ORD-12",
                   "the variable that contextCreateFromBinary wrote the handle to holds "
                   "another number");
  if (configured->id != context.id)
    call.misuse("ORD-12",
                "the variable that contextCreateFromBinary wrote the handle to holds another "
                "context, which is configured instead");
  return success();
}

/// Reads the configs again, from the array to the custom structs, and applies their present values.
/// Names of enabled graphs and options that only a creation reads keep their old values (CFG-02).
/// `configured` gets them; NULL for none.
inline Status reread_configs(Call& call, Context& context, Context* configured) {
  const ContextOptions& before = context.created_options;
  ContextOptions now;
  now.more_options = before.more_options;
  now.all_graphs = before.all_graphs;
  now.enabled_graphs = before.enabled_graphs;
  Status status = read_context_options(context.client_configs, ContextOrigin::finalize, now);
  if (now.odd_booleans != before.odd_booleans) call.odd_booleans(now.odd_booleans);
  if (!status.crashes && status.rule == nullptr && now != before)
    call.misuse("CFG-02", "the configs have changed since the creation");
  // Keeps a priority that contextSetConfig has set after the creation.
  if (status.ok() && configured != nullptr &&
      (now.priority != before.priority || configured != &context))
    configured->options.priority = now.priority;
  return status;
}

/// Reads the binary again, starting with its header (ORD-05).
inline Status reread_binary(Call& call, const Context& context, BinaryContents& contents) {
  using c_api::ContextError;
  if (!call.unlocked([&] { return is_mapped(context.binary, context.binary_bytes); }))
    return crashing(ContextError::create_from_binary, "ORD-05",
                    "the binary is in memory that can no longer be read");
  if (!std::equal(context.binary_header.begin(), context.binary_header.end(), context.binary))
    return crashing(ContextError::create_from_binary, "ORD-05",
                    "the binary has changed since the creation");
  const BinaryDevice target = binary_device(call.dev());
  Status status = call.unlocked(
      [&] { return parse(bytes_of(context.binary, context.binary_bytes), target, contents); });
  // The creation did not check the weights, so the time of the damage is unknown.
  if (!status.ok())
    status.reason += "; it was damaged from the start, or has changed since the creation (ORD-05)";
  return status;
}

/// Returns the failure of a contextFinalize if the context has ended since it began.
inline Status ended_meanwhile(const Device& d, const Context& context) {
  if (d.contexts.find(context.id).get() == &context) return success();
  const auto dead = d.dead_contexts.find(context.id);
  if (dead != d.dead_contexts.end() && dead->second.get() == &context)
    return failure(c_api::CommonError::system_communication,
                   "the sub-system restarted while the context was finalized");
  return misused(c_api::ContextError::invalid_handle, "ORD-08",
                 "the context was freed while it was finalized");
}

/// Completes a deferred context. Reads handle, configs and binary again, so all three must still
/// exist, unchanged.
inline Status finalize(Call& call, Context& context) {
  Device& d = call.dev();
  (void)take_load_time(call, nullptr);  // it takes no signal
  if (Status ended = ended_meanwhile(d, context); !ended.ok()) return ended;
  std::shared_ptr<Context> configured;
  BinaryContents contents;
  // The library stops at the first failure. Each broken rule is named all the same.
  Status status = check_platform(d, context);
  const bool is_refused = !status.ok();
  Status handle = reread_handle(call, context, configured);
  if (context.client_handle == nullptr && !handle.ok()) {
    if (!is_refused) context.lost_buffers = true;
    return is_refused ? status : handle;  // The options and the binary of a list are the list's.
  }
  Status configs =
      reread_configs(call, context, handle.ok() && !is_refused ? configured.get() : nullptr);
  if (is_refused)
    context.stuck = false;
  else
    context.lost_buffers = !handle.ok() || !configs.ok();
  Status binary = reread_binary(call, context, contents);
  for (Status* const later : {&handle, &configs, &binary}) {
    if (status.ok())
      status = std::move(*later);
    else if (later->rule != nullptr)
      call.misuse(later->rule, later->reason);
  }
  if (!status.ok()) {
    if (const Status buffers = check_external_buffers(context); buffers.rule != nullptr)
      call.misuse(buffers.rule, buffers.reason);
    return status;
  }
  keep(context, std::move(contents));
  use_marked_buffers(call, context, context.id);
  if (status = bring_up(call, context); !status.ok()) return status;
  if (status = ended_meanwhile(d, context); !status.ok()) {
    take_down(call, context);
    return status;
  }
  const bool fails_before = d.host().call_before_last_marks && call.remote() != 0;
  if (const std::uint32_t code = call.remote(); code != 0) {
    leave_mark(call, context);
    return failure(fails_before ? c_api::code_of(c_api::CommonError::system) : code,
                   "the last remote call failed");
  }
  publish_graphs(d, context);
  if (!context.options.persistent) context.binary = nullptr;
  context.client_configs = nullptr;
  context.client_handle = nullptr;
  return success();
}

/// Writes the value of one property.
inline Status fill_property(const HostAnswers& host, const Context& context,
                            const c_api::ContextProperty& property) {
  using c_api::ContextError;
  if (property.option != c_api::ContextPropertyOption::custom)
    return failure(ContextError::unsupported_feature, "unknown property");
  auto* const custom = static_cast<c_api::HtpContextCustomProperty*>(property.custom_property);
  if (!is_readable(custom, sizeof *custom))
    return crashing(ContextError::invalid_argument, "ORD-02",
                    "a custom property is NULL or cannot be read");
  if (!context.options.deferred)
    return misused(ContextError::unsupported_feature, "EXT-10",
                   "only a deferred context reports its needs");
  const Needs& needs = context.needs;
  switch (custom->option) {
    case c_api::HtpContextPropertyOption::buffer_start_alignment:
      custom->buffer_start_alignment = needs.start_alignment_bytes;
      return success();
    case c_api::HtpContextPropertyOption::max_spillfill_buffer_size:
      custom->spillfill_buffer_size = needs.spill_fill_bytes;
      return success();
    case c_api::HtpContextPropertyOption::weights_buffer_size:
      custom->weights_buffer_size = needs.weights_bytes;
      return success();
    case c_api::HtpContextPropertyOption::max_vtcmbackup_buffer_size:
      if (host.htp_api.minor >= 46) {
        custom->vtcm_backup_buffer_size = 0;
        return success();
      }
      [[fallthrough]];
    default:
      return failure(ContextError::unsupported_feature,
                     text("unknown HTP property %u", static_cast<unsigned>(custom->option)));
  }
}

}  // namespace detail

namespace api {

/// Succeeds or fails once: after a failure only contextFree is possible; after a success every
/// further call returns 0 (ORD-13).
inline c_api::ErrorHandle context_finalize(c_api::ContextHandle handle,
                                           c_api::ProfileHandle profile) {
  Call call{Slot::context_finalize};
  Device& d = call.dev();
  const auto context = d.contexts.find(handle);
  if (const auto code = call.gate()) {
    if (context != nullptr && !context->finalized) context->failed_to_finalize = true;
    return call.fail(code);
  }
  if (handle == nullptr)
    return call.fail(c_api::ContextError::invalid_argument, "the context handle is NULL");
  if (context == nullptr)
    return call.fail(
        unknown(call, call.dev().contexts, handle, c_api::ContextError::invalid_handle));
  call.about_backend(context->backend);
  call.sets_up_in(context->backend, context->id);
  ProfileUse profile_use{call, profile};
  if (profile_use.bad())
    return call.fail(
        unknown(call, call.dev().profiles, profile, c_api::ContextError::invalid_argument));
  if (profile_use.busy())
    return call.fail(c_api::ContextError::set_profile, "the profile is in use");
  if (context->composed || !context->options.deferred)
    return call.fail(c_api::ContextError::unsupported_feature,
                     "only a deferred context needs contextFinalize");
  if (context->finalized) return call.ok();
  if (context->failed_to_finalize)
    return call.fail(misused(c_api::ContextError::create_from_binary, "ORD-13",
                             "contextFinalize failed before and has no second try; free "
                             "the context and create it again"));
  if (context->finalizing)  // the overlap is counted (THR-01)
    return call.fail(c_api::ContextError::create_from_binary,
                     "another contextFinalize of the context is running");
  context->finalizing = true;
  Status status = detail::finalize(call, *context);
  context->finalizing = false;
  if (!status.ok()) {
    context->failed_to_finalize = true;
    return call.fail(status);
  }
  note_peaks(d);
  profile_use.finish_load();
  call.log(c_api::LogLevel::info, text("context %llu finalized, estimate %llu B",
                                       static_cast<unsigned long long>(context->number),
                                       static_cast<unsigned long long>(context->estimate_bytes)));
  return call.ok();
}

/// Writes the values of the properties in order, and stops at the first that it refuses.
inline c_api::ErrorHandle context_get_property(c_api::ContextHandle handle,
                                               c_api::ContextProperty** properties) {
  Call call{Slot::context_get_property};
  if (const auto code = call.gate()) return call.fail(code);
  if (properties == nullptr)
    return call.fail(c_api::GraphError::invalid_argument, "properties is NULL");
  const auto context = call.dev().contexts.find(handle);
  if (context != nullptr) call.about_backend(context->backend);
  for (;; ++properties) {
    const auto entry = read_client(properties);
    if (entry && *entry == nullptr) break;
    const auto property = entry ? read_client(*entry) : std::nullopt;
    if (!property)
      return call.fail(crashing(c_api::ContextError::invalid_argument, "ORD-02",
                                "the list of properties cannot be read"));
    if (context == nullptr) break;
    if (Status status = detail::fill_property(call.dev().host(), *context, *property); !status.ok())
      return call.fail(status);
  }
  return context != nullptr ? call.ok()
                            : call.fail(unknown(call, call.dev().contexts, handle,
                                                c_api::ContextError::invalid_handle));
}

/// Accepts the options that contextSetConfig allows; only the priority has an effect.
inline c_api::ErrorHandle context_set_config(c_api::ContextHandle handle,
                                             const c_api::ContextConfig** config) {
  using Option = c_api::ContextConfigOption;
  Call call{Slot::context_set_config};
  if (const auto code = call.gate()) return call.fail(code);
  if (handle == nullptr)
    return call.fail(c_api::ContextError::invalid_argument, "the context handle is NULL");
  const auto context = call.dev().contexts.find(handle);
  if (context == nullptr)
    return call.fail(
        unknown(call, call.dev().contexts, handle, c_api::ContextError::invalid_handle));
  call.about_backend(context->backend);
  if (config == nullptr) return call.fail(c_api::ContextError::invalid_argument, "config is NULL");
  c_api::Priority priority = context->options.priority;
  for (;; ++config) {
    const auto entry = read_client(config);
    if (entry && *entry == nullptr) break;
    const auto option = entry ? read_client(*entry) : std::nullopt;
    if (!option)
      return call.fail(
          crashing(c_api::ContextError::invalid_config, "CFG-01", "the configs cannot be read"));
    if (option->option == Option::persistent_binary)
      call.odd_boolean({"PERSISTENT_BINARY", option->is_persistent_binary});
    switch (option->option) {
      case Option::priority: priority = option->priority; break;
      case Option::error_reporting:
      case Option::enable_graphs:
      case Option::memory_limit_hint:
      case Option::persistent_binary:
      case Option::binary_compatibility:
      case Option::graph_retention_order: break;
      default:
        return call.fail(
            c_api::ContextError::unsupported_feature,
            text("option %u cannot be set later", static_cast<unsigned>(option->option)));
    }
  }
  context->options.priority = priority;
  return call.ok();
}

inline c_api::ErrorHandle context_free(c_api::ContextHandle handle, c_api::ProfileHandle profile) {
  Call call{Slot::context_free};
  Device& d = call.dev();
  const auto context = d.find_to_release(id_of(handle));
  if (context == nullptr) {
    const Status status = unknown(call, d.contexts, handle, c_api::ContextError::invalid_handle);
    if (!call.injected()) d.stillborn.erase(id_of(handle));
    return call.fail(status);
  }
  call.about_backend(context->backend);
  call.sets_up_in(context->backend, context->id);
  if (context->stuck)
    return call.fail(
        c_api::ContextError::invalid_handle,
        "its contextFinalize found NULL in the out variable: only backendFree ends it");
  ProfileUse profile_use{call, profile};
  if (profile_use.bad())
    return call.fail(
        unknown(call, call.dev().profiles, profile, c_api::ContextError::invalid_argument));
  if (profile_use.busy())
    return call.fail(c_api::ContextError::set_profile, "the profile is in use");
  if (const auto async = context->async; async != nullptr && async->is_busy()) {
    call.misuse("ORD-08", "asynchronous executions of the context are still running");
    call.unlocked([&] { async->drain(); });
    if (d.find_to_release(id_of(handle)) != context)
      return call.fail(misused(c_api::ContextError::invalid_handle, "ORD-09",
                               "another call has freed the context during this call"));
  } else if (context->executing != 0) {
    call.misuse("ORD-08", "a graph of the context is running");
  }
  if (context->spill_fill != nullptr && context->group_head == context->id) {
    for (const auto& [id, other] : d.contexts.all()) {
      if (id == context->id || other->group_head != context->id) continue;
      call.misuse("GRP-03", "the first context of a group is freed before its members");
      break;
    }
  }
  if (context->failed_to_finalize && d.marks.contains(context->id))
    call.log(c_api::LogLevel::error, "Failed to deregister memHandles with error 0x1f40");
  if (context->is_fatal_to_free) {
    call.misuse("ORD-17", "contextFree of what a failed deferred creation has left is fatal");
    d.remnants.push_back({context->backend, context->device});
  }
  if (context->spoils_numbers && d.config.recycled_handles != 0)
    d.undefined_loads = std::max(d.undefined_loads, 1u);
  const bool is_half_made = d.has_half_domain && context->domain == half_made_domain;
  const std::uint64_t left = drop_context(d, context->id);
  if (left != 0) {
    d.counted.left_registrations += left;
    call.log(c_api::LogLevel::warn, text("context %llu freed with %llu tensor registrations left",
                                         static_cast<unsigned long long>(context->number),
                                         static_cast<unsigned long long>(left)));
  }
  profile_use.finish({c_api::htp_profile_event_type::graph_deinit_host_rpc_time_microsec,
                      c_api::htp_profile_event_type::graph_deinit_htp_rpc_time_microsec,
                      c_api::profile_event_type::deinit});
  if (!is_half_made) return call.freed(context->id);
  d.freed_with_error.insert(context->id);
  return call.fail(c_api::DeviceError::invalid_config, half_made_words);
}

}  // namespace api
}  // namespace qnnpp::sim
