// CpuAccess: brackets what the CPU does with cached DMA memory.
#pragma once

#include <linux/dma-buf.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp {

/// What the CPU is going to do.
enum class CpuUse : std::uint8_t { read, write, read_write };

/// While it lives the CPU may use the memory; the device may not (DMA_BUF_IOCTL_SYNC, SHB-07).
/// Memory whose allocator keeps caches coherent costs nothing. Keeps the memory alive until its end.
class CpuAccess {
 public:
  /// Begins it: data that the device wrote is visible from now on. Error: `sync_failed` with the
  /// errno of the ioctl; the memory must not be touched then. No memory: nothing to begin.
  [[nodiscard]] static Result<CpuAccess> begin(Ref<detail::DmaBlock> memory, CpuUse use) {
    CpuAccess access;
    if (!memory) return access;
    std::uint64_t flags = 0;
    if (memory->needs_sync) {
      flags = use == CpuUse::read    ? DMA_BUF_SYNC_READ
              : use == CpuUse::write ? DMA_BUF_SYNC_WRITE
                                     : DMA_BUF_SYNC_RW;
      if (const auto reason = sync(memory->fd, DMA_BUF_SYNC_START | flags); reason != 0)
        return fail(refused(memory->fd, reason));
    }
    access.open_ = Owner<Policy>({std::move(memory), flags});
    return access;
  }

  /// Ends it now: what the CPU wrote is visible to the device. The destructor does the same and
  /// says nothing. Error: as of begin().
  [[nodiscard]] Result<void> end() && {
    const int fd = open_ ? open_.get().memory->fd : -1;
    if (const auto reason = open_.close(); reason != 0) return fail(refused(fd, reason));
    return {};
  }

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

  static Error refused(int fd, std::uint64_t reason) {
    Error error = Error::make(Errc::sync_failed, "DMA_BUF_IOCTL_SYNC",
                              "file descriptor " + std::to_string(fd));
    error.code = static_cast<std::uint16_t>(reason);
    return error;
  }

  CpuAccess() noexcept = default;

  Owner<Policy> open_;
};

}  // namespace qnnpp
