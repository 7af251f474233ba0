// ErrorLines: the last error lines that QNN logged, for failures that only the log explains.
#pragma once

#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "qnnpp/abi/log.hpp"
#include "qnnpp/core/error.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// Which threads logged the lines that explain an error.
enum class LinesOf : std::uint8_t {
  this_thread,  ///< QNN answers a call on the thread that makes it.
  all_threads,  ///< QNN works on threads of its own; lines of other calls may be among them.
};

/// The last lines added, each cut to a fixed length. Thread-safe; neither adds nor frees memory.
/// Usable until the process ends, as QNN may log until then.
class ErrorLines {
 public:
  constexpr ErrorLines() noexcept : mutex_() {}
  ErrorLines(const ErrorLines&) = delete;
  ErrorLines& operator=(const ErrorLines&) = delete;
  ~ErrorLines() {}  // leaves the mutex usable

  /// The HTP library adds up to eleven lines of its own after the one that names a cause.
  static constexpr std::size_t kept = 12;
  static constexpr std::size_t most_bytes = 240;

  /// Adds a line, without line breaks at its end and " <E> " or " <W> " at its start. An empty line
  /// is not added.
  void add(std::string_view text) noexcept;

  /// Number of lines added so far; pass it to since().
  [[nodiscard]] std::uint64_t count() const noexcept {
    return count_.load(std::memory_order_acquire);
  }

  /// The lines that were added after the first `count_before` and are still kept, oldest first,
  /// joined by "; ". A line that repeats the one before it is left out.
  [[nodiscard]] std::string since(std::uint64_t count_before, LinesOf which = LinesOf::this_thread);

 private:
  struct Line {
    const void* thread;  ///< Of the thread that logged it.
    char text[most_bytes];
    std::size_t length;
  };

  union {
    std::mutex mutex_;  ///< Never destroyed.
  };
  std::atomic<std::uint64_t> count_{0};  ///< Changed under the mutex.
  Line lines_[kept] = {};
};

/// Whether a line is kept: an error, or the warning in which alone the HTP library names the file
/// that it could not load at its start.
[[nodiscard]] bool is_kept(c_api::LogLevel level, std::string_view text) noexcept;

/// One for the process: a log callback has no user pointer, so it cannot say whose line it is.
inline constinit ErrorLines error_lines;

/// `error` with the error lines that QNN has logged after the first `count_before`: a code seldom
/// says what the log does.
[[nodiscard]] Error with_log(Error error, std::uint64_t count_before,
                             LinesOf which = LinesOf::this_thread);

/// The log callback of a backend whose messages nobody wants: keeps error lines.
void keep_error_line(const char* format, c_api::LogLevel level, std::uint64_t timestamp,
                     std::va_list arguments);

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/error_lines.ipp"
#endif
