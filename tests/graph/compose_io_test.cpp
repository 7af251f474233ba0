// Memory type of a graph's inputs and outputs while it is composed: as the C functions receive it
// (QMEM-05), and as a serialised context returns it.
#include <map>
#include <span>
#include <string>
#include <vector>

#include "fixture.hpp"
#include "recorder.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

/// Tensors that the C functions receive, by name.
struct Seen {
  struct Memory {
    c_api::TensorMemType type;
    const void* handle;  ///< or the address of a constant
    bool operator==(const Memory&) const = default;
  };
  static inline std::multimap<std::string, Memory> created;
  static inline std::multimap<std::string, Memory> in_nodes;

  static void add(std::multimap<std::string, Memory>& to, const c_api::Tensor& tensor) {
    const bool has_handle = tensor.v1.mem_type == c_api::TensorMemType::memhandle;
    to.insert({tensor.v1.name,
               {tensor.v1.mem_type, has_handle ? static_cast<const void*>(tensor.v1.mem_handle)
                                               : tensor.v1.client_buf.data}});
  }
  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (!entering) return;
    if (slot == static_cast<std::size_t>(Slot::tensor_create_graph_tensor))
      add(created, *argument<c_api::Tensor*>(arguments, 1));
    if (slot != static_cast<std::size_t>(Slot::graph_add_node)) return;
    const c_api::OpConfigV1& node = argument<c_api::OpConfig>(arguments, 1).v1;
    for (const c_api::Tensor& tensor : std::span(node.input_tensors, node.num_of_inputs))
      add(in_nodes, tensor);
    for (const c_api::Tensor& tensor : std::span(node.output_tensors, node.num_of_outputs))
      add(in_nodes, tensor);
    for (const c_api::Param& param : std::span(node.params, node.num_of_params))
      if (param.param_type == c_api::ParamType::tensor) add(in_nodes, param.tensor_param);
  }
};

class graph_compose_io : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    if (HasFatalFailure()) return;
    recorder_.push_back(must(load_recorder()));
  }
  void TearDown() override {
    recorder_.clear();
    LoadedTest::TearDown();
  }

  /// Composes out = relu(in), turned by a constant parameter. The `said` arguments are the memory
  /// types in the specs of the input, the output and the tensor in between. Returns the serialised
  /// context.
  template <class Io>
  std::vector<std::byte> compose(c_api::TensorMemType said_of_in,
                                 c_api::TensorMemType said_of_out) {
    const Recording recording(&Seen::hook);
    Seen::created.clear();
    Seen::in_nodes.clear();
    auto context = must(Context<Composing>::create(recorder_.front()));
    auto graph = must(Graph<Composing, Io>::create(context, "g"));
    const auto in = must(graph.add_tensor({.name = "in",
                                           .kind = c_api::TensorType::app_write,
                                           .dimensions = {2, 3},
                                           .mem_type = said_of_in}));
    const auto between =
        must(graph.add_tensor({.name = "between", .dimensions = {2, 3}, .mem_type = said_of_in}));
    const auto perm = must(graph.add_static({.name = "perm",
                                             .data_type = c_api::DataType::uint_32,
                                             .dimensions = {2},
                                             .mem_type = said_of_in},
                                            std::as_bytes(std::span(order_))));
    const auto out = must(graph.add_tensor({.name = "out",
                                            .kind = c_api::TensorType::app_read,
                                            .dimensions = {3, 2},
                                            .mem_type = said_of_out}));
    must(graph.add_node({.name = "relu", .type = "Relu", .inputs = {in}, .outputs = {between}}));
    must(graph.add_node({.name = "turn",
                         .type = "Transpose",
                         .inputs = {between},
                         .outputs = {out},
                         .params = {{"perm", perm}}}));
    const Graph<Retrieved, Io> made = must(std::move(graph).finalize());
    in_of_graph = made.inputs()[0].mem_type;
    out_of_graph = made.outputs()[0].mem_type;
    const auto composed = must(std::move(context).finalize());
    return must(composed.serialize());
  }
  /// Expects the memory types that QNN receives for the input and the output, and raw for every
  /// other tensor.
  void expect_told(c_api::TensorMemType in, c_api::TensorMemType out) const {
    const auto raw = c_api::TensorMemType::raw;
    using Tensors = std::multimap<std::string, Seen::Memory>;
    const void* const perm = order_;
    EXPECT_EQ(Seen::created, (Tensors{{"in", {in, nullptr}},
                                      {"out", {out, nullptr}},
                                      {"between", {raw, nullptr}},
                                      {"perm", {raw, perm}}}));
    EXPECT_EQ(Seen::in_nodes, (Tensors{{"in", {in, nullptr}},
                                       {"between", {raw, nullptr}},
                                       {"between", {raw, nullptr}},
                                       {"perm", {raw, perm}},
                                       {"out", {out, nullptr}}}));
    EXPECT_EQ(in_of_graph, in);
    EXPECT_EQ(out_of_graph, out);
  }
  /// Expects that a context from the binary reports how its graph was prepared.
  void expect_kept(std::vector<std::byte> binary, c_api::TensorMemType in,
                   c_api::TensorMemType out) const {
    const auto context = must(Context<Finalized>::restore(backend(), own(std::move(binary))));
    const auto graph = must(Graph<Retrieved>::retrieve(context, "g"));
    EXPECT_EQ(graph.inputs()[0].mem_type, in);
    EXPECT_EQ(graph.outputs()[0].mem_type, out);
    const bool shared = Graph<Retrieved, RegisteredIo>::retrieve(context, "g").has_value();
    const bool raw = Graph<Retrieved, RawIo>::retrieve(context, "g").has_value();
    EXPECT_EQ(shared, in == for_handles && out == for_handles);
    EXPECT_EQ(raw, in == for_raw && out == for_raw);
  }

  static constexpr auto for_raw = c_api::TensorMemType::raw;
  static constexpr auto for_handles = c_api::TensorMemType::memhandle;
  c_api::TensorMemType in_of_graph{};
  c_api::TensorMemType out_of_graph{};

 private:
  std::vector<Backend<Htp>> recorder_;
  std::uint32_t order_[2] = {1, 0};
};

TEST_F(graph_compose_io,
       QMEM_05_a_graph_for_registered_memory_says_memhandle_of_its_inputs_and_outputs_alone) {
  auto binary = compose<RegisteredIo>(for_raw, for_raw);
  expect_told(for_handles, for_handles);
  expect_kept(std::move(binary), for_handles, for_handles);
}

TEST_F(graph_compose_io, QMEM_05_a_raw_graph_says_raw_of_every_tensor) {
  auto binary = compose<RawIo>(for_handles, for_handles);
  expect_told(for_raw, for_raw);
  expect_kept(std::move(binary), for_raw, for_raw);
}

TEST_F(graph_compose_io, QMEM_05_a_graph_of_any_memory_says_what_each_spec_says) {
  auto binary = compose<AnyIo>(for_handles, for_raw);
  expect_told(for_handles, for_raw);
  expect_kept(std::move(binary), for_handles, for_raw);
  binary = compose<AnyIo>(for_raw, for_handles);
  expect_told(for_raw, for_handles);
  expect_kept(std::move(binary), for_raw, for_handles);
}

TEST_F(graph_compose_io,
       QMEM_05_a_graph_for_registered_memory_that_was_composed_runs_in_registered_memory) {
  auto context = must(Context<Composing>::create(backend()));
  auto graph = must(Graph<Composing, RegisteredIo>::create(context, "g"));
  const auto x = must(
      graph.add_tensor({.name = "x", .kind = c_api::TensorType::app_write, .dimensions = {4}}));
  const auto y =
      must(graph.add_tensor({.name = "y", .kind = c_api::TensorType::app_read, .dimensions = {4}}));
  must(graph.add_node({.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}}));
  auto retrieved = must(std::move(graph).finalize());
  const auto composed = must(std::move(context).finalize());
  const auto memory = must(
      SharedBuffer<MultiTensor>::allocate(allocator(), retrieved.inputs(), retrieved.outputs()));
  const auto tensors = must(RegisteredTensors::create(composed, memory));
  auto bound = must(std::move(retrieved).bind(tensors));
  {
    const auto input = must(memory.access<float>("x", CpuUse::write));
    input[2] = -3.0f;
    input[3] = 3.0f;
  }
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_EQ(must(memory.access<float>("y", CpuUse::read))[2], 0.0f);
  EXPECT_EQ(must(memory.access<float>("y", CpuUse::read))[3], 3.0f);
  EXPECT_EQ(bound.io_cost(), IoCost{});
  EXPECT_EQ(control().counters().io_preallocated_bytes, 0u);
  EXPECT_EQ(control().counters().copied_in + control().counters().copied_out, 0u);
}

TEST_F(graph_compose_io, QMEM_05_a_raw_graph_that_was_composed_runs_in_raw_memory) {
  auto context = must(Context<Composing>::create(backend()));
  auto graph = must(Graph<Composing, RawIo>::create(context, "g"));
  const auto x = must(
      graph.add_tensor({.name = "x", .kind = c_api::TensorType::app_write, .dimensions = {2}}));
  const auto y =
      must(graph.add_tensor({.name = "y", .kind = c_api::TensorType::app_read, .dimensions = {2}}));
  must(graph.add_node({.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}}));
  const std::vector<float> in{-1, 1};
  std::vector<float> out(2);
  auto bound = must(must(std::move(graph).finalize()).bind({raw("x", in), raw("y", out)}));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_EQ(out, (std::vector<float>{0, 1}));
  EXPECT_EQ(control().counters().io_preallocated_bytes, 16u);
}

}}  // namespace support
