#include "kernel.hpp"

#include <sys/ioctl.h>

#include <cerrno>
#include <cstdarg>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>

namespace memory_test {

Kernel& kernel() {
  static Kernel the_kernel;
  return the_kernel;
}

}  // namespace memory_test

extern "C" int ioctl(int fd, unsigned long request, ...) noexcept {
  std::va_list arguments;
  va_start(arguments, request);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);

  memory_test::Kernel& kernel = memory_test::kernel();
  if (request == DMA_BUF_IOCTL_SYNC)
    kernel.syncs.push_back({fd, static_cast<const dma_buf_sync*>(argument)->flags});
  if (request == DMA_HEAP_IOCTL_ALLOC) {
    auto& allocation = *static_cast<dma_heap_allocation_data*>(argument);
    kernel.heap_bytes = allocation.len;
    kernel.heap_flags = allocation.fd_flags;
    allocation.fd = static_cast<std::uint32_t>(kernel.heap_fd);
  }
  if (kernel.errors.empty()) return 0;
  const int error = kernel.errors.front();
  kernel.errors.erase(kernel.errors.begin());
  errno = error;
  return error == 0 ? 0 : -1;
}
