// LogOptions: level and destination of a backend's log messages.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "qnnpp/abi/log.hpp"
#include "qnnpp/backend/detail/log_sink.hpp"
#include "qnnpp/core/ref.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Level and destination of a backend's log messages. By default the messages have no destination;
/// the last error lines are kept for Error::detail of failures that only the log explains (ASY-02).
///
/// Made by log_to(), log_to_stderr(), log_to_file(), log_to_android() and log_to_platform(). Copies
/// share one sink.
struct LogOptions {
  /// Destination of messages.
  enum class To : std::uint8_t {
    nobody,    ///< No destination. Error lines are kept for Error::detail.
    platform,  ///< The platform's own log (logcat on Android). No line is kept for errors.
    sink,      ///< `sink`. Error lines are also kept for Error::detail.
  };
  /// Destination of messages.
  To to = To::nobody;
  /// Most detailed level that is logged, from `error` to `debug`. To::nobody ignores it. If
  /// several backends share a sink, a level other than `error` admits the warnings of them all.
  c_api::LogLevel level = c_api::LogLevel::warn;
  /// Receives the messages, for To::sink; null for the others. Otherwise Backend::load() returns
  /// `invalid_argument`.
  ///
  /// The HTP library logs on any thread, and may do so until the process ends, even after
  /// QnnLog_free. A sink is called by one thread at a time, and never after its backend's log is
  /// freed. No sink is called once exit() begins to destroy static objects that are older than its
  /// load. exit() waits up to a second for sinks that run. Lines that a sink itself causes on its
  /// thread are not passed on.
  ///
  /// A process has 16 sinks in use at once; Backend::load() returns `in_use` for a 17th.
  Ref<detail::LogSink> sink = {};
};

/// Returns the name of a level, such as "warn"; "level 9" for the unknown level 9.
[[nodiscard]] std::string level_text(c_api::LogLevel level);

/// Sends messages to the platform's own log (QnnLog_create without a callback).
[[nodiscard]] inline LogOptions log_to_platform(c_api::LogLevel level) {
  return {LogOptions::To::platform, level, {}};
}

/// Sends messages to `callable`, which is called as `callable(c_api::LogLevel, std::string_view)`.
///
/// The options own the callable, and after Backend::load() the backend. The last of them destroys
/// it; a backend does so after QnnLog_free.
///
/// Calls come from any thread, one at a time. The text is valid during the call. The callable must
/// not call QNN, nor create, finalize or free a context or a backend (contract), nor wait for a
/// thread that may do so; a line is dropped if it throws. A text of 512 characters or more is cut
/// if memory for it is missing. Backend::load() returns `invalid_argument` for a null function
/// pointer or an empty std::function.
template <detail::ReceivesLines Callable>
[[nodiscard]] LogOptions log_to(Callable callable, c_api::LogLevel level) {
  if constexpr (detail::Nullable<Callable>)
    if (callable == nullptr) return {LogOptions::To::sink, level, {}};
  return {LogOptions::To::sink, level,
          Ref<detail::CallableSink<Callable>>::make(std::move(callable))};
}
template <class Callable>
  requires(!detail::ReceivesLines<Callable>)
QNNPP_REFUSE("not a log sink; pass a callable void(c_api::LogLevel, std::string_view)", LogOptions,
             log_to(Callable, c_api::LogLevel));

/// Sends messages to `Sink`, a function or an object of static storage, as log_to() does.
template <auto& Sink>
[[nodiscard]] LogOptions log_to(c_api::LogLevel level) {
  return log_to([](c_api::LogLevel of_line, std::string_view text) { Sink(of_line, text); }, level);
}

/// Writes messages to the standard error stream, one line each: the time in UTC, the level, the
/// text. Control characters are escaped.
[[nodiscard]] LogOptions log_to_stderr(c_api::LogLevel level);

/// Appends messages to a file, one line each as log_to_stderr() does. Each line is one write, so
/// that several processes may share the file. A line that cannot be written is dropped.
///
/// Backend::load() opens the file and creates it if necessary; the file is closed with the last
/// copy of the options. Errors of Backend::load(): `file_unwritable` with `errno`;
/// `invalid_argument` for a path that contains a NUL.
[[nodiscard]] LogOptions log_to_file(std::string path, c_api::LogLevel level);

/// Sends messages to Android's log (logcat) under a tag, by liblog.so's `__android_log_write`.
///
/// In contrast to log_to_platform(), error lines are also kept for Error::detail. Errors of
/// Backend::load(): `library_not_found` where there is no liblog.so; `symbol_missing`.
[[nodiscard]] LogOptions log_to_android(c_api::LogLevel level, std::string tag = "qnnpp");

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/log.ipp"
#endif
