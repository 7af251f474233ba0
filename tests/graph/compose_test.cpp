// Graphs composed online, tensor by tensor and node by node, and the errors of these steps.
#include <array>
#include <cmath>
#include <string>

#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class graph_compose : public LoadedTest {
 protected:
  Graph<Composing> graph(const Context<Composing>& context) const {
    return must(Graph<Composing>::create(context, "graph"));
  }
  Context<Composing> context() const {
    return must(Context<Composing>::create(backend(), {.name = "online"}));
  }
  static GraphTensor input(Graph<Composing>& into, std::vector<std::uint32_t> dimensions) {
    return must(into.add_tensor(
        {.name = "x", .kind = c_api::TensorType::app_write, .dimensions = std::move(dimensions)}));
  }
  static GraphTensor output(Graph<Composing>& into, std::vector<std::uint32_t> dimensions) {
    return must(into.add_tensor(
        {.name = "y", .kind = c_api::TensorType::app_read, .dimensions = std::move(dimensions)}));
  }
};

TEST_F(graph_compose, parameters_are_scalars_and_static_tensors) {
  const auto online = context();
  auto made = graph(online);
  const std::array<std::uint32_t, 2> perm{1, 0};
  const auto x = input(made, {2, 3});
  const auto order = must(
      made.add_static({.name = "perm", .data_type = c_api::DataType::uint_32, .dimensions = {2}},
                      std::as_bytes(std::span(perm))));
  const auto turned = must(made.add_tensor({.name = "turned", .dimensions = {3, 2}}));
  ASSERT_TRUE(succeeds(made.add_node({.name = "turn",
                                      .type = "Transpose",
                                      .inputs = {x},
                                      .outputs = {turned},
                                      .params = {{"perm", order}}})));
  const auto y = output(made, {3, 2});
  ASSERT_TRUE(
      succeeds(made.add_node({.name = "softmax",
                              .type = "Softmax",
                              .inputs = {turned},
                              .outputs = {y},
                              .params = {scalar_param("axis", 1), scalar_param("beta", 1.0)}})));
  const std::vector<float> in{0, 1, 2, 0, 3, 5};
  std::vector<float> out(6);
  auto bound = must(must(std::move(made).finalize()).bind({raw("x", in), raw("y", out)}));
  ASSERT_TRUE(succeeds(bound.execute()));
  for (std::size_t row = 0; row < 3; ++row) {
    const float a = std::exp(in[row]);
    const float b = std::exp(in[3 + row]);
    EXPECT_NEAR(out[row * 2], a / (a + b), 1e-6f);
    EXPECT_NEAR(out[row * 2 + 1], b / (a + b), 1e-6f);
  }
}

TEST_F(graph_compose, a_parameter_that_is_a_flag_reaches_the_operation) {
  const auto online = context();
  auto made = graph(online);
  const auto x = input(made, {2, 2});
  const std::array<float, 4> matrix{1, 2, 3, 4};
  const auto w =
      must(made.add_static({.name = "w", .dimensions = {2, 2}}, std::as_bytes(std::span(matrix))));
  const auto y = output(made, {2, 2});
  ASSERT_TRUE(succeeds(made.add_node({.name = "product",
                                      .type = "MatMul",
                                      .inputs = {x, w},
                                      .outputs = {y},
                                      .params = {scalar_param("transpose_in1", true)}})));
  const std::vector<float> in{1, 0, 0, 1};
  std::vector<float> out(4);
  auto bound = must(must(std::move(made).finalize()).bind({raw("x", in), raw("y", out)}));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_EQ(out, (std::vector<float>{1, 3, 2, 4}));
}

TEST_F(graph_compose, a_graph_moves_about_while_it_is_made) {
  const Network network;
  const std::vector<std::vector<float>> matrices{network.matrix(0), network.matrix(1),
                                                 network.matrix(2)};
  const auto online = context();
  std::vector<Graph<Composing>> graphs;
  graphs.push_back(must(Graph<Composing>::create(online, "moving")));
  add_all(graphs.front(), network, matrices);
  graphs.reserve(50);
  auto moved = std::move(graphs.front());
  const auto in = network.input();
  std::vector<float> out(network.io_elements());
  auto bound = must(must(std::move(moved).finalize()).bind({raw("x", in), raw("y", out)}));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(out, network.reference(in)), tolerance);
}

TEST_F(graph_compose, ORD_11_nothing_is_added_behind_the_back_of_a_final_graph) {
  // A finalized graph has no add_node, so the test uses the raw handle, which QNN refuses.
  auto online = context();
  const auto final_graph = compose(online, Network{});
  c_api::OpConfig op{};
  op.version = c_api::OpConfigVersion::v1;
  const auto add = *backend().provider().find<&c_api::InterfaceTable::graph_add_node>();
  EXPECT_EQ(add(final_graph.native(), op) & 0xFFFF, 6024u);
}

TEST_F(graph_compose, ORD_11_nodes_are_added_until_finalize) {
  auto online = context();
  EXPECT_EQ(compose(online, Network{}).name(), "net");
  EXPECT_EQ(calls(Slot::graph_add_node), 5u);
}

TEST_F(graph_compose, a_node_that_the_backend_does_not_know_names_itself) {
  const auto online = context();
  auto made = graph(online);
  const auto x = input(made, {2, 2});
  const auto y = output(made, {2, 2});
  const Error error = error_of(
      made.add_node({.name = "strange", .type = "Levitate", .inputs = {x}, .outputs = {y}}));
  EXPECT_EQ(error.kind, Errc::qnn);
  EXPECT_STREQ(error.step, "QnnBackend_validateOpConfig");
  EXPECT_EQ(error.object, "strange");
  EXPECT_EQ(error.code, 4005);
}

TEST_F(graph_compose, a_missing_parameter_or_a_wrong_shape_is_an_error_of_the_node) {
  const auto online = context();
  auto made = graph(online);
  const auto x = input(made, {2, 3});
  const auto y = output(made, {2, 3});
  const Error missing =
      error_of(made.add_node({.name = "turn", .type = "Transpose", .inputs = {x}, .outputs = {y}}));
  EXPECT_EQ(missing.object, "turn");
  EXPECT_EQ(missing.code, 3110);
  const auto wrong = must(made.add_tensor({.name = "wrong", .dimensions = {3, 3}}));
  const Error shape =
      error_of(made.add_node({.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {wrong}}));
  EXPECT_EQ(shape.object, "relu");
  EXPECT_EQ(shape.code, 3110);
  EXPECT_TRUE(
      succeeds(made.add_node({.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}})))
      << "a refused node is not in the graph";
}

TEST_F(graph_compose, a_tensor_of_another_graph_is_refused_before_any_call) {
  const auto online = context();
  auto one = must(Graph<Composing>::create(online, "one"));
  auto two = must(Graph<Composing>::create(online, "two"));
  const auto x = input(one, {2});
  const auto y = output(one, {2});
  (void)input(two, {2});
  const std::uint64_t before = calls(Slot::graph_add_node);
  const Error error =
      error_of(two.add_node({.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}}));
  EXPECT_EQ(error.kind, Errc::foreign_object);
  EXPECT_EQ(error.object, "relu");
  EXPECT_EQ(error.detail,
            "it uses a tensor of graph one of online, the node belongs to graph two of online");
  EXPECT_EQ(
      error_of(two.add_node({.name = "turn", .type = "Transpose", .params = {{"perm", x}}})).kind,
      Errc::foreign_object);
  EXPECT_EQ(
      error_of(two.add_node({.name = "relu", .type = "Relu", .inputs = {GraphTensor()}})).kind,
      Errc::invalid_argument);
  EXPECT_EQ(calls(Slot::graph_add_node), before);
}

TEST_F(graph_compose, a_tensor_of_another_graph_of_the_context_gets_a_hint_that_fits) {
  const auto online = context();
  auto one = must(Graph<Composing>::create(online, "one"));
  auto two = must(Graph<Composing>::create(online, "two"));
  const auto x = input(one, {2});
  const std::string message =
      error_of(two.add_node({.name = "relu", .type = "Relu", .inputs = {x}})).message();
  EXPECT_NE(message.find("tensors of one graph"), std::string::npos) << message;
}

TEST_F(graph_compose, a_name_that_holds_a_NUL_is_refused_before_any_call) {
  const std::string cut("a\0b", 3);
  const auto online = context();
  const auto expect_refused = [&](const auto& result, Slot slot) {
    const std::uint64_t before = calls(slot);
    const Error error = error_of(result());
    EXPECT_EQ(error.kind, Errc::invalid_argument);
    EXPECT_EQ(error.object, cut);
    EXPECT_EQ(error.detail,
              "the name holds a NUL after 1 bytes, where QNN would end it; remove it");
    EXPECT_EQ(calls(slot), before);
  };
  expect_refused([&] { return Graph<Composing>::create(online, cut); }, Slot::graph_create);
  auto made = graph(online);
  const auto x = input(made, {2});
  const auto y = output(made, {2});
  const std::array<float, 2> values{1, 2};
  expect_refused([&] { return made.add_tensor({.name = cut, .dimensions = {2}}); },
                 Slot::tensor_create_graph_tensor);
  expect_refused(
      [&] {
        return made.add_static({.name = cut, .dimensions = {2}}, std::as_bytes(std::span(values)));
      },
      Slot::tensor_create_graph_tensor);
  for (const NodeSpec& node :
       {NodeSpec{.name = cut, .type = "Relu"}, NodeSpec{.name = "relu", .type = cut},
        NodeSpec{.name = "relu", .type = "Relu", .package = cut},
        NodeSpec{.name = "relu", .type = "Relu", .params = {scalar_param(cut, 1)}}})
    expect_refused([&] { return made.add_node(node); }, Slot::graph_add_node);
  EXPECT_TRUE(
      succeeds(made.add_node({.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}})));
  must(std::move(made).finalize());
}

TEST_F(graph_compose, tensors_follow_a_graph_that_is_moved) {
  const auto online = context();
  auto first = graph(online);
  const auto x = input(first, {2});
  auto moved = std::move(first);
  const auto y = output(moved, {2});
  EXPECT_TRUE(
      succeeds(moved.add_node({.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}})));
  must(std::move(moved).finalize());
}

TEST(scalar_param, has_the_type_of_its_value) {
  const auto scalar = [](const auto& value) {
    return std::get<c_api::Scalar>(scalar_param("name", value).second);
  };
  using enum c_api::DataType;
  EXPECT_EQ(scalar(1).data_type, uint_32);
  EXPECT_EQ(scalar(1).uint32_value, 1u);
  EXPECT_EQ(scalar(std::uint8_t{3}).data_type, uint_32);
  EXPECT_EQ(scalar(-1).data_type, int_32);
  EXPECT_EQ(scalar(-1).int32_value, -1);
  EXPECT_EQ(scalar(4000000000u).uint32_value, 4000000000u);
  EXPECT_EQ(scalar(0.5).data_type, float_32);
  EXPECT_FLOAT_EQ(scalar(0.5).float_value, 0.5f);
  EXPECT_EQ(scalar(true).data_type, bool_8);
  EXPECT_EQ(scalar(true).bool8_value, 1);
}

TEST_F(graph_compose, a_name_taken_twice_is_an_error_that_names_the_tensor) {
  const auto online = context();
  auto made = graph(online);
  (void)input(made, {2});
  const Error error = error_of(made.add_tensor({.name = "x", .dimensions = {2}}));
  EXPECT_EQ(error.code, drawn_code(sim::Unconfirmed::composing, 7003));
  EXPECT_STREQ(error.step, "QnnTensor_createGraphTensor");
  EXPECT_EQ(error.object, "x");
  (void)output(made, {2});
}

TEST_F(graph_compose, a_graph_name_taken_twice_is_an_error_that_names_the_graph) {
  const auto online = context();
  const auto first = graph(online);
  const Error error = error_of(Graph<Composing>::create(online, "graph"));
  EXPECT_STREQ(error.step, "QnnGraph_create");
  EXPECT_EQ(error.object, "graph");
}

TEST_F(graph_compose, a_constant_of_another_size_is_refused_before_any_call) {
  const auto online = context();
  auto made = graph(online);
  const std::array<float, 3> three{};
  const Error error = error_of(
      made.add_static({.name = "w", .dimensions = {2, 2}}, std::as_bytes(std::span(three))));
  EXPECT_EQ(error.kind, Errc::size_mismatch);
  EXPECT_EQ(error.object, "w");
  EXPECT_EQ(error.needed, 16u);
  EXPECT_EQ(error.found, 12u);
  EXPECT_EQ(calls(Slot::tensor_create_graph_tensor), 0u);
}

TEST_F(graph_compose,
       SHB_06_a_tensor_without_a_size_or_with_too_large_a_one_is_refused_before_any_call) {
  const auto online = context();
  auto made = graph(online);
  EXPECT_EQ(error_of(made.add_tensor({.name = "t", .dimensions = {}})).kind,
            Errc::unsupported_tensor);
  EXPECT_EQ(error_of(made.add_tensor({.name = "t", .dimensions = {3, 0}})).kind,
            Errc::unsupported_tensor);
  EXPECT_EQ(
      error_of(made.add_tensor({.name = "t", .dimensions = {UINT32_MAX, UINT32_MAX, UINT32_MAX}}))
          .kind,
      Errc::too_large);
  EXPECT_EQ(calls(Slot::tensor_create_graph_tensor), 0u);
}

TEST_F(graph_compose,
       CMP_02_a_tensor_of_2_GiB_is_refused_before_any_call_and_a_smaller_one_is_not) {
  const auto online = context();
  auto made = graph(online);
  control().reset_counters();
  for (const auto kind :
       {c_api::TensorType::app_write, c_api::TensorType::app_read, c_api::TensorType::native}) {
    const Error error =
        error_of(made.add_tensor({.name = "large", .kind = kind, .dimensions = {1u << 29}}));
    EXPECT_EQ(error.kind, Errc::too_large);
    EXPECT_EQ(error.object, "large");
    EXPECT_EQ(error.needed, std::uint64_t{1} << 31);
    EXPECT_EQ(error.found, (std::uint64_t{1} << 31) - 1);
  }
  EXPECT_EQ(control().counters().calls, 0u);
  EXPECT_TRUE(succeeds(made.add_tensor({.name = "smaller", .dimensions = {(1u << 29) - 1}})));
}

TEST_F(graph_compose, CMP_02_a_name_of_more_than_4096_bytes_is_refused_before_any_call) {
  const auto online = context();
  auto made = graph(online);
  const std::string longest(4096, 'n');
  const std::string longer(4097, 'n');
  const auto is_refused = [](const Error& error) {
    EXPECT_EQ(error.kind, Errc::invalid_argument);
    EXPECT_EQ(error.object, std::string(32, 'n') + "...");
    EXPECT_NE(error.message().find("4097 bytes; at most 4096"), std::string::npos)
        << error.message();
  };
  const auto x = input(made, {2});
  const auto y = output(made, {2});
  control().reset_counters();
  is_refused(error_of(Graph<Composing>::create(online, longer)));
  is_refused(error_of(made.add_tensor({.name = longer, .dimensions = {2}})));
  is_refused(
      error_of(made.add_node({.name = longer, .type = "Relu", .inputs = {x}, .outputs = {y}})));
  EXPECT_EQ(control().counters().calls, 0u);
  EXPECT_TRUE(succeeds(made.add_tensor({.name = longest, .dimensions = {2}})));
  EXPECT_TRUE(
      succeeds(made.add_node({.name = longest, .type = "Relu", .inputs = {x}, .outputs = {y}})));
}

TEST_F(graph_compose, CMP_02_the_longest_names_are_read_back_from_the_binary) {
  const std::string longest(4096, 'n');
  auto online = context();
  {
    auto made = must(Graph<Composing>::create(online, longest));
    const auto x = input(made, {2});
    const auto y = must(
        made.add_tensor({.name = longest, .kind = c_api::TensorType::app_read, .dimensions = {2}}));
    must(made.add_node({.name = longest, .type = "Relu", .inputs = {x}, .outputs = {y}}));
    (void)must(std::move(made).finalize());
  }
  auto bytes = must(must(std::move(online).finalize()).serialize());
  const auto restored = must(Context<Finalized>::restore(backend(), own(std::move(bytes))));
  ASSERT_EQ(restored.graphs().size(), 1u);
  EXPECT_EQ(restored.graphs()[0].name, longest);
  EXPECT_EQ(restored.graphs()[0].outputs[0].name, longest);
}

TEST_F(graph_compose, CMP_02_a_constant_of_4_GiB_is_too_large) {
  const auto online = context();
  auto made = graph(online);
  std::byte somewhere{};
  const std::span<const std::byte> huge(&somewhere, std::size_t{1} << 32);
  const Error error =
      error_of(made.add_static({.name = "w", .dimensions = {1u << 15, 1u << 15}}, huge));
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.needed, huge.size());
  EXPECT_EQ(error.found, (std::uint64_t{1} << 31) - 1);
  EXPECT_EQ(calls(Slot::tensor_create_graph_tensor), 0u);
}

TEST_F(graph_compose, errors_of_every_call_name_it) {
  const auto online = context();
  control().fail_call(Slot::graph_create, 1, 6020);
  EXPECT_STREQ(error_of(Graph<Composing>::create(online, "g")).step, "QnnGraph_create");
  auto made = graph(online);
  control().fail_call(Slot::tensor_create_graph_tensor, 1, 7004);
  EXPECT_STREQ(error_of(made.add_tensor({.name = "t", .dimensions = {1}})).step,
               "QnnTensor_createGraphTensor");
  const auto x = input(made, {2});
  const auto y = output(made, {2});
  control().fail_call(Slot::graph_add_node, 1, 6004);
  const Error node_error =
      error_of(made.add_node({.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}}));
  EXPECT_EQ(node_error.code, 6004);
  EXPECT_EQ(node_error.object, "relu");
  ASSERT_TRUE(
      succeeds(made.add_node({.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}})));
  control().fail_call(Slot::graph_finalize, 1, 6022);
  const Error error = error_of(std::move(made).finalize());
  EXPECT_STREQ(error.step, "QnnGraph_finalize");
  EXPECT_EQ(error.object, "graph");
}

TEST_F(graph_compose, a_graph_keeps_its_context_while_it_is_made) {
  auto made = [&] {
    const auto online = context();
    return graph(online);
  }();
  EXPECT_EQ(control().counters().live_contexts, 1u);
  const auto x = input(made, {2});
  const auto y = output(made, {2});
  ASSERT_TRUE(
      succeeds(made.add_node({.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}})));
  EXPECT_TRUE(succeeds(std::move(made).finalize()));
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

}}  // namespace support
