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

/// How a file's bytes come to QNN.
enum class FileUse : std::uint8_t {
  map,   ///< Its pages, as they are read; the file must stay as it is: see ContextBinary::map().
  read,  ///< A copy in memory, of all files at a time where spill-fill is an external buffer.
};

/// A file, or bytes of the caller with a name. The bytes live as long as anything made from them.
struct BinarySource {
  std::string name;
  std::span<const std::byte> bytes = {};
  /// Only these of its graphs are brought up; empty: all. A name that it lacks is an error.
  std::vector<std::string> enabled_graphs = {};
  FileUse use = FileUse::map;

  /// A file by its path.
  [[nodiscard]] static BinarySource file(std::string path, FileUse use = FileUse::map) {
    return {std::move(path), {}, {}, use};
  }

  /// Maps or reads the file, or borrows the bytes. Errors: those of ContextBinary::map().
  [[nodiscard]] Result<ContextBinary> open() const;

  /// Its size, without opening it. Errors: `file_unreadable` with errno; `invalid_argument` for a
  /// path that holds a NUL.
  [[nodiscard]] Result<std::uint64_t> size_bytes() const;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/binary_source.ipp"
#endif
