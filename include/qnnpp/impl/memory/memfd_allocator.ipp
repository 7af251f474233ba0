// Definitions of memfd_allocator.hpp.
#pragma once

#include "qnnpp/memory/memfd_allocator.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Unmaps and closes: how memory that this process mapped itself is given back.
QNNPP_INLINE void unmap_and_close(const DmaBlock& block) noexcept {
  ::munmap(block.data, static_cast<std::size_t>(block.size_bytes));
  ::close(block.fd);
}

QNNPP_INLINE Result<DmaBuffer> map_descriptor(int fd, std::uint64_t bytes, std::string name,
                                              bool needs_sync) {
  void* data =
      ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) {
    const int reason = errno;
    Error error = Error::mismatch(Errc::allocation_failed, "mmap", std::move(name), bytes, 0);
    error.code = static_cast<std::uint16_t>(reason);
    ::close(fd);
    return fail(std::move(error));
  }
  auto block = Ref<DmaBlock>::make(data, fd, bytes, &unmap_and_close);
  block->needs_sync = needs_sync;
  return detail::Access::make<DmaBuffer>(std::move(block));
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail

namespace qnnpp::inline QNNPP_NAMESPACE {

QNNPP_INLINE Result<DmaBuffer> MemfdAllocator::allocate(std::uint64_t bytes) const {
  if (bytes == 0) return fail(Error::make(Errc::empty, "memfd_create", "memfd"));
  const int fd = ::memfd_create("qnnpp", MFD_CLOEXEC);
  const bool sizeable = bytes <= static_cast<std::uint64_t>(INT64_MAX);
  if (fd < 0 || !sizeable || ::ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    const int reason = fd >= 0 && !sizeable ? EFBIG : errno;
    Error error = Error::mismatch(Errc::allocation_failed, "memfd_create", "memfd", bytes, 0);
    error.code = static_cast<std::uint16_t>(reason);
    if (fd >= 0) ::close(fd);
    return fail(std::move(error));
  }
  return detail::map_descriptor(fd, bytes, "memfd", false);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
