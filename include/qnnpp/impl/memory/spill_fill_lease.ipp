// Definitions of spill_fill_lease.hpp.
#pragma once

#include "qnnpp/memory/spill_fill_lease.hpp"

#include <chrono>
#include <condition_variable>

#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/detail/process_wide.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// A waiting thread, in the queue. Lives on the stack of that thread. Its layout is fixed.
struct ExecutionLock::Waiter {
  ThreadNumber thread;
  const ExecutionLock* lock;
  Waiter* next = nullptr;
  bool has_turn = false;
  std::condition_variable turn = {};
  bool is_endless = false;
  bool is_seen = false;  ///< By a walk of EndlessWaits, which guards it.
  Waiter* next_endless = nullptr;
};

/// The threads of the process that wait without limit. A thread is here until it is given the lock,
/// so that a holder in the list holds other locks than the one that it waits for.
struct ExecutionLock::EndlessWaits {
  std::mutex mutex;  ///< Locked after that of a lock.
  Waiter* first = nullptr;

  /// Adds a wait, unless it would close a circle.
  [[nodiscard]] bool add(Waiter& waiter) noexcept {
    const std::lock_guard guard(mutex);
    for (Waiter* each = first; each != nullptr; each = each->next_endless) each->is_seen = false;
    if (leads_to(waiter.thread, *waiter.lock)) return false;
    waiter.is_endless = true;
    waiter.next_endless = first;
    first = &waiter;
    return true;
  }
  void remove(const Waiter& waiter) noexcept {
    const std::lock_guard guard(mutex);
    Waiter** at = &first;
    while (*at != &waiter) at = &(*at)->next_endless;
    *at = waiter.next_endless;
  }

 private:
  /// Whether `thread` may hold `lock`, or the lock that a thread waits for which may hold `lock`,
  /// and so on.
  [[nodiscard]] bool leads_to(ThreadNumber thread, const ExecutionLock& lock) noexcept {
    if (lock.threads_.has(thread)) return true;
    for (Waiter* each = first; each != nullptr; each = each->next_endless)
      if (lock.threads_.has(each->thread) && !std::exchange(each->is_seen, true) &&
          leads_to(thread, *each->lock))
        return true;
    return false;
  }
};

/// A wait that a Stop ends.
struct ExecutionLock::StoppedWait : Endable {
  explicit StoppedWait(ExecutionLock& waited_for) noexcept : Endable(&end), lock(waited_for) {}

  static bool end(Endable& wait) noexcept {
    auto& self = static_cast<StoppedWait&>(wait);
    const std::lock_guard guard(self.lock.mutex_);
    self.is_stopped = true;
    if (self.waiter != nullptr) self.waiter->turn.notify_one();
    return true;
  }

  ExecutionLock& lock;
  // Guarded by the mutex of the lock.
  Waiter* waiter = nullptr;  ///< While the thread waits.
  bool is_stopped = false;
};

QNNPP_INLINE ExecutionLock::EndlessWaits& ExecutionLock::endless_waits() noexcept {
  static constinit ProcessWide<EndlessWaits, SharedObject::endless_waits> waits;
  return *waits;
}

QNNPP_INLINE ExecutionLock::Attempt ExecutionLock::take(double seconds) noexcept {
  // Another thread of the parent may hold the mutex for ever.
  if (is_forked()) [[unlikely]]
    return Attempt::held_by_another;
  mutex_.lock();  // Not by an object, which costs more here.
  const ThreadNumber holder = threads_.holder();
  if (holder == no_thread) [[likely]] {
    threads_.set_holder(thread_number());
    mutex_.unlock();
    return Attempt::taken;
  }
  std::unique_lock guard(mutex_, std::adopt_lock);
  // The last executor may or may not hold the lease: it may wait only with a limit.
  const bool is_mine = seconds >= endless ? is_held_by_this_thread() : holder == thread_number();
  if (is_mine) return Attempt::held_by_this_thread;
  return seconds > 0 ? wait(guard, seconds) : Attempt::held_by_another;
}

[[gnu::noinline]] QNNPP_INLINE ExecutionLock::Attempt ExecutionLock::take(
    double seconds, const StopOption& stop) noexcept {
  if (!stop) return take(seconds);
  // Without the stop while nobody has the lock.
  const bool may_wait = seconds > 0;
  if (const Attempt attempt = take(0); attempt != Attempt::held_by_another || !may_wait)
    return attempt;
  StoppedWait by_stop(*this);
  if (!by_stop.begin(stop)) return Attempt::stopped;
  Attempt attempt = Attempt::held_by_another;
  {
    std::unique_lock guard(mutex_);
    const bool is_mine =
        seconds >= endless ? is_held_by_this_thread() : threads_.holder() == thread_number();
    if (is_mine) {
      attempt = Attempt::held_by_this_thread;
    } else if (threads_.holder() == no_thread) {
      threads_.set_holder(thread_number());
      attempt = Attempt::taken;
    } else {
      attempt = wait(guard, seconds, &by_stop);
    }
  }
  (void)by_stop.finish();
  return attempt;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE ExecutionLock::Attempt ExecutionLock::wait(
    std::unique_lock<std::mutex>& guard, double seconds, StoppedWait* by_stop) noexcept {
  Waiter self{.thread = thread_number(), .lock = this};
  if (seconds >= endless && !endless_waits().add(self)) return Attempt::awaits_this_thread;
  *end_ = &self;
  end_ = &self.next;
  if (by_stop != nullptr) by_stop->waiter = &self;
  const auto is_over = [&] { return self.has_turn || (by_stop != nullptr && by_stop->is_stopped); };
  if (seconds >= endless)
    self.turn.wait(guard, is_over);
  else
    (void)self.turn.wait_for(guard, std::chrono::duration<double>(seconds), is_over);
  if (by_stop != nullptr) by_stop->waiter = nullptr;
  if (self.has_turn) return Attempt::taken;
  if (self.is_endless) endless_waits().remove(self);
  Waiter** at = &first_;
  while (*at != &self) at = &(*at)->next;
  *at = self.next;
  if (*at == nullptr) end_ = at;
  return by_stop != nullptr && by_stop->is_stopped ? Attempt::stopped : Attempt::held_by_another;
}

QNNPP_INLINE void ExecutionLock::give_back() noexcept {
  qnnpp::detail::expects(
      !executing_.load(std::memory_order_relaxed),
      "the lease ends while a graph executes under it; let the execution end first");
  const std::lock_guard guard(mutex_);
  Waiter* const next = first_;
  if (next == nullptr) [[likely]] {
    threads_.set_holder(no_thread);
    return;
  }
  first_ = next->next;
  if (first_ == nullptr) end_ = &first_;
  if (next->is_endless) endless_waits().remove(*next);
  threads_.set_holder(next->thread);
  next->has_turn = true;
  next->turn.notify_one();  // Under the mutex, as the waiter may be destroyed after it.
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error not_taken(ExecutionLock::Attempt attempt,
                                                          std::string_view object, Errc kind) {
  constexpr const char* step = "acquiring the right to execute";
  if (is_forked()) return Error::make(Errc::foreign_process, step, object);
  if (attempt == ExecutionLock::Attempt::held_by_this_thread)
    return Error::make(Errc::would_deadlock, step, object,
                       "this thread acquired or moved the lease, or executed under it last");
  if (attempt == ExecutionLock::Attempt::awaits_this_thread)
    return Error::make(Errc::would_deadlock, step, object,
                       "the thread that has the lease waits for one that this thread has");
  if (attempt == ExecutionLock::Attempt::stopped) return Error::make(Errc::cancelled, step, object);
  return Error::make(kind, step, object, "another thread executes or holds a lease");
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error lease_executes(std::string_view object) {
  // An execution of the parent did not end in a forked child.
  if (is_forked()) return Error::make(Errc::foreign_process, "executing under a lease", object);
  return Error::make(Errc::in_use, "executing under a lease", object,
                     "another execution runs under the same lease");
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
