// Profiles of the C API: creation, configs, events, release.
#pragma once

#include <cstdint>
#include <memory>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/profile.hpp"

#include "sim/api/call.hpp"
#include "sim/objects/client_structs.hpp"
#include "sim/objects/profile.hpp"

namespace qnnpp::sim::api {

namespace internal {
/// Finds the event with this number. `owner` keeps its profile alive.
inline const ProfileEvent* find_event(const Device& d, std::uint64_t id,
                                      std::shared_ptr<Profile>& owner) {
  for (const auto& [handle, profile] : d.profiles.all()) {
    const std::uint64_t first = profile->id_at(0);
    if (id < first || id - first >= profile->event_count) continue;
    owner = profile;
    return &profile->events[id - first];
  }
  return nullptr;
}
}  // namespace internal

/// Accepts any level. A level other than detailed collects basic events.
inline c_api::ErrorHandle profile_create(c_api::BackendHandle backend, c_api::ProfileLevel level,
                                         c_api::ProfileHandle* profile) {
  Call call{Slot::profile_create};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  if (d.backends.find(backend) == nullptr)
    return call.fail(
        unknown(call, call.dev().backends, backend, c_api::ProfileError::invalid_handle));
  call.about_backend(id_of(backend));
  if (profile == nullptr)
    return call.fail(c_api::ProfileError::invalid_argument, "profile is NULL");
  auto made = std::make_shared<Profile>();
  made->backend = id_of(backend);
  made->level = level;
  made->serial = ++d.last_profile_serial;
  *profile = handle_of<c_api::ProfileHandle>(d.profiles.insert(std::move(made)));
  return call.ok();
}

inline c_api::ErrorHandle profile_set_config(c_api::ProfileHandle handle,
                                             const c_api::ProfileConfig** config) {
  Call call{Slot::profile_set_config};
  if (const auto code = call.gate()) return call.fail(code);
  if (handle == nullptr)
    return call.fail(c_api::ProfileError::invalid_handle, "profile handle is NULL");
  const auto profile = call.dev().profiles.find(handle);
  if (!are_readable_configs(config))
    return call.fail(dead_pointer(c_api::ProfileError::invalid_argument, "a config"));
  const bool is_empty = config == nullptr || *config == nullptr;
  if (profile == nullptr && is_empty)
    call.misuse("ORD-09", dead_handle_words(call.dev().profiles, id_of(handle)));
  if (is_empty) return call.ok();
  for (const c_api::ProfileConfig** entry = config; *entry != nullptr; ++entry) {
    switch ((*entry)->option) {
      case c_api::ProfileConfigOption::max_events:
      case c_api::ProfileConfigOption::custom:
        return call.fail(c_api::ProfileError::unsupported,
                         "profiles have no such option here (capabilities 1402 and 1403)");
      case c_api::ProfileConfigOption::enable_optrace:
        if (profile == nullptr)
          return call.fail(
              unknown(call, call.dev().profiles, handle, c_api::ProfileError::invalid_handle));
        if (profile->level != c_api::profile_level::detailed)
          return call.fail(c_api::ProfileError::invalid_argument,
                           "only a detailed profile collects an op trace");
        call.odd_boolean({"ENABLE_OPTRACE", (*entry)->enable_optrace});
        profile->op_trace = (*entry)->enable_optrace != 0;
        break;
      default: return call.fail(c_api::ProfileError::invalid_argument, "unknown profile option");
    }
  }
  return call.ok();
}

/// Returns a list that stays valid until the profile is used again or freed.
inline c_api::ErrorHandle profile_get_events(c_api::ProfileHandle handle,
                                             const c_api::ProfileEventId** events,
                                             std::uint32_t* count) {
  Call call{Slot::profile_get_events};
  if (const auto code = call.gate()) return call.fail(code);
  const auto profile = call.dev().profiles.find(handle);
  if (profile == nullptr)
    return call.fail(
        unknown(call, call.dev().profiles, handle, c_api::ProfileError::invalid_handle));
  if (events == nullptr || count == nullptr)
    return call.fail(c_api::ProfileError::invalid_argument, "events or count is NULL");
  *events = profile->top_level.data();
  *count = static_cast<std::uint32_t>(profile->top_level.size());
  return call.ok();
}

inline c_api::ErrorHandle profile_get_sub_events(c_api::ProfileEventId id,
                                                 const c_api::ProfileEventId** events,
                                                 std::uint32_t* count) {
  Call call{Slot::profile_get_sub_events};
  if (const auto code = call.gate()) return call.fail(code);
  if (events == nullptr || count == nullptr)
    return call.fail(c_api::ProfileError::invalid_argument, "events or count is NULL");
  std::shared_ptr<Profile> owner;
  const ProfileEvent* const event = internal::find_event(call.dev(), id, owner);
  if (event == nullptr) return call.fail(c_api::ProfileError::invalid_argument, "unknown event");
  *events = event->sub_events.data();
  *count = static_cast<std::uint32_t>(event->sub_events.size());
  return call.ok();
}

inline c_api::ErrorHandle profile_get_event_data(c_api::ProfileEventId id,
                                                 c_api::ProfileEventData* data) {
  Call call{Slot::profile_get_event_data};
  if (const auto code = call.gate()) return call.fail(code);
  if (data == nullptr) return call.fail(c_api::ProfileError::invalid_argument, "data is NULL");
  std::shared_ptr<Profile> owner;
  const ProfileEvent* const event = internal::find_event(call.dev(), id, owner);
  if (event == nullptr) return call.fail(c_api::ProfileError::invalid_argument, "unknown event");
  *data = {event->type, event->unit, event->value, event->identifier.c_str()};
  return call.ok();
}

inline c_api::ErrorHandle profile_get_extended_event_data(c_api::ProfileEventId id,
                                                          c_api::ProfileExtendedEventData* data) {
  Call call{Slot::profile_get_extended_event_data};
  if (const auto code = call.gate()) return call.fail(code);
  if (data == nullptr) return call.fail(c_api::ProfileError::invalid_argument, "data is NULL");
  std::shared_ptr<Profile> owner;
  const ProfileEvent* const event = internal::find_event(call.dev(), id, owner);
  if (event == nullptr) return call.fail(c_api::ProfileError::invalid_argument, "unknown event");
  data->version = c_api::ProfileExtendedEventDataVersion::v1;
  data->v1.type = event->type;
  data->v1.unit = event->unit;
  if (event->unit == c_api::profile_event_unit::object) {
    data->v1.backend_opaque_object = {
        {const_cast<char*>(event->object.data()), event->object.size()}, ""};
  } else {
    c_api::Scalar value{};
    value.data_type = c_api::DataType::uint_64;
    value.uint64_value = event->value;
    data->v1.value = value;
  }
  data->v1.timestamp = 0;  // as in the host library
  data->v1.identifier = event->identifier.c_str();
  return call.ok();
}

inline c_api::ErrorHandle profile_free(c_api::ProfileHandle handle) {
  Call call{Slot::profile_free};
  const auto profile = call.dev().profiles.find(handle);
  if (profile == nullptr)
    return call.fail(
        unknown(call, call.dev().profiles, handle, c_api::ProfileError::invalid_handle));
  if (profile->in_use || profile->bound_graph != 0)
    return call.fail(c_api::ProfileError::handle_in_use,
                     "the profile is in use, or bound to a graph");
  call.dev().profiles.erase(id_of(handle));
  return call.freed(id_of(handle));
}

}  // namespace qnnpp::sim::api
