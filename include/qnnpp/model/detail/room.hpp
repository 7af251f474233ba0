// Capacity: limits on the resident contexts. WeightsPool: free weights buffers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "qnnpp/core/states.hpp"
#include "qnnpp/memory/mem_region.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// Returns the sum, or the largest number on overflow. Needs can be arbitrarily large.
[[nodiscard]] constexpr std::uint64_t sum_bytes(std::uint64_t a, std::uint64_t b) noexcept {
  return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/// A number of contexts and the bytes that they occupy together.
struct Occupancy {
  std::size_t contexts = 0;
  std::uint64_t bytes = 0;
  void add(std::uint64_t more) noexcept {
    ++contexts;
    bytes += more;
  }
  void subtract(std::uint64_t less) noexcept {
    --contexts;
    bytes -= less;
  }
  friend bool operator==(const Occupancy&, const Occupancy&) = default;
};

/// Limits on the resident contexts, given or learnt. A refusal of n contexts with b bytes excludes
/// every occupancy of at least n contexts and at least b bytes, and nothing else.
class Capacity {
 public:
  Capacity() = default;
  /// A 0 sets no limit.
  Capacity(std::uint64_t budget_bytes, std::size_t max_contexts)
      : budget_bytes_(budget_bytes), max_contexts_(max_contexts) {}

  [[nodiscard]] std::uint64_t budget_bytes() const noexcept { return budget_bytes_; }

  /// Whether all bytes together are within the budget.
  [[nodiscard]] bool affords(std::uint64_t bytes) const noexcept {
    return budget_bytes_ == 0 || bytes <= budget_bytes_;
  }
  /// Whether an occupancy is within the maximum of contexts and the learnt limits.
  [[nodiscard]] bool admits(const Occupancy& wanted) const noexcept {
    if (max_contexts_ != 0 && wanted.contexts > max_contexts_) return false;
    return std::none_of(refused_.begin(), refused_.end(), [&](const Occupancy& refused) {
      return wanted.contexts >= refused.contexts && wanted.bytes >= refused.bytes;
    });
  }

  /// Learns from refusals that were followed by the successful `fitted`.
  void learn(const std::vector<Occupancy>& refused, const Occupancy& fitted) {
    for (const Occupancy& each : refused) {
      const bool has_fitted = each.contexts <= fitted.contexts && each.bytes <= fitted.bytes;
      if (has_fitted || !admits(each)) continue;
      std::erase_if(refused_, [&](const Occupancy& kept) {
        return kept.contexts >= each.contexts && kept.bytes >= each.bytes;
      });
      refused_.push_back(each);
    }
    if (!refused.empty()) fitted_ = fitted;
  }
  /// Forgets the learnt limits.
  void forget() noexcept {
    refused_.clear();
    fitted_ = {};
  }
  /// Occupancy that fitted after the last refusal; zeros if nothing was refused.
  [[nodiscard]] const Occupancy& learnt() const noexcept { return fitted_; }

 private:
  std::uint64_t budget_bytes_ = 0;
  std::size_t max_contexts_ = 0;
  std::vector<Occupancy> refused_;
  Occupancy fitted_;
};

/// Free weights buffers. A buffer fits a need if it exceeds it by at most a quarter. The excess
/// occupies room: with a smaller limit more buffers are allocated, with a larger one more contexts
/// are loaded. Not thread-safe.
class WeightsPool {
 public:
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t size() const noexcept { return free_.size(); }

  /// Reserves memory for this number of buffers, so that put() allocates nothing.
  void reserve(std::size_t buffers) { free_.reserve(buffers); }
  /// Adds a free buffer; ignores an empty one.
  void put(MemRegion<Weights> region) {
    if (!region) return;
    bytes_ += region.size_bytes();
    free_.push_back(std::move(region));
  }

  /// Size of the buffer that take() would return; 0 if there is none.
  [[nodiscard]] std::uint64_t fitting_bytes(std::uint64_t need_bytes) const noexcept {
    const auto at = find(need_bytes);
    return at ? free_[*at].size_bytes() : 0;
  }
  /// Removes and returns the smallest buffer that fits; empty if there is none.
  [[nodiscard]] MemRegion<Weights> take(std::uint64_t need_bytes) {
    const auto at = find(need_bytes);
    return at ? remove(*at) : MemRegion<Weights>();
  }
  /// Removes the longest-idle buffer that take(need_bytes) would not choose, for the caller to
  /// free; empty if there is none.
  [[nodiscard]] MemRegion<Weights> take_other(std::uint64_t need_bytes) {
    const auto kept = find(need_bytes);
    for (std::size_t i = 0; i < free_.size(); ++i)
      if (!kept || i != *kept) return remove(i);
    return {};
  }

 private:
  [[nodiscard]] std::optional<std::size_t> find(std::uint64_t need_bytes) const noexcept {
    std::optional<std::size_t> best;
    if (need_bytes == 0) return best;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const std::uint64_t size = free_[i].size_bytes();
      // Compares the excess, because the need plus a quarter may overflow.
      if (size < need_bytes || size - need_bytes > need_bytes / 4) continue;
      if (!best || size < free_[*best].size_bytes()) best = i;
    }
    return best;
  }
  [[nodiscard]] MemRegion<Weights> remove(std::size_t at) {
    MemRegion<Weights> region = std::move(free_[at]);
    free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(at));
    bytes_ -= region.size_bytes();
    return region;
  }

  std::vector<MemRegion<Weights>> free_;
  std::uint64_t bytes_ = 0;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
