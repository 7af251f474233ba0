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

/// Source of a context binary: a file, or named bytes of the caller.
struct BinarySource {
  /// Path of the file, or name of the bytes.
  std::string name;
  /// Bytes of the binary, borrowed from the caller. Not given: the source is a file.
  BorrowedBytes bytes = {};
  /// Names of the graphs to load; empty: all graphs. A name that the binary lacks is an error. The
  /// context needs the same buffers, whichever graphs it loads.
  std::vector<std::string> enabled_graphs = {};
  /// How the bytes of a file are read; unused with borrowed bytes.
  FileUse use = FileUse::map;
  /// What a manifest states of the binary, set by expected_by() of report/manifest.hpp. A binary of
  /// another size or with other needs is `stale`. Nothing: the binary is not compared.
  std::optional<Survey> expected = {};
  /// What a manifest states of the backend, set by expected_by(): automatic loads do not try
  /// external weights after `refused` (EXT-08).
  ExternalWeights external_weights = ExternalWeights::untried;
  /// Checks the bytes of the binary when it is opened; its errors are the load's. May be empty.
  std::function<Result<void>(std::span<const std::byte>)> check = {};

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

  /// Maps or reads the file, or borrows the bytes. Errors: see ContextBinary::map(), for example
  /// `empty` for 0 bytes. Compares nothing with `expected`.
  [[nodiscard]] Result<ContextBinary> open() const;

  /// Returns the size in bytes without opening the file. Errors: `file_unreadable` with errno;
  /// `invalid_argument` if the path contains a NUL.
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

/// Checks the backend's answer, which is for all graphs whichever are enabled, against what is
/// expected. Weights and alignment are compared only if they were expected from a query: earlier
/// manifests have the sum of the constants. Error: `stale`, with both numbers.
[[nodiscard]] Result<void> check_needs(const BinarySource& source, const BufferRequirements& asked);

}  // namespace detail

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/binary_source.ipp"
#endif
