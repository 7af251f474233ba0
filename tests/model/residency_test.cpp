// Contexts that take turns: when they are loaded, which one is evicted, what that costs, and what
// fails.
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "contracts.hpp"
#include "residency_fixture.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::ContextMemory;
using model::SizeSource;
using sim::Slot;

class a_residency : public ResidencyTest {};

// ------------------------------------------------------------------------------- loading, pinning

TEST_F(a_residency, loads_nothing_but_the_spill_fill_buffer_when_it_is_made) {
  const auto residency = must(create(options()));
  EXPECT_EQ(residency.size(), 6u);
  EXPECT_EQ(residency.name(2), "n2.bin");
  EXPECT_EQ(control().counters().live_contexts, 0u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 1u);
  EXPECT_EQ(rpcmem_control().counters().live_bytes, spill_fill_bytes());
  EXPECT_GT(spill_fill_bytes(), 0u);
  EXPECT_EQ(residency.stats().total_bytes(), spill_fill_bytes());
}

TEST_F(a_residency, loads_a_context_when_it_is_asked_for_and_then_no_more) {
  auto residency = must(create(options()));
  EXPECT_FALSE(residency.is_resident(3));
  {
    const auto pinned = must(residency.acquire(3));
    EXPECT_EQ(pinned.index(), 3u);
    EXPECT_EQ(pinned.context().name(), "n3.bin");
    EXPECT_TRUE(works(pinned));
  }
  EXPECT_TRUE(residency.is_resident(3));
  const std::uint64_t calls_before = control().counters().calls;
  {
    const auto again = must(residency.acquire(3));
  }
  EXPECT_EQ(control().counters().calls, calls_before);
  const ResidencyStats stats = residency.stats();
  EXPECT_EQ(stats.loads, 1u);
  EXPECT_EQ(stats.hits, 1u);
  EXPECT_EQ(stats.resident_contexts, 1u);
  EXPECT_EQ(stats.resident_bytes, weights_bytes());
}

TEST_F(a_residency, drops_the_binary_of_a_context_that_is_loaded) {
  TemporaryFolder folder;
  const std::string path = folder.file("n0.bin");
  {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(sources[0].bytes.data()),
               static_cast<std::streamsize>(sources[0].bytes.size()));
  }
  sources[0] = BinarySource::file(path);
  auto residency = must(create(options()));
  const auto pinned = must(residency.acquire(0));
  EXPECT_EQ(mappings_of(path), 0u);
  EXPECT_TRUE(works(pinned));
}

TEST_F(a_residency, shares_one_spill_fill_buffer_of_the_largest_need) {
  sources.clear();
  networks.clear();
  make_networks(2);
  add_network({.name = "large", .width = 16, .seed = 9, .spill_mib = 3, .weights_mib = 3});
  add_network({.name = "small", .width = 16, .hidden = 32, .seed = 8});
  const auto need = must(model::survey(backend(), sources[2])).memory.spill_fill.or_zero();
  auto residency = must(create(options()));
  serve(residency, {0, 1, 2, 3});
  EXPECT_EQ(control().counters().external_spill_fill_bytes, need);
  EXPECT_EQ(control().counters().internal_bytes, 0u);
  EXPECT_GE(control().counters().live_spill_fill_registrations, 3u);
}

TEST_F(a_residency, believes_needs_that_are_expected) {
  expect_needs();
  control().reset_counters();
  auto residency = must(create(options()));
  EXPECT_EQ(calls(Slot::context_create_from_binary), 0u);
  serve(residency, {0, 5});
}

TEST_F(a_residency, asks_for_needs_that_are_not_expected_whichever_graphs_are_enabled) {
  expect_needs();
  sources[1].expected->memory.weights = {};
  sources[4].enabled_graphs = {networks[4].name};
  control().reset_counters();
  auto residency = must(create(options()));
  EXPECT_EQ(calls(Slot::context_create_from_binary), 1u);
  serve(residency, {1, 4});
}

TEST_F(a_residency, whose_binary_grew_says_so) {
  expect_needs();
  sources[1].expected->memory.weights = {weights_bytes() - 256, SizeSource::manifest};
  auto residency = must(create(options()));
  const Error error = error_of(residency.acquire(1));
  EXPECT_EQ(error.kind, Errc::stale);
  EXPECT_EQ(error.object, "n1.bin");
  EXPECT_EQ(error.needed, weights_bytes());
  EXPECT_EQ(error.found, weights_bytes() - 256);
  serve(residency, {0});
}

TEST_F(a_residency, whose_binary_needs_more_spill_fill_than_there_is_says_so) {
  expect_needs();
  for (BinarySource& source : sources)
    source.expected->memory.spill_fill.value = spill_fill_bytes() - 128;
  auto residency = must(create(options()));
  const Error error = error_of(residency.acquire(1));
  EXPECT_EQ(error.kind, Errc::stale);
  EXPECT_EQ(error.object, "n1.bin");
  EXPECT_EQ(error.needed, spill_fill_bytes());
  EXPECT_EQ(error.found, spill_fill_bytes() - 128);
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(a_residency, with_a_copy_of_the_allocator_needs_the_callers_no_more) {
  auto own = std::make_unique<RpcmemAllocator>(allocator());
  auto residency = must(Residency::create(backend(), *own, sources, options()));
  const RpcmemAllocator elsewhere = std::move(*own);
  own.reset();
  serve(residency, {0, 1});
}

/// An allocator that can be neither copied nor moved.
struct UncopiedAllocator {
  explicit UncopiedAllocator(const RpcmemAllocator& by) : rpcmem(by) {}
  UncopiedAllocator(const UncopiedAllocator&) = delete;
  UncopiedAllocator& operator=(const UncopiedAllocator&) = delete;
  Result<DmaBuffer> allocate(std::uint64_t bytes) const { return rpcmem.allocate(bytes); }
  const RpcmemAllocator& rpcmem;
};

TEST_F(a_residency, takes_an_allocator_that_cannot_be_copied) {
  const UncopiedAllocator uncopied(allocator());
  auto residency = must(model::Residency<>::create(backend(), uncopied, sources));
  const auto pinned = must(residency.acquire(1));
  EXPECT_LT(difference(pinned.context(), networks[1]), tolerance);
}

/// Promises a small alignment, and allocates with a larger one if asked.
struct AligningAllocator {
  static constexpr std::uint64_t start_alignment = 64;
  Result<DmaBuffer> allocate(std::uint64_t bytes) const { return rpcmem.allocate(bytes); }
  Result<DmaBuffer> allocate(std::uint64_t bytes, std::uint64_t alignment) const {
    return rpcmem.allocate(bytes).and_then([&](DmaBuffer memory) {
      const int fd = memory.fd();
      return DmaBuffer::from_native(fd, bytes, {.fd = FdUse::borrow, .start_alignment = alignment},
                                    [kept = std::move(memory)] {});
    });
  }
  const RpcmemAllocator& rpcmem;
};

TEST_F(a_residency, BUF_02_requests_the_alignment_of_the_device_for_the_weights_of_each_context) {
  set(&sim::Config::start_alignment_bytes, 65536);
  const AligningAllocator aligning{allocator()};
  auto residency = must(model::Residency<>::create(backend(), aligning, sources));
  for (const std::size_t i : {0u, 1u, 2u}) {
    const auto pinned = must(residency.acquire(i));
    EXPECT_LT(difference(pinned.context(), networks[i]), tolerance);
  }
}

class a_residency_without : public a_residency,
                            public testing::WithParamInterface<std::uint32_t sim::Config::*> {};

TEST_P(a_residency_without, external_buffers_lets_contexts_keep_their_memory) {
  set(GetParam(), 0);
  Options made = options();
  made.max_contexts = 2;
  auto residency = must(create(std::move(made)));
  serve(residency, requests_of(6, 1));
  EXPECT_EQ(residency.stats().sharing, model::SpillFillSharing::none);
  EXPECT_EQ(residency.stats().spill_fill_bytes, 0u);
  EXPECT_EQ(control().counters().live_contexts, 2u);
  EXPECT_EQ(control().counters().device_bytes, 0u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}
INSTANTIATE_TEST_SUITE_P(capabilities, a_residency_without,
                         testing::Values(&sim::Config::external_buffers,
                                         &sim::Config::deferred_init));

TEST_F(a_residency, that_finds_no_external_buffers_counts_each_spill_fill_from_the_first_on) {
  set(&sim::Config::external_buffers, 0);
  Options made = cyclic(2);
  const std::uint64_t each = weights_bytes() + spill_fill_bytes();
  ASSERT_GT(2 * each, made.budget_bytes);
  auto residency = must(create(made));
  serve(residency, {0});
  EXPECT_EQ(residency.stats().resident_bytes, each);
  serve(residency, requests_of(6, 2));
  EXPECT_EQ(residency.stats().sharing, model::SpillFillSharing::none);
  EXPECT_LE(control().counters().peak_internal_bytes, made.budget_bytes);
}

TEST_F(a_residency, with_a_budget_wants_to_know_what_a_context_takes) {
  set(&sim::Config::deferred_init, 0);
  ::setenv("QNNPP_SIM_GRAPH_BLOB_BYTES", "40", 1);  // binaries that do not tell their weights
  const Error error = error_of(create(cyclic(2)));
  ::unsetenv("QNNPP_SIM_GRAPH_BLOB_BYTES");
  EXPECT_EQ(error.kind, Errc::no_metadata);
  EXPECT_EQ(error.object, "n0.bin");
}

TEST_F(a_residency, that_makes_no_sense_is_refused) {
  sources.resize(2);
  const auto refused = [&](auto change) {
    Options made = options();
    change(made);
    return error_of(create(std::move(made))).kind;
  };
  EXPECT_EQ(refused([](Options& o) { o.order = UseOrder::cyclic({0, 2}); }),
            Errc::invalid_argument);
  EXPECT_EQ(refused([](Options& o) { o.prefetch = Prefetch::spare_room; }), Errc::invalid_argument);
  sources.clear();
  EXPECT_EQ(error_of(create(options())).kind, Errc::empty);
}

// ------------------------------------------------------------------------ which context is evicted

TEST_F(a_residency, RES_02_evicting_frees_context_and_weights_and_keeps_the_spill_fill) {
  auto residency = must(create(cyclic(2)));
  serve(residency, {0, 1});
  const sim::Counters before = control().counters();
  EXPECT_EQ(before.device_bytes, budget_for(2));
  control().reset_counters();
  serve(residency, {2});
  const sim::Counters after = control().counters();
  EXPECT_EQ(after.live_contexts, 2u);
  EXPECT_EQ(after.external_weights_bytes, before.external_weights_bytes);
  EXPECT_EQ(calls(Slot::context_free), 1u);
  EXPECT_EQ(after.external_spill_fill_bytes, before.external_spill_fill_bytes);
  EXPECT_EQ(residency.stats().evictions, 1u);
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{0, 2})) << "1 is used last";
}

TEST_F(a_residency, RES_02_nothing_is_freed_while_there_is_room) {
  auto residency = must(create(cyclic(6)));
  serve(residency, requests_of(6, 3));
  EXPECT_EQ(residency.stats().loads, 6u);
  EXPECT_EQ(residency.stats().evictions, 0u);
  EXPECT_EQ(residency.stats().hits, 12u);
}

TEST_F(a_residency, RES_02_uses_weights_buffers_again) {
  auto residency = must(create(cyclic(2)));
  serve(residency, requests_of(6, 3));
  const ResidencyStats stats = residency.stats();
  EXPECT_EQ(rpcmem_control().counters().allocations, 3u) << "the spill-fill, two of weights";
  EXPECT_EQ(stats.buffers_reused, stats.loads - 2);
}

TEST_F(a_residency, destroys_the_payload_before_its_context) {
  auto residency = must(create(cyclic(1)));
  serve(residency, {0, 1});
  EXPECT_EQ(control().counters().live_contexts, 1u)
      << "a graph that outlived its context would have kept it";
}

TEST_F(a_residency, never_evicts_what_is_pinned) {
  auto residency = must(create(cyclic(3)));
  const auto first = must(residency.acquire(0));
  const auto second = must(residency.acquire(1));
  serve(residency, {2, 3, 4, 5});
  EXPECT_TRUE(residency.is_resident(0));
  EXPECT_TRUE(residency.is_resident(1));
  EXPECT_TRUE(works(first));
  EXPECT_TRUE(works(second));
}

TEST_F(a_residency, RES_01_with_nothing_to_evict_names_who_is_pinned) {
  auto residency = must(create(cyclic(2)));
  const auto first = must(residency.acquire(0));
  {
    const auto second = must(residency.acquire(1));
    const Error error = error_of(residency.acquire(2));
    EXPECT_EQ(error.kind, Errc::in_use);
    EXPECT_EQ(error.object, "n2.bin");
    EXPECT_EQ(error.detail, "no context can be evicted: n0.bin is pinned, n1.bin is pinned");
  }
  serve(residency, {2});
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{0, 2}));
}

TEST_F(a_residency, does_not_evict_a_context_whose_graph_someone_keeps) {
  auto residency = must(create(cyclic(2)));
  std::vector<Graph<Retrieved>> kept;
  {
    const auto pinned = must(residency.acquire(1));
    kept.push_back(must(Graph<Retrieved>::retrieve(pinned.context(), "n1")));
  }
  serve(residency, {2, 3, 4, 5, 0});
  EXPECT_TRUE(residency.is_resident(1));
  const auto pinned = must(residency.acquire(0));
  const Error error = error_of(residency.acquire(2));
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_EQ(error.detail,
            "no context can be evicted: n0.bin is pinned, n1.bin is held by graph n1");
  kept.clear();
  serve(residency, {2});
  EXPECT_FALSE(residency.is_resident(1));
}

TEST_F(a_residency, whose_payload_gave_its_graph_away_keeps_the_context_and_builds_a_new_one) {
  auto residency = must(create(cyclic(2)));
  std::vector<Graph<Bound>> taken;
  Payload memory;
  {
    const auto pinned = must(residency.acquire(1));
    taken = std::move(pinned.payload()->graph);
  }
  {
    const auto pinned = must(residency.acquire(0));
  }
  serve(residency, {2, 3, 4, 5});
  EXPECT_TRUE(residency.is_resident(1));
  EXPECT_LE(control().counters().device_bytes, budget_for(2));
  taken.clear();
  serve(residency, {1});
}

TEST_F(a_residency, takes_the_callers_graphs_for_no_part_of_a_payload_that_is_built_anew) {
  Options made = cyclic(2);
  int built = 0;
  made.payload = [&](std::size_t i, const Context<Finalized>& context) {
    if (i == 1) ++built;
    return bind(i, context);
  };
  auto residency = must(create(std::move(made)));
  std::vector<Graph<Bound>> taken;
  Payload memory;
  {
    const auto pinned = must(residency.acquire(1));
    taken = std::move(pinned.payload()->graph);
    memory = std::move(pinned.payload());
  }
  serve(residency, {0, 2, 3});
  ASSERT_TRUE(residency.is_resident(1));
  serve(residency, {1});
  EXPECT_EQ(built, 2);
  serve(residency, {2, 3, 4, 5, 0, 1});
  EXPECT_EQ(built, 2) << "evicted in vain";
  taken.clear();
  serve(residency, {2, 3});
  EXPECT_FALSE(residency.is_resident(1));
}

TEST_F(a_residency, whose_payload_fails_and_leaves_a_graph_with_the_caller_counts_the_context) {
  Options made = cyclic(1);
  std::vector<Graph<Retrieved>> kept;
  made.payload = [&](std::size_t i, const Context<Finalized>& context) -> Result<Payload> {
    if (i != 0) return bind(i, context);
    kept.push_back(must(Graph<Retrieved>::retrieve(context, "n0")));
    return fail(Error::make(Errc::missing_tensor, "binding", context.name()));
  };
  auto residency = must(create(std::move(made)));
  EXPECT_EQ(error_of(residency.acquire(0)).kind, Errc::missing_tensor);
  EXPECT_EQ(residency.stats().total_bytes(), rpcmem_control().counters().live_bytes);
  EXPECT_EQ(error_of(residency.acquire(1)).kind, Errc::in_use);
  EXPECT_LE(rpcmem_control().counters().peak_bytes, budget_for(1));
  kept.clear();
  serve(residency, {1});
}

#ifdef __cpp_exceptions
TEST_F(a_residency, counts_a_context_that_is_held_while_its_payload_throws) {
  Options made = options();
  made.max_contexts = 1;
  bool throws = false;
  made.payload = [&](std::size_t i, const Context<Finalized>& context) -> Result<Payload> {
    if (throws) throw std::runtime_error("the caller's own");
    return bind(i, context);
  };
  auto residency = must(create(std::move(made)));
  std::vector<Graph<Bound>> kept;
  {
    const auto pinned = must(residency.acquire(0));
    kept = std::move(pinned.payload()->graph);
  }
  // The payload is destroyed, but the test still holds its graph, so the context stays.
  EXPECT_EQ(error_of(residency.acquire(1)).kind, Errc::in_use);
  throws = true;
  EXPECT_THROW((void)residency.acquire(0), std::runtime_error);
  throws = false;
  EXPECT_EQ(residency.stats().resident_contexts, 1u);
  EXPECT_EQ(error_of(residency.acquire(1)).kind, Errc::in_use);
  serve(residency, {0});
  kept.clear();
  serve(residency, {1});
}
#endif

TEST_F(a_residency, without_an_order_lets_the_least_recently_used_go) {
  Options made = options();
  made.max_contexts = 2;
  auto residency = must(create(std::move(made)));
  serve(residency, {0, 1, 0, 2});
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{0, 2}));
}

TEST_F(a_residency, works_when_requests_depart_from_the_order) {
  auto residency = must(create(cyclic(2)));
  serve(residency, {0, 5, 1, 4, 4, 0, 3, 2, 2, 1, 0});
  EXPECT_LE(control().counters().peak_device_bytes, budget_for(2));
}

// -------------------------------------------------------------------------------- the fewest loads

TEST_F(a_residency, of_66_contexts_in_three_quarters_of_the_bytes_loads_as_few_as_are_possible) {
  make_networks(66);
  const std::uint64_t all = budget_for(66);
  Options made = cyclic(66);
  made.budget_bytes = all / 4 * 3;
  const std::size_t room = (made.budget_bytes - spill_fill_bytes()) / weights_bytes();
  control().reset_counters();
  rpcmem_control().reset_counters();
  auto residency = must(create(made));
  const auto requests = requests_of(66, 5);
  serve(residency, requests);
  EXPECT_EQ(residency.stats().loads, optimal_loads(requests, room));
  EXPECT_LT(residency.stats().loads, 66u + 4u * 20u);
  EXPECT_LE(control().counters().peak_device_bytes, made.budget_bytes);
  EXPECT_LE(rpcmem_control().counters().peak_bytes, made.budget_bytes);
  EXPECT_EQ(control().counters().peak_contexts, room);

  made.order = UseOrder::unknown();
  auto worst = must(create(made));
  serve(worst, requests_of(66, 2));
  EXPECT_EQ(worst.stats().loads, 132u);
}

TEST_F(a_residency, computes_to_the_bit_what_contexts_compute_that_are_all_resident) {
  auto all = must(create(options()));
  auto few = must(create(cyclic(2)));
  for (const std::size_t i : requests_of(6, 2)) {
    const auto one = must(all.acquire(i));
    const auto other = must(few.acquire(i));
    const auto expected = run(one);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(run(other), expected);
  }
}

TEST_F(a_residency, loads_as_few_as_are_possible_for_any_order_and_room) {
  std::uint32_t state = 7;
  for (int round = 0; round < 12; ++round) {
    std::vector<std::size_t> requests;
    for (int i = 0; i < 40; ++i) {
      state = state * 1664525u + 1013904223u;
      requests.push_back((state >> 16) % 6);
    }
    const std::size_t room = 1 + static_cast<std::size_t>(round) % 5;
    Options made = cyclic(room);
    made.order = UseOrder::once(requests);
    auto residency = must(create(std::move(made)));
    serve(residency, requests);
    EXPECT_EQ(residency.stats().loads, optimal_loads(requests, room)) << "room " << room;
  }
}

TEST_F(a_residency, of_unequal_contexts_stays_within_its_budget_at_every_instant) {
  add_network({.name = "large", .width = 16, .seed = 9, .spill_mib = 3, .weights_mib = 3});
  add_network({.name = "larger", .width = 16, .seed = 8, .spill_mib = 5, .weights_mib = 5});
  const auto shared = must(model::survey(backend(), sources[7])).memory.spill_fill.or_zero();
  Options made = options();
  made.order = UseOrder::cyclic();
  made.budget_bytes = networks[7].weights_bytes() + 2 * weights_bytes() + shared;
  control().reset_counters();
  rpcmem_control().reset_counters();
  auto residency = must(create(made));
  for (const std::size_t i : requests_of(8, 3)) {
    serve(residency, {i});
    EXPECT_EQ(residency.stats().total_bytes(), rpcmem_control().counters().live_bytes);
    EXPECT_LE(residency.stats().total_bytes(), made.budget_bytes);
  }
  EXPECT_LE(control().counters().peak_device_bytes, made.budget_bytes);
  EXPECT_LE(rpcmem_control().counters().peak_bytes, made.budget_bytes);
}

TEST_F(a_residency, without_a_budget_keeps_no_more_free_buffers_than_it_had_in_use) {
  add_network({.name = "large", .width = 16, .seed = 9, .spill_mib = 3, .weights_mib = 3});
  add_network({.name = "larger", .width = 16, .seed = 8, .spill_mib = 5, .weights_mib = 5});
  Options made = options();
  made.max_contexts = 2;
  auto residency = must(create(std::move(made)));
  std::uint64_t most = 0;
  for (const std::size_t i : requests_of(8, 3)) {
    serve(residency, {i});
    const ResidencyStats stats = residency.stats();
    most = std::max(most, stats.resident_bytes);
    EXPECT_LE(stats.resident_bytes + stats.pooled_bytes, most);
  }
}

// -------------------------------------------------------------------------------------- too large

TEST_F(a_residency, RES_01_with_a_context_that_exceeds_the_budget_is_refused_with_both_numbers) {
  add_network({.name = "large", .width = 16, .seed = 9, .spill_mib = 3, .weights_mib = 3});
  Options made = cyclic(2);
  const auto needed = networks[6].weights_bytes() +
                      must(model::survey(backend(), sources[6])).memory.spill_fill.or_zero();
  made.budget_bytes = needed - 1;
  const Error error = error_of(create(made));
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.object, "large.bin");
  EXPECT_EQ(error.needed, needed);
  EXPECT_EQ(error.found, needed - 1);
  made.budget_bytes = needed;
  auto residency = must(create(std::move(made)));
  serve(residency, requests_of(7, 2));
}

TEST_F(a_residency, RES_01_with_needs_that_overflow_is_refused_before_anything_is_allocated) {
  for (const auto number : {&ContextMemory::weights, &ContextMemory::spill_fill}) {
    Options made = cyclic(2);
    expect_needs();
    sources[3].expected->memory.*number = {UINT64_MAX - 100, SizeSource::manifest};
    rpcmem_control().reset_counters();
    const Error error = error_of(create(std::move(made)));
    EXPECT_EQ(error.kind, Errc::too_large);
    EXPECT_EQ(error.needed, UINT64_MAX);
    EXPECT_EQ(error.found, budget_for(2));
    EXPECT_EQ(rpcmem_control().counters().allocations, 0u);
  }
}

TEST_F(a_residency, RES_01_does_not_try_what_would_overflow) {
  for (const std::uint64_t budget : {std::uint64_t{0}, UINT64_MAX - 50}) {
    Options made = options();
    made.budget_bytes = budget;
    expect_needs();
    sources[3].expected->memory.weights = {UINT64_MAX - 50 - spill_fill_bytes(),
                                           SizeSource::manifest};
    made.max_contexts = 3;
    auto residency = must(create(std::move(made)));
    serve(residency, {0, 1, 3, 2});
    EXPECT_EQ(residency.stats().resident_contexts, budget == 0 ? 3u : 1u);
  }
}

TEST_F(a_residency, RES_01_learns_how_many_contexts_the_device_holds) {
  set(&sim::Config::max_contexts, 4);
  Options made = options();
  made.order = UseOrder::cyclic();
  auto residency = must(create(std::move(made)));
  const auto requests = requests_of(6, 4);
  serve(residency, requests);
  const ResidencyStats stats = residency.stats();
  EXPECT_EQ(stats.loads, optimal_loads(requests, 4));
  EXPECT_EQ(stats.capacity_retries, 1u) << "asked once, and then known";
  EXPECT_EQ(stats.learnt_contexts, 4u);
  EXPECT_EQ(stats.learnt_bytes, 4 * weights_bytes());
}

TEST_F(a_residency, RES_01_learns_from_each_limit_of_the_device) {
  const auto expect_to_learn = [&](const char* what) {
    SCOPED_TRACE(what);
    Options made = options();
    made.order = UseOrder::cyclic();
    auto residency = must(create(std::move(made)));
    serve(residency, requests_of(6, 3));
    EXPECT_GE(residency.stats().capacity_retries, 1u);
    EXPECT_GE(residency.stats().learnt_contexts, 2u);
    EXPECT_LT(residency.stats().learnt_contexts, 6u);
  };
  set(&sim::Config::max_mapped_bytes, 3 * (weights_bytes() + spill_fill_bytes()));
  expect_to_learn("mapped bytes");
  set(&sim::Config::max_mapped_bytes, 0);
  set(&sim::Config::pd_count, 1);
  // The estimate is the size of the binary, with the requested weights in place of its constants.
  set(&sim::Config::pd_budget_bytes,
      4 * (sources[0].bytes.size() + weights_bytes() - networks[0].constants_bytes()));
  expect_to_learn("process domain");
}

TEST_F(a_residency, RES_01_forgets_what_it_learnt_when_told_to) {
  set(&sim::Config::max_contexts, 2);
  Options made = options();
  made.order = UseOrder::cyclic();
  auto residency = must(create(std::move(made)));
  serve(residency, requests_of(6, 1));
  set(&sim::Config::max_contexts, 0);
  serve(residency, requests_of(6, 1));
  EXPECT_EQ(residency.stats().resident_contexts, 2u);
  residency.forget_learnt();
  serve(residency, requests_of(6, 1));
  EXPECT_EQ(residency.stats().resident_contexts, 6u);
  EXPECT_EQ(residency.stats().learnt_contexts, 0u);
  EXPECT_EQ(residency.stats().learnt_bytes, 0u);
}

TEST_F(a_residency, RES_01_that_no_memory_is_found_for_evicts_and_tries_again) {
  auto residency = must(create(options()));
  serve(residency, {0, 1});
  rpcmem_control().fail_call(sim::RpcmemCall::alloc2, 1, true);
  serve(residency, {2});
  rpcmem_control().clear_faults();
  EXPECT_EQ(residency.stats().evictions, 1u);
  EXPECT_EQ(residency.stats().buffers_reused, 1u);
}

TEST_F(a_residency, RES_01_whose_context_does_not_fit_by_itself_says_what_QNN_says) {
  set(&sim::Config::pd_count, 1);
  set(&sim::Config::pd_budget_bytes, sources[0].bytes.size() / 2);
  auto residency = must(create(options()));
  const Error error = error_of(residency.acquire(0));
  EXPECT_EQ(error.code, 1002);
  EXPECT_STREQ(error.step, "QnnContext_finalize");
  EXPECT_EQ(error.object, "n0.bin");
  EXPECT_EQ(residency.stats().capacity_retries, 0u);
}

TEST_F(a_residency, RES_01_refused_by_the_device_with_nothing_to_evict_says_both) {
  set(&sim::Config::max_contexts, 1);
  auto residency = must(create(options()));
  const auto pinned = must(residency.acquire(4));
  const Error error = error_of(residency.acquire(0));
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_EQ(error.object, "n0.bin");
  EXPECT_EQ(
      error.detail,
      "no context can be evicted: n4.bin is pinned; QnnContext_createFromBinary returned 1002");
}

TEST_F(a_residency, RES_01_evicts_for_every_code_that_means_no_room_in_a_load) {
  for (const std::uint32_t deferred : {1u, 0u}) {
    set(&sim::Config::deferred_init, deferred);
    reload_backend();
    const Slot load = deferred != 0 ? Slot::context_finalize : Slot::context_create_from_binary;
    for (const std::uint32_t code : {1002u, 4000u, 14001u}) {
      SCOPED_TRACE(code);
      auto residency = must(create(options()));
      serve(residency, {0, 1});
      control().fail_call(load, 1, code);
      serve(residency, {2});
      EXPECT_EQ(residency.stats().evictions, 1u);
      EXPECT_EQ(residency.stats().capacity_retries, 1u);
    }
  }
}

TEST_F(a_residency, RES_01_other_errors_evict_nobody) {
  auto residency = must(create(options()));
  serve(residency, {0, 1});
  control().fail_call(Slot::context_finalize, 1, 1001);
  EXPECT_EQ(error_of(residency.acquire(2)).code, 1001);
  EXPECT_EQ(residency.stats().evictions, 0u);
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{0, 1}));
}

TEST_F(a_residency, RES_01_that_loses_all_for_a_bad_binary_has_learnt_nothing_from_it) {
  auto residency = must(create(options()));
  serve(residency, {0, 1});
  control().fail_call(Slot::context_create_from_binary, 1, 5005, true);
  EXPECT_EQ(error_of(residency.acquire(2)).code, 5005);
  control().clear_faults();
  serve(residency, requests_of(6, 1));
  EXPECT_EQ(residency.stats().resident_contexts, 6u);
}

TEST_F(a_residency, RES_04_a_binary_for_a_newer_architecture_evicts_nobody_and_is_named) {
  for (const std::uint32_t deferred : {1u, 0u}) {
    set(&sim::Config::deferred_init, deferred);
    reload_backend();
    auto residency = must(create(options()));
    serve(residency, {0, 1});
    const std::uint32_t arch = control().config().arch;
    set(&sim::Config::arch, arch - 4);
    const Error error = error_of(residency.acquire(2));
    EXPECT_EQ(error.kind, Errc::wrong_architecture);
    EXPECT_EQ(error.message(),
              "n2.bin: QnnContext_createFromBinary: prepared for Hexagon v79, the device is v75; "
              "prepare the binary for this device (log: QnnContext_createFromBinary failed with "
              "5005: context binary: prepared for architecture v79, the device is v75)");
    EXPECT_EQ(error.native & 0xFFFF, 5005u);
    EXPECT_EQ(residency.stats().evictions, 0u);
    EXPECT_EQ(resident(residency), (std::set<std::size_t>{0, 1}));
    EXPECT_EQ(control().counters().live_platform_infos, 0u);
    set(&sim::Config::arch, arch + 2);
    serve(residency, {2});
    set(&sim::Config::arch, arch);
  }
}

TEST_F(a_residency, RES_04_a_binary_that_cannot_be_read_evicts_nobody_and_is_named) {
  sources.resize(3);
  expect_needs();
  std::vector<std::byte> damaged(sources[2].bytes.begin(), sources[2].bytes.end());
  damaged.resize(damaged.size() / 2);
  sources[2].bytes = damaged;
  sources[2].expected->memory.file_bytes = damaged.size();
  auto residency = must(create(options()));
  serve(residency, {0, 1});
  Error error = error_of(residency.acquire(2));
  EXPECT_EQ(error.code, 30010);
  EXPECT_STREQ(error.step, "QnnContext_createFromBinary");
  EXPECT_TRUE(names(error, 2)) << error.message();
  // Some libraries report it as 5005.
  control().fail_call(Slot::context_create_from_binary, 1, 5005);
  error = error_of(residency.acquire(2));
  EXPECT_EQ(error.code, 30010);
  EXPECT_TRUE(names(error, 2)) << error.message();
  EXPECT_NE(error.detail.find("QnnContext_createFromBinary returned 5005"), std::string::npos);
  EXPECT_EQ(residency.stats().evictions, 0u);
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{0, 1}));
}

TEST_F(a_residency, RES_04_5005_of_a_binary_that_fits_is_no_room) {
  auto residency = must(create(options()));
  serve(residency, {0, 1});
  control().fail_call(Slot::context_create_from_binary, 1, 5005);
  serve(residency, {2});
  EXPECT_EQ(residency.stats().evictions, 1u);
  EXPECT_EQ(residency.stats().capacity_retries, 1u);
}

// ----------------------------------------------------------------------------- the process domain

TEST_F(a_residency, PD_01_external_buffers_lower_no_estimate_and_the_check_is_at_finalize) {
  set(&sim::Config::pd_count, 1);
  {
    const auto context = restored(networks[0]);
  }
  const std::uint64_t estimate = control().counters().peak_pd_bytes;
  set(&sim::Config::pd_budget_bytes, estimate - 1);
  auto refused = must(create(options()));
  const Error error = error_of(refused.acquire(0));
  EXPECT_EQ(error.code, 1002);
  EXPECT_STREQ(error.step, "QnnContext_finalize");
  EXPECT_GE(calls(Slot::mem_register), 1u) << "creating, asking and registering went well";
  set(&sim::Config::deferred_init, 0);
  reload_backend();
  auto eager = must(create(options()));
  EXPECT_STREQ(error_of(eager.acquire(0)).step, "QnnContext_createFromBinary");
}

TEST_F(a_residency, PD_01_a_domain_with_room_for_the_estimate_takes_it) {
  set(&sim::Config::pd_count, 1);
  {
    const auto context = restored(networks[0]);
  }
  const std::uint64_t estimate = control().counters().peak_pd_bytes;
  set(&sim::Config::pd_budget_bytes, estimate);
  Options made = options();
  made.order = UseOrder::cyclic();
  auto residency = must(create(std::move(made)));
  serve(residency, requests_of(6, 2));
  EXPECT_EQ(residency.stats().learnt_contexts, 1u);
  EXPECT_EQ(control().counters().peak_pd_bytes, estimate);
}

// ------------------------------------------------------------------------------ restart of the DSP

TEST_F(a_residency, SSR_01_recovers_by_itself_when_loading_tells_of_a_restart) {
  auto residency = must(create(options()));
  serve(residency, {0, 1});
  for (const Slot slot : {Slot::context_create_from_binary, Slot::context_get_property,
                          Slot::mem_register, Slot::context_finalize, Slot::graph_retrieve}) {
    SCOPED_TRACE(static_cast<int>(slot));
    const auto recoveries = residency.stats().recoveries;
    const auto free_calls = calls(Slot::context_free);
    control().fail_call(slot, 1, 1007);
    serve(residency, {2});
    control().clear_faults();
    EXPECT_EQ(residency.stats().recoveries, recoveries + 1);
    // The context whose call reported the restart is freed as well, if it was created. After a
    // finalize two contexts look whether its number comes again (RES-05).
    const auto made = slot == Slot::context_create_from_binary ? 0u
                      : slot == Slot::context_finalize         ? 3u
                                                               : 1u;
    EXPECT_EQ(calls(Slot::context_free), free_calls + 2 + made) << "each dead one, once";
    EXPECT_EQ(control().counters().live_contexts, 1u);
    EXPECT_EQ(resident(residency), (std::set<std::size_t>{2}));
    serve(residency, {0, 1});
    Options fresh = options();
    residency = must(create(std::move(fresh)));
    serve(residency, {0, 1});
  }
}

TEST_F(a_residency, SSR_01_recovers_once_and_then_says_so) {
  auto residency = must(create(options()));
  serve(residency, {0});
  control().fail_call(Slot::context_create_from_binary, 1, 1007, true);
  const Error error = error_of(residency.acquire(1));
  EXPECT_EQ(error.code, 1007);
  EXPECT_EQ(error.object, "n1.bin");
  control().clear_faults();
  serve(residency, {1, 0});
}

TEST_F(a_residency, SSR_01_a_fatal_restart_is_an_error_at_once) {
  auto residency = must(create(options()));
  serve(residency, {0});
  const auto created = calls(Slot::context_create_from_binary);
  control().fail_call(Slot::context_create_from_binary, 1, 1011);
  EXPECT_EQ(error_of(residency.acquire(1)).code, 1011);
  EXPECT_EQ(calls(Slot::context_create_from_binary), created + 1);
  EXPECT_EQ(residency.stats().recoveries, 0u);
}

TEST_F(a_residency, SSR_01_recovers_in_one_call_from_what_an_execution_told) {
  auto residency = must(create(options()));
  serve(residency, {0, 1, 2});
  {
    const auto pinned = must(residency.acquire(1));
    control().fail_call(Slot::graph_execute, 1, 1007);
    EXPECT_TRUE(run(pinned).empty());
    EXPECT_TRUE(pinned.is_dead());
  }
  const auto free_calls = calls(Slot::context_free);
  EXPECT_TRUE(succeeds(residency.recover()));
  EXPECT_EQ(calls(Slot::context_free), free_calls + 3) << "each dead one, once";
  EXPECT_EQ(control().counters().live_contexts, 3u);
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{0, 1, 2}));
  EXPECT_EQ(residency.stats().loads, 6u);
  EXPECT_EQ(residency.stats().recoveries, 1u);
  EXPECT_EQ(residency.stats().buffers_reused, 3u);
  serve(residency, {0, 1, 2});
  EXPECT_EQ(residency.stats().loads, 6u);
}

TEST_F(a_residency, SSR_01_without_being_told_gives_out_no_dead_context) {
  auto residency = must(create(options()));
  serve(residency, {0, 1});
  {
    const auto pinned = must(residency.acquire(1));
    control().fail_call(Slot::graph_execute, 1, 1007);
    EXPECT_TRUE(run(pinned).empty());
  }
  serve(residency, {0, 1});
  EXPECT_EQ(residency.stats().recoveries, 1u);
  EXPECT_EQ(residency.stats().loads, 4u);
}

TEST_F(a_residency, SSR_01_leaves_a_pinned_context_that_died_until_it_is_released) {
  auto residency = must(create(options()));
  auto pinned = must(residency.acquire(0));
  control().fail_call(Slot::graph_execute, 1, 1007);
  EXPECT_TRUE(run(pinned).empty());
  EXPECT_TRUE(succeeds(residency.recover()));
  EXPECT_TRUE(pinned.is_dead());
  EXPECT_EQ(pinned.context().name(), "n0.bin");
  const auto again = must(residency.acquire(0));
  EXPECT_FALSE(again.is_dead());
  EXPECT_TRUE(works(again));
  EXPECT_EQ(residency.stats().resident_contexts, 2u);
  {
    const auto gone = std::move(pinned);
  }
  serve(residency, {1});
  EXPECT_EQ(residency.stats().resident_contexts, 2u);
}

TEST_F(a_residency, SSR_01_with_no_room_beside_a_pinned_dead_context_names_it) {
  auto residency = must(create(cyclic(1)));
  auto pinned = std::make_unique<Pinned>(must(residency.acquire(0)));
  control().fail_call(Slot::graph_execute, 1, 1007);
  EXPECT_TRUE(run(*pinned).empty());
  const Error error = error_of(residency.acquire(0));
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_EQ(error.detail, "no context can be evicted: n0.bin is dead and still pinned");
  EXPECT_LE(rpcmem_control().counters().peak_bytes, budget_for(1));
  pinned.reset();
  serve(residency, {0});
}

TEST_F(a_residency, SSR_01_counts_no_dead_context_as_one_that_the_device_holds) {
  for (const bool is_learnt : {false, true}) {
    set(&sim::Config::max_contexts, is_learnt ? 2 : 0);
    Options made = options();
    if (!is_learnt) made.max_contexts = 2;
    auto residency = must(create(std::move(made)));
    serve(residency, {0, 1, 2});
    const auto first = must(residency.acquire(2));
    const auto second = must(residency.acquire(3));
    control().fail_call(Slot::graph_execute, 1, 1007);
    EXPECT_TRUE(run(first).empty());
    serve(residency, {2, 3});
    EXPECT_EQ(resident(residency), (std::set<std::size_t>{2, 3}));
    EXPECT_EQ(residency.stats().learnt_contexts, 0u) << "a restart may have looked like no room";
    serve(residency, {4});
    EXPECT_EQ(resident(residency), (std::set<std::size_t>{3, 4}));
    EXPECT_EQ(residency.stats().learnt_contexts, is_learnt ? 2u : 0u);
  }
}

TEST_F(a_residency, SSR_01_counts_a_dead_context_whose_graph_someone_keeps) {
  auto residency = must(create(cyclic(1)));
  std::vector<Graph<Retrieved>> kept;
  {
    const auto pinned = must(residency.acquire(0));
    kept.push_back(must(Graph<Retrieved>::retrieve(pinned.context(), "n0")));
    control().fail_call(Slot::graph_execute, 1, 1007);
    EXPECT_TRUE(run(pinned).empty());
  }
  const Error error = error_of(residency.acquire(0));
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_EQ(error.detail, "no context can be evicted: n0.bin is held by graph n0");
  EXPECT_LE(rpcmem_control().counters().peak_bytes, budget_for(1));
  EXPECT_EQ(residency.stats().total_bytes(), rpcmem_control().counters().live_bytes);
  kept.clear();
  serve(residency, {0});
}

TEST_F(a_residency, SSR_01_recovering_keeps_to_the_budget_while_someone_keeps_a_graph) {
  auto residency = must(create(cyclic(1)));
  std::vector<Graph<Retrieved>> kept;
  {
    const auto pinned = must(residency.acquire(0));
    kept.push_back(must(Graph<Retrieved>::retrieve(pinned.context(), "n0")));
  }
  EXPECT_TRUE(succeeds(residency.recover()));
  EXPECT_LE(control().counters().peak_device_bytes, budget_for(1));
  EXPECT_LE(rpcmem_control().counters().peak_bytes, budget_for(1));
  EXPECT_EQ(error_of(residency.acquire(0)).kind, Errc::in_use);
  kept.clear();
  serve(residency, {0});
  EXPECT_EQ(residency.stats().resident_contexts, 1u);
}

TEST_F(a_residency, SSR_01_that_requests_have_recovered_leaves_all_as_it_is) {
  auto residency = must(create(options()));
  serve(residency, {0, 1, 2});
  {
    const auto pinned = must(residency.acquire(1));
    control().fail_call(Slot::graph_execute, 1, 1007);
    EXPECT_TRUE(run(pinned).empty());
  }
  serve(residency, {0, 1, 2});
  const auto pinned = must(residency.acquire(0));
  EXPECT_TRUE(succeeds(residency.recover()));
  EXPECT_EQ(residency.stats().loads, 6u);
  EXPECT_EQ(residency.stats().recoveries, 1u);
  EXPECT_EQ(residency.stats().resident_contexts, 3u);
  EXPECT_TRUE(works(pinned));
}

TEST_F(a_residency, SSR_01_of_two_that_were_told_of_one_restart_is_recovered_by_the_first) {
  auto residency = must(create(options()));
  serve(residency, {0, 1, 2});
  const auto one = must(residency.acquire(0));
  const auto other = must(residency.acquire(1));
  control().fail_call(Slot::graph_execute, 1, 1007);
  EXPECT_TRUE(run(one).empty());
  EXPECT_TRUE(run(other).empty());
  EXPECT_TRUE(succeeds(residency.recover()));
  EXPECT_TRUE(succeeds(residency.recover()));
  EXPECT_EQ(residency.stats().loads, 6u);
  EXPECT_EQ(residency.stats().recoveries, 1u);
}

TEST_F(a_residency, SSR_01_of_two_that_know_of_a_restart_in_silence_is_recovered_by_the_first) {
  auto residency = must(create(options()));
  serve(residency, {0, 1});
  const auto one = must(residency.acquire(0));
  EXPECT_TRUE(succeeds(residency.recover()));
  EXPECT_TRUE(succeeds(residency.recover()));
  EXPECT_EQ(residency.stats().loads, 4u);
  EXPECT_EQ(residency.stats().recoveries, 1u);
}

TEST_F(a_residency, SSR_01_recovering_counts_nothing_where_nothing_was_resident) {
  auto residency = must(create(options()));
  EXPECT_TRUE(succeeds(residency.recover()));
  EXPECT_EQ(residency.stats().recoveries, 0u);
}

TEST_F(a_residency, SSR_01_recovering_where_no_restart_was_noticed_frees_and_loads_again) {
  auto residency = must(create(options()));
  serve(residency, {0, 1});
  EXPECT_TRUE(succeeds(residency.recover()));
  EXPECT_EQ(residency.stats().loads, 4u);
  EXPECT_EQ(control().counters().live_contexts, 2u);
  serve(residency, {0, 1});
}

TEST_F(a_residency, SSR_01_a_restart_in_silence_is_recovered_from_without_misuse) {
  auto residency = must(create(options()));
  serve(residency, {0, 1, 2});
  control().restart_subsystem(false);
  EXPECT_TRUE(succeeds(residency.recover()));
  EXPECT_EQ(control().counters().live_contexts, 3u);
  serve(residency, {0, 1, 2});
}

TEST_F(a_residency, SSR_02_recovers_from_a_report_without_a_restart) {
  auto residency = must(create(options()));
  serve(residency, {0, 1});
  control().fail_call(Slot::graph_execute, 1, 1007, false, sim::FaultRestart::never);
  EXPECT_TRUE(run(must(residency.acquire(1))).empty());
  EXPECT_TRUE(succeeds(residency.recover()));
  EXPECT_EQ(control().counters().live_contexts, 2u);
  EXPECT_EQ(residency.stats().recoveries, 1u);
  serve(residency, {0, 1});
}

TEST_F(a_residency, SSR_02_recovers_from_a_restart_that_looked_like_no_room_and_learns_nothing) {
  for (const Slot slot : {Slot::context_finalize, Slot::context_create_from_binary}) {
    auto residency = must(create(options()));
    serve(residency, {0, 1, 2});
    control().fail_call(slot, 1, 1002, false, sim::FaultRestart::always);
    serve(residency, {3});
    EXPECT_EQ(residency.stats().learnt_contexts, 3u) << "as if there had been no room";
    const std::size_t dead = *resident(residency).begin();
    EXPECT_TRUE(run(must(residency.acquire(dead))).empty()) << "told now";
    EXPECT_TRUE(succeeds(residency.recover()));
    EXPECT_EQ(residency.stats().learnt_contexts, 0u);
    serve(residency, {0, 1, 2, 3});
    EXPECT_EQ(resident(residency), (std::set<std::size_t>{0, 1, 2, 3}));
    EXPECT_EQ(control().counters().live_contexts, 4u);
  }
}

TEST_F(a_residency, SSR_01_a_restart_that_a_call_for_the_payload_told_of_is_recovered_from) {
  Options made = options();
  bool is_to_come = true;
  made.payload = [&](std::size_t i, const Context<Finalized>& context) -> Result<Payload> {
    if (i == 2 && std::exchange(is_to_come, false)) {
      control().restart_subsystem(false);
      return fail(Error::from_qnn(1007, "a call of the caller", context.name()));
    }
    return bind(i, context);
  };
  auto residency = must(create(std::move(made)));
  serve(residency, {0, 1});
  const auto free_calls = calls(Slot::context_free);
  serve(residency, {2, 0, 1});
  EXPECT_EQ(calls(Slot::context_free), free_calls + 3) << "each dead one, once";
  EXPECT_EQ(control().counters().live_contexts, 3u);
  EXPECT_EQ(residency.stats().recoveries, 1u);
}

// --------------------------------------------------------------------------------------- payloads

TEST_F(a_residency, whose_payload_cannot_be_built_lets_the_context_go_and_says_why) {
  Options made = options();
  bool is_broken = true;
  made.payload = [&](std::size_t i, const Context<Finalized>& context) -> Result<Payload> {
    if (is_broken) return fail(Error::make(Errc::missing_tensor, "binding", context.name()));
    return bind(i, context);
  };
  auto residency = must(create(std::move(made)));
  const Error error = error_of(residency.acquire(1));
  EXPECT_EQ(error.kind, Errc::missing_tensor);
  EXPECT_EQ(error.object, "n1.bin");
  EXPECT_EQ(control().counters().live_contexts, 0u);
  is_broken = false;
  serve(residency, {1});
  EXPECT_EQ(residency.stats().buffers_reused, 1u);
}

TEST_F(a_residency, of_no_payload_gives_contexts_alone) {
  auto residency = must(model::Residency<>::create(backend(), allocator(), sources));
  const auto pinned = must(residency.acquire(2));
  EXPECT_LT(difference(pinned.context(), networks[2]), tolerance);
}

TEST_F(a_residency, may_go_before_its_pinned_contexts) {
  auto made = std::make_unique<Residency>(must(create(options())));
  serve(*made, {0, 1});
  auto pinned = std::make_unique<Pinned>(must(made->acquire(2)));
  made.reset();
  EXPECT_EQ(control().counters().live_contexts, 1u);
  EXPECT_TRUE(works(*pinned));
  pinned.reset();
  EXPECT_EQ(control().counters().live_contexts, 0u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(a_residency, may_go_before_graphs_that_someone_keeps) {
  auto made = std::make_unique<Residency>(must(create(options())));
  serve(*made, {0});
  auto pinned = std::make_unique<Pinned>(must(made->acquire(1)));
  auto other = std::make_unique<Pinned>(must(made->acquire(2)));
  std::vector<Graph<Retrieved>> kept;
  kept.push_back(must(Graph<Retrieved>::retrieve(pinned->context(), "n1")));
  made.reset();
  pinned.reset();
  EXPECT_EQ(control().counters().live_contexts, 2u);
  kept.clear();
  EXPECT_EQ(control().counters().live_contexts, 1u) << "of the other pinned";
  other.reset();
  EXPECT_EQ(control().counters().live_contexts, 0u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(a_residency, keeps_its_backend_wherever_that_is_moved_or_gone) {
  auto moved = must(load());
  auto residency = must(Residency::create(moved, allocator(), sources, cyclic(3)));
  {
    const auto gone = std::move(moved);
  }
  EXPECT_TRUE(works(must(residency.acquire(2))));
}

TEST_F(a_residency, is_moved_with_its_contexts) {
  auto residency = must(create(options()));
  serve(residency, {0});
  auto other = must(create(options()));
  serve(other, {1});
  residency = std::move(other);
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{1}));
  EXPECT_EQ(control().counters().live_contexts, 1u);
  auto pinned = must(residency.acquire(1));
  pinned = must(residency.acquire(2));
  EXPECT_TRUE(works(pinned));
  const Error error = error_of(residency.acquire(6));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_EQ(error.detail, "there is no context 6; give an index below 6");
  EXPECT_CONTRACT(residency_place, (void)residency.is_resident(6));
}

TEST_F(a_residency, ORD_09_and_its_pinned_contexts_break_a_contract_once_moved_from) {
  auto residency = must(create(options()));
  auto pinned = must(residency.acquire(0));
  const auto kept_pinned = [&] { return std::move(pinned); }();
  EXPECT_CONTRACT(moved_pinned, (void)pinned.context());
  EXPECT_CONTRACT(moved_pinned, (void)pinned.index());
  const auto kept = [&] { return std::move(residency); }();
  EXPECT_CONTRACT(moved_residency, (void)residency.acquire(0));
  EXPECT_CONTRACT(moved_residency, (void)residency.stats());
  EXPECT_TRUE(works(kept_pinned));
}

// ---------------------------------------------------------------------------------- every failure

TEST_F(a_residency, whose_calls_fail_one_by_one_leaves_nothing_and_goes_on) {
  for (const std::uint32_t code : {1002u, 5005u, 1001u, 1007u})
    for (const bool persistent : {false, true})
      for (std::uint64_t k = 1;; ++k) {
        ASSERT_LT(k, 1000u);
        SCOPED_TRACE("code " + std::to_string(code) + ", call " + std::to_string(k) +
                     (persistent ? ", for good" : ""));
        auto residency = must(create(cyclic(3)));
        control().reset_counters();
        control().fail_any_call(k, code, persistent);
        bool failed = false;
        for (const std::size_t i : requests_of(6, 2)) {
          const auto pinned = residency.acquire(i);
          if (pinned) continue;
          failed = true;
          EXPECT_TRUE(names(pinned.error(), i)) << pinned.error().message();
          EXPECT_STRNE(pinned.error().step, "");
          EXPECT_TRUE(pinned.error().code == code || pinned.error().kind == Errc::dead ||
                      pinned.error().kind == Errc::in_use)
              << pinned.error().message();
        }
        const bool fired = control().counters().faults_fired != 0;
        EXPECT_TRUE(!failed || fired);
        control().clear_faults();
        serve(residency, requests_of(6, 1));
        EXPECT_LE(control().counters().peak_device_bytes, budget_for(3));
        if (!fired) break;
      }
}

TEST_P(a_residency_without,
       external_buffers_whose_calls_fail_one_by_one_leaves_nothing_and_goes_on) {
  for (const std::uint32_t code : {1002u, 5005u, 1001u, 1007u})
    for (std::uint64_t k = 1;; ++k) {
      ASSERT_LT(k, 1000u);
      SCOPED_TRACE("code " + std::to_string(code) + ", call " + std::to_string(k));
      set(GetParam(), 0);
      Options made = options();
      made.order = UseOrder::cyclic();
      made.max_contexts = 3;
      auto residency = must(create(std::move(made)));
      control().reset_counters();
      control().fail_any_call(k, code);
      for (const std::size_t i : requests_of(6, 1)) {
        const auto pinned = residency.acquire(i);
        if (pinned) continue;
        EXPECT_TRUE(names(pinned.error(), i)) << pinned.error().message();
        EXPECT_TRUE(pinned.error().code == code || pinned.error().kind == Errc::dead)
            << pinned.error().message();
      }
      const bool fired = control().counters().faults_fired != 0;
      control().clear_faults();
      serve(residency, requests_of(6, 1));
      EXPECT_EQ(residency.stats().sharing, model::SpillFillSharing::none);
      EXPECT_LE(control().counters().peak_contexts, 3u);
      set(GetParam(), 1);
      if (!fired) break;
    }
}

TEST_F(a_residency, whose_calls_fail_one_by_one_while_it_is_made_says_so) {
  for (const std::uint32_t code : {1002u, 5005u, 1001u, 1007u, 1011u})
    for (std::uint64_t k = 1;; ++k) {
      ASSERT_LT(k, 1000u);
      SCOPED_TRACE("code " + std::to_string(code) + ", call " + std::to_string(k));
      control().reset_counters();
      control().fail_any_call(k, code);
      auto residency = create(options());
      const bool fired = control().counters().faults_fired != 0;
      control().clear_faults();
      if (residency) {
        EXPECT_EQ(residency->stats().sharing, model::SpillFillSharing::external_buffer);
        EXPECT_EQ(residency->stats().spill_fill_bytes, spill_fill_bytes());
        serve(*residency, {0, 5});
      } else {
        EXPECT_EQ(residency.error().code, code) << residency.error().message();
        EXPECT_NE(residency.error().object.find(".bin"), std::string::npos);
        EXPECT_EQ(control().counters().live_contexts, 0u);
        EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
      }
      if (!fired) break;
    }
}

TEST_F(a_residency, takes_a_question_for_the_capability_that_failed_for_no_answer) {
  control().fail_call(Slot::property_has_capability, 1, 1007);
  const Error error = error_of(create(options()));
  EXPECT_EQ(error.code, 1007);
  EXPECT_EQ(error.object, "n0.bin");
  EXPECT_STREQ(error.step, "QnnProperty_hasCapability");
}

TEST_F(a_residency, whose_allocations_fail_one_by_one_leaves_nothing_and_goes_on) {
  for (const auto call : {sim::RpcmemCall::alloc2, sim::RpcmemCall::to_fd})
    for (std::uint64_t k = 1; k <= 5; ++k) {
      rpcmem_control().fail_call(call, k);
      auto residency = create(cyclic(3));
      if (!residency) {
        EXPECT_NE(residency.error().detail.find("spill-fill of the model"), std::string::npos);
        rpcmem_control().clear_faults();
        continue;
      }
      for (const std::size_t i : requests_of(6, 1)) {
        const auto pinned = residency->acquire(i);
        if (pinned) continue;
        EXPECT_NE(pinned.error().detail.find("for the weights of " + sources[i].name),
                  std::string::npos);
      }
      rpcmem_control().clear_faults();
      serve(*residency, requests_of(6, 1));
    }
}

TEST_F(a_residency, that_cannot_be_made_names_the_binary_and_leaves_nothing) {
  for (const Slot slot : {Slot::context_create_from_binary, Slot::context_get_property})
    for (std::uint64_t k = 1; k <= 6; ++k) {
      control().fail_call(slot, k, 1002);
      const Error error = error_of(create(options()));
      control().clear_faults();
      EXPECT_EQ(error.object, sources[k - 1].name);
      EXPECT_EQ(error.code, 1002);
      EXPECT_EQ(control().counters().live_contexts, 0u);
      EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
    }
  sources[3] = BinarySource::file("/nowhere/n3.bin");
  const Error error = error_of(create(options()));
  EXPECT_EQ(error.kind, Errc::file_unreadable);
  EXPECT_EQ(error.object, "/nowhere/n3.bin");
}

}}  // namespace support
