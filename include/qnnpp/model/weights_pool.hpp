// WeightsPool: weights buffers of contexts that went, for contexts to come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "qnnpp/core/states.hpp"
#include "qnnpp/memory/mem_region.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// Free buffers, found by size. Its owner serialises its use.
class WeightsPool {
 public:
  /// `slack_percent`: how much larger than asked for a buffer may be to be given out.
  explicit WeightsPool(std::uint32_t slack_percent = 25) : slack_percent_(slack_percent) {}

  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t size() const noexcept { return free_.size(); }

  void put(MemRegion<Weights> region) {
    if (!region) return;
    bytes_ += region.size_bytes();
    free_.push_back(std::move(region));
  }

  /// Bytes of the buffer that take() would give; 0: none.
  [[nodiscard]] std::uint64_t fitting_bytes(std::uint64_t need_bytes) const noexcept {
    const auto at = find(need_bytes);
    return at ? free_[*at].size_bytes() : 0;
  }
  /// The smallest buffer that is large enough, and not too large; empty where there is none.
  [[nodiscard]] MemRegion<Weights> take(std::uint64_t need_bytes) {
    const auto at = find(need_bytes);
    return at ? remove(*at) : MemRegion<Weights>();
  }
  /// Of the buffers that take(need_bytes) would not give the one that is free longest, for the
  /// caller to drop; empty where there is none.
  [[nodiscard]] MemRegion<Weights> take_other(std::uint64_t need_bytes) {
    const auto kept = find(need_bytes);
    for (std::size_t i = 0; i < free_.size(); ++i)
      if (!kept || i != *kept) return remove(i);
    return {};
  }
  [[nodiscard]] std::vector<MemRegion<Weights>> take_all() {
    bytes_ = 0;
    return std::exchange(free_, {});
  }

 private:
  [[nodiscard]] std::optional<std::size_t> find(std::uint64_t need_bytes) const noexcept {
    std::optional<std::size_t> best;
    if (need_bytes == 0) return best;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const std::uint64_t size = free_[i].size_bytes();
      // By the rest, as the sum may overflow.
      if (size < need_bytes || size - need_bytes > need_bytes / 100 * slack_percent_ +
                                                       need_bytes % 100 * slack_percent_ / 100)
        continue;
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
  std::uint32_t slack_percent_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
