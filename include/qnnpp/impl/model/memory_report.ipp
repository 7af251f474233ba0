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
      .add(io_limit.value ? io_limit : io)
      .add(op_data)
      .add(vtcm);
}

QNNPP_INLINE void detail::add_io(const std::vector<GraphSpec>& graphs, ContextMemory& memory) {
  qnnpp::detail::IoNeeds io;
  if (!io.add(graphs)) return;
  memory.io_copies = {io.copies, SizeSource::metadata};
  memory.io_of_one_graph = {io.largest, SizeSource::metadata};
}

[[gnu::noinline]] QNNPP_INLINE ContextMemory detail::from_manifest(ContextMemory memory) {
  for (const auto number :
       {&ContextMemory::weights, &ContextMemory::shared_weights, &ContextMemory::spill_fill,
        &ContextMemory::start_alignment, &ContextMemory::io, &ContextMemory::io_copies,
        &ContextMemory::io_of_one_graph, &ContextMemory::op_data, &ContextMemory::vtcm,
        &ContextMemory::domain_weights, &ContextMemory::domain_spill_fill})
    if ((memory.*number).value) (memory.*number).source = SizeSource::manifest;
  return memory;
}

QNNPP_INLINE MemoryReport with_one_graph_at_a_time(MemoryReport report, bool in_one_call) {
  const auto set_limit = [&](std::size_t begin, std::size_t end) {
    qnnpp::detail::IoNeeds io;
    for (std::size_t i = begin; i < end; ++i) {
      const ContextMemory& context = report.contexts[i];
      if (!context.io.value || !context.io_of_one_graph.value) return;
      io.all += *context.io.value;
      io.copies += context.io_copies.or_zero();
      io.largest = std::max(io.largest, *context.io_of_one_graph.value);
    }
    const std::uint64_t megabytes = io.limit_mb();
    for (std::size_t i = begin; i < end && megabytes != 0; ++i)
      report.contexts[i].io_limit = {i == begin ? megabytes << 20 : 0,
                                     report.contexts[i].io.source};
  };
  const std::size_t count = report.contexts.size();
  for (std::size_t i = 0; i < count && !in_one_call; ++i) set_limit(i, i + 1);
  if (in_one_call) set_limit(0, count);
  return report;
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
