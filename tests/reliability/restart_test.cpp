// After a restart of the DSP: no call with a handle that died, everything else goes on (SSR-01).
#include <string>
#include <utility>
#include <vector>

#include "fixture.hpp"

namespace support {
namespace {

using namespace qnnpp;
using sim::Slot;

class after_a_restart : public LoadedTest {
 protected:
  /// The next execution restarts the DSP.
  static void restart_at_the_next(Slot slot, std::uint32_t code = 1007) {
    control().fail_call(slot, 1, code);
  }
  static Graph<Bound> bound(const Context<Finalized>& context, const std::string& name,
                            std::vector<float>& in, std::vector<float>& out) {
    return must(must(Graph<Retrieved>::retrieve(context, name)).bind({raw("x", in), raw("y", out)}));
  }

  /// Restarts, and goes on as if nothing had happened.
  void expect_no_calls_of_dead_handles(std::uint32_t code) {
    const auto context = finalized(queried(network));
    auto memory = must(SharedBuffer<MultiTensor>::allocate(
        allocator(), std::vector<TensorSpec>{network.spec("x"), network.spec("y")}));
    const auto io = must(RegisteredTensors::create(context, memory));
    auto graph = bound(context, "net", in, out);
    restart_at_the_next(Slot::graph_execute, code);
    EXPECT_EQ(error_of(graph.execute()).code, code);

    const std::uint64_t calls_before = control().counters().calls;
    EXPECT_EQ(error_of(graph.execute()).kind, Errc::dead);
    EXPECT_EQ(error_of(graph.execute(context.lease())).kind, Errc::dead);
    EXPECT_EQ(error_of(Graph<Retrieved>::retrieve(context, "net")).kind, Errc::dead);
    EXPECT_EQ(error_of(RegisteredTensors::create(
                           context, must(SharedBuffer<PerTensor>::allocate(
                                        allocator(), std::vector<TensorSpec>{network.spec("x")}))))
                  .kind,
              Errc::dead);
    EXPECT_EQ(control().counters().calls, calls_before);
  }

  const Network network = {};
  std::vector<float> in = network.input();
  std::vector<float> out = std::vector<float>(network.io_elements());
};

TEST_F(after_a_restart, SSR_01_no_call_is_made_with_a_handle_that_died) {
  for (const std::uint32_t code : {1007u, 1011u}) {
    control().reset_counters();
    expect_no_calls_of_dead_handles(code);
    EXPECT_EQ(calls(Slot::context_free), 1u) << "of the context that made the binary";
    EXPECT_EQ(calls(Slot::mem_de_register), 0u);
  }
}

TEST_F(after_a_restart, SSR_01_the_same_backend_makes_new_contexts) {
  {
    const auto context = finalized(queried(network));
    auto graph = bound(context, "net", in, out);
    restart_at_the_next(Slot::graph_execute);
    EXPECT_EQ(error_of(graph.execute()).code, 1007);
  }
  const auto again = finalized(queried(network));
  EXPECT_LT(difference(again, network), tolerance);
}

TEST_F(after_a_restart, SSR_01_a_new_context_outlives_what_old_ones_tell_of_it) {
  const auto first = restored(network);
  const auto second = restored(network);
  auto one = bound(first, "net", in, out);
  auto two = bound(second, "net", in, out);
  restart_at_the_next(Slot::graph_execute);
  EXPECT_EQ(error_of(one.execute()).code, 1007);
  const auto fresh = restored(network);
  EXPECT_EQ(error_of(two.execute()).kind, Errc::dead);
  EXPECT_EQ(error_of(one.execute()).kind, Errc::dead);
  EXPECT_LT(difference(fresh, network), tolerance);
}

TEST_F(after_a_restart, SSR_01_that_finalize_tells_of_nothing_is_given_back) {
  auto context = queried(network);
  auto weights = weights_for(context);
  auto registered_context =
      must(std::move(context).register_buffers({.weights = std::move(weights)}));
  restart_at_the_next(Slot::context_finalize);
  EXPECT_EQ(error_of(std::move(registered_context).finalize()).code, 1007);
  EXPECT_EQ(calls(Slot::mem_de_register), 0u);
}

TEST_F(after_a_restart, SSR_01_other_errors_kill_nothing) {
  const auto context = restored(network);
  auto graph = bound(context, "net", in, out);
  for (const std::uint32_t code : {1002u, 1003u, 6031u}) {
    restart_at_the_next(Slot::graph_execute, code);
    EXPECT_EQ(error_of(graph.execute()).code, code);
    EXPECT_TRUE(succeeds(graph.execute()));
  }
}

TEST_F(after_a_restart, SSR_01_that_a_deregistration_tells_of_the_context_is_not_freed) {
  {
    const auto context = finalized(queried(network));
    auto memory = must(SharedBuffer<PerTensor>::allocate(
        allocator(), std::vector<TensorSpec>{network.spec("x")}));
    auto io = must(RegisteredTensors::create(context, memory));
    control().reset_counters();
    restart_at_the_next(Slot::mem_de_register);
    EXPECT_EQ(error_of(std::move(io).close()).code, 1007);
  }
  EXPECT_EQ(calls(Slot::context_free), 0u);
}

TEST_F(after_a_restart, SSR_01_that_giving_buffers_back_tells_of_the_context_is_not_freed) {
  {
    auto context = queried(network);
    auto weights = weights_for(context);
    const auto registered_context =
        must(std::move(context).register_buffers({.weights = std::move(weights)}));
    control().reset_counters();
    restart_at_the_next(Slot::mem_de_register);
  }
  EXPECT_EQ(calls(Slot::mem_de_register), 1u);
  EXPECT_EQ(calls(Slot::context_free), 0u);
}

TEST_F(after_a_restart, SSR_01_what_was_made_while_the_failing_call_ran_lives) {
  const auto old = restored(network);
  const detail::Birth& birth = old.control()->birth;
  const std::uint64_t before_the_call = birth.moment();
  const auto made_meanwhile = restored(network);
  birth.note(1007, before_the_call);
  EXPECT_TRUE(birth.is_over());
  EXPECT_FALSE(made_meanwhile.control()->birth.is_over());
  birth.note(1007, before_the_call);
  EXPECT_EQ(backend().control()->lives.restarts(), 1u) << "told twice";
  EXPECT_LT(difference(made_meanwhile, network), tolerance);
  // It did not die in truth: freed by hand.
  const auto free = must(backend().provider().slot<&abi::InterfaceTable::context_free>());
  EXPECT_EQ(free(old.control()->handle(), nullptr), 0u);
}

TEST_F(after_a_restart, SSR_01_the_error_says_what_to_do) {
  const auto context = restored(network);
  auto graph = bound(context, "net", in, out);
  restart_at_the_next(Slot::graph_execute);
  (void)graph.execute();
  EXPECT_EQ(error_of(graph.execute()).message(),
            "net: QnnGraph_execute: the DSP restarted after it was made; make it again");
}

}  // namespace
}  // namespace support
