// 2 to 16 threads execute, load, evict, register and destroy at the same time, over one backend,
// one spill-fill buffer and one residency. Preset tsan checks for races.
//
// QNNPP_SOAK_SECONDS sets how many seconds the test repeats, with other tasks for the threads each
// time; see tests/reliability/soak.sh.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../model/residency_fixture.hpp"

namespace support { namespace {

using namespace qnnpp;

struct NoTurn {
  ~NoTurn() {}
};
/// Returns the right to make setup calls, if the residency offers it.
template <class Residency>
[[nodiscard]] auto setup_turn(const Residency& residency) {
  if constexpr (requires { residency.setup_lock(); })
    return residency.setup_lock();
  else
    return NoTurn{};
}

/// A bound graph with the registration of its memory, which another thread destroys.
struct Handed {
  RegisteredTensors tensors;
  Graph<Bound> graph;
};

/// Objects that threads hand to each other.
class Bin {
 public:
  void put(Handed one) {
    const std::lock_guard lock(mutex_);
    things_.push_back(std::move(one));
  }
  std::vector<Handed> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(things_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Handed> things_;
};

class a_soak : public ResidencyTest {
 protected:
  struct Shared {
    const SharedSpillFill& pool;
    Residency& residency;
    Bin bin;
    std::atomic<int> wrong{0};
  };
  void check(Shared& shared, bool right) const {
    if (!right) ++shared.wrong;
  }

  /// Makes a graph of a context over the shared pool, starting from its binary.
  Graph<Bound> graph_over(const SharedSpillFill& pool, std::size_t network, std::vector<float>& in,
                          std::vector<float>& out) const {
    auto asked = must(
        Context<Deferred>::create(
            backend(), must(ContextBinary::borrow(sources[network].bytes, sources[network].name)))
            .and_then(transition::query));
    const auto context = finalized(std::move(asked), pool);
    in = networks[network].input();
    out.assign(networks[network].io_elements(), -1.0f);
    return must(must(Graph<Retrieved>::retrieve(context, networks[network].name))
                    .bind({raw("x", in), raw("y", out)}));
  }
  bool computes(Graph<Bound>& graph, std::size_t network, std::vector<float>& out) const {
    std::fill(out.begin(), out.end(), -1.0f);
    return graph.execute() && largest_difference(out, expected_[network]) < tolerance;
  }

  /// Loads a context, executes it with and without a lease, and destroys it.
  void load_and_execute(Shared& shared, std::size_t network, int rounds) const {
    std::vector<float> in, out;
    auto turn =
        std::make_unique<decltype(setup_turn(shared.residency))>(setup_turn(shared.residency));
    {
      // A vector, because clang's -Wconsumed must know the state of a local object in a loop.
      std::vector<Graph<Bound>> graph;
      graph.push_back(graph_over(shared.pool, network, in, out));
      turn.reset();
      for (int i = 0; i < rounds; ++i) {
        check(shared, computes(graph[0], network, out));
        auto lease = Result<SpillFillLease>(shared.pool.lease());
        check(shared, lease && graph[0].execute(*lease) &&
                          largest_difference(out, expected_[network]) < tolerance);
      }
      turn = std::make_unique<decltype(setup_turn(shared.residency))>(setup_turn(shared.residency));
    }
  }
  /// Acquires contexts of a residency that evicts, and executes them.
  void acquire(Shared& shared, std::size_t place, int rounds) const {
    for (int i = 0; i < rounds; ++i) {
      auto pinned = shared.residency.acquire(place);
      if (!pinned && pinned.error().kind == Errc::in_use) {
        std::this_thread::yield();  // other threads pin all contexts that fit
        continue;
      }
      check(shared, pinned.has_value());
      if (pinned) check(shared, static_cast<bool>(works(*pinned)));
    }
  }
  /// Registers tensors, binds a graph to them and executes it. Leaves the graph for other threads
  /// to destroy, and destroys what they have left.
  void register_and_hand_on(Shared& shared, std::size_t network, int rounds) const {
    auto turn = [&] { return setup_turn(shared.residency); };
    std::vector<Context<Finalized>> context;
    {
      const auto held = turn();
      context.push_back(must(Context<Finalized>::restore(
          backend(), must(ContextBinary::borrow(sources[network].bytes, sources[network].name)))));
    }
    for (int i = 0; i < rounds; ++i) {
      std::vector<Graph<Bound>> graph;
      std::vector<RegisteredTensors> tensors;
      {
        const auto held = turn();
        auto found = must(Graph<Retrieved>::retrieve(context[0], networks[network].name));
        const auto memory =
            must(SharedBuffer<MultiTensor>::allocate(allocator(), found.inputs(), found.outputs()));
        tensors.push_back(must(RegisteredTensors::create(context[0], memory)));
        graph.push_back(must(std::move(found).bind(tensors[0])));
      }
      must(write_elements(graph[0].input<float>("x"), networks[network].input()));
      check(shared, graph[0].execute().has_value());
      {
        const auto y = must(graph[0].output<float>("y"));
        check(shared, largest_difference(y, expected_[network]) < tolerance);
      }
      shared.bin.put({std::move(tensors[0]), std::move(graph[0])});
      if (i % 2 == 1) {
        auto others = shared.bin.take();
        const auto held = turn();
        others.clear();
      }
    }
    const auto held = turn();
    context.clear();
  }

  /// Runs `count` threads once; `seed` selects the task of each thread.
  void run(std::size_t count, std::uint32_t seed) {
    auto largest = must(model::survey(backend(), sources[0]));
    BufferRequirements need{.spill_fill_bytes = largest.memory.spill_fill.or_zero(),
                            .start_alignment = 4096};
    const auto pool = must(SharedSpillFill::allocate(allocator(), need));
    Options made = options();
    made.budget_bytes = budget_for(3);
    auto residency = must(create(std::move(made)));
    Shared shared{.pool = pool, .residency = residency, .bin = {}};
    std::mt19937 random(seed);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i)
      threads.emplace_back([&, i, part = random() % 4, network = i % networks.size()] {
        switch (part) {
          case 0: return load_and_execute(shared, network, 4);
          case 1:
            for (int k = 0; k < 3; ++k) load_and_execute(shared, network, 1);
            return;
          // Each place of the residency is used by one thread only.
          case 2:
            if (i < networks.size()) return acquire(shared, network, 6);
            [[fallthrough]];
          default: return register_and_hand_on(shared, network, 6);
        }
      });
    for (std::thread& thread : threads) thread.join();
    thread_runs_ += count;
    EXPECT_EQ(shared.wrong.load(), 0) << count << " threads, seed " << seed;
    {
      const auto held = setup_turn(residency);
      shared.bin.take().clear();
    }
    expect_no_misuse();
  }
  void expect_numbers() {
    for (const Network& network : networks) expected_.push_back(network.reference(network.input()));
  }
  std::size_t thread_runs_ = 0;

 private:
  std::vector<std::vector<float>> expected_;
};

TEST_F(a_soak, BUF_12_THR_01_of_2_to_16_threads_leaves_right_numbers_and_nothing_else) {
  expect_numbers();
  const char* seconds = std::getenv("QNNPP_SOAK_SECONDS");
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::seconds(seconds == nullptr ? 0 : std::atoll(seconds));
  constexpr std::uint32_t sweeps = 3;
  std::uint32_t seed = 0;
  for (std::uint32_t sweep = 0; sweep < sweeps || std::chrono::steady_clock::now() < end; ++sweep) {
    for (std::size_t count = 2; count <= 16; ++count) run(count, ++seed);
    if (HasFailure()) break;
  }
  std::printf("thread runs: %zu\n", thread_runs_);
}

}}  // namespace support
