// joined: one text of several pieces. The code that joins them stands once, not at each error.
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>
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
  TextPiece(std::string_view text) : text_(text.data()), number_(text.size()) {}
  template <std::integral Integer>
    requires(!std::same_as<Integer, char> && !std::same_as<Integer, bool>)
  TextPiece(Integer number) : kind_(Kind::number), number_(static_cast<std::uint64_t>(number)) {
    if constexpr (std::signed_integral<Integer>)
      if (number < 0) {
        kind_ = Kind::negative;
        number_ = 0 - number_;
      }
  }

  /// Appends the piece to `text`.
  void append_to(std::string& text) const;

 private:
  enum class Kind : std::uint8_t { text, number, negative };

  Kind kind_ = Kind::text;
  const char* text_ = nullptr;
  std::uint64_t number_;  ///< Number of the characters, or the integer without its sign.
};

/// Returns the pieces one after another.
[[nodiscard]] std::string joined(std::initializer_list<TextPiece> pieces);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/joined.ipp"
#endif
