// CpuAccess: brackets what the CPU does with cached DMA memory.
#pragma once

#include <linux/dma-buf.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <cstdint>
#include <utility>

#include "qnnpp/core/owner.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp {

/// What the CPU is going to do.
enum class CpuUse : std::uint8_t { read, write, read_write };

/// While it lives the CPU may use the memory; the device may not (DMA_BUF_IOCTL_SYNC, SHB-07).
/// Memory whose allocator keeps caches coherent costs nothing. Keeps the memory alive until its end.
class CpuAccess {
 public:
  CpuAccess(Ref<detail::DmaBlock> memory, CpuUse use)
      : open_(begin(std::move(memory), use)) {}

  /// Ends the access now. Returns 0, or the errno of the ioctl.
  std::uint64_t end() noexcept { return open_.close(); }

 private:
  struct Policy {
    struct Value {
      Ref<detail::DmaBlock> memory = {};
      std::uint64_t flags = 0;  ///< As given to its start; 0: there is nothing to end.
      bool operator==(const Value&) const = default;
    };
    static Value null() noexcept { return {}; }
    static std::uint64_t close(Value value) noexcept {
      return value.flags == 0 ? 0 : sync(value.memory->fd, DMA_BUF_SYNC_END | value.flags);
    }
  };

  static std::uint64_t sync(int fd, std::uint64_t flags) noexcept {
    dma_buf_sync request{};
    request.flags = flags;
    while (::ioctl(fd, DMA_BUF_IOCTL_SYNC, &request) != 0)
      if (errno != EINTR && errno != EAGAIN) return static_cast<std::uint64_t>(errno);
    return 0;
  }

  static Owner<Policy> begin(Ref<detail::DmaBlock> memory, CpuUse use) noexcept {
    std::uint64_t flags = 0;
    if (memory && memory->needs_sync) {
      flags = use == CpuUse::read    ? DMA_BUF_SYNC_READ
              : use == CpuUse::write ? DMA_BUF_SYNC_WRITE
                                     : DMA_BUF_SYNC_RW;
      if (sync(memory->fd, DMA_BUF_SYNC_START | flags) != 0) flags = 0;
    }
    return Owner<Policy>({std::move(memory), flags});
  }

  Owner<Policy> open_;
};

}  // namespace qnnpp
