// SharedBuffer<Form>: memory of tensors that the CPU and the HTP both see, without a copy.
//
//   PerTensor     a DMA buffer for each tensor          QNN_MEM_TYPE_ION
//   DmaBuf        the same, described as dma-bufs       QNN_MEM_TYPE_DMA_BUF
//   MultiTensor   one DMA buffer, each tensor at its    QNN_MEM_TYPE_CUSTOM with
//                 own offset                            QNN_HTP_MEM_SHARED_BUFFER
//
// It belongs to no context: registering it with one gives RegisteredTensors.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/states.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/memory/tensor_memory.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// A list of tensors: Graph::inputs(), or a vector of your own.
template <class R>
concept TensorList = std::convertible_to<const R&, std::span<const TensorSpec>>;

struct ScheduledTensor;  // memory/scheduled_tensors.hpp

/// Whether tensors of one buffer may lie in the same bytes.
enum class Overlap : std::uint8_t { refused, allowed };

/// Offsets within a buffer are multiples of this: a vector of the HTP, two cache lines.
inline constexpr std::uint64_t tensor_alignment_bytes = 128;

namespace detail {

/// Places for `lists`, with sizes and no offsets. Errors: those of TensorSpec::size_bytes();
/// `empty` for no tensor at all.
[[nodiscard]] Result<std::vector<TensorPlacement>> placements_of(
    std::initializer_list<std::span<const TensorSpec>> lists);

/// Puts the tensors one after another, aligned; the last of those that would pad most comes last.
/// Returns the bytes of all. Error: `too_large`.
[[nodiscard]] Result<std::uint64_t> lay_out(std::vector<TensorPlacement>& tensors);

/// Makes `region` the memory of one tensor of `block`. Errors: those of TensorSpec::size_bytes();
/// `too_small`; `misaligned`.
[[nodiscard]] Result<void> hold(TensorMemoryBlock& block, const MemRegion<TensorIo>& region,
                                TensorSpec spec);

}  // namespace detail

/// Each tensor in a DMA buffer of its own, from its first byte on (ION-03). Form: PerTensor,
/// DmaBuf.
///
/// Move-only. Registrations keep the memory alive; it is freed after the last of them (ION-04), on
/// whichever thread that goes. const members may be called at the same time, and one buffer may be
/// registered on several threads; of the bytes, the threads take care themselves.
template <class Form>
class SharedBuffer : public TensorMemory, private detail::AllocateRefusals<SharedBuffer<Form>> {
  static constexpr bool is_dma_buf = std::is_same_v<Form, DmaBuf>;
  static_assert(is_dma_buf || std::is_same_v<Form, PerTensor>);

 public:
  QNNPP_MOVE_ONLY(SharedBuffer, "a shared buffer has one owner; write std::move(buffer)");
  template <detail::ResultOf<SharedBuffer> R>
  QNNPP_REFUSE_CONSTRUCTOR("this is a Result; test it and pass *buffer, or use value_or_throw()",
                           SharedBuffer, const R&);

  using detail::AllocateRefusals<SharedBuffer>::allocate;

  /// Allocates memory for all tensors of some lists: `allocate(rpcmem, graph.inputs(),
  /// graph.outputs())`. Errors: those of TensorSpec::size_bytes() and of the allocator, naming the
  /// tensor; `duplicate_name`; `empty`. Nothing is kept on an error.
  template <DmaAllocator Allocator, TensorList... Lists>
  [[nodiscard]] static Result<SharedBuffer> allocate(const Allocator& allocator,
                                                     const Lists&... lists) {
    auto placements = detail::placements_of({lists...});
    if (!placements) return fail(std::move(placements).error());
    auto block = Ref<detail::TensorMemoryBlock>::make();
    block->tensors = std::move(*placements);
    for (const TensorPlacement& tensor : block->tensors) {
      auto region =
          MemRegion<TensorIo>::allocate(allocator, tensor.size_bytes, tensor_alignment_bytes);
      if (!region) {
        region.error().detail +=
            (region.error().detail.empty() ? "for tensor " : "; for tensor ") + tensor.spec.name;
        return fail(std::move(region).error());
      }
      block->memory.push_back(detail::Access::block(*region));
    }
    return make(std::move(block));
  }

  /// Memory of your own for one tensor, such as a camera's. Errors: those of
  /// TensorSpec::size_bytes(); `too_small` (both sizes); `misaligned` where the region does not
  /// begin at its buffer's start.
  [[nodiscard]] static Result<SharedBuffer> from_region(MemRegion<TensorIo> region,
                                                        TensorSpec spec) {
    auto block = Ref<detail::TensorMemoryBlock>::make();
    if (auto held = detail::hold(*block, region, std::move(spec)); !held)
      return fail(std::move(held).error());
    return make(std::move(block));
  }
  // A descriptor has one purpose (BUF-07).
  static QNNPP_REFUSE("weights memory holds no tensors; allocate a MemRegion<TensorIo>",
                      Result<SharedBuffer>, from_region(const MemRegion<Weights>&, TensorSpec));
  static QNNPP_REFUSE("spill-fill memory holds no tensors; allocate a MemRegion<TensorIo>",
                      Result<SharedBuffer>, from_region(const MemRegion<SpillFill>&, TensorSpec));
  static QNNPP_REFUSE("spill-fill memory holds no tensors; allocate a MemRegion<TensorIo>",
                      Result<SharedBuffer>, from_region(const SharedSpillFill&, TensorSpec));

 private:
  explicit SharedBuffer(Ref<detail::TensorMemoryBlock> block) : TensorMemory(std::move(block)) {}

  [[nodiscard]] static Result<SharedBuffer> make(Ref<detail::TensorMemoryBlock> block) {
    block->type = is_dma_buf ? c_api::MemType::dma_buf : c_api::MemType::ion;
    if (auto indexed = block->index(); !indexed) return fail(std::move(indexed).error());
    return SharedBuffer(std::move(block));
  }
};

/// All tensors in one DMA buffer, each at its own offset: one descriptor, one mapping.
///
/// Move-only. Registrations keep the memory alive; it is freed after the last of them (ION-04), on
/// whichever thread that goes. Threads may use it as they may the other form.
template <>
class SharedBuffer<MultiTensor> : public TensorMemory,
                                  private detail::AllocateRefusals<SharedBuffer<MultiTensor>> {
 public:
  QNNPP_MOVE_ONLY(SharedBuffer, "a shared buffer has one owner; write std::move(buffer)");
  template <detail::ResultOf<SharedBuffer> R>
  QNNPP_REFUSE_CONSTRUCTOR("this is a Result; test it and pass *buffer, or use value_or_throw()",
                           SharedBuffer, const R&);

  using detail::AllocateRefusals<SharedBuffer>::allocate;

  /// Allocates one buffer for all tensors of some lists, none over another (SHB-02). Errors: those
  /// of TensorSpec::size_bytes() and of the allocator; `duplicate_name`; `empty`; `too_large`.
  template <DmaAllocator Allocator, TensorList... Lists>
  [[nodiscard]] static Result<SharedBuffer> allocate(const Allocator& allocator,
                                                     const Lists&... lists) {
    auto placements = detail::placements_of({lists...});
    if (!placements) return fail(std::move(placements).error());
    auto bytes = detail::lay_out(*placements);
    if (!bytes) return fail(std::move(bytes).error());
    return allocate_placed(allocator, std::move(*placements), *bytes);
  }

  /// The same for tensors of a pipeline: those that are never in use at the same step may share
  /// bytes (SHB-02). What one holds is lost when the next is written. Errors: the same;
  /// `invalid_argument` for a tensor that is used last before it is used first. Defined in
  /// memory/scheduled_tensors.hpp, with its plan.
  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<SharedBuffer> allocate(const Allocator& allocator,
                                                     std::span<const ScheduledTensor> tensors);

  /// Memory of your own with tensors at places of your own; `size_bytes` of a placement is taken
  /// from its spec, its offset counts from the region's start. Errors: those of
  /// TensorSpec::size_bytes(); `too_small` where the region ends before a tensor; `misaligned` for
  /// an offset that no element of the tensor can begin at; `overlapping` unless it is allowed
  /// (SHB-02); `duplicate_name`; `empty`.
  [[nodiscard]] static Result<SharedBuffer> from_region(MemRegion<TensorIo> region,
                                                        std::vector<TensorPlacement> tensors,
                                                        Overlap overlap = Overlap::refused);
  // A descriptor has one purpose (BUF-07).
  static QNNPP_REFUSE("weights memory holds no tensors; allocate a MemRegion<TensorIo>",
                      Result<SharedBuffer>,
                      from_region(const MemRegion<Weights>&, const std::vector<TensorPlacement>&));
  static QNNPP_REFUSE("spill-fill memory holds no tensors; allocate a MemRegion<TensorIo>",
                      Result<SharedBuffer>,
                      from_region(const MemRegion<SpillFill>&,
                                  const std::vector<TensorPlacement>&));
  static QNNPP_REFUSE("spill-fill memory holds no tensors; allocate a MemRegion<TensorIo>",
                      Result<SharedBuffer>,
                      from_region(const SharedSpillFill&, const std::vector<TensorPlacement>&));

  using TensorMemory::access;
  /// Opens the whole buffer for the CPU, until the guard goes. Error: `sync_failed`.
  [[nodiscard]] Result<CpuAccess> access(CpuUse use) const;

 private:
  explicit SharedBuffer(Ref<detail::TensorMemoryBlock> block) : TensorMemory(std::move(block)) {}

  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<SharedBuffer> allocate_placed(const Allocator& allocator,
                                                            std::vector<TensorPlacement> tensors,
                                                            std::uint64_t bytes) {
    auto block = Ref<detail::TensorMemoryBlock>::make();
    block->tensors = std::move(tensors);
    if (auto indexed = block->index(); !indexed) return fail(std::move(indexed).error());
    auto region = MemRegion<TensorIo>::allocate(allocator, bytes, tensor_alignment_bytes);
    if (!region) return fail(std::move(region).error());
    block->memory.push_back(detail::Access::block(*region));
    return SharedBuffer(std::move(block));
  }
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/shared_buffer.ipp"
#endif
