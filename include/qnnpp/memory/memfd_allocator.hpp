// MemfdAllocator: anonymous shared memory, for machines without FastRPC.
#pragma once

#include <cstdint>

#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Allocates shared memory with memfd_create. The simulated HTP maps it; a real device does not.
/// Threads: const members are thread-safe.
class MemfdAllocator {
 public:
  /// Any thread may allocate and free.
  static constexpr bool is_thread_safe = true;

  /// Allocates and maps a buffer. Errors: `empty` for 0 bytes; `allocation_failed` with errno.
  [[nodiscard]] Result<DmaBuffer> allocate(std::uint64_t bytes) const;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/memfd_allocator.ipp"
#endif
