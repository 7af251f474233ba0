// Random graphs: compares every pair of placements by brute force at every step. Executes each
// graph in the planned memory, and with separate memory for every tensor.

#include <gtest/gtest.h>

#include "builder.hpp"

namespace qnnpp::sim::testing { namespace {

/// Returns a graph of `nodes` nodes with tensors of a few sizes, and registered and raw I/O.
Builder random_graph(Random& random, int nodes) {
  const auto below = [&random](std::size_t limit) { return random.below(limit); };
  Builder builder;
  const std::uint32_t widths[] = {16, 50, 200, 600};
  std::vector<std::pair<std::string, std::uint32_t>> made;
  const auto memory = [&] {
    return below(3) == 0 ? c_api::TensorMemType::memhandle : c_api::TensorMemType::raw;
  };
  for (std::uint32_t width : widths) {
    const std::string name = "in" + std::to_string(width);
    builder.tensor(name.c_str(), c_api::TensorType::app_write, {1, width}, memory());
    made.emplace_back(name, width);
  }
  for (int n = 0; n < nodes; ++n) {
    const auto [from, width] = made[below(made.size())];
    const std::string name = "t" + std::to_string(n);
    const bool is_output = n + 1 == nodes || below(6) == 0;
    const c_api::TensorType type =
        is_output ? c_api::TensorType::app_read : c_api::TensorType::native;
    const c_api::TensorMemType mem_type = is_output ? memory() : c_api::TensorMemType::raw;
    std::uint32_t out_width = width;
    const std::size_t choice = below(5);
    if (choice == 0) out_width = widths[below(4)];
    builder.tensor(name.c_str(), type, {1, out_width}, mem_type);
    if (choice == 0) {
      const std::string weights = "w" + std::to_string(n);
      builder.weights(weights.c_str(), {out_width, width},
                      values(std::size_t{out_width} * width, random()));
      builder.node("FullyConnected", {from, weights}, name);
    } else if (choice == 1) {
      std::string other = from;
      for (const auto& [candidate, other_width] : made)
        if (other_width == width && below(2) == 0) other = candidate;
      builder.node("ElementWiseAdd", {from, other}, name);
    } else if (choice == 2) {
      builder.node("Softmax", {from}, name);
    } else {
      builder.node(choice == 3 ? "Reshape" : "Relu", {from}, name);
    }
    made.emplace_back(name, out_width);
  }
  return builder;
}

/// Returns the first and the last step at which a tensor's value must exist, by search; -1 is
/// before the first step.
std::pair<int, int> life(const Graph& graph, const GraphPlan& plan, std::uint32_t tensor) {
  int first = -1, last = -1;
  for (std::size_t step = 0; step < plan.order.size(); ++step) {
    const Node& node = graph.nodes[plan.order[step]];
    for (const std::uint32_t t : node.inputs)
      if (t == tensor) last = static_cast<int>(step);
    for (const std::uint32_t t : node.outputs)
      if (t == tensor) first = last = static_cast<int>(step);
  }
  if (is_app_readable(graph.tensors[tensor].type)) last = static_cast<int>(plan.order.size());
  return {first, last};
}

bool shares(const GraphPlan& plan, std::uint32_t a, std::uint32_t b) {
  const auto root = [&plan](std::uint32_t t) {
    return plan.placements[t].alias_of == no_index ? t : plan.placements[t].alias_of;
  };
  return root(a) == root(b);
}

void expect_no_overlap(const Graph& graph, const GraphPlan& plan) {
  std::uint64_t vtcm_end = 0, spill_end = 0, io_end = 0;
  const std::uint32_t count = static_cast<std::uint32_t>(graph.tensors.size());
  for (std::uint32_t a = 0; a < count; ++a) {
    const Placement& pa = plan.placements[a];
    const bool io = pa.space == Space::io;
    if (!io && pa.space != Space::vtcm && pa.space != Space::spill_fill) continue;
    ASSERT_EQ(io || pa.space == Space::client, is_io(graph.tensors[a].type));
    std::uint64_t& end = io ? io_end : pa.space == Space::vtcm ? vtcm_end : spill_end;
    end = std::max(end, (pa.offset + pa.size_bytes + 255) / 256 * 256);
    const auto [first_a, last_a] = life(graph, plan, a);
    for (std::uint32_t b = a + 1; b < count; ++b) {
      const Placement& pb = plan.placements[b];
      if (pb.space != pa.space || shares(plan, a, b)) continue;
      const auto [first_b, last_b] = life(graph, plan, b);
      if (!io && (last_a < first_b || last_b < first_a)) continue;
      ASSERT_TRUE(pa.offset + pa.size_bytes <= pb.offset || pb.offset + pb.size_bytes <= pa.offset)
          << graph.tensors[a].name << " and " << graph.tensors[b].name;
    }
  }
  EXPECT_EQ(vtcm_end, plan.vtcm_bytes);
  EXPECT_EQ(spill_end, plan.spill_fill_bytes);
  EXPECT_EQ(io_end, plan.io_copies_bytes);
  EXPECT_LE(plan.vtcm_bytes, plan.vtcm_limit_bytes);
}

/// Executes with a separate block of memory for every tensor.
std::map<std::string, Floats> execute_apart(const Graph& graph, const GraphPlan& plan,
                                            const std::map<std::string, Floats>& inputs) {
  std::vector<Floats> memory;
  std::vector<std::byte*> addresses;
  for (const Tensor& tensor : graph.tensors) {
    memory.emplace_back(element_count(tensor));
    if (!tensor.data.empty())
      std::memcpy(memory.back().data(), tensor.data.data(), tensor.data.size());
    if (inputs.contains(tensor.name)) memory.back() = inputs.at(tensor.name);
  }
  for (Floats& block : memory) addresses.push_back(reinterpret_cast<std::byte*>(block.data()));
  EXPECT_TRUE(run(graph, plan, addresses, nullptr));
  std::map<std::string, Floats> outputs;
  for (const std::uint32_t t : graph_outputs(graph)) outputs[graph.tensors[t].name] = memory[t];
  return outputs;
}

TEST(random_plans, never_let_two_live_tensors_overlap_and_compute_the_same_numbers) {
  Random random{20240607};
  std::size_t spilled = 0, shared = 0;
  for (int round = 0; round < 150; ++round) {
    Builder builder = random_graph(random, 1 + round % 25);
    std::map<std::string, Floats> inputs;
    for (const std::uint32_t t : graph_inputs(builder.graph()))
      inputs[builder.graph().tensors[t].name] =
          values(element_count(builder.graph().tensors[t]), random());
    for (const std::uint64_t vtcm_bytes : {0u, 1000u, 4096u, 1u << 20}) {
      NetworkPlan plan;
      const Status status = plan_network(builder.network, vtcm_bytes, plan);
      ASSERT_TRUE(status.ok()) << status.reason;
      const GraphPlan& graph_plan = plan.graphs[0];
      const Status verdict = verify(builder.graph(), graph_plan, plan.weights_bytes);
      ASSERT_TRUE(verdict.ok()) << verdict.reason;
      expect_no_overlap(builder.graph(), graph_plan);
      spilled += graph_plan.spill_fill_bytes != 0;
      for (const Placement& placement : graph_plan.placements)
        shared += placement.alias_of != no_index;
      std::vector<std::byte> weights(plan.weights_bytes);
      write_weights(builder.network, plan, weights);
      ASSERT_EQ(execute(builder.graph(), graph_plan, weights, inputs),
                execute_apart(builder.graph(), graph_plan, inputs))
          << "round " << round << " with " << vtcm_bytes << " bytes of VTCM";
    }
  }
  EXPECT_GT(spilled, 200u) << "the graphs are too small to spill";
  EXPECT_GT(shared, 200u);
}

TEST(random_plans, with_a_tensor_moved_onto_a_live_one_are_refused) {
  Random random{7};
  int moved = 0;
  for (int round = 0; round < 200; ++round) {
    Builder builder = random_graph(random, 12);
    NetworkPlan network_plan;
    ASSERT_TRUE(plan_network(builder.network, 0, network_plan).ok());
    const Graph& graph = builder.graph();
    GraphPlan plan = network_plan.graphs[0];
    const std::uint32_t count = static_cast<std::uint32_t>(graph.tensors.size());
    const std::uint32_t a = random() % count, b = random() % count;
    if (a == b || plan.placements[a].space != Space::spill_fill ||
        plan.placements[b].space != Space::spill_fill || shares(plan, a, b))
      continue;
    const auto [first_a, last_a] = life(graph, plan, a);
    const auto [first_b, last_b] = life(graph, plan, b);
    if (last_a < first_b || last_b < first_a) continue;
    plan.placements[a].offset = plan.placements[b].offset;
    EXPECT_FALSE(verify(graph, plan, network_plan.weights_bytes).ok()) << "round " << round;
    ++moved;
  }
  EXPECT_GT(moved, 10);
}

}}  // namespace qnnpp::sim::testing
