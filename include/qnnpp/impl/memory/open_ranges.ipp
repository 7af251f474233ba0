// Definitions of open_ranges.hpp.
#pragma once

#include "qnnpp/memory/detail/open_ranges.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

[[gnu::noinline]] QNNPP_INLINE bool OpenRanges::meet(std::uint64_t begin, std::uint64_t end) const {
  if (count_.load(std::memory_order_relaxed) == 0) return false;
  const std::lock_guard guard(mutex_);
  for (std::size_t i = 0; i < count_; ++i)
    if (begin < at(i).end && at(i).begin < end) return true;
  return false;
}

[[gnu::noinline]] QNNPP_INLINE void OpenRanges::add(std::uint64_t begin, std::uint64_t end) {
  const std::lock_guard guard(mutex_);
  if (count_ < few_.size())
    few_[count_] = {begin, end};
  else
    more_.push_back({begin, end});
  ++count_;
  open_accesses.fetch_add(1, std::memory_order_relaxed);
}

[[gnu::noinline]] QNNPP_INLINE void OpenRanges::remove(std::uint64_t begin,
                                                       std::uint64_t end) noexcept {
  const std::lock_guard guard(mutex_);
  const std::size_t last = --count_;
  std::size_t i = 0;
  while (i < last && at(i) != Range{begin, end}) ++i;
  (i < few_.size() ? few_[i] : more_[i - few_.size()]) = at(last);
  if (last >= few_.size()) more_.pop_back();
  open_accesses.fetch_sub(1, std::memory_order_relaxed);
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
