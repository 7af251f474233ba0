// Definitions of joined.hpp.
#pragma once

#include "qnnpp/core/detail/joined.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_COLD QNNPP_INLINE void TextPiece::append_to(std::string& text) const {
  if (size_ < of_negative) {
    text.append(text_, size_);
    return;
  }
  if (size_ == of_negative) text += '-';
  text += std::to_string(number_);
}

QNNPP_COLD QNNPP_INLINE std::string joined(std::initializer_list<TextPiece> pieces) {
  std::string text;
  for (const TextPiece& piece : pieces) piece.append_to(text);
  return text;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
