// A client's logger: a printf-style callback and the level it admits.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "qnnpp/abi/log.hpp"

namespace qnnpp::sim {

struct Logger {
  c_api::LogCallback callback = nullptr;
  c_api::LogLevel level = c_api::LogLevel::error;
};

/// A line that waits for the device's lock to be released, so that a callback may call QNN.
struct LogLine {
  c_api::LogLevel level;
  std::uint64_t timestamp;
  std::string text;
};

namespace detail {
inline void call_logger(c_api::LogCallback callback, c_api::LogLevel level, std::uint64_t timestamp,
                        const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  callback(format, level, timestamp, arguments);
  va_end(arguments);
}
}  // namespace detail

/// Gives a line to a logger. Without a callback it goes to the platform's log: stderr, if
/// QNNPP_SIM_LOG is set.
inline void deliver(const Logger& logger, const LogLine& line) {
  if (static_cast<std::uint32_t>(line.level) > static_cast<std::uint32_t>(logger.level)) return;
  if (logger.callback != nullptr) {
    detail::call_logger(logger.callback, line.level, line.timestamp, "%s", line.text.c_str());
  } else if (std::getenv("QNNPP_SIM_LOG") != nullptr) {
    std::fprintf(stderr, "htp %u %s\n", static_cast<unsigned>(line.level), line.text.c_str());
  }
}

}  // namespace qnnpp::sim
