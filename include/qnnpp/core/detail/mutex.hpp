// Mutex: mutual exclusion in one word, for locks that are rarely contended.
#pragma once

#include <atomic>
#include <cstdint>

#include "qnnpp/config.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Locks and unlocks by one atomic operation each while no other thread waits. A waiting thread
/// sleeps. Not recursive.
class Mutex {
 public:
  Mutex() noexcept = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() noexcept {
    if (!try_lock()) [[unlikely]]
      wait();
  }
  /// Locks it if it is free.
  [[nodiscard]] bool try_lock() noexcept {
    std::uint32_t found = free;
    return state_.compare_exchange_strong(found, held, std::memory_order_acquire);
  }
  void unlock() noexcept {
    if (state_.exchange(free, std::memory_order_release) == contended) [[unlikely]]
      state_.notify_one();
  }

 private:
  static constexpr std::uint32_t free = 0;
  static constexpr std::uint32_t held = 1;
  static constexpr std::uint32_t contended = 2;

  /// Sleeps until it is free, and locks it as contended, so that unlock() wakes the next waiter.
  QNNPP_COLD void wait() noexcept {
    while (state_.exchange(contended, std::memory_order_acquire) != free) state_.wait(contended);
  }

  std::atomic<std::uint32_t> state_{free};
};

/// Holds a mutex while it lives.
class LockGuard {
 public:
  explicit LockGuard(Mutex& mutex) noexcept : mutex_(mutex) { mutex_.lock(); }
  LockGuard(const LockGuard&) = delete;
  LockGuard& operator=(const LockGuard&) = delete;
  ~LockGuard() { mutex_.unlock(); }

 private:
  Mutex& mutex_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
