// ScheduledTensor: a tensor of a pipeline and when it is in use; and buffers in which such tensors
// share bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/shared_buffer.hpp"
#include "qnnpp/memory/tensor_arena.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// A tensor of a pipeline, and from which step to which its bytes matter, both included.
struct ScheduledTensor {
  TensorSpec spec;
  std::uint64_t first_use = 0;
  std::uint64_t last_use = 0;
};

template <DmaAllocator Allocator>
Result<SharedBuffer<MultiTensor>> SharedBuffer<MultiTensor>::allocate(
    const Allocator& allocator, std::span<const ScheduledTensor> tensors) {
  std::vector<TensorPlacement> placements;
  std::vector<TensorUse> uses;
  for (const ScheduledTensor& tensor : tensors) {
    auto bytes = tensor.spec.size_bytes();
    if (!bytes) return fail(std::move(bytes).error());
    // One handle stands for one descriptor and offset (SHB-05): only tensors that look the same to
    // QNN may begin at the same byte.
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
  auto arena = TensorArena::plan(uses, {.alignment = tensor_alignment_bytes});
  if (!arena) return fail(std::move(arena).error());
  for (std::size_t i = 0; i < placements.size(); ++i)
    placements[i].offset_bytes = arena->offsets()[i];
  return allocate_placed(allocator, std::move(placements), arena->size_bytes());
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
