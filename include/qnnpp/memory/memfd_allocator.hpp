// MemfdAllocator: anonymous shared memory of the host, for machines without FastRPC.
#pragma once

#include <cstdint>

#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Allocates by memfd_create. The simulated HTP maps such memory; a real device does not.
/// allocate() may be called from several threads.
class MemfdAllocator {
 public:
  /// Errors: `empty` for 0 bytes, `allocation_failed` with errno.
  [[nodiscard]] Result<DmaBuffer> allocate(std::uint64_t bytes) const;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/memfd_allocator.ipp"
#endif
