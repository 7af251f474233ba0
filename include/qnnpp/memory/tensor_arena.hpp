// TensorArena: plans offsets for the tensors of a pipeline in one buffer. Also the allocation of
// such a buffer.
//
// Tensors whose lifetimes do not overlap may share bytes (SHB-02). The buffer then needs little
// more than the bytes in use at the busiest time.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "qnnpp/core/result.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/shared_buffer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Placements of tensors in one buffer. Tensors that are in use at the same time do not overlap
/// (SHB-02). Tensors of different types or dimensions never begin at the same byte, because QNN
/// identifies a registration by descriptor and offset (SHB-05).
///
/// Deterministic: the same tensors and options give the same offsets on every machine.
///
/// Threads: as for std::string.
class TensorArena {
 public:
  /// Plans the offsets. `alignment`: of each offset, in bytes; a power of two. `effort`: length of
  /// the search, in percent, if the first attempts waste bytes. At 100 the search lasts up to 10 ms
  /// for 128 tensors, and at most 1 s. It ends after a number of operations, not at a time.
  ///
  /// Reports the errors of TensorSpec::size_bytes(). Further errors: `invalid_argument` for a last
  /// use before the first use, and for an alignment that is not a power of two; `too_large` if the
  /// sum of the rounded sizes exceeds 2^63 - 1 bytes.
  [[nodiscard]] static Result<TensorArena> plan(std::span<const ScheduledTensor> tensors,
                                                std::uint64_t alignment = tensor_alignment_bytes,
                                                std::uint64_t effort = 100);

  /// Plans with the default alignment and effort. Writes the offset of each tensor, in bytes, to
  /// `offsets_bytes`, which has one element a tensor. Returns the bytes that the buffer needs.
  /// Reports the errors of plan(). PipelineOptions::share_bytes takes this function.
  [[nodiscard]] static Result<std::uint64_t> lay_out(std::span<const ScheduledTensor> tensors,
                                                     std::span<std::uint64_t> offsets_bytes);

  /// Each tensor with its offset, in the order of `tensors`. Valid while the arena lives.
  [[nodiscard]] const std::vector<TensorPlacement>& placements() const& { return placements_; }
  QNNPP_REFUSE("placements() of a temporary would dangle; name the plan first",
               const std::vector<TensorPlacement>&, placements() const&&);
  /// Size of the buffer that the plan needs: a multiple of the alignment.
  [[nodiscard]] std::uint64_t size_bytes() const { return size_bytes_; }
  /// Bytes in use at the busiest time, with each size rounded up to the alignment. No plan needs
  /// less.
  [[nodiscard]] std::uint64_t lower_bound_bytes() const { return lower_bound_bytes_; }

 private:
  std::vector<TensorPlacement> placements_;
  std::uint64_t size_bytes_ = 0;
  std::uint64_t lower_bound_bytes_ = 0;
};

/// Allocates one buffer for tensors of a pipeline; tensors that are not in use at the same time may
/// share bytes. The declaration in memory/shared_buffer.hpp lists the errors.
template <class Form>
template <DmaAllocator Allocator>
  requires(std::is_same_v<Form, MultiTensor>)
Result<SharedBuffer<Form>> SharedBuffer<Form>::allocate(const Allocator& allocator,
                                                        std::span<const ScheduledTensor> tensors) {
  QNNPP_LET(arena, TensorArena::plan(tensors));
  return make(allocator, arena->placements(), arena->size_bytes());
}

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/tensor_arena.ipp"
#endif
