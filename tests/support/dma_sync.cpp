#include "dma_sync.hpp"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <linux/dma-buf.h>

#include "controls.hpp"

namespace {

std::atomic<int> syncs = 0;
std::atomic<int> failing_sync = 0;  // The sync that fails, counted down to 1; 0: none.
std::atomic<int> failing_error = 0;

}  // namespace

namespace support {

int dma_syncs() noexcept { return syncs; }
void fail_dma_sync(int k, int error) noexcept {
  failing_error = error;
  failing_sync = k;
}

}  // namespace support

// A definition in the program takes precedence over the C library's definition.
extern "C" int ioctl(int fd, unsigned long request, ...) noexcept {
  std::va_list arguments;
  va_start(arguments, request);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  struct stat file{};
  if (request != DMA_BUF_IOCTL_SYNC || ::fstat(fd, &file) != 0)
    return static_cast<int>(::syscall(SYS_ioctl, fd, request, argument));
  ++syncs;
  if (failing_sync > 0 && --failing_sync == 0) {
    errno = failing_error;
    return -1;
  }
  const std::uint64_t flags = static_cast<const dma_buf_sync*>(argument)->flags;
  support::control().cpu_access(file.st_dev, file.st_ino, (flags & DMA_BUF_SYNC_END) == 0);
  return 0;
}
