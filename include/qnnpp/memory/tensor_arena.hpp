// TensorArena: where in one buffer each tensor of a pipeline lies.
//
// Tensors whose lifetimes do not meet may share bytes (SHB-02), so that the buffer needs little
// more than what is in use at the busiest step.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/detail/arena_search.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// When a tensor of a pipeline is in use, and how large it is.
struct TensorUse {
  std::string name;  ///< For errors.
  std::uint64_t size_bytes = 0;
  std::uint64_t first_use = 0;  ///< A step, of any numbering.
  std::uint64_t last_use = 0;   ///< The last step that needs the bytes; not before first_use.
  /// Tensors of different kind never begin at the same byte: a registration is keyed by descriptor
  /// and offset (SHB-05).
  std::uint64_t kind = 0;
};

/// Offsets of tensors within a buffer; no two that are in use at the same step overlap (SHB-02).
///
/// The same tensors and options give the same offsets, on every machine.
class TensorArena {
 public:
  struct Options {
    std::uint64_t alignment = 128;  ///< Of offsets, in bytes; a power of two.
    /// How long to search where the first attempts waste bytes, in percent of the usual: up to 10
    /// ms for 128 tensors, 1 s for any number. A count of steps, not a clock, ends it.
    std::uint64_t effort = 100;
  };

  /// Plans the offsets. Errors, which name the tensor: `empty` for one of no bytes;
  /// `invalid_argument` for a last use before the first, and for an alignment that is no power of
  /// two; `too_large` where the sizes together pass 2^63 bytes.
  template <class = void>
  [[nodiscard]] static Result<TensorArena> plan(std::span<const TensorUse> tensors,
                                                const Options& options);
  template <class = void>
  [[nodiscard]] static Result<TensorArena> plan(std::span<const TensorUse> tensors) {
    return plan(tensors, Options());
  }

  /// The offset of each tensor, in the order given, in bytes. Lives as long as the arena.
  [[nodiscard]] std::span<const std::uint64_t> offsets() const { return offsets_; }
  /// The end of the last tensor, rounded up to the alignment: the buffer that is needed.
  [[nodiscard]] std::uint64_t size_bytes() const { return size_bytes_; }
  /// What is in use at the busiest step, each size rounded up: no plan needs less.
  [[nodiscard]] std::uint64_t lower_bound_bytes() const { return lower_bound_bytes_; }

 private:
  template <class>
  [[nodiscard]] static Result<detail::ArenaBoxes> boxes_of(std::span<const TensorUse> tensors,
                                                           std::uint64_t alignment);

  std::vector<std::uint64_t> offsets_;
  std::uint64_t size_bytes_ = 0;
  std::uint64_t lower_bound_bytes_ = 0;
};

// ---------------------------------------------------------------------------------------------

template <class>
Result<detail::ArenaBoxes> TensorArena::boxes_of(std::span<const TensorUse> tensors,
                                                 std::uint64_t alignment) {
  constexpr const char* step = "planning tensor memory";
  if (!std::has_single_bit(alignment))
    return fail(Error::make(Errc::invalid_argument, step, "alignment",
                            std::to_string(alignment) + " is no power of two"));
  // Sections: from one first use to the next. What is in use never grows within one.
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

  detail::ArenaBoxes result;
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

template <class>
Result<TensorArena> TensorArena::plan(std::span<const TensorUse> tensors, const Options& options) {
  const auto boxes = boxes_of<void>(tensors, options.alignment);
  if (!boxes) return fail(boxes.error());
  // A step takes about 4 ns.
  const std::uint64_t many = tensors.size() > 128 ? tensors.size() - 128 : 0;
  const std::uint64_t percent = std::min<std::uint64_t>(15'000 + 10'000 * many, 1'200'000);
  const std::uint64_t steps = std::min(options.effort, UINT64_MAX >> 32) * percent;
  detail::ArenaPlaces places = detail::search_places(*boxes, steps);
  TensorArena arena;
  arena.offsets_ = std::move(places.offsets);
  for (std::uint64_t& offset : arena.offsets_) offset *= options.alignment;
  arena.size_bytes_ = places.height * options.alignment;
  arena.lower_bound_bytes_ = boxes->lower_bound() * options.alignment;
  return arena;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
