// Turns: one thread at a time loads, others sleep until something changes. Prefetcher: a thread
// that works ahead whenever it is told that something has changed.
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

/// Whose turn it is to load, evict and free. The owner's mutex guards it; nothing is held while a
/// thread has the turn.
class Turns {
 public:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool is_mine() const noexcept { return turn_ == thread_number(); }
  /// Whether a thread has the turn, or waits for it in wait_for_turn(), which comes before others.
  [[nodiscard]] bool is_taken() const noexcept { return turn_ != no_thread || wanted_ != 0; }
  void take() noexcept { turn_ = thread_number(); }
  void end() noexcept { turn_ = no_thread; }

  /// Something changed that a sleeping thread may wait for.
  void notify() noexcept {
    if (sleepers_ != 0) changed_.notify_all();
  }
  /// Sleeps until something changes, or `until`. What graphs of others hold goes without a word,
  /// and a context may die while it is pinned: `looks_again` after a while.
  void wait(std::unique_lock<std::mutex>& known, Clock::time_point until, bool looks_again);
  /// Sleeps until nobody has the turn.
  void wait_for_turn(std::unique_lock<std::mutex>& known);

 private:
  ThreadNumber turn_ = no_thread;
  std::size_t wanted_ = 0;
  std::size_t sleepers_ = 0;
  std::condition_variable changed_;
};

/// Calls a function at the end of its scope, with a lock held, if need be again.
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

/// Calls a function that returns a Result<void>, on a thread that no exception may leave. Error, as
/// well as its own: `allocation_failed` without a text, which would be allocated, for bad_alloc.
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

/// Runs `step` until it finds nothing to do, each time it is woken. The destructor waits for the
/// step that is under way.
class Prefetcher {
 public:
  /// `step` does one thing at a time; false: there was nothing to do. No thread runs before
  /// start().
  explicit Prefetcher(std::function<bool()> step) : step_(std::move(step)) {}
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;
  ~Prefetcher();

  /// Starts the thread. Error: `allocation_failed` with errno where the system gives none.
  [[nodiscard]] Result<void> start();

  /// Something has changed.
  void wake();
  /// Waits until there is nothing to do after all changes so far.
  void settle();

 private:
  void run();

  std::function<bool()> step_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t changes_ = 0;
  std::uint64_t settled_ = 0;
  bool stopping_ = false;
  // A std::thread that cannot start throws; it ends the process where there are no exceptions.
  std::optional<pthread_t> thread_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/prefetcher.ipp"
#endif
