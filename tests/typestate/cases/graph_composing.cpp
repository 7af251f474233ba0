// Misuses of Graph<Composing>.
#include <array>
#include <cstddef>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

/// Leaves the graph usable, as QNNPP_KEEPS states.
bool add(Graph<Composing, RegisteredIo>& graph QNNPP_KEEPS, const NodeSpec& node) {
  return graph.add_node(node).has_value();
}

// EXPECT: a context from a binary takes no new graphs; use Context<Composing>
bool a_finalized_context_takes_no_new_graphs(Context<Finalized>& final,
                                             Context<Composing>& composing) {
#if MISUSE == 1
  return Graph<Composing>::create(final, "late").has_value();
#else
  return Graph<Composing>::create(composing, "timely").has_value();
#endif
}

// EXPECT: a context from a binary takes no new graphs; use Context<Composing>
bool a_finalized_context_takes_no_new_graphs_for_registered_memory(Context<Finalized>& final,
                                                                   Context<Composing>& composing) {
#if MISUSE == 2
  return Graph<Composing, RegisteredIo>::create(final, "late").has_value();
#else
  return Graph<Composing, RegisteredIo>::create(composing, "timely").has_value();
#endif
}

// EXPECT: a graph has one owner; write std::move(graph)
Graph<Composing, RegisteredIo> a_composing_graph_is_not_copied(
    Graph<Composing, RegisteredIo>& graph) {
#if MISUSE == 3
  return Graph<Composing, RegisteredIo>(graph);
#else
  return Graph<Composing, RegisteredIo>(std::move(graph));
#endif
}

// CLANG-CONSUMED: while it is in the 'consumed' state
bool no_node_is_added_after_finalize(Graph<Composing> graph, const NodeSpec& node) {
#if MISUSE == 4
  const bool done = std::move(graph).finalize().has_value();
  return done && graph.add_node(node).has_value();
#else
  const bool added = graph.add_node(node).has_value();
  return std::move(graph).finalize().has_value() && added;
#endif
}

// CLANG-CONSUMED: while it is in the 'consumed' state
bool no_node_is_added_to_a_graph_for_registered_memory_after_finalize(
    Graph<Composing, RegisteredIo> graph, const NodeSpec& node) {
#if MISUSE == 5
  const bool done = std::move(graph).finalize().has_value();
  return done && graph.add_node(node).has_value();
#else
  const bool added = add(graph, node) && add(graph, node);
  return std::move(graph).finalize().has_value() && added;
#endif
}

// EXPECT: finalize() consumes the graph; write std::move(graph).finalize()
Result<Graph<Retrieved>> a_composing_graph_is_finalized_as_an_rvalue(Graph<Composing> graph) {
#if MISUSE == 6
  return graph.finalize();
#else
  return std::move(graph).finalize();
#endif
}

// EXPECT: finalize() consumes the graph; write std::move(graph).finalize()
Result<Graph<Retrieved, RegisteredIo>>
a_composing_graph_for_registered_memory_is_finalized_as_an_rvalue(
    Graph<Composing, RegisteredIo> graph) {
#if MISUSE == 7
  return graph.finalize();
#else
  return std::move(graph).finalize();
#endif
}

// EXPECT: the graph is not finalized; call std::move(graph).finalize() first
bool a_composing_graph_is_not_bound(Graph<Composing> graph) {
  std::array<float, 4> input{};
#if MISUSE == 8
  return std::move(graph).bind({raw("input", input)}).has_value();
#else
  auto final = std::move(graph).finalize();
  return final && std::move(*final).bind({raw("input", input)}).has_value();
#endif
}

// EXPECT: the graph is not finalized; call std::move(graph).finalize() first
bool a_composing_graph_is_not_bound_to_a_registration(Graph<Composing, RegisteredIo> graph,
                                                      const RegisteredTensors& tensors) {
#if MISUSE == 9
  return std::move(graph).bind(tensors).has_value();
#else
  auto final = std::move(graph).finalize();
  return final && std::move(*final).bind(tensors).has_value();
#endif
}

// EXPECT: the graph is not finalized; call std::move(graph).finalize() first
bool a_composing_graph_is_not_bound_to_a_vector(Graph<Composing, RegisteredIo> graph,
                                                const std::vector<Binding<RegisteredIo>>& all) {
#if MISUSE == 10
  return std::move(graph).bind(all).has_value();
#else
  auto final = std::move(graph).finalize();
  return final && std::move(*final).bind(all).has_value();
#endif
}

// EXPECT: the graph is not finalized; call std::move(graph).finalize() first
bool a_composing_graph_is_not_bound_to_an_allocator(Graph<Composing, RegisteredIo> graph,
                                                    const MemfdAllocator& allocator) {
#if MISUSE == 11
  return std::move(graph).bind(allocator).has_value();
#else
  auto final = std::move(graph).finalize();
  return final && std::move(*final).bind(allocator).has_value();
#endif
}

// EXPECT: the graph is not finalized; call std::move(graph).finalize() first
bool a_composing_graph_is_not_executed(Graph<Composing> graph) {
#if MISUSE == 12
  return graph.execute().has_value();
#else
  const auto final = std::move(graph).finalize();
  return final && !final->inputs().empty();
#endif
}

// EXPECT: the graph is not finalized; call std::move(graph).finalize() first
bool a_composing_graph_is_not_executed_under_a_lease(Graph<Composing, RegisteredIo> graph,
                                                     const RegisteredTensors& tensors,
                                                     SpillFillLease& lease) {
#if MISUSE == 13
  return graph.execute(lease).has_value();
#else
  const auto bind = [&](Graph<Retrieved, RegisteredIo> final) {
    return std::move(final).bind(tensors);
  };
  auto bound = std::move(graph).finalize().and_then(bind);
  return bound && bound->execute(lease).has_value();
#endif
}

// EXPECT: native() of a temporary would dangle; name the graph first
c_api::GraphHandle the_handle_of_a_temporary_composing_graph_is_not_handed_out(
    Graph<Composing, RegisteredIo>& graph) {
#if MISUSE == 14
  return std::move(graph).native();
#else
  return graph.native();
#endif
}

// EXPECT: close() consumes the graph; write std::move(graph).close()
bool a_composing_graph_is_closed_as_an_rvalue(Graph<Composing> graph) {
#if MISUSE == 15
  return graph.close().has_value();
#else
  return std::move(graph).close().has_value();
#endif
}

// EXPECT: a scalar of QNN has 32 bits; cast the value to std::uint32_t
NodeParam a_scalar_of_64_bits_is_no_parameter(std::size_t axis) {
#if MISUSE == 16
  return scalar_param("axis", axis);
#else
  return scalar_param("axis", static_cast<std::uint32_t>(axis));
#endif
}

// EXPECT: the memory of a temporary would dangle; name the buffer first
bool the_memory_of_a_temporary_is_no_constant(Graph<Composing>& graph QNNPP_KEEPS) {
#if MISUSE == 17
  return graph.add_static({.name = "w", .dimensions = {4}}, std::vector<std::byte>(16)).has_value();
#else
  const std::vector<std::byte> values(16);
  return graph.add_static({.name = "w", .dimensions = {4}}, values).has_value();
#endif
}

// EXPECT: the graph is not finalized; call std::move(graph).finalize() first
bool a_composing_graph_is_not_executed_with_a_profile(Graph<Composing, RegisteredIo> graph,
                                                      const RegisteredTensors& tensors,
                                                      Profile& profile) {
#if MISUSE == 18
  return graph.execute(&profile).has_value();
#else
  const auto bind = [&](Graph<Retrieved, RegisteredIo> final) {
    return std::move(final).bind(tensors);
  };
  auto bound = std::move(graph).finalize().and_then(bind);
  return bound && bound->execute(&profile).has_value();
#endif
}

// EXPECT: the graph is not finalized; call std::move(graph).finalize() first
bool a_composing_graph_is_not_executed_under_a_lease_with_a_profile(
    Graph<Composing, RegisteredIo> graph, const RegisteredTensors& tensors, SpillFillLease& lease,
    Profile& profile) {
#if MISUSE == 19
  return graph.execute(lease, &profile).has_value();
#else
  const auto bind = [&](Graph<Retrieved, RegisteredIo> final) {
    return std::move(final).bind(tensors);
  };
  auto bound = std::move(graph).finalize().and_then(bind);
  return bound && bound->execute(lease, &profile).has_value();
#endif
}
