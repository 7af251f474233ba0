// DmaHeapAllocator: the Linux kernel's DMA-BUF heaps.
#pragma once

#include <fcntl.h>
#include <linux/dma-heap.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

#include "qnnpp/core/owner.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

namespace qnnpp {

/// Allocates from a heap such as /dev/dma_heap/system (DMA_HEAP_IOCTL_ALLOC).
///
/// The memory is cached: CPU access to it is bracketed by a CpuAccess guard (SHB-07).
class DmaHeapAllocator {
 public:
  /// Opens the heap. Error: `file_unreadable` with errno.
  [[nodiscard]] static Result<DmaHeapAllocator> open(std::string path = "/dev/dma_heap/system") {
    const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0) {
      const int reason = errno;
      Error error = Error::make(Errc::file_unreadable, "open", std::move(path));
      error.code = static_cast<std::uint16_t>(reason);
      return fail(std::move(error));
    }
    return DmaHeapAllocator(fd, std::move(path));
  }

  /// Errors: `empty` for 0 bytes, `allocation_failed` with errno.
  [[nodiscard]] Result<DmaBuffer> allocate(std::uint64_t bytes) const {
    if (bytes == 0) return fail(Error::make(Errc::empty, "DMA_HEAP_IOCTL_ALLOC", path_));
    dma_heap_allocation_data request{};
    request.len = bytes;
    request.fd_flags = O_RDWR | O_CLOEXEC;
    if (::ioctl(heap_.get(), DMA_HEAP_IOCTL_ALLOC, &request) != 0) {
      const int reason = errno;
      Error error =
          Error::mismatch(Errc::allocation_failed, "DMA_HEAP_IOCTL_ALLOC", path_, bytes, 0);
      error.code = static_cast<std::uint16_t>(reason);
      return fail(std::move(error));
    }
    return detail::map_descriptor(static_cast<int>(request.fd), bytes, path_, true);
  }

 private:
  struct Policy {
    using Value = int;
    static Value null() noexcept { return -1; }
    static std::uint64_t close(Value fd) noexcept { return ::close(fd) == 0 ? 0u : 1u; }
  };

  DmaHeapAllocator(int fd, std::string path) : heap_(fd), path_(std::move(path)) {}

  Owner<Policy> heap_;
  std::string path_;
};

}  // namespace qnnpp
