// An allocator of the tests that returns descriptors without memory, and counts.
#pragma once

#include <cstdint>

#include "qnnpp/memory/dma_buffer.hpp"

namespace memory_test {

/// Counts of one CountingAllocator.
struct Counts {
  int allocated = 0;
  int freed = 0;
  std::uint64_t last_bytes = 0;
  std::uint64_t shortage_bytes = 0;  ///< bytes by which buffers are smaller than requested
  bool fails = false;
};

/// An allocator as a user may write it.
class CountingAllocator {
 public:
  /// Promises a larger alignment than any test requests.
  static constexpr std::uint64_t start_alignment = 1u << 20;

  explicit CountingAllocator(Counts& counts) : counts_(&counts) {}

  [[nodiscard]] qnnpp::Result<qnnpp::DmaBuffer> allocate(std::uint64_t bytes) const {
    if (counts_->fails)
      return qnnpp::fail(
          qnnpp::Error::mismatch(qnnpp::Errc::allocation_failed, "allocate", "test", bytes, 0));
    ++counts_->allocated;
    counts_->last_bytes = bytes;
    return qnnpp::DmaBuffer::from_native(
        100 + counts_->allocated, bytes - counts_->shortage_bytes,
        {.fd = qnnpp::FdUse::borrow, .data = counts_, .start_alignment = start_alignment},
        [counts = counts_] { ++counts->freed; });
  }

 private:
  Counts* counts_;
};
static_assert(qnnpp::DmaAllocator<CountingAllocator>);

}  // namespace memory_test
