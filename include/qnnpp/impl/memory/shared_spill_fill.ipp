// Definitions of shared_spill_fill.hpp.
#pragma once

#include "qnnpp/memory/shared_spill_fill.hpp"

#include <mutex>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE SpillFillMemory::SpillFillMemory(const MemoryId& memory,
                                              const Ref<ExecutionLock>& right)
    : id(memory), lock(right ? right : Ref<ExecutionLock>::make()) {
  if (id == MemoryId()) return;
  NodeList<SpillFillMemory>& list = *spill_fill_memories;
  const std::lock_guard guard(list.mutex);
  // A memory that is being destroyed keeps its lock until remove() returns.
  if (const auto* const other = list.find([&](const auto& each) { return each.id == id; }))
    lock = other->lock;
  list.add(*this);
}

QNNPP_INLINE SpillFillMemory::~SpillFillMemory() {
  if (id != MemoryId()) spill_fill_memories->remove(*this);
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
