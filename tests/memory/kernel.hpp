// The kernel's ioctl as these tests have it: a definition in the program comes before the C
// library's.
#pragma once

#include <linux/dma-buf.h>

#include <cstdint>
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
  /// errno of the next calls, one each; 0 or none left: success.
  std::vector<int> errors;
  /// What an allocation answers, and what it was asked for.
  int heap_fd = -1;
  std::uint64_t heap_bytes = 0;
  std::uint32_t heap_flags = 0;
};

/// The one of this program. Clear it before use.
Kernel& kernel();

}  // namespace memory_test
