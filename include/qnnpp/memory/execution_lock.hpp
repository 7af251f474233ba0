// ExecutionLock: the right to execute, where several contexts share scratch memory.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>

#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/ref.hpp"

namespace qnnpp {

namespace detail {

/// One per spill-fill buffer that is shared, by external buffer or by group (BUF-12).
struct ExecutionLock : RefCounted<ExecutionLock> {
  std::mutex mutex;
};

}  // namespace detail

/// Exclusive right to execute graphs of the contexts that share one spill-fill buffer.
///
/// Taken once around many executions, it makes each of them free of locking. Move-only; released by
/// its destructor, on the thread that took it. Keeps the lock alive; empty when moved from.
class SpillFillLease {
 public:
  /// Waits until nobody else holds it. For SharedSpillFill::lease() and Context::lease().
  explicit SpillFillLease(Ref<detail::ExecutionLock> lock) {
    if (lock) lock->mutex.lock();
    held_ = Owner<Policy>(std::move(lock));
  }

  /// Whether this is the lease of `lock`. Where nothing is shared, `lock` is null and any lease will
  /// do: a pipeline runs under one, even if some of its contexts need no spill-fill memory (BUF-09).
  [[nodiscard]] bool covers(const Ref<detail::ExecutionLock>& lock) const noexcept {
    return !lock || held_.get() == lock;
  }

 private:
  /// A locked lock. Unlocked before its reference goes, which may be the last.
  struct Policy {
    using Value = Ref<detail::ExecutionLock>;
    static Value null() noexcept { return {}; }
    static std::uint64_t close(Value lock) noexcept {
      lock->mutex.unlock();
      return 0;
    }
  };

  Owner<Policy> held_;
};

}  // namespace qnnpp
