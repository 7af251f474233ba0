// Definitions of shared_buffer.hpp.
#pragma once

#include "qnnpp/memory/shared_buffer.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>

#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE Result<std::vector<TensorPlacement>> placements_of(
    std::initializer_list<std::span<const TensorSpec>> lists) {
  std::vector<TensorPlacement> placements;
  std::size_t count = 0;
  for (const std::span<const TensorSpec> list : lists) count += list.size();
  placements.reserve(count);
  for (const std::span<const TensorSpec> list : lists)
    for (const TensorSpec& spec : list) {
      QNNPP_LET(bytes, spec.size_bytes());
      placements.push_back({spec, 0, *bytes});
    }
  if (placements.empty()) return fail(Errc::empty, "making tensor memory", "list of tensors");
  return placements;
}

QNNPP_INLINE Result<std::uint64_t> lay_out(std::vector<TensorPlacement>& tensors) {
  constexpr std::uint64_t alignment = tensor_alignment_bytes;
  const auto padding = [](const TensorPlacement& tensor) {
    return (alignment - tensor.size_bytes % alignment) % alignment;
  };
  std::size_t last = 0;
  for (std::size_t i = 1; i < tensors.size(); ++i)
    if (padding(tensors[i]) >= padding(tensors[last])) last = i;
  std::uint64_t end = 0;
  const auto place = [&](TensorPlacement& tensor) {
    tensor.offset_bytes = end;
    if (tensor.size_bytes > UINT64_MAX - alignment - end) return false;
    end += tensor.size_bytes + padding(tensor);
    return true;
  };
  const auto overflow = [](const TensorPlacement& tensor) {
    return fail(beyond_limit("laying out tensors", tensor.spec.name, 0, 0,
                             "the sum of the sizes overflows"));
  };
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (i != last && !place(tensors[i])) return overflow(tensors[i]);
  if (!place(tensors[last])) return overflow(tensors[last]);
  return end - padding(tensors[last]);
}

QNNPP_INLINE Result<Ref<TensorMemoryBlock>> placed_in(const MemRegion<TensorIo>& region,
                                                      c_api::MemType type,
                                                      std::vector<TensorPlacement> tensors,
                                                      Overlap overlap) {
  constexpr const char* step = "making tensor memory";
  std::vector<std::size_t> by_offset;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    TensorPlacement& tensor = tensors[i];
    QNNPP_LET(bytes, tensor.spec.size_bytes());
    tensor.size_bytes = *bytes;
    const std::uint64_t end =
        tensor.offset_bytes > UINT64_MAX - *bytes ? UINT64_MAX : tensor.offset_bytes + *bytes;
    if (region.size_bytes() < end)
      return fail(
          Error::mismatch(Errc::too_small, step, tensor.spec.name, end, region.size_bytes()));
    if (type != c_api::MemType::custom && region.offset_bytes() != 0)  // ION-03
      return fail(
          Error::mismatch(Errc::misaligned, step, tensor.spec.name, 0, region.offset_bytes()));
    tensor.offset_bytes += region.offset_bytes();
    by_offset.push_back(i);
  }
  // If two tensors have one offset, the error names the later one.
  std::sort(by_offset.begin(), by_offset.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(tensors[a].offset_bytes, a) < std::pair(tensors[b].offset_bytes, b);
  });
  for (std::size_t i = 1; i < by_offset.size() && overlap == Overlap::refused; ++i) {
    const TensorPlacement& before = tensors[by_offset[i - 1]];
    const TensorPlacement& after = tensors[by_offset[i]];
    if (after.offset_bytes < before.offset_bytes + before.size_bytes)
      return fail(Errc::overlapping, step, after.spec.name,
                  {"it begins at byte ", after.offset_bytes, ", ", before.spec.name, " ends at ",
                   before.offset_bytes + before.size_bytes});
  }
  auto block = Ref<TensorMemoryBlock>::make(type, std::move(tensors));
  block->memory.push_back(Access::block(region));
  QNNPP_TRY(block->check_starts());
  QNNPP_TRY(block->index());
  return block;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
