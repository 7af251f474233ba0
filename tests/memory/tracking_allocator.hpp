// An allocator of the tests that allocates exactly the requested size, records allocations and
// releases, and can be made to fail.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "qnnpp/memory/dma_buffer.hpp"

namespace memory_test {

/// Record of one TrackingAllocator.
struct Track {
  std::vector<std::uint64_t> sizes;  ///< requested sizes, including failed requests
  int live = 0;
  std::size_t fail_at = 0;  ///< the k-th allocation fails, from 1; 0: none
  bool needs_sync = false;  ///< property of the memory that it returns
};

/// Page-aligned memory. The descriptors are only numbers, from 1000 on.
class TrackingAllocator {
 public:
  explicit TrackingAllocator(Track& track) : track_(&track) {}

  [[nodiscard]] qnnpp::Result<qnnpp::DmaBuffer> allocate(std::uint64_t bytes) const {
    using namespace qnnpp;
    track_->sizes.push_back(bytes);
    void* data = nullptr;
    if (track_->sizes.size() == track_->fail_at ||
        ::posix_memalign(&data, 4096, static_cast<std::size_t>(bytes)) != 0)
      return fail(Error::mismatch(Errc::allocation_failed, "posix_memalign", "test", bytes, 0));
    ++track_->live;
    return DmaBuffer::from_native(
        999 + static_cast<int>(track_->sizes.size()), bytes,
        {.fd = FdUse::borrow, .data = data, .needs_sync = track_->needs_sync},
        [track = track_, data] {
          --track->live;
          std::free(data);
        });
  }

 private:
  Track* track_;
};
static_assert(qnnpp::DmaAllocator<TrackingAllocator>);

}  // namespace memory_test
