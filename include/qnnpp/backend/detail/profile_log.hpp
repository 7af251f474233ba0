// ProfileLog: what a profile keeps of its calls until somebody reads it.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "qnnpp/abi/profile.hpp"
#include "qnnpp/core/error.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

struct ProfileRecord;

namespace detail {

/// Calls and their events in a few blocks of memory, because a call that is measured must not wait
/// for an allocation. clear() and take_records() keep the blocks: a log that is emptied as often as
/// before allocates nothing, except for an error and for the object of an event. Not thread-safe.
///
/// A call is added by begin(), then by next(), is_known() or learn() and add() for each event, and
/// by end(). If one of them throws, the call is not in the log.
class ProfileLog {
 public:
  /// Place of a text of the log. A NUL ends each text, so that its begin alone says which text is
  /// the name of an event.
  struct Text {
    std::size_t at = 0;
    std::size_t bytes = 0;
  };

  /// One event. See ProfileEvent.
  struct Event {
    static constexpr std::uint32_t none = UINT32_MAX;  ///< There is no event above.

    std::uint64_t value = 0;
    std::uint64_t time = 0;  ///< 0: QNN states none.
    std::size_t node = 0;    ///< Begin of the name.
    c_api::ProfileEventType type = 0;
    c_api::ProfileEventUnit unit = 0;
    std::uint32_t parent = none;  ///< Number of the event above, of the same call, or `none`.
    std::uint16_t depth = 0;
    bool has_object = false;
  };

  /// One call. See ProfileRecord.
  struct Call {
    const char* name = "";  ///< In static storage.
    std::uint64_t start_ns = 0;
    std::uint64_t end_ns = 0;
    std::uint64_t thread = 0;
    bool succeeded = true;
    bool has_error = false;  ///< Set by end().
    std::size_t events = 0;  ///< Number of its events. Set by end().
    Text object = {};        ///< Set by end().
  };

  /// Number of calls.
  [[nodiscard]] std::size_t size() const noexcept { return calls_.size(); }
  /// Whether it has no call.
  [[nodiscard]] bool empty() const noexcept { return calls_.empty(); }

  /// Begins a call. Forgets a call that an exception ended.
  void begin() noexcept { remove_events(); }
  /// Number of events of the call so far; also the number of the next one.
  [[nodiscard]] std::size_t event_count() const noexcept { return count_ - ended_.events; }
  /// The next event, which has any values until add().
  [[nodiscard]] Event& next() {
    if (count_ == room_) [[unlikely]]
      grow();
    return events_[count_];
  }
  /// Whether the next event has the name of the last event with its number; sets it if so.
  [[nodiscard]] bool is_known(const char* node, Event& next) const noexcept {
    const std::size_t number = event_count();
    if (number >= nodes_.size()) return false;
    next.node = nodes_[number];
    return std::strcmp(text_.data() + next.node, node) == 0;
  }
  /// Copies and sets the name of the next event, which is_known() does not know.
  void learn(std::string_view node, Event& next);
  /// Adds the next event.
  void add() noexcept { ++count_; }
  /// Adds the next event, with an object and its file name.
  void add_object(std::vector<std::byte> object, std::string_view file);
  /// Removes the events of the call.
  void remove_events() noexcept;
  /// Ends the call for `object`. `error`: of reading its events; null: none.
  void end(Call call, std::string_view object, const Error* error);

  /// Removes all calls.
  void clear() noexcept;
  /// Removes all calls and returns them as records.
  [[nodiscard]] std::vector<ProfileRecord> take_records();

 private:
  /// The bytes of an event whose unit is `object`, and their file name.
  struct Object {
    std::vector<std::byte> bytes;
    Text file;
  };
  /// Numbers of events, objects and errors.
  struct Sizes {
    std::size_t events = 0;
    std::size_t objects = 0;
    std::size_t errors = 0;
  };

  /// Makes room for more events.
  void grow();
  /// Copies a text, with a NUL.
  [[nodiscard]] Text keep(std::string_view text);
  /// Views a text. Valid until the log changes.
  [[nodiscard]] std::string_view view(Text text) const noexcept {
    return {text_.data() + text.at, text.bytes};
  }

  std::vector<Call> calls_;
  /// Events of the first call, then of the second, and so on; then room. Its size never falls.
  std::vector<Event> events_;
  std::vector<Object> objects_;     ///< One for each event that has one.
  std::vector<Error> errors_;       ///< One for each call that has one.
  std::string text_;                ///< All names.
  std::vector<std::size_t> nodes_;  ///< By its number: begin of the name that an event had last.
  Text object_;                     ///< Name of the last call's object.
  bool has_old_names_ = false;      ///< Whether `nodes_` and `object_` have other names by now.
  std::size_t room_ = 0;            ///< Size of `events_`.
  std::size_t count_ = 0;           ///< Number of events in it, with those of the call that began.
  Sizes ended_;                     ///< Sizes when the last call ended.
};

}  // namespace detail

}}  // namespace qnnpp::QNNPP_NAMESPACE

// profile.hpp includes the definitions, which need its records.
