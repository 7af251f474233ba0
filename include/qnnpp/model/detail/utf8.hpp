// UTF-8: taking text apart by characters, and making it fit to be printed.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// Takes the first character off `text`, which is not empty. Nothing where it is no UTF-8; one byte
/// is taken off then.
[[nodiscard]] inline std::optional<char32_t> take_character(std::string_view& text) noexcept {
  const auto octet = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = octet(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  char32_t character = length == 1 ? first : length == 0 ? 0 : first & (0xFFu >> (length + 1));
  bool valid = length != 0 && length <= text.size();
  for (std::size_t i = 1; valid && i < length; ++i) {
    valid = (octet(i) & 0xC0u) == 0x80;
    character = character << 6 | (octet(i) & 0x3Fu);
  }
  // Longer than it need be, or half of a surrogate pair, or beyond the last one.
  valid = valid && !(length == 3 && character < 0x800) && !(length == 4 && character < 0x10000) &&
          !(character >= 0xD800 && character < 0xE000) && character <= 0x10FFFF;
  text.remove_prefix(valid ? length : 1);
  return valid ? std::optional(character) : std::nullopt;
}

inline void append_character(std::string& text, char32_t character) {
  const auto put = [&](char32_t octet) { text += static_cast<char>(octet); };
  if (character < 0x80) {
    put(character);
  } else if (character < 0x800) {
    put(0xC0 | character >> 6);
    put(0x80 | (character & 0x3F));
  } else if (character < 0x10000) {
    put(0xE0 | character >> 12);
    put(0x80 | (character >> 6 & 0x3F));
    put(0x80 | (character & 0x3F));
  } else {
    put(0xF0 | character >> 18);
    put(0x80 | (character >> 12 & 0x3F));
    put(0x80 | (character >> 6 & 0x3F));
    put(0x80 | (character & 0x3F));
  }
}

[[nodiscard]] inline bool is_utf8(std::string_view text) noexcept {
  while (!text.empty())
    if (!take_character(text)) return false;
  return true;
}

/// Columns that a character takes where all are equally wide: two from the first of East Asia on,
/// which is too much for some.
[[nodiscard]] constexpr std::size_t columns_of(char32_t character) noexcept {
  return character < 0x1100 || (character >= 0x2000 && character < 0x2E80) || character == 0xFFFD
             ? 1
             : 2;
}

/// Columns of valid UTF-8.
[[nodiscard]] inline std::size_t count_columns(std::string_view text) noexcept {
  std::size_t count = 0;
  while (!text.empty()) count += columns_of(take_character(text).value_or(0xFFFD));
  return count;
}

/// The text with U+FFFD in place of control characters, of what no text may hold, and of what is no
/// UTF-8; and with an ellipsis for its middle where it takes more than `most` columns (at least 3).
[[nodiscard]] inline std::string printable(std::string_view text, std::size_t most = SIZE_MAX) {
  std::u32string characters;
  std::size_t columns = 0;
  while (!text.empty()) {
    const char32_t c = take_character(text).value_or(0xFFFD);
    const bool prints = c >= 0x20 && !(c >= 0x7F && c < 0xA0) && (c & 0xFFFE) != 0xFFFE &&
                        c != 0x2028 && c != 0x2029;
    characters += prints ? c : char32_t{0xFFFD};
    columns += columns_of(characters.back());
  }
  std::size_t cut_from = characters.size(), cut_to = characters.size();
  if (columns > most) {
    // The end of a path says more than its beginning.
    std::size_t head = 0, tail = 0;
    for (cut_from = 0; head + columns_of(characters[cut_from]) <= (most - 1) / 3; ++cut_from)
      head += columns_of(characters[cut_from]);
    while (head + tail + columns_of(characters[cut_to - 1]) <= most - 1)
      tail += columns_of(characters[--cut_to]);
  }
  std::string printed;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    if (i == cut_from) append_character(printed, 0x2026);
    if (i < cut_from || i >= cut_to) append_character(printed, characters[i]);
  }
  return printed;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
