// Requests that wait for pinned contexts, pins that share a context and pins that do not, and
// functions of the caller that use the residency while it loads.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "contracts.hpp"
#include "residency_fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using namespace std::chrono_literals;
using sim::Slot;

class waiting_for_a_residency : public ResidencyTest {
 protected:
  static constexpr auto for_ever = std::chrono::milliseconds::max();

  Residency with_room_for(std::size_t contexts) const {
    Options made = options();
    made.max_contexts = contexts;
    return must(create(std::move(made)));
  }
  /// Waits until exactly `waiting` requests wait.
  static void await(const Residency& residency, std::size_t waiting) {
    while (residency.stats().waiting != waiting) std::this_thread::yield();
  }
};

/// A thread that pins a context until it is asked to release it.
class Holder {
 public:
  template <class Acquire>
  explicit Holder(Acquire acquire)
      : thread_([this, acquire] {
          const auto pinned = must(acquire());
          holds_ = true;
          while (!done_) std::this_thread::yield();
        }) {
    while (!holds_) std::this_thread::yield();
  }
  ~Holder() { release(); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  void release() {
    done_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<bool> holds_{false};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

// -------------------------------------------------------------------------------- waiting for room

TEST_F(waiting_for_a_residency, gets_the_context_once_another_thread_releases_what_is_in_the_way) {
  auto residency = with_room_for(1);
  auto pinned = std::make_unique<Pinned>(must(residency.acquire(0)));
  std::atomic<bool> served{false};
  std::thread other([&] {
    const auto own = residency.acquire_for(1, for_ever);
    EXPECT_TRUE(succeeds(own));
    EXPECT_TRUE(works(*own));
    served = true;
  });
  await(residency, 1);
  EXPECT_FALSE(served.load());
  pinned.reset();
  other.join();
  EXPECT_TRUE(served.load());
  EXPECT_EQ(residency.stats().waiting, 0u);
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{1}));
}

TEST_F(waiting_for_a_residency, serves_who_waits_in_the_order_of_the_requests) {
  auto residency = with_room_for(1);
  std::vector<std::size_t> served;
  std::vector<std::thread> threads;
  {
    const auto pinned = must(residency.acquire(0));
    for (const std::size_t i : {4u, 2u, 5u, 0u, 1u}) {
      threads.emplace_back([&residency, &served, i] {
        const auto own = must(residency.acquire_for(i, for_ever));
        served.push_back(own.index());
      });
      await(residency, threads.size());
    }
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(served, (std::vector<std::size_t>{4, 2, 5, 0, 1}));
}

TEST_F(waiting_for_a_residency, gives_what_is_released_to_nobody_who_comes_later) {
  for (int round = 0; round < 50; ++round) {
    auto residency = with_room_for(1);
    auto pinned = std::make_unique<Pinned>(must(residency.acquire(0)));
    std::atomic<bool> served{false};
    std::thread other([&] {
      const auto own = must(residency.acquire_for(1, for_ever));
      served = true;
    });
    await(residency, 1);
    pinned.reset();
    // Context 0 is resident, but is evicted for the request that already waits.
    const auto again = must(residency.acquire_for(0, for_ever));
    EXPECT_TRUE(served.load());
    other.join();
  }
}

TEST_F(waiting_for_a_residency, refuses_at_once_who_does_not_wait_while_others_wait_for_room) {
  auto residency = with_room_for(1);
  auto pinned = std::make_unique<Pinned>(must(residency.acquire(0)));
  std::thread other([&] { (void)must(residency.acquire_for(1, for_ever)); });
  await(residency, 1);
  EXPECT_EQ(error_of(residency.acquire(2)).kind, Errc::in_use);
  pinned.reset();
  other.join();
}

TEST_F(waiting_for_a_residency, is_timed_out_with_who_is_pinned) {
  auto residency = with_room_for(2);
  const Holder first([&] { return residency.acquire(0); });
  const Holder second([&] { return residency.acquire(1); });
  for (const auto patience : {0ms, -5ms, std::chrono::milliseconds::min(), 3ms}) {
    const Error error = error_of(residency.acquire_for(2, patience));
    EXPECT_EQ(error.kind, Errc::timed_out);
    EXPECT_EQ(error.object, "n2.bin");
    EXPECT_EQ(error.detail, "no context can be evicted: n0.bin is pinned, n1.bin is pinned");
  }
  const Error error = error_of(residency.acquire_for(1, std::chrono::duration<float>(0.001f)));
  EXPECT_EQ(error.kind, Errc::timed_out);
  EXPECT_EQ(error.detail, "n1.bin is pinned");
  EXPECT_EQ(residency.stats().waiting, 0u);
}

TEST_F(waiting_for_a_residency, names_the_first_contexts_that_are_pinned_and_counts_the_rest) {
  make_networks(12);
  auto residency = with_room_for(11);
  std::vector<Pinned> pinned;
  for (std::size_t i = 0; i < 11; ++i) pinned.push_back(must(residency.acquire(i)));
  std::string detail = "no context can be evicted: ";
  for (std::size_t i = 0; i < 3; ++i)
    detail += (i == 0 ? "" : ", ") + sources[i].name + " is pinned";
  detail += " and 8 more";
  EXPECT_EQ(error_of(residency.acquire(11)).detail, detail);
  EXPECT_EQ(error_of(residency.acquire_for(11, for_ever)).detail, detail);
}

TEST_F(waiting_for_a_residency, would_deadlock_where_the_thread_itself_pins_all_that_could_go) {
  auto residency = with_room_for(2);
  const auto first = must(residency.acquire(0));
  {
    const auto second = must(residency.acquire(1));
    const Error error = error_of(residency.acquire_for(2, for_ever));
    EXPECT_EQ(error.kind, Errc::would_deadlock);
    EXPECT_EQ(error.object, "n2.bin");
    EXPECT_EQ(error.detail, "no context can be evicted: n0.bin is pinned, n1.bin is pinned");
  }
  {
    const Holder other([&] { return residency.acquire(1); });
    EXPECT_EQ(error_of(residency.acquire_for(2, 1ms)).kind, Errc::timed_out);
  }
  EXPECT_TRUE(succeeds(residency.acquire_for(2, for_ever)));
}

TEST_F(waiting_for_a_residency, would_deadlock_behind_another_that_waits_for_the_same_thread) {
  auto residency = with_room_for(1);
  auto pinned = std::make_unique<Pinned>(must(residency.acquire(0)));
  std::thread other([&] { (void)must(residency.acquire_for(1, for_ever)); });
  await(residency, 1);
  EXPECT_EQ(error_of(residency.acquire_for(2, for_ever)).kind, Errc::would_deadlock);
  pinned.reset();
  other.join();
}

TEST_F(waiting_for_a_residency, counts_a_pin_as_that_of_the_thread_that_moved_it_last) {
  auto residency = with_room_for(1);
  auto pinned = std::make_unique<Pinned>(must(residency.acquire(0)));
  std::atomic<bool> moved{false};
  std::thread other([&] {
    const Pinned own = std::move(*pinned);
    EXPECT_EQ(error_of(residency.acquire_for(1, for_ever)).kind, Errc::would_deadlock);
    moved = true;
    await(residency, 1);
  });
  while (!moved) std::this_thread::yield();
  EXPECT_TRUE(succeeds(residency.acquire_for(1, for_ever)));
  other.join();
}

TEST_F(waiting_for_a_residency, counts_a_pin_that_was_lent_as_that_of_its_lender_and_its_user) {
  auto residency = with_room_for(1);
  const auto pinned = must(residency.acquire_shared(0));
  const auto is_refused = [&] {
    EXPECT_EQ(error_of(residency.acquire(0)).kind, Errc::would_deadlock);
    EXPECT_EQ(error_of(residency.acquire_for(0, 1ms)).kind, Errc::would_deadlock);
    EXPECT_EQ(error_of(residency.acquire_for(1, 1ms)).kind, Errc::would_deadlock);
  };
  std::thread([&] {
    (void)pinned.context();
    is_refused();
  }).join();
  is_refused();
  std::thread([&] { (void)pinned.payload(); }).join();
  is_refused();
}

TEST_F(waiting_for_a_residency, knows_no_pin_in_a_threads_closure_until_it_is_used_or_moved) {
  auto residency = with_room_for(1);
  const auto received_by = [&](auto receive) {
    std::thread([&, given = must(residency.acquire(0))]() mutable {
      EXPECT_EQ(error_of(residency.acquire(0)).kind, Errc::in_use);
      EXPECT_EQ(error_of(residency.acquire_for(0, 1ms)).kind, Errc::timed_out);
      EXPECT_EQ(error_of(residency.acquire_for(1, 1ms)).kind, Errc::timed_out);
      receive(given);
    }).join();
  };
  const auto is_refused = [&] {
    EXPECT_EQ(error_of(residency.acquire_for(0, for_ever)).kind, Errc::would_deadlock);
    EXPECT_EQ(error_of(residency.acquire_for(1, for_ever)).kind, Errc::would_deadlock);
  };
  received_by([&](Pinned& given) {
    EXPECT_TRUE(works(given));
    is_refused();
  });
  received_by([&](Pinned& given) {
    const Pinned own = std::move(given);
    is_refused();
  });
}

TEST_F(waiting_for_a_residency, gets_the_room_of_a_context_whose_graph_was_kept) {
  auto residency = with_room_for(1);
  std::vector<Graph<Retrieved>> kept;
  {
    const auto pinned = must(residency.acquire(0));
    kept.push_back(must(Graph<Retrieved>::retrieve(pinned.context(), "n0")));
  }
  std::thread other([&] { EXPECT_TRUE(succeeds(residency.acquire_for(1, for_ever))); });
  await(residency, 1);
  kept.clear();
  other.join();
}

TEST_F(waiting_for_a_residency, gets_a_refused_context_once_another_thread_releases_one) {
  set(&sim::Config::max_contexts, 1);
  auto residency = must(create(options()));
  std::optional<Holder> holder(std::in_place, [&] { return residency.acquire(0); });
  std::thread other([&] {
    const auto own = residency.acquire_for(1, for_ever);
    EXPECT_TRUE(succeeds(own));
  });
  await(residency, 1);
  holder.reset();
  other.join();
  EXPECT_EQ(residency.stats().learnt_contexts, 1u);
}

/// A residency with room for two. Context 0 has lost its payload, because a graph of it was kept
/// when it was to be evicted. Its payload finds no memory while context 2 is resident.
class waiting_for_a_payload : public waiting_for_a_residency {
 protected:
  void SetUp() override {
    waiting_for_a_residency::SetUp();
    if (HasFatalFailure()) return;
    Options made = options();
    made.max_contexts = 2;
    made.payload = [this](std::size_t i, const Context<Finalized>& context) -> Result<Payload> {
      if (i == 0) ++tries;
      if (i == 0 && residency->is_resident(2))
        return fail(Error::make(Errc::allocation_failed, "mmap", "a tensor"));
      return bind(i, context);
    };
    residency = std::make_unique<Residency>(must(create(std::move(made))));
    {
      const auto pinned = must(residency->acquire(0));
      kept = std::move(pinned.payload()->graph);
    }
    serve(*residency, {1, 2});
    ASSERT_EQ(resident(*residency), (std::set<std::size_t>{0, 2}));
    tries = 0;
  }
  void TearDown() override {
    kept.clear();
    residency.reset();
    waiting_for_a_residency::TearDown();
  }

  std::unique_ptr<Residency> residency;
  std::vector<Graph<Bound>> kept;
  std::atomic<int> tries{0};
};

TEST_F(waiting_for_a_payload, RES_01_evicts_for_it_as_for_a_context) {
  serve(*residency, {0});
  EXPECT_EQ(resident(*residency), (std::set<std::size_t>{0}));
  EXPECT_EQ(residency->stats().capacity_retries, 1u);
}

TEST_F(waiting_for_a_payload, gets_it_once_another_thread_releases_what_is_in_the_way) {
  std::optional<Holder> holder(std::in_place, [&] { return residency->acquire(2); });
  const Error refused = error_of(residency->acquire(0));
  EXPECT_EQ(refused.kind, Errc::in_use);
  EXPECT_EQ(refused.detail, "no context can be evicted: n2.bin is pinned; mmap failed");
  tries = 0;
  std::thread other([&] {
    const auto pinned = residency->acquire_for(0, for_ever);
    EXPECT_TRUE(succeeds(pinned));
    EXPECT_TRUE(works(*pinned));
  });
  await(*residency, 1);
  // Context 0 could be evicted from here on, but not for itself.
  kept.clear();
  EXPECT_EQ(error_of(residency->acquire_for(1, 30ms)).kind, Errc::timed_out);
  EXPECT_EQ(tries.load(), 1);
  holder.reset();
  other.join();
  EXPECT_EQ(tries.load(), 3) << "before and after the eviction of context 2";
  EXPECT_FALSE(residency->is_resident(2));
}

TEST_F(waiting_for_a_payload, would_deadlock_where_the_thread_itself_pins_all_that_could_go) {
  const auto pinned = must(residency->acquire(2));
  EXPECT_EQ(error_of(residency->acquire_for(0, for_ever)).kind, Errc::would_deadlock);
}

TEST_F(waiting_for_a_payload, is_an_error_of_its_own_if_no_other_context_is_resident) {
  Options made = options();
  int failing = 0;
  made.payload = [&](std::size_t i, const Context<Finalized>& context) -> Result<Payload> {
    if (failing-- > 0) return fail(Error::make(Errc::allocation_failed, "mmap", "a tensor"));
    return bind(i, context);
  };
  made.max_contexts = 1;
  auto alone = must(create(std::move(made)));
  {
    const auto pinned = must(alone.acquire(0));
    kept = std::move(pinned.payload()->graph);
  }
  EXPECT_EQ(error_of(alone.acquire(1)).kind, Errc::in_use);
  failing = 2;
  for (int k = 0; k < 2; ++k)
    EXPECT_EQ(error_of(alone.acquire_for(0, for_ever)).kind, Errc::allocation_failed);
  serve(alone, {0});
}

TEST_F(waiting_for_a_residency, hands_an_error_of_loading_on_at_once) {
  auto residency = with_room_for(2);
  control().fail_call(Slot::context_finalize, 1, 1001);
  EXPECT_EQ(error_of(residency.acquire_for(0, for_ever)).code, 1001);
}

// ---- two pins of one context --------------------------------------------------------------------

TEST_F(waiting_for_a_residency, pins_a_context_for_one_alone) {
  auto residency = must(create(options()));
  std::optional<Holder> holder(std::in_place, [&] { return residency.acquire(3); });
  for (const Error& error :
       {error_of(residency.acquire(3)), error_of(residency.acquire_shared(3))}) {
    EXPECT_EQ(error.kind, Errc::in_use);
    EXPECT_EQ(error.object, "n3.bin");
    EXPECT_EQ(error.detail, "n3.bin is pinned");
  }
  EXPECT_EQ(error_of(residency.acquire_shared_for(3, 1ms)).kind, Errc::timed_out);
  std::atomic<bool> served{false};
  std::thread other([&] {
    const auto own = must(residency.acquire_for(3, for_ever));
    EXPECT_TRUE(works(own));
    served = true;
  });
  await(residency, 1);
  EXPECT_FALSE(served.load());
  holder.reset();
  other.join();
  EXPECT_EQ(residency.stats().loads, 1u);
}

TEST_F(waiting_for_a_residency, pins_a_context_for_several_that_share_it_with_a_constant_payload) {
  static_assert(std::is_same_v<decltype(std::declval<const Residency::SharedPinned&>().payload()),
                               const Payload&>);
  static_assert(std::is_same_v<decltype(std::declval<const Pinned&>().payload()), Payload&>);
  auto residency = must(create(options()));
  const auto one = must(residency.acquire_shared(3));
  const auto other = must(residency.acquire_shared_for(3, for_ever));
  EXPECT_EQ(&one.payload(), &other.payload());
  const Holder third([&] { return residency.acquire_shared(3); });
  std::thread([&] {
    EXPECT_EQ(error_of(residency.acquire(3)).kind, Errc::in_use);
    EXPECT_EQ(error_of(residency.acquire_for(3, 1ms)).kind, Errc::timed_out);
  }).join();
}

TEST_F(waiting_for_a_residency, would_deadlock_where_the_thread_shares_a_context_beside_others) {
  auto residency = must(create(options()));
  const auto shared = must(residency.acquire_shared(3));
  const auto is_refused = [&] {
    EXPECT_EQ(error_of(residency.acquire(3)).kind, Errc::would_deadlock);
    EXPECT_EQ(error_of(residency.acquire_for(3, 1ms)).kind, Errc::would_deadlock);
  };
  {
    const Holder other([&] { return residency.acquire_shared(3); });
    is_refused();
    EXPECT_TRUE(residency.acquire_shared(3)) << "which others may share";
  }
  is_refused();
  const auto again = must(residency.acquire_shared(3));
  is_refused();
}

TEST_F(waiting_for_a_residency, would_deadlock_for_room_where_the_thread_shares_each_context) {
  auto residency = with_room_for(2);
  const auto first = must(residency.acquire_shared(0));
  const auto second = must(residency.acquire_shared(1));
  const auto is_refused = [&] {
    EXPECT_EQ(error_of(residency.acquire_for(2, 1ms)).kind, Errc::would_deadlock);
  };
  {
    const Holder other([&] { return residency.acquire_shared(1); });
    is_refused();
  }
  is_refused();
}

TEST_F(waiting_for_a_residency,
       lets_a_thread_share_a_context_again_before_one_that_wants_it_alone) {
  auto residency = must(create(options()));
  auto shared = std::make_unique<Residency::SharedPinned>(must(residency.acquire_shared(3)));
  std::optional<Holder> sharer(std::in_place, [&] { return residency.acquire_shared(3); });
  std::thread other([&] { (void)must(residency.acquire_for(3, for_ever)); });
  await(residency, 1);
  EXPECT_TRUE(succeeds(residency.acquire_shared(3)));
  EXPECT_TRUE(succeeds(residency.acquire_shared_for(3, 1ms)));
  sharer.reset();
  EXPECT_TRUE(succeeds(residency.acquire_shared_for(3, 1ms)));
  std::thread([&] { EXPECT_EQ(error_of(residency.acquire_shared(3)).kind, Errc::in_use); }).join();
  shared.reset();
  other.join();
}

TEST_F(waiting_for_a_residency, waits_for_no_time_that_is_no_number) {
  auto residency = must(create(options()));
  std::atomic<bool> holds{false}, done{false};
  std::thread other([&] {
    const auto pinned = must(residency.acquire(0));
    holds = true;
    // If the request waited, it would get the context instead of an error.
    while (!done && residency.stats().waiting == 0) std::this_thread::yield();
  });
  while (!holds) std::this_thread::yield();
  const std::chrono::duration<double> no_number(std::numeric_limits<double>::quiet_NaN());
  const auto pinned = residency.acquire_for(0, no_number);
  EXPECT_EQ(pinned.has_value() ? Errc::empty : pinned.error().kind, Errc::timed_out);
  done = true;
  other.join();
}

TEST_F(waiting_for_a_residency, takes_no_thread_for_one_that_ended_and_left_a_pin) {
  auto residency = with_room_for(1);
  bool is_same_id = false;
  for (int round = 0; round < 10; ++round) {
    std::unique_ptr<Residency::SharedPinned> left;
    std::thread::id gone;
    std::thread([&] {
      left = std::make_unique<Residency::SharedPinned>(must(residency.acquire_shared(0)));
      gone = std::this_thread::get_id();
    }).join();
    std::thread([&] {
      is_same_id = is_same_id || gone == std::this_thread::get_id();
      EXPECT_EQ(error_of(residency.acquire(0)).kind, Errc::in_use);
      EXPECT_EQ(error_of(residency.acquire_for(0, 0ms)).kind, Errc::timed_out);
      EXPECT_EQ(error_of(residency.acquire_for(1, 0ms)).kind, Errc::timed_out);
    }).join();
  }
  if (!is_same_id) GTEST_SKIP() << "the system used no thread's id again";
}

TEST_F(waiting_for_a_residency, would_deadlock_where_the_thread_pins_the_context_already) {
  auto residency = must(create(options()));
  {
    const auto pinned = must(residency.acquire(3));
    EXPECT_EQ(error_of(residency.acquire(3)).kind, Errc::would_deadlock);
    EXPECT_EQ(error_of(residency.acquire_for(3, for_ever)).kind, Errc::would_deadlock);
    EXPECT_EQ(error_of(residency.acquire_shared_for(3, for_ever)).kind, Errc::would_deadlock);
  }
  const auto shared = must(residency.acquire_shared(3));
  EXPECT_EQ(error_of(residency.acquire_for(3, for_ever)).kind, Errc::would_deadlock);
}

TEST_F(waiting_for_a_residency, is_not_passed_by_those_that_share_the_context) {
  auto residency = must(create(options()));
  std::optional<Holder> sharer(std::in_place, [&] { return residency.acquire_shared(3); });
  std::thread other([&] { (void)must(residency.acquire_for(3, for_ever)); });
  await(residency, 1);
  EXPECT_EQ(error_of(residency.acquire_shared(3)).kind, Errc::in_use);
  sharer.reset();
  other.join();
  EXPECT_TRUE(succeeds(residency.acquire_shared(3)));
}

TEST_F(waiting_for_a_residency, by_many_threads_serves_each_with_its_own_context) {
  for (const Prefetch how : {Prefetch::off, Prefetch::spare_room, Prefetch::ahead}) {
    Options made = cyclic(2);
    made.prefetch = how;
    auto residency = must(create(std::move(made)));
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < 6; ++k)
      threads.emplace_back([&, k] {
        std::uint32_t state = static_cast<std::uint32_t>(k);
        for (int round = 0; round < 15; ++round) {
          state = state * 1664525u + 1013904223u;
          const auto pinned = residency.acquire_for((state >> 16) % 6, for_ever);
          if (!pinned || !works(*pinned)) ++wrong;
        }
      });
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(wrong.load(), 0);
    EXPECT_EQ(residency.stats().waiting, 0u);
    EXPECT_LE(control().counters().peak_device_bytes, budget_for(2, residency));
  }
}

// ------------------------------------------------------------------------ functions of the caller

TEST_F(waiting_for_a_residency, lets_a_payloads_function_use_the_residency) {
  for (const Prefetch how : {Prefetch::off, Prefetch::spare_room}) {
    Options made = cyclic(6);
    made.prefetch = how;
    std::atomic<Residency*> own{nullptr};
    std::atomic<int> built{0};
    made.payload = [&](std::size_t i, const Context<Finalized>& context) {
      if (Residency* residency = own.load(); residency != nullptr && i != 0) {
        EXPECT_TRUE(residency->is_resident(0));
        EXPECT_EQ(residency->stats().resident_contexts, static_cast<std::size_t>(++built));
        residency->forget_learnt();
        EXPECT_TRUE(succeeds(residency->acquire_shared(0)));
        EXPECT_EQ(error_of(residency->acquire(5)).kind, Errc::would_deadlock);
        EXPECT_EQ(error_of(residency->acquire_for(5, for_ever)).kind, Errc::would_deadlock);
        EXPECT_EQ(error_of(residency->recover()).kind, Errc::would_deadlock);
        EXPECT_EQ(error_of(residency->settle()).kind, Errc::would_deadlock);
      }
      return bind(i, context);
    };
    auto residency = must(create(std::move(made)));
    must(residency.settle());
    serve(residency, {0});
    must(residency.settle());
    own = &residency;
    built = how == Prefetch::off ? 0 : 1;
    serve(residency, {1, 2, 3});
    must(residency.settle());
    own = nullptr;
    EXPECT_GE(built.load(), 3);
  }
}

TEST_F(waiting_for_a_residency, breaks_a_contract_if_a_payloads_function_destroys_the_residency) {
  Options made = options();
  std::unique_ptr<Residency> own;
  made.payload = [&](std::size_t i, const Context<Finalized>& context) {
    own.reset();
    return bind(i, context);
  };
  own = std::make_unique<Residency>(must(create(std::move(made))));
  EXPECT_CONTRACT(residency_in_load, (void)own->acquire(0));
}

TEST_F(waiting_for_a_residency, lets_a_payloads_destructor_use_the_residency) {
  using Shared = model::Residency<std::shared_ptr<int>>;
  Shared* own = nullptr;
  int destroyed = 0;
  Shared::Options made;
  made.max_contexts = 2;
  made.payload = [&](std::size_t, const Context<Finalized>&) -> Result<std::shared_ptr<int>> {
    return std::shared_ptr<int>(new int(0), [&](const int* number) {
      delete number;
      if (own == nullptr) return;
      ++destroyed;
      EXPECT_EQ(own->stats().resident_contexts, 1u);
    });
  };
  auto residency = must(Shared::create(backend(), allocator(), sources, std::move(made)));
  own = &residency;
  for (const std::size_t i : requests_of(6, 1)) EXPECT_TRUE(succeeds(residency.acquire(i)));
  own = nullptr;
  EXPECT_EQ(destroyed, 4);
}

/// Allocates as rpcmem does, and calls a function when it frees.
struct TellingAllocator {
  Result<DmaBuffer> allocate(std::uint64_t bytes) const {
    return rpcmem->allocate(bytes).and_then([&](DmaBuffer memory) {
      const int fd = memory.fd();
      return DmaBuffer::from_native(fd, bytes, {.fd = FdUse::borrow},
                                    [tell = freed, kept = std::move(memory)] { (*tell)(); });
    });
  }
  const RpcmemAllocator* rpcmem;
  const std::function<void()>* freed;
};

TEST_F(waiting_for_a_residency, lets_the_deleter_of_its_memory_use_the_residency) {
  // No context's weights fit the buffer of the one before.
  make_networks(0);
  for (std::uint32_t i = 0; i < 3; ++i)
    add_network(
        {.name = "n" + std::to_string(i), .width = 16, .seed = i + 1, .weights_mib = 2 * i});
  using Telling = model::Residency<>;
  const Telling* own = nullptr;
  int freed = 0;
  const std::function<void()> tell = [&] {
    if (own == nullptr) return;
    ++freed;
    EXPECT_LE(own->stats().resident_contexts, 1u);
  };
  // Without a budget, the free buffer makes room for the next context; with one, it is dropped
  // after a load that failed.
  for (const std::uint64_t budget : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
    Telling::Options made;
    made.max_contexts = 1;
    made.budget_bytes = budget;
    auto residency = must(Telling::create(backend(), TellingAllocator{&allocator(), &tell}, sources,
                                          std::move(made)));
    EXPECT_TRUE(succeeds(residency.acquire(0)));
    own = &residency;
    freed = 0;
    if (budget != 0) control().fail_call(Slot::context_finalize, 1, 1002);
    EXPECT_EQ(residency.acquire(1).has_value(), budget == 0);
    EXPECT_GE(freed, 1);
    own = nullptr;
  }
}

TEST_F(waiting_for_a_residency, serves_hits_and_releases_while_a_load_takes_its_time) {
  Options made = options();
  std::atomic<bool> loading{false}, go_on{false};
  made.payload = [&](std::size_t i, const Context<Finalized>& context) {
    if (i == 1) {
      loading = true;
      while (!go_on) std::this_thread::yield();
    }
    return bind(i, context);
  };
  auto residency = must(create(std::move(made)));
  serve(residency, {0});
  std::thread other([&] { EXPECT_TRUE(succeeds(residency.acquire(1))); });
  while (!loading) std::this_thread::yield();
  serve(residency, {0, 0});
  residency.forget_learnt();
  EXPECT_EQ(residency.stats().hits, 2u);
  EXPECT_EQ(error_of(residency.acquire_for(2, 1ms)).detail, "another thread loads a context");
  go_on = true;
  other.join();
}

}}  // namespace support
