// joined: one text of several pieces. The code that joins them stands once, not at each error.
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// A piece of a text: a view of characters, or an integer, which becomes decimal digits. Refers to
/// the characters; do not keep it.
class TextPiece {
 public:
  TextPiece(const char* text) : TextPiece(std::string_view(text)) {}
  TextPiece(const std::string& text) : TextPiece(std::string_view(text)) {}
  TextPiece(std::string_view text) : text_(text.data()), size_(text.size()) {}
  template <std::integral Integer>
    requires(!std::same_as<Integer, char> && !std::same_as<Integer, bool>)
  TextPiece(Integer number) : number_(static_cast<std::uint64_t>(number)), size_(of_number) {
    if constexpr (std::signed_integral<Integer>)
      if (number < 0) {
        number_ = 0 - number_;
        size_ = of_negative;
      }
  }

  /// Appends the piece to `text`.
  void append_to(std::string& text) const;

 private:
  // Sizes that no text has tell integers apart: two members are two stores for each piece.
  static constexpr std::size_t of_number = SIZE_MAX;
  static constexpr std::size_t of_negative = SIZE_MAX - 1;

  union {
    const char* text_;
    std::uint64_t number_;  ///< The integer without its sign.
  };
  std::size_t size_;  ///< Number of the characters, or which kind of integer this is.
};

/// Returns a text of at most `most` bytes, of which there are more than 3: `text` itself, or its
/// beginning and "...". Splits no UTF-8 character.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

/// Returns the pieces one after another.
[[nodiscard]] std::string joined(std::initializer_list<TextPiece> pieces);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/joined.ipp"
#endif
