// MemRegion<Purpose>: a part of a DMA buffer whose purpose is in its type.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/states.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/cpu_access.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Needs of one context, as QNN answers them before the context is finalized
/// (QnnContext_getProperty with QnnHtpContext_CustomProperty_t). 0 bytes: nothing to give (BUF-09).
struct BufferRequirements {
  std::uint64_t weights_bytes = 0;     ///< WEIGHTS_BUFFER_SIZE
  std::uint64_t spill_fill_bytes = 0;  ///< MAX_SPILLFILL_BUFFER_SIZE: the largest of its graphs.
  std::uint64_t start_alignment = 1;   ///< BUFFER_START_ALIGNMENT, of both buffers, in bytes.

  friend bool operator==(const BufferRequirements&, const BufferRequirements&) = default;
};

class SharedSpillFill;
template <class Purpose>
class MemRegion;

/// In place of a buffer: QNN allocates this memory itself.
struct QnnAllocates {};
inline constexpr QnnAllocates qnn_allocates;

namespace detail {

/// Memory that is not for weights. For refusals.
template <class Memory>
concept OtherMemory =
    std::same_as<Memory, MemRegion<SpillFill>> || std::same_as<Memory, MemRegion<TensorIo>> ||
    std::same_as<Memory, SharedSpillFill>;

}  // namespace detail

/// fd + offset + size of memory for one purpose: Weights, SpillFill or TensorIo (BUF-07).
///
/// Owns its buffer, and shares it with the contexts that registered it. Default-constructed or made
/// for 0 bytes it is empty: there is nothing to give to QNN (BUF-09). One whose memory was moved
/// away is neither: it is refused where it is given to a context.
///
/// Threads: several may call const members at the same time; the memory is freed on the thread that
/// drops the last reference to it.
template <class Purpose>
class MemRegion : private detail::AllocateRefusals<MemRegion<Purpose>> {
 public:
  MemRegion() noexcept = default;
  QNNPP_MOVE_ONLY(MemRegion, "a memory region has one owner; write std::move(region)");
  template <detail::ResultOf<MemRegion> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(region), or use value_or_throw()", MemRegion,
      const R&);
  /// None: QNN allocates weights itself. The same as a default-constructed one.
  MemRegion(QnnAllocates) noexcept
    requires(std::is_same_v<Purpose, Weights>)
  {}
  template <detail::OtherMemory Memory>
    requires(std::is_same_v<Purpose, Weights>)
  QNNPP_REFUSE_CONSTRUCTOR("this memory is for something else; allocate a MemRegion<Weights>",
                           MemRegion, const Memory&);

  using detail::AllocateRefusals<MemRegion>::allocate;

  /// Allocates a buffer of its own of `bytes`; the region starts at offset 0, and the buffer at a
  /// multiple of `alignment` (BUF-02). Errors: `misaligned`, before anything is allocated, where
  /// the allocator cannot promise that; the allocator's; `too_small` where its buffer is not as
  /// large as asked for.
  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<MemRegion> allocate(const Allocator& allocator, std::uint64_t bytes,
                                                  std::uint64_t alignment = 1) {
    if (bytes == 0) return MemRegion();
    auto buffer = detail::allocate_aligned(allocator, bytes, alignment);
    if (!buffer) return fail(std::move(buffer).error());
    return from_buffer(std::move(*buffer), 0, bytes);
  }

  /// Allocates what a context asks for: its weights, or its spill-fill.
  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<MemRegion> allocate(const Allocator& allocator,
                                                  const BufferRequirements& requirements)
    requires(!std::is_same_v<Purpose, TensorIo>)
  {
    return allocate(allocator,
                    std::is_same_v<Purpose, Weights> ? requirements.weights_bytes
                                                     : requirements.spill_fill_bytes,
                    requirements.start_alignment);
  }

  /// Allocates memory of one tensor. Errors: those of TensorSpec::size_bytes, the allocator's.
  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<MemRegion> allocate(const Allocator& allocator,
                                                  const TensorSpec& tensor)
    requires(std::is_same_v<Purpose, TensorIo>)
  {
    const Result<std::uint64_t> bytes = tensor.size_bytes();
    if (!bytes) return fail(bytes.error());
    return allocate(allocator, *bytes);
  }

  /// Gives `buffer` this purpose, from `offset_bytes` on, `size_bytes` long (0: the rest of it).
  /// Errors: `too_small` where the buffer ends before, `empty`.
  [[nodiscard]] static Result<MemRegion> from_buffer(DmaBuffer buffer,
                                                     std::uint64_t offset_bytes = 0,
                                                     std::uint64_t size_bytes = 0) {
    constexpr const char* step = "making a memory region";
    const std::uint64_t whole = buffer.size_bytes();
    if (offset_bytes >= whole)
      return fail(Error::mismatch(Errc::too_small, step, "DMA buffer",
                                  offset_bytes == UINT64_MAX ? offset_bytes : offset_bytes + 1,
                                  whole));
    if (size_bytes == 0) size_bytes = whole - offset_bytes;
    if (size_bytes > whole - offset_bytes)
      return fail(
          Error::mismatch(Errc::too_small, step, "DMA buffer", size_bytes, whole - offset_bytes));
    return MemRegion(detail::Access::block(buffer), offset_bytes, size_bytes);
  }

  /// Whether its memory was moved to another region. An empty one stays empty.
  [[nodiscard]] bool is_moved_from() const noexcept { return !block_ && size_bytes_ != 0; }
  /// Whether there is memory.
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(block_); }
  /// Descriptor of the buffer; -1 when empty. Owned by the buffer.
  [[nodiscard]] int fd() const noexcept { return block_ ? block_->fd : -1; }
  /// Both 0 when empty.
  [[nodiscard]] std::uint64_t offset_bytes() const noexcept { return block_ ? offset_bytes_ : 0; }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return block_ ? size_bytes_ : 0; }
  /// Size of the whole buffer.
  [[nodiscard]] std::uint64_t buffer_bytes() const noexcept {
    return block_ ? block_->size_bytes : 0;
  }

  /// Opens the memory for the CPU until the guard goes; its bytes() are the region's (SHB-07).
  /// Errors: those of CpuAccess::begin().
  [[nodiscard]] Result<CpuAccess> access(CpuUse use) const
    requires(std::is_same_v<Purpose, TensorIo>)
  {
    return CpuAccess::begin(block_, use, offset_bytes_, size_bytes_);
  }
  QNNPP_REFUSE("QNN alone writes this memory; only MemRegion<TensorIo> has access()",
               Result<CpuAccess>, access(CpuUse) const);
  QNNPP_REFUSE("bytes come from the access guard; write region.access(use), then its bytes()",
               std::span<std::byte>, bytes() const);

 private:
  friend struct detail::Access;

  MemRegion(Ref<detail::DmaBlock> memory, std::uint64_t offset_bytes, std::uint64_t size_bytes)
      : block_(std::move(memory)), offset_bytes_(offset_bytes), size_bytes_(size_bytes) {}

  Ref<detail::DmaBlock> block_;
  std::uint64_t offset_bytes_ = 0;
  std::uint64_t size_bytes_ = 0;  ///< Stays when the memory is moved away.
};

namespace detail {

/// Whether a region starts at a multiple of `alignment`: its offset, and its buffer (BUF-02).
/// Error: `misaligned` with the number that is not one.
template <class Purpose>
[[nodiscard]] Result<void> starts_aligned(const MemRegion<Purpose>& region, std::uint64_t alignment,
                                          const char* step, const std::string& context) {
  if (alignment <= 1) return success();
  if (region.offset_bytes() % alignment != 0)
    return fail(Error::mismatch(Errc::misaligned, step, context, alignment, region.offset_bytes()));
  if (const auto& buffer = Access::block(region); buffer && buffer->start_alignment < alignment)
    return fail(misaligned_start(step, context, alignment, buffer->start_alignment));
  return success();
}

/// Whether the region lies in this memory, by whatever descriptor.
template <class Purpose>
[[nodiscard]] bool is_memory_of(const MemRegion<Purpose>& region, const MemoryId& memory) noexcept {
  return region && Access::block(region)->id == memory;
}

}  // namespace detail

}  // namespace qnnpp::inline QNNPP_NAMESPACE
