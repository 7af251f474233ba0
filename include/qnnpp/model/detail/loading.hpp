// Loading: the layer of a residency that loads and evicts contexts within the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/detail/failed_load.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/model/detail/request_line.hpp"
#include "qnnpp/model/detail/residents.hpp"
#include "qnnpp/model/residency_options.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// Why a context is loaded. Only a load for a request evicts others.
enum class Reason : std::uint8_t { request, recovery, prefetch };

/// Layer of the budget and the learnt limits, above a Source such as ContextSource.
///
/// `state` guards all data. It is never held during a call of QNN or of a caller's function. The
/// functions require the turn and are called without `state`. Only the thread with the turn adds
/// and removes contexts, so it may read them without the mutex.
template <class Source>
class Loading {
 public:
  using Item = typename Source::Item;

  Loading(Source from, UseOrder order, Capacity limits)
      : source(std::move(from)), residents(source.size(), std::move(order), std::move(limits)) {
    source.describe(counts);
  }

  Source source;
  mutable std::mutex state;
  Turns turns;
  Residents<Item> residents;
  /// Counters of all layers, and what describe() sets.
  ResidencyStats counts;
  /// Number of requests so far.
  std::uint64_t requests = 0;
  /// Residents::version() when the last load found no context to evict; 0 if it did not.
  std::uint64_t stuck_at = 0;
  bool is_closed = false;

  /// Loads a context and builds its payload, or builds only the payload if the context is resident.
  /// After a refusal for lack of room, evicts a context and tries again, for a request only. Error
  /// `in_use`: no context can be evicted.
  [[nodiscard]] Result<void> load(std::size_t i, Reason reason) {
    const auto epoch = source.epoch();
    const auto created = epoch.contexts_created();
    stuck_at = 0;
    auto loaded = load_or_evict(i, reason);
    // An error may come from a call without a context. A restart then concerns all contexts.
    if (!loaded && loaded.error().kind == Errc::qnn) epoch.record(loaded.error().code, created);
    return loaded;
  }

  /// Evicts a context. Returns false if it is pinned, or held by graphs after its payload is
  /// destroyed: then it stays, as its eviction would free nothing.
  bool evict(std::size_t victim) {
    std::unique_lock known(state);
    // Another thread may have pinned it since it was chosen.
    if (!residents.at(victim)->pins.empty()) return false;
    auto item = residents.remove(victim);
    turns.notify();
    known.unlock();
    item->drop_payload();
    if (item->is_held() && !item->is_dead()) {
      known.lock();
      residents.add(std::move(item));
      return false;
    }
    let_go(std::move(item));
    known.lock();
    ++counts.evictions;
    return true;
  }
  /// Frees a resident context, or retires it until it is released. Allocates nothing.
  void drop(std::size_t index) noexcept {
    std::unique_lock known(state);
    auto item = residents.remove(index);
    if (!item->pins.empty()) return residents.keep(std::move(item));
    known.unlock();
    let_go(std::move(item));
  }
  /// Frees retired contexts that are not pinned or held any more.
  void sweep() {
    for (;;) {
      std::unique_lock known(state);
      auto swept = residents.sweep(is_closed);
      known.unlock();
      if (!swept) return;
      let_go(std::move(swept));
    }
  }
  /// Frees all unused weights buffers. Returns whether there were any.
  bool drop_pool() {
    for (bool dropped = false;; dropped = true) {
      MemRegion<Weights> region;  // Freed without the lock.
      const std::scoped_lock known(state);
      region = residents.pool.take_other(0);
      if (!region) return dropped;
    }
  }
  /// Says that no context can be evicted for `wanted`. Requires `state`.
  [[nodiscard]] std::string kept(std::size_t wanted) const {
    return residents.kept(wanted, [&](std::size_t i) { return source.name(i); });
  }

 private:
  [[nodiscard]] Result<void> load_or_evict(std::size_t i, Reason reason) {
    std::vector<Occupancy> refused;
    std::string cause;
    bool was_dropped = false;  // A payload that failed leaves a free buffer each time.
    for (;;) {
      // After an eviction that freed nothing, only the payload is missing.
      const bool is_loaded = residents.at(i) != nullptr;
      Occupancy wanted = residents.on_device();
      auto built = is_loaded ? rebuild_payload(i) : load_once(i, reason, wanted);
      if (built) {
        const std::scoped_lock known(state);
        residents.capacity.learn(refused, residents.on_device());
        return built;
      }
      Error error = std::move(built).error();
      if (stuck_at != 0) error.detail += cause;
      if (reason != Reason::request || !qnnpp::detail::is_exhausted(error))
        return fail(std::move(error));
      // Free buffers occupy memory, descriptors and mappings, but no room on the device.
      if (drop_pool() && error.kind != Errc::qnn && !std::exchange(was_dropped, true)) continue;
      if (residents.on_device().contexts == (is_loaded ? 1 : 0)) return fail(std::move(error));
      refused.push_back(wanted);
      cause = qnnpp::detail::joined({"; ", error.step,
                                     error.kind == Errc::qnn
                                         ? qnnpp::detail::joined({" returned ", error.code})
                                         : " failed"});
      if (auto made = evict_one(i); !made) {
        made.error().detail += cause;
        return made;
      }
      const std::scoped_lock known(state);
      ++counts.capacity_retries;
    }
  }

  /// Makes room, loads a context and builds its payload. Sets `wanted` to the occupancy that the
  /// load needs.
  [[nodiscard]] Result<void> load_once(std::size_t i, Reason reason, Occupancy& wanted) {
    const Need need = source.need_of(i);
    if (const auto alone = sum_bytes(need.bytes, need.shared_bytes);
        !residents.capacity.affords(alone))
      return fail(Error::mismatch(Errc::too_large, "loading a context", source.name(i), alone,
                                  residents.capacity.budget_bytes()));
    QNNPP_TRY(make_room(i, need, reason == Reason::request));
    std::unique_lock known(state);
    const std::uint64_t bytes = residents.bytes_of(need);
    wanted = residents.with(bytes);
    residents.reserve_one_more();
    MemRegion<Weights> weights = residents.pool.take(need.buffer_bytes);
    known.unlock();
    const bool is_reused = static_cast<bool>(weights);

    QNNPP_LET(loaded, source.load(i, std::move(weights)));
    std::unique_ptr<Item> item = std::move(*loaded);
    known.lock();
    source.describe(counts);
    ++counts.loads;
    if (is_reused) ++counts.buffers_reused;
    known.unlock();
    // The first load may have found that spill-fill cannot be shared, which changes the need.
    const Need found = source.need_of(i);
    item->bytes = is_reused && found.buffer_bytes != 0 ? bytes : found.bytes;
    if (auto built = source.build(*item); !built) {
      let_go(std::move(item));
      return built;
    }
    known.lock();
    item->last_use = requests;
    if (reason == Reason::prefetch) {
      item->ahead_round = residents.round;
      ++counts.prefetched;
    }
    residents.add(std::move(item));
    return {};
  }
  [[nodiscard]] Result<void> rebuild_payload(std::size_t i) {
    std::unique_lock known(state);
    auto item = residents.remove(i);
    const AtEnd back(known, [&] { residents.add(std::move(item)); });
    known.unlock();
    return source.build(*item);
  }

  /// Frees unused buffers, then evicts contexts, until there is room. Error: `in_use`.
  [[nodiscard]] Result<void> make_room(std::size_t i, const Need& need, bool may_evict) {
    for (;;) {
      MemRegion<Weights> dropped;  // Freed without the lock.
      std::unique_lock known(state);
      if (residents.has_room(need)) {
        if (residents.has_room_beside_the_pool(need)) return {};
        // Prefers a buffer that does not fit the need.
        dropped = residents.pool.take_other(need.buffer_bytes);
        if (!dropped) dropped = residents.pool.take(need.buffer_bytes);
        if (dropped) continue;
      }
      known.unlock();
      QNNPP_TRY(evict_one(i, may_evict));
    }
  }
  /// Evicts one context. Error `in_use`: none can be evicted.
  [[nodiscard]] Result<void> evict_one(std::size_t wanted, bool may_evict = true) {
    for (;;) {
      std::unique_lock known(state);
      const Item* const victim =
          may_evict ? residents.farthest(0,
                                         [&](const Item& item) {
                                           return item.index != wanted && residents.may_go(item);
                                         })
                    : nullptr;
      if (victim == nullptr) {
        stuck_at = residents.version();
        return fail(Errc::in_use, "making room for a context", source.name(wanted), kept(wanted));
      }
      known.unlock();
      if (evict(victim->index)) return {};
    }
  }
  /// Frees a context and pools its weights buffer (RES-02). Allocates nothing. If graphs hold the
  /// context, nothing can be freed yet: sets it aside until they are destroyed.
  void let_go(std::unique_ptr<Item> item) noexcept {
    item->drop_payload();
    std::unique_lock known(state);
    if (item->is_held() && !is_closed) return residents.keep(std::move(item));
    known.unlock();
    auto weights = item->reclaim();
    known.lock();
    if (weights) residents.pool.put(std::move(weights));
  }
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
