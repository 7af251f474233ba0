// Definitions of joined.hpp.
#pragma once

#include "qnnpp/core/detail/joined.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void TextPiece::append_to(std::string& text) const {
  if (size_ < of_negative) {
    text.append(text_, size_);
    return;
  }
  if (size_ == of_negative) text += '-';
  text += std::to_string(number_);
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string shortened(std::string_view text,
                                                                std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most - 3;
  while (end != 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return joined({text.substr(0, end), "..."});
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string joined(
    std::initializer_list<TextPiece> pieces) {
  std::string text;
  for (const TextPiece& piece : pieces) piece.append_to(text);
  return text;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
