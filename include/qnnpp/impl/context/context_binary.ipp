// Definitions of context_binary.hpp.
#pragma once

#include "qnnpp/context/context_binary.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<ContextBinary> ContextBinary::own(std::vector<std::byte> bytes,
                                                      std::string name) {
  if (bytes.empty()) return fail(Errc::empty, "owning a binary", name);
  ContextBinary binary;
  binary.name_ = std::move(name);
  binary.owned_.bytes = std::move(bytes);
  return binary;
}

QNNPP_INLINE Result<ContextBinary> ContextBinary::borrow(std::span<const std::byte> bytes,
                                                         std::string name) {
  if (bytes.empty() || bytes.data() == nullptr)
    return fail(Errc::empty, "borrowing a binary", name);
  ContextBinary binary;
  binary.name_ = std::move(name);
  binary.borrowed_ = bytes.data();
  binary.borrowed_bytes_ = bytes.size();
  return binary;
}

QNNPP_INLINE ContextBinary::OwnedBytes& ContextBinary::OwnedBytes::operator=(
    OwnedBytes&& other) noexcept {
  if (is_wiped) detail::wipe(bytes.data(), bytes.size());
  bytes = std::move(other.bytes);
  is_wiped = other.is_wiped;
  return *this;
}

QNNPP_INLINE void ContextBinary::wipe_on_release() noexcept {
  owned_.is_wiped = true;
  if (!mapping_ || !mapping_.get().is_memory) return;
  auto mapping = mapping_.release();
  mapping.is_wiped = true;
  mapping_ = Owner<MappingPolicy>(mapping);
}

QNNPP_INLINE std::span<const std::byte> ContextBinary::bytes() const& noexcept {
  if (mapping_) {
    const auto& [address, length, skipped, is_memory, is_wiped] = mapping_.get();
    return {static_cast<const std::byte*>(address) + skipped, length - skipped};
  }
  if (!owned_.bytes.empty()) return owned_.bytes;
  return {borrowed_, borrowed_bytes_};
}

namespace detail {

[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE Error
unreadable_file(const char* step, const std::string& path) {
  const int code = errno;
  Error error = Error::make(Errc::file_unreadable, step, path);
  error.code = static_cast<std::uint16_t>(code);
  return error;
}

/// Returns the size of the file behind a descriptor.
[[nodiscard]] QNNPP_INLINE Result<std::uint64_t> regular_file_bytes(int fd, const char* step,
                                                                    const std::string& name) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return fail(unreadable_file("fstat", name));
  if (!S_ISREG(status.st_mode))
    return fail(Errc::file_unreadable, step, name, "not a regular file");
  return status.st_size > 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

QNNPP_INLINE Result<OpenFile> open_file(const std::string& path) {
  QNNPP_TRY(check_path(path, "open"));
  OpenFile file;
  file.descriptor =
      Owner<FilePolicy>(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.descriptor) return fail(unreadable_file("open", path));
  QNNPP_LET(bytes, regular_file_bytes(file.descriptor.get(), "open", path));
  file.bytes = *bytes;
  return file;
}

QNNPP_INLINE Result<void> read_into(std::span<std::byte> memory, const OpenFile& file,
                                    const std::string& path) {
  const auto changed = [&](const char* how) {
    return fail(Errc::file_unreadable, "read", path, how);
  };
  std::byte one_more{};
  for (;;) {
    const ssize_t got = ::read(file.descriptor.get(), memory.empty() ? &one_more : memory.data(),
                               memory.empty() ? 1 : memory.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(unreadable_file("read", path));
    if (memory.empty()) {
      if (got == 0) return {};
      return changed(file.bytes == 0 ? "the file has no size; copy it to a file that has one"
                                     : "it became longer while it was read");
    }
    if (got == 0) return changed("it became shorter while it was read");
    memory = memory.subspan(static_cast<std::size_t>(got));
  }
}

QNNPP_INLINE Result<std::vector<std::byte>> read_file(const std::string& path,
                                                      std::uint64_t most_bytes) {
  QNNPP_LET(file, open_file(path));
  if (file->bytes > most_bytes)
    return fail(Error::mismatch(Errc::too_large, "read", path, file->bytes, most_bytes));
  std::vector<std::byte> bytes(static_cast<std::size_t>(file->bytes));
  QNNPP_TRY(read_into(bytes, *file, path));
  return bytes;
}

QNNPP_INLINE void wipe(void* memory, std::size_t bytes) noexcept {
  if (bytes == 0) return;
  std::memset(memory, 0, bytes);
  __asm__ volatile("" : : "r"(memory) : "memory");
}

/// Opens a file that has bytes.
[[nodiscard]] QNNPP_INLINE Result<OpenFile> open_filled(const std::string& path) {
  QNNPP_LET(file, open_file(path));
  if (file->bytes > 0) return file;
  // A file of /proc has bytes but reports a size of 0.
  const bool has_size = read_into({}, *file, path).has_value();
  return fail(Errc::empty, "open", path,
              has_size ? "" : "the file has no size; copy it to a file that has one");
}

}  // namespace detail

QNNPP_INLINE Result<ContextBinary> ContextBinary::of_mapping(int fd, std::uint64_t offset,
                                                             std::uint64_t size_bytes,
                                                             std::string name) {
  const bool is_memory = fd < 0;
  const std::uint64_t skipped = offset % static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const auto length = static_cast<std::size_t>(skipped + size_bytes);
  void* address = ::mmap(nullptr, length, is_memory ? PROT_READ | PROT_WRITE : PROT_READ,
                         is_memory ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_PRIVATE, fd,
                         static_cast<off_t>(offset - skipped));
  if (address == MAP_FAILED) return fail(detail::unreadable_file("mmap", name));
  ContextBinary binary;
  binary.mapping_ =
      Owner<MappingPolicy>({address, length, static_cast<std::size_t>(skipped), is_memory});
  binary.name_ = std::move(name);
  return binary;
}

QNNPP_INLINE Result<ContextBinary> ContextBinary::map(std::string path) {
  QNNPP_LET(file, detail::open_filled(path));
  return of_mapping(file->descriptor.get(), 0, file->bytes, std::move(path));
}

QNNPP_INLINE Result<ContextBinary> ContextBinary::map(int fd, std::uint64_t offset,
                                                      std::uint64_t size_bytes, std::string name) {
  QNNPP_LET(file_bytes, detail::regular_file_bytes(fd, "map", name));
  if (size_bytes == 0) return fail(Errc::empty, "map", name);
  if (offset > *file_bytes || size_bytes > *file_bytes - offset)
    return fail(Errc::too_large, "map", name,
                {"bytes ", offset, " to ", offset, " + ", size_bytes,
                 " are beyond the end of the file, which has ", *file_bytes});
  return of_mapping(fd, offset, size_bytes, std::move(name));
}

QNNPP_INLINE Result<ContextBinary> ContextBinary::read(std::string path) {
  QNNPP_LET(file, detail::open_filled(path));
  auto binary = of_mapping(-1, 0, file->bytes, path);
  if (binary)
    QNNPP_TRY(detail::read_into(
        {static_cast<std::byte*>(binary->mapping_.get().address), binary->mapping_.get().length},
        *file, path));
  return binary;
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
