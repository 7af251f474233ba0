// Residents: the contexts that are on the device, the room that is left, and who goes next.
// RequestLine: who asks for contexts, and who is served next.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/context.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/model/detail/context_loader.hpp"
#include "qnnpp/model/detail/prefetcher.hpp"
#include "qnnpp/model/detail/room.hpp"
#include "qnnpp/model/eviction.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// A pin of a context.
struct Pin {
  /// The thread that made it, or moved or used it last. Pinned objects write it without the owner's
  /// mutex.
  std::atomic<ThreadNumber> thread{no_thread};

  void note_thread() noexcept {
    const ThreadNumber self = thread_number();
    if (thread.load(std::memory_order_relaxed) != self)
      thread.store(self, std::memory_order_relaxed);
  }
};
using Pins = std::list<Pin>;

/// A loaded context and what was built from it. The payload goes first.
template <class Payload>
struct Resident {
  Resident(std::size_t at, Context<Finalized> loaded, std::uint64_t takes)
      : place(at), context(std::move(loaded)), bytes(takes) {}

  std::size_t place;
  Context<Finalized> context;
  std::optional<Payload> payload;
  std::uint64_t bytes;
  Pins pins;
  /// For the next pins. As one is made with the context, only more shared pins at a time than ever
  /// before allocate anything.
  Pins spare_pins = Pins(1);
  /// Whether the pin there is excludes others.
  bool is_exclusive = false;
  /// References to the context with a complete payload: more are those of others.
  std::uint32_t own_references = 1;
  std::uint64_t loaded_at = 0;
  std::uint64_t last_use = 0;
  /// In which round of Residents it was loaded ahead and is not asked for yet; 0: in none.
  std::uint64_t ahead_round = 0;
  /// Its handles were dead when it left its place: it keeps its buffers and handles, and occupies
  /// no process domain.
  bool is_off_device = false;

  /// Whether it can be given out.
  [[nodiscard]] bool is_ready() const noexcept { return payload.has_value() && !is_dead(); }
  /// Whether its handles died with a restart of the DSP (SSR-01).
  [[nodiscard]] bool is_dead() const noexcept {
    return qnnpp::detail::Access::block(context)->epoch.has_ended();
  }
  /// Whether others hold the context, so that letting go of it frees nothing.
  [[nodiscard]] bool is_held() const noexcept {
    return qnnpp::detail::Access::block(context).use_count() > (payload ? own_references : 1);
  }
  [[nodiscard]] bool may_go() const noexcept { return pins.empty() && !is_held(); }
  /// Whether it can be pinned beside the pins that there are.
  [[nodiscard]] bool admits(bool exclusive) const noexcept {
    return pins.empty() || (!exclusive && !is_exclusive);
  }
  /// Whether one of its pins is the calling thread's: it cannot go while this thread waits.
  [[nodiscard]] bool is_pinned_by_this_thread() const noexcept {
    return std::any_of(pins.begin(), pins.end(), [self = thread_number()](const Pin& each) {
      return each.thread.load(std::memory_order_relaxed) == self;
    });
  }
  /// A pinned context, and its pin.
  struct Held {
    Resident* item;
    Pins::iterator pin;
  };
  [[nodiscard]] Held pin(bool exclusive) {
    if (spare_pins.empty()) spare_pins.emplace_back();
    spare_pins.front().note_thread();
    is_exclusive = exclusive;
    pins.splice(pins.begin(), spare_pins, spare_pins.begin());
    return {this, pins.begin()};
  }
  void unpin(Pins::iterator pin) noexcept { spare_pins.splice(spare_pins.begin(), pins, pin); }

  /// Frees the context, whose payload is gone, dead or not, silently as a destructor does.
  /// Allocates nothing. Returns its weights buffer; empty if it has none, if others use the
  /// context, or if QNN did not free it.
  [[nodiscard]] MemRegion<Weights> reclaim() noexcept {
    const auto block = qnnpp::detail::Access::take(std::move(context));
    if (block.use_count() != 1 || !is_success(block->context.close())) return {};
    return std::move(block->weights);
  }
};

/// What prefetching does next: loads `place`, after `victim` has gone if there is one; or why it
/// does nothing.
struct Ahead {
  enum class Kind : std::uint8_t {
    load,
    complete,  ///< Nothing that is expected is missing.
    enough,    ///< As many as asked for are there and wait for their request.
    refused,   ///< The next one was tried in vain.
    full,      ///< There is no room, and nothing goes for one that is not asked for.
    no_room,   ///< There is no room before `victim` is released; without one, before any is.
  };
  Kind kind = Kind::complete;
  std::size_t place = 0;
  std::optional<std::size_t> victim = {};

  /// Whether the plan may be another one once nobody pins `released` any more.
  [[nodiscard]] bool is_changed_by_release(std::size_t released, bool overlap) const noexcept {
    return kind == Kind::no_room && (overlap || !victim || *victim == released);
  }
};

/// Which contexts are resident. No calls of QNN are made here; the owner's mutex guards it.
template <class Payload>
class Residents {
 public:
  using Item = Resident<Payload>;

  Residents(std::size_t contexts, UseOrder known_order, EvictionPolicy how, Capacity limits,
            WeightsPool buffers)
      : order(std::move(known_order)),
        policy(std::move(how)),
        capacity(std::move(limits)),
        pool(std::move(buffers)),
        places_(contexts) {
    retired_.reserve(contexts);
    pool.reserve(contexts);
  }

  UseOrder order;
  EvictionPolicy policy;
  Capacity capacity;
  WeightsPool pool;

  [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }
  [[nodiscard]] Item* at(std::size_t place) const noexcept { return places_[place].get(); }
  /// The one at a place that can be given out; null: there is none.
  [[nodiscard]] Item* ready(std::size_t place) const noexcept {
    Item* item = at(place);
    return item != nullptr && item->is_ready() ? item : nullptr;
  }
  /// Those in their places, and retired ones that are still pinned or held.
  [[nodiscard]] const Occupancy& occupancy() const noexcept { return occupancy_; }
  /// The part of occupancy() that is on the device.
  [[nodiscard]] Occupancy on_device() const noexcept {
    return {occupancy_.contexts - off_device_.contexts, occupancy_.bytes - off_device_.bytes};
  }

  /// Makes room for one more context, retired ones included: add(), retire(), keep() and the pool
  /// allocate nothing for it then.
  void reserve_one_more() {
    const std::size_t all = occupancy_.contexts + 1;
    retired_.reserve(all);
    pool.reserve(pool.size() + all);
  }
  void add(std::unique_ptr<Item> item) noexcept {
    count(*item);
    if (is_ahead(*item)) ++ahead_;
    const std::size_t place = item->place;
    places_[place] = std::move(item);
  }
  /// Takes one out; the caller lets it go.
  [[nodiscard]] std::unique_ptr<Item> remove(std::size_t place) {
    discount(occupancy_, *places_[place]);
    if (is_ahead(*places_[place])) --ahead_;
    return std::move(places_[place]);
  }
  /// One that is not added yet counts as loaded ahead from then on.
  void set_ahead(Item& item) const noexcept { item.ahead_round = round_; }
  /// Takes note that it was asked for. Whether it was loaded ahead.
  bool note_asked(Item& item) noexcept {
    const bool was_ahead = is_ahead(item);
    if (was_ahead) --ahead_;
    item.ahead_round = 0;
    return was_ahead;
  }
  /// Nothing counts as loaded ahead any more.
  void forget_ahead() noexcept {
    ++round_;
    ahead_ = 0;
  }
  /// Moves a pinned context out of its place; it counts until it is swept.
  void retire(std::size_t place) noexcept {
    if (is_ahead(*places_[place])) --ahead_;
    set_aside(std::move(places_[place]));
  }
  /// The same for one that was taken out, and that others still hold.
  void keep(std::unique_ptr<Item> item) noexcept {
    count(*item);
    set_aside(std::move(item));
  }
  /// Takes out a retired one that nobody pins any more, and nobody else holds unless `held_too`;
  /// the caller lets it go. Null: there is none.
  [[nodiscard]] std::unique_ptr<Item> sweep(bool held_too) noexcept {
    for (auto& item : retired_) {
      if (!item->pins.empty() || (item->is_held() && !held_too)) continue;
      std::swap(item, retired_.back());
      auto swept = std::move(retired_.back());
      retired_.pop_back();
      discount(occupancy_, *swept);
      if (swept->is_off_device) discount(off_device_, *swept);
      return swept;
    }
    return {};
  }
  /// Whether someone pins a retired one.
  [[nodiscard]] bool has_pinned_retired() const noexcept {
    return std::any_of(retired_.begin(), retired_.end(),
                       [](const auto& item) { return !item->pins.empty(); });
  }

  /// Room for one more context: `bytes` it takes, `buffer_bytes` of them in a weights buffer,
  /// beside `shared_bytes` of all.
  struct Need {
    std::uint64_t bytes = 0;
    std::uint64_t buffer_bytes = 0;
    std::uint64_t shared_bytes = 0;
  };

  /// What it takes with a free buffer used again where one fits.
  [[nodiscard]] std::uint64_t bytes_of(const Need& need) const noexcept {
    const std::uint64_t reused = pool.fitting_bytes(need.buffer_bytes);
    return sum_bytes(need.bytes, reused == 0 ? 0 : reused - need.buffer_bytes);
  }
  /// What the device would hold with `bytes` more.
  [[nodiscard]] Occupancy with(std::uint64_t bytes) const noexcept {
    const Occupancy now = on_device();
    return {now.contexts + 1, sum_bytes(now.bytes, bytes)};
  }
  /// Whether there is room, if need be without any free buffer.
  [[nodiscard]] bool has_room(const Need& need) const noexcept {
    return capacity.admits(with(need.bytes)) &&
           capacity.affords(sum_bytes(sum_bytes(occupancy_.bytes, need.bytes), need.shared_bytes));
  }
  /// Whether there is room beside the free buffers. Without a budget, what is resident and free is
  /// at most what was resident once.
  [[nodiscard]] bool has_room_beside_the_pool(const Need& need) const noexcept {
    const std::uint64_t more = bytes_of(need);
    const std::uint64_t others = pool.bytes() - pool.fitting_bytes(need.buffer_bytes);
    const std::uint64_t all = sum_bytes(sum_bytes(occupancy_.bytes, more), others);
    if (capacity.budget_bytes() == 0 && others != 0 && all > most_bytes_) return false;
    return capacity.admits(with(more)) && capacity.affords(sum_bytes(all, need.shared_bytes));
  }
  /// Takes a free buffer out for the caller to drop: one that does not fit, else the one that does.
  [[nodiscard]] MemRegion<Weights> shrink_pool(const Need& need) {
    auto other = pool.take_other(need.buffer_bytes);
    return other ? std::move(other) : pool.take(need.buffer_bytes);
  }

  /// The place of the one to go for `wanted`; none where no one may. For a policy that is not
  /// custom.
  [[nodiscard]] std::optional<std::size_t> victim_for(std::size_t wanted) const {
    return first_to_go([&](const Item& item) -> std::optional<EvictionCandidate> {
      if (item.place == wanted || !item.may_go()) return {};
      return candidate(item);
    });
  }
  /// Those that may go for `wanted`, for a custom policy.
  void list_candidates(std::size_t wanted, std::vector<EvictionCandidate>& candidates) const {
    candidates.clear();
    for (const auto& item : places_)
      if (item && item->place != wanted && item->may_go()) candidates.push_back(candidate(*item));
  }
  /// Whether one may go for another.
  [[nodiscard]] bool can_free() const noexcept {
    const auto may_go = [](const auto& item) { return item && item->may_go(); };
    return std::any_of(places_.begin(), places_.end(), may_go) ||
           std::any_of(retired_.begin(), retired_.end(), may_go);
  }
  /// Whether the calling thread pins each that would have to go for another.
  [[nodiscard]] bool are_kept_by_this_thread() const noexcept {
    const auto is_kept = [](const auto& item) { return !item || item->is_pinned_by_this_thread(); };
    return occupancy_.contexts != 0 && std::all_of(places_.begin(), places_.end(), is_kept) &&
           std::all_of(retired_.begin(), retired_.end(), is_kept);
  }

  /// The next context in the order that is missing, unless there is no room for it and none is
  /// made: by the context that the policy lets go when that one is asked for, if it may go now and
  /// is not used before; with `overlap` by whichever may go and is not used before.
  template <class NeedOf>
  [[nodiscard]] Ahead plan_ahead(bool overlap, std::size_t depth,
                                 const std::vector<bool>& not_to_try, NeedOf need_of) const {
    using Kind = Ahead::Kind;
    if (ahead_ >= depth) return {Kind::enough};
    for (std::uint64_t distance = 0; distance < order.length(); ++distance) {
      const auto expected = order.expected(distance);
      if (!expected) break;
      if (places_[*expected]) continue;
      if (not_to_try[*expected]) return {Kind::refused};
      if (has_room(need_of(*expected))) return {Kind::load, *expected};
      if (!policy.follows_the_order()) return {Kind::full};
      const auto victim = victim_ahead(overlap, distance);
      const bool may_go =
          victim && places_[*victim]->may_go() && order.distance(*victim) >= distance;
      return {may_go ? Kind::load : Kind::no_room, *expected, victim};
    }
    return {Kind::complete};
  }

  /// Names of the contexts that cannot go.
  [[nodiscard]] std::string kept(const ContextLoader& loader) const {
    std::string text;
    const auto say = [&](const Item& item) {
      const std::string& name = loader.name(item.place);
      text += text.empty() ? "" : ", ";
      text += item.pins.empty() ? name + " is used by graphs that others hold"
              : item.is_dead()  ? name + " is pinned and dead"
                                : name + " is pinned";
    };
    for (const auto& item : places_)
      if (item && !item->may_go()) say(*item);
    for (const auto& item : retired_) say(*item);
    return text;
  }

 private:
  void count(const Item& item) {
    ++occupancy_.contexts;
    occupancy_.bytes += item.bytes;
    most_bytes_ = std::max(most_bytes_, occupancy_.bytes);
  }
  static void discount(Occupancy& occupancy, const Item& item) {
    --occupancy.contexts;
    occupancy.bytes -= item.bytes;
  }
  /// Keeps one, which is counted, beside the places.
  void set_aside(std::unique_ptr<Item> item) noexcept {
    item->is_off_device = item->is_dead();
    if (item->is_off_device) {
      ++off_device_.contexts;
      off_device_.bytes += item->bytes;
    }
    retired_.push_back(std::move(item));
  }
  [[nodiscard]] EvictionCandidate candidate(const Item& item, std::uint64_t skipped = 0) const {
    return {item.place, item.bytes, item.loaded_at, item.last_use,
            order.distance(item.place, skipped)};
  }
  [[nodiscard]] std::optional<std::size_t> victim_ahead(bool overlap,
                                                        std::uint64_t distance) const {
    return first_to_go([&](const Item& item) -> std::optional<EvictionCandidate> {
      if (item.is_held()) return {};
      if (overlap && (!item.pins.empty() || order.distance(item.place) < distance)) return {};
      // As it will stand when the missing one is asked for.
      return candidate(item, distance + 1);
    });
  }
  /// The place of the one that the policy lets go first, of those that `candidate_of` returns.
  template <class CandidateOf>
  [[nodiscard]] std::optional<std::size_t> first_to_go(CandidateOf candidate_of) const {
    std::optional<EvictionCandidate> first;
    for (const auto& item : places_) {
      if (!item) continue;
      const std::optional<EvictionCandidate> each = candidate_of(*item);
      if (each && (!first || policy.prefers(*each, *first))) first = each;
    }
    if (!first) return {};
    return first->context;
  }
  [[nodiscard]] bool is_ahead(const Item& item) const noexcept {
    return item.ahead_round == round_;
  }

  std::vector<std::unique_ptr<Item>> places_;
  std::vector<std::unique_ptr<Item>> retired_;
  Occupancy occupancy_;
  /// The part of occupancy_ whose handles died.
  Occupancy off_device_;
  std::uint64_t most_bytes_ = 0;
  /// How many in their places were loaded ahead in this round, and are not asked for yet.
  std::size_t ahead_ = 0;
  std::uint64_t round_ = 1;
};

/// A thread that asks for a context.
struct Request {
  std::size_t place;
  bool exclusive;
  /// Nothing could go for it when it was tried last.
  bool lacks_room = false;
  /// It waits for something to go, and takes the first that may.
  bool is_stuck = false;
};

/// What a request does next. A wait for the turn ends with the loads of others, a wait for a
/// release when somebody lets go of a pin.
enum class Next : std::uint8_t { pin, load, wait_for_turn, wait_for_release };

/// Requests that could not be served at once, in their order. The owner's mutex guards it.
template <class Payload>
class RequestLine {
 public:
  explicit RequestLine(const Residents<Payload>& residents) : residents_(residents) {}

  void join(Request& request) { line_.push_back(&request); }
  void leave(const Request& request) noexcept { std::erase(line_, &request); }
  [[nodiscard]] std::size_t size() const noexcept { return line_.size(); }
  /// Each is tried again, as what was refused may be given now.
  void try_again() noexcept {
    for (Request* each : line_) each->is_stuck = false;
  }

  /// The first request for a context that is not there, of those before `end`.
  [[nodiscard]] const Request* wants_load(const Request* end = nullptr) const noexcept {
    for (const Request* each : line_) {
      if (each == end) break;
      if (residents_.ready(each->place) == nullptr) return each;
    }
    return nullptr;
  }

  /// Requests are served in their order, apart for each context that is there and for room. One for
  /// a context that is there passes by those that wait for room, unless the context may go for
  /// them. A thread that shares a context shares it again before those that wait for it alone: they
  /// wait for this thread already.
  [[nodiscard]] Next next_of(const Request& mine, bool is_turn_taken) const noexcept {
    const Request* const earlier = wants_load(&mine);
    if (const auto* item = residents_.ready(mine.place)) {
      if (!item->admits(mine.exclusive)) return Next::wait_for_release;
      for (const Request* each : line_) {
        if (each == &mine) break;
        if (each->place != mine.place) continue;
        if (item->is_pinned_by_this_thread()) break;
        return item->admits(each->exclusive) ? Next::wait_for_turn : Next::wait_for_release;
      }
      const bool goes = earlier != nullptr && earlier->is_stuck && item->may_go();
      return goes ? Next::wait_for_turn : Next::pin;
    }
    if (is_turn_taken) return Next::wait_for_turn;
    const Request& first = earlier != nullptr ? *earlier : mine;
    if (first.is_stuck && !residents_.can_free()) return Next::wait_for_release;
    return &first == &mine ? Next::load : Next::wait_for_turn;
  }
  /// Whether the calling thread itself pins the context, or for one that waits for room each that
  /// would have to go.
  [[nodiscard]] bool waits_for_itself(const Request& mine, bool waits_for_room) const noexcept {
    if (const auto* item = residents_.ready(mine.place)) return item->is_pinned_by_this_thread();
    return waits_for_room && residents_.are_kept_by_this_thread();
  }

 private:
  const Residents<Payload>& residents_;
  std::vector<Request*> line_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
