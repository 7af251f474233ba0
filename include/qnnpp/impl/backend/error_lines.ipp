// Definitions of error_lines.hpp.
#pragma once

#include "qnnpp/backend/detail/error_lines.hpp"

#include "qnnpp/config.hpp"

#include <cerrno>
#include <cstdio>
#include <utility>

#include "qnnpp/backend/detail/dsp_side.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE const void* thread_address() noexcept { return &errno; }

QNNPP_INLINE void ErrorLines::add(std::string_view text) noexcept {
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  // The HTP library writes the level before each line.
  while (text.starts_with(' ')) text.remove_prefix(1);
  if (text.starts_with("<E> ") || text.starts_with("<W> ")) text.remove_prefix(4);
  if (text.empty()) return;
  if (text.find("SSR failed to recover") != std::string_view::npos) is_dsp_lost_ = true;
  {
    const std::lock_guard guard(mutex_);
    const std::uint64_t before = count();
    Line& line = lines_[before % kept];
    line.thread = thread_address();
    line.length = text.copy(line.text, most_bytes);
    count_.store(before + 1, std::memory_order_release);
  }
  if (text.find(refuses_stub) == std::string_view::npos) return;
  char file[most_bytes];
  add(line_of_refused_stub(file));
}

QNNPP_INLINE std::string ErrorLines::since(std::uint64_t count_before, LinesOf which) {
  std::string joined;
  std::string_view before;
  const std::lock_guard guard(mutex_);
  const std::uint64_t added = count();
  if (added - count_before > kept) count_before = added - kept;
  for (; count_before != added; ++count_before) {
    const Line& line = lines_[count_before % kept];
    if (which == LinesOf::this_thread && line.thread != thread_address()) continue;
    const std::string_view text(line.text, line.length);
    if (text == before) continue;
    if (!joined.empty()) joined += "; ";
    joined += text;
    before = text;
  }
  return joined;
}

QNNPP_INLINE bool is_kept(c_api::LogLevel level, std::string_view text) noexcept {
  return level == c_api::LogLevel::error ||
         (level == c_api::LogLevel::warn &&
          text.find("Failed in loading stub") != std::string_view::npos);
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error with_lines(Error error, std::string_view lines) {
  constexpr std::size_t shown = 300;
  if (lines.empty()) return error;
  error.detail += joined({error.detail.empty() ? "log: " : "; log: ", shortened(lines, shown)});
  error.log += joined({error.log.empty() ? "" : "; ", lines});
  return error;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error with_log(Error error, std::uint64_t count_before,
                                                         LinesOf which) {
  if (error_lines->is_dsp_lost())
    error.detail += joined({error.detail.empty() ? "" : "; ",
                            "the DSP did not come back from a restart: restart the process"});
  return with_lines(std::move(error), error_lines->since(count_before, which));
}

QNNPP_INLINE Result<void> with_log(Result<void> done, std::uint64_t count_before) {
  if (done) return done;
  return fail(with_log(std::move(done).error(), count_before));
}

QNNPP_INLINE void keep_error_line(const char* format, c_api::LogLevel level,
                                  std::uint64_t /*timestamp*/, std::va_list arguments) {
  if (format == nullptr || level > c_api::LogLevel::warn) return;
  char text[ErrorLines::most_bytes + 1];
  if (std::vsnprintf(text, sizeof(text), format, arguments) >= 0 && is_kept(level, text))
    error_lines->add(text);
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
