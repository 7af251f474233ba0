// ScheduledTensor: a tensor of a pipeline with its lifetime. Also the allocation of a buffer in
// which these tensors share bytes.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "qnnpp/core/result.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/shared_buffer.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// A tensor of a pipeline, and the steps between which its bytes are in use.
struct ScheduledTensor {
  TensorSpec spec;              ///< Name, data type and dimensions.
  std::uint64_t first_use = 0;  ///< First step that uses the bytes, in any numbering.
  std::uint64_t last_use = 0;   ///< Last step that uses the bytes; at least first_use.
};

namespace detail {

/// Placements of tensors in one buffer, and its size.
struct ArenaLayout {
  std::vector<TensorPlacement> placements;
  std::uint64_t size_bytes = 0;
};

/// Plans one buffer in which tensors share bytes if no step uses both (SHB-02). Reports the errors
/// of TensorSpec::size_bytes() and of TensorArena::plan(); `empty`.
QNNPP_ON_USE [[nodiscard]] Result<ArenaLayout> place_in_arena(
    std::span<const ScheduledTensor> tensors);

}  // namespace detail

/// Allocates one buffer for tensors of a pipeline; tensors that no step uses together may share
/// bytes. The declaration in memory/shared_buffer.hpp lists the errors.
template <DmaAllocator Allocator>
Result<SharedBuffer<MultiTensor>> SharedBuffer<MultiTensor>::allocate(
    const Allocator& allocator, std::span<const ScheduledTensor> tensors) {
  QNNPP_LET(layout, detail::place_in_arena(tensors));
  return allocate_placed(allocator, std::move(layout->placements), layout->size_bytes);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/scheduled_tensors.ipp"
#endif
