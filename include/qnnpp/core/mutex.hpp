// Mutex: mutual exclusion in one word, for locks that are hardly ever waited for.
#pragma once

#include <atomic>
#include <cstdint>

#include "qnnpp/config.hpp"

namespace qnnpp::detail {

/// Taken and given back by one atomic operation each while nobody waits, where a std::mutex makes
/// two calls; who waits sleeps (std::atomic::wait). Not recursive.
class Mutex {
 public:
  Mutex() noexcept = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() noexcept {
    if (!try_lock()) wait();
  }
  /// Takes it if it is free.
  [[nodiscard]] bool try_lock() noexcept {
    std::uint32_t found = free;
    return state_.compare_exchange_strong(found, held, std::memory_order_acquire);
  }
  void unlock() noexcept {
    if (state_.exchange(free, std::memory_order_release) == awaited) state_.notify_one();
  }

 private:
  static constexpr std::uint32_t free = 0;
  static constexpr std::uint32_t held = 1;
  static constexpr std::uint32_t awaited = 2;

  /// Whoever wakes takes it as awaited: others may wait still.
  QNNPP_COLD void wait() noexcept {
    while (state_.exchange(awaited, std::memory_order_acquire) != free) state_.wait(awaited);
  }

  std::atomic<std::uint32_t> state_{free};
};

/// Holds a mutex for the time of its life.
class Held {
 public:
  explicit Held(Mutex& mutex) noexcept : mutex_(mutex) { mutex_.lock(); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { mutex_.unlock(); }

 private:
  Mutex& mutex_;
};

}  // namespace qnnpp::detail
