// TensorMemory: registered tensors that are bound by their addresses, without a call of QNN, and
// how a backend finds out that it has to do so.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/graph/compose.hpp"
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/kv_cache.hpp"

#include "copies.hpp"
#include "fixture.hpp"
#include "forms.hpp"
#include "heap.hpp"
#include "registered.hpp"
#include "steps.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

/// What a library without QnnMem returns.
constexpr std::uint32_t not_supported = 1000;

class tensor_memory : public StepsTest {
 protected:
  /// Makes each registration fail, as on a library without QnnMem.
  static void register_nothing() {
    control().fail_call(Slot::mem_register, 1, not_supported, true);
  }
  TensorSpec spec(std::string name) const {
    return {.name = std::move(name), .dimensions = net.dimensions};
  }
  template <class Form = MultiTensor, class Allocator = MemfdAllocator>
  RegisteredMemory<Form> memory_in(const Context<Finalized>& context,
                                   const Allocator& from = {}) const {
    return RegisteredMemory<Form>::make(from, context, {spec("a"), spec("b"), spec("y")});
  }
  /// Executes with the memory and checks the output in `out`.
  template <class Io, class In, class Out>
  void expect_right(Graph<Bound, Io>& bound QNNPP_KEEPS, const In& in, const Out& out,
                    std::uint32_t round = 0) const {
    in.fill("a", net.input(round));
    in.fill("b", net.input(round + 1));
    ASSERT_TRUE(succeeds(bound.execute()));
    EXPECT_EQ(out.values("y"), net.reference({net.input(round), net.input(round + 1)}));
  }
  /// Executes a new graph of the context with registered memory of its own.
  void expect_executes(const Context<Finalized>& context) const {
    const auto memory = memory_in(context);
    auto bound = must(graph<AnyIo>(context, "step").bind(memory.tensors));
    expect_right(bound, memory, memory);
  }
  const Step net{.inputs = {"a", "b"}};
};

template <class Form>
class tensor_memory_by_address : public tensor_memory {};
TYPED_TEST_SUITE(tensor_memory_by_address, Forms, FormNames);

TYPED_TEST(tensor_memory_by_address, is_bound_without_a_call_and_copied_by_each_execution) {
  this->reload_backend(TensorMemory::by_address);
  EXPECT_EQ(this->backend().tensor_memory(), TensorMemory::by_address);
  for (const auto io : {c_api::TensorMemType::memhandle, c_api::TensorMemType::raw}) {
    Step step = this->net;
    step.io = io;
    const auto context = this->context_of({step});
    const std::uint64_t calls_before = control().counters().calls;
    const std::uint64_t copied_before = this->copied_bytes();
    const auto memory = this->template memory_in<TypeParam>(context);
    auto bound = must(must(Graph<Retrieved>::retrieve(context, "step")).bind(memory.tensors));
    EXPECT_EQ(control().counters().calls, calls_before + 1) << "QnnGraph_retrieve alone";
    this->expect_right(bound, memory, memory);
    EXPECT_EQ(this->copied_bytes() - copied_before, 3 * step.bytes());
    const bool is_prepared = io == c_api::TensorMemType::memhandle;
    EXPECT_EQ(bound.io_cost(),
              (IoCost{.copied_bytes_per_inference = 3 * step.bytes(),
                      .allocated_bytes_at_first_inference = is_prepared ? 3 * step.bytes() : 0}));
  }
  EXPECT_EQ(this->calls(Slot::mem_register) + this->calls(Slot::mem_de_register), 0u);
}

TEST_F(tensor_memory, is_registered_unless_asked_otherwise) {
  EXPECT_EQ(BackendOptions{}.tensor_memory, TensorMemory::registered);
  EXPECT_EQ(backend().tensor_memory(), TensorMemory::registered);
  const auto context = context_of({net});
  const auto memory =
      must(SharedBuffer<MultiTensor>::allocate(allocator(), std::vector{spec("a")}));
  register_nothing();
  const Error error = error_of(RegisteredTensors::create(context, memory));
  EXPECT_EQ(error.code, not_supported);
  EXPECT_NE(error.message().find("BackendOptions::tensor_memory"), std::string::npos)
      << error.message();
  EXPECT_EQ(backend().tensor_memory(), TensorMemory::registered);
}

TEST_F(tensor_memory, by_address_has_no_handles_and_the_same_refusals) {
  reload_backend(TensorMemory::by_address);
  const auto context = context_of({net});
  auto memory = memory_in(context);
  EXPECT_EQ(memory.tensors.handle_count(), 0u);
  const Error no_handle = error_of(memory.tensors.native("a"));
  EXPECT_EQ(no_handle.message(),
            "a: finding a handle: the tensor is bound by address; load the backend with "
            "TensorMemory::registered");
  EXPECT_EQ(error_of(memory.tensors.native("c")).kind, Errc::unknown_name);
  EXPECT_EQ(error_of(RegisteredTensors::create(context, memory.memory)).kind,
            Errc::already_registered);
  const auto other = context_of({net});
  EXPECT_EQ(error_of(graph<AnyIo>(other, "step").bind(memory.tensors)).kind, Errc::foreign_object);
  {
    const auto a = must(memory.memory.access<float>("a", CpuUse::write));
    EXPECT_EQ(error_of(graph<AnyIo>(context, "step")
                           .bind({memory.as("a"), memory.as("b"), raw("y", a.elements())}))
                  .kind,
              Errc::overlapping);
  }
  EXPECT_TRUE(succeeds(std::move(memory.tensors).close()));
  expect_executes(context);
}

TEST_F(tensor_memory, by_address_rebinds_and_exchanges_without_an_allocation) {
  reload_backend(TensorMemory::by_address);
  const auto context = context_of({net});
  const std::array rings{memory_in(context), memory_in(context)};
  auto bound = must(graph<AnyIo>(context, "step").bind(rings[0].tensors));
  const std::array<Binding<>, 2> outputs{rings[0].as("y"), rings[1].as("y")};
  must(bound.rebind(outputs[1]));
  expect_right(bound, rings[0], rings[1]);
  must(bound.exchange("a", "y"));
  rings[1].fill("y", net.input(3));  // What the graph reads as `a` now.
  rings[0].fill("b", net.input(4));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_EQ(rings[0].values("a"), net.reference({net.input(3), net.input(4)}));
  const std::uint64_t calls_before = control().counters().calls;
  {
    const HeapWatch watch(Threads::this_one);
    for (std::size_t i = 0; i < 4; ++i) {
      (void)bound.exchange("a", "y");
      (void)bound.rebind(outputs[i % 2]);
    }
  }
  EXPECT_EQ(HeapWatch::allocations(), 0u);
  EXPECT_EQ(control().counters().calls, calls_before);
}

TEST_F(tensor_memory, by_address_a_pipeline_chains_contexts_and_counts_its_copies) {
  reload_backend(TensorMemory::by_address);
  const Step first{.name = "first", .outputs = {"m"}};
  const Step second{.name = "second", .inputs = {"m"}, .factor = 3.0F};
  const auto contexts = std::array{context_of({first}), context_of({second})};
  std::vector<Graph<Retrieved>> graphs;
  graphs.push_back(graph<AnyIo>(contexts[0], "first"));
  graphs.push_back(graph<AnyIo>(contexts[1], "second"));
  auto line = must(Pipeline::create(MemfdAllocator(), std::move(graphs)));
  must(write_elements(line.input<float>("x"), first.input()));
  ASSERT_TRUE(succeeds(line.execute()));
  const auto y = must(line.output<float>("y"));
  EXPECT_EQ(std::vector(y.elements().begin(), y.elements().end()),
            second.reference({first.reference({first.input()})}));
  EXPECT_EQ(line.io_cost().copied_bytes_per_inference, 4 * first.bytes());
  EXPECT_EQ(copied_bytes(), 4 * first.bytes());
  EXPECT_EQ(calls(Slot::mem_register), 0u);
}

TEST_F(tensor_memory, by_address_two_graphs_use_one_cache_each_in_its_shape) {
  reload_backend(TensorMemory::by_address);
  const auto described = [](const char* name, std::uint32_t tokens, std::uint32_t positions) {
    const auto tensor = [](const char* of, c_api::TensorType kind, std::uint32_t count) {
      return TensorSpec{
          .name = of, .kind = kind, .data_type = c_api::DataType::uint_8, .dimensions = {count, 4}};
    };
    return GraphSpec{.name = name,
                     .inputs = {tensor("x", c_api::TensorType::app_write, tokens),
                                tensor("cache", c_api::TensorType::app_write, positions)},
                     .outputs = {tensor("next", c_api::TensorType::app_read, tokens),
                                 tensor("seen", c_api::TensorType::app_read, positions)}};
  };
  const GraphSpec prefill = described("prefill", 2, 6), decode = described("decode", 1, 7);
  const auto context = context_of_copies(backend(), {prefill, decode});
  auto cache = must(KvCache::allocate(MemfdAllocator(), {{"cache", "next", 0}}, prefill, decode));
  const auto tensors = must(RegisteredTensors::create(context, cache.memory()));
  std::vector<std::uint8_t> expected;
  for (const GraphSpec* each : {&prefill, &decode}) {
    const auto own = RegisteredMemory<MultiTensor>::make(MemfdAllocator(), context,
                                                         {each->inputs[0], each->outputs[1]});
    auto bound = must(graph<AnyIo>(context, each->name).bind(own.tensors, tensors));
    must(cache.use(each == &prefill ? 0 : 1));
    const std::uint32_t tokens = each->inputs[0].dimensions[0];
    std::vector<std::uint8_t> x(std::size_t{4} * tokens);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<std::uint8_t>(1 + i + expected.size());
    must(write_elements(own.memory.access<std::uint8_t>("x", CpuUse::write), x));
    ASSERT_TRUE(succeeds(bound.execute()));
    const auto seen = must(own.memory.access<const std::uint8_t>("seen", CpuUse::read));
    EXPECT_TRUE(std::ranges::equal(seen.elements().first(expected.size()), expected));
    must(cache.append(tokens));
    expected.insert(expected.end(), x.begin(), x.end());
  }
  const auto all = must(cache.access<const std::uint8_t>("cache", CpuUse::read));
  EXPECT_TRUE(std::ranges::equal(all.elements().first(expected.size()), expected));
}

TEST_F(tensor_memory, by_address_a_graph_for_registered_memory_is_refused) {
  reload_backend(TensorMemory::by_address);
  const auto context = context_of({net});
  const Error error = error_of(Graph<Retrieved, RegisteredIo>::retrieve(context, "step"));
  EXPECT_EQ(error.kind, Errc::capability_missing);
  EXPECT_EQ(error.message(),
            "step: using RegisteredIo: " + std::string(htp_library) +
                " gets tensors by address and copies them; use AnyIo, or load the backend with "
                "TensorMemory::registered");
  expect_executes(context);

  // A composed graph can still be prepared for registered memory, and serialised. It is refused
  // where it would be copied.
  auto composing = must(Context<Composing>::create(backend()));
  TensorSpec in = spec("a"), out = spec("y");
  in.kind = c_api::TensorType::app_write;
  out.kind = c_api::TensorType::app_read;
  const auto copy = [&](const char* name) {
    auto graph = must(Graph<Composing, RegisteredIo>::create(composing, name));
    const auto from = must(graph.add_tensor(in));
    const auto to = must(graph.add_tensor(out));
    must(graph.add_node({.name = name, .type = "Reshape", .inputs = {from}, .outputs = {to}}));
    return must(std::move(graph).finalize());
  };
  auto prepared = copy("one");
  std::vector<Graph<Retrieved, RegisteredIo>> line;
  line.push_back(copy("two"));
  const auto composed = must(std::move(composing).finalize());
  EXPECT_TRUE(succeeds(composed.serialize()));
  const auto memory = RegisteredMemory<MultiTensor>::make(MemfdAllocator(), composed, {in, out});
  EXPECT_EQ(error_of(prepared.check(memory.tensors)).kind, Errc::capability_missing);
  EXPECT_EQ(error_of(std::move(prepared).bind(memory.tensors)).kind, Errc::capability_missing);
  EXPECT_EQ(error_of(Pipeline::check(line)).kind, Errc::capability_missing);
  EXPECT_EQ(error_of(Pipeline::create(MemfdAllocator(), std::move(line))).kind,
            Errc::capability_missing);
}

TEST_F(tensor_memory, either_is_by_address_from_the_first_1000_on) {
  reload_backend(TensorMemory::either);
  const auto context = context_of({net});
  register_nothing();
  expect_executes(context);
  EXPECT_EQ(calls(Slot::mem_register), 1u);
  EXPECT_EQ(backend().tensor_memory(), TensorMemory::by_address);
  control().clear_faults();
  expect_executes(context_of({net}));
  EXPECT_EQ(calls(Slot::mem_register), 1u) << "the backend remembers";
  EXPECT_EQ(calls(Slot::mem_de_register), 0u);
  EXPECT_EQ(error_of(Graph<Retrieved, RegisteredIo>::retrieve(context, "step")).kind,
            Errc::capability_missing);
}

TEST_F(tensor_memory, either_is_registered_from_the_first_success_on) {
  reload_backend(TensorMemory::either);
  const auto context = context_of({net});
  expect_executes(context);
  EXPECT_EQ(copied_bytes(), 0u);
  EXPECT_EQ(backend().tensor_memory(), TensorMemory::registered);
  register_nothing();
  const auto memory =
      must(SharedBuffer<MultiTensor>::allocate(MemfdAllocator(), std::vector{spec("a")}));
  EXPECT_EQ(error_of(RegisteredTensors::create(context, memory)).code, not_supported);
}

TEST_F(tensor_memory, either_stays_open_after_another_error) {
  reload_backend(TensorMemory::either);
  const auto context = context_of({net});
  const auto memory =
      must(SharedBuffer<MultiTensor>::allocate(MemfdAllocator(), std::vector{spec("a")}));
  control().fail_call(Slot::mem_register, 1, 8003);
  EXPECT_EQ(error_of(RegisteredTensors::create(context, memory)).code, 8003);
  EXPECT_EQ(backend().tensor_memory(), TensorMemory::either);
  expect_executes(context);
  EXPECT_EQ(backend().tensor_memory(), TensorMemory::registered);
}

TEST_F(tensor_memory, either_is_registered_once_a_graph_for_registered_memory_is_retrieved) {
  reload_backend(TensorMemory::either);
  const auto context = context_of({net});
  auto unbound = graph<RegisteredIo>(context, "step");
  EXPECT_EQ(backend().tensor_memory(), TensorMemory::registered);
  register_nothing();
  EXPECT_EQ(error_of(std::move(unbound).bind(MemfdAllocator())).code, not_supported)
      << "nothing is copied for such a graph";
}

TEST_F(tensor_memory, each_backend_has_its_own) {
  reload_backend(TensorMemory::by_address);
  const auto device = must(load());
  const auto by_address = context_of({net});
  const auto registered = must(Context<Finalized>::restore(device, own(binary_of(device, {net}))));
  expect_executes(by_address);
  EXPECT_EQ(calls(Slot::mem_register), 0u);
  const std::uint64_t copied = copied_bytes();
  expect_executes(registered);
  EXPECT_EQ(calls(Slot::mem_register), 1u);
  EXPECT_EQ(copied_bytes(), copied);
}

}}  // namespace support
