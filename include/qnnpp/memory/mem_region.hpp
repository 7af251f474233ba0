// MemRegion<Purpose>: part of a DMA buffer, with its purpose in the type.
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/process_wide.hpp"
#include "qnnpp/core/states.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/cpu_access.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Buffer sizes that one context needs, as QNN reports them before the context is finalized
/// (QnnContext_getProperty with QnnHtpContext_CustomProperty_t). For 0 bytes no buffer is given to
/// QNN (BUF-09).
struct BufferRequirements {
  std::uint64_t weights_bytes = 0;     ///< WEIGHTS_BUFFER_SIZE.
  std::uint64_t spill_fill_bytes = 0;  ///< MAX_SPILLFILL_BUFFER_SIZE, of its largest graph.
  std::uint64_t start_alignment = 1;   ///< BUFFER_START_ALIGNMENT, in bytes, for all buffers.
  /// Largest of MAX_VTCMBACKUP_BUFFER_SIZE, the VTCM of each graph and the chip's, because a
  /// library that backs VTCM up accepts every size (BUF-19). 0 if it is older than HTP 5.46.
  std::uint64_t vtcm_backup_bytes = 0;

  /// Compares all members.
  friend bool operator==(const BufferRequirements&, const BufferRequirements&) = default;
};

template <class Purpose>
class SharedRegion;
template <class Purpose>
class MemRegion;

namespace detail {

template <class Memory, class Purpose>
inline constexpr bool has_another_purpose = false;
template <class Its, class Purpose>
inline constexpr bool has_another_purpose<MemRegion<Its>, Purpose> = !std::same_as<Its, Purpose>;
template <class Its, class Purpose>
inline constexpr bool has_another_purpose<SharedRegion<Its>, Purpose> = !std::same_as<Its, Purpose>;
/// Memory with another purpose than `Purpose`. For refusals.
template <class Memory, class Purpose>
concept OfAnotherPurpose = has_another_purpose<Memory, Purpose>;

/// Member of BufferRequirements with the size of a buffer.
template <class Purpose>
inline constexpr std::uint64_t BufferRequirements::* size_for = &BufferRequirements::weights_bytes;
template <>
inline constexpr std::uint64_t BufferRequirements::* size_for<SpillFill> =
    &BufferRequirements::spill_fill_bytes;
template <>
inline constexpr std::uint64_t BufferRequirements::* size_for<VtcmBackup> =
    &BufferRequirements::vtcm_backup_bytes;

}  // namespace detail

/// Memory for one purpose (Weights, SpillFill, VtcmBackup or TensorIo): descriptor, offset and size
/// (BUF-07).
///
/// Owns its buffer, and shares it with the contexts that register it. A default-constructed region,
/// or one of 0 bytes, is empty: nothing is given to QNN (BUF-09). A moved-from region is not empty:
/// a context refuses it.
///
/// Move-only. The memory is freed on the thread that drops the last reference.
///
/// Threads: const members are thread-safe.
template <class Purpose>
class MemRegion : private detail::AllocateRefusals<MemRegion<Purpose>> {
 public:
  /// Makes an empty region. As weights of a context: QNN allocates the memory itself.
  MemRegion() noexcept = default;
  QNNPP_MOVE_ONLY(MemRegion, "a memory region has one owner; write std::move(region)");
  template <detail::ResultOf<MemRegion> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(region), or use value_or_throw()", MemRegion,
      const R&);
  template <detail::OfAnotherPurpose<Weights> Memory>
    requires(std::is_same_v<Purpose, Weights>)
  QNNPP_REFUSE_CONSTRUCTOR("this memory is for something else; allocate a MemRegion<Weights>",
                           MemRegion, const Memory&);

  using detail::AllocateRefusals<MemRegion>::allocate;

  /// Allocates a buffer of `bytes` whose start is a multiple of `alignment` (BUF-02). The region
  /// covers it from offset 0; for 0 bytes it is empty. Reports the errors of the allocator;
  /// `invalid_argument` for an alignment that is not a power of two, and `misaligned` if the
  /// allocator cannot guarantee it, both before anything is allocated; `misaligned` or `too_small`
  /// if the buffer is not as requested.
  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<MemRegion> allocate(const Allocator& allocator, std::uint64_t bytes,
                                                  std::uint64_t alignment = 1) {
    if (bytes == 0) return MemRegion();
    QNNPP_LET(buffer, detail::allocate_aligned(allocator, bytes, alignment));
    return from_buffer(std::move(*buffer), 0, bytes);
  }

  /// Allocates the external buffer that a context requires. Errors: the same.
  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<MemRegion> allocate(const Allocator& allocator,
                                                  const BufferRequirements& requirements)
    requires(!std::is_same_v<Purpose, TensorIo>)
  {
    return allocate(allocator, requirements.*detail::size_for<Purpose>,
                    requirements.start_alignment);
  }

  /// Allocates memory for one tensor, whose start is aligned for its elements. Reports the errors
  /// of TensorSpec::size_bytes() and of the overload for a number of bytes.
  template <DmaAllocator Allocator>
  [[nodiscard]] static Result<MemRegion> allocate(const Allocator& allocator,
                                                  const TensorSpec& tensor)
    requires(std::is_same_v<Purpose, TensorIo>)
  {
    QNNPP_LET(bytes, tensor.size_bytes());
    return allocate(allocator, *bytes, detail::element_alignment(tensor.data_type));
  }

  /// Makes a region of `size_bytes` of `buffer`, from `offset_bytes` on. If `size_bytes` is 0, the
  /// region reaches to the end of the buffer. Errors: `too_small` if the buffer ends before the
  /// region; for external buffers those of copies of qnnpp that cannot find each other, see
  /// Backend::load().
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
    if constexpr (!std::is_same_v<Purpose, TensorIo>)
      QNNPP_TRY(detail::ProcessRegistry::open(step));
    return MemRegion(detail::Access::block(buffer), offset_bytes, size_bytes);
  }

  /// Whether the memory was moved to another region. False for an empty region, even after a move.
  [[nodiscard]] bool is_moved_from() const noexcept { return !block_ && size_bytes_ != 0; }
  /// Whether the region has memory.
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(block_); }
  /// Descriptor of the buffer, which owns it; -1 if the region has no memory.
  [[nodiscard]] int fd() const noexcept { return block_ ? block_->fd : -1; }
  /// Offset of the region in its buffer; 0 if the region has no memory.
  [[nodiscard]] std::uint64_t offset_bytes() const noexcept { return block_ ? offset_bytes_ : 0; }
  /// Size of the region; 0 if it has no memory.
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return block_ ? size_bytes_ : 0; }
  /// Size of the whole buffer; 0 if the region has no memory.
  [[nodiscard]] std::uint64_t buffer_bytes() const noexcept {
    return block_ ? block_->size_bytes : 0;
  }

  /// Opens the region for the CPU while the returned guard lives (SHB-07). Reports the errors of
  /// CpuAccess::begin().
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
  std::uint64_t size_bytes_ = 0;  ///< Kept after a move, for is_moved_from().
};

namespace detail {

/// Checks that a region starts at a multiple of `alignment`; see the overload for a buffer. An
/// empty region has no start. Error: `misaligned`.
template <class Purpose>
[[nodiscard]] Result<void> starts_aligned(const MemRegion<Purpose>& region, std::uint64_t alignment,
                                          const char* step, const std::string& context) {
  if (!region) return {};
  return starts_aligned(*Access::block(region), region.offset_bytes(), alignment, step, context);
}

/// Whether the region lies in this memory, through any descriptor.
template <class Purpose>
[[nodiscard]] bool is_memory_of(const MemRegion<Purpose>& region, const MemoryId& memory) noexcept {
  return region && Access::block(region)->id == memory;
}

}  // namespace detail

}}  // namespace qnnpp::QNNPP_NAMESPACE
