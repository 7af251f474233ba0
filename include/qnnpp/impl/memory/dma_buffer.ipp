// Definitions of dma_buffer.hpp.
#pragma once

#include "qnnpp/memory/dma_buffer.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

QNNPP_INLINE Result<DmaBuffer> DmaBuffer::from_native(void* data, int fd, std::uint64_t size_bytes,
                                                      detail::DmaBlock::FreeFn free, void* owner) {
  constexpr const char* step = "taking over a DMA buffer";
  if (data == nullptr || data == reinterpret_cast<void*>(std::intptr_t{-1}))
    return fail(Error::make(Errc::allocation_failed, step, "mapping"));
  if (fd < 0) return fail(Error::make(Errc::no_file_descriptor, step, "file descriptor"));
  if (size_bytes == 0) return fail(Error::make(Errc::empty, step, "buffer"));
  return DmaBuffer(Ref<detail::DmaBlock>::make(data, fd, size_bytes, free, owner));
}

QNNPP_INLINE std::uint64_t detail::file_bytes(int fd) noexcept {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return 0;
  if (S_ISREG(status.st_mode)) return static_cast<std::uint64_t>(status.st_size);
  // The file of a DMA buffer tells its size by seeking only.
  const off_t end = ::lseek(fd, 0, SEEK_END);
  return end > 0 ? static_cast<std::uint64_t>(end) : 0;
}

QNNPP_INLINE std::span<std::byte> detail::bytes_of(const Ref<DmaBlock>& memory,
                                                   std::uint64_t offset_bytes,
                                                   std::uint64_t size_bytes) noexcept {
  if (!memory) return {};
  return {static_cast<std::byte*>(memory->data) + offset_bytes,
          static_cast<std::size_t>(size_bytes)};
}

QNNPP_INLINE const detail::DmaBlock& DmaBuffer::block() const {
  QNNPP_EXPECTS(block_, "the DMA buffer was moved from; use the object it was moved to");
  return *block_;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
