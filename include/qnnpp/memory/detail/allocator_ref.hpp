// AllocatorRef: any DmaAllocator as one type, so that code behind it is no template.
#pragma once

#include <concepts>
#include <cstdint>

#include "qnnpp/config.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Borrows an allocator, and is one itself: it forwards to that one's allocate(). It promises no
/// alignment, so that each is asked of the other one.
class AllocatorRef {
 public:
  template <DmaAllocator Allocator>
    requires(!std::same_as<Allocator, AllocatorRef>)
  explicit AllocatorRef(const Allocator& allocator) noexcept
      : allocator_(&allocator),
        allocate_([](const void* of, std::uint64_t bytes, std::uint64_t alignment) {
          return allocate_aligned(*static_cast<const Allocator*>(of), bytes, alignment);
        }) {}

  static constexpr std::uint64_t start_alignment = 1;

  /// Errors: the allocator's; `misaligned`.
  [[nodiscard]] Result<DmaBuffer> allocate(std::uint64_t bytes, std::uint64_t alignment = 1) const {
    return allocate_(allocator_, bytes, alignment);
  }

 private:
  const void* allocator_;
  Result<DmaBuffer> (*allocate_)(const void*, std::uint64_t, std::uint64_t);
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
