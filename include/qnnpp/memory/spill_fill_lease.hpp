// SpillFillLease: the right to execute, where several contexts share scratch memory.
#pragma once

#include <cstdint>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/mutex.hpp"
#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/ref.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

namespace detail {

/// One per spill-fill buffer that is shared, by external buffer or by group (BUF-12).
struct ExecutionLock : RefCounted<ExecutionLock> {
  Mutex mutex;
};

}  // namespace detail

/// Exclusive right to execute graphs of the contexts that share one spill-fill buffer. Made by
/// SharedSpillFill::lease() and Context<Finalized>::lease().
///
/// Taken once around many executions, it makes each of them free of locking. Move-only; released by
/// its destructor, on the thread that took it. Keeps the lock alive; empty when moved from.
class SpillFillLease {
 private:
  friend struct detail::Access;

  /// Waits until no other lease of `lock` lives. Null: locks nothing.
  explicit SpillFillLease(Ref<detail::ExecutionLock> lock) noexcept : block_(locked(lock)) {}
  [[nodiscard]] static SpillFillLease make(Ref<detail::ExecutionLock> lock) noexcept {
    return SpillFillLease(std::move(lock));
  }

  /// A locked lock, and a reference to it. Unlocked before the reference goes, which may be the
  /// last.
  struct Policy {
    using Value = detail::ExecutionLock*;
    static Value null() noexcept { return nullptr; }
    static std::uint64_t close(Value lock) noexcept {
      const auto last = Ref<detail::ExecutionLock>::adopt(lock);
      last->mutex.unlock();
      return 0;
    }
  };

  /// Locks it, and takes the reference.
  [[nodiscard]] static detail::ExecutionLock* locked(Ref<detail::ExecutionLock>& lock) noexcept {
    if (lock) lock->mutex.lock();
    return lock.release();
  }

  Owner<Policy> block_;
};

namespace detail {

/// Whether `lease` is a lease of `lock`. A null lock shares nothing, and any lease will do: a
/// pipeline runs under one lease even if some of its contexts need no spill-fill memory (BUF-09).
[[nodiscard]] inline bool covers(const SpillFillLease& lease,
                                 const Ref<ExecutionLock>& lock) noexcept {
  if (Access::block(lease).get() == lock.get()) [[likely]]
    return true;
  return !lock;
}

}  // namespace detail

}  // namespace qnnpp::inline QNNPP_NAMESPACE
