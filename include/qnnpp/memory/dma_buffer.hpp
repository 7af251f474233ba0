// DmaBuffer: memory that both the CPU and the HTP can map, identified by a file descriptor.
#pragma once

#include "qnnpp/config.hpp"

#include <atomic>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/detail/open_ranges.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Minimum size of the pages in which devices map DMA buffers.
inline constexpr std::uint64_t dma_page_bytes = 4096;

/// How DmaBuffer::from_native() uses the descriptor that it gets.
enum class FdUse : std::uint8_t {
  duplicate,  ///< The buffer owns a duplicate; the caller may close the original at any time.
  take,       ///< The buffer owns the descriptor and closes it.
  borrow,     ///< The caller owns the descriptor and keeps it open until the buffer is freed. For
              ///< rpcmem memory, which FastRPC identifies by the descriptor's number.
};

/// Properties of memory that was allocated elsewhere, for DmaBuffer::from_native().
struct NativeMemory {
  /// Who owns and closes the descriptor.
  FdUse fd = FdUse::duplicate;
  /// The caller's mapping of all bytes. If null, the buffer maps the memory at the first CPU
  /// access; memory that the CPU never uses is never mapped.
  void* data = nullptr;
  /// Whether CPU access needs DMA_BUF_IOCTL_SYNC (SHB-07). True for dma-bufs, such as camera
  /// frames. False for coherent memory (rpcmem) and for memory that is not a dma-buf (memfd), on
  /// which the ioctl would fail (`sync_failed`).
  bool needs_sync = true;
  /// Alignment of the memory's start where the device maps it, in bytes: a power of two. An
  /// allocator's promise of a larger alignment does not raise this value.
  std::uint64_t start_alignment = dma_page_bytes;
};

namespace detail {

/// Owns a file descriptor.
struct FilePolicy {
  using Value = int;
  static Value null() noexcept { return -1; }
  static std::uint64_t close(Value fd) noexcept;
};

/// Identity of the memory that a descriptor names; equal for all descriptors of one dma-buf.
///
/// Before kernel 5.3 all dma-bufs share one inode. There, and for a descriptor that is not open,
/// the identity is the number of the descriptor; for a buffer's own duplicate, the number of the
/// original.
struct MemoryId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  auto operator<=>(const MemoryId&) const = default;
};
/// Returns the identity of the memory behind a descriptor.
[[nodiscard]] MemoryId memory_id(int fd) noexcept;

/// One allocation, shared by everything that may use it; the last reference frees it (BUF-06).
///
/// Constructed before the memory is allocated, so that the new memory has an owner at once.
class DmaBlock : public RefCounted<DmaBlock> {
 public:
  /// Releases what the block itself does not own. The allocator sets `owner` for it.
  using FreeFn = void (*)(DmaBlock&) noexcept;

  explicit DmaBlock(std::uint64_t bytes) noexcept : size_bytes(bytes) {}
  ~DmaBlock();

  /// Sets the block's memory. If `closes`, the block owns the descriptor. If `mapping` is null,
  /// map() maps the memory.
  void adopt(int descriptor, bool closes, void* mapping = nullptr) noexcept;

  /// Returns the memory's start for the CPU; the first call maps it. Thread-safe. Errors:
  /// `allocation_failed` with the errno of mmap; `too_small` if the file is smaller than the block.
  [[nodiscard]] Result<std::byte*> map();
  /// Returns the memory's start for the CPU, or null if it is not mapped.
  [[nodiscard]] std::byte* data() const noexcept { return data_.load(std::memory_order_acquire); }

  int fd = -1;
  std::uint64_t size_bytes;
  MemoryId id = {};
  /// The bytes that the CPU has open.
  OpenRanges open;
  /// Whether CPU access needs DMA_BUF_IOCTL_SYNC (SHB-07).
  bool needs_sync = false;
  /// Alignment of the memory's start where the device maps it (BUF-02).
  std::uint64_t start_alignment = dma_page_bytes;
  FreeFn free = nullptr;
  void* owner = nullptr;
  /// Whether QNN may use the memory until the process ends (PRC-04): the allocator does not free
  /// it.
  bool is_left_to_exit = false;
  /// Where the memory is from: fact::rpcmem, fact::dma_heap, or 0 if that is not known.
  std::uint32_t facts = 0;

 private:
  std::atomic<std::byte*> data_ = nullptr;
  bool maps_ = true;  ///< Whether the block unmaps data_.
  bool closes_ = false;
};

/// Returns the size of the file behind a descriptor; 0 if it has none, such as a device file.
[[nodiscard]] std::uint64_t file_bytes(int fd) noexcept;

/// Stands for no deleter.
struct NoDeleter {};

/// Whether a deleter is a null pointer, or an empty std::function.
template <class Deleter>
[[nodiscard]] bool is_null(const Deleter& deleter) noexcept {
  if constexpr (std::is_pointer_v<Deleter> || requires { deleter.operator bool(); })
    return !deleter;
  else
    return false;
}

}  // namespace detail

/// Owns DMA memory: a file descriptor (never negative) and a size (BUF-01).
///
/// Move-only. The buffer has no purpose yet and gives no access to its bytes: make a MemRegion of
/// it. The CPU's mapping is made at the first CPU access at the latest. The memory is freed when
/// nothing uses it any more, on the thread that drops the last reference, outside all locks of the
/// library.
///
/// Threads: const members are thread-safe.
class DmaBuffer {
 public:
  QNNPP_MOVE_ONLY(DmaBuffer, "a DMA buffer has one owner; write std::move(buffer)");
  template <detail::ResultOf<DmaBuffer> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(buffer), or use value_or_throw()", DmaBuffer,
      const R&);

  /// Adopts memory that was allocated elsewhere, such as a camera frame:
  /// `from_native(fd, bytes, {}, [frame] { give_back(frame); })`.
  ///
  /// `deleter` is optional: anything movable that can be called without arguments. It is called
  /// once, when nothing uses the memory any more, and must not throw.
  ///
  /// Buffers made from descriptors of one dma-buf count as the same memory. One context uses that
  /// memory either for weights, for spill-fill or for tensors, and registers the same bytes once
  /// for each type and shape; anything else is refused. Spill-fill buffers of the same memory share
  /// one lock. Weights memory that another context uses is `in_use`.
  ///
  /// Errors: `no_file_descriptor` with EBADF if the descriptor is negative, or not open and to be
  /// duplicated; `allocation_failed` with errno if the duplication lacks descriptors or memory
  /// (EMFILE, ENFILE, ENOMEM), or if `data` is MAP_FAILED; `empty` for 0 bytes; `invalid_argument`
  /// for a null deleter or an alignment that is not a power of two. After an error nothing is
  /// adopted and the deleter is not called. A file that cannot be mapped is reported by the access
  /// that maps it.
  template <class Deleter = detail::NoDeleter>
    requires(std::invocable<Deleter&> || std::same_as<Deleter, detail::NoDeleter>)
  [[nodiscard]] static Result<DmaBuffer> from_native(int fd, std::uint64_t size_bytes,
                                                     const NativeMemory& memory = {},
                                                     Deleter deleter = {}) {
    QNNPP_LET(block, lent(fd, size_bytes, memory, detail::is_null(deleter)));
    if constexpr (!std::is_same_v<Deleter, detail::NoDeleter>) {
      // The memory is adopted last: if `new` throws, the deleter is destroyed and not called.
      (*block)->owner = new Deleter(std::move(deleter));
      (*block)->free = [](detail::DmaBlock& freed) noexcept {
        auto* const held = static_cast<Deleter*>(freed.owner);
        if (freed.fd >= 0) (*held)();
        delete held;
      };
    }
    return adopted(std::move(*block), fd, memory);
  }

  /// The descriptor, for use while the buffer lives; the buffer or, for FdUse::borrow, the caller
  /// closes it. A moved-from buffer has none (contract).
  [[nodiscard]] int fd() const noexcept { return block().fd; }
  /// Size of the memory. A moved-from buffer has none (contract).
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return block().size_bytes; }

 private:
  friend struct detail::Access;

  explicit DmaBuffer(Ref<detail::DmaBlock> block) noexcept : block_(std::move(block)) {}
  [[nodiscard]] static DmaBuffer make(Ref<detail::DmaBlock> block) noexcept {
    return DmaBuffer(std::move(block));
  }
  [[nodiscard]] static Result<Ref<detail::DmaBlock>> lent(int fd, std::uint64_t size_bytes,
                                                          const NativeMemory& memory,
                                                          bool null_deleter);
  [[nodiscard]] static Result<DmaBuffer> adopted(Ref<detail::DmaBlock> block, int fd,
                                                 const NativeMemory& memory);
  /// Makes the error for a descriptor that cannot be duplicated: `allocation_failed` if the system
  /// lacks descriptors or memory, otherwise `no_file_descriptor`.
  [[nodiscard]] static Error unusable_fd(const char* step, int fd, int reason);
  [[nodiscard]] const detail::DmaBlock& block() const;

  Ref<detail::DmaBlock> block_;
};

/// Class that allocates DMA buffers: RpcmemAllocator, DmaHeapAllocator, MemfdAllocator or your own.
///
/// `allocate(bytes)` returns memory of exactly that size, or an error. The device sees the memory
/// start at a multiple of the class's `static constexpr std::uint64_t start_alignment`, a power of
/// two, or of dma_page_bytes if the class has no such member; the CPU's address may be aligned
/// differently. A buffer's own NativeMemory::start_alignment limits this promise.
///
/// A class whose `static constexpr bool is_thread_safe` is true declares that any thread may call
/// allocate() and free the buffers, also several threads at a time: then model::load() allocates
/// ahead (LoadOptions::ahead). Without the member, the library calls the allocator only on threads
/// that call the library.
template <class A>
concept DmaAllocator = requires(const A& allocator, std::uint64_t bytes) {
  { allocator.allocate(bytes) } -> std::same_as<Result<DmaBuffer>>;
};

/// DmaAllocator that also accepts a start alignment, a power of two. The returned buffer may state
/// less; the library checks it.
template <class A>
concept AlignedDmaAllocator =
    DmaAllocator<A> && requires(const A& allocator, std::uint64_t bytes, std::uint64_t alignment) {
      { allocator.allocate(bytes, alignment) } -> std::same_as<Result<DmaBuffer>>;
    };

namespace detail {

class AllocatorRef;  // memory/detail/allocator_ref.hpp

/// A type that is neither an allocator nor a Result. For refusals.
template <class A>
concept NoAllocator = !DmaAllocator<A> && !AnyResult<A>;

/// Start alignment that an allocator promises for every buffer.
template <DmaAllocator A>
inline constexpr std::uint64_t start_alignment_of = dma_page_bytes;
template <DmaAllocator A>
  requires requires { A::start_alignment; }
inline constexpr std::uint64_t start_alignment_of<A> = [] {
  constexpr auto promised = static_cast<std::uint64_t>(A::start_alignment);
  static_assert(promised != 0 && (promised & (promised - 1)) == 0,
                "the allocator's start_alignment is no power of two; write one, such as 4096");
  return promised;
}();

/// Checks that an alignment is a power of two. Error: `invalid_argument`.
[[nodiscard]] Result<void> check_alignment(const char* step, std::uint64_t alignment);

/// Makes the error `misaligned` for a buffer whose start is not known to be aligned enough.
[[nodiscard]] Error misaligned_start(const char* step, std::string_view object,
                                     std::uint64_t alignment, std::uint64_t promised);

/// Checks that the device maps byte `offset_bytes` of a buffer at a multiple of `alignment`, a
/// power of two: both the offset and the buffer's start (BUF-02). Error: `misaligned` with the
/// offset, or with the alignment of the buffer.
[[nodiscard]] Result<void> starts_aligned(const DmaBlock& buffer, std::uint64_t offset_bytes,
                                          std::uint64_t alignment, const char* step,
                                          const std::string& object);

/// Notes in a new buffer that its allocator promised a start alignment, and checks it. Errors:
/// `misaligned` if the buffer has less than `alignment`; `invalid_argument` if it was moved from.
[[nodiscard]] Result<DmaBuffer> aligned(const char* step, Result<DmaBuffer> buffer,
                                        std::uint64_t promised, std::uint64_t alignment);

/// Allocates a buffer for the classes of memory. Reports the errors of the allocator;
/// `invalid_argument` for an alignment that is not a power of two; `misaligned` if the allocator
/// neither promises nor accepts the alignment. These two are reported before anything is allocated.
/// `misaligned` also if the buffer states a smaller alignment; `invalid_argument` also if the
/// buffer was moved from.
template <DmaAllocator Allocator>
[[nodiscard]] Result<DmaBuffer> allocate_aligned(const Allocator& allocator, std::uint64_t bytes,
                                                 std::uint64_t alignment) {
  // The allocator that it borrows is checked by this function.
  if constexpr (std::is_base_of_v<AllocatorRef, Allocator>)
    return allocator.allocate(bytes, alignment);
  constexpr std::uint64_t promised = start_alignment_of<Allocator>;
  constexpr const char* step = "allocating a DMA buffer";
  QNNPP_TRY(check_alignment(step, alignment));
  if (alignment <= promised) return aligned(step, allocator.allocate(bytes), promised, alignment);
  if constexpr (AlignedDmaAllocator<Allocator>)
    return aligned(step, allocator.allocate(bytes, alignment), alignment, alignment);
  else
    return fail(misaligned_start(step, "start of the buffer", alignment, promised));
}

/// Refusals for the static functions `allocate(allocator, ...)` of a derived class, which adds them
/// with a using-declaration.
template <class Made>
struct AllocateRefusals {
  template <class... Arguments>
    requires(AnyResult<Arguments> || ...)
  static QNNPP_REFUSE("an argument is a Result; test it and pass *result, or use value_or_throw()",
                      Result<Made>, allocate(const Arguments&...));
  // Rest&&, because clang 14 confuses const Rest& with the signature of the function above.
  template <NoAllocator Allocator, class... Rest>
    requires(!AnyResult<std::remove_cvref_t<Rest>> && ...)
  static QNNPP_REFUSE("no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const",
                      Result<Made>, allocate(const Allocator&, Rest&&...));
};

}  // namespace detail

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/dma_buffer.ipp"
#endif
