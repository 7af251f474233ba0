// Definitions of manifest.hpp.
#pragma once

#include "qnnpp/model/manifest.hpp"

#include <sys/stat.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "qnnpp/config.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

QNNPP_INLINE std::string to_string(const Digest& digest) {
  std::array<char, 16> digits{};
  char* const end = digits.data() + digits.size();
  char* const last = std::to_chars(digits.data(), end, digest.value, 16).ptr;
  std::string text = digest.kind == DigestKind::whole ? "whole:" : "sampled:";
  return text.append(static_cast<std::size_t>(end - last), '0').append(digits.data(), last);
}

QNNPP_INLINE std::optional<Digest> digest_from(std::string_view text) {
  Digest digest;
  if (text.starts_with("whole:")) digest.kind = DigestKind::whole;
  const std::string_view digits = text.substr(text.find(':') + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), digest.value, 16);
  return to_string(digest) == text ? std::optional(digest) : std::nullopt;
}

QNNPP_INLINE std::string Manifest::path_of(const ManifestEntry& entry) const {
  return folder.empty() ? entry.memory.name : folder + "/" + entry.memory.name;
}

QNNPP_INLINE ContextMemory from_manifest(const ManifestEntry& entry) {
  ContextMemory memory = entry.memory;
  for (const auto number :
       {&ContextMemory::weights, &ContextMemory::spill_fill, &ContextMemory::start_alignment,
        &ContextMemory::io, &ContextMemory::op_data})
    if ((memory.*number).value) (memory.*number).source = SizeSource::manifest;
  return memory;
}

QNNPP_INLINE const ManifestEntry* Manifest::find(const BinarySource& source) const {
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

QNNPP_INLINE MemoryReport Manifest::report(SpillFillSharing sharing, std::string reason) const {
  MemoryReport report{.sharing = sharing,
                      .reason = std::move(reason),
                      .external_weights = external_weights,
                      .contexts = {}};
  for (const ManifestEntry& entry : entries) report.contexts.push_back(from_manifest(entry));
  return report;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

QNNPP_INLINE Error stale(const std::string& object, std::uint64_t needed, std::uint64_t found,
                         std::string detail) {
  Error error = Error::make(Errc::stale, "checking the manifest", object, std::move(detail));
  error.needed = needed;
  error.found = found;
  return error;
}

QNNPP_INLINE Result<void> check_size(const ManifestEntry& entry, std::uint64_t bytes,
                                     const std::string& file) {
  if (bytes == entry.memory.file_bytes) return {};
  return fail(stale(file, entry.memory.file_bytes, bytes,
                    "the file has " + std::to_string(bytes) + " bytes, the manifest says " +
                        std::to_string(entry.memory.file_bytes)));
}

QNNPP_INLINE Result<void> check_bytes(const ManifestEntry& entry, std::span<const std::byte> bytes,
                                      const std::string& file, DigestFunction digest) {
  if (auto fits = check_size(entry, bytes.size(), file); !fits) return fits;
  if (!entry.digest) return fail(stale(file, 0, 0, "the manifest has no digest of it"));
  const Digest found = digest(bytes, entry.digest->kind);
  if (found == *entry.digest) return {};
  return fail(stale(file, entry.digest->value, found.value,
                    "the file has the digest " + to_string(found) + ", the manifest says " +
                        to_string(*entry.digest)));
}

QNNPP_INLINE Result<void> check_needs(const ManifestEntry& entry, const BufferRequirements& asked,
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

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
