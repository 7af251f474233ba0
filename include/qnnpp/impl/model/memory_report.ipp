// Definitions of memory_report.hpp.
#pragma once

#include "qnnpp/model/memory_report.hpp"

#include <algorithm>

#include "qnnpp/core/context_spec.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

QNNPP_INLINE ByteSum ContextMemory::pd_estimate() const noexcept {
  const bool is_exact =
      weights.value && domain_spill_fill.value && op_data.value == 0u && unread_metadata_bytes == 0;
  ByteSum sum{domain_weights.value.value_or(weights.value.value_or(file_bytes)), is_exact};
  return sum.add(domain_spill_fill.value.value_or(spill_fill.or_zero()))
      .add(io)
      .add(op_data)
      .add(vtcm);
}

QNNPP_OUT_OF_LINE QNNPP_INLINE ContextMemory detail::from_manifest(ContextMemory memory) {
  for (const auto number :
       {&ContextMemory::weights, &ContextMemory::shared_weights, &ContextMemory::spill_fill,
        &ContextMemory::start_alignment, &ContextMemory::io, &ContextMemory::op_data,
        &ContextMemory::vtcm, &ContextMemory::domain_weights, &ContextMemory::domain_spill_fill})
    if ((memory.*number).value) (memory.*number).source = SizeSource::manifest;
  return memory;
}

QNNPP_INLINE ByteSum MemoryReport::sum_of(Bytes ContextMemory::* number) const noexcept {
  ByteSum sum;
  for (const ContextMemory& context : contexts) sum.add(context.*number);
  return sum;
}

QNNPP_INLINE ByteSum MemoryReport::spill_fill(SpillFillSharing how) const noexcept {
  if (how == SpillFillSharing::automatic) how = sharing;
  ByteSum sum;
  std::uint64_t largest = 0;
  for (const ContextMemory& context : contexts)
    if (how == SpillFillSharing::none || !context.shares_spill_fill) {
      sum.add(context.spill_fill);
    } else {
      sum.exact = sum.exact && context.spill_fill.value;
      std::uint64_t bytes = context.spill_fill.or_zero();
      if (how == SpillFillSharing::external_buffer &&
          context.spill_fill.source == SizeSource::metadata)
        bytes = qnnpp::detail::rounded_by_backend(bytes);
      largest = std::max(largest, bytes);
    }
  return sum.add(largest);
}

QNNPP_INLINE ByteSum MemoryReport::total(SpillFillSharing how) const noexcept {
  return spill_fill(how).add(sum_of(&ContextMemory::weights));
}

QNNPP_INLINE ByteSum MemoryReport::saved(SpillFillSharing how) const noexcept {
  const ByteSum apart = spill_fill(SpillFillSharing::none);
  const std::uint64_t bytes = spill_fill(how).bytes;
  return {apart.bytes - std::min(apart.bytes, bytes), apart.exact};
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
