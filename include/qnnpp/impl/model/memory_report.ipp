// Definitions of memory_report.hpp.
#pragma once

#include "qnnpp/model/memory_report.hpp"

#include <algorithm>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

QNNPP_INLINE ByteSum ContextMemory::pd_estimate() const noexcept {
  ByteSum sum{weights.value.value_or(file_bytes), false};
  return sum.add(spill_fill.or_zero()).add(io.or_zero()).add(op_data.or_zero());
}

QNNPP_INLINE ContextMemory detail::from_manifest(ContextMemory memory) {
  for (const auto number :
       {&ContextMemory::weights, &ContextMemory::spill_fill, &ContextMemory::start_alignment,
        &ContextMemory::io, &ContextMemory::op_data})
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
      largest = std::max(largest, context.spill_fill.or_zero());
    }
  return sum.add(largest);
}

QNNPP_INLINE ByteSum MemoryReport::total(SpillFillSharing how) const noexcept {
  return spill_fill(how).add(sum_of(&ContextMemory::weights));
}

QNNPP_INLINE ByteSum MemoryReport::saved(SpillFillSharing how) const noexcept {
  const ByteSum apart = spill_fill(SpillFillSharing::none);
  return {apart.bytes - spill_fill(how).bytes, apart.exact};
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
