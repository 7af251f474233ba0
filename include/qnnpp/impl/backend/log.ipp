// Definitions of log.hpp.
#pragma once

#include "qnnpp/backend/log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <optional>

#include "qnnpp/backend/shared_library.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/tensor_spec.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {
namespace detail {

/// The text without the line breaks at its end, escaped.
[[nodiscard]] QNNPP_INLINE std::string one_line(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return escaped(text);
}

/// Appends lines to a file, or writes them to the standard error stream.
class FileSink final : public LogSink {
 public:
  FileSink() : file_(STDERR_FILENO) {}
  explicit FileSink(std::string path) : path_(std::move(path)) {}
  ~FileSink() override {
    if (file_ >= 0 && file_ != STDERR_FILENO) (void)::close(file_);
  }

  [[nodiscard]] Result<void> open() override {
    if (file_ >= 0) return {};
    constexpr const char* step = "opening a log file";
    QNNPP_TRY(check_name(path_, step));
    file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file_ >= 0) return {};
    const int why = errno;
    Error error = Error::make(Errc::file_unwritable, step, path_);
    error.code = static_cast<std::uint16_t>(why);
    return fail(std::move(error));
  }

  void write(c_api::LogLevel level, std::string_view text) noexcept override {
    drop_if_thrown([&] { write_line(level, text); });
  }

 private:
  void write_line(c_api::LogLevel level, std::string_view text) const {
    std::timespec now = {};
    (void)::clock_gettime(CLOCK_REALTIME, &now);
    std::tm utc = {};
    (void)::gmtime_r(&now.tv_sec, &utc);
    char time[32];
    (void)std::strftime(time, sizeof(time), "%Y-%m-%dT%H:%M:%S", &utc);
    char start[64];
    (void)std::snprintf(start, sizeof(start), "%s.%03dZ ", time,
                        static_cast<int>(now.tv_nsec / 1'000'000));
    const std::string line = start + level_text(level) + ' ' + one_line(text) + '\n';
    std::string_view rest = line;
    while (!rest.empty()) {
      const ::ssize_t written = ::write(file_, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return;
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  std::string path_;
  int file_ = -1;
};

/// Passes lines to liblog.so.
class AndroidSink final : public LogSink {
 public:
  explicit AndroidSink(std::string tag) : tag_(std::move(tag)) {}

  [[nodiscard]] Result<void> open() override {
    if (write_ != nullptr) return {};
    QNNPP_LET(library, SharedLibrary::open("liblog.so", "__android_log_write"));
    QNNPP_LET(write, library->symbol("__android_log_write"));
    library_.emplace(std::move(*library));
    write_ = reinterpret_cast<WriteFn>(*write);
    return {};
  }

  void write(c_api::LogLevel level, std::string_view text) noexcept override {
    drop_if_thrown([&] { (void)write_(priority_of(level), tag_.c_str(), one_line(text).c_str()); });
  }

 private:
  using WriteFn = int (*)(int priority, const char* tag, const char* text);

  /// android_LogPriority of a level. QNN's most detailed level is `debug`, Android's is VERBOSE.
  [[nodiscard]] static int priority_of(c_api::LogLevel level) noexcept {
    switch (level) {
      case c_api::LogLevel::error: return 6;
      case c_api::LogLevel::warn: return 5;
      case c_api::LogLevel::info: return 4;
      case c_api::LogLevel::verbose: return 3;
      default: return 2;
    }
  }

  std::string tag_;
  std::optional<SharedLibrary> library_;
  WriteFn write_ = nullptr;
};

}  // namespace detail

QNNPP_INLINE std::string level_text(c_api::LogLevel level) {
  constexpr std::string_view names[] = {"error", "warn", "info", "verbose", "debug"};
  const auto number = static_cast<std::size_t>(level);
  return number - 1 < std::size(names) ? std::string(names[number - 1])
                                       : detail::joined({"level ", number});
}

QNNPP_INLINE LogOptions log_to_stderr(c_api::LogLevel level) {
  return {LogOptions::To::sink, level, Ref<detail::FileSink>::make()};
}

QNNPP_INLINE LogOptions log_to_file(std::string path, c_api::LogLevel level) {
  return {LogOptions::To::sink, level, Ref<detail::FileSink>::make(std::move(path))};
}

QNNPP_INLINE LogOptions log_to_android(c_api::LogLevel level, std::string tag) {
  return {LogOptions::To::sink, level, Ref<detail::AndroidSink>::make(std::move(tag))};
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
