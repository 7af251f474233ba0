// Finding the graphs of a context, and reading the descriptions of their tensors.
#include <unistd.h>

#include <cstring>
#include <string>

#include "contracts.hpp"
#include "fixture.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class graph_retrieve : public LoadedTest {};

TEST_F(graph_retrieve, ORD_04_a_finalized_context_gives_its_graphs_by_name) {
  const auto context = finalized(queried(Network{.name = "prefill"}));
  const auto graph = must(Graph<Retrieved>::retrieve(context, "prefill"));
  EXPECT_EQ(graph.name(), "prefill");
  ASSERT_EQ(graph.inputs().size(), 1u);
  ASSERT_EQ(graph.outputs().size(), 1u);
  EXPECT_EQ(graph.inputs()[0].name, "x");
  EXPECT_EQ(graph.outputs()[0].name, "y");
  EXPECT_NE(graph.native(), nullptr);
}

TEST_F(graph_retrieve, ORD_04_a_graph_of_a_context_that_is_not_finalized_is_refused_by_QNN) {
  // The types make this call impossible, so the test uses the raw handle.
  const auto deferred = must(Context<Deferred>::create(backend(), binary(Network{})));
  expect_misuse();
  const auto retrieve = *backend().provider().find<&c_api::InterfaceTable::graph_retrieve>();
  c_api::GraphHandle handle = nullptr;
  EXPECT_EQ(retrieve(deferred.native(), "net", &handle) & 0xFFFF, 6023u);
}

TEST_F(graph_retrieve, an_unknown_name_is_refused_before_any_call_and_lists_the_names) {
  const auto context = must(Context<Finalized>::restore(
      backend(), own(binary_of(backend(), {Network{.name = "prefill"}, Network{.name = "decode"}}),
                     "model.bin")));
  const Error error = error_of(Graph<Retrieved>::retrieve(context, "prefil"));
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.object, "prefil");
  EXPECT_NE(error.detail.find("model.bin"), std::string::npos);
  EXPECT_NE(error.detail.find("prefill"), std::string::npos);
  EXPECT_NE(error.detail.find("decode"), std::string::npos);
  EXPECT_EQ(calls(Slot::graph_retrieve), 0u);
}

TEST_F(graph_retrieve, an_unknown_name_lists_the_first_of_many_graphs) {
  auto online = must(Context<Composing>::create(backend(), {.name = "online"}));
  for (int i = 0; i < 300; ++i) {
    auto made = must(Graph<Composing>::create(online, "graph_" + std::to_string(i)));
    const auto x = must(
        made.add_tensor({.name = "x", .kind = c_api::TensorType::app_write, .dimensions = {2}}));
    const auto y = must(
        made.add_tensor({.name = "y", .kind = c_api::TensorType::app_read, .dimensions = {2}}));
    must(made.add_node({.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}}));
    must(std::move(made).finalize());
  }
  const auto context = must(std::move(online).finalize());
  EXPECT_EQ(must(Graph<Retrieved>::retrieve(context, "graph_299")).name(), "graph_299");
  const Error error = error_of(Graph<Retrieved>::retrieve(context, "graph"));
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.detail, "online has: graph_0, graph_1, graph_2 and 297 more");
}

TEST_F(graph_retrieve, a_name_that_holds_a_NUL_is_refused_before_any_call) {
  const auto context = restored(Network{});
  const Error error = error_of(Graph<Retrieved>::retrieve(context, std::string("net\0work", 8)));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_NE(error.detail.find("NUL"), std::string::npos);
  EXPECT_EQ(calls(Slot::graph_retrieve), 0u);
}

TEST_F(graph_retrieve, an_error_of_the_call_names_it_and_the_graph) {
  const auto context = restored(Network{});
  control().fail_call(Slot::graph_retrieve, 1, 6002);
  const Error error = error_of(Graph<Retrieved>::retrieve(context, "net"));
  EXPECT_EQ(error.kind, Errc::qnn);
  EXPECT_EQ(error.code, 6002);
  EXPECT_STREQ(error.step, "QnnGraph_retrieve");
  EXPECT_EQ(error.object, "net");
}

TEST_F(graph_retrieve, one_graph_is_retrieved_twice_and_both_work) {
  const Network network;
  const auto context = restored(network);
  const auto in = network.input();
  std::vector<float> out_one(network.io_elements());
  std::vector<float> out_two(network.io_elements());
  auto one = must(
      must(Graph<Retrieved>::retrieve(context, "net")).bind({raw("x", in), raw("y", out_one)}));
  auto two = must(
      must(Graph<Retrieved>::retrieve(context, "net")).bind({raw("x", in), raw("y", out_two)}));
  ASSERT_TRUE(succeeds(one.execute()));
  ASSERT_TRUE(succeeds(two.execute()));
  EXPECT_EQ(out_one, out_two);
}

TEST_F(graph_retrieve, a_graph_keeps_its_context_alive) {
  const Network network;
  const auto in = network.input();
  std::vector<float> out(network.io_elements());
  auto graph = [&] {
    const auto context = finalized(queried(network));
    return must(
        must(Graph<Retrieved>::retrieve(context, "net")).bind({raw("x", in), raw("y", out)}));
  }();
  drop_backend();
  drop_allocator();
  ASSERT_TRUE(succeeds(graph.execute()));
  EXPECT_LT(largest_difference(out, network.reference(in)), tolerance);
  EXPECT_EQ(control().counters().live_contexts, 1u);
  EXPECT_TRUE(succeeds(std::move(graph).close()));
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

/// libQnnHtp.so alone in a folder, without the system library.
class graph_without_system : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    path_ = folder_.file("libQnnHtp.so");
    ASSERT_EQ(::symlink(htp_library, path_.c_str()), 0);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

TEST_F(graph_without_system, a_context_works_but_says_why_its_graphs_are_not_known) {
  const auto lonely = must(Backend<Htp>::load({.library = path()}));
  const auto context = must(Context<Finalized>::restore(lonely, binary(Network{})));
  EXPECT_TRUE(context.graphs().empty());
  const Error error = error_of(Graph<Retrieved>::retrieve(context, "net"));
  EXPECT_EQ(error.kind, Errc::library_not_found);
  EXPECT_NE(error.object.find("libQnnSystem.so"), std::string::npos);
}

TEST_F(graph_without_system, a_system_library_that_is_named_is_used_wherever_it_is) {
  const auto backend =
      must(Backend<Htp>::load({.library = path(), .system_library = system_library}));
  const auto context = must(Context<Finalized>::restore(backend, binary(Network{})));
  EXPECT_LT(difference(context, Network{}), tolerance);
}

TEST_F(graph_without_system, a_composed_graph_is_known_without_the_system_library) {
  const Network network;
  const auto lonely = must(Backend<Htp>::load({.library = path()}));
  auto context = must(Context<Composing>::create(lonely));
  auto graph = compose(context, network);
  EXPECT_EQ(graph.inputs().size(), 1u);
}

class graph_retrieve_death : public LoadedTest {
 protected:
  template <class T>
  static T take(T& object) {
    return T(std::move(object));
  }
};

TEST_F(graph_retrieve_death, ORD_09_a_consumed_graph_ends_the_program) {
  const Network network;
  const auto context = restored(network);
  auto graph = must(Graph<Retrieved>::retrieve(context, "net"));
  auto kept = take(graph);
  EXPECT_CONTRACT(moved_graph, (void)graph.name());
  EXPECT_CONTRACT(moved_graph, (void)graph.inputs());
  EXPECT_CONTRACT(moved_graph, (void)graph.native());
  EXPECT_CONTRACT(moved_graph, (void)std::move(graph).bind({}));
  EXPECT_CONTRACT(moved_graph, (void)std::move(graph).close());
  const auto in = network.input();
  std::vector<float> out(network.io_elements());
  auto bound = must(std::move(kept).bind({raw("x", in), raw("y", out)}));
  auto kept_bound = take(bound);
  EXPECT_CONTRACT(moved_graph, (void)bound.execute());
  EXPECT_CONTRACT(moved_graph, (void)std::move(bound).unbind());
  EXPECT_TRUE(succeeds(kept_bound.execute()));
  // A moved-from graph cannot be executed under a lease either.
  auto lease = must(context.spill_fill().lease());
  EXPECT_CONTRACT(moved_graph, (void)bound.execute(lease));
  EXPECT_TRUE(succeeds(kept_bound.execute(lease)));
  [](Graph<Bound>& consumed) { (void)std::move(consumed).unbind(); }(kept_bound);
  EXPECT_CONTRACT(moved_graph, (void)kept_bound.execute(lease));
}

TEST_F(graph_retrieve_death, ORD_09_a_consumed_composing_graph_ends_the_program) {
  auto context = must(Context<Composing>::create(backend()));
  auto graph = must(Graph<Composing>::create(context, "g"));
  const auto kept = take(graph);
  EXPECT_CONTRACT(moved_graph, (void)graph.name());
  EXPECT_CONTRACT(moved_graph, (void)graph.native());
  EXPECT_CONTRACT(moved_graph, (void)graph.add_tensor(Network{}.spec("x")));
  EXPECT_CONTRACT(moved_graph, (void)graph.add_node({}));
  EXPECT_CONTRACT(moved_graph, (void)std::move(graph).finalize());
  EXPECT_CONTRACT(moved_graph, (void)std::move(graph).close());
  EXPECT_EQ(kept.name(), "g");
}

TEST_F(graph_retrieve_death, ORD_09_a_graph_of_a_consumed_context_ends_the_program) {
  auto context = restored(Network{});
  const auto kept = take(context);
  EXPECT_CONTRACT(moved_context, (void)Graph<Retrieved>::retrieve(context, "net"));
  EXPECT_TRUE(succeeds(Graph<Retrieved>::retrieve(kept, "net")));
}

}}  // namespace support
