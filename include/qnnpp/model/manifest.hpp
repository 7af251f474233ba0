// Manifest: what a model's binaries take, written down ahead of time and checked when they load.
#pragma once

#include "qnnpp/config.hpp"

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/memory/buffer_requirements.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/digest.hpp"
#include "qnnpp/model/memory_report.hpp"
#include "qnnpp/model/survey.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// What is written down of one binary.
struct ManifestEntry {
  /// Its name is the file's, relative to the folder of the manifest.
  ContextMemory memory;
  /// Nothing where the numbers come without a file; such an entry can be planned with, not loaded.
  std::optional<Digest> digest;
  /// One for each graph; their inputs and outputs may be left out.
  std::vector<GraphSpec> graphs;
};

/// A list of binaries. A value: it keeps no file open. Read and written by manifest_json.hpp.
struct Manifest {
  /// Where its file names start; empty: the working folder.
  std::string folder;
  std::vector<ManifestEntry> entries;
  /// What a backend has shown of external weights, such as Model::report().external_weights; if
  /// they were refused, automatic loads do not try them (EXT-08).
  ExternalWeights external_weights = ExternalWeights::untried;

  /// The entry for a binary: that of the same file, by whatever path, or that of the same name.
  /// Null where there is none. Lives as long as the manifest.
  [[nodiscard]] const ManifestEntry* find(const BinarySource& source) const;

  /// Where the file of an entry is.
  [[nodiscard]] std::string path_of(const ManifestEntry& entry) const {
    return folder.empty() ? entry.memory.name : folder + "/" + entry.memory.name;
  }

  /// Its numbers as a report; whoever told them, they come from the manifest now.
  [[nodiscard]] MemoryReport report(SpillFillSharing sharing, std::string reason) const;
};

/// An entry's numbers, with the manifest as their source.
[[nodiscard]] inline ContextMemory from_manifest(const ManifestEntry& entry) {
  ContextMemory memory = entry.memory;
  for (const auto number :
       {&ContextMemory::weights, &ContextMemory::spill_fill, &ContextMemory::start_alignment,
        &ContextMemory::io, &ContextMemory::op_data})
    if ((memory.*number).value) (memory.*number).source = SizeSource::manifest;
  return memory;
}

/// Surveys a binary and takes its digest. `name`: how the manifest is to call the file. Errors:
/// those of survey().
[[nodiscard]] inline Result<ManifestEntry> manifest_entry(const Backend<Htp>& backend,
                                                          const BinarySource& source,
                                                          std::string name,
                                                          DigestKind kind = DigestKind::sampled) {
  auto binary = source.open();
  if (!binary) return fail(std::move(binary).error());
  ManifestEntry entry;
  entry.digest = digest_of(binary->bytes(), kind);
  auto surveyed = survey_graphs(backend, source);
  if (!surveyed) return fail(std::move(surveyed).error());
  entry.memory = std::move(surveyed->memory);
  entry.memory.name = std::move(name);
  entry.graphs = std::move(surveyed->graphs);
  return entry;
}

namespace detail {

[[nodiscard]] inline Error stale(const std::string& object, std::uint64_t needed,
                                 std::uint64_t found, std::string detail) {
  Error error = Error::make(Errc::stale, "checking the manifest", object, std::move(detail));
  error.needed = needed;
  error.found = found;
  return error;
}

/// Error: `stale`, with both sizes.
[[nodiscard]] inline Result<void> check_size(const ManifestEntry& entry, std::uint64_t bytes,
                                             const std::string& file) {
  if (bytes == entry.memory.file_bytes) return {};
  return fail(stale(file, entry.memory.file_bytes, bytes,
                    "the file has " + std::to_string(bytes) + " bytes, the manifest says " +
                        std::to_string(entry.memory.file_bytes)));
}

/// Whether these bytes are the ones that the entry was written for. Error: `stale`.
[[nodiscard]] inline Result<void> check_bytes(const ManifestEntry& entry,
                                              std::span<const std::byte> bytes,
                                              const std::string& file) {
  if (auto fits = check_size(entry, bytes.size(), file); !fits) return fits;
  if (!entry.digest) return fail(stale(file, 0, 0, "the manifest has no digest of it"));
  const Digest found = digest_of(bytes, entry.digest->kind);
  if (found == *entry.digest) return {};
  return fail(stale(file, entry.digest->value, found.value,
                    "the file has the digest " + to_string(found) + ", the manifest says " +
                        to_string(*entry.digest)));
}

/// Whether the backend asks for what the entry says, or for no more where only some of the graphs
/// are enabled. Of weights and alignment only a backend's own answer is compared: constants that a
/// binary tells need not be its weights. Error: `stale`, with both numbers.
[[nodiscard]] inline Result<void> check_needs(const ManifestEntry& entry,
                                              const BufferRequirements& asked,
                                              const BinarySource& source) {
  const std::string& file = source.name;
  const auto check = [&](const char* what, const Bytes& said, std::uint64_t now) -> Result<void> {
    if (!said.value || *said.value == now) return {};
    if (!source.enabled_graphs.empty() && now < *said.value) return {};
    return fail(stale(file, now, *said.value,
                      std::string(what) + ": the backend asks for " + std::to_string(now) +
                          " bytes, the manifest says " + std::to_string(*said.value)));
  };
  const auto if_asked = [](const Bytes& said) {
    return said.source == SizeSource::query ? said : Bytes{};
  };
  const ContextMemory& memory = entry.memory;
  if (auto same = check("spill-fill", memory.spill_fill, asked.spill_fill_bytes); !same)
    return same;
  if (auto same = check("weights", if_asked(memory.weights), asked.weights_bytes); !same)
    return same;
  return check("alignment", if_asked(memory.start_alignment), asked.start_alignment);
}

}  // namespace detail

inline const ManifestEntry* Manifest::find(const BinarySource& source) const {
  struct stat wanted{};
  if (source.bytes.data() == nullptr && ::stat(source.name.c_str(), &wanted) == 0)
    for (const ManifestEntry& entry : entries) {
      struct stat found{};
      if (::stat(path_of(entry).c_str(), &found) == 0 && found.st_dev == wanted.st_dev &&
          found.st_ino == wanted.st_ino)
        return &entry;
    }
  for (const ManifestEntry& entry : entries)
    if (entry.memory.name == source.name) return &entry;
  return nullptr;
}

inline MemoryReport Manifest::report(SpillFillSharing sharing, std::string reason) const {
  MemoryReport report{.sharing = sharing,
                      .reason = std::move(reason),
                      .external_weights = external_weights,
                      .contexts = {}};
  for (const ManifestEntry& entry : entries) report.contexts.push_back(from_manifest(entry));
  return report;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
