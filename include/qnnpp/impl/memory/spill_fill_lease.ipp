// Definitions of spill_fill_lease.hpp.
#pragma once

#include "qnnpp/memory/spill_fill_lease.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/contract.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// A thread that waits, on its own stack.
struct ExecutionLock::Waiter {
  pthread_t thread;
  Waiter* next = nullptr;
  bool has_turn = false;
  std::condition_variable turn = {};
};

QNNPP_INLINE ExecutionLock::Attempt ExecutionLock::take(double seconds) noexcept {
  const pthread_t self = ::pthread_self();
  std::unique_lock guard(mutex_);
  const pthread_t holder = holder_.load(std::memory_order_relaxed);
  if (holder == nobody) [[likely]] {
    holder_.store(self, std::memory_order_relaxed);
    return Attempt::taken;
  }
  if (holder == self) return Attempt::held_by_this_thread;
  return seconds > 0 ? wait(guard, self, seconds) : Attempt::held_by_another;
}

QNNPP_COLD QNNPP_INLINE ExecutionLock::Attempt ExecutionLock::wait(
    std::unique_lock<std::mutex>& guard, pthread_t thread, double seconds) noexcept {
  Waiter self{.thread = thread};
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
    holder_.store(nobody, std::memory_order_relaxed);
    return;
  }
  first_ = next->next;
  if (first_ == nullptr) end_ = &first_;
  holder_.store(next->thread, std::memory_order_relaxed);
  next->has_turn = true;
  next->turn.notify_one();  // Under the mutex: afterwards the waiter may be destroyed.
}

QNNPP_COLD QNNPP_INLINE Error not_taken(ExecutionLock::Attempt attempt, std::string object,
                                        Errc kind) {
  constexpr const char* step = "taking the right to execute";
  if (attempt == ExecutionLock::Attempt::held_by_this_thread)
    return Error::make(Errc::would_deadlock, step, std::move(object),
                       "it has the lease: it took or moved it, or executed under it last");
  return Error::make(kind, step, std::move(object), "another thread has it");
}

QNNPP_COLD QNNPP_INLINE Error lease_executes(std::string object) {
  return Error::make(Errc::in_use, "executing under a lease", std::move(object),
                     "another execution runs under the same lease");
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
