// DmaHeapAllocator: allocates from the Linux kernel's DMA-BUF heaps.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Allocates from a DMA-BUF heap such as /dev/dma_heap/system (DMA_HEAP_IOCTL_ALLOC).
///
/// The memory is cached: CPU access needs a CpuAccess guard (SHB-07). Move-only. The allocator may
/// be destroyed before its buffers.
///
/// Threads: const members are thread-safe.
class DmaHeapAllocator {
 public:
  template <detail::ResultOf<DmaHeapAllocator> R>
  QNNPP_REFUSE_CONSTRUCTOR("this is a Result; test it and pass *allocator, or use value_or_throw()",
                           DmaHeapAllocator, const R&);

  /// Any thread may allocate and free.
  static constexpr bool is_thread_safe = true;

  /// Opens the heap without blocking. Errors: `file_unreadable` with errno, or if `path` is not a
  /// character device; `invalid_argument` for a path that holds a NUL. A device that is not a heap
  /// is detected by the first allocation.
  [[nodiscard]] static Result<DmaHeapAllocator> open(std::string path = "/dev/dma_heap/system");

  /// Allocates and maps a buffer. Errors: `empty` for 0 bytes; `allocation_failed` with errno,
  /// ENOTTY if the device is not a heap. A moved-from allocator is refused (contract).
  [[nodiscard]] Result<DmaBuffer> allocate(std::uint64_t bytes) const;

 private:
  DmaHeapAllocator(Owner<detail::FilePolicy> heap, std::string path)
      : heap_(std::move(heap)), path_(std::move(path)) {}

  Owner<detail::FilePolicy> heap_;
  std::string path_;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/dma_heap_allocator.ipp"
#endif
