// DmaBuffer: memory that both the CPU and the HTP can map, named by a file descriptor.
#pragma once

#include <atomic>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Devices map DMA buffers in pages of at least so many bytes.
inline constexpr std::uint64_t dma_page_bytes = 4096;

/// What becomes of a descriptor that DmaBuffer::from_native() is given.
enum class FdUse : std::uint8_t {
  duplicate,  ///< The buffer has a descriptor of its own; the caller closes theirs at any time.
  take,       ///< The buffer closes it.
  borrow,  ///< It stays the caller's, open until the buffer is freed. For memory of rpcmem, which
           ///< FastRPC knows by the number of its descriptor.
};

/// How DmaBuffer::from_native() takes memory that was allocated elsewhere.
struct NativeMemory {
  FdUse fd = FdUse::duplicate;
  /// A mapping of all bytes that the caller has; null: the buffer maps them itself when the CPU
  /// asks for them first. Memory that the CPU never touches is never mapped.
  void* data = nullptr;
  /// CPU access is bracketed by DMA_BUF_IOCTL_SYNC (SHB-07): right for each dma-buf, such as a
  /// camera's frame. False: memory that is coherent (rpcmem), or no dma-buf (memfd), of which an
  /// access would be `sync_failed`.
  bool needs_sync = true;
  /// What its start is a multiple of where the device maps it, in bytes: a power of two. An
  /// allocator's promise of more does not raise it.
  std::uint64_t start_alignment = dma_page_bytes;
};

namespace detail {

/// Which memory a descriptor names: equal for two descriptors of one dma-buf, duplicated or lent
/// twice. A kernel before 5.3 has one inode for all dma-bufs; there, and for a descriptor that is
/// not open, it is the number of the descriptor: of a duplicated one the number it was lent by.
struct MemoryId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  auto operator<=>(const MemoryId&) const = default;
};
[[nodiscard]] MemoryId memory_id(int fd) noexcept;

/// One allocation. Whoever may still use it holds a reference; the last one frees it (BUF-06).
///
/// Made before the call that allocates, so that what the call returns has its owner at once.
class DmaBlock : public RefCounted<DmaBlock> {
 public:
  /// Gives back what the block does not own itself. `owner` is what the allocator put there.
  using FreeFn = void (*)(DmaBlock&) noexcept;

  explicit DmaBlock(std::uint64_t bytes) noexcept : size_bytes(bytes) {}
  ~DmaBlock();

  /// Says which memory it is. `closes`: the descriptor is the block's from now on. `mapping`: null
  /// where the block maps the memory itself.
  void adopt(int descriptor, bool closes, void* mapping = nullptr) noexcept;

  /// Its start for the CPU, mapped by the first call. From any thread. Errors: `allocation_failed`
  /// with the errno of mmap; `too_small` where the file ends before.
  [[nodiscard]] Result<std::byte*> map();
  /// The same without mapping it: null if nobody asked for it yet.
  [[nodiscard]] std::byte* data() const noexcept { return data_.load(std::memory_order_acquire); }

  int fd = -1;
  std::uint64_t size_bytes;
  MemoryId id = {};
  /// CPU access must be bracketed by DMA_BUF_IOCTL_SYNC (SHB-07).
  bool needs_sync = false;
  /// What its start is a multiple of where the device maps it (BUF-02).
  std::uint64_t start_alignment = dma_page_bytes;
  FreeFn free = nullptr;
  void* owner = nullptr;

 private:
  std::atomic<std::byte*> data_ = nullptr;
  bool maps_ = true;  ///< What data_ points to is the block's to unmap.
  bool closes_ = false;
};

/// Bytes of the file behind a descriptor; 0 if it has no size, as a device's has none.
[[nodiscard]] std::uint64_t file_bytes(int fd) noexcept;

/// The deleter of memory that has none.
struct NoDeleter {
  void operator()() const noexcept {}
};

/// Whether a deleter is a null pointer, or an empty std::function.
template <class Deleter>
[[nodiscard]] bool is_null(const Deleter& deleter) noexcept {
  if constexpr (std::is_pointer_v<Deleter> || requires { deleter.operator bool(); })
    return !deleter;
  else
    return false;
}

}  // namespace detail

/// A DMA buffer: a file descriptor (never negative) and a size; the CPU's mapping of it is made
/// when it is asked for (BUF-01).
///
/// Move-only. It has no purpose yet, hence no view of its bytes: turn it into a MemRegion. The
/// memory is freed when nothing uses it any more, on whichever thread that happens: outside of
/// every lock of the library. const members may be called by several threads at the same time.
class DmaBuffer {
 public:
  QNNPP_MOVE_ONLY(DmaBuffer, "a DMA buffer has one owner; write std::move(buffer)");
  template <detail::ResultOf<DmaBuffer> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(buffer), or use value_or_throw()", DmaBuffer,
      const R&);

  /// Takes memory that was allocated elsewhere, such as a camera's frame:
  /// `from_native(fd, bytes, {}, [frame] { give_back(frame); })`.
  ///
  /// `deleter` is called once, without arguments, when nothing uses the memory any more; it must
  /// not throw. It may be anything that can be called and moved, or left out. Buffers made of
  /// descriptors of one dma-buf are known to be the same memory where it matters to one context: as
  /// weights and spill-fill, as these and tensors, as tensors registered twice. Spill-fill buffers
  /// of it have one lock. The same weights memory for two contexts is `in_use`.
  ///
  /// Errors, on which nothing is taken and the deleter is not called: `no_file_descriptor` with
  /// EBADF for a descriptor that is negative, or not open where it is duplicated;
  /// `allocation_failed` with the errno of a duplication that lacks descriptors or memory (EMFILE,
  /// ENFILE, ENOMEM), and where `data` is MAP_FAILED; `empty` for 0 bytes; `invalid_argument` for a
  /// null deleter and for an alignment that is no power of two. A file that cannot be mapped is an
  /// error of the access that maps it.
  template <class Deleter = detail::NoDeleter>
    requires std::invocable<Deleter&>
  [[nodiscard]] static Result<DmaBuffer> from_native(int fd, std::uint64_t size_bytes,
                                                     const NativeMemory& memory = {},
                                                     Deleter deleter = {}) {
    auto block = lent(fd, size_bytes, memory, detail::is_null(deleter));
    if constexpr (!std::is_same_v<Deleter, detail::NoDeleter>) {
      if (!block) return fail(std::move(block).error());
      // The memory is adopted last, so that a deleter without memory is deleted and not called.
      (*block)->owner = new Deleter(std::move(deleter));
      (*block)->free = [](detail::DmaBlock& freed) noexcept {
        Deleter* const held = static_cast<Deleter*>(freed.owner);
        if (freed.fd >= 0) (*held)();
        delete held;
      };
    }
    return adopted(std::move(block), fd, memory);
  }

  [[nodiscard]] int fd() const noexcept { return block().fd; }
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
  [[nodiscard]] static Result<DmaBuffer> adopted(Result<Ref<detail::DmaBlock>> block, int fd,
                                                 const NativeMemory& memory);
  /// The error of a descriptor that cannot be duplicated: `allocation_failed` if the system lacks
  /// descriptors or memory, else `no_file_descriptor`.
  [[nodiscard]] static Error unusable_fd(const char* step, int fd, int reason);
  [[nodiscard]] const detail::DmaBlock& block() const;

  Ref<detail::DmaBlock> block_;
};

/// Something that allocates DMA buffers: RpcmemAllocator, DmaHeapAllocator, MemfdAllocator, or your
/// own. `allocate(bytes)` gives memory of exactly that size, or an error. Its start is a multiple
/// of the class's `static constexpr std::uint64_t start_alignment`, or of dma_page_bytes without
/// one, where the device maps it: the CPU's address says nothing of that. A promise counts only up
/// to what each buffer says of itself (NativeMemory::start_alignment).
template <class A>
concept DmaAllocator = requires(const A& allocator, std::uint64_t bytes) {
  { allocator.allocate(bytes) } -> std::same_as<Result<DmaBuffer>>;
};

/// One that can be asked for an alignment as well, a power of two. The buffer says what it got.
template <class A>
concept AlignedDmaAllocator =
    DmaAllocator<A> && requires(const A& allocator, std::uint64_t bytes, std::uint64_t alignment) {
      { allocator.allocate(bytes, alignment) } -> std::same_as<Result<DmaBuffer>>;
    };

namespace detail {

/// Anything else, not even a Result of an allocator. For refusals.
template <class A>
concept NoAllocator = !DmaAllocator<A> && !AnyResult<A>;

/// What an allocator promises of each start.
template <DmaAllocator A>
inline constexpr std::uint64_t start_alignment_of = dma_page_bytes;
template <DmaAllocator A>
  requires requires { A::start_alignment; }
inline constexpr std::uint64_t start_alignment_of<A> = A::start_alignment;

/// Success if an alignment is a power of two. Error: `invalid_argument`.
[[nodiscard]] Result<void> check_alignment(const char* step, std::uint64_t alignment);

/// The error of an alignment that the start of a buffer is not known to have.
[[nodiscard]] Error misaligned_start(const char* step, std::string object, std::uint64_t alignment,
                                     std::uint64_t promised);

/// What each class of memory allocates by. Errors: the allocator's; before anything is allocated
/// `invalid_argument` for an alignment that is no power of two, and `misaligned` where the
/// allocator can neither promise nor be asked for it; `misaligned` too where the buffer says that
/// it has less.
template <DmaAllocator Allocator>
[[nodiscard]] Result<DmaBuffer> allocate_aligned(const Allocator& allocator, std::uint64_t bytes,
                                                 std::uint64_t alignment) {
  constexpr std::uint64_t promised = start_alignment_of<Allocator>;
  constexpr const char* step = "allocating a DMA buffer";
  if (auto power = check_alignment(step, alignment); !power) return fail(std::move(power).error());
  const bool asks = alignment > promised;
  auto buffer = [&]() -> Result<DmaBuffer> {
    if (!asks) return allocator.allocate(bytes);
    if constexpr (AlignedDmaAllocator<Allocator>)
      return allocator.allocate(bytes, alignment);
    else
      return fail(misaligned_start(step, "start of the buffer", alignment, promised));
  }();
  if (!buffer) return buffer;
  std::uint64_t& known = Access::block(*buffer)->start_alignment;
  if (const std::uint64_t wanted = asks ? alignment : promised; wanted < known) known = wanted;
  if (known < alignment)
    return fail(misaligned_start(step, "start of the buffer", alignment, known));
  return buffer;
}

/// Base of a class with static functions `allocate(allocator, ...)`, which are declared beside
/// these by a using-declaration.
template <class Made>
struct AllocateRefusals {
  template <class... Arguments>
    requires(AnyResult<Arguments> || ...)
  static QNNPP_REFUSE("an argument is a Result; test it and pass *result, or use value_or_throw()",
                      Result<Made>, allocate(const Arguments&...));
  // Rest&&: clang 14 takes const Rest& for the same signature as the function beside it.
  template <NoAllocator Allocator, class... Rest>
    requires(!AnyResult<std::remove_cvref_t<Rest>> && ...)
  static QNNPP_REFUSE("no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const",
                      Result<Made>, allocate(const Allocator&, Rest&&...));
};

}  // namespace detail

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/dma_buffer.ipp"
#endif
