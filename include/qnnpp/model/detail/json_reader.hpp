// JsonReader: reads JSON of a known shape and nothing else, within bounds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/model/detail/utf8.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// Reads front to back, and stops at the first thing that is not what it was asked for: every later
/// step then fails too and does nothing. It never nests deeper than its caller asks, and takes no
/// memory but for strings that are no longer than they may be.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) noexcept : all_(text), rest_(text) {}

  [[nodiscard]] bool ok() const noexcept { return fault_.empty(); }
  /// What is wrong, and in which line.
  [[nodiscard]] std::string fault() const {
    const std::string_view read = all_.substr(0, all_.size() - rest_.size());
    const auto line = 1 + std::count(read.begin(), read.end(), '\n');
    return "line " + std::to_string(line) + ": " + fault_;
  }
  /// Fails, unless it has failed before.
  void refuse(std::string what) {
    if (ok()) fault_ = std::move(what);
  }

  /// An object that has exactly these members, in any order, but for optional ones, whose names end
  /// in '?'. `member(i)` reads the value of the i-th.
  template <class Member>
  void object(std::initializer_list<std::string_view> names, Member member) {
    if (!expect('{')) return;
    std::vector<bool> seen(names.size());
    if (!accept('}')) {
      do {
        const std::string name = string(max_name_bytes);
        if (!expect(':')) return;
        const auto at = std::find_if(names.begin(), names.end(), [&](std::string_view known) {
          if (known.ends_with('?')) known.remove_suffix(1);
          return known == name;
        });
        if (at == names.end()) return refuse("'" + printable(name) + "' is no member here");
        const auto index = static_cast<std::size_t>(at - names.begin());
        if (seen[index]) return refuse("'" + name + "' is given twice");
        seen[index] = true;
        member(index);
        if (!ok()) return;
      } while (accept(','));
      if (!expect('}')) return;
    }
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (const std::string_view name = names.begin()[i]; !seen[i] && !name.ends_with('?'))
        return refuse("'" + std::string(name) + "' is missing");
  }

  /// An array of at most `most` values; `element()` reads one.
  template <class Element>
  void array(std::size_t most, Element element) {
    if (!expect('[')) return;
    if (accept(']')) return;
    std::size_t count = 0;
    do {
      if (++count > most) return refuse("more than " + std::to_string(most) + " elements");
      element();
      if (!ok()) return;
    } while (accept(','));
    (void)expect(']');
  }

  /// An integer of 0 to `largest`, without sign, fraction or exponent.
  [[nodiscard]] std::uint64_t number(std::uint64_t largest = INT64_MAX) {
    skip_space();
    const char* what = "a whole number is wanted";
    if (!ok() || rest_.empty() || !is_digit(rest_[0])) return refuse(what), 0;
    std::uint64_t value = 0;
    const bool is_zero = rest_[0] == '0';
    std::size_t digits = 0;
    for (; !rest_.empty() && is_digit(rest_[0]); rest_.remove_prefix(1), ++digits) {
      const auto digit = static_cast<std::uint64_t>(rest_[0] - '0');
      if (value > (largest - digit) / 10 || digit > largest)
        return refuse("a number above " + std::to_string(largest)), 0;
      value = value * 10 + digit;
    }
    if (is_zero && digits > 1) return refuse("a number begins with 0"), 0;
    if (!rest_.empty() && (rest_[0] == '.' || rest_[0] == 'e' || rest_[0] == 'E'))
      return refuse(what), 0;
    return value;
  }

  [[nodiscard]] bool boolean() {
    if (accept_word("true")) return true;
    if (!accept_word("false")) refuse("true or false is wanted");
    return false;
  }

  /// Whether the next value is null, which is taken then.
  [[nodiscard]] bool null() { return accept_word("null"); }

  /// A string of at most `most` bytes, valid UTF-8 without NUL.
  [[nodiscard]] std::string string(std::size_t most) {
    std::string value;
    if (!expect('"')) return value;
    while (ok()) {
      if (rest_.empty()) return refuse("a string does not end"), std::string();
      if (rest_[0] == '"') {
        rest_.remove_prefix(1);
        return value;
      }
      const char32_t c = character();
      if (ok()) append_character(value, c);
      if (value.size() > most) refuse("a string of more than " + std::to_string(most) + " bytes");
    }
    return {};
  }

  /// Nothing but white space may follow.
  void end() {
    skip_space();
    if (!rest_.empty()) refuse("more text behind its end");
  }

 private:
  static constexpr std::size_t max_name_bytes = 64;

  [[nodiscard]] static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
  void skip_space() noexcept {
    const std::size_t at = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at);
  }
  [[nodiscard]] bool accept(char wanted) noexcept {
    skip_space();
    if (!ok() || rest_.empty() || rest_[0] != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] bool expect(char wanted) {
    if (accept(wanted)) return true;
    refuse(std::string("'") + wanted + "' is wanted");
    return false;
  }
  [[nodiscard]] bool accept_word(std::string_view word) noexcept {
    skip_space();
    if (!ok() || !rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  [[nodiscard]] char32_t character() {
    if (rest_[0] != '\\') {
      const auto c = take_character(rest_);
      if (!c || *c < 0x20) refuse("a string holds what is no text");
      return c.value_or(0);
    }
    rest_.remove_prefix(1);
    if (rest_.empty()) return refuse("a string does not end"), 0;
    const char kind = rest_[0];
    rest_.remove_prefix(1);
    switch (kind) {
      case '"':
      case '\\':
      case '/': return static_cast<char32_t>(kind);
      case 'b': return '\b';
      case 'f': return '\f';
      case 'n': return '\n';
      case 'r': return '\r';
      case 't': return '\t';
      case 'u': break;
      default: return refuse("an unknown escape in a string"), 0;
    }
    char32_t c = four_digits();
    if (c >= 0xD800 && c < 0xDC00 && rest_.starts_with("\\u")) {
      rest_.remove_prefix(2);
      const char32_t low = four_digits();
      c = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00) : 0;
    }
    if (c == 0 || (c >= 0xD800 && c < 0xE000)) refuse("a string holds what is no text");
    return c;
  }
  [[nodiscard]] char32_t four_digits() noexcept {
    char32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const char c = i < rest_.size() ? rest_[i] : '?';
      const char lower = static_cast<char>(c | 0x20);
      if (is_digit(c))
        value = value << 4 | static_cast<char32_t>(c - '0');
      else if (lower >= 'a' && lower <= 'f')
        value = value << 4 | static_cast<char32_t>(lower - 'a' + 10);
      else
        return 0;
    }
    rest_.remove_prefix(4);
    return value;
  }

  std::string_view all_, rest_;
  std::string fault_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
