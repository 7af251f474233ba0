// AllocatorRef: any DmaAllocator as one type, for code that is not a template.
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

class AllocatorRef;

/// Whether an allocator declares that any thread may call it.
template <DmaAllocator Allocator>
[[nodiscard]] constexpr bool is_thread_safe(const Allocator& allocator) noexcept {
  if constexpr (std::is_base_of_v<AllocatorRef, Allocator>)
    return allocator.is_thread_safe();
  else if constexpr (requires { Allocator::is_thread_safe; })
    return Allocator::is_thread_safe;
  else
    return false;
}

/// Borrows an allocator and forwards to its allocate(). Promises no start alignment, so that each
/// alignment is requested from the borrowed allocator; its buffers state what that one promises.
class AllocatorRef {
 public:
  template <DmaAllocator Allocator>
    requires(!std::same_as<Allocator, AllocatorRef>)
  explicit AllocatorRef(const Allocator& allocator) noexcept
      : allocator_(&allocator),
        allocate_([](const void* of, std::uint64_t bytes, std::uint64_t alignment) {
          return allocate_aligned(*static_cast<const Allocator*>(of), bytes, alignment);
        }),
        is_thread_safe_(detail::is_thread_safe(allocator)) {}

  static constexpr std::uint64_t start_alignment = 1;

  /// Allocates a buffer. Reports the errors of allocate_aligned() with the borrowed allocator.
  [[nodiscard]] Result<DmaBuffer> allocate(std::uint64_t bytes, std::uint64_t alignment = 1) const {
    return allocate_(allocator_, bytes, alignment);
  }
  /// Whether the borrowed allocator declares that any thread may call it.
  [[nodiscard]] bool is_thread_safe() const noexcept { return is_thread_safe_; }

 private:
  const void* allocator_;
  Result<DmaBuffer> (*allocate_)(const void*, std::uint64_t, std::uint64_t);
  bool is_thread_safe_;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
