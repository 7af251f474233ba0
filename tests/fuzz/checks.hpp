// Expectations for every input of the fuzzers. A failed expectation ends the program with the
// reason.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "qnnpp/core/error.hpp"

namespace fuzz {

inline void expect(bool is_true, const char* what) {
  if (is_true) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

/// Expects that all lines can be printed on a terminal.
inline void expect_printable(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  expect(qnnpp::escaped(text) == text, "text has no control characters and is UTF-8");
}

/// Expects that an error has one line of bounded length.
inline void expect_sound(const qnnpp::Error& error) {
  const std::string line = error.message();
  expect(!line.empty() && line.size() < 20000, "a message has a length within bounds");
  expect(qnnpp::escaped(line) == line, "a message is one line that prints");
}

}  // namespace fuzz
