// Definitions of binary_source.hpp.
#pragma once

#include "qnnpp/model/binary_source.hpp"

#include "qnnpp/config.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <utility>

namespace qnnpp::inline QNNPP_NAMESPACE::model {

QNNPP_INLINE Result<ContextBinary> BinarySource::open() const {
  if (bytes.are_given()) return ContextBinary::borrow(bytes, name);
  return use == FileUse::read ? ContextBinary::read(name) : ContextBinary::map(name);
}

QNNPP_INLINE Result<std::uint64_t> BinarySource::size_bytes() const {
  if (bytes.are_given()) return bytes.size();
  if (auto fits = qnnpp::detail::check_path(name, "stat"); !fits)
    return fail(std::move(fits).error());
  struct stat status{};
  if (::stat(name.c_str(), &status) == 0) return static_cast<std::uint64_t>(status.st_size);
  Error error = Error::make(Errc::file_unreadable, "stat", name);
  error.code = static_cast<std::uint16_t>(errno);
  return fail(std::move(error));
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
