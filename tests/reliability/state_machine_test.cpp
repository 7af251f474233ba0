// Every operation in every state of its object, compared with a model. The model predicts success
// or the error, the objects that live on the device, and the numbers that a graph computes.
#include "machine/state_machine.hpp"

#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fixture.hpp"

namespace support::machine { namespace {

/// Steps that bring the object of slot 1 into a state.
struct Recipe {
  Kind kind;
  std::string state;
  std::vector<Step> steps;
};

/// Steps before each recipe: two backends, pools and buffers, an allocator, a context, a
/// registration.
const std::vector<Step> beginning{{.op = Op::load_backend, .a = 0},
                                  {.op = Op::load_backend, .a = 1},
                                  {.op = Op::load_allocator},
                                  {.op = Op::allocate_pool, .a = 0},
                                  {.op = Op::allocate_pool, .a = 1},
                                  {.op = Op::allocate_buffer, .a = 0},
                                  {.op = Op::allocate_buffer, .a = 1},
                                  {.op = Op::restore, .a = 0, .b = 1},
                                  {.op = Op::register_tensors, .a = 0, .b = 0, .c = 0}};

/// Objects that are destroyed before the operation, in the runs without parents.
const std::vector<Step> parents_dropped{
    {.op = Op::drop_backend, .a = 0}, {.op = Op::drop_backend, .a = 1},
    {.op = Op::drop_pool, .a = 0},    {.op = Op::drop_pool, .a = 1},
    {.op = Op::drop_buffer, .a = 0},  {.op = Op::drop_buffer, .a = 1},
    {.op = Op::drop_allocator}};

/// Reports whether an operation uses an object of parents_dropped.
bool needs_parents(Op op) {
  switch (op) {
    case Op::create:
    case Op::restore:
    case Op::compose:
    case Op::register_weights:
    case Op::register_pool:
    case Op::register_both:
    case Op::register_tensors:
    case Op::readopt:
    case Op::execute_leased:
    case Op::execute_unwritten: return true;
    default: return false;
  }
}
/// Reports whether an operation makes the object of its slot, which may be absent.
bool makes(Op op) {
  switch (op) {
    case Op::load_backend:
    case Op::load_allocator:
    case Op::allocate_pool:
    case Op::allocate_buffer:
    case Op::create:
    case Op::restore:
    case Op::compose: return true;
    default: return false;
  }
}

std::vector<Recipe> recipes() {
  const auto with = [](std::vector<Step> steps, const std::vector<Step>& more) {
    steps.insert(steps.end(), more.begin(), more.end());
    return steps;
  };
  // Kills all contexts of the backend: an execution reports a restart.
  const std::vector<Step> kill{
      {.op = Op::restore, .a = 3},    {.op = Op::retrieve, .a = 3, .b = 3},
      {.op = Op::bind_raw, .a = 3},   {.op = Op::execute, .a = 3, .fault = Fault::restart},
      {.op = Op::drop_graph, .a = 3}, {.op = Op::drop_context, .a = 3}};
  const std::vector<Step> deferred{{.op = Op::create, .a = 1}};
  const auto queried = with(deferred, {{.op = Op::query, .a = 1}});
  const auto registered = with(queried, {{.op = Op::register_both, .a = 1}});
  const auto finalized = with(registered, {{.op = Op::finalize, .a = 1}});
  const std::vector<Step> composing{{.op = Op::compose, .a = 1}};
  const auto composed = with(composing, {{.op = Op::begin_graph, .a = 1, .b = 2},
                                         {.op = Op::finish_graph, .a = 2},
                                         {.op = Op::drop_graph, .a = 2},
                                         {.op = Op::finalize, .a = 1}});
  const auto graph_begun = with(composing, {{.op = Op::begin_graph, .a = 1, .b = 1}});
  const auto tensors = with(finalized, {{.op = Op::register_tensors, .a = 1, .b = 1, .c = 1}});
  const auto retrieved = with(tensors, {{.op = Op::retrieve, .a = 1, .b = 1}});
  const auto bound_raw = with(retrieved, {{.op = Op::bind_raw, .a = 1}});
  const auto bound_registered = with(retrieved, {{.op = Op::bind_registered, .a = 1, .b = 1}});

  std::vector<Recipe> all;
  all.push_back({Kind::backend, "backend absent", {{.op = Op::drop_backend, .a = 1}}});
  all.push_back({Kind::backend, "backend alone", {{.op = Op::load_backend, .a = 1}}});
  all.push_back({Kind::backend, "backend in use", {}});
  all.push_back({Kind::allocator, "allocator absent", {{.op = Op::drop_allocator}}});
  all.push_back({Kind::allocator, "allocator alone", {}});
  all.push_back({Kind::pool, "pool absent", {{.op = Op::drop_pool, .a = 1}}});
  all.push_back({Kind::pool, "pool alone", {}});
  all.push_back({Kind::pool, "pool in use", {{.op = Op::copy_pool, .a = 1, .b = 0}}});
  all.push_back({Kind::buffer, "buffer absent", {{.op = Op::drop_buffer, .a = 1}}});
  all.push_back({Kind::buffer, "buffer alone", {}});
  all.push_back({Kind::buffer, "buffer in use", tensors});
  all.push_back({Kind::context, "context absent", {}});
  const auto context = [&](const std::string& state, const std::vector<Step>& steps) {
    all.push_back({Kind::context, "context " + state, steps});
    all.push_back({Kind::context, "context " + state + ", dead", with(steps, kill)});
  };
  context("Deferred alone", deferred);
  context("Queried alone", queried);
  context("Registered alone", registered);
  context("Finalized alone", finalized);
  context("Finalized in use", retrieved);
  context("Composing alone", composing);
  context("Composing in use", graph_begun);
  context("Composed alone", composed);
  context("Composed in use", with(composed, {{.op = Op::retrieve, .a = 1, .b = 1}}));
  const auto both = [&](Kind kind, const std::string& state, const std::vector<Step>& steps) {
    all.push_back({kind, state, steps});
    all.push_back({kind, state + ", dead", with(steps, kill)});
  };
  all.push_back({Kind::tensors, "registration absent", {}});
  both(Kind::tensors, "registration alone", tensors);
  both(Kind::tensors, "registration in use", bound_registered);
  all.push_back({Kind::graph, "graph absent", {}});
  both(Kind::graph, "graph Composing", graph_begun);
  both(Kind::graph, "graph Retrieved", retrieved);
  both(Kind::graph, "graph Bound to raw memory", bound_raw);
  both(Kind::graph, "graph Bound to registered memory", bound_registered);
  return all;
}

class the_machine : public SimTest {};

TEST_F(the_machine, does_in_every_state_for_every_operation_what_the_model_says) {
  const auto world = std::make_unique<World>();
  std::set<std::string> wanted;
  std::set<std::string> applied;
  std::set<std::string> refused;
  // Runs a recipe and one more step.
  const auto run = [&](const Recipe& recipe, const Step& step, bool with_parents) {
    Machine machine(*world);
    for (const Step& one : beginning) (void)machine.apply(one);
    for (const Step& one : recipe.steps)
      ASSERT_EQ(machine.apply(one), Applied::done) << words(one) << " for " << recipe.state;
    if (!with_parents)
      for (const Step& one : parents_dropped) (void)machine.apply(one);
    ASSERT_EQ(machine.difference(), "") << recipe.state;
    ASSERT_EQ(machine.state_of(step), recipe.state);
    const std::string state = recipe.state + (with_parents ? "" : ", parents dropped");
    const Applied outcome = machine.apply(step);
    ASSERT_EQ(machine.difference(), "") << state << ": " << words(step);
    if (outcome == Applied::refused) {
      refused.insert(Machine::pair_of(state, {.op = step.op}));
    } else {
      wanted.insert(Machine::pair_of(state, step));
      EXPECT_EQ(outcome, Applied::done) << state << ": " << words(step);
      if (outcome == Applied::done) applied.insert(Machine::pair_of(state, step));
    }
    machine.end();
    ASSERT_EQ(machine.difference(), "") << state << ": after " << words(step);
  };
  for (const Recipe& recipe : recipes())
    for (const bool with_parents : {true, false})
      for (std::size_t op = 0; op < op_count; ++op)
        for (const Fault fault : {Fault::none, Fault::no_room, Fault::restart}) {
          Step step{.op = static_cast<Op>(op), .a = 1, .b = 0, .c = 2, .fault = fault};
          const bool is_of_a_parent = recipe.kind <= Kind::buffer;
          if (kind_of(step.op) != recipe.kind || !can_fail(step.op, fault)) continue;
          if (recipe.kind == Kind::allocator) step.a = 0;
          if (!with_parents && (is_of_a_parent || needs_parents(step.op))) continue;
          const bool absent = recipe.state.ends_with("absent");
          if (absent && !makes(step.op)) continue;  // the operation needs an object
          if (step.op == Op::retrieve || step.op == Op::begin_graph) step.b = 2;
          // Uses the context's own registration and another one, and a pool that fits and one that
          // does not.
          for (std::uint8_t other = 0; other < 2; ++other) {
            if (other == 1 && step.op != Op::bind_registered && step.op != Op::register_pool &&
                step.op != Op::register_both && step.op != Op::register_tensors)
              continue;
            if (step.op != Op::retrieve && step.op != Op::begin_graph) step.b = other;
            run(recipe, step, with_parents);
            if (HasFatalFailure()) return;
          }
        }
  EXPECT_EQ(applied, wanted);
  EXPECT_GT(applied.size(), 300u);
  std::printf("state-operation pairs: %zu of %zu\n", applied.size(), wanted.size());
  std::printf("state-operation pairs that do not compile: %zu\n", refused.size());
}

}}  // namespace support::machine
