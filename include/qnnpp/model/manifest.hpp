// Manifest: what a model's binaries take, written down ahead of time and checked when they load.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// How much of a file a digest has seen.
enum class DigestKind : std::uint8_t {
  sampled,  ///< First and last 64 KiB, 64 pages of 4 KiB at even distances between, and the size.
  whole,    ///< Every byte.
};

/// A digest of bytes. It notices accidents; it is no defence against someone who makes a file to
/// fit. model/digest.hpp makes them.
struct Digest {
  DigestKind kind = DigestKind::sampled;
  std::uint64_t value = 0;

  friend bool operator==(const Digest&, const Digest&) = default;
};

/// A function that digests the bytes of a file: model::digest_of of model/digest.hpp.
using DigestFunction = Digest (*)(std::span<const std::byte> file, DigestKind kind);

/// "sampled:" or "whole:" and sixteen hexadecimal digits.
[[nodiscard]] std::string to_string(const Digest& digest);
/// Reads what to_string() writes; nothing if the text is anything else.
[[nodiscard]] std::optional<Digest> digest_from(std::string_view text);

/// What is written down of one binary.
struct ManifestEntry {
  /// Its name is the file's, relative to the folder of the manifest.
  ContextMemory memory;
  /// Nothing if the numbers come without a file; such an entry can be planned with, not loaded.
  std::optional<Digest> digest;
  /// One for each graph; their inputs and outputs may be left out.
  std::vector<GraphSpec> graphs;
};

/// A list of binaries. A value: it keeps no file open. model/digest.hpp makes its entries;
/// model/json.hpp reads and writes it.
struct Manifest {
  /// Where its file names start; empty: the working folder.
  std::string folder;
  std::vector<ManifestEntry> entries;
  /// What a backend has shown of external weights, such as Model::report().external_weights; if
  /// they were refused, automatic loads do not try them (EXT-08).
  ExternalWeights external_weights = ExternalWeights::untried;

  /// The entry for a binary: that of the same file, by whatever path, or that of the same name.
  /// Null if there is none. Valid until the manifest is changed or destroyed. Looks at every entry:
  /// use a ManifestIndex for many binaries.
  [[nodiscard]] const ManifestEntry* find(const BinarySource& source) const&;
  QNNPP_REFUSE("find() of a temporary would dangle; name the manifest first", const ManifestEntry*,
               find(const BinarySource&) const&&);

  /// Where the file of an entry is.
  [[nodiscard]] std::string path_of(const ManifestEntry& entry) const;

  /// Its numbers as a report; each number has the manifest as its source.
  [[nodiscard]] MemoryReport report(SpillFillSharing sharing, std::string reason) const;
};

/// Finds entries of a manifest as Manifest::find() does, by an index of their files and names that
/// is made once. The manifest outlives it, and is not changed meanwhile.
class ManifestIndex {
 public:
  explicit ManifestIndex(const Manifest& manifest);
  QNNPP_REFUSE_CONSTRUCTOR("an index of a temporary would dangle; name the manifest first",
                           ManifestIndex, const Manifest&&);

  /// See Manifest::find().
  [[nodiscard]] const ManifestEntry* find(const BinarySource& source) const;

 private:
  /// By device and inode.
  std::map<std::pair<std::uint64_t, std::uint64_t>, const ManifestEntry*> files_;
  std::map<std::string_view, const ManifestEntry*> names_;
};

/// What a manifest may hold; anything beyond is refused while it is read, and before it is written.
/// A reader that takes manifests from strangers may give less, one of a larger model more.
struct ManifestLimits {
  std::size_t file_bytes = std::size_t{256} << 20;
  std::size_t binaries = 65536;
  std::size_t graphs = 262144;    ///< of all binaries
  std::size_t tensors = 1048576;  ///< of all graphs
  std::size_t rank = qnnpp::detail::most::rank;
  std::size_t name_bytes = qnnpp::detail::most::name_bytes;
};

/// An entry's numbers, with the manifest as their source.
[[nodiscard]] ContextMemory from_manifest(const ManifestEntry& entry);

namespace detail {

/// The part of a path before its last slash; empty: the working folder.
[[nodiscard]] std::string folder_of(const std::string& path);

/// Puts a file of this text in the place of `path`, all of it or nothing, and on the disk before it
/// returns: a file of a name of its own in the same folder is written, synchronised and renamed. A
/// reader sees the old text or the new one, also with several writers at a time. A symbolic link
/// stays, and what it leads to is replaced. An existing file keeps its permissions, and its owner
/// and group as far as the process may set them. It is replaced even if it is read-only. Other hard
/// links of an existing file keep the old text. The folder must be writable and readable, as it is
/// synchronised too.
///
/// Errors: `file_unwritable` with errno, or as it is not a regular file; `invalid_argument` for a
/// path that holds a NUL. Everything is then as it was, with one exception: if the folder cannot be
/// synchronised, which is the last step and named in Error::detail, the new text is in place, but
/// may be lost if the machine stops. A file `.qnnpp-*.new` stays beside it if the process is killed
/// before the rename, or if the folder then refuses to remove it.
[[nodiscard]] Result<void> replace_file(const std::string& path, std::string_view text);

[[nodiscard]] Error stale(const std::string& object, std::uint64_t needed, std::uint64_t found,
                          std::string detail);

/// Error: `stale`, with both sizes.
[[nodiscard]] Result<void> check_size(const ManifestEntry& entry, std::uint64_t bytes,
                                      const std::string& file);

/// Whether these bytes are the ones that the entry was written for. Error: `stale`.
[[nodiscard]] Result<void> check_bytes(const ManifestEntry& entry, std::span<const std::byte> bytes,
                                       const std::string& file, DigestFunction digest);

/// Whether the backend asks for what the entry says, or for no more if only some of the graphs are
/// enabled. Of weights and alignment only a backend's own answer is compared: constants that a
/// binary tells need not be its weights. Error: `stale`, with both numbers.
[[nodiscard]] Result<void> check_needs(const ManifestEntry& entry, const BufferRequirements& asked,
                                       const BinarySource& source);

}  // namespace detail

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/manifest.ipp"
#endif
