// digest_of(): digests of files by XXH3; manifest_entry(), which makes one. No other header but
// model/json.hpp needs xxhash: link qnnpp::json, or -lxxhash, or define XXH_INLINE_ALL.
#pragma once

#include "qnnpp/config.hpp"

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/system.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/manifest.hpp"
#include "qnnpp/model/survey.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// The digest of a file's bytes: XXH3 of 64 bits, as printed by `xxhsum -H3`. `whole` covers every
/// byte. `sampled` does so up to 384 KiB; of a larger file it covers what DigestKind says, one
/// piece after another, then the size as eight bytes, little-endian.
///
/// A change of what is covered is missed once in 2^64. A binary that was made anew differs in its
/// header, which both cover; a few bytes changed in the middle of a large file are noticed by
/// `whole` only.
[[nodiscard]] inline Digest digest_of(std::span<const std::byte> file,
                                      DigestKind kind = DigestKind::sampled) {
  constexpr std::size_t edge = 65536, page = 4096, pages = 64;
  const auto xxh3 = [kind](std::span<const std::byte> bytes) {
    return Digest{kind, XXH3_64bits(bytes.data(), bytes.size())};
  };
  if (kind == DigestKind::whole || file.size() <= 2 * edge + pages * page) return xxh3(file);
  std::vector<std::byte> sample;
  sample.reserve(2 * edge + pages * page + sizeof(std::uint64_t));
  const auto add = [&](std::span<const std::byte> piece) {
    sample.insert(sample.end(), piece.begin(), piece.end());
  };
  add(file.first(edge));
  const std::size_t between = file.size() - 2 * edge - page;
  for (std::size_t i = 0; i < pages; ++i)
    add(file.subspan(edge + between / (pages - 1) / page * page * i, page));
  add(file.last(edge));
  for (int shift = 0; shift < 64; shift += 8)
    sample.push_back(static_cast<std::byte>(std::uint64_t{file.size()} >> shift));
  return xxh3(sample);
}

namespace detail {

/// The entry for `source`, of what `survey` finds of it.
template <class Survey>
[[nodiscard]] Result<ManifestEntry> manifest_entry(const BinarySource& source, std::string name,
                                                   DigestKind kind, Survey survey) {
  auto binary = source.open();
  if (!binary) return fail(std::move(binary).error());
  ManifestEntry entry;
  entry.digest = digest_of(binary->bytes(), kind);
  auto surveyed = survey();
  if (!surveyed) return fail(std::move(surveyed).error());
  entry.memory = std::move(surveyed->memory);
  entry.memory.name = std::move(name);
  entry.graphs = std::move(surveyed->graphs);
  return entry;
}

}  // namespace detail

/// Surveys a binary and takes its digest. `name`: how the manifest is to call the file. Errors:
/// those of survey().
[[nodiscard]] inline Result<ManifestEntry> manifest_entry(const Backend<Htp>& backend,
                                                          const BinarySource& source,
                                                          std::string name,
                                                          DigestKind kind = DigestKind::sampled) {
  return detail::manifest_entry(source, std::move(name), kind,
                                [&] { return survey_graphs(backend, source); });
}

/// The same by a system library alone, of what the binary's metadata tells. Errors: those of
/// read_graphs().
[[nodiscard]] inline Result<ManifestEntry> manifest_entry(const System& system,
                                                          const BinarySource& source,
                                                          std::string name,
                                                          DigestKind kind = DigestKind::sampled) {
  return detail::manifest_entry(source, std::move(name), kind,
                                [&] { return read_graphs(system, source); });
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
