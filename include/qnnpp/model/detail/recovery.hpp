// Recovery: the layer of a residency that replaces contexts which a restart of the DSP killed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "qnnpp/model/detail/loading.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// Layer of recovery (SSR-01, SSR-02), above Loading. The functions require the turn and are called
/// without the mutex.
template <class Lower>
class Recovery {
  using Item = typename Lower::Item;

 public:
  explicit Recovery(Lower& lower) : lower_(lower), recovered_(restarts()) {}

  /// Frees dead contexts, then loads a context for a request. If the load reports a restart, does
  /// so once more.
  [[nodiscard]] Result<void> load(std::size_t i) {
    for (bool is_first = true;; is_first = false) {
      if (const auto dead = lower_.residents.indices_of(is_dead); !dead.empty()) drop(dead);
      auto loaded = lower_.load(i, Reason::request);
      if (loaded || !is_first || !qnnpp::detail::is_restart(loaded.error())) return loaded;
    }
  }
  /// See Residency::recover(). Forgets the learnt limits in any case.
  [[nodiscard]] Result<void> recover() {
    std::vector<std::size_t> indices = lower_.residents.indices_of(is_dead);
    if (indices.empty() && !is_recovered())
      indices = lower_.residents.indices_of([](const Item&) { return true; });
    recovered_ = restarts();
    drop(indices);
    return load_again(std::move(indices));
  }

 private:
  [[nodiscard]] static bool is_dead(const Item& item) noexcept { return item.is_dead(); }
  [[nodiscard]] std::uint32_t restarts() const noexcept {
    return lower_.source.epoch().log->restarts();
  }
  /// Whether a request or another thread has recovered from the last restart before this call. Only
  /// recovery retires pinned contexts.
  [[nodiscard]] bool is_recovered() const {
    const std::scoped_lock known(lower_.state);
    return recovered_ != restarts() || lower_.residents.has_pinned_retired();
  }
  /// Frees these contexts. Forgets the learnt limits, because the restart may have looked like a
  /// full device.
  void drop(const std::vector<std::size_t>& indices) {
    for (const std::size_t i : indices) lower_.drop(i);
    const std::scoped_lock known(lower_.state);
    if (!indices.empty()) ++lower_.counts.recoveries;
    lower_.residents.forget_limits();
  }
  /// Loads these contexts, the one that is used next first, until there is no room.
  [[nodiscard]] Result<void> load_again(std::vector<std::size_t> indices) {
    std::unique_lock known(lower_.state);
    const UseOrder& order = lower_.residents.order;
    std::sort(indices.begin(), indices.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(order.distance(a), a) < std::pair(order.distance(b), b);
    });
    for (const std::size_t i : indices) {
      if (!lower_.residents.has_room(lower_.source.need_of(i))) break;
      known.unlock();
      auto loaded = lower_.load(i, Reason::recovery);
      if (!loaded && !qnnpp::detail::is_exhausted(loaded.error())) return loaded;
      known.lock();
    }
    return {};
  }

  Lower& lower_;
  /// Number of known restarts at the last recover().
  std::uint32_t recovered_;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
