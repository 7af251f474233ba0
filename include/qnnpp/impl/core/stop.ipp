// Definitions of stop.hpp.
#pragma once

#include "qnnpp/core/stop.hpp"

#include "qnnpp/platform.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

#include "qnnpp/core/detail/clock.hpp"
#include "qnnpp/core/detail/forked.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// State of a stop: the calls that it ends, and the thread that watches their time limits.
class StopState : public RefCounted<StopState> {
 public:
  ~StopState() {
    {
      const std::lock_guard guard(mutex_);
      if (!has_thread_ || is_forked()) return;
      is_closing_ = true;
      changed_.notify_all();
    }
    (void)::pthread_join(thread_, nullptr);
  }

  [[nodiscard]] bool is_pulled() const noexcept {
    return is_pulled_.load(std::memory_order_acquire);
  }

  void pull() noexcept {
    std::unique_lock known(mutex_);
    is_pulled_.store(true, std::memory_order_release);
    for (std::uint64_t pause_ns = first_pause_ns;; pause_ns = next_pause(pause_ns)) {
      const std::uint64_t round = ++rounds_;
      bool is_untold = false;
      while (Endable* const call = not_asked_in(round)) {
        call->round_ = round;
        is_untold = !ask(*call, EndedBy::stop, known) || is_untold;
      }
      if (!is_untold) return;
      (void)changed_.wait_for(known, std::chrono::nanoseconds(pause_ns));
    }
  }

  /// Lists a call. Returns 0, or the error number of pthread_create; -1 if the stop is pulled.
  [[nodiscard]] int add(Endable& call, double seconds) noexcept {
    const std::lock_guard guard(mutex_);
    if (is_pulled()) return -1;
    if (seconds < endless_seconds) {
      if (const int failed = start_thread(); failed != 0) return failed;
      call.ask_at_ns_ = now_ns() + static_cast<std::uint64_t>(seconds * 1e9);
      call.pause_ns_ = first_pause_ns;
      changed_.notify_all();
    }
    call.state_ = this;
    call.next_ = first_;
    if (first_ != nullptr) first_->previous_ = &call;
    first_ = &call;
    return 0;
  }
  EndedBy remove(Endable& call) noexcept {
    std::unique_lock known(mutex_);
    call.is_leaving_ = true;
    changed_.notify_all();  // A thread that waits to ask it again looks at it.
    changed_.wait(known, [&call] { return call.askers_ == 0; });
    (call.previous_ != nullptr ? call.previous_->next_ : first_) = call.next_;
    if (call.next_ != nullptr) call.next_->previous_ = call.previous_;
    call.state_ = nullptr;
    return call.by_;
  }

 private:
  // QNN forgets a trigger that comes before the call has begun, so it is repeated, ever more
  // rarely: some libraries never tell that the call has taken it.
  static constexpr std::uint64_t first_pause_ns = 50'000;
  static constexpr std::uint64_t longest_pause_ns = 20'000'000;

  [[nodiscard]] static std::uint64_t next_pause(std::uint64_t pause_ns) noexcept {
    return std::min(2 * pause_ns, longest_pause_ns);
  }

  // ---- Functions that require the mutex.

  [[nodiscard]] Endable* not_asked_in(std::uint64_t round) const noexcept {
    for (Endable* each = first_; each != nullptr; each = each->next_)
      if (each->round_ != round && !each->is_told_ && !each->is_leaving_) return each;
    return nullptr;
  }
  /// Asks a call to end, without the mutex. Returns whether it has been told.
  bool ask(Endable& call, EndedBy by, std::unique_lock<std::mutex>& known) noexcept {
    if (call.by_ == EndedBy::nothing) call.by_ = by;
    ++call.askers_;
    known.unlock();
    const bool is_told = call.end_(call);
    known.lock();
    call.is_told_ = call.is_told_ || is_told;
    if (--call.askers_ == 0 && call.is_leaving_) changed_.notify_all();
    return is_told;
  }
  [[nodiscard]] int start_thread() noexcept {
    if (has_thread_) return 0;
    const auto body = [](void* self) -> void* {
      static_cast<StopState*>(self)->watch();
      return nullptr;
    };
    const int failed = ::pthread_create(&thread_, nullptr, body, this);
    has_thread_ = failed == 0;
    return failed;
  }
  /// Asks each call to end whose time is over.
  void watch() noexcept {
    std::unique_lock known(mutex_);
    while (!is_closing_) {
      Endable* next = nullptr;
      for (Endable* each = first_; each != nullptr; each = each->next_)
        if (each->ask_at_ns_ != 0 && !each->is_told_ && !each->is_leaving_ &&
            (next == nullptr || each->ask_at_ns_ < next->ask_at_ns_))
          next = each;
      if (next == nullptr) {
        changed_.wait(known);
        continue;
      }
      const std::uint64_t now = now_ns();
      if (now < next->ask_at_ns_) {
        (void)changed_.wait_for(known, std::chrono::nanoseconds(next->ask_at_ns_ - now));
        continue;
      }
      next->ask_at_ns_ = now + next->pause_ns_;
      next->pause_ns_ = next_pause(next->pause_ns_);
      (void)ask(*next, EndedBy::limit, known);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> is_pulled_{false};
  Endable* first_ = nullptr;
  std::uint64_t rounds_ = 0;
  bool is_closing_ = false;
  bool has_thread_ = false;
  // Not a std::thread, which throws if it cannot start, and without exceptions ends the process.
  pthread_t thread_{};
};

QNNPP_INLINE Result<void> Endable::begin(const StopOption& stop, double seconds, const char* step,
                                         const std::string& object) {
  if (!stop || is_forked()) return {};
  const int failed = stop.get()->state_->add(*this, seconds);
  if (failed == 0) return {};
  if (failed < 0) return fail(ended(EndedBy::stop, step, object));
  Error error = Error::make(Errc::allocation_failed, "pthread_create",
                            "the thread of a Stop that ends calls by a time limit");
  error.code = static_cast<std::uint16_t>(failed);
  return fail(std::move(error));
}

QNNPP_INLINE bool Endable::begin(const StopOption& stop) noexcept {
  return !stop || is_forked() || stop.get()->state_->add(*this, endless_seconds) == 0;
}

QNNPP_INLINE EndedBy Endable::finish() noexcept {
  return state_ == nullptr || is_forked() ? EndedBy::nothing : state_->remove(*this);
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error ended(EndedBy by, const char* step,
                                                      const std::string& object,
                                                      std::string_view why) {
  return Error::make(by == EndedBy::limit ? Errc::timed_out : Errc::cancelled, step, object, why);
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Stop::Stop() : state_(Ref<detail::StopState>::make()) {}
QNNPP_INLINE Stop::Stop(const Stop& other) noexcept = default;
QNNPP_INLINE Stop& Stop::operator=(const Stop& other) noexcept = default;
QNNPP_INLINE Stop::~Stop() = default;

QNNPP_INLINE void Stop::pull() noexcept {
  if (!detail::is_forked()) state_->pull();
}
QNNPP_INLINE bool Stop::is_pulled() const noexcept { return state_->is_pulled(); }

}}  // namespace qnnpp::QNNPP_NAMESPACE
