// Misuses of State.
#include "qnnpp/memory/state.hpp"

#include <span>
#include <vector>

#include "qnnpp/graph/graph.hpp"
#include "qnnpp/memory/dma_heap_allocator.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

using namespace qnnpp;

std::uint64_t positions_of(const State& state);
State make_state();

struct OfAnotherShape {
  DmaBuffer allocate(std::uint64_t bytes) const;
};

// EXPECT: a state has one owner; write std::move(state)
State a_state_is_not_copied(State& state) {
#if MISUSE == 1
  return State(state);
#else
  return State(std::move(state));
#endif
}

// EXPECT: this is a Result; test it and pass *state, or use value_or_throw()
bool a_result_is_no_state(Result<State> state) {
#if MISUSE == 2
  return positions_of(state) != 0;
#else
  return state && positions_of(*state) != 0;
#endif
}

// EXPECT: memory() of a temporary would dangle; name the state first
std::uint64_t the_memory_of_a_temporary_state_is_not_lent() {
#if MISUSE == 3
  return make_state().memory().size_bytes();
#else
  const State state = make_state();
  return state.memory().size_bytes();
#endif
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_no_allocator_of_a_state(Result<DmaHeapAllocator> heap,
                                         const Graph<Retrieved>& graph) {
#if MISUSE == 4
  return State::allocate(heap, {{"keys", "new_keys", 2}}, graph).has_value();
#else
  return heap && State::allocate(*heap, {{"keys", "new_keys", 2}}, graph).has_value();
#endif
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_no_graph_of_a_state(const MemfdAllocator& allocator,
                                     const Result<Graph<Retrieved>>& graph) {
#if MISUSE == 5
  return State::allocate(allocator, {{"keys", "new_keys", 2}}, graph).has_value();
#else
  return graph && State::allocate(allocator, {{"keys", "new_keys", 2}}, *graph).has_value();
#endif
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_no_graph_of_a_state_with_a_list(const MemfdAllocator& allocator,
                                                 const std::vector<StateTensor>& tensors,
                                                 const Result<Graph<Retrieved>>& graph) {
#if MISUSE == 6
  return State::allocate(allocator, tensors, graph).has_value();
#else
  return graph && State::allocate(allocator, tensors, *graph).has_value();
#endif
}

// EXPECT: no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const
bool a_state_needs_an_allocator_of_the_right_shape(const MemfdAllocator& allocator,
                                                   const OfAnotherShape& of_another_shape,
                                                   const Graph<Retrieved>& graph) {
#if MISUSE == 7
  (void)allocator;
  return State::allocate(of_another_shape, {{"keys", "new_keys", 2}}, graph).has_value();
#else
  (void)of_another_shape;
  return State::allocate(allocator, {{"keys", "new_keys", 2}}, graph).has_value();
#endif
}

// EXPECT: no list of tensors; pass graphs before bind(), as Graph<Retrieved>
bool a_state_is_allocated_before_its_graphs_are_bound(const MemfdAllocator& allocator,
                                                      const Graph<Retrieved>& retrieved,
                                                      const Graph<Bound>& bound) {
#if MISUSE == 8
  (void)retrieved;
  return State::allocate(allocator, {{"keys", "new_keys", 2}}, bound).has_value();
#else
  (void)bound;
  return State::allocate(allocator, {{"keys", "new_keys", 2}}, retrieved).has_value();
#endif
}

// EXPECT: no list of tensors; pass graphs before bind(), as Graph<Retrieved>
bool a_state_with_a_list_is_allocated_before_its_graphs_are_bound(
    const MemfdAllocator& allocator, const std::vector<StateTensor>& tensors,
    const Graph<Retrieved>& retrieved, const Graph<Bound>& bound) {
#if MISUSE == 9
  (void)retrieved;
  return State::allocate(allocator, tensors, bound).has_value();
#else
  (void)bound;
  return State::allocate(allocator, tensors, retrieved).has_value();
#endif
}

// EXPECT: a state is no buffer; pass its memory: state.memory()
bool a_state_is_registered_by_its_memory(const Context<Finalized>& context, const State& state) {
#if MISUSE == 10
  return RegisteredTensors::create(context, state).has_value();
#else
  return RegisteredTensors::create(context, state.memory()).has_value();
#endif
}
