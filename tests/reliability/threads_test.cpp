// Graphs of contexts that share spill-fill memory, executed by two threads - with the lock, and
// without it.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "fixture.hpp"

// The control without the lock races on purpose.
#if defined(__SANITIZE_THREAD__)
#define QNNPP_TEST_RACES_ARE_ERRORS
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define QNNPP_TEST_RACES_ARE_ERRORS
#endif
#endif

namespace support {
namespace {

using namespace qnnpp;

/// One thread's part: a network, its memory, its bound graph.
struct Worker {
  Network network;
  std::vector<float> in;
  std::vector<float> out;
  std::vector<Graph<Bound>> graph;

  void bind(const Network& described, const Context<Finalized>& context) {
    network = described;
    in = network.input();
    out.assign(network.io_elements(), -1.0f);
    graph.push_back(must(must(Graph<Retrieved>::retrieve(context, network.name))
                             .bind({raw("x", in), raw("y", out)})));
  }
  /// How many of `rounds` executions failed or gave wrong numbers.
  int wrong_of(int rounds) {
    const std::vector<float> expected = network.reference(in);
    int wrong = 0;
    for (int round = 0; round < rounds; ++round) {
      std::fill(out.begin(), out.end(), -1.0f);
      if (!graph[0].execute() || !(largest_difference(out, expected) < tolerance)) ++wrong;
    }
    return wrong;
  }
};

class execution_by_threads : public LoadedTest {
 protected:
  /// Executions meet on the device if they can, and then take turns node by node.
  static void meet(std::uint32_t executions, std::uint32_t timeout_ms) {
    set(&sim::Config::lockstep_executions, executions);
    set(&sim::Config::lockstep_timeout_ms, timeout_ms);
  }
  /// Two contexts over one pool.
  struct Sharers {
    SharedSpillFill pool;
    Context<Finalized> one;
    Context<Finalized> two;
  };
  Sharers sharers() const {
    auto asked_one = queried(one_);
    auto asked_two = queried(two_);
    const auto pool = must(SharedSpillFill::allocate(allocator(), asked_two.requirements()));
    auto one = finalized(std::move(asked_one), pool);
    auto two = finalized(std::move(asked_two), pool);
    return {pool, std::move(one), std::move(two)};
  }
  /// Executes both networks at the same time, `rounds` times each.
  void expect_right_numbers(const Context<Finalized>& one, const Context<Finalized>& two,
                            int rounds) const {
    Worker a;
    Worker b;
    a.bind(one_, one);
    b.bind(two_, two);
    int wrong_a = 0;
    int wrong_b = 0;
    std::thread first([&] { wrong_a = a.wrong_of(rounds); });
    std::thread second([&] { wrong_b = b.wrong_of(rounds); });
    first.join();
    second.join();
    EXPECT_EQ(wrong_a, 0);
    EXPECT_EQ(wrong_b, 0);
  }
  /// The same, once: each execution waits on the device until the other one is there. Apart, they
  /// would take as long as the device waits.
  void expect_at_the_same_time(const Context<Finalized>& one, const Context<Finalized>& two) const {
    constexpr std::uint32_t timeout_ms = 20000;
    meet(2, timeout_ms);
    const auto started = std::chrono::steady_clock::now();
    expect_right_numbers(one, two, 1);
    EXPECT_LT(std::chrono::steady_clock::now() - started,
              std::chrono::milliseconds(timeout_ms / 2));
  }
  const Network one_{.name = "one", .hidden = 64, .seed = 41};
  const Network two_{.name = "two", .hidden = 96, .seed = 42};
};

TEST_F(execution_by_threads, BUF_12_two_threads_that_share_the_pool_get_right_numbers) {
  const auto [pool, one, two] = sharers();
  set(&sim::Config::node_delay_us, 50);
  expect_right_numbers(one, two, 25);
  EXPECT_EQ(control().counters().executions, 50u);
  EXPECT_EQ(control().counters().parallel_sharers, 0u);
}

TEST_F(execution_by_threads, BUF_12_executions_that_would_meet_do_not_where_they_share) {
  const auto [pool, one, two] = sharers();
  meet(2, 20);
  expect_right_numbers(one, two, 3);
  EXPECT_EQ(control().counters().parallel_sharers, 0u);
}

TEST_F(execution_by_threads, BUF_12_leases_of_two_threads_take_turns) {
  const Sharers shared = sharers();
  Worker a;
  Worker b;
  a.bind(one_, shared.one);
  b.bind(two_, shared.two);
  set(&sim::Config::node_delay_us, 50);
  std::atomic<int> wrong{0};
  const auto work = [&](Worker& worker) {
    for (int round = 0; round < 10; ++round) {
      auto lease = must(shared.pool.lease());
      for (int i = 0; i < 2; ++i) {
        if (!worker.graph[0].execute(lease)) ++wrong;
        if (!(largest_difference(worker.out, worker.network.reference(worker.in)) < tolerance))
          ++wrong;
      }
    }
  };
  std::thread other([&] { work(a); });
  work(b);
  other.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(control().counters().parallel_sharers, 0u);
}

TEST_F(execution_by_threads, GRP_02_two_threads_with_contexts_of_one_group_get_right_numbers) {
  const auto head = restored(two_, {.group = ContextGroup::head(1u << 16)});
  const auto member = restored(one_, {.group = head.as_group_head()});
  meet(2, 20);
  expect_right_numbers(member, head, 3);
  EXPECT_EQ(control().counters().parallel_sharers, 0u);
}

TEST_F(execution_by_threads, contexts_that_share_nothing_execute_at_the_same_time) {
  auto asked_one = queried(one_);
  auto asked_two = queried(two_);
  const auto pool_one = must(SharedSpillFill::allocate(allocator(), asked_one.requirements()));
  const auto pool_two = must(SharedSpillFill::allocate(allocator(), asked_two.requirements()));
  const auto one = finalized(std::move(asked_one), pool_one);
  const auto two = finalized(std::move(asked_two), pool_two);
  expect_at_the_same_time(one, two);
}

TEST_F(execution_by_threads, contexts_without_external_buffers_execute_at_the_same_time) {
  expect_at_the_same_time(restored(one_), restored(two_));
}

TEST_F(execution_by_threads, the_last_reference_may_be_dropped_by_any_thread) {
  for (int round = 0; round < 20; ++round) {
    auto asked = queried(one_);
    auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
    Worker a;
    {
      const auto context = finalized(std::move(asked), pool);
      a.bind(one_, context);
    }
    // One thread lets go of the pool while the other executes and lets go of the graph, and so of
    // the context.
    std::thread other([&] {
      EXPECT_EQ(a.wrong_of(1), 0);
      a.graph.clear();
    });
    {
      const SharedSpillFill last = std::move(pool);
    }
    other.join();
    EXPECT_EQ(control().counters().live_contexts, 0u);
  }
}

#if !defined(QNNPP_TEST_RACES_ARE_ERRORS)
TEST_F(execution_by_threads, BUF_12_without_the_lock_sharers_spoil_each_other_every_time) {
  expect_misuse();
  const Sharers shared = sharers();
  const auto execute = must(backend().provider().slot<&c_api::InterfaceTable::graph_execute>());
  meet(2, 20000);
  // Does what execute() does, without the lock.
  const auto run = [&](const Context<Finalized>& context, const Network& network, bool& right) {
    auto graph = must(Graph<Retrieved>::retrieve(context, network.name));
    TensorSpec x = graph.inputs()[0];
    TensorSpec y = graph.outputs()[0];
    std::vector<float> in = network.input();
    std::vector<float> out(network.io_elements(), -1.0f);
    const auto raw_tensor = [](TensorSpec& spec, std::vector<float>& memory) {
      c_api::Tensor tensor;
      detail::describe(spec, tensor);
      tensor.v1.mem_type = c_api::TensorMemType::raw;
      tensor.v1.client_buf.data = memory.data();
      tensor.v1.client_buf.data_size = static_cast<std::uint32_t>(memory.size() * sizeof(float));
      return tensor;
    };
    const c_api::Tensor input = raw_tensor(x, in);
    c_api::Tensor output = raw_tensor(y, out);
    right = execute(graph.native(), &input, 1, &output, 1, nullptr, nullptr) == 0 &&
            largest_difference(out, network.reference(in)) < tolerance;
  };
  for (int round = 0; round < 5; ++round) {
    bool right_one = false;
    bool right_two = false;
    std::thread other([&] { run(shared.one, one_, right_one); });
    run(shared.two, two_, right_two);
    other.join();
    EXPECT_FALSE(right_one && right_two) << "round " << round;
  }
  EXPECT_EQ(control().counters().parallel_sharers, 5u);
}
#endif

}  // namespace
}  // namespace support
