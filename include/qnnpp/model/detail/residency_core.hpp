// ResidencyCore: the layers of a Residency together. Serves its requests.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/stop.hpp"
#include "qnnpp/model/detail/load_ahead.hpp"
#include "qnnpp/model/detail/recovery.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// State of a residency, shared with its pinned contexts and its thread: the layers, and the order
/// in which threads use them.
template <class Source>
class ResidencyCore : public RefCounted<ResidencyCore<Source>> {
 public:
  using Item = typename Source::Item;
  using Time = Turns::Clock::time_point;
  /// A pinned context and its pin.
  struct Held {
    Item* item = nullptr;
    Pins::iterator pin = {};
  };

  ResidencyCore(Source source, UseOrder order, Capacity limits, Prefetch how, std::size_t depth,
                const qnnpp::detail::StopOption& stop = {})
      : loading_(std::move(source), std::move(order), std::move(limits)),
        ahead_(loading_, how, depth) {
    if (!stop) return;
    stop_.emplace(*stop.get());
    loading_.source.limit({*stop_, {}});
    waits_.emplace(loading_);
    (void)waits_->begin(*stop_);
  }
  ~ResidencyCore() {
    if (waits_) (void)waits_->finish();
  }

  [[nodiscard]] std::size_t size() const noexcept { return loading_.source.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return loading_.source.name(i); }

  /// Pins a context, and loads it first if it is not resident. Waits for pins of other threads
  /// until `until`; without a time it does not wait for pins.
  [[nodiscard]] Result<Held> acquire(std::size_t i, bool exclusive, std::optional<Time> until) {
    if (qnnpp::detail::is_forked()) return fail(in_child("acquiring a context"));
    Turns& turns = loading_.turns;
    std::unique_lock known(loading_.state);
    ++loading_.requests;
    ahead_.note_request(i);
    Request mine{i, exclusive, until.has_value()};
    Next next = line_.next_of(mine, turns.is_taken());
    if (next == Next::pin) return pin(mine, true);
    line_.join(mine);
    const AtEnd leaving(known, [&] {
      line_.leave(mine);
      turns.notify();
      ahead_.note_change();
    });
    for (;; next = line_.next_of(mine, turns.is_taken())) {
      if (next == Next::pin) return pin(mine, true);
      if (next == Next::load) {
        auto loaded = fetch(mine, known);
        if (loaded) return pin(mine, false);
        if (mine.stuck_at == 0 || !until) return fail(std::move(loaded).error());
        mine.is_served = false;
        continue;
      }
      if (is_stopped()) return fail(stopped("acquiring a context", name(mine.index)));
      const bool is_for_release = next == Next::wait_for_release;
      if (turns.is_mine() || (is_for_release && line_.waits_for_itself(mine)))
        return fail(refused(mine, Errc::would_deadlock));
      if (is_for_release && !until) return fail(refused(mine, Errc::in_use));
      if (until && Turns::Clock::now() >= *until) return fail(refused(mine, Errc::timed_out));
      turns.wait(known, until.value_or(Time::max()), is_for_release);
    }
  }
  void release(const Held& held) noexcept {
    if (qnnpp::detail::is_forked()) return;
    std::unique_lock known(loading_.state);
    held.item->unpin(held.pin);
    loading_.turns.notify();
    if (!loading_.is_closed) {
      if (held.item->pins.empty()) ahead_.note_release(*held.item);
      return;
    }
    // close() frees all itself.
    if (loading_.turns.is_mine()) return;
    const auto turn = take_turn(known);
    known.unlock();
    free_all();
  }

  /// See Residency::recover().
  [[nodiscard]] Result<void> recover() {
    if (qnnpp::detail::is_forked()) return fail(in_child("recovering"));
    if (is_stopped()) return fail(stopped("recovering", "the residency"));
    std::unique_lock known(loading_.state);
    if (loading_.turns.is_mine()) return fail(called_while_loading("recovering"));
    const auto turn = take_turn(known);
    known.unlock();
    loading_.sweep();
    auto recovered = recovery_.recover();
    known.lock();
    ahead_.forget_failures();
    return recovered;
  }
  /// See Residency::settle().
  [[nodiscard]] Result<void> settle() {
    if (qnnpp::detail::is_forked()) return fail(in_child("waiting for what is loaded ahead"));
    std::unique_lock known(loading_.state);
    if (loading_.turns.is_mine())
      return fail(called_while_loading("waiting for what is loaded ahead"));
    ahead_.settle(known);
    return {};
  }
  [[nodiscard]] ResidencyStats stats() const {
    const std::scoped_lock known(loading_.state);
    const auto& residents = loading_.residents;
    ResidencyStats stats = loading_.counts;
    stats.waiting = line_.waiting();
    stats.resident_contexts = residents.occupancy().contexts;
    stats.resident_bytes = residents.occupancy().bytes;
    stats.pooled_bytes = residents.pool.bytes();
    stats.learnt_contexts = residents.capacity.learnt().contexts;
    stats.learnt_bytes = residents.capacity.learnt().bytes;
    return stats;
  }
  [[nodiscard]] bool is_resident(std::size_t i) const {
    const std::scoped_lock known(loading_.state);
    return loading_.residents.at(i) != nullptr;
  }
  void forget_learnt() {
    const std::scoped_lock known(loading_.state);
    loading_.residents.forget_limits();
    ahead_.forget_failures();
    loading_.turns.notify();
    ahead_.note_change();
  }

  /// Starts the prefetching thread.
  [[nodiscard]] Result<void> start() {
    return ahead_.start([this] { load_ahead(); });
  }
  /// Ends the thread, and frees all contexts that are not pinned. The others are freed when they
  /// are released.
  void close() {
    std::unique_lock known(loading_.state);
    qnnpp::detail::expects(
        !loading_.turns.is_mine(),
        "the residency ends in a function that its load calls; let the load end first");
    known.unlock();
    ahead_.stop();
    known.lock();
    const auto turn = take_turn(known);
    loading_.is_closed = true;
    known.unlock();
    loading_.source.stop_preparing();
    for (std::size_t i = 0; i < size(); ++i)
      if (loading_.residents.at(i) != nullptr) loading_.drop(i);
    free_all();
  }

 private:
  /// The waits of requests, which the stop ends.
  struct Waits : qnnpp::detail::Endable {
    explicit Waits(Loading<Source>& waited_for) noexcept : Endable(&end), loading(waited_for) {}

    static bool end(Endable& waits) noexcept {
      auto& loading = static_cast<Waits&>(waits).loading;
      const std::scoped_lock known(loading.state);
      loading.turns.notify();
      return true;
    }

    Loading<Source>& loading;
  };

  static constexpr char in_its_function[] = "the call comes from a function that a load calls";

  /// Error of a call in a forked child, where another thread of the parent may hold the mutex or
  /// the turn for ever (PRC-01).
  [[nodiscard]] static Error in_child(const char* step) {
    return Error::make(Errc::foreign_process, step, "the residency");
  }
  [[nodiscard]] bool is_stopped() const noexcept { return stop_ && stop_->is_pulled(); }
  [[nodiscard]] static Error stopped(const char* step, const std::string& object) {
    return qnnpp::detail::ended(qnnpp::detail::EndedBy::stop, step, object);
  }
  [[nodiscard]] static Error called_while_loading(const char* step) {
    return Error::make(Errc::would_deadlock, step, "the residency", in_its_function);
  }
  /// Waits for the turn and takes it. The returned object ends it.
  [[nodiscard]] auto take_turn(std::unique_lock<std::mutex>& known, bool is_worker = false) {
    loading_.turns.take(known);
    return AtEnd(known, [this, is_worker] {
      loading_.turns.end();
      // The thread that loads ahead plans again by itself.
      if (!is_worker) ahead_.note_change();
    });
  }
  void load_ahead() {
    std::unique_lock known(loading_.state);
    // Requests have priority: free room belongs to them.
    if (loading_.turns.is_taken() || line_.first_to_load() != nullptr) return ahead_.note_busy();
    const auto turn = take_turn(known, true);
    known.unlock();
    ahead_.advance([&] { return line_.first_to_load() != nullptr; },
                   [&](std::size_t i) { return line_.wants(i); });
  }
  /// Frees everything that can be freed. Requires the turn.
  void free_all() {
    loading_.sweep();
    (void)loading_.drop_pool();
  }

  // ---- Functions that require the mutex.

  [[nodiscard]] Held pin(const Request& by, bool is_hit) {
    Item& item = *loading_.residents.at(by.index);
    const Held held{&item, item.pin(by.exclusive)};
    if (is_hit) ++loading_.counts.hits;
    item.last_use = loading_.requests;
    ahead_.note_pin(item);
    return held;
  }
  /// Loads the context of a request. Holds the mutex again on return.
  [[nodiscard]] Result<void> fetch(Request& mine, std::unique_lock<std::mutex>& known) {
    const auto turn = take_turn(known);
    mine.is_served = true;
    ahead_.forget_failure(mine.index);
    known.unlock();
    loading_.sweep();
    auto loaded = recovery_.load(mine.index);
    known.lock();
    mine.stuck_at = loading_.stuck_at;
    return loaded;
  }
  /// Returns the error of a request that cannot get its context, with the reason.
  [[nodiscard]] Error refused(const Request& by, Errc kind) const {
    const Turns& turns = loading_.turns;
    const auto& residents = loading_.residents;
    return Error::make(kind, "acquiring a context", name(by.index),
                       turns.is_mine() ? in_its_function
                       : residents.ready(by.index)
                           ? qnnpp::detail::joined({name(by.index), " is pinned"})
                       : turns.is_taken() ? "another thread loads a context"
                                          : loading_.kept(line_.first_to_load(&by)->index));
  }

  std::optional<Stop> stop_;
  Loading<Source> loading_;
  std::optional<Waits> waits_;
  Recovery<Loading<Source>> recovery_{loading_};
  LoadAhead<Loading<Source>> ahead_;
  RequestLine<Residents<Item>> line_{loading_.residents};
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
