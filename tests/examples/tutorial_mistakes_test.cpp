// Mistakes in code that follows QNN's pages: the device's answers in plain C, and tests that qnnpp
// does not make these mistakes (docs/from-the-tutorial.md).
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "qnnpp/core/detail/access.hpp"

#include "fixture.hpp"
#include "recorder.hpp"

namespace support { namespace {

using namespace qnnpp;

/// Returns the specs of two tensors of a graph.
std::vector<TensorSpec> specs() {
  const Network network;
  return {network.spec("x"), network.spec("y")};
}

class tutorial_mistakes : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    if (HasFatalFailure()) return;
    recorded_.push_back(must(load_recorder()));
    const Network network{.io = c_api::TensorMemType::memhandle};
    context_.push_back(must(Context<Finalized>::restore(recorded_.front(), binary(network))));
  }
  void TearDown() override {
    context_.clear();
    recorded_.clear();
    LoadedTest::TearDown();
  }

  const Backend<Htp>& recorded() const { return recorded_.front(); }
  const Context<Finalized>& context() const { return context_.front(); }
  void drop_context() { context_.clear(); }

  /// Call QnnMem_register and QnnMem_deRegister as C does.
  std::uint64_t mem_register(const c_api::MemDescriptor& descriptor,
                             c_api::MemHandle& handle) const {
    const auto slot = backend().provider().find<&c_api::InterfaceTable::mem_register>();
    return (*slot)(context().native(), &descriptor, 1, &handle) & 0xFFFFu;
  }

 private:
  std::vector<Backend<Htp>> recorded_;
  std::vector<Context<Finalized>> context_;
};

/// Arguments of QnnMem_register and QnnGraph_addNode, as the recorder sees them.
struct Seen {
  static inline std::vector<c_api::MemDescriptor> descriptors;
  static inline std::vector<c_api::HtpMemDescriptor> custom;
  static inline std::vector<c_api::Tensor> created;
  static inline std::vector<c_api::Tensor> in_nodes;

  static void clear() {
    descriptors.clear();
    custom.clear();
    created.clear();
    in_nodes.clear();
  }
  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (!entering) return;
    if (slot == static_cast<std::size_t>(sim::Slot::mem_register)) {
      const auto* first = argument<const c_api::MemDescriptor*>(arguments, 1);
      for (std::uint32_t i = 0; i < argument<std::uint32_t>(arguments, 2); ++i) {
        descriptors.push_back(first[i]);
        if (first[i].mem_type == c_api::MemType::custom)
          custom.push_back(*static_cast<const c_api::HtpMemDescriptor*>(first[i].custom_info));
      }
    }
    if (slot == static_cast<std::size_t>(sim::Slot::tensor_create_graph_tensor))
      created.push_back(*argument<c_api::Tensor*>(arguments, 1));
    if (slot == static_cast<std::size_t>(sim::Slot::graph_add_node)) {
      const auto& node = argument<c_api::OpConfig>(arguments, 1).v1;
      in_nodes.insert(in_nodes.end(), node.input_tensors, node.input_tensors + node.num_of_inputs);
      in_nodes.insert(in_nodes.end(), node.output_tensors,
                      node.output_tensors + node.num_of_outputs);
    }
  }
};

// ---- 1: offset and size of the buffer are not set

TEST_F(tutorial_mistakes, SHB_01_an_offset_and_a_size_that_were_never_set_are_refused_by_QNN) {
  expect_misuse();
  const auto buffer = must(SharedBuffer<MultiTensor>::allocate(allocator(), specs()));
  c_api::HtpMemDescriptor custom;
  std::memset(&custom, 0xA5, sizeof custom);  // random contents of the stack
  custom.type = c_api::HtpMemType::shared_buffer;
  custom.shared_buffer_config.fd = qnnpp::detail::Access::block(buffer)->memory.front()->fd;
  TensorSpec x = specs().front();
  c_api::MemDescriptor descriptor;
  std::memset(&descriptor, 0, sizeof descriptor);
  descriptor.mem_shape.num_dim = static_cast<std::uint32_t>(x.dimensions.size());
  descriptor.mem_shape.dim_size = x.dimensions.data();
  descriptor.data_type = x.data_type;
  descriptor.mem_type = c_api::MemType::custom;
  descriptor.custom_info = &custom;
  c_api::MemHandle handle = nullptr;
  EXPECT_NE(mem_register(descriptor, handle), 0u);
  EXPECT_EQ(control().counters().live_tensor_registrations, 0u);
}

TEST_F(tutorial_mistakes, SHB_01_size_and_offsets_are_those_of_the_buffer_and_its_tensors) {
  const auto buffer = must(SharedBuffer<MultiTensor>::allocate(allocator(), specs()));
  Seen::clear();
  const Recording recording(&Seen::hook);
  const auto tensors = must(RegisteredTensors::create(context(), buffer));
  ASSERT_EQ(Seen::custom.size(), 2u);
  std::set<std::uint64_t> told, placed;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(Seen::custom[i].type, c_api::HtpMemType::shared_buffer);
    EXPECT_EQ(Seen::custom[i].size, buffer.size_bytes());
    told.insert(Seen::custom[i].shared_buffer_config.offset);
    placed.insert(buffer.tensors()[i].offset_bytes);
  }
  EXPECT_EQ(told, placed);
  EXPECT_EQ(placed.size(), 2u);
}

// ---- 2: the result of registering is checked after deregistering

TEST_F(tutorial_mistakes, SHB_04_what_was_not_registered_is_not_given_back) {
  const auto buffer = must(SharedBuffer<PerTensor>::allocate(allocator(), specs()));
  control().reset_counters();
  control().fail_call(sim::Slot::mem_register, 1, 8003);
  EXPECT_EQ(error_of(RegisteredTensors::create(context(), buffer)).code, 8003);
  EXPECT_EQ(calls(sim::Slot::mem_de_register), 0u);
}

TEST_F(tutorial_mistakes, SHB_04_what_was_registered_is_given_back_in_one_call_and_its_error_told) {
  const auto buffer = must(SharedBuffer<PerTensor>::allocate(allocator(), specs()));
  control().reset_counters();
  auto tensors = must(RegisteredTensors::create(context(), buffer));
  control().fail_call(sim::Slot::mem_de_register, 1, 8001);
  const Error error = error_of(std::move(tensors).close());
  EXPECT_EQ(error.code, 8001);
  EXPECT_STREQ(error.step, "QnnMem_deRegister");
  EXPECT_EQ(calls(sim::Slot::mem_de_register), 1u) << "never again";
}

// ---- 3: a failure at tensor k frees memory whose earlier handles remain registered

TEST_F(tutorial_mistakes, SHB_03_handles_that_a_failure_leaves_behind_are_counted_by_the_device) {
  expect_misuse();
  {
    const auto buffer = must(SharedBuffer<PerTensor>::allocate(allocator(), specs()));
    TensorSpec x = specs().front();
    c_api::MemDescriptor descriptor;
    std::memset(&descriptor, 0, sizeof descriptor);
    descriptor.mem_shape.num_dim = static_cast<std::uint32_t>(x.dimensions.size());
    descriptor.mem_shape.dim_size = x.dimensions.data();
    descriptor.data_type = x.data_type;
    descriptor.mem_type = c_api::MemType::ion;
    descriptor.ion_info.fd = qnnpp::detail::Access::block(buffer)->memory[0]->fd;
    c_api::MemHandle first = nullptr, second = nullptr;
    ASSERT_EQ(mem_register(descriptor, first), 0u);
    descriptor.ion_info.fd = -1;
    EXPECT_NE(mem_register(descriptor, second), 0u);
  }  // Frees the memory of both tensors, without deregistering the first handle.
  EXPECT_EQ(control().counters().live_tensor_registrations, 1u);
  drop_context();
  EXPECT_EQ(control().counters().left_registrations, 1u);
  control().reset_counters();
}

TEST_F(tutorial_mistakes, SHB_03_BUF_06_a_failure_leaves_no_handle_and_the_memory_where_it_is) {
  const auto buffer = must(SharedBuffer<PerTensor>::allocate(allocator(), specs()));
  set(&sim::Config::max_mappings, 1);  // no room for the second tensor
  EXPECT_EQ(error_of(RegisteredTensors::create(context(), buffer)).kind, Errc::qnn);
  EXPECT_EQ(control().counters().live_tensor_registrations, 0u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 2u) << "the buffer's owner frees it";
  set(&sim::Config::max_mappings, 0);
  const auto again = must(RegisteredTensors::create(context(), buffer));
  EXPECT_EQ(control().counters().live_tensor_registrations, 2u);
}

// ---- 4: -1 as a size

TEST_F(tutorial_mistakes, ORD_02_a_size_that_could_not_be_asked_for_allocates_nothing) {
  rpcmem_control().reset_counters();
  control().fail_call(sim::Slot::context_get_property, 1, 5000);
  const auto weights = Context<Deferred>::create(backend(), binary(Network{}))
                           .and_then(transition::query)
                           .and_then([&](Context<Queried> asked) {
                             return MemRegion<Weights>::allocate(allocator(), asked.requirements());
                           });
  EXPECT_EQ(error_of(weights).code, 5000);
  EXPECT_EQ(rpcmem_control().counters().allocations, 0u);
}

// ---- 6: the hint for registered memory

TEST_F(tutorial_mistakes, QMEM_05_the_hint_is_in_the_tensors_and_in_the_nodes_with_no_handle) {
  Seen::clear();
  const Recording recording(&Seen::hook);
  const auto composing = must(Context<Composing>::create(recorded()));
  auto graph = must(Graph<Composing, RegisteredIo>::create(composing, "positive"));
  std::vector<TensorSpec> io = specs();
  std::vector<GraphTensor> tensors;
  for (TensorSpec& spec : io) {
    spec.mem_type = c_api::TensorMemType::raw;  // the kind of the graph overrides this
    tensors.push_back(must(graph.add_tensor(spec)));
  }
  must(graph.add_node(
      {.name = "relu", .type = "Relu", .inputs = {tensors[0]}, .outputs = {tensors[1]}}));
  (void)must(std::move(graph).finalize());
  ASSERT_EQ(Seen::created.size(), 2u);
  ASSERT_EQ(Seen::in_nodes.size(), 2u);
  for (const auto* seen : {&Seen::created, &Seen::in_nodes})
    for (const c_api::Tensor& tensor : *seen) {
      EXPECT_EQ(tensor.v1.mem_type, c_api::TensorMemType::memhandle);
      EXPECT_EQ(tensor.v1.mem_handle, nullptr);
    }
}

}}  // namespace support
