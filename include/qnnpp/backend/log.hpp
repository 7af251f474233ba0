// Log: where a backend's messages go.
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

/// What a backend logs, and to whom. By default nobody hears it; its last error lines are kept for
/// Error::detail of failures that only the log explains (ASY-02).
struct LogOptions {
  enum class To : std::uint8_t {
    nobody,    ///< Error lines are kept for Error::detail, and go nowhere else.
    platform,  ///< The platform's own log (logcat on Android). No line is kept for errors.
    callback,  ///< `callback`, see log_to(). Without log_to(), no line is kept for errors.
  };
  To to = To::nobody;
  /// Messages above this level are not made.
  c_api::LogLevel level = c_api::LogLevel::warn;
  /// Null unless `to` says callback; loading the backend is an error otherwise
  /// (`invalid_argument`).
  c_api::LogCallback callback = nullptr;
};

/// Messages go to the platform's own log (QnnLog_create without a callback).
[[nodiscard]] constexpr LogOptions log_to_platform(c_api::LogLevel level) noexcept {
  return {LogOptions::To::platform, level, nullptr};
}

/// Messages go to `Sink`, which is called as `Sink(c_api::LogLevel, std::string_view text)`.
///
/// `Sink` is a function, or an object of static storage: `log_to<my_sink>(level)`; the C callback
/// has no user pointer, so there is no other place for state. It may be called from several threads
/// at once, must not throw, and must not call QNN. The text lives for the call; where there is no
/// memory for one of 512 characters and more, it is cut off. Error lines are also kept for
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
      // C passes no exception on: without memory for all of it, the text is cut off.
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
