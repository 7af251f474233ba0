// LoadAhead: the layer of a residency that loads contexts before they are requested.
#pragma once

#include "qnnpp/platform.hpp"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "qnnpp/model/detail/loading.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// What prefetching does next, or the reason to do nothing.
enum class Ahead : std::uint8_t {
  load,      ///< Evicts the victim if there is one, else loads the missing context.
  busy,      ///< A thread loads, or a request waits for a load.
  complete,  ///< All expected contexts are resident.
  enough,    ///< As many contexts as allowed are loaded ahead and not requested yet.
  refused,   ///< The last prefetch of the missing context failed.
  no_room,   ///< There is no room before the victim, or any context without one, is released.
};

/// Layer of prefetching, above Loading: plans what to load next, and a thread that does it. The
/// mutex of the lower layer guards the data; the note functions require it.
template <class Lower>
class LoadAhead {
  using Item = typename Lower::Item;

 public:
  LoadAhead(Lower& lower, Prefetch how, std::size_t depth)
      : lower_(lower),
        overlap_(how == Prefetch::ahead),
        depth_(depth),
        not_to_try_(lower.source.size()) {}

  /// Starts a thread that calls `advance`, which calls advance() under the turn, or note_busy(). It
  /// sleeps while there is nothing to do. Error: `allocation_failed` with errno if the system
  /// creates no thread.
  [[nodiscard]] Result<void> start(std::function<void()> advance) {
    advance_ = std::move(advance);
    const auto body = [](void* self) -> void* {
      static_cast<LoadAhead*>(self)->run();
      return nullptr;
    };
    const std::scoped_lock known(lower_.state);
    if (const int failed = ::pthread_create(&thread_, nullptr, body, this); failed != 0) {
      Error error =
          Error::make(Errc::allocation_failed, "pthread_create", "the prefetching thread");
      error.code = static_cast<std::uint16_t>(failed);
      return fail(std::move(error));
    }
    is_running_ = true;
    return {};
  }
  /// Waits until `advance` returns and ends the thread.
  void stop() {
    {
      const std::scoped_lock known(lower_.state);
      if (!std::exchange(is_running_, false)) return;
      changed_.notify_all();
    }
    (void)::pthread_join(thread_, nullptr);
  }
  /// Waits until the thread has nothing to do.
  void settle(std::unique_lock<std::mutex>& known) {
    changed_.wait(known, [&] { return !is_running_ || plan_ != Ahead::load; });
  }

  /// Plans, and performs one load or eviction, unless `is_requested()` says that a request waits
  /// for a load: the room is then the request's. `is_wanted(i)`: whether a request waits for
  /// context `i`, which then stays. Requires the turn; called without the mutex, with which it
  /// calls both.
  template <class IsRequested, class IsWanted>
  void advance(IsRequested is_requested, IsWanted is_wanted) {
    lower_.sweep();
    std::unique_lock known(lower_.state);
    if (is_requested()) return note_busy();
    plan_ = plan(is_wanted);
    if (plan_ != Ahead::load) return;
    const std::size_t i = missing_;
    const auto next = next_missing();
    const bool has_room =
        next && loaded_ahead() + 1 < depth_ &&
        lower_.residents.has_room(lower_.source.need_of(i), lower_.source.need_of(*next));
    known.unlock();
    if (victim_ != nullptr) return (void)lower_.evict(victim_->index);
    const bool is_loaded = load(i, next, has_room).has_value();
    known.lock();
    not_to_try_[i] = !is_loaded;
  }
  /// Leaves the turn to requests until the next change.
  void note_busy() noexcept { plan_ = Ahead::busy; }

  /// Records a request in the order of use.
  void note_request(std::size_t i) {
    const auto expected = lower_.residents.order.expected();
    if (!lower_.residents.order.note(i) || expected == i) return;
    ++lower_.residents.round;
    if (plan_ != Ahead::complete && plan_ != Ahead::busy) note_change();
  }
  /// Records that a request gets a context.
  void note_pin(Item& item) {
    const bool was_ahead = std::exchange(item.ahead_round, 0) == lower_.residents.round;
    if (was_ahead && plan_ == Ahead::enough) note_change();
  }
  /// Records that the last pin of a context was released.
  void note_release(const Item& item) {
    const bool is_retired = lower_.residents.at(item.index) != &item;
    const bool makes_room =
        plan_ == Ahead::no_room && (overlap_ || victim_ == nullptr || victim_ == &item);
    if (makes_room || (is_retired && plan_ != Ahead::busy)) note_change();
  }
  /// Records another change that may permit a load. Wakes the thread if it sleeps.
  void note_change() {
    if (plan_ == Ahead::load || !is_running_) return;
    plan_ = Ahead::load;
    ++lower_.counts.wakeups;
    changed_.notify_all();
  }
  /// Lets every context be loaded ahead again.
  void forget_failures() { std::fill(not_to_try_.begin(), not_to_try_.end(), false); }
  /// Lets a context be loaded ahead again after its next request.
  void forget_failure(std::size_t i) { not_to_try_[i] = false; }

 private:
  /// Plans to load the next missing context of the order. If there is no room, plans to evict the
  /// context that the request itself would evict; with Prefetch::ahead, the best one that is not
  /// pinned. In both cases the victim must be evictable now and not be used before the missing
  /// context. The order counts a waiting request as a use, so what it waits for looks unused.
  template <class IsWanted>
  [[nodiscard]] Ahead plan(IsWanted is_wanted) {
    const auto& residents = lower_.residents;
    if (loaded_ahead() >= depth_) return Ahead::enough;
    for (std::uint64_t distance = 0; distance < residents.order.length(); ++distance) {
      const auto expected = residents.order.expected(distance);
      if (!expected) break;
      if (residents.at(*expected) != nullptr) continue;
      missing_ = *expected;
      victim_ = nullptr;
      if (not_to_try_[missing_]) return Ahead::refused;
      if (residents.has_room(lower_.source.need_of(missing_))) return Ahead::load;
      const auto is_used_later = [&](const Item& item) {
        return residents.order.distance(item.index) >= distance;
      };
      // Rated by their next use after the request for the missing context.
      victim_ = residents.farthest(distance + 1, [&](const Item& item) {
        return !item.is_held() && !is_wanted(item.index) &&
               (!overlap_ || (item.pins.empty() && is_used_later(item)));
      });
      const bool goes = victim_ != nullptr && residents.may_go(*victim_) && is_used_later(*victim_);
      return goes ? Ahead::load : Ahead::no_room;
    }
    return Ahead::complete;
  }
  /// Number of contexts that are loaded ahead and not requested yet.
  [[nodiscard]] std::size_t loaded_ahead() const {
    const auto& residents = lower_.residents;
    return residents
        .indices_of([&](const Item& item) { return item.ahead_round == residents.round; })
        .size();
  }
  /// Returns the first missing context of the order after `missing_`, if there is one.
  [[nodiscard]] std::optional<std::size_t> next_missing() const {
    const auto& residents = lower_.residents;
    for (std::uint64_t distance = 0; distance < residents.order.length(); ++distance) {
      const auto expected = residents.order.expected(distance);
      if (!expected) break;
      if (*expected != missing_ && residents.at(*expected) == nullptr) return expected;
    }
    return {};
  }
  /// Loads a context, and lets `next` be prepared meanwhile. No exception may leave the thread.
  [[nodiscard]] Result<void> load(std::size_t i, std::optional<std::size_t> next, bool has_room) {
    const auto load_one = [&] {
      if (next) lower_.source.prepare_beside(i, *next, has_room);
      return lower_.load(i, Reason::prefetch);
    };
#ifdef __cpp_exceptions
    try {
      return load_one();
    } catch (const std::bad_alloc&) {
      Error error;  // Without a text, because a text would be allocated.
      error.kind = Errc::allocation_failed;
      return fail(std::move(error));
    }
#else
    return load_one();
#endif
  }
  void run() {
    std::unique_lock known(lower_.state);
    while (is_running_) {
      if (plan_ == Ahead::load) {
        known.unlock();
        advance_();
        known.lock();
      } else {
        changed_.notify_all();
        changed_.wait(known);
      }
    }
  }

  Lower& lower_;
  bool overlap_;
  std::size_t depth_;
  /// Whether a context's last prefetch failed: it is not prefetched before its next request.
  std::vector<bool> not_to_try_;
  /// The thread sleeps while this is no load.
  Ahead plan_ = Ahead::load;
  std::size_t missing_ = 0;
  const Item* victim_ = nullptr;
  std::condition_variable changed_;
  bool is_running_ = false;
  std::function<void()> advance_;
  // Not a std::thread, which throws if it cannot start, and without exceptions ends the process.
  pthread_t thread_{};
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
