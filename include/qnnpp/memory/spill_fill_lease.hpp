// SpillFillLease: the right to execute, where several contexts share scratch memory.
#pragma once

#include "qnnpp/platform.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

namespace detail {

/// How many threads have a number.
inline constinit std::atomic<std::uint64_t> numbered_threads{0};
/// The number of the calling thread; 0: it has none yet.
inline constinit thread_local std::uint64_t this_thread = 0;

/// Number of a thread, which no other thread of the process ever gets: the system gives a
/// `std::thread::id` or `pthread_t` again once its thread has ended.
using ThreadNumber = std::uint64_t;
/// No thread has this number.
inline constexpr ThreadNumber no_thread = 0;

/// The number of the calling thread.
[[nodiscard]] QNNPP_ALWAYS_INLINE inline ThreadNumber thread_number() noexcept {
  if (this_thread == no_thread) [[unlikely]]
    this_thread = numbered_threads.fetch_add(1, std::memory_order_relaxed) + 1;
  return this_thread;
}

/// The right to execute, one per spill-fill buffer that is shared, by external buffer or by group
/// (BUF-12). Threads get it in the order in which they asked. It knows the threads that may have
/// it, so that no thread waits for itself. Thread-safe; may be given back by another thread than
/// took it.
class ExecutionLock : public RefCounted<ExecutionLock> {
 public:
  /// How an attempt to take it ended.
  enum class Attempt : std::uint8_t {
    taken,
    held_by_this_thread,  ///< Which would wait for itself.
    held_by_another,      ///< To the end of the wait.
  };
  /// A wait of so many seconds, a year, has no end.
  static constexpr double endless = 365.0 * 24 * 60 * 60;

  /// Takes it. Waits up to `seconds` while another thread has it or asked before.
  [[nodiscard]] Attempt take(double seconds = endless) noexcept;
  /// Gives it back: to the thread that waits longest, if one does. No execution runs under it
  /// (contract).
  void give_back() noexcept;

  /// Takes note that this thread moves the lease of this lock: it alone has it.
  void note_thread() noexcept { set_holder(thread_number()); }
  /// Whether this thread was the last one to take it or to move its lease, or to execute under it
  /// since then.
  [[nodiscard]] bool is_held_by_this_thread() const noexcept {
    const ThreadNumber self = thread_number();
    return holder_.load(std::memory_order_relaxed) == self ||
           executor_.load(std::memory_order_relaxed) == self;
  }

  /// Begins an execution under the lease of this lock. False while another execution runs.
  [[nodiscard]] QNNPP_ALWAYS_INLINE bool begin_execution() noexcept {
    if (executing_.exchange(true, std::memory_order_acquire)) [[unlikely]]
      return false;
    executor_.store(thread_number(), std::memory_order_relaxed);
    return true;
  }
  QNNPP_ALWAYS_INLINE void end_execution() noexcept {
    executing_.store(false, std::memory_order_release);
  }

 private:
  struct Waiter;

  [[nodiscard]] Attempt wait(std::unique_lock<std::mutex>& guard, double seconds) noexcept;
  void set_holder(ThreadNumber thread) noexcept {
    holder_.store(thread, std::memory_order_relaxed);
    executor_.store(no_thread, std::memory_order_relaxed);
  }

  std::mutex mutex_;  ///< Guards the queue, and who gets the lock.
  Waiter* first_ = nullptr;
  Waiter** end_ = &first_;
  /// The thread that took it, or moved its lease last.
  std::atomic<ThreadNumber> holder_{no_thread};
  /// The thread that executed under it last, since then. Its lease was lent to it, or was moved to
  /// it by another thread: nothing tells these two apart.
  std::atomic<ThreadNumber> executor_{no_thread};
  std::atomic<bool> executing_{false};
};

/// A std::chrono::duration. Its header is left to the sources that have one.
template <class T>
concept Duration = requires(const T& time) {
  static_cast<double>(time.count());
  T::period::num;
  T::period::den;
};
/// None of any unit overflows in floating point.
template <Duration T>
[[nodiscard]] constexpr double seconds_of(const T& time) {
  return static_cast<double>(time.count()) * static_cast<double>(T::period::num) /
         static_cast<double>(T::period::den);
}

/// Gives a lock back when it goes.
struct GivesBack {
  ExecutionLock& lock;
  ~GivesBack() { lock.give_back(); }
};
/// Ends an execution when it goes.
struct EndsExecution {
  ExecutionLock& lock;
  ~EndsExecution() { lock.end_execution(); }
};

/// The error of an attempt that did not take the lock: `would_deadlock`, or `kind` where another
/// thread has it.
[[nodiscard]] Error not_taken(ExecutionLock::Attempt attempt, std::string object,
                              Errc kind = Errc::in_use);
/// The error `in_use` of an execution under a lease under which another one runs.
[[nodiscard]] Error lease_executes(std::string object);

}  // namespace detail

/// Exclusive right to execute graphs of the contexts that share one spill-fill buffer. Made by
/// lease(), try_lease() and lease_for() of SharedSpillFill and Context<Finalized>.
///
/// Taken once around many executions, it makes each of them free of waiting. Move-only, and may be
/// moved to another thread and destroyed there: its destructor gives the right to the thread that
/// has waited longest. Keeps the lock alive; empty when moved from. It must not end while a graph
/// executes under it (contract).
///
/// Threads: a lease is for one execution at a time; a second one gets `in_use`. Moving or
/// destroying it while another thread uses it is a race, as for any object.
///
/// No thread waits for itself. The lease belongs to the thread that took it or moved it last, which
/// gets `would_deadlock` whenever it asks for the lock. Another thread may execute under the lease:
/// it borrows the lease by reference, or a third one moved the lease into the closure that it runs.
/// These look alike, so neither thread waits without end: the owner gets `would_deadlock`, and so
/// does the last executor from execute() and lease(), until the lease ends, is moved or another
/// thread executes under it. To try_lease() and lease_for() the last executor is a thread as any
/// other. A thread that gives its lease away thus gets `would_deadlock` until the receiver moves
/// the lease to a variable of its own. Two leases at a time are the caller's to order: all threads
/// take them in the same order, or they may wait for each other without end, which is not detected.
class SpillFillLease {
 public:
  QNNPP_REFUSE_CONSTRUCTOR("a lease has one owner; write std::move(lease)", SpillFillLease,
                           const SpillFillLease&);
  SpillFillLease& operator=(const SpillFillLease&) = delete;
  SpillFillLease(SpillFillLease&& other) noexcept : block_(std::move(other.block_)) {
    note_thread();
  }
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

  /// A locked lock, and a reference to it. Given back before the reference goes, which may be the
  /// last.
  struct Policy {
    using Value = detail::ExecutionLock*;
    static Value null() noexcept { return nullptr; }
    static std::uint64_t close(Value lock) noexcept {
      const auto last = Ref<detail::ExecutionLock>::adopt(lock);
      last->give_back();
      return 0;
    }
  };

  /// Of a lock that is taken; null: covers nothing.
  explicit SpillFillLease(Ref<detail::ExecutionLock> taken) noexcept : block_(taken.release()) {}

  /// Waits for `lock`, `seconds` at most. Null: takes nothing. `object` and `kind` are those of the
  /// error where another thread has it.
  [[nodiscard]] static Result<SpillFillLease> make(Ref<detail::ExecutionLock> lock,
                                                   const std::string& object,
                                                   double seconds = detail::ExecutionLock::endless,
                                                   Errc kind = Errc::in_use) {
    if (lock)
      if (const auto attempt = lock->take(seconds);
          attempt != detail::ExecutionLock::Attempt::taken)
        return fail(detail::not_taken(attempt, object, kind));
    return SpillFillLease(std::move(lock));
  }
  void note_thread() const noexcept {
    if (detail::ExecutionLock* const lock = block_.get()) lock->note_thread();
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

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/spill_fill_lease.ipp"
#endif
