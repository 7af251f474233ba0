// Stop: ends calls early, from any thread.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>

#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {
class StopState;
class Endable;
}  // namespace detail

/// Ends calls that were given it, from any thread: `execute({.stop = stop})`, LoadOptions::stop,
/// ResidencyOptions::stop, SharedSpillFill::lease(stop). Once pulled, it stays so, and each call
/// that is given it ends with `cancelled`. Copies are the same stop. It must not be destroyed
/// before the calls that have it.
///
/// A call of the C API ends early only if QNN ends it: an execution if the DSP does; the creation
/// of a context in libraries that do (QnnSignal_trigger). Otherwise the call lasts as long as ever,
/// and a call of qnnpp ends between two calls of the C API.
///
/// Threads: each function is thread-safe. None may be called from a signal handler; a thread that
/// waits for the signal (sigwait) may.
class Stop {
 public:
  /// Makes a stop that is not pulled. Allocates.
  Stop();
  /// Makes another handle of the same stop.
  Stop(const Stop& other) noexcept;
  /// Becomes a handle of the other stop.
  Stop& operator=(const Stop& other) noexcept;
  /// Frees the stop with its last handle.
  ~Stop();

  /// Ends the calls that have this stop, now and later. Returns when each of them has been told: a
  /// call of QNN is told once it has begun, and telling it may take as long as it does
  /// (QnnSignal_trigger). None is missed: one that has not begun does not begin. Does nothing in a
  /// forked child.
  void pull() noexcept;
  /// Whether pull() was called.
  [[nodiscard]] bool is_pulled() const noexcept;

 private:
  friend class detail::Endable;

  Ref<detail::StopState> state_;
};

namespace detail {

/// A stop as an option: none by default. Borrows the stop.
class StopOption {
 public:
  constexpr StopOption() noexcept = default;
  constexpr StopOption(const Stop& stop) noexcept : stop_(&stop) {}
  QNNPP_REFUSE_CONSTRUCTOR("nobody could pull a temporary stop; name it first", StopOption,
                           const Stop&&);

  /// Returns the stop, which is not this object's; null: none.
  [[nodiscard]] constexpr const Stop* get() const& noexcept { return stop_; }
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return stop_ != nullptr; }
  [[nodiscard]] bool is_pulled() const noexcept { return stop_ != nullptr && stop_->is_pulled(); }

 private:
  const Stop* stop_ = nullptr;
};

/// A time limit in seconds of this length or longer is none: a year.
inline constexpr double endless_seconds = 365.0 * 24 * 60 * 60;

/// A std::chrono::duration. Saves the include of <chrono>.
template <class T>
concept Duration = requires(const T& time) {
  static_cast<double>(time.count());
  T::period::num;
  T::period::den;
};
/// Returns a duration in seconds. Floating point does not overflow for any unit.
template <Duration T>
[[nodiscard]] constexpr double seconds_of(const T& time) {
  return static_cast<double>(time.count()) * static_cast<double>(T::period::num) /
         static_cast<double>(T::period::den);
}

/// A time limit as an option: a std::chrono::duration; none by default.
class TimeLimit {
 public:
  constexpr TimeLimit() noexcept = default;
  template <Duration Time>
  constexpr TimeLimit(const Time& at_most) : seconds_(seconds_of(at_most)) {}

  [[nodiscard]] constexpr double seconds() const noexcept { return seconds_; }
  /// Whether there is a limit.
  [[nodiscard]] constexpr explicit operator bool() const noexcept {
    return seconds_ < endless_seconds;
  }

  /// When its time began, by now_ns(); 0: with the call that has it.
  std::uint64_t began_ns = 0;

 private:
  double seconds_ = endless_seconds;
};

/// What has asked a call to end.
enum class EndedBy : std::uint8_t { nothing, stop, limit };

/// A call or a wait that a Stop ends, also by a time limit that the stop's thread watches. Listed
/// by the stop from begin() to finish().
class Endable {
 public:
  /// Makes the call end, on the thread that pulls or on that of the stop, which holds no lock.
  /// Returns false if the call has not begun, so that it is to be asked again.
  using End = bool (*)(Endable&) noexcept;

  explicit Endable(End end) noexcept : end_(end) {}
  Endable(const Endable&) = delete;
  Endable& operator=(const Endable&) = delete;

  /// Begins a call that `stop` ends, or the end of `seconds` from now on; without a stop, does
  /// nothing. Allocates nothing after the first call with a time limit, which starts the thread of
  /// the stop. Errors, which name `object`: `cancelled` if it is pulled; `allocation_failed` if the
  /// system has no thread.
  [[nodiscard]] Result<void> begin(const StopOption& stop, double seconds, const char* step,
                                   const std::string& object);
  /// Begins a call that `stop` ends. Returns false if it is pulled.
  [[nodiscard]] bool begin(const StopOption& stop) noexcept;
  /// Ends the call: waits until nobody asks it to end any more. Returns what has asked.
  EndedBy finish() noexcept;

 private:
  friend class StopState;

  End end_;
  StopState* state_ = nullptr;

  // Guarded by the mutex of the state.
  Endable* next_ = nullptr;
  Endable* previous_ = nullptr;
  std::uint64_t round_ = 0;      ///< The last round of pull() that has asked it.
  std::uint64_t ask_at_ns_ = 0;  ///< When the stop's thread asks it; 0: not.
  std::uint64_t pause_ns_ = 0;   ///< Before it asks again.
  std::uint32_t askers_ = 0;     ///< Threads that ask it now.
  EndedBy by_ = EndedBy::nothing;
  bool is_told_ = false;
  bool is_leaving_ = false;
};

/// Makes the error of a call that was ended: `cancelled` or `timed_out`.
[[nodiscard]] Error ended(EndedBy by, const char* step, const std::string& object,
                          std::string_view why = {});

}  // namespace detail

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/stop.ipp"
#endif
