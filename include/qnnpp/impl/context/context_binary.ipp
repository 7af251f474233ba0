// Definitions of context_binary.hpp.
#pragma once

#include "qnnpp/context/context_binary.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<ContextBinary> ContextBinary::own(std::vector<std::byte> bytes,
                                                      std::string name) {
  if (bytes.empty()) return fail(Errc::empty, "owning a binary", name);
  ContextBinary binary;
  binary.name_ = std::move(name);
  binary.owned_ = std::move(bytes);
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

QNNPP_INLINE std::span<const std::byte> ContextBinary::bytes() const& noexcept {
  if (mapping_)
    return {static_cast<const std::byte*>(mapping_.get().address), mapping_.get().length};
  if (!owned_.empty()) return owned_;
  return {borrowed_, borrowed_bytes_};
}

namespace detail {

[[nodiscard]] QNNPP_COLD QNNPP_INLINE Error unreadable_file(const char* step,
                                                            const std::string& path) {
  const int code = errno;
  Error error = Error::make(Errc::file_unreadable, step, path);
  error.code = static_cast<std::uint16_t>(code);
  return error;
}

QNNPP_INLINE Result<OpenFile> open_file(const std::string& path) {
  QNNPP_TRY(check_path(path, "open"));
  OpenFile file;
  file.descriptor =
      Owner<FilePolicy>(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.descriptor) return fail(unreadable_file("open", path));
  struct stat status{};
  if (::fstat(file.descriptor.get(), &status) != 0) return fail(unreadable_file("fstat", path));
  if (!S_ISREG(status.st_mode))
    return fail(Errc::file_unreadable, "open", path, "not a regular file");
  file.bytes = status.st_size > 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
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

}  // namespace detail

QNNPP_INLINE Result<ContextBinary> ContextBinary::of_file(std::string path, bool is_memory) {
  QNNPP_LET(file, detail::open_file(path));
  if (file->bytes == 0) {
    // A file of /proc has bytes but reports a size of 0.
    const bool has_size = detail::read_into({}, *file, path).has_value();
    return fail(Errc::empty, "open", path,
                has_size ? "" : "the file has no size; copy it to a file that has one");
  }

  const auto length = static_cast<std::size_t>(file->bytes);
  void* address = ::mmap(nullptr, length, is_memory ? PROT_READ | PROT_WRITE : PROT_READ,
                         is_memory ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_PRIVATE,
                         is_memory ? -1 : file->descriptor.get(), 0);
  if (address == MAP_FAILED) return fail(detail::unreadable_file("mmap", path));
  ContextBinary binary;
  binary.mapping_ = Owner<MappingPolicy>({address, length, is_memory});
  if (is_memory)
    QNNPP_TRY(detail::read_into({static_cast<std::byte*>(address), length}, *file, path));
  binary.name_ = std::move(path);
  return binary;
}

QNNPP_INLINE Result<ContextBinary> ContextBinary::map(std::string path) {
  return of_file(std::move(path), false);
}

QNNPP_INLINE Result<ContextBinary> ContextBinary::read(std::string path) {
  return of_file(std::move(path), true);
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
