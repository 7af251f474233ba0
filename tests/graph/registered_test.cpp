// Tensor memory registered with a context: used in place, deregistered once, and kept while it is
// needed (ION-01 to ION-04).
#include "registered.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "qnnpp/core/detail/access.hpp"

#include "contracts.hpp"
#include "fixture.hpp"
#include "recorder.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class registered_tensor : public LoadedTest {
 protected:
  RegisteredMemory<> registered_as(const Context<Finalized>& context,
                                   const TensorSpec& spec) const {
    return RegisteredMemory<>::make(allocator(), context, {spec});
  }

  const Network network{.io = c_api::TensorMemType::memhandle};
};

TEST_F(registered_tensor, ION_01_a_graph_runs_in_registered_memory_and_nothing_is_copied) {
  const auto context = finalized(queried(network));
  const auto x = registered_as(context, network.spec("x"));
  const auto y = registered_as(context, network.spec("y"));
  x.fill("x", network.input());
  auto graph = must(must(Graph<Retrieved>::retrieve(context, "net")).bind({x.as("x"), y.as("y")}));
  for (int round = 0; round < 3; ++round) {
    y.fill("y", std::vector<float>(network.io_elements(), -1.0f));
    ASSERT_TRUE(succeeds(graph.execute()));
    EXPECT_LT(largest_difference(y.values("y"), network.reference(network.input())), tolerance);
  }
  const sim::Counters counters = control().counters();
  EXPECT_EQ(counters.copied_in, 0u);
  EXPECT_EQ(counters.copied_out, 0u);
  EXPECT_EQ(counters.in_place, 6u);
  EXPECT_EQ(counters.io_at_execution_bytes, 0u);
}

TEST_F(registered_tensor, ION_01_raw_memory_is_copied_in_and_out) {
  const auto context = restored(Network{});
  EXPECT_LT(difference(context, Network{}), tolerance);
  const sim::Counters counters = control().counters();
  EXPECT_EQ(counters.copied_in, 1u);
  EXPECT_EQ(counters.copied_out, 1u);
  EXPECT_EQ(counters.in_place, 0u);
}

/// Tensors of the last execution.
struct Executed {
  static inline std::vector<c_api::TensorV1> inputs;
  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (!entering || slot != static_cast<std::size_t>(Slot::graph_execute)) return;
    inputs.clear();
    const auto* all = argument<const c_api::Tensor*>(arguments, 1);
    for (std::uint32_t i = 0; i < argument<std::uint32_t>(arguments, 2); ++i)
      inputs.push_back(all[i].v1);
  }
};

TEST_F(registered_tensor, ION_01_the_tensor_carries_the_handle_and_says_so) {
  auto from = binary(network);
  const auto recorder = must(load_recorder());
  const auto context = must(Context<Finalized>::restore(recorder, std::move(from)));
  const auto x = registered_as(context, network.spec("x"));
  std::vector<float> out(network.io_elements());
  const Recording recording(&Executed::hook);
  auto graph =
      must(must(Graph<Retrieved>::retrieve(context, "net")).bind({x.as("x"), raw("y", out)}));
  ASSERT_TRUE(succeeds(graph.execute()));
  ASSERT_EQ(Executed::inputs.size(), 1u);
  EXPECT_EQ(Executed::inputs[0].mem_type, c_api::TensorMemType::memhandle);
  EXPECT_EQ(Executed::inputs[0].mem_handle, must(x.tensors.native("x")));
}

TEST_F(registered_tensor, registered_and_raw_memory_go_together) {
  const auto context = restored(Network{});
  const auto x = registered_as(context, Network{}.spec("x"));
  x.fill("x", Network{}.input());
  std::vector<float> out(network.io_elements());
  auto graph =
      must(must(Graph<Retrieved>::retrieve(context, "net")).bind({x.as("x"), raw("y", out)}));
  ASSERT_TRUE(succeeds(graph.execute()));
  EXPECT_LT(largest_difference(out, network.reference(network.input())), tolerance);
  EXPECT_EQ(control().counters().in_place, 1u);
  EXPECT_EQ(control().counters().copied_out, 1u);
}

TEST_F(registered_tensor, ION_02_memory_is_registered_with_a_composed_context_too) {
  auto composing = must(Context<Composing>::create(backend()));
  auto graph = compose(composing, network);
  const auto composed = must(std::move(composing).finalize());
  const auto x = RegisteredMemory<>::make(allocator(), composed, {network.spec("x")});
  x.fill("x", network.input());
  std::vector<float> out(network.io_elements());
  auto bound = must(std::move(graph).bind({x.as("x"), raw("y", out)}));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(out, network.reference(network.input())), tolerance);
}

TEST_F(registered_tensor, ION_02_memory_without_a_context_is_refused_by_QNN) {
  // The types require a finalized context; the C function accepts any handle.
  const auto memory = must(allocator().allocate(network.io_bytes()));
  std::vector<std::uint32_t> shape = network.io_dimensions();
  c_api::MemDescriptor descriptor{};
  descriptor.mem_shape.num_dim = 2;
  descriptor.mem_shape.dim_size = shape.data();
  descriptor.data_type = c_api::DataType::float_32;
  descriptor.mem_type = c_api::MemType::ion;
  descriptor.ion_info.fd = memory.fd();
  c_api::MemHandle handle = nullptr;
  const auto reg = *backend().provider().find<&c_api::InterfaceTable::mem_register>();
  EXPECT_EQ(reg(nullptr, &descriptor, 1, &handle) & 0xFFFF, 8001u);
}

TEST_F(registered_tensor, ION_03_each_tensor_has_a_descriptor_and_a_handle_of_its_own) {
  const auto context = restored(network);
  const auto x = registered_as(context, network.spec("x"));
  const auto y = registered_as(context, network.spec("y"));
  EXPECT_NE(must(x.tensors.native("x")), must(y.tensors.native("y")));
  EXPECT_NE(qnnpp::detail::Access::block(x.memory)->memory[0]->fd,
            qnnpp::detail::Access::block(y.memory)->memory[0]->fd);
  EXPECT_EQ(control().counters().live_tensor_registrations, 2u);
}

TEST_F(registered_tensor, ION_03_one_buffer_for_two_tensors_is_refused_before_any_call) {
  const auto context = restored(network);
  const auto memory = must(allocator().allocate(network.io_bytes()));
  const auto lent = [&](const char* tensor) {
    auto region = must(MemRegion<TensorIo>::from_buffer(must(DmaBuffer::from_native(
        memory.fd(), memory.size_bytes(), {.fd = FdUse::duplicate, .needs_sync = false}))));
    return must(SharedBuffer<PerTensor>::from_region(std::move(region), network.spec(tensor)));
  };
  const auto x = must(RegisteredTensors::create(context, lent("x")));
  const Error error = error_of(RegisteredTensors::create(context, lent("y")));
  EXPECT_EQ(error.kind, Errc::already_registered);
  EXPECT_EQ(error.object, "y");
  EXPECT_NE(error.detail.find("net.bin"), std::string::npos);
  EXPECT_EQ(calls(Slot::mem_register), 1u);
}

TEST_F(registered_tensor, ION_04_memory_of_a_failed_registration_is_freed) {
  const auto context = restored(network);
  control().fail_call(Slot::mem_register, 1, 8003);
  const Error error = error_of([&] {
    const auto memory = must(
        SharedBuffer<PerTensor>::allocate(allocator(), std::vector<TensorSpec>{network.spec("x")}));
    return RegisteredTensors::create(context, memory);
  }());
  EXPECT_EQ(error.code, 8003);
  EXPECT_EQ(error.object, "x");
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
  EXPECT_EQ(calls(Slot::mem_de_register), 0u);
}

TEST_F(registered_tensor, ION_04_a_registration_is_given_back_once_and_before_its_memory) {
  const auto context = restored(network);
  {
    const auto x = registered_as(context, network.spec("x"));
  }
  EXPECT_EQ(calls(Slot::mem_de_register), 1u);
  EXPECT_EQ(control().counters().mapped_fds, 0u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(registered_tensor, ION_04_close_deregisters_and_returns_the_error_of_the_call) {
  const auto context = restored(network);
  auto x = registered_as(context, network.spec("x"));
  EXPECT_TRUE(succeeds(std::move(x.tensors).close()));
  EXPECT_EQ(calls(Slot::mem_de_register), 1u);
  auto y = registered_as(context, network.spec("y"));
  control().fail_call(Slot::mem_de_register, 1, 8001);
  const Error error = error_of(std::move(y.tensors).close());
  EXPECT_EQ(error.code, 8001);
  EXPECT_STREQ(error.step, "QnnMem_deRegister");
  EXPECT_EQ(error.object, "y");
  EXPECT_EQ(calls(Slot::mem_de_register), 2u) << "never tried again (SHB-04)";
}

TEST_F(registered_tensor, a_bound_graph_keeps_the_registration_alive) {
  const auto context = finalized(queried(network));
  auto x = std::optional(registered_as(context, network.spec("x")));
  auto y = std::optional(registered_as(context, network.spec("y")));
  x->fill("x", network.input());
  auto graph = std::optional(
      must(must(Graph<Retrieved>::retrieve(context, "net")).bind({x->as("x"), y->as("y")})));
  x.reset();
  y.reset();
  EXPECT_EQ(control().counters().live_tensor_registrations, 2u);
  ASSERT_TRUE(succeeds(graph->execute()));
  EXPECT_LT(largest_difference(must(graph->output<float>("y")), network.reference(network.input())),
            tolerance);
  graph.reset();
  EXPECT_EQ(control().counters().live_tensor_registrations, 0u);
}

TEST_F(registered_tensor, a_registration_is_in_use_while_a_graph_is_bound_to_it) {
  const auto context = restored(network);
  auto x = registered_as(context, network.spec("x"));
  std::vector<float> out(network.io_elements());
  auto graph = std::optional(
      must(must(Graph<Retrieved>::retrieve(context, "net")).bind({x.as("x"), raw("y", out)})));
  EXPECT_EQ(error_of(std::move(x.tensors).close()).kind, Errc::in_use);
  EXPECT_EQ(control().counters().live_tensor_registrations, 1u);
  graph.reset();
  EXPECT_EQ(control().counters().live_tensor_registrations, 0u);
}

TEST_F(registered_tensor, a_tensor_is_bound_under_another_name) {
  const auto context = restored(network);
  TensorSpec spec = network.spec("x");
  spec.name = "mine";
  const auto mine = registered_as(context, spec);
  mine.fill("mine", network.input());
  std::vector<float> out(network.io_elements());
  auto graph = must(must(Graph<Retrieved>::retrieve(context, "net"))
                        .bind({registered("x", mine.tensors, "mine"), raw("y", out)}));
  ASSERT_TRUE(succeeds(graph.execute()));
  EXPECT_LT(largest_difference(out, network.reference(network.input())), tolerance);
}

class registered_tensor_death : public registered_tensor {};

TEST_F(registered_tensor_death, ORD_09_a_consumed_registration_ends_the_program) {
  const auto context = restored(network);
  auto x = registered_as(context, network.spec("x"));
  const auto kept = [&] { return std::move(x); }();
  EXPECT_CONTRACT(moved_registration, (void)x.tensors.native("x"));
  EXPECT_CONTRACT(moved_registration, (void)x.tensors.handle_count());
  EXPECT_CONTRACT(moved_registration, (void)x.as("x"));
  EXPECT_CONTRACT(moved_registration,
                  (void)Graph<Retrieved>::retrieve(context, "net").value().bind(x.tensors));
  EXPECT_CONTRACT(moved_registration, (void)std::move(x.tensors).close());
  EXPECT_TRUE(succeeds(kept.tensors.native("x")));
}

}}  // namespace support
