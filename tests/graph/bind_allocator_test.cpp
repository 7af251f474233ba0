// Binding to memory that is allocated and registered for the graph, and access to its tensors.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fixture.hpp"
#include "registered.hpp"
#include "steps.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class graph_bind_allocator : public StepsTest {
 protected:
  void SetUp() override {
    StepsTest::SetUp();
    if (HasFatalFailure()) return;
    contexts_.push_back(context_of({net, raw_net}));
  }
  void TearDown() override {
    contexts_.clear();
    StepsTest::TearDown();
  }
  const Context<Finalized>& context() const { return contexts_.front(); }

  template <class Io = RegisteredIo>
  Graph<Bound, Io> bound(const std::string& name = "step") const {
    return must(graph<Io>(context(), name).bind(allocator()));
  }
  TensorSpec spec(const char* name) const { return {.name = name, .dimensions = net.dimensions}; }
  /// Fills the inputs, executes, and checks the output.
  template <class Io>
  void expect_right(Graph<Bound, Io>& bound) const {
    must(write_elements(bound.template input<float>("a"), net.input(0)));
    must(write_elements(bound.template input<float>("b"), net.input(1)));
    ASSERT_TRUE(succeeds(bound.execute()));
    const auto y = must(bound.template output<float>("y"));
    EXPECT_LT(largest_difference(y, net.reference({net.input(0), net.input(1)})), tolerance);
  }

  const Step net{.inputs = {"a", "b"}};
  const Step raw_net{.name = "raw", .inputs = {"a", "b"}, .io = c_api::TensorMemType::raw};

 private:
  std::vector<Context<Finalized>> contexts_;
};

TEST_F(graph_bind_allocator, gives_every_tensor_memory_in_one_buffer_and_nothing_is_copied) {
  auto graph = bound();
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 1u);
  EXPECT_EQ(control().counters().live_tensor_registrations, 3u);
  expect_right(graph);
  EXPECT_EQ(copied_bytes(), 0u);
}

TEST_F(graph_bind_allocator, says_what_a_graph_prepared_for_raw_memory_keeps_for_nothing) {
  auto graph = bound<AnyIo>("raw");
  expect_right(graph);
  EXPECT_EQ(copied_bytes(), 0u);
  EXPECT_EQ(graph.io_cost().preallocated_bytes_unused, 3 * net.bytes());
}

TEST_F(graph_bind_allocator, gives_the_memory_up_with_the_graph_or_by_unbind) {
  auto retrieved = bound().unbind();
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
  EXPECT_EQ(control().counters().live_tensor_registrations, 0u);
  auto again = must(std::move(retrieved).bind(allocator()));
  expect_right(again);
}

TEST_F(graph_bind_allocator, keeps_the_memory_of_an_open_tensor_when_the_graph_is_destroyed) {
  auto graph = std::optional(bound());
  {
    const auto a = must(graph->input<float>("a"));
    graph.reset();
    EXPECT_EQ(control().counters().live_tensor_registrations, 0u);
    EXPECT_EQ(rpcmem_control().counters().live_allocations, 1u);
    std::ranges::fill(a.elements(), 1.0f);
  }
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(graph_bind_allocator, that_gives_no_memory_is_an_error_and_nothing_is_kept) {
  rpcmem_control().fail_any_call(1, true);
  const Error error = error_of(graph<RegisteredIo>(context(), "step").bind(allocator()));
  rpcmem_control().clear_faults();
  EXPECT_EQ(error.kind, Errc::allocation_failed);
  EXPECT_EQ(control().counters().live_tensor_registrations, 0u);
}

TEST_F(graph_bind_allocator, that_the_backend_refuses_to_register_is_an_error_and_nothing_is_kept) {
  control().fail_call(sim::Slot::mem_register, 1, 8003);
  const Error error = error_of(graph<RegisteredIo>(context(), "step").bind(allocator()));
  EXPECT_EQ(error.code, 8003);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(graph_bind_allocator, opens_tensors_by_their_names_in_the_graph) {
  const auto graph = bound();
  const Error input = error_of(graph.input<float>("y"));
  EXPECT_EQ(input.kind, Errc::unknown_name);
  EXPECT_EQ(input.object, "y");
  EXPECT_EQ(input.detail, "graph step has the inputs a, b");
  EXPECT_EQ(error_of(graph.output<float>("a")).detail, "graph step has the outputs y");
  EXPECT_EQ(error_of(graph.input<std::int32_t>("a")).kind, Errc::type_mismatch);
}

TEST_F(graph_bind_allocator, opens_tensors_of_any_registration_that_the_graph_is_bound_to) {
  const std::vector<std::uint32_t>& shape = net.dimensions;
  const auto in = RegisteredMemory<PerTensor>::make(
      allocator(), context(),
      {{.name = "p", .dimensions = shape}, {.name = "q", .dimensions = shape}});
  const auto out = RegisteredMemory<MultiTensor>::make(allocator(), context(),
                                                       {{.name = "y", .dimensions = shape}});
  auto graph = must(this->graph<RegisteredIo>(context(), "step")
                        .bind({registered("b", in.tensors, "p"), registered("a", in.tensors, "q"),
                               registered(out.tensors, "y")}));
  expect_right(graph);
  EXPECT_TRUE(std::ranges::equal(in.values("p"), net.input(1)));
  EXPECT_TRUE(std::ranges::equal(in.values("q"), net.input(0)));
}

TEST_F(graph_bind_allocator, does_not_open_raw_memory_which_is_the_callers) {
  std::vector<float> a(net.elements()), b(net.elements()), y(net.elements());
  const auto graph =
      must(this->graph<AnyIo>(context(), "raw").bind({raw("a", a), raw("b", b), raw("y", y)}));
  const Error error = error_of(graph.input<float>("a"));
  EXPECT_EQ(error.kind, Errc::raw_memory);
  EXPECT_EQ(error.object, "a");
}

TEST_F(graph_bind_allocator, ORD_19_inputs_that_were_opened_or_bound_count_as_written) {
  auto graph = bound();
  must(graph.input<float>("a"));
  const auto own = RegisteredMemory<MultiTensor>::make(allocator(), context(), {spec("b")});
  must(graph.rebind(own.as("b")));
  EXPECT_TRUE(succeeds(graph.execute()));
  // The caller's own memory needs no access.
  const auto all = RegisteredMemory<MultiTensor>::make(allocator(), context(),
                                                       {spec("a"), spec("b"), spec("y")});
  auto again = must(std::move(graph).unbind().bind(all.tensors));
  EXPECT_TRUE(succeeds(again.execute()));
}

TEST_F(graph_bind_allocator,
       ORD_19_an_input_that_nobody_wrote_is_named_before_the_first_execution) {
  auto graph = bound();
  const Error first = error_of(graph.execute());
  EXPECT_EQ(first.kind, Errc::unwritten_input);
  EXPECT_EQ(first.message(),
            "a: QnnGraph_execute: graph step reads it, but it was never written; open it with "
            "input<T>(\"a\") and write it");
  must(graph.input<float>("a"));
  must(graph.output<float>("y"));
  EXPECT_EQ(error_of(graph.execute()).object, "b");
  EXPECT_EQ(calls(Slot::graph_execute), 0u);
  EXPECT_EQ(error_of(graph.input<int>("b")).kind, Errc::type_mismatch);
  EXPECT_EQ(error_of(graph.execute()).object, "b") << "an access that failed writes nothing";
  must(graph.input<float>("b"));
  EXPECT_TRUE(succeeds(graph.execute()));
}

TEST_F(graph_bind_allocator, ORD_19_memory_that_an_input_gets_by_an_exchange_is_written_or_not) {
  auto graph = bound();
  must(graph.input<float>("a"));
  must(graph.input<float>("b"));
  must(graph.exchange("a", "y"));
  EXPECT_EQ(error_of(graph.execute()).object, "a") << "nothing has written y";
  must(graph.exchange("a", "y"));
  ASSERT_TRUE(succeeds(graph.execute()));
  must(graph.exchange("a", "y"));
  EXPECT_TRUE(succeeds(graph.execute()));
}

}}  // namespace support
