// Profile: records the calls of QNN that it is attached to, each with its events.
//
//   auto profile = Profile::create(backend, ProfileLevel::detailed);
//   graph.execute(&*profile);
//   fmt::print("{}", *profile);   // format.hpp
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/abi/profile.hpp"
#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/detail/handle.hpp"
#include "qnnpp/backend/detail/profile_log.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Detail of a profile's events.
enum class ProfileLevel : std::uint8_t {
  basic,     ///< Times of the whole call.
  detailed,  ///< Also the cycles of each node, and the waits for resources.
  linting,   ///< Instead, the cycles of each node on the critical path, and what it waits for.
  /// As `detailed`, and an event with a trace of all ops, as bytes for a tool of the SDK.
  op_trace,
};

/// One event of a call: a number that QNN measured.
struct ProfileEvent {
  /// Number of an event that is at the top level.
  static constexpr std::size_t none = SIZE_MAX;

  /// Type: c_api::profile_event_type, c_api::htp_profile_event_type, or another number. See
  /// event_name().
  c_api::ProfileEventType type = 0;
  /// Unit of `value`: c_api::profile_event_unit, or another number. See unit_name().
  c_api::ProfileEventUnit unit = c_api::profile_event_unit::microsec;
  std::uint64_t value = 0;    ///< The number; 0 for an object.
  std::string node = {};      ///< Name that QNN gives: of the node or of the step.
  std::uint32_t depth = 0;    ///< Number of events above this one.
  std::size_t parent = none;  ///< Place of the event above in ProfileRecord::events, or `none`.
  /// Time that QNN states, in its own unit; nothing if it states none. The host libraries 2.43 and
  /// 2.45 state none.
  std::optional<std::uint64_t> time = {};
  std::vector<std::byte> object = {};  ///< The bytes, if `unit` is `object`.
  /// File name that QNN states for `object`; empty if it states none. The host libraries 2.43 and
  /// 2.45 state none.
  std::string file = {};

  /// Compares all members.
  friend bool operator==(const ProfileEvent&, const ProfileEvent&) = default;
};

/// One call of QNN and its events. A value that owns all its data.
struct ProfileRecord {
  std::string_view call = {};  ///< Name of the C function, in static storage.
  std::string object = {};     ///< Name of the context or graph.
  /// Times of std::chrono::steady_clock in nanoseconds: immediately before and after the C call.
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;  ///< See start_ns.
  std::uint64_t thread = 0;  ///< Number that the system gives the calling thread (gettid).
  bool succeeded = true;     ///< Whether the call succeeded.
  /// Events in QNN's order. The events below an event follow it, one level deeper.
  std::vector<ProfileEvent> events = {};
  /// Error of reading the events, which are then incomplete. Does not concern the call.
  std::optional<Error> error = {};
};

/// Returns the name of an event type, such as "RPC time (host)"; "unknown event" for a type that
/// qnnpp does not know.
[[nodiscard]] const char* event_name(c_api::ProfileEventType type) noexcept;
/// Returns the name of a unit, such as "us"; "" for a unit that qnnpp does not know.
[[nodiscard]] const char* unit_name(c_api::ProfileEventUnit unit) noexcept;

namespace detail {

/// Contract message for a profile that owns nothing.
inline constexpr char moved_profile[] =
    "the profile was moved from or closed; use the object that it was moved to, or create another";

using ProfileOwner = Owner<HandlePolicy<c_api::ProfileHandle>>;

/// The C functions that read the events of a profile.
struct ProfileReading {
  c_api::ProfileGetEventsFn get_events = nullptr;
  c_api::ProfileGetSubEventsFn get_sub_events = nullptr;
  c_api::ProfileGetEventDataFn get_event_data = nullptr;
  /// Null if the backend has no extended events.
  c_api::ProfileGetExtendedEventDataFn get_extended_event_data = nullptr;
};

class ProfiledCall;

/// Adds `call` for `object` and its events to its profile.
void add_record(const ProfiledCall& call, const std::string& object, bool succeeded);

}  // namespace detail

/// Owner of a QNN profile and of the records of its calls. A call uses a profile that is attached
/// to it: `execute(&profile)`, `finalize(&profile)`, `DeferredOptions::profile` and others. After
/// the call, its events are copied. A call that fails is recorded too, with the events that QNN
/// collected for it, if any. records() and take() make a ProfileRecord of each call.
///
/// The records stay until clear() or take(): a program that profiles without end calls one of them.
/// A detailed record of a large graph has thousands of events.
///
/// A call allocates only if the profile has to keep more than ever before, or other names than
/// those of the calls before; for the bytes of an op trace; and for an error of reading the events.
/// The memory for calls stays with the profile after records(), take() and clear(). It is freed by
/// close() and by the destructor.
///
/// Move-only. Keeps its backend alive. Calls borrow it: it must not be moved or destroyed during
/// them. Threads: only one thread at a time may use a profile, also to read it. Calls on several
/// threads need a profile each.
class Profile {
 public:
  QNNPP_MOVE_ONLY(Profile, "a profile has one owner; write std::move(profile)");
  template <detail::ResultOf<Profile> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(profile), or use value_or_throw()", Profile,
      const R&);

  /// Creates a profile (QnnProfile_create, QnnProfile_setConfig). Errors: `slot_missing`,
  /// `slot_null`; `invalid_argument` for an unknown level; `capability_missing` for an op trace
  /// that the backend does not have; `qnn`.
  [[nodiscard]] static Result<Profile> create(const Backend<Htp>& backend,
                                              ProfileLevel level = ProfileLevel::basic);
  template <detail::AnyResult Parent>
  static QNNPP_REFUSE("this is a Result; test it and pass *backend, or use value_or_throw()",
                      Result<Profile>, create(const Parent&, ProfileLevel = ProfileLevel::basic));

  /// The recorded calls in their order. Allocates the records of the calls since it was last read.
  /// Valid until the profile is used in a call, cleared, moved or destroyed.
  [[nodiscard]] const std::vector<ProfileRecord>& records() const&;
  QNNPP_REFUSE("records() of a temporary would dangle; name the profile first",
               const std::vector<ProfileRecord>&, records() const&&);
  /// Removes all records. Allocates nothing.
  void clear() noexcept {
    log_.clear();
    records_.clear();
  }
  /// Returns all records and removes them. Allocates as records() does.
  [[nodiscard]] std::vector<ProfileRecord> take() {
    (void)records();
    return std::exchange(records_, {});
  }

  /// The C handle, owned by the profile.
  [[nodiscard]] c_api::ProfileHandle native() const& {
    qnnpp::detail::expects(block_, detail::moved_profile);
    return handle_.get().handle;
  }
  QNNPP_REFUSE("native() of a temporary would dangle; name the profile first", c_api::ProfileHandle,
               native() const&&);

  /// Frees the profile and its records now (QnnProfile_free) and returns the error of the call.
  [[nodiscard]] Result<void> close() &&;
  QNNPP_REFUSE("close() consumes the profile; write std::move(profile).close()", Result<void>,
               close() const&);

 private:
  friend struct detail::Access;
  friend class detail::ProfiledCall;
  friend void detail::add_record(const detail::ProfiledCall& call, const std::string& object,
                                 bool succeeded);

  explicit Profile(Ref<detail::BackendBlock> backend) : block_(std::move(backend)) {}

  // Destroyed from the last to the first: the profile before its backend.
  Ref<detail::BackendBlock> block_;
  detail::ProfileOwner handle_;
  detail::ProfileReading reading_;
  std::uint64_t last_digest_ = 0;  ///< Digest of the events that were read last.
  bool is_read_ = true;            ///< Whether these were all events.
  // records() moves the calls from one to the other, which changes nothing that a caller sees.
  mutable detail::ProfileLog log_;              ///< Calls since records() was called.
  mutable std::vector<ProfileRecord> records_;  ///< Calls before.
  /// Set by create(): only a program that creates a profile has the function.
  void (*add_record_)(const detail::ProfiledCall&, const std::string&, bool) = nullptr;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/profile.ipp"
#include "qnnpp/impl/backend/profile_log.ipp"
#endif
