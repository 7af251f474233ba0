// BinarySource: where a context binary comes from, so that it can be opened more than once.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// How a file's bytes come to QNN.
enum class FileUse : std::uint8_t {
  map,   ///< Its pages, as they are read; the file must stay as it is: see ContextBinary::map().
  read,  ///< A copy in memory, of all files at a time where spill-fill is an external buffer.
};

/// Bytes of the caller, as a span is: they outlive the source, its copies and all contexts made
/// from it. Default-constructed there are none, and the source is a file. Bytes that were given are
/// never a file, also if there are 0 of them.
class BorrowedBytes : public std::span<const std::byte> {
 public:
  BorrowedBytes() noexcept = default;
  template <class Bytes>
    requires(!std::is_same_v<std::remove_cvref_t<Bytes>, BorrowedBytes> &&
             qnnpp::detail::LastingMemory<Bytes> &&
             std::is_convertible_v<Bytes, std::span<const std::byte>>)
  BorrowedBytes(Bytes&& bytes) noexcept
      : std::span<const std::byte>(std::forward<Bytes>(bytes)), are_given_(true) {}
  template <class Bytes>
    requires(!std::is_same_v<std::remove_cvref_t<Bytes>, BorrowedBytes> &&
             !qnnpp::detail::LastingMemory<Bytes> &&
             std::is_convertible_v<Bytes, std::span<const std::byte>>)
  QNNPP_REFUSE_CONSTRUCTOR("bytes of a temporary would dangle; name them first", BorrowedBytes,
                           Bytes&&);

  /// Whether there are bytes, of any number.
  [[nodiscard]] bool are_given() const noexcept { return are_given_; }

 private:
  bool are_given_ = false;
};

/// A file, or bytes of the caller with a name.
struct BinarySource {
  /// Path of the file, or the name of the bytes.
  std::string name;
  BorrowedBytes bytes = {};
  /// Only these of its graphs are brought up; empty: all. A name that it lacks is an error.
  std::vector<std::string> enabled_graphs = {};
  FileUse use = FileUse::map;

  /// A file by its path.
  [[nodiscard]] static BinarySource file(std::string path, FileUse use = FileUse::map) {
    return {std::move(path), {}, {}, use};
  }

  /// Maps or reads the file, or borrows the bytes. Errors: those of ContextBinary::map(), such as
  /// `empty` for 0 bytes.
  [[nodiscard]] Result<ContextBinary> open() const;

  /// Its size, without opening it. Errors: `file_unreadable` with errno; `invalid_argument` for a
  /// path that holds a NUL.
  [[nodiscard]] Result<std::uint64_t> size_bytes() const;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/binary_source.ipp"
#endif
