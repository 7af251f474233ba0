// ContextBinary: the bytes of a context binary, mapped from a file, owned or borrowed.
#pragma once

#include "qnnpp/config.hpp"
#include "qnnpp/platform.hpp"

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace model {
struct BinarySource;
}

namespace detail {
/// Contract message for a binary that was moved from.
inline constexpr char moved_binary[] =
    "the context binary was moved from; pass the object it was moved to, or map the file again";

/// A regular file that is open for reading.
struct OpenFile {
  Owner<FilePolicy> descriptor;
  std::uint64_t bytes = 0;
};

/// Opens a regular file. Never blocks, not even on a named pipe. Errors: `file_unreadable` with
/// errno, or if the file is not regular; `invalid_argument` for a path that contains a NUL.
[[nodiscard]] Result<OpenFile> open_file(const std::string& path);

/// Reads an open file into `memory`, which has the size of the file. Error: `file_unreadable` with
/// errno, or if the file becomes shorter or longer while it is read.
[[nodiscard]] Result<void> read_into(std::span<std::byte> memory, const OpenFile& file,
                                     const std::string& path);

/// Reads a whole file into memory. Errors: as open_file() and read_into(); `too_large` for a file
/// of more than `most_bytes`.
[[nodiscard]] Result<std::vector<std::byte>> read_file(const std::string& path,
                                                       std::uint64_t most_bytes);

/// Overwrites memory with zeros. The compiler keeps the writes, though nothing reads them.
void wipe(void* memory, std::size_t bytes) noexcept;
}  // namespace detail

/// A context binary in memory, with a name for messages. Move-only. A move keeps the address of the
/// bytes. Threads: const members are thread-safe.
class ContextBinary {
 public:
  QNNPP_MOVE_ONLY(ContextBinary, "a context binary has one owner; write std::move(binary)");
  /// Unmaps the file, or frees the bytes that this object owns.
  [[gnu::noinline]] ~ContextBinary() = default;
  template <detail::ResultOf<ContextBinary> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(binary), or use value_or_throw()",
      ContextBinary, const R&);
  template <detail::PathLike Path>
  QNNPP_REFUSE_CONSTRUCTOR("a path is no binary; pass what ContextBinary::map(path) returns",
                           ContextBinary, const Path&);

  /// Maps a file for reading (mmap, private). The kernel reads a page when QNN first reads it. The
  /// destructor unmaps the file, and the file must not change before: if it is truncated or its
  /// disk fails, reading the bytes raises SIGBUS. qnnpp finds a truncated file before each call
  /// that creates or finalizes a context (`file_unreadable`) and while it explains the error of
  /// one, but QNN reads the file during the call. Replace a file by a rename, or use read().
  ///
  /// Errors: `file_unreadable` with errno, or if the file is not regular; `empty`, also for a file
  /// that reports no size, as in /proc; `invalid_argument` for a path that contains a NUL.
  [[nodiscard]] static Result<ContextBinary> map(std::string path);

  /// Maps `size_bytes` bytes of an open file from `offset` on, as map(path) maps a file: a binary
  /// that an APK holds uncompressed, whose descriptor and place AAsset_openFileDescriptor64()
  /// returns. The descriptor stays the caller's, who may close it afterwards; `name` is the name in
  /// messages. The offset may be any number: the mapping begins with the page that holds it.
  ///
  /// Errors: `file_unreadable` with errno, or if the file is not regular; `empty` for no bytes;
  /// `too_large` for bytes beyond the file's end.
  [[nodiscard]] static Result<ContextBinary> map(int fd, std::uint64_t offset,
                                                 std::uint64_t size_bytes, std::string name);

  /// Reads a file into memory and closes the file, for files that other programs may change. Needs
  /// memory of the file's size. Errors: as map(), with ENOMEM in `file_unreadable` if memory is
  /// missing; `file_unreadable` if the file becomes shorter or longer while it is read.
  [[nodiscard]] static Result<ContextBinary> read(std::string path);

  /// Makes a binary that owns `bytes`; `name` is its name in messages. Error: `empty`.
  [[nodiscard]] static Result<ContextBinary> own(std::vector<std::byte> bytes, std::string name);

  /// Makes a binary that borrows bytes of the caller. The bytes must live until the context made
  /// from the binary is finalized (ORD-05), or freed if the context has persistent_binary.
  ///
  /// The compiler refuses a temporary container, but not a view of one:
  /// `borrow(std::as_bytes(std::span(made())), name)` compiles and dangles. Name the container
  /// first, or pass it to own(). Error: `empty`.
  [[nodiscard]] static Result<ContextBinary> borrow(std::span<const std::byte> bytes,
                                                    std::string name);
  template <class Bytes>
    requires(!detail::LastingMemory<Bytes> &&
             std::is_convertible_v<Bytes, std::span<const std::byte>>)
  static QNNPP_REFUSE("bytes of a temporary would dangle; name them first, or pass them to own()",
                      Result<ContextBinary>, borrow(Bytes&&, std::string));

  /// The bytes, valid until this object, or the object it is moved to, is destroyed. Empty after a
  /// move, unless the bytes are borrowed.
  [[nodiscard]] std::span<const std::byte> bytes() const& noexcept;
  QNNPP_REFUSE("bytes() of a temporary would dangle; name the binary first",
               std::span<const std::byte>, bytes() const&&);
  /// Lets the kernel free the memory of a mapped file's pages (madvise); a later access reads them
  /// again. Does nothing for other bytes.
  void drop_pages() const noexcept {
    if (mapping_ && !mapping_.get().is_memory)
      (void)::madvise(mapping_.get().address, mapping_.get().length, MADV_DONTNEED);
  }
  /// Overwrites the bytes of own() or read() with zeros before they are freed, such as decrypted
  /// weights. Not those of a mapped file or of borrow(), and not copies that QNN makes.
  void wipe_on_release() noexcept;
  /// Path of the file, or the name passed to own() or borrow().
  [[nodiscard]] const std::string& name() const& noexcept { return name_; }
  /// Moves the name out; the binary has no name afterwards.
  [[nodiscard]] std::string name() && noexcept { return std::move(name_); }

 private:
  friend struct model::BinarySource;  // Names what a function gives.

  struct MappingPolicy {
    /// A mapping.
    struct Value {
      void* address = nullptr;  ///< Start of the mapping.
      std::size_t length = 0;   ///< Bytes of the mapping.
      std::size_t skipped = 0;  ///< Bytes of it before the binary.
      bool is_memory = false;   ///< True for anonymous memory, false for a mapped file.
      bool is_wiped = false;    ///< Whether close() overwrites it.
      /// Compares the starts, which differ between mappings.
      bool operator==(const Value& other) const noexcept { return address == other.address; }
    };
    static Value null() noexcept { return {}; }
    static std::uint64_t close(Value value) noexcept {
      if (value.is_wiped) detail::wipe(value.address, value.length);
      return ::munmap(value.address, value.length) == 0 ? 0u : 1u;
    }
  };

  /// Bytes of own().
  struct OwnedBytes {
    OwnedBytes() = default;
    OwnedBytes(OwnedBytes&&) noexcept = default;
    OwnedBytes& operator=(OwnedBytes&& other) noexcept;
    [[gnu::noinline]] ~OwnedBytes() {
      if (is_wiped) detail::wipe(bytes.data(), bytes.size());
    }

    std::vector<std::byte> bytes;
    bool is_wiped = false;
  };

  ContextBinary() = default;

  /// Makes the mapping of map(), or the memory of read() if `fd` is -1.
  [[nodiscard]] static Result<ContextBinary> of_mapping(int fd, std::uint64_t offset,
                                                        std::uint64_t size_bytes, std::string name);

  std::string name_;
  OwnedBytes owned_;
  Owner<MappingPolicy> mapping_;
  // Two members instead of a span, whose move slows compilation most of all in this class.
  const std::byte* borrowed_ = nullptr;
  std::size_t borrowed_bytes_ = 0;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/context_binary.ipp"
#endif
