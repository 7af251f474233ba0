// GraphOptions of composed graphs, the priority of final graphs, and DLBC with shared spill-fill.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/system.hpp"
#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/graph/detail/graph_configs.hpp"
#include "qnnpp/model/load.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/model/survey.hpp"

#include "fixture.hpp"
#include "recorder.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class graph_options : public LoadedTest {
 protected:
  /// Composes the network with these options.
  Graph<Retrieved> composed(const Context<Composing>& context, const GraphOptions& options) const {
    auto graph = must(Graph<Composing>::create(context, "net", options));
    const std::vector<std::vector<float>> matrices{net.matrix(0), net.matrix(1), net.matrix(2)};
    add_all(graph, net, matrices);
    return must(std::move(graph).finalize());
  }
  /// Binary of one graph that was prepared with these options.
  std::vector<std::byte> prepared(const GraphOptions& options) const {
    auto context = must(Context<Composing>::create(backend()));
    (void)composed(context, options);
    return must(must(std::move(context).finalize()).serialize());
  }
  GraphSpec spec_of(const std::vector<std::byte>& binary) const {
    return must(must(System::load(system_library)).metadata(binary, "net")).graphs.at(0);
  }

  const Network net{.name = "net"};
};

TEST_F(graph_options, are_reported_by_the_binary) {
  const GraphOptions told = spec_of(prepared({.vtcm_mb = 1,
                                              .optimization_level = 3,
                                              .precision = c_api::Precision::float16,
                                              .hvx_threads = 4,
                                              .dlbc = true,
                                              .dlbc_weights = true,
                                              .priority = c_api::Priority::high}))
                                .preparation;
  EXPECT_EQ(told.vtcm_mb, 1u);
  EXPECT_EQ(told.optimization_level, 3u);
  EXPECT_EQ(told.hvx_threads, 4u);
  EXPECT_EQ(told.dlbc, true);
  EXPECT_EQ(spec_of(prepared({})).preparation.dlbc, false);
}

TEST_F(graph_options, of_all_vtcm_differ_from_the_default) {
  const auto context = must(Context<Composing>::create(backend()));
  const auto sent = [&](const GraphOptions& options) {
    const detail::GraphConfigs configs(options);
    const auto* const native = configs.native();
    if (native == nullptr) return std::optional<std::uint32_t>();
    const auto& custom = *static_cast<const c_api::HtpGraphCustomConfig*>(native[0]->custom_config);
    EXPECT_EQ(custom.option, c_api::HtpGraphConfigOption::vtcm_size_in_mb);
    return std::optional(custom.vtcm_size_in_mb);
  };
  EXPECT_EQ(sent({}), std::nullopt);
  EXPECT_EQ(sent({.vtcm_mb = GraphOptions::all_vtcm}), 0u);
  EXPECT_EQ(sent({.vtcm_mb = 8}), 8u);
  EXPECT_TRUE(Graph<Composing>::create(context, "net", {.vtcm_mb = GraphOptions::all_vtcm}));
}

TEST_F(graph_options, that_no_binary_reports_arrive_one_by_one) {
  const auto context =
      must(Context<Composing>::create(backend(), {.priority = c_api::Priority::low}));
  const auto arrived = [&](const char* name, const GraphOptions& options) {
    const auto graph = must(Graph<Composing>::create(context, name, options));
    return control().graph_settings(graph.native());
  };
  constexpr auto low = c_api::Priority::low, high = c_api::Priority::high;
  constexpr auto none = c_api::Precision::undefined, half = c_api::Precision::float16,
                 full = c_api::Precision::float32;
  EXPECT_EQ(arrived("none", {}), (sim::GraphSettings{low, none, 0}));
  EXPECT_EQ(arrived("DLBC", {.dlbc = true}), (sim::GraphSettings{low, none, 0}));
  EXPECT_EQ(arrived("half", {.precision = half}), (sim::GraphSettings{low, half, 0}));
  EXPECT_EQ(arrived("full", {.precision = full}), (sim::GraphSettings{low, full, 0}));
  EXPECT_EQ(arrived("weights", {.dlbc_weights = true}), (sim::GraphSettings{low, none, 1}));
  EXPECT_EQ(arrived("high", {.priority = high}), (sim::GraphSettings{high, none, 0}));
  constexpr auto normal = c_api::Priority::normal;
  EXPECT_EQ(arrived("normal", {.priority = normal}), (sim::GraphSettings{normal, none, 0}));
  EXPECT_EQ(arrived("all", {.precision = half, .dlbc_weights = true, .priority = high}),
            (sim::GraphSettings{high, half, 1}));
}

TEST_F(graph_options, out_of_their_range_are_refused_before_a_call) {
  const auto context = must(Context<Composing>::create(backend()));
  const std::uint64_t before = calls(Slot::graph_create);
  for (const GraphOptions& options :
       {GraphOptions{.optimization_level = 4}, GraphOptions{.precision = c_api::Precision(7)},
        GraphOptions{.precision = c_api::Precision::undefined},
        GraphOptions{.priority = c_api::Priority(77)},
        GraphOptions{.priority = c_api::Priority::undefined}})
    EXPECT_EQ(error_of(Graph<Composing>::create(context, "net", options)).kind,
              Errc::invalid_argument);
  EXPECT_EQ(calls(Slot::graph_create), before);
}

TEST_F(graph_options, of_contexts_with_an_unknown_priority_are_refused_before_a_call) {
  const std::vector<std::byte> binary = prepared({});
  const auto creations = [&] {
    return calls(Slot::context_create) + calls(Slot::context_create_from_binary) +
           calls(Slot::context_create_from_binary_list_async);
  };
  const std::uint64_t before = creations();
  for (const auto wrong : {c_api::Priority(77), c_api::Priority::undefined}) {
    std::vector<ContextBinary> list;
    list.push_back(own(binary));
    for (const Errc kind :
         {error_of(Context<Composing>::create(backend(), {.priority = wrong})).kind,
          error_of(Context<Deferred>::create(backend(), own(binary), {.priority = wrong})).kind,
          error_of(Context<Finalized>::restore(backend(), own(binary), {.priority = wrong})).kind,
          error_of(restore_list(backend(), std::move(list), {.priority = wrong})).kind})
      EXPECT_EQ(kind, Errc::invalid_argument);
  }
  EXPECT_EQ(creations(), before);
}

std::vector<c_api::Priority> set_priorities;
void note_priority(std::size_t slot, bool entering, const void* const* arguments) {
  if (slot != static_cast<std::size_t>(Slot::graph_set_config) || !entering) return;
  const auto configs = argument<const c_api::GraphConfig**>(arguments, 1);
  EXPECT_EQ(configs[0]->option, c_api::GraphConfigOption::priority);
  EXPECT_EQ(configs[1], nullptr);
  set_priorities.push_back(configs[0]->priority);
}

TEST_F(graph_options, set_the_priority_of_a_retrieved_and_of_a_bound_graph) {
  const auto recorder = must(load_recorder());
  const auto context = must(Context<Finalized>::restore(recorder, own(prepared({}))));
  auto graph = must(Graph<Retrieved>::retrieve(context, "net"));
  set_priorities.clear();
  const Recording recording(&note_priority);
  ASSERT_TRUE(succeeds(graph.set_priority(c_api::Priority::low)));
  auto bound = must(std::move(graph).bind(allocator()));
  ASSERT_TRUE(succeeds(bound.set_priority(c_api::Priority::high)));
  must(bound.input<float>("x"));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_EQ(error_of(bound.set_priority(c_api::Priority(77))).kind, Errc::invalid_argument);
  EXPECT_EQ(set_priorities, (std::vector{c_api::Priority::low, c_api::Priority::high}));
}

std::vector<std::uint64_t> set_threads;
void note_threads(std::size_t slot, bool entering, const void* const* arguments) {
  if (slot != static_cast<std::size_t>(Slot::graph_set_config) || !entering) return;
  const auto configs = argument<const c_api::GraphConfig**>(arguments, 1);
  ASSERT_EQ(configs[0]->option, c_api::GraphConfigOption::custom);
  EXPECT_EQ(configs[1], nullptr);
  const auto& custom = *static_cast<const c_api::HtpGraphCustomConfig*>(configs[0]->custom_config);
  EXPECT_EQ(custom.option, c_api::HtpGraphConfigOption::num_hvx_threads);
  set_threads.push_back(custom.num_hvx_threads);
}

TEST_F(graph_options, set_the_vector_threads_of_a_retrieved_graph) {
  const auto recorder = must(load_recorder());
  const auto context = must(Context<Finalized>::restore(recorder, own(prepared({}))));
  auto graph = must(Graph<Retrieved>::retrieve(context, "net"));
  set_threads.clear();
  const Recording recording(&note_threads);
  ASSERT_TRUE(succeeds(graph.set_hvx_threads(3)));
  EXPECT_EQ(error_of(graph.set_hvx_threads(0)).kind, Errc::invalid_argument);
  control().fail_call(Slot::graph_set_config, 1, 6032);
  const Error error = error_of(graph.set_hvx_threads(4));
  EXPECT_EQ(error.code, 6032);
  EXPECT_STREQ(error.step, "QnnGraph_setConfig");
  EXPECT_EQ(set_threads, (std::vector<std::uint64_t>{3, 4}));
  auto bound = must(std::move(graph).bind(allocator()));
  must(bound.input<float>("x"));
  EXPECT_TRUE(succeeds(bound.execute()));
}

/// Makes the first set_priority(next) of `graph` fail. Expects that the graph keeps the priority
/// `before`, and that the second one succeeds.
template <class AnyGraph>
void expect_a_failure_keeps(c_api::Priority before, c_api::Priority next, AnyGraph& graph) {
  control().fail_call(Slot::graph_set_config, 1, 6032);
  const Error error = error_of(graph.set_priority(next));
  EXPECT_EQ(error.kind, Errc::qnn);
  EXPECT_EQ(error.code, 6032);
  EXPECT_EQ(error.object, "net");
  EXPECT_STREQ(error.step, "QnnGraph_setConfig");
  EXPECT_EQ(control().graph_settings(graph.native())->priority, before);
  EXPECT_TRUE(succeeds(graph.set_priority(next)));
  EXPECT_EQ(control().graph_settings(graph.native())->priority, next);
}

TEST_F(graph_options, stay_if_qnn_refuses_a_priority_and_the_error_names_graph_and_call) {
  const auto context = must(Context<Composing>::create(backend()));
  auto graph = composed(context, {.priority = c_api::Priority::high});
  expect_a_failure_keeps(c_api::Priority::high, c_api::Priority::low, graph);

  const std::vector<float> in = net.input();
  std::vector<float> out(net.io_elements());
  auto bound = must(std::move(graph).bind({raw("x", in), raw("y", out)}));
  expect_a_failure_keeps(c_api::Priority::low, c_api::Priority::normal_high, bound);
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(out, net.reference(in)), tolerance);
}

TEST_F(graph_options, BUF_18_of_dlbc_refuse_shared_spill_fill_before_a_call) {
  const std::vector<std::byte> binary = prepared({.dlbc = true});
  auto queried =
      must(Context<Deferred>::create(backend(), own(binary)).and_then(transition::query));
  auto pool = must(SharedSpillFill::allocate(allocator(), queried.requirements()));
  const std::uint64_t before = calls(Slot::mem_register);
  const Error error =
      error_of(std::move(queried).register_buffers({.spill_fill = std::move(pool)}));
  EXPECT_EQ(error.kind, Errc::capability_missing);
  EXPECT_EQ(error.detail.find("graph 'net' was prepared with DLBC"), 0u) << error.detail;
  EXPECT_EQ(calls(Slot::mem_register), before);

  RestoreOptions group;
  group.group = ContextGroup::head(1u << 20);
  const std::uint64_t created = calls(Slot::context_create_from_binary);
  EXPECT_EQ(error_of(Context<Finalized>::restore(backend(), own(binary), group)).kind,
            Errc::capability_missing);
  EXPECT_EQ(calls(Slot::context_create_from_binary), created);
  EXPECT_TRUE(succeeds(Context<Finalized>::restore(backend(), own(binary))));
}

TEST_F(graph_options, of_dlbc_share_spill_fill_if_the_program_allows_it) {
  const std::vector<std::byte> binary = prepared({.dlbc = true});
  auto queried =
      must(Context<Deferred>::create(backend(), own(binary), {.share_without_dlbc = true})
               .and_then(transition::query));
  auto pool = must(SharedSpillFill::allocate(allocator(), queried.requirements()));
  EXPECT_TRUE(succeeds(std::move(queried)
                           .register_buffers({.spill_fill = std::move(pool)})
                           .and_then(transition::finalize)));
  RestoreOptions group;
  group.group = ContextGroup::head(1u << 20);
  group.share_without_dlbc = true;
  EXPECT_TRUE(succeeds(Context<Finalized>::restore(backend(), own(binary), group)));
}

TEST_F(graph_options, BUF_18_of_dlbc_are_loaded_without_sharing_and_the_report_says_why) {
  const std::vector<std::byte> binary = prepared({.dlbc = true});
  const std::vector<model::BinarySource> sources{{.name = "net", .bytes = binary}};
  using enum model::SpillFillSharing;
  for (const auto sharing : {external_buffer, context_group})
    EXPECT_EQ(error_of(model::load(backend(), allocator(), sources, {.sharing = sharing})).kind,
              Errc::capability_missing);
  const auto loaded = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(loaded.report().sharing, none);
  EXPECT_NE(loaded.report().reason.find("DLBC"), std::string::npos) << loaded.report().reason;
}

TEST_F(graph_options, BUF_18_of_dlbc_in_the_last_binary_leave_shared_memory_to_the_others) {
  const std::vector<std::byte> plain = prepared({}), dlbc = prepared({.dlbc = true});
  const std::vector<model::BinarySource> sources{
      {.name = "a", .bytes = plain}, {.name = "b", .bytes = plain}, {.name = "c", .bytes = dlbc}};
  const auto creations = [&] { return calls(Slot::context_create_from_binary); };
  const std::uint64_t before = creations(), registered = calls(Slot::mem_register);
  const auto loaded = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(loaded.report().sharing, model::SpillFillSharing::external_buffer);
  EXPECT_NE(loaded.report().reason.find("c: sharing spill-fill"), std::string::npos)
      << loaded.report().reason;
  EXPECT_EQ(creations() - before, 4u) << "only c is created once to ask, and once to stay";
  EXPECT_GT(calls(Slot::mem_register), registered);
  const auto& needs = loaded.report().contexts;
  EXPECT_EQ(loaded.spill_fill().size_bytes(), needs[0].spill_fill.or_zero());
  EXPECT_EQ(loaded.report().spill_fill().bytes,
            needs[0].spill_fill.or_zero() + needs[2].spill_fill.or_zero());
  const auto shared = must(
      model::load(backend(), allocator(), sources, {.contexts = {.share_without_dlbc = true}}));
  EXPECT_EQ(shared.report().sharing, model::SpillFillSharing::external_buffer);
  EXPECT_TRUE(succeeds(model::load(backend(), allocator(), sources,
                                   {.sharing = model::SpillFillSharing::context_group,
                                    .contexts = {.share_without_dlbc = true}})));
}

TEST_F(graph_options, of_dlbc_share_the_resources_of_a_list_only_on_request) {
  auto config = control().config();
  config.shared_resources = 1;
  ASSERT_TRUE(control().set_config(config));
  const std::vector<std::byte> dlbc = prepared({.dlbc = true});
  const auto restored = [&](const RestoreListOptions& options) {
    std::vector<ContextBinary> list;
    list.push_back(own(dlbc));
    list.push_back(own(dlbc));
    return restore_list(backend(), std::move(list), options);
  };
  const std::uint64_t before = calls(Slot::context_create_from_binary_list_async);
  const Error error = error_of(restored({.share_resources = true}));
  EXPECT_EQ(error.kind, Errc::capability_missing);
  EXPECT_NE(error.message().find("share_without_dlbc"), std::string::npos) << error.message();
  EXPECT_EQ(calls(Slot::context_create_from_binary_list_async), before);
  EXPECT_TRUE(succeeds(restored({.share_resources = true, .share_without_dlbc = true})));
  EXPECT_TRUE(succeeds(restored({})));
}

TEST_F(graph_options, of_dlbc_give_a_resident_context_its_own_spill_fill_in_any_order) {
  const std::vector<std::byte> plain = prepared({}), dlbc = prepared({.dlbc = true});
  std::vector<model::BinarySource> sources{
      {.name = "a", .bytes = plain}, {.name = "b", .bytes = dlbc}, {.name = "c", .bytes = plain}};
  const auto need =
      must(Context<Deferred>::create(backend(), own(plain)).and_then(transition::query))
          .requirements()
          .spill_fill_bytes;
  const auto in_order = [&](const std::vector<std::size_t>& order,
                            model::ResidencyOptions<> options) {
    auto residency = must(model::Residency<>::create(backend(), allocator(), sources, options));
    for (const std::size_t i : order) EXPECT_TRUE(succeeds(residency.acquire(i)));
    const model::ResidencyStats stats = residency.stats();
    EXPECT_EQ(stats.sharing, model::SpillFillSharing::external_buffer);
    EXPECT_EQ(stats.loads, order.size());
    EXPECT_EQ(control().counters().live_spill_fill_registrations,
              options.contexts.share_without_dlbc ? 3u : 2u);
    EXPECT_EQ(stats.spill_fill_bytes, need);
    return stats.resident_bytes;
  };
  const std::uint64_t shared = in_order({0, 1, 2}, {.contexts = {.share_without_dlbc = true}});
  ASSERT_NE(need, 0u);
  for (const bool is_expected : {false, true}) {
    if (is_expected)
      for (model::BinarySource& source : sources)
        source.expected = must(model::survey(backend(), source));
    for (const std::vector<std::size_t>& order : {std::vector<std::size_t>{0, 1, 2}, {1, 2, 0}})
      EXPECT_EQ(in_order(order, {}), shared + need);
  }
}

}}  // namespace support
