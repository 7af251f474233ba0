// Manifest: recorded memory needs of a model's binaries, compared with the files during loading.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "qnnpp/core/result.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// Function that computes the digest of a file's bytes: model::digest_of from report/digest.hpp.
using DigestFunction = Digest (*)(std::span<const std::byte> file, DigestKind kind);

/// Returns "sampled:" or "whole:" and sixteen hexadecimal digits.
[[nodiscard]] std::string to_string(const Digest& digest);
/// Reads the text that to_string() writes; returns nothing for any other text.
[[nodiscard]] std::optional<Digest> digest_from(std::string_view text);

/// Records of a model's binaries. A value that keeps no file open. report/digest.hpp makes its
/// entries; report/json.hpp reads and writes it.
struct Manifest {
  /// Folder to which the file names are relative; empty: the working folder.
  std::string folder;
  /// Records of the binaries; each file once. The name of a record is the path of the file,
  /// relative to `folder`. Inputs and outputs of its graphs may be missing, and JSON keeps only
  /// `dlbc` of their preparation.
  std::vector<Survey> entries;
  /// Whether the backend accepts external weights, for example from
  /// Model::report().external_weights. Automatic loads do not try them after `refused` (EXT-08).
  ExternalWeights external_weights = ExternalWeights::untried;

  /// Returns the path of an entry's file: the folder and the name.
  [[nodiscard]] std::string path_of(const Survey& entry) const;

  /// Returns the numbers as a report; the source of each number is `manifest`.
  [[nodiscard]] MemoryReport report(SpillFillSharing sharing, std::string reason) const;
};

/// Limits of a manifest. Reading and writing refuse a manifest that exceeds one. Use smaller limits
/// for manifests from untrusted sources, and larger ones for larger models.
struct ManifestLimits {
  std::size_t file_bytes = std::size_t{256} << 20;           ///< Size of the text in bytes.
  std::size_t binaries = 65536;                              ///< Number of binaries.
  std::size_t graphs = 262144;                               ///< Number of graphs of all binaries.
  std::size_t tensors = 1048576;                             ///< Number of tensors of all graphs.
  std::size_t rank = qnnpp::detail::most::rank;              ///< Number of dimensions of a tensor.
  std::size_t name_bytes = qnnpp::detail::most::name_bytes;  ///< Length of a string in bytes.
};

/// Returns the binaries with what the manifest states of each, by value: loading then compares
/// size, digest and needs, takes the largest need of a context group from them, and shares no
/// spill-fill with a graph that has DLBC. `digest` is model::digest_of from report/digest.hpp.
/// Opens no file. The record of a binary is the one of the same file, even if its path is written
/// differently, or the one of the same name.
///
///     model::load(backend, rpcmem, *model::expected_by(manifest, binaries, model::digest_of))
///
/// Errors: `unknown_name` if the manifest does not list a binary; `invalid_argument` if `digest` is
/// null. An entry without a digest is `stale` when its binary is opened.
[[nodiscard]] Result<std::vector<BinarySource>> expected_by(const Manifest& manifest,
                                                            std::vector<BinarySource> binaries,
                                                            DigestFunction digest);

/// Compares the bytes of a binary with a digest that was made of the whole file earlier. Call it
/// before System::metadata() and before a context is made of the binary: QNN may end the process on
/// a damaged binary, and load others without an error. A `sampled` digest can miss damage in the
/// middle of a large file. `digest` is model::digest_of from report/digest.hpp. Sources of
/// expected_by() are compared by the functions that open them.
///
///     model::check_digest(binary, expected, model::digest_of)
///
/// Errors: `stale` with both digests; `invalid_argument` if `digest` is null.
[[nodiscard]] Result<void> check_digest(const ContextBinary& binary, const Digest& expected,
                                        DigestFunction digest);

namespace detail {

/// Returns the part of a path before its last slash; empty: the working folder.
[[nodiscard]] std::string folder_of(const std::string& path);

/// Replaces the file at `path` atomically: writes a temporary file in the same folder, synchronises
/// it, renames it, and synchronises the folder. Readers see the old text or the new one, even with
/// several concurrent writers.
///
/// A symbolic link stays; its target is replaced. An existing file keeps its permissions, and its
/// owner and group if the process may set them. A read-only file is replaced too. Other hard links
/// of the file keep the old text. The folder must be writable, and readable to be synchronised.
///
/// Errors: `file_unwritable` with errno, or because the target is not a regular file;
/// `invalid_argument` if the path contains a NUL. After an error nothing has changed, with one
/// exception: if the last step fails, the folder's synchronisation, Error::detail says so. The new
/// text is then in place, but may be lost if the machine stops. A file `.qnnpp-*.new` remains if
/// the process is killed before the rename, or if the folder does not allow its removal.
[[nodiscard]] Result<void> replace_file(const std::string& path, std::string_view text);

}  // namespace detail

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/report/manifest.ipp"
#endif
