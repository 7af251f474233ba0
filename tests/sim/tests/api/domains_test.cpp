// Process domains: which contexts fit, and which call refuses the others.
#include "fixture.hpp"

namespace sim_test { namespace {

std::string& log_lines() {
  // Never destroyed: the library logs until the process has ended.
  static auto& lines = *new std::string;
  return lines;
}
void keep_line(const char* format, c_api::LogLevel, std::uint64_t, std::va_list arguments) {
  char line[512];
  std::vsnprintf(line, sizeof line, format, arguments);
  log_lines() += line;
  log_lines() += '\n';
}

class sim_domains : public SimTest {
 protected:
  static void budget(std::uint64_t bytes, std::uint32_t domains) {
    sim::Config config = control().config();
    config.pd_budget_bytes = bytes;
    config.pd_count = domains;
    ASSERT_TRUE(control().set_config(config));
  }
  /// Returns the process-domain memory that a context of this binary needs.
  std::uint64_t estimate(const std::vector<std::byte>& binary,
                         const c_api::ContextConfig** configs = nullptr) {
    c_api::ContextHandle context = nullptr;
    EXPECT_EQ(create(binary, configs, context), 0u);
    const std::uint64_t used = control().counters().pd_used_bytes[0];
    EXPECT_EQ(free_context(context), 0u);
    return used;
  }
};

TEST_F(sim_domains, PD_01_an_eager_context_that_does_not_fit_is_refused_at_create) {
  const auto binary = binary_of({Chain{}});
  const std::uint64_t needed = estimate(binary);
  budget(needed, 1);
  c_api::ContextHandle first = nullptr;
  ASSERT_EQ(create(binary, nullptr, first), 0u);
  c_api::LogHandle logger = nullptr;
  ASSERT_EQ(code(qnn().log_create(keep_line, c_api::LogLevel::debug, &logger)), 0u);
  c_api::ContextHandle second = nullptr;
  EXPECT_EQ(create(binary, nullptr, second), 1002u);
  EXPECT_EQ(control().counters().pd_refusals, 1u);
  EXPECT_EQ(control().counters().live_contexts, 1u);
  EXPECT_EQ(free_context(first), 0u);
  EXPECT_EQ(create(binary, nullptr, second), 0u) << "there is room again";
  EXPECT_EQ(code(qnn().log_free(logger)), 0u);
}

TEST_F(sim_domains, PD_01_the_estimate_is_weights_spill_fill_io_op_data_and_vtcm_times_a_factor) {
  const Chain chain;
  const auto binary = binary_of({chain});
  DeferredConfig deferred;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, deferred.configs(), context), 0u);
  const AskedFor need = ask(context);
  ASSERT_EQ(free_context(context), 0u);
  const std::uint64_t told = need.weights + need.spill_fill + 2 * chain.width * sizeof(float);
  sim::Config config = control().config();
  EXPECT_EQ(config.estimate_per_mille_x10, 10000u)
      << "the host library's estimate is the plain sum";
  const std::uint64_t sum = estimate(binary);
  EXPECT_GT(sum, told) << "op data and VTCM count, too";
  EXPECT_LE(sum, told + config.vtcm_bytes + 16384);
  config.estimate_per_mille_x10 = 10438;
  ASSERT_TRUE(control().set_config(config));
  EXPECT_NEAR(static_cast<double>(estimate(binary)), 1.0438 * static_cast<double>(sum), 2.0);
}

TEST_F(sim_domains, the_refusal_is_logged_with_the_estimate) {
  const auto binary = binary_of({Chain{}});
  budget(1000, 1);
  log_lines().clear();
  c_api::LogHandle logger = nullptr;
  ASSERT_EQ(code(qnn().log_create(keep_line, c_api::LogLevel::error, &logger)), 0u);
  c_api::ContextHandle context = nullptr;
  c_api::BackendHandle logging = nullptr;
  ASSERT_EQ(code(qnn().backend_create(logger, nullptr, &logging)), 0u);
  EXPECT_EQ(code(qnn().context_create_from_binary(logging, nullptr, nullptr, binary.data(),
                                                  binary.size(), &context, nullptr)),
            1002u);
  EXPECT_NE(log_lines().find("Failed to find available PD"), std::string::npos) << log_lines();
  EXPECT_EQ(code(qnn().backend_free(logging)), 0u);
  EXPECT_EQ(code(qnn().log_free(logger)), 0u);
}

TEST_F(sim_domains,
       PD_01_a_deferred_context_is_refused_at_finalize_and_external_buffers_do_not_help) {
  const auto binary = binary_of({Chain{}});
  budget(estimate(binary) - 1, 1);
  DeferredConfig config;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  ExternalBuffers buffers{ask(context)};
  ASSERT_EQ(buffers.add_to(context), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 1002u);
  EXPECT_EQ(code(qnn().mem_de_register(buffers.handles, 2)), 0u)
      << "deregistration is possible before contextFinalize";
  budget(std::uint64_t{1} << 30, 1);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5005u)
      << "a second call fails (ORD-13)";
}

TEST_F(sim_domains, a_load_that_fails_on_a_domain_is_tried_on_the_next_one) {
  const auto binary = binary_of({Chain{}});
  log_lines().clear();
  c_api::LogHandle logger = nullptr;
  ASSERT_EQ(code(qnn().log_create(keep_line, c_api::LogLevel::error, &logger)), 0u);
  c_api::BackendHandle logging = nullptr;
  ASSERT_EQ(code(qnn().backend_create(logger, nullptr, &logging)), 0u);
  sim::Config config = control().config();
  config.failing_domains = 2;
  ASSERT_TRUE(control().set_config(config));
  c_api::ContextHandle context = nullptr;
  EXPECT_EQ(code(qnn().context_create_from_binary(logging, nullptr, nullptr, binary.data(),
                                                  binary.size(), &context, nullptr)),
            0u);
  EXPECT_NE(log_lines().find("failed on process domain 0"), std::string::npos) << log_lines();
  EXPECT_NE(log_lines().find("failed on process domain 2"), std::string::npos) << log_lines();
  EXPECT_GT(control().counters().pd_used_bytes[3], 0u) << "the order is 0, 2, 3, 1";
  EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);

  // A finalize that fails on all domains does not affect the next one.
  config.failing_domains = 4;
  ASSERT_TRUE(control().set_config(config));
  DeferredConfig deferred;
  ASSERT_EQ(create(binary, deferred.configs(), context), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 1002u);
  ASSERT_EQ(create(binary, deferred.configs(), context), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  EXPECT_EQ(code(qnn().backend_free(logging)), 0u);
  EXPECT_EQ(code(qnn().log_free(logger)), 0u);
}

TEST_F(sim_domains, EXT_04_a_graph_switch_survives_a_binary_that_was_unmapped) {
  const auto binary = binary_of({Chain{.name = "a"}, Chain{.name = "b", .seed = 2}});
  const Pages pages(binary.size());
  std::copy(binary.begin(), binary.end(), pages.data());
  c_api::ContextConfig persistent{};
  persistent.option = c_api::ContextConfigOption::persistent_binary;
  persistent.is_persistent_binary = 1;
  c_api::ContextConfig limit{};
  limit.option = c_api::ContextConfigOption::memory_limit_hint;
  limit.memory_limit_hint = 1;
  const c_api::ContextConfig* configs[] = {&persistent, &limit, nullptr};
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(code(qnn().context_create_from_binary(backend, nullptr, configs, pages.data(),
                                                  binary.size(), &context, nullptr)),
            0u);
  pages.take_away();
  std::vector<float> out;
  EXPECT_EQ(run_raw(graph_of(context, "a"), Chain{.name = "a"}, out), 1100u);
  EXPECT_EQ(control().misuses("ORD-05"), 1u);
  EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);
}

TEST_F(sim_domains, several_domains_hold_more_than_one) {
  const auto binary = binary_of({Chain{}});
  budget(estimate(binary), 3);
  c_api::ContextHandle context = nullptr;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(create(binary, nullptr, context), 0u);
  EXPECT_EQ(create(binary, nullptr, context), 1002u);
}

TEST_F(sim_domains, only_enabled_graphs_count) {
  const auto binary = binary_of({Chain{.name = "a"}, Chain{.name = "b", .seed = 2}});
  const std::uint64_t all = estimate(binary);
  const char* names[] = {"a", nullptr};
  c_api::ContextConfig enable{};
  enable.option = c_api::ContextConfigOption::enable_graphs;
  enable.enable_graphs = names;
  const c_api::ContextConfig* configs[] = {&enable, nullptr};
  const std::uint64_t one = estimate(binary, configs);
  EXPECT_GT(all - one, 4u * 64 * 64 * 4);
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, configs, context), 0u);
  std::vector<float> out;
  EXPECT_EQ(run_raw(graph_of(context, "a"), Chain{.name = "a"}, out), 0u);
  EXPECT_EQ(run_raw(graph_of(context, "b"), Chain{.name = "b"}, out, 12), 6001u);
}

TEST_F(sim_domains, CFG_03_an_unknown_name_among_the_enabled_graphs_fails_at_execution) {
  const auto binary = binary_of({Chain{}});
  const char* wrong[] = {"c", nullptr};
  c_api::ContextConfig enable{};
  enable.option = c_api::ContextConfigOption::enable_graphs;
  enable.enable_graphs = wrong;
  const c_api::ContextConfig* configs[] = {&enable, nullptr};
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, configs, context), 0u);
  std::vector<float> out;
  EXPECT_EQ(run_raw(graph_of(context), Chain{}, out), 6001u);
}

TEST_F(sim_domains, graph_switching_needs_room_for_the_largest_graph_only) {
  const Chain a{.name = "a"};
  const Chain b{.name = "b", .seed = 2};
  const auto binary = binary_of({a, b});
  c_api::ContextConfig persistent{};
  persistent.option = c_api::ContextConfigOption::persistent_binary;
  persistent.is_persistent_binary = 1;
  c_api::ContextConfig limit{};
  limit.option = c_api::ContextConfigOption::memory_limit_hint;
  limit.memory_limit_hint = 1;
  const c_api::ContextConfig* configs[] = {&persistent, &limit, nullptr};
  EXPECT_LT(estimate(binary, configs), estimate(binary));
  c_api::ContextHandle context = nullptr;
  std::vector<std::byte> kept = binary;
  ASSERT_EQ(create(kept, configs, context), 0u);
  std::vector<float> out;
  const std::uint32_t second = ids_of(a).out + 1;
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(run_raw(graph_of(context, "a"), a, out), 0u);
    EXPECT_LT(largest_difference(a.reference(a.input()), out.data()), 1e-4f);
    ASSERT_EQ(run_raw(graph_of(context, "b"), b, out, second), 0u);
    EXPECT_LT(largest_difference(b.reference(b.input()), out.data()), 1e-4f);
  }
  EXPECT_EQ(control().counters().graph_switches, 4u);
  std::fill(kept.begin(), kept.end(), std::byte{0});
  EXPECT_EQ(run_raw(graph_of(context, "a"), a, out), 1100u)
      << "the binary must stay until contextFree";
}

TEST_F(sim_domains, the_number_of_contexts_can_be_limited) {
  const auto binary = binary_of({Chain{}});
  sim::Config config = control().config();
  config.max_contexts = 2;
  ASSERT_TRUE(control().set_config(config));
  c_api::ContextHandle context = nullptr;
  EXPECT_EQ(create(binary, nullptr, context), 0u);
  EXPECT_EQ(create(binary, nullptr, context), 0u);
  EXPECT_EQ(create(binary, nullptr, context), 1002u);
}

TEST_F(sim_domains, the_published_limit_lies_between_what_loaded_and_what_did_not) {
  control().reset_config();
  const sim::Config config = control().config();
  constexpr std::uint64_t refused = 3'652'345'600;  // for 3535 MB, from a device's log
  EXPECT_GT(refused, config.pd_budget_bytes);
  EXPECT_LE(refused / 3535 * 3506, config.pd_budget_bytes) << "3506 MB fitted on that device";
}

}}  // namespace sim_test
