// Definitions of mutex.hpp.
#pragma once

#include "qnnpp/core/detail/mutex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/atomic.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

// The kernel looks at the word itself.
static_assert(sizeof(Atomic<std::uint32_t>) == sizeof(std::uint32_t));

QNNPP_COLD QNNPP_INLINE void Mutex::wait() noexcept {
  // Whoever wakes takes it as awaited: others may wait still.
  while (state_.exchange(awaited, Order::acquire) != free)
    ::syscall(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, awaited, nullptr);
}

QNNPP_COLD QNNPP_INLINE void Mutex::wake() noexcept {
  ::syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
