// Errors of room and of use name the contexts that live and who holds them; Model::close().
#include "qnnpp/backend/detail/live_contexts.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/kv_cache.hpp"
#include "qnnpp/model/load.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/model/survey.hpp"

#include "contracts.hpp"
#include "model_fixture.hpp"
#include "registered.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::LoadOptions;
using model::Model;
using model::SpillFillSharing;
using sim::Slot;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

class live_contexts : public ModelTest {
 protected:
  void SetUp() override {
    ModelTest::SetUp();
    if (!HasFatalFailure()) add_four_networks();
  }

  /// Loads the network with an index alone.
  Model load_one(std::size_t i, SpillFillSharing sharing = SpillFillSharing::none) const {
    return must(model::load(backend(), allocator(), {sources[i]}, {.sharing = sharing}));
  }
  Result<Model> load_all(SpillFillSharing sharing = SpillFillSharing::none) const {
    return model::load(backend(), allocator(), sources, {.sharing = sharing});
  }
  /// Fails a restore for want of room. Returns its error.
  Error refused(std::string name = "new") const {
    control().fail_call(Slot::context_create_from_binary, 1, 1002);
    return error_of(Context<Finalized>::restore(
        backend(), own(binary_of(backend(), {Network{.name = name}}), name + ".bin")));
  }
  /// What these errors say of the network with an index.
  std::string words(std::size_t i, const std::string& holders) const {
    const model::ContextMemory needs = must(model::read_metadata(backend(), sources[i])).memory;
    const std::uint64_t bytes =
        needs.weights.or_zero() + needs.spill_fill.or_zero() + needs.io.or_zero();
    EXPECT_GT(bytes, std::uint64_t{networks[i].spill_mib} << 20);
    return networks[i].name + ".bin (" + std::to_string(bytes) + " bytes, held by " + holders + ")";
  }
  static void expect_short(const Error& error) {
    EXPECT_LE(error.message().size(), 600u) << error.message();
  }
};

// ---------------------------------------------------------------------------------------- no room

TEST_F(live_contexts, of_a_model_that_a_bound_graph_outlived_are_named_where_there_is_no_room) {
  std::optional<Graph<Bound>> bound;
  {
    const Model gone = load_one(0);
    bound.emplace(must(must(gone.graph("one")).bind(allocator())));
  }
  EXPECT_EQ(control().counters().live_contexts, 1u);
  const Error error = refused();
  EXPECT_EQ(error.code, 1002);
  EXPECT_EQ(
      error.detail.find("1 other live context: " + words(0, "graph one, the registration of x")),
      0u)
      << error.detail;
  EXPECT_TRUE(contains(error.message(), "held by graph one")) << error.message();
  bound.reset();
  EXPECT_FALSE(contains(refused().detail, "live context")) << "nothing is left to free";
}

TEST_F(live_contexts, are_named_with_each_kind_of_holder) {
  auto first = load_one(0);
  EXPECT_TRUE(contains(refused().detail, words(0, "a model")));
  const Model moved = std::move(first);
  EXPECT_TRUE(contains(refused().detail, words(0, "a model"))) << "and after a move";

  const auto alone = restored(networks[1]);
  EXPECT_TRUE(contains(refused().detail, words(1, "its Context object")));

  const auto memory = RegisteredMemory<>::make(allocator(), alone, {networks[1].spec("x")});
  EXPECT_TRUE(contains(refused().detail, words(1, "the registration of x, its Context object")));

  auto residency = must(model::Residency<>::create(backend(), allocator(), {sources[2]}));
  const auto pinned = must(residency.acquire(0));
  EXPECT_TRUE(contains(refused().detail, words(2, "a residency")));

  const auto composing = must(Context<Composing>::create(backend(), {.name = "made"}));
  const Error error = refused();
  EXPECT_TRUE(contains(error.detail, "4 other live contexts: one.bin (")) << error.detail;
  EXPECT_TRUE(contains(error.detail, " and 1 more")) << error.detail;
  expect_short(error);
}

TEST_F(live_contexts, held_by_a_cache_or_by_a_group_member_say_so) {
  const auto head = must(Context<Finalized>::restore(backend(), binary(networks[1]),
                                                     {.group = ContextGroup::head(8 << 20)}));
  const auto member = must(
      Context<Finalized>::restore(backend(), binary(networks[0]), {.group = head.as_group_head()}));
  EXPECT_TRUE(contains(refused().detail, words(1, "group member one.bin, its Context object")))
      << refused().detail;

  const GraphSpec graph = {.name = "one",
                           .inputs = {{.name = "cache",
                                       .kind = c_api::TensorType::app_write,
                                       .data_type = c_api::DataType::uint_8,
                                       .dimensions = {2, 6, 4}}},
                           .outputs = {{.name = "next",
                                        .kind = c_api::TensorType::app_read,
                                        .data_type = c_api::DataType::uint_8,
                                        .dimensions = {2, 2, 4}}}};
  const auto cache =
      must(KvCache::allocate(allocator(), {{.cache = "cache", .next = "next", .axis = 1}}, graph));
  const auto tensors = must(RegisteredTensors::create(member, cache.memory()));
  EXPECT_TRUE(contains(refused().detail, words(0, "the cache with cache, its Context object")))
      << refused().detail;
}

TEST_F(live_contexts, are_named_in_each_error_of_no_room) {
  const Model held = load_one(3);
  const std::string named = "1 other live context: " + words(3, "a model");

  const auto execute = [&] {
    const auto context = restored(networks[0]);
    auto graph = must(must(Graph<Retrieved>::retrieve(context, "one")).bind(allocator()));
    must(write_elements(must(graph.input<float>("x")), networks[0].input()));
    control().fail_call(Slot::graph_execute, 1, 1002);
    return error_of(graph.execute());
  };
  EXPECT_EQ(execute().detail.find(named), 0u) << execute().detail;

  const auto context = restored(networks[0]);
  auto memory = must(SharedBuffer<PerTensor>::allocate(
      allocator(), std::vector<TensorSpec>{networks[0].spec("x")}));
  for (const std::uint32_t code : {8003u, 1003u, 1010u}) {
    control().fail_call(Slot::mem_register, 1, code);
    EXPECT_TRUE(contains(error_of(RegisteredTensors::create(context, memory)).detail, named))
        << code;
  }
  control().fail_call(Slot::mem_register, 1, 8002);
  EXPECT_FALSE(contains(error_of(RegisteredTensors::create(context, memory)).detail, "live"))
      << "that is no want of room";

  control().fail_call(Slot::context_finalize, 1, 1002);
  auto registered = must(queried(networks[1]).register_buffers({}));
  const Error finalize = error_of(std::move(registered).finalize());
  EXPECT_TRUE(contains(finalize.detail, "2 other live contexts: " + words(3, "a model")))
      << finalize.detail;
  EXPECT_FALSE(contains(finalize.detail, "two.bin")) << "the context itself is not another one";

  control().fail_call(Slot::context_create_from_binary_list_async, 1, 1002);
  std::vector<ContextBinary> list;
  list.push_back(binary(networks[2]));
  const Error of_list = error_of(restore_list(backend(), std::move(list)));
  EXPECT_TRUE(contains(of_list.detail, words(3, "a model"))) << of_list.detail;

  rpcmem_control().fail_call(sim::RpcmemCall::alloc2, 1, true);
  const Error memory_error = error_of(load_all(SpillFillSharing::external_buffer));
  rpcmem_control().clear_faults();
  EXPECT_EQ(memory_error.kind, Errc::allocation_failed);
  EXPECT_TRUE(contains(memory_error.detail, words(3, "a model"))) << memory_error.detail;
}

TEST_F(live_contexts, are_not_named_where_a_restart_has_killed_them) {
  const Model held = load_one(0);
  const auto graph = must(held.graph("one"));
  control().fail_call(Slot::graph_retrieve, 1, 1007);
  (void)error_of(held.graph("one"));
  EXPECT_FALSE(contains(refused().detail, "live context")) << "they occupy nothing";
}

TEST_F(live_contexts, of_the_load_that_fails_are_said_to_be_of_a_load_and_are_gone_after_it) {
  for (const auto sharing : {SpillFillSharing::external_buffer, SpillFillSharing::context_group,
                             SpillFillSharing::none}) {
    const Model held = load_one(3);
    const bool is_deferred = sharing == SpillFillSharing::external_buffer;
    control().fail_call(is_deferred ? Slot::context_finalize : Slot::context_create_from_binary, 2,
                        1002);
    const Error error = error_of(load_all(sharing));
    EXPECT_EQ(error.code, 1002);
    EXPECT_TRUE(contains(error.detail, "2 other live contexts: " + words(3, "a model")))
        << error.detail;
    EXPECT_TRUE(contains(error.detail, "held by a load)")) << error.detail;
    expect_short(error);
    EXPECT_TRUE(contains(refused().detail, "1 other live context: " + words(3, "a model")));
  }
}

TEST_F(live_contexts, that_the_program_could_free_are_known_to_the_library) {
  auto& list = qnnpp::detail::Access::block(backend())->live_contexts;
  EXPECT_FALSE(list.has_others());
  {
    const auto context = restored(networks[0]);
    EXPECT_TRUE(list.has_others());
    const auto& block = *qnnpp::detail::Access::block(context);
    EXPECT_FALSE(list.has_others(&block));
  }
  EXPECT_FALSE(list.has_others());
  std::vector<bool> found;
  must(model::load(backend(), allocator(), sources, {.progress = [&](const model::Progress&) {
                     found.push_back(list.has_others());
                     return true;
                   }}));
  EXPECT_EQ(std::count(found.begin(), found.end(), true), 0) << "those of the load are no others";
}

TEST_F(live_contexts, are_named_up_to_three_and_long_names_are_cut_within_600_bytes) {
  std::vector<Context<Finalized>> held;
  std::vector<Graph<Retrieved>> graphs;
  for (int i = 0; i < 40; ++i) {
    Network network{.name = std::string(300, 'g') + std::to_string(i)};
    held.push_back(must(Context<Finalized>::restore(
        backend(), own(binary_of(backend(), {network}),
                       "/data/" + std::string(300, 'd') + "/n" + std::to_string(i) + ".bin"))));
    for (int k = 0; k < 5; ++k)
      graphs.push_back(must(Graph<Retrieved>::retrieve(held.back(), network.name)));
  }
  const Error error = refused();
  EXPECT_EQ(error.detail.find("40 other live contexts: ..."), 0u) << error.detail;
  EXPECT_TRUE(contains(error.detail, "/n0.bin (")) << "the end of a path tells it apart";
  EXPECT_TRUE(contains(error.detail, "/n2.bin ("));
  EXPECT_FALSE(contains(error.detail, "/n3.bin"));
  EXPECT_TRUE(contains(error.detail, " and 37 more")) << error.detail;
  EXPECT_TRUE(contains(error.detail, " and 3 more)")) << "of its five graphs and its object";
  expect_short(error);
}

TEST_F(live_contexts, of_a_residency_that_graphs_hold_are_named_with_the_graphs) {
  auto residency =
      must(model::Residency<>::create(backend(), allocator(), sources, {.max_contexts = 1}));
  auto pinned = std::optional(must(residency.acquire(0)));
  const auto graph = must(Graph<Retrieved>::retrieve(pinned->context(), "one"));
  pinned.reset();
  const Error error = error_of(residency.acquire(1));
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_EQ(error.detail, "no context can be evicted: one.bin is held by graph one");
}

// ----------------------------------------------------------------------------------------- in use

TEST_F(live_contexts, are_named_by_a_backend_that_is_closed) {
  auto other = must(load());
  EXPECT_TRUE(succeeds(std::move(other).close()));
  other = must(load());
  auto context = std::optional(must(Context<Finalized>::restore(other, binary(networks[0]))));
  Error error = error_of(std::move(other.share()).close());
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_EQ(error.found - error.needed, 2u);
  EXPECT_EQ(error.detail, "1 live context: " + words(0, "its Context object"));
  const auto graph = must(Graph<Retrieved>::retrieve(*context, "one"));
  context.reset();
  error = error_of(std::move(other).close());
  EXPECT_EQ(error.detail, "1 live context: " + words(0, "graph one"));
  EXPECT_EQ(error.message(),
            htp_library +
                std::string(": closing a backend: 1 other object still uses it, and the "
                            "last of them closes it; destroy them first (") +
                error.detail + ")");
}

TEST_F(live_contexts, that_are_closed_name_their_graphs_and_registrations) {
  auto context = restored(networks[0]);
  const auto graph = must(Graph<Retrieved>::retrieve(context, "one"));
  auto memory = RegisteredMemory<>::make(allocator(), context, {networks[0].spec("x")});
  EXPECT_EQ(error_of(context.check_reclaim()).detail, "held by graph one, the registration of x");
  {
    auto y = RegisteredMemory<>::make(allocator(), context, {networks[0].spec("y")});
    auto bound =
        must(must(Graph<Retrieved>::retrieve(context, "one")).bind({memory.as("x"), y.as("y")}));
    const Error error = error_of(std::move(y.tensors).close());
    EXPECT_EQ(error.kind, Errc::in_use);
    EXPECT_TRUE(contains(error.detail, "one.bin is held by graph one, ")) << error.detail;
  }
  const Error error = error_of(std::move(context).close());
  EXPECT_EQ(error.detail, "held by graph one, the registration of x");
  EXPECT_TRUE(contains(error.message(), "2 other objects still use it")) << error.message();
}

// --------------------------------------------------------------------------------- Model::close()

class closing_a_model : public live_contexts {};

TEST_F(closing_a_model, frees_everything_in_each_way_of_sharing) {
  for (const auto sharing : {SpillFillSharing::external_buffer, SpillFillSharing::context_group,
                             SpillFillSharing::none}) {
    auto loaded = must(load_all(sharing));
    expect_to_work(loaded);
    control().reset_counters();
    EXPECT_TRUE(succeeds(std::move(loaded).close()));
    EXPECT_EQ(calls(Slot::context_free), 4u);
    const sim::Counters left = control().counters();
    EXPECT_EQ(left.live_contexts, 0u);
    EXPECT_EQ(left.device_bytes + left.internal_bytes, 0u);
    EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
  }
}

TEST_F(closing_a_model, that_a_graph_holds_names_the_graph_and_frees_the_other_contexts) {
  auto loaded = must(load_all());
  auto graph = std::optional(must(loaded.graph("two")));
  const Error error = error_of(std::move(loaded).close());
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_EQ(error.object, "the model");
  EXPECT_EQ(error.found - error.needed, 1u);
  EXPECT_EQ(error.detail, words(1, "graph two"));
  EXPECT_EQ(error.message(),
            "the model: closing a model: 1 other object still uses it, and the last of them closes "
            "it; destroy them first (" +
                error.detail + ")");
  EXPECT_EQ(control().counters().live_contexts, 1u);
  graph.reset();
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(closing_a_model, whose_group_has_a_held_member_keeps_its_head_too) {
  auto loaded = must(load_all(SpillFillSharing::context_group));
  const auto graph = must(loaded.graph("one"));
  const Error error = error_of(std::move(loaded).close());
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_TRUE(contains(error.detail, words(0, "graph one"))) << error.detail;
  EXPECT_TRUE(contains(error.detail, words(2, "group member one.bin"))) << error.detail;
  EXPECT_EQ(control().counters().live_contexts, 2u);
}

TEST_F(closing_a_model, that_a_pipeline_or_a_copy_of_its_buffer_holds_is_in_use) {
  auto loaded = must(load_all(SpillFillSharing::external_buffer));
  auto pipeline = std::optional(must(loaded.pipeline(allocator(), {"one"})));
  EXPECT_TRUE(contains(error_of(std::move(loaded).close()).detail, "held by graph one"));
  pipeline.reset();
  EXPECT_EQ(control().counters().live_contexts, 0u);

  auto again = must(load_all(SpillFillSharing::external_buffer));
  const SharedSpillFill copy = again.spill_fill();
  const Error error = error_of(std::move(again).close());
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_EQ(error.detail, "a copy of spill_fill() holds its buffer");
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(closing_a_model, returns_the_first_error_of_QNN_and_frees_the_others_all_the_same) {
  auto loaded = must(load_all());
  control().fail_call(Slot::context_free, 2, 5001);
  const Error error = error_of(std::move(loaded).close());
  EXPECT_EQ(error.code, 5001);
  EXPECT_EQ(error.object, "two.bin");
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(closing_a_model, that_was_moved_closes_the_object_it_was_moved_to) {
  auto loaded = must(load_all());
  Model moved = std::move(loaded);
  loaded = load_one(0);
  EXPECT_EQ(control().counters().live_contexts, 5u);
  EXPECT_TRUE(succeeds(std::move(moved).close()));
  EXPECT_EQ(control().counters().live_contexts, 1u);
  EXPECT_CONTRACT(moved_model, (void)std::move(moved).close());
}

// ---------------------------------------------------------------------------------------- threads

TEST_F(live_contexts, are_named_while_other_threads_make_and_destroy_them) {
  constexpr int loads = 20;
  std::atomic<int> ended = 0;
  std::atomic<bool> is_named = false;  // A text has named a holder: until then, threads go on.
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      for (int k = 0; k < loads || !is_named; ++k) {
        auto loaded = load_one(i);
        const auto graph = must(must(loaded.graph(networks[i].name)).bind(allocator()));
        EXPECT_EQ(error_of(std::move(loaded).close()).detail,
                  words(i, "graph " + networks[i].name + ", the registration of x"));
      }
      ++ended;
    });
  auto& list = qnnpp::detail::Access::block(backend())->live_contexts;
  while (ended != 3) {
    const std::string text = list.text(qnnpp::detail::LiveContexts::Which::all);
    if (contains(text, "held by ")) is_named = true;
    (void)list.has_others();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(list.text(qnnpp::detail::LiveContexts::Which::all).empty());
}

TEST_F(live_contexts, PRC_01_are_left_alone_by_a_forked_child) {
  auto other = std::optional(load_one(1));
  auto graph = std::optional(must(other->graph("two")));
  std::atomic<bool> stops = false;
  // Locks the list most of the time, so that children find it locked by a thread that they lack.
  std::thread thread([&] {
    auto& list = qnnpp::detail::Access::block(backend())->live_contexts;
    while (!stops) (void)list.text(qnnpp::detail::LiveContexts::Which::all);
  });
  bool are_well = true;
  for (int i = 0; i < 20 && are_well; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      const bool is_held = error_of(std::move(*other).close()).kind == Errc::in_use;
      graph.reset();
      const bool is_refused =
          error_of(backend().share().close()).kind == Errc::in_use && !load().has_value();
      ::_exit(is_held && is_refused ? 0 : 1);
    }
    int status = 0;
    are_well =
        ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  stops = true;
  thread.join();
  EXPECT_TRUE(are_well);
  EXPECT_TRUE(contains(refused().detail, words(1, "graph two, a model"))) << refused().detail;
}

}}  // namespace support
