// BinarySource: names the file or the bytes of a context binary, which can be opened repeatedly.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// How QNN gets the bytes of a file.
enum class FileUse : std::uint8_t {
  /// Maps the file; its pages are read on use. The file must not change: see ContextBinary::map().
  map,
  /// Copies the file to memory, once in each load(). Loading over an external spill-fill buffer or
  /// as a group keeps the copies of all binaries at the same time.
  read,
};

/// Borrowed bytes of a binary. The caller keeps them valid longer than the source, its copies and
/// all contexts made from it. A source without given bytes is a file; an empty span that is given
/// is not. Threads: as for std::span.
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

/// Which bytes of a file a digest covers.
enum class DigestKind : std::uint8_t {
  /// First and last 64 KiB, 64 pages of 4 KiB at even distances between them, and the size. Files
  /// of up to 384 KiB: every byte.
  sampled,
  whole,  ///< Every byte.
};

/// Digest of a file's bytes, made by report/digest.hpp. It detects accidental changes, but does not
/// protect against a file that was forged to match.
struct Digest {
  DigestKind kind = DigestKind::sampled;  ///< Which bytes it covers.
  std::uint64_t value = 0;                ///< The 64-bit hash.

  /// Compares kind and value.
  friend bool operator==(const Digest&, const Digest&) = default;
};

/// What is known of a binary that is not loaded: its needs and its graphs.
struct Survey {
  ContextMemory memory;           ///< Memory that the context needs.
  std::vector<GraphSpec> graphs;  ///< The enabled graphs of the binary; all graphs in a manifest.
  /// Digest of the file in a manifest; surveys make none. A binary whose record in a manifest has
  /// no digest can be planned, but not loaded.
  std::optional<Digest> digest = {};
};

/// A part of an open file.
struct FileRange {
  int fd = -1;                   ///< Descriptor of the file, which stays the caller's.
  std::uint64_t offset = 0;      ///< First byte.
  std::uint64_t size_bytes = 0;  ///< Number of bytes.
};

/// Source of a context binary: a file, a part of an open file, named bytes of the caller, or a
/// function that gives them.
struct BinarySource {
  /// Path of the file, or name of the bytes.
  std::string name;
  /// Bytes of the binary, borrowed from the caller, unless they are not given.
  BorrowedBytes bytes = {};
  /// Names of the graphs to load; empty: all graphs. A name that the binary lacks is an error. The
  /// context needs the same buffers, whichever graphs it loads.
  std::vector<std::string> enabled_graphs = {};
  /// How the bytes of a file are read; unused for other sources.
  FileUse use = FileUse::map;
  /// What a manifest states of the binary, set by expected_by() of report/manifest.hpp. A binary of
  /// another size or with other needs is `stale`. Nothing: the binary is not compared.
  std::optional<Survey> expected = {};
  /// What a manifest states of the backend, set by expected_by(): automatic loads do not try
  /// external weights after `refused` (EXT-08).
  ExternalWeights external_weights = ExternalWeights::untried;
  /// Checks the bytes of the binary when it is opened; its errors are the load's. May be empty.
  std::function<Result<void>(std::span<const std::byte>)> check = {};
  /// Part of an open file that holds the binary, see descriptor().
  std::optional<FileRange> range = {};
  /// Gives the bytes of one load, see function(). Empty: the source is no function.
  std::function<Result<ContextBinary>()> give = {};
  /// Whether the bytes that `give` returns are overwritten before they are freed, see
  /// ContextBinary::wipe_on_release().
  bool wipe = false;

  /// Returns the source for the file at `path`.
  [[nodiscard]] static BinarySource file(std::string path, FileUse use = FileUse::map) {
    return {std::move(path), {}, {}, use};
  }

  /// Returns the sources for the files at `paths`.
  [[nodiscard]] static std::vector<BinarySource> files(const std::vector<std::string>& paths) {
    std::vector<BinarySource> sources(paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i) sources[i].name = paths[i];
    return sources;
  }

  /// Returns the source for `size_bytes` bytes of an open file from `offset` on, as for
  /// ContextBinary::map(). The descriptor must stay open as long as the source is loaded from: for
  /// a residency, as long as that.
  [[nodiscard]] static BinarySource descriptor(int fd, std::uint64_t offset,
                                               std::uint64_t size_bytes, std::string name);

  /// Returns the source for bytes that `f` makes, such as ones that it decrypts or downloads;
  /// `name` is their name in messages and in a manifest.
  ///
  /// Each load calls `f` when it creates the context, and frees the bytes as soon as QNN allows:
  /// when the context is initialised, or freed with `persistent_binaries`. A load that has to know
  /// the needs of all contexts first, over an external buffer or as a group, calls `f` twice for
  /// each context and never keeps the bytes of two; `LoadOptions::in_one_call` keeps all of them.
  /// A residency calls `f` at each load, also on the thread of its prefetch, but never twice at a
  /// time.
  ///
  /// An error of `f` ends the load and arrives as it is; an exception passes through, but ends the
  /// process on the thread of a prefetch. A function that is empty is `invalid_argument` when it is
  /// to be called.
  [[nodiscard]] static BinarySource function(std::string name,
                                             std::function<Result<ContextBinary>()> f,
                                             bool wipe = false);

  /// Whether `name` is the path of a file.
  [[nodiscard]] bool is_file() const noexcept { return !bytes.are_given() && !range && !give; }

  /// Maps or reads the file, borrows the bytes, or calls the function. Errors: see
  /// ContextBinary::map(), for example `empty` for 0 bytes. Compares nothing with `expected`.
  [[nodiscard]] Result<ContextBinary> open() const;

  /// Returns the size in bytes without opening the file; of a function, the size that is expected,
  /// else 0. Errors: `file_unreadable` with errno; `invalid_argument` if the path contains a NUL.
  [[nodiscard]] Result<std::uint64_t> size_bytes() const;
};

namespace detail {

/// Makes the error `stale` for a binary that differs from what is expected of it.
[[nodiscard]] Error stale(std::string_view object, std::uint64_t needed, std::uint64_t found,
                          std::string_view detail);

/// Checks the size of a binary against what is expected. Error: `stale`, with both sizes.
[[nodiscard]] Result<void> check_size(const BinarySource& source, std::uint64_t bytes);

/// Opens a binary and compares its size, and its bytes by BinarySource::check. Error: `stale`.
[[nodiscard]] Result<ContextBinary> open_checked(const BinarySource& source);

/// Compares a binary that the source has opened, as open_checked() does. Error: `stale`.
[[nodiscard]] Result<ContextBinary> checked(const BinarySource& source,
                                            Result<ContextBinary> binary);

/// Checks the backend's answer, which is for all graphs whichever are enabled, against what is
/// expected. Weights and alignment are compared only if they were expected from a query: earlier
/// manifests have the sum of the constants. Error: `stale`, with both numbers.
[[nodiscard]] Result<void> check_needs(const BinarySource& source, const BufferRequirements& asked);

}  // namespace detail

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/binary_source.ipp"
#endif
