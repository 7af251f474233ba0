// rebind(): one tensor of a bound graph gets other memory, and what refuses it.
#include <vector>

#include "fixture.hpp"
#include "heap.hpp"
#include "one_step.hpp"

namespace support { namespace {

using namespace qnnpp;

class graph_rebind : public OneStepTest {};

TEST_F(graph_rebind, a_ring_of_buffers_is_registered_once_and_switched_without_a_call) {
  const auto rest = memory_of({spec("b"), spec("y")});
  rest.fill("b", net.input(1));
  std::vector<RegisteredMemory<MultiTensor>> ring;
  std::vector<Binding<RegisteredIo>> bindings;
  for (std::uint32_t i = 0; i < 3; ++i) {
    ring.push_back(memory_of({spec("a")}));
    ring[i].fill("a", net.input(2 + i));
    bindings.push_back(ring[i].as("a"));
  }
  auto bound = must(graph<RegisteredIo>(context(), "step").bind(ring[0].tensors, rest.tensors));
  const std::uint64_t registrations = calls(sim::Slot::mem_register);
  ASSERT_TRUE(succeeds(bound.rebind(bindings[0])));
  const std::uint64_t calls_before = control().counters().calls;
  {
    const HeapWatch watch(Threads::this_one);
    for (std::size_t run = 0; run < 9; ++run) (void)bound.rebind(bindings[run % 3]);
  }
  EXPECT_EQ(HeapWatch::allocations(), 0u);
  EXPECT_EQ(control().counters().calls, calls_before);
  for (std::size_t run = 0; run < 6; ++run) {
    must(bound.rebind(bindings[run % 3]));
    expect_right(bound, ring[run % 3], rest, rest);
  }
  EXPECT_EQ(calls(sim::Slot::mem_register), registrations);
  EXPECT_EQ(copied_bytes(), 0u);
  EXPECT_EQ(bound.io_cost(), IoCost{});
}

TEST_F(graph_rebind, an_output_is_switched_and_opened_where_it_is_now) {
  const auto first = memory_of({spec("a"), spec("b"), spec("y")});
  const auto second = memory_of({spec("y")});
  first.fill("a", net.input(0));
  first.fill("b", net.input(1));
  auto bound = must(graph<RegisteredIo>(context(), "step").bind(first.tensors));
  must(bound.rebind(second.as("y")));
  expect_right(bound, first, first, second);
  const auto opened = must(bound.template output<float>("y"));
  EXPECT_EQ(opened[0], second.values("y")[0]);
  EXPECT_NE(first.values("y"), second.values("y"));
}

TEST_F(graph_rebind, memory_that_no_tensor_uses_any_more_is_released) {
  auto bound = [&] {
    const auto first = memory_of({spec("a")});
    const auto rest = memory_of({spec("b"), spec("y")});
    return must(graph<RegisteredIo>(context(), "step").bind(first.tensors, rest.tensors));
  }();
  EXPECT_EQ(control().counters().live_tensor_registrations, 3u);
  const auto second = memory_of({spec("a")});
  must(bound.rebind(second.as("a")));
  EXPECT_EQ(control().counters().live_tensor_registrations, 3u) << "the first buffer is given back";
  const auto y = memory_of({spec("y")});
  must(bound.rebind(y.as("y")));
  EXPECT_EQ(control().counters().live_tensor_registrations, 4u) << "b still uses the rest";
  ASSERT_TRUE(succeeds(bound.execute()));
}

TEST_F(graph_rebind, an_error_changes_nothing) {
  const auto memory = memory_of({spec("a"), spec("b"), spec("y")});
  memory.fill("a", net.input(0));
  memory.fill("b", net.input(1));
  TensorSpec turned = spec("a");
  turned.dimensions = {net.dimensions[1], net.dimensions[0]};
  TensorSpec whole = spec("a");
  whole.data_type = c_api::DataType::int_32;
  TensorSpec scaled = spec("a");
  scaled.quantisation = {0.5f, 0};
  const auto other_shape = memory_of({turned});
  const auto other_type = memory_of({whole});
  const auto strange = context_of({net});
  const auto foreign =
      RegisteredMemory<MultiTensor>::make(allocator(), strange, std::vector<TensorSpec>{spec("a")});
  auto bound = must(graph<RegisteredIo>(context(), "step").bind(memory.tensors));
  const auto refusal = [&](const Binding<RegisteredIo>& binding) {
    const Error error = error_of(bound.rebind(binding));
    expect_right(bound, memory, memory, memory);
    return error;
  };
  EXPECT_EQ(refusal(other_shape.as("a")).kind, Errc::shape_mismatch);
  EXPECT_EQ(refusal(other_type.as("a")).kind, Errc::type_mismatch);
  EXPECT_EQ(refusal(foreign.as("a")).kind, Errc::foreign_object);
  EXPECT_EQ(refusal(registered("a", memory.tensors, "nothing")).kind, Errc::unknown_name);
  const Error unknown = refusal(registered("z", memory.tensors, "a"));
  EXPECT_EQ(unknown.kind, Errc::unknown_name);
  EXPECT_EQ(unknown.object, "z");
  EXPECT_EQ(unknown.detail, "graph step has the tensors a, b, y");
  const Error overlap = refusal(registered("y", memory.tensors, "b"));
  EXPECT_EQ(overlap.kind, Errc::overlapping);
  EXPECT_EQ(overlap.object, "y");
  EXPECT_EQ(overlap.detail, "it shares bytes with b of graph step; an output must not share bytes");
  EXPECT_EQ(refusal(registered("a", memory.tensors, "y")).kind, Errc::overlapping);
  must(bound.rebind(registered("a", memory.tensors, "b")));  // Inputs may share bytes.
  must(bound.rebind(registered("a", memory.tensors, "a")));
  expect_right(bound, memory, memory, memory);
}

/// Replaces and exchanges the memory of a graph with many tensors at random, and predicts from all
/// pairs of tensors whether an output would share bytes.
TEST_F(graph_rebind, finds_each_output_that_shares_bytes_among_many_tensors) {
  const std::vector<std::string> names{"a", "b", "c", "d", "e", "f", "u", "v", "w", "x", "y", "z"};
  constexpr std::size_t inputs = 6;
  const Step many{.name = "many",
                  .inputs = {names.begin(), names.begin() + inputs},
                  .outputs = {names.begin() + inputs, names.end()}};
  const auto context = context_of({many});
  std::vector<TensorSpec> specs;
  for (const std::string& name : names) specs.push_back(spec(name.c_str()));
  std::vector<RegisteredMemory<MultiTensor>> buffers;
  for (int i = 0; i < 2; ++i)
    buffers.push_back(RegisteredMemory<MultiTensor>::make(allocator(), context, specs));
  std::uint32_t state = 1;
  const auto any = [&](std::size_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  };
  int refused = 0, done = 0;
  for (int round = 0; round < 40; ++round) {
    auto bound = must(graph<RegisteredIo>(context, "many").bind(buffers[0].tensors));
    std::vector<std::size_t> place(names.size());  // Of each tensor, among those of both buffers.
    for (std::size_t i = 0; i < place.size(); ++i) place[i] = i;
    // Rounds with few repeated places, so that most tensors stay apart, and rounds with many.
    const std::size_t places = round % 2 == 0 ? 2 * names.size() : names.size();
    for (int step = 0; step < 60; ++step) {
      std::vector<std::size_t> wanted = place;
      const std::size_t at = any(names.size());
      const std::size_t out = inputs + any(names.size() - inputs);
      const bool exchanges = any(3) == 0 && at < inputs;
      if (exchanges)
        std::swap(wanted[at], wanted[out]);
      else
        wanted[at] = any(places);
      bool shares = false;
      for (std::size_t i = 0; i < wanted.size(); ++i)
        for (std::size_t j = inputs; j < wanted.size(); ++j)
          shares = shares || (i != j && wanted[i] == wanted[j]);
      const auto changed =
          exchanges ? bound.exchange(names[at], names[out])
                    : bound.rebind(registered(names[at], buffers[wanted[at] / names.size()].tensors,
                                              names[wanted[at] % names.size()]));
      ASSERT_EQ(changed.has_value(), !shares) << "round " << round << ", step " << step;
      if (shares)
        ASSERT_EQ(changed.error().kind, Errc::overlapping);
      else
        place = wanted;
      ++(shares ? refused : done);
    }
    // Each tensor is where the prediction says.
    const auto address = [](const auto& access) {
      return static_cast<const void*>(access.elements().data());
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto& buffer = buffers[place[i] / names.size()].memory;
      const std::string& name = names[place[i] % names.size()];
      const void* const found = i < inputs ? address(must(bound.input<float>(names[i])))
                                           : address(must(bound.output<float>(names[i])));
      EXPECT_EQ(found, address(must(buffer.access<float>(name, CpuUse::read))));
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(done, 100);
}

TEST_F(graph_rebind, raw_and_registered_memory_replace_each_other_with_their_costs) {
  const auto memory = memory_of({spec("a"), spec("b"), spec("y")});
  memory.fill("b", net.input(1));
  const auto in = net.input(0);
  auto bound =
      must(graph<AnyIo>(context(), "step").bind({raw("a", in), memory.as("b"), memory.as("y")}));
  const IoCost with_raw = bound.io_cost();
  memory.fill("a", net.input(3));
  must(bound.rebind(memory.as("a")));
  expect_right(bound, memory, memory, memory);
  EXPECT_EQ(bound.io_cost().copied_bytes_per_inference, 0u);
  const auto other = net.input(4);
  must(bound.rebind(raw("a", other)));
  EXPECT_EQ(bound.io_cost(), with_raw);
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(memory.values("y"), net.reference({other, net.input(1)})),
            tolerance);
  // Raw memory within registered memory is seen if the CPU has mapped it.
  const auto opened = must(memory.memory.access<float>("y", CpuUse::read));
  const std::span<const float> bytes = opened.elements();
  EXPECT_EQ(error_of(bound.rebind(raw("a", bytes))).kind, Errc::overlapping);
  std::vector<float> large(net.elements() + 1);
  EXPECT_EQ(error_of(bound.rebind(raw("a", large))).kind, Errc::size_mismatch);
  const auto constant = net.input(5);
  EXPECT_EQ(error_of(bound.rebind(raw("y", constant))).kind, Errc::invalid_argument);
}

TEST_F(graph_rebind, a_graph_for_raw_memory_takes_other_raw_memory) {
  const auto context = context_of({{.inputs = {"a"}, .io = c_api::TensorMemType::raw}});
  const Step one{.inputs = {"a"}, .io = c_api::TensorMemType::raw};
  const auto first = one.input(0), second = one.input(1);
  std::vector<float> out(one.elements());
  auto bound = must(graph<RawIo>(context, "step").bind({raw("a", first), raw("y", out)}));
  ASSERT_TRUE(succeeds(bound.execute()));
  must(bound.rebind(raw("a", second)));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(out, one.reference({second})), tolerance);
}

TEST_F(graph_rebind, an_unbound_graph_is_bound_again_after_it) {
  const auto memory = memory_of({spec("a"), spec("b"), spec("y")});
  const auto other = memory_of({spec("a")});
  auto bound = must(graph<RegisteredIo>(context(), "step").bind(memory.tensors));
  must(bound.rebind(other.as("a")));
  auto again = must(std::move(bound).unbind().bind(memory.tensors));
  must(again.rebind(other.as("a")));
  other.fill("a", net.input(0));
  memory.fill("b", net.input(1));
  expect_right(again, other, memory, memory);
}

}}  // namespace support
