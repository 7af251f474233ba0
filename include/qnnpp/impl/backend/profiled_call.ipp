// Definitions of profiled_call.hpp.
#pragma once

#include "qnnpp/backend/detail/profiled_call.hpp"

#include <unistd.h>

#include <cstddef>
#include <utility>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/backend/interface.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/clock.hpp"
#include "qnnpp/core/tensor_spec.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Reads the events of a profile after a call.
class EventReader {
 public:
  EventReader(const Interface& provider, bool is_extended, ProfileRecord& record) noexcept
      : provider_(provider), is_extended_(is_extended), record_(record) {}

  [[nodiscard]] Result<void> read(c_api::ProfileHandle profile) {
    const c_api::ProfileEventId* ids = nullptr;
    std::uint32_t count = 0;
    constexpr const char* step = name_of(c_api::Slot::profile_get_events);
    const auto get = provider_.find<&c_api::InterfaceTable::profile_get_events>();
    QNNPP_TRY(qnnpp::check((*get)(profile, &ids, &count), step, record_.object));
    return read(ids, count, step, ProfileEvent::none, 0);
  }
  /// Digest of all ids and values.
  [[nodiscard]] std::uint64_t digest() const noexcept { return digest_; }

 private:
  [[nodiscard]] Result<void> read(const c_api::ProfileEventId* ids, std::uint32_t count,
                                  const char* step, std::size_t parent, std::uint32_t depth) {
    const std::uint64_t room = most::profile_events - record_.events.size();
    QNNPP_TRY(check_count(count, room, ids, "events", Errc::malformed, step, record_.object));
    if (count != 0 && depth == most::profile_depth)
      return fail(Errc::malformed, step, record_.object,
                  {"its events have more than ", depth, " levels"});
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::size_t index = record_.events.size();
      ProfileEvent& event = record_.events.emplace_back();
      event.parent = parent;
      event.depth = depth;
      const c_api::ProfileEventId id = ids[i];
      if (auto copied = copy(id, event); !copied) {
        record_.events.pop_back();
        return copied;
      }
      digest_ = (digest_ ^ id ^ (event.value << 1)) * 0x100000001b3;
      const c_api::ProfileEventId* below = nullptr;
      std::uint32_t below_count = 0;
      constexpr const char* sub_step = name_of(c_api::Slot::profile_get_sub_events);
      const auto get = provider_.find<&c_api::InterfaceTable::profile_get_sub_events>();
      QNNPP_TRY(qnnpp::check((*get)(id, &below, &below_count), sub_step, record_.object));
      QNNPP_TRY(read(below, below_count, sub_step, index, depth + 1));
    }
    return {};
  }

  [[nodiscard]] Result<void> copy(c_api::ProfileEventId id, ProfileEvent& event) {
    if (is_extended_) {
      constexpr const char* step = name_of(c_api::Slot::profile_get_extended_event_data);
      const auto get = provider_.find<&c_api::InterfaceTable::profile_get_extended_event_data>();
      c_api::ProfileExtendedEventData data = {};
      QNNPP_TRY(qnnpp::check((*get)(id, &data), step, record_.object));
      // Other versions, and values that are no whole numbers, are read by the plain call.
      if (data.version == c_api::ProfileExtendedEventDataVersion::v1 && is_readable(data.v1))
        return copy(data.v1, event, step);
    }
    constexpr const char* step = name_of(c_api::Slot::profile_get_event_data);
    const auto get = provider_.find<&c_api::InterfaceTable::profile_get_event_data>();
    c_api::ProfileEventData data = {};
    QNNPP_TRY(qnnpp::check((*get)(id, &data), step, record_.object));
    event.type = data.type;
    event.unit = data.unit;
    event.value = data.value;
    return read_name(data.identifier, event.node, Errc::malformed, step, record_.object);
  }

  [[nodiscard]] static bool is_readable(const c_api::ProfileExtendedEventDataV1& data) noexcept {
    return data.unit == c_api::profile_event_unit::object ||
           data.value.data_type == c_api::DataType::uint_64 ||
           data.value.data_type == c_api::DataType::uint_32;
  }

  [[nodiscard]] Result<void> copy(const c_api::ProfileExtendedEventDataV1& data,
                                  ProfileEvent& event, const char* step) {
    event.type = data.type;
    event.unit = data.unit;
    if (data.timestamp != 0) event.time = data.timestamp;
    if (data.unit == c_api::profile_event_unit::object) {
      const c_api::OpaqueObject& object = data.backend_opaque_object.opaque_object;
      const std::uint64_t room = most::profile_object_bytes - object_bytes_;
      QNNPP_TRY(check_count(object.len, room, object.data, "bytes of an object", Errc::malformed,
                            step, record_.object));
      const auto* const first = static_cast<const std::byte*>(object.data);
      event.object.assign(first, first + object.len);
      object_bytes_ += object.len;
      QNNPP_TRY(read_name(data.backend_opaque_object.file_name, event.file, Errc::malformed, step,
                          record_.object));
    } else {
      event.value = data.value.data_type == c_api::DataType::uint_64 ? data.value.uint64_value
                                                                     : data.value.uint32_value;
    }
    return read_name(data.identifier, event.node, Errc::malformed, step, record_.object);
  }

  const Interface& provider_;
  bool is_extended_;
  ProfileRecord& record_;
  std::uint64_t object_bytes_ = 0;  ///< Bytes of all objects so far.
  std::uint64_t digest_ = 0xcbf29ce484222325;
};

QNNPP_INLINE Result<void> ProfiledCall::check(const Ref<BackendBlock>& backend,
                                              const std::string& object) const {
  if (profile_ == nullptr) return {};
  (void)profile_->native();
  if (Access::block(*profile_) == backend) return {};
  return fail(Errc::foreign_object, call_, object, "the profile belongs to another backend");
}

QNNPP_INLINE void ProfiledCall::begin() noexcept { start_ns_ = now_ns(); }
QNNPP_INLINE void ProfiledCall::end() noexcept { end_ns_ = now_ns(); }

QNNPP_INLINE void add_record(const ProfiledCall& call, const std::string& object, bool succeeded) {
  Profile& profile = *call.profile_;
  ProfileRecord record{.call = call.call_,
                       .object = object,
                       .start_ns = call.start_ns_,
                       .end_ns = call.end_ns_,
                       .thread = static_cast<std::uint64_t>(::gettid()),
                       .succeeded = succeeded};
  // If the events of the call before were not all read, the digest cannot tell whose these are.
  const bool was_read = std::exchange(profile.is_read_, false);
  EventReader reader(profile.block_->provider, profile.is_extended_, record);
  const std::uint64_t logged = error_lines->count();
  auto read = with_log(reader.read(profile.handle_.get().handle), logged);
  const bool is_new = reader.digest() != std::exchange(profile.last_digest_, reader.digest());
  profile.is_read_ = read.has_value();
  if (!read) record.error = std::move(read).error();
  // A failed call may leave the events of the call before it.
  if (!succeeded && !(was_read && is_new)) record.events.clear();
  profile.records_.push_back(std::move(record));
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
