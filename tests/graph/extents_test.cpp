// Dynamic dimensions: a graph is bound at its maximum shape, and set_extents() sets the actual one.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fixture.hpp"
#include "heap.hpp"
#include "registered.hpp"

namespace support { namespace {

using namespace qnnpp;
using Extents = std::vector<std::uint32_t>;

class graph_extents : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    if (!HasFatalFailure()) set(&sim::Config::dynamic_dimensions, 1);
  }
  template <class Io = AnyIo>
  static Graph<Retrieved, Io> retrieved(const Context<Finalized>& context) {
    return must(Graph<Retrieved, Io>::retrieve(context, "net"));
  }
  template <class State>
  RegisteredMemory<MultiTensor> memory_for(const Context<State>& context,
                                           const Network& network) const {
    return RegisteredMemory<MultiTensor>::make(
        allocator(), context, std::vector<TensorSpec>{network.spec("x"), network.spec("y")});
  }
  template <class Io>
  static Extents extents(const Graph<Bound, Io>& graph QNNPP_KEEPS, std::string_view name) {
    const auto found = must(graph.extents(name));
    return {found.begin(), found.end()};
  }

  /// Executes with `rows` rows in registered memory and compares with plain floats.
  template <class Io>
  static void expect_right(Graph<Bound, Io>& bound QNNPP_KEEPS, const Network& network,
                           std::uint32_t rows) {
    SCOPED_TRACE(rows);
    const Network actual = network.with_rows(rows);
    const std::vector<float> in = actual.input(rows);
    ASSERT_TRUE(succeeds(bound.set_extents("x", {rows, network.width})));
    ASSERT_TRUE(succeeds(write_elements(bound.template input<float>("x"), in)));
    ASSERT_TRUE(succeeds(bound.execute()));
    EXPECT_EQ(extents(bound, "y"), actual.io_dimensions());
    const auto opened = must(bound.template output<float>("y"));
    EXPECT_LT(largest_difference(opened, actual.reference(in)), tolerance);
  }
  /// Executes with one number of rows after the other.
  template <class Io>
  static void expect_right(Graph<Bound, Io>& bound QNNPP_KEEPS, const Network& network) {
    for (const std::uint32_t rows : {8u, 3u, 1u, 5u, 8u, 2u}) expect_right(bound, network, rows);
  }

  const Network net{.rows = 8, .io = c_api::TensorMemType::memhandle, .dynamic_rows = true};
  const Network raw_net{.rows = 8, .dynamic_rows = true};
  const Network fixed{.rows = 8, .io = c_api::TensorMemType::memhandle};
};

TEST_F(graph_extents, of_a_restored_graph_compute_what_plain_floats_compute) {
  const auto context = restored(net);
  auto bound = must(retrieved<RegisteredIo>(context).bind(memory_for(context, net).tensors));
  expect_right(bound, net);
}

TEST_F(graph_extents, of_a_deferred_graph_compute_what_plain_floats_compute) {
  const auto context = finalized(queried(net));
  auto bound = must(retrieved<RegisteredIo>(context).bind(allocator()));
  expect_right(bound, net);
}

TEST_F(graph_extents, of_a_composed_graph_compute_what_plain_floats_compute) {
  auto composing = must(Context<Composing>::create(backend()));
  auto graph = compose(composing, net);
  const auto context = must(std::move(composing).finalize());
  EXPECT_EQ(graph.inputs()[0].dynamic_dimensions, net.flags());
  auto bound = must(std::move(graph).bind(memory_for(context, net).tensors));
  expect_right(bound, net);
}

TEST_F(graph_extents, apply_to_registered_memory_that_the_graph_was_not_prepared_for) {
  const auto context = restored(raw_net);
  auto bound = must(retrieved(context).bind(memory_for(context, raw_net).tensors));
  expect_right(bound, raw_net);
}

TEST_F(graph_extents, apply_to_raw_memory_of_the_maximum_whose_rest_stays_as_it_is) {
  for (const Network& network : {raw_net, net}) {
    const auto context = restored(network);
    std::vector<float> in = network.input(), out(network.io_elements());
    auto bound = must(retrieved(context).bind({raw("x", in), raw("y", out)}));
    for (const std::uint32_t rows : {8u, 3u, 5u}) {
      SCOPED_TRACE(rows);
      const Network actual = network.with_rows(rows);
      const std::size_t count = actual.io_elements();
      must(bound.set_extents("x", {rows, network.width}));
      std::fill(out.begin(), out.end(), -7.0f);
      ASSERT_TRUE(succeeds(bound.execute()));
      EXPECT_EQ(extents(bound, "y"), actual.io_dimensions());
      EXPECT_LT(largest_difference(std::span(out).first(count),
                                   actual.reference({in.begin(), in.begin() + long(count)})),
                tolerance);
      for (std::size_t i = count; i < out.size(); ++i) ASSERT_EQ(out[i], -7.0f);
    }
  }
}

TEST_F(graph_extents, are_read_from_the_metadata_as_flags_and_maxima) {
  const auto context = restored(net);
  const auto graph = retrieved(context);
  for (const TensorSpec& tensor : {graph.inputs()[0], graph.outputs()[0]}) {
    EXPECT_EQ(tensor.dimensions, (Extents{8, 32}));
    EXPECT_EQ(tensor.dynamic_dimensions, (std::vector<std::uint8_t>{1, 0}));
    EXPECT_EQ(must(tensor.size_bytes()), net.io_bytes());
  }
  const auto other = retrieved(restored(fixed));
  EXPECT_TRUE(other.inputs()[0].dynamic_dimensions.empty());
}

TEST_F(graph_extents, are_the_maxima_until_they_are_set) {
  const auto context = restored(net);
  const auto memory = memory_for(context, net);
  auto bound = must(retrieved(context).bind(memory.tensors));
  EXPECT_EQ(extents(bound, "x"), net.io_dimensions());
  EXPECT_EQ(extents(bound, "y"), net.io_dimensions());
  memory.fill("x", net.input());
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(memory.values("y"), net.reference(net.input())), tolerance);
  EXPECT_EQ(extents(bound, "y"), net.io_dimensions());
}

TEST_F(graph_extents, of_an_output_are_its_maxima_from_set_extents_to_the_execution) {
  const auto context = restored(net);
  auto bound = must(retrieved(context).bind(memory_for(context, net).tensors));
  must(bound.set_extents("x", {3, 32}));
  EXPECT_EQ(extents(bound, "x"), (Extents{3, 32}));
  EXPECT_EQ(extents(bound, "y"), (Extents{8, 32}));
  must(bound.execute());
  EXPECT_EQ(extents(bound, "y"), (Extents{3, 32}));
  must(bound.execute());
  EXPECT_EQ(extents(bound, "y"), (Extents{3, 32}));
  must(bound.set_extents("x", {5, 32}));
  EXPECT_EQ(extents(bound, "y"), (Extents{8, 32}));
}

TEST_F(graph_extents, bound_again_are_the_maxima) {
  const auto context = restored(net);
  const auto memory = memory_for(context, net);
  auto bound = must(retrieved(context).bind(memory.tensors));
  must(bound.set_extents("x", {3, 32}));
  must(bound.execute());
  auto again = must(std::move(bound).unbind().bind(memory.tensors));
  EXPECT_EQ(extents(again, "x"), net.io_dimensions());
  EXPECT_EQ(extents(again, "y"), net.io_dimensions());
}

TEST_F(graph_extents, stay_after_rebind) {
  const auto context = restored(net);
  const auto first = memory_for(context, net), second = memory_for(context, net);
  auto bound = must(retrieved(context).bind(first.tensors));
  must(bound.set_extents("x", {3, 32}));
  must(bound.rebind(second.as("x")));
  must(bound.rebind(second.as("y")));
  EXPECT_EQ(extents(bound, "x"), (Extents{3, 32}));
  expect_right(bound, net, 3);
  must(bound.rebind(first.as("y")));
  EXPECT_EQ(extents(bound, "y"), (Extents{3, 32}));
}

TEST_F(graph_extents, accesses_and_views_cover_the_actual_elements) {
  const auto context = restored(net);
  const auto memory = memory_for(context, net);
  auto bound = must(retrieved(context).bind(memory.tensors));
  EXPECT_EQ(must(bound.input<float>("x")).size(), 8u * 32);
  must(bound.set_extents("x", {3, 32}));
  const auto in = must(bound.input<float>("x"));
  EXPECT_EQ(in.size(), 3u * 32);
  EXPECT_EQ(must(bound.input<std::byte>("x")).size(), 3u * 32 * sizeof(float));
  const auto view = must(in.view<2>());
  EXPECT_EQ(view.extent(0), 3u);
  EXPECT_EQ(view.extent(1), 32u);
  EXPECT_EQ(&view(2, 31), &in[3 * 32 - 1]);
  EXPECT_EQ(error_of(in.view<3>()).kind, Errc::shape_mismatch);
  EXPECT_EQ(must(memory.memory.access<float>("x", CpuUse::write)).size(), 8u * 32)
      << "the buffer has the memory of the maximum";
  const std::vector<float> whole(net.io_elements());
  const Error error = error_of(write_elements(bound.input<float>("x"), whole));
  EXPECT_EQ(error.kind, Errc::size_mismatch);
  EXPECT_EQ(error.detail, "the tensor has 96 elements, 256 were given");
}

TEST_F(graph_extents, of_an_open_access_stay_when_others_are_set) {
  const auto context = restored(net);
  auto bound = must(retrieved(context).bind(memory_for(context, net).tensors));
  must(bound.set_extents("x", {3, 32}));
  const auto in = must(bound.input<float>("x"));
  must(bound.set_extents("x", {5, 32}));
  EXPECT_EQ(in.size(), 3u * 32);
  EXPECT_EQ(must(in.view<2>()).extent(0), 3u);
}

TEST_F(graph_extents, set_extents_and_execute_allocate_nothing_and_set_extents_calls_nothing) {
  const auto context = restored(net);
  auto bound = must(retrieved(context).bind(memory_for(context, net).tensors));
  must(bound.execute());
  const std::uint64_t calls_before = control().counters().calls;
  {
    const HeapWatch watch(Threads::this_one);
    for (std::uint32_t i = 0; i < 8; ++i) must(bound.set_extents("x", {1 + i, 32}));
  }
  EXPECT_EQ(HeapWatch::allocations(), 0u);
  EXPECT_EQ(control().counters().calls, calls_before);
  {
    const HeapWatch watch(Threads::this_one);
    for (std::uint32_t i = 0; i < 8; ++i) {
      must(bound.set_extents("x", {1 + i, 32}));
      must(bound.execute());
      must(bound.output<float>("y"));
    }
  }
  EXPECT_EQ(HeapWatch::allocations(), 0u);
}

TEST_F(graph_extents, that_the_tensor_cannot_have_are_refused_with_both_sides_and_change_nothing) {
  const auto context = restored(net);
  auto bound = must(retrieved(context).bind(memory_for(context, net).tensors));
  must(bound.set_extents("x", {3, 32}));
  must(bound.execute());
  const auto refusal = [&](const Extents& wanted) {
    const Error error = error_of(bound.set_extents("x", wanted));
    EXPECT_EQ(extents(bound, "x"), (Extents{3, 32}));
    EXPECT_EQ(extents(bound, "y"), (Extents{3, 32}));
    return error;
  };
  for (const Extents& wanted :
       {Extents{0, 32}, {9, 32}, {UINT32_MAX, 32}, {3, 31}, {3, 0}, {3}, {3, 32, 1}, {}}) {
    const Error error = refusal(wanted);
    EXPECT_EQ(error.kind, Errc::shape_mismatch) << to_string(wanted);
    EXPECT_EQ(error.object, "x");
    EXPECT_EQ(error.detail,
              "the graph's tensor is [1 to 8, 32], the extents given are " + to_string(wanted));
  }
  expect_right(bound, net, 3);
}

TEST_F(graph_extents, of_another_name_or_an_output_are_refused) {
  const auto context = restored(net);
  auto bound = must(retrieved(context).bind(memory_for(context, net).tensors));
  for (const Error& error :
       {error_of(bound.set_extents("z", {3, 32})), error_of(bound.extents("z"))}) {
    EXPECT_EQ(error.kind, Errc::unknown_name);
    EXPECT_EQ(error.object, "z");
    EXPECT_STREQ(error.step, "setting extents");
    EXPECT_EQ(error.detail, "graph net has the tensors x, y");
  }
  const Error output = error_of(bound.set_extents("y", {3, 32}));
  EXPECT_EQ(output.kind, Errc::invalid_argument);
  EXPECT_EQ(output.detail,
            "it is an output of graph net, and the execution sets its extents; set the extents of "
            "the inputs");
}

TEST_F(graph_extents, of_a_tensor_without_dynamic_dimensions_are_refused_with_what_to_do) {
  const auto context = restored(fixed);
  auto bound = must(retrieved(context).bind(memory_for(context, fixed).tensors));
  for (const Extents& wanted : {Extents{3, 32}, {8, 32}}) {
    const Error error = error_of(bound.set_extents("x", wanted));
    EXPECT_EQ(error.kind, Errc::invalid_argument);
    EXPECT_EQ(error.object, "x");
    EXPECT_EQ(error.detail,
              "graph net was prepared for [8, 32] alone; pad the data to this shape, or prepare "
              "the graph with dynamic dimensions");
  }
  EXPECT_EQ(extents(bound, "x"), fixed.io_dimensions());
  EXPECT_EQ(extents(bound, "y"), fixed.io_dimensions());
}

TEST_F(graph_extents, above_the_maxima_that_a_backend_writes_open_no_output) {
  const auto context = restored(net);
  auto bound = must(retrieved(context).bind(memory_for(context, net).tensors));
  must(bound.execute());
  // The array that the backend writes.
  const_cast<std::uint32_t&>(must(bound.extents("y"))[0]) = 9;
  const Error error = error_of(bound.output<float>("y"));
  EXPECT_EQ(error.kind, Errc::shape_mismatch);
  EXPECT_EQ(error.object, "y");
  EXPECT_EQ(error.detail,
            "the graph's tensor is [1 to 8, 32], the extents after the execution are [9, 32]");
}

/// Composes y = a + b with the shape [8, 4], whose first dimension is dynamic.
Graph<Retrieved> compose_sum(const Context<Composing>& context) {
  auto graph = must(Graph<Composing>::create(context, "sum"));
  const auto tensor = [&](const char* name, c_api::TensorType kind) {
    return must(graph.add_tensor(
        {.name = name, .kind = kind, .dimensions = {8, 4}, .dynamic_dimensions = {1, 0}}));
  };
  const auto a = tensor("a", c_api::TensorType::app_write);
  const auto b = tensor("b", c_api::TensorType::app_write);
  const auto y = tensor("y", c_api::TensorType::app_read);
  must(graph.add_node({.name = "add", .type = "ElementWiseAdd", .inputs = {a, b}, .outputs = {y}}));
  return must(std::move(graph).finalize());
}

TEST_F(graph_extents, that_contradict_each_other_are_refused_by_the_backend) {
  auto composing = must(Context<Composing>::create(backend()));
  std::vector<float> a(32, 1.0f), b(32, 2.0f), y(32, 0.0f);
  auto bound =
      must(compose_sum(composing).bind({raw("a", a), raw("b", b), raw("y", std::span(y))}));
  must(bound.set_extents("a", {3, 4}));
  const Error error = error_of(bound.execute());
  EXPECT_EQ(error.kind, Errc::qnn);
  EXPECT_EQ(error.code, 6036);
  must(bound.set_extents("b", {3, 4}));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_EQ(extents(bound, "y"), (Extents{3, 4}));
  EXPECT_EQ(y[11], 3.0f);
  EXPECT_EQ(y[12], 0.0f);
}

TEST_F(graph_extents, LOAD_04_cannot_be_dynamic_if_the_backend_does_not_support_it) {
  set(&sim::Config::dynamic_dimensions, 0);
  reload_backend();
  const auto composing = must(Context<Composing>::create(backend()));
  auto graph = must(Graph<Composing>::create(composing, "net"));
  const Error error = error_of(graph.add_tensor(net.spec("x")));
  EXPECT_EQ(error.kind, Errc::capability_missing);
  EXPECT_EQ(error.object, "x");
  EXPECT_EQ(error.detail, std::string("dynamic dimensions: not supported by ") + htp_library);
  EXPECT_EQ(calls(sim::Slot::tensor_create_graph_tensor), 0u);
  must(graph.add_tensor(fixed.spec("x")));
}

TEST_F(graph_extents, of_graphs_in_a_pipeline_are_the_maxima) {
  const auto context = restored(net);
  auto pipeline = must(Pipeline::create(allocator(), {retrieved<RegisteredIo>(context)}));
  must(write_elements(pipeline.input<float>("x"), net.input()));
  ASSERT_TRUE(succeeds(pipeline.execute()));
  EXPECT_LT(largest_difference(must(pipeline.output<float>("y")), net.reference(net.input())),
            tolerance);
}

}}  // namespace support
