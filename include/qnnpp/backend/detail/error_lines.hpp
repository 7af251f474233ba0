// ErrorLines: keeps the last error lines that QNN logged, for failures that only the log explains.
#pragma once

#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "qnnpp/abi/log.hpp"
#include "qnnpp/core/detail/process_wide.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Threads whose lines explain an error.
enum class LinesOf : std::uint8_t {
  this_thread,  ///< For a call that QNN handles on the calling thread.
  all_threads,  ///< For a call that QNN handles on its own threads; includes lines of other calls.
};

/// Keeps the last lines added, each cut to a fixed length. Thread-safe. Adding a line allocates
/// nothing. Its layout is fixed: see ProcessWide.
class ErrorLines {
 public:
  /// Number of lines kept: the HTP library logs up to eleven lines after the line that names a
  /// cause.
  static constexpr std::size_t kept = 12;
  /// Bytes kept of each line.
  static constexpr std::size_t most_bytes = 240;

  /// Adds a line. Removes line breaks at its end, and " <E> " or " <W> " at its start. Ignores an
  /// empty line. After a line that refuses the stub library, adds one with the stub's file.
  void add(std::string_view text) noexcept;

  /// Number of lines added so far; pass it to since().
  [[nodiscard]] std::uint64_t count() const noexcept {
    return count_.load(std::memory_order_acquire);
  }

  /// Whether the HTP library has logged that it could not recover from a restart of the DSP. The
  /// codes of later calls do not say so (SSR-02): 5005 of a list, 1003 or 1002 of an execution.
  [[nodiscard]] bool is_dsp_lost() const noexcept { return is_dsp_lost_.load(); }

  /// Returns the kept lines that were added after the first `count_before`, oldest first, joined by
  /// "; ". Leaves out a line that repeats the previous line.
  [[nodiscard]] std::string since(std::uint64_t count_before, LinesOf which = LinesOf::this_thread);

 private:
  struct Line {
    const void* thread;  ///< Thread that logged the line.
    char text[most_bytes];
    std::size_t length;
  };

  std::mutex mutex_;
  std::atomic<std::uint64_t> count_{0};  ///< Changed under the mutex.
  std::atomic<bool> is_dsp_lost_{false};
  Line lines_[kept] = {};
};

/// Address that differs between threads that live at the same time.
[[nodiscard]] const void* thread_address() noexcept;

/// Whether a line is kept: an error, or the warning that names the file which the HTP library could
/// not load when it started. No error line names that file.
[[nodiscard]] bool is_kept(c_api::LogLevel level, std::string_view text) noexcept;

/// Lines of all backends of the process: a log callback has no user pointer that names its backend.
/// QNN may log until the process ends.
inline constinit ProcessWide<ErrorLines, SharedObject::error_lines> error_lines;

/// Adds lines of the log to an error: all to Error::log, their beginning to Error::detail.
[[nodiscard]] Error with_lines(Error error, std::string_view lines);
/// Adds to `error` the error lines that QNN logged after the first `count_before`: the log often
/// explains more than the code. Also says so if the process has lost the DSP.
[[nodiscard]] Error with_log(Error error, std::uint64_t count_before,
                             LinesOf which = LinesOf::this_thread);
/// Adds the same lines of this thread to the error of `done`, if there is one.
[[nodiscard]] Result<void> with_log(Result<void> done, std::uint64_t count_before);

/// Log callback for LogOptions::To::nobody: keeps error lines and drops the others.
void keep_error_line(const char* format, c_api::LogLevel level, std::uint64_t timestamp,
                     std::va_list arguments);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/error_lines.ipp"
#endif
