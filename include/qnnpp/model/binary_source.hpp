// BinarySource: names the file or the bytes of a context binary, which can be opened repeatedly.
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

/// How QNN gets the bytes of a file.
enum class FileUse : std::uint8_t {
  /// Maps the file; its pages are read on use. The file must not change: see ContextBinary::map().
  map,
  /// Copies the file to memory. Loading over an external spill-fill buffer keeps the copies of all
  /// binaries at the same time.
  read,
};

/// Borrowed bytes of a binary. The caller keeps them valid longer than the source, its copies and
/// all contexts made from it. A source without given bytes is a file; an empty span that is given
/// is not.
class BorrowedBytes : public std::span<const std::byte> {
 public:
  /// Makes an object without given bytes: the source is a file.
  BorrowedBytes() noexcept = default;
  /// Borrows the bytes of a container or span that is not a temporary.
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

  /// Whether bytes were given, even if their number is 0.
  [[nodiscard]] bool are_given() const noexcept { return are_given_; }

 private:
  bool are_given_ = false;
};

/// Source of a context binary: a file, or named bytes of the caller.
struct BinarySource {
  /// Path of the file, or name of the bytes.
  std::string name;
  /// Bytes of the binary, borrowed from the caller. Not given: the source is a file.
  BorrowedBytes bytes = {};
  /// Names of the graphs to load; empty: all graphs. A name that the binary lacks is an error.
  std::vector<std::string> enabled_graphs = {};
  /// How the bytes of a file are read; unused with borrowed bytes.
  FileUse use = FileUse::map;

  /// Returns the source for the file at `path`.
  [[nodiscard]] static BinarySource file(std::string path, FileUse use = FileUse::map) {
    return {std::move(path), {}, {}, use};
  }

  /// Maps or reads the file, or borrows the bytes. Errors: see ContextBinary::map(), for example
  /// `empty` for 0 bytes.
  [[nodiscard]] Result<ContextBinary> open() const;

  /// Returns the size in bytes without opening the file. Errors: `file_unreadable` with errno;
  /// `invalid_argument` if the path contains a NUL.
  [[nodiscard]] Result<std::uint64_t> size_bytes() const;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/binary_source.ipp"
#endif
