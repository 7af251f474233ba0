// Contexts that one call creates, as a list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/abi/context.hpp"
#include "qnnpp/abi/interface.hpp"

#include "sim/api/call.hpp"
#include "sim/api/context_create.hpp"
#include "sim/objects/client_memory.hpp"
#include "sim/objects/context.hpp"
#include "sim/objects/device.hpp"

namespace qnnpp::sim {

namespace detail {

/// Arguments of one notification, which is called after the list is done.
struct ListNotification {
  c_api::ContextNotifyFn function;
  void* parameter;
  c_api::ContextHandle context;
  c_api::GraphHandle graph;
  std::string name;
  c_api::ContextNotifyType type;
  c_api::ErrorHandle status;
};

/// Reads the options of the list itself. Only SHARE_RESOURCES and REUSED_IO_LIMIT have an effect;
/// the call ignores all others.
inline Status read_list_options(Call& call, const c_api::ContextConfig** configs,
                                std::shared_ptr<const IoLimit>& io_limit) {
  using Option = c_api::ContextConfigOption;
  for (; configs != nullptr; ++configs) {
    const auto entry = read_client(configs);
    if (!entry) return unreadable(ContextOrigin::list_entry, "the array of configs");
    if (*entry == nullptr) break;
    const auto config = read_client(*entry);
    if (!config) return unreadable(ContextOrigin::list_entry, "a config");
    switch (config->option) {
      case Option::persistent_binary:
      case Option::memory_limit_hint:
      case Option::defer_graph_init:
        call.misuse("ASY-03", text("option %u of a list is ignored: it belongs to the entries",
                                   static_cast<unsigned>(config->option)));
        break;
      case Option::custom: {
        const auto custom =
            read_client(static_cast<const c_api::HtpContextCustomConfig*>(config->custom_config));
        if (!custom) return unreadable(ContextOrigin::list_entry, "a custom config");
        call.odd_boolean(boolean_of(*custom));
        if (custom->option == c_api::HtpContextConfigOption::share_resources &&
            call.dev().config.shared_resources == 0)
          return failure(c_api::ContextError::unsupported_feature,
                         "this device does not share resources (SHARE_RESOURCES)");
        if (custom->option == c_api::HtpContextConfigOption::reused_io_limit)
          if (const auto bytes = io_limit_of(*custom))
            io_limit = std::make_shared<IoLimit>(IoLimit{*bytes});
        break;
      }
      default: break;
    }
  }
  return success();
}

/// Reads one entry, of version 1 or 2.
inline Status read_list_entry(const c_api::ContextParams* params,
                              std::vector<c_api::ContextParamsV1>& out) {
  using c_api::ContextError;
  const auto nowhere = [](const char* what) {
    return crashing(ContextError::invalid_argument, "ASY-02", text("%s cannot be read", what));
  };
  const auto read = read_client(params);
  if (!read) return nowhere("an entry");
  c_api::ContextParamsV1 entry = read->v1;
  if (read->version == c_api::ContextParamsVersion::v2) {
    const auto v2 = read_client(read->v2);
    if (!v2) return nowhere("an entry of version 2");
    if (v2->callback != nullptr)
      return failure(ContextError::unsupported_feature,
                     "this device does not load weights by callback");
    out.push_back({v2->config, v2->binary_buffer, v2->binary_buffer_size, v2->profile,
                   v2->notify_func, v2->notify_param});
  } else if (read->version == c_api::ContextParamsVersion::v1) {
    out.push_back(entry);
  } else {
    return failure(ContextError::invalid_argument, "an entry of an unknown version");
  }
  const c_api::ContextParamsV1& kept = out.back();
  if (kept.binary_buffer == nullptr || kept.binary_buffer_size == 0)
    return failure(ContextError::invalid_argument, "an entry without binary or size");
  if (kept.notify_func == nullptr)
    return crashing(ContextError::invalid_argument, "ASY-02", "an entry without a notify function");
  return success();
}

/// Creates the context of one entry. An entry that is no context binary crashes the host library,
/// so it counts as a misuse (ASY-02).
inline Status create_entry(Call& call, Creation& creation, c_api::ProfileHandle profile) {
  if (profile != nullptr && call.dev().profiles.find(profile) == nullptr)
    return unknown(call, call.dev().profiles, profile, c_api::ContextError::set_profile);
  const Status status = create_from_binary(call, creation);
  if (status.ok()) {
    if (!creation.made->options.deferred) return status;
    call.misuse("ASY-03", "an entry with DEFER_GRAPH_INIT, which can never be finalized");
    return status;
  }
  if (creation.made != nullptr) {
    call.dev().contexts.erase(creation.made->id);
    creation.made = nullptr;
  }
  BinaryContents contents;
  if (!creation.writes && status.rule == nullptr &&
      !inspect(bytes_of(creation.binary, creation.binary_bytes), contents).ok())
    return crashing(status.code, "ASY-02", "an entry that is no context binary: " + status.reason);
  return status;
}

/// What a signal that has ended the creation of an entry does with the rest of the list.
enum class Stopped : std::uint8_t { nothing, this_entry, all_entries };

/// Returns what a failure of an entry means for the list. The signal is spent afterwards, unless
/// the library lets a timeout end the next entries, too.
inline Stopped stopped_by(const Device& d, const Status& failure, const SignalUse& signal) {
  const bool timed_out = failure.code == c_api::code_of(c_api::ContextError::timed_out);
  if (!timed_out && failure.code != c_api::code_of(c_api::ContextError::aborted))
    return Stopped::nothing;
  if (d.host().signal_ends_list) return Stopped::all_entries;
  if (!timed_out || !d.host().timeout_ends_each_entry) signal.ignore();
  return Stopped::this_entry;
}

/// Ends what a list has made, and notifies of each entry that it is not made.
inline void end_list(Call& call, const std::vector<c_api::ContextParamsV1>& entries,
                     std::uint32_t code, std::vector<ListNotification>& notifications) {
  for (const ListNotification& made : notifications)
    if (made.context != nullptr) drop_context(call.dev(), id_of(made.context));
  notifications.clear();
  for (const c_api::ContextParamsV1& entry : entries)
    notifications.push_back({entry.notify_func, entry.notify_param, nullptr, nullptr, "",
                             c_api::ContextNotifyType::context_init, call.native(code)});
}

}  // namespace detail

namespace api {

/// Blocks until every entry is created or has failed. Notifies on the caller's thread before it
/// returns, unless a seed draws another manner. Each entry notifies its graphs first, then its
/// context. An entry that fails notifies 5005 for every cause; only the log names the cause. The
/// call then returns 5005, and the other entries stay alive. From 2.51.0 on a signal ends the whole
/// list with its own code.
inline c_api::ErrorHandle context_create_from_binary_list_async(
    c_api::BackendHandle backend, c_api::DeviceHandle device_handle,
    const c_api::ContextParams** params, const c_api::ContextConfig** list_config,
    c_api::SignalHandle signal) {
  using c_api::ContextError;
  std::vector<detail::ListNotification> notifications;
  auto manner = ListNotifications::in_order;
  c_api::ErrorHandle result = 0;
  {
    Call call{Slot::context_create_from_binary_list_async};
    if (const auto code = call.gate()) return call.fail(code);
    Device& d = call.dev();
    std::vector<c_api::ContextParamsV1> entries;
    for (; params != nullptr; ++params) {
      const auto entry = read_client(params);
      if (!entry)
        return call.fail(crashing(ContextError::invalid_argument, "ASY-02",
                                  "the array of entries cannot be read"));
      if (*entry == nullptr) break;
      if (Status status = detail::read_list_entry(*entry, entries); !status.ok())
        return call.fail(status);
    }
    if (entries.empty()) return call.fail(ContextError::invalid_argument, "no contexts");
    if (d.backends.find(backend) == nullptr)
      return call.fail(
          unknown(call, call.dev().backends, backend, ContextError::create_from_binary));
    call.about_backend(id_of(backend));
    if (device_handle != nullptr && d.devices.find(device_handle) == nullptr)
      return call.fail(
          unknown(call, call.dev().devices, device_handle, c_api::DeviceError::invalid_handle));
    std::shared_ptr<const IoLimit> io_limit;
    if (Status status = detail::read_list_options(call, list_config, io_limit); !status.ok())
      return call.fail(status);
    // The host library ignores an unknown signal.
    if (!call.injected() && d.is_freed(d.signals, id_of(signal)))
      call.misuse("ORD-09", "the signal is freed already, and the library ignores it");
    const SignalUse signal_use{call, d.signals.find(signal) == nullptr ? nullptr : signal,
                               d.host().heed_of_list};
    if (signal_use.busy())
      return call.fail(c_api::SignalError::signal_in_use, "the signal is in use");
    manner = static_cast<ListNotifications>(d.unconfirmed(Unconfirmed::list_notifications));
    // A binary of a newer SDK fails the whole call, and nothing is notified.
    for (const c_api::ContextParamsV1& entry : entries) {
      BinaryContents contents;
      const auto bytes = detail::bytes_of(entry.binary_buffer, entry.binary_buffer_size);
      if (!is_mapped(entry.binary_buffer, entry.binary_buffer_size)) continue;
      if (Status status = take_apart(bytes, WithWeights::no, contents); !status.ok()) {
        if (d.host().checks_list_entries) return call.fail(status);
        continue;
      }
      if (Status status = detail::check_age(d, contents.target); !status.ok())
        return call.fail(status);
    }
    bool all_made = true;
    Status stopped = success();  // of the whole list
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const c_api::ContextParamsV1& entry =
          entries[manner == ListNotifications::reversed ? entries.size() - 1 - i : i];
      const auto notify = [&](c_api::ContextHandle context, c_api::GraphHandle graph,
                              std::string name, c_api::ContextNotifyType type,
                              c_api::ErrorHandle status) {
        notifications.push_back(
            {entry.notify_func, entry.notify_param, context, graph, std::move(name), type, status});
      };
      detail::Creation creation;
      creation.backend = backend;
      creation.device = device_handle;
      creation.configs = entry.config;
      creation.binary = entry.binary_buffer;
      creation.binary_bytes = entry.binary_buffer_size;
      creation.origin = ContextOrigin::list_entry;
      creation.signal = &signal_use;
      creation.io_limit = io_limit;
      creation.counts_io_limit = i == 0;
      const Status status = detail::create_entry(call, creation, entry.profile);
      if (status.ok()) {
        for (const auto& [name, graph] : creation.made->graphs)
          notify(nullptr, handle_of<c_api::GraphHandle>(graph.first), name,
                 c_api::ContextNotifyType::graph_init, 0);
        notify(handle_of<c_api::ContextHandle>(creation.made->id), nullptr, "",
               c_api::ContextNotifyType::context_init, 0);
        continue;
      }
      all_made = false;
      if (detail::stopped_by(d, status, signal_use) == detail::Stopped::all_entries) {
        stopped = status;
        break;
      }
      (void)call.fail(status);  // the log names the cause
      notify(nullptr, nullptr, "", c_api::ContextNotifyType::context_init,
             call.native(ContextError::create_from_binary));
    }
    if (!stopped.ok()) detail::end_list(call, entries, stopped.code, notifications);
    result = all_made        ? call.ok()
             : !stopped.ok() ? call.fail(stopped)
                             : call.fail(ContextError::create_from_binary,
                                         "not every context of the list was made");
  }
  const auto deliver_all = [notifications = std::move(notifications)] {
    for (const detail::ListNotification& n : notifications)
      n.function(n.context, n.graph,
                 n.type == c_api::ContextNotifyType::graph_init ? n.name.c_str() : nullptr, n.type,
                 n.parameter, n.status);
  };
  switch (manner) {
    case ListNotifications::another_thread: std::thread{deliver_all}.join(); break;
    case ListNotifications::later:
      // The code of a failure is known only after all entries, so the call notifies before it
      // returns.
      if (result == 0)
        std::thread{deliver_all}.detach();
      else
        deliver_all();
      break;
    default: deliver_all(); break;
  }
  return result;
}

}  // namespace api
}  // namespace qnnpp::sim
