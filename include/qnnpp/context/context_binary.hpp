// ContextBinary: the bytes of a context binary - mapped from a file, owned, or borrowed.
#pragma once

#include "qnnpp/platform.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

namespace detail {
/// What a broken contract says of a binary.
inline constexpr char moved_binary[] =
    "the context binary was moved from; pass the object it was moved to, or map the file again";

/// Owns a file descriptor.
struct FilePolicy {
  using Value = int;
  static Value null() noexcept { return -1; }
  static std::uint64_t close(Value fd) noexcept { return ::close(fd) == 0 ? 0u : 1u; }
};

/// A regular file that is open for reading.
struct OpenFile {
  Owner<FilePolicy> descriptor;
  std::uint64_t bytes = 0;
};

/// Opens a regular file; never waits, as for the writer of a named pipe. Errors: `file_unreadable`
/// with errno, or as it is not a regular file; `invalid_argument` for a path that holds a NUL.
[[nodiscard]] Result<OpenFile> open_file(const std::string& path);

/// Fills memory of as many bytes as an open file has. Error: `file_unreadable` with errno, or if
/// the file becomes shorter or longer meanwhile.
[[nodiscard]] Result<void> read_into(std::span<std::byte> memory, const OpenFile& file,
                                     const std::string& path);

/// Reads a whole file into memory. Errors: those of open_file() and read_into(); `too_large` for
/// one of more than `most_bytes`.
[[nodiscard]] Result<std::vector<std::byte>> read_file(const std::string& path,
                                                       std::uint64_t most_bytes);
}  // namespace detail

/// A context binary in memory, with a name for messages. Move-only; the bytes never move.
class ContextBinary {
 public:
  QNNPP_MOVE_ONLY(ContextBinary, "a context binary has one owner; write std::move(binary)");
  template <detail::ResultOf<ContextBinary> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(binary), or use value_or_throw()",
      ContextBinary, const R&);
  template <detail::PathLike Path>
  QNNPP_REFUSE_CONSTRUCTOR("a path is no binary; pass what ContextBinary::map(path) returns",
                           ContextBinary, const Path&);

  /// Maps a file for reading (mmap, private): pages come from the file when QNN reads them, and are
  /// dropped with this object. The file must stay as it is until then: if it is truncated or its
  /// disk fails, the process gets SIGBUS where the bytes are read. Replace a file by a rename, or
  /// use read(). Errors: `file_unreadable` with errno, or for what is no regular file; `empty`,
  /// also for a file without a size, as one of /proc; `invalid_argument` for a path that holds a
  /// NUL.
  [[nodiscard]] static Result<ContextBinary> map(std::string path);

  /// Reads a file into memory, and has nothing to do with it from then on. For files that others
  /// may write to; it takes as much memory as the file has bytes. Errors: those of map(), such as
  /// `file_unreadable` with ENOMEM where there is not that much memory; `file_unreadable` too if
  /// the file becomes shorter or longer while it is read.
  [[nodiscard]] static Result<ContextBinary> read(std::string path);

  /// Takes over bytes. Error: `empty`.
  [[nodiscard]] static Result<ContextBinary> own(std::vector<std::byte> bytes, std::string name);

  /// Refers to bytes of the caller, which live until the context made from this is finalized
  /// (ORD-05), or gone where it was created as persistent. The compiler refuses a temporary
  /// container, but does not see one behind a view of it: `borrow(std::as_bytes(std::span(made())),
  /// name)` compiles and dangles. Name the container first, or pass it to own(). Error: `empty`.
  [[nodiscard]] static Result<ContextBinary> borrow(std::span<const std::byte> bytes,
                                                    std::string name);
  template <class Bytes>
    requires(!detail::LastingMemory<Bytes> &&
             std::is_convertible_v<Bytes, std::span<const std::byte>>)
  static QNNPP_REFUSE("bytes of a temporary would dangle; name them first, or pass them to own()",
                      Result<ContextBinary>, borrow(Bytes&&, std::string));

  /// The bytes. They live as long as this object, or the object it is moved to. None where it was
  /// moved from, unless they are borrowed.
  [[nodiscard]] std::span<const std::byte> bytes() const& noexcept;
  QNNPP_REFUSE("bytes() of a temporary would dangle; name the binary first",
               std::span<const std::byte>, bytes() const&&);
  /// Lets the kernel take back the memory of a mapped file's pages; they are read again when they
  /// are needed. Nothing for other bytes.
  void drop_pages() const noexcept {
    if (mapping_ && !mapping_.get().is_memory)
      (void)::madvise(mapping_.get().address, mapping_.get().length, MADV_DONTNEED);
  }
  /// Path of the file, or the name given.
  [[nodiscard]] const std::string& name() const& noexcept { return name_; }
  /// The same, taken out: the binary has no name afterwards.
  [[nodiscard]] std::string name() && noexcept { return std::move(name_); }

 private:
  struct MappingPolicy {
    struct Value {
      void* address = nullptr;
      std::size_t length = 0;
      bool is_memory = false;  ///< Of no file.
      bool operator==(const Value&) const = default;
    };
    static Value null() noexcept { return {}; }
    static std::uint64_t close(Value value) noexcept {
      return ::munmap(value.address, value.length) == 0 ? 0u : 1u;
    }
  };

  ContextBinary() = default;

  /// map(), or read() into memory of no file.
  [[nodiscard]] static Result<ContextBinary> of_file(std::string path, bool is_memory);

  std::string name_;
  std::vector<std::byte> owned_;
  Owner<MappingPolicy> mapping_;
  // Not a span, whose move costs the compiler more than all else here.
  const std::byte* borrowed_ = nullptr;
  std::size_t borrowed_bytes_ = 0;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/context_binary.ipp"
#endif
