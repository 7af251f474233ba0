// GraphOptions of composed graphs, the priority of final graphs, and DLBC with shared spill-fill.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/system.hpp"
#include "qnnpp/model/load.hpp"

#include "fixture.hpp"
#include "recorder.hpp"

namespace support {
namespace {

using namespace qnnpp;
using sim::Slot;

class graph_options : public LoadedTest {
 protected:
  /// Binary of one graph that was prepared with these options.
  std::vector<std::byte> prepared(const GraphOptions& options) const {
    auto context = must(Context<Composing>::create(backend()));
    auto graph = must(Graph<Composing>::create(context, "net", options));
    const std::vector<std::vector<float>> matrices{net.matrix(0), net.matrix(1), net.matrix(2)};
    add_all(graph, net, matrices);
    (void)must(std::move(graph).finalize());
    return must(must(std::move(context).finalize()).serialize());
  }
  GraphSpec spec_of(const std::vector<std::byte>& binary) const {
    auto graphs = must(must(System::load(system_library)).graphs(binary, "net"));
    return graphs.at(0);
  }

  const Network net{.name = "net"};
};

TEST_F(graph_options, are_reported_by_the_binary) {
  const GraphPreparation told = spec_of(prepared({.vtcm_mb = 1,
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

TEST_F(graph_options, out_of_their_range_are_refused_before_a_call) {
  const auto context = must(Context<Composing>::create(backend()));
  const std::uint64_t before = calls(Slot::graph_create);
  for (const GraphOptions& options :
       {GraphOptions{.optimization_level = 4}, GraphOptions{.precision = c_api::Precision(7)},
        GraphOptions{.priority = c_api::Priority(77)}})
    EXPECT_EQ(error_of(Graph<Composing>::create(context, "net", options)).kind,
              Errc::invalid_argument);
  EXPECT_EQ(calls(Slot::graph_create), before);
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
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_EQ(error_of(bound.set_priority(c_api::Priority(77))).kind, Errc::invalid_argument);
  EXPECT_EQ(set_priorities, (std::vector{c_api::Priority::low, c_api::Priority::high}));
}

TEST_F(graph_options, that_qnn_refuses_name_the_graph_and_the_call) {
  const auto context = must(Context<Finalized>::restore(backend(), own(prepared({}))));
  auto graph = must(Graph<Retrieved>::retrieve(context, "net"));
  control().fail_call(Slot::graph_set_config, 1, 6032);
  const Error error = error_of(graph.set_priority(c_api::Priority::low));
  EXPECT_EQ(error.code, 6032);
  EXPECT_EQ(error.object, "net");
  EXPECT_STREQ(error.step, "QnnGraph_setConfig");
}

TEST_F(graph_options, of_dlbc_refuse_shared_spill_fill_before_a_call) {
  const std::vector<std::byte> binary = prepared({.dlbc = true});
  auto queried = must(Context<Deferred>::create(backend(), own(binary)).and_then(step::query));
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

TEST_F(graph_options, of_dlbc_are_loaded_without_sharing_and_the_report_says_why) {
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

}  // namespace
}  // namespace support
