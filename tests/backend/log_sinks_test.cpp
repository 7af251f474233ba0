// The sinks of LogOptions: who owns them, when they are called, and where lines end up.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/backend/log.hpp"

#include "../support/temporary_folder.hpp"
#include "fake_library.hpp"
#include "fakes/android_log.hpp"

namespace log_sinks { namespace {

using qnnpp::Backend;
using qnnpp::Errc;
using qnnpp::Htp;
using qnnpp::LogOptions;
using qnnpp::c_api::LogLevel;
using qnnpp::detail::error_lines;
using qnnpp::detail::LogSlots;

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class log_sinks : public fakes::Fake {
 protected:
  [[nodiscard]] static Backend<Htp> load(LogOptions log) {
    auto loaded = Backend<Htp>::load({.library = path, .log = std::move(log)});
    EXPECT_TRUE(loaded.has_value()) << loaded.error().message();
    return std::move(*loaded);
  }
  [[nodiscard]] static Errc refused(LogOptions log) {
    const auto loaded = Backend<Htp>::load({.library = path, .log = std::move(log)});
    EXPECT_FALSE(loaded.has_value());
    return loaded ? Errc::qnn : loaded.error().kind;
  }
};

/// Sink that only moves; notes its destruction and the loggers that live then.
struct Owned {
  struct Facts {
    int calls = 0;
    int destroyed = 0;
    int logs_at_destruction = -1;
  };
  Owned(Facts& into, const fakes::Record& of) : facts(&into), record(&of) {}
  Owned(Owned&& other) noexcept
      : facts(std::exchange(other.facts, nullptr)), record(other.record) {}
  ~Owned() {
    if (facts == nullptr) return;
    ++facts->destroyed;
    facts->logs_at_destruction = record->live_logs;
  }
  void operator()(LogLevel, std::string_view) { ++facts->calls; }
  Facts* facts;
  const fakes::Record* record;
};

TEST_F(log_sinks, are_owned_by_the_backend_and_destroyed_after_its_log) {
  Owned::Facts facts;
  {
    auto backend = load(qnnpp::log_to(Owned(facts, record()), LogLevel::info));
    control->emit(LogLevel::info, "one");
    EXPECT_EQ(facts.calls, 1);
    EXPECT_EQ(facts.destroyed, 0);
    const auto shared = backend.share();
    {
      const auto ended = std::move(backend);
    }
    control->emit(LogLevel::info, "two");
    EXPECT_EQ(facts.calls, 2);
  }
  EXPECT_EQ(facts.destroyed, 1);
  EXPECT_EQ(facts.logs_at_destruction, 0);
  expect_nothing_open();
  control->emit(LogLevel::info, "three");
  EXPECT_EQ(facts.calls, 2);
}

TEST_F(log_sinks, are_destroyed_by_close_and_by_a_load_that_fails) {
  Owned::Facts facts;
  {
    const auto backend = load(qnnpp::log_to(Owned(facts, record()), LogLevel::info));
  }
  EXPECT_EQ(facts.destroyed, 1);
  auto backend = load(qnnpp::log_to(Owned(facts, record()), LogLevel::info));
  ASSERT_TRUE(std::move(backend).close().has_value());
  EXPECT_EQ(facts.destroyed, 2);
  control->behaviour.device_create_result = 14001;
  EXPECT_EQ(refused(qnnpp::log_to(Owned(facts, record()), LogLevel::info)), Errc::qnn);
  EXPECT_EQ(facts.destroyed, 3);
  control->emit(LogLevel::info, "later");
  EXPECT_EQ(facts.calls, 0);
}

TEST_F(log_sinks, keep_error_lines_after_the_backend_too) {
  {
    const auto backend = load(qnnpp::log_to([](LogLevel, std::string_view) {}, LogLevel::info));
  }
  const std::uint64_t moment = error_lines->count();
  control->emit(LogLevel::error, "late");
  EXPECT_EQ(error_lines->since(moment), "late");
}

TEST_F(log_sinks, are_called_by_one_thread_at_a_time) {
  int running = 0;
  int most = 0;
  int calls = 0;
  const auto options = qnnpp::log_to(
      [&](LogLevel, std::string_view) {
        most = ++running > most ? running : most;
        ++calls;
        std::this_thread::yield();
        --running;
      },
      LogLevel::info);
  // Two backends that share a sink.
  const auto one = load(options);
  const auto two = load(options);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([this] {
      for (int line = 0; line < 200; ++line) control->emit(LogLevel::info, "line");
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(calls, 800);
}

TEST_F(log_sinks, of_level_error_keep_the_warning_that_names_a_missing_library) {
  std::vector<LogLevel> received;
  const LogOptions options = qnnpp::log_to(
      [&](LogLevel level, std::string_view) { received.push_back(level); }, LogLevel::error);
  const auto backend = load(options);
  EXPECT_EQ(record().level, LogLevel::warn);
  const std::uint64_t moment = error_lines->count();
  control->emit(LogLevel::warn, "Failed in loading stub: libStub.so");
  EXPECT_EQ(error_lines->since(moment), "Failed in loading stub: libStub.so");
  EXPECT_TRUE(received.empty());
  control->emit(LogLevel::error, "an error");
  EXPECT_EQ(received, std::vector{LogLevel::error});
  // A copy of another level shares the sink.
  LogOptions further = options;
  further.level = LogLevel::info;
  const auto second = load(further);
  control->emit(LogLevel::warn, "a warning");
  EXPECT_EQ(received, (std::vector{LogLevel::error, LogLevel::warn}));
}

/// Sink whose open() blocks until the test permits it to return, as that of a FIFO does.
struct Blocking final : qnnpp::detail::LogSink {
  qnnpp::Result<void> open() override {
    is_opening = true;
    while (!may_open) std::this_thread::yield();
    return {};
  }
  void write(LogLevel, std::string_view) noexcept override {}
  std::atomic<bool> is_opening{false};
  std::atomic<bool> may_open{false};
};

TEST_F(log_sinks, that_block_when_opened_block_no_other_backend) {
  const auto blocking = qnnpp::Ref<Blocking>::make();
  auto backend = load(qnnpp::log_to([](LogLevel, std::string_view) {}, LogLevel::info));
  std::thread first([&] { (void)load({LogOptions::To::sink, LogLevel::info, blocking}); });
  while (!blocking->is_opening) std::this_thread::yield();
  auto closed = std::async(std::launch::async, [&] { return std::move(backend).close(); });
  EXPECT_EQ(closed.wait_for(std::chrono::seconds(10)), std::future_status::ready);
  blocking->may_open = true;
  EXPECT_TRUE(closed.get().has_value());
  first.join();
}

TEST_F(log_sinks, drop_lines_that_they_cause_themselves) {
  int calls = 0;
  const auto other = load(qnnpp::log_to([](LogLevel, std::string_view) {}, LogLevel::info));
  const auto backend = load(qnnpp::log_to(
      [&](LogLevel, std::string_view) {
        ++calls;
        control->emit(LogLevel::error, "caused");
      },
      LogLevel::info));
  const std::uint64_t moment = error_lines->count();
  control->emit(LogLevel::info, "cause");
  control->emit(LogLevel::info, "cause");
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(error_lines->since(moment), "caused");
}

TEST_F(log_sinks, must_not_free_a_backend) {
  EXPECT_EXIT(
      {
        std::optional<Backend<Htp>> backend;
        backend.emplace(load(qnnpp::log_to(
            [&backend](LogLevel, std::string_view) { backend.reset(); }, LogLevel::info)));
        control->emit(LogLevel::info, "cause");
      },
      testing::KilledBySignal(SIGABRT), "a log sink must not create, finalize or free a backend");
}

TEST_F(log_sinks, are_awaited_before_they_are_destroyed) {
  std::atomic<bool> is_inside{false};
  std::atomic<bool> may_leave{false};
  std::atomic<bool> has_left{false};
  auto backend = load(qnnpp::log_to(
      [&](LogLevel, std::string_view) {
        is_inside = true;
        while (!may_leave) std::this_thread::yield();
        has_left = true;
      },
      LogLevel::info));
  std::thread logs([this] { control->emit(LogLevel::info, "slow"); });
  while (!is_inside) std::this_thread::yield();
  std::thread releases([&] {
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    may_leave = true;
  });
  EXPECT_TRUE(std::move(backend).close().has_value());
  EXPECT_TRUE(has_left);
  logs.join();
  releases.join();
}

TEST_F(log_sinks, are_sixteen_at_most_and_copies_share_one) {
  const auto drop = [](LogLevel, std::string_view) {};
  std::vector<Backend<Htp>> backends;
  const LogOptions first = qnnpp::log_to(drop, LogLevel::info);
  backends.push_back(load(first));
  for (std::size_t i = 1; i != LogSlots::count; ++i)
    backends.push_back(load(qnnpp::log_to(drop, LogLevel::info)));
  const auto loaded =
      Backend<Htp>::load({.library = path, .log = qnnpp::log_to(drop, LogLevel::info)});
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().kind, Errc::in_use);
  EXPECT_EQ(
      loaded.error().message(),
      "log sinks: loading a backend: all 16 of the process are in use; copies of one LogOptions "
      "share one; try again when this use has ended");
  EXPECT_EQ(record().live_logs, 16);
  backends.push_back(load(first));
  EXPECT_EQ(record().live_logs, 17);
  backends.clear();
  backends.push_back(load(qnnpp::log_to(drop, LogLevel::info)));
}

TEST_F(log_sinks, of_a_level_that_is_none_or_without_a_function_are_refused) {
  const auto drop = [](LogLevel, std::string_view) {};
  for (const LogLevel level : {LogLevel{0}, LogLevel{6}, LogLevel::max}) {
    EXPECT_EQ(refused(qnnpp::log_to(drop, level)), Errc::invalid_argument);
    EXPECT_EQ(refused(qnnpp::log_to_platform(level)), Errc::invalid_argument);
  }
  EXPECT_EQ(refused({.to = LogOptions::To::sink}), Errc::invalid_argument);
  using Function = void(LogLevel, std::string_view);
  EXPECT_EQ(refused(qnnpp::log_to(static_cast<Function*>(nullptr), LogLevel::info)),
            Errc::invalid_argument);
  EXPECT_EQ(refused(qnnpp::log_to(std::function<Function>(), LogLevel::info)),
            Errc::invalid_argument);
  EXPECT_EQ(record().call_count, 0u);
}

/// Form of a line: time, level, text.
bool is_line(const std::string& text, const std::string& level_and_text) {
  return std::regex_match(
      text, std::regex("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z " + level_and_text));
}

TEST_F(log_sinks, append_lines_to_a_file) {
  const support::TemporaryFolder folder;
  const std::string file = folder.path() + "/qnn.log";
  for (int i = 0; i < 2; ++i) {
    const auto backend = load(qnnpp::log_to_file(file, LogLevel::info));
    control->emit(LogLevel::warn, "no. %d: \x1b[2J\r\n", i);
  }
  {
    const auto backend = load(qnnpp::log_to_file(file, LogLevel::info));
    control->emit(LogLevel{9}, "of no level");
  }
  control->emit(LogLevel::warn, "not written");
  std::istringstream lines(content_of(file));
  for (int i = 0; i < 2; ++i) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_TRUE(is_line(line, "warn no. " + std::to_string(i) + ": \\\\x1b\\[2J")) << line;
  }
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_TRUE(is_line(line, "level 9 of no level")) << line;
  EXPECT_FALSE(std::getline(lines, line)) << line;
}

TEST_F(log_sinks, name_the_file_that_cannot_be_opened_and_why) {
  const support::TemporaryFolder folder;
  const std::string file = folder.path() + "/no/folder.log";
  const auto loaded =
      Backend<Htp>::load({.library = path, .log = qnnpp::log_to_file(file, LogLevel::info)});
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().kind, Errc::file_unwritable);
  EXPECT_EQ(loaded.error().code, ENOENT);
  EXPECT_EQ(loaded.error().object, file);
  EXPECT_EQ(loaded.error().detail, "") << "message() has the cause from the code";
  EXPECT_EQ(record().call_count, 0u);
}

TEST_F(log_sinks, do_not_append_to_a_file_whose_name_ends_before_the_path) {
  const support::TemporaryFolder folder;
  const std::string file = folder.path() + "/qnn.log";
  EXPECT_EQ(refused(qnnpp::log_to_file(file + '\0' + "x", LogLevel::info)), Errc::invalid_argument);
  EXPECT_FALSE(std::ifstream(file).is_open());
}

TEST_F(log_sinks, write_to_the_standard_error_stream) {
  const auto backend = load(qnnpp::log_to_stderr(LogLevel::debug));
  testing::internal::CaptureStderr();
  control->emit(LogLevel::verbose, "a step");
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(is_line(text, "verbose a step\n")) << text;
}

TEST_F(log_sinks, write_to_the_log_of_android) {
  EXPECT_EQ(refused(qnnpp::log_to_android(LogLevel::warn)), Errc::library_not_found);
  void* const library = ::dlopen(FAKES_DIR "liblog.so", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  const fakes::AndroidLine& last =
      *reinterpret_cast<fakes::AndroidLineFn>(::dlsym(library, "fake_android_line"))();
  {
    const auto backend = load(qnnpp::log_to_android(LogLevel::debug));
    const std::uint64_t moment = error_lines->count();
    const std::pair<LogLevel, int> priorities[] = {{LogLevel::debug, 2},
                                                   {LogLevel::verbose, 3},
                                                   {LogLevel::info, 4},
                                                   {LogLevel::warn, 5},
                                                   {LogLevel::error, 6}};
    for (const auto& [level, priority] : priorities) {
      control->emit(level, "context %d\n", priority);
      EXPECT_EQ(last.priority, priority);
      EXPECT_EQ(last.text, "context " + std::to_string(priority));
    }
    EXPECT_EQ(last.count, 5);
    EXPECT_STREQ(last.tag, "qnnpp");
    EXPECT_EQ(error_lines->since(moment), "context 6");
  }
  {
    const auto backend = load(qnnpp::log_to_android(LogLevel::error, "camera"));
    control->emit(LogLevel::error, "x");
    EXPECT_STREQ(last.tag, "camera");
  }
  ::dlclose(library);
}

/// Sink of static storage; writes to stderr when it is called, also after its destruction.
struct Static {
  Static() = default;
  Static(const Static&) = delete;
  Static& operator=(const Static&) = delete;
  ~Static() { is_destroyed = true; }
  void operator()(LogLevel, std::string_view text) {
    is_running = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(running_ms));
    const std::string line = (is_destroyed ? "destroyed: " : "") + std::string(text) + "\n";
    std::fputs(line.c_str(), stderr);
  }
  std::atomic<bool> is_destroyed{false};
  std::atomic<bool> is_running{false};
  static inline int running_ms = 0;
};
/// Its destructor leaves a running sink time to write.
struct Delay {
  ~Delay() { std::this_thread::sleep_for(std::chrono::milliseconds(2 * Static::running_ms)); }
};
const Delay delay;
Static static_sink;

/// The backend of a child process, alive until the process ends.
Backend<Htp>* kept_backend = nullptr;

/// Runs `function` in a new process, which must exit with 0 and write these lines by a Static. The
/// child of a fork would load no backend after an earlier test has loaded one (PRC-01).
template <class Function>
void expect_lines(Function function, const std::string& lines) {
  const auto run = [&] {
    function();
    std::exit(0);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), testing::Eq(lines));
}

TEST_F(log_sinks, are_not_called_when_the_process_ends) {
  for (const bool outlives_the_backend : {true, false}) {
    const auto end = [&] {
      control->behaviour.logs_at_exit = true;
      kept_backend = new Backend<Htp>(load(qnnpp::log_to<static_sink>(LogLevel::error)));
      control->emit(LogLevel::error, "alive");
      if (outlives_the_backend) delete std::exchange(kept_backend, nullptr);
    };
    expect_lines(end, "alive\n");
  }
}

TEST_F(log_sinks, are_awaited_when_the_process_ends) {
  const auto end = [&] {
    Static::running_ms = 200;
    kept_backend = new Backend<Htp>(load(qnnpp::log_to<static_sink>(LogLevel::error)));
    std::thread([this] { control->emit(LogLevel::error, "running"); }).detach();
    while (!static_sink.is_running) std::this_thread::yield();
  };
  expect_lines(end, "running\n");
}

TEST_F(log_sinks, that_end_the_process_are_not_awaited) {
  using Clock = std::chrono::steady_clock;
  auto shortest = Clock::duration::max();
  for (int i = 0; i < 3; ++i) {
    const auto begin = Clock::now();
    const auto end = [&] {
      kept_backend = new Backend<Htp>(
          load(qnnpp::log_to([](LogLevel, std::string_view) { std::exit(0); }, LogLevel::error)));
      control->emit(LogLevel::error, "ends");
    };
    expect_lines(end, "");
    shortest = std::min(shortest, Clock::now() - begin);
  }
  EXPECT_LT(shortest, std::chrono::seconds(1));
}

TEST_F(log_sinks, are_not_called_after_static_objects_of_their_load_are_destroyed) {
  const auto end = [&] {
    // An earlier load must not matter.
    (void)load(qnnpp::log_to<static_sink>(LogLevel::error));
    struct LogsLast {
      explicit LogsLast(fakes::Control* by) : control(by) {}
      ~LogsLast() { control->emit(LogLevel::error, "at exit"); }
      fakes::Control* control;
    };
    static const LogsLast logs_last(control);
    static Static later;
    kept_backend = new Backend<Htp>(load(qnnpp::log_to(
        [](LogLevel level, std::string_view text) { later(level, text); }, LogLevel::error)));
    control->emit(LogLevel::error, "alive");
  };
  expect_lines(end, "alive\n");
}

}}  // namespace log_sinks
