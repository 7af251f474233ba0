// Replaces the kernel's ioctl: a definition in the program takes precedence over the C library's.
#pragma once

#include <cstdint>
#include <linux/dma-buf.h>
#include <vector>

namespace memory_test {

/// Flags of DMA_BUF_IOCTL_SYNC.
inline constexpr std::uint64_t sync_start = DMA_BUF_SYNC_START;
inline constexpr std::uint64_t sync_end = DMA_BUF_SYNC_END;

struct Kernel {
  struct Sync {
    int fd;
    std::uint64_t flags;
    bool operator==(const Sync&) const = default;
  };
  /// Calls of DMA_BUF_IOCTL_SYNC, in order.
  std::vector<Sync> syncs;
  /// errno of the next calls, one for each. 0, or no element left: success.
  std::vector<int> errors;
  /// Answer of an allocation, and the arguments that it received.
  int heap_fd = -1;
  std::uint64_t heap_bytes = 0;
  std::uint32_t heap_flags = 0;
};

/// Returns the kernel of this program. Clear it before use.
Kernel& kernel();

}  // namespace memory_test
