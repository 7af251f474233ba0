// CpuAccess: brackets what the CPU does with cached DMA memory.
#pragma once

#include <linux/dma-buf.h>
#include <sys/ioctl.h>

#include <cstdint>
#include <utility>

#include "qnnpp/core/owner.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp {

/// What the CPU is going to do.
enum class CpuUse : std::uint8_t { read, write, read_write };

/// While it lives the CPU may use the memory; the device may not (DMA_BUF_IOCTL_SYNC, SHB-07).
/// Memory whose allocator keeps caches coherent costs nothing. Keeps the memory alive.
class CpuAccess {
 public:
  CpuAccess(Ref<detail::DmaBlock> memory, CpuUse use)
      : memory_(std::move(memory)), open_(begin(memory_, use)) {}

  /// Ends the access now. Error: `qnn` never; `allocation_failed` never; 0 or errno as given.
  std::uint64_t end() noexcept { return open_.close(); }

 private:
  struct Policy {
    struct Value {
      int fd = -1;
      std::uint64_t flags = 0;
      bool operator==(const Value&) const = default;
    };
    static Value null() noexcept { return {}; }
    static std::uint64_t close(Value value) noexcept {
      return sync(value.fd, DMA_BUF_SYNC_END | value.flags);
    }
  };

  static std::uint64_t sync(int fd, std::uint64_t flags) noexcept {
    dma_buf_sync request{};
    request.flags = flags;
    return ::ioctl(fd, DMA_BUF_IOCTL_SYNC, &request) == 0 ? 0u : 1u;
  }

  static Owner<Policy> begin(const Ref<detail::DmaBlock>& memory, CpuUse use) noexcept {
    if (!memory || !memory->needs_sync) return Owner<Policy>();
    const std::uint64_t flags = use == CpuUse::read    ? DMA_BUF_SYNC_READ
                                : use == CpuUse::write ? DMA_BUF_SYNC_WRITE
                                                       : DMA_BUF_SYNC_RW;
    if (sync(memory->fd, DMA_BUF_SYNC_START | flags) != 0) return Owner<Policy>();
    return Owner<Policy>({memory->fd, flags});
  }

  Ref<detail::DmaBlock> memory_;
  Owner<Policy> open_;
};

}  // namespace qnnpp
