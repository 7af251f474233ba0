// Digest: 64 bits of a file that notice another or a rebuilt one.
#pragma once

#include "qnnpp/config.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// How much of a file a digest has seen.
enum class DigestKind : std::uint8_t {
  sampled,  ///< Size, first and last 64 KiB, and 64 pages of 4 KiB at even distances between.
  whole,    ///< Size and every byte.
};

/// A digest of bytes. It tells files apart that differ by accident; it is no defence against
/// someone who makes a file to fit.
///
/// Both kinds notice every change of size, and every change inside one aligned group of eight bytes
/// that they read; any other change of what they read but for one in 2^64. `sampled` reads all of
/// up to 384 KiB, and of a larger file what DigestKind says: a binary that was made anew differs
/// there, as its header and its graphs do, but a few bytes changed in the middle may not be seen.
struct Digest {
  DigestKind kind = DigestKind::sampled;
  std::uint64_t value = 0;

  friend bool operator==(const Digest&, const Digest&) = default;
};

namespace detail {

/// Mixes words in, each step one-to-one in the word and in the state.
class Mixer {
 public:
  explicit Mixer(std::uint64_t seed) noexcept { word(seed); }

  /// Eight bytes at a time, little-endian, the last of them padded with zeros.
  void bytes(std::span<const std::byte> bytes) noexcept {
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) word(load(bytes.subspan(at).first<8>()));
    if (at < bytes.size()) word(load(bytes.subspan(at)));
  }
  void word(std::uint64_t value) noexcept {
    // The word is mixed before it meets the state, so that no simple change of the next one undoes
    // a change of this one.
    value = std::rotl(value * 0x87C37B91114253D5u, 31) * 0x4CF5AD432745937Fu;
    state_ = std::rotl(state_ ^ value, 27) * 5 + 0x52DCE729u;
  }
  [[nodiscard]] std::uint64_t value() const noexcept {
    std::uint64_t mixed = (state_ ^ state_ >> 33) * 0xFF51AFD7ED558CCDu;
    mixed = (mixed ^ mixed >> 33) * 0xC4CEB9FE1A85EC53u;
    return mixed ^ mixed >> 33;
  }

 private:
  template <std::size_t extent>
  [[nodiscard]] static std::uint64_t load(std::span<const std::byte, extent> bytes) noexcept {
    std::uint64_t value = 0;
    if constexpr (std::endian::native == std::endian::little)
      std::memcpy(&value, bytes.data(), bytes.size());
    else
      for (std::size_t i = 0; i < bytes.size(); ++i)
        value |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
    return value;
  }

  std::uint64_t state_ = 0xCBF29CE484222325u;
};

}  // namespace detail

/// The digest of a file's bytes. `sampled` touches about 384 KiB of them, however many there are.
[[nodiscard]] inline Digest digest_of(std::span<const std::byte> file,
                                      DigestKind kind = DigestKind::sampled) noexcept {
  constexpr std::size_t edge = 65536, page = 4096, pages = 64;
  detail::Mixer mixer(file.size());
  if (kind == DigestKind::whole || file.size() <= 2 * edge + pages * page) {
    mixer.bytes(file);
    return {kind, mixer.value()};
  }
  mixer.bytes(file.first(edge));
  const std::size_t between = file.size() - 2 * edge - page;
  for (std::size_t i = 0; i < pages; ++i)
    mixer.bytes(file.subspan(edge + between / (pages - 1) / page * page * i, page));
  mixer.bytes(file.last(edge));
  return {kind, mixer.value()};
}

/// "sampled:" or "whole:" and sixteen hexadecimal digits.
[[nodiscard]] inline std::string to_string(const Digest& digest) {
  std::string text = digest.kind == DigestKind::whole ? "whole:" : "sampled:";
  for (int shift = 60; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[(digest.value >> shift) & 15u];
  return text;
}

/// Reads what to_string() writes; nothing where it is anything else.
[[nodiscard]] inline std::optional<Digest> digest_from(std::string_view text) noexcept {
  Digest digest;
  if (text.starts_with("whole:"))
    digest.kind = DigestKind::whole;
  else if (!text.starts_with("sampled:"))
    return std::nullopt;
  text.remove_prefix(text.find(':') + 1);
  if (text.size() != 16) return std::nullopt;
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit && (c < 'a' || c > 'f')) return std::nullopt;
    digest.value =
        digest.value << 4 | static_cast<std::uint64_t>(is_digit ? c - '0' : c - 'a' + 10);
  }
  return digest;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
