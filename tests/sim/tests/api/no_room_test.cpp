// Mappings and allocations that fail, once and lasting, as each host library reports them: codes of
// loads during the failure, and of loads after it.
#include <utility>

#include "fixture.hpp"

namespace sim_test { namespace {

using sim::HostLibrary;

constexpr std::uint32_t undefined = 0xFFFF;

constexpr bool is_2_43(HostLibrary library) {
  return library == HostLibrary::v2_43_1 || library == HostLibrary::v2_43_1_android;
}
/// Libraries that leave a half-made process domain.
constexpr bool halves_domain(HostLibrary library) {
  return library != HostLibrary::v2_43_1 && library != HostLibrary::v2_51_0;
}

enum class LoadWay { at_once, deferred, with_buffers };
constexpr LoadWay all_ways[] = {LoadWay::at_once, LoadWay::deferred, LoadWay::with_buffers};

using Codes = std::vector<std::uint32_t>;

class sim_no_room : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    binary = binary_of({Chain{}});
  }
  void TearDown() override {
    control().reset_config();
    SimTest::TearDown();
  }
  /// Becomes a library without a past.
  static void be(HostLibrary library) {
    control().reset_config();
    control().reset_counters();
    sim::Config config = control().config();
    config.host_library = static_cast<std::uint32_t>(library);
    config.vtcm_bytes = 256;
    config.recycled_handles = 1;  // Graphs get the numbers of earlier ones, which matters here.
    ASSERT_TRUE(control().set_config(config));
  }
  static void fail_domains(std::uint32_t count) {
    sim::Config config = control().config();
    config.failing_domains = count;
    ASSERT_TRUE(control().set_config(config));
  }
  std::uint32_t make(bool is_deferred, c_api::ContextHandle& made) {
    made = nullptr;
    return code(qnn().context_create_from_binary(backend, nullptr,
                                                 is_deferred ? deferred.configs() : nullptr,
                                                 binary.data(), binary.size(), &made, nullptr));
  }
  /// Loads a context and frees it. Returns the code of the first call that failed.
  std::uint32_t load(LoadWay way) {
    c_api::ContextHandle made = nullptr;
    std::uint32_t answer = make(way != LoadWay::at_once, made);
    if (answer != 0) {
      // backendFree ends what a failed deferred creation has left (ORD-17).
      if (made != nullptr && way == LoadWay::at_once) {
        EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
      }
      return answer;
    }
    if (way != LoadWay::at_once) {
      ExternalBuffers buffers{ask(made)};
      if (way == LoadWay::with_buffers) {
        EXPECT_EQ(buffers.add_to(made), 0u);
      }
      answer = code(qnn().context_finalize(made, nullptr));
      if (answer != 0) {
        EXPECT_EQ(code(qnn().context_finalize(made, nullptr)), 5005u);
      }
      if (way == LoadWay::with_buffers && answer != 0) {
        EXPECT_EQ(code(qnn().mem_de_register(buffers.handles, 2)), 0u);
      }
      EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    }
    if (way == LoadWay::at_once) {
      EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    }
    return answer;
  }
  /// Loads three times. `prepare` runs before each load.
  template <class Prepare>
  Codes loads(LoadWay way, Prepare prepare) {
    Codes codes;
    for (int i = 0; i < 3; ++i) {
      prepare();
      codes.push_back(load(way));
    }
    return codes;
  }
  Codes loads(LoadWay way) {
    return loads(way, [] {});
  }

  std::vector<std::byte> binary;
  DeferredConfig deferred;
};

const Codes fine{0, 0, 0};

TEST_F(sim_no_room, takes_another_process_domain_if_a_mapping_fails_once) {
  for (const HostLibrary library : all_libraries)
    for (const LoadWay way : all_ways) {
      be(library);
      fail_domains(1);
      // The library for Linux gives the next load a graph number of the failed domain (RES-03).
      EXPECT_EQ(loads(way), library == HostLibrary::v2_43_1 ? (Codes{0, undefined, 0}) : fine);
    }
}

TEST_F(sim_no_room, has_1002_then_14001_or_undefined_while_all_mappings_fail) {
  for (const HostLibrary library : all_libraries)
    for (const LoadWay way : all_ways) {
      SCOPED_TRACE(trace_of(library));
      be(library);
      const Codes during = loads(way, [] { fail_domains(4); });
      const bool is_confused = library == HostLibrary::v2_43_1 && way == LoadWay::at_once;
      EXPECT_EQ(during, halves_domain(library) ? (Codes{1002, 14001, 14001})
                        : is_confused          ? (Codes{1002, undefined, 1002})
                                               : (Codes{1002, 1002, 1002}));
      fail_domains(0);
      EXPECT_EQ(loads(way), is_confused ? (Codes{undefined, 0, 0}) : fine);
    }
}

TEST_F(sim_no_room, maps_nothing_in_a_deferred_creation_and_memRegister) {
  for (const HostLibrary library : all_libraries) {
    be(library);
    fail_domains(4);
    c_api::ContextHandle made = nullptr;
    ASSERT_EQ(make(true, made), 0u);
    ExternalBuffers buffers{ask(made)};
    EXPECT_EQ(buffers.add_to(made), 0u);
    EXPECT_EQ(control().config().failing_domains, 4u);
    EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
  }
}

TEST_F(sim_no_room, has_0_or_1002_if_an_allocation_of_the_library_fails_once) {
  for (const HostLibrary library : all_libraries) {
    be(library);
    control().fail_own_allocation(1);
    EXPECT_EQ(loads(LoadWay::at_once), is_2_43(library) ? fine : (Codes{1002, 0, 0}));
    EXPECT_EQ(control().counters().faults_fired, 1u);
    be(library);
    control().fail_own_allocation(2);  // From 2.46 on no longer that of the first remote call.
    EXPECT_EQ(loads(LoadWay::at_once), fine);
    EXPECT_EQ(control().counters().faults_fired, 1u);
  }
}

TEST_F(sim_no_room, has_4000_or_1002_while_all_allocations_of_the_library_fail) {
  for (const HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    control().fail_own_allocation(1, /*persistent=*/true);
    EXPECT_EQ(loads(LoadWay::at_once),
              is_2_43(library) ? (Codes{4000, 4000, 4000}) : (Codes{1002, 1002, 1002}));
    control().clear_faults();
    EXPECT_EQ(loads(LoadWay::at_once), fine);
    // Not the first allocation.
    control().fail_own_allocation(2, /*persistent=*/true);
    EXPECT_EQ(loads(LoadWay::at_once),
              is_2_43(library) ? (Codes{0, 4000, 4000}) : (Codes{4000, 1002, 1002}));
    control().clear_faults();
    EXPECT_EQ(loads(LoadWay::at_once), fine);
  }
}

TEST_F(sim_no_room, has_4000_in_contextFinalize_while_all_allocations_of_the_library_fail) {
  for (const HostLibrary library : all_libraries)
    for (const LoadWay way : {LoadWay::deferred, LoadWay::with_buffers}) {
      SCOPED_TRACE(trace_of(library));
      be(library);
      // From 2.46 on the first allocation is that of the creation.
      control().fail_own_allocation(is_2_43(library) ? 1 : 2, /*persistent=*/true);
      EXPECT_EQ(loads(way),
                is_2_43(library) ? (Codes{4000, 4000, 4000}) : (Codes{4000, 1002, 1002}));
      control().clear_faults();
      EXPECT_EQ(loads(way), fine);
      EXPECT_EQ(control().counters().misuses, is_2_43(library) ? 3u : 1u)
          << "each second contextFinalize (ORD-13)";
      // Ends what the failed deferred creations have left.
      EXPECT_EQ(code(qnn().backend_free(std::exchange(backend, nullptr))), 0u);
      ASSERT_EQ(code(qnn().backend_create(nullptr, nullptr, &backend)), 0u);
      EXPECT_EQ(control().counters().live_contexts, 0u);
    }
}

TEST_F(sim_no_room, has_14001_of_contextFree_for_a_context_in_a_half_made_domain) {
  for (const HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    c_api::DeviceHandle device = nullptr;
    ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
    fail_domains(4);
    c_api::ContextHandle first = nullptr, second = nullptr;
    ASSERT_EQ(make(false, first), 1002u);
    if (library == HostLibrary::v2_43_1) {
      ASSERT_EQ(make(false, first), undefined);
      EXPECT_EQ(code(qnn().context_free(first, nullptr)), 0u);
    }
    ASSERT_EQ(make(false, first), 0u);
    sim::Config full = control().config();
    full.pd_budget_bytes = control().counters().pd_used_bytes[0];
    ASSERT_TRUE(control().set_config(full));
    ASSERT_EQ(make(false, second), 0u);
    EXPECT_EQ(control().counters().pd_used_bytes[2], full.pd_budget_bytes);
    EXPECT_EQ(code(qnn().context_free(second, nullptr)), halves_domain(library) ? 14001u : 0u);
    EXPECT_EQ(code(qnn().context_free(second, nullptr)), 5002u) << "it is freed all the same";
    EXPECT_EQ(code(qnn().context_free(first, nullptr)), 0u);
    EXPECT_EQ(code(qnn().device_free(device)), 0u);
    EXPECT_EQ(control().misuses("ORD-09"), halves_domain(library) ? 0u : 1u);
  }
}

}}  // namespace sim_test
