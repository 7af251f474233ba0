// A heap whose calls always cost the same, so that counts of instructions do not depend on how
// earlier allocations, such as those of a longer path, have cut up the heap. It takes memory from
// one array and gives none back, which suffices for a probe.
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace {

constexpr std::size_t alignment = alignof(std::max_align_t);
alignas(4096) constinit std::array<std::byte, std::size_t{256} << 20> memory{};
constinit std::atomic<std::size_t> used{0};

/// Takes `bytes` at a multiple of `align`. The size stands before them, for realloc.
void* take(std::size_t bytes, std::size_t align) noexcept {
  if (align < alignment) align = alignment;
  const std::size_t room = ((bytes + alignment - 1) & ~(alignment - 1)) + align;
  const std::size_t start = used.fetch_add(room, std::memory_order_relaxed);
  if (bytes > memory.size() || start > memory.size() - room) {
    errno = ENOMEM;
    return nullptr;
  }
  std::byte* const block = &memory[(start + align) & ~(align - 1)];
  std::memcpy(block - sizeof bytes, &bytes, sizeof bytes);
  return block;
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) noexcept { return take(bytes, alignment); }

// Nothing is reused, so the memory is zero.
void* calloc(std::size_t count, std::size_t bytes) noexcept {
  if (bytes != 0 && count > memory.size() / bytes) return nullptr;
  return take(count * bytes, alignment);
}

void* realloc(void* block, std::size_t bytes) noexcept {
  void* const moved = take(bytes, alignment);
  if (block == nullptr || moved == nullptr) return moved;
  std::size_t before = 0;
  std::memcpy(&before, static_cast<std::byte*>(block) - sizeof before, sizeof before);
  std::memcpy(moved, block, before < bytes ? before : bytes);
  return moved;
}

void free(void*) noexcept {}

void* aligned_alloc(std::size_t align, std::size_t bytes) noexcept { return take(bytes, align); }

void* memalign(std::size_t align, std::size_t bytes) noexcept { return take(bytes, align); }

int posix_memalign(void** block, std::size_t align, std::size_t bytes) noexcept {
  *block = take(bytes, align);
  return *block == nullptr ? ENOMEM : 0;
}

}  // extern "C"
