// LogSink: receives the lines of a log. LogSlots: the callbacks through which QNN reaches it.
#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "qnnpp/abi/log.hpp"
#include "qnnpp/core/detail/never_destroyed.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Receives lines. Copies of a LogOptions share one sink.
class LogSink : public RefCounted<LogSink> {
 public:
  virtual ~LogSink() = default;
  /// Opens what the sink writes to, before each logger that uses it is created. LogSlots makes one
  /// call at a time.
  [[nodiscard]] virtual Result<void> open() { return {}; }
  /// Receives one line; LogSlots makes one call at a time.
  virtual void write(c_api::LogLevel level, std::string_view text) noexcept = 0;

 private:
  friend class LogSlots;
  std::mutex opening_;  ///< Locked while open() runs.
};

/// Function or object that receives lines.
template <class Callable>
concept ReceivesLines =
    requires(Callable& callable, std::string_view text) { callable(c_api::LogLevel::error, text); };

/// Callable that may be null or empty: a pointer, a std::function. A lambda is neither, although it
/// compares with nullptr if it converts to a pointer.
template <class Callable>
concept Nullable = std::is_assignable_v<Callable&, std::nullptr_t> &&
                   requires(const Callable& callable) { callable == nullptr; };

/// Calls a function and drops what it throws: an exception must not pass through C.
template <class Function>
void drop_if_thrown(Function&& function) noexcept {
#ifdef __cpp_exceptions
  try {
    function();
  } catch (...) {
    return;
  }
#else
  function();
#endif
}

/// Passes lines to a callable.
template <class Callable>
class CallableSink final : public LogSink {
 public:
  explicit CallableSink(Callable callable) : callable_(std::move(callable)) {}
  void write(c_api::LogLevel level, std::string_view text) noexcept override {
    drop_if_thrown([&] { callable_(level, text); });
  }

 private:
  Callable callable_;
};

/// The log callbacks of this copy of qnnpp, each with a slot for the sink that it passes lines to.
///
/// The HTP library may call a callback until the process ends, even after QnnLog_free; a callback
/// whose slot is empty drops the line.
class LogSlots {
 public:
  /// Number of sinks that can be in use at once.
  static constexpr std::size_t count = 16;

  /// Opens the sink and returns its slot: the slot that holds it already, or an empty one. A sink
  /// of level `error` receives errors only, unless another use of its slot has a further level.
  /// Errors: those of LogSink::open(); `in_use` if all slots are in use.
  [[nodiscard]] Result<std::size_t> take(const Ref<LogSink>& sink, c_api::LogLevel level);

  /// Ends one use of a slot. The last use empties it, after waiting for the sink's running call.
  void give_back(std::size_t index) noexcept;

  /// Keeps an error line for Error::detail and passes the line to the slot's sink. Drops it if a
  /// sink that runs on this thread caused it, if the slot is empty, and when the process ends.
  void pass(std::size_t index, c_api::LogLevel level, std::string_view text) noexcept;

  /// The callback that passes lines to a slot.
  [[nodiscard]] static c_api::LogCallback callback(std::size_t slot) noexcept;

  /// Requires that no sink runs on this thread.
  void expect_none_runs_here() const noexcept;

 private:
  struct Slot {
    ForkableMutex mutex;  ///< Locked while the sink runs.
    /// Thread on which the sink runs.
    std::atomic<const void*> runner{nullptr};
    Ref<LogSink> sink;                     ///< Changed under both mutexes.
    std::atomic<bool> errors_only{false};  ///< Drops all lines except errors.
    std::size_t uses = 0;                  ///< Changed under LogSlots::mutex_.
  };
  /// Ends all sinks, and waits up to a second for their running calls.
  void end() noexcept;
  /// Whether a sink runs on this thread.
  [[nodiscard]] bool runs_here() const noexcept;

  ForkableMutex mutex_;  ///< Locked while slots are taken or given back.
  std::array<Slot, count> slots_;
  std::atomic<std::size_t> running_{0};  ///< Number of sinks that run.
  std::atomic<bool> is_ended_{false};    ///< exit() destroys the objects that sinks may use.
};

inline constinit NeverDestroyed<LogSlots> log_slots;

/// Mutex that a thread must not lock in a log sink, because the call that logs may have locked it.
class SetupMutex {
 public:
  void lock() {
    log_slots->expect_none_runs_here();
    mutex_.lock();
  }
  void unlock() noexcept { mutex_.unlock(); }

 private:
  ForkableMutex mutex_;
};

/// Owns one use of a slot, which LogSlots::take() returned. May end in another copy of qnnpp.
class LogSlotUse {
 public:
  explicit LogSlotUse(std::size_t slot) noexcept : slot_(slot) {}
  LogSlotUse(const LogSlotUse&) = delete;
  LogSlotUse& operator=(const LogSlotUse&) = delete;
  ~LogSlotUse() { slots_->give_back(slot_); }

 private:
  LogSlots* slots_ = &log_slots.object;
  std::size_t slot_;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/log_sink.ipp"
#endif
