// Memory as the simulated DSP sees it: a separate mapping, at its own address, of a client's fd or
// of anonymous memory.
#pragma once

#include "qnnpp/platform.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

namespace qnnpp::sim {

[[nodiscard]] inline std::uint64_t page_bytes() noexcept {
  return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}
/// Rounds `bytes` up to whole pages.
[[nodiscard]] inline std::uint64_t in_pages(std::uint64_t bytes) noexcept {
  return (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
}

/// Identity of the file behind an fd. Two fds of one buffer have the same key.
struct FileKey {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  friend auto operator<=>(const FileKey&, const FileKey&) = default;
};

/// Facts about a client's fd.
struct FileFacts {
  FileKey key;
  std::uint64_t size_bytes = 0;
  bool valid = false;
};

/// Returns the facts of an fd; they are not valid if it is not open.
[[nodiscard]] inline FileFacts facts_of(int fd) noexcept {
  FileFacts facts;
  struct stat status{};
  if (fd < 0 || ::fstat(fd, &status) != 0) return facts;
  facts.key = {static_cast<std::uint64_t>(status.st_dev),
               static_cast<std::uint64_t>(status.st_ino)};
  // A dma-buf file reports its size only through lseek.
  const off_t end = status.st_size > 0 ? status.st_size : ::lseek(fd, 0, SEEK_END);
  facts.size_bytes = end > 0 ? static_cast<std::uint64_t>(end) : 0;
  facts.valid = true;
  return facts;
}

/// False for an open fd that is not DMA memory (BUF-01). DMA memory is a dma-buf, or here the file
/// of rpcmem or of qnnpp's MemfdAllocator.
[[nodiscard]] inline bool is_dma_memory(int fd) noexcept {
  char path[32];
  static_cast<void>(std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd));
  char name[64];
  const ssize_t length = ::readlink(path, name, sizeof name);
  if (length <= 0) return true;
  const std::string_view file{name, static_cast<std::size_t>(length)};
  return file.starts_with("/memfd:rpcmem") || file.starts_with("/memfd:qnnpp") ||
         file.find("dmabuf") != std::string_view::npos;
}

/// One mapping. The destructor unmaps it.
class DeviceMemory {
 public:
  DeviceMemory() noexcept = default;
  DeviceMemory(DeviceMemory&& other) noexcept { swap(other); }
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    DeviceMemory(std::move(other)).swap(*this);
    return *this;
  }
  ~DeviceMemory() {
    if (base_ != nullptr) ::munmap(base_, mapped_bytes_);
  }

  /// Maps `size_bytes` of the file from `offset_bytes` on, shared. Empty if the mapping fails.
  [[nodiscard]] static DeviceMemory map(int fd, std::uint64_t offset_bytes,
                                        std::uint64_t size_bytes) noexcept {
    const std::uint64_t lead = offset_bytes % page_bytes();
    return make(size_bytes, lead, MAP_SHARED, fd, offset_bytes - lead);
  }

  /// Allocates zeroed memory. Empty for 0 bytes or if no memory is left.
  [[nodiscard]] static DeviceMemory allocate(std::uint64_t size_bytes) noexcept {
    return make(size_bytes, 0, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return size_bytes_; }
  [[nodiscard]] explicit operator bool() const noexcept { return data_ != nullptr; }

 private:
  static DeviceMemory make(std::uint64_t size_bytes, std::uint64_t lead, int flags, int fd,
                           std::uint64_t offset) noexcept {
    DeviceMemory memory;
    if (size_bytes == 0 || size_bytes > (std::uint64_t{1} << 46)) return memory;
    void* const base = ::mmap(nullptr, static_cast<std::size_t>(size_bytes + lead),
                              PROT_READ | PROT_WRITE, flags, fd, static_cast<off_t>(offset));
    if (base == MAP_FAILED) return memory;
    memory.base_ = base;
    memory.mapped_bytes_ = static_cast<std::size_t>(size_bytes + lead);
    memory.data_ = static_cast<std::byte*>(base) + lead;
    memory.size_bytes_ = size_bytes;
    return memory;
  }
  friend void swap(DeviceMemory& a, DeviceMemory& b) noexcept { a.swap(b); }
  void swap(DeviceMemory& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
    std::swap(data_, other.data_);
    std::swap(size_bytes_, other.size_bytes_);
  }

  void* base_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  std::byte* data_ = nullptr;
  std::uint64_t size_bytes_ = 0;
};

/// Memory of the device that counts in a total during its lifetime. Not thread-safe: the device's
/// mutex guards the totals, which live longer.
class CountedMemory {
 public:
  CountedMemory() noexcept = default;
  CountedMemory(CountedMemory&& other) noexcept { swap(other); }
  CountedMemory& operator=(CountedMemory&& other) noexcept {
    CountedMemory(std::move(other)).swap(*this);
    return *this;
  }
  ~CountedMemory() {
    if (total_ != nullptr) *total_ -= counted_bytes_;
  }

  /// Allocates like DeviceMemory::allocate(), and adds `counted_bytes` to `total`.
  [[nodiscard]] static CountedMemory allocate(std::uint64_t size_bytes, std::uint64_t& total,
                                              std::uint64_t counted_bytes) noexcept {
    CountedMemory memory;
    memory.memory_ = DeviceMemory::allocate(size_bytes);
    if (!memory.memory_) return memory;
    memory.total_ = &total;
    memory.counted_bytes_ = counted_bytes;
    total += counted_bytes;
    return memory;
  }
  [[nodiscard]] static CountedMemory allocate(std::uint64_t size_bytes,
                                              std::uint64_t& total) noexcept {
    return allocate(size_bytes, total, size_bytes);
  }

  [[nodiscard]] std::byte* data() const noexcept { return memory_.data(); }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return memory_.size_bytes(); }
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(memory_); }

 private:
  void swap(CountedMemory& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(total_, other.total_);
    std::swap(counted_bytes_, other.counted_bytes_);
  }

  DeviceMemory memory_;
  std::uint64_t* total_ = nullptr;
  std::uint64_t counted_bytes_ = 0;
};

}  // namespace qnnpp::sim
