// Definitions of use_order.hpp.
#pragma once

#include "qnnpp/model/use_order.hpp"

#include "qnnpp/config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace qnnpp::inline QNNPP_NAMESPACE::model {

QNNPP_INLINE std::optional<std::size_t> UseOrder::begin(std::size_t contexts) {
  position_ = 0;
  places_.assign(contexts, {});
  if (!is_known()) return {};
  if (sequence_.empty())
    for (std::size_t i = 0; i < contexts; ++i) sequence_.push_back(i);
  for (std::size_t at = 0; at < sequence_.size(); ++at) {
    if (sequence_[at] >= contexts) return sequence_[at];
    places_[sequence_[at]].push_back(at);
  }
  return {};
}

QNNPP_INLINE std::optional<std::size_t> UseOrder::expected(std::uint64_t ahead) const noexcept {
  if (kind_ == Kind::unknown || sequence_.empty()) return {};
  const std::uint64_t at = position_ + ahead;
  if (at < sequence_.size()) return sequence_[static_cast<std::size_t>(at)];
  if (kind_ == Kind::once) return {};
  return sequence_[static_cast<std::size_t>(at % sequence_.size())];
}

QNNPP_INLINE std::uint64_t UseOrder::distance(std::size_t context,
                                              std::uint64_t skipped) const noexcept {
  if (!is_known() || places_[context].empty()) return never;
  const std::vector<std::uint64_t>& places = places_[context];
  const std::uint64_t length = sequence_.size();
  std::uint64_t from = position_ + skipped;
  if (kind_ == Kind::cyclic) from %= length;
  const auto next = std::lower_bound(places.begin(), places.end(), from);
  if (next != places.end()) return skipped + (*next - from);
  return kind_ == Kind::once ? never : skipped + (length - from) + places.front();
}

QNNPP_INLINE bool UseOrder::note(std::size_t context) noexcept {
  if (!is_known() || sequence_.empty()) return false;
  const std::uint64_t length = sequence_.size();
  const bool again =
      (kind_ == Kind::cyclic || position_ > 0) &&
      sequence_[static_cast<std::size_t>((position_ + length - 1) % length)] == context;
  const std::uint64_t ahead = distance(context);
  if (ahead == never || (ahead != 0 && again)) return false;
  position_ += ahead + 1;
  if (kind_ == Kind::cyclic) position_ %= length;
  return true;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
