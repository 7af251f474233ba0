// Definitions of profiled_call.hpp.
#pragma once

#include "qnnpp/backend/detail/profiled_call.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/backend/interface.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/clock.hpp"
#include "qnnpp/core/tensor_spec.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Reads the events of a profile after a call. Its functions return whether they succeeded, and
/// error() has the error: they run for each event, where a Result would cost more than all else.
class EventReader {
 public:
  /// Adds the events to the call that `log` has begun. `object`: name of the call's object.
  EventReader(const ProfileReading& reading, ProfileLog& log, const std::string& object) noexcept
      : reading_(reading), log_(log), object_(object) {}

  /// Adds all events of the profile.
  [[nodiscard]] bool read(c_api::ProfileHandle profile) {
    const c_api::ProfileEventId* ids = nullptr;
    std::uint32_t count = 0;
    constexpr const char* step = name_of(c_api::Slot::profile_get_events);
    return is_done(reading_.get_events(profile, &ids, &count), step) &&
           read(ids, count, step, ProfileLog::Event::none, 0);
  }
  /// Digest of all ids and values.
  [[nodiscard]] std::uint64_t digest() const noexcept { return digest_; }
  /// The error of read(); null: none.
  [[nodiscard]] Error* error() noexcept { return error_ ? &*error_ : nullptr; }

 private:
  using Event = ProfileLog::Event;

  static constexpr const char* extended_step =
      name_of(c_api::Slot::profile_get_extended_event_data);

  /// Adds the events of a list, which `step` returned, each with the events below it.
  [[nodiscard]] bool read(const c_api::ProfileEventId* ids, std::uint32_t count, const char* step,
                          std::uint32_t parent, std::uint16_t depth) {
    if (!is_readable(count, most::profile_events - log_.event_count(), ids, "events", step))
      return false;
    if (depth == most::profile_depth)
      return refuse(
          fail(Errc::malformed, step, object_, {"its events have more than ", depth, " levels"}));
    for (std::uint32_t i = 0; i < count; ++i) {
      const c_api::ProfileEventId id = ids[i];
      const auto number = static_cast<std::uint32_t>(log_.event_count());
      if (!add(id, parent, depth)) return false;
      const c_api::ProfileEventId* below = nullptr;
      std::uint32_t below_count = 0;
      constexpr const char* sub_step = name_of(c_api::Slot::profile_get_sub_events);
      if (!is_done(reading_.get_sub_events(id, &below, &below_count), sub_step)) return false;
      if (below_count != 0 &&
          !read(below, below_count, sub_step, number, static_cast<std::uint16_t>(depth + 1)))
        return false;
    }
    return true;
  }

  /// Adds an event to the log; asks for its data first.
  [[nodiscard]] [[gnu::always_inline]] bool add(c_api::ProfileEventId id, std::uint32_t parent,
                                                std::uint16_t depth) {
    Event& event = log_.next();
    event.parent = parent;
    event.depth = depth;
    event.has_object = false;
    c_api::ProfileExtendedEventData data = {};
    if (reading_.get_extended_event_data != nullptr &&
        !is_done(reading_.get_extended_event_data(id, &data), extended_step))
      return false;
    // Other versions, and values that are no whole numbers, are read by the plain call.
    const c_api::ProfileExtendedEventDataV1& v1 = data.v1;
    const bool is_object = v1.unit == c_api::profile_event_unit::object;
    const bool is_wide = v1.value.data_type == c_api::DataType::uint_64;
    if (data.version != c_api::ProfileExtendedEventDataVersion::v1 ||
        !(is_wide || is_object || v1.value.data_type == c_api::DataType::uint_32))
      return add_plain(id, event);
    event.type = v1.type;
    event.unit = v1.unit;
    event.time = v1.timestamp;
    if (is_object) return add_object(id, event, v1);
    event.value = is_wide ? v1.value.uint64_value : v1.value.uint32_value;
    if (!set_name(v1.identifier, event, extended_step)) return false;
    log_.add();
    digest(id, event.value);
    return true;
  }

  /// Adds an event to the log; asks for its data by the plain call.
  [[nodiscard]] [[gnu::noinline]] bool add_plain(c_api::ProfileEventId id, Event& event) {
    constexpr const char* step = name_of(c_api::Slot::profile_get_event_data);
    c_api::ProfileEventData data = {};
    if (!is_done(reading_.get_event_data(id, &data), step)) return false;
    event.type = data.type;
    event.unit = data.unit;
    event.value = data.value;
    event.time = 0;
    if (!set_name(data.identifier, event, step)) return false;
    log_.add();
    digest(id, event.value);
    return true;
  }

  /// Adds an event with an object to the log.
  [[nodiscard]] [[gnu::cold, gnu::noinline]] bool add_object(
      c_api::ProfileEventId id, Event& event, const c_api::ProfileExtendedEventDataV1& data) {
    const c_api::OpaqueObject& object = data.backend_opaque_object.opaque_object;
    std::string_view file;
    event.value = 0;
    if (!is_readable(object.len, most::profile_object_bytes - object_bytes_, object.data,
                     "bytes of an object", extended_step) ||
        !view(data.backend_opaque_object.file_name, file, extended_step) ||
        !set_name(data.identifier, event, extended_step))
      return false;
    const auto* const first = static_cast<const std::byte*>(object.data);
    log_.add_object({first, first + object.len}, file);
    object_bytes_ += object.len;
    digest(id, 0);
    return true;
  }

  /// Sets the name of the next event; null is empty.
  [[nodiscard]] [[gnu::always_inline]] bool set_name(const char* node, Event& next,
                                                     const char* step) {
    if (node == nullptr) node = "";
    return log_.is_known(node, next) || learn(node, next, step);
  }
  /// Sets a name that the log does not know.
  [[nodiscard]] [[gnu::cold, gnu::noinline]] bool learn(const char* node, Event& next,
                                                        const char* step) {
    std::string_view name;
    if (!view(node, name, step)) return false;
    log_.learn(name, next);
    return true;
  }
  /// Adds an event to the digest.
  void digest(c_api::ProfileEventId id, std::uint64_t value) noexcept {
    digest_ = (digest_ ^ id ^ (value << 1)) * 0x100000001b3;
  }

  /// Whether a call succeeded.
  [[nodiscard]] [[gnu::always_inline]] bool is_done(std::uint64_t native, const char* step) {
    return is_success(native) || refuse(native, step);
  }
  /// Whether an array may be read. See check_count().
  [[nodiscard]] [[gnu::always_inline]] bool is_readable(std::uint64_t count, std::uint64_t limit,
                                                        const void* first, const char* what,
                                                        const char* step) {
    if (count <= limit && (first != nullptr || count == 0)) [[likely]]
      return true;
    return refuse(wrong_count(count, limit, first, what, Errc::malformed, step, object_));
  }
  /// Views a C string; null is empty. See read_name().
  [[nodiscard]] bool view(const char* from, std::string_view& name, const char* step) {
    if (from == nullptr) return true;
    name = {from, ::strnlen(from, most::name_bytes + std::size_t{1})};
    if (name.size() <= most::name_bytes) [[likely]]
      return true;
    std::string copy;
    return refuse(read_name(from, copy, Errc::malformed, step, object_));
  }
  /// Sets the error of a call that returned `native`.
  [[gnu::cold, gnu::noinline]] bool refuse(std::uint64_t native, const char* step) {
    return refuse(fail(Error::from_qnn(native, step, object_)));
  }
  /// Sets the error.
  [[gnu::cold, gnu::noinline]] bool refuse(Result<void> failed) {
    error_ = std::move(failed).error();
    return false;
  }

  const ProfileReading& reading_;
  ProfileLog& log_;
  const std::string& object_;
  std::uint64_t object_bytes_ = 0;  ///< Bytes of all objects so far.
  std::uint64_t digest_ = 0xcbf29ce484222325;
  std::optional<Error> error_;
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
  ProfileLog& log = profile.log_;
  log.begin();
  // If the events of the call before were not all read, the digest cannot tell whose these are.
  const bool was_read = std::exchange(profile.is_read_, false);
  EventReader reader(profile.reading_, log, object);
  const std::uint64_t logged = error_lines->count();
  profile.is_read_ = reader.read(profile.handle_.get().handle);
  const bool is_new = reader.digest() != std::exchange(profile.last_digest_, reader.digest());
  if (Error* const error = reader.error()) *error = with_log(std::move(*error), logged);
  // A failed call may leave the events of the call before it.
  if (!succeeded && !(was_read && is_new)) log.remove_events();
  log.end({.name = call.call_,
           .start_ns = call.start_ns_,
           .end_ns = call.end_ns_,
           .thread = static_cast<std::uint64_t>(::gettid()),
           .succeeded = succeeded},
          object, reader.error());
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
