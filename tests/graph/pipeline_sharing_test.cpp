// Pipelines over contexts that share spill-fill memory: correct numbers, and the right to execute
// is locked once for all graphs (BUF-12).
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/tensor_arena.hpp"

#include "contracts.hpp"
#include "fixture.hpp"
#include "recorder.hpp"
#include "sleeping.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

/// Records, at each call of graphExecute, which of two locks no thread held.
struct Free {
  static inline detail::ExecutionLock* locks[2] = {};
  static inline int seen = 0;
  static inline int found_free = 0;
  static void hook(std::size_t slot, bool, const void* const*) {
    if (slot != static_cast<std::size_t>(Slot::graph_execute)) return;
    ++seen;
    // Uses another thread, because this thread may hold the locks.
    std::thread([] {
      for (detail::ExecutionLock* lock : locks)
        if (lock != nullptr && lock->take(0) == detail::ExecutionLock::Attempt::taken) {
          ++found_free;
          lock->give_back();
        }
    }).join();
  }
};

class pipeline_sharing : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    if (HasFatalFailure()) return;
    networks = four_networks();
    const char* names[] = {"x", "h1", "h2", "h3", "y"};
    for (std::size_t i = 0; i < networks.size(); ++i) {
      networks[i].io = c_api::TensorMemType::memhandle;
      networks[i].x_name = names[i];
      networks[i].y_name = names[i + 1];
    }
    recorder_.push_back(must(load_recorder()));
    for (const Network& network : networks) binaries_.push_back(binary_of(backend(), {network}));
  }
  void TearDown() override {
    recorder_.clear();
    LoadedTest::TearDown();
  }
  Context<Queried> asked(std::size_t i, bool recorded) const {
    return must(Context<Deferred>::create(recorded ? recorder_.front() : backend(),
                                          own(binaries_[i], networks[i].name + ".bin"))
                    .and_then(transition::query));
  }
  /// Contexts of some networks over one pool.
  struct Shared {
    SharedSpillFill pool;
    std::vector<Context<Finalized>> contexts;
  };
  Shared share(const std::vector<std::size_t>& which, bool recorded = false) const {
    std::vector<Context<Queried>> queried;
    for (const std::size_t i : which) queried.push_back(asked(i, recorded));
    Shared shared{must(SharedSpillFill::allocate(allocator(), queried)), {}};
    for (auto& context : queried)
      shared.contexts.push_back(finalized(std::move(context), shared.pool));
    return shared;
  }
  /// Makes a pipeline whose inputs count as written.
  Pipeline make(const std::vector<const Context<Finalized>*>& contexts,
                const PipelineOptions& options = {}) const {
    std::vector<Graph<Retrieved, RegisteredIo>> graphs;
    for (const auto* context : contexts)
      graphs.push_back(
          must(Graph<Retrieved, RegisteredIo>::retrieve(*context, context->graphs()[0].name)));
    auto line = must(Pipeline::create(allocator(), std::move(graphs), options));
    (void)must(line.access(CpuUse::write));
    return line;
  }
  Pipeline make(const Shared& shared, const PipelineOptions& options = {}) const {
    std::vector<const Context<Finalized>*> contexts;
    for (const auto& context : shared.contexts) contexts.push_back(&context);
    return make(contexts, options);
  }
  /// Returns the output of the first `count` networks for an input.
  std::vector<float> expected(std::uint32_t round, std::size_t count = 4) const {
    std::vector<float> values = networks[0].input(round);
    for (std::size_t i = 0; i < count; ++i) values = networks[i].reference(values);
    return values;
  }
  void write(const Pipeline& line, std::uint32_t round) const {
    must(write_elements(line.input<float>("x"), networks[0].input(round)));
  }
  void expect_right(Pipeline& line, std::uint32_t round) const {
    write(line, round);
    ASSERT_TRUE(succeeds(line.execute()));
    EXPECT_LT(largest_difference(must(line.output<float>("y")), expected(round)), tolerance);
  }

  std::vector<Network> networks;

 private:
  std::vector<Backend<Htp>> recorder_;
  std::vector<std::vector<std::byte>> binaries_;
};

TEST_F(pipeline_sharing, BUF_12_four_contexts_over_one_pool_compute_what_their_graphs_do_apart) {
  const auto shared = share({0, 1, 2, 3});
  // Executes each graph separately, from and to separate memory.
  std::vector<std::vector<float>> apart{networks[0].input()};
  for (std::size_t i = 0; i < networks.size(); ++i) {
    apart.emplace_back(networks[i].io_elements(), -1.0f);
    auto graph =
        must(must(Graph<Retrieved>::retrieve(shared.contexts[i], networks[i].name))
                 .bind({raw(networks[i].x_name, apart[i]), raw(networks[i].y_name, apart[i + 1])}));
    ASSERT_TRUE(succeeds(graph.execute()));
  }
  const std::uint64_t copied_bytes =
      control().counters().copied_in_bytes + control().counters().copied_out_bytes;
  ASSERT_EQ(copied_bytes, 8 * networks[0].io_bytes());

  auto line = make(shared);
  expect_right(line, 0);
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const auto made = must(line.output<float>(networks[i].y_name));
    EXPECT_TRUE(std::ranges::equal(made.elements(), apart[i + 1])) << networks[i].y_name;
  }
  for (std::uint32_t round = 1; round < 4; ++round) expect_right(line, round);
  EXPECT_EQ(control().counters().copied_in_bytes + control().counters().copied_out_bytes,
            copied_bytes)
      << "the pipeline copies nothing";
  EXPECT_EQ(control().counters().parallel_sharers, 0u);
}

TEST_F(pipeline_sharing, BUF_12_four_contexts_over_one_pool_share_the_bytes_of_their_tensors_too) {
  const auto shared = share({0, 1, 2, 3});
  auto apart = make(shared);
  auto together = make(shared, {.share_bytes = TensorArena::lay_out});
  EXPECT_LT(together.buffer_bytes(), apart.buffer_bytes());
  for (std::uint32_t round = 0; round < 4; ++round) {
    expect_right(together, round);
    expect_right(apart, round);
  }
}

TEST_F(pipeline_sharing, BUF_12_a_pipeline_waits_as_a_whole_while_somebody_holds_the_lease) {
  const auto shared = share({0, 1, 2, 3});
  auto line = make(shared);
  write(line, 0);
  auto lease = std::optional(must(shared.pool.lease()));
  std::atomic<int> thread{0};
  std::atomic<bool> done{false};
  std::thread other([&] {
    thread.store(::gettid());
    EXPECT_TRUE(succeeds(line.execute()));
    done.store(true);
  });
  wait_until_it_sleeps(thread);
  EXPECT_FALSE(done.load());
  EXPECT_EQ(calls(Slot::graph_execute), 0u) << "not even the first graph";
  lease.reset();
  other.join();
  EXPECT_EQ(calls(Slot::graph_execute), 4u);
  EXPECT_LT(largest_difference(must(line.output<float>("y")), expected(0)), tolerance);
}

TEST_F(pipeline_sharing, BUF_12_waits_at_most_as_long_as_it_is_told) {
  using namespace std::chrono_literals;
  const auto one = share({0, 1}, true);
  const auto two = share({2, 3}, true);
  auto line = make({&one.contexts[0], &one.contexts[1], &two.contexts[0], &two.contexts[1]});
  write(line, 0);
  {
    const auto lease = must(two.pool.lease());
    std::thread([&] {
      EXPECT_EQ(error_of(line.execute({.wait_at_most = 1ms})).kind, Errc::timed_out);
      EXPECT_EQ(error_of(line.execute({.wait_at_most = 0s})).kind, Errc::timed_out);
      EXPECT_TRUE(one.pool.try_lease()) << "the first lock is given back";
    }).join();
    EXPECT_EQ(calls(Slot::graph_execute), 0u);
    EXPECT_EQ(error_of(line.execute({.wait_at_most = 1ms})).kind, Errc::would_deadlock);
  }
  EXPECT_TRUE(succeeds(line.execute({.wait_at_most = 1ms})));
  EXPECT_LT(largest_difference(must(line.output<float>("y")), expected(0)), tolerance);
}

TEST_F(pipeline_sharing, BUF_12_threads_that_execute_under_each_others_lease_do_not_hang) {
  const Shared shared[2] = {share({0}), share({1})};
  std::vector<std::vector<float>> memory;
  std::vector<Graph<Bound>> graphs;
  for (std::size_t i = 0; i < 2; ++i) {
    memory.push_back(networks[i].input());
    memory.emplace_back(networks[i].io_elements());
  }
  for (std::size_t i = 0; i < 2; ++i)
    graphs.push_back(must(must(Graph<Retrieved>::retrieve(shared[i].contexts[0], networks[i].name))
                              .bind({raw(networks[i].x_name, memory[2 * i]),
                                     raw(networks[i].y_name, memory[2 * i + 1])})));
  std::atomic<int> holders{0}, refused{0};
  const auto run = [&](std::size_t mine) {
    const auto lease = must(shared[mine].pool.lease());
    for (++holders; holders < 2;) std::this_thread::yield();
    if (const auto done = graphs[1 - mine].execute(); !done) {
      EXPECT_EQ(done.error().kind, Errc::would_deadlock) << done.error().message();
      ++refused;
    }
  };
  std::thread other([&] { run(1); });
  run(0);
  other.join();
  EXPECT_EQ(refused, 1) << "the call that would have closed the circle";
}

TEST_F(pipeline_sharing, BUF_12_the_locks_of_two_pools_are_held_from_the_first_graph_to_the_last) {
  const auto one = share({0, 1}, true);
  const auto two = share({2, 3}, true);
  auto line = make({&one.contexts[0], &one.contexts[1], &two.contexts[0], &two.contexts[1]});
  write(line, 0);
  Free::locks[0] = qnnpp::detail::Access::block(one.pool)->lock.get();
  Free::locks[1] = qnnpp::detail::Access::block(two.pool)->lock.get();
  Free::seen = Free::found_free = 0;
  {
    const Recording recording(&Free::hook);
    ASSERT_TRUE(succeeds(line.execute()));
  }
  EXPECT_EQ(Free::seen, 8) << "before and after each graph";
  EXPECT_EQ(Free::found_free, 0) << "that of the other pool is held as well";
  EXPECT_LT(largest_difference(must(line.output<float>("y")), expected(0)), tolerance);
  // Both locks are released again.
  EXPECT_TRUE(succeeds(one.pool.try_lease()));
  EXPECT_TRUE(succeeds(two.pool.try_lease()));
}

TEST_F(pipeline_sharing, BUF_12_under_a_lease_a_pipeline_takes_no_lock) {
  const auto shared = share({0, 1, 2, 3});
  auto line = make(shared);
  // An execution that locked a second time would be refused.
  auto lease = must(shared.pool.lease());
  for (std::uint32_t round = 0; round < 2; ++round) {
    write(line, round);
    ASSERT_TRUE(succeeds(line.execute(lease)));
    EXPECT_LT(largest_difference(must(line.output<float>("y")), expected(round)), tolerance);
  }
}

TEST_F(pipeline_sharing, BUF_12_an_error_gives_the_lock_back) {
  const auto shared = share({0, 1, 2, 3});
  auto line = make(shared);
  control().fail_call(Slot::graph_execute, 2, 6003);
  EXPECT_EQ(error_of(line.execute()).code, 6003);
  expect_right(line, 1);
  auto lease = must(shared.pool.lease());
  write(line, 2);
  control().fail_call(Slot::graph_execute, 2, 6003);
  EXPECT_EQ(error_of(line.execute(lease)).code, 6003);
  EXPECT_TRUE(succeeds(line.execute(lease))) << "the lease is the caller's still";
}

TEST_F(pipeline_sharing, BUF_12_two_pools_are_locked_in_one_order_whatever_that_of_the_graphs) {
  const auto one = share({0, 1});
  const auto two = share({2, 3});
  const bool one_is_first = qnnpp::detail::Access::block(one.pool)->lock.get() <
                            qnnpp::detail::Access::block(two.pool)->lock.get();
  const auto& first = one_is_first ? one : two;
  const auto& second = one_is_first ? two : one;
  for (const auto* begins : {&one, &two}) {
    const auto* ends = begins == &one ? &two : &one;
    auto line = make({&begins->contexts[0], &ends->contexts[0]});
    std::atomic<int> thread{0};
    std::atomic<bool> done{false};
    auto lease = std::optional(must(first.pool.lease()));
    std::thread other([&] {
      thread.store(::gettid());
      EXPECT_TRUE(succeeds(line.execute()));
      done.store(true);
    });
    wait_until_it_sleeps(thread);
    EXPECT_FALSE(done.load());
    // A thread that waits for the first lock does not hold the second lock, so two waiting threads
    // cannot deadlock.
    EXPECT_TRUE(succeeds(second.pool.try_lease()));
    lease.reset();
    other.join();
  }
}

TEST_F(pipeline_sharing, BUF_12_two_pipelines_with_two_pools_in_other_orders_do_not_wait_forever) {
  const auto one = share({0, 1});
  const auto two = share({2, 3});
  auto forward = make({&one.contexts[0], &one.contexts[1], &two.contexts[0], &two.contexts[1]});
  auto backward =
      make({&two.contexts[0], &two.contexts[1], &one.contexts[0], &one.contexts[1]},
           {.wires = {{.from = 1, .output = "y", .to = 2, .input = "x"}}, .inputs = {"h2"}});
  const auto run = [](Pipeline& line) {
    for (int round = 0; round < 50; ++round) EXPECT_TRUE(succeeds(line.execute()));
  };
  std::thread other([&] { run(backward); });
  run(forward);
  other.join();
  EXPECT_EQ(control().counters().parallel_sharers, 0u);
  expect_right(forward, 0);
}

TEST_F(pipeline_sharing, BUF_12_two_pipelines_of_one_pool_take_turns_and_get_right_numbers) {
  const auto shared = share({0, 1, 2, 3});
  auto one = make(shared);
  auto two = make(shared, {.share_bytes = TensorArena::lay_out});
  const auto wrong_of = [&](Pipeline& line, std::uint32_t first) {
    int wrong = 0;
    for (std::uint32_t round = first; round < first + 10; ++round) {
      write(line, round);
      if (!line.execute() ||
          !(largest_difference(must(line.output<float>("y")), expected(round)) < tolerance))
        ++wrong;
    }
    return wrong;
  };
  int others = 0;
  std::thread other([&] { others = wrong_of(two, 100); });
  EXPECT_EQ(wrong_of(one, 0), 0);
  other.join();
  EXPECT_EQ(others, 0);
  EXPECT_EQ(control().counters().parallel_sharers, 0u);
}

TEST_F(pipeline_sharing, BUF_09_contexts_that_share_nothing_need_no_lock_and_any_lease_will_do) {
  const auto shared = share({0, 1});
  const auto alone = restored(networks[2]);
  const auto last = restored(networks[3]);
  auto line = make({&shared.contexts[0], &shared.contexts[1], &alone, &last});
  expect_right(line, 0);
  auto lease = must(shared.pool.lease());
  write(line, 1);
  ASSERT_TRUE(succeeds(line.execute(lease)));
  EXPECT_LT(largest_difference(must(line.output<float>("y")), expected(1)), tolerance);
}

TEST_F(pipeline_sharing, BUF_12_a_pipeline_without_a_lease_that_its_thread_holds_is_an_error) {
  const auto one = share({0, 1});
  const auto two = share({2, 3});
  auto line = make({&one.contexts[0], &one.contexts[1], &two.contexts[0], &two.contexts[1]});
  for (const auto* shared : {&one, &two}) {
    const auto lease = must(shared->pool.lease());
    EXPECT_EQ(error_of(line.execute()).kind, Errc::would_deadlock);
    EXPECT_TRUE(succeeds((shared == &one ? two : one).pool.try_lease())) << "it keeps no lock";
  }
  EXPECT_EQ(calls(Slot::graph_execute), 0u);
  expect_right(line, 0);
}

TEST_F(pipeline_sharing, BUF_12_of_two_pipelines_under_one_lease_at_a_time_one_is_refused) {
  const auto shared = share({0, 1, 2, 3});
  auto one = make(shared);
  auto two = make(shared);
  write(one, 0);
  write(two, 0);
  auto lease = must(shared.pool.lease());
  const auto& lock = qnnpp::detail::Access::block(shared.pool)->lock;
  // Begins an execution, as the other pipeline does for all of its graphs.
  ASSERT_TRUE(lock->begin_execution());
  EXPECT_EQ(error_of(one.execute(lease)).kind, Errc::in_use);
  EXPECT_EQ(calls(Slot::graph_execute), 0u);
  lock->end_execution();
  EXPECT_TRUE(succeeds(one.execute(lease)));
  EXPECT_TRUE(succeeds(two.execute(lease)));
}

class pipeline_sharing_death : public pipeline_sharing {};

TEST_F(pipeline_sharing_death, BUF_12_a_lease_of_one_of_two_pools_ends_the_program) {
  const auto one = share({0, 1});
  const auto two = share({2, 3});
  auto line = make({&one.contexts[0], &one.contexts[1], &two.contexts[0], &two.contexts[1]});
  for (const auto* shared : {&one, &two}) {
    auto lease = must(shared->pool.lease());
    EXPECT_CONTRACT(lease_of_another_pipeline, (void)line.execute(lease));
  }
  EXPECT_TRUE(succeeds(line.execute()));
}

}}  // namespace support
