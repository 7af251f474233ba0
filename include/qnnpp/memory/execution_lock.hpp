// ExecutionLock: the right to execute, where several contexts share scratch memory.
#pragma once

#include <mutex>
#include <utility>

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
/// its destructor, on the thread that took it.
class SpillFillLease {
 public:
  /// Waits until nobody else holds it. For SharedSpillFill::lease() and Context::lease().
  explicit SpillFillLease(Ref<detail::ExecutionLock> lock) : lock_(std::move(lock)) {
    if (lock_) held_ = std::unique_lock(lock_->mutex);
  }

  /// Whether this is the lease of `lock`.
  [[nodiscard]] bool covers(const Ref<detail::ExecutionLock>& lock) const noexcept {
    return lock_ == lock && (held_.owns_lock() || !lock_);
  }

 private:
  Ref<detail::ExecutionLock> lock_;
  std::unique_lock<std::mutex> held_;
};

}  // namespace qnnpp
