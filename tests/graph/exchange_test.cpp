// exchange(): an input and an output change places; tensors that a graph updates in place; tensors
// in a layout of the HTP's own.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/pipeline.hpp"

#include "copies.hpp"
#include "fixture.hpp"
#include "heap.hpp"
#include "registered.hpp"
#include "steps.hpp"

namespace support { namespace {

using namespace qnnpp;

class graph_exchange : public StepsTest {
 protected:
  TensorSpec spec(std::string name) const {
    return {.name = std::move(name), .dimensions = net.dimensions};
  }
  RegisteredMemory<MultiTensor> memory_in(const Context<Finalized>& context,
                                          const std::vector<std::string>& names) const {
    std::vector<TensorSpec> specs;
    for (const std::string& name : names) specs.push_back(spec(name));
    return RegisteredMemory<MultiTensor>::make(allocator(), context, specs);
  }
  const Step net{.inputs = {"state", "x"}, .outputs = {"next"}, .factor = 1.0F};
};

TEST_F(graph_exchange, what_one_execution_wrote_is_what_the_next_one_reads) {
  const auto context = context_of({net});
  const auto memory = memory_in(context, {"state", "x", "next"});
  memory.fill("x", net.input(1));
  memory.fill("state", net.input(2));
  auto bound = must(graph<RegisteredIo>(context, "step").bind(memory.tensors));
  std::vector<float> expected = net.input(2);
  for (int run = 0; run < 5; ++run) {
    ASSERT_TRUE(succeeds(bound.execute()));
    expected = net.reference({expected, net.input(1)});
    {
      const auto next = must(bound.output<float>("next"));
      EXPECT_EQ(std::vector(next.elements().begin(), next.elements().end()), expected);
    }
    must(bound.exchange("state", "next"));
    const auto state = must(bound.input<float>("state"));
    EXPECT_EQ(state[0], expected[0]);
  }
  EXPECT_EQ(copied_bytes(), 0u);
  const std::uint64_t calls_before = control().counters().calls;
  {
    const HeapWatch watch(Threads::this_one);
    for (int run = 0; run < 9; ++run) (void)bound.exchange("state", "next");
  }
  EXPECT_EQ(HeapWatch::allocations(), 0u);
  EXPECT_EQ(control().counters().calls, calls_before);
  EXPECT_EQ(bound.io_cost(), IoCost{});
}

TEST_F(graph_exchange, memory_of_two_registrations_stays_registered_with_its_new_tensor) {
  const auto context = context_of({net});
  auto bound = [&] {
    const auto first = memory_in(context, {"state", "x"});
    const auto second = memory_in(context, {"next"});
    return must(graph<RegisteredIo>(context, "step").bind(first.tensors, second.tensors));
  }();
  must(bound.exchange("state", "next"));
  ASSERT_TRUE(succeeds(bound.execute()));
  const auto other = memory_in(context, {"state", "next"});
  must(bound.rebind(other.as("next")));  // The first registration still has x.
  EXPECT_EQ(control().counters().live_tensor_registrations, 5u);
  must(bound.rebind(other.as("state")));
  EXPECT_EQ(control().counters().live_tensor_registrations, 4u) << "the second is given back";
  ASSERT_TRUE(succeeds(bound.execute()));
}

TEST_F(graph_exchange, an_error_changes_nothing) {
  Step other = net;
  other.name = "other";
  other.outputs = {"next", "more"};
  const auto context = context_of({other});
  const auto memory = memory_in(context, {"state", "x", "next", "more"});
  memory.fill("x", net.input(1));
  memory.fill("state", net.input(2));
  auto bound = must(graph<AnyIo>(context, "other").bind(memory.tensors));
  const auto refusal = [&](const char* input, const char* output) {
    const Error error = error_of(bound.exchange(input, output));
    EXPECT_TRUE(succeeds(bound.execute()));
    EXPECT_EQ(memory.values("next"), net.reference({net.input(2), net.input(1)}));
    return error;
  };
  EXPECT_EQ(refusal("none", "next").detail, "graph other has the inputs state, x");
  EXPECT_EQ(refusal("state", "x").detail, "graph other has the outputs next, more");
  must(bound.rebind(registered("x", memory.tensors, "state")));
  const Error shared = error_of(bound.exchange("state", "next"));
  EXPECT_EQ(shared.kind, Errc::overlapping);
  EXPECT_EQ(shared.detail, "it shares bytes with x of graph other; an output must not share bytes");
  must(bound.rebind(memory.as("x")));
  const auto plain = net.input(2);
  must(bound.rebind(raw("state", plain)));
  const Error plain_error = refusal("state", "next");
  EXPECT_EQ(plain_error.kind, Errc::raw_memory);
  EXPECT_EQ(plain_error.object, "state");
}

TEST_F(graph_exchange, all_caches_change_places_in_one_call_or_none) {
  Step two = net;
  two.name = "two";
  two.inputs = {"state", "more"};
  two.outputs = {"next", "next_more"};
  const auto context = context_of({two});
  const auto memory = memory_in(context, {"state", "more", "next", "next_more"});
  auto bound = must(graph<RegisteredIo>(context, "two").bind(memory.tensors));
  const auto address = [](const auto& access) {
    return static_cast<const void*>(access.elements().data());
  };
  const auto places = [&] {
    std::vector<const void*> found;
    for (const char* name : {"state", "more"})
      found.push_back(address(must(bound.input<float>(name))));
    for (const char* name : {"next", "next_more"})
      found.push_back(address(must(bound.output<float>(name))));
    return found;
  };
  const auto before = places();
  must(bound.exchange({{"state", "next"}, {"more", "next_more"}}));
  EXPECT_EQ(places(), (std::vector{before[2], before[3], before[0], before[1]}));
  const std::vector<std::pair<std::string_view, std::string_view>> wrong{
      {"state", "next"}, {"more", "next"}, {"more", "nothing"}};
  EXPECT_EQ(error_of(bound.exchange(wrong)).kind, Errc::unknown_name);
  EXPECT_EQ(places(), (std::vector{before[2], before[3], before[0], before[1]}));
  must(bound.exchange(std::span(wrong).first(2)));
  EXPECT_EQ(places(), (std::vector{before[0], before[2], before[3], before[1]}));
  must(bound.exchange({}));
}

class graph_of_two : public StepsTest {
 protected:
  /// A context with one graph, whose output is the larger of 0 and its input.
  Context<Finalized> context_of_relu(const TensorSpec& in, const TensorSpec& out) const {
    return context_of_copies(backend(), {{.name = "relu", .inputs = {in}, .outputs = {out}}},
                             "Relu");
  }
};

TEST_F(graph_of_two, tensors_that_differ_are_not_exchanged) {
  const TensorSpec in{.name = "in",
                      .kind = c_api::TensorType::app_write,
                      .data_type = c_api::DataType::ufixed_point_8,
                      .dimensions = {4, 4},
                      .quantisation = {0.5F, 0}};
  TensorSpec out = in;
  out.name = "out";
  out.kind = c_api::TensorType::app_read;
  out.quantisation = {0.25F, 0};
  const auto context = context_of_relu(in, out);
  auto bound = must(graph<RegisteredIo>(context, "relu").bind(allocator()));
  const Error scale = error_of(bound.exchange("in", "out"));
  EXPECT_EQ(scale.kind, Errc::type_mismatch);
  EXPECT_EQ(scale.detail,
            "the graph's tensor has scale 0.25, offset 0, the memory has scale 0.5, offset 0");
}

TEST_F(graph_of_two, each_memory_keeps_its_actual_extents_through_an_exchange) {
  set(&sim::Config::dynamic_dimensions, 1);
  reload_backend();
  const auto rows = [](const char* name, c_api::TensorType kind) {
    return TensorSpec{
        .name = name, .kind = kind, .dimensions = {4, 8}, .dynamic_dimensions = {1, 0}};
  };
  const auto context = context_of_copies(backend(),
                                         {{.name = "relu",
                                           .inputs = {rows("a", c_api::TensorType::app_write),
                                                      rows("b", c_api::TensorType::app_write)},
                                           .outputs = {rows("a2", c_api::TensorType::app_read),
                                                       rows("b2", c_api::TensorType::app_read)}}},
                                         "Relu");
  auto bound = must(graph<RegisteredIo>(context, "relu").bind(allocator()));
  const auto extents = [&](const char* name) {
    const auto found = must(bound.extents(name));
    return std::vector(found.begin(), found.end());
  };
  const std::vector<std::uint32_t> two{2, 8};
  for (const char* input : {"a", "b"}) {
    must(bound.set_extents(input, two));
    must(write_elements(bound.input<float>(input), std::vector<float>(16, 3.0F)));
  }
  for (int run = 0; run < 2; ++run) {
    ASSERT_TRUE(succeeds(bound.execute()));
    must(bound.exchange("a", "a2"));
    EXPECT_EQ(extents("b2"), two);
    must(bound.exchange("b", "b2"));
    for (const char* input : {"a", "b"}) {
      EXPECT_EQ(extents(input), two);
      const auto read = must(bound.input<float>(input));
      EXPECT_EQ(std::vector(read.elements().begin(), read.elements().end()),
                std::vector<float>(16, 3.0F));
    }
  }
  must(bound.set_extents("a", {3, 8}));
  must(bound.exchange("a", "a2"));
  must(bound.exchange("a", "a2"));
  EXPECT_EQ(extents("a"), (std::vector<std::uint32_t>{3, 8}));
}

TEST_F(graph_of_two, an_input_is_not_exchanged_with_an_output_whose_extents_alone_change) {
  set(&sim::Config::dynamic_dimensions, 1);
  reload_backend();
  const TensorSpec in{.name = "in", .kind = c_api::TensorType::app_write, .dimensions = {4, 8}};
  TensorSpec out = in;
  out.name = "out";
  out.kind = c_api::TensorType::app_read;
  TensorSpec in2 = in, out2 = out;
  in2.name = "in2", out2.name = "out2";
  in2.dynamic_dimensions = out2.dynamic_dimensions = {1, 0};
  const auto context = context_of_copies(
      backend(), {{.name = "relu", .inputs = {in, in2}, .outputs = {out, out2}}}, "Relu");
  auto bound = must(graph<RegisteredIo>(context, "relu").bind(allocator()));
  const Error error = error_of(bound.exchange("in", "out2"));
  EXPECT_EQ(error.kind, Errc::shape_mismatch);
  EXPECT_EQ(error.detail, "other dimensions of it are dynamic than of in");
}

TEST_F(graph_of_two, tensors_of_different_layouts_share_no_memory) {
  const TensorSpec in{.name = "in",
                      .kind = c_api::TensorType::app_write,
                      .data_type = c_api::DataType::uint_8,
                      .dimensions = {4, 8}};
  TensorSpec out = in;
  out.name = "out";
  out.kind = c_api::TensorType::app_read;
  out.format = c_api::tensor_data_format::hmx_weight_layout;
  const auto context = context_of_relu(in, out);
  auto bound = must(graph<RegisteredIo>(context, "relu").bind(allocator()));
  const Error error = error_of(bound.exchange("in", "out"));
  EXPECT_EQ(error.kind, Errc::type_mismatch);
  EXPECT_EQ(error.detail, "the graph's tensor has data format 8, the memory has 0");
  TensorSpec dense = out;
  dense.format = c_api::tensor_data_format::dense;
  const auto memory =
      RegisteredMemory<MultiTensor>::make(allocator(), context, std::vector<TensorSpec>{in, dense});
  EXPECT_EQ(error_of(graph<RegisteredIo>(context, "relu").bind(memory.tensors)).kind,
            Errc::type_mismatch);
  std::vector<Graph<Retrieved, RegisteredIo>> chain;
  chain.push_back(graph<RegisteredIo>(context, "relu"));
  chain.push_back(graph<RegisteredIo>(context, "relu"));
  const Error wire =
      error_of(Pipeline::create(allocator(), std::move(chain),
                                {.wires = {{.from = 0, .output = "out", .to = 1, .input = "in"}}}));
  EXPECT_EQ(wire.kind, Errc::type_mismatch);
}

TEST_F(graph_of_two, memory_that_states_another_quantisation_is_not_exchanged) {
  TensorSpec in{.name = "in",
                .kind = c_api::TensorType::app_write,
                .data_type = c_api::DataType::uint_8,
                .dimensions = {4, 4}};
  TensorSpec out = in;
  out.name = "out";
  out.kind = c_api::TensorType::app_read;
  in.quantisation = {0.5F, 0};
  const auto context = context_of_relu(in, out);
  out.quantisation = {0.25F, 0};
  const auto memory =
      RegisteredMemory<MultiTensor>::make(allocator(), context, std::vector<TensorSpec>{in, out});
  auto bound = must(graph<RegisteredIo>(context, "relu").bind(memory.tensors));
  EXPECT_EQ(error_of(bound.exchange("in", "out")).kind, Errc::type_mismatch);
}

TEST_F(graph_of_two, a_cache_that_the_graph_updates_may_be_one_memory) {
  const TensorSpec in{.name = "in", .kind = c_api::TensorType::app_readwrite, .dimensions = {4, 8}};
  TensorSpec out = in;
  out.name = "out";
  const auto context = context_of_relu(in, out);
  const auto relu = graph<RegisteredIo>(context, "relu");
  EXPECT_EQ(relu.inputs().front().kind, c_api::TensorType::app_readwrite);
  const auto memory =
      RegisteredMemory<MultiTensor>::make(allocator(), context, std::vector<TensorSpec>{in});
  const std::vector in_place{registered("in", memory.tensors, "in"),
                             registered("out", memory.tensors, "in")};
  auto bound = must(graph<RegisteredIo>(context, "relu").bind(in_place));
  memory.fill("in", std::vector<float>(32, -1.0F));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_EQ(memory.values("in"), std::vector<float>(32, 0.0F));
  must(bound.exchange("in", "out"));
  must(bound.rebind(in_place[1]));
  ASSERT_TRUE(succeeds(bound.execute()));

  // Bytes that are shared in part are no update in place; nor do other graphs update anything.
  const auto apart = must(
      SharedBuffer<MultiTensor>::from_region(must(MemRegion<TensorIo>::allocate(allocator(), 4096)),
                                             {{in, 0}, {out, 64}}, Overlap::allowed));
  const auto tensors = must(RegisteredTensors::create(context, apart));
  EXPECT_EQ(error_of(graph<RegisteredIo>(context, "relu").bind(tensors)).kind, Errc::overlapping);
  must(bound.rebind(registered("out", tensors, "out")));
  EXPECT_EQ(error_of(bound.rebind(registered("in", tensors, "in"))).kind, Errc::overlapping);
}

TEST_F(graph_of_two, an_input_that_is_no_cache_shares_no_bytes_with_an_output) {
  const TensorSpec in{.name = "in", .kind = c_api::TensorType::app_write, .dimensions = {4, 8}};
  TensorSpec out = in;
  out.name = "out";
  out.kind = c_api::TensorType::app_readwrite;
  const auto context = context_of_relu(in, out);
  const auto memory =
      RegisteredMemory<MultiTensor>::make(allocator(), context, std::vector<TensorSpec>{in});
  EXPECT_EQ(error_of(graph<RegisteredIo>(context, "relu")
                         .bind(std::vector{registered("in", memory.tensors, "in"),
                                           registered("out", memory.tensors, "in")}))
                .kind,
            Errc::overlapping);
}

TEST_F(graph_of_two, a_tensor_in_the_layout_of_hmx_weights_is_bound_whole) {
  TensorSpec in{.name = "in",
                .kind = c_api::TensorType::app_write,
                .data_type = c_api::DataType::uint_8,
                .format = c_api::tensor_data_format::hmx_weight_layout,
                .dimensions = {4, 8}};
  TensorSpec out = in;
  out.name = "out";
  out.kind = c_api::TensorType::app_read;
  const auto context = context_of_relu(in, out);
  auto relu = graph<RegisteredIo>(context, "relu");
  EXPECT_EQ(relu.inputs().front().format, c_api::tensor_data_format::hmx_weight_layout);
  auto bound = must(std::move(relu).bind(allocator()));
  const Error error = error_of(bound.input<std::uint8_t>("in"));
  EXPECT_EQ(error.kind, Errc::type_mismatch);
  EXPECT_EQ(error.detail,
            "its data format is 8, a layout of the HTP's own; only its bytes can be used");
  {
    const auto bytes = must(bound.input<std::byte>("in"));
    EXPECT_EQ(error_of(bytes.view<2>()).kind, Errc::type_mismatch);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i);
  }
  ASSERT_TRUE(succeeds(bound.execute()));
  must(bound.exchange("in", "out"));
  const auto bytes = must(bound.input<std::byte>("in"));
  EXPECT_EQ(bytes.size(), 32u);
  EXPECT_EQ(bytes[31], std::byte{31});
}

}}  // namespace support
