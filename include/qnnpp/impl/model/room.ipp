// Definitions of room.hpp.
#pragma once

#include "qnnpp/model/detail/room.hpp"

#include "qnnpp/config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "qnnpp/memory/mem_region.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

QNNPP_INLINE bool Capacity::admits(const Occupancy& wanted) const noexcept {
  if (max_contexts_ != 0 && wanted.contexts > max_contexts_) return false;
  return std::none_of(refused_.begin(), refused_.end(), [&](const Occupancy& refused) {
    return wanted.contexts >= refused.contexts && wanted.bytes >= refused.bytes;
  });
}

QNNPP_INLINE void Capacity::learn(const std::vector<Occupancy>& refused, const Occupancy& fitted) {
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

QNNPP_INLINE void WeightsPool::put(MemRegion<Weights> region) {
  if (!region) return;
  bytes_ += region.size_bytes();
  free_.push_back(std::move(region));
}

QNNPP_INLINE std::uint64_t WeightsPool::fitting_bytes(std::uint64_t need_bytes) const noexcept {
  const auto at = find(need_bytes);
  return at ? free_[*at].size_bytes() : 0;
}

QNNPP_INLINE MemRegion<Weights> WeightsPool::take(std::uint64_t need_bytes) {
  const auto at = find(need_bytes);
  return at ? remove(*at) : MemRegion<Weights>();
}

QNNPP_INLINE MemRegion<Weights> WeightsPool::take_other(std::uint64_t need_bytes) {
  const auto kept = find(need_bytes);
  for (std::size_t i = 0; i < free_.size(); ++i)
    if (!kept || i != *kept) return remove(i);
  return {};
}

QNNPP_INLINE std::optional<std::size_t> WeightsPool::find(std::uint64_t need_bytes) const noexcept {
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

QNNPP_INLINE MemRegion<Weights> WeightsPool::remove(std::size_t at) {
  MemRegion<Weights> region = std::move(free_[at]);
  free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(at));
  bytes_ -= region.size_bytes();
  return region;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
