// Replaces the kernel's DMA_BUF_IOCTL_SYNC for memory that is not a dma-buf. The call succeeds and
// reports the access to the simulated HTP.
#pragma once

namespace support {

/// Returns the number of syncs that this program has made so far.
[[nodiscard]] int dma_syncs() noexcept;
/// Makes the k-th sync from now on (from 1) fail with this errno; with k = 0, no sync fails.
void fail_dma_sync(int k, int error) noexcept;

}  // namespace support
