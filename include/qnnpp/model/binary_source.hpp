// BinarySource: where a context binary comes from, so that it can be opened more than once.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// A file, or bytes of the caller with a name. The bytes live as long as anything made from them.
struct BinarySource {
  std::string name;
  std::span<const std::byte> bytes = {};
  /// Only these of its graphs are brought up; empty: all. A name that it lacks is an error.
  std::vector<std::string> enabled_graphs = {};

  /// A file by its path.
  [[nodiscard]] static BinarySource file(std::string path) { return {std::move(path), {}, {}}; }

  /// Maps the file, or borrows the bytes. Errors: `file_unreadable`, `empty`.
  [[nodiscard]] Result<ContextBinary> open() const;

  /// Its size, without opening it. Error: `file_unreadable` with errno.
  [[nodiscard]] Result<std::uint64_t> size_bytes() const;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/binary_source.ipp"
#endif
