// Stop and at_most: what ends an execution, a wait and a pipeline, and that no pull is lost.
#include "qnnpp/core/stop.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <list>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/graph/pipeline.hpp"

#include "fixture.hpp"
#include "heap.hpp"

namespace support { namespace {

using namespace qnnpp;
using namespace std::chrono_literals;
using sim::Slot;
using Clock = std::chrono::steady_clock;

bool says(const Error& error, std::string_view part) {
  return error.message().find(part) != std::string::npos;
}

/// Time of one node that no test waits for.
constexpr std::uint32_t for_ever_us = 600'000'000;

class a_stop : public LoadedTest {
 protected:
  /// A graph bound to raw memory.
  struct Job {
    Network network;
    std::vector<float> in;
    std::vector<float> out;
    std::optional<Graph<Bound>> graph;
  };
  Job& job(const Context<Finalized>& context, const Network& network) {
    Job& made = jobs_.emplace_back();
    made.network = network;
    made.in = network.input();
    made.out.assign(network.io_elements(), -1.0f);
    made.graph.emplace(must(must(Graph<Retrieved>::retrieve(context, network.name))
                                .bind({raw("x", made.in), raw("y", made.out)})));
    return made;
  }
  Job& job(const Network& network = {}) { return job(restored(network), network); }

  /// Lets each node of the next executions last.
  void last(std::uint32_t node_us) { set(&sim::Config::node_delay_us, node_us); }
  void expect_to_work(Job& each) {
    last(0);
    each.out.assign(each.out.size(), -1.0f);
    EXPECT_TRUE(succeeds(each.graph->execute()));
    EXPECT_LT(largest_difference(each.out, each.network.reference(each.in)), tolerance);
  }
  std::uint64_t executions() { return control().counters().executions; }
  /// Pulls `stop` from another thread.
  std::thread puller(Stop& stop, std::chrono::milliseconds after = 1ms) {
    return std::thread([&stop, after] {
      std::this_thread::sleep_for(after);
      stop.pull();
    });
  }
  void TearDown() override {
    jobs_.clear();
    LoadedTest::TearDown();
  }

 private:
  std::list<Job> jobs_;
};

TEST_F(a_stop, ends_an_execution_which_names_the_graph_and_can_be_repeated) {
  Job& slow = job();
  last(for_ever_us);
  Stop stop;
  std::thread other = puller(stop);
  const Error error = error_of(slow.graph->execute({.stop = stop}));
  other.join();
  EXPECT_EQ(error.kind, Errc::cancelled);
  EXPECT_EQ(error.object, "net");
  EXPECT_TRUE(says(error, "net: cancelled while executing")) << error.message();
  EXPECT_EQ(error.code, error.detail.empty() ? 0 : 6031);
  expect_to_work(slow);
}

TEST_F(a_stop, that_was_pulled_lets_nothing_begin) {
  Job& slow = job();
  Stop stop, same = stop;
  EXPECT_FALSE(stop.is_pulled());
  same.pull();
  EXPECT_TRUE(stop.is_pulled());
  EXPECT_EQ(error_of(slow.graph->execute({.stop = stop})).kind, Errc::cancelled);
  EXPECT_EQ(error_of(slow.graph->execute({.at_most = 1h, .stop = stop})).kind, Errc::cancelled);
  EXPECT_EQ(executions(), 0u);
  stop.pull();
  expect_to_work(slow);
}

TEST_F(a_stop, is_pulled_10000_times_at_any_moment_and_no_pull_is_lost) {
  Job& slow = job();
  Stop* given = nullptr;  // Handed over by the semaphores.
  std::binary_semaphore begins(0), ended_pull(0);
  std::thread other([&] {
    std::uint32_t seed = 1;
    for (;;) {
      begins.acquire();
      if (given == nullptr) return;
      seed = seed * 1664525 + 1013904223;
      const auto until = Clock::now() + std::chrono::nanoseconds(seed >> 16);  // up to 65 us
      while (Clock::now() < until) {
      }
      given->pull();
      ended_pull.release();
    }
  });
  // An execution that missed its pull would last for ever, and no execution ends by itself.
  last(for_ever_us);
  int ended = 0, not_begun = 0;
  for (int i = 0; i < 10'000; ++i) {
    Stop stop;
    given = &stop;
    begins.release();
    const auto done = slow.graph->execute({.stop = stop});
    ASSERT_FALSE(done.has_value());
    ASSERT_EQ(done.error().kind, Errc::cancelled) << done.error().message();
    ++(done.error().code == 0 ? not_begun : ended);
    ended_pull.acquire();
    if (i % 1000 == 0) expect_to_work(slow), last(for_ever_us);
  }
  given = nullptr;
  begins.release();
  other.join();
  EXPECT_GT(ended, 0);
  EXPECT_EQ(ended + not_begun, 10'000);
}

TEST_F(a_stop, ends_the_executions_of_all_threads_that_have_it) {
  std::vector<Job*> jobs;
  for (std::uint32_t i = 0; i < 4; ++i) jobs.push_back(&job({.name = "n" + std::to_string(i)}));
  last(for_ever_us);
  Stop stop;
  std::vector<std::thread> threads;
  std::atomic<int> cancelled = 0;
  for (Job* each : jobs)
    threads.emplace_back([&, each] {
      if (error_of(each->graph->execute({.stop = stop})).kind == Errc::cancelled) ++cancelled;
    });
  std::thread other = puller(stop, 3ms);
  for (std::thread& thread : threads) thread.join();
  other.join();
  EXPECT_EQ(cancelled, 4);
  for (Job* each : jobs) expect_to_work(*each);
}

TEST_F(a_stop, may_be_pulled_by_several_threads_and_dies_with_its_last_handle) {
  Job& slow = job();
  last(for_ever_us);
  std::vector<std::thread> threads;
  Error error;
  {
    Stop stop;
    for (int i = 0; i < 4; ++i) threads.emplace_back([same = stop]() mutable { same.pull(); });
    error = error_of(slow.graph->execute({.stop = stop}));
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(error.kind, Errc::cancelled);
}

TEST_F(a_stop, waits_for_an_execution_that_the_dsp_does_not_end) {
  Job& slow = job();
  set(&sim::Config::dsp_aborts, 0);
  last(2'000);
  Stop stop;
  std::thread other = puller(stop);
  EXPECT_TRUE(succeeds(slow.graph->execute({.stop = stop}))) << "its results are right";
  other.join();
  EXPECT_TRUE(succeeds(slow.graph->execute({.at_most = 1ms})));
  expect_to_work(slow);
}

TEST_F(a_stop, of_a_library_without_signals_ends_no_execution) {
  Job& slow = job();
  control().fail_call(Slot::signal_create, 1, 1000, true);
  last(1'000);
  Stop stop;
  std::thread other = puller(stop);
  EXPECT_TRUE(succeeds(slow.graph->execute({.stop = stop})));
  other.join();
  EXPECT_EQ(error_of(slow.graph->execute({.stop = stop})).kind, Errc::cancelled);
  EXPECT_TRUE(succeeds(slow.graph->execute({.at_most = 1ms})));
  EXPECT_EQ(error_of(slow.graph->execute({.at_most = 0ms})).kind, Errc::timed_out);
}

TEST_F(a_stop, reports_another_failure_of_the_execution_as_it_is) {
  Job& slow = job();
  Stop stop;
  control().fail_call(Slot::graph_execute, 1, 1002);
  const Error error = error_of(slow.graph->execute({.at_most = 1h, .stop = stop}));
  EXPECT_EQ(error.kind, Errc::qnn);
  EXPECT_EQ(error.code, 1002);
}

// ---------------------------------------------------------------------------------------- limits

TEST_F(a_stop, limits_an_execution_of_four_seconds_to_50_ms) {
  Job& slow = job();
  last(1'000'000);
  const auto began = Clock::now();
  const Error error = error_of(slow.graph->execute({.at_most = 50ms}));
  EXPECT_LT(Clock::now() - began, 2s);
  EXPECT_EQ(error.kind, Errc::timed_out);
  EXPECT_EQ(error.code, 6033);
  EXPECT_TRUE(says(error, "net: executing did not end in time")) << error.message();
  EXPECT_TRUE(says(error, " ms of at most 50 ms")) << error.message();
  expect_to_work(slow);
}

TEST_F(a_stop, and_a_limit_work_together) {
  Job& slow = job();
  Stop stop;
  last(for_ever_us);
  for (int i = 0; i < 3; ++i) {
    const Error error = error_of(slow.graph->execute({.at_most = 5ms, .stop = stop}));
    EXPECT_EQ(error.kind, Errc::timed_out) << error.message();
    EXPECT_EQ(error.code, 6031);
  }
  std::thread other = puller(stop);
  EXPECT_EQ(error_of(slow.graph->execute({.at_most = 1h, .stop = stop})).kind, Errc::cancelled);
  other.join();
  expect_to_work(slow);
}

TEST_F(a_stop, counts_the_wait_for_others_in_the_limit) {
  const Network spilling{.name = "spilling", .hidden = 256, .spill_mib = 1};
  const auto context =
      finalized(queried(spilling),
                must(SharedSpillFill::allocate(allocator(), queried(spilling).requirements())));
  Job& slow = job(context, spilling);
  auto lease = must(context.spill_fill().lease());
  std::thread other([&] {
    const Error error = error_of(slow.graph->execute({.at_most = 5ms}));
    EXPECT_EQ(error.kind, Errc::timed_out);
    Stop stop;
    std::thread third = puller(stop);
    EXPECT_EQ(error_of(slow.graph->execute({.stop = stop})).kind, Errc::cancelled);
    EXPECT_EQ(error_of(context.spill_fill().lease(stop)).kind, Errc::cancelled);
    third.join();
    Stop another;
    std::thread fourth = puller(another);
    EXPECT_EQ(error_of(context.spill_fill().lease(another)).kind, Errc::cancelled);
    fourth.join();
    Stop last_one;
    std::thread fifth = puller(last_one);
    EXPECT_EQ(error_of(context.spill_fill().lease_for(1h, last_one)).kind, Errc::cancelled);
    fifth.join();
  });
  other.join();
  EXPECT_EQ(executions(), 0u);
  // Under the lease of this thread.
  last(for_ever_us);
  EXPECT_EQ(error_of(slow.graph->execute(lease, {.at_most = 5ms})).kind, Errc::timed_out);
  last(0);
  EXPECT_TRUE(succeeds(slow.graph->execute(lease, {.at_most = 1h})));
}

TEST_F(a_stop, that_is_not_pulled_changes_no_wait) {
  const Network spilling{.name = "spilling", .hidden = 256, .spill_mib = 1};
  const auto context =
      finalized(queried(spilling),
                must(SharedSpillFill::allocate(allocator(), queried(spilling).requirements())));
  Stop stop;
  EXPECT_TRUE(context.spill_fill().lease(stop).has_value()) << "nobody has it";
  auto lease = std::optional(must(context.spill_fill().lease(stop)));
  EXPECT_EQ(error_of(context.spill_fill().lease(stop)).kind, Errc::would_deadlock);
  std::atomic<bool> has_timed_out = false;
  std::thread other([&] {
    EXPECT_EQ(error_of(context.spill_fill().lease_for(1ms, stop)).kind, Errc::timed_out);
    has_timed_out = true;
    EXPECT_TRUE(context.spill_fill().lease(stop).has_value());
  });
  while (!has_timed_out) std::this_thread::yield();
  lease.reset();
  other.join();
}

TEST_F(a_stop, allocates_nothing_after_the_first_execution_with_it) {
  Job& quick = job();
  Stop stop;
  const std::array<ExecuteOptions, 3> options{
      {{.stop = stop}, {.at_most = 1h}, {.at_most = 1h, .stop = stop}}};
  for (const ExecuteOptions& each : options) {
    ASSERT_TRUE(succeeds(quick.graph->execute(each)));
    HeapWatch watch(Threads::this_one);
    for (int i = 0; i < 10; ++i) (void)quick.graph->execute(each).has_value();
    EXPECT_EQ(watch.allocations(), 0u);
  }
  EXPECT_EQ(control().calls(Slot::signal_create), 2u);
}

// ------------------------------------------------------------------------------------- pipelines

TEST_F(a_stop, ends_a_pipeline_in_a_graph_and_between_two) {
  std::vector<Graph<Retrieved>> graphs;
  const auto memhandle = c_api::TensorMemType::memhandle;
  for (const auto& [name, x, y] : {std::array{"a", "x", "m"}, std::array{"b", "m", "y"}}) {
    const Network network{.name = name, .io = memhandle, .x_name = x, .y_name = y};
    graphs.push_back(must(Graph<Retrieved>::retrieve(restored(network), name)));
  }
  auto pipeline = must(Pipeline::create(allocator(), std::move(graphs)));
  must(pipeline.input<float>("x"));
  last(for_ever_us);
  Stop stop;
  std::thread other = puller(stop);
  const Error error = error_of(pipeline.execute({.stop = stop}));
  other.join();
  EXPECT_EQ(error.kind, Errc::cancelled);
  EXPECT_EQ(error.object, "a");
  EXPECT_EQ(error_of(pipeline.execute({.at_most = 5ms})).kind, Errc::timed_out);
  EXPECT_EQ(error_of(pipeline.execute({.stop = stop})).kind, Errc::cancelled);
  last(0);
  EXPECT_TRUE(succeeds(pipeline.execute({.at_most = 1h})));
  EXPECT_TRUE(succeeds(pipeline.execute()));
}

}}  // namespace support
