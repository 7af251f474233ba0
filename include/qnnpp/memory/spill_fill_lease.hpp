// SpillFillLease: exclusive right to execute while several contexts share spill-fill memory.
#pragma once

#include "qnnpp/config.hpp"
#include "qnnpp/platform.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/forked.hpp"
#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/stop.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

/// Number of a thread: the kernel's, so that all copies of qnnpp in the process know it by the same
/// one. The kernel uses a number again only when it has used all others.
using ThreadNumber = std::uint32_t;
/// Number that no thread has.
inline constexpr ThreadNumber no_thread = 0;

/// Number of the calling thread; 0 until thread_number() asks for it.
inline constinit thread_local ThreadNumber number_of_this_thread = no_thread;

/// Returns the number of the calling thread. Calls the system once a thread.
[[nodiscard]] [[gnu::always_inline]] inline ThreadNumber thread_number() noexcept {
  if (number_of_this_thread == no_thread) [[unlikely]]
    number_of_this_thread = static_cast<ThreadNumber>(::gettid());
  return number_of_this_thread;
}

/// The threads that may hold an object. The holder acquired or moved it last. The user has used it
/// last since then, because the holder lent it by reference, or moved it into the user's closure.
/// These two cases cannot be distinguished, so either thread may have it.
class HolderThreads {
 public:
  [[nodiscard]] ThreadNumber holder() const noexcept {
    return holder_.load(std::memory_order_relaxed);
  }
  void set_holder(ThreadNumber thread) noexcept {
    holder_.store(thread, std::memory_order_relaxed);
    user_.store(no_thread, std::memory_order_relaxed);
  }
  [[gnu::always_inline]] void note_use() noexcept {
    user_.store(thread_number(), std::memory_order_relaxed);
  }
  /// Whether a thread is the holder or the user.
  [[nodiscard]] bool has(ThreadNumber thread) const noexcept {
    return holder() == thread || user_.load(std::memory_order_relaxed) == thread;
  }

 private:
  std::atomic<ThreadNumber> holder_{no_thread};
  std::atomic<ThreadNumber> user_{no_thread};
};

/// Lock of the right to execute: one for each spill-fill buffer that contexts share, external or of
/// a group (BUF-12).
///
/// Serves threads in the order of their requests. Records which threads may hold the lock, and
/// which lock each thread waits for without limit, so that no threads wait for each other in a
/// circle. Thread-safe; a thread may release a lock that another thread acquired. Its layout is
/// fixed: see ProcessWide.
class ExecutionLock : public RefCounted<ExecutionLock> {
 public:
  /// Result of take().
  enum class Attempt : std::uint8_t {
    taken,                ///< This thread holds the lock.
    held_by_this_thread,  ///< This thread already holds the lock and would wait for itself.
    awaits_this_thread,   ///< The holder waits for a lock that this thread holds, or for a thread
                          ///< that does so, and so on.
    held_by_another,      ///< Another thread held the lock until the wait ended.
    stopped,              ///< A Stop ended the wait.
  };
  /// A wait of this length or longer has no limit.
  static constexpr double endless = endless_seconds;

  /// Locks. Blocks for at most `seconds` while another thread holds the lock or is ahead in the
  /// queue.
  [[nodiscard]] Attempt take(double seconds = endless) noexcept;
  /// Locks as take() does, unless `stop` ends the wait.
  [[nodiscard]] Attempt take(double seconds, const StopOption& stop) noexcept;
  /// Unlocks, and passes the lock to the thread that has waited longest. No execution may run under
  /// the lock (contract).
  void give_back() noexcept;

  /// Records that this thread moved the lease: it becomes the only holder.
  void note_thread() noexcept { threads_.set_holder(thread_number()); }
  /// Whether this thread was the last to acquire the lock or move its lease, or the last to execute
  /// under it since then.
  [[nodiscard]] bool is_held_by_this_thread() const noexcept {
    return threads_.has(thread_number());
  }

  /// Begins an execution under the lease. Returns false while another execution runs.
  [[nodiscard]] [[gnu::always_inline]] bool begin_execution() noexcept {
    if (executing_.exchange(true, std::memory_order_acquire)) [[unlikely]]
      return false;
    threads_.note_use();
    return true;
  }
  /// Ends the execution that begin_execution() began.
  [[gnu::always_inline]] void end_execution() noexcept {
    executing_.store(false, std::memory_order_release);
  }

 private:
  struct Waiter;
  struct StoppedWait;
  struct EndlessWaits;

  [[nodiscard]] static EndlessWaits& endless_waits() noexcept;
  [[nodiscard]] Attempt wait(std::unique_lock<std::mutex>& guard, double seconds,
                             StoppedWait* by_stop = nullptr) noexcept;

  std::mutex mutex_;  ///< Guards the queue and the choice of the next holder.
  Waiter* first_ = nullptr;
  Waiter** end_ = &first_;
  HolderThreads threads_;  ///< An execution uses the lock.
  std::atomic<bool> executing_{false};
};

/// Unlocks in its destructor.
struct GivesBack {
  ExecutionLock& lock;
  ~GivesBack() { lock.give_back(); }
};
/// Ends an execution in its destructor.
struct EndsExecution {
  ExecutionLock& lock;
  ~EndsExecution() { lock.end_execution(); }
};

/// Makes the error of a failed attempt: `would_deadlock` if this thread would wait for itself,
/// `kind` if another thread holds the lock.
[[nodiscard]] Error not_taken(ExecutionLock::Attempt attempt, std::string_view object,
                              Errc kind = Errc::in_use);
/// Makes the error `in_use` for an execution while another one runs under the same lease.
[[nodiscard]] Error lease_executes(std::string_view object);

}  // namespace detail

/// Exclusive right to execute graphs of the contexts that share one spill-fill buffer. Returned by
/// lease(), try_lease() and lease_for() of SharedSpillFill.
///
/// A lease held for many executions spares each of them the wait. Move-only; a lease may be moved
/// to another thread and destroyed there. Its destructor passes the right to the thread that has
/// waited longest. A lease keeps the lock alive, and is empty after a move. It must not end while a
/// graph executes under it (contract).
///
/// Threads: a lease is for one execution at a time; a second one gets `in_use`. Moving or
/// destroying a lease while another thread uses it is a data race.
///
/// Self-deadlock: the owner of a lease is the thread that acquired or moved it last. It gets
/// `would_deadlock` if it requests the lock again. Another thread may execute under the lease,
/// because it borrows the lease by reference or because a third thread moved the lease into its
/// closure. The library cannot distinguish these two cases, so neither thread may wait without
/// limit. The last executor gets `would_deadlock` from execute() and lease() until the lease ends,
/// is moved, or another thread executes under it. try_lease() and lease_for() treat the last
/// executor like any other thread.
///
/// Giving a lease away: the giver owns it until the receiver moves it to its own variable. A
/// parameter of a thread's function is such a variable, as in `std::thread(work, std::move(lease))`
/// with `void work(SpillFillLease lease)`; a capture of a lambda is not. A receiver that has
/// neither moved the lease nor executed under it is unknown to the library: if it calls execute()
/// without the lease, or lease(), it waits for itself without end.
///
/// Two buffers: threads that hold the lease of one buffer and wait for another one, by lease() or
/// by executing a graph, should acquire them in one order. Otherwise they could wait for each other
/// without limit: the call that would close such a circle of any number of threads gets
/// `would_deadlock`. Give back the own lease then, so that the others proceed. Waits with a limit
/// end by themselves, and close no circle.
class SpillFillLease {
 public:
  QNNPP_REFUSE_CONSTRUCTOR("a lease has one owner; write std::move(lease)", SpillFillLease,
                           const SpillFillLease&);
  SpillFillLease& operator=(const SpillFillLease&) = delete;
  /// Takes over the right; the calling thread becomes the owner of the lease.
  SpillFillLease(SpillFillLease&& other) noexcept : block_(std::move(other.block_)) {
    note_thread();
  }
  /// Releases the current right and takes over the other; the calling thread becomes the owner.
  SpillFillLease& operator=(SpillFillLease&& other) noexcept {
    block_ = std::move(other.block_);
    note_thread();
    return *this;
  }
  ~SpillFillLease() = default;

  template <detail::ResultOf<SpillFillLease> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(lease), or use value_or_throw()",
      SpillFillLease, const R&);

 private:
  friend struct detail::Access;

  /// A held lock and a reference to it. Unlocks before it drops the reference, which may be the
  /// last.
  struct Policy {
    using Value = detail::ExecutionLock*;
    static Value null() noexcept { return nullptr; }
    static std::uint64_t close(Value lock) noexcept {
      const auto last = Ref<detail::ExecutionLock>::adopt(lock);
      if (!detail::is_forked()) last->give_back();  // PRC-01
      return 0;
    }
  };

  /// Makes a lease of a held lock. A null lock covers nothing.
  explicit SpillFillLease(Ref<detail::ExecutionLock> taken) noexcept : block_(taken.release()) {}

  /// Acquires `lock` within `seconds`. A null lock gives an empty lease. `kind` is the error if
  /// another thread has the lock.
  [[nodiscard]] static Result<SpillFillLease> make(Ref<detail::ExecutionLock> lock,
                                                   double seconds = detail::ExecutionLock::endless,
                                                   Errc kind = Errc::in_use,
                                                   const detail::StopOption& stop = {}) {
    if (lock)
      if (const auto attempt = lock->take(seconds, stop);
          attempt != detail::ExecutionLock::Attempt::taken)
        return fail(detail::not_taken(attempt, "shared spill-fill buffer", kind));
    return SpillFillLease(std::move(lock));
  }
  void note_thread() const noexcept {
    if (detail::ExecutionLock* const lock = block_.get()) lock->note_thread();
  }

  Owner<Policy> block_;
};

namespace detail {

/// Whether `lease` is a lease of `lock`. Any lease covers a null lock: a pipeline runs under one
/// lease even if some of its contexts need no spill-fill memory (BUF-09).
[[nodiscard]] inline bool covers(const SpillFillLease& lease,
                                 const Ref<ExecutionLock>& lock) noexcept {
  if (Access::block(lease).get() == lock.get()) [[likely]]
    return true;
  return !lock;
}

}  // namespace detail

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/spill_fill_lease.ipp"
#endif
