// Mutex: mutual exclusion in one word, for locks that are hardly ever waited for.
#pragma once

#include <cstdint>

#include "qnnpp/core/detail/atomic.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Taken and given back by one atomic operation each while nobody waits, where a std::mutex makes
/// two calls; who waits sleeps (futex). Not recursive.
class Mutex {
 public:
  Mutex() noexcept = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() noexcept {
    if (!try_lock()) [[unlikely]]
      wait();
  }
  /// Takes it if it is free.
  [[nodiscard]] bool try_lock() noexcept {
    std::uint32_t found = free;
    return state_.compare_exchange(found, held, Order::acquire);
  }
  void unlock() noexcept {
    if (state_.exchange(free, Order::release) == awaited) [[unlikely]]
      wake();
  }

 private:
  static constexpr std::uint32_t free = 0;
  static constexpr std::uint32_t held = 1;
  static constexpr std::uint32_t awaited = 2;

  /// Sleeps until it is free, and takes it.
  void wait() noexcept;
  /// Wakes one of those who sleep.
  void wake() noexcept;

  Atomic<std::uint32_t> state_{free};
};

/// Holds a mutex for the time of its life.
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

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/mutex.ipp"
#endif
