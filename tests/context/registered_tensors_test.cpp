// RegisteredTensors: what is registered with a context, what is refused, and that an error leaves
// nothing (ION-01 to ION-04, SHB-03 to SHB-05).
#include "qnnpp/context/registered_tensors.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/memory/tensor_arena.hpp"

#include "contracts.hpp"
#include "forms.hpp"
#include "heap.hpp"
#include "recorder.hpp"
#include "tensor_memory.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;
using Names = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Counts the allocations of this thread after QnnMem_register.
void count_after_the_call(std::size_t slot, bool entering, const void* const*) {
  if (slot == static_cast<std::size_t>(Slot::mem_register)) HeapWatch::pause(entering);
}

class registered_at_once : public TensorMemoryTest {};

// A failed allocation before the call leaves nothing behind, and nothing is allocated after the
// call.
TEST_F(registered_at_once, SHB_03_what_a_registration_needs_is_allocated_before_the_call) {
  const auto recorder = must(load_recorder());
  auto from = binary(network);
  const auto context = must(Context<Finalized>::restore(recorder, std::move(from)));
  const auto memory = buffer<MultiTensor>();
  const Recording recording(&count_after_the_call);
  std::optional<Result<RegisteredTensors>> made;
  {
    const HeapWatch watch(Threads::this_one);
    HeapWatch::pause(true);
    made.emplace(RegisteredTensors::create(context, memory));
    HeapWatch::pause(false);
  }
  EXPECT_EQ(HeapWatch::allocations(), 0u);
  EXPECT_TRUE(succeeds(*made));
}

// ---- every form ------------------------------------------------------------------------------

template <class Form>
class registered_form : public TensorMemoryTest {};
TYPED_TEST_SUITE(registered_form, Forms, FormNames);

TYPED_TEST(registered_form, ION_01_a_graph_runs_in_it_and_nothing_is_copied) {
  const auto context = this->finalized(this->queried(this->network));
  const auto memory = this->template buffer<TypeParam>();
  const auto tensors = must(RegisteredTensors::create(context, memory));
  EXPECT_LT(this->difference_in(memory, tensors, context, this->network), tolerance);
  const sim::Counters counters = control().counters();
  EXPECT_EQ(counters.in_place, 2u);
  EXPECT_EQ(counters.copied_in + counters.copied_out, 0u);
}

TYPED_TEST(registered_form, SHB_03_all_tensors_are_registered_by_one_call_and_given_back_by_one) {
  const auto context = this->restored(this->network);
  const auto memory = this->template buffer<TypeParam>();
  {
    const auto tensors = must(RegisteredTensors::create(context, memory));
    EXPECT_EQ(this->calls(Slot::mem_register), 1u);
    EXPECT_EQ(tensors.handle_count(), 2u);
    EXPECT_EQ(this->registrations(), 2u);
    const c_api::MemHandle x = must(tensors.native("x"));
    const c_api::MemHandle y = must(tensors.native("y"));
    EXPECT_TRUE(x != nullptr && y != nullptr && x != y);
    EXPECT_EQ(this->calls(Slot::mem_de_register), 0u);
  }
  EXPECT_EQ(this->calls(Slot::mem_de_register), 1u);
  EXPECT_EQ(this->registrations(), 0u);
}

TYPED_TEST(registered_form, SHB_05_each_context_has_handles_of_its_own_for_one_memory) {
  const Network second{.name = "second", .seed = 9, .io = c_api::TensorMemType::memhandle};
  const auto first_context = this->restored(this->network);
  const auto second_context = this->restored(second);
  const auto memory = this->template buffer<TypeParam>();
  const auto first = must(RegisteredTensors::create(first_context, memory));
  const auto other = must(RegisteredTensors::create(second_context, memory));
  EXPECT_EQ(this->registrations(), 4u);
  EXPECT_NE(must(first.native("x")), must(other.native("x")));
  EXPECT_NE(must(first.native("y")), must(other.native("y")));
  EXPECT_LT(this->difference_in(memory, first, first_context, this->network), tolerance);
  EXPECT_LT(this->difference_in(memory, other, second_context, second), tolerance);
}

TYPED_TEST(registered_form, SHB_05_the_same_memory_twice_with_one_context_is_refused) {
  const auto context = this->restored(this->network);
  const auto memory = this->template buffer<TypeParam>();
  auto tensors = must(RegisteredTensors::create(context, memory));
  const Error error = error_of(RegisteredTensors::create(context, memory));
  EXPECT_EQ(error.kind, Errc::already_registered);
  EXPECT_TRUE(error.object == "x" || error.object == "y") << error.object;
  EXPECT_TRUE(contains(error.detail, "net.bin")) << error.detail;
  EXPECT_EQ(this->calls(Slot::mem_register), 1u) << "refused before any call";
  EXPECT_EQ(this->registrations(), 2u);

  EXPECT_TRUE(succeeds(std::move(tensors).close()));
  const auto again = must(RegisteredTensors::create(context, memory));
  EXPECT_LT(this->difference_in(memory, again, context, this->network), tolerance);
}

TYPED_TEST(registered_form, SHB_05_a_tensor_among_others_twice_with_one_context_is_refused) {
  const auto context = this->restored(this->network);
  const auto memory = this->template buffer<TypeParam>();
  const auto y = std::optional(must(RegisteredTensors::create(context, memory, Names{"y"})));
  const Error error = error_of(RegisteredTensors::create(context, memory));
  EXPECT_EQ(error.kind, Errc::already_registered);
  EXPECT_EQ(error.object, "y");
  EXPECT_EQ(this->registrations(), 1u);
  const auto x = must(RegisteredTensors::create(context, memory, Names{"x"}));
  EXPECT_EQ(this->registrations(), 2u);
}

TYPED_TEST(registered_form, SHB_05_memory_may_be_registered_again_when_its_registration_went) {
  const auto context = this->restored(this->network);
  const auto memory = this->template buffer<TypeParam>();
  for (int round = 0; round < 3; ++round) {
    const auto tensors = must(RegisteredTensors::create(context, memory));
    EXPECT_EQ(this->registrations(), 2u);
  }
  EXPECT_EQ(this->calls(Slot::mem_de_register), 3u);
}

TYPED_TEST(registered_form, SHB_05_new_memory_at_an_old_address_gets_a_new_handle) {
  const auto context = this->restored(this->network);
  for (int round = 0; round < 4; ++round) {
    const auto memory = this->template buffer<TypeParam>();
    const auto tensors = must(RegisteredTensors::create(context, memory));
    EXPECT_EQ(this->registrations(), 2u);
    EXPECT_LT(this->difference_in(memory, tensors, context, this->network), tolerance);
  }
  EXPECT_EQ(this->calls(Slot::mem_register), 4u);
}

TYPED_TEST(registered_form, only_the_tensors_that_are_named_are_registered) {
  const auto context = this->restored(this->network);
  const auto memory = this->template buffer<TypeParam>();
  const auto tensors = must(RegisteredTensors::create(context, memory, Names{"y"}));
  EXPECT_EQ(tensors.handle_count(), 1u);
  EXPECT_EQ(this->registrations(), 1u);
  EXPECT_TRUE(succeeds(tensors.native("y")));
  const Error error = error_of(tensors.native("x"));
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.object, "x");
  EXPECT_TRUE(contains(error.detail, "not registered with net.bin; registered: y")) << error.detail;
  const Error none = error_of(tensors.native("z"));
  EXPECT_EQ(none.kind, Errc::unknown_name);
  EXPECT_TRUE(contains(none.detail, "x, y")) << none.detail;
}

TYPED_TEST(registered_form, names_that_are_unknown_or_twice_or_none_are_refused) {
  const auto context = this->restored(this->network);
  const auto memory = this->template buffer<TypeParam>();
  const Error unknown = error_of(RegisteredTensors::create(context, memory, Names{"x", "z"}));
  EXPECT_EQ(unknown.kind, Errc::unknown_name);
  EXPECT_EQ(unknown.object, "z");
  EXPECT_TRUE(contains(unknown.detail, "x, y")) << unknown.detail;
  const Error twice = error_of(RegisteredTensors::create(context, memory, Names{"y", "x", "y"}));
  EXPECT_EQ(twice.kind, Errc::duplicate_name);
  EXPECT_EQ(twice.object, "y");
  EXPECT_EQ(error_of(RegisteredTensors::create(context, memory, Names{})).kind, Errc::empty);
  EXPECT_EQ(this->calls(Slot::mem_register), 0u);
}

TYPED_TEST(registered_form, SHB_03_a_batch_that_fails_at_any_tensor_registers_nothing) {
  const auto context = this->restored(this->network);
  std::vector<TensorSpec> specs;
  for (int i = 0; i < 5; ++i) specs.push_back(tensor("t" + std::to_string(i), {8}));
  const auto memory = must(SharedBuffer<TypeParam>::allocate(this->allocator(), specs));
  for (std::uint32_t k = 2; k <= 5; ++k) {
    this->set(&sim::Config::max_mappings, k - 1);
    const Error error = error_of(RegisteredTensors::create(context, memory));
    EXPECT_EQ(error.kind, Errc::qnn);
    EXPECT_EQ(error.code, drawn(sim::Unconfirmed::mapping_limit));
    EXPECT_STREQ(error.step, "QnnMem_register");
    EXPECT_EQ(error.object, "t0");
    EXPECT_TRUE(contains(error.detail, "5 tensors")) << error.detail;
    EXPECT_TRUE(contains(error.detail, "net.bin")) << error.detail;
    EXPECT_EQ(this->registrations(), 0u);
    EXPECT_EQ(this->calls(Slot::mem_de_register), 0u) << "there is nothing to give back";
  }
  this->set(&sim::Config::max_mappings, 0);
  const auto tensors = must(RegisteredTensors::create(context, memory));
  EXPECT_EQ(tensors.handle_count(), 5u) << "what failed is not held against a second try";
}

TYPED_TEST(registered_form, SHB_03_a_call_that_fails_registers_nothing_and_names_the_tensor) {
  const auto context = this->restored(this->network);
  const auto memory = this->template buffer<TypeParam>();
  control().fail_call(Slot::mem_register, 1, 8002);
  const Error error = error_of(RegisteredTensors::create(context, memory, Names{"y"}));
  EXPECT_EQ(error.code, 8002);
  EXPECT_EQ(error.object, "y");
  EXPECT_EQ(this->registrations(), 0u);
  EXPECT_EQ(this->calls(Slot::mem_de_register), 0u);
  EXPECT_TRUE(succeeds(RegisteredTensors::create(context, memory)));
}

TYPED_TEST(registered_form, SHB_04_a_failed_deregistration_is_never_tried_again) {
  const auto context = this->restored(this->network);
  const auto memory = this->template buffer<TypeParam>();
  control().fail_call(Slot::mem_de_register, 1, 8001, true);
  {
    const auto tensors = must(RegisteredTensors::create(context, memory));
  }
  EXPECT_EQ(this->calls(Slot::mem_de_register), 1u) << "the destructor is silent";
  auto tensors = must(RegisteredTensors::create(context, memory, Names{"y"}));
  const Error error = error_of(std::move(tensors).close());
  EXPECT_EQ(error.code, 8001);
  EXPECT_STREQ(error.step, "QnnMem_deRegister");
  EXPECT_EQ(error.object, "y");
  EXPECT_EQ(this->calls(Slot::mem_de_register), 2u);
  control().clear_faults();
  EXPECT_TRUE(succeeds(RegisteredTensors::create(context, memory))) << "the handles were gone";
}

TYPED_TEST(registered_form, SHB_04_close_gives_all_back_once_and_says_so) {
  const auto context = this->restored(this->network);
  const auto memory = this->template buffer<TypeParam>();
  auto tensors = must(RegisteredTensors::create(context, memory));
  EXPECT_TRUE(succeeds(std::move(tensors).close()));
  EXPECT_EQ(this->registrations(), 0u);
  EXPECT_EQ(this->calls(Slot::mem_de_register), 1u);
}

TYPED_TEST(registered_form, is_in_use_while_a_graph_is_bound_and_goes_with_it) {
  const auto context = this->restored(this->network);
  const auto memory = this->template buffer<TypeParam>();
  auto tensors = must(RegisteredTensors::create(context, memory));
  auto graph = std::optional(must(must(Graph<Retrieved>::retrieve(context, "net"))
                                      .bind({registered(tensors, "x"), registered(tensors, "y")})));
  const Error error = error_of(std::move(tensors).close());
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_EQ(error.object, "x");
  EXPECT_EQ(this->registrations(), 2u);
  EXPECT_TRUE(succeeds(graph->execute()));
  graph.reset();
  EXPECT_EQ(this->registrations(), 0u);
  EXPECT_EQ(this->calls(Slot::mem_de_register), 1u);
}

TYPED_TEST(registered_form, ION_04_memory_whose_registration_failed_is_freed_with_its_buffer) {
  const auto context = this->restored(this->network);
  {
    const auto memory = this->template buffer<TypeParam>();
    control().fail_call(Slot::mem_register, 1, 8003);
    EXPECT_EQ(error_of(RegisteredTensors::create(context, memory)).code, 8003);
  }
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TYPED_TEST(registered_form, SHB_05_a_handle_of_another_context_is_not_bound) {
  const auto context = this->restored(this->network);
  const auto other = this->restored(this->network);
  const auto memory = this->template buffer<TypeParam>();
  const auto tensors = must(RegisteredTensors::create(other, memory));
  const Error error = error_of(must(Graph<Retrieved>::retrieve(context, "net"))
                                   .bind({registered(tensors, "x"), registered(tensors, "y")}));
  EXPECT_EQ(error.kind, Errc::foreign_object);
}

TYPED_TEST(registered_form, ORD_09_what_was_moved_from_breaks_a_contract) {
  auto context = this->restored(this->network);
  auto memory = this->template buffer<TypeParam>();
  auto tensors = must(RegisteredTensors::create(context, memory));
  const auto kept = std::move(tensors);
  EXPECT_CONTRACT(moved_registration, (void)tensors.native("x"));
  EXPECT_CONTRACT(moved_registration, (void)tensors.handle_count());
  EXPECT_CONTRACT(moved_registration, (void)std::move(tensors).close());
  const auto kept_memory = std::move(memory);
  EXPECT_CONTRACT(moved_buffer, (void)RegisteredTensors::create(context, memory));
  EXPECT_CONTRACT(moved_buffer, (void)RegisteredTensors::create(context, memory, Names{"x"}));
  const auto kept_context = std::move(context);
  EXPECT_CONTRACT(moved_context, (void)RegisteredTensors::create(context, kept_memory));
  EXPECT_TRUE(succeeds(kept.native("x")));
}

// ---- contexts --------------------------------------------------------------------------------

using registered_tensors = TensorMemoryTest;

TEST_F(registered_tensors, ION_01_memory_that_is_not_registered_is_copied) {
  const auto context = restored(Network{});
  EXPECT_LT(difference(context, Network{}), tolerance);
  const sim::Counters counters = control().counters();
  EXPECT_EQ(counters.in_place, 0u);
  EXPECT_EQ(counters.copied_in + counters.copied_out, 2u);
}

template <class State>
constexpr bool registers =
    requires(const Context<State>& context, const SharedBuffer<MultiTensor>& memory) {
      RegisteredTensors::create(context, memory);
    };
template <class State>
constexpr bool registers_by_name =
    requires(const Context<State>& context, const SharedBuffer<PerTensor>& memory,
             const Names& names) { RegisteredTensors::create(context, memory, names); };

TEST_F(registered_tensors, ION_02_a_complete_context_takes_tensors) {
  EXPECT_TRUE(registers<Finalized> && registers<Composed>);
  EXPECT_TRUE(registers_by_name<Finalized> && registers_by_name<Composed>);
  auto composing = must(Context<Composing>::create(backend()));
  (void)compose(composing, network);
  const auto composed = must(std::move(composing).finalize());
  const auto memory = buffer<MultiTensor>();
  EXPECT_TRUE(succeeds(RegisteredTensors::create(composed, memory)));
}

TEST_F(registered_tensors, ION_02_a_context_that_is_not_complete_takes_none) {
  EXPECT_FALSE(registers<Deferred> || registers<Queried> || registers<Registered>);
  EXPECT_FALSE(registers_by_name<Deferred> || registers_by_name<Queried> ||
               registers_by_name<Registered>);
}

TEST_F(registered_tensors, ION_03_each_tensor_of_its_own_buffer_is_mapped_on_its_own) {
  const auto context = restored(network);
  const auto memory = buffer<PerTensor>();
  const auto tensors = must(RegisteredTensors::create(context, memory));
  EXPECT_EQ(control().counters().device_mappings, 2u);
}

TEST_F(registered_tensors, ION_03_many_tensors_of_one_buffer_share_its_mapping) {
  const auto context = restored(network);
  const auto memory = buffer<MultiTensor>();
  const auto tensors = must(RegisteredTensors::create(context, memory));
  EXPECT_EQ(control().counters().device_mappings, 1u);
}

TEST_F(registered_tensors, SHB_05_many_tensors_are_registered_once_for_each_of_many_contexts) {
  std::vector<TensorSpec> specs;
  for (int i = 0; i < 2000; ++i)
    specs.push_back(tensor(std::string("t").append(std::to_string(i)), {4}));
  const auto memory = must(SharedBuffer<MultiTensor>::allocate(allocator(), specs));
  std::vector<Context<Finalized>> contexts;
  std::vector<RegisteredTensors> tensors;
  for (int i = 0; i < 3; ++i) {
    contexts.push_back(restored(network));
    tensors.push_back(must(RegisteredTensors::create(contexts.back(), memory)));
  }
  EXPECT_EQ(calls(Slot::mem_register), 3u);
  EXPECT_EQ(registrations(), 6000u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 1u);
  std::set<c_api::MemHandle> handles;
  for (const RegisteredTensors& one : tensors)
    for (const TensorSpec& spec : specs) handles.insert(must(one.native(spec.name)));
  EXPECT_EQ(handles.size(), 6000u);
  tensors.clear();
  EXPECT_EQ(calls(Slot::mem_de_register), 3u);
}

TEST_F(registered_tensors, SHB_05_the_output_of_one_context_is_the_input_of_the_next_in_place) {
  const Network first{.name = "first", .seed = 3, .io = c_api::TensorMemType::memhandle};
  const Network second{.name = "second", .seed = 4, .io = c_api::TensorMemType::memhandle};
  const auto first_context = restored(first);
  const auto second_context = restored(second);
  const auto memory = must(SharedBuffer<MultiTensor>::allocate(
      allocator(), std::vector<TensorSpec>{tensor("in", first.io_dimensions()),
                                           tensor("between", first.io_dimensions()),
                                           tensor("out", first.io_dimensions())}));
  const auto head = must(RegisteredTensors::create(first_context, memory, Names{"in", "between"}));
  const auto tail =
      must(RegisteredTensors::create(second_context, memory, Names{"between", "out"}));
  const auto input = first.input();
  must(write_elements(memory.access<float>("in", CpuUse::write), input));
  auto one = must(must(Graph<Retrieved>::retrieve(first_context, "first"))
                      .bind({registered("x", head, "in"), registered("y", head, "between")}));
  auto two = must(must(Graph<Retrieved>::retrieve(second_context, "second"))
                      .bind({registered("x", tail, "between"), registered("y", tail, "out")}));
  ASSERT_TRUE(succeeds(one.execute()));
  ASSERT_TRUE(succeeds(two.execute()));
  EXPECT_LT(largest_difference(must(memory.access<const float>("out", CpuUse::read)),
                               second.reference(first.reference(input))),
            tolerance);
  EXPECT_EQ(control().counters().copied_in + control().counters().copied_out, 0u);
}

TEST_F(registered_tensors, SHB_03_a_bad_descriptor_at_any_tensor_registers_nothing) {
  const auto context = restored(network);
  std::vector<TensorSpec> specs;
  for (int i = 0; i < 4; ++i) specs.push_back(tensor("t" + std::to_string(i), {8}));
  for (int k = 1; k <= 4; ++k) {
    const auto memory =
        must(SharedBuffer<PerTensor>::allocate(BadDescriptorAllocator(allocator(), k), specs));
    const Error error = error_of(RegisteredTensors::create(context, memory));
    EXPECT_EQ(error.code, drawn(sim::Unconfirmed::fd_not_open)) << k;
    EXPECT_EQ(registrations(), 0u) << k;
    EXPECT_EQ(control().counters().mapped_fds, 0u) << k;
  }
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

// ---- purposes --------------------------------------------------------------------------------

class tensor_purposes : public TensorMemoryTest {
 protected:
  void expect_refused(const Context<Finalized>& context, const DmaBuffer& memory) const {
    const std::uint64_t before = calls(Slot::mem_register);
    const auto one =
        must(SharedBuffer<PerTensor>::from_region(lend<TensorIo>(memory), tensor("mine", {4})));
    const auto many = must(
        SharedBuffer<MultiTensor>::from_region(lend<TensorIo>(memory), {{tensor("mine", {4}), 0}}));
    for (const Error& error : {error_of(RegisteredTensors::create(context, one)),
                               error_of(RegisteredTensors::create(context, many))}) {
      EXPECT_EQ(error.kind, Errc::purpose_mismatch);
      EXPECT_EQ(error.object, "mine");
      EXPECT_TRUE(contains(error.detail, "net.bin")) << error.detail;
    }
    EXPECT_EQ(calls(Slot::mem_register), before);
  }
};

TEST_F(tensor_purposes, BUF_07_the_weights_buffer_of_the_context_takes_no_tensors) {
  auto asked = queried(network);
  const auto memory = must(allocator().allocate(asked.requirements().weights_bytes));
  auto context = must(std::move(asked)
                          .register_buffers({.weights = lend<Weights>(memory)})
                          .and_then(transition::finalize));
  expect_refused(context, memory);
  EXPECT_TRUE(succeeds(std::move(context).close()));
}

TEST_F(tensor_purposes, BUF_07_the_spill_fill_buffer_of_the_context_takes_no_tensors) {
  auto asked = queried(network);
  const auto need = asked.requirements();
  const auto memory = must(allocator().allocate(need.spill_fill_bytes));
  auto weights = weights_for(asked);
  auto context = must(
      std::move(asked)
          .register_buffers({.weights = std::move(weights),
                             .spill_fill = SharedSpillFill::from_region(lend<SpillFill>(memory))})
          .and_then(transition::finalize));
  expect_refused(context, memory);
  EXPECT_TRUE(succeeds(std::move(context).close()));
}

TEST_F(tensor_purposes, BUF_07_memory_beside_the_external_buffers_takes_tensors) {
  auto asked = queried(network);
  const auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  const auto context = finalized(std::move(asked), pool);
  const auto memory = buffer<MultiTensor>();
  const auto tensors = must(RegisteredTensors::create(context, memory));
  EXPECT_LT(difference_in(memory, tensors, context, network), tolerance);
}

// ---- dma-bufs --------------------------------------------------------------------------------

TEST_F(registered_tensors, LOAD_04_dma_bufs_are_registered_where_the_backend_takes_them) {
  set(&sim::Config::dma_buf, 1);
  const auto context = restored(network);
  const auto memory = buffer<DmaBuf>();
  const auto tensors = must(RegisteredTensors::create(context, memory));
  EXPECT_LT(difference_in(memory, tensors, context, network), tolerance);
}

TEST_F(registered_tensors, LOAD_04_dma_bufs_are_refused_before_any_call_where_it_does_not) {
  set(&sim::Config::dma_buf, 0);
  const auto context = restored(network);
  const auto memory = buffer<DmaBuf>();
  const Error error = error_of(RegisteredTensors::create(context, memory));
  EXPECT_EQ(error.kind, Errc::capability_missing);
  EXPECT_EQ(calls(Slot::mem_register), 0u);
  const auto other = buffer<PerTensor>();
  EXPECT_TRUE(succeeds(RegisteredTensors::create(context, other))) << "other forms do not need it";
}

// ---- tensors in the same bytes ---------------------------------------------------------------

class same_bytes : public TensorMemoryTest {
 protected:
  SharedBuffer<MultiTensor> placed(std::vector<TensorPlacement> places) const {
    return must(SharedBuffer<MultiTensor>::from_region(
        must(MemRegion<TensorIo>::allocate(allocator(), 4096)), std::move(places),
        Overlap::allowed));
  }
};

TEST_F(same_bytes, SHB_05_tensors_of_equal_type_and_shape_share_a_handle) {
  const auto context = restored(network);
  const auto memory = placed({{tensor("late", {4}), 512},
                              {tensor("a", {4}), 128},
                              {tensor("b", {4}), 128},
                              {tensor("first", {8}), 0},
                              {tensor("c", {4}), 128}});
  const auto tensors = must(RegisteredTensors::create(context, memory));
  EXPECT_EQ(tensors.handle_count(), 3u);
  EXPECT_EQ(registrations(), 3u);
  EXPECT_EQ(must(tensors.native("a")), must(tensors.native("b")));
  EXPECT_EQ(must(tensors.native("a")), must(tensors.native("c")));
  EXPECT_NE(must(tensors.native("a")), must(tensors.native("first")));
  EXPECT_NE(must(tensors.native("a")), must(tensors.native("late")));
  EXPECT_NE(must(tensors.native("first")), must(tensors.native("late")));
}

TEST_F(same_bytes, SHB_05_a_shared_handle_is_given_back_once) {
  const auto context = restored(network);
  const auto memory = placed({{tensor("a", {4}), 0}, {tensor("b", {4}), 0}});
  {
    const auto tensors = must(RegisteredTensors::create(context, memory));
  }
  EXPECT_EQ(calls(Slot::mem_de_register), 1u);
  const auto a = must(RegisteredTensors::create(context, memory, Names{"a"}));
  EXPECT_EQ(error_of(RegisteredTensors::create(context, memory, Names{"b"})).kind,
            Errc::already_registered)
      << "one memory, one registration";
}

TEST_F(same_bytes, SHB_05_tensors_of_different_type_or_shape_get_a_handle_each) {
  const auto context = restored(network);
  for (const TensorSpec& other :
       {tensor("b", {2, 2}), tensor("b", {5}), tensor("b", {4}, c_api::DataType::int_32)}) {
    const auto memory =
        placed({{tensor("a", {4}), 0}, {other, 0}, {tensor("c", {4}), 0}, {tensor("d", {4}), 16}});
    const auto tensors = must(RegisteredTensors::create(context, memory));
    EXPECT_EQ(tensors.handle_count(), 3u);
    EXPECT_NE(must(tensors.native("a")), must(tensors.native("b")));
    EXPECT_EQ(must(tensors.native("a")), must(tensors.native("c")));
  }
  EXPECT_EQ(calls(Slot::mem_register), 3u);
}

TEST_F(same_bytes, SHB_05_a_registration_beside_another_shape_outlives_it) {
  const auto context = restored(network);
  const auto memory = placed({{tensor("a", {8}), 0}, {tensor("b", {2, 4}), 0}});
  auto a = std::optional(must(RegisteredTensors::create(context, memory, Names{"a"})));
  const auto b = must(RegisteredTensors::create(context, memory, Names{"b"}));
  EXPECT_EQ(error_of(RegisteredTensors::create(context, memory, Names{"b"})).kind,
            Errc::already_registered);
  a.reset();
  EXPECT_EQ(registrations(), 1u);
  EXPECT_EQ(error_of(RegisteredTensors::create(context, memory)).kind, Errc::already_registered);
  EXPECT_TRUE(succeeds(RegisteredTensors::create(context, memory, Names{"a"})));
}

TEST_F(same_bytes, SHB_02_tensors_that_begin_apart_have_each_their_handle) {
  const auto context = restored(network);
  const auto memory = placed({{tensor("a", {4}), 0}, {tensor("b", {4}), 8}});
  const auto tensors = must(RegisteredTensors::create(context, memory));
  EXPECT_EQ(tensors.handle_count(), 2u);
  EXPECT_NE(must(tensors.native("a")), must(tensors.native("b")));
}

TEST_F(same_bytes, SHB_05_tensors_of_a_schedule_share_handles_where_they_share_bytes) {
  const auto context = restored(network);
  std::vector<ScheduledTensor> chain;
  for (std::uint64_t i = 0; i < 8; ++i)
    chain.push_back({tensor("t" + std::to_string(i), {64}), i, i + 1});
  const auto memory = must(SharedBuffer<MultiTensor>::allocate(allocator(), chain));
  const auto tensors = must(RegisteredTensors::create(context, memory));
  EXPECT_EQ(tensors.handle_count(), 2u);
  for (const TensorPlacement& a : memory.tensors())
    for (const TensorPlacement& b : memory.tensors())
      EXPECT_EQ(must(tensors.native(a.spec.name)) == must(tensors.native(b.spec.name)),
                a.offset_bytes == b.offset_bytes);
}

TEST_F(TensorMemoryTest, SHB_08_a_tensor_of_2_GiB_is_refused_before_any_call_and_less_is_not) {
  constexpr std::uint32_t row = 1u << 20;
  const MemfdAllocator memfd;
  const auto context = restored(network);
  // These numbers of rows need 2 GiB, 4 GiB (0 in 32 bits), and a little more than 4 GiB.
  for (const std::uint32_t rows : {2048u, 4096u, 4097u}) {
    const auto memory = must(SharedBuffer<PerTensor>::allocate(
        memfd, std::vector{tensor("big", {rows, row}, c_api::DataType::uint_8)}));
    const Error error = error_of(RegisteredTensors::create(context, memory));
    EXPECT_EQ(error.kind, Errc::too_large) << rows;
    EXPECT_EQ(error.object, "big");
  }
  EXPECT_EQ(calls(Slot::mem_register), 0u);
  const auto memory = must(SharedBuffer<PerTensor>::allocate(
      memfd, std::vector{tensor("big", {2047, row}, c_api::DataType::uint_8)}));
  EXPECT_TRUE(succeeds(RegisteredTensors::create(context, memory)));
}

}}  // namespace support
