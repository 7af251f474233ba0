// Two threads execute graphs of contexts that share spill-fill memory, with the lock and without
// it.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fixture.hpp"
#include "recorder.hpp"

// The control test without the lock races on purpose.
#if defined(__SANITIZE_THREAD__)
#define QNNPP_TEST_RACES_ARE_ERRORS
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define QNNPP_TEST_RACES_ARE_ERRORS
#endif
#endif

namespace support { namespace {

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
  /// Executes `rounds` times. Returns how many executions failed or gave wrong numbers.
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
  /// Makes executions meet on the device if they can; they then alternate node by node.
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
  /// Executes both networks once at the same time. Each execution waits on the device for the
  /// other. If they do not overlap, each lasts until the device's timeout.
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

TEST_F(execution_by_threads, BUF_12_contexts_over_one_memory_that_was_lent_twice_take_turns) {
  auto asked_one = queried(one_);
  auto asked_two = queried(two_);
  const std::uint64_t bytes = asked_two.requirements().spill_fill_bytes;
  const DmaBuffer memory = must(allocator().allocate(bytes));
  const auto lent = [&] {
    return SharedSpillFill::from_region(must(MemRegion<SpillFill>::from_buffer(
        must(DmaBuffer::from_native(memory.fd(), bytes, {.fd = FdUse::borrow})))));
  };
  const auto one = finalized(std::move(asked_one), lent());
  const auto two = finalized(std::move(asked_two), lent());
  meet(2, 20);
  expect_right_numbers(one, two, 3);
  EXPECT_EQ(control().counters().parallel_sharers, 0u);

  Worker b;
  b.bind(two_, two);
  SpillFillLease lease = must(one.spill_fill().lease());
  EXPECT_TRUE(b.graph[0].execute(lease)) << "a lease of either covers the graphs of both";
  EXPECT_EQ(b.graph[0].execute().error().kind, Errc::would_deadlock);
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
    // One thread destroys the pool while the other one executes and destroys the graph, and with it
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

TEST_F(execution_by_threads, BUF_12_of_two_threads_under_one_lease_one_is_refused) {
  const Sharers shared = sharers();
  meet(2, 20);
  auto lease = must(shared.pool.lease());
  Worker workers[2];
  workers[0].bind(one_, shared.one);
  workers[1].bind(two_, shared.two);
  std::atomic<int> right{0};
  std::atomic<int> refused{0};
  std::atomic<int> wrong{0};
  for (int round = 0; round < 5; ++round) {
    std::barrier start(2);
    const auto work = [&](Worker& worker) {
      start.arrive_and_wait();
      if (const auto done = worker.graph[0].execute(lease); !done)
        ++(done.error().kind == Errc::in_use ? refused : wrong);
      else
        ++(largest_difference(worker.out, worker.network.reference(worker.in)) < tolerance ? right
                                                                                           : wrong);
    };
    std::thread other([&] { work(workers[0]); });
    work(workers[1]);
    other.join();
  }
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(right.load() + refused.load(), 10);
  // Each execution waits on the device for the other. The second execution is refused at once,
  // without waiting.
  EXPECT_GE(refused.load(), 1);
  EXPECT_EQ(control().counters().parallel_sharers, 0u);
}

/// Several threads create and destroy contexts.
class setup_by_threads : public LoadedTest {
 protected:
  /// Runs `work` on `count` threads that start at the same time.
  template <class Work>
  static void together(int count, Work work) {
    std::barrier start(count);
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        work(i);
      });
    for (auto& thread : threads) thread.join();
  }
  const Network network_{
      .name = "net", .hidden = 256, .seed = 43, .io = c_api::TensorMemType::memhandle};
};

TEST_F(setup_by_threads, THR_01_contexts_of_one_backend_are_made_and_freed_one_at_a_time) {
  const std::vector<std::byte> bytes = binary_of(backend(), {network_});
  together(4, [&](int thread) {
    for (int round = 0; round < 10; ++round) {
      const std::string name = std::to_string(thread);
      if (thread % 2 == 0) {
        auto asked = must(
            Context<Deferred>::create(backend(), own(bytes, name)).and_then(transition::query));
        const auto context = finalized(std::move(asked));
        EXPECT_TRUE(succeeds(Graph<Retrieved>::retrieve(context, "net")));
      } else {
        auto context = must(Context<Finalized>::restore(backend(), own(bytes, name)));
        EXPECT_TRUE(succeeds(std::move(context).close()));
      }
    }
  });
  EXPECT_EQ(control().misuses("THR-01"), 0u);
}

TEST_F(setup_by_threads, THR_01_lists_of_contexts_are_made_beside_no_other_context) {
  const std::vector<std::byte> bytes = binary_of(backend(), {network_});
  together(3, [&](int thread) {
    for (int round = 0; round < 5; ++round) {
      const std::string name = std::to_string(thread);
      if (thread == 0)
        EXPECT_EQ(must(restore_list(backend(), {own(bytes, "a"), own(bytes, "b")})).size(), 2u);
      else
        (void)must(Context<Finalized>::restore(backend(), own(bytes, name)));
    }
  });
  EXPECT_EQ(control().misuses("THR-01"), 0u);
}

/// Blocks one call of QNN until a test continues it.
struct Held {
  static inline sim::Slot slot = sim::Slot::context_finalize;
  static inline std::binary_semaphore begun{0};
  static inline std::binary_semaphore goes_on{0};
  static inline std::atomic<bool> in_time{true};

  static void hook(std::size_t called, bool entering, const void* const*) {
    if (called != static_cast<std::size_t>(slot) || !entering) return;
    begun.release();
    // Long enough that only a thread that waits for this call exceeds the time.
    in_time.store(goes_on.try_acquire_for(std::chrono::seconds(20)));
  }
};

TEST_F(setup_by_threads, a_load_delays_no_execution_and_no_destruction_on_another_thread) {
  const auto recorder = must(load_recorder());
  const std::vector<std::byte> bytes = binary_of(backend(), {network_});
  const auto make_context = [&](const char* name) {
    auto asked =
        must(Context<Deferred>::create(recorder, own(bytes, name)).and_then(transition::query));
    auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
    return finalized(std::move(asked), std::move(pool));
  };
  const auto context = make_context("resident");
  const auto other = make_context("other");
  for (const sim::Slot slot :
       {sim::Slot::context_finalize, sim::Slot::context_create_from_binary}) {
    auto graph = must(must(Graph<Retrieved>::retrieve(context, "net")).bind(allocator()));
    must(graph.input<float>("x"));
    Held::slot = slot;
    const Recording recording(&Held::hook);
    std::thread load([&] { (void)make_context("loaded"); });
    Held::begun.acquire();
    // QNN is still loading the context; everything below runs at the same time.
    EXPECT_TRUE(succeeds(graph.execute()));
    auto lease = must(context.spill_fill().lease());
    EXPECT_TRUE(succeeds(graph.execute(lease)));
    {
      const Graph<Bound> last = std::move(graph);
    }
    auto again = must(must(Graph<Retrieved>::retrieve(other, "net")).bind(allocator()));
    must(again.input<float>("x"));
    EXPECT_TRUE(succeeds(again.execute()));
    Held::goes_on.release();
    load.join();
    EXPECT_TRUE(Held::in_time.load());
  }
}

/// Makes each creation of a context last long enough for another thread to reach QNN, and notes
/// whether that thread deregisters memory at the same time.
struct SlowCreation {
  static inline std::binary_semaphore begun{0};
  static inline std::atomic<bool> runs{false};
  static inline std::atomic<bool> is_met{false};

  static void hook(std::size_t called, bool entering, const void* const*) {
    if (called == static_cast<std::size_t>(sim::Slot::mem_de_register) && entering && runs.load())
      is_met = true;
    if (called != static_cast<std::size_t>(sim::Slot::context_create_from_binary)) return;
    runs = entering;
    if (!entering) return;
    begun.release();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
};

TEST_F(setup_by_threads, THR_01_external_buffers_are_given_back_beside_no_creation) {
  const auto recorder = must(load_recorder());
  const std::vector<std::byte> bytes = binary_of(backend(), {network_});
  auto asked = must(
      Context<Deferred>::create(recorder, own(bytes, "registered")).and_then(transition::query));
  auto weights = weights_for(asked);
  auto registered =
      std::optional(must(std::move(asked).register_buffers({.weights = std::move(weights)})));
  const Recording recording(&SlowCreation::hook);
  std::thread load(
      [&] { (void)must(Context<Finalized>::restore(recorder, own(bytes, "restored"))); });
  SlowCreation::begun.acquire();
  registered.reset();
  load.join();
  EXPECT_FALSE(SlowCreation::is_met.load());
}

TEST_F(setup_by_threads, SHB_05_tensors_of_one_context_come_and_go_on_any_thread) {
  const auto context = restored(network_);
  const std::vector<TensorSpec> specs{network_.spec("x"), network_.spec("y")};
  const auto shared = must(SharedBuffer<MultiTensor>::allocate(allocator(), specs));
  together(4, [&](int) {
    for (int round = 0; round < 20; ++round) {
      const auto memory = must(SharedBuffer<MultiTensor>::allocate(allocator(), specs));
      auto tensors = must(RegisteredTensors::create(context, memory));
      auto graph = must(must(Graph<Retrieved>::retrieve(context, "net")).bind(tensors));
      std::thread([last = std::move(tensors)] {}).join();
      std::thread([last = std::move(graph)] {}).join();
    }
  });
  EXPECT_EQ(control().counters().live_tensor_registrations, 0u);
  // Shows that the context's list of memory is still correct: registering twice is refused exactly
  // while the first registration lives.
  for (int round = 0; round < 2; ++round) {
    const auto tensors = must(RegisteredTensors::create(context, shared));
    EXPECT_EQ(error_of(RegisteredTensors::create(context, shared)).kind, Errc::already_registered);
  }
}

TEST_F(setup_by_threads, SHB_05_of_two_threads_that_register_the_same_memory_one_succeeds) {
  const auto context = restored(network_);
  const auto memory = must(SharedBuffer<MultiTensor>::allocate(
      allocator(), std::vector<TensorSpec>{network_.spec("x"), network_.spec("y")}));
  for (int round = 0; round < 200; ++round) {
    std::optional<Result<RegisteredTensors>> made[2];
    together(2,
             [&](int thread) { made[thread].emplace(RegisteredTensors::create(context, memory)); });
    ASSERT_NE(made[0]->has_value(), made[1]->has_value());
    EXPECT_EQ(error_of(made[0]->has_value() ? *made[1] : *made[0]).kind, Errc::already_registered);
  }
}

#if !defined(QNNPP_TEST_RACES_ARE_ERRORS)
TEST_F(execution_by_threads, BUF_12_without_the_lock_sharers_spoil_each_other_every_time) {
  expect_misuse();
  const Sharers shared = sharers();
  const auto execute = *backend().provider().find<&c_api::InterfaceTable::graph_execute>();
  meet(2, 20000);
  // Does the same as execute(), but without the lock.
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

}}  // namespace support
