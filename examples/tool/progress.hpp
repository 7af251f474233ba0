// Progress of a program: one line on stderr that is drawn again and again, if stderr is a terminal.
#pragma once

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "qnnpp/core/error.hpp"
#include "qnnpp/model/load.hpp"

#include "interrupt.hpp"

namespace tool {

/// Returns whether progress is drawn on stderr: it is a terminal, and the user did not ask for
/// silence.
[[nodiscard]] inline bool draws_progress(bool quiet) { return !quiet && ::isatty(2) == 1; }

/// One line on stderr, which draw() replaces. The destructor erases it. Draws nothing if stderr is
/// no terminal, or one of less than 24 columns. Uses colours unless NO_COLOR is set or the terminal
/// is dumb. Thread-safe.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet = false) : is_drawn_(draws_progress(quiet)) {
    const char* const no_color = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    has_colours_ = (no_color == nullptr || *no_color == '\0') && terminal != nullptr &&
                   std::string(terminal) != "dumb";
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { erase(); }

  /// Draws a bar that shows `done` of `total`, and `text`, cut to the width of the terminal; "?"
  /// for a character outside ASCII, whose width is not known. Draws at most 20 times a second;
  /// `now` draws in any case.
  void draw(std::uint64_t done, std::uint64_t total, const std::string& text, bool now = false) {
    if (!is_drawn_) return;
    const std::lock_guard lock(mutex_);
    const auto time = std::chrono::steady_clock::now();
    if (!now && time - last_ < std::chrono::milliseconds(50)) return;
    const std::size_t most = columns();
    if (most < bar + 4) return;
    last_ = time;
    const double share = total == 0 ? 0 : static_cast<double>(done) / static_cast<double>(total);
    const auto full = std::min(bar, static_cast<std::size_t>(share * static_cast<double>(bar)));
    const std::string bar_text = std::string(full, '#') + std::string(bar - full, '.');
    const std::string words = ascii(" " + qnnpp::escaped(text)).substr(0, most - bar - 3);
    const std::size_t width = bar + 2 + words.size();
    const std::string old(width_ > width ? width_ - width : 0, ' ');
    std::fputs(
        ("\r[" + (has_colours_ ? "\x1b[32m" + bar_text + "\x1b[0m" : bar_text) + "]" + words + old)
            .c_str(),
        stderr);
    std::fflush(stderr);
    width_ = width + old.size();
  }

  /// Erases the line, before the program prints something else.
  void erase() {
    const std::lock_guard lock(mutex_);
    erase_locked();
  }

  /// Erases the line and prints another one to stderr, with control characters escaped. Any thread
  /// may call it, for example a log's.
  void print(const std::string& text) {
    const std::string line = qnnpp::escaped(text) + "\n";
    const std::lock_guard lock(mutex_);
    erase_locked();
    std::fputs(line.c_str(), stderr);
  }

 private:
  static constexpr std::size_t bar = 20;

  void erase_locked() {
    if (width_ == 0) return;
    std::fputs(("\r" + std::string(width_, ' ') + "\r").c_str(), stderr);
    std::fflush(stderr);
    width_ = 0;
  }
  /// Returns UTF-8 text with "?" for each character outside ASCII.
  [[nodiscard]] static std::string ascii(const std::string& text) {
    std::string plain;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80)
        plain += c;
      else if (byte >= 0xC0)  // The first byte of a character.
        plain += '?';
    }
    return plain;
  }
  /// Returns the columns of the terminal; 80 if they are not known.
  [[nodiscard]] static std::size_t columns() {
    winsize size{};
    const bool known = ::ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
    return known ? size.ws_col : 80;
  }

  std::mutex mutex_;  // Of stderr and of the members below.
  bool is_drawn_;
  bool has_colours_ = false;
  std::size_t width_ = 0;  // Columns that are drawn.
  std::chrono::steady_clock::time_point last_ = {};
};

/// Returns a callback for LoadOptions::progress that draws the progress on `line` and cancels the
/// load after a signal. `line` must outlive it.
[[nodiscard]] inline qnnpp::model::ProgressCallback draw_loading(ProgressLine& line) {
  return [&line](const qnnpp::model::Progress& progress) {
    line.draw(progress.bytes_done, progress.bytes_total,
              std::to_string(progress.context + 1) + " of " + std::to_string(progress.contexts) +
                  ", " + name_of(progress.phase) + ": " +
                  progress.binary.substr(progress.binary.rfind('/') + 1));
    return !Interrupt::requested();
  };
}

}  // namespace tool
