// A client's logger: a printf-style callback and a level. Also stderr, for lines that no callback
// of the client receives.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "qnnpp/abi/log.hpp"

namespace qnnpp::sim {

/// A logger of the client. Without a callback its lines are printed to stderr, if StderrLog admits
/// them.
struct Logger {
  c_api::LogCallback callback = nullptr;
  c_api::LogLevel level = c_api::LogLevel::error;
};

/// A line that is delivered after the device's mutex is released, so that a callback can call QNN.
struct LogLine {
  c_api::LogLevel level;
  std::uint64_t timestamp;
  std::string text;
  /// True for the first misuse of a rule: it is printed to stderr if no callback receives it.
  bool notice = false;
};

/// Filter for stderr, from QNNPP_SIM_LOG, for lines that no callback of the client receives.
struct StderrLog {
  /// Highest level that is printed; 0 for none.
  std::uint32_t level = 0;
  /// Also prints lines for loggers without a callback, if the logger's level admits them.
  bool platform = false;
  /// Prints the first misuse of each rule.
  bool notices = true;
  /// False if the value of the variable is unknown.
  bool known = true;
};

/// Parses a value of QNNPP_SIM_LOG: the name or the number of a level, or "none". Without a value
/// only notices are printed. An unknown value counts as "error".
[[nodiscard]] inline StderrLog read_stderr_log(const char* value) noexcept {
  if (value == nullptr || *value == '\0') return {};
  if (std::strcmp(value, "none") == 0 || std::strcmp(value, "0") == 0)
    return {0, false, false, true};
  constexpr const char* names[] = {"error", "warn", "info", "verbose", "debug"};
  std::uint32_t level = 0;
  for (const char* const name : names) {
    ++level;
    if (std::strcmp(value, name) == 0 || (value[0] == static_cast<char>('0' + level) && !value[1]))
      return {level, true, true, true};
  }
  return {1, true, true, false};
}

/// Returns the filter of this process, which is read once.
[[nodiscard]] inline const StderrLog& stderr_log() noexcept {
  static const StderrLog log = read_stderr_log(std::getenv("QNNPP_SIM_LOG"));
  return log;
}

/// Prints one line to stderr if the value of QNNPP_SIM_LOG is unknown.
inline void report_unknown_level() {
  if (!stderr_log().known)
    std::fprintf(stderr,
                 "simulated HTP: QNNPP_SIM_LOG: no such level: '%s', used as error; use one of "
                 "none, error, warn, info, verbose, debug\n",
                 std::getenv("QNNPP_SIM_LOG"));
}

namespace detail {
inline void call_logger(c_api::LogCallback callback, c_api::LogLevel level, std::uint64_t timestamp,
                        const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  callback(format, level, timestamp, arguments);
  va_end(arguments);
}
}  // namespace detail

/// Prints a notice to stderr: the first misuse of a rule.
inline void notice(const std::string& line) {
  if (stderr_log().notices) std::fprintf(stderr, "simulated HTP: %s\n", line.c_str());
}

/// Delivers a line to the client's callback if its logger has one and admits the line; otherwise to
/// stderr if its filter admits the line. Never to both. `logger` is NULL for a call without one.
inline void deliver(const Logger* logger, const LogLine& line) {
  const auto level = static_cast<std::uint32_t>(line.level);
  const bool admitted = logger != nullptr && level <= static_cast<std::uint32_t>(logger->level);
  if (admitted && logger->callback != nullptr) {
    detail::call_logger(logger->callback, line.level, line.timestamp, "%s", line.text.c_str());
    return;
  }
  const StderrLog& log = stderr_log();
  if (level <= log.level || (admitted && log.platform) || (line.notice && log.notices))
    std::fprintf(stderr, "simulated HTP: %s\n", line.text.c_str());
}

}  // namespace qnnpp::sim
