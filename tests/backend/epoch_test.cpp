// Epochs: which contexts a restart of the DSP kills, and how often a restart counts.
#include "qnnpp/backend/detail/epoch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

namespace {

using qnnpp::detail::Epoch;
using qnnpp::detail::RestartLog;

constexpr std::uint64_t recovered = 1007;
constexpr std::uint64_t fatal = 1011;

TEST(epoch, SSR_01_a_restart_ends_those_that_began_before_the_call_that_reports_it) {
  RestartLog log;
  const Epoch old = Epoch::of_new_context(log);
  const std::uint64_t created = old.contexts_created();
  const Epoch meanwhile = Epoch::of_new_context(log);
  old.record(recovered, created);
  const Epoch later = Epoch::of_new_context(log);
  EXPECT_TRUE(old.has_ended());
  EXPECT_FALSE(meanwhile.has_ended());
  EXPECT_FALSE(later.has_ended());
  EXPECT_EQ(log.restarts(), 1u);
}

TEST(epoch, SSR_01_a_fatal_restart_ends_it_too_by_the_low_16_bits_of_its_code) {
  RestartLog log;
  const Epoch old = Epoch::of_new_context(log);
  old.record(0x7F00'0000'0000'0000u + fatal, old.contexts_created());
  EXPECT_TRUE(old.has_ended());
  EXPECT_EQ(log.restarts(), 1u);
}

TEST(epoch, SSR_01_other_codes_end_nothing) {
  RestartLog log;
  const Epoch old = Epoch::of_new_context(log);
  for (const std::uint64_t native : {0u, 1002u, 1006u, 1008u, 6001u, 65535u})
    old.record(native, old.contexts_created());
  EXPECT_FALSE(old.has_ended());
  EXPECT_EQ(log.restarts(), 0u);
}

TEST(epoch, SSR_01_two_reports_of_one_restart_count_once) {
  RestartLog log;
  const Epoch first = Epoch::of_new_context(log);
  const Epoch second = Epoch::of_new_context(log);
  const std::uint64_t created = first.contexts_created();
  first.record(recovered, created);
  second.record(recovered, created);
  EXPECT_EQ(log.restarts(), 1u);
}

TEST(epoch, SSR_01_a_late_report_does_not_end_what_was_created_after_the_restart) {
  RestartLog log;
  const Epoch old = Epoch::of_new_context(log);
  const std::uint64_t of_a_slow_call = old.contexts_created();
  old.record(recovered, old.contexts_created());
  const Epoch later = Epoch::of_new_context(log);
  old.record(recovered, of_a_slow_call);
  EXPECT_FALSE(later.has_ended());
  EXPECT_EQ(log.restarts(), 1u);
}

TEST(epoch, SSR_01_the_answer_of_releasing_the_dead_is_ignored) {
  RestartLog log;
  const Epoch old = Epoch::of_new_context(log);
  old.record(recovered, old.contexts_created());
  const Epoch later = Epoch::of_new_context(log);
  int calls = 0;
  const auto release = [&] {
    ++calls;
    return recovered;
  };
  EXPECT_EQ(old.release(release), 0u);
  EXPECT_EQ(calls, 1) << "QNN keeps a dead handle until it is released";
  EXPECT_FALSE(later.has_ended());
  EXPECT_EQ(later.release(release), recovered);
  EXPECT_TRUE(later.has_ended());
  EXPECT_EQ(log.restarts(), 2u);
}

TEST(epoch, of_contexts_of_several_threads_differ) {
  RestartLog log;
  constexpr std::size_t threads = 4;
  std::vector<std::vector<std::uint64_t>> numbers(threads);
  std::vector<std::thread> all;
  for (auto& of_thread : numbers)
    all.emplace_back([&log, &of_thread] {
      for (int i = 0; i < 5'000; ++i)
        of_thread.push_back(Epoch::of_new_context(log).context_number);
    });
  for (std::thread& thread : all) thread.join();
  std::set<std::uint64_t> distinct;
  for (const auto& of_thread : numbers) distinct.insert(of_thread.begin(), of_thread.end());
  EXPECT_EQ(distinct.size(), threads * 5'000);
}

TEST(epoch, SSR_01_reports_of_one_restart_by_several_threads_count_once) {
  for (int round = 0; round < 200; ++round) {
    RestartLog log;
    const Epoch old = Epoch::of_new_context(log);
    const std::uint64_t created = old.contexts_created();
    std::atomic<int> ready{0};
    std::vector<std::thread> all;
    for (int i = 0; i < 4; ++i)
      all.emplace_back([&] {
        ++ready;
        while (ready < 4) std::this_thread::yield();
        old.record(recovered, created);
      });
    for (std::thread& thread : all) thread.join();
    ASSERT_TRUE(old.has_ended());
    ASSERT_EQ(log.restarts(), 1u);
  }
}

}  // namespace
