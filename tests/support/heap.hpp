// Counts what a program allocates, and lets an allocation fail. A program that uses it links
// test_heap.
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

  /// Stops and continues what Threads::this_one counts, and what an AllocationFault fails, in the
  /// calling thread. Pauses may nest.
  static void pause(bool paused) noexcept;

  /// Whether malloc and calloc are counted; under the sanitizers only operator new is.
  static bool counts_malloc() noexcept;
};

/// One call of operator new in the calling thread fails: it throws std::bad_alloc, or returns null
/// where it may not throw. Calls while HeapWatch::pause() holds neither count nor fail. One lives
/// at a time.
class AllocationFault {
 public:
  /// `which` fails, counted from 1; 0: none, the calls are only counted.
  explicit AllocationFault(std::uint64_t which) noexcept;
  ~AllocationFault();
  AllocationFault(const AllocationFault&) = delete;
  AllocationFault& operator=(const AllocationFault&) = delete;

  /// Calls of operator new since it began, the one that failed too.
  static std::uint64_t allocations() noexcept;
  /// Blocks of memory that these calls made and nobody has freed yet. Asked after its end too.
  static std::size_t not_freed() noexcept;
};

}  // namespace support
