// Definitions of memfd_allocator.hpp.
#pragma once

#include "qnnpp/memory/memfd_allocator.hpp"

#include "qnnpp/config.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/memory_file.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<DmaBuffer> MemfdAllocator::allocate(std::uint64_t bytes) const {
  if (bytes == 0) return fail(Errc::empty, "memfd_create", "memfd");
  auto block = Ref<detail::DmaBlock>::make(bytes);
  const bool sizeable = bytes <= static_cast<std::uint64_t>(INT64_MAX);
  const int fd = detail::memory_file("qnnpp");
  int reason = fd < 0 ? errno : sizeable ? 0 : EFBIG;
  if (fd >= 0) block->adopt(fd, true);
  if (reason == 0 && ::ftruncate(fd, static_cast<off_t>(bytes)) != 0) reason = errno;
  if (reason != 0) {
    Error error = Error::mismatch(Errc::allocation_failed, "memfd_create", "memfd", bytes, 0);
    error.code = static_cast<std::uint16_t>(reason);
    return fail(std::move(error));
  }
  QNNPP_TRY(block->map());
  return detail::Access::make<DmaBuffer>(std::move(block));
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
