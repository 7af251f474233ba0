// Residents: the resident contexts, the free room, and the next context to evict.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/model/detail/resident.hpp"
#include "qnnpp/model/detail/room.hpp"
#include "qnnpp/model/use_order.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// The resident contexts. Calls no function of QNN. The residency's mutex guards it.
template <class Item>
class Residents {
 public:
  Residents(std::size_t contexts, UseOrder known_order, Capacity limits)
      : order(std::move(known_order)), capacity(std::move(limits)), by_index_(contexts) {
    retired_.reserve(contexts);
    pool.reserve(contexts);
  }

  UseOrder order;
  Capacity capacity;
  WeightsPool pool;
  /// Contexts that were loaded ahead in an earlier round do not count as loaded ahead.
  std::uint64_t round = 1;

  [[nodiscard]] Item* at(std::size_t index) const noexcept { return by_index_[index].get(); }
  /// Returns the context with an index if requests can get it, else null.
  [[nodiscard]] Item* ready(std::size_t index) const noexcept {
    Item* item = at(index);
    return item != nullptr && item->is_ready() ? item : nullptr;
  }
  /// Whether a context can be evicted.
  [[nodiscard]] static bool may_go(const Item& item) noexcept {
    return item.pins.empty() && !item.is_held();
  }
  /// Contexts that are listed, and retired ones that are still pinned or held.
  [[nodiscard]] const Occupancy& occupancy() const noexcept { return occupancy_; }
  /// The part of occupancy() that is on the device.
  [[nodiscard]] Occupancy on_device() const noexcept {
    Occupancy alive = occupancy_;
    for (const auto& item : retired_)
      if (item->is_off_device) alive.subtract(item->bytes);
    return alive;
  }
  /// Changes when room may have become free: when a context is removed, and in
  /// forget_limits(). Never 0.
  [[nodiscard]] std::uint64_t version() const noexcept { return version_; }
  /// Places of the resident contexts that `is_wanted`.
  template <class IsWanted>
  [[nodiscard]] std::vector<std::size_t> indices_of(IsWanted is_wanted) const {
    std::vector<std::size_t> found;
    for (const auto& item : by_index_)
      if (item && is_wanted(*item)) found.push_back(item->index);
    return found;
  }

  /// Reserves memory for one more context, so that add(), keep() and the pool allocate nothing for
  /// it.
  void reserve_one_more() {
    const std::size_t all = occupancy_.contexts + 1;
    retired_.reserve(all);
    pool.reserve(pool.size() + all);
  }
  void add(std::unique_ptr<Item> item) noexcept {
    count(*item);
    const std::size_t index = item->index;
    by_index_[index] = std::move(item);
  }
  /// Removes a context from the list. The caller frees or keeps it.
  [[nodiscard]] std::unique_ptr<Item> remove(std::size_t index) noexcept {
    ++version_;
    occupancy_.subtract(by_index_[index]->bytes);
    return std::move(by_index_[index]);
  }
  /// Retires a context that remove() returned and that is pinned or held. It counts until sweep()
  /// removes it.
  void keep(std::unique_ptr<Item> item) noexcept {
    count(*item);
    item->is_off_device = item->is_dead();
    retired_.push_back(std::move(item));
  }
  /// Removes a retired context without pins; unless `held_too`, also without graphs that hold it.
  /// The caller frees it. Returns null if there is none.
  [[nodiscard]] std::unique_ptr<Item> sweep(bool held_too) noexcept {
    for (auto& item : retired_) {
      if (!item->pins.empty() || (item->is_held() && !held_too)) continue;
      std::swap(item, retired_.back());
      auto swept = std::move(retired_.back());
      retired_.pop_back();
      occupancy_.subtract(swept->bytes);
      return swept;
    }
    return {};
  }
  /// Whether a retired context is pinned.
  [[nodiscard]] bool has_pinned_retired() const noexcept {
    return std::any_of(retired_.begin(), retired_.end(),
                       [](const auto& item) { return !item->pins.empty(); });
  }
  /// Forgets the learnt limits.
  void forget_limits() noexcept {
    capacity.forget();
    ++version_;
  }

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
  /// Whether there is room for two more contexts without an eviction, the second in a new buffer.
  [[nodiscard]] bool has_room(const Need& need, const Need& next) const noexcept {
    Occupancy wanted = with(need.bytes);
    wanted.add(next.bytes);
    return pool.size() == 0 && capacity.admits(wanted) &&
           capacity.affords(sum_bytes(sum_bytes(occupancy_.bytes, need.shared_bytes),
                                      sum_bytes(need.bytes, next.bytes)));
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

  /// Returns the context with the farthest next use after `skipped` requests, among those that
  /// `may_go`; the least recently used of several. Null if there is none.
  template <class MayGo>
  [[nodiscard]] Item* farthest(std::uint64_t skipped, MayGo may_go) const {
    Item* first = nullptr;
    std::uint64_t first_next = 0;
    for (const auto& item : by_index_) {
      if (!item || !may_go(*item)) continue;
      const std::uint64_t next = order.distance(item->index, skipped);
      if (first != nullptr && next < first_next) continue;
      if (first != nullptr && next == first_next && item->last_use >= first->last_use) continue;
      first = item.get();
      first_next = next;
    }
    return first;
  }
  /// Whether a context can be evicted for `wanted`, or swept.
  [[nodiscard]] bool can_free(std::size_t wanted) const noexcept {
    return has_other(wanted, may_go);
  }
  /// Whether the calling thread pins every context that could make room for `wanted`.
  [[nodiscard]] bool are_kept_by_this_thread(std::size_t wanted) const noexcept {
    return occupancy_.contexts != 0 &&
           !has_other(wanted, [](const Item& item) { return !item.is_pinned_by_this_thread(); });
  }
  /// Says that no context can be evicted for `wanted`. Names the first ones, with the reasons.
  template <class NameOf>
  [[nodiscard]] std::string kept(std::size_t wanted, NameOf name_of) const {
    qnnpp::detail::NameList names;
    (void)has_other(wanted, [&](const Item& item) {
      if (at(item.index) != &item || !may_go(item))
        names.add(name_of(item.index), item.pins.empty()
                                           ? qnnpp::detail::joined({" is held by ", item.holders()})
                                       : item.is_dead() ? " is dead and still pinned"
                                                        : " is pinned");
      return false;
    });
    return qnnpp::detail::joined({"no context can be evicted: ", names.text()});
  }

 private:
  /// Whether `is_found` is true for a resident or retired context other than the one at `index`.
  template <class IsFound>
  [[nodiscard]] bool has_other(std::size_t index, IsFound is_found) const {
    const auto is_other = [&, own = at(index)](const auto& item) {
      return item && item.get() != own && is_found(*item);
    };
    return std::any_of(by_index_.begin(), by_index_.end(), is_other) ||
           std::any_of(retired_.begin(), retired_.end(), is_other);
  }
  void count(const Item& item) noexcept {
    occupancy_.add(item.bytes);
    most_bytes_ = std::max(most_bytes_, occupancy_.bytes);
  }

  std::vector<std::unique_ptr<Item>> by_index_;
  std::vector<std::unique_ptr<Item>> retired_;
  Occupancy occupancy_;
  std::uint64_t most_bytes_ = 0;
  std::uint64_t version_ = 1;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
