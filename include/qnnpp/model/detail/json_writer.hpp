// JsonWriter: JSON text, as it is needed here: objects, arrays, strings, integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "qnnpp/model/detail/utf8.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// Appends values one after the other, indented by two, arrays of numbers on one line. What is no
/// UTF-8 in a string becomes U+FFFD.
class JsonWriter {
 public:
  JsonWriter& begin_object() { return begin('{'); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array(bool on_one_line = false) {
    begin('[');
    flat_ = on_one_line;
    return *this;
  }
  JsonWriter& end_array() { return end(']'); }

  JsonWriter& key(std::string_view name) {
    next();
    quote(name);
    text_ += ": ";
    has_key_ = true;
    return *this;
  }
  JsonWriter& string(std::string_view value) {
    next();
    quote(value);
    return *this;
  }
  JsonWriter& number(std::uint64_t value) { return literal(std::to_string(value)); }
  JsonWriter& boolean(bool value) { return literal(value ? "true" : "false"); }
  JsonWriter& null() { return literal("null"); }

  /// All of it, with a line feed at its end.
  [[nodiscard]] std::string take() && { return std::move(text_ += '\n'); }

 private:
  JsonWriter& literal(std::string_view value) {
    next();
    text_ += value;
    return *this;
  }
  JsonWriter& begin(char bracket) {
    next();
    text_ += bracket;
    ++depth_;
    is_empty_ = true;
    flat_ = false;
    return *this;
  }
  JsonWriter& end(char bracket) {
    --depth_;
    if (!is_empty_ && !flat_) new_line();
    text_ += bracket;
    is_empty_ = flat_ = false;
    return *this;
  }
  void next() {
    if (!has_key_ && depth_ != 0) {
      if (!is_empty_) text_ += flat_ ? ", " : ",";
      if (!flat_) new_line();
    }
    has_key_ = is_empty_ = false;
  }
  void new_line() {
    text_ += '\n';
    text_.append(2 * depth_, ' ');
  }
  void quote(std::string_view value) {
    constexpr const char* digits = "0123456789abcdef";
    text_ += '"';
    while (!value.empty()) {
      const char32_t c = take_character(value).value_or(0xFFFD);
      if (c == '"' || c == '\\')
        (text_ += '\\') += static_cast<char>(c);
      else if (c < 0x20 || c == 0x7F)
        ((text_ += "\\u00") += digits[c >> 4]) += digits[c & 15];
      else
        append_character(text_, c);
    }
    text_ += '"';
  }

  std::string text_;
  std::size_t depth_ = 0;
  bool is_empty_ = true, has_key_ = false, flat_ = false;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
