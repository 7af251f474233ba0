// Definitions of spill_fill_lease.hpp.
#pragma once

#include "qnnpp/memory/spill_fill_lease.hpp"

#include <chrono>
#include <condition_variable>

#include "qnnpp/core/detail/contract.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// A waiting thread, in the queue. Lives on the stack of that thread.
struct ExecutionLock::Waiter {
  ThreadNumber thread;
  Waiter* next = nullptr;
  bool has_turn = false;
  std::condition_variable turn = {};
};

QNNPP_INLINE ExecutionLock::Attempt ExecutionLock::take(double seconds) noexcept {
  std::unique_lock guard(mutex_);
  const ThreadNumber holder = threads_.holder();
  if (holder == no_thread) [[likely]] {
    threads_.set_holder(thread_number());
    return Attempt::taken;
  }
  // The last executor may or may not hold the lease: it may wait only with a limit.
  const bool is_mine = seconds >= endless ? is_held_by_this_thread() : holder == thread_number();
  if (is_mine) return Attempt::held_by_this_thread;
  return seconds > 0 ? wait(guard, seconds) : Attempt::held_by_another;
}

QNNPP_COLD QNNPP_INLINE ExecutionLock::Attempt ExecutionLock::wait(
    std::unique_lock<std::mutex>& guard, double seconds) noexcept {
  Waiter self{.thread = thread_number()};
  *end_ = &self;
  end_ = &self.next;
  const auto has_turn = [&self] { return self.has_turn; };
  if (seconds >= endless) {
    self.turn.wait(guard, has_turn);
    return Attempt::taken;
  }
  if (self.turn.wait_for(guard, std::chrono::duration<double>(seconds), has_turn))
    return Attempt::taken;
  Waiter** at = &first_;
  while (*at != &self) at = &(*at)->next;
  *at = self.next;
  if (*at == nullptr) end_ = at;
  return Attempt::held_by_another;
}

QNNPP_INLINE void ExecutionLock::give_back() noexcept {
  QNNPP_EXPECTS(!executing_.load(std::memory_order_relaxed),
                "the lease ends while a graph executes under it; let the execution end first");
  const std::lock_guard guard(mutex_);
  Waiter* const next = first_;
  if (next == nullptr) [[likely]] {
    threads_.set_holder(no_thread);
    return;
  }
  first_ = next->next;
  if (first_ == nullptr) end_ = &first_;
  threads_.set_holder(next->thread);
  next->has_turn = true;
  next->turn.notify_one();  // Under the mutex, as the waiter may be destroyed after it.
}

QNNPP_COLD QNNPP_INLINE Error not_taken(ExecutionLock::Attempt attempt, std::string_view object,
                                        Errc kind) {
  constexpr const char* step = "acquiring the right to execute";
  if (attempt == ExecutionLock::Attempt::held_by_this_thread)
    return Error::make(Errc::would_deadlock, step, object,
                       "this thread acquired or moved the lease, or executed under it last");
  return Error::make(kind, step, object, "another thread executes or holds a lease");
}

QNNPP_COLD QNNPP_INLINE Error lease_executes(std::string_view object) {
  return Error::make(Errc::in_use, "executing under a lease", object,
                     "another execution runs under the same lease");
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
