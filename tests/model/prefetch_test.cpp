// Contexts that are loaded before they are requested.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "noted_allocator.hpp"
#include "residency_fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class prefetching : public ResidencyTest {
 protected:
  /// Acquires again after an error, because a failure of loading ahead is reported once.
  static Result<Pinned> acquire_again(Residency& residency, std::size_t i) {
    auto pinned = residency.acquire(i);
    if (pinned) return pinned;
    return residency.acquire(i);
  }
  /// Returns options for a pipeline that runs `passes` times, with room for `room` contexts, and
  /// loads ahead.
  Options ahead(std::size_t room, std::size_t passes, Prefetch how = Prefetch::spare_room) const {
    Options made = cyclic(room);
    made.order = UseOrder::once(requests_of(sources.size(), passes));
    made.prefetch = how;
    return made;
  }
  /// Same as serve(), but waits after each release until nothing is left to load ahead.
  void serve_settled(Residency& residency, const std::vector<std::size_t>& requests) const {
    for (const std::size_t i : requests) {
      serve(residency, {i});
      must(residency.settle());
    }
  }
};

TEST_F(prefetching, loads_the_next_context_into_room_that_is_there_while_one_is_pinned) {
  auto residency = must(create(ahead(6, 1)));
  must(residency.settle());
  const auto pinned = must(residency.acquire(0));
  must(residency.settle());
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{0, 1}));
  const auto next = must(residency.acquire(1));
  must(residency.settle());
  const ResidencyStats stats = residency.stats();
  EXPECT_EQ(stats.hits, 2u);
  EXPECT_EQ(stats.prefetched, 3u);
  EXPECT_TRUE(works(pinned));
  EXPECT_TRUE(works(next));
}

TEST_F(prefetching, loads_as_many_ahead_as_asked_for) {
  for (const std::size_t depth : {1u, 2u, 4u}) {
    Options made = ahead(6, 1);
    made.prefetch_depth = depth;
    auto residency = must(create(std::move(made)));
    const auto pinned = must(residency.acquire(0));
    must(residency.settle());
    EXPECT_EQ(residency.stats().resident_contexts, depth + 1);
  }
}

TEST_F(prefetching, allocates_the_next_weights_on_a_thread_beside_the_load) {
  // Without a failure, and with one of the call for the weights of context 2, which the load of
  // context 2 repeats.
  for (const std::size_t failing : {0u, 4u}) {
    Allocations allocations;
    allocations.failing = failing;
    const NotedAllocator<true> memory(allocator(), allocations);
    Options made = ahead(6, 1);
    made.prefetch_depth = 6;
    auto residency = must(Residency::create(backend(), memory, sources, std::move(made)));
    must(residency.settle());
    EXPECT_EQ(residency.stats().resident_contexts, 6u);
    // The spill-fill in create(), the first weights on the prefetching thread.
    auto& threads = allocations.threads;
    ASSERT_EQ(threads.size(), failing == 0 ? 7u : 8u);
    EXPECT_EQ(threads[0], std::this_thread::get_id());
    const auto prefetching_thread = threads[1];
    EXPECT_NE(prefetching_thread, threads[0]);
    threads.erase(threads.begin(), threads.begin() + 2);
    EXPECT_EQ(std::count(threads.begin(), threads.end(), prefetching_thread), failing == 0 ? 0 : 1);
    serve(residency, requests_of(6, 1));
    EXPECT_EQ(residency.stats().loads, 6u);
  }
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(prefetching, of_buffers_ahead_keeps_the_budget_and_leaves_none) {
  for (const Prefetch how : {Prefetch::spare_room, Prefetch::ahead})
    for (std::size_t room = 1; room <= 6; ++room)
      for (const std::size_t from : {0u, 3u}) {
        rpcmem_control().reset_counters();
        Options made = ahead(room, 3, how);
        made.prefetch_depth = 4;
        const std::uint64_t budget = made.budget_bytes;
        {
          auto residency = must(create(std::move(made)));
          // Requests that depart from the order use a buffer for another context, or free it.
          for (std::size_t i = 0; i < 18; ++i) serve(residency, {(from * i + i) % 6});
          must(residency.settle());
        }
        EXPECT_LE(rpcmem_control().counters().peak_bytes, budget) << "room " << room;
        EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
      }
  expect_no_misuse();
}

TEST_F(prefetching, begins_before_the_first_request) {
  auto residency = must(create(ahead(6, 1)));
  must(residency.settle());
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{0}));
  serve(residency, {0});
  must(residency.settle());
  EXPECT_EQ(residency.stats().loads, 2u);
  EXPECT_EQ(residency.stats().prefetched, 2u);
}

TEST_F(prefetching, in_spare_room_loads_as_few_as_are_possible) {
  for (std::size_t room = 1; room <= 6; ++room) {
    const auto requests = requests_of(6, 4);
    for (const bool settled : {false, true}) {
      control().reset_counters();
      auto residency = must(create(ahead(room, 4)));
      if (settled)
        serve_settled(residency, requests);
      else
        serve(residency, requests);
      EXPECT_EQ(residency.stats().loads, optimal_loads(requests, room)) << "room " << room;
      EXPECT_LE(control().counters().peak_device_bytes, budget_for(room, residency));
      EXPECT_EQ(control().counters().parallel_sharers, 0u);
    }
  }
}

TEST_F(prefetching, in_spare_room_loads_as_few_as_are_possible_for_any_order) {
  std::uint32_t state = 99;
  for (int round = 0; round < 10; ++round) {
    std::vector<std::size_t> requests;
    for (int i = 0; i < 30; ++i) {
      state = state * 1664525u + 1013904223u;
      requests.push_back((state >> 16) % 6);
    }
    const std::size_t room = 1 + static_cast<std::size_t>(round) % 5;
    Options made = ahead(room, 1);
    made.order = UseOrder::once(requests);
    made.prefetch_depth = 1 + static_cast<std::size_t>(round) % 3;
    auto residency = must(create(std::move(made)));
    serve_settled(residency, requests);
    EXPECT_EQ(residency.stats().loads, optimal_loads(requests, room)) << "room " << room;
  }
}

TEST_F(prefetching, of_66_contexts_in_three_quarters_of_the_bytes_loads_as_few_as_are_possible) {
  make_networks(66);
  const auto requests = requests_of(66, 5);
  for (const bool is_cyclic : {false, true})
    for (const bool settled : {false, true}) {
      Options made = ahead(66, 5);
      if (is_cyclic) made.order = UseOrder::cyclic();
      made.budget_bytes = budget_for(66) / 4 * 3;
      const std::uint64_t budget = made.budget_bytes;
      const std::size_t room = (budget - spill_fill_bytes()) / weights_bytes();
      control().reset_counters();
      rpcmem_control().reset_counters();
      auto residency = must(create(std::move(made)));
      if (settled)
        serve_settled(residency, requests);
      else
        serve(residency, requests);
      EXPECT_EQ(residency.stats().loads, optimal_loads(requests, room));
      EXPECT_LE(control().counters().peak_device_bytes, budget);
      EXPECT_LE(rpcmem_control().counters().peak_bytes, budget);
    }
}

TEST_F(prefetching, counts_the_spill_fill_buffer_where_it_is_larger_than_the_weights) {
  networks.clear();
  sources.clear();
  make_networks(0);
  for (std::uint32_t i = 0; i < 4; ++i)
    add_network({.name = "n" + std::to_string(i), .width = 16, .seed = i + 1, .spill_mib = 5});
  ASSERT_GT(spill_fill_bytes(), 2 * weights_bytes());
  const auto requests = requests_of(4, 3);
  auto residency = must(create(ahead(2, 3)));
  serve_settled(residency, requests);
  EXPECT_EQ(residency.stats().loads, optimal_loads(requests, 2));
}

TEST_F(prefetching, in_spare_room_waits_for_the_context_that_goes_to_be_released) {
  auto residency = must(create(ahead(2, 2)));
  serve(residency, {0});
  {
    const auto pinned = must(residency.acquire(1));
    must(residency.settle());
    EXPECT_EQ(resident(residency), (std::set<std::size_t>{0, 1}));
  }
  must(residency.settle());
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{0, 2})) << "1 is used last of all";
}

TEST_F(prefetching, ahead_lets_a_used_context_go_while_the_current_one_is_pinned) {
  auto residency = must(create(ahead(2, 2, Prefetch::ahead)));
  serve(residency, {0});
  must(residency.settle());
  const auto pinned = must(residency.acquire(1));
  must(residency.settle());
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{1, 2}));
  EXPECT_TRUE(works(pinned));
}

TEST_F(prefetching, ahead_costs_loads_as_if_there_were_room_for_one_context_less) {
  for (const std::size_t room : {3u, 4u, 5u}) {
    const auto requests = requests_of(6, 6);
    auto residency = must(create(ahead(room, 6, Prefetch::ahead)));
    for (const std::size_t i : requests) {
      const auto pinned = must(residency.acquire(i));
      must(residency.settle());
      EXPECT_TRUE(works(pinned));
    }
    EXPECT_GT(residency.stats().loads, optimal_loads(requests, room));
    EXPECT_LE(residency.stats().loads, optimal_loads(requests, room - 1));
  }
}

TEST_F(prefetching, learns_the_capacity_of_the_device_all_the_same) {
  set(&sim::Config::max_contexts, 4);
  Options made = ahead(6, 4);
  made.budget_bytes = 0;
  auto residency = must(create(std::move(made)));
  const auto requests = requests_of(6, 4);
  serve_settled(residency, requests);
  EXPECT_EQ(residency.stats().loads, optimal_loads(requests, 4));
  EXPECT_EQ(residency.stats().learnt_contexts, 4u);
  EXPECT_EQ(residency.stats().capacity_retries, 1u);
}

TEST_F(prefetching, keeps_its_errors_to_itself_and_leaves_the_context_to_its_request) {
  Options made = ahead(6, 1);
  made.order = UseOrder::once({0, 1});
  auto residency = must(create(std::move(made)));
  must(residency.settle());
  control().fail_call(Slot::context_finalize, 1, 1001);
  const auto pinned = must(residency.acquire(0));
  must(residency.settle());
  EXPECT_FALSE(residency.is_resident(1)) << "it is loaded ahead once";
  const auto created = calls(Slot::context_create_from_binary);
  serve(residency, {1});
  EXPECT_EQ(calls(Slot::context_create_from_binary), created + 1);
}

TEST_F(prefetching, RES_01_keeps_a_refusal_for_want_of_room_to_itself) {
  for (const std::uint32_t code : {1002u, 5005u, 1007u}) {
    auto residency = must(create(ahead(6, 1)));
    must(residency.settle());
    control().fail_call(Slot::context_finalize, 1, code);
    {
      const auto pinned = must(residency.acquire(0));
    }
    must(residency.settle());
    EXPECT_EQ(residency.stats().capacity_retries, 0u);
    serve(residency, {1});
    EXPECT_EQ(residency.stats().evictions, 0u);
  }
}

TEST_F(prefetching, goes_on_when_requests_depart_from_the_order) {
  Options made = cyclic(3);
  made.prefetch = Prefetch::spare_room;
  auto residency = must(create(std::move(made)));
  serve_settled(residency, {0, 4, 2, 2, 5, 1, 0, 3});
  const auto prefetched = residency.stats().prefetched;
  serve_settled(residency, {4, 5, 0, 1, 2, 3, 4, 5});
  EXPECT_GT(residency.stats().prefetched, prefetched);
}

TEST_F(prefetching, ends_with_the_residency_whatever_it_is_doing) {
  for (int round = 0; round < 20; ++round) {
    auto residency = must(create(ahead(6, 1)));
    if (round % 2 == 0) serve(residency, {0});
  }
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(prefetching, tells_what_it_loads_as_loaded_ahead_as_soon_as_it_is_there) {
  int untold = 0, stalled = 0;
  expect_needs();
  for (int round = 0; round < 300; ++round) {
    Options made = ahead(6, 1);
    made.payload = [](std::size_t, const Context<Finalized>&) -> Result<Payload> {
      return std::make_unique<BoundNetwork>();
    };
    auto residency = must(create(std::move(made)));
    ResidencyStats stats;
    while (stats.resident_contexts == 0) stats = residency.stats();
    if (stats.prefetched == 0) ++untold;
    {
      const auto pinned = must(residency.acquire(0));
    }
    must(residency.settle());
    // If context 0 counted as one that is not requested any more, no depth would be left for
    // context 1.
    if (!residency.is_resident(1)) ++stalled;
  }
  EXPECT_EQ(untold, 0);
  EXPECT_EQ(stalled, 0);
}

TEST_F(prefetching, is_woken_by_no_hit_that_leaves_nothing_to_load) {
  // First all contexts are resident, then all contexts of the order, with three quarters of the
  // room.
  for (const std::size_t used : {6u, 4u}) {
    Options made = cyclic(used);
    const auto pass = requests_of(used, 1);
    made.order = UseOrder::cyclic(pass);
    made.prefetch = Prefetch::spare_room;
    auto residency = must(create(std::move(made)));
    serve_settled(residency, pass);
    const std::uint64_t wakeups = residency.stats().wakeups;
    serve(residency, requests_of(used, 5));
    EXPECT_EQ(residency.stats().wakeups, wakeups);
  }
}

TEST_F(prefetching, is_neither_woken_nor_led_on_by_requests_that_leave_the_order_where_it_is) {
  // The last context again, in a cyclic order; a context that is requested no more, in another.
  for (const bool is_cyclic : {true, false}) {
    Options made = ahead(6, 1);
    made.order = is_cyclic ? UseOrder::cyclic() : UseOrder::once({0, 1, 2, 3, 4, 5});
    made.prefetch_depth = 1;
    auto residency = must(create(std::move(made)));
    // Context 0 is loaded before its request, context 1 after it.
    must(residency.settle());
    serve_settled(residency, {0});
    const ResidencyStats before = residency.stats();
    EXPECT_EQ(before.loads, 2u);
    EXPECT_EQ(before.prefetched, 2u);
    serve_settled(residency, {0, 0, 0, 0, 0});
    const ResidencyStats after = residency.stats();
    EXPECT_EQ(after.loads, before.loads);
    EXPECT_EQ(after.prefetched, before.prefetched);
    EXPECT_EQ(after.wakeups, before.wakeups);
  }
}

TEST_F(prefetching, is_woken_by_hits_only_where_they_make_room_or_use_what_was_loaded_ahead) {
  for (const Prefetch how : {Prefetch::spare_room, Prefetch::ahead}) {
    make_networks(12);
    auto residency = must(create(ahead(9, 6, how)));
    serve_settled(residency, requests_of(12, 2));
    const ResidencyStats before = residency.stats();
    serve_settled(residency, requests_of(12, 4));
    const ResidencyStats after = residency.stats();
    // Two events wake the thread: a use of a context that was loaded ahead, and a release that
    // permits an eviction.
    EXPECT_LE(after.wakeups - before.wakeups, 2 * (after.loads - before.loads) + 4);
    EXPECT_LT(after.wakeups - before.wakeups, after.hits - before.hits);
  }
}

TEST_F(prefetching, SSR_01_goes_on_after_recovering) {
  auto residency = must(create(ahead(6, 1)));
  must(residency.settle());
  control().fail_call(Slot::context_finalize, 1, 1007);
  const auto pinned = must(residency.acquire(0));
  must(residency.settle());
  EXPECT_FALSE(residency.is_resident(1));
  EXPECT_TRUE(succeeds(residency.recover()));
  must(residency.settle());
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{0, 1}));
}

#ifdef __cpp_exceptions
TEST_F(prefetching, goes_on_after_a_payload_threw_at_a_request) {
  Options made = ahead(6, 1);
  bool is_to_come = true;
  made.payload = [&](std::size_t i, const Context<Finalized>& context) -> Result<Payload> {
    if (i == 5 && std::exchange(is_to_come, false)) throw std::runtime_error("the caller's own");
    return bind(i, context);
  };
  made.order = UseOrder::once({0, 1, 2, 3, 4});
  auto residency = must(create(std::move(made)));
  must(residency.settle());
  EXPECT_THROW((void)residency.acquire(5), std::runtime_error);
  serve(residency, {0});
  must(residency.settle());
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{0, 1}));
  serve(residency, {5});
}

TEST_F(prefetching, leaves_a_context_whose_memory_ran_out_ahead_to_its_request) {
  Options made = ahead(6, 1);
  std::atomic<int> tries{0};
  made.payload = [&](std::size_t i, const Context<Finalized>& context) -> Result<Payload> {
    if (i == 1 && ++tries == 1) throw std::bad_alloc();
    return bind(i, context);
  };
  {
    auto residency = must(create(std::move(made)));
    serve(residency, {0});
    must(residency.settle());
    EXPECT_FALSE(residency.is_resident(1));
    EXPECT_EQ(tries.load(), 1) << "it is tried again by a request alone";
    EXPECT_EQ(residency.stats().resident_contexts, 1u);
    serve(residency, {1});
    must(residency.settle());
    EXPECT_EQ(resident(residency), (std::set<std::size_t>{0, 1, 2}));
  }
  EXPECT_EQ(control().counters().live_contexts, 0u);
}
#endif

TEST_F(prefetching, with_threads_that_ask_for_contexts_gives_each_what_it_asks_for) {
  for (const Prefetch how : {Prefetch::off, Prefetch::spare_room, Prefetch::ahead}) {
    Options made = cyclic(4);
    made.prefetch = how;
    auto residency = must(create(std::move(made)));
    std::atomic<int> wrong{0};
    const auto work = [&](std::size_t from) {
      for (std::size_t k = 0; k < 30; ++k) {
        // Each thread uses different contexts, because only one thread at a time may use a payload.
        const std::size_t i = from + 2 * (k % 3);
        const auto pinned = residency.acquire(i);
        if (!pinned || !works(*pinned)) ++wrong;
      }
    };
    std::thread other([&] { work(1); });
    work(0);
    other.join();
    EXPECT_EQ(wrong.load(), 0);
    EXPECT_LE(control().counters().peak_device_bytes, budget_for(4, residency));
    EXPECT_EQ(control().counters().parallel_sharers, 0u);
  }
}

TEST_F(prefetching, whose_calls_fail_one_by_one_leaves_nothing_and_goes_on) {
  for (const Prefetch how : {Prefetch::spare_room, Prefetch::ahead})
    for (const std::uint32_t code : {1002u, 1001u, 1007u})
      for (std::uint64_t k = 1;; ++k) {
        ASSERT_LT(k, 1000u);
        SCOPED_TRACE("code " + std::to_string(code) + ", call " + std::to_string(k));
        Options made = cyclic(3);
        made.prefetch = how;
        auto residency = must(create(std::move(made)));
        must(residency.settle());
        control().reset_counters();
        control().fail_any_call(k, code);
        for (const std::size_t i : requests_of(6, 1)) {
          const auto pinned = residency.acquire(i);
          must(residency.settle());
          if (pinned) continue;
          EXPECT_TRUE(names(pinned.error(), i)) << pinned.error().message();
          EXPECT_TRUE(pinned.error().code == code || pinned.error().kind == Errc::dead)
              << pinned.error().message();
        }
        const bool fired = control().counters().faults_fired != 0;
        control().clear_faults();
        for (const std::size_t i : requests_of(6, 1)) {
          const auto pinned = acquire_again(residency, i);
          ASSERT_TRUE(succeeds(pinned));
          EXPECT_TRUE(works(*pinned));
        }
        EXPECT_LE(control().counters().peak_device_bytes, budget_for(3, residency));
        if (!fired) break;
      }
}

TEST_F(prefetching, whose_allocations_fail_one_by_one_leaves_nothing_and_goes_on) {
  for (const Prefetch how : {Prefetch::spare_room, Prefetch::ahead})
    for (const auto call : {sim::RpcmemCall::alloc2, sim::RpcmemCall::to_fd})
      for (const bool persistent : {false, true})
        for (std::uint64_t k = 1; k <= 6; ++k) {
          SCOPED_TRACE("allocation " + std::to_string(k) + (persistent ? ", for good" : ""));
          Options made = cyclic(3);
          made.prefetch = how;
          auto residency = must(create(std::move(made)));
          rpcmem_control().fail_call(call, k, persistent);
          for (const std::size_t i : requests_of(6, 1)) {
            const auto pinned = residency.acquire(i);
            must(residency.settle());
            if (pinned) continue;
            EXPECT_TRUE(names(pinned.error(), i)) << pinned.error().message();
          }
          rpcmem_control().clear_faults();
          for (const std::size_t i : requests_of(6, 1)) {
            const auto pinned = acquire_again(residency, i);
            ASSERT_TRUE(succeeds(pinned));
            EXPECT_TRUE(works(*pinned));
          }
          EXPECT_LE(rpcmem_control().counters().peak_bytes, budget_for(3, residency));
          EXPECT_LE(control().counters().peak_device_bytes, budget_for(3, residency));
        }
}

}}  // namespace support
