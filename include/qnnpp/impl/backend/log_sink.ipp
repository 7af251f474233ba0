// Definitions of log_sink.hpp.
#pragma once

#include "qnnpp/backend/detail/log_sink.hpp"

#include "qnnpp/config.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>

#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/error.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE bool LogSlots::runs_here() const noexcept {
  // A sink of this thread is counted by this thread.
  if (running_.load(std::memory_order_relaxed) == 0) [[likely]]
    return false;
  const void* const me = thread_address();
  for (const Slot& slot : slots_)
    if (slot.runner.load(std::memory_order_relaxed) == me) return true;
  return false;
}

[[gnu::noinline]] QNNPP_INLINE void LogSlots::expect_none_runs_here() const noexcept {
  qnnpp::detail::expects(
      !runs_here(),
      "a log sink must not create, finalize or free a backend or a context; do it when "
      "the sink has returned");
}

QNNPP_INLINE Result<std::size_t> LogSlots::take(const Ref<LogSink>& sink, c_api::LogLevel level) {
  expect_none_runs_here();
  {
    // Opening may block, for example on a FIFO. Only loads with this sink wait for it.
    const std::lock_guard opening(sink->opening_);
    QNNPP_TRY(sink->open());
  }
  const std::lock_guard guard(mutex_);
  std::size_t found = count;
  for (std::size_t i = count; i-- != 0;)
    if (slots_[i].uses == 0) found = i;
  for (std::size_t i = 0; i != count; ++i)
    if (slots_[i].sink == sink) found = i;
  if (found == count)
    return fail(Errc::in_use, "loading a backend", "log sinks",
                {"all ", count, " of the process are in use; copies of one LogOptions share one"});
  // exit() calls handlers and destroys static objects in the reverse order of their registration
  // and construction. So each load registers end(), to run before older objects are destroyed.
  (void)std::atexit([] { log_slots->end(); });
  Slot& slot = slots_[found];
  slot.errors_only = level == c_api::LogLevel::error && (slot.uses == 0 || slot.errors_only);
  if (slot.uses++ == 0) {
    const std::lock_guard running(slot.mutex);
    slot.sink = sink;
  }
  return found;
}

QNNPP_INLINE void LogSlots::end() noexcept {
  if (is_ended_.exchange(true)) return;
  // A sink may wait for the thread that calls exit(), so the wait has a limit.
  int rest_ms = 1'000;
  for (Slot& slot : slots_) {
    if (slot.runner.load(std::memory_order_relaxed) == thread_address()) continue;
    while (!slot.mutex.try_lock()) {
      if (rest_ms-- == 0) return;
      constexpr std::timespec one_ms = {0, 1'000'000};
      (void)::nanosleep(&one_ms, nullptr);
    }
    slot.mutex.unlock();
  }
}

QNNPP_INLINE void LogSlots::give_back(std::size_t index) noexcept {
  expect_none_runs_here();
  Ref<LogSink> sink;  // Destroyed after the locks.
  const std::lock_guard guard(mutex_);
  Slot& slot = slots_[index];
  if (--slot.uses != 0) return;
  const std::lock_guard running(slot.mutex);
  sink = std::move(slot.sink);
}

QNNPP_INLINE void LogSlots::pass(std::size_t index, c_api::LogLevel level,
                                 std::string_view text) noexcept {
  if (is_kept(level, text)) error_lines->add(text);
  if (runs_here()) return;
  Slot& slot = slots_[index];
  const std::lock_guard guard(slot.mutex);
  if (!slot.sink || is_ended_) return;
  if (slot.errors_only && level != c_api::LogLevel::error) return;
  running_.fetch_add(1, std::memory_order_relaxed);
  slot.runner.store(thread_address(), std::memory_order_relaxed);
  slot.sink->write(level, text);
  slot.runner.store(nullptr, std::memory_order_relaxed);
  running_.fetch_sub(1, std::memory_order_relaxed);
}

/// Formats a line and passes it to a slot. Cuts a text of 512 characters or more if memory for it
/// is missing.
QNNPP_INLINE void pass_line(std::size_t slot, const char* format, c_api::LogLevel level,
                            std::va_list arguments) noexcept {
  if (format == nullptr) return;
  char short_text[512];
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(short_text, sizeof(short_text), format, arguments);
  if (length >= 0 && static_cast<std::size_t>(length) < sizeof(short_text)) {
    log_slots->pass(slot, level, {short_text, static_cast<std::size_t>(length)});
  } else if (length >= 0) {
    const auto size = static_cast<std::size_t>(length) + 1;
    if (char* const long_text = new (std::nothrow) char[size]) {
      (void)std::vsnprintf(long_text, size, format, again);
      log_slots->pass(slot, level, {long_text, size - 1});
      delete[] long_text;
    } else {
      log_slots->pass(slot, level, {short_text, sizeof(short_text) - 1});
    }
  }
  va_end(again);
}

/// The callbacks of all slots.
template <std::size_t... Slot>
[[nodiscard]] constexpr auto log_callbacks(std::index_sequence<Slot...>) noexcept {
  return std::array<c_api::LogCallback, sizeof...(Slot)>{
      [](const char* format, c_api::LogLevel level, std::uint64_t /*timestamp*/,
         std::va_list arguments) { pass_line(Slot, format, level, arguments); }...};
}

QNNPP_INLINE c_api::LogCallback LogSlots::callback(std::size_t slot) noexcept {
  static constexpr auto callbacks = log_callbacks(std::make_index_sequence<count>());
  return callbacks[slot];
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
