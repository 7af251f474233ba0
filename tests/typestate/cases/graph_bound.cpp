// Misuses of Graph<Bound>.
#include <array>

#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

// EXPECT: a graph has one owner; write std::move(graph)
Graph<Bound> a_graph_is_not_copied(Graph<Bound>& graph) {
#if MISUSE == 1
  return Graph<Bound>(graph);
#else
  return Graph<Bound>(std::move(graph));
#endif
}

// EXPECT: native() of a temporary would dangle; name the graph first
c_api::GraphHandle the_handle_of_a_temporary_graph_is_not_handed_out(Graph<Bound>& graph) {
#if MISUSE == 2
  return std::move(graph).native();
#else
  return graph.native();
#endif
}

// EXPECT: raw memory is yours; use what you gave to bind()
bool raw_memory_is_not_opened_as_an_input(const Graph<Bound, RawIo>& raw,
                                          const Graph<Bound, RegisteredIo>& registered) {
#if MISUSE == 3
  return raw.input<float>("image").has_value();
#else
  return registered.input<float>("image").has_value();
#endif
}

// EXPECT: raw memory is yours; use what you gave to bind()
bool raw_memory_is_not_opened_as_an_output(const Graph<Bound, RawIo>& raw,
                                           const Graph<Bound, RegisteredIo>& registered) {
#if MISUSE == 4
  return raw.output<float>("scores").has_value();
#else
  return registered.output<float>("scores").has_value();
#endif
}

// EXPECT: this graph is bound; call std::move(graph).unbind() first
bool a_bound_graph_is_unbound_before_it_is_bound_again(Graph<Bound> graph) {
  std::array<float, 4> input{};
#if MISUSE == 5
  return std::move(graph).bind({raw("input", input)}).has_value();
#else
  return std::move(graph).unbind().bind({raw("input", input)}).has_value();
#endif
}

// EXPECT: this graph is bound; call std::move(graph).unbind() first
bool a_bound_graph_is_not_bound_to_a_registration(Graph<Bound, RegisteredIo> graph,
                                                  const RegisteredTensors& tensors) {
#if MISUSE == 6
  return std::move(graph).bind(tensors).has_value();
#else
  return std::move(graph).unbind().bind(tensors).has_value();
#endif
}

// EXPECT: this graph is bound; call std::move(graph).unbind() first
bool a_bound_graph_is_not_bound_to_a_vector(Graph<Bound, RegisteredIo> graph,
                                            const std::vector<Binding<RegisteredIo>>& all) {
#if MISUSE == 7
  return std::move(graph).bind(all).has_value();
#else
  return std::move(graph).unbind().bind(all).has_value();
#endif
}

// EXPECT: this graph is bound; call std::move(graph).unbind() first
bool a_bound_graph_is_not_bound_to_an_allocator(Graph<Bound> graph,
                                                const MemfdAllocator& allocator) {
#if MISUSE == 8
  return std::move(graph).bind(allocator).has_value();
#else
  return std::move(graph).unbind().bind(allocator).has_value();
#endif
}

// EXPECT: unbind() consumes the graph; write std::move(graph).unbind()
Graph<Retrieved> a_graph_is_unbound_as_an_rvalue(Graph<Bound> graph) {
#if MISUSE == 9
  return graph.unbind();
#else
  return std::move(graph).unbind();
#endif
}

// EXPECT: unbind() consumes the graph; write std::move(graph).unbind()
Graph<Retrieved, RawIo> a_graph_bound_to_raw_memory_is_unbound_as_an_rvalue(
    Graph<Bound, RawIo> graph) {
#if MISUSE == 10
  return graph.unbind();
#else
  return std::move(graph).unbind();
#endif
}

// EXPECT: unbind() consumes the graph; write std::move(graph).unbind()
Graph<Retrieved, RegisteredIo> a_graph_bound_to_registered_memory_is_unbound_as_an_rvalue(
    Graph<Bound, RegisteredIo> graph) {
#if MISUSE == 11
  return graph.unbind();
#else
  return std::move(graph).unbind();
#endif
}

// CLANG-CONSUMED: while it is in the 'consumed' state
bool an_unbound_graph_is_not_executed_by_its_old_name(Graph<Bound> graph) {
#if MISUSE == 12
  const auto retrieved = std::move(graph).unbind();
  return graph.execute().has_value() && retrieved.inputs().empty();
#else
  const bool done = graph.execute().has_value();
  const auto retrieved = std::move(graph).unbind();
  return done && retrieved.inputs().empty();
#endif
}

// CLANG-CONSUMED: while it is in the 'consumed' state
bool an_unbound_graph_for_registered_memory_is_not_executed_by_its_old_name(
    Graph<Bound, RegisteredIo> graph) {
#if MISUSE == 13
  const auto retrieved = std::move(graph).unbind();
  return graph.execute().has_value() && retrieved.inputs().empty();
#else
  const bool done = graph.execute().has_value();
  const auto retrieved = std::move(graph).unbind();
  return done && retrieved.inputs().empty();
#endif
}

// EXPECT: close() consumes the graph; write std::move(graph).close()
bool a_graph_bound_to_raw_memory_is_closed_as_an_rvalue(Graph<Bound, RawIo> graph) {
#if MISUSE == 14
  return graph.close().has_value();
#else
  return std::move(graph).close().has_value();
#endif
}

// EXPECT: close() consumes the graph; write std::move(graph).close()
bool a_graph_bound_to_registered_memory_is_closed_as_an_rvalue(Graph<Bound, RegisteredIo> graph) {
#if MISUSE == 15
  return graph.close().has_value();
#else
  return std::move(graph).close().has_value();
#endif
}

// CLANG-CONSUMED: while it is in the 'consumed' state
bool a_graph_for_registered_memory_is_not_asked_its_cost_after_close(
    Graph<Bound, RegisteredIo> graph) {
#if MISUSE == 16
  const bool closed = std::move(graph).close().has_value();
  return closed && graph.io_cost() == IoCost();
#else
  const bool free = graph.io_cost() == IoCost();
  return std::move(graph).close().has_value() && free;
#endif
}

// EXPECT: raw memory is copied at every inference; bind registered memory or use AnyIo
bool a_tensor_prepared_for_registered_memory_gets_no_raw_memory(Graph<Bound, RegisteredIo>& graph,
                                                                const RegisteredTensors& tensors) {
  std::array<float, 4> input{};
#if MISUSE == 17
  return graph.rebind(raw("input", input)).has_value();
#else
  (void)input;
  return graph.rebind(registered(tensors, "input")).has_value();
#endif
}

// EXPECT: registered memory leaves copies of this graph unused; bind raw memory or use AnyIo
bool a_tensor_prepared_for_raw_memory_gets_no_registered_memory(Graph<Bound, RawIo>& graph,
                                                                const RegisteredTensors& tensors) {
  std::array<float, 4> input{};
#if MISUSE == 18
  (void)input;
  return graph.rebind(registered(tensors, "input")).has_value();
#else
  (void)tensors;
  return graph.rebind(raw("input", input)).has_value();
#endif
}

// EXPECT: raw memory is yours; bind registered memory to exchange it
bool raw_memory_is_not_exchanged(Graph<Bound, RawIo>& raw, Graph<Bound, RegisteredIo>& registered) {
#if MISUSE == 19
  (void)registered;
  return raw.exchange("state", "next_state").has_value();
#else
  (void)raw;
  return registered.exchange("state", "next_state").has_value();
#endif
}

// EXPECT: extents() of a temporary would dangle; name the graph first
bool the_extents_of_a_temporary_graph_are_not_handed_out(Graph<Bound>& graph) {
#if MISUSE == 20
  return std::move(graph).extents("output").has_value();
#else
  return graph.extents("output").has_value();
#endif
}

// EXPECT: nobody could pull a temporary stop; name it first
bool a_graph_is_not_executed_with_a_temporary_stop(Graph<Bound>& graph, Stop& stop) {
#if MISUSE == 21
  (void)stop;
  return graph.execute({.stop = Stop()}).has_value();
#else
  return graph.execute({.stop = stop}).has_value();
#endif
}
