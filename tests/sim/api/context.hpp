// Contexts of the C API once they are made: finalized, asked, configured, freed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "qnnpp/abi/interface.hpp"
#include "sim/api/call.hpp"
#include "sim/api/context_create.hpp"
#include "sim/binary/binary_format.hpp"
#include "sim/objects/context.hpp"
#include "sim/objects/device.hpp"
#include "sim/objects/exclusions.hpp"
#include "sim/objects/lifetime.hpp"
#include "sim/tables/bring_up.hpp"

namespace qnnpp::sim {

namespace detail {

/// Reads the out variable of the creation again. Its context is the one that the configs go to: if
/// it is another live one, this context goes without them (ORD-12).
inline Status reread_handle(Call& call, Context& context) {
  const c_api::ContextHandle found = *context.client_handle;
  if (id_of(found) == context.id) return success();
  if (found == nullptr)
    return misused(c_api::ContextError::invalid_handle, "ORD-12",
                   "the variable that contextCreateFromBinary wrote the handle to is NULL");
  const auto other = call.dev().contexts.find(found);
  if (other == nullptr)
    return misused(c_api::ContextError::invalid_handle, "ORD-12",
                   "the variable that contextCreateFromBinary wrote the handle to holds "
                   "another number");
  call.misuse("ORD-12",
              "the variable that contextCreateFromBinary wrote the handle to holds another "
              "context, "
              "which is configured instead");
  other->options.priority = context.options.priority;
  other->options.all_graphs = context.options.all_graphs;
  other->options.enabled_graphs = context.options.enabled_graphs;
  context.options = {};
  context.options.deferred = true;
  return success();
}

/// Completes a deferred context: reads handle, configs and binary again, so all must still be there
/// and be the same (ORD-05, ORD-12).
inline Status finalize(Call& call, Context& context) {
  Device& d = call.dev();
  ContextOptions options;
  const Status reread =
      read_context_options(context.client_configs, ContextOrigin::binary, options);
  if (!reread.ok() || options != context.options)
    return misused(c_api::ContextError::invalid_config, "ORD-05",
                   "the configs are not those of the creation any more");
  if (Status status = reread_handle(call, context); !status.ok()) return status;
  const BinaryDevice target{d.config.arch, d.config.vtcm_bytes};
  BinaryContents contents;
  Status status = call.unlocked(
      [&] { return parse(bytes_of(context.binary, context.binary_bytes), target, contents); });
  if (!status.ok()) return status;
  if (!std::equal(context.binary_header.begin(), context.binary_header.end(), context.binary))
    return misused(c_api::ContextError::create_from_binary, "ORD-05",
                   "the binary is not the one of the creation any more");
  keep(context, std::move(contents));
  if (status = bring_up(call, context); !status.ok()) return status;
  if (d.contexts.find(context.id) == nullptr) {
    take_down(call, context);
    return misused(c_api::ContextError::invalid_handle, "ORD-08",
                   "the context was freed while it was finalized");
  }
  publish_graphs(d, context);
  if (!context.options.persistent) context.binary = nullptr;
  context.client_configs = nullptr;
  context.client_handle = nullptr;
  return success();
}

}  // namespace detail

namespace api {

/// One try: after a failure nothing but contextFree is left; after success it answers 0 again
/// (ORD-13).
inline c_api::ErrorHandle context_finalize(c_api::ContextHandle handle,
                                           c_api::ProfileHandle profile) {
  Call call{Slot::context_finalize};
  Device& d = call.dev();
  const auto context = d.contexts.find(handle);
  if (const auto code = call.gate()) {
    if (context != nullptr && !context->finalized) context->failed_to_finalize = true;
    return call.fail(code);
  }
  if (context == nullptr)
    return call.fail(c_api::ContextError::invalid_handle, "unknown context handle");
  call.about_backend(context->backend);
  call.sets_up_in(context->backend, context->id);
  ProfileUse profile_use{call, profile};
  if (profile_use.bad() || profile_use.busy())
    return call.fail(c_api::ContextError::set_profile, "unknown profile handle, or one in use");
  if (context->composed || !context->options.deferred)
    return call.fail(c_api::ContextError::unsupported_feature,
                     "no feature of the context asks for contextFinalize");
  if (context->finalized) return call.ok();
  if (context->failed_to_finalize)
    return call.fail(misused(c_api::ContextError::create_from_binary, "ORD-13",
                             "contextFinalize failed before and has no second try; free "
                             "the context and create it again"));
  if (Status status = detail::finalize(call, *context); !status.ok()) {
    context->failed_to_finalize = true;
    return call.fail(status);
  }
  note_peaks(d);
  profile_use.finish(c_api::profile_event_type::init, "context finalize");
  call.log(c_api::LogLevel::info, text("context %llu finalized, estimate %llu B",
                                       static_cast<unsigned long long>(context->number),
                                       static_cast<unsigned long long>(context->estimate_bytes)));
  return call.ok();
}

inline c_api::ErrorHandle context_get_property(c_api::ContextHandle handle,
                                               c_api::ContextProperty** properties) {
  Call call{Slot::context_get_property};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  const auto context = d.contexts.find(handle);
  if (context == nullptr)
    return call.fail(c_api::ContextError::invalid_handle, "unknown context handle");
  call.about_backend(context->backend);
  if (properties == nullptr)
    return call.fail(c_api::ContextError::invalid_argument, "properties is NULL");
  Needs needs = context->needs;
  if (context->composed) {
    needs.start_alignment_bytes = d.config.start_alignment_bytes;
    needs.spill_fill_bytes = spill_fill_bytes(context->plan);
    needs.weights_bytes = context->plan.weights_bytes;
  }
  for (c_api::ContextProperty** property = properties; *property != nullptr; ++property) {
    if ((*property)->option != c_api::ContextPropertyOption::custom)
      return call.fail(c_api::ContextError::unsupported_feature, "unknown property");
    auto* const custom =
        static_cast<c_api::HtpContextCustomProperty*>((*property)->custom_property);
    if (custom == nullptr)
      return call.fail(c_api::ContextError::invalid_argument, "NULL custom property");
    switch (custom->option) {
      case c_api::HtpContextPropertyOption::buffer_start_alignment:
        custom->buffer_start_alignment = needs.start_alignment_bytes;
        break;
      case c_api::HtpContextPropertyOption::max_spillfill_buffer_size:
        custom->spillfill_buffer_size = needs.spill_fill_bytes;
        break;
      case c_api::HtpContextPropertyOption::weights_buffer_size:
        custom->weights_buffer_size = needs.weights_bytes;
        break;
      default:
        return call.fail(c_api::ContextError::unsupported_feature,
                         text("unknown HTP property %u", static_cast<unsigned>(custom->option)));
    }
  }
  return call.ok();
}

inline c_api::ErrorHandle context_set_config(c_api::ContextHandle handle,
                                             const c_api::ContextConfig** config) {
  Call call{Slot::context_set_config};
  if (const auto code = call.gate()) return call.fail(code);
  const auto context = call.dev().contexts.find(handle);
  if (context == nullptr)
    return call.fail(c_api::ContextError::invalid_handle, "unknown context handle");
  call.about_backend(context->backend);
  if (config == nullptr) return call.fail(c_api::ContextError::invalid_argument, "config is NULL");
  ContextOptions options = context->options;
  for (const c_api::ContextConfig** entry = config; *entry != nullptr; ++entry) {
    if ((*entry)->option != c_api::ContextConfigOption::priority &&
        (*entry)->option != c_api::ContextConfigOption::error_reporting)
      return call.fail(c_api::ContextError::unsupported_feature,
                       "only priority and error reporting can be set later");
  }
  if (Status status = read_context_options(config, ContextOrigin::composed, options); !status.ok())
    return call.fail(status.code == 5010 ? 5000 : status.code, status.reason);
  if (context->composed || context->finalized) context->options = options;
  return call.ok();
}

inline c_api::ErrorHandle context_free(c_api::ContextHandle handle, c_api::ProfileHandle profile) {
  Call call{Slot::context_free};
  Device& d = call.dev();
  const auto context = d.find_to_release(id_of(handle));
  if (context == nullptr) {
    if (!call.injected() && d.contexts.is_stale(id_of(handle)) &&
        d.stillborn.erase(id_of(handle)) == 0)
      call.misuse("ORD-09", "the context is freed already");
    return call.fail(c_api::ContextError::invalid_handle, "unknown context handle");
  }
  call.about_backend(context->backend);
  call.sets_up_in(context->backend, context->id);
  ProfileUse profile_use{call, profile};
  if (profile_use.bad() || profile_use.busy())
    return call.fail(c_api::ContextError::set_profile, "unknown profile handle, or one in use");
  if (const auto async = context->async; async != nullptr && async->is_busy()) {
    call.misuse("ORD-08", "asynchronous executions of the context are not over");
    call.unlocked([&] { async->drain(); });
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
  const std::uint64_t left = drop_context(d, context->id);
  if (left != 0) {
    d.counted.left_registrations += left;
    call.log(c_api::LogLevel::warn, text("context %llu freed with %llu tensor registrations left",
                                         static_cast<unsigned long long>(context->number),
                                         static_cast<unsigned long long>(left)));
  }
  profile_use.finish(c_api::profile_event_type::deinit, "context free");
  return call.ok();
}

}  // namespace api
}  // namespace qnnpp::sim
