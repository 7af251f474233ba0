// Manifest: what a model's binaries take, written down ahead of time and checked when they load.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/result.hpp"
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
  /// Null if there is none. Valid until the manifest is changed or destroyed.
  [[nodiscard]] const ManifestEntry* find(const BinarySource& source) const;

  /// Where the file of an entry is.
  [[nodiscard]] std::string path_of(const ManifestEntry& entry) const;

  /// Its numbers as a report; each number has the manifest as its source.
  [[nodiscard]] MemoryReport report(SpillFillSharing sharing, std::string reason) const;
};

/// What a manifest may hold; anything beyond is refused while it is read.
struct ManifestLimits {
  std::size_t file_bytes = std::size_t{8} << 20;
  std::size_t binaries = 1024;
  std::size_t graphs = 16384;   ///< of all binaries
  std::size_t tensors = 65536;  ///< of all graphs
  std::size_t rank = 16;
  std::size_t name_bytes = 4096;
};

/// An entry's numbers, with the manifest as their source.
[[nodiscard]] ContextMemory from_manifest(const ManifestEntry& entry);

namespace detail {

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
