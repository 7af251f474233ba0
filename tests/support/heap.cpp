// What heap.hpp counts: the calls of malloc, so those of operator new, of C and of the simulated
// device too. The sanitizers bring a malloc of their own; with them the calls of operator new are
// counted.
#include "heap.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define QNNPP_TEST_MALLOC_IS_TAKEN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define QNNPP_TEST_MALLOC_IS_TAKEN
#endif
#endif

namespace {

// Constant-initialised: malloc is called before any constructor of this program.
constinit std::atomic<bool> all_are_watched{false};
constinit thread_local bool this_one_is_watched = false;
constinit thread_local bool this_one_is_paused = false;
constinit std::atomic<std::uint64_t> calls{0};
constinit std::atomic<std::uint64_t> all_bytes{0};
constinit std::atomic<std::uint64_t> most_bytes{0};

void note(std::size_t bytes) noexcept {
  const bool here = this_one_is_watched && !this_one_is_paused;
  if (!here && !all_are_watched.load(std::memory_order_relaxed)) return;
  ++calls;
  all_bytes += bytes;
  std::uint64_t most = most_bytes;
  while (most < bytes && !most_bytes.compare_exchange_weak(most, bytes)) {
  }
}

}  // namespace

#if defined(QNNPP_TEST_MALLOC_IS_TAKEN)

static void* allocate(std::size_t bytes) {
  note(bytes);
  void* memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) std::abort();
  return memory;
}
void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

#else

// glibc's own, behind the names that every library of the process calls; operator new comes here.
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
  this_one_is_paused = false;
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
void HeapWatch::pause(bool paused) noexcept { this_one_is_paused = paused; }
bool HeapWatch::counts_malloc() noexcept {
#if defined(QNNPP_TEST_MALLOC_IS_TAKEN)
  return false;
#else
  return true;
#endif
}

}  // namespace support
