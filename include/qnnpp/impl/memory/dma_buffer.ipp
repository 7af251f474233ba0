// Definitions of dma_buffer.hpp.
#pragma once

#include "qnnpp/memory/dma_buffer.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <bit>
#include <cerrno>

#include "qnnpp/core/detail/contract.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<Ref<detail::DmaBlock>> DmaBuffer::lent(int fd, std::uint64_t size_bytes,
                                                           const NativeMemory& memory,
                                                           bool null_deleter) {
  constexpr const char* step = "taking over a DMA buffer";
  if (memory.data == MAP_FAILED)
    return fail(Errc::allocation_failed, step, "mapping", "its data is MAP_FAILED");
  if (fd < 0) return fail(unusable_fd(step, fd, EBADF));
  if (size_bytes == 0) return fail(Errc::empty, step, "buffer");
  if (null_deleter)
    return fail(Errc::invalid_argument, step, "deleter",
                "it is null; omit it if there is nothing to release");
  QNNPP_TRY(detail::check_alignment(step, memory.start_alignment));
  return Ref<detail::DmaBlock>::make(size_bytes);
}

QNNPP_INLINE Result<DmaBuffer> DmaBuffer::adopted(Ref<detail::DmaBlock> block, int fd,
                                                  const NativeMemory& memory) {
  // Computed before the duplication: the identity may be the number of the original descriptor.
  const detail::MemoryId id = detail::memory_id(fd);
  if (memory.fd == FdUse::duplicate) {
    const int duplicate = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (duplicate < 0) return fail(unusable_fd("F_DUPFD_CLOEXEC", fd, errno));
    fd = duplicate;
  }
  block->needs_sync = memory.needs_sync;
  block->start_alignment = memory.start_alignment;
  block->adopt(fd, memory.fd != FdUse::borrow, memory.data);
  block->id = id;
  return DmaBuffer(std::move(block));
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error DmaBuffer::unusable_fd(const char* step, int fd,
                                                                       int reason) {
  // A residency evicts contexts after this error: see is_exhausted().
  const bool is_exhausted = reason == EMFILE || reason == ENFILE || reason == ENOMEM;
  Error error = Error::make(is_exhausted ? Errc::allocation_failed : Errc::no_file_descriptor, step,
                            detail::joined({"file descriptor ", fd}));
  error.code = static_cast<std::uint16_t>(reason);
  return error;
}

QNNPP_INLINE Result<void> detail::check_alignment(const char* step, std::uint64_t alignment) {
  if (std::has_single_bit(alignment)) return {};
  return fail(Errc::invalid_argument, step, "start alignment",
              {alignment, " is not a power of two; give one"});
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error detail::misaligned_start(const char* step,
                                                                         std::string_view object,
                                                                         std::uint64_t alignment,
                                                                         std::uint64_t promised) {
  Error error = Error::mismatch(Errc::misaligned, step, object, alignment, promised);
  error.detail = detail::joined({"its start is known to be a multiple of ", promised, " only"});
  return error;
}

QNNPP_INLINE Result<void> detail::starts_aligned(const DmaBlock& buffer, std::uint64_t offset_bytes,
                                                 std::uint64_t alignment, const char* step,
                                                 const std::string& object) {
  if (alignment <= 1) return {};
  if (offset_bytes % alignment != 0)
    return fail(Error::mismatch(Errc::misaligned, step, object, alignment, offset_bytes));
  if (buffer.start_alignment < alignment)
    return fail(misaligned_start(step, object, alignment, buffer.start_alignment));
  return {};
}

QNNPP_INLINE Result<DmaBuffer> detail::aligned(const char* step, Result<DmaBuffer> buffer,
                                               std::uint64_t promised, std::uint64_t alignment) {
  if (!buffer) return buffer;
  if (!Access::block(*buffer))
    return fail(
        Errc::invalid_argument, step, "the allocator",
        "it returned a buffer that was moved from; make it return one that owns its memory");
  std::uint64_t& known = Access::block(*buffer)->start_alignment;
  if (promised < known) known = promised;
  if (known < alignment)
    return fail(misaligned_start(step, "start of the buffer", alignment, known));
  return buffer;
}

QNNPP_INLINE std::uint64_t detail::FilePolicy::close(Value fd) noexcept {
  return ::close(fd) == 0 ? 0u : 1u;
}

QNNPP_INLINE detail::DmaBlock::~DmaBlock() {
  if (std::byte* const mapped = data(); maps_ && mapped != nullptr)
    ::munmap(mapped, static_cast<std::size_t>(size_bytes));
  if (closes_) ::close(fd);
  if (free != nullptr) free(*this);
}

QNNPP_INLINE void detail::DmaBlock::adopt(int descriptor, bool closes, void* mapping) noexcept {
  fd = descriptor;
  closes_ = closes;
  id = memory_id(fd);
  if (mapping == nullptr) return;
  maps_ = false;
  data_.store(static_cast<std::byte*>(mapping), std::memory_order_release);
}

QNNPP_INLINE Result<std::byte*> detail::DmaBlock::map() {
  std::byte* mapped = data();
  if (mapped != nullptr) [[likely]]
    return mapped;
  const std::string name = detail::joined({"file descriptor ", fd});
  // Bytes beyond the end of a file can be mapped, but raise SIGBUS when they are accessed.
  if (const std::uint64_t file = file_bytes(fd); file != 0 && file < size_bytes)
    return fail(Error::mismatch(Errc::too_small, "mmap", name, size_bytes, file));
  void* const made = ::mmap(nullptr, static_cast<std::size_t>(size_bytes), PROT_READ | PROT_WRITE,
                            MAP_SHARED, fd, 0);
  if (made == MAP_FAILED) {
    const int reason = errno;
    Error error = Error::mismatch(Errc::allocation_failed, "mmap", name, size_bytes, 0);
    error.code = static_cast<std::uint16_t>(reason);
    if (reason == EACCES)
      error.detail = "the descriptor must be open for reading and writing";
    else if (reason == ENODEV || reason == EIO)
      error.detail = "its file has no memory to map, such as a pipe or a file in /proc";
    return fail(std::move(error));
  }
  if (data_.compare_exchange_strong(mapped, static_cast<std::byte*>(made),
                                    std::memory_order_acq_rel))
    return static_cast<std::byte*>(made);
  // Another thread mapped the memory first.
  ::munmap(made, static_cast<std::size_t>(size_bytes));
  return mapped;
}

QNNPP_INLINE detail::MemoryId detail::memory_id(int fd) noexcept {
  constexpr decltype(std::declval<struct statfs>().f_type) one_inode_for_all = 0x09041934;
  struct statfs system{};
  struct stat status{};
  if (::fstatfs(fd, &system) != 0 || system.f_type == one_inode_for_all ||
      ::fstat(fd, &status) != 0)
    return {UINT64_MAX, static_cast<std::uint64_t>(fd)};
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

QNNPP_INLINE std::uint64_t detail::file_bytes(int fd) noexcept {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return 0;
  if (S_ISREG(status.st_mode)) return static_cast<std::uint64_t>(status.st_size);
  // A dma-buf reports its size only to lseek.
  const off_t end = ::lseek(fd, 0, SEEK_END);
  return end > 0 ? static_cast<std::uint64_t>(end) : 0;
}

QNNPP_INLINE const detail::DmaBlock& DmaBuffer::block() const {
  qnnpp::detail::expects(block_, "the DMA buffer was moved from; use the object it was moved to");
  return *block_;
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
