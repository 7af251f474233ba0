// log_to and its relatives: a backend's messages as text.
#include "qnnpp/backend/log.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"

#include "fake_library.hpp"

namespace {

using qnnpp::Backend;
using qnnpp::Htp;
using qnnpp::LogOptions;
using qnnpp::c_api::LogLevel;
using qnnpp::detail::error_lines;
using qnnpp::detail::ErrorLines;
using qnnpp::detail::LinesOf;

// Stores its messages. Static, as every sink must be.
struct Sink {
  void operator()(LogLevel level, std::string_view text) {
    const std::scoped_lock lock(mutex);
    messages.emplace_back(level, std::string(text));
  }
  std::mutex mutex;
  std::vector<std::pair<LogLevel, std::string>> messages;
};
Sink sink;

class logging : public fakes::Fake {
 protected:
  void SetUp() override {
    fakes::Fake::SetUp();
    sink.messages.clear();
    auto loaded = Backend<Htp>::load({.library = path, .log = qnnpp::log_to<sink>(LogLevel::info)});
    ASSERT_TRUE(loaded.has_value());
    backend_.emplace(std::move(*loaded));
  }

 private:
  std::optional<Backend<Htp>> backend_;
};

TEST_F(logging, passes_level_and_text) {
  EXPECT_EQ(record().level, LogLevel::info);
  control->emit(LogLevel::warn, "context %d of %s: %.2f", 7, "a.bin", 0.5);
  control->emit(LogLevel::error, "plain");
  ASSERT_EQ(sink.messages.size(), 2u);
  EXPECT_EQ(sink.messages[0].first, LogLevel::warn);
  EXPECT_EQ(sink.messages[0].second, "context 7 of a.bin: 0.50");
  EXPECT_EQ(sink.messages[1].first, LogLevel::error);
  EXPECT_EQ(sink.messages[1].second, "plain");
}

TEST_F(logging, passes_texts_of_every_length_whole) {
  for (const std::size_t length : {0u, 1u, 510u, 511u, 512u, 513u, 5000u}) {
    sink.messages.clear();
    const std::string text(length, 'x');
    control->emit(LogLevel::info, "%s%s", text.c_str(), "|");
    ASSERT_EQ(sink.messages.size(), 1u);
    EXPECT_EQ(sink.messages[0].second, text + "|") << length;
    EXPECT_EQ(sink.messages[0].first, LogLevel::info) << length;
  }
}

TEST_F(logging, ASY_02_passes_error_lines_and_keeps_them_too) {
  const std::uint64_t moment = error_lines->count();
  control->emit(LogLevel::warn, "a warning");
  control->emit(LogLevel::error, "no %s\n", "room");
  EXPECT_EQ(sink.messages.size(), 2u);
  EXPECT_EQ(sink.messages[1].second, "no room\n");
  EXPECT_EQ(error_lines->since(moment), "no room");
}

TEST(error_lines_of_a_log, ASY_02_are_the_last_since_a_moment_and_the_oldest_first) {
  ErrorLines lines;
  lines.add("before");
  const std::uint64_t moment = lines.count();
  EXPECT_EQ(lines.since(moment), "");
  lines.add("");
  lines.add("one");
  lines.add(" <E> two\r\n");
  EXPECT_EQ(lines.since(moment), "one; two");
  std::string last;
  for (std::size_t i = 0; i < ErrorLines::kept; ++i) {
    lines.add(std::to_string(i));
    last += (i == 0 ? "" : "; ") + std::to_string(i);
  }
  EXPECT_EQ(lines.since(moment), last);
  EXPECT_EQ(lines.since(0), last);
}

TEST(error_lines_of_a_log, that_repeat_the_one_before_are_left_out) {
  ErrorLines lines;
  for (const char* text : {"again", "again", "other", "again"}) lines.add(text);
  EXPECT_EQ(lines.since(0), "again; other; again");
}

TEST(error_lines_of_a_log, that_are_long_are_cut) {
  ErrorLines lines;
  lines.add(std::string(5000, 'x'));
  EXPECT_EQ(lines.since(0), std::string(ErrorLines::most_bytes, 'x'));
}

TEST(error_lines_of_a_log, of_many_bytes_are_whole_in_the_log_of_an_error_and_short_in_its_detail) {
  const std::uint64_t before = error_lines->count();
  const std::string first(200, 'a'), second(200, 'b');
  error_lines->add(first);
  error_lines->add(second);
  const auto error =
      qnnpp::detail::with_log(qnnpp::Error::from_qnn(1002, "QnnGraph_finalize", "net"), before);
  EXPECT_EQ(error.log, first + "; " + second);
  EXPECT_EQ(error.detail, "log: " + first + "; " + std::string(95, 'b') + "...");
  EXPECT_LE(error.message().size(), 600u);
  EXPECT_EQ(error.message().find(second), std::string::npos);
}

TEST(error_lines_of_a_log, from_several_threads_are_whole) {
  ErrorLines lines;
  std::vector<std::thread> running;
  for (const char letter : {'a', 'b', 'c', 'd'})
    running.emplace_back([&lines, letter] {
      for (int i = 0; i < 500; ++i) lines.add(std::string(100, letter));
    });
  for (int i = 0; i < 100; ++i) {
    const std::string all = lines.since(0, LinesOf::all_threads);
    for (std::size_t at = 0; at < all.size(); at += 102)
      EXPECT_EQ(all.substr(at, 100), std::string(100, all[at]));
  }
  for (auto& thread : running) thread.join();
  EXPECT_EQ(lines.count(), 2000u);
}

TEST(error_lines_of_a_log, ASY_02_of_another_thread_explain_no_error_of_this_one) {
  ErrorLines lines;
  lines.add("mine");
  std::thread([&lines] { lines.add("another's"); }).join();
  lines.add("mine, too");
  EXPECT_EQ(lines.since(0), "mine; mine, too");
  EXPECT_EQ(lines.since(0, LinesOf::all_threads), "mine; another's; mine, too");
}

TEST_F(logging, of_no_format_is_no_message) {
  control->emit(LogLevel::info, nullptr);
  EXPECT_TRUE(sink.messages.empty());
}

TEST_F(logging, from_several_threads_mixes_no_texts) {
  constexpr int threads = 4;
  constexpr int each = 200;
  std::vector<std::thread> running;
  for (int thread = 0; thread < threads; ++thread)
    running.emplace_back([this, thread] {
      const std::string filler(thread % 2 == 0 ? 10 : 700, static_cast<char>('a' + thread));
      for (int i = 0; i < each; ++i)
        control->emit(LogLevel::info, "%d %d %s", thread, i, filler.c_str());
    });
  for (auto& thread : running) thread.join();

  ASSERT_EQ(sink.messages.size(), static_cast<std::size_t>(threads * each));
  std::vector<int> next(threads, 0);
  for (const auto& [level, text] : sink.messages) {
    const auto thread = static_cast<std::size_t>(text.at(0) - '0');
    const std::string filler(thread % 2 == 0 ? 10 : 700, static_cast<char>('a' + thread));
    ASSERT_EQ(text,
              std::to_string(thread) + " " + std::to_string(next.at(thread)++) + " " + filler);
  }
}

// A sink may be a function.
std::string last_text;
void keep_last(LogLevel, std::string_view text) { last_text = text; }

class log_options : public fakes::Fake {};

TEST_F(log_options, ASY_02_by_default_keep_error_lines_and_no_other) {
  const auto loaded = Backend<Htp>::load({.library = path});
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(record().live_logs, 1);
  EXPECT_EQ(record().backend_log, loaded->native_log());
  EXPECT_EQ(record().level, LogLevel::warn);
  const std::uint64_t moment = error_lines->count();
  control->emit(LogLevel::warn, "a warning");
  control->emit(LogLevel::error, nullptr);
  control->emit(LogLevel::error, "estimate of %d bytes", 7);
  EXPECT_EQ(error_lines->since(moment), "estimate of 7 bytes");
}

TEST_F(log_options, by_default_keep_the_warning_that_names_a_library_that_is_not_there) {
  const auto loaded = Backend<Htp>::load({.library = path});
  ASSERT_TRUE(loaded.has_value());
  const std::uint64_t moment = error_lines->count();
  control->emit(LogLevel::warn, " <W> Failed in loading stub: %s: no such file\n", "libStub.so");
  EXPECT_EQ(error_lines->since(moment), "Failed in loading stub: libStub.so: no such file");
}

TEST_F(log_options, by_default_are_no_reason_to_fail_where_no_logger_can_be_made) {
  control->behaviour.log_create_result = 11002;
  const auto loaded = Backend<Htp>::load({.library = path});
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(record().live_logs, 0);
  EXPECT_EQ(record().backend_log, nullptr);
  EXPECT_EQ(loaded->native_log(), nullptr);
}

TEST_F(log_options, by_default_are_no_reason_to_fail_where_the_library_has_no_log) {
  for (const std::size_t slot : {offsetof(qnnpp::c_api::InterfaceTable, log_create),
                                 offsetof(qnnpp::c_api::InterfaceTable, log_free)}) {
    control->behaviour.null_slots[0] = static_cast<std::int32_t>(slot / sizeof(void*));
    const auto loaded = Backend<Htp>::load({.library = path});
    ASSERT_TRUE(loaded.has_value());
    EXPECT_EQ(loaded->native_log(), nullptr);
  }
}

TEST_F(log_options, to_the_platform_make_a_logger_without_a_callback) {
  const auto loaded =
      Backend<Htp>::load({.library = path, .log = qnnpp::log_to_platform(LogLevel::error)});
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(record().live_logs, 1);
  EXPECT_EQ(record().callback, nullptr);
  EXPECT_EQ(record().level, LogLevel::error);
}

TEST_F(log_options, with_a_sink_for_nobody_or_the_platform_are_refused) {
  LogOptions options = qnnpp::log_to<sink>(LogLevel::warn);
  for (const auto to : {LogOptions::To::nobody, LogOptions::To::platform}) {
    options.to = to;
    const auto loaded = Backend<Htp>::load({.library = path, .log = options});
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().kind, qnnpp::Errc::invalid_argument);
    EXPECT_EQ(record().live_logs, 0);
  }
}

TEST_F(log_options, take_a_function_as_a_sink_too) {
  const LogOptions options = qnnpp::log_to<keep_last>(LogLevel::debug);
  const auto loaded = Backend<Htp>::load({.library = path, .log = options});
  ASSERT_TRUE(loaded.has_value());
  control->emit(LogLevel::debug, "%s", "to a function");
  EXPECT_EQ(last_text, "to a function");
}

TEST_F(log_options, give_the_logger_to_backend_and_device) {
  const auto loaded =
      Backend<Htp>::load({.library = path, .log = qnnpp::log_to<sink>(LogLevel::warn)});
  ASSERT_TRUE(loaded.has_value());
  EXPECT_NE(loaded->native_log(), nullptr);
  EXPECT_EQ(record().backend_log, loaded->native_log());
  EXPECT_EQ(record().device_log, loaded->native_log());
}

// Last, because the process stays without a DSP.
TEST(error_lines_of_a_log, SSR_02_that_tell_of_a_lost_dsp_are_in_every_later_error) {
  error_lines->add(" <E> SSR failed to recover CDSP sessions!\n");
  const qnnpp::Error later = qnnpp::detail::with_log(
      qnnpp::Error::from_qnn(1003, "QnnGraph_execute", "net"), error_lines->count());
  EXPECT_EQ(later.detail, "the DSP did not come back from a restart: restart the process");
}

}  // namespace
