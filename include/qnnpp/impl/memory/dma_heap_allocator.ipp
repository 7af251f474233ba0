// Definitions of dma_heap_allocator.hpp.
#pragma once

#include "qnnpp/memory/dma_heap_allocator.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <linux/dma-heap.h>
#include <utility>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<DmaHeapAllocator> DmaHeapAllocator::open(std::string path) {
  QNNPP_TRY(detail::check_path(path, "open"));
  Owner<detail::FilePolicy> heap(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status{};
  if (!heap || ::fstat(heap.get(), &status) != 0) {
    const int reason = errno;
    Error error = Error::make(Errc::file_unreadable, heap ? "fstat" : "open", path);
    error.code = static_cast<std::uint16_t>(reason);
    return fail(std::move(error));
  }
  if (!S_ISCHR(status.st_mode))
    return fail(Errc::file_unreadable, "open", path,
                "it is not a character device, so not a DMA-BUF heap");
  return DmaHeapAllocator(std::move(heap), std::move(path));
}

QNNPP_INLINE Result<DmaBuffer> DmaHeapAllocator::allocate(std::uint64_t bytes) const {
  qnnpp::detail::expects(heap_,
                         "the DMA heap allocator was moved from; use the object it was moved to");
  if (bytes == 0) return fail(Errc::empty, "DMA_HEAP_IOCTL_ALLOC", path_);
  auto block = Ref<detail::DmaBlock>::make(bytes);
  block->needs_sync = true;
  block->facts = detail::fact::dma_heap;
  dma_heap_allocation_data request{};
  request.len = bytes;
  request.fd_flags = O_RDWR | O_CLOEXEC;
  if (::ioctl(heap_.get(), DMA_HEAP_IOCTL_ALLOC, &request) != 0) {
    const int reason = errno;
    Error error = Error::mismatch(Errc::allocation_failed, "DMA_HEAP_IOCTL_ALLOC", path_, bytes, 0);
    error.code = static_cast<std::uint16_t>(reason);
    if (reason == ENOTTY) error.detail = "it is not a DMA-BUF heap";
    return fail(std::move(error));
  }
  block->adopt(static_cast<int>(request.fd), true);
  QNNPP_TRY(block->map());
  return detail::Access::make<DmaBuffer>(std::move(block));
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
