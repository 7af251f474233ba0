// Atomic<T>: a word that threads share, without what <atomic> brings along for those who wait.
#pragma once

#include "qnnpp/config.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// What an operation promises of the memory around it; as in std::memory_order.
enum class Order : int {
  relaxed = __ATOMIC_RELAXED,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acquire_release = __ATOMIC_ACQ_REL,
  sequential = __ATOMIC_SEQ_CST,
};

/// A number or a pointer. Its functions are those of std::atomic<T>, as far as they are used here.
template <class T>
class Atomic {
 public:
  constexpr explicit Atomic(T value) noexcept : value_(value) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  [[nodiscard]] T load(Order order = Order::sequential) const noexcept {
    return __atomic_load_n(&value_, static_cast<int>(order));
  }
  void store(T value, Order order = Order::sequential) noexcept {
    __atomic_store_n(&value_, value, static_cast<int>(order));
  }
  /// These return what was there before.
  T exchange(T value, Order order = Order::sequential) noexcept {
    return __atomic_exchange_n(&value_, value, static_cast<int>(order));
  }
  T fetch_add(T value, Order order = Order::sequential) noexcept {
    return __atomic_fetch_add(&value_, value, static_cast<int>(order));
  }
  T fetch_sub(T value, Order order = Order::sequential) noexcept {
    return __atomic_fetch_sub(&value_, value, static_cast<int>(order));
  }
  /// Stores `value` where `expected` is; else is false, and tells in `expected` what is there. The
  /// order is one that a load can have.
  [[nodiscard]] bool compare_exchange(T& expected, T value,
                                      Order order = Order::sequential) noexcept {
    return __atomic_compare_exchange_n(&value_, &expected, value, false, static_cast<int>(order),
                                       static_cast<int>(order));
  }

 private:
  alignas(sizeof(T)) T value_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
