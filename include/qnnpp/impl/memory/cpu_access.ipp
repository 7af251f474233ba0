// Definitions of cpu_access.hpp.
#pragma once

#include "qnnpp/memory/cpu_access.hpp"

#include <sys/ioctl.h>

#include <cerrno>
#include <linux/dma-buf.h>
#include <string>
#include <utility>

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<CpuAccess> CpuAccess::begin(Ref<detail::DmaBlock> memory, CpuUse use,
                                                std::uint64_t offset_bytes,
                                                std::uint64_t size_bytes) {
  CpuAccess access;
  if (!memory) return access;
  QNNPP_LET(data, memory->map());
  const std::uint64_t end_bytes = offset_bytes + size_bytes;
  memory->open.add(offset_bytes, end_bytes);
  std::uint64_t flags = 0;
  if (memory->needs_sync) {
    flags = use == CpuUse::read    ? DMA_BUF_SYNC_READ
            : use == CpuUse::write ? DMA_BUF_SYNC_WRITE
                                   : DMA_BUF_SYNC_RW;
    if (const auto reason = sync(memory->fd, DMA_BUF_SYNC_START | flags); reason != 0) {
      memory->open.remove(offset_bytes, end_bytes);
      return fail(refused(memory->fd, reason));
    }
  }
  access.bytes_ = {*data + offset_bytes, static_cast<std::size_t>(size_bytes)};
  access.open_ = Owner<Policy>({std::move(memory), flags, offset_bytes, end_bytes});
  return access;
}

[[gnu::noinline]] QNNPP_INLINE CpuAccess::~CpuAccess() { (void)open_.close(); }

QNNPP_INLINE Result<void> CpuAccess::end() && {
  const int fd = open_ ? open_.get().memory->fd : -1;
  if (const auto reason = open_.close(); reason != 0) return fail(refused(fd, reason));
  return {};
}

QNNPP_INLINE std::uint64_t CpuAccess::Policy::close(Value value) noexcept {
  value.memory->open.remove(value.begin, value.end);
  return value.flags == 0 ? 0 : sync(value.memory->fd, DMA_BUF_SYNC_END | value.flags);
}

QNNPP_INLINE std::uint64_t CpuAccess::sync(int fd, std::uint64_t flags) noexcept {
  dma_buf_sync request{};
  request.flags = flags;
  while (::ioctl(fd, DMA_BUF_IOCTL_SYNC, &request) != 0)
    if (errno != EINTR && errno != EAGAIN) return static_cast<std::uint64_t>(errno);
  return 0;
}

QNNPP_INLINE Error CpuAccess::refused(int fd, std::uint64_t reason) {
  Error error = Error::make(Errc::sync_failed, "DMA_BUF_IOCTL_SYNC",
                            detail::joined({"file descriptor ", fd}));
  error.code = static_cast<std::uint16_t>(reason);
  if (reason == ENOTTY) error.detail = "it is not a dma-buf; pass needs_sync = false";
  return error;
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
