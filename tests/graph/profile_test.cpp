// Profiles: each attached call is recorded with its events.
#include "qnnpp/backend/profile.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/qnnpp.hpp"

#include "fixture.hpp"
#include "heap.hpp"
#include "recorder.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;
namespace event_type = c_api::profile_event_type;

/// Time of std::chrono::steady_clock in nanoseconds.
std::uint64_t steady_ns() {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

bool has(const ProfileRecord& record, c_api::ProfileEventType type) {
  return std::any_of(record.events.begin(), record.events.end(),
                     [&](const ProfileEvent& event) { return event.type == type; });
}

class a_profile : public LoadedTest {
 protected:
  Profile profile(ProfileLevel level = ProfileLevel::basic) const {
    return must(Profile::create(backend(), level));
  }
  /// A context with external buffers that is not finalized yet.
  Context<Registered> registered_context(const Network& network,
                                         const DeferredOptions& options = {}) const {
    auto context = must(
        Context<Deferred>::create(backend(), binary(network), options).and_then(transition::query));
    auto weights = weights_for(context);
    auto pool = must(SharedSpillFill::allocate(allocator(), context.requirements()));
    return must(std::move(context).register_buffers(
        {.weights = std::move(weights), .spill_fill = std::move(pool)}));
  }
  Graph<Bound> bound(const Context<Finalized>& context, const Network& network) {
    in_ = network.input();
    out_.assign(network.io_elements(), -1.0f);
    return must(must(Graph<Retrieved>::retrieve(context, network.name))
                    .bind({raw("x", in_), raw("y", out_)}));
  }
  void expect_result(const Network& network) const {
    EXPECT_LT(largest_difference(out_, network.reference(in_)), tolerance);
  }

  std::vector<float> in_;
  std::vector<float> out_;
};

TEST_F(a_profile, records_each_call_of_a_context_with_external_buffers) {
  const Network network{.name = "net"};
  auto all = profile();
  auto context = must(registered_context(network, {.profile = &all}).finalize(&all));
  {
    auto graph = bound(context, network);
    ASSERT_TRUE(succeeds(graph.execute(&all)));
    expect_result(network);
  }
  ASSERT_TRUE(succeeds(std::move(context).close(&all)));
  std::vector<std::string> calls;
  for (const ProfileRecord& record : all.records()) calls.emplace_back(record.call);
  EXPECT_EQ(calls, (std::vector<std::string>{"QnnContext_createFromBinary", "QnnContext_finalize",
                                             "QnnGraph_execute", "QnnContext_free"}));
  ASSERT_EQ(all.records().size(), 4u);
  EXPECT_EQ(all.records()[0].object, "net.bin");
  EXPECT_EQ(all.records()[2].object, "net");
  EXPECT_TRUE(has(all.records()[0], event_type::init));
  EXPECT_TRUE(has(all.records()[2], event_type::execute));
  for (const ProfileRecord& record : all.records()) {
    EXPECT_TRUE(record.succeeded);
    EXPECT_FALSE(record.error.has_value());
  }
}

TEST_F(a_profile, states_when_and_on_which_thread_each_call_ran) {
  const Network network{.name = "net"};
  auto all = profile();
  const auto context = restored(network);
  auto graph = bound(context, network);
  const std::uint64_t before = steady_ns();
  ASSERT_TRUE(succeeds(graph.execute(&all)));
  ASSERT_TRUE(succeeds(graph.execute(&all)));
  const std::uint64_t after = steady_ns();
  ASSERT_EQ(all.records().size(), 2u);
  const ProfileRecord& first = all.records()[0];
  const ProfileRecord& second = all.records()[1];
  EXPECT_LE(before, first.start_ns);
  EXPECT_LE(first.start_ns, first.end_ns);
  EXPECT_LE(first.end_ns, second.start_ns);
  EXPECT_LE(second.end_ns, after);
  EXPECT_EQ(first.thread, static_cast<std::uint64_t>(::gettid()));
}

TEST_F(a_profile, keeps_records_until_they_are_cleared_or_taken) {
  const Network network{.name = "net"};
  auto all = profile();
  const auto context = restored(network);
  auto graph = bound(context, network);
  ASSERT_TRUE(succeeds(graph.execute(&all)));
  ASSERT_TRUE(succeeds(graph.execute(&all)));
  EXPECT_EQ(all.records().size(), 2u);
  const std::vector<ProfileRecord> taken = all.take();
  EXPECT_EQ(taken.size(), 2u);
  EXPECT_TRUE(all.records().empty());
  ASSERT_TRUE(succeeds(graph.execute(&all)));
  EXPECT_EQ(all.records().size(), 1u);
  all.clear();
  EXPECT_TRUE(all.records().empty());
}

TEST_F(a_profile, has_the_nodes_below_their_event_at_the_detailed_level) {
  const Network network{.name = "net"};
  const auto context = restored(network);
  auto graph = bound(context, network);
  auto basic = profile();
  auto detailed = profile(ProfileLevel::detailed);
  ASSERT_TRUE(succeeds(graph.execute(&basic)));
  ASSERT_TRUE(succeeds(graph.execute(&detailed)));
  EXPECT_FALSE(has(basic.records().front(), event_type::node));
  const std::vector<ProfileEvent>& events = detailed.records().front().events;
  std::size_t nodes = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].depth == 0) {
      EXPECT_EQ(events[i].parent, ProfileEvent::none);
      continue;
    }
    ASSERT_LT(events[i].parent, i);
    EXPECT_EQ(events[events[i].parent].depth, events[i].depth - 1);
    if (events[i].type != event_type::node) continue;
    EXPECT_FALSE(events[i].node.empty());
    ++nodes;
  }
  EXPECT_GT(nodes, 0u);
}

/// What does not change from one execution of a graph to the next: all but times and values.
std::vector<ProfileEvent> shape_of(const ProfileRecord& record) {
  std::vector<ProfileEvent> events = record.events;
  for (ProfileEvent& event : events) event.value = 0;
  return events;
}

TEST_F(a_profile, has_the_same_events_for_graphs_that_take_turns_as_a_profile_of_each) {
  const Network small{.name = "net"};
  const Network large{.name = "another network, with a long name", .spill_mib = 2};
  const auto one = restored(small);
  const auto two = restored(large);
  auto first = bound(one, small);
  const std::vector<float> in = large.input();
  std::vector<float> out(large.io_elements());
  auto second =
      must(must(Graph<Retrieved>::retrieve(two, large.name)).bind({raw("x", in), raw("y", out)}));
  for (const ProfileLevel level :
       {ProfileLevel::basic, ProfileLevel::detailed, ProfileLevel::linting}) {
    auto of_first = profile(level), of_second = profile(level), all = profile(level);
    ASSERT_TRUE(succeeds(first.execute(&of_first)));
    ASSERT_TRUE(succeeds(second.execute(&of_second)));
    const std::vector<ProfileEvent> expected[] = {shape_of(of_first.records().front()),
                                                  shape_of(of_second.records().front())};
    if (level != ProfileLevel::basic) {
      EXPECT_NE(expected[0], expected[1]);
    }
    std::vector<ProfileRecord> records;
    for (int round = 0; round < 4; ++round) {
      ASSERT_TRUE(succeeds(first.execute(&all)));
      if (round == 1) {
        EXPECT_EQ(all.records().size(), 3u);
      }
      if (round == 2) {
        for (ProfileRecord& record : all.take()) records.push_back(std::move(record));
        control().fail_call(Slot::graph_execute, 1, 6003);
        EXPECT_EQ(error_of(first.execute(&all)).code, 6003);
        ASSERT_EQ(all.records().size(), 1u);
        EXPECT_TRUE(all.records().front().events.empty());
        all.clear();
      }
      ASSERT_TRUE(succeeds(second.execute(&all)));
    }
    for (ProfileRecord& record : all.take()) records.push_back(std::move(record));
    ASSERT_EQ(records.size(), 8u);
    for (std::size_t i = 0; i < records.size(); ++i) {
      EXPECT_EQ(records[i].object, i % 2 == 0 ? small.name : large.name);
      EXPECT_EQ(shape_of(records[i]), expected[i % 2]) << "execution " << i;
      if (i != 0) {
        EXPECT_LE(records[i - 1].end_ns, records[i].start_ns);
      }
    }
  }
}

/// Excludes allocations inside the C calls from the count.
void pause_in_a_profiled_call(std::size_t, bool entering, const void* const*) {
  HeapWatch::pause(entering);
}

TEST_F(a_profile, of_an_execution_allocates_nothing_after_the_first) {
  const Network network{.name = "a network whose name is on the heap"};
  const auto recorder = must(load_recorder());
  const auto context = must(Context<Finalized>::restore(recorder, binary(network)));
  auto graph = bound(context, network);
  const Recording recording(&pause_in_a_profiled_call);
  for (const ProfileLevel level :
       {ProfileLevel::basic, ProfileLevel::detailed, ProfileLevel::linting}) {
    auto all = must(Profile::create(recorder, level));
    ASSERT_TRUE(succeeds(graph.execute(&all)));
    EXPECT_EQ(all.take().size(), 1u);
    for (const bool is_read : {false, true}) {
      bool has_executed = false;
      {
        const HeapWatch watch(Threads::this_one);
        has_executed = graph.execute(&all).has_value();
      }
      EXPECT_TRUE(has_executed);
      EXPECT_EQ(HeapWatch::allocations(), 0u) << (is_read ? "after it was read" : "after take()");
      EXPECT_EQ(all.records().size(), 1u);
      all.clear();
    }
    const HeapWatch watch(Threads::this_one);
    for (int i = 0; i < 3; ++i) {
      (void)graph.execute(&all);
      all.clear();
    }
    EXPECT_EQ(HeapWatch::allocations(), 0u) << "after clear()";
  }
}

TEST_F(a_profile, of_graphs_that_take_turns_soon_allocates_nothing) {
  const Network networks[] = {{.name = "net"},
                              {.name = "a network whose name is on the heap", .spill_mib = 2}};
  const auto recorder = must(load_recorder());
  std::vector<Context<Finalized>> contexts;
  std::vector<Graph<Bound>> graphs;
  const std::vector<float> in = networks[0].input();
  std::vector<float> out(networks[0].io_elements());
  for (const Network& network : networks) {
    contexts.push_back(must(Context<Finalized>::restore(recorder, binary(network))));
    graphs.push_back(must(must(Graph<Retrieved>::retrieve(contexts.back(), network.name))
                              .bind({raw("x", in), raw("y", out)})));
  }
  auto all = must(Profile::create(recorder, ProfileLevel::detailed));
  const Recording recording(&pause_in_a_profiled_call);
  const auto execute = [&](std::size_t which) {
    (void)graphs[which].execute(&all);
    all.clear();
  };
  for (int i = 0; i < 3; ++i) execute(i % 2 == 0 ? 0 : 1);
  const HeapWatch watch(Threads::this_one);
  for (int i = 0; i < 10; ++i) execute(i % 2 == 0 ? 1 : 0);
  EXPECT_EQ(HeapWatch::allocations(), 0u);
}

TEST_F(a_profile, of_another_backend_is_foreign_and_nothing_is_called) {
  const Network network{.name = "net"};
  const auto other = must(load());
  auto foreign = must(Profile::create(other));
  const auto is_foreign = [](const auto& result, Slot slot) {
    EXPECT_FALSE(result.has_value());
    EXPECT_EQ(result.error().kind, Errc::foreign_object);
    EXPECT_STREQ(result.error().step, c_api::name_of(slot));
  };
  is_foreign(Context<Finalized>::restore(backend(), binary(network), {.profile = &foreign}),
             Slot::context_create_from_binary);
  is_foreign(Context<Deferred>::create(backend(), binary(network), {.profile = &foreign}),
             Slot::context_create_from_binary);
  is_foreign(registered_context(network).finalize(&foreign), Slot::context_finalize);
  is_foreign(restored(network).close(&foreign), Slot::context_free);
  {
    const auto context = restored(network);
    auto graph = bound(context, network);
    auto lease = must(context.spill_fill().lease());
    control().reset_counters();
    is_foreign(graph.execute(&foreign), Slot::graph_execute);
    is_foreign(graph.execute(lease, &foreign), Slot::graph_execute);
    EXPECT_EQ(control().counters().calls, 0u);
  }
  EXPECT_TRUE(foreign.records().empty());
}

TEST_F(a_profile, keeps_its_backend_alive_and_is_freed_before_it) {
  auto all = profile();
  drop_backend();
  EXPECT_EQ(control().counters().live_backends, 1u);
  EXPECT_EQ(control().counters().live_profiles, 1u);
  ASSERT_TRUE(succeeds(std::move(all).close()));
  EXPECT_EQ(control().counters().live_backends, 0u);
  EXPECT_EQ(control().counters().live_profiles, 0u);
}

TEST_F(a_profile, may_be_destroyed_before_the_context_that_it_recorded) {
  const Network network{.name = "net"};
  auto all = std::optional(profile());
  const auto context = must(registered_context(network, {.profile = &*all}).finalize(&*all));
  auto graph = bound(context, network);
  ASSERT_TRUE(succeeds(graph.execute(&*all)));
  all.reset();
  EXPECT_EQ(control().counters().live_profiles, 0u);
  ASSERT_TRUE(succeeds(graph.execute()));
  expect_result(network);
}

TEST_F(a_profile, whose_events_cannot_be_read_does_not_fail_the_execution) {
  const Network network{.name = "net"};
  auto all = profile();
  const auto context = restored(network);
  auto graph = bound(context, network);
  for (const Slot slot : {Slot::profile_get_events, Slot::profile_get_extended_event_data,
                          Slot::profile_get_sub_events}) {
    out_.assign(out_.size(), -1.0f);
    control().fail_call(slot, 1, 1002);
    ASSERT_TRUE(succeeds(graph.execute(&all)));
    expect_result(network);
    const ProfileRecord& record = all.records().back();
    EXPECT_TRUE(record.succeeded);
    ASSERT_TRUE(record.error.has_value());
    EXPECT_STREQ(record.error->step, c_api::name_of(slot));
    EXPECT_EQ(record.error->code, 1002);
    EXPECT_EQ(record.error->object, "net");
  }
  ASSERT_TRUE(succeeds(graph.execute(&all)));
  EXPECT_FALSE(all.records().back().error.has_value());
}

TEST_F(a_profile, records_a_failed_call_without_the_events_of_another) {
  const Network network{.name = "net"};
  auto all = profile();
  const auto context = restored(network);
  auto graph = bound(context, network);
  ASSERT_TRUE(succeeds(graph.execute(&all)));
  const auto fail_once = [&] {
    control().fail_call(Slot::graph_execute, 1, 6003);
    EXPECT_EQ(error_of(graph.execute(&all)).code, 6003);
    const ProfileRecord& record = all.records().back();
    EXPECT_FALSE(record.succeeded);
    EXPECT_EQ(record.call, "QnnGraph_execute");
    EXPECT_TRUE(record.events.empty()) << "QNN still has the events of the call before";
  };
  fail_once();
  EXPECT_EQ(all.records().size(), 2u);
  // The events of this execution are read in part, so they cannot be told from later ones.
  control().fail_call(Slot::profile_get_extended_event_data, 1, 1002);
  ASSERT_TRUE(succeeds(graph.execute(&all)));
  fail_once();
  fail_once();
  EXPECT_EQ(all.records().size(), 5u);
}

TEST_F(a_profile, quotes_the_log_if_a_call_or_the_reading_of_its_events_fails) {
  const Network network{.name = "net"};
  auto all = profile();
  auto context = restored(network);
  {
    auto graph = bound(context, network);
    control().fail_call(Slot::graph_execute, 1, 6003);
    EXPECT_EQ(error_of(graph.execute(&all)).detail, "log: QnnGraph_execute failed with 6003");
    control().fail_call(Slot::profile_get_events, 1, 1002);
    ASSERT_TRUE(succeeds(graph.execute(&all)));
    ASSERT_TRUE(all.records().back().error.has_value());
    EXPECT_EQ(all.records().back().error->detail, "log: QnnProfile_getEvents failed with 1002");
  }
  control().fail_call(Slot::context_free, 1, 5001);
  EXPECT_EQ(error_of(std::move(context).close(&all)).detail,
            "log: QnnContext_free failed with 5001");
  control().fail_call(Slot::profile_free, 1, 12001);
  EXPECT_EQ(error_of(std::move(all).close()).detail, "log: QnnProfile_free failed with 12001");
}

TEST_F(a_profile, records_a_call_at_which_the_dsp_restarts) {
  const Network network{.name = "net"};
  auto all = profile();
  const auto context = restored(network);
  auto graph = bound(context, network);
  expect_misuse();
  control().fail_call(Slot::graph_execute, 1, 1007);
  EXPECT_EQ(error_of(graph.execute(&all)).code, 1007);
  ASSERT_EQ(all.records().size(), 1u);
  EXPECT_FALSE(all.records().back().succeeded);
}

TEST_F(a_profile, records_nothing_for_a_dead_context) {
  const Network network{.name = "net"};
  auto all = profile();
  const auto context = restored(network);
  auto graph = bound(context, network);
  expect_misuse();
  control().fail_call(Slot::graph_execute, 1, 1007);
  (void)error_of(graph.execute(&all));
  all.clear();
  EXPECT_EQ(error_of(graph.execute(&all)).kind, Errc::dead);
  EXPECT_TRUE(all.records().empty());
}

TEST_F(a_profile, records_an_execution_under_a_lease) {
  const Network network{.name = "net"};
  auto all = profile();
  const auto context = must(registered_context(network).finalize());
  auto graph = bound(context, network);
  {
    auto lease = must(context.spill_fill().lease());
    ASSERT_TRUE(succeeds(graph.execute(lease, &all)));
    EXPECT_EQ(error_of(graph.execute(&all)).kind, Errc::would_deadlock);
  }
  ASSERT_TRUE(succeeds(graph.execute(&all)));
  expect_result(network);
  EXPECT_EQ(all.records().size(), 2u);
}

TEST_F(a_profile, records_each_graph_of_a_pipeline) {
  std::vector<Network> networks = four_networks();
  networks.resize(2);
  std::vector<Context<Finalized>> contexts;
  std::vector<Graph<Retrieved>> graphs;
  for (Network& network : networks) {
    network.io = c_api::TensorMemType::memhandle;
    contexts.push_back(restored(network));
    graphs.push_back(must(Graph<Retrieved>::retrieve(contexts.back(), network.name)));
  }
  auto pipeline =
      must(Pipeline::create(allocator(), std::move(graphs), {.wires = {{0, "y", 1, "x"}}}));
  ASSERT_TRUE(succeeds(write_elements(pipeline.input<float>("x"), networks[0].input())));
  auto all = profile();
  ASSERT_TRUE(succeeds(pipeline.execute(&all)));
  auto lease = must(contexts[0].spill_fill().lease());
  ASSERT_TRUE(succeeds(pipeline.execute(lease, &all)));
  std::vector<std::string> objects;
  for (const ProfileRecord& record : all.records()) objects.push_back(record.object);
  EXPECT_EQ(objects, (std::vector<std::string>{networks[0].name, networks[1].name, networks[0].name,
                                               networks[1].name}));
  EXPECT_EQ(pipeline.stages()[0].executions, 2u);

  const auto other = must(load());
  auto foreign = must(Profile::create(other));
  control().reset_counters();
  EXPECT_EQ(error_of(pipeline.execute(&foreign)).kind, Errc::foreign_object);
  EXPECT_EQ(error_of(pipeline.execute(lease, &foreign)).kind, Errc::foreign_object);
  EXPECT_EQ(control().counters().calls, 0u) << "not even the first graph is executed";
}

TEST_F(a_profile, records_the_finalize_of_a_composed_graph) {
  auto all = profile();
  auto context = must(Context<Composing>::create(backend()));
  auto graph = must(Graph<Composing>::create(context, "sum"));
  const auto spec = [](const char* name, c_api::TensorType kind) {
    return TensorSpec{.name = name, .kind = kind, .dimensions = {1, 8}};
  };
  const auto x = must(graph.add_tensor(spec("x", c_api::TensorType::app_write)));
  const auto y = must(graph.add_tensor(spec("y", c_api::TensorType::app_read)));
  ASSERT_TRUE(succeeds(
      graph.add_node({.name = "add", .type = "ElementWiseAdd", .inputs = {x, x}, .outputs = {y}})));
  (void)must(std::move(graph).finalize(&all));
  ASSERT_EQ(all.records().size(), 1u);
  EXPECT_EQ(all.records()[0].call, "QnnGraph_finalize");
  EXPECT_EQ(all.records()[0].object, "sum");
  EXPECT_TRUE(has(all.records()[0], event_type::finalize));
}

}}  // namespace support
