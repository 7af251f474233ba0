// Residents: the resident contexts, the free room, and the next context to evict.
// RequestLine: the waiting requests and their order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/context/context.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/spill_fill_lease.hpp"
#include "qnnpp/model/detail/context_loader.hpp"
#include "qnnpp/model/detail/prefetcher.hpp"
#include "qnnpp/model/detail/room.hpp"
#include "qnnpp/model/use_order.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// A pin of a context: the threads that may have its pinned object. Pinned objects write them
/// without the owner's mutex.
using Pin = qnnpp::detail::HolderThreads;
using Pins = std::list<Pin>;

/// A loaded context with its payload, which is destroyed first.
template <class Payload>
struct Resident {
  Resident(std::size_t at, Context<Finalized> loaded, std::uint64_t takes)
      : place(at), context(std::move(loaded)), bytes(takes) {}

  std::size_t place;
  Context<Finalized> context;
  std::optional<Payload> payload;
  std::uint64_t bytes;
  Pins pins;
  /// Unused list nodes for later pins. The first pin allocates none; later ones allocate only if
  /// there are more simultaneous pins than ever before.
  Pins spare_pins = Pins(1);
  /// Whether the current pin is exclusive.
  bool is_exclusive = false;
  /// References to the context held by this object and its payload. More references belong to
  /// graphs of the application.
  std::uint32_t own_references = 1;
  /// Number of requests made until its last use.
  std::uint64_t last_use = 0;
  /// Round of Residents in which it was loaded ahead; 0 if it was requested since, or was not
  /// loaded ahead.
  std::uint64_t ahead_round = 0;
  /// Whether its handles were dead when it left its place. It then still has buffers and handles,
  /// but occupies no process domain.
  bool is_off_device = false;

  /// Whether requests can get it.
  [[nodiscard]] bool is_ready() const noexcept { return payload.has_value() && !is_dead(); }
  /// Whether its handles died with a restart of the DSP (SSR-01).
  [[nodiscard]] bool is_dead() const noexcept {
    return qnnpp::detail::Access::block(context)->epoch.has_ended();
  }
  /// Whether graphs of the application hold the context, so that its release frees nothing.
  [[nodiscard]] bool is_held() const noexcept {
    return qnnpp::detail::Access::block(context).use_count() > (payload ? own_references : 1);
  }
  /// Whether it can be evicted.
  [[nodiscard]] bool may_go() const noexcept { return pins.empty() && !is_held(); }
  /// Whether it admits another pin of this kind now.
  [[nodiscard]] bool admits(bool exclusive) const noexcept {
    return pins.empty() || (!exclusive && !is_exclusive);
  }
  /// Whether the calling thread may have one of its pins, so that it stays while this thread waits.
  [[nodiscard]] bool is_pinned_by_this_thread() const noexcept {
    return std::any_of(pins.begin(), pins.end(),
                       [](const Pin& each) { return each.has_this_thread(); });
  }
  /// A pinned context and its pin.
  struct Held {
    Resident* item;
    Pins::iterator pin;
  };
  [[nodiscard]] Held pin(bool exclusive) {
    if (spare_pins.empty()) spare_pins.emplace_back();
    spare_pins.front().set_holder(thread_number());
    is_exclusive = exclusive;
    pins.splice(pins.begin(), spare_pins, spare_pins.begin());
    return {this, pins.begin()};
  }
  void unpin(Pins::iterator pin) noexcept { spare_pins.splice(spare_pins.begin(), pins, pin); }

  /// Builds the payload with the caller's function, or by default if there is none. The owner's
  /// mutex is not held, and no other thread knows the context.
  [[nodiscard]] Result<void> build_payload(
      const std::function<Result<Payload>(std::size_t, const Context<Finalized>&)>& make) {
    const auto& block = qnnpp::detail::Access::block(context);
    const std::uint32_t others = block.use_count() - 1;
    if (make) {
      const auto created = block->epoch.contexts_created();
      auto made = make(place, context);
      if (!made) {
        // The caller's function may be the first that sees a restart.
        if (made.error().kind == Errc::qnn) block->epoch.record(made.error().code, created);
        return fail(std::move(made).error());
      }
      payload.emplace(std::move(*made));
    } else if constexpr (std::is_default_constructible_v<Payload>) {
      payload.emplace();
    }
    // Other references may be released concurrently, which would lower the difference.
    const std::uint32_t all = block.use_count();
    if (all > others) own_references = std::max(own_references, all - others);
    return {};
  }

  /// Frees the context, dead or alive, after its payload is destroyed. Reports no error and
  /// allocates nothing. Returns its weights buffer; empty if it has none, if graphs use the
  /// context, or if QNN did not free it.
  [[nodiscard]] MemRegion<Weights> reclaim() noexcept {
    const auto block = qnnpp::detail::Access::take(std::move(context));
    if (block.use_count() != 1 || !is_success(block->context.close())) return {};
    return std::move(block->weights);
  }
};

/// Next step of prefetching: loads `place`, or evicts `victim` first if there is one. Or the reason
/// to do nothing.
struct Ahead {
  enum class Kind : std::uint8_t {
    load,      ///< Evicts `victim` if there is one, else loads `place`.
    complete,  ///< All expected contexts are resident.
    enough,    ///< As many contexts as allowed are loaded ahead and not requested yet.
    refused,   ///< The last prefetch of the next context failed.
    no_room,   ///< There is no room before `victim`, or any context without one, is released.
  };
  Kind kind = Kind::complete;
  std::size_t place = 0;
  std::optional<std::size_t> victim = {};

  /// Whether the release of the last pin of `released` can change the plan.
  [[nodiscard]] bool is_changed_by_release(std::size_t released, bool overlap) const noexcept {
    return kind == Kind::no_room && (overlap || !victim || *victim == released);
  }
};

/// The resident contexts. Calls no function of QNN. The owner's mutex guards it.
template <class Payload>
class Residents {
 public:
  using Item = Resident<Payload>;

  Residents(std::size_t contexts, UseOrder known_order, Capacity limits)
      : order(std::move(known_order)), capacity(std::move(limits)), places_(contexts) {
    retired_.reserve(contexts);
    pool.reserve(contexts);
  }

  UseOrder order;
  Capacity capacity;
  WeightsPool pool;

  [[nodiscard]] Item* at(std::size_t place) const noexcept { return places_[place].get(); }
  /// Returns the context at a place if requests can get it, else null.
  [[nodiscard]] Item* ready(std::size_t place) const noexcept {
    Item* item = at(place);
    return item != nullptr && item->is_ready() ? item : nullptr;
  }
  /// Contexts in their places, and retired ones that are still pinned or held.
  [[nodiscard]] const Occupancy& occupancy() const noexcept { return occupancy_; }
  /// The part of occupancy() that is on the device.
  [[nodiscard]] Occupancy on_device() const noexcept {
    return {occupancy_.contexts - off_device_.contexts, occupancy_.bytes - off_device_.bytes};
  }

  /// Reserves memory for one more context, so that add(), retire(), keep() and the pool allocate
  /// nothing for it.
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
  /// Removes a context from its place. The caller frees it.
  [[nodiscard]] std::unique_ptr<Item> remove(std::size_t place) {
    discount(occupancy_, *places_[place]);
    if (is_ahead(*places_[place])) --ahead_;
    return std::move(places_[place]);
  }
  /// Marks a context as loaded ahead. It must not be added yet.
  void set_ahead(Item& item) const noexcept { item.ahead_round = round_; }
  /// Marks a context as requested. Returns whether it was loaded ahead.
  bool note_asked(Item& item) noexcept {
    const bool was_ahead = is_ahead(item);
    if (was_ahead) --ahead_;
    item.ahead_round = 0;
    return was_ahead;
  }
  /// Ends the round: no context counts as loaded ahead any more.
  void forget_ahead() noexcept {
    ++round_;
    ahead_ = 0;
  }
  /// Moves a pinned context out of its place. It counts until sweep() removes it.
  void retire(std::size_t place) noexcept {
    if (is_ahead(*places_[place])) --ahead_;
    set_aside(std::move(places_[place]));
  }
  /// Retires a context that remove() returned and that graphs still hold.
  void keep(std::unique_ptr<Item> item) noexcept {
    count(*item);
    set_aside(std::move(item));
  }
  /// Removes a retired context without pins; unless `held_too`, also without graphs that hold it.
  /// The caller frees it. Returns null if there is none.
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
  /// Whether a retired context is pinned.
  [[nodiscard]] bool has_pinned_retired() const noexcept {
    return std::any_of(retired_.begin(), retired_.end(),
                       [](const auto& item) { return !item->pins.empty(); });
  }

  /// Bytes for one more context. `bytes` includes `buffer_bytes` for a weights buffer, but not the
  /// `shared_bytes` of the spill-fill buffer.
  struct Need {
    std::uint64_t bytes = 0;
    std::uint64_t buffer_bytes = 0;
    std::uint64_t shared_bytes = 0;
  };

  /// Bytes of the context, including the excess of a free buffer that would be used again.
  [[nodiscard]] std::uint64_t bytes_of(const Need& need) const noexcept {
    const std::uint64_t reused = pool.fitting_bytes(need.buffer_bytes);
    return sum_bytes(need.bytes, reused == 0 ? 0 : reused - need.buffer_bytes);
  }
  /// Occupancy of the device with one more context of `bytes`.
  [[nodiscard]] Occupancy with(std::uint64_t bytes) const noexcept {
    const Occupancy now = on_device();
    return {now.contexts + 1, sum_bytes(now.bytes, bytes)};
  }
  /// Whether there is room after all free buffers are dropped.
  [[nodiscard]] bool has_room(const Need& need) const noexcept {
    return capacity.admits(with(need.bytes)) &&
           capacity.affords(sum_bytes(sum_bytes(occupancy_.bytes, need.bytes), need.shared_bytes));
  }
  /// Whether there is room beside the free buffers. Without a budget, resident contexts and free
  /// buffers together may not exceed the most bytes that were ever resident.
  [[nodiscard]] bool has_room_beside_the_pool(const Need& need) const noexcept {
    const std::uint64_t more = bytes_of(need);
    const std::uint64_t others = pool.bytes() - pool.fitting_bytes(need.buffer_bytes);
    const std::uint64_t all = sum_bytes(sum_bytes(occupancy_.bytes, more), others);
    if (capacity.budget_bytes() == 0 && others != 0 && all > most_bytes_) return false;
    return capacity.admits(with(more)) && capacity.affords(sum_bytes(all, need.shared_bytes));
  }
  /// Removes a free buffer for the caller to drop. Prefers one that does not fit the need.
  [[nodiscard]] MemRegion<Weights> shrink_pool(const Need& need) {
    auto other = pool.take_other(need.buffer_bytes);
    return other ? std::move(other) : pool.take(need.buffer_bytes);
  }

  /// Returns the place of the context to evict for `wanted`, if any.
  [[nodiscard]] std::optional<std::size_t> victim_for(std::size_t wanted) const {
    return first_to_go(0, [&](const Item& item) { return item.place != wanted && item.may_go(); });
  }
  /// Whether a context can be evicted for `wanted`, or swept.
  [[nodiscard]] bool can_free(std::size_t wanted) const noexcept {
    const auto may_go = [own = at(wanted)](const auto& item) {
      return item && item.get() != own && item->may_go();
    };
    return std::any_of(places_.begin(), places_.end(), may_go) ||
           std::any_of(retired_.begin(), retired_.end(), may_go);
  }
  /// Whether the calling thread pins every context that could make room for `wanted`.
  [[nodiscard]] bool are_kept_by_this_thread(std::size_t wanted) const noexcept {
    const auto is_kept = [own = at(wanted)](const auto& item) {
      return !item || item.get() == own || item->is_pinned_by_this_thread();
    };
    return occupancy_.contexts != 0 && std::all_of(places_.begin(), places_.end(), is_kept) &&
           std::all_of(retired_.begin(), retired_.end(), is_kept);
  }

  /// Plans to load the next missing context of the order. If there is no room, plans to evict the
  /// context that the request itself would evict; with `overlap`, the best one that is not pinned.
  /// In both cases the victim must be evictable now and not be used before the missing context.
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
      const auto victim = victim_ahead(overlap, distance);
      const bool may_go =
          victim && places_[*victim]->may_go() && order.distance(*victim) >= distance;
      return {may_go ? Kind::load : Kind::no_room, *expected, victim};
    }
    return {Kind::complete};
  }

  /// Says that no context can be evicted for `wanted`. Names the first ones, with the reasons.
  [[nodiscard]] std::string kept(std::size_t wanted, const ContextLoader& loader) const {
    qnnpp::detail::NameList names;
    const auto add = [&](const Item& item) {
      names.add(loader.name(item.place), item.pins.empty() ? " is held by its graphs"
                                         : item.is_dead()  ? " is dead and still pinned"
                                                           : " is pinned");
    };
    for (const auto& item : places_)
      if (item && item->place != wanted && !item->may_go()) add(*item);
    for (const auto& item : retired_) add(*item);
    return "no context can be evicted: " + names.text();
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
  /// Adds a counted context to the retired ones.
  void set_aside(std::unique_ptr<Item> item) noexcept {
    item->is_off_device = item->is_dead();
    if (item->is_off_device) {
      ++off_device_.contexts;
      off_device_.bytes += item->bytes;
    }
    retired_.push_back(std::move(item));
  }
  [[nodiscard]] std::optional<std::size_t> victim_ahead(bool overlap,
                                                        std::uint64_t distance) const {
    // Rated by their next use after the request for the missing context.
    return first_to_go(distance + 1, [&](const Item& item) {
      return !item.is_held() &&
             (!overlap || (item.pins.empty() && order.distance(item.place) >= distance));
    });
  }
  /// Returns the place of the context with the farthest next use after `skipped` requests, among
  /// those that `may_go`. The least recently used of several.
  template <class MayGo>
  [[nodiscard]] std::optional<std::size_t> first_to_go(std::uint64_t skipped, MayGo may_go) const {
    const Item* first = nullptr;
    std::uint64_t farthest = 0;
    for (const auto& item : places_) {
      if (!item || !may_go(*item)) continue;
      const std::uint64_t next = order.distance(item->place, skipped);
      if (first != nullptr && next < farthest) continue;
      if (first != nullptr && next == farthest && item->last_use >= first->last_use) continue;
      first = item.get();
      farthest = next;
    }
    if (first == nullptr) return {};
    return first->place;
  }
  [[nodiscard]] bool is_ahead(const Item& item) const noexcept {
    return item.ahead_round == round_;
  }

  std::vector<std::unique_ptr<Item>> places_;
  std::vector<std::unique_ptr<Item>> retired_;
  Occupancy occupancy_;
  /// The part of occupancy_ with dead handles.
  Occupancy off_device_;
  std::uint64_t most_bytes_ = 0;
  /// Number of contexts in their places that were loaded ahead in this round and not requested yet.
  std::size_t ahead_ = 0;
  std::uint64_t round_ = 1;
};

/// Request of a thread for a context.
struct Request {
  std::size_t place;
  bool exclusive;
  /// Whether it waits for pins of other threads.
  bool waits;
  /// Whether no context could be evicted at its last try.
  bool lacks_room = false;
  /// Whether it waits until a context can be evicted.
  bool is_stuck = false;
};

/// Next action of a request. A wait for the turn ends with other threads' loads; a wait for a
/// release ends when a pin is released.
enum class Next : std::uint8_t { pin, load, wait_for_turn, wait_for_release };

/// Waiting requests in their order. The owner's mutex guards it.
template <class Payload>
class RequestLine {
 public:
  explicit RequestLine(const Residents<Payload>& residents) : residents_(residents) {}

  void join(Request& request) { line_.push_back(&request); }
  void leave(const Request& request) noexcept { std::erase(line_, &request); }
  [[nodiscard]] std::size_t size() const noexcept { return line_.size(); }
  /// Lets every request try again, because a limit was removed.
  void try_again() noexcept {
    for (Request* each : line_) each->is_stuck = false;
  }

  /// Returns the first request before `end` whose context is not resident, or null.
  [[nodiscard]] const Request* wants_load(const Request* end = nullptr) const noexcept {
    for (const Request* each : line_) {
      if (each == end) break;
      if (residents_.ready(each->place) == nullptr) return each;
    }
    return nullptr;
  }

  /// Returns the request that loads before `mine`, or `mine`.
  [[nodiscard]] const Request& first_of(const Request& mine) const noexcept {
    const Request* const earlier = wants_load(&mine);
    return earlier != nullptr ? *earlier : mine;
  }

  /// Returns the next action of a request. Each resident context has its own order of requests, and
  /// so have the requests that need room. A request for a resident context passes requests that
  /// wait for room, unless its context could be evicted for them. A thread that shares a context
  /// shares it again before exclusive requests, as these already wait for this thread.
  [[nodiscard]] Next next_of(const Request& mine, bool is_turn_taken) const noexcept {
    const Request& first = first_of(mine);
    if (const auto* item = residents_.ready(mine.place)) {
      if (!item->admits(mine.exclusive)) return Next::wait_for_release;
      for (const Request* each : line_) {
        if (each == &mine) break;
        if (each->place != mine.place) continue;
        if (item->is_pinned_by_this_thread()) break;
        return item->admits(each->exclusive) ? Next::wait_for_turn : Next::wait_for_release;
      }
      const bool goes = &first != &mine && first.is_stuck && item->may_go();
      return goes ? Next::wait_for_turn : Next::pin;
    }
    if (is_turn_taken) return Next::wait_for_turn;
    if (first.is_stuck && !residents_.can_free(first.place)) return Next::wait_for_release;
    return &first == &mine ? Next::load : Next::wait_for_turn;
  }
  /// Whether the calling thread waits for its own pins: it pins the context, or, if the request
  /// waits for room, every context that could be evicted.
  [[nodiscard]] bool waits_for_itself(const Request& mine) const noexcept {
    if (const auto* item = residents_.ready(mine.place)) return item->is_pinned_by_this_thread();
    return mine.waits && residents_.are_kept_by_this_thread(first_of(mine).place);
  }

 private:
  const Residents<Payload>& residents_;
  std::vector<Request*> line_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
