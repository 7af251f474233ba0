// The code of docs/tensor-memory.md, in the order of the document.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/tensor_arena.hpp"
#include "qnnpp/throw.hpp"

#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;

/// A camera of one frame.
struct Camera {
  struct Frame {
    int fd = -1;
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] Frame next() const { return {memory.fd(), memory.size_bytes()}; }
  void back(const Frame&) { ++returned; }

  DmaBuffer memory;
  int returned = 0;
};

class the_document_on_tensor_memory : public LoadedTest {
 protected:
  const Network net{.io = c_api::TensorMemType::memhandle};
  const std::vector<float> pixels = net.input();
};

TEST_F(the_document_on_tensor_memory, shows_a_graph_that_copies_nothing) {
  const RpcmemAllocator& rpcmem = allocator();
  const Context<Finalized> context = restored(net);

  auto graph = value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(context, "net"));
  auto memory =
      value_or_throw(SharedBuffer<MultiTensor>::allocate(rpcmem, graph.inputs(), graph.outputs()));
  auto io = value_or_throw(RegisteredTensors::create(context, memory));
  auto bound = value_or_throw(std::move(graph).bind(io));
  // std::move(graph).bind({raw("x", pixels)});
  //     raw memory is copied at every inference; bind registered memory or use AnyIo

  value_or_throw(write_elements(memory.access<float>("x", CpuUse::write), pixels));
  value_or_throw(bound.execute());
  auto y = value_or_throw(memory.access<const float>("y", CpuUse::read));
  float first = value_or_throw(y.view<2>())(0, 0);

  EXPECT_NEAR(first, net.reference(pixels)[0], tolerance);
  EXPECT_EQ(control().counters().copied_in_bytes + control().counters().copied_out_bytes, 0u);
}

TEST_F(the_document_on_tensor_memory, shows_a_graph_that_is_bound_in_one_call) {
  const RpcmemAllocator& rpcmem = allocator();
  const Context<Finalized> context = restored(net);

  auto graph = value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(context, "net"));
  auto bound = value_or_throw(std::move(graph).bind(rpcmem));  // registers memory for each tensor
  value_or_throw(write_elements(bound.input<float>("x"), pixels));
  value_or_throw(bound.execute());
  auto y = value_or_throw(bound.output<float>("y"));

  EXPECT_LT(largest_difference(y, net.reference(pixels)), tolerance);
  EXPECT_EQ(control().counters().copied_in_bytes + control().counters().copied_out_bytes, 0u);
}

TEST_F(the_document_on_tensor_memory, shows_what_a_mismatch_costs) {
  const Context<Finalized> context = restored(net);
  std::vector<float> scores(net.io_elements());

  auto graph = value_or_throw(Graph<Retrieved>::retrieve(context, "net"));
  auto bound = value_or_throw(std::move(graph).bind({raw("x", pixels), raw("y", scores)}));
  const IoCost cost = bound.io_cost();
  // cost.copied_bytes_per_inference, .allocated_bytes_at_first_inference,
  // .preallocated_bytes_unused

  EXPECT_EQ(cost, (IoCost{2 * net.io_bytes(), 2 * net.io_bytes(), 0}));
}

TEST_F(the_document_on_tensor_memory, shows_a_ring_of_buffers) {
  const RpcmemAllocator& rpcmem = allocator();
  const Context<Finalized> context = restored(net);
  auto graph = value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(context, "net"));
  const std::vector<TensorSpec> image = {graph.inputs()[0]};
  auto bound = value_or_throw(std::move(graph).bind(rpcmem));

  std::vector<Binding<RegisteredIo>> frames;
  for (int i = 0; i < 3; ++i) {
    auto frame = value_or_throw(SharedBuffer<PerTensor>::allocate(rpcmem, image));
    auto tensors = value_or_throw(RegisteredTensors::create(context, frame));
    frames.push_back(registered(tensors, "x"));  // keeps the memory alive
  }

  value_or_throw(bound.rebind(frames[1]));
  value_or_throw(write_elements(bound.input<float>("x"), pixels));
  value_or_throw(bound.execute());

  const auto y = value_or_throw(bound.output<float>("y"));
  EXPECT_LT(largest_difference(y, net.reference(pixels)), tolerance);
}

TEST_F(the_document_on_tensor_memory, shows_a_buffer_of_two_contexts) {
  const RpcmemAllocator& rpcmem = allocator();
  const Network first{.name = "first", .io = c_api::TensorMemType::memhandle};
  const Network second{.name = "second", .seed = 2, .io = c_api::TensorMemType::memhandle};
  const Context<Finalized> encoder = restored(first);
  const Context<Finalized> decoder = restored(second);
  auto encode = value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(encoder, "first"));
  auto decode = value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(decoder, "second"));
  std::vector<TensorSpec> tensors = {encode.inputs()[0], encode.outputs()[0], decode.outputs()[0]};
  tensors[2].name = "z";

  auto memory = value_or_throw(SharedBuffer<MultiTensor>::allocate(rpcmem, tensors));
  auto written = value_or_throw(RegisteredTensors::create(encoder, memory));
  auto read = value_or_throw(RegisteredTensors::create(decoder, memory));
  auto one =
      value_or_throw(std::move(encode).bind({registered(written, "x"), registered(written, "y")}));
  auto two = value_or_throw(
      std::move(decode).bind({registered("x", read, "y"), registered("y", read, "z")}));

  value_or_throw(write_elements(memory.access<float>("x", CpuUse::write), pixels));
  value_or_throw(one.execute());
  value_or_throw(two.execute());
  const auto z = value_or_throw(memory.access<const float>("z", CpuUse::read));
  EXPECT_LT(largest_difference(z, second.reference(first.reference(pixels))), tolerance);
}

TEST_F(the_document_on_tensor_memory, shows_a_pipeline) {
  const RpcmemAllocator& rpcmem = allocator();
  const Network first{.name = "first", .io = c_api::TensorMemType::memhandle};
  const Network second{.name = "second", .seed = 2, .io = c_api::TensorMemType::memhandle};
  const Context<Finalized> encoder = restored(first);
  const Context<Finalized> decoder = restored(second);

  std::vector<Graph<Retrieved, RegisteredIo>> graphs;
  graphs.push_back(value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(encoder, "first")));
  graphs.push_back(value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(decoder, "second")));
  auto pipeline =
      value_or_throw(Pipeline::create(rpcmem, std::move(graphs),
                                      {.wires = {{.from = 0, .output = "y", .to = 1, .input = "x"}},
                                       .share_bytes = TensorArena::lay_out}));

  value_or_throw(write_elements(pipeline.input<float>("x"), pixels));
  value_or_throw(pipeline.execute());
  auto y = value_or_throw(pipeline.output<float>("y"));

  EXPECT_LT(largest_difference(y, second.reference(first.reference(pixels))), tolerance);
  EXPECT_EQ(control().counters().copied_in_bytes + control().counters().copied_out_bytes, 0u);

  testing::internal::CaptureStdout();
  for (const PipelineTensor& input : pipeline.inputs())
    std::printf("%s: read by graph %zu\n", input.spec.name.c_str(), input.graph);
  for (const Wire& wire : pipeline.wires())
    std::printf("%s of graph %zu: read by graph %zu as %s\n", wire.output.c_str(), wire.from,
                wire.to, wire.input.c_str());
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "x: read by graph 0\ny of graph 0: read by graph 1 as x\n");
}

TEST_F(the_document_on_tensor_memory, shows_a_loop) {
  const RpcmemAllocator& rpcmem = allocator();
  const Network cell{.name = "cell", .io = c_api::TensorMemType::memhandle, .x_name = "state"};
  const Network next{.name = "next",
                     .seed = 2,
                     .io = c_api::TensorMemType::memhandle,
                     .x_name = "y",
                     .y_name = "state"};
  const auto contexts = std::array{restored(cell), restored(next)};
  std::vector<Graph<Retrieved, RegisteredIo>> parts;
  parts.push_back(value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(contexts[0], "cell")));
  parts.push_back(value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(contexts[1], "next")));
  std::vector<float> state = pixels;

  auto loop = value_or_throw(
      Pipeline::create(rpcmem, std::move(parts), {.inputs = {"state"}}));  // "next" makes it too.
  value_or_throw(write_elements(loop.input<float>("state"), state));
  for (int run = 0; run < 3; ++run) {
    value_or_throw(loop.execute());
    value_or_throw(read_elements(loop.output<float>("state"), state));
    value_or_throw(write_elements(loop.input<float>("state"), state));
  }

  std::vector<float> expected = pixels;
  for (int run = 0; run < 3; ++run) expected = next.reference(cell.reference(expected));
  EXPECT_LT(largest_difference(state, expected), tolerance);
}

TEST_F(the_document_on_tensor_memory, shows_memory_of_the_application) {
  const Context<Finalized> context = restored(net);
  const TensorSpec spec = net.spec("x");
  Camera camera{value_or_throw(allocator().allocate(net.io_bytes()))};
  const Camera::Frame frame = camera.next();
  {
    auto buffer = value_or_throw(DmaBuffer::from_native(frame.fd, frame.bytes, {},
                                                        [&camera, frame] { camera.back(frame); }));
    auto region = value_or_throw(MemRegion<TensorIo>::from_buffer(std::move(buffer)));
    auto tensor = value_or_throw(SharedBuffer<PerTensor>::from_region(std::move(region), spec));
    auto input = value_or_throw(RegisteredTensors::create(context, tensor));

    EXPECT_EQ(input.handle_count(), 1u);
    EXPECT_EQ(camera.returned, 0);
  }
  EXPECT_EQ(camera.returned, 1);
}

TEST_F(the_document_on_tensor_memory, shows_access_by_the_CPU) {
  auto memory = value_or_throw(
      SharedBuffer<MultiTensor>::allocate(allocator(), std::vector<TensorSpec>{net.spec("x")}));

  {
    auto x = value_or_throw(memory.access<float>("x", CpuUse::write));
    for (float& value : x.elements()) value = 0.0f;
  }  // What was written is visible to the HTP from here on.

  EXPECT_EQ(value_or_throw(memory.access<float>("x", CpuUse::read))[1], 0.0f);
}

}}  // namespace support
