// A contextFinalize whose last remote call fails marks the number of its context: the next context
// with that number gets no buffers, and uses the old ones.
#include <cstring>

#include "fixture.hpp"

namespace sim_test { namespace {

class sim_marked_number : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    set(&sim::Config::recycled_handles, 1);
    binary = binary_of({chain});
  }
  void TearDown() override {
    free_all();
    control().reset_config();
    SimTest::TearDown();
  }
  /// Becomes a library without a past.
  static void be(sim::HostLibrary library) {
    control().reset_config();
    control().reset_counters();
    set(&sim::Config::host_library, static_cast<std::uint32_t>(library));
    set(&sim::Config::recycled_handles, 1);
    sim::Config config = control().config();
    config.vtcm_bytes = 256;
    ASSERT_TRUE(control().set_config(config));
  }
  static void set(std::uint32_t sim::Config::* member, std::uint32_t value) {
    sim::Config config = control().config();
    config.*member = value;
    ASSERT_TRUE(control().set_config(config));
  }
  void free_all() {
    while (!contexts.empty()) EXPECT_EQ(free_context(contexts.back()), 0u);
  }
  c_api::ContextHandle deferred_context() {
    EXPECT_EQ(create(binary, deferred.configs(), made), 0u);
    return made;
  }
  /// Returns the number of the last remote call of contextFinalize.
  static std::uint64_t last_call() {
    const auto library = static_cast<sim::HostLibrary>(control().config().host_library);
    return library == sim::HostLibrary::v2_43_1_android ? 3 : 2;
  }
  AskedFor needs() {
    const AskedFor asked = ask(deferred_context());
    free_all();
    return asked;
  }
  /// Expects that the next context has the number, and that it is marked for both kinds of buffers.
  void expect_marked(c_api::ContextHandle number, ExternalBuffers& other) {
    const c_api::ContextHandle context = deferred_context();
    EXPECT_EQ(context, number);
    EXPECT_EQ(other.add_to(context), 8002u);
    EXPECT_EQ(other.add_spill_fill_to(context), 8002u);
    EXPECT_EQ(free_context(context), 0u);
  }
  void expect_unmarked(ExternalBuffers& other) {
    const c_api::ContextHandle context = deferred_context();
    EXPECT_EQ(other.add_to(context), 0u);
    EXPECT_EQ(code(qnn().mem_de_register(other.handles, 2)), 0u);
    EXPECT_EQ(free_context(context), 0u);
  }
  /// Finalizes a context with `buffers`, and lets the last remote call fail. Returns the number.
  c_api::ContextHandle mark(ExternalBuffers* buffers, std::uint32_t fault = 5000) {
    const c_api::ContextHandle context = deferred_context();
    if (buffers != nullptr) {
      EXPECT_EQ(buffers->add_to(context), 0u);
    }
    control().fail_remote_call(last_call(), fault);
    EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), fault);
    control().clear_faults();
    if (buffers != nullptr) {
      EXPECT_EQ(code(qnn().mem_de_register(buffers->handles, 2)), 8000u);
    }
    EXPECT_EQ(free_context(context), 0u);
    return context;
  }
  /// Creates a list of one context.
  std::uint32_t create_list() {
    const c_api::ContextParams entry{
        c_api::ContextParamsVersion::v1,
        {.v1 = {nullptr, binary.data(), binary.size(), nullptr,
                [](c_api::ContextHandle context, c_api::GraphHandle, const char*,
                   c_api::ContextNotifyType type, void* list, c_api::ErrorHandle) {
                  if (type == c_api::ContextNotifyType::context_init)
                    static_cast<std::vector<c_api::ContextHandle>*>(list)->push_back(context);
                },
                &contexts}}};
    const c_api::ContextParams* entries[] = {&entry, nullptr};
    return code(
        qnn().context_create_from_binary_list_async(backend, nullptr, entries, nullptr, nullptr));
  }
  /// Expects that a context computes with weights in `memory`.
  void expect_weights_in(const Dma& memory, c_api::ContextHandle context) {
    EXPECT_EQ(std::memcmp(memory.data, chain.weights(0).data(),
                          chain.width * chain.width * sizeof(float)),
              0);
    std::memset(memory.data, 0, memory.bytes);
    std::vector<float> out;
    EXPECT_EQ(run_raw(graph_of(context), chain, out), 0u);
    EXPECT_GT(largest_difference(chain.reference(chain.input()), out.data()), 0.01f);
  }

  const Chain chain{};
  std::vector<std::byte> binary;
  DeferredConfig deferred;
  c_api::ContextHandle made = nullptr;
};

TEST_F(sim_marked_number, gets_8002_for_any_buffer_and_is_finalized_with_the_old_ones) {
  for (const sim::HostLibrary library : all_libraries)
    for (const std::uint32_t fault : {5000u, 1007u}) {
      SCOPED_TRACE(trace_of(library));
      be(library);
      const AskedFor asked = needs();
      ExternalBuffers old{asked}, other{asked};
      const c_api::ContextHandle number = mark(&old, fault);
      std::memset(old.weights.data, 0, old.weights.bytes);
      expect_marked(number, other);
      const c_api::ContextHandle context = deferred_context();
      EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
      EXPECT_EQ(control().counters().internal_bytes, 0u) << "it has no memory of its own";
      expect_weights_in(old.weights, context);
      EXPECT_EQ(control().counters().misuses, 0u);
      free_all();
      expect_unmarked(other);
    }
}

TEST_F(sim_marked_number, is_created_at_once_or_in_a_list_with_the_old_buffers) {
  for (const sim::HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    const AskedFor asked = needs();
    ExternalBuffers old{asked}, other{asked};
    mark(&old);
    std::memset(old.weights.data, 0, old.weights.bytes);
    ASSERT_EQ(create(binary, nullptr, made), 0u);
    expect_weights_in(old.weights, made);
    free_all();
    ASSERT_EQ(create(binary, nullptr, made), 0u);
    EXPECT_EQ(control().counters().internal_weights_bytes, asked.weights);
    free_all();
    mark(&old);
    ASSERT_EQ(create_list(), 0u);
    EXPECT_EQ(control().counters().internal_bytes, 0u);
    free_all();
    expect_unmarked(other);
  }
}

TEST_F(sim_marked_number, BUF_06_is_used_with_freed_buffers_which_is_counted) {
  for (const sim::HostLibrary library : all_libraries)
    for (const bool at_once : {false, true}) {
      SCOPED_TRACE(trace_of(library));
      be(library);
      ExternalBuffers old{needs()};
      mark(&old);
      old.spill_fill.release();
      EXPECT_EQ(control().misuses("BUF-06"), 0u) << "until a context uses it";
      // From 2.48.40 on the library notices it.
      const bool notices =
          library == sim::HostLibrary::v2_48_40 || library == sim::HostLibrary::v2_51_0;
      const std::uint32_t expected = notices ? 1002 : 0;
      if (at_once) {
        EXPECT_EQ(create(binary, nullptr, made), expected);
      } else {
        EXPECT_EQ(code(qnn().context_finalize(deferred_context(), nullptr)), expected);
      }
      EXPECT_EQ(control().misuses("BUF-06"), 1u);
      free_all();
    }
}

TEST_F(sim_marked_number, is_marked_for_the_kinds_of_buffers_that_were_registered) {
  for (const sim::HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    const AskedFor asked = needs();
    ExternalBuffers old{asked}, other{asked};
    mark(nullptr);
    expect_unmarked(other);
    const c_api::ContextHandle context = deferred_context();
    EXPECT_EQ(old.add_spill_fill_to(context), 0u);
    control().fail_remote_call(last_call(), 5000);
    EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5000u);
    control().clear_faults();
    EXPECT_EQ(free_context(context), 0u);
    EXPECT_EQ(deferred_context(), context);
    EXPECT_EQ(other.add_to(context), 8002u) << "weights are registered, spill-fill is not";
    EXPECT_EQ(code(qnn().mem_de_register(other.handles, 1)), 0u);
    EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
    free_all();
  }
}

TEST_F(sim_marked_number, stays_marked_until_a_context_with_it_is_loaded) {
  for (const sim::HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    const AskedFor asked = needs();
    ExternalBuffers old{asked}, other{asked};
    const c_api::ContextHandle number = mark(&old);
    EXPECT_EQ(code(qnn().mem_de_register(old.handles, 2)), 0u) << "after contextFree";
    EXPECT_EQ(code(qnn().context_free(number, nullptr)), 5002u);
    expect_marked(number, other);
    old.weights.release();
    old.spill_fill.release();
    expect_marked(number, other);
    for (int times = 0; times < 2; ++times) {
      EXPECT_EQ(code(qnn().backend_free(backend)), 0u);
      ASSERT_EQ(code(qnn().backend_create(nullptr, nullptr, &backend)), 0u);
      expect_marked(number, other);
      c_api::DeviceHandle device = nullptr;
      ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
      EXPECT_EQ(code(qnn().device_free(device)), 0u);
      expect_marked(number, other);
    }
    EXPECT_EQ(control().misuses("ORD-09"), 1u) << "the second contextFree";
    EXPECT_EQ(control().misuses("ION-04"), 2u) << "memDeRegister after contextFree";
    EXPECT_EQ(control().counters().misuses, 3u);
    // A load that fails ends the mark, too.
    set(&sim::Config::failing_domains, 4);
    EXPECT_EQ(code(qnn().context_finalize(deferred_context(), nullptr)), 1002u);
    free_all();
    expect_unmarked(other);
  }
}

TEST_F(sim_marked_number, is_kept_from_others_by_a_context_that_needs_no_memory) {
  for (const sim::HostLibrary library : all_libraries)
    for (const bool is_freed_later : {false, true}) {
      SCOPED_TRACE(trace_of(library));
      be(library);
      const AskedFor asked = needs();
      ExternalBuffers old{asked}, other{asked};
      const c_api::ContextHandle failed = deferred_context();
      EXPECT_EQ(old.add_to(failed), 0u);
      control().fail_remote_call(last_call(), 5000);
      EXPECT_EQ(code(qnn().context_finalize(failed, nullptr)), 5000u);
      control().clear_faults();
      const sim::Counters before = control().counters();
      c_api::ContextHandle keeper = nullptr;
      if (!is_freed_later) {
        EXPECT_EQ(free_context(failed), 0u);
        keeper = deferred_context();
        EXPECT_EQ(keeper, failed);
        const sim::Counters now = control().counters();
        EXPECT_EQ(now.internal_bytes, before.internal_bytes);
        EXPECT_EQ(now.io_preallocated_bytes, before.io_preallocated_bytes);
        EXPECT_EQ(now.pd_used_bytes[0], before.pd_used_bytes[0]);
      }
      const c_api::ContextHandle next = deferred_context();
      EXPECT_NE(next, failed);
      EXPECT_EQ(other.add_to(next), 0u);
      if (is_freed_later) {
        EXPECT_EQ(free_context(failed), 0u);
      }
      EXPECT_EQ(code(qnn().context_finalize(next, nullptr)), 0u);
      EXPECT_EQ(control().counters().misuses, 0u);
      free_all();
    }
}

TEST_F(sim_marked_number, leaves_the_librarys_own_memory_for_ever) {
  for (const sim::HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    c_api::DeviceHandle device = nullptr;
    ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
    const AskedFor asked = needs();
    ExternalBuffers old{asked};
    mark(&old);
    EXPECT_EQ(code(qnn().device_free(device)), 0u);
    const std::uint64_t once = control().counters().io_preallocated_bytes;
    EXPECT_GT(once, 0u);
    EXPECT_EQ(control().counters().internal_bytes, 0u);
    EXPECT_EQ(code(qnn().context_finalize(deferred_context(), nullptr)), 0u);
    free_all();
    mark(nullptr);
    EXPECT_EQ(control().counters().io_preallocated_bytes, 2 * once);
    EXPECT_EQ(control().counters().internal_bytes, asked.weights + asked.spill_fill);
    for (const std::uint64_t used : control().counters().pd_used_bytes) EXPECT_EQ(used, 0u);
  }
}

TEST_F(sim_marked_number, is_made_by_the_last_remote_call_alone) {
  for (const sim::HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    ExternalBuffers buffers{needs()};
    // No process domain is left.
    c_api::ContextHandle context = deferred_context();
    EXPECT_EQ(buffers.add_to(context), 0u);
    control().fail_remote_call(1, 1003, /*persistent=*/true);
    EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 1002u);
    control().clear_faults();
    EXPECT_EQ(code(qnn().mem_de_register(buffers.handles, 2)), 0u);
    free_all();
    expect_unmarked(buffers);
    be(library);
    set(&sim::Config::failing_domains, 1);
    context = deferred_context();
    EXPECT_EQ(buffers.add_to(context), 0u);
    EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
    free_all();
    expect_unmarked(buffers);
  }
}

TEST_F(sim_marked_number, is_marked_by_the_last_two_remote_calls_on_android_2_43) {
  be(sim::HostLibrary::v2_43_1_android);
  const AskedFor asked = needs();
  ExternalBuffers old{asked}, other{asked};
  const c_api::ContextHandle context = deferred_context();
  EXPECT_EQ(old.add_to(context), 0u);
  control().fail_remote_call(2, 5000, /*persistent=*/true);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 1003u);
  control().clear_faults();
  EXPECT_EQ(free_context(context), 0u);
  expect_marked(context, other);
  EXPECT_EQ(code(qnn().context_finalize(deferred_context(), nullptr)), 0u);
  free_all();
  // Once, the call before the last one has no effect.
  EXPECT_EQ(old.add_to(deferred_context()), 0u);
  control().fail_remote_call(2, 5000);
  EXPECT_EQ(code(qnn().context_finalize(made, nullptr)), 0u);
  EXPECT_EQ(control().counters().faults_fired, 2u + 1u);
}

}}  // namespace sim_test
