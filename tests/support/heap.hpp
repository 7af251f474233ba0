// Counts the allocations of a program and makes one of them fail. A program that uses this header
// links test_heap.
#pragma once

#include <cstddef>
#include <cstdint>

namespace support {

/// Threads whose allocations a HeapWatch counts, including allocations that libraries make.
enum class Threads { this_one, all };

/// Counts from its construction to its destruction. The figures stay valid until the next
/// HeapWatch. Only one may live at a time.
class HeapWatch {
 public:
  explicit HeapWatch(Threads threads = Threads::all) noexcept;
  ~HeapWatch();
  HeapWatch(const HeapWatch&) = delete;
  HeapWatch& operator=(const HeapWatch&) = delete;

  static std::uint64_t allocations() noexcept;
  static std::uint64_t bytes() noexcept;
  /// Returns the size of the largest allocation.
  static std::uint64_t largest_bytes() noexcept;

  /// Pauses and continues, in the calling thread, the counts of Threads::this_one and the calls
  /// that an AllocationFault sees. Pauses may nest.
  static void pause(bool paused) noexcept;

  /// Reports whether malloc and calloc are counted; under the sanitizers only operator new is.
  static bool counts_malloc() noexcept;
};

/// Makes one call of operator new in the calling thread fail: the call throws std::bad_alloc, or
/// returns null if it may not throw. Calls during HeapWatch::pause() neither count nor fail. Only
/// one may live at a time.
class AllocationFault {
 public:
  /// Number of the call that fails, counted from 1. With 0 no call fails; the calls are only
  /// counted.
  explicit AllocationFault(std::uint64_t which) noexcept;
  ~AllocationFault();
  AllocationFault(const AllocationFault&) = delete;
  AllocationFault& operator=(const AllocationFault&) = delete;

  /// Returns the number of calls of operator new since construction, including the failed call.
  static std::uint64_t allocations() noexcept;
  /// Returns the number of blocks that these calls allocated and that are not freed yet. Remains
  /// valid after destruction.
  static std::size_t not_freed() noexcept;
};

/// Counts the blocks of at least `least_bytes` bytes that operator delete frees, and those of them
/// whose first `least_bytes` bytes are 0 then. Only one may live at a time.
class FreedBlocks {
 public:
  explicit FreedBlocks(std::size_t least_bytes) noexcept;
  ~FreedBlocks();
  FreedBlocks(const FreedBlocks&) = delete;
  FreedBlocks& operator=(const FreedBlocks&) = delete;

  static std::uint64_t count() noexcept;
  static std::uint64_t zeroed() noexcept;
};

}  // namespace support
