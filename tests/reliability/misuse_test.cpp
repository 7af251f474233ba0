// Programs that compile and try to break rules of docs/rules.md, as a raw client of the C API
// could. Either qnnpp offers no way to break the rule, or qnnpp keeps the rule although the program
// drops, moves or forgets an object.
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"

#include "fixture.hpp"

namespace support::misuse { namespace {

using namespace qnnpp;
using sim::Slot;

class misuse_that_compiles : public LoadedTest {
 protected:
  const Network network{.name = "net", .hidden = 48, .seed = 61};

  /// Expects that the device has never seen the rule broken.
  static void expect_kept(const char* rule) { EXPECT_EQ(control().misuses(rule), 0u) << rule; }
};

/// Whether a context of this state can be constructed from a raw handle. A program could have
/// created that handle with any option.
template <class S>
inline constexpr bool is_made_of_a_handle =
    std::constructible_from<Context<S>, c_api::ContextHandle> ||
    std::constructible_from<Context<S>, const Backend<Htp>&, c_api::ContextHandle> ||
    requires(c_api::ContextHandle handle) { Context<S>::from_native(handle); };
template <class... S>
inline constexpr bool none_is_made_of_a_handle = !(is_made_of_a_handle<S> || ...);

template <class C>
concept CanBeAsked = requires(C context) { std::move(context).query(); };
template <class C>
concept TakesBuffers = requires(C context, ExternalBuffers buffers) {
  std::move(context).register_buffers(std::move(buffers));
};

TEST_F(misuse_that_compiles, ORD_06_no_way_to_end_a_context_gives_its_weights_back_after_finalize) {
  const std::vector<std::byte> bytes = binary_of(backend(), {network});
  const auto made = [&] {
    return finalized(
        must(Context<Deferred>::create(backend(), own(bytes)).and_then(transition::query)));
  };
  const auto expect_one_free = [&](const char* how) {
    EXPECT_EQ(calls(Slot::mem_de_register), 0u) << how;
    EXPECT_EQ(calls(Slot::context_free), 1u) << how;
    control().reset_counters();
  };
  control().reset_counters();
  {
    auto context = made();
    auto graph = must(Graph<Retrieved>::retrieve(context, "net"));
    EXPECT_EQ(error_of(std::move(context).reclaim()).kind, Errc::in_use);
    EXPECT_EQ(calls(Slot::context_free), 0u) << "the graph uses the weights";
  }
  expect_one_free("reclaim() while a graph lives");
  const auto weights = must(made().reclaim());
  EXPECT_TRUE(weights);
  expect_one_free("reclaim()");
  (void)must(made().close());
  expect_one_free("close()");
  (void)made();
  expect_one_free("its destructor");
  expect_kept("ORD-06");
}

TEST_F(misuse_that_compiles, ORD_15_no_options_put_a_0_into_DEFER_GRAPH_INIT) {
  const DeferredOptions with_all{.priority = c_api::Priority::high,
                                 .enabled_graphs = {"net"},
                                 .persistent_binary = true,
                                 .file_read_memory_budget_mb = 1,
                                 .init_acceleration = true};
  for (const DeferredOptions& options : {DeferredOptions{}, with_all})
    EXPECT_TRUE(succeeds(Context<Deferred>::create(backend(), binary(network), options)
                             .and_then(transition::query)));
  for (const bool persistent : {false, true})
    EXPECT_LT(difference(restored(network, {.persistent_binary = persistent}), network), tolerance);
  expect_kept("ORD-15");
}

TEST_F(misuse_that_compiles,
       ORD_16_names_specs_and_lists_that_die_after_their_call_are_not_missed) {
  const auto context = finalized(queried(network));
  std::vector<float> out(network.io_elements(), -1.0f);
  std::vector<Graph<Bound>> graph;
  {
    auto specs = std::make_unique<std::vector<TensorSpec>>();
    specs->push_back(network.spec("x"));
    const auto memory = must(SharedBuffer<PerTensor>::allocate(allocator(), *specs));
    specs.reset();
    const auto tensors = must(RegisteredTensors::create(context, memory));
    auto found = must(Graph<Retrieved>::retrieve(context, std::string("net")));
    const auto x = std::make_unique<std::string>("x");
    const auto y = std::make_unique<std::string>("y");
    std::vector<Binding<>> io{registered(tensors, *x), raw(*y, out)};
    graph.push_back(must(std::move(found).bind(std::span<const Binding<>>(io))));
  }
  must(write_elements(graph[0].input<float>("x"), network.input()));
  EXPECT_TRUE(succeeds(graph[0].execute()));
  EXPECT_LT(largest_difference(out, network.reference(network.input())), tolerance);
  expect_kept("ORD-16");
}

TEST_F(misuse_that_compiles, EXT_01_ASY_03_what_comes_of_a_list_is_final_and_takes_no_buffers) {
  using Made =
      decltype(restore_list(backend(), std::vector<ContextBinary>()))::value_type::value_type;
  static_assert(std::is_same_v<Made, Context<Finalized>>);
  static_assert(!CanBeAsked<Made> && !TakesBuffers<Made>);
  std::vector<ContextBinary> binaries;
  binaries.push_back(binary(network));
  auto contexts = must(restore_list(backend(), std::move(binaries), {.persistent_binary = true}));
  EXPECT_LT(difference(contexts[0], network), tolerance);
  EXPECT_FALSE(must(std::move(contexts[0]).reclaim())) << "it had no weights buffer";
  contexts.clear();
  EXPECT_EQ(calls(Slot::mem_register), 0u);
  EXPECT_EQ(calls(Slot::context_finalize), 0u);
  expect_kept("EXT-01");
  expect_kept("ASY-03");
}

TEST_F(misuse_that_compiles,
       EXT_05_EXT_06_a_context_with_options_of_the_programs_own_joins_no_typed_one) {
  static_assert(
      none_is_made_of_a_handle<Deferred, Queried, Registered, Finalized, Composing, Composed>);
  // The raw handle of a context can only be read. A context that a program creates by hand, with
  // its own options, stays separate from the contexts that use external buffers.
  const auto context = queried(network);
  EXPECT_NE(context.native(), nullptr);
  EXPECT_LT(difference(finalized(queried(network)), network), tolerance);
  expect_kept("EXT-05");
  expect_kept("EXT-06");
}

TEST_F(misuse_that_compiles, EXT_10_no_context_but_a_deferred_one_can_be_asked_for_its_needs) {
  static_assert(CanBeAsked<Context<Deferred>>);
  static_assert(!CanBeAsked<Context<Queried>> && !CanBeAsked<Context<Registered>> &&
                !CanBeAsked<Context<Finalized>> && !CanBeAsked<Context<Composing>> &&
                !CanBeAsked<Context<Composed>>);
  // The requirements remain available without a second query.
  const auto context = queried(network);
  control().reset_counters();
  EXPECT_EQ(context.requirements().weights_bytes, network.weights_bytes());
  EXPECT_LT(difference(restored(network), network), tolerance);
  EXPECT_EQ(calls(Slot::context_get_property), 0u);
  expect_kept("EXT-10");
}

TEST_F(misuse_that_compiles, BUF_06_memory_of_a_living_context_is_freed_by_no_order_of_its_owners) {
  // Drops, moves from or overwrites every handle through which a program owns the memory.
  auto pool = std::make_unique<SharedSpillFill>();
  auto asked = queried(network);
  *pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  auto weights = weights_for(asked);
  auto elsewhere = std::move(weights);
  auto context = must(std::move(asked)
                          .register_buffers({.weights = std::move(elsewhere), .spill_fill = *pool})
                          .and_then(transition::finalize));
  elsewhere = {};
  *pool = {};
  pool.reset();
  drop_allocator();
  auto memory_of_another = std::make_unique<Context<Finalized>>(std::move(context));
  EXPECT_LT(difference(*memory_of_another, network), tolerance);
  memory_of_another.reset();
  EXPECT_EQ(rpcmem_control().counters().freed_while_mapped, 0u);
  expect_kept("BUF-06");
}

TEST_F(misuse_that_compiles, ION_01_registered_and_raw_memory_of_one_graph_are_never_mixed_up) {
  const auto context = finalized(queried(network));
  const auto memory = must(SharedBuffer<MultiTensor>::allocate(
      allocator(), std::vector<TensorSpec>{network.spec("x"), network.spec("y")}));
  const auto tensors = must(RegisteredTensors::create(context, memory));
  const std::vector<float> in = network.input();
  const std::vector<float> expected = network.reference(in);
  std::vector<float> raw_in = in;
  std::vector<float> raw_out(in.size(), -1.0f);
  for (const bool x_is_registered : {false, true})
    for (const bool y_is_registered : {false, true}) {
      std::vector<Binding<>> io;
      if (x_is_registered)
        io.push_back(registered(tensors, "x"));
      else
        io.push_back(raw("x", raw_in));
      if (y_is_registered)
        io.push_back(registered(tensors, "y"));
      else
        io.push_back(raw("y", raw_out));
      auto graph = must(must(Graph<Retrieved>::retrieve(context, "net")).bind(io));
      if (x_is_registered) {
        must(write_elements(graph.input<float>("x"), in));
      } else {
        EXPECT_EQ(error_of(graph.input<float>("x")).kind, Errc::raw_memory);
      }
      std::fill(raw_out.begin(), raw_out.end(), -1.0f);
      EXPECT_TRUE(succeeds(graph.execute()));
      std::vector<float> out = raw_out;
      if (y_is_registered) {
        must(read_elements(graph.output<float>("y"), out));
      }
      EXPECT_LT(largest_difference(out, expected), tolerance);
    }
  expect_kept("ION-01");
}

TEST_F(misuse_that_compiles, SHB_01_some_tensors_at_any_offset_are_described_by_the_whole_buffer) {
  const auto context = finalized(queried(network));
  // A third of a page lies before each tensor, and more memory after the last.
  constexpr std::uint64_t gap = 1280;
  auto region = must(MemRegion<TensorIo>::allocate(allocator(), 4 * gap + 2 * network.io_bytes()));
  const std::vector<TensorPlacement> places{
      {.spec = network.spec("x"), .offset_bytes = gap},
      {.spec = network.spec("y"), .offset_bytes = 2 * gap + network.io_bytes() / gap * gap}};
  const auto memory = must(SharedBuffer<MultiTensor>::from_region(std::move(region), places));
  const std::vector<std::string> only_y{"y"};
  const auto tensors = must(RegisteredTensors::create(context, memory, only_y));
  const std::vector<float> in = network.input();
  auto graph = must(must(Graph<Retrieved>::retrieve(context, "net"))
                        .bind({raw("x", in), registered(tensors, "y")}));
  EXPECT_TRUE(succeeds(graph.execute()));
  const auto y = must(graph.output<float>("y"));
  EXPECT_LT(largest_difference(y, network.reference(in)), tolerance);
  expect_kept("SHB-01");
}

TEST_F(misuse_that_compiles, QMEM_05_what_a_tensor_says_of_its_memory_gives_way_to_its_graph) {
  auto context = must(Context<Composing>::create(backend()));
  {
    Network contrary = network;  // its specs say raw, but the graph is for registered memory
    auto graph = must(Graph<Composing, RegisteredIo>::create(context, "net"));
    const auto x = must(graph.add_tensor(contrary.spec("x")));
    TensorSpec between{.name = "h", .dimensions = contrary.io_dimensions()};
    // an intermediate tensor has no such memory
    between.mem_type = c_api::TensorMemType::memhandle;
    const auto h = must(graph.add_tensor(between));
    const auto y = must(graph.add_tensor(contrary.spec("y")));
    must(graph.add_node({.name = "one", .type = "Relu", .inputs = {x}, .outputs = {h}}));
    must(graph.add_node({.name = "two", .type = "Relu", .inputs = {h}, .outputs = {y}}));
    (void)must(std::move(graph).finalize());
  }
  const auto composed = must(std::move(context).finalize());
  EXPECT_TRUE(succeeds(Graph<Retrieved, RegisteredIo>::retrieve(composed, "net")));
  EXPECT_EQ(error_of(Graph<Retrieved, RawIo>::retrieve(composed, "net")).kind,
            Errc::memory_type_mismatch);
  expect_kept("QMEM-05");
}

TEST_F(misuse_that_compiles,
       CFG_02_ORD_05_options_that_die_or_change_before_finalize_are_not_missed) {
  std::vector<Context<Registered>> waiting;
  for (int i = 0; i < 3; ++i) {
    auto options = std::make_unique<DeferredOptions>();
    options->priority = c_api::Priority::high;
    options->enabled_graphs = {std::string("n") + "et"};
    options->persistent_binary = i == 1;
    auto bytes = std::make_unique<ContextBinary>(binary(network));
    auto asked = must(Context<Deferred>::create(backend(), std::move(*bytes), *options)
                          .and_then(transition::query));
    options->enabled_graphs[0] = "another";
    options.reset();
    bytes.reset();
    auto weights = weights_for(asked);
    // The vector moves the contexts as it grows, before QNN reads their options again.
    waiting.push_back(must(std::move(asked).register_buffers({.weights = std::move(weights)})));
  }
  for (auto& context : waiting)
    EXPECT_LT(difference(must(std::move(context).finalize()), network), tolerance);
  for (const char* rule : {"CFG-02", "ORD-05", "ORD-12"}) expect_kept(rule);
}

TEST_F(misuse_that_compiles,
       EXT_02_EXT_04_a_deferred_context_gets_no_option_of_the_restored_ones_beside_it) {
  static_assert(!std::is_convertible_v<RestoreOptions, DeferredOptions> &&
                !std::is_constructible_v<DeferredOptions, RestoreOptions>);
  // Contexts of a group, and one that switches graphs, on the same backend.
  const auto head = restored(network, {.group = ContextGroup::head(1 << 20)});
  const auto switching = restored(network, {.persistent_binary = true, .graph_switching = true});
  const auto deferred =
      must(Context<Deferred>::create(backend(), binary(network), {.persistent_binary = true})
               .and_then(transition::query)
               .and_then([&](Context<Queried> asked) -> Result<Context<Finalized>> {
                 return finalized(std::move(asked));
               }));
  EXPECT_LT(difference(deferred, network), tolerance);
  const Error error = error_of(
      Context<Finalized>::restore(backend(), binary(network), {.group = deferred.as_group_head()}));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_NE(error.detail.find("was not restored with ContextGroup::head()"), std::string::npos);
  EXPECT_LT(difference(restored(network, {.group = head.as_group_head()}), network), tolerance);
  EXPECT_LT(difference(switching, network), tolerance);
  for (const char* rule : {"EXT-02", "EXT-04", "EXT-09"}) expect_kept(rule);
}

TEST_F(misuse_that_compiles, BUF_17_what_no_host_library_checks_of_a_buffer_is_refused_here) {
  const auto asked = queried(network);
  const BufferRequirements need = asked.requirements();
  const auto memory = must(allocator().allocate(need.weights_bytes + need.start_alignment));
  const auto lent = [&](std::uint64_t start_alignment) {
    return must(DmaBuffer::from_native(
        memory.fd(), memory.size_bytes(),
        {.fd = FdUse::duplicate, .needs_sync = false, .start_alignment = start_alignment}));
  };
  const auto refused = [&](const ExternalBuffers& buffers) {
    return error_of(asked.check_buffers(buffers)).kind;
  };
  const auto weights = [&](std::uint64_t start_alignment) {
    return must(MemRegion<Weights>::from_buffer(lent(start_alignment)));
  };
  control().reset_counters();
  if (need.start_alignment > 1) {  // A seed may let buffers start anywhere.
    ExternalBuffers unaligned;
    unaligned.weights = weights(1);
    EXPECT_EQ(refused(unaligned), Errc::misaligned);
  }
  ExternalBuffers both;
  both.weights = weights(need.start_alignment);
  both.spill_fill =
      SharedSpillFill::from_region(must(MemRegion<SpillFill>::from_buffer(lent(4096))));
  EXPECT_EQ(refused(both), Errc::purpose_mismatch) << "one memory by two descriptors";
  EXPECT_EQ(control().counters().calls, 0u);
  for (const char* rule : {"BUF-02", "BUF-07", "BUF-08"}) expect_kept(rule);
}

TEST_F(misuse_that_compiles, SHB_09_a_handle_of_another_context_or_shape_reaches_no_execution) {
  const auto context = finalized(queried(network));
  const auto another = finalized(queried(network));
  TensorSpec narrow = network.spec("x");
  narrow.dimensions.back() -= 1;
  const auto refused = [&](const Context<Finalized>& owner, const TensorSpec& x) {
    const auto memory = must(SharedBuffer<MultiTensor>::allocate(
        allocator(), std::vector<TensorSpec>{x, network.spec("y")}));
    const auto tensors = must(RegisteredTensors::create(owner, memory));
    return error_of(must(Graph<Retrieved>::retrieve(context, "net")).bind(tensors)).kind;
  };
  EXPECT_EQ(refused(another, network.spec("x")), Errc::foreign_object);
  EXPECT_EQ(refused(context, narrow), Errc::shape_mismatch);
  EXPECT_LT(difference(context, network), tolerance);
  expect_kept("SHB-09");
}

}}  // namespace support::misuse
