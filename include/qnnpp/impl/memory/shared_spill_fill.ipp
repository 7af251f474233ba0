// Definitions of shared_spill_fill.hpp.
#pragma once

#include "qnnpp/memory/shared_spill_fill.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/mem_region.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {
namespace detail {

QNNPP_INLINE SpillFillBlock::SpillFillBlock(MemRegion<SpillFill> memory, std::uint64_t alignment)
    : region(std::move(memory)), start_alignment(alignment) {}

QNNPP_INLINE SpillFillBlock::~SpillFillBlock() = default;

}  // namespace detail

QNNPP_INLINE SharedSpillFill SharedSpillFill::from_region(MemRegion<SpillFill> region,
                                                          std::uint64_t start_alignment) {
  return SharedSpillFill(Ref<detail::SpillFillBlock>::make(std::move(region), start_alignment));
}

QNNPP_INLINE Result<void> SharedSpillFill::admit(const BufferRequirements& need,
                                                 const std::string& context) const {
  constexpr const char* step = "sharing a spill-fill buffer";
  if (need.spill_fill_bytes == 0) return {};
  if (size_bytes() < need.spill_fill_bytes)
    return fail(
        Error::mismatch(Errc::too_small, step, context, need.spill_fill_bytes, size_bytes()));
  if (need.start_alignment > 1 && block_->region.offset_bytes() % need.start_alignment != 0)
    return fail(Error::mismatch(Errc::misaligned, step, context, need.start_alignment,
                                block_->region.offset_bytes()));
  return {};
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
