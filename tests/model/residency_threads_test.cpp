// Threads that share a residency, and the cost of a request for a resident context.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gsl/assert>

#include "heap.hpp"
#include "recorder.hpp"
#include "residency_fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class threads_of_a_residency : public ResidencyTest {};

TEST_F(threads_of_a_residency, that_ask_for_one_context_get_the_same_one_loaded_once) {
  for (int round = 0; round < 40; ++round) {
    Options made = options();
    std::atomic<int> asking{0}, built{0};
    made.payload = [&](std::size_t i, const Context<Finalized>& context) {
      // Waits until the other threads ask, or are about to ask.
      while (asking.load() != 3) std::this_thread::yield();
      ++built;
      return bind(i, context);
    };
    auto residency = must(create(std::move(made)));
    std::vector<const Payload*> payloads(3);
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < 3; ++k)
      threads.emplace_back([&, k] {
        ++asking;
        const auto pinned = must(residency.acquire_shared(4));
        payloads[k] = &pinned.payload();
      });
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(built.load(), 1);
    EXPECT_EQ(payloads, std::vector<const Payload*>(3, payloads[0]));
    EXPECT_EQ(residency.stats().loads, 1u);
    EXPECT_EQ(residency.stats().hits, 2u);
  }
}

TEST_F(threads_of_a_residency, SSR_01_that_are_told_of_one_restart_recover_from_it_once) {
  for (int round = 0; round < 20; ++round) {
    auto residency = must(create(options()));
    serve(residency, requests_of(6, 1));
    std::atomic<int> there{0}, told{0}, done{0};
    control().fail_call(Slot::graph_execute, 1, 1007, true);
    const auto meet = [](std::atomic<int>& at) {
      ++at;
      while (at.load() != 2) std::this_thread::yield();
    };
    const auto work = [&](std::size_t i) {
      const auto pinned = must(residency.acquire(i));
      meet(there);
      EXPECT_TRUE(run(pinned).empty());
      meet(told);
      EXPECT_TRUE(succeeds(residency.recover()));
      meet(done);
    };
    std::thread other([&] { work(1); });
    work(0);
    other.join();
    control().clear_faults();
    EXPECT_EQ(residency.stats().recoveries, 1u);
    serve(residency, requests_of(6, 1));
    EXPECT_EQ(residency.stats().loads, 12u);
  }
}

TEST_F(threads_of_a_residency, THR_01_make_setup_calls_of_their_own_beside_one_that_loads_ahead) {
  Options made = cyclic(3);
  made.prefetch = Prefetch::ahead;
  auto residency = must(create(std::move(made)));
  const auto use = [this](std::size_t i, const Context<Finalized>& context) {
    const Network& network = networks[i];
    auto memory = must(SharedBuffer<MultiTensor>::allocate(
        allocator(), std::vector<TensorSpec>{network.spec("x"), network.spec("y")}));
    const auto registered = must(RegisteredTensors::create(context, memory));
    const auto bound = must(bind(i, context));
    EXPECT_TRUE(succeeds(bound->graph[0].execute()));
  };
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  // Creates and destroys contexts beside the residency's contexts.
  for (const std::size_t own : {0u, 4u})
    threads.emplace_back([&, own] {
      while (!done) {
        (void)must(model::survey(backend(), sources[own]));
        use(own, must(Context<Finalized>::restore(
                     backend(), must(ContextBinary::borrow(sources[own].bytes, "own")))));
      }
    });
  // Whether a load ahead begins in time is up to the system, so the requests go on until one did.
  for (int round = 0; round == 0 || (residency.stats().prefetched == 0 && round < 1000); ++round)
    for (const std::size_t i : requests_of(6, 6)) {
      const auto pinned = must(residency.acquire(i));
      use(i, pinned.context());
    }
  done = true;
  for (std::thread& each : threads) each.join();
  EXPECT_GT(residency.stats().prefetched, 0u);
}

/// Requests of a thread that pins one or several contexts at a time.
struct RandomRequests {
  qnnpp::model::Residency<std::unique_ptr<BoundNetwork>>& residency;
  std::mutex& nesting;
  std::atomic<int>& wrong;
  std::uint32_t state;

  std::uint32_t next(std::uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % below;
  }
  /// Waits far longer than all other threads can need, so that only a thread that waits for itself
  /// reaches the timeout.
  static constexpr std::chrono::seconds watch{20};

  template <class Pins>
  bool add(Pins& pins, std::chrono::nanoseconds patience) {
    const std::size_t place = next(4);
    std::optional<Error> refused;
    if (next(3) == 0) {
      auto pinned = residency.acquire_for(place, patience);
      if (pinned)
        pins.alone.push_back(std::move(*pinned));
      else
        refused.emplace(std::move(pinned).error());
    } else {
      auto pinned = residency.acquire_shared_for(place, patience);
      if (pinned)
        pins.shared.push_back(std::move(*pinned));
      else
        refused.emplace(std::move(pinned).error());
    }
    if (!refused) return true;
    const bool has_pins = !pins.alone.empty() || !pins.shared.empty();
    const bool is_right = (refused->kind == Errc::would_deadlock && has_pins) ||
                          (refused->kind == Errc::timed_out && patience != watch);
    if (!is_right) {
      ++wrong;
      ADD_FAILURE() << refused->message();
    }
    return false;
  }

  void run(int rounds) {
    using R = qnnpp::model::Residency<std::unique_ptr<BoundNetwork>>;
    struct Pins {
      std::vector<R::Pinned> alone;
      std::vector<R::SharedPinned> shared;
    };
    for (int round = 0; round < rounds && wrong == 0; ++round) {
      Pins pins;
      // Only one thread at a time waits while it has pins, so that no two wait for each other.
      const std::unique_lock nests(nesting, std::try_to_lock);
      if (!nests) {
        if (add(pins, watch) && next(2) == 0) (void)add(pins, std::chrono::nanoseconds(0));
        if (next(2) == 0) std::this_thread::yield();
        continue;
      }
      for (int k = 0; k < 6; ++k) {
        if (!add(pins, watch) && next(2) == 0) {
          if (!pins.shared.empty())
            pins.shared.erase(pins.shared.begin() +
                              next(static_cast<std::uint32_t>(pins.shared.size())));
          else if (!pins.alone.empty())
            pins.alone.pop_back();
        }
        if (next(3) == 0) std::this_thread::yield();
      }
    }
  }
};

TEST_F(threads_of_a_residency, never_wait_for_themselves_whatever_they_pin) {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Options made = options();
    made.max_contexts = 1 + seed % 3;
    made.payload = [](std::size_t, const Context<Finalized>&) -> Result<Payload> {
      return std::make_unique<BoundNetwork>();
    };
    if (seed % 4 == 0) {
      made.order = UseOrder::cyclic();
      made.prefetch = Prefetch::ahead;
    }
    auto residency = must(create(std::move(made)));
    std::mutex nesting;
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (std::uint32_t k = 0; k < 2 + seed % 3; ++k)
      threads.emplace_back(
          [&, k] { RandomRequests{residency, nesting, wrong, seed * 977 + k}.run(15); });
    for (std::thread& each : threads) each.join();
    ASSERT_EQ(wrong.load(), 0);
    EXPECT_EQ(residency.stats().waiting, 0u);
  }
}

TEST_F(threads_of_a_residency, free_contexts_that_QNN_does_not_free_without_any_memory) {
  for (BinarySource& each : sources) each.name = "a name that no string object keeps inside itself";
  // Allocations inside the libraries do not fail.
  const Recording recording(
      [](std::size_t, bool entering, const void* const*) { HeapWatch::pause(entering); });
  const auto backend =
      must(Backend<Htp>::load({.library = QNNPP_RECORDER, .system_library = QNNPP_RECORDER}));
  const auto rpcmem = must(RpcmemAllocator::load(QNNPP_RECORDER));
  for (const bool is_pinned : {false, true}) {
    auto residency =
        std::make_unique<Residency>(must(Residency::create(backend, rpcmem, sources, options())));
    auto pinned = std::make_unique<Pinned>(must(residency->acquire(0)));
    if (!is_pinned) pinned.reset();
    if (is_pinned) residency.reset();
    control().fail_call(Slot::context_free, 1, 1001);
    const auto frees = calls(Slot::context_free);
    {
      const AllocationFault out_of_memory(1);
      residency.reset();
      pinned.reset();
    }
    EXPECT_EQ(calls(Slot::context_free), frees + 1);
    EXPECT_EQ(AllocationFault::allocations(), 0u);
    control().clear_faults();
  }
}

TEST_F(threads_of_a_residency, allocate_nothing_where_the_context_is_there) {
  for (const Prefetch how : {Prefetch::off, Prefetch::spare_room}) {
    Options made = cyclic(6);
    made.prefetch = how;
    auto residency = must(create(std::move(made)));
    serve(residency, {0});
    must(residency.settle());
    {
      const HeapWatch watch(Threads::this_one);
      for (int k = 0; k < 3; ++k) {
        const auto pinned = residency.acquire(0);
        Expects(pinned.has_value());
      }
    }
    EXPECT_EQ(HeapWatch::allocations(), 0u);
    EXPECT_GE(residency.stats().hits, 3u);
  }
}

}}  // namespace support
