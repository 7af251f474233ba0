// Execution: correct numbers, no allocation, and the lock of shared spill-fill memory (BUF-12).
#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "contracts.hpp"
#include "fixture.hpp"
#include "heap.hpp"
#include "recorder.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class graph_execute : public LoadedTest {
 protected:
  /// A context of `network` over `pool`, and its graph bound to raw memory.
  struct Job {
    Network network;
    std::vector<float> in;
    std::vector<float> out;
    std::vector<Graph<Bound>> graph;  ///< exactly one
    void check() const {
      EXPECT_LT(largest_difference(out, network.reference(in)), tolerance) << network.name;
    }
  };
  /// Constructs the job in place, because the graph stores the addresses of its vectors.
  void make(Job& job, const Network& network, const Context<Finalized>& context) const {
    job.network = network;
    job.in = network.input();
    job.out.assign(network.io_elements(), -1.0f);
    job.graph.push_back(must(must(Graph<Retrieved>::retrieve(context, network.name))
                                 .bind({raw("x", job.in), raw("y", job.out)})));
  }
};

TEST_F(graph_execute, the_numbers_are_those_of_a_plain_float_reference) {
  for (const Network& network : four_networks()) {
    EXPECT_LT(difference(finalized(queried(network)), network), tolerance);
    EXPECT_LT(difference(restored(network), network), tolerance);
  }
}

TEST_F(graph_execute, each_execution_reads_what_is_in_the_memory_then) {
  const Network network;
  const auto context = finalized(queried(network));
  Job job;
  make(job, network, context);
  for (std::uint32_t round = 0; round < 4; ++round) {
    const auto input = network.input(round);
    std::copy(input.begin(), input.end(), job.in.begin());
    ASSERT_TRUE(succeeds(job.graph[0].execute()));
    job.check();
  }
  EXPECT_EQ(control().counters().executions, 4u);
}

TEST_F(graph_execute, the_output_of_a_stage_is_the_input_of_the_next_in_the_same_buffer) {
  const auto networks = four_networks();
  std::vector<Context<Queried>> asked;
  for (const Network& network : networks) asked.push_back(queried(network));
  const auto pool = must(SharedSpillFill::allocate(allocator(), asked));
  std::vector<std::vector<float>> buffers(networks.size() + 1,
                                          std::vector<float>(networks[0].io_elements()));
  std::vector<Graph<Bound>> pipeline;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const auto context = finalized(std::move(asked[i]), pool);
    pipeline.push_back(must(must(Graph<Retrieved>::retrieve(context, networks[i].name))
                                .bind({raw("x", buffers[i]), raw("y", buffers[i + 1])})));
  }
  // Copies in place, because the first stage stores the buffer's address.
  const std::vector<float> input = networks[0].input();
  std::copy(input.begin(), input.end(), buffers[0].begin());
  auto lease = must(pool.lease());
  for (Graph<Bound>& stage : pipeline) ASSERT_TRUE(succeeds(stage.execute(lease)));
  std::vector<float> expected = input;
  for (const Network& network : networks) expected = network.reference(expected);
  EXPECT_LT(largest_difference(buffers.back(), expected), tolerance);
}

TEST_F(graph_execute, an_error_of_the_call_names_the_graph_and_the_graph_works_on) {
  const Network network;
  const auto context = restored(network);
  Job job;
  make(job, network, context);
  control().fail_call(Slot::graph_execute, 1, 6003);
  const Error error = error_of(job.graph[0].execute());
  EXPECT_EQ(error.kind, Errc::qnn);
  EXPECT_EQ(error.code, 6003);
  EXPECT_STREQ(error.step, "QnnGraph_execute");
  EXPECT_EQ(error.object, "net");
  EXPECT_EQ(error.detail, "log: QnnGraph_execute failed with 6003");
  ASSERT_TRUE(succeeds(job.graph[0].execute()));
  job.check();
}

TEST_F(graph_execute, BUF_12_an_error_gives_the_lock_back) {
  auto asked = queried(Network{});
  const auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  const auto context = finalized(std::move(asked), pool);
  Job job;
  make(job, Network{}, context);
  control().fail_call(Slot::graph_execute, 1, 6003);
  EXPECT_FALSE(job.graph[0].execute());
  ASSERT_TRUE(succeeds(job.graph[0].execute()));
  auto lease = must(pool.lease());
  EXPECT_TRUE(succeeds(job.graph[0].execute(lease)));
}

/// Excludes allocations inside the C call from the count.
void pause_in_the_call(std::size_t, bool entering, const void* const*) {
  HeapWatch::pause(entering);
}

TEST_F(graph_execute, an_execution_allocates_nothing) {
  auto from = binary(Network{});
  const auto recorder = must(load_recorder());
  auto asked =
      must(Context<Deferred>::create(recorder, std::move(from)).and_then(transition::query));
  const auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  const auto context = finalized(std::move(asked), pool);
  Job job;
  make(job, Network{}, context);
  ASSERT_TRUE(succeeds(job.graph[0].execute()));
  const Recording recording(&pause_in_the_call);
  bool under_its_own_lock = false;
  {
    const HeapWatch watch(Threads::this_one);
    under_its_own_lock = job.graph[0].execute().has_value();
  }
  EXPECT_EQ(HeapWatch::allocations(), 0u);
  auto lease = must(pool.lease());
  bool under_a_lease = false;
  {
    const HeapWatch watch(Threads::this_one);
    under_a_lease = job.graph[0].execute(lease).has_value();
  }
  EXPECT_EQ(HeapWatch::allocations(), 0u);
  EXPECT_TRUE(under_its_own_lock && under_a_lease);
}

TEST_F(graph_execute, a_failing_execution_allocates_so_the_counting_works) {
  auto from =
      binary(Network{.name = "a name too long to be kept inside of a string object itself"});
  const auto recorder = must(load_recorder());
  const auto context = must(Context<Finalized>::restore(recorder, std::move(from)));
  Job job;
  make(job, Network{.name = "a name too long to be kept inside of a string object itself"},
       context);
  control().fail_call(Slot::graph_execute, 1, 6003);
  const Recording recording(&pause_in_the_call);
  bool failed = false;
  {
    const HeapWatch watch(Threads::this_one);
    failed = !job.graph[0].execute().has_value();
  }
  EXPECT_TRUE(failed);
  EXPECT_GT(HeapWatch::allocations(), 0u);
}

TEST_F(graph_execute, BUF_12_under_a_lease_no_lock_is_taken) {
  const auto networks = four_networks();
  auto one = queried(networks[0]);
  auto two = queried(networks[2]);
  const auto pool = must(SharedSpillFill::allocate(allocator(), two.requirements()));
  const auto first = finalized(std::move(one), pool);
  const auto second = finalized(std::move(two), pool);
  Job a;
  Job b;
  make(a, networks[0], first);
  make(b, networks[2], second);
  // An execution that locked a second time would be refused.
  auto lease = must(pool.lease());
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(succeeds(a.graph[0].execute(lease)));
    ASSERT_TRUE(succeeds(b.graph[0].execute(lease)));
  }
  a.check();
  b.check();
}

TEST_F(graph_execute, BUF_12_a_lease_of_a_context_serves_its_sharers) {
  auto one = queried(Network{.name = "one"});
  auto two = queried(Network{.name = "two"});
  const auto pool = must(SharedSpillFill::allocate(allocator(), one.requirements()));
  const auto first = finalized(std::move(one), pool);
  const auto second = finalized(std::move(two), pool);
  Job job;
  make(job, Network{.name = "two"}, second);
  auto lease = must(first.spill_fill().lease());
  EXPECT_TRUE(succeeds(job.graph[0].execute(lease)));
  job.check();
}

TEST_F(graph_execute, BUF_09_a_pipeline_runs_under_one_lease_even_if_a_stage_needs_no_spill_fill) {
  const Network tiny{.name = "tiny", .rows = 1, .width = 8, .hidden = 8};
  auto large = queried(Network{});
  auto small = queried(tiny);
  ASSERT_EQ(small.requirements().spill_fill_bytes, 0u);
  const auto pool = must(SharedSpillFill::allocate(allocator(), large.requirements()));
  const auto first = finalized(std::move(large), pool);
  const auto second = finalized(std::move(small), pool);
  Job a;
  Job b;
  make(a, Network{}, first);
  make(b, tiny, second);
  auto lease = must(pool.lease());
  ASSERT_TRUE(succeeds(a.graph[0].execute(lease)));
  ASSERT_TRUE(succeeds(b.graph[0].execute(lease)));
  a.check();
  b.check();
}

TEST_F(graph_execute, BUF_12_an_execution_waits_while_somebody_else_holds_the_lease) {
  auto asked = queried(Network{});
  const auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  const auto context = finalized(std::move(asked), pool);
  Job job;
  make(job, Network{}, context);
  std::atomic<bool> done{false};
  auto lease = std::optional(must(pool.lease()));
  std::thread other([&] {
    const bool ran = job.graph[0].execute().has_value();
    done.store(ran);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(done.load());
  EXPECT_EQ(calls(Slot::graph_execute), 0u);
  lease.reset();
  other.join();
  EXPECT_TRUE(done.load());
  job.check();
}

TEST_F(graph_execute, a_graph_that_shares_nothing_runs_while_a_lease_is_held) {
  auto asked = queried(Network{.name = "sharer"});
  const auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  const auto sharer = finalized(std::move(asked), pool);
  const auto alone = finalized(queried(Network{.name = "alone"}));
  Job job;
  make(job, Network{.name = "alone"}, alone);
  auto lease = must(pool.lease());
  ASSERT_TRUE(succeeds(job.graph[0].execute()));
  job.check();
  ASSERT_TRUE(succeeds(job.graph[0].execute(lease)));
  ASSERT_TRUE(succeeds(job.graph[0].execute(lease)));
  EXPECT_EQ(calls(Slot::graph_execute), 3u);
}

TEST_F(graph_execute, BUF_12_a_lease_that_was_moved_is_released_once_by_its_last_owner) {
  auto asked = queried(Network{});
  const auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  const auto context = finalized(std::move(asked), pool);
  Job job;
  make(job, Network{}, context);
  {
    auto lease = must(pool.lease());
    auto moved = std::move(lease);
    EXPECT_TRUE(succeeds(job.graph[0].execute(moved)));
  }
  EXPECT_TRUE(succeeds(job.graph[0].execute())) << "the lock is free again";
}

TEST_F(graph_execute, BUF_12_without_the_lease_that_the_thread_holds_is_an_error_and_no_wait) {
  auto asked = queried(Network{});
  const auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  const auto context = finalized(std::move(asked), pool);
  Job job;
  make(job, Network{}, context);
  {
    auto lease = must(context.spill_fill().lease());
    const Error error = error_of(job.graph[0].execute());
    EXPECT_EQ(error.kind, Errc::would_deadlock);
    EXPECT_EQ(error.object, "net");
    EXPECT_EQ(error_of(context.spill_fill().lease()).kind, Errc::would_deadlock);
    EXPECT_EQ(error_of(context.spill_fill().try_lease()).kind, Errc::would_deadlock);
    EXPECT_EQ(error_of(context.spill_fill().lease_for(std::chrono::hours::max())).kind,
              Errc::would_deadlock);
    EXPECT_EQ(calls(Slot::graph_execute), 0u);
    EXPECT_TRUE(succeeds(job.graph[0].execute(lease)));
  }
  ASSERT_TRUE(succeeds(job.graph[0].execute()));
  job.check();
}

TEST_F(graph_execute, BUF_12_a_context_that_shares_nothing_gives_leases_to_all_who_ask) {
  const auto context = restored(Network{});
  Job job;
  make(job, Network{}, context);
  auto lease = must(context.spill_fill().lease());
  auto other = must(context.spill_fill().try_lease());
  auto third = must(context.spill_fill().lease_for(std::chrono::seconds(1)));
  for (SpillFillLease* each : {&lease, &other, &third})
    EXPECT_TRUE(succeeds(job.graph[0].execute(*each)));
  EXPECT_TRUE(succeeds(job.graph[0].execute()));
  job.check();
}

class graph_execute_death : public graph_execute {};

TEST_F(graph_execute_death, BUF_12_a_lease_of_another_pool_ends_the_program) {
  auto one = queried(Network{.name = "one"});
  auto two = queried(Network{.name = "two"});
  const auto pool = must(SharedSpillFill::allocate(allocator(), one.requirements()));
  const auto other = must(SharedSpillFill::allocate(allocator(), two.requirements()));
  const auto context = finalized(std::move(one), pool);
  Job job;
  make(job, Network{.name = "one"}, context);
  auto wrong = must(other.lease());
  auto right = must(pool.lease());
  EXPECT_CONTRACT(lease_of_another, (void)job.graph[0].execute(wrong));
  EXPECT_TRUE(succeeds(job.graph[0].execute(right)));
  EXPECT_CONTRACT(lease_of_another, (void)job.graph[0].execute(wrong));
}

TEST_F(graph_execute_death, BUF_12_a_lease_of_nothing_ends_the_program_where_something_is_shared) {
  auto asked = queried(Network{});
  const auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  const auto context = finalized(std::move(asked), pool);
  const auto alone = restored(Network{.name = "alone"});
  Job job;
  make(job, Network{}, context);
  auto wrong = must(alone.spill_fill().lease());
  auto right = must(pool.lease());
  EXPECT_CONTRACT(lease_of_another, (void)job.graph[0].execute(wrong));
  EXPECT_TRUE(succeeds(job.graph[0].execute(right)));
  EXPECT_CONTRACT(lease_of_another, (void)job.graph[0].execute(wrong));
}

TEST_F(graph_execute_death, BUF_12_a_lease_that_was_moved_from_ends_the_program) {
  auto asked = queried(Network{});
  const auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  const auto context = finalized(std::move(asked), pool);
  Job job;
  make(job, Network{}, context);
  auto lease = must(pool.lease());
  auto kept = [&] { return std::move(lease); }();
  EXPECT_CONTRACT(lease_of_another, (void)job.graph[0].execute(lease));
  EXPECT_TRUE(succeeds(job.graph[0].execute(kept)));
  EXPECT_CONTRACT(lease_of_another, (void)job.graph[0].execute(lease));
}

}}  // namespace support
