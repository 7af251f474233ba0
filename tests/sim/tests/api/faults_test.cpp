// Faults, sub-system restarts, counters and configuration of the simulated HTP.
#include <unistd.h>

#include <cstdarg>
#include <cstdio>

#include "fixture.hpp"

namespace sim_test { namespace {

class sim_faults : public SimTest {};

TEST_F(sim_faults, the_kth_call_of_a_slot_fails_once) {
  const auto binary = binary_of({Chain{}});
  control().fail_call(sim::Slot::context_create_from_binary, 2, 1002);
  c_api::ContextHandle context = nullptr;
  EXPECT_EQ(create(binary, nullptr, context), 0u);
  EXPECT_EQ(create(binary, nullptr, context), 1002u);
  EXPECT_EQ(create(binary, nullptr, context), 0u);
  EXPECT_EQ(control().counters().faults_fired, 1u);
  EXPECT_EQ(control().counters().live_contexts, 2u);
}

TEST_F(sim_faults, a_persistent_fault_stays_until_it_is_cleared) {
  control().fail_call(sim::Slot::log_create, 1, 11002, true);
  c_api::LogHandle logger = nullptr;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(code(qnn().log_create(nullptr, c_api::LogLevel::error, &logger)), 11002u);
  control().clear_faults();
  EXPECT_EQ(code(qnn().log_create(nullptr, c_api::LogLevel::error, &logger)), 0u);
  EXPECT_EQ(code(qnn().log_free(logger)), 0u);
}

TEST_F(sim_faults, every_slot_is_counted_for_a_fault_on_any) {
  control().fail_any_call(3, 1003);
  const char* id = nullptr;
  c_api::ApiVersion version;
  EXPECT_EQ(code(qnn().backend_get_build_id(&id)), 0u);
  EXPECT_EQ(code(qnn().backend_get_api_version(&version)), 0u);
  EXPECT_EQ(code(qnn().backend_get_build_id(&id)), 1003u);
  EXPECT_EQ(code(qnn().backend_get_build_id(&id)), 0u);
}

TEST_F(sim_faults, a_release_that_fails_has_released) {
  const auto binary = binary_of({Chain{}});
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  control().fail_call(sim::Slot::context_free, 1, 1100);
  EXPECT_EQ(free_context(context), 1100u);
  EXPECT_EQ(control().counters().live_contexts, 0u);
  EXPECT_EQ(control().counters().misuses, 0u);
}

TEST_F(sim_faults, LOAD_06_codes_can_carry_high_bits) {
  sim::Config config = control().config();
  config.error_high_bits = 0x1234;
  ASSERT_TRUE(control().set_config(config));
  const char* message = nullptr;
  const c_api::ErrorHandle error = qnn().context_free(nullptr, nullptr);
  EXPECT_EQ(error, 0x1234138Au);
  EXPECT_EQ(code(error), 5002u);
  EXPECT_EQ(code(qnn().error_get_message(error, &message)), 0u);
  EXPECT_STREQ(message, "ContextError::invalid_handle");
}

TEST_F(sim_faults, SSR_01_after_a_restart_contexts_graphs_and_memory_are_dead_and_the_rest_lives) {
  const Chain chain;
  const auto binary = binary_of({chain});
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  const c_api::GraphHandle graph = graph_of(context);
  c_api::ProfileHandle profile = nullptr;
  ASSERT_EQ(code(qnn().profile_create(backend, 1, &profile)), 0u);
  control().fail_call(sim::Slot::graph_execute, 1, 1007);
  std::vector<float> out;
  EXPECT_EQ(run_raw(graph, chain, out), 1007u);
  EXPECT_EQ(control().counters().live_contexts, 1u) << "it counts until it is freed";
  EXPECT_EQ(control().counters().pd_used_bytes[0], 0u);
  EXPECT_EQ(run_raw(graph, chain, out), 1007u);
  c_api::GraphHandle again = nullptr;
  EXPECT_NE(code(qnn().graph_retrieve(context, "g", &again)), 0u)
      << "the dead context has no usable graphs";
  const std::uint64_t kept = control().counters().internal_bytes;
  EXPECT_GT(kept, 0u) << "its memory is not released either";
  c_api::ContextHandle fresh = nullptr;
  ASSERT_EQ(create(binary, nullptr, fresh), 0u) << "the device has recovered";
  EXPECT_EQ(run_raw(graph_of(fresh), chain, out), 0u);
  EXPECT_EQ(free_context(context), 0u);
  EXPECT_EQ(control().counters().internal_bytes, kept) << "only the new context's memory is left";
  EXPECT_EQ(control().counters().misuses, 0u);
  EXPECT_EQ(run_raw(graph, chain, out), 6001u);
  EXPECT_EQ(free_context(context), 5002u);
  EXPECT_EQ(control().counters().misuses, 2u) << "two calls with stale handles";
  EXPECT_EQ(code(qnn().profile_free(profile)), 0u);
}

TEST_F(sim_faults, SSR_01_a_dead_context_keeps_its_registrations_and_its_device_until_it_is_freed) {
  const auto binary = binary_of({Chain{}});
  c_api::DeviceHandle device = nullptr;
  ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(code(qnn().context_create_from_binary(backend, device, nullptr, binary.data(),
                                                  binary.size(), &context, nullptr)),
            0u);
  Dma memory{4096};
  TensorDescriptor tensor{memory.fd, 16};
  c_api::MemHandle handle = nullptr;
  ASSERT_EQ(code(qnn().mem_register(context, &tensor.descriptor, 1, &handle)), 0u);
  control().restart_subsystem(false);
  EXPECT_EQ(control().counters().live_tensor_registrations, 1u);
  EXPECT_EQ(code(qnn().device_free(device)), 14003u);
  EXPECT_EQ(code(qnn().mem_de_register(&handle, 1)), 0u);
  EXPECT_EQ(free_context(context), 0u);
  EXPECT_EQ(code(qnn().device_free(device)), 0u);
  EXPECT_EQ(control().counters().live_tensor_registrations, 0u);
  EXPECT_EQ(control().counters().misuses, 1u) << "deviceFree before contextFree is a misuse";
}

TEST_F(sim_faults, SSR_02_a_fault_restarts_with_any_code_or_with_none) {
  const auto binary = binary_of({Chain{}});
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  const c_api::GraphHandle graph = graph_of(context);
  std::vector<float> out;
  control().fail_call(sim::Slot::graph_execute, 1, 1007, false, sim::FaultRestart::never);
  EXPECT_EQ(run_raw(graph, Chain{}, out), 1007u);
  EXPECT_EQ(run_raw(graph, Chain{}, out), 0u);
  control().fail_call(sim::Slot::context_finalize, 1, 1002, false, sim::FaultRestart::always);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 1002u);
  EXPECT_EQ(run_raw(graph, Chain{}, out), 1007u);
  EXPECT_EQ(free_context(context), 0u);
}

TEST_F(sim_faults, SSR_01_after_a_fatal_restart_the_DSP_answers_nothing) {
  const auto binary = binary_of({Chain{}});
  control().restart_subsystem(true);
  c_api::ContextHandle context = nullptr;
  EXPECT_EQ(create(binary, nullptr, context), 1011u);
  const char* id = nullptr;
  EXPECT_EQ(code(qnn().backend_get_build_id(&id)), 0u) << "a call that needs no DSP works";
  control().reset_config();
  EXPECT_EQ(create(binary, nullptr, context), 0u);
}

TEST_F(sim_faults, every_call_of_a_job_can_fail_and_nothing_stays_alive) {
  const Chain chain;
  const auto binary = binary_of({chain});
  // A client that releases everything that it got, after any failure.
  const auto job = [&] {
    c_api::ContextHandle context = nullptr;
    DeferredConfig config;
    bool ok = create(binary, config.configs(), context) == 0;
    if (!ok) return false;
    Dma weights{piece_bytes};
    ExternalDescriptor descriptor{c_api::HtpMemType::weights_buffer, weights.fd, weights.bytes};
    c_api::MemHandle handle = nullptr;
    c_api::GraphHandle graph = nullptr;
    std::vector<float> out;
    ok = qnn().mem_register(context, &descriptor.descriptor, 1, &handle) == 0 &&
         qnn().context_finalize(context, nullptr) == 0 &&
         qnn().graph_retrieve(context, "chain", &graph) == 0 && run_raw(graph, chain, out) == 0;
    return free_context(context) == 0 && ok;
  };
  for (const bool persistent : {false, true}) {
    std::uint64_t failures = 0;
    for (std::uint64_t k = 1; k < 100; ++k) {
      control().fail_any_call(k, 1100, persistent);
      const bool ok = job();
      control().clear_faults();
      const sim::Counters left = control().counters();
      EXPECT_EQ(left.live_contexts + left.live_graphs + left.mapped_fds + left.internal_bytes, 0u)
          << "call " << k;
      if (ok) break;
      ++failures;
    }
    EXPECT_EQ(failures, 6u);
  }
}

TEST_F(sim_faults, calls_are_counted_by_slot) {
  control().reset_counters();
  const char* id = nullptr;
  for (int i = 0; i < 4; ++i) EXPECT_EQ(code(qnn().backend_get_build_id(&id)), 0u);
  EXPECT_EQ(code(qnn().backend_get_build_id(nullptr)), 4004u);
  EXPECT_EQ(control().calls(sim::Slot::backend_get_build_id), 5u);
  EXPECT_EQ(control().counters().calls, 5u);
  EXPECT_EQ(control().counters().failed_calls, 1u);
}

TEST_F(sim_faults, peaks_remember_what_was_there) {
  const auto binary = binary_of({Chain{}});
  control().reset_counters();
  c_api::ContextHandle first = nullptr;
  c_api::ContextHandle second = nullptr;
  ASSERT_EQ(create(binary, nullptr, first), 0u);
  ASSERT_EQ(create(binary, nullptr, second), 0u);
  const std::uint64_t both = control().counters().internal_bytes;
  EXPECT_EQ(free_context(first), 0u);
  EXPECT_EQ(free_context(second), 0u);
  EXPECT_EQ(control().counters().peak_contexts, 2u);
  EXPECT_EQ(control().counters().peak_internal_bytes, both);
  control().reset_counters();
  EXPECT_EQ(control().counters().peak_contexts, 0u);
}

TEST_F(sim_faults, a_configuration_that_makes_no_device_is_refused) {
  sim::Config config = control().config();
  config.start_alignment_bytes = 3000;
  EXPECT_FALSE(control().set_config(config));
  config = control().config();
  config.pd_count = 0;
  EXPECT_FALSE(control().set_config(config));
  EXPECT_EQ(control().config().start_alignment_bytes, 4096u);
}

TEST_F(sim_faults, the_start_alignment_that_is_asked_for_is_the_configured_one) {
  const auto binary = binary_of({Chain{}});
  sim::Config config = control().config();
  config.start_alignment_bytes = 65536;
  ASSERT_TRUE(control().set_config(config));
  DeferredConfig deferred;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, deferred.configs(), context), 0u);
  EXPECT_EQ(ask(context).alignment, 65536u);
}

/// Log lines of a client whose library does not start.
struct StartLog {
  static std::vector<std::string>& lines() {
    // Never destroyed: the library logs until the process has ended.
    static auto& kept = *new std::vector<std::string>;
    return kept;
  }
  static void keep(const char* format, c_api::LogLevel, std::uint64_t, std::va_list arguments) {
    char line[256];
    std::vsnprintf(line, sizeof line, format, arguments);
    lines().push_back(line);
  }
  static bool has(const char* words) {
    for (const std::string& line : lines())
      if (line.find(words) != std::string::npos) return true;
    return false;
  }
};

void fail_at_start(sim::StartFailure failure) {
  sim::Config config = libraries().control.config();
  config.start_failure = static_cast<std::uint32_t>(failure);
  ASSERT_TRUE(libraries().control.set_config(config));
  StartLog::lines().clear();
}

TEST_F(sim_faults, what_the_DSP_lacks_fails_the_device_and_contexts_without_one) {
  const auto binary = binary_of({Chain{}});
  c_api::LogHandle logger = nullptr;
  ASSERT_EQ(code(qnn().log_create(StartLog::keep, c_api::LogLevel::warn, &logger)), 0u);
  const struct {
    sim::StartFailure failure;
    std::uint32_t code;
    const char* words;
  } cases[] = {{sim::StartFailure::no_stub, 14001, "libQnnHtpV79Stub.so"},
               {sim::StartFailure::no_skel, 14001, "unable to load a library"},
               {sim::StartFailure::no_fastrpc, 14001, "libcdsprpc.so"},
               {sim::StartFailure::other_sdk, 1008, "skel library does not match"},
               {sim::StartFailure::other_stub, 1008, "stub library does not match"}};
  for (const auto& each : cases) {
    fail_at_start(each.failure);
    c_api::DeviceHandle device = nullptr;
    EXPECT_EQ(code(qnn().device_create(logger, nullptr, &device)), each.code);
    EXPECT_TRUE(StartLog::has(each.words)) << each.words;
    EXPECT_TRUE(StartLog::has("Failed to load skel"));
    c_api::ContextHandle context = nullptr;
    EXPECT_EQ(create(binary, nullptr, context), each.code);
    EXPECT_EQ(code(qnn().context_create(backend, nullptr, nullptr, &context)), each.code);
    EXPECT_EQ(context, nullptr);
    EXPECT_EQ(code(qnn().property_has_capability(
                  c_api::PropertyKey::context_support_deferred_graph_init)),
              0u)
        << "the library itself has started";
  }
  fail_at_start(sim::StartFailure::none);
  EXPECT_EQ(code(qnn().log_free(logger)), 0u);
}

TEST_F(sim_faults, a_chip_that_is_not_known_fails_all_and_the_callback_hears_it) {
  fail_at_start(sim::StartFailure::unknown_soc);
  c_api::LogHandle logger = nullptr;
  EXPECT_EQ(code(qnn().log_create(StartLog::keep, c_api::LogLevel::error, &logger)), 4000u);
  EXPECT_EQ(logger, nullptr);
  EXPECT_TRUE(StartLog::has("SoC"));
  StartLog::lines().clear();
  c_api::BackendHandle made = nullptr;
  EXPECT_EQ(code(qnn().backend_create(nullptr, nullptr, &made)), 4000u);
  EXPECT_TRUE(StartLog::has("SoC")) << "through the callback of the logCreate that failed";
  c_api::DeviceHandle device = nullptr;
  EXPECT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 1100u);
  const c_api::DevicePlatformInfo* info = nullptr;
  EXPECT_EQ(code(qnn().device_get_platform_info(nullptr, &info)), 1100u);
  EXPECT_EQ(
      code(qnn().property_has_capability(c_api::PropertyKey::context_support_deferred_graph_init)),
      2000u);
  c_api::ContextHandle context = nullptr;
  EXPECT_EQ(code(qnn().context_create(backend, nullptr, nullptr, &context)), 1100u);
  fail_at_start(sim::StartFailure::none);
}

TEST(sim_start, before_the_library_has_started_whatever_is_freed_is_0) {
  const sim::Control& control = libraries().control;
  control.reset_config();
  control.reset_counters();
  EXPECT_EQ(code(qnn().log_free(nullptr)), 0u);
  EXPECT_EQ(code(qnn().backend_free(nullptr)), 0u);
  EXPECT_EQ(code(qnn().device_free(nullptr)), 0u);
  EXPECT_EQ(control.counters().misuses, 0u);
  EXPECT_EQ(code(qnn().log_free(reinterpret_cast<c_api::LogHandle>(std::uintptr_t{0x1234}))), 0u);
  EXPECT_EQ(control.misuses("ORD-09"), 1u);
  c_api::BackendHandle backend = nullptr;
  ASSERT_EQ(code(qnn().backend_create(nullptr, nullptr, &backend)), 0u);
  EXPECT_EQ(code(qnn().backend_free(nullptr)), 4011u);
  EXPECT_EQ(code(qnn().log_free(nullptr)), 11004u);
  EXPECT_EQ(code(qnn().backend_free(backend)), 0u);
  control.reset_counters();
}

TEST(sim_rpcmem, memory_is_shared_through_its_fd_and_known_by_its_start_only) {
  const Libraries& library = libraries();
  library.rpcmem_control.reset_counters();
  Dma dma{10000};
  ASSERT_NE(dma.data, nullptr);
  ASSERT_GE(dma.fd, 0);
  dma.data[9999] = std::byte{42};
  std::byte seen{};
  EXPECT_EQ(::pread(dma.fd, &seen, 1, 9999), 1);
  EXPECT_EQ(seen, std::byte{42});
  EXPECT_EQ(library.to_fd(dma.data + 1), -1);
  library.free(dma.data + 1);
  EXPECT_EQ(library.rpcmem_control.counters().live_bytes, 10000u);
  EXPECT_EQ(library.rpcmem_control.counters().ignored_frees, 1u);
  EXPECT_EQ(library.rpcmem_control.counters().refused_to_fd, 1u);
  dma.release();
  EXPECT_EQ(library.rpcmem_control.counters().live_allocations, 0u);
  EXPECT_EQ(library.rpcmem_control.counters().live_fds, 0u);
}

TEST(sim_rpcmem, ALC_01_more_than_INT_MAX_bytes_go_through_alloc2_only) {
  const Libraries& library = libraries();
  using Alloc = void* (*)(int, std::uint32_t, int);
  const auto alloc = reinterpret_cast<Alloc>(::dlsym(library.rpc, "rpcmem_alloc"));
  const std::size_t large = (std::size_t{1} << 31) + 4096;
  EXPECT_EQ(alloc(25, 1, static_cast<int>(large)), nullptr) << "a narrowed size is negative";
  EXPECT_EQ(alloc(25, 1, 0), nullptr);
  void* const memory = library.alloc2(25, 1, large);
  ASSERT_NE(memory, nullptr);
  static_cast<std::byte*>(memory)[large - 1] = std::byte{1};
  library.free(memory);
}

TEST(sim_rpcmem, ALC_01_a_library_without_alloc2_exists) {
  void* const older = ::dlopen(QNNPP_SIM_DIR "/no_alloc2/libcdsprpc.so", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(older, nullptr) << ::dlerror();
  EXPECT_EQ(::dlsym(older, "rpcmem_alloc2"), nullptr);
  EXPECT_NE(::dlsym(older, "rpcmem_alloc"), nullptr);
  ::dlclose(older);
}

TEST(sim_rpcmem, ALC_02_allocations_fail_as_the_real_ones_do) {
  const Libraries& library = libraries();
  const sim::RpcmemControl& control = library.rpcmem_control;
  control.fail_call(sim::RpcmemCall::alloc2, 2);
  void* const first = library.alloc2(25, 1, 64);
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(library.alloc2(25, 1, 64), nullptr);
  control.clear_faults();
  control.fail_call(sim::RpcmemCall::alloc2, 1, true, sim::RpcmemFailure::map_failed);
  EXPECT_EQ(library.alloc2(25, 1, 64), reinterpret_cast<void*>(-1));
  control.fail_call(sim::RpcmemCall::to_fd, 1);
  EXPECT_EQ(library.to_fd(first), -1);
  control.clear_faults();
  EXPECT_GE(library.to_fd(first), 0);
  library.free(first);
}

}}  // namespace sim_test
