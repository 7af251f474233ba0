// Turns: lets one thread at a time load, while others sleep until a change. Prefetcher: a thread
// that loads ahead after each change.
#pragma once

#include "qnnpp/config.hpp"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "qnnpp/core/error.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/spill_fill_lease.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

using qnnpp::detail::no_thread;
using qnnpp::detail::thread_number;
using qnnpp::detail::ThreadNumber;

/// The thread that has the turn to load, evict and free. The owner's mutex guards this object, but
/// is not held during the turn.
class Turns {
 public:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool is_mine() const noexcept { return turn_ == thread_number(); }
  /// Whether a thread has the turn, or waits in wait_for_turn(), which has priority over requests.
  [[nodiscard]] bool is_taken() const noexcept { return turn_ != no_thread || wanted_ != 0; }
  void take() noexcept { turn_ = thread_number(); }
  void end() noexcept { turn_ = no_thread; }

  /// Wakes the sleeping threads after a change.
  void notify() noexcept {
    if (sleepers_ != 0) changed_.notify_all();
  }
  /// Sleeps until a change or `until`. `looks_again` ends the sleep after 10 ms, because no signal
  /// reports that graphs release a context or that a pinned context dies.
  void wait(std::unique_lock<std::mutex>& known, Clock::time_point until, bool looks_again);
  /// Sleeps until no thread has the turn.
  void wait_for_turn(std::unique_lock<std::mutex>& known);

 private:
  ThreadNumber turn_ = no_thread;
  std::size_t wanted_ = 0;
  std::size_t sleepers_ = 0;
  std::condition_variable changed_;
};

/// Calls a function at the end of its scope with a lock held. Locks it first if it is not held.
template <class Function>
class AtEnd {
 public:
  AtEnd(std::unique_lock<std::mutex>& lock, Function function)
      : lock_(lock), function_(std::move(function)) {}
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
  ~AtEnd() {
    if (!lock_.owns_lock()) lock_.lock();
    function_();
  }

 private:
  std::unique_lock<std::mutex>& lock_;
  Function function_;
};

/// Calls a function that returns a Result<void>, on a thread that no exception may leave. Turns
/// std::bad_alloc into `allocation_failed`, without a text because a text would be allocated.
template <class Function>
[[nodiscard]] Result<void> or_out_of_memory(Function function) {
#ifdef __cpp_exceptions
  try {
    return function();
  } catch (const std::bad_alloc&) {
    Error error;
    error.kind = Errc::allocation_failed;
    return fail(std::move(error));
  }
#else
  return function();
#endif
}

/// Thread that calls `step` after each wake() until it returns false. The destructor waits for the
/// current step and ends the thread.
class Prefetcher {
 public:
  /// `step` performs one load or eviction; it returns false if there is nothing to do. The thread
  /// runs after start().
  explicit Prefetcher(std::function<bool()> step) : step_(std::move(step)) {}
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;
  ~Prefetcher();

  /// Starts the thread. Error: `allocation_failed` with errno if the system creates no thread.
  [[nodiscard]] Result<void> start();

  /// Reports a change to the thread.
  void wake();
  /// Waits until the thread has nothing to do after all changes reported so far.
  void settle();

 private:
  void run();

  std::function<bool()> step_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t changes_ = 0;
  std::uint64_t settled_ = 0;
  bool stopping_ = false;
  // Not a std::thread, which throws if it cannot start, and without exceptions ends the process.
  std::optional<pthread_t> thread_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/prefetcher.ipp"
#endif
