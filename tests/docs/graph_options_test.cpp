// The code of docs/graph-options.md.
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/throw.hpp"

#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;

class the_document_on_graph_options : public LoadedTest {};

TEST_F(the_document_on_graph_options, shows_options_of_a_composed_graph_and_a_later_priority) {
  const Network network{.name = "digits"};
  const std::vector<std::vector<float>> matrices{network.matrix(0), network.matrix(1),
                                                 network.matrix(2)};
  auto composing = must(Context<Composing>::create(backend()));
  // A graph for 4 MB of VTCM, prepared with the most effort.
  auto graph = value_or_throw(Graph<Composing>::create(
      composing, "digits",
      {.vtcm_mb = 4, .optimization_level = 3, .priority = c_api::Priority::low}));
  add_all(graph, network, matrices);
  auto final_graph = must(std::move(graph).finalize());
  const auto context = must(std::move(composing).finalize());
  auto bound = must(std::move(final_graph).bind(allocator()));
  must(bound.input<float>("x"));
  // Another priority, from here on.
  value_or_throw(bound.set_priority(c_api::Priority::normal_high));
  value_or_throw(bound.execute());
  EXPECT_EQ(calls(sim::Slot::graph_set_config), 1u);
  EXPECT_EQ(calls(sim::Slot::graph_execute), 1u);
}

TEST_F(the_document_on_graph_options, shows_a_graph_without_validation) {
  const Network network{.name = "unchecked"};
  const std::vector<std::vector<float>> matrices{network.matrix(0), network.matrix(1),
                                                 network.matrix(2)};
  const auto composing = must(Context<Composing>::create(backend()));
  // A graph whose nodes QNN does not validate.
  auto graph =
      value_or_throw(Graph<Composing>::create(composing, "unchecked", {.validate_nodes = false}));
  add_all(graph, network, matrices);
  EXPECT_EQ(calls(sim::Slot::backend_validate_op_config), 0u);
  EXPECT_EQ(calls(sim::Slot::graph_add_node), 5u);
}

TEST_F(the_document_on_graph_options, shows_the_vector_threads_of_a_restored_graph) {
  const Network network{.name = "digits"};
  const auto binary = binary_of(backend(), {network});
  const auto context = must(
      Context<Finalized>::restore(backend(), must(ContextBinary::borrow(binary, "digits.bin"))));
  // Other vector threads, before the first execution.
  auto graph = value_or_throw(Graph<Retrieved>::retrieve(context, "digits"));
  value_or_throw(graph.set_hvx_threads(2));
  EXPECT_EQ(calls(sim::Slot::graph_set_config), 1u);
}

}}  // namespace support
