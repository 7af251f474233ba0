// Counts what a program allocates. A program that uses it links test_heap.
#pragma once

#include <cstddef>
#include <cstdint>

namespace support {

/// Whose allocations a HeapWatch counts; those that libraries make are counted too.
enum class Threads { this_one, all };

/// Counts from its construction to its destruction; the figures stay until the next. One lives at a
/// time.
class HeapWatch {
 public:
  explicit HeapWatch(Threads threads = Threads::all) noexcept;
  ~HeapWatch();
  HeapWatch(const HeapWatch&) = delete;
  HeapWatch& operator=(const HeapWatch&) = delete;

  static std::uint64_t allocations() noexcept;
  static std::uint64_t bytes() noexcept;
  /// Bytes of the largest allocation.
  static std::uint64_t largest_bytes() noexcept;

  /// Stops and continues what Threads::this_one counts in the calling thread.
  static void pause(bool paused) noexcept;

  /// Whether malloc and calloc are counted; under the sanitizers only operator new is.
  static bool counts_malloc() noexcept;
};

}  // namespace support
