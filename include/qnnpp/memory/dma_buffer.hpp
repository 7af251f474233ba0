// DmaBuffer: memory that both the CPU and the HTP can map, named by a file descriptor.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

namespace detail {

/// One allocation. Whoever may still use it holds a reference; the last one frees it (BUF-06).
struct DmaBlock : RefCounted<DmaBlock> {
  /// Gives the memory back. `owner` is what the allocator put there.
  using FreeFn = void (*)(const DmaBlock&) noexcept;

  DmaBlock(void* data_in, int fd_in, std::uint64_t size_in, FreeFn free_in,
           void* owner_in = nullptr)
      : data(data_in), fd(fd_in), size_bytes(size_in), free(free_in), owner(owner_in) {}
  ~DmaBlock() { free(*this); }

  void* data;
  int fd;
  std::uint64_t size_bytes;
  FreeFn free;
  void* owner;
  /// CPU access must be bracketed by DMA_BUF_IOCTL_SYNC (SHB-07).
  bool needs_sync = false;
};

/// Bytes of the file behind a descriptor; 0 if it has no size, as a device's has none.
[[nodiscard]] std::uint64_t file_bytes(int fd) noexcept;

/// Some of its bytes; none of no memory.
[[nodiscard]] std::span<std::byte> bytes_of(const Ref<DmaBlock>& memory, std::uint64_t offset_bytes,
                                            std::uint64_t size_bytes) noexcept;

}  // namespace detail

/// A DMA buffer: a file descriptor (never negative), a mapping and a size (BUF-01).
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

  /// Takes over memory that was allocated elsewhere: `data` is its mapping, `fd` its descriptor,
  /// `free` is called once, with a block that says both, when nothing uses it any more; pass a
  /// function that does nothing to lend memory that outlives everything made from it.
  /// Errors: `allocation_failed` for null or MAP_FAILED, `no_file_descriptor` for fd < 0, `empty`.
  [[nodiscard]] static Result<DmaBuffer> from_native(void* data, int fd, std::uint64_t size_bytes,
                                                     detail::DmaBlock::FreeFn free,
                                                     void* owner = nullptr);

  [[nodiscard]] int fd() const noexcept { return block().fd; }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return block().size_bytes; }

 private:
  friend struct detail::Access;

  explicit DmaBuffer(Ref<detail::DmaBlock> block) noexcept : block_(std::move(block)) {}
  [[nodiscard]] static DmaBuffer make(Ref<detail::DmaBlock> block) noexcept {
    return DmaBuffer(std::move(block));
  }
  [[nodiscard]] const detail::DmaBlock& block() const;

  Ref<detail::DmaBlock> block_;
};

/// Something that allocates DMA buffers: RpcmemAllocator, DmaHeapAllocator, MemfdAllocator, or your
/// own. `allocate(bytes)` gives at least page-aligned memory of exactly that size, or an error.
template <class A>
concept DmaAllocator = requires(const A& allocator, std::uint64_t bytes) {
  { allocator.allocate(bytes) } -> std::same_as<Result<DmaBuffer>>;
};

namespace detail {

/// Anything else, not even a Result of an allocator. For refusals.
template <class A>
concept NoAllocator = !DmaAllocator<A> && !AnyResult<A>;

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
