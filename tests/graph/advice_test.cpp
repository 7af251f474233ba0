// What errors of QNN advise, end to end: each cause that qnnpp can exclude is left out.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class advice : public LoadedTest {
 protected:
  static bool says(const Error& error, std::string_view words) {
    return error.message().find(words) != std::string::npos;
  }
  /// Fails the next call of `slot` with `code` and restores a network.
  Error refused(Slot slot, std::uint32_t code) const {
    auto bytes = binary(net);
    control().fail_call(slot, 1, code);
    return error_of(Context<Finalized>::restore(backend(), std::move(bytes)));
  }
  Network net;
};

TEST_F(advice, of_1002_of_a_raw_execution_is_to_bind_registered_memory) {
  const auto context = restored(net);
  const std::vector<float> in = net.input();
  std::vector<float> out(net.io_elements());
  auto graph =
      must(must(Graph<Retrieved>::retrieve(context, net.name)).bind({raw("x", in), raw("y", out)}));
  control().fail_call(Slot::graph_execute, 1, 1002);
  const Error error = error_of(graph.execute());
  EXPECT_TRUE(says(error, "MEM_ALLOC: QNN's copies of raw tensors do not fit; bind registered "))
      << error.message();
  EXPECT_FALSE(says(error, "fewer graphs")) << error.message();
  EXPECT_FALSE(says(error, "leave the weights")) << error.message();
}

TEST_F(advice, of_1002_of_a_registered_execution_speaks_of_no_copies) {
  net.io = c_api::TensorMemType::memhandle;
  const auto context = restored(net);
  auto graph =
      must(must(Graph<Retrieved, RegisteredIo>::retrieve(context, net.name)).bind(allocator()));
  (void)must(graph.input<float>("x"));
  control().fail_call(Slot::graph_execute, 1, 1002);
  const Error error = error_of(graph.execute());
  EXPECT_TRUE(says(error, "MEM_ALLOC: the device has no memory for the execution; "))
      << error.message();
}

TEST_F(advice, of_1002_of_a_load_frees_other_contexts_only_if_there_are_some) {
  set(&sim::Config::pd_count, 1);
  auto bytes = binary(net);
  set(&sim::Config::pd_budget_bytes, 4096);
  const Error alone = error_of(Context<Finalized>::restore(backend(), std::move(bytes)));
  EXPECT_TRUE(says(alone,
                   "; end other processes that use the HTP, or split the model into smaller "
                   "contexts"))
      << alone.message();
  control().reset_config();
  const auto other = restored(net);
  const Error second = refused(Slot::context_create_from_binary, 1002);
  EXPECT_TRUE(says(second, "; free other contexts")) << second.message();
  EXPECT_FALSE(says(second, "fewer graphs")) << "it has one: " << second.message();
}

TEST_F(advice, of_8003_for_memory_from_rpcmem_does_not_advise_rpcmem) {
  set(&sim::Config::seed, 0);  // A seed draws the code of a refused mapping.
  const auto context = restored(net);
  const std::vector<TensorSpec> tensors{net.spec("x"), net.spec("y")};
  const auto memory = must(SharedBuffer<MultiTensor>::allocate(allocator(), tensors));
  set(&sim::Config::max_mapped_bytes, 1);
  const Error error = error_of(RegisteredTensors::create(context, memory));
  EXPECT_EQ(error.code, 8003);
  EXPECT_FALSE(says(error, "allocate it from rpcmem")) << error.message();
  EXPECT_TRUE(says(error, "domain has no room to map the memory; ")) << error.message();
  const auto other = must(SharedBuffer<MultiTensor>::allocate(MemfdAllocator(), tensors));
  EXPECT_TRUE(says(error_of(RegisteredTensors::create(context, other)), "allocate it from rpcmem"));
}

TEST_F(advice, of_5005_for_a_binary_that_fits_names_room_only) {
  const Error error = refused(Slot::context_create_from_binary, 5005);
  EXPECT_TRUE(says(error, ": no process domain has room; ")) << error.message();
  EXPECT_FALSE(says(error, "another architecture")) << error.message();
}

TEST_F(advice, of_a_binary_for_another_chip_keeps_the_log) {
  auto bytes = binary(net);
  set(&sim::Config::arch, control().config().arch - 4);
  const Error error = error_of(Context<Finalized>::restore(backend(), std::move(bytes)));
  EXPECT_EQ(error.kind, Errc::wrong_architecture);
  EXPECT_FALSE(error.log.empty());
  EXPECT_TRUE(says(error, "prepare the binary for this device (log: ")) << error.message();
}

TEST_F(advice, of_codes_of_a_creation_is_to_check_the_binary) {
  for (const std::uint32_t code : {5000u, 5007u, 30002u, 30010u}) {
    const Error error = refused(Slot::context_create_from_binary, code);
    EXPECT_TRUE(says(error, "the binary is damaged, truncated or no context binary"))
        << error.message();
    EXPECT_TRUE(says(error, "check or replace the file")) << error.message();
    EXPECT_FALSE(says(error, "newer SDK")) << "they were compared: " << error.message();
    EXPECT_FALSE(says(error, "libQnnSystem.so of")) << error.message();
  }
}

TEST_F(advice, of_calls_that_compose_names_ops_packages_and_nodes) {
  const auto context = must(Context<Composing>::create(backend(), {.name = "online"}));
  auto graph = must(Graph<Composing>::create(context, "graph"));
  const auto x = must(
      graph.add_tensor({.name = "x", .kind = c_api::TensorType::app_write, .dimensions = {2, 3}}));
  const auto y = must(
      graph.add_tensor({.name = "y", .kind = c_api::TensorType::app_read, .dimensions = {2, 3}}));
  const NodeSpec relu{.name = "relu", .type = "Relu", .inputs = {x}, .outputs = {y}};
  control().fail_call(Slot::graph_add_node, 1, 6005);
  EXPECT_TRUE(says(error_of(graph.add_node(relu)), "the backend has no such op"));
  control().fail_call(Slot::graph_add_node, 1, 6007);
  EXPECT_TRUE(says(error_of(graph.add_node(relu)), "no such op package is registered"));
  ASSERT_TRUE(succeeds(graph.add_node(relu)));
  const Error large = error_of(graph.add_tensor({.name = "large", .dimensions = {1u << 29}}));
  EXPECT_TRUE(says(large,
                   "too large: 2147483648 bytes, at most 2147483647 whatever the options; "
                   "make it smaller or split it"))
      << large.message();
  control().fail_call(Slot::graph_finalize, 1, 1002);
  const Error error = error_of(std::move(graph).finalize());
  EXPECT_TRUE(says(error, "MEM_ALLOC: the HTP cannot prepare an op or a node")) << error.message();
}

TEST_F(advice, of_a_call_that_was_ended_blames_no_signal) {
  const auto context = restored(net);
  const std::vector<float> in = net.input();
  std::vector<float> out(net.io_elements());
  auto graph =
      must(must(Graph<Retrieved>::retrieve(context, net.name)).bind({raw("x", in), raw("y", out)}));
  control().fail_call(Slot::graph_execute, 1, 6031);
  const Error error = error_of(graph.execute());
  EXPECT_TRUE(says(error,
                   "GRAPH_ABORTED: the backend ended a call that has no stop and no time limit; "
                   "make the call again"))
      << error.message();
}

}}  // namespace support
