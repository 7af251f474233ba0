// TensorArena: where in one buffer each tensor of a pipeline lies.
//
// Tensors whose lifetimes do not meet may share bytes (SHB-02), so that the buffer needs little
// more than what is in use at the busiest step.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "qnnpp/config.hpp"
#include "qnnpp/core/result.hpp"

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
  QNNPP_ON_USE [[nodiscard]] static Result<TensorArena> plan(std::span<const TensorUse> tensors,
                                                             const Options& options);
  QNNPP_ON_USE [[nodiscard]] static Result<TensorArena> plan(std::span<const TensorUse> tensors);

  /// The offset of each tensor, in the order given, in bytes. Lives as long as the arena.
  [[nodiscard]] std::span<const std::uint64_t> offsets() const& { return offsets_; }
  QNNPP_REFUSE("offsets() of a temporary would dangle; name the plan first",
               std::span<const std::uint64_t>, offsets() const&&);
  /// The end of the last tensor, rounded up to the alignment: the buffer that is needed.
  [[nodiscard]] std::uint64_t size_bytes() const { return size_bytes_; }
  /// What is in use at the busiest step, each size rounded up: no plan needs less.
  [[nodiscard]] std::uint64_t lower_bound_bytes() const { return lower_bound_bytes_; }

 private:
  std::vector<std::uint64_t> offsets_;
  std::uint64_t size_bytes_ = 0;
  std::uint64_t lower_bound_bytes_ = 0;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/tensor_arena.ipp"
#endif
