// ScheduledTensor: a tensor of a pipeline and when it is in use; and buffers in which such tensors
// share bytes.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "qnnpp/config.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/shared_buffer.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// A tensor of a pipeline, and from which step to which its bytes matter, both included.
struct ScheduledTensor {
  TensorSpec spec;
  std::uint64_t first_use = 0;
  std::uint64_t last_use = 0;
};

namespace detail {

/// Places of tensors in one buffer, and its size.
struct ArenaLayout {
  std::vector<TensorPlacement> placements;
  std::uint64_t size_bytes = 0;
};

/// Lets tensors share bytes that are never in use at the same step (SHB-02). Errors: those of
/// TensorSpec::size_bytes() and of TensorArena::plan(); `empty`.
QNNPP_ON_USE [[nodiscard]] Result<ArenaLayout> place_in_arena(
    std::span<const ScheduledTensor> tensors);

}  // namespace detail

template <DmaAllocator Allocator>
Result<SharedBuffer<MultiTensor>> SharedBuffer<MultiTensor>::allocate(
    const Allocator& allocator, std::span<const ScheduledTensor> tensors) {
  auto layout = detail::place_in_arena(tensors);
  if (!layout) return fail(std::move(layout).error());
  return allocate_placed(allocator, std::move(layout->placements), layout->size_bytes);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/scheduled_tensors.ipp"
#endif
