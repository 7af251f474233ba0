// The planner against plans that were computed by hand, and the checker against plans that are
// broken on purpose.

#include <gtest/gtest.h>

#include "builder.hpp"

namespace qnnpp::sim::testing { namespace {

/// in -> a -> b -> c, d = b + c, d -> out; every tensor needs 1024 bytes.
Builder diamond(c_api::TensorMemType io = c_api::TensorMemType::raw) {
  Builder builder;
  builder.native("a", {256}).native("b", {256}).native("c", {256}).native("d", {256});
  builder.tensor("in", c_api::TensorType::app_write, {256}, io);
  builder.tensor("out", c_api::TensorType::app_read, {256}, io);
  builder.node("Relu", {"in"}, "a").node("Relu", {"a"}, "b").node("Relu", {"b"}, "c");
  builder.node("ElementWiseAdd", {"b", "c"}, "d").node("Relu", {"d"}, "out");
  return builder;
}

GraphPlan planned(Builder& builder, std::uint64_t vtcm_bytes) {
  GraphPlan plan;
  const Status status = plan_graph(builder.graph(), vtcm_bytes, plan);
  EXPECT_TRUE(status.ok()) << status.reason;
  return plan;
}

const Placement& place(Builder& builder, const GraphPlan& plan, std::string_view name) {
  return plan.placements[builder.index(name)];
}

void expect_place(const Placement& found, Space space, std::uint64_t offset) {
  EXPECT_EQ(found.space, space);
  EXPECT_EQ(found.offset, offset);
}

TEST(plan, nothing_is_spilled_where_all_fits_the_vtcm) {
  Builder builder = diamond();
  const GraphPlan plan = planned(builder, 3072);
  EXPECT_EQ(plan.spill_fill_bytes, 0u);
  EXPECT_EQ(plan.vtcm_bytes, 3072u);
  expect_place(place(builder, plan, "a"), Space::vtcm, 0);
  expect_place(place(builder, plan, "b"), Space::vtcm, 1024);
  expect_place(place(builder, plan, "c"), Space::vtcm, 0);
  expect_place(place(builder, plan, "d"), Space::vtcm, 2048);
}

TEST(plan, a_tensor_is_spilled_that_finds_no_free_place_when_it_is_produced) {
  Builder builder = diamond();
  const GraphPlan plan = planned(builder, 2048);
  expect_place(place(builder, plan, "a"), Space::vtcm, 0);
  expect_place(place(builder, plan, "b"), Space::vtcm, 1024);
  expect_place(place(builder, plan, "c"), Space::vtcm, 0);
  expect_place(place(builder, plan, "d"), Space::spill_fill, 0);
  EXPECT_EQ(plan.spill_fill_bytes, 1024u);
  EXPECT_EQ(plan.vtcm_bytes, 2048u);
}

TEST(plan, spill_fill_is_the_high_water_mark_of_live_bytes) {
  Builder builder = diamond();
  const GraphPlan half = planned(builder, 1024);
  expect_place(place(builder, half, "a"), Space::vtcm, 0);
  expect_place(place(builder, half, "b"), Space::spill_fill, 0);
  expect_place(place(builder, half, "c"), Space::vtcm, 0);
  expect_place(place(builder, half, "d"), Space::spill_fill, 1024);
  EXPECT_EQ(half.spill_fill_bytes, 2048u);
  const GraphPlan none = planned(builder, 0);
  expect_place(place(builder, none, "a"), Space::spill_fill, 0);
  expect_place(place(builder, none, "b"), Space::spill_fill, 1024);
  expect_place(place(builder, none, "c"), Space::spill_fill, 0);
  expect_place(place(builder, none, "d"), Space::spill_fill, 2048);
  EXPECT_EQ(none.spill_fill_bytes, 3072u);
  EXPECT_EQ(none.vtcm_bytes, 0u);
}

TEST(plan, places_are_aligned_and_take_rounded_sizes) {
  Builder builder;
  builder.input("a", {1}).native("b", {65}).weights("w", {65, 1}, Floats(65));
  builder.tensor("c", c_api::TensorType::app_read, {1, 65});
  builder.native("fc", {1, 65}).node("FullyConnected", {"a", "w"}, "fc");
  builder.node("Reshape", {"fc"}, "b").node("Relu", {"fc"}, "c");
  const GraphPlan plan = planned(builder, 0);
  expect_place(place(builder, plan, "a"), Space::io, 0);
  expect_place(place(builder, plan, "c"), Space::io, 256);
  EXPECT_EQ(plan.io_copies_bytes, 256u + 512u);
  EXPECT_EQ(plan.raw_io_bytes, 4u + 260u);
  expect_place(place(builder, plan, "fc"), Space::spill_fill, 0);
  EXPECT_EQ(place(builder, plan, "fc").size_bytes, 260u);
  EXPECT_EQ(plan.spill_fill_bytes, 512u);
}

TEST(plan, inputs_and_outputs_of_registered_memory_take_no_place_on_the_device) {
  Builder builder;
  builder.tensor("a", c_api::TensorType::app_write, {256}, c_api::TensorMemType::memhandle);
  builder.native("b", {256});
  builder.tensor("c", c_api::TensorType::app_read, {256}, c_api::TensorMemType::memhandle);
  builder.node("Relu", {"a"}, "b").node("Relu", {"b"}, "c");
  const GraphPlan plan = planned(builder, 0);
  EXPECT_EQ(place(builder, plan, "a").space, Space::client);
  EXPECT_EQ(place(builder, plan, "c").space, Space::client);
  EXPECT_EQ(plan.spill_fill_bytes, 1024u);
  EXPECT_EQ(plan.io_bytes, 2048u);
  EXPECT_EQ(plan.raw_io_bytes, 0u);
  EXPECT_EQ(plan.io_copies_bytes, 0u);
}

TEST(plan, QMEM_01_each_raw_input_and_output_has_a_copy_of_its_own) {
  Builder builder = diamond();
  const GraphPlan plan = planned(builder, 1u << 20);
  expect_place(place(builder, plan, "in"), Space::io, 0);
  expect_place(place(builder, plan, "out"), Space::io, 1024);
  EXPECT_EQ(plan.io_copies_bytes, 2048u);
  EXPECT_EQ(plan.raw_io_bytes, 2048u);
}

TEST(plan, vtcm_and_spill_fill_do_not_depend_on_which_inputs_and_outputs_are_raw) {
  for (const std::uint64_t vtcm_bytes : {0u, 1024u, 2048u, 1u << 20}) {
    Builder raw = diamond(c_api::TensorMemType::raw);
    Builder registered = diamond(c_api::TensorMemType::memhandle);
    const GraphPlan one = planned(raw, vtcm_bytes), other = planned(registered, vtcm_bytes);
    EXPECT_EQ(one.spill_fill_bytes, other.spill_fill_bytes);
    EXPECT_EQ(one.vtcm_bytes, other.vtcm_bytes);
    for (const char* name : {"a", "b", "c", "d"})
      expect_place(place(raw, one, name), place(registered, other, name).space,
                   place(registered, other, name).offset);
  }
}

TEST(plan, a_reshape_shares_its_input_s_place_as_long_as_either_is_live) {
  Builder builder;
  builder.input("in", {256}).native("a", {256}).native("b", {16, 16}).native("c", {256});
  builder.native("f", {256}).output("d", {16, 16}).output("e", {256});
  builder.node("Relu", {"in"}, "a").node("Reshape", {"a"}, "b").node("Relu", {"a"}, "c");
  builder.node("Relu", {"c"}, "f").node("Relu", {"b"}, "d").node("Relu", {"f"}, "e");
  const GraphPlan plan = planned(builder, 0);
  EXPECT_EQ(place(builder, plan, "b").alias_of, builder.index("a"));
  expect_place(place(builder, plan, "b"), Space::spill_fill, 0);
  expect_place(place(builder, plan, "c"), Space::spill_fill, 1024);
  expect_place(place(builder, plan, "f"), Space::spill_fill, 2048);
  EXPECT_EQ(plan.spill_fill_bytes, 3072u);
}

TEST(plan, a_reshape_from_an_input_or_to_an_output_does_not_share) {
  for (const auto memory : {c_api::TensorMemType::raw, c_api::TensorMemType::memhandle}) {
    Builder builder;
    builder.tensor("a", c_api::TensorType::app_write, {256}, memory).native("b", {16, 16});
    builder.tensor("c", c_api::TensorType::app_read, {256}, memory);
    builder.node("Reshape", {"a"}, "b").node("Reshape", {"b"}, "c");
    const GraphPlan plan = planned(builder, 4096);
    EXPECT_EQ(place(builder, plan, "b").alias_of, no_index);
    EXPECT_EQ(place(builder, plan, "c").alias_of, no_index);
    EXPECT_EQ(place(builder, plan, "b").space, Space::vtcm);
  }
}

TEST(plan, the_graph_s_hint_lowers_the_vtcm_but_never_raises_it) {
  Builder builder = diamond();
  builder.graph().hints.vtcm_bytes = 1024;
  EXPECT_EQ(planned(builder, 1u << 20).vtcm_limit_bytes, 1024u);
  EXPECT_EQ(planned(builder, 1u << 20).spill_fill_bytes, 2048u);
  builder.graph().hints.vtcm_bytes = 1u << 20;
  EXPECT_EQ(planned(builder, 2048).vtcm_limit_bytes, 2048u);
}

TEST(plan, an_input_that_no_node_reads_has_a_copy_too) {
  Builder builder = diamond();
  builder.input("unused", {256});
  const GraphPlan plan = planned(builder, 0);
  expect_place(place(builder, plan, "unused"), Space::io, 2048);
  EXPECT_TRUE(verify(builder.graph(), plan, 0).ok());
}

TEST(plan, a_tensor_that_nobody_uses_has_no_place) {
  Builder builder = diamond();
  builder.native("unused", {256}).weights("unused_weights", {4}, Floats(4));
  NetworkPlan plan;
  ASSERT_TRUE(plan_network(builder.network, 0, plan).ok());
  EXPECT_EQ(place(builder, plan.graphs[0], "unused").space, Space::none);
  EXPECT_EQ(place(builder, plan.graphs[0], "unused_weights").space, Space::none);
  EXPECT_EQ(plan.weights_bytes, 0u);
}

TEST(plan, the_same_graph_gives_the_same_plan) {
  Builder one = diamond(), two = diamond();
  NetworkPlan first, second;
  ASSERT_TRUE(plan_network(one.network, 1024, first).ok());
  ASSERT_TRUE(plan_network(two.network, 1024, second).ok());
  EXPECT_EQ(serialize(one.network, first, {}), serialize(two.network, second, {}));
}

TEST(plan, nodes_run_after_the_producers_of_their_inputs_whatever_their_order) {
  Builder builder = diamond();
  std::swap(builder.graph().nodes[1], builder.graph().nodes[3]);
  EXPECT_EQ(planned(builder, 0).order, (std::vector<std::uint32_t>{0, 3, 2, 1, 4}));
}

TEST(plan, cycles_missing_producers_and_empty_graphs_are_refused) {
  const auto code = [](auto change) {
    Builder builder = diamond();
    change(builder.graph());
    GraphPlan plan;
    const Status status = plan_graph(builder.graph(), 0, plan);
    EXPECT_FALSE(status.reason.empty());
    return status.code;
  };
  EXPECT_EQ(code([](Graph& graph) { graph.nodes[0].inputs[0] = 2; }), 6022u) << "cycle";
  EXPECT_EQ(code([](Graph& graph) { graph.nodes[2].inputs[0] = 2; }), 6022u) << "reads itself";
  EXPECT_EQ(code([](Graph& graph) { graph.nodes.erase(graph.nodes.begin()); }), 6022u);
  EXPECT_EQ(code([](Graph& graph) { graph.nodes.pop_back(); }), 6022u) << "output not produced";
  EXPECT_EQ(code([](Graph& graph) { graph.nodes[3].outputs[0] = 2; }), 6022u) << "two producers";
  EXPECT_EQ(code([](Graph& graph) { graph.nodes.clear(); }), 6022u);
}

TEST(weights, equal_contents_are_stored_once_in_the_whole_context_if_its_graphs_share_them) {
  Builder builder("one");
  builder.network.shares_weights = true;
  const Floats data = values(100, 1);
  for (const char* name : {"one", "two"}) {
    if (builder.graph().name != name) builder.begin_graph(name);
    builder.input("in", {100}).native("mid", {100}).output("out", {100});
    builder.weights("same", {100}, data)
        .weights(name, {100}, values(100, name == std::string("one") ? 2 : 3));
    builder.node("ElementWiseAdd", {"in", "same"}, "mid");
    builder.node("ElementWiseMultiply", {"mid", name}, "out");
  }
  NetworkPlan plan;
  ASSERT_TRUE(plan_network(builder.network, 1u << 20, plan).ok());
  EXPECT_EQ(plan.weights_bytes, 3u * 512u);
  EXPECT_EQ(plan.shared_weights_bytes, plan.weights_bytes);
  const std::uint32_t same = find_tensor(builder.network.graphs[0], "same");
  EXPECT_EQ(plan.graphs[0].placements[same].offset, plan.graphs[1].placements[same].offset);
  std::vector<std::byte> area(plan.weights_bytes, std::byte{0xFF});
  write_weights(builder.network, plan, area);
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t t = 0; t < builder.network.graphs[g].tensors.size(); ++t) {
      const Tensor& tensor = builder.network.graphs[g].tensors[t];
      if (tensor.type != c_api::TensorType::static_) continue;
      EXPECT_EQ(0, std::memcmp(area.data() + plan.graphs[g].placements[t].offset,
                               tensor.data.data(), tensor.data.size()));
    }
  EXPECT_EQ(area[400], std::byte{0}) << "padding";

  builder.network.shares_weights = false;
  ASSERT_TRUE(plan_network(builder.network, 1u << 20, plan).ok());
  EXPECT_EQ(plan.weights_bytes, 4u * 512u) << "each graph has its own";
  EXPECT_EQ(plan.shared_weights_bytes, 0u);
  EXPECT_NE(plan.graphs[0].placements[same].offset, plan.graphs[1].placements[same].offset);
}

TEST(weights, tensors_of_parameters_are_no_weights) {
  Builder builder;
  builder.input("in", {2, 3}).output("out", {3, 2});
  builder.node("Transpose", {"in"}, "out", {builder.uints("perm", {2}, {1, 0})});
  NetworkPlan plan;
  ASSERT_TRUE(plan_network(builder.network, 0, plan).ok());
  EXPECT_EQ(plan.weights_bytes, 0u);
  EXPECT_GT(plan.graphs[0].op_data_bytes, 0u);
}

TEST(plan, BUF_10_a_context_needs_the_largest_spill_fill_of_its_graphs) {
  Builder builder("small");
  builder.input("a", {64}).native("m", {64}).output("b", {64});
  builder.node("Relu", {"a"}, "m").node("Relu", {"m"}, "b");
  builder.begin_graph("large");
  builder.input("a", {640}).native("m", {640}).output("b", {640});
  builder.node("Relu", {"a"}, "m").node("Relu", {"m"}, "b");
  NetworkPlan plan;
  ASSERT_TRUE(plan_network(builder.network, 0, plan).ok());
  EXPECT_EQ(plan.graphs[0].spill_fill_bytes, 256u);
  EXPECT_EQ(plan.graphs[1].spill_fill_bytes, 2560u);
  EXPECT_EQ(spill_fill_bytes(plan), 2560u);
  EXPECT_EQ(op_data_bytes(plan), 2 * plan.graphs[0].op_data_bytes);
}

template <typename Change>
std::uint32_t verdict(std::uint64_t vtcm_bytes, Change change) {
  Builder builder = diamond();
  GraphPlan plan = planned(builder, vtcm_bytes);
  EXPECT_TRUE(verify(builder.graph(), plan, 0).ok());
  change(plan);
  return verify(builder.graph(), plan, 0).code;
}

TEST(verify, finds_each_way_to_break_a_plan) {
  const auto broken = [](auto change) { return verdict(1024, change); };
  EXPECT_EQ(broken([](GraphPlan&) {}), 0u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.order.pop_back(); }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.order[0] = 1; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.order[0] = 77; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { std::swap(p.order[0], p.order[1]); }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements.pop_back(); }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[1].offset = 128; }), 6022u) << "alignment";
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[3].offset = 768; }), 6022u) << "overlap below";
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[3].offset = 0; }), 6022u) << "same place";
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[1].offset = 256; }), 6022u) << "overlap above";
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[3].offset = 1280; }), 6022u) << "bounds";
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[3].offset = ~0ull - 255; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[1].size_bytes = 512; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[1].space = Space::none; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[1].space = Space::client; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[1].space = Space::weights; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[1].space = Space(9); }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[1].space = Space::io; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[2].alias_of = 1; }), 6022u) << "no reshape";
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[2].alias_of = 99; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.spill_fill_bytes += 256; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.vtcm_bytes += 256; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.vtcm_limit_bytes = 768; }), 6022u);
}

TEST(verify, finds_each_way_to_break_the_places_of_inputs_and_outputs) {
  constexpr std::size_t in = 4, out = 5;
  const auto broken = [](auto change) { return verdict(1u << 20, change); };
  EXPECT_EQ(broken([](GraphPlan& p) { std::swap(p.placements[in], p.placements[out]); }), 0u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[in].space = Space::vtcm; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[in].space = Space::spill_fill; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[in].space = Space::client; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[in].space = Space::none; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[out].offset = 0; }), 6022u)
      << "copies are always in use, even if the tensors are not live";
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[out].offset = 128; }), 6022u) << "alignment";
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[out].offset = 1280; }), 6022u) << "bounds";
  EXPECT_EQ(broken([](GraphPlan& p) { p.placements[out].alias_of = in; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.io_copies_bytes += 256; }), 6022u);
  EXPECT_EQ(broken([](GraphPlan& p) { p.io_copies_bytes -= 256; }), 6022u);
  Builder registered = diamond(c_api::TensorMemType::memhandle);
  GraphPlan plan = planned(registered, 0);
  EXPECT_TRUE(verify(registered.graph(), plan, 0).ok());
  plan.placements[in].space = Space::io;
  plan.io_copies_bytes = 1024;
  EXPECT_EQ(verify(registered.graph(), plan, 0).code, 6022u)
      << "the tensor is in the client's memory";
}

TEST(verify, accepts_another_plan_that_is_right_too) {
  EXPECT_EQ(verdict(0,
                    [](GraphPlan& p) {
                      p.placements[0].offset = 2048;
                      p.placements[2].offset = 2048;
                      p.placements[3].offset = 0;
                    }),
            0u);
}

TEST(verify, finds_a_place_that_is_taken_again_while_a_reshape_still_shares_it) {
  Builder builder;
  builder.input("in", {256}).native("a", {256}).native("x", {256}).native("b", {16, 16});
  builder.native("c", {256}).output("d", {16, 16}).output("e", {256});
  builder.node("Relu", {"in"}, "a").node("Relu", {"in"}, "x").node("Reshape", {"a"}, "b");
  builder.node("Relu", {"x"}, "c").node("Relu", {"b"}, "d").node("Relu", {"c"}, "e");
  const GraphPlan right = planned(builder, 0);
  ASSERT_TRUE(verify(builder.graph(), right, 0).ok());
  GraphPlan plan = right;
  plan.placements[builder.index("c")].offset = plan.placements[builder.index("a")].offset;
  plan.spill_fill_bytes = 2048;
  EXPECT_EQ(verify(builder.graph(), plan, 0).code, 6022u);
  plan = right;
  plan.placements[builder.index("b")].offset = 1024;
  EXPECT_EQ(verify(builder.graph(), plan, 0).code, 6022u) << "its offset differs from the input's";
  plan = right;
  plan.placements[builder.index("b")].alias_of = builder.index("x");
  EXPECT_EQ(verify(builder.graph(), plan, 0).code, 6022u)
      << "it shares the memory of a tensor that is not its input";
}

TEST(verify, finds_a_place_behind_the_end_whatever_the_others_are) {
  for (const std::uint64_t offset : {std::uint64_t{3072}, std::uint64_t{4096}, ~std::uint64_t{255}})
    EXPECT_EQ(verdict(0, [offset](GraphPlan& p) { p.placements[1].offset = offset; }), 6022u);
}

TEST(verify, finds_weights_outside_their_area) {
  Builder builder;
  builder.input("in", {64}).weights("w", {64}, Floats(64)).output("out", {64});
  builder.node("ElementWiseAdd", {"in", "w"}, "out");
  NetworkPlan plan;
  ASSERT_TRUE(plan_network(builder.network, 0, plan).ok());
  EXPECT_TRUE(verify(builder.graph(), plan.graphs[0], 256).ok());
  EXPECT_EQ(verify(builder.graph(), plan.graphs[0], 255).code, 6022u);
  EXPECT_EQ(verify(builder.graph(), plan.graphs[0], 0).code, 6022u);
  plan.graphs[0].placements[1].space = Space::spill_fill;
  EXPECT_EQ(verify(builder.graph(), plan.graphs[0], 256).code, 6022u);
}

}}  // namespace qnnpp::sim::testing
