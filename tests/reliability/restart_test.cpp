// After a restart of the DSP, dead objects are released once and not used again, and all other
// objects still work (SSR-01). A report without a restart leaves nothing behind either (SSR-02).
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"

#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class after_a_restart : public LoadedTest {
 protected:
  /// Makes the next call of `slot` report a restart of the DSP.
  static void restart_at_the_next(Slot slot, std::uint32_t code = 1007) {
    control().fail_call(slot, 1, code);
  }
  static Graph<Bound> bound(const Context<Finalized>& context, const std::string& name,
                            std::vector<float>& in, std::vector<float>& out) {
    return must(
        must(Graph<Retrieved>::retrieve(context, name)).bind({raw("x", in), raw("y", out)}));
  }

  /// Restarts the DSP, and continues as if nothing had happened.
  void expect_no_use_of_dead_handles(std::uint32_t code) {
    const auto context = finalized(queried(network));
    auto memory = must(SharedBuffer<MultiTensor>::allocate(
        allocator(), std::vector<TensorSpec>{network.spec("x"), network.spec("y")}));
    const auto io = must(RegisteredTensors::create(context, memory));
    auto graph = bound(context, "net", in, out);
    restart_at_the_next(Slot::graph_execute, code);
    EXPECT_EQ(error_of(graph.execute()).code, code);

    const std::uint64_t calls_before = control().counters().calls;
    EXPECT_EQ(error_of(graph.execute()).kind, Errc::dead);
    auto lease = must(context.spill_fill().lease());
    EXPECT_EQ(error_of(graph.execute(lease)).kind, Errc::dead);
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

TEST_F(after_a_restart, SSR_01_a_handle_that_died_is_not_used_and_released_once) {
  for (const std::uint32_t code : {1007u, 1011u}) {
    control().reset_counters();
    expect_no_use_of_dead_handles(code);
    EXPECT_EQ(calls(Slot::context_free), 2u) << "one of them made the binary";
    EXPECT_EQ(calls(Slot::mem_de_register), 1u) << "the tensors, in one call";
    EXPECT_EQ(control().counters().live_contexts, 0u);
  }
}

TEST_F(after_a_restart, SSR_01_the_backend_closes_without_an_error) {
  auto own_backend = must(load());
  {
    const auto context =
        must(Context<Finalized>::restore(own_backend, own(binary_of(backend(), {network}))));
    auto graph = bound(context, network.name, in, out);
    restart_at_the_next(Slot::graph_execute);
    EXPECT_EQ(error_of(graph.execute()).code, 1007);
    EXPECT_EQ(control().counters().live_contexts, 1u);
  }
  EXPECT_EQ(control().counters().live_contexts, 0u);
  EXPECT_TRUE(succeeds(std::move(own_backend).close())) << "14003 while a context is not freed";
}

TEST_F(after_a_restart, SSR_01_what_releasing_the_dead_returns_is_ignored) {
  auto context = finalized(queried(network));
  auto memory = must(
      SharedBuffer<PerTensor>::allocate(allocator(), std::vector<TensorSpec>{network.spec("x")}));
  auto io = must(RegisteredTensors::create(context, memory));
  {
    auto graph = bound(context, "net", in, out);
    restart_at_the_next(Slot::graph_execute);
    EXPECT_EQ(error_of(graph.execute()).code, 1007);
  }
  control().fail_call(Slot::mem_de_register, 1, 1007, false, sim::FaultRestart::never);
  control().fail_call(Slot::context_free, 1, 1007, false, sim::FaultRestart::never);
  const auto fresh = restored(network);
  EXPECT_TRUE(succeeds(std::move(io).close()));
  EXPECT_TRUE(succeeds(std::move(context).close()));
  EXPECT_LT(difference(fresh, network), tolerance) << "made after the restart";
}

TEST_F(after_a_restart, SSR_02_a_report_without_a_restart_leaves_nothing_behind) {
  {
    const auto context = finalized(queried(network));
    auto graph = bound(context, "net", in, out);
    control().fail_call(Slot::graph_execute, 1, 1007, false, sim::FaultRestart::never);
    EXPECT_EQ(error_of(graph.execute()).code, 1007);
    EXPECT_EQ(error_of(graph.execute()).kind, Errc::dead) << "nobody can know that it lives";
    EXPECT_GT(control().counters().pd_used_bytes[0], 0u);
  }
  EXPECT_EQ(control().counters().live_contexts, 0u);
  EXPECT_EQ(control().counters().pd_used_bytes[0], 0u);
  EXPECT_LT(difference(finalized(queried(network)), network), tolerance);
}

TEST_F(after_a_restart, SSR_02_one_that_looked_like_no_room_is_told_by_the_next_execution) {
  const auto old = restored(network);
  auto graph = bound(old, "net", in, out);
  control().fail_call(Slot::context_create_from_binary, 1, 1002, false, sim::FaultRestart::always);
  auto refused = Context<Finalized>::restore(backend(), binary(network));
  EXPECT_EQ(error_of(refused).code, 1002);
  EXPECT_EQ(error_of(graph.execute()).code, 1007);
  EXPECT_EQ(error_of(graph.execute()).kind, Errc::dead);
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

TEST_F(after_a_restart, SSR_01_that_finalize_tells_of_all_is_given_back) {
  auto context = queried(network);
  auto weights = weights_for(context);
  auto registered_context =
      must(std::move(context).register_buffers({.weights = std::move(weights)}));
  control().reset_counters();
  restart_at_the_next(Slot::context_finalize);
  EXPECT_EQ(error_of(std::move(registered_context).finalize()).code, 1007);
  EXPECT_EQ(calls(Slot::mem_de_register), 1u);
  // Two more contexts look whether its number is marked (RES-05).
  EXPECT_EQ(calls(Slot::context_free), calls(Slot::context_create_from_binary) + 1);
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

TEST_F(after_a_restart, SSR_01_that_a_deregistration_tells_of_the_context_is_freed_once) {
  {
    const auto context = finalized(queried(network));
    auto memory = must(
        SharedBuffer<PerTensor>::allocate(allocator(), std::vector<TensorSpec>{network.spec("x")}));
    auto io = must(RegisteredTensors::create(context, memory));
    control().reset_counters();
    restart_at_the_next(Slot::mem_de_register);
    EXPECT_EQ(error_of(std::move(io).close()).code, 1007);
  }
  EXPECT_EQ(calls(Slot::context_free), 1u);
}

TEST_F(after_a_restart, SSR_01_that_giving_buffers_back_tells_of_the_context_is_freed_once) {
  {
    auto context = queried(network);
    auto weights = weights_for(context);
    const auto registered_context =
        must(std::move(context).register_buffers({.weights = std::move(weights)}));
    control().reset_counters();
    restart_at_the_next(Slot::mem_de_register);
  }
  EXPECT_EQ(calls(Slot::mem_de_register), 1u);
  EXPECT_EQ(calls(Slot::context_free), 1u);
}

TEST_F(after_a_restart, SSR_01_what_was_made_while_the_failing_call_ran_lives) {
  const auto old = restored(network);
  const detail::Epoch& epoch = qnnpp::detail::Access::block(old)->epoch;
  const std::uint64_t before_the_call = epoch.contexts_created();
  const auto made_meanwhile = restored(network);
  epoch.record(1007, before_the_call);
  EXPECT_TRUE(epoch.has_ended());
  EXPECT_FALSE(qnnpp::detail::Access::block(made_meanwhile)->epoch.has_ended());
  epoch.record(1007, before_the_call);
  EXPECT_EQ(qnnpp::detail::Access::block(backend())->restart_log->restarts(), 1u)
      << "reported twice";
  EXPECT_LT(difference(made_meanwhile, network), tolerance);
}

TEST_F(after_a_restart, SSR_01_the_error_says_what_to_do) {
  const auto context = restored(network);
  auto graph = bound(context, "net", in, out);
  restart_at_the_next(Slot::graph_execute);
  (void)graph.execute();
  EXPECT_EQ(error_of(graph.execute()).message(),
            "net: QnnGraph_execute: the DSP restarted and this object's handles are "
            "invalid; create the object again");
}

}}  // namespace support
