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
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/states.hpp"
#include "qnnpp/memory/cpu_access.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/memory/tensor_access.hpp"
#include "qnnpp/memory/tensor_memory.hpp"
#include "qnnpp/memory/tensor_view.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// List of tensors, such as Graph::inputs() or a std::vector<TensorSpec>.
template <class R>
concept TensorList = std::convertible_to<const R&, std::span<const TensorSpec>>;

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

/// Makes a block of tensors in memory of the caller. Offsets count from the region's start. Reports
/// the errors of SharedBuffer::from_region().
[[nodiscard]] Result<Ref<TensorMemoryBlock>> placed_in(const MemRegion<TensorIo>& region,
                                                       c_api::MemType type,
                                                       std::vector<TensorPlacement> tensors,
                                                       Overlap overlap = Overlap::refused);

}  // namespace detail

/// Owns tensor memory. Form is PerTensor or DmaBuf: a separate DMA buffer for each tensor, which
/// begins at its first byte (ION-03). Or MultiTensor: one DMA buffer for all tensors, each at its
/// own offset: one descriptor and one mapping.
///
/// The CPU accesses tensors only through access(), whose guard gives spans and views (SHB-07).
///
/// Move-only. A moved-from buffer refuses all members (contract). Registrations keep the memory
/// alive; the last one frees it (ION-04), on the thread that drops it.
///
/// Threads: const members are thread-safe, and several threads may register one buffer. Access to
/// the bytes is not synchronized.
template <class Form>
class SharedBuffer : private detail::AllocateRefusals<SharedBuffer<Form>> {
  static constexpr bool is_dma_buf = std::is_same_v<Form, DmaBuf>;
  static constexpr bool is_one_buffer = std::is_same_v<Form, MultiTensor>;
  static_assert(is_dma_buf || is_one_buffer || std::is_same_v<Form, PerTensor>);
  static constexpr c_api::MemType mem_type = is_one_buffer ? c_api::MemType::custom
                                             : is_dma_buf  ? c_api::MemType::dma_buf
                                                           : c_api::MemType::ion;

 public:
  QNNPP_MOVE_ONLY(SharedBuffer, "a shared buffer has one owner; write std::move(buffer)");
  template <detail::ResultOf<SharedBuffer> R>
  QNNPP_REFUSE_CONSTRUCTOR("this is a Result; test it and pass *buffer, or use value_or_throw()",
                           SharedBuffer, const R&);

  using detail::AllocateRefusals<SharedBuffer>::allocate;

  /// Allocates memory for all tensors of the lists:
  /// `allocate(rpcmem, graph.inputs(), graph.outputs())`. No two overlap (SHB-02). Reports the
  /// errors of TensorSpec::size_bytes() and of the allocator, which name the tensor unless all have
  /// one buffer; `misaligned` if the allocator's own mapping starts at no multiple of an element
  /// size; `duplicate_name`; `empty`; `too_large`. An error frees what was allocated.
  template <DmaAllocator Allocator, TensorList... Lists>
  [[nodiscard]] static Result<SharedBuffer> allocate(const Allocator& allocator,
                                                     const Lists&... lists) {
    QNNPP_LET(placements, detail::placements_of({lists...}));
    std::uint64_t bytes = 0;
    if constexpr (is_one_buffer) {
      QNNPP_LET(laid_out, detail::lay_out(*placements));
      bytes = *laid_out;
    }
    return make(allocator, std::move(*placements), bytes);
  }

  /// Allocates one buffer for tensors of a pipeline; tensors that are not in use at the same time
  /// may share bytes (SHB-02). Writing a tensor destroys the contents of other tensors in its
  /// bytes. Reports the errors of the overload above; `invalid_argument` if a last use is before
  /// the first one. Defined in memory/tensor_arena.hpp.
  template <DmaAllocator Allocator>
    requires(std::is_same_v<Form, MultiTensor>)
  [[nodiscard]] static Result<SharedBuffer> allocate(const Allocator& allocator,
                                                     std::span<const ScheduledTensor> tensors);

  /// Uses memory of the caller, such as a camera frame, for one tensor. Reports the errors of
  /// TensorSpec::size_bytes(); `too_small` with both sizes; `misaligned` if the region does not
  /// begin at the start of its buffer, or if that start is not known to be a multiple of the
  /// tensor's element size: NativeMemory::start_alignment, and NativeMemory::data if it is not
  /// null.
  [[nodiscard]] static Result<SharedBuffer> from_region(MemRegion<TensorIo> region, TensorSpec spec)
    requires(!is_one_buffer)
  {
    QNNPP_LET(block, detail::placed_in(region, mem_type, {{std::move(spec), 0, 0}}));
    return SharedBuffer(std::move(*block));
  }
  /// Uses memory of the caller for tensors at the given offsets, which count from the region's
  /// start. The size of each placement is computed from its spec.
  ///
  /// Reports the errors of TensorSpec::size_bytes(); `too_small` if the region ends before a tensor
  /// does; `misaligned` if an offset in the buffer is not a multiple of the tensor's element size,
  /// or if the buffer's start is not known to be one, as above; `overlapping` unless allowed
  /// (SHB-02); `duplicate_name`; `empty`.
  [[nodiscard]] static Result<SharedBuffer> from_region(MemRegion<TensorIo> region,
                                                        std::vector<TensorPlacement> tensors,
                                                        Overlap overlap = Overlap::refused)
    requires(is_one_buffer)
  {
    QNNPP_LET(block, detail::placed_in(region, mem_type, std::move(tensors), overlap));
    return SharedBuffer(std::move(*block));
  }
  // A descriptor has one purpose (BUF-07).
  template <detail::OfAnotherPurpose<TensorIo> Memory, class Tensors>
  static QNNPP_REFUSE("this memory has another purpose; allocate a MemRegion<TensorIo>",
                      Result<SharedBuffer>, from_region(const Memory&, const Tensors&));

  /// Tensors in the order in which they were given. Valid while the buffer lives.
  [[nodiscard]] const std::vector<TensorPlacement>& tensors() const& { return block().tensors; }
  QNNPP_REFUSE("tensors() of a temporary would dangle; name the buffer first",
               const std::vector<TensorPlacement>&, tensors() const&&);

  /// Sum of the sizes of all DMA buffers.
  [[nodiscard]] std::uint64_t size_bytes() const { return block().size_bytes(); }

  /// Opens the whole buffer for the CPU while the returned guard lives. Reports the errors of
  /// CpuAccess::begin().
  [[nodiscard]] Result<CpuAccess> access(CpuUse use) const
    requires(is_one_buffer)
  {
    return CpuAccess::begin(block().memory.front(), use, 0, size_bytes());
  }
  /// Opens a tensor for the CPU while the returned guard lives; its bytes() are the tensor's bytes.
  /// The cache sync covers the whole DMA buffer that holds the tensor. Errors: `unknown_name`; the
  /// errors of CpuAccess::begin().
  [[nodiscard]] Result<CpuAccess> access(std::string_view name, CpuUse use) const {
    QNNPP_LET(at, block().find(name));
    return block_->access(*at, use);
  }
  /// Opens the elements of a tensor for the CPU: `access<float>("x", CpuUse::write)`. carries()
  /// defines the types that T may be: the tensor's own type, the integer of a fixed-point type, or
  /// std::byte. With CpuUse::read, write `access<const float>`: a non-const T also compiles, but
  /// the device may not see what is written. Errors: `unknown_name`; `type_mismatch` with both
  /// types, and for another T than std::byte if the tensor has a layout of the HTP's own; the
  /// errors of CpuAccess::begin().
  template <class T>
  [[nodiscard]] Result<TensorAccess<T>> access(std::string_view name, CpuUse use) const {
    QNNPP_LET(at, block().find(name));
    return detail::TensorMemoryBlock::access<T>(block_, *at, use, name);
  }
  template <class T>
  QNNPP_REFUSE("spans come from the access guard; write buffer.access<T>(name, use)",
               Result<std::span<T>>, tensor(std::string_view) const);
  template <class T, std::size_t Rank, class View = TensorView<T, Rank>>
  QNNPP_REFUSE(
      "views come from the access guard; write buffer.access<T>(name, use), then view<N>()",
      Result<View>, view(std::string_view) const);

 private:
  friend struct detail::Access;

  explicit SharedBuffer(Ref<detail::TensorMemoryBlock> block) : block_(std::move(block)) {}

  /// Makes a buffer of a complete block.
  [[nodiscard]] static SharedBuffer make(Ref<detail::TensorMemoryBlock> block) {
    return SharedBuffer(std::move(block));
  }

  /// Allocates memory for placed tensors; `bytes` is the size of the one buffer.
  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<SharedBuffer> make(const Allocator& allocator,
                                                 std::vector<TensorPlacement> tensors,
                                                 std::uint64_t bytes) {
    auto block = Ref<detail::TensorMemoryBlock>::make(mem_type, std::move(tensors));
    QNNPP_TRY(block->index());
    for (const TensorPlacement& tensor : block->tensors) {
      auto region = MemRegion<TensorIo>::allocate(
          allocator, is_one_buffer ? bytes : tensor.size_bytes, tensor_alignment_bytes);
      if (!region) {
        if constexpr (!is_one_buffer)
          region.error().detail += detail::joined(
              {region.error().detail.empty() ? "for tensor " : "; for tensor ", tensor.spec.name});
        return fail(std::move(region).error());
      }
      block->memory.push_back(detail::Access::block(*region));
      if (is_one_buffer) break;
    }
    QNNPP_TRY(block->check_starts());
    return SharedBuffer(std::move(block));
  }

  [[nodiscard]] const detail::TensorMemoryBlock& block() const {
    qnnpp::detail::expects(block_, detail::moved_buffer);  // ORD-09
    return *block_;
  }

  Ref<detail::TensorMemoryBlock> block_;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/shared_buffer.ipp"
#endif
