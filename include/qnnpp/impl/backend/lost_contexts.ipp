// Definitions of lost_contexts.hpp.
#pragma once

#include "qnnpp/backend/detail/lost_contexts.hpp"

#include <string>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::uint64_t LostContexts::bytes() noexcept {
  const std::lock_guard guard(mutex_);
  std::uint64_t sum = 0;
  for (const LostContext* lost = lost_.data(); lost->block != nullptr; ++lost) {
    const LostContext* first = lost_.data();
    while (first->spill_fill != lost->spill_fill) ++first;
    sum += lost->bytes + (first == lost ? lost->spill_fill_bytes : 0);
  }
  return sum;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE LostContext* LostContexts::place_of(
    const void* block) noexcept {
  LostContext* lost = lost_.data();
  while (lost->block != block && lost->block != nullptr) ++lost;
  return lost;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void LostContexts::add(const LostContext& lost) noexcept {
  const std::lock_guard guard(mutex_);
  if (count() == most_lost_contexts) return;
  *place_of(nullptr) = lost;
  count_.fetch_add(1, std::memory_order_release);
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void LostContexts::remove(
    const LostContext& lost) noexcept {
  const std::lock_guard guard(mutex_);
  LostContext& last = lost_[count_.fetch_sub(1) - 1];
  *place_of(lost.block) = last;
  last = {};
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE LostContext LostContexts::find(
    c_api::ContextFreeFn library, std::uintptr_t first, std::uintptr_t last) noexcept {
  const std::lock_guard guard(mutex_);
  for (const LostContext& lost : lost_)
    if (lost.library == library && lost.holder == nullptr && lost.number >= first &&
        lost.number <= last)
      return lost;
  return {};
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void LostContexts::hold(const LostContext& lost,
                                                                  const void* holder) noexcept {
  const std::lock_guard guard(mutex_);
  place_of(lost.block)->holder = holder;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void LostContexts::let_go(const void* holder) noexcept {
  const std::lock_guard guard(mutex_);
  for (LostContext& lost : lost_)
    if (lost.holder == holder) {
      lost.holder = nullptr;
      (void)lost.library(reinterpret_cast<c_api::ContextHandle>(lost.number), nullptr);
    }
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void say_what_is_lost(Error& error) {
  constexpr const char* words = " bytes until the process ends";
  if (error.detail.find(words) != std::string::npos) return;
  const bool is_full = lost_contexts->count() == most_lost_contexts;
  error.detail = joined({"lost contexts keep ", lost_contexts->bytes(), words,
                         is_full ? "; reload the process" : "", error.detail.empty() ? "" : "; ",
                         error.detail});
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
