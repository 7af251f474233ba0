// ResidencyCore: loads, evicts and recovers the contexts of a Residency.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/detail/failed_load.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/model/detail/context_loader.hpp"
#include "qnnpp/model/detail/prefetcher.hpp"
#include "qnnpp/model/detail/residents.hpp"
#include "qnnpp/model/residency_options.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// State of a residency, shared with its pinned contexts and its thread.
///
/// The mutex `state_` guards all data about the contexts. It is never held during a call of QNN or
/// of a caller's function. A thread that loads, evicts or frees has the turn, a value guarded by
/// `state_`. One thread at a time has the turn. Only this thread adds and removes contexts, so it
/// may read them without the mutex.
template <class Payload>
class ResidencyCore : public RefCounted<ResidencyCore<Payload>> {
 public:
  using Item = Resident<Payload>;
  using Need = typename Residents<Payload>::Need;
  using Held = typename Item::Held;

  ResidencyCore(ContextLoader prepared, ResidencyOptions<Payload> options, UseOrder order)
      : loader_(std::move(prepared)),
        make_payload_(std::move(options.payload)),
        overlap_(options.prefetch == Prefetch::ahead),
        depth_(options.prefetch_depth),
        residents_(loader_.size(), std::move(order),
                   Capacity(options.budget_bytes, options.max_contexts)),
        not_to_try_(loader_.size()),
        errors_(loader_.size()),
        recovered_(loader_.restarts()) {
    note_sharing();
  }

  using Clock = Turns::Clock;

  [[nodiscard]] std::size_t size() const noexcept { return not_to_try_.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return loader_.name(i); }

  /// Pins a context, and loads it first if it is not resident. Waits for pins of other threads
  /// until `until`; without a time it does not wait for pins.
  [[nodiscard]] Result<Held> acquire(std::size_t i, bool exclusive,
                                     std::optional<Clock::time_point> until) {
    std::unique_lock known(state_);
    note(i);
    Request mine{i, exclusive, until.has_value()};
    Next next = line_.next_of(mine, turns_.is_taken());
    if (next == Next::pin) return pin(mine, true);
    line_.join(mine);
    const AtEnd leaving(known, [&] {
      line_.leave(mine);
      note_change();
    });
    for (;; next = line_.next_of(mine, turns_.is_taken())) {
      if (next == Next::pin) return pin(mine, true);
      if (next == Next::load) {
        auto loaded = fetch(mine, known);
        if (loaded) return pin(mine, false);
        if (!mine.lacks_room || !until) return fail(std::move(loaded).error());
        mine.is_stuck = true;
        continue;
      }
      const bool is_for_release = next == Next::wait_for_release;
      if (turns_.is_mine() || (is_for_release && line_.waits_for_itself(mine)))
        return fail(refused(mine, Errc::would_deadlock));
      if (is_for_release && !until) return fail(refused(mine, Errc::in_use));
      if (until && Clock::now() >= *until) return fail(refused(mine, Errc::timed_out));
      turns_.wait(known, until.value_or(Clock::time_point::max()), is_for_release);
    }
  }

  void release(const Held& held) noexcept {
    std::unique_lock known(state_);
    Item& item = *held.item;
    item.unpin(held.pin);
    turns_.notify();
    if (!is_closed_) {
      if (item.pins.empty()) note_release(item);
      return;
    }
    // close() sweeps and drops the pool itself.
    if (turns_.is_mine()) return;
    turns_.wait_for_turn(known);
    const auto turn = take_turn(known);
    known.unlock();
    sweep();
    (void)drop_pool();
  }

  /// See Residency::recover().
  [[nodiscard]] Result<void> recover() {
    std::unique_lock known(state_);
    if (turns_.is_mine()) return fail(called_while_loading("recovering"));
    turns_.wait_for_turn(known);
    const auto turn = take_turn(known);
    known.unlock();
    sweep();
    std::vector<std::size_t> places = resident_places(true);
    if (places.empty() && !is_recovered()) places = resident_places(false);
    recovered_ = loader_.restarts();
    {
      const std::scoped_lock again(state_);
      std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
        const auto a_next = residents_.order.distance(a), b_next = residents_.order.distance(b);
        return a_next != b_next ? a_next < b_next : a < b;
      });
      if (!places.empty()) ++counts_.recoveries;
      // An earlier refusal may have been caused by the restart (SSR-02).
      forget();
    }
    drop(places);
    return load_again(places);
  }

  /// Performs one step of prefetching. Returns false if there is nothing to do.
  [[nodiscard]] bool prefetch() {
    std::unique_lock known(state_);
    idle_ = Idle::busy;
    // Requests have priority: free room belongs to them.
    if (turns_.is_taken() || line_.wants_load() != nullptr) return false;
    const auto turn = take_turn(known, true);
    known.unlock();
    sweep();
    known.lock();
    const Ahead plan = residents_.plan_ahead(overlap_, depth_, not_to_try_,
                                             [this](std::size_t i) { return need_of(i); });
    if (plan.kind != Ahead::Kind::load) {
      idle_ = Idle::planned;
      plan_ = plan;
      return false;
    }
    idle_ = Idle::no;
    known.unlock();
    if (plan.victim) {
      (void)evict(*plan.victim);
      return true;
    }
    auto loaded = or_out_of_memory([&] { return load(plan.place, Reason::prefetch); });
    if (loaded) return true;
    known.lock();
    not_to_try_[plan.place] = true;
    // After a refusal or a restart, a request tries again by itself.
    if (!qnnpp::detail::is_exhausted(loaded.error()) && !qnnpp::detail::is_restart(loaded.error()))
      errors_[plan.place] = std::move(loaded).error();
    return true;
  }

  /// Sets the prefetching thread, or null before the residency closes.
  void set_worker(Prefetcher* worker) {
    const std::scoped_lock known(state_);
    QNNPP_EXPECTS(!turns_.is_mine(),
                  "the residency ends in a function that its load calls; let the load end first");
    worker_ = worker;
    if (worker != nullptr) worker->wake();
  }

  /// See Residency::settle().
  [[nodiscard]] Result<void> settle() {
    std::unique_lock known(state_);
    if (turns_.is_mine()) return fail(called_while_loading("waiting for what is loaded ahead"));
    Prefetcher* const worker = worker_;
    known.unlock();
    if (worker != nullptr) worker->settle();
    return {};
  }

  /// Frees all contexts that are not pinned. The others are freed when they are released.
  void close() {
    std::unique_lock known(state_);
    turns_.wait_for_turn(known);
    const auto turn = take_turn(known);
    is_closed_ = true;
    known.unlock();
    for (std::size_t i = 0; i < size(); ++i)
      if (residents_.at(i) != nullptr) drop(i);
    sweep();
    (void)drop_pool();
  }

  [[nodiscard]] ResidencyStats stats() const {
    const std::scoped_lock known(state_);
    ResidencyStats stats = counts_;
    stats.waiting = line_.size() - (served_ != nullptr ? 1 : 0);
    stats.resident_contexts = residents_.occupancy().contexts;
    stats.resident_bytes = residents_.occupancy().bytes;
    stats.pooled_bytes = residents_.pool.bytes();
    stats.learnt_contexts = residents_.capacity.learnt().contexts;
    stats.learnt_bytes = residents_.capacity.learnt().bytes;
    return stats;
  }
  [[nodiscard]] bool is_resident(std::size_t i) const {
    const std::scoped_lock known(state_);
    return residents_.at(i) != nullptr;
  }
  void forget_learnt() {
    const std::scoped_lock known(state_);
    forget();
    note_change();
  }

 private:
  /// Why a context is loaded. Only a load for a request evicts others.
  enum class Reason : std::uint8_t { request, recovery, prefetch };

  static constexpr char in_its_function[] = "the call comes from a function that a load calls";

  /// Gives the turn to the calling thread; requires `state_`. The guard ends it, under `state_`.
  [[nodiscard]] auto take_turn(std::unique_lock<std::mutex>& known, bool is_worker = false) {
    turns_.take();
    return AtEnd(known, [this, is_worker] {
      turns_.end();
      served_ = nullptr;
      note_change(is_worker);
    });
  }

  // ---- Functions that require `state_`.

  [[nodiscard]] Held pin(const Request& by, bool is_hit) {
    Item& item = *residents_.at(by.place);
    const Held held = item.pin(by.exclusive);
    if (is_hit) ++counts_.hits;
    item.last_use = requests_;
    const bool was_ahead = residents_.note_asked(item);
    if (was_ahead && idle_ == Idle::planned && plan_.kind == Ahead::Kind::enough) wake();
    return held;
  }

  /// Records a request in the order of use.
  void note(std::size_t i) {
    ++requests_;
    const auto expected = residents_.order.expected();
    const bool moved = residents_.order.note(i);
    if (!moved || expected == i) return;
    residents_.forget_ahead();
    if (idle_ == Idle::planned && plan_.kind != Ahead::Kind::complete) wake();
  }

  [[nodiscard]] static Error called_while_loading(const char* step) {
    return Error::make(Errc::would_deadlock, step, "the residency", in_its_function);
  }
  /// Returns the error of a request that cannot get its context, with the reason.
  [[nodiscard]] Error refused(const Request& by, Errc kind) const {
    std::string why = turns_.is_mine()             ? in_its_function
                      : residents_.ready(by.place) ? name(by.place) + " is pinned"
                      : turns_.is_taken()          ? "another thread loads a context"
                                          : residents_.kept(line_.first_of(by).place, loader_);
    return Error::make(kind, "acquiring a context", name(by.place), std::move(why));
  }

  /// Wakes all that wait for a change. After a change by the worker, does not wake the worker.
  void note_change(bool is_worker = false) {
    turns_.notify();
    if (idle_ != Idle::no && !is_worker) wake();
  }
  void note_release(const Item& item) {
    const bool is_retired = residents_.at(item.place) != &item;
    if (idle_ == Idle::planned && (is_retired || plan_.is_changed_by_release(item.place, overlap_)))
      wake();
  }
  void wake() {
    if (worker_ == nullptr) return;
    idle_ = Idle::no;
    ++counts_.wakeups;
    worker_->wake();
  }
  void forget() {
    residents_.capacity.forget();
    std::fill(not_to_try_.begin(), not_to_try_.end(), false);
    line_.try_again();
  }

  // ---- Functions that require the turn, without `state_`.

  [[nodiscard]] Need need_of(std::size_t i) const noexcept {
    return {loader_.bytes(i), loader_.buffer_bytes(i), loader_.spill_fill_bytes()};
  }
  void note_sharing() {
    const std::scoped_lock known(state_);
    counts_.sharing = loader_.sharing();
    counts_.reason = loader_.reason();
    counts_.external_weights = loader_.external_weights();
    counts_.spill_fill_bytes = loader_.spill_fill_bytes();
  }

  /// Loads the context of a request. Requires `state_`, and holds it again on return.
  [[nodiscard]] Result<void> fetch(Request& mine, std::unique_lock<std::mutex>& known) {
    const std::size_t i = mine.place;
    const auto turn = take_turn(known);
    served_ = &mine;
    mine.lacks_room = false;
    not_to_try_[i] = false;
    if (errors_[i]) return fail(*std::exchange(errors_[i], std::nullopt));
    known.unlock();
    sweep();
    drop_dead();
    auto loaded = load(i, Reason::request);
    if (!loaded && qnnpp::detail::is_restart(loaded.error())) {
      drop_dead();
      loaded = load(i, Reason::request);
    }
    return loaded;
  }

  /// Whether a request or another thread has recovered from the last restart before this call. Only
  /// recovery retires pinned contexts.
  [[nodiscard]] bool is_recovered() const {
    const std::scoped_lock known(state_);
    return recovered_ != loader_.restarts() || residents_.has_pinned_retired();
  }
  /// Loads these contexts in order, until there is no room.
  [[nodiscard]] Result<void> load_again(const std::vector<std::size_t>& places) {
    for (const std::size_t i : places) {
      {
        const std::scoped_lock known(state_);
        if (!residents_.has_room(need_of(i))) break;
      }
      auto loaded = load(i, Reason::recovery);
      if (!loaded && !qnnpp::detail::is_exhausted(loaded.error())) return loaded;
    }
    return {};
  }

  /// Loads a context and builds its payload, or builds only the payload if the context is resident.
  [[nodiscard]] Result<void> load(std::size_t i, Reason reason) {
    const auto epoch = loader_.epoch();
    const auto created = epoch.contexts_created();
    auto loaded = load_and_build(i, reason);
    // An error may come from a call without a context. A restart then concerns all contexts.
    if (!loaded && loaded.error().kind == Errc::qnn) epoch.record(loaded.error().code, created);
    return loaded;
  }

  /// After a refusal for lack of room, evicts a context and tries again, for a request only.
  [[nodiscard]] Result<void> load_and_build(std::size_t i, Reason reason) {
    std::vector<Occupancy> refused;
    std::optional<Error> cause;
    bool was_dropped = false;  // A payload that failed leaves a free buffer each time.
    for (;;) {
      // After an eviction that freed nothing, only the payload is missing.
      const bool is_loaded = residents_.at(i) != nullptr;
      Occupancy wanted = residents_.on_device();
      auto built = is_loaded ? rebuild_payload(i) : load_once(i, reason, cause, wanted);
      if (built) {
        const std::scoped_lock known(state_);
        residents_.capacity.learn(refused, residents_.on_device());
        return built;
      }
      Error error = std::move(built).error();
      if (reason != Reason::request || !qnnpp::detail::is_exhausted(error))
        return fail(std::move(error));
      // Free buffers occupy memory, descriptors and mappings, but no room on the device.
      if (drop_pool() && error.kind != Errc::qnn && !std::exchange(was_dropped, true)) continue;
      if (residents_.on_device().contexts == (is_loaded ? 1 : 0)) return fail(std::move(error));
      refused.push_back(wanted);
      cause = std::move(error);
      if (!evict_one(i)) return fail(nothing_to_evict(i, cause));
      const std::scoped_lock known(state_);
      ++counts_.capacity_retries;
    }
  }

  /// Makes room, loads a context and builds its payload. Sets `wanted` to the occupancy that the
  /// load needs.
  [[nodiscard]] Result<void> load_once(std::size_t i, Reason reason,
                                       const std::optional<Error>& cause, Occupancy& wanted) {
    const Need need = need_of(i);
    if (const auto alone = sum_bytes(need.bytes, need.shared_bytes);
        !residents_.capacity.affords(alone))
      return fail(Error::mismatch(Errc::too_large, "loading a context", name(i), alone,
                                  residents_.capacity.budget_bytes()));
    if (auto made = make_room(i, need, reason == Reason::request, cause); !made) return made;
    std::unique_lock known(state_);
    const std::uint64_t bytes = residents_.bytes_of(need);
    wanted = residents_.with(bytes);
    residents_.reserve_one_more();
    MemRegion<Weights> weights = residents_.pool.take(need.buffer_bytes);
    known.unlock();
    const bool is_reused = static_cast<bool>(weights);

    auto context = loader_.load(i, std::move(weights));
    if (!context) return fail(std::move(context).error());
    note_sharing();
    known.lock();
    ++counts_.loads;
    if (is_reused) ++counts_.buffers_reused;
    known.unlock();
    // The first load may have found that spill-fill cannot be shared, which changes the need.
    const bool is_in_buffer = is_reused && need_of(i).buffer_bytes != 0;
    auto item =
        std::make_unique<Item>(i, std::move(*context), is_in_buffer ? bytes : need_of(i).bytes);
    if (auto built = item->build_payload(make_payload_); !built) {
      let_go(std::move(item));
      return built;
    }
    known.lock();
    item->last_use = requests_;
    if (reason == Reason::prefetch) {
      residents_.set_ahead(*item);
      ++counts_.prefetched;
    }
    residents_.add(std::move(item));
    errors_[i].reset();
    return {};
  }

  /// Frees unused buffers, then evicts contexts, until there is room. Error: `in_use`.
  [[nodiscard]] Result<void> make_room(std::size_t i, const Need& need, bool may_evict,
                                       const std::optional<Error>& cause) {
    for (;;) {
      MemRegion<Weights> dropped;
      std::unique_lock known(state_);
      if (residents_.has_room(need)) {
        if (residents_.has_room_beside_the_pool(need)) return {};
        dropped = residents_.shrink_pool(need);
        if (dropped) continue;
      }
      known.unlock();
      if (!may_evict || !evict_one(i)) return fail(nothing_to_evict(i, cause));
    }
  }

  /// Returns the error of a load without room. It has no text if the request waits for room.
  [[nodiscard]] Error nothing_to_evict(std::size_t i, const std::optional<Error>& cause) {
    const std::scoped_lock known(state_);
    if (served_ != nullptr) {
      served_->lacks_room = true;
      if (served_->waits) return Error::make(Errc::in_use, "", {});
    }
    std::string detail = residents_.kept(i, loader_);
    if (cause)
      detail += std::string("; ") + cause->step +
                (cause->kind == Errc::qnn ? " returned " + std::to_string(cause->code) : " failed");
    return Error::make(Errc::in_use, "making room for a context", name(i), std::move(detail));
  }

  [[nodiscard]] Result<void> rebuild_payload(std::size_t i) {
    std::unique_lock known(state_);
    auto item = residents_.remove(i);
    const AtEnd back(known, [&] { residents_.add(std::move(item)); });
    known.unlock();
    return item->build_payload(make_payload_);
  }

  /// Evicts one context. Returns false if none can be evicted.
  [[nodiscard]] bool evict_one(std::size_t wanted) {
    for (;;) {
      std::unique_lock known(state_);
      const auto victim = residents_.victim_for(wanted);
      known.unlock();
      if (!victim) return false;
      if (evict(*victim)) return true;
    }
  }
  /// Evicts a context. Returns false if it is pinned, or held by graphs after its payload is
  /// destroyed: then it stays, as its eviction would free nothing.
  bool evict(std::size_t victim) {
    std::unique_lock known(state_);
    // Another thread may have pinned it since it was chosen.
    if (!residents_.at(victim)->pins.empty()) return false;
    auto item = residents_.remove(victim);
    if (served_ != nullptr) served_->is_stuck = false;
    turns_.notify();
    known.unlock();
    item->payload.reset();
    if (item->is_held() && !item->is_dead()) {
      known.lock();
      residents_.add(std::move(item));
      return false;
    }
    let_go(std::move(item));
    known.lock();
    ++counts_.evictions;
    return true;
  }

  /// Frees a context and pools its weights buffer (RES-02). Allocates nothing. If graphs hold the
  /// context, nothing can be freed yet: sets it aside until they are destroyed.
  void let_go(std::unique_ptr<Item> item) noexcept {
    item->payload.reset();
    std::unique_lock known(state_);
    if (item->is_held() && !is_closed_) return residents_.keep(std::move(item));
    known.unlock();
    auto weights = item->reclaim();
    known.lock();
    if (weights) residents_.pool.put(std::move(weights));
  }

  /// Frees retired contexts that are not pinned or held any more.
  void sweep() {
    for (;;) {
      std::unique_lock known(state_);
      auto swept = residents_.sweep(is_closed_);
      known.unlock();
      if (!swept) return;
      let_go(std::move(swept));
    }
  }

  /// Frees all unused weights buffers. Returns whether there were any.
  [[nodiscard]] bool drop_pool() {
    for (bool dropped = false;; dropped = true) {
      MemRegion<Weights> region;
      const std::scoped_lock known(state_);
      region = residents_.pool.take_other(0);
      if (!region) return dropped;
    }
  }

  [[nodiscard]] std::vector<std::size_t> resident_places(bool only_dead) const {
    const std::scoped_lock known(state_);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < size(); ++i)
      if (const Item* item = residents_.at(i); item != nullptr && (!only_dead || item->is_dead()))
        places.push_back(i);
    return places;
  }

  /// Frees a resident context, or retires it until it is released. Allocates nothing.
  void drop(std::size_t place) {
    std::unique_lock known(state_);
    if (!residents_.at(place)->pins.empty()) return residents_.retire(place);
    auto item = residents_.remove(place);
    known.unlock();
    let_go(std::move(item));
  }
  void drop(const std::vector<std::size_t>& places) {
    for (const std::size_t i : places) drop(i);
  }

  void drop_dead() {
    const std::vector<std::size_t> dead = resident_places(true);
    if (dead.empty()) return;
    drop(dead);
    const std::scoped_lock known(state_);
    ++counts_.recoveries;
    residents_.capacity.forget();  // For the same reason as in recover().
  }

  ContextLoader loader_;
  std::function<Result<Payload>(std::size_t, const Context<Finalized>&)> make_payload_;
  bool overlap_;
  std::size_t depth_;

  mutable std::mutex state_;
  Turns turns_;
  Residents<Payload> residents_;
  RequestLine<Payload> line_{residents_};
  /// The request that the current turn serves, or null.
  Request* served_ = nullptr;
  ResidencyStats counts_;
  std::uint64_t requests_ = 0;
  /// Whether a context's last prefetch failed: it is not prefetched before its next request.
  std::vector<bool> not_to_try_;
  /// Errors of failed prefetches for the next request, except those for lack of room.
  std::vector<std::optional<Error>> errors_;
  /// Number of known restarts of the DSP at the last recover().
  std::uint32_t recovered_;
  Prefetcher* worker_ = nullptr;
  /// State of the prefetching thread: it works or will plan again (`no`), it left the turn to
  /// requests (`busy`), or it sleeps because of plan_ (`planned`).
  enum class Idle : std::uint8_t { no, busy, planned };
  Idle idle_ = Idle::no;
  Ahead plan_;
  bool is_closed_ = false;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
