// Tensors of binaries that the engine runs: registered at offsets of one buffer, raw, quantised;
// and contexts that are eager, switch graphs, share in a group, run asynchronously or lose the DSP.
#include <atomic>
#include <chrono>
#include <thread>

#include "qnnpp/context/restore_list.hpp"

#include "one_relu.hpp"
#include "stacks.hpp"

namespace engine { namespace {

using namespace qnnpp;
using Codes = std::vector<std::uint8_t>;

class engine_tensors : public testing::Test {
 protected:
  void SetUp() override { be_device(79); }
  void TearDown() override { expect_nothing_left(); }
};

TEST_F(engine_tensors, of_an_eager_context_lie_at_offsets_of_one_buffer_or_are_raw) {
  const Codes x{0, 50, 100, 127, 128, 129, 200, 255};
  std::vector<std::byte> bytes;
  Codes in = x, expected(8);
  const auto raw_outputs = [&](const Backend<Htp>& backend) {
    const auto context = value_or_throw(
        Context<Finalized>::restore(backend, value_or_throw(ContextBinary::borrow(bytes, "net"))));
    Codes out(8);
    auto graph = value_or_throw(value_or_throw(Graph<Retrieved>::retrieve(context, "net"))
                                    .bind({raw("x", in), raw("y", out)}));
    value_or_throw(graph.execute());
    return out;
  };
  {
    const auto backend = real::backend_for(real::chips[1]);
    bytes = value_or_throw(real::binary(backend));
    expected = raw_outputs(backend);
  }
  EXPECT_NE(expected, x);
  const auto backend = simulated();
  EXPECT_EQ(raw_outputs(backend), expected);

  const auto context = value_or_throw(
      Context<Finalized>::restore(backend, value_or_throw(ContextBinary::borrow(bytes, "net"))));
  auto graph = value_or_throw(Graph<Retrieved>::retrieve(context, "net"));
  const auto memory = value_or_throw(
      SharedBuffer<MultiTensor>::allocate(rpcmem(), graph.inputs(), graph.outputs()));
  EXPECT_NE(memory.tensors()[1].offset_bytes, 0u);
  const auto tensors = value_or_throw(RegisteredTensors::create(context, memory));
  auto bound = value_or_throw(std::move(graph).bind(tensors));
  value_or_throw(
      write_elements(value_or_throw(memory.access<std::uint8_t>("x", CpuUse::write)), x));
  value_or_throw(bound.execute());
  const auto y = value_or_throw(memory.access<const std::uint8_t>("y", CpuUse::read));
  EXPECT_TRUE(std::ranges::equal(y.elements(), expected));
  EXPECT_EQ(support::control().counters().in_place, 2u);
}

TEST_F(engine_tensors, of_graphs_that_are_switched_are_right) {
  const Stack prefill = make_stack("prefill", 2, 7), decode = make_stack("decode", 3, 8);
  std::vector<std::byte> binary;
  {
    const auto backend = real::backend_for(real::chips[1]);
    auto context = value_or_throw(Context<Composing>::create(backend, {.name = "both"}));
    compose_stack(context, "prefill", 2, 7, 1);
    compose_stack(context, "decode", 3, 8, 1);
    binary = value_or_throw(value_or_throw(std::move(context).finalize()).serialize());
  }
  const auto backend = simulated();
  const auto context = value_or_throw(
      Context<Finalized>::restore(backend, value_or_throw(ContextBinary::own(binary, "both")),
                                  {.persistent_binary = true, .graph_switching = true}));
  for (int round = 0; round < 2; ++round)
    for (const Stack* const stack : {&prefill, &decode}) {
      std::vector<float> in = stack->input, out(in.size());
      auto graph =
          value_or_throw(value_or_throw(Graph<Retrieved, AnyIo>::retrieve(context, stack->name))
                             .bind({raw("in", in), raw("out", out)}));
      value_or_throw(graph.execute());
      EXPECT_EQ(out, stack->wanted) << stack->name;
    }
  EXPECT_EQ(support::control().counters().graph_switches, 4u);
}

TEST_F(engine_tensors, of_a_group_are_right) {
  const Stack first = make_stack("first", 16, 1), second = make_stack("second", 17, 2);
  const auto backend = simulated();
  const auto memory = rpcmem();
  const auto loaded = value_or_throw(
      model::load(backend, memory,
                  std::vector<model::BinarySource>{{.name = "first.bin", .bytes = first.binary},
                                                   {.name = "second.bin", .bytes = second.binary}},
                  {.sharing = model::SpillFillSharing::context_group}));
  for (const Stack* const stack : {&first, &second}) {
    auto pipeline = value_or_throw(loaded.pipeline(memory, {stack->name.c_str()}));
    {
      const auto in = value_or_throw(pipeline.input<float>("in"));
      std::ranges::copy(stack->input, in.elements().begin());
    }
    value_or_throw(pipeline.execute());
    const auto out = value_or_throw(pipeline.output<float>("out"));
    EXPECT_TRUE(std::ranges::equal(out.elements(), stack->wanted)) << stack->name;
  }
}

TEST_F(engine_tensors, of_contexts_of_one_list_are_right) {
  const Stack first = make_stack("first", 2, 7), second = make_stack("second", 3, 8);
  const auto backend = simulated();
  std::vector<ContextBinary> binaries;
  for (const Stack* const stack : {&first, &second})
    binaries.push_back(value_or_throw(ContextBinary::borrow(stack->binary, stack->name)));
  const auto contexts = value_or_throw(restore_list(backend, std::move(binaries)));
  for (std::size_t i = 0; i < 2; ++i) {
    const Stack& stack = i == 0 ? first : second;
    std::vector<float> in = stack.input, out(in.size());
    auto graph =
        value_or_throw(value_or_throw(Graph<Retrieved, AnyIo>::retrieve(contexts[i], stack.name))
                           .bind({raw("in", in), raw("out", out)}));
    value_or_throw(graph.execute());
    EXPECT_EQ(out, stack.wanted) << stack.name;
  }
}

/// The raw input of a network, and room for its output.
struct RawTensors {
  explicit RawTensors(const Stack& stack) : in(stack.input) {
    const Description description(stack.binary);
    input = sim_test::raw(description.graph().graph_inputs[0].v1.id, c_api::TensorType::app_write,
                          in.data(), in.size() * 4);
    output = sim_test::raw(description.graph().graph_outputs[0].v1.id, c_api::TensorType::app_read,
                           out.data(), out.size() * 4);
  }

  std::vector<float> in;
  std::vector<float> out = std::vector<float>(in.size());
  c_api::Tensor input{};
  c_api::Tensor output{};
};

class engine_calls : public EngineTest {};

TEST_F(engine_calls, asynchronous_ones_are_right) {
  const Stack stack = make_stack("net", 2, 7);
  const Loaded loaded = load(stack, nullptr);
  RawTensors tensors(stack);
  std::atomic<int> result{-1};
  ASSERT_EQ(sim_test::code(sim_test::qnn().graph_execute_async(
                loaded.graph, &tensors.input, 1, &tensors.output, 1, nullptr, nullptr,
                [](void* to, c_api::NotifyStatus status) {
                  *static_cast<std::atomic<int>*>(to) = static_cast<int>(status.error);
                },
                &result)),
            0u);
  while (result < 0) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  EXPECT_EQ(result, 0);
  EXPECT_EQ(tensors.out, stack.wanted);
  EXPECT_EQ(control().counters().misuses, 0u);
}

TEST_F(engine_calls, SSR_01_after_a_restart_the_context_is_freed_and_made_again) {
  const Stack stack = make_stack("net", 2, 7);
  const Loaded lost = load(stack, nullptr);
  control().restart_subsystem(false);
  RawTensors tensors(stack);
  EXPECT_EQ(sim_test::code(sim_test::qnn().graph_execute(lost.graph, &tensors.input, 1,
                                                         &tensors.output, 1, nullptr, nullptr)),
            1007u);
  EXPECT_EQ(free_context(lost.context), 0u);
  EXPECT_EQ(execute(load(stack, nullptr)), Output::right);
}

TEST_F(engine_calls, that_fail_below_the_library_leave_nothing) {
  const Stack stack = make_stack("net", 2, 7);
  ASSERT_EQ(free_context(load(stack, nullptr).context), 0u);
  const auto calls = static_cast<std::uint32_t>(control().counters().remote_calls);
  ASSERT_GT(calls, 1u);
  // The failure of the last remote call leaves memory on purpose, as a host library does.
  for (std::uint32_t at = 1; at < calls; ++at) {
    for (const auto of : {sim::remote_call, sim::own_allocation}) {
      control().add_fault(of, at, 1003, of == sim::own_allocation, sim::FaultRestart::never);
      sim_test::DeferredConfig config;
      c_api::ContextHandle context = nullptr;
      const std::uint32_t created = sim_test::code(sim_test::qnn().context_create_from_binary(
          backend, nullptr, config.configs(), stack.binary.data(), stack.binary.size(), &context,
          nullptr));
      if (created == 0) (void)sim_test::qnn().context_finalize(context, nullptr);
      control().clear_faults();
      if (context != nullptr) {
        EXPECT_EQ(sim_test::code(sim_test::qnn().context_free(context, nullptr)), 0u);
      }
      EXPECT_EQ(control().counters().live_contexts, 0u) << at;
    }
  }
  // Nothing is left in the engine either: it takes another VTCM size.
  EXPECT_EQ(execute(load(make_stack("net", 2, 7, 2), nullptr)), Output::right);
}

}}  // namespace engine
