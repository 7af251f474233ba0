// LogOptions: level and destination of a backend's log messages.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <string_view>

#include "qnnpp/abi/log.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Level and destination of a backend's log messages. By default the messages have no destination;
/// the last error lines are kept for Error::detail of failures that only the log explains (ASY-02).
struct LogOptions {
  /// Destination of messages.
  enum class To : std::uint8_t {
    nobody,    ///< No destination. Error lines are kept for Error::detail.
    platform,  ///< The platform's own log (logcat on Android). No line is kept for errors.
    callback,  ///< `callback`; see log_to(). Without log_to(), no line is kept for errors.
  };
  /// Destination of messages.
  To to = To::nobody;
  /// Most detailed level that is logged. To::nobody ignores it.
  c_api::LogLevel level = c_api::LogLevel::warn;
  /// Function that receives the messages, for To::callback; null for the others. Otherwise
  /// Backend::load() returns `invalid_argument`.
  c_api::LogCallback callback = nullptr;
};

/// Sends messages to the platform's own log (QnnLog_create without a callback).
[[nodiscard]] constexpr LogOptions log_to_platform(c_api::LogLevel level) noexcept {
  return {LogOptions::To::platform, level, nullptr};
}

/// Sends messages to `Sink`, which is called as `Sink(c_api::LogLevel, std::string_view text)`.
///
/// `Sink` is a function or an object of static storage, as in `log_to<my_sink>(level)`: the C
/// callback has no user pointer, so state has no other place. `Sink` may be called on several
/// threads at once, must not throw, and must not call QNN. The text is valid during the call. A
/// text of 512 characters or more is cut if memory for it is missing. Error lines are also kept for
/// Error::detail.
template <auto& Sink>
[[nodiscard]] constexpr LogOptions log_to(c_api::LogLevel level) noexcept {
  constexpr c_api::LogCallback callback = [](const char* format, c_api::LogLevel message_level,
                                             std::uint64_t /*timestamp*/, std::va_list arguments) {
    if (format == nullptr) return;
    const auto pass = [message_level](std::string_view text) {
      if (detail::is_kept(message_level, text)) detail::error_lines.add(text);
      Sink(message_level, text);
    };
    char short_text[512];
    std::va_list again;
    va_copy(again, arguments);
    const int length = std::vsnprintf(short_text, sizeof(short_text), format, arguments);
    if (length >= 0 && static_cast<std::size_t>(length) < sizeof(short_text)) {
      pass({short_text, static_cast<std::size_t>(length)});
    } else if (length >= 0) {
      // An exception must not pass through C, so the text is cut if memory is missing.
      const auto size = static_cast<std::size_t>(length) + 1;
      if (char* const long_text = new (std::nothrow) char[size]) {
        (void)std::vsnprintf(long_text, size, format, again);
        pass({long_text, size - 1});
        delete[] long_text;
      } else {
        pass({short_text, sizeof(short_text) - 1});
      }
    }
    va_end(again);
  };
  return {LogOptions::To::callback, level, callback};
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
