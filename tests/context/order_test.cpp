// A deferred context from creation to release, and the order of calls that QNN requires (ORD-01 to
// ORD-17).
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"

#include "contracts.hpp"
#include "fixture.hpp"
#include "recorder.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class context_order : public LoadedTest {};

TEST_F(context_order, a_context_goes_from_deferred_to_finalized_and_computes_right_numbers) {
  const Network network;
  auto deferred = must(Context<Deferred>::create(backend(), binary(network)));
  EXPECT_EQ(deferred.name(), "net.bin");
  auto queried = must(std::move(deferred).query());
  EXPECT_EQ(queried.name(), "net.bin");
  EXPECT_EQ(queried.requirements().weights_bytes, network.weights_bytes());
  EXPECT_GT(queried.requirements().spill_fill_bytes, 0u);
  EXPECT_EQ(queried.requirements().start_alignment, control().config().start_alignment_bytes);
  auto weights = weights_for(queried);
  auto spill_fill = must(SharedSpillFill::allocate(allocator(), queried.requirements()));
  auto registered = must(std::move(queried).register_buffers(
      {.weights = std::move(weights), .spill_fill = spill_fill}));
  EXPECT_EQ(registered.name(), "net.bin");
  EXPECT_EQ(control().counters().live_graphs, 0u) << "nothing is brought up before finalize";
  auto context = must(std::move(registered).finalize());
  EXPECT_EQ(context.name(), "net.bin");
  ASSERT_EQ(context.graphs().size(), 1u);
  EXPECT_EQ(context.graphs()[0].name, network.name);
  EXPECT_LT(difference(context, network), tolerance);
  const sim::Counters counters = control().counters();
  EXPECT_EQ(counters.device_bytes, network.weights_bytes() + spill_fill.size_bytes());
  EXPECT_EQ(counters.internal_bytes, 0u)
      << "the device takes no memory of its own beside external buffers";
  EXPECT_TRUE(succeeds(std::move(context).close()));
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(context_order, the_steps_of_a_chain_need_no_names_between_them) {
  const Network network;
  auto context =
      must(Context<Deferred>::create(backend(), binary(network))
               .and_then(transition::query)
               .and_then([&](Context<Queried> asked) {
                 auto weights = weights_for(asked);
                 return std::move(asked).register_buffers({.weights = std::move(weights)});
               })
               .and_then(transition::finalize));
  EXPECT_LT(difference(context, network), tolerance);
}

// The calls that the recording backend receives: their order, and the deferred option.
struct Seen {
  static inline std::vector<std::size_t> slots;
  static inline bool deferred = false;
  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (!entering) return;
    slots.push_back(slot);
    if (slot != static_cast<std::size_t>(Slot::context_create_from_binary)) return;
    deferred = false;
    const auto* configs = argument<const c_api::ContextConfig**>(arguments, 2);
    for (; configs != nullptr && *configs != nullptr; ++configs)
      if ((*configs)->option == c_api::ContextConfigOption::defer_graph_init)
        deferred = (*configs)->is_graph_init_deferred != 0;
  }
  static void reset() {
    slots.clear();
    deferred = false;
  }
  static std::ptrdiff_t index_of(Slot slot) {
    return std::find(slots.begin(), slots.end(), static_cast<std::size_t>(slot)) - slots.begin();
  }
  static std::ptrdiff_t last_index_of(Slot slot) {
    const auto last = std::find(slots.rbegin(), slots.rend(), static_cast<std::size_t>(slot));
    return slots.rend() - last - 1;
  }
  static std::ptrdiff_t count(Slot slot) {
    return std::count(slots.begin(), slots.end(), static_cast<std::size_t>(slot));
  }
};

/// A backend of a host library whose failed deferred creations must not be freed.
class a_failed_creation : public LoadedTest {
 protected:
  /// Loads a backend of `library`.
  static Backend<Htp> as(sim::HostLibrary library) {
    set(&sim::Config::host_library, static_cast<std::uint32_t>(library));
    return must(load());
  }
  /// Creates a context whose first remote call fails; expects the code of the fault.
  void fail(const Backend<Htp>& with, bool deferred, std::uint32_t code = 1003) const {
    auto from = binary(Network{});
    control().fail_remote_call(1, code);
    const Error error = deferred ? error_of(Context<Deferred>::create(with, std::move(from)))
                                 : error_of(Context<Finalized>::restore(with, std::move(from)));
    control().clear_faults();
    EXPECT_EQ(error.code, code);
    EXPECT_STREQ(error.step, "QnnContext_createFromBinary");
  }
};

TEST_F(a_failed_creation, ORD_17_of_a_deferred_context_is_left_to_the_backend_which_closes_first) {
  using enum sim::HostLibrary;
  for (const sim::HostLibrary library : {v2_46_0, v2_48_40, v2_51_0})
    for (const bool closed : {true, false}) {
      auto with = std::optional(as(library));
      for (const std::uint32_t code : {1003u, 1002u}) fail(*with, true, code);
      const Network network;
      auto from = binary(network);
      const std::uint64_t frees = calls(Slot::context_free);
      EXPECT_LT(difference(must(Context<Deferred>::create(*with, std::move(from))
                                    .and_then(transition::query)
                                    .and_then([](Context<Queried> asked) {
                                      return std::move(asked).register_buffers({});
                                    })
                                    .and_then(transition::finalize)),
                           network),
                tolerance);
      EXPECT_EQ(calls(Slot::context_free), frees + 1) << "of the context that was made";
      if (closed) {
        EXPECT_TRUE(succeeds(std::move(*with).close()));
      }
      with.reset();
      EXPECT_EQ(control().counters().live_devices, 1u) << "the fixture's own";
      EXPECT_EQ(control().counters().live_contexts, 0u);
    }
}

TEST_F(a_failed_creation, ORD_17_ORD_14_of_an_eager_context_is_freed_at_once) {
  using enum sim::HostLibrary;
  for (const sim::HostLibrary library : {v2_46_0, v2_48_40, v2_51_0}) {
    auto with = as(library);
    const std::uint64_t frees = calls(Slot::context_free);
    fail(with, false);
    EXPECT_EQ(control().counters().live_contexts, 0u);
    EXPECT_EQ(calls(Slot::context_free), frees + 2) << "of the composed context, and of this one";
    EXPECT_TRUE(succeeds(std::move(with).close()));
  }
}

/// After a failed creation from a binary, stores the handle of a live context in its place.
struct LeavingDeferred {
  static inline c_api::ContextHandle left = nullptr;
  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (slot == static_cast<std::size_t>(Slot::context_create_from_binary) && !entering)
      *argument<c_api::ContextHandle*>(arguments, 5) = left;
  }
};

TEST_F(a_failed_creation, ORD_17_ORD_14_of_a_deferred_context_is_freed_by_libraries_before_2_46) {
  auto from = binary(Network{});
  const auto create = *backend().provider().find<&c_api::InterfaceTable::context_create>();
  ASSERT_EQ(create(backend().native(), nullptr, nullptr, &LeavingDeferred::left), 0u);
  const auto recorder = must(load_recorder());
  const Recording recording(&LeavingDeferred::hook);
  control().fail_call(Slot::context_create_from_binary, 1, 1000);
  EXPECT_EQ(error_of(Context<Deferred>::create(recorder, std::move(from))).code, 1000);
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

class context_order_recorded : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    Seen::reset();
  }
};

TEST_F(context_order_recorded,
       ORD_01_buffers_are_registered_with_a_context_made_with_defer_graph_init) {
  const Network network;
  auto from = binary(network);
  const auto recorder = must(load_recorder());
  const Recording recording(&Seen::hook);
  auto queried =
      must(Context<Deferred>::create(recorder, std::move(from)).and_then(transition::query));
  EXPECT_TRUE(Seen::deferred);
  auto weights = weights_for(queried);
  const auto context = must(std::move(queried)
                                .register_buffers({.weights = std::move(weights)})
                                .and_then(transition::finalize));
  EXPECT_EQ(Seen::count(Slot::mem_register), 1);
}

TEST_F(context_order_recorded, ORD_01_a_restored_context_is_not_deferred_and_registers_nothing) {
  auto from = binary(Network{});
  const auto recorder = must(load_recorder());
  const Recording recording(&Seen::hook);
  const auto context = must(Context<Finalized>::restore(recorder, std::move(from)));
  EXPECT_FALSE(Seen::deferred);
  EXPECT_EQ(Seen::count(Slot::mem_register), 0);
  EXPECT_EQ(Seen::count(Slot::context_finalize), 0);
}

TEST_F(context_order_recorded, ORD_03_ORD_04_the_calls_come_in_the_order_that_QNN_demands) {
  const Network network;
  auto from = binary(network);
  const auto recorder = must(load_recorder());
  const Recording recording(&Seen::hook);
  auto context = finalized(
      must(Context<Deferred>::create(recorder, std::move(from)).and_then(transition::query)));
  EXPECT_LT(difference(context, network), tolerance);
  const std::vector<Slot> expected{Slot::property_has_capability,
                                   Slot::context_create_from_binary,
                                   Slot::context_get_property,
                                   Slot::mem_register,
                                   Slot::context_finalize,
                                   Slot::graph_retrieve,
                                   Slot::graph_execute};
  ASSERT_EQ(Seen::slots.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(Seen::slots[i], static_cast<std::size_t>(expected[i])) << i;
}

TEST_F(context_order, ORD_03_a_buffer_that_comes_after_finalize_is_refused_by_QNN) {
  // The types make this call impossible, so the test uses the raw handle.
  auto asked = queried(Network{});
  const auto late = weights_for(asked);
  const auto context = must(std::move(asked).register_buffers({}).and_then(transition::finalize));
  detail::ExternalDescriptor custom;
  c_api::MemDescriptor descriptor;
  custom.describe(c_api::HtpMemType::weights_buffer, *detail::Access::block(late),
                  late.offset_bytes(), descriptor);
  c_api::MemHandle handle = nullptr;
  const auto reg = *backend().provider().find<&c_api::InterfaceTable::mem_register>();
  EXPECT_EQ(reg(context.native(), &descriptor, 1, &handle) & 0xFFFF, 8000u);
}

TEST_F(context_order, ORD_02_a_failed_query_gives_an_error_and_no_size) {
  auto deferred = must(Context<Deferred>::create(backend(), binary(Network{})));
  control().fail_call(Slot::context_get_property, 1, 5000);
  const Error error = error_of(std::move(deferred).query());
  EXPECT_EQ(error.kind, Errc::qnn);
  EXPECT_EQ(error.code, 5000);
  EXPECT_STREQ(error.step, "QnnContext_getProperty");
  EXPECT_EQ(error.object, "net.bin");
  EXPECT_EQ(control().counters().live_contexts, 0u) << "the context is released with its object";
}

TEST_F(context_order, ORD_02_what_is_queried_is_what_the_device_demands) {
  set(&sim::Config::start_alignment_bytes, 65536);
  const auto asked = queried(Network{.hidden = 80});
  EXPECT_EQ(asked.requirements().start_alignment, 65536u);
  EXPECT_EQ(asked.requirements().weights_bytes, Network{.hidden = 80}.weights_bytes());
}

// ORD-05: the data that QNN reads again in finalize still exists, and is unchanged.
struct Kept {
  static inline const c_api::ContextConfig** configs = nullptr;
  static inline std::vector<c_api::ContextConfig> contents;
  static inline std::vector<std::string> graphs;
  static inline const void* bytes = nullptr;
  static inline std::vector<std::byte> copy;
  static inline bool same = false;

  static std::vector<std::string> names(const c_api::ContextConfig& config) {
    std::vector<std::string> all;
    for (const char* const* name = config.enable_graphs; *name != nullptr; ++name)
      all.emplace_back(*name);
    return all;
  }
  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (!entering) return;
    if (slot == static_cast<std::size_t>(Slot::context_create_from_binary)) {
      configs = argument<const c_api::ContextConfig**>(arguments, 2);
      contents.clear();
      for (auto entry = configs; *entry != nullptr; ++entry) {
        contents.push_back(**entry);
        if ((*entry)->option == c_api::ContextConfigOption::enable_graphs) graphs = names(**entry);
      }
      bytes = argument<const void*>(arguments, 3);
      const auto* first = static_cast<const std::byte*>(bytes);
      copy.assign(first, first + argument<c_api::ContextBinarySize>(arguments, 4));
    } else if (slot == static_cast<std::size_t>(Slot::context_finalize)) {
      same = std::memcmp(bytes, copy.data(), copy.size()) == 0;
      std::size_t i = 0;
      for (auto entry = configs; *entry != nullptr; ++entry, ++i) {
        same = same && i < contents.size() && (*entry)->option == contents[i].option &&
               (*entry)->memory_limit_hint == contents[i].memory_limit_hint;
        if ((*entry)->option == c_api::ContextConfigOption::enable_graphs)
          same = same && names(**entry) == graphs;
      }
      same = same && i == contents.size();
    }
  }
};

TEST_F(context_order, ORD_05_binary_and_configs_are_the_same_until_finalize_has_returned) {
  const Network network;
  auto from = binary(network);
  const auto recorder = must(load_recorder());
  const Recording recording(&Kept::hook);
  Kept::same = false;
  std::vector<Context<Queried>> moved_about;
  {
    DeferredOptions options{.priority = c_api::Priority::high,
                            .enabled_graphs = {network.name},
                            .init_acceleration = true};
    auto asked = must(
        Context<Deferred>::create(recorder, std::move(from), options).and_then(transition::query));
    moved_about.push_back(std::move(asked));
    options.enabled_graphs[0] = "something else altogether, long enough to be on the heap";
  }
  moved_about.reserve(100);
  auto context = finalized(std::move(moved_about.front()));
  EXPECT_TRUE(Kept::same);
  EXPECT_EQ(Kept::contents.size(), 4u);
  EXPECT_LT(difference(context, network), tolerance);
}

/// Overwrites the data that a returned function has left on the stack.
[[gnu::noinline]] void overwrite_the_stack() {
  volatile unsigned char rubbish[32768];
  for (std::size_t i = 0; i < sizeof rubbish; ++i) rubbish[i] = 0x5A;
}

TEST_F(context_order, ORD_12_the_handle_variable_stays_while_the_context_is_moved_about) {
  const Network network;
  std::vector<Context<Deferred>> moved_about;
  moved_about.push_back(must(Context<Deferred>::create(backend(), binary(network))));
  const auto another = restored(Network{.name = "another"});
  moved_about.reserve(100);
  auto asked = must(std::move(moved_about.front()).query());
  overwrite_the_stack();
  const auto context = finalized(std::move(asked));
  EXPECT_LT(difference(context, network), tolerance);
}

TEST_F(context_order, ORD_12_a_handle_variable_that_is_overwritten_is_refused_by_finalize) {
  auto registered = must(queried(Network{}).register_buffers({}));
  expect_misuse();
  qnnpp::detail::Access::block(registered)->created =
      reinterpret_cast<c_api::ContextHandle>(std::uintptr_t{0x4711});
  EXPECT_EQ(error_of(std::move(registered).finalize()).code, 5002);
}

TEST_F(context_order, ORD_13_after_a_failed_finalize_a_new_creation_succeeds) {
  const Network network;
  for (const bool fails : {true, false}) {
    if (fails) control().fail_call(Slot::context_finalize, 1, 1002);
    auto context = must(queried(network).register_buffers({})).finalize();
    ASSERT_EQ(context.has_value(), !fails);
    if (fails) {
      EXPECT_EQ(context.error().code, 1002) << "the first cause";
      EXPECT_EQ(control().counters().live_contexts, 0u);
      control().clear_faults();
    } else {
      EXPECT_LT(difference(*context, network), tolerance);
    }
  }
}

TEST_F(context_order, ORD_13_a_second_try_by_the_raw_handle_is_refused_by_QNN) {
  const auto registered = must(queried(Network{}).register_buffers({}));
  const auto finalize_raw = *backend().provider().find<&c_api::InterfaceTable::context_finalize>();
  control().fail_call(Slot::context_finalize, 1, 1002);
  EXPECT_EQ(finalize_raw(registered.native(), nullptr) & 0xFFFF, 1002u);
  expect_misuse();
  EXPECT_EQ(finalize_raw(registered.native(), nullptr) & 0xFFFF, 5005u);
}

TEST_F(context_order, ORD_05_a_borrowed_binary_that_its_owner_spoils_is_refused_by_finalize) {
  auto bytes = binary_of(backend(), {Network{}});
  auto asked =
      must(Context<Deferred>::create(backend(), must(ContextBinary::borrow(bytes, "borrowed")))
               .and_then(transition::query));
  auto registered = must(std::move(asked).register_buffers({}));
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2), bytes.end(),
            std::byte{0x5A});
  const Error error = error_of(std::move(registered).finalize());
  EXPECT_EQ(error.kind, Errc::qnn);
  EXPECT_EQ(error.code, 30010);
  EXPECT_EQ(error.object, "borrowed");
}

TEST_F(context_order, ORD_06_after_finalize_nothing_is_deregistered_but_by_the_end_of_the_context) {
  auto asked = queried(Network{});
  auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
  {
    const auto context = finalized(std::move(asked), pool);
    EXPECT_EQ(control().counters().live_weights_registrations, 1u);
    EXPECT_EQ(control().counters().live_spill_fill_registrations, 1u);
  }
  EXPECT_EQ(calls(Slot::mem_de_register), 0u);
  EXPECT_EQ(calls(Slot::context_free), 2u) << "one composed, one deferred";
  EXPECT_EQ(control().counters().mapped_fds, 0u);
}

TEST_F(context_order, ORD_06_close_deregisters_nothing_after_finalize) {
  auto context = finalized(queried(Network{}));
  EXPECT_TRUE(succeeds(std::move(context).close()));
  EXPECT_EQ(calls(Slot::mem_de_register), 0u);
}

TEST_F(context_order_recorded,
       ORD_07_registrations_that_are_given_up_are_given_back_before_the_context_goes) {
  auto from = binary(Network{});
  const auto recorder = must(load_recorder());
  const Recording recording(&Seen::hook);
  {
    auto asked =
        must(Context<Deferred>::create(recorder, std::move(from)).and_then(transition::query));
    auto pool = must(SharedSpillFill::allocate(allocator(), asked.requirements()));
    auto weights = weights_for(asked);
    const auto registered = must(
        std::move(asked).register_buffers({.weights = std::move(weights), .spill_fill = pool}));
    EXPECT_EQ(control().counters().mapped_fds, 2u);
  }
  EXPECT_EQ(Seen::count(Slot::mem_de_register), 2);
  EXPECT_LT(Seen::last_index_of(Slot::mem_de_register), Seen::index_of(Slot::context_free));
  EXPECT_EQ(control().counters().mapped_fds, 0u);
}

TEST_F(context_order_recorded, ORD_07_a_failed_finalize_gives_registrations_and_context_back) {
  auto from = binary(Network{});
  const auto recorder = must(load_recorder());
  const Recording recording(&Seen::hook);
  auto asked =
      must(Context<Deferred>::create(recorder, std::move(from)).and_then(transition::query));
  auto weights = weights_for(asked);
  auto registered = must(std::move(asked).register_buffers({.weights = std::move(weights)}));
  control().fail_call(Slot::context_finalize, 1, 1002);
  const Error error = error_of(std::move(registered).finalize());
  EXPECT_EQ(error.code, 1002);
  EXPECT_STREQ(error.step, "QnnContext_finalize");
  EXPECT_EQ(error.object, "net.bin");
  EXPECT_LT(Seen::index_of(Slot::mem_de_register), Seen::index_of(Slot::context_free));
  EXPECT_EQ(control().counters().live_contexts, 0u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(context_order_recorded, ORD_07_close_of_a_registered_context_deregisters_and_frees) {
  auto from = binary(Network{});
  const auto recorder = must(load_recorder());
  const Recording recording(&Seen::hook);
  auto asked =
      must(Context<Deferred>::create(recorder, std::move(from)).and_then(transition::query));
  auto weights = weights_for(asked);
  auto registered = must(std::move(asked).register_buffers({.weights = std::move(weights)}));
  EXPECT_TRUE(succeeds(std::move(registered).close()));
  EXPECT_EQ(Seen::count(Slot::mem_de_register), 1);
  EXPECT_EQ(Seen::count(Slot::context_free), 1);
}

TEST_F(context_order_recorded, ORD_08_the_context_goes_before_device_backend_and_log) {
  auto from = binary(Network{});
  {
    const Recording recording(&Seen::hook);
    auto held = [&] {
      const auto recorder =
          must(Backend<Htp>::load({.library = QNNPP_RECORDER,
                                   .system_library = system_library,
                                   .log = log_to_platform(c_api::LogLevel::error)}));
      return must(Context<Finalized>::restore(recorder, std::move(from)));
    }();
    EXPECT_EQ(Seen::count(Slot::backend_free), 0) << "the context keeps its backend";
    EXPECT_EQ(Seen::count(Slot::device_free), 0);
    EXPECT_TRUE(succeeds(std::move(held).close()));
    const std::vector<Slot> expected{Slot::context_free, Slot::device_free, Slot::backend_free,
                                     Slot::log_free};
    ASSERT_GE(Seen::slots.size(), expected.size());
    const auto* last = Seen::slots.data() + (Seen::slots.size() - expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(last[i], static_cast<std::size_t>(expected[i])) << i;
  }
}

TEST_F(context_order, ORD_08_external_memory_is_freed_after_its_context) {
  auto context = finalized(queried(Network{}));
  drop_allocator();
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 1u) << "the context holds its weights";
  EXPECT_LT(difference(context, Network{}), tolerance);
  EXPECT_TRUE(succeeds(std::move(context).close()));
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(context_order, ORD_10_a_composed_context_with_all_graphs_final_is_serialised) {
  auto context = must(Context<Composing>::create(backend()));
  (void)compose(context, Network{});
  const auto composed = must(std::move(context).finalize());
  EXPECT_GT(must(composed.serialize()).size(), Network{}.constants_bytes());
}

TEST_F(context_order, ORD_10_a_context_with_an_unfinished_graph_is_not_serialised) {
  auto context = must(Context<Composing>::create(backend(), {.name = "half"}));
  (void)compose(context, Network{});
  const auto open = must(Graph<Composing>::create(context, "open"));
  const Error error = error_of(std::move(context).finalize());
  EXPECT_EQ(error.kind, Errc::incomplete);
  EXPECT_EQ(error.object, "half");
  EXPECT_EQ(error.found, 1u);
  EXPECT_EQ(calls(Slot::context_get_binary), 0u);
}

// clang tracks this state at compile time; at run time it is a contract.
class context_order_death : public LoadedTest {
 protected:
  /// Moves from `object` in a way that the compilers' analyses do not see.
  template <class T>
  static T take(T& object) {
    return T(std::move(object));
  }
};

TEST_F(context_order_death, ORD_09_a_consumed_context_ends_the_program) {
  auto deferred = must(Context<Deferred>::create(backend(), binary(Network{})));
  auto kept = take(deferred);
  EXPECT_CONTRACT(moved_context, (void)deferred.name());
  EXPECT_CONTRACT(moved_context, (void)std::move(deferred).query());
  auto asked = must(std::move(kept).query());
  auto kept_asked = take(asked);
  EXPECT_CONTRACT(moved_context, (void)asked.requirements());
  EXPECT_CONTRACT(moved_context, (void)std::move(asked).register_buffers({}));
  auto registered = must(std::move(kept_asked).register_buffers({}));
  auto kept_registered = take(registered);
  EXPECT_CONTRACT(moved_context, (void)std::move(registered).finalize());
  EXPECT_CONTRACT(moved_context, (void)std::move(registered).close());
  auto context = must(std::move(kept_registered).finalize());
  const auto kept_context = take(context);
  EXPECT_CONTRACT(moved_context, (void)context.graphs());
  EXPECT_CONTRACT(moved_context, (void)context.native());
  EXPECT_CONTRACT(moved_context, (void)context.as_group_head());
  EXPECT_CONTRACT(moved_context, (void)context.spill_fill().lease());
  EXPECT_CONTRACT(moved_context, (void)std::move(context).close());
  EXPECT_LT(difference(kept_context, Network{}), tolerance)
      << "the object it was moved to is whole";
}

TEST_F(context_order_death, ORD_09_a_context_is_not_made_of_a_consumed_backend_or_binary) {
  auto gone = must(load());
  const auto kept = take(gone);
  EXPECT_CONTRACT(moved_backend, (void)Context<Deferred>::create(gone, own({std::byte{1}})));
  EXPECT_CONTRACT(moved_backend, (void)Context<Finalized>::restore(gone, own({std::byte{1}})));
  EXPECT_CONTRACT(moved_backend, (void)Context<Composing>::create(gone));
  auto bytes = own({std::byte{1}});
  const auto kept_bytes = take(bytes);
  EXPECT_EQ(kept_bytes.bytes().size(), 1u);
  EXPECT_CONTRACT(moved_binary, (void)Context<Deferred>::create(kept, std::move(bytes)));
}

TEST_F(context_order_death, ORD_09_a_consumed_composing_context_ends_the_program) {
  auto context = must(Context<Composing>::create(backend()));
  auto kept = take(context);
  EXPECT_CONTRACT(moved_context, (void)Graph<Composing>::create(context, "late"));
  EXPECT_CONTRACT(moved_context, (void)std::move(context).finalize());
  auto composed = must(std::move(kept).finalize());
  const auto kept_composed = take(composed);
  EXPECT_CONTRACT(moved_context, (void)composed.serialize());
}

}}  // namespace support
