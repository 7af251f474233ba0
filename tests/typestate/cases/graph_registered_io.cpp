// Misuses of Graph<Retrieved, RegisteredIo>: prepared for registered memory.
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

// EXPECT: raw memory is copied at every inference; bind registered memory or use AnyIo
bool raw_memory_is_not_bound_to_a_graph_prepared_for_registered_memory(
    Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& tensors,
    std::vector<float>& input) {
#if MISUSE == 1
  return std::move(graph).bind({raw("input", input)}).has_value();
#else
  return std::move(graph).bind({registered(tensors, "input")}).has_value();
#endif
}

// EXPECT: raw memory is copied at every inference; bind registered memory or use AnyIo
bool raw_memory_is_not_mixed_with_registered_memory(Graph<Retrieved, RegisteredIo> graph,
                                                    const RegisteredTensors& tensors,
                                                    std::vector<float>& input) {
#if MISUSE == 2
  return std::move(graph).bind({registered(tensors, "input"), raw("output", input)}).has_value();
#else
  return std::move(graph)
      .bind({registered(tensors, "input"), registered(tensors, "output")})
      .has_value();
#endif
}

// EXPECT: raw memory is copied at every inference; bind registered memory or use AnyIo
bool no_list_of_raw_memory_is_bound_to_a_graph_prepared_for_registered_memory(
    Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& tensors,
    std::vector<float>& input) {
#if MISUSE == 3
  return std::move(graph).bind({raw("input", input), raw("output", input)}).has_value();
#else
  return std::move(graph)
      .bind({registered(tensors, "input"), registered(tensors, "output")})
      .has_value();
#endif
}

// EXPECT: raw memory is copied at every inference; bind registered memory or use AnyIo
bool no_vector_of_raw_memory_is_bound_to_a_graph_prepared_for_registered_memory(
    Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& tensors,
    std::vector<float>& input) {
#if MISUSE == 4
  const std::vector<Binding<RawIo>> all = {raw("input", input)};
  return std::move(graph).bind(all).has_value();
#else
  const std::vector<Binding<RegisteredIo>> all = {registered(tensors, "input")};
  return std::move(graph).bind(all).has_value();
#endif
}

// EXPECT: raw memory is copied at every inference; bind registered memory or use AnyIo
bool no_vector_of_either_memory_is_bound_to_a_graph_prepared_for_registered_memory(
    Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& tensors) {
#if MISUSE == 5
  const std::vector<Binding<>> all = {registered(tensors, "input")};
  return std::move(graph).bind(all).has_value();
#else
  const std::vector<Binding<RegisteredIo>> all = {registered(tensors, "input")};
  return std::move(graph).bind(all).has_value();
#endif
}

// EXPECT: raw memory is copied at every inference; bind registered memory or use AnyIo
bool no_span_of_raw_memory_is_bound_to_a_graph_prepared_for_registered_memory(
    Graph<Retrieved, RegisteredIo> graph, std::span<const Binding<RawIo>> raw,
    std::span<const Binding<RegisteredIo>> shared) {
#if MISUSE == 6
  return std::move(graph).bind(raw).has_value();
#else
  return std::move(graph).bind(shared).has_value();
#endif
}

// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
bool an_unbound_graph_prepared_for_registered_memory_is_not_executed(
    Graph<Retrieved, RegisteredIo> graph, std::span<const Binding<RegisteredIo>> all) {
#if MISUSE == 7
  return graph.execute().has_value();
#else
  auto bound = std::move(graph).bind(all);
  return bound && bound->execute().has_value();
#endif
}

// EXPECT: a graph has one owner; write std::move(graph)
Graph<Retrieved, RegisteredIo> a_graph_prepared_for_registered_memory_is_not_copied(
    Graph<Retrieved, RegisteredIo>& graph) {
#if MISUSE == 8
  return Graph<Retrieved, RegisteredIo>(graph);
#else
  return Graph<Retrieved, RegisteredIo>(std::move(graph));
#endif
}

// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
bool a_graph_prepared_for_registered_memory_is_bound_as_an_rvalue(
    Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& tensors) {
#if MISUSE == 9
  return graph.bind({registered(tensors, "input")}).has_value();
#else
  return std::move(graph).bind({registered(tensors, "input")}).has_value();
#endif
}

// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
bool a_graph_prepared_for_registered_memory_is_bound_to_a_registration_as_an_rvalue(
    Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& tensors) {
#if MISUSE == 10
  return graph.bind(tensors).has_value();
#else
  return std::move(graph).bind(tensors).has_value();
#endif
}

// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
bool a_graph_prepared_for_registered_memory_is_bound_to_a_vector_as_an_rvalue(
    Graph<Retrieved, RegisteredIo> graph, const std::vector<Binding<RegisteredIo>>& all) {
#if MISUSE == 11
  return graph.bind(all).has_value();
#else
  return std::move(graph).bind(all).has_value();
#endif
}

// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
bool a_graph_prepared_for_registered_memory_is_bound_to_an_allocator_as_an_rvalue(
    Graph<Retrieved, RegisteredIo> graph, const MemfdAllocator& allocator) {
#if MISUSE == 12
  return graph.bind(allocator).has_value();
#else
  return std::move(graph).bind(allocator).has_value();
#endif
}

// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
bool a_graph_prepared_for_registered_memory_is_bound_to_two_registrations_as_an_rvalue(
    Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& inputs,
    const RegisteredTensors& outputs) {
#if MISUSE == 13
  return graph.bind(inputs, outputs).has_value();
#else
  return std::move(graph).bind(inputs, outputs).has_value();
#endif
}

// CLANG-CONSUMED: while it is in the 'consumed' state
bool a_graph_prepared_for_registered_memory_is_not_used_after_bind(
    Graph<Retrieved, RegisteredIo> graph, const RegisteredTensors& tensors) {
#if MISUSE == 14
  const bool bound = std::move(graph).bind(tensors).has_value();
  return bound && graph.inputs().empty();
#else
  const bool none = graph.inputs().empty();
  return std::move(graph).bind(tensors).has_value() && none;
#endif
}

// EXPECT: close() consumes the graph; write std::move(graph).close()
bool a_graph_prepared_for_registered_memory_is_closed_as_an_rvalue(
    Graph<Retrieved, RegisteredIo> graph) {
#if MISUSE == 15
  return graph.close().has_value();
#else
  return std::move(graph).close().has_value();
#endif
}
