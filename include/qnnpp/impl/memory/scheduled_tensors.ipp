// Definitions of scheduled_tensors.hpp.
#pragma once

#include "qnnpp/memory/scheduled_tensors.hpp"

#include <cstddef>

#include "qnnpp/memory/tensor_arena.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

QNNPP_INLINE_ON_USE Result<ArenaLayout> place_in_arena(std::span<const ScheduledTensor> tensors) {
  std::vector<TensorPlacement> placements;
  std::vector<TensorUse> uses;
  for (const ScheduledTensor& tensor : tensors) {
    QNNPP_LET(bytes, tensor.spec.size_bytes());
    // QNN identifies a registration by descriptor and offset (SHB-05): only tensors of one data
    // type and shape may begin at the same byte.
    std::uint64_t kind = 0;
    while (kind < placements.size() &&
           !(placements[kind].spec.data_type == tensor.spec.data_type &&
             placements[kind].spec.dimensions == tensor.spec.dimensions))
      ++kind;
    uses.push_back({tensor.spec.name, *bytes, tensor.first_use, tensor.last_use, kind});
    placements.push_back({tensor.spec, 0, *bytes});
  }
  if (placements.empty())
    return fail(Error::make(Errc::empty, "making tensor memory", "list of tensors"));
  QNNPP_LET(arena, TensorArena::plan(uses, tensor_alignment_bytes));
  for (std::size_t i = 0; i < placements.size(); ++i)
    placements[i].offset_bytes = arena->offsets()[i];
  return ArenaLayout{std::move(placements), arena->size_bytes()};
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
