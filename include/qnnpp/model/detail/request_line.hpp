// Turns: lets one thread at a time load, while others sleep until a change. RequestLine: the
// waiting requests and their order.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "qnnpp/memory/spill_fill_lease.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// The thread that has the turn to load, evict and free. The residency's mutex guards this object,
/// but is not held during the turn.
class Turns {
 public:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool is_mine() const noexcept { return turn_ == qnnpp::detail::thread_number(); }
  /// Whether a thread has the turn, or waits in take(), which has priority over requests.
  [[nodiscard]] bool is_taken() const noexcept {
    return turn_ != qnnpp::detail::no_thread || wanted_ != 0;
  }
  /// Sleeps until no thread has the turn, then takes it.
  void take(std::unique_lock<std::mutex>& known) {
    ++wanted_;
    while (turn_ != qnnpp::detail::no_thread) wait(known, Clock::time_point::max(), false);
    --wanted_;
    turn_ = qnnpp::detail::thread_number();
  }
  void end() noexcept {
    turn_ = qnnpp::detail::no_thread;
    notify();
  }

  /// Wakes the sleeping threads after a change.
  void notify() noexcept {
    if (sleepers_ != 0) changed_.notify_all();
  }
  /// Sleeps until a change or `until`. `looks_again` ends the sleep after 10 ms, because no signal
  /// reports that graphs release a context or that a pinned context dies.
  void wait(std::unique_lock<std::mutex>& known, Clock::time_point until, bool looks_again) {
    if (looks_again) until = std::min(until, Clock::now() + std::chrono::milliseconds(10));
    ++sleepers_;
    if (until == Clock::time_point::max())
      changed_.wait(known);
    else
      (void)changed_.wait_until(known, until);
    --sleepers_;
  }

 private:
  qnnpp::detail::ThreadNumber turn_ = qnnpp::detail::no_thread;
  std::size_t wanted_ = 0;
  std::size_t sleepers_ = 0;
  std::condition_variable changed_;
};

/// Calls a function at the end of its scope with a lock held. Locks it first if it is not held.
template <class Function>
class AtEnd {
 public:
  AtEnd(std::unique_lock<std::mutex>& lock, Function function)
      : lock_(lock), function_(std::move(function)) {}
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
  ~AtEnd() {
    if (!lock_.owns_lock()) lock_.lock();
    function_();
  }

 private:
  std::unique_lock<std::mutex>& lock_;
  Function function_;
};

/// Request of a thread for a context.
struct Request {
  std::size_t index;
  bool exclusive;
  /// Whether it waits for pins of other threads.
  bool waits;
  /// Whether its thread loads the context.
  bool is_served = false;
  /// Residents::version() when no context could be evicted for it; 0 if it has not been tried.
  std::uint64_t stuck_at = 0;
};

/// Next action of a request. A wait for the turn ends with other threads' loads; a wait for a
/// release ends when a pin is released.
enum class Next : std::uint8_t { pin, load, wait_for_turn, wait_for_release };

/// Layer of waiting, above Residents: the requests in their order. The residency's mutex guards it.
template <class Residents>
class RequestLine {
 public:
  explicit RequestLine(const Residents& residents) : residents_(residents) {}

  void join(Request& request) { line_.push_back(&request); }
  void leave(const Request& request) noexcept { std::erase(line_, &request); }
  /// Number of requests that wait.
  [[nodiscard]] std::size_t waiting() const noexcept {
    return static_cast<std::size_t>(std::count_if(
        line_.begin(), line_.end(), [](const auto* each) { return !each->is_served; }));
  }
  /// Whether a request waits for context `i`.
  [[nodiscard]] bool wants(std::size_t i) const noexcept {
    return std::any_of(line_.begin(), line_.end(),
                       [i](const auto* each) { return each->index == i; });
  }
  /// Returns the first request before `end` whose context is not resident, or `end`.
  [[nodiscard]] const Request* first_to_load(const Request* end = nullptr) const noexcept {
    for (const Request* each : line_) {
      if (each == end) break;
      if (residents_.ready(each->index) == nullptr) return each;
    }
    return end;
  }

  /// Returns the next action of a request. Each resident context has its own order of requests, and
  /// so have the requests that need room. A request for a resident context passes requests that
  /// wait for room, unless its context could be evicted for them. A thread that shares a context
  /// shares it again before exclusive requests, as these already wait for this thread.
  [[nodiscard]] Next next_of(const Request& mine, bool is_turn_taken) const noexcept {
    const Request& first = *first_to_load(&mine);
    // Whether the first request waits until a context can be evicted.
    const bool is_stuck = first.stuck_at == residents_.version();
    if (const auto* item = residents_.ready(mine.index)) {
      if (!item->admits(mine.exclusive)) return Next::wait_for_release;
      for (const Request* each : line_) {
        if (each == &mine) break;
        if (each->index != mine.index) continue;
        if (item->is_pinned_by_this_thread()) break;
        return item->admits(each->exclusive) ? Next::wait_for_turn : Next::wait_for_release;
      }
      const bool goes = &first != &mine && is_stuck && residents_.may_go(*item);
      return goes ? Next::wait_for_turn : Next::pin;
    }
    if (is_turn_taken) return Next::wait_for_turn;
    if (is_stuck && !residents_.can_free(first.index)) return Next::wait_for_release;
    return &first == &mine ? Next::load : Next::wait_for_turn;
  }
  /// Whether the calling thread waits for its own pins: it pins the context, or, if the request
  /// waits for room, every context that could be evicted.
  [[nodiscard]] bool waits_for_itself(const Request& mine) const noexcept {
    if (const auto* item = residents_.ready(mine.index)) return item->is_pinned_by_this_thread();
    return mine.waits && residents_.are_kept_by_this_thread(first_to_load(&mine)->index);
  }

 private:
  const Residents& residents_;
  std::vector<Request*> line_;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
