// Misuses of Graph<Retrieved, RawIo>: prepared for raw memory.
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

// EXPECT: registered memory leaves copies of this graph unused; bind raw memory or use AnyIo
bool registered_memory_is_not_bound_to_a_graph_prepared_for_raw_memory(
    Graph<Retrieved, RawIo> graph, const RegisteredTensors& tensors, std::vector<float>& input) {
#if MISUSE == 1
  return std::move(graph).bind({registered(tensors, "input")}).has_value();
#else
  return std::move(graph).bind({raw("input", input)}).has_value();
#endif
}

// EXPECT: registered memory leaves copies of this graph unused; bind raw memory or use AnyIo
bool registered_memory_is_not_mixed_with_raw_memory(Graph<Retrieved, RawIo> graph,
                                                    const RegisteredTensors& tensors,
                                                    std::vector<float>& input) {
#if MISUSE == 2
  return std::move(graph).bind({registered(tensors, "input"), raw("output", input)}).has_value();
#else
  return std::move(graph).bind({raw("input", input), raw("output", input)}).has_value();
#endif
}

// EXPECT: registered memory leaves copies of this graph unused; bind raw memory or use AnyIo
bool a_registration_is_not_bound_to_a_graph_prepared_for_raw_memory(
    Graph<Retrieved, RawIo> graph, const RegisteredTensors& tensors, std::vector<float>& input) {
#if MISUSE == 3
  return std::move(graph).bind(tensors).has_value();
#else
  return std::move(graph).bind({raw("input", input)}).has_value();
#endif
}

// EXPECT: registered memory leaves copies of this graph unused; bind raw memory or use AnyIo
bool no_two_registrations_are_bound_to_a_graph_prepared_for_raw_memory(
    Graph<Retrieved, RawIo> graph, const RegisteredTensors& tensors, std::vector<float>& input) {
#if MISUSE == 4
  return std::move(graph).bind(tensors, tensors).has_value();
#else
  return std::move(graph).bind({raw("input", input)}).has_value();
#endif
}

// EXPECT: registered memory leaves copies of this graph unused; bind raw memory or use AnyIo
bool no_list_of_registered_memory_is_bound_to_a_graph_prepared_for_raw_memory(
    Graph<Retrieved, RawIo> graph, const RegisteredTensors& tensors, std::vector<float>& input) {
#if MISUSE == 5
  return std::move(graph)
      .bind({registered(tensors, "input"), registered(tensors, "output")})
      .has_value();
#else
  return std::move(graph).bind({raw("input", input), raw("output", input)}).has_value();
#endif
}

// EXPECT: registered memory leaves copies of this graph unused; bind raw memory or use AnyIo
bool no_vector_of_registered_memory_is_bound_to_a_graph_prepared_for_raw_memory(
    Graph<Retrieved, RawIo> graph, const RegisteredTensors& tensors, std::vector<float>& input) {
#if MISUSE == 6
  const std::vector<Binding<RegisteredIo>> all = {registered(tensors, "input")};
  return std::move(graph).bind(all).has_value();
#else
  const std::vector<Binding<RawIo>> all = {raw("input", input)};
  return std::move(graph).bind(all).has_value();
#endif
}

// EXPECT: registered memory leaves copies of this graph unused; bind raw memory or use AnyIo
bool no_vector_of_either_memory_is_bound_to_a_graph_prepared_for_raw_memory(
    Graph<Retrieved, RawIo> graph, std::vector<float>& input) {
#if MISUSE == 7
  const std::vector<Binding<>> all = {raw("input", input)};
  return std::move(graph).bind(all).has_value();
#else
  const std::vector<Binding<RawIo>> all = {raw("input", input)};
  return std::move(graph).bind(all).has_value();
#endif
}

// EXPECT: registered memory leaves copies of this graph unused; bind raw memory or use AnyIo
bool no_span_of_registered_memory_is_bound_to_a_graph_prepared_for_raw_memory(
    Graph<Retrieved, RawIo> graph, std::span<const Binding<RawIo>> raw,
    std::span<const Binding<RegisteredIo>> shared) {
#if MISUSE == 8
  return std::move(graph).bind(shared).has_value();
#else
  return std::move(graph).bind(raw).has_value();
#endif
}

// EXPECT: registered memory leaves copies of this graph unused; bind raw memory or use AnyIo
bool no_allocator_is_bound_to_a_graph_prepared_for_raw_memory(Graph<Retrieved, RawIo> raw,
                                                              Graph<Retrieved, AnyIo> any,
                                                              const MemfdAllocator& allocator) {
#if MISUSE == 9
  return std::move(raw).bind(allocator).has_value();
#else
  return std::move(any).bind(allocator).has_value();
#endif
}

// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
bool an_unbound_graph_prepared_for_raw_memory_is_not_executed(Graph<Retrieved, RawIo> graph,
                                                              std::span<const Binding<RawIo>> all) {
#if MISUSE == 10
  return graph.execute().has_value();
#else
  auto bound = std::move(graph).bind(all);
  return bound && bound->execute().has_value();
#endif
}

// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
bool a_graph_prepared_for_raw_memory_is_bound_as_an_rvalue(Graph<Retrieved, RawIo> graph,
                                                           std::vector<float>& input) {
#if MISUSE == 11
  return graph.bind({raw("input", input)}).has_value();
#else
  return std::move(graph).bind({raw("input", input)}).has_value();
#endif
}

// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
bool a_graph_prepared_for_raw_memory_is_bound_to_a_vector_as_an_rvalue(
    Graph<Retrieved, RawIo> graph, const std::vector<Binding<RawIo>>& all) {
#if MISUSE == 12
  return graph.bind(all).has_value();
#else
  return std::move(graph).bind(all).has_value();
#endif
}

// CLANG-CONSUMED: while it is in the 'consumed' state
bool a_graph_prepared_for_raw_memory_is_not_used_after_bind(Graph<Retrieved, RawIo> graph,
                                                            std::vector<float>& input) {
#if MISUSE == 13
  const bool bound = std::move(graph).bind({raw("input", input)}).has_value();
  return bound && graph.inputs().empty();
#else
  const bool none = graph.inputs().empty();
  return std::move(graph).bind({raw("input", input)}).has_value() && none;
#endif
}

// EXPECT: close() consumes the graph; write std::move(graph).close()
bool a_graph_prepared_for_raw_memory_is_closed_as_an_rvalue(Graph<Retrieved, RawIo> graph) {
#if MISUSE == 14
  return graph.close().has_value();
#else
  return std::move(graph).close().has_value();
#endif
}
