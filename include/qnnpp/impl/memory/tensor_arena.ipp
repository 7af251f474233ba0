// Definitions of tensor_arena.hpp.
#pragma once

#include "qnnpp/memory/tensor_arena.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "qnnpp/memory/detail/arena_search.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Converts the tensors to boxes: sizes in units of the alignment, lifetimes in sections. Reports
/// the errors of TensorArena::plan().
QNNPP_ON_USE [[nodiscard]] Result<ArenaBoxes> boxes_of(std::span<const TensorUse> tensors,
                                                       std::uint64_t alignment) {
  constexpr const char* step = "planning tensor memory";
  if (!std::has_single_bit(alignment))
    return fail(Error::make(Errc::invalid_argument, step, "alignment",
                            std::to_string(alignment) + " is not a power of two"));
  // A section lasts from one first use to the next. The bytes in use do not grow within a section.
  std::vector<std::uint64_t> begins;
  std::uint64_t room = INT64_MAX;
  for (const TensorUse& tensor : tensors) {
    if (tensor.size_bytes == 0) return fail(Error::make(Errc::empty, step, tensor.name));
    if (tensor.last_use < tensor.first_use)
      return fail(Error::make(Errc::invalid_argument, step, tensor.name,
                              "its last use, step " + std::to_string(tensor.last_use) +
                                  ", is before its first, step " +
                                  std::to_string(tensor.first_use)));
    const std::uint64_t units = (tensor.size_bytes - 1) / alignment + 1;
    if (units > room / alignment)
      return fail(
          Error::make(Errc::too_large, step, tensor.name, "the sum of the sizes overflows"));
    room -= units * alignment;
    begins.push_back(tensor.first_use);
  }
  std::sort(begins.begin(), begins.end());
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());

  ArenaBoxes result;
  result.load.resize(begins.size());
  for (const TensorUse& tensor : tensors) {
    const auto first = std::lower_bound(begins.begin(), begins.end(), tensor.first_use);
    const auto end = std::upper_bound(first, begins.end(), tensor.last_use);
    const std::uint64_t units = (tensor.size_bytes - 1) / alignment + 1;
    result.boxes.push_back({units, static_cast<std::uint32_t>(first - begins.begin()),
                            static_cast<std::uint32_t>(end - begins.begin()) - 1, tensor.kind});
    for (std::uint32_t i = result.boxes.back().first; i <= result.boxes.back().last; ++i)
      result.load[i] += units;
    result.kinds_differ = result.kinds_differ || tensor.kind != tensors.front().kind;
  }
  return result;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail

namespace qnnpp::inline QNNPP_NAMESPACE {

QNNPP_INLINE_ON_USE Result<TensorArena> TensorArena::plan(std::span<const TensorUse> tensors,
                                                          std::uint64_t alignment,
                                                          std::uint64_t effort) {
  const auto boxes = detail::boxes_of(tensors, alignment);
  if (!boxes) return fail(boxes.error());
  // A step takes about 4 ns.
  const std::uint64_t many = tensors.size() > 128 ? tensors.size() - 128 : 0;
  const std::uint64_t percent = std::min<std::uint64_t>(15'000 + 10'000 * many, 1'200'000);
  const std::uint64_t steps = std::min(effort, UINT64_MAX >> 32) * percent;
  detail::ArenaPlaces places = detail::search_places(*boxes, steps);
  TensorArena arena;
  arena.offsets_ = std::move(places.offsets);
  for (std::uint64_t& offset : arena.offsets_) offset *= alignment;
  arena.size_bytes_ = places.height * alignment;
  arena.lower_bound_bytes_ = boxes->lower_bound() * alignment;
  return arena;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
