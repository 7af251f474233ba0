// Definitions of shared_spill_fill.hpp.
#pragma once

#include "qnnpp/memory/shared_spill_fill.hpp"

#include <mutex>

namespace qnnpp { inline namespace QNNPP_NAMESPACE {
namespace detail {

QNNPP_INLINE SpillFillBlock::SpillFillBlock(MemRegion<SpillFill> memory)
    : region(std::move(memory)) {
  const std::lock_guard guard(spill_fill_blocks->mutex);
  // A block that is being destroyed keeps its lock until remove() returns.
  if (region)
    if (const auto* const other = spill_fill_blocks->find([&](const SpillFillBlock& each) {
          return is_memory_of(each.region, Access::block(region)->id);
        }))
      lock = other->lock;
  spill_fill_blocks->add(*this);
}

QNNPP_INLINE SpillFillBlock::~SpillFillBlock() { spill_fill_blocks->remove(*this); }

}  // namespace detail

QNNPP_INLINE SharedSpillFill SharedSpillFill::from_region(MemRegion<SpillFill> region) {
  return SharedSpillFill(Ref<detail::SpillFillBlock>::make(std::move(region)));
}

QNNPP_INLINE Result<void> SharedSpillFill::admit(const BufferRequirements& need,
                                                 const std::string& context) const {
  constexpr const char* step = "sharing a spill-fill buffer";
  if (is_moved_from())
    return fail(Errc::invalid_argument, step, context,
                "the spill-fill buffer was moved from; give each context a copy");
  if (need.spill_fill_bytes == 0) return {};
  if (size_bytes() < need.spill_fill_bytes)
    return fail(
        Error::mismatch(Errc::too_small, step, context, need.spill_fill_bytes, size_bytes()));
  return detail::starts_aligned(block_->region, need.start_alignment, step, context);
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
