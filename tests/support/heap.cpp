// Counts the calls of malloc: they include operator new, C code and the simulated device. The
// sanitizers define malloc themselves; with them, only calls of operator new are counted. An
// AllocationFault makes operator new fail, in all its forms.
#include "heap.hpp"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define QNNPP_TEST_MALLOC_IS_TAKEN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define QNNPP_TEST_MALLOC_IS_TAKEN
#endif
#endif

namespace {

// Constant-initialised, because malloc is called before any constructor of this program.
constinit std::atomic<bool> all_are_watched{false};
constinit thread_local bool this_one_is_watched = false;
constinit thread_local int pauses_of_this_one = 0;
constinit std::atomic<std::uint64_t> calls{0};
constinit std::atomic<std::uint64_t> all_bytes{0};
constinit std::atomic<std::uint64_t> most_bytes{0};

void note(std::size_t bytes) noexcept {
  const bool here = this_one_is_watched && pauses_of_this_one == 0;
  if (!here && !all_are_watched.load(std::memory_order_relaxed)) return;
  ++calls;
  all_bytes += bytes;
  std::uint64_t most = most_bytes;
  while (most < bytes && !most_bytes.compare_exchange_weak(most, bytes)) {
  }
}

/// State of an AllocationFault, for calls of operator new in its thread.
constinit thread_local bool fault_is_set = false;
constinit std::uint64_t fault_at = 0;
constinit std::uint64_t fault_calls = 0;

/// Blocks of memory that were allocated under an AllocationFault and are not freed yet. This is a
/// separate hash table, because the standard containers would call operator new.
class Blocks {
 public:
  void add(void* block) noexcept {
    const std::scoped_lock lock(mutex_);
    if (count_ + 1 >= most) std::abort();  // The table is too small.
    ++count_;
    std::size_t at = place_of(block);
    while (table_[at] != nullptr) at = (at + 1) % most;
    table_[at] = block;
  }
  void remove(void* block) noexcept {
    if (count_.load(std::memory_order_relaxed) == 0) return;
    const std::scoped_lock lock(mutex_);
    std::size_t at = place_of(block);
    for (; table_[at] != block; at = (at + 1) % most)
      if (table_[at] == nullptr) return;
    --count_;
    // The elements behind the removed one move up, so that no search ends at the hole.
    std::size_t hole = at;
    for (std::size_t next = (at + 1) % most; table_[next] != nullptr; next = (next + 1) % most) {
      const std::size_t home = place_of(table_[next]);
      if ((next + most - home) % most < (next + most - hole) % most) continue;
      table_[hole] = table_[next];
      hole = next;
    }
    table_[hole] = nullptr;
  }
  void clear() noexcept {
    const std::scoped_lock lock(mutex_);
    if (count_ != 0) table_.fill(nullptr);
    count_ = 0;
  }
  std::size_t count() const noexcept { return count_; }

 private:
  static constexpr std::size_t most = 1 << 15;
  static std::size_t place_of(const void* block) noexcept {
    return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(block) / 16 % most);
  }

  std::mutex mutex_;
  std::atomic<std::size_t> count_{0};
  std::array<void*, most> table_{};
};
constinit Blocks blocks;

/// Makes one call of operator new. Returns null if the call has to fail, or if malloc fails.
void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  const bool is_watched = fault_is_set && pauses_of_this_one == 0;
  if (is_watched && ++fault_calls == fault_at) return nullptr;
#if defined(QNNPP_TEST_MALLOC_IS_TAKEN)
  note(bytes);
#endif
  if (bytes == 0) bytes = 1;
  void* const block =
      alignment == 0
          ? std::malloc(bytes)
          : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (is_watched && block != nullptr) blocks.add(block);
  return block;
}
void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  void* const block = allocate(bytes, alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

/// State of a FreedBlocks.
constinit std::atomic<std::size_t> least_freed_bytes{0};
constinit std::atomic<std::uint64_t> freed_blocks{0};
constinit std::atomic<std::uint64_t> zeroed_blocks{0};

void see_freed(const void* block) noexcept {
  const std::size_t bytes = least_freed_bytes.load(std::memory_order_relaxed);
  if (bytes == 0 || ::malloc_usable_size(const_cast<void*>(block)) < bytes) return;
  const auto* first = static_cast<const unsigned char*>(block);
  ++freed_blocks;
  if (std::all_of(first, first + bytes, [](unsigned char byte) { return byte == 0; }))
    ++zeroed_blocks;
}

void deallocate(void* block) noexcept {
  if (block == nullptr) return;
  see_freed(block);
  blocks.remove(block);
  std::free(block);
}
std::size_t number(std::align_val_t alignment) noexcept {
  return static_cast<std::size_t>(alignment);
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate_or_throw(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, number(alignment));
}
void* operator new[](std::size_t bytes) { return allocate_or_throw(bytes, 0); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, number(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, 0); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes, 0);
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(bytes, number(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment,
                     const std::nothrow_t&) noexcept {
  return allocate(bytes, number(alignment));
}
void operator delete(void* block) noexcept { deallocate(block); }
void operator delete[](void* block) noexcept { deallocate(block); }
void operator delete(void* block, std::size_t) noexcept { deallocate(block); }
void operator delete[](void* block, std::size_t) noexcept { deallocate(block); }
void operator delete(void* block, std::align_val_t) noexcept { deallocate(block); }
void operator delete[](void* block, std::align_val_t) noexcept { deallocate(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { deallocate(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { deallocate(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { deallocate(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { deallocate(block); }
void operator delete(void* block, std::align_val_t, const std::nothrow_t&) noexcept {
  deallocate(block);
}
void operator delete[](void* block, std::align_val_t, const std::nothrow_t&) noexcept {
  deallocate(block);
}

#if !defined(QNNPP_TEST_MALLOC_IS_TAKEN)

// glibc's own functions, behind the names that every library of the process calls. operator new
// uses them too.
extern "C" {
void* __libc_malloc(std::size_t bytes) noexcept;
void* __libc_calloc(std::size_t count, std::size_t bytes) noexcept;
void* __libc_realloc(void* memory, std::size_t bytes) noexcept;
void* __libc_memalign(std::size_t alignment, std::size_t bytes) noexcept;

void* malloc(std::size_t bytes) noexcept {
  note(bytes);
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) noexcept {
  note(count * bytes);
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) noexcept {
  note(bytes);
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  note(bytes);
  return __libc_memalign(alignment, bytes);
}
}

#endif

namespace support {

HeapWatch::HeapWatch(Threads threads) noexcept {
  calls = 0;
  all_bytes = 0;
  most_bytes = 0;
  pauses_of_this_one = 0;
  if (threads == Threads::all)
    all_are_watched = true;
  else
    this_one_is_watched = true;
}
HeapWatch::~HeapWatch() {
  all_are_watched = false;
  this_one_is_watched = false;
}
std::uint64_t HeapWatch::allocations() noexcept { return calls; }
std::uint64_t HeapWatch::bytes() noexcept { return all_bytes; }
std::uint64_t HeapWatch::largest_bytes() noexcept { return most_bytes; }
void HeapWatch::pause(bool paused) noexcept { pauses_of_this_one += paused ? 1 : -1; }
bool HeapWatch::counts_malloc() noexcept {
#if defined(QNNPP_TEST_MALLOC_IS_TAKEN)
  return false;
#else
  return true;
#endif
}

AllocationFault::AllocationFault(std::uint64_t which) noexcept {
  blocks.clear();
  fault_at = which;
  fault_calls = 0;
  pauses_of_this_one = 0;
  fault_is_set = true;
}
AllocationFault::~AllocationFault() { fault_is_set = false; }
std::uint64_t AllocationFault::allocations() noexcept { return fault_calls; }
std::size_t AllocationFault::not_freed() noexcept { return blocks.count(); }

FreedBlocks::FreedBlocks(std::size_t least_bytes) noexcept {
  freed_blocks = 0;
  zeroed_blocks = 0;
  least_freed_bytes = least_bytes;
}
FreedBlocks::~FreedBlocks() { least_freed_bytes = 0; }
std::uint64_t FreedBlocks::count() noexcept { return freed_blocks; }
std::uint64_t FreedBlocks::zeroed() noexcept { return zeroed_blocks; }

}  // namespace support
