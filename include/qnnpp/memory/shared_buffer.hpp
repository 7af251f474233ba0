// SharedBuffer<Form>: tensor memory that the CPU and the HTP share, without copies.
//
//   PerTensor     a DMA buffer for each tensor          QNN_MEM_TYPE_ION
//   DmaBuf        the same, registered as dma-bufs      QNN_MEM_TYPE_DMA_BUF
//   MultiTensor   one DMA buffer, each tensor at its    QNN_MEM_TYPE_CUSTOM with
//                 own offset                            QNN_HTP_MEM_SHARED_BUFFER
//
// The memory belongs to no context. RegisteredTensors registers it with one.
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/states.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/memory/tensor_memory.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// List of tensors, such as Graph::inputs() or a std::vector<TensorSpec>.
template <class R>
concept TensorList = std::convertible_to<const R&, std::span<const TensorSpec>>;

struct ScheduledTensor;  // memory/tensor_arena.hpp

/// Whether tensors of one buffer may share bytes.
enum class Overlap : std::uint8_t {
  refused,  ///< Shared bytes are an error.
  allowed   ///< Tensors may share bytes.
};

/// Alignment of the offsets that the library chooses, in bytes: one HTP vector, two cache lines.
inline constexpr std::uint64_t tensor_alignment_bytes = 128;

namespace detail {

/// Makes placements with sizes and without offsets. Reports the errors of TensorSpec::size_bytes();
/// `empty` if the lists hold no tensor.
[[nodiscard]] Result<std::vector<TensorPlacement>> placements_of(
    std::initializer_list<std::span<const TensorSpec>> lists);

/// Places the tensors one after another, aligned, and returns the size of the buffer. The tensor
/// that needs the most padding comes last, as the last one is not padded. Error: `too_large`.
[[nodiscard]] Result<std::uint64_t> lay_out(std::vector<TensorPlacement>& tensors);

/// Adds a tensor and its memory to `block`. Reports the errors of TensorSpec::size_bytes();
/// `too_small`; `misaligned`.
[[nodiscard]] Result<void> hold(TensorMemoryBlock& block, const MemRegion<TensorIo>& region,
                                TensorSpec spec);

}  // namespace detail

/// Owns a separate DMA buffer for each tensor, which begins at its first byte (ION-03). Form is
/// PerTensor or DmaBuf.
///
/// Move-only. Registrations keep the memory alive; the last one frees it (ION-04), on the thread
/// that drops it.
///
/// Threads: const members are thread-safe, and several threads may register one buffer. Access to
/// the bytes is not synchronized.
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

  /// Allocates memory for all tensors of the lists:
  /// `allocate(rpcmem, graph.inputs(), graph.outputs())`. Reports the errors of
  /// TensorSpec::size_bytes() and of the allocator, with the tensor's name; `misaligned` if the
  /// allocator's own mapping starts at no multiple of the element size; `duplicate_name`; `empty`.
  /// An error frees what was allocated.
  template <DmaAllocator Allocator, TensorList... Lists>
  [[nodiscard]] static Result<SharedBuffer> allocate(const Allocator& allocator,
                                                     const Lists&... lists) {
    QNNPP_LET(placements, detail::placements_of({lists...}));
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

  /// Uses memory of the caller, such as a camera frame, for one tensor. Reports the errors of
  /// TensorSpec::size_bytes(); `too_small` with both sizes; `misaligned` if the region does not
  /// begin at the start of its buffer, or if that start is not known to be a multiple of the
  /// tensor's element size: NativeMemory::start_alignment, and NativeMemory::data if it is not
  /// null.
  [[nodiscard]] static Result<SharedBuffer> from_region(MemRegion<TensorIo> region,
                                                        TensorSpec spec) {
    auto block = Ref<detail::TensorMemoryBlock>::make();
    QNNPP_TRY(detail::hold(*block, region, std::move(spec)));
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
    QNNPP_TRY(block->check_starts());
    QNNPP_TRY(block->index());
    return SharedBuffer(std::move(block));
  }
};

/// Owns one DMA buffer for all tensors, each at its own offset: one descriptor and one mapping.
///
/// Move-only. Registrations keep the memory alive; the last one frees it (ION-04), on the thread
/// that drops it.
///
/// Threads: const members are thread-safe, and several threads may register one buffer. Access to
/// the bytes is not synchronized.
template <>
class SharedBuffer<MultiTensor> : public TensorMemory,
                                  private detail::AllocateRefusals<SharedBuffer<MultiTensor>> {
 public:
  QNNPP_MOVE_ONLY(SharedBuffer, "a shared buffer has one owner; write std::move(buffer)");
  template <detail::ResultOf<SharedBuffer> R>
  QNNPP_REFUSE_CONSTRUCTOR("this is a Result; test it and pass *buffer, or use value_or_throw()",
                           SharedBuffer, const R&);

  using detail::AllocateRefusals<SharedBuffer>::allocate;

  /// Allocates one buffer for all tensors of the lists; no two overlap (SHB-02). Reports the errors
  /// of TensorSpec::size_bytes() and of the allocator; `misaligned` if the allocator's own mapping
  /// starts at no multiple of an element size; `duplicate_name`; `empty`; `too_large`.
  template <DmaAllocator Allocator, TensorList... Lists>
  [[nodiscard]] static Result<SharedBuffer> allocate(const Allocator& allocator,
                                                     const Lists&... lists) {
    QNNPP_LET(placements, detail::placements_of({lists...}));
    QNNPP_LET(bytes, detail::lay_out(*placements));
    return allocate_placed(allocator, std::move(*placements), *bytes);
  }

  /// Allocates one buffer for tensors of a pipeline; tensors that no step uses together may share
  /// bytes (SHB-02). Writing a tensor destroys the contents of other tensors in its bytes. Reports
  /// the errors of the overload above; `invalid_argument` if a last use is before the first one.
  /// Defined in memory/tensor_arena.hpp.
  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<SharedBuffer> allocate(const Allocator& allocator,
                                                     std::span<const ScheduledTensor> tensors);

  /// Uses memory of the caller for tensors at the given offsets, which count from the region's
  /// start. The size of each placement is computed from its spec.
  ///
  /// Reports the errors of TensorSpec::size_bytes(); `too_small` if the region ends before a tensor
  /// does; `misaligned` if an offset in the buffer is not a multiple of the tensor's element size,
  /// or if the buffer's start is not known to be one: NativeMemory::start_alignment, and
  /// NativeMemory::data if it is not null;
  /// `overlapping` unless allowed (SHB-02); `duplicate_name`; `empty`.
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
  /// Opens the whole buffer for the CPU while the returned guard lives. Reports the errors of
  /// CpuAccess::begin(). A moved-from buffer has none (contract).
  [[nodiscard]] Result<CpuAccess> access(CpuUse use) const;

 private:
  friend struct detail::Access;

  explicit SharedBuffer(Ref<detail::TensorMemoryBlock> block) : TensorMemory(std::move(block)) {}

  /// Makes a buffer of a complete block.
  [[nodiscard]] static SharedBuffer make(Ref<detail::TensorMemoryBlock> block) {
    return SharedBuffer(std::move(block));
  }

  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<SharedBuffer> allocate_placed(const Allocator& allocator,
                                                            std::vector<TensorPlacement> tensors,
                                                            std::uint64_t bytes) {
    auto block = Ref<detail::TensorMemoryBlock>::make();
    block->tensors = std::move(tensors);
    QNNPP_TRY(block->index());
    QNNPP_LET(region, MemRegion<TensorIo>::allocate(allocator, bytes, tensor_alignment_bytes));
    block->memory.push_back(detail::Access::block(*region));
    QNNPP_TRY(block->check_starts());
    return SharedBuffer(std::move(block));
  }
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/shared_buffer.ipp"
#endif
