// Definitions of context_binary.hpp.
#pragma once

#include "qnnpp/context/context_binary.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/config.hpp"
#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

QNNPP_INLINE Result<ContextBinary> ContextBinary::own(std::vector<std::byte> bytes,
                                                      std::string name) {
  if (bytes.empty()) return fail(Error::make(Errc::empty, "taking a binary", std::move(name)));
  ContextBinary binary;
  binary.name_ = std::move(name);
  binary.owned_ = std::move(bytes);
  return binary;
}

QNNPP_INLINE Result<ContextBinary> ContextBinary::borrow(std::span<const std::byte> bytes,
                                                         std::string name) {
  if (bytes.empty() || bytes.data() == nullptr)
    return fail(Error::make(Errc::empty, "borrowing a binary", std::move(name)));
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

QNNPP_INLINE Error ContextBinary::system_error(const char* step, std::string path) {
  Error error = Error::make(Errc::file_unreadable, step, std::move(path));
  error.code = static_cast<std::uint16_t>(errno);
  return error;
}

QNNPP_INLINE Result<ContextBinary> ContextBinary::map(std::string path) {
  const Owner<FilePolicy> file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return fail(system_error("open", std::move(path)));
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return fail(system_error("fstat", std::move(path)));
  if (!S_ISREG(status.st_mode))
    return fail(Error::make(Errc::file_unreadable, "open", std::move(path), "not a regular file"));
  if (status.st_size <= 0) return fail(Error::make(Errc::empty, "open", std::move(path)));

  const auto length = static_cast<std::size_t>(status.st_size);
  void* address = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) return fail(system_error("mmap", std::move(path)));
  ContextBinary binary;
  binary.name_ = std::move(path);
  binary.mapping_ = Owner<MappingPolicy>({address, length});
  return binary;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
