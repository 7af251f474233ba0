// Definitions of tensor_arena.hpp.
#pragma once

#include "qnnpp/memory/tensor_arena.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <utility>

#include "qnnpp/core/detail/error_meaning.hpp"
#include "qnnpp/memory/detail/arena_search.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Converts the tensors to boxes: sizes in units of the alignment, lifetimes in sections. `packing`
/// holds their sizes. Reports the errors of TensorArena::plan().
[[nodiscard]] QNNPP_INLINE Result<ArenaBoxes> boxes_of(std::span<const ScheduledTensor> tensors,
                                                       const std::vector<TensorPlacement>& packing,
                                                       std::uint64_t alignment) {
  constexpr const char* step = "planning tensor memory";
  if (!std::has_single_bit(alignment))
    return fail(Errc::invalid_argument, step, "alignment",
                {alignment, " is not a power of two; give one"});
  const auto units_of = [&](std::size_t i) { return (packing[i].size_bytes - 1) / alignment + 1; };
  // A section lasts from one first use to the next. The bytes in use do not grow within a section.
  std::vector<std::uint64_t> begins;
  std::uint64_t room = INT64_MAX;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const ScheduledTensor& tensor = tensors[i];
    if (tensor.last_use < tensor.first_use)
      return fail(Errc::invalid_argument, step, tensor.spec.name,
                  {"its last use, at ", tensor.last_use, ", is before its first, at ",
                   tensor.first_use, "; give them in order"});
    if (units_of(i) > room / alignment)
      return fail(
          detail::beyond_limit(step, tensor.spec.name, 0, 0, "the sum of the sizes overflows"));
    room -= units_of(i) * alignment;
    begins.push_back(tensor.first_use);
  }
  std::sort(begins.begin(), begins.end());
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());

  ArenaBoxes result;
  result.load.resize(begins.size());
  std::map<std::pair<c_api::DataType, std::vector<std::uint32_t>>, std::uint64_t> kinds;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const ScheduledTensor& tensor = tensors[i];
    const auto first = std::lower_bound(begins.begin(), begins.end(), tensor.first_use);
    const auto end = std::upper_bound(first, begins.end(), tensor.last_use);
    const std::uint64_t kind =
        kinds.try_emplace({tensor.spec.data_type, tensor.spec.dimensions}, kinds.size())
            .first->second;
    result.boxes.push_back({units_of(i), static_cast<std::uint32_t>(first - begins.begin()),
                            static_cast<std::uint32_t>(end - begins.begin()) - 1, kind});
    for (std::uint32_t at = result.boxes.back().first; at <= result.boxes.back().last; ++at)
      result.load[at] += units_of(i);
  }
  return result;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<TensorArena> TensorArena::plan(std::span<const ScheduledTensor> tensors,
                                                   std::uint64_t alignment, std::uint64_t effort) {
  TensorArena arena;
  for (const ScheduledTensor& tensor : tensors) {
    QNNPP_LET(bytes, tensor.spec.size_bytes());
    arena.placements_.push_back({tensor.spec, 0, *bytes});
  }
  QNNPP_LET(boxes, detail::boxes_of(tensors, arena.placements_, alignment));
  // A unit of work takes about 4 ns.
  const std::uint64_t many = tensors.size() > 128 ? tensors.size() - 128 : 0;
  const std::uint64_t percent = std::min<std::uint64_t>(15'000 + 10'000 * many, 1'200'000);
  const std::uint64_t most_work = std::min(effort, UINT64_MAX >> 32) * percent;
  const detail::ArenaPacking packing = detail::search_packing(*boxes, most_work);
  for (std::size_t i = 0; i < tensors.size(); ++i)
    arena.placements_[i].offset_bytes = packing.offsets[i] * alignment;
  arena.size_bytes_ = packing.height * alignment;
  arena.lower_bound_bytes_ = boxes->lower_bound() * alignment;
  return arena;
}

QNNPP_INLINE Result<std::uint64_t> TensorArena::lay_out(std::span<const ScheduledTensor> tensors,
                                                        std::span<std::uint64_t> offsets_bytes) {
  QNNPP_LET(arena, plan(tensors));
  for (std::size_t i = 0; i < tensors.size(); ++i)
    offsets_bytes[i] = arena->placements()[i].offset_bytes;
  return arena->size_bytes();
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
