// Sizes of weights and spill-fill, and the estimate for a process domain.
#include "sim/plan/needs.hpp"

#include "builder.hpp"

namespace qnnpp::sim::testing { namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

/// A graph with these numbers, and constants in one place of the weights.
GraphPlan graph_of(std::uint64_t constants, std::uint64_t io, std::uint64_t op_data,
                   std::uint64_t spill_fill, std::uint64_t vtcm_limit) {
  GraphPlan plan;
  if (constants != 0) plan.placements.push_back({.space = Space::weights, .size_bytes = constants});
  plan.io_bytes = io;
  plan.op_data_bytes = op_data;
  plan.spill_fill_bytes = spill_fill;
  plan.vtcm_limit_bytes = vtcm_limit;
  return plan;
}

TEST(needs, are_whole_pieces_of_2_MiB_for_the_constants_of_each_graph_and_the_largest_spill_fill) {
  NetworkPlan plan;
  EXPECT_EQ(weights_property(plan), 0u);
  EXPECT_EQ(spill_fill_property(plan), 0u);
  plan.graphs = {graph_of(1, 0, 0, 2 * mib, mib), graph_of(2 * mib, 0, 0, 2'818'048, mib),
                 graph_of(2 * mib + 1, 0, 0, 0, mib), graph_of(0, 0, 0, 0, mib)};
  EXPECT_EQ(weights_property(plan), 8 * mib);
  EXPECT_EQ(spill_fill_property(plan), 4 * mib);
  plan.shared_weights_bytes = 2 * mib + 256;
  EXPECT_EQ(weights_property(plan), 4 * mib) << "once, whatever the graphs use of them";
}

TEST(needs, PD_01_of_a_process_domain_are_the_sum_of_a_logged_estimate) {
  // All but the constants is exact; the run list that was logged is this op data and a half.
  const GraphPlan graph = graph_of(700'000, 77'987'840, 1'951'232, 29'360'128, 8 * mib);
  EXPECT_EQ(run_list_bytes(graph.op_data_bytes, 150), 2'926'848u);
  NetworkPlan plan;
  plan.graphs = {graph};
  EXPECT_EQ(domain_bytes(plan, LoadedGraphs::all, 150), 120'760'576u);
  plan.graphs = {graph, graph, graph_of(1, 2, 0, 3, 1)};
  const std::uint64_t small = 2 * mib + 2 + 3 + mib;
  EXPECT_EQ(domain_bytes(plan, LoadedGraphs::all, 150), 2 * 120'760'576u + small);
  EXPECT_EQ(domain_bytes(plan, LoadedGraphs::one, 150), 120'760'576u);
  EXPECT_EQ(domain_bytes(plan, LoadedGraphs::all, 150, {true, false, false}), 120'760'576u);
  plan.shared_weights_bytes = 3 * mib;
  EXPECT_EQ(domain_bytes(plan, LoadedGraphs::all, 150),
            2 * (120'760'576u - 2 * mib) + (small - 2 * mib) + 4 * mib);
}

TEST(needs, PD_02_have_the_io_limit_instead_of_all_inputs_and_outputs) {
  // The binary's numbers, of which a host library logged the sums.
  const GraphPlan graph = graph_of(1, 38'993'920, 2'899'456, 27'459'584, 8 * mib);
  NetworkPlan plan;
  plan.graphs = {graph};
  const auto needed = [&](std::optional<std::uint64_t> limit) {
    return domain_bytes(plan, LoadedGraphs::all, 100, {}, limit);
  };
  EXPECT_EQ(needed({}), 79'838'720u);
  EXPECT_EQ(needed(mib), 41'893'376u);
  EXPECT_EQ(needed(20 * mib), 61'816'320u);
  EXPECT_EQ(needed(500 * mib), 565'132'800u) << "also above all inputs and outputs";
  EXPECT_EQ(needed(0), 40'844'800u) << "a further context of a list";
  plan.graphs = {graph, graph};
  EXPECT_EQ(needed(mib), 2 * 40'844'800u + mib) << "once for all graphs";
}

TEST(needs, have_a_run_list_of_op_data_and_a_multiple_of_256) {
  EXPECT_EQ(run_list_bytes(0, 150), 0u);
  for (const std::uint64_t op_data : {768u, 1000u, 5120u, 1'000'003u}) {
    const std::uint64_t more = run_list_bytes(op_data, 150) - op_data;
    EXPECT_EQ(more % 256, 0u);
    EXPECT_GE(2 * more, op_data);
    EXPECT_LE(2 * more, op_data + 512);
  }
}

TEST(needs, never_overflow) {
  NetworkPlan plan;
  plan.graphs = {graph_of(1, UINT64_MAX, 1, 1, 1), graph_of(UINT64_MAX - 256, 1, 1, 1, 1)};
  EXPECT_EQ(domain_bytes(plan, LoadedGraphs::all, 150), UINT64_MAX);
  EXPECT_EQ(round_to_piece(UINT64_MAX), UINT64_MAX);
}

}}  // namespace qnnpp::sim::testing
