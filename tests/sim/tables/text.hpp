// printf into a string, for log lines of the simulated HTP.
#pragma once

#include "qnnpp/platform.hpp"

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <string>

namespace qnnpp::sim {

[[gnu::format(printf, 1, 2)]] inline std::string text(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string out(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  if (length > 0) std::vsnprintf(out.data(), out.size() + 1, format, again);
  va_end(again);
  return out;
}

}  // namespace qnnpp::sim
