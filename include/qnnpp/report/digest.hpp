// digest_of(): computes the digest of a file with XXH3. manifest_entry(): makes a manifest's entry.
// Needs xxhash: link qnnpp::json or -lxxhash, or define XXH_INLINE_ALL. Only report/json.hpp
// includes this header.
#pragma once

#include "qnnpp/config.hpp"

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/result.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/survey.hpp"
#include "qnnpp/report/manifest.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// Computes the digest of a file's bytes: 64-bit XXH3, as printed by `xxhsum -H3`. Both kinds cover
/// every byte of a file of up to 384 KiB. For a larger file, `sampled` covers the pieces listed at
/// DigestKind, in the order of the file, then the size as eight little-endian bytes.
///
/// The probability to miss a change of covered bytes is 2^-64. Both kinds notice a binary that was
/// built again, as its header differs. Only `whole` surely notices a few changed bytes in the
/// middle of a large file.
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

/// Makes a manifest's entry: the survey of a binary with its digest. `surveyor` is a backend, or a
/// System if there is none. `name` is the file name in the manifest, relative to its folder.
/// Errors: see survey().
template <class Surveyor>
[[nodiscard]] Result<Survey> manifest_entry(const Surveyor& surveyor, const BinarySource& source,
                                            std::string name,
                                            DigestKind kind = DigestKind::sampled) {
  QNNPP_LET(binary, source.open());
  const Digest digest = digest_of(binary->bytes(), kind);
  QNNPP_LET(entry, survey(surveyor, source));
  entry->digest = digest;
  entry->memory.name = std::move(name);
  return entry;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
