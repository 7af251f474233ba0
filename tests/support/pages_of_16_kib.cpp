// Gives a program pages of 16 KiB, as newer Android devices have: preloaded, it answers with that
// size, places mappings at its multiples, and refuses every other offset and address as the kernel
// of such a device does.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace {

constexpr std::size_t page_bytes = 16384;

bool is_aligned(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % page_bytes == 0;
}

void* map(void* at, std::size_t bytes, int protection, int flags, int fd, off_t offset) {
  return reinterpret_cast<void*>(::syscall(SYS_mmap, at, bytes, protection, flags, fd, offset));
}

template <class Function>
int with_aligned(const void* address, Function call) {
  if (is_aligned(address)) return call();
  errno = EINVAL;
  return -1;
}

}  // namespace

extern "C" {

// NOLINTBEGIN(readability-identifier-naming): names of the C library
long sysconf(int name) noexcept {
  static const auto next = reinterpret_cast<long (*)(int)>(::dlsym(RTLD_NEXT, "sysconf"));
  return name == _SC_PAGESIZE ? static_cast<long>(page_bytes) : next(name);
}
int getpagesize() noexcept { return static_cast<int>(page_bytes); }

void* mmap(void* at, std::size_t bytes, int protection, int flags, int fd, off_t offset) noexcept {
  if (offset % static_cast<off_t>(page_bytes) != 0 ||
      ((flags & MAP_FIXED) != 0 && !is_aligned(at))) {
    errno = EINVAL;
    return MAP_FAILED;
  }
  if (at != nullptr) return map(at, bytes, protection, flags, fd, offset);
  // Reserves one page more, and maps at the first multiple of the page size in it.
  void* const reserved =
      map(nullptr, bytes + page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (reserved == MAP_FAILED) return MAP_FAILED;
  auto* const begin = static_cast<std::byte*>(reserved);
  const std::size_t before =
      (page_bytes - reinterpret_cast<std::uintptr_t>(begin) % page_bytes) % page_bytes;
  void* const mapped = map(begin + before, bytes, protection, flags | MAP_FIXED, fd, offset);
  const int reason = errno;
  constexpr std::size_t kernel_page = 4096;
  const std::size_t end = mapped == MAP_FAILED
                              ? before
                              : before + (bytes + kernel_page - 1) / kernel_page * kernel_page;
  if (before != 0) (void)::syscall(SYS_munmap, begin, before);
  (void)::syscall(SYS_munmap, begin + end, bytes + page_bytes - end);
  errno = reason;
  return mapped;
}
int munmap(void* address, std::size_t bytes) noexcept {
  return with_aligned(address,
                      [&] { return static_cast<int>(::syscall(SYS_munmap, address, bytes)); });
}
int mprotect(void* address, std::size_t bytes, int protection) noexcept {
  return with_aligned(address, [&] {
    return static_cast<int>(::syscall(SYS_mprotect, address, bytes, protection));
  });
}
int madvise(void* address, std::size_t bytes, int advice) noexcept {
  return with_aligned(
      address, [&] { return static_cast<int>(::syscall(SYS_madvise, address, bytes, advice)); });
}
// NOLINTEND(readability-identifier-naming)

}  // extern "C"
