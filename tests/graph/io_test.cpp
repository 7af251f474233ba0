// The four ways to prepare and to execute a graph: the cost of each, as qnnpp computes it and as
// the device counts it (QMEM-01 to QMEM-04).
#include <string>
#include <vector>

#include "fixture.hpp"
#include "registered.hpp"
#include "steps.hpp"

namespace support { namespace {

using namespace qnnpp;
constexpr auto for_raw = c_api::TensorMemType::raw;
constexpr auto for_handles = c_api::TensorMemType::memhandle;

class graph_io : public StepsTest {
 protected:
  static Step step(c_api::TensorMemType prepared, std::vector<std::uint32_t> dimensions = {4, 8}) {
    return {.inputs = {"a", "b"},
            .outputs = {"y"},
            .factor = 3.0f,
            .dimensions = std::move(dimensions),
            .io = prepared};
  }
  static std::vector<TensorSpec> specs_of(const Graph<Retrieved>& graph) {
    std::vector<TensorSpec> specs = graph.inputs();
    specs.insert(specs.end(), graph.outputs().begin(), graph.outputs().end());
    return specs;
  }

  /// Checks one row of the table: for every shape of the tensors, the device copies the bytes that
  /// io_cost() reports.
  void expect_costs(c_api::TensorMemType prepared, bool registered) {
    for (const auto& dimensions :
         {std::vector<std::uint32_t>{1}, {3, 5}, {4, 8}, {2, 1, 3, 7}, {1000}}) {
      const Step net = step(prepared, dimensions);
      SCOPED_TRACE(to_string(dimensions));
      const std::uint64_t in_bytes = 2 * net.bytes();
      const std::uint64_t out_bytes = net.bytes();
      const auto context = context_of({net});
      auto retrieved = graph<AnyIo>(context, "step");
      const auto memory =
          RegisteredMemory<MultiTensor>::make(allocator(), context, specs_of(retrieved));
      const std::vector<float> a = net.input(0);
      const std::vector<float> b = net.input(1);
      std::vector<float> y(net.elements());
      memory.fill("a", a);
      memory.fill("b", b);
      auto bound =
          must(registered ? std::move(retrieved).bind(memory.tensors)
                          : std::move(retrieved).bind({raw("a", a), raw("b", b), raw("y", y)}));
      const IoCost cost = bound.io_cost();
      sim::Counters before = control().counters();
      EXPECT_EQ(before.io_preallocated_bytes, prepared == for_raw ? in_bytes + out_bytes : 0u);
      EXPECT_EQ(before.io_at_execution_bytes, 0u);
      const std::uint64_t set_aside = before.io_preallocated_bytes;
      for (int inference = 1; inference <= 3; ++inference) {
        ASSERT_TRUE(succeeds(bound.execute()));
        const sim::Counters now = control().counters();
        const std::uint64_t in = now.copied_in_bytes - before.copied_in_bytes;
        const std::uint64_t out = now.copied_out_bytes - before.copied_out_bytes;
        EXPECT_EQ(in, registered ? 0 : in_bytes);
        EXPECT_EQ(out, registered ? 0 : out_bytes);
        EXPECT_EQ(cost.copied_bytes_per_inference, in + out);
        EXPECT_EQ(cost.allocated_bytes_at_first_inference, now.io_at_execution_bytes)
            << "the first inference allocates, those after it do not";
        EXPECT_EQ(now.io_preallocated_bytes, set_aside);
        EXPECT_EQ(cost.preallocated_bytes_unused, in + out == 0 ? now.io_preallocated_bytes : 0u);
        const auto result = registered ? memory.values("y") : y;
        EXPECT_LT(largest_difference(result, net.reference({a, b})), tolerance);
        before = now;
      }
    }
  }
  /// Returns the error of retrieving `net` for one kind of memory.
  template <class Io>
  Error refused(const Step& net) {
    const auto context = context_of({net});
    return error_of(Graph<Retrieved, Io>::retrieve(context, "step"));
  }
};

TEST_F(graph_io, QMEM_01_a_graph_prepared_raw_and_run_raw_copies_and_allocates_nothing_more) {
  expect_costs(for_raw, false);
}

TEST_F(graph_io, QMEM_02_a_graph_prepared_raw_and_run_registered_copies_nothing_and_wastes_memory) {
  expect_costs(for_raw, true);
}

TEST_F(graph_io, QMEM_03_a_graph_prepared_for_registered_memory_and_run_raw_copies_and_allocates) {
  expect_costs(for_handles, false);
}

TEST_F(graph_io, QMEM_04_a_graph_prepared_for_registered_memory_and_run_registered_costs_nothing) {
  expect_costs(for_handles, true);
}

TEST_F(graph_io, the_costs_of_the_four_rows_are_those_of_the_table) {
  constexpr std::uint64_t n = 100;
  EXPECT_EQ(IoCost::of(for_raw, false, n), (IoCost{n, 0, 0}));
  EXPECT_EQ(IoCost::of(for_raw, true, n), (IoCost{0, 0, n}));
  EXPECT_EQ(IoCost::of(for_handles, false, n), (IoCost{n, n, 0}));
  EXPECT_EQ(IoCost::of(for_handles, true, n), (IoCost{0, 0, 0}));
  IoCost sum{1, 2, 3};
  sum += {10, 20, 30};
  EXPECT_EQ(sum, (IoCost{11, 22, 33}));
}

TEST_F(graph_io, QMEM_01_a_raw_graph_takes_raw_memory_and_runs) {
  const Step net = step(for_raw);
  const auto context = context_of({net});
  const auto a = net.input(0);
  const auto b = net.input(1);
  std::vector<float> y(net.elements());
  auto bound = must(graph<RawIo>(context, "step").bind({raw("a", a), raw("b", b), raw("y", y)}));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_EQ(bound.io_cost(), (IoCost{3 * net.bytes(), 0, 0}));
  EXPECT_LT(largest_difference(y, net.reference({a, b})), tolerance);
}

TEST_F(graph_io, QMEM_01_raw_bindings_made_at_run_time_are_taken_too) {
  const Step net = step(for_raw);
  const auto context = context_of({net});
  const auto a = net.input();
  std::vector<float> y(net.elements());
  std::vector<Binding<RawIo>> bindings{raw("a", a), raw("b", a)};
  bindings.push_back(raw("y", y));
  auto bound = must(graph<RawIo>(context, "step").bind(bindings));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(y, net.reference({a, a})), tolerance);
}

TEST_F(graph_io, QMEM_02_a_graph_prepared_raw_is_not_retrieved_for_registered_memory) {
  const Step net = step(for_raw);
  const Error error = refused<RegisteredIo>(net);
  EXPECT_EQ(error.kind, Errc::memory_type_mismatch);
  EXPECT_EQ(error.object, "a") << "the first of them";
  EXPECT_STREQ(error.step, "retrieving a graph");
  EXPECT_EQ(error.detail,
            "graph step was prepared for raw memory here and keeps a copy of 128 bytes");
}

TEST_F(graph_io, QMEM_03_a_graph_prepared_for_registered_memory_is_not_retrieved_for_raw_memory) {
  const Error error = refused<RawIo>(step(for_handles));
  EXPECT_EQ(error.kind, Errc::memory_type_mismatch);
  EXPECT_EQ(error.object, "a");
  EXPECT_EQ(error.detail,
            "graph step was prepared for registered memory here; the first raw inference allocates "
            "128 bytes");
}

TEST_F(graph_io, QMEM_04_a_graph_for_registered_memory_takes_it_and_runs) {
  const Step net = step(for_handles);
  const auto context = context_of({net});
  auto retrieved = graph<RegisteredIo>(context, "step");
  const auto memory = RegisteredMemory<MultiTensor>::make(
      allocator(), context, {retrieved.inputs()[0], retrieved.inputs()[1], retrieved.outputs()[0]});
  memory.fill("a", net.input(0));
  memory.fill("b", net.input(1));
  auto bound = must(std::move(retrieved).bind({memory.as("a"), memory.as("y"), memory.as("b")}));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_EQ(bound.io_cost(), IoCost{});
  EXPECT_EQ(copied_bytes(), 0u);
  EXPECT_LT(largest_difference(memory.values("y"), net.reference({net.input(0), net.input(1)})),
            tolerance);
}

TEST_F(graph_io, QMEM_04_registered_bindings_made_at_run_time_are_taken_too) {
  const Step net = step(for_handles);
  const auto context = context_of({net});
  auto retrieved = graph<RegisteredIo>(context, "step");
  const auto memory = RegisteredMemory<PerTensor>::make(
      allocator(), context, {retrieved.inputs()[0], retrieved.inputs()[1], retrieved.outputs()[0]});
  std::vector<Binding<RegisteredIo>> bindings{memory.as("a"), memory.as("b"), memory.as("y")};
  EXPECT_TRUE(succeeds(std::move(retrieved).bind(bindings)));
}

TEST_F(graph_io, QMEM_02_QMEM_03_a_mixed_preparation_is_refused_by_both_kinds_naming_the_tensor) {
  Step net = step(for_handles);
  net.otherwise = {"b"};
  EXPECT_EQ(refused<RegisteredIo>(net).object, "b");
  EXPECT_EQ(refused<RawIo>(net).object, "a");
  net.otherwise = {"y"};
  const Error at_the_output = refused<RegisteredIo>(net);
  EXPECT_EQ(at_the_output.kind, Errc::memory_type_mismatch);
  EXPECT_EQ(at_the_output.object, "y");
}

TEST_F(graph_io, QMEM_02_QMEM_03_a_mixed_preparation_costs_what_each_tensor_costs) {
  Step net = step(for_handles);
  net.otherwise = {"b"};
  const std::uint64_t bytes = net.bytes();
  const auto context = context_of({net});
  auto retrieved = graph<AnyIo>(context, "step");
  const auto memory =
      RegisteredMemory<MultiTensor>::make(allocator(), context, specs_of(retrieved));
  const auto in = net.input();
  std::vector<float> y(net.elements());
  memory.fill("b", in);
  // a: prepared for_handles, executed raw. b: prepared raw, executed registered. y: memhandle in
  // both.
  auto bound = must(std::move(retrieved).bind({raw("a", in), memory.as("b"), memory.as("y")}));
  EXPECT_EQ(bound.io_cost(), (IoCost{bytes, bytes, bytes}));
  ASSERT_TRUE(succeeds(bound.execute()));
  const sim::Counters counters = control().counters();
  EXPECT_EQ(counters.copied_in_bytes, bytes);
  EXPECT_EQ(counters.copied_out_bytes, 0u);
  EXPECT_EQ(counters.io_at_execution_bytes, bytes);
  EXPECT_EQ(counters.io_preallocated_bytes, bytes);
}

TEST_F(graph_io, the_cost_after_unbinding_and_binding_again_is_that_of_the_new_memory) {
  const Step net = step(for_handles);
  const auto context = context_of({net});
  auto retrieved = graph<AnyIo>(context, "step");
  const auto memory =
      RegisteredMemory<MultiTensor>::make(allocator(), context, specs_of(retrieved));
  const auto in = net.input();
  std::vector<float> y(net.elements());
  const IoCost all{3 * net.bytes(), 3 * net.bytes(), 0};
  const auto bind_raw = [&](Graph<Retrieved> graph) {
    return must(std::move(graph).bind({raw("a", in), raw("b", in), raw("y", y)}));
  };
  auto by_raw = bind_raw(std::move(retrieved));
  EXPECT_EQ(by_raw.io_cost(), all);
  auto by_handles = must(std::move(by_raw).unbind().bind(memory.tensors));
  EXPECT_EQ(by_handles.io_cost(), IoCost{});
  EXPECT_EQ(bind_raw(std::move(by_handles).unbind()).io_cost(), all);
}

TEST_F(graph_io, a_composed_graph_is_retrieved_by_the_kind_it_was_composed_for) {
  auto composing = must(Context<Composing>::create(backend()));
  compose(composing, step(for_handles));
  const auto composed = must(std::move(composing).finalize());
  EXPECT_TRUE(succeeds(Graph<Retrieved, RegisteredIo>::retrieve(composed, "step")));
  EXPECT_EQ(error_of(Graph<Retrieved, RawIo>::retrieve(composed, "step")).kind,
            Errc::memory_type_mismatch);
}

TEST_F(graph_io, a_refused_graph_lets_go_of_its_context) {
  EXPECT_EQ(refused<RegisteredIo>(step(for_raw)).kind, Errc::memory_type_mismatch);
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

}}  // namespace support
