// The kernel's DMA_BUF_IOCTL_SYNC, for memory that is no dma-buf: it succeeds, and the simulated
// HTP is told of it.
#pragma once

namespace support {

/// Syncs of this program so far.
[[nodiscard]] int dma_syncs() noexcept;

}  // namespace support
