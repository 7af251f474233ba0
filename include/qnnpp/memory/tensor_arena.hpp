// TensorArena: plans offsets for the tensors of a pipeline in one buffer.
//
// Tensors whose lifetimes do not overlap may share bytes (SHB-02). The buffer then needs little
// more than the bytes in use at the busiest step.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Size and lifetime of a tensor of a pipeline.
struct TensorUse {
  std::string name;              ///< Name for error messages.
  std::uint64_t size_bytes = 0;  ///< Size; not 0.
  std::uint64_t first_use = 0;   ///< First step that uses the bytes, in any numbering.
  std::uint64_t last_use = 0;    ///< Last step that uses the bytes; at least first_use.
  /// Kind of registration, such as data type and shape. Tensors of different kinds never begin at
  /// the same byte, because QNN identifies a registration by descriptor and offset (SHB-05).
  std::uint64_t kind = 0;
};

/// Offsets of tensors in one buffer. Tensors that are in use at the same step do not overlap
/// (SHB-02).
///
/// Deterministic: the same tensors and options give the same offsets on every machine.
///
/// Threads: as for std::string.
class TensorArena {
 public:
  /// Default alignment of the offsets, in bytes.
  static constexpr std::uint64_t default_alignment = 128;

  /// Plans the offsets. `alignment`: of each offset, in bytes; a power of two. `effort`: length of
  /// the search, in percent, if the first attempts waste bytes. At 100 the search lasts up to 10 ms
  /// for 128 tensors, and at most 1 s. It ends after a number of steps, not at a time.
  ///
  /// Errors, which name the tensor: `empty` for a tensor of 0 bytes; `invalid_argument` for a last
  /// use before the first use; `too_large` if the sum of the rounded sizes exceeds 2^63 - 1 bytes.
  /// Also `invalid_argument` for an alignment that is not a power of two.
  QNNPP_ON_USE [[nodiscard]] static Result<TensorArena> plan(
      std::span<const TensorUse> tensors, std::uint64_t alignment = default_alignment,
      std::uint64_t effort = 100);

  /// Offset of each tensor in bytes, in the order of `tensors`. Valid while the arena lives.
  [[nodiscard]] std::span<const std::uint64_t> offsets() const& { return offsets_; }
  QNNPP_REFUSE("offsets() of a temporary would dangle; name the plan first",
               std::span<const std::uint64_t>, offsets() const&&);
  /// Size of the buffer that the plan needs: a multiple of the alignment.
  [[nodiscard]] std::uint64_t size_bytes() const { return size_bytes_; }
  /// Bytes in use at the busiest step, with each size rounded up to the alignment. No plan needs
  /// less.
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
