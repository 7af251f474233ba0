// A contextFinalize whose last remote call fails marks the number of its context: the next context
// with that number gets no buffers, and uses the old ones.
#include <cstring>

#include "fixture.hpp"
#include "sim/tables/host_library.hpp"

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
  /// Finalizes a context with `buffers`, and lets the last remote call fail. Returns the number.
  c_api::ContextHandle mark(ExternalBuffers* buffers, std::uint32_t fault = 5000) {
    const c_api::ContextHandle context = deferred_context();
    if (buffers != nullptr) {
      EXPECT_EQ(buffers->add_to(context), 0u);
    }
    control().fail_remote_call(2, fault);
    EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), fault);
    control().clear_faults();
    if (buffers != nullptr) {
      EXPECT_EQ(code(qnn().mem_de_register(buffers->handles, 2)), 8000u);
    }
    EXPECT_EQ(free_context(context), 0u);
    return context;
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
  for (std::uint32_t library = 0; library < std::size(sim::host_libraries); ++library)
    for (const std::uint32_t fault : {5000u, 1007u}) {
      SCOPED_TRACE(sim::host_library_names[library]);
      set(&sim::Config::host_library, library);
      const AskedFor asked = ask(deferred_context());
      free_all();
      ExternalBuffers old{asked}, other{asked};
      const c_api::ContextHandle number = mark(&old, fault);
      std::memset(old.weights.data, 0, old.weights.bytes);
      const c_api::ContextHandle context = deferred_context();
      EXPECT_EQ(context, number);
      EXPECT_EQ(other.add_to(context), 8002u);
      EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
      EXPECT_EQ(control().counters().internal_bytes, 0u) << "it has no memory of its own";
      expect_weights_in(old.weights, context);
      EXPECT_EQ(control().counters().misuses, 0u);
      free_all();
      EXPECT_EQ(other.add_to(deferred_context()), 0u) << "that finalize has ended the mark";
      EXPECT_EQ(code(qnn().mem_de_register(other.handles, 2)), 0u);
      free_all();
    }
}

TEST_F(sim_marked_number, is_created_at_once_with_the_old_buffers) {
  const AskedFor asked = ask(deferred_context());
  free_all();
  ExternalBuffers old{asked};
  mark(&old);
  std::memset(old.weights.data, 0, old.weights.bytes);
  ASSERT_EQ(create(binary, nullptr, made), 0u);
  expect_weights_in(old.weights, made);
  free_all();
  ASSERT_EQ(create(binary, nullptr, made), 0u);
  EXPECT_EQ(control().counters().internal_weights_bytes, asked.weights);
}

TEST_F(sim_marked_number, BUF_06_is_used_with_freed_buffers_which_is_counted) {
  const AskedFor asked = ask(deferred_context());
  free_all();
  for (const bool at_once : {false, true}) {
    ExternalBuffers old{asked};
    mark(&old);
    control().reset_counters();
    old.spill_fill.release();
    EXPECT_EQ(control().misuses("BUF-06"), 0u) << "until a context uses it";
    if (at_once) {
      EXPECT_EQ(create(binary, nullptr, made), 0u);
    } else {
      EXPECT_EQ(code(qnn().context_finalize(deferred_context(), nullptr)), 0u);
    }
    EXPECT_EQ(control().misuses("BUF-06"), 1u);
    free_all();
  }
}

TEST_F(sim_marked_number, stays_marked_until_a_context_with_it_is_loaded) {
  const AskedFor asked = ask(deferred_context());
  free_all();
  ExternalBuffers old{asked}, other{asked};
  const c_api::ContextHandle number = mark(&old);
  EXPECT_EQ(code(qnn().mem_de_register(old.handles, 2)), 0u) << "after contextFree";
  deferred_context();
  free_all();
  EXPECT_EQ(code(qnn().backend_free(backend)), 0u);
  ASSERT_EQ(code(qnn().backend_create(nullptr, nullptr, &backend)), 0u);
  EXPECT_EQ(other.add_to(deferred_context()), 8002u);
  // A context that keeps the number: the next ones have others.
  const c_api::ContextHandle next = deferred_context();
  EXPECT_NE(next, number);
  EXPECT_EQ(other.add_to(next), 0u);
  EXPECT_EQ(code(qnn().context_finalize(next, nullptr)), 0u);
}

TEST_F(sim_marked_number, leaves_the_librarys_own_memory_for_ever) {
  const AskedFor asked = ask(deferred_context());
  free_all();
  ExternalBuffers old{asked};
  mark(&old);
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

TEST_F(sim_marked_number, is_made_by_the_last_remote_call_alone) {
  const AskedFor asked = ask(deferred_context());
  free_all();
  ExternalBuffers buffers{asked};
  const c_api::ContextHandle context = deferred_context();
  EXPECT_EQ(buffers.add_to(context), 0u);
  control().fail_remote_call(1, 1003, /*persistent=*/true);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 1002u) << "no process domain is left";
  control().clear_faults();
  EXPECT_EQ(code(qnn().mem_de_register(buffers.handles, 2)), 0u);
  free_all();
  EXPECT_EQ(buffers.add_to(deferred_context()), 0u);
  EXPECT_EQ(code(qnn().mem_de_register(buffers.handles, 2)), 0u);
}

}}  // namespace sim_test
