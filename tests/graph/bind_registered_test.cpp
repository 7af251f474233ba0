// Binding by registrations: all tensors of some buffers at once, and registrations that do not fit.
#include <string>
#include <vector>

#include "contracts.hpp"
#include "fixture.hpp"
#include "one_step.hpp"

namespace support { namespace {

using namespace qnnpp;

class graph_bind_registered : public OneStepTest {
 protected:
  /// Fills the inputs, executes, and checks the output.
  template <class Io, class Inputs, class Output>
  void expect_computes(Graph<Bound, Io> bound, const Inputs& a, const Inputs& b, const Output& y,
                       const char* a_name = "a") const {
    a.fill(a_name, net.input(0));
    b.fill("b", net.input(1));
    expect_right(bound, a, b, y, a_name);
  }
  /// Returns the error of bind(). Expects that nothing was called and that no memory is held.
  template <class Io = RegisteredIo, class... Tensors>
  Error refused(const Tensors&... tensors) const {
    auto retrieved = graph<Io>(context(), "step");
    const std::uint64_t before = control().counters().calls;
    const Error error = error_of(std::move(retrieved).bind(tensors...));
    EXPECT_EQ(control().counters().calls, before);
    return error;
  }
  Error refused_list(std::initializer_list<Binding<RegisteredIo>> bindings) const {
    auto retrieved = graph<RegisteredIo>(context(), "step");
    const std::uint64_t before = control().counters().calls;
    const Error error = error_of(std::move(retrieved).bind(bindings));
    EXPECT_EQ(control().counters().calls, before);
    return error;
  }
};

TEST_F(graph_bind_registered, one_registration_gives_every_tensor_its_memory_by_name) {
  const auto memory = memory_of({spec("y"), spec("b"), spec("a")});
  expect_computes(must(graph<RegisteredIo>(context(), "step").bind(memory.tensors)), memory, memory,
                  memory);
  EXPECT_EQ(copied_bytes(), 0u);
}

TEST_F(graph_bind_registered, two_registrations_together_give_every_tensor_its_memory) {
  const auto in = memory_of({spec("a"), spec("b")});
  const auto out = memory_of<PerTensor>({spec("y")});
  expect_computes(must(graph<RegisteredIo>(context(), "step").bind(in.tensors, out.tensors)), in,
                  in, out);
  EXPECT_EQ(copied_bytes(), 0u);
}

TEST_F(graph_bind_registered, tensors_of_the_buffer_that_are_not_registered_are_left_out) {
  const auto memory = must(SharedBuffer<MultiTensor>::allocate(
      allocator(), std::vector<TensorSpec>{spec("a"), spec("other"), spec("b"), spec("y")}));
  const std::vector<std::string> names{"a", "b", "y"};
  const auto tensors = must(RegisteredTensors::create(context(), memory, names));
  EXPECT_TRUE(succeeds(graph<RegisteredIo>(context(), "step").bind(tensors)));
}

TEST_F(graph_bind_registered, a_graph_of_any_memory_takes_registered_and_raw_memory_together) {
  const auto memory = memory_of({spec("a"), spec("y")});
  const auto a = net.input(0);
  const auto b = net.input(1);
  memory.fill("a", a);
  auto bound =
      must(graph<AnyIo>(context(), "step").bind({memory.as("a"), raw("b", b), memory.as("y")}));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(memory.values("y"), net.reference({a, b})), tolerance);
  EXPECT_EQ(copied_bytes(), net.bytes());
}

TEST_F(graph_bind_registered, names_in_the_buffer_may_differ_from_those_of_the_graph) {
  const auto memory = memory_of({spec("mine"), spec("b"), spec("y")});
  auto bound =
      must(graph<RegisteredIo>(context(), "step")
               .bind({registered("a", memory.tensors, "mine"), memory.as("b"), memory.as("y")}));
  expect_computes(std::move(bound), memory, memory, memory, "mine");
}

TEST_F(graph_bind_registered, one_tensor_may_be_two_inputs) {
  const auto memory = memory_of({spec("both"), spec("y")});
  memory.fill("both", net.input());
  auto bound = must(graph<RegisteredIo>(context(), "step")
                        .bind({registered("a", memory.tensors, "both"),
                               registered("b", memory.tensors, "both"), memory.as("y")}));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(memory.values("y"), net.reference({net.input(), net.input()})),
            tolerance);
}

TEST_F(graph_bind_registered, SHB_02_a_tensor_that_is_input_and_output_is_refused) {
  const auto memory = memory_of({spec("a"), spec("both")});
  const Error error = refused_list({memory.as("a"), registered("b", memory.tensors, "both"),
                                    registered("y", memory.tensors, "both")});
  EXPECT_EQ(error.kind, Errc::overlapping);
  EXPECT_EQ(error.object, "y");
  EXPECT_NE(error.detail.find("shares bytes with b"), std::string::npos) << error.detail;
}

TEST_F(graph_bind_registered, SHB_02_tensors_that_were_allowed_to_overlap_do_not_in_one_graph) {
  auto region = must(MemRegion<TensorIo>::allocate(allocator(), 3 * net.bytes()));
  const auto memory = must(SharedBuffer<MultiTensor>::from_region(
      std::move(region),
      {{spec("a"), 0, 0}, {spec("b"), net.bytes(), 0}, {spec("y"), net.bytes() / 2, 0}},
      Overlap::allowed));
  const auto tensors = must(RegisteredTensors::create(context(), memory));
  const Error error = refused(tensors);
  EXPECT_EQ(error.kind, Errc::overlapping);
  EXPECT_NE(error.message().find("y"), std::string::npos);
}

// Uses the same memory through another descriptor.
TEST_F(graph_bind_registered, SHB_02_an_output_in_bytes_of_an_input_is_refused_by_any_descriptor) {
  const auto lent = must(MemRegion<TensorIo>::allocate(allocator(), 4 * net.bytes()));
  const auto buffer = [&](const std::vector<TensorPlacement>& tensors) {
    auto region = must(MemRegion<TensorIo>::from_buffer(
        must(DmaBuffer::from_native(lent.fd(), 4 * net.bytes(), {.needs_sync = false}))));
    return must(SharedBuffer<MultiTensor>::from_region(std::move(region), tensors));
  };
  const auto inputs = buffer({{spec("a"), 0, 0}, {spec("b"), net.bytes(), 0}});
  const auto outputs = buffer({{spec("y"), net.bytes() / 2, 0}});
  const auto a_and_b = must(RegisteredTensors::create(context(), inputs));
  const auto y = must(RegisteredTensors::create(context(), outputs));
  EXPECT_EQ(
      refused_list({registered(a_and_b, "a"), registered(a_and_b, "b"), registered(y, "y")}).kind,
      Errc::overlapping);
}

// Uses the same memory through its address.
TEST_F(graph_bind_registered, SHB_02_raw_memory_in_bytes_of_registered_memory_is_refused) {
  const auto memory = memory_of({spec("a"), spec("b"), spec("y")});
  const auto bytes_of = [&](const char* tensor) {
    const auto opened = must(memory.memory.access<float>(tensor, CpuUse::write));
    return opened.elements();
  };
  const auto refused_mix = [&](std::initializer_list<Binding<>> bindings) {
    return error_of(graph<AnyIo>(context(), "step").bind(bindings));
  };
  const Error over_input = refused_mix({memory.as("a"), memory.as("b"), raw("y", bytes_of("b"))});
  EXPECT_EQ(over_input.kind, Errc::overlapping);
  EXPECT_EQ(over_input.detail,
            "it shares bytes with b of graph step; an output must not share bytes");
  EXPECT_EQ(refused_mix({memory.as("a"), raw("b", bytes_of("y")), memory.as("y")}).kind,
            Errc::overlapping);
  // An overlap of half a tensor is refused.
  const std::span<float> shifted(bytes_of("a").data() + net.elements() / 2, net.elements());
  EXPECT_EQ(refused_mix({memory.as("a"), memory.as("b"), raw("y", shifted)}).kind,
            Errc::overlapping);
  // Inputs may share memory. Raw memory may use registered bytes that the graph does not use.
  EXPECT_TRUE(succeeds(graph<AnyIo>(context(), "step")
                           .check({memory.as("a"), raw("b", bytes_of("a")), memory.as("y")})));
  EXPECT_TRUE(succeeds(graph<AnyIo>(context(), "step")
                           .check({memory.as("a"), memory.as("b"), raw("y", bytes_of("y"))})));
}

TEST_F(graph_bind_registered, SHB_02_raw_memory_in_bytes_of_native_memory_is_refused) {
  const auto lent = must(MemRegion<TensorIo>::allocate(allocator(), 2 * net.bytes()));
  const auto opened = must(lent.access(CpuUse::write));
  auto region = must(MemRegion<TensorIo>::from_buffer(must(DmaBuffer::from_native(
      lent.fd(), 2 * net.bytes(), {.data = opened.bytes().data(), .needs_sync = false}))));
  const auto inputs = must(SharedBuffer<MultiTensor>::from_region(
      std::move(region), {{spec("a"), 0, 0}, {spec("b"), net.bytes(), 0}}));
  const auto tensors = must(RegisteredTensors::create(context(), inputs));
  const auto bytes = opened.bytes();
  EXPECT_EQ(error_of(graph<AnyIo>(context(), "step")
                         .bind({registered(tensors, "a"), registered(tensors, "b"),
                                raw("y", bytes.first(net.bytes()))}))
                .kind,
            Errc::overlapping);
}

TEST_F(graph_bind_registered, raw_memory_beside_memory_that_the_CPU_never_mapped_is_bound) {
  const auto lent = must(MemRegion<TensorIo>::allocate(allocator(), 2 * net.bytes()));
  auto region = must(MemRegion<TensorIo>::from_buffer(
      must(DmaBuffer::from_native(lent.fd(), 2 * net.bytes(), {.needs_sync = false}))));
  const auto inputs = must(SharedBuffer<MultiTensor>::from_region(
      std::move(region), {{spec("a"), 0, 0}, {spec("b"), net.bytes(), 0}}));
  const auto tensors = must(RegisteredTensors::create(context(), inputs));
  std::vector<float> out(net.elements());
  EXPECT_TRUE(
      succeeds(graph<AnyIo>(context(), "step")
                   .check({registered(tensors, "a"), registered(tensors, "b"), raw("y", out)})));
}

TEST_F(graph_bind_registered, a_name_that_the_buffer_does_not_have_is_unknown_and_lists_its_names) {
  const auto memory = memory_of({spec("a"), spec("y")});
  const Error error =
      refused_list({memory.as("a"), registered("b", memory.tensors, "bb"), memory.as("y")});
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.object, "bb");
  EXPECT_EQ(error.detail, "the buffer holds: a, y");
}

TEST_F(graph_bind_registered, a_tensor_of_the_buffer_that_is_not_registered_is_unknown) {
  const auto memory = must(SharedBuffer<MultiTensor>::allocate(
      allocator(), std::vector<TensorSpec>{spec("a"), spec("b"), spec("y")}));
  const std::vector<std::string> names{"a", "y"};
  const auto tensors = must(RegisteredTensors::create(context(), memory, names));
  const Error error =
      refused_list({registered(tensors, "a"), registered(tensors, "b"), registered(tensors, "y")});
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.object, "b");
  EXPECT_NE(error.detail.find("steps.bin"), std::string::npos);
}

TEST_F(graph_bind_registered, a_missing_tensor_is_named) {
  const auto memory = memory_of({spec("a"), spec("b")});
  const Error error = refused(memory.tensors);
  EXPECT_EQ(error.kind, Errc::missing_tensor);
  EXPECT_EQ(error.object, "y");
  EXPECT_EQ(error.detail, "graph step got no memory for output y");
}

TEST_F(graph_bind_registered, a_tensor_of_two_registrations_is_bound_twice) {
  const auto one = memory_of({spec("a"), spec("b"), spec("y")});
  const auto two = memory_of({spec("b")});
  const Error error = refused(one.tensors, two.tensors);
  EXPECT_EQ(error.kind, Errc::duplicate_name);
  EXPECT_EQ(error.object, "b");
  EXPECT_EQ(error.detail, "bound twice to graph step");
}

TEST_F(graph_bind_registered, a_graph_uses_what_it_needs_of_a_buffer_with_more_tensors) {
  const auto memory = memory_of({spec("z"), spec("b"), spec("y"), spec("z2"), spec("a")});
  const auto more = memory_of({spec("z"), spec("other")});
  expect_computes(must(graph<RegisteredIo>(context(), "step").bind(memory.tensors, more.tensors)),
                  memory, memory, memory);
}

TEST_F(graph_bind_registered, what_a_buffer_with_more_tensors_lacks_is_listed) {
  const auto memory = memory_of({spec("z"), spec("a"), spec("z2"), spec("z3"), spec("z4")});
  const Error error = refused(memory.tensors);
  EXPECT_EQ(error.kind, Errc::missing_tensor);
  EXPECT_EQ(error.object, "b");
  EXPECT_EQ(error.detail, "graph step got no memory for input b, output y");
}

TEST_F(graph_bind_registered, SHB_05_a_registration_with_another_context_is_foreign) {
  const auto other = context_of({net}, "other.bin");
  const auto memory =
      RegisteredMemory<MultiTensor>::make(allocator(), other, {spec("a"), spec("b"), spec("y")});
  const Error error = refused(memory.tensors);
  EXPECT_EQ(error.kind, Errc::foreign_object);
  EXPECT_EQ(error.object, "a");
  EXPECT_EQ(error.detail,
            "the memory is registered with other.bin, the graph belongs to steps.bin");
}

TEST_F(graph_bind_registered, SHB_05_one_buffer_registered_with_both_contexts_serves_both) {
  const auto other = context_of({net}, "other.bin");
  const auto here = memory_of({spec("a"), spec("b"), spec("y")});
  const auto there = must(RegisteredTensors::create(other, here.memory));
  expect_computes(must(graph<RegisteredIo>(other, "step").bind(there)), here, here, here);
  expect_computes(must(graph<RegisteredIo>(context(), "step").bind(here.tensors)), here, here,
                  here);
}

TEST_F(graph_bind_registered, another_element_type_is_a_mismatch_that_says_both) {
  TensorSpec integers = spec("b");
  integers.data_type = c_api::DataType::uint_32;
  const auto memory = memory_of({spec("a"), integers, spec("y")});
  const Error error = refused(memory.tensors);
  EXPECT_EQ(error.kind, Errc::type_mismatch);
  EXPECT_EQ(error.object, "b");
  EXPECT_NE(error.detail.find("is FLOAT_32"), std::string::npos) << error.detail;
  EXPECT_NE(error.detail.find("memory is UINT_32"), std::string::npos) << error.detail;
}

TEST_F(graph_bind_registered, another_shape_is_a_mismatch_that_says_both) {
  TensorSpec turned = spec("y");
  turned.dimensions = {8, 4};
  const auto memory = memory_of({spec("a"), spec("b"), turned});
  const Error error = refused(memory.tensors);
  EXPECT_EQ(error.kind, Errc::shape_mismatch);
  EXPECT_EQ(error.object, "y");
  EXPECT_EQ(error.detail, "the graph's tensor is [4, 8], the memory is [8, 4]");
}

TEST_F(graph_bind_registered, check_says_what_bind_would_and_holds_no_registration) {
  auto memory = memory_of({spec("b"), spec("y")});
  auto more = memory_of({spec("a")});
  const auto retrieved = graph<RegisteredIo>(context(), "step");
  const std::uint64_t before = control().counters().calls;
  EXPECT_EQ(error_of(retrieved.check(memory.tensors)).message(), refused(memory.tensors).message());
  EXPECT_EQ(error_of(retrieved.check({memory.as("b")})).detail,
            "graph step got no memory for input a, output y");
  EXPECT_TRUE(succeeds(retrieved.check(memory.tensors, more.tensors)));
  EXPECT_EQ(control().counters().calls, before + 1) << "the other graph's retrieval";
  EXPECT_TRUE(succeeds(std::move(memory.tensors).close()));
  EXPECT_TRUE(succeeds(std::move(more.tensors).close()));
}

TEST_F(graph_bind_registered, a_failed_binding_holds_no_registration) {
  auto memory = memory_of({spec("a"), spec("b")});
  EXPECT_EQ(refused(memory.tensors).kind, Errc::missing_tensor);
  EXPECT_TRUE(succeeds(std::move(memory.tensors).close())) << "not in use";
  EXPECT_EQ(control().counters().live_tensor_registrations, 0u);
}

TEST_F(graph_bind_registered, a_failed_binding_of_a_graph_that_was_bound_before_holds_nothing) {
  auto memory = memory_of({spec("a"), spec("b"), spec("y")});
  auto bound = must(graph<RegisteredIo>(context(), "step").bind(memory.tensors));
  EXPECT_EQ(error_of(std::move(bound).unbind().bind({memory.as("a")})).kind, Errc::missing_tensor);
  EXPECT_TRUE(succeeds(std::move(memory.tensors).close()));
}

TEST_F(graph_bind_registered,
       for_the_layers_above_a_failed_binding_leaves_the_block_without_memory) {
  const auto memory = memory_of({spec("a"), spec("b")});
  const auto block = qnnpp::detail::Access::take(graph<AnyIo>(context(), "step"));
  const std::vector<Binding<>> bindings{memory.as("a"), memory.as("b")};
  EXPECT_EQ(error_of(block->use(block->prepare(bindings))).kind, Errc::missing_tensor);
  EXPECT_TRUE(block->inputs.empty());
  EXPECT_TRUE(block->outputs.empty());
  EXPECT_TRUE(block->used.empty());
  EXPECT_EQ(block->io_cost(), IoCost{});
}

TEST_F(graph_bind_registered, a_bound_graph_keeps_every_registration_it_uses) {
  const auto y = must(SharedBuffer<PerTensor>::allocate(allocator(), std::vector{spec("y")}));
  auto bound = [&] {
    const auto a = memory_of({spec("a")});
    const auto b = memory_of({spec("b")});
    a.fill("a", net.input(0));
    b.fill("b", net.input(1));
    const auto out = must(RegisteredTensors::create(context(), y));
    return must(graph<RegisteredIo>(context(), "step").bind(a.tensors, out, b.tensors));
  }();
  EXPECT_EQ(control().counters().live_tensor_registrations, 3u);
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(must(y.access<const float>("y", CpuUse::read)),
                               net.reference({net.input(0), net.input(1)})),
            tolerance);
}

class graph_bind_registered_death : public graph_bind_registered {};

TEST_F(graph_bind_registered_death, ORD_09_a_consumed_registration_ends_the_program) {
  auto memory = memory_of({spec("a"), spec("b"), spec("y")});
  const auto kept = [&] { return std::move(memory.tensors); }();
  auto retrieved = graph<RegisteredIo>(context(), "step");
  EXPECT_CONTRACT(moved_registration, (void)std::move(retrieved).bind(memory.tensors));
  EXPECT_TRUE(succeeds(std::move(retrieved).bind(kept)));
}

TEST_F(graph_bind_registered, memory_of_another_quantisation_is_a_mismatch_that_names_both) {
  auto composing = must(Context<Composing>::create(backend()));
  auto made = must(Graph<Composing, RegisteredIo>::create(composing, "scaled"));
  const TensorSpec x{.name = "x",
                     .kind = c_api::TensorType::app_write,
                     .dimensions = {4},
                     .quantisation = {0.5f, 1}};
  const TensorSpec y{.name = "y", .kind = c_api::TensorType::app_read, .dimensions = {4}};
  const auto in = must(made.add_tensor(x));
  const auto out = must(made.add_tensor(y));
  must(made.add_node({.name = "relu", .type = "Relu", .inputs = {in}, .outputs = {out}}));
  auto scaled = must(std::move(made).finalize());
  const auto composed = must(std::move(composing).finalize());
  TensorSpec other = x;
  other.quantisation = {0.5f, 2};
  const auto memory =
      must(SharedBuffer<MultiTensor>::allocate(allocator(), std::vector<TensorSpec>{other, y}));
  const auto io = must(RegisteredTensors::create(composed, memory));
  const Error error = error_of(std::move(scaled).bind(io));
  EXPECT_EQ(error.kind, Errc::type_mismatch);
  EXPECT_EQ(error.object, "x");
  EXPECT_EQ(error.detail,
            "the graph's tensor has scale 0.5, offset 1, the memory has scale 0.5, offset 2");
}

}}  // namespace support
