// Misuses of Graph<Retrieved>, before bind().
#include <array>
#include <optional>
#include <vector>

#include "qnnpp/graph/binding.hpp"
#include "qnnpp/graph/compose.hpp"
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

struct OfAnotherShape {
  DmaBuffer allocate(std::uint64_t bytes) const;
};

// EXPECT: the context is not finalized; query, register and finalize() it first
bool a_graph_is_not_retrieved_from_a_deferred_context(Context<Deferred>& context,
                                                      Context<Finalized>& final) {
#if MISUSE == 1
  return Graph<Retrieved>::retrieve(context, final.name()).has_value();
#else
  return Graph<Retrieved>::retrieve(final, context.name()).has_value();
#endif
}

// EXPECT: the context is not finalized; register_buffers() and finalize() it first
bool a_graph_is_not_retrieved_from_a_queried_context(Context<Queried>& context,
                                                     Context<Finalized>& final) {
#if MISUSE == 2
  return Graph<Retrieved>::retrieve(context, final.name()).has_value();
#else
  return Graph<Retrieved>::retrieve(final, context.name()).has_value();
#endif
}

// EXPECT: the context is not finalized; call std::move(context).finalize() first
bool a_graph_is_not_retrieved_from_a_registered_context(Context<Registered>& context,
                                                        Context<Finalized>& final) {
#if MISUSE == 3
  return Graph<Retrieved>::retrieve(context, final.name()).has_value();
#else
  return Graph<Retrieved>::retrieve(final, context.name()).has_value();
#endif
}

// EXPECT: no context; retrieve(context, name) wants a finalized Context
bool a_backend_is_no_context_to_retrieve_from(const Backend<Htp>& backend,
                                              const Context<Finalized>& context) {
#if MISUSE == 4
  return Graph<Retrieved>::retrieve(backend, "stem").has_value();
#else
  return Graph<Retrieved>::retrieve(context, "stem").has_value();
#endif
}

// EXPECT: no context; retrieve(context, name) wants a finalized Context
bool a_path_is_no_context_to_retrieve_from(const Context<Finalized>& context) {
#if MISUSE == 5
  return Graph<Retrieved>::retrieve("stem.bin", "stem").has_value();
#else
  return Graph<Retrieved>::retrieve(context, "stem").has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *std::move(context), or use value_or_throw()
bool a_result_is_no_context(Result<Context<Finalized>> context) {
#if MISUSE == 6
  return Graph<Retrieved>::retrieve(context, "g").has_value();
#else
  return context && Graph<Retrieved>::retrieve(*context, "g").has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *std::move(graph), or use value_or_throw()
void a_result_is_no_graph(std::vector<Graph<Retrieved>>& all, const Context<Finalized>& context) {
#if MISUSE == 7
  all.push_back(Graph<Retrieved>::retrieve(context, "g"));
#else
  if (auto graph = Graph<Retrieved>::retrieve(context, "g")) all.push_back(*std::move(graph));
#endif
}

// EXPECT: a final graph takes no more nodes; use Graph<Composing>::create()
bool no_node_is_added_to_a_retrieved_graph(Graph<Retrieved>& retrieved,
                                           Graph<Composing>& composing) {
#if MISUSE == 8
  return retrieved.add_node({.name = "relu", .type = "Relu"}).has_value();
#else
  return composing.add_node({.name = "relu", .type = "Relu"}).has_value();
#endif
}

// EXPECT: a final graph takes no more tensors; use Graph<Composing>::create()
bool no_tensor_is_added_to_a_retrieved_graph(Graph<Retrieved>& retrieved,
                                             Graph<Composing>& composing, const TensorSpec& spec) {
#if MISUSE == 9
  return retrieved.add_tensor(spec).has_value();
#else
  return composing.add_tensor(spec).has_value();
#endif
}

// EXPECT: inputs() of a temporary would dangle; name the graph first
const std::vector<TensorSpec>& the_inputs_of_a_temporary_graph_are_not_handed_out(
    Graph<Retrieved>& graph) {
#if MISUSE == 10
  return std::move(graph).inputs();
#else
  return graph.inputs();
#endif
}

// EXPECT: outputs() of a temporary would dangle; name the graph first
const std::vector<TensorSpec>& the_outputs_of_a_temporary_graph_are_not_handed_out(
    Graph<Retrieved>& graph) {
#if MISUSE == 11
  return std::move(graph).outputs();
#else
  return graph.outputs();
#endif
}

// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
bool an_unbound_graph_is_not_executed(Graph<Retrieved> graph) {
#if MISUSE == 12
  return graph.execute().has_value();
#else
  auto bound = std::move(graph).bind({});
  return bound && bound->execute().has_value();
#endif
}

// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
bool an_unbound_graph_is_not_executed_under_a_lease(Graph<Retrieved> graph, SpillFillLease& lease) {
#if MISUSE == 13
  return graph.execute(lease).has_value();
#else
  auto bound = std::move(graph).bind({});
  return bound && bound->execute(lease).has_value();
#endif
}

// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
bool an_unbound_graph_has_no_input_to_open(Graph<Retrieved> graph, const RpcmemAllocator& rpcmem) {
#if MISUSE == 14
  return graph.input<float>("image").has_value();
#else
  auto bound = std::move(graph).bind(rpcmem);
  return bound && bound->input<float>("image").has_value();
#endif
}

// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
bool an_unbound_graph_has_no_output_to_open(Graph<Retrieved, RegisteredIo> graph,
                                            const RegisteredTensors& tensors) {
#if MISUSE == 15
  return graph.output<float>("scores").has_value();
#else
  auto bound = std::move(graph).bind(tensors);
  return bound && bound->output<float>("scores").has_value();
#endif
}

// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
bool a_graph_is_bound_as_an_rvalue(Graph<Retrieved> graph) {
  std::array<float, 4> input{};
#if MISUSE == 16
  return graph.bind({raw("input", input)}).has_value();
#else
  return std::move(graph).bind({raw("input", input)}).has_value();
#endif
}

// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
bool a_graph_is_bound_to_a_registration_as_an_rvalue(Graph<Retrieved> graph,
                                                     const RegisteredTensors& tensors) {
#if MISUSE == 17
  return graph.bind(tensors).has_value();
#else
  return std::move(graph).bind(tensors).has_value();
#endif
}

// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
bool a_graph_is_bound_to_a_vector_as_an_rvalue(Graph<Retrieved> graph,
                                               const std::vector<Binding<>>& all) {
#if MISUSE == 18
  return graph.bind(all).has_value();
#else
  return std::move(graph).bind(all).has_value();
#endif
}

// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
bool a_graph_is_bound_to_an_allocator_as_an_rvalue(Graph<Retrieved> graph,
                                                   const MemfdAllocator& allocator) {
#if MISUSE == 19
  return graph.bind(allocator).has_value();
#else
  return std::move(graph).bind(allocator).has_value();
#endif
}

// EXPECT: bind() consumes the graph; write std::move(graph).bind({...})
bool a_graph_is_bound_to_two_registrations_as_an_rvalue(Graph<Retrieved> graph,
                                                        const RegisteredTensors& inputs,
                                                        const RegisteredTensors& outputs) {
#if MISUSE == 20
  return graph.bind(inputs, outputs).has_value();
#else
  return std::move(graph).bind(inputs, outputs).has_value();
#endif
}

// CLANG-CONSUMED: while it is in the 'consumed' state
bool a_retrieved_graph_is_not_used_after_bind(Graph<Retrieved> graph) {
#if MISUSE == 21
  const bool bound = std::move(graph).bind({}).has_value();
  return bound && graph.inputs().empty();
#else
  const bool none = graph.inputs().empty();
  return std::move(graph).bind({}).has_value() && none;
#endif
}

// EXPECT: the memory of a temporary would dangle; name the buffer first
bool the_memory_of_a_temporary_is_not_bound(Graph<Retrieved> graph) {
#if MISUSE == 22
  const Binding<> binding = raw("input", std::vector<float>(16));
#else
  std::vector<float> input(16);
  const Binding<> binding = raw("input", input);
#endif
  return std::move(graph).bind({binding}).has_value();
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_not_bound(Graph<Retrieved> graph, Result<RegisteredTensors> tensors) {
#if MISUSE == 23
  return std::move(graph).bind(tensors).has_value();
#else
  return tensors && std::move(graph).bind(*tensors).has_value();
#endif
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_no_second_registration(Graph<Retrieved> graph, const RegisteredTensors& inputs,
                                        Result<RegisteredTensors> outputs) {
#if MISUSE == 24
  return std::move(graph).bind(inputs, outputs).has_value();
#else
  return outputs && std::move(graph).bind(inputs, *outputs).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *tensors, or use value_or_throw()
std::optional<Binding<RegisteredIo>> a_result_is_no_registration(
    Result<RegisteredTensors> tensors) {
#if MISUSE == 25
  return registered(tensors, "x");
#else
  return tensors ? std::optional(registered(*tensors, "x")) : std::nullopt;
#endif
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_no_allocator_of_a_graph(Graph<Retrieved> graph, Result<RpcmemAllocator> rpcmem) {
#if MISUSE == 26
  return std::move(graph).bind(rpcmem).has_value();
#else
  return rpcmem && std::move(graph).bind(*rpcmem).has_value();
#endif
}

// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
bool a_backend_allocates_no_memory_of_a_graph(Graph<Retrieved> graph, const Backend<Htp>& backend,
                                              const RpcmemAllocator& allocator) {
#if MISUSE == 27
  return std::move(graph).bind(backend).has_value();
#else
  return std::move(graph).bind(allocator).has_value();
#endif
}

// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
bool a_graph_needs_an_allocator_of_the_right_shape(Graph<Retrieved> graph,
                                                   const MemfdAllocator& allocator,
                                                   const OfAnotherShape& of_another_shape) {
#if MISUSE == 28
  return std::move(graph).bind(of_another_shape).has_value();
#else
  return std::move(graph).bind(allocator).has_value();
#endif
}

// EXPECT: close() consumes the graph; write std::move(graph).close()
bool a_graph_is_closed_as_an_rvalue(Graph<Retrieved> graph) {
#if MISUSE == 29
  return graph.close().has_value();
#else
  return std::move(graph).close().has_value();
#endif
}

// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
bool an_unbound_graph_has_no_memory_to_replace(Graph<Retrieved> graph,
                                               const RegisteredTensors& tensors) {
#if MISUSE == 30
  return graph.rebind(registered(tensors, "input")).has_value();
#else
  auto bound = std::move(graph).bind(tensors);
  return bound && bound->rebind(registered(tensors, "input"));
#endif
}

// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
bool an_unbound_graph_has_no_extents_to_set(Graph<Retrieved> graph,
                                            const RegisteredTensors& tensors) {
  const std::array<std::uint32_t, 2> extents{1, 4};
#if MISUSE == 31
  return graph.set_extents("input", extents).has_value();
#else
  auto bound = std::move(graph).bind(tensors);
  return bound && bound->set_extents("input", extents);
#endif
}

// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
bool an_unbound_graph_has_no_listed_extents_to_set(Graph<Retrieved> graph,
                                                   const RegisteredTensors& tensors) {
#if MISUSE == 32
  return graph.set_extents("input", {1, 4}).has_value();
#else
  auto bound = std::move(graph).bind(tensors);
  return bound && bound->set_extents("input", {1, 4});
#endif
}

// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
bool an_unbound_graph_has_no_actual_extents(Graph<Retrieved> graph,
                                            const RegisteredTensors& tensors) {
#if MISUSE == 33
  return graph.extents("output").has_value();
#else
  auto bound = std::move(graph).bind(tensors);
  return bound && bound->extents("output").has_value();
#endif
}

// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
bool an_unbound_graph_has_no_memory_to_exchange(Graph<Retrieved> graph,
                                                const RegisteredTensors& tensors) {
#if MISUSE == 34
  (void)tensors;
  return graph.exchange("state", "next_state").has_value();
#else
  auto bound = std::move(graph).bind(tensors);
  return bound && bound->exchange("state", "next_state");
#endif
}

// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
bool an_unbound_graph_is_not_executed_with_a_profile(Graph<Retrieved> graph, Profile& profile) {
#if MISUSE == 35
  return graph.execute(&profile).has_value();
#else
  std::array<float, 4> input{};
  auto bound = std::move(graph).bind({raw("input", input)});
  return bound && bound->execute(&profile).has_value();
#endif
}

// EXPECT: the graph has no memory yet; call std::move(graph).bind({...}) first
bool an_unbound_graph_is_not_executed_under_a_lease_with_a_profile(Graph<Retrieved> graph,
                                                                   SpillFillLease& lease,
                                                                   Profile& profile) {
#if MISUSE == 36
  return graph.execute(lease, &profile).has_value();
#else
  std::array<float, 4> input{};
  auto bound = std::move(graph).bind({raw("input", input)});
  return bound && bound->execute(lease, &profile).has_value();
#endif
}
