// Counts the statements and error branches of C or C++ code, as a measure of what a reader has to
// read.
//
//   statement      each `;` that ends one, except in the head of a for, and each if, for, while,
//                  switch and do; declarations are statements
//   error branch   an if whose body leaves by goto, return or throw
//
// Comments and strings do not count. The text is not parsed; this is enough for code in our style.
#pragma once

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

namespace support {

struct Statements {
  std::size_t statements = 0;
  std::size_t error_branches = 0;

  Statements& operator+=(const Statements& other) {
    statements += other.statements;
    error_branches += other.error_branches;
    return *this;
  }
};

/// Returns the text without comments, and with empty strings.
inline std::string code_only(std::string_view text) {
  std::string code;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("//")) {
      i += std::min(rest.find('\n'), rest.size()) - 1;
    } else if (rest.starts_with("/*")) {
      i += std::min(rest.find("*/"), rest.size()) + 1;
    } else if (text[i] == '"' || text[i] == '\'') {
      const char quote = text[i];
      for (++i; i < text.size() && text[i] != quote; ++i)
        if (text[i] == '\\') ++i;
      code += "\"\"";
    } else {
      code += text[i];
    }
  }
  return code;
}

/// Returns the position of the bracket that closes the bracket at `open`.
inline std::size_t closing(std::string_view code, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (code[i] == '(' || code[i] == '{' || code[i] == '[') ++depth;
    if (code[i] == ')' || code[i] == '}' || code[i] == ']')
      if (--depth == 0) return i;
  }
  return code.size();
}

inline bool is_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// Reports whether the word `word` stands at `at`.
inline bool word_at(std::string_view code, std::size_t at, std::string_view word) {
  return code.substr(at, word.size()) == word && (at == 0 || !is_word(code[at - 1])) &&
         (at + word.size() == code.size() || !is_word(code[at + word.size()]));
}

inline bool has_word(std::string_view code, std::string_view word) {
  for (std::size_t i = 0; i + word.size() <= code.size(); ++i)
    if (word_at(code, i, word)) return true;
  return false;
}

/// Returns the body of the function `name`; empty if `source` does not define it.
inline std::string body_of(std::string_view source, std::string_view name) {
  const std::string code = code_only(source);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!word_at(code, i, name)) continue;
    const std::size_t open = i + name.size();
    if (open >= code.size() || code[open] != '(') continue;
    const std::size_t body = code.find_first_not_of(" \n", closing(code, open) + 1);
    if (body != std::string::npos && code[body] == '{')
      return code.substr(body, closing(code, body) + 1 - body);
  }
  return {};
}

/// Counts the statements of a body.
inline Statements count_statements(std::string_view body) {
  Statements count;
  std::string open;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char letter = body[i];
    if (letter == '(' || letter == '{' || letter == '[') open += letter;
    if (letter == ')' || letter == '}' || letter == ']') open.pop_back();
    if (letter == ';' && open.back() == '{') ++count.statements;
    for (const std::string_view word : {"if", "for", "while", "switch", "do"})
      if (word_at(body, i, word)) ++count.statements;
    if (!word_at(body, i, "if")) continue;
    const std::size_t head = body.find('(', i);
    const std::size_t begin = body.find_first_not_of(" \n", closing(body, head) + 1);
    const std::size_t end = body[begin] == '{' ? closing(body, begin) : body.find(';', begin);
    const std::string_view inner = body.substr(begin, end - begin);
    if (has_word(inner, "goto") || has_word(inner, "return") || has_word(inner, "throw"))
      ++count.error_branches;
  }
  return count;
}

}  // namespace support
