// External weights and spill-fill buffers through the C API of the simulated HTP.
#include <initializer_list>
#include <utility>

#include "fixture.hpp"

namespace sim_test {
namespace {

class sim_deferred : public SimTest {};

TEST_F(sim_deferred, a_context_runs_from_external_buffers_and_the_numbers_are_right) {
  const Chain chain;
  const auto binary = binary_of({chain});
  DeferredConfig config;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  const AskedFor asked = ask(context);
  EXPECT_EQ(asked.alignment, 4096u);
  EXPECT_EQ(asked.weights, chain.layers * chain.width * chain.width * sizeof(float));
  EXPECT_GT(asked.spill_fill, 0u);

  ExternalBuffers buffers{asked};
  ASSERT_EQ(buffers.add_to(context), 0u);
  ASSERT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  EXPECT_EQ(std::memcmp(buffers.weights.data, chain.weights(0).data(),
                        chain.width * chain.width * sizeof(float)),
            0)
      << "finalize writes the weights into the client's buffer";

  std::vector<float> out;
  ASSERT_EQ(run_raw(graph_of(context), chain, out), 0u);
  EXPECT_LT(largest_difference(chain.reference(chain.input()), out.data()), 1e-5f);
  const sim::Counters counters = control().counters();
  EXPECT_EQ(counters.device_bytes, asked.weights + asked.spill_fill);
  EXPECT_EQ(counters.internal_bytes, 0u);
  EXPECT_EQ(counters.misuses, 0u);
  EXPECT_EQ(free_context(context), 0u);
  EXPECT_EQ(control().counters().mapped_fds, 0u) << "contextFree releases weights and spill-fill";
}

TEST_F(sim_deferred, execution_reads_the_weights_from_the_external_buffer) {
  const Chain chain;
  const auto binary = binary_of({chain});
  DeferredConfig config;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  const AskedFor asked = ask(context);
  Dma weights{asked.weights};
  ExternalDescriptor descriptor{c_api::HtpMemType::weights_buffer, weights.fd, asked.weights};
  c_api::MemHandle handle = nullptr;
  ASSERT_EQ(code(qnn().mem_register(context, &descriptor.descriptor, 1, &handle)), 0u);
  ASSERT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  EXPECT_EQ(control().counters().internal_spill_fill_bytes, asked.spill_fill);
  std::vector<float> out;
  ASSERT_EQ(run_raw(graph_of(context), chain, out), 0u);
  EXPECT_LT(largest_difference(chain.reference(chain.input()), out.data()), 1e-5f);
  weights.release();
  ASSERT_EQ(run_raw(graph_of(context), chain, out), 0u);
  EXPECT_GT(largest_difference(chain.reference(chain.input()), out.data()), 1.0f)
      << "freed early: wrong numbers";
}

TEST_F(sim_deferred, a_binary_or_config_dropped_before_finalize_is_caught) {
  const auto binary = binary_of({Chain{}});
  DeferredConfig config;
  std::vector<std::byte> copy = binary;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(copy, config.configs(), context), 0u);
  std::fill(copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2), copy.end(),
            std::byte{0x5A});
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5005u);
  copy = binary;
  c_api::ContextHandle other = nullptr;
  ASSERT_EQ(create(copy, config.configs(), other), 0u);
  config.defer.option = static_cast<c_api::ContextConfigOption>(77);
  EXPECT_EQ(code(qnn().context_finalize(other, nullptr)), 5010u);
  EXPECT_EQ(control().counters().misuses, 1u);
}

TEST_F(sim_deferred, ORD_12_finalize_reads_the_handle_variable_of_the_creation_again) {
  const auto binary = binary_of({Chain{}});
  DeferredConfig config;
  c_api::ContextHandle variable = nullptr;
  ASSERT_EQ(create(binary, config.configs(), variable), 0u);
  const c_api::ContextHandle context = variable;
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u) << "unchanged";
  for (const std::uintptr_t number : {std::uintptr_t{0}, std::uintptr_t{0x4711}}) {
    ASSERT_EQ(create(binary, config.configs(), variable), 0u);
    const c_api::ContextHandle spoilt = variable;
    variable = reinterpret_cast<c_api::ContextHandle>(number);
    EXPECT_EQ(code(qnn().context_finalize(spoilt, nullptr)), 5002u) << number;
    EXPECT_EQ(free_context(spoilt), 0u);
  }
  EXPECT_EQ(control().counters().misuses, 2u);
  EXPECT_NE(control().misuse_text(0).find("ORD-12"), std::string::npos);
}

TEST_F(sim_deferred, ORD_12_the_configs_go_to_the_context_whose_handle_is_there) {
  const auto binary = binary_of({Chain{.name = "a"}, Chain{.name = "b"}});
  DeferredConfig plain;
  DeferredConfig config;
  const char* names[] = {"a", nullptr};
  c_api::ContextConfig enable{};
  enable.option = c_api::ContextConfigOption::enable_graphs;
  enable.enable_graphs = names;
  const c_api::ContextConfig* both[] = {&config.defer, &enable, nullptr};
  c_api::ContextHandle other = nullptr;
  ASSERT_EQ(create(binary, plain.configs(), other), 0u);
  c_api::ContextHandle variable = nullptr;
  ASSERT_EQ(create(binary, both, variable), 0u);
  const c_api::ContextHandle context = std::exchange(variable, other);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  EXPECT_EQ(control().counters().misuses, 1u);
  std::vector<float> out;
  EXPECT_EQ(run_raw(graph_of(context, "b"), Chain{.name = "b"}, out, ids_of(Chain{}).out + 1), 0u)
      << "brought up without its options";
}

TEST_F(sim_deferred, ORD_13_finalize_has_one_try_and_succeeds_again_after_success) {
  const auto binary = binary_of({Chain{}});
  DeferredConfig config;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  control().fail_call(sim::Slot::context_finalize, 1, 1002);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 1002u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5005u) << "whatever the first cause";
  EXPECT_EQ(control().counters().misuses, 1u);
  EXPECT_GT(ask(context).weights, 0u) << "its properties can be asked for still";
  EXPECT_EQ(free_context(context), 0u);
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u) << "done already";
  EXPECT_EQ(control().counters().misuses, 1u);
}

TEST_F(sim_deferred, ORD_15_deferred_creation_with_0_is_named_instead_of_hanging) {
  const auto binary = binary_of({Chain{}});
  DeferredConfig config;
  config.defer.is_graph_init_deferred = 0;
  c_api::ContextHandle context = nullptr;
  EXPECT_EQ(create(binary, config.configs(), context), 5010u);
  EXPECT_NE(control().misuse_text(0).find("ORD-15"), std::string::npos);
}

// What a failed creation leaves in the out variable (ORD-14).

class sim_failed_creation : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
    binary = binary_of({Chain{}});
  }
  /// Creates with these options on `device`; `made` is what the variable holds then.
  std::uint32_t create_with(std::initializer_list<const c_api::ContextConfig*> options) {
    std::vector<const c_api::ContextConfig*> configs(options);
    configs.push_back(nullptr);
    made = nullptr;
    return code(qnn().context_create_from_binary(backend, device, configs.data(), binary.data(),
                                                 binary.size(), &made, nullptr));
  }
  void expect_alive() {
    EXPECT_EQ(code(qnn().device_free(device)), 14003u);
    EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    EXPECT_EQ(code(qnn().device_free(device)), 0u);
  }
  static c_api::ContextConfig limit() {
    c_api::ContextConfig option{};
    option.option = c_api::ContextConfigOption::memory_limit_hint;
    option.memory_limit_hint = 1;
    return option;
  }
  static c_api::HtpContextCustomConfig group(c_api::ContextHandle head, std::uint64_t most) {
    c_api::HtpContextCustomConfig custom{};
    custom.option = c_api::HtpContextConfigOption::register_multi_contexts;
    custom.group_registration = {head, most};
    return custom;
  }
  static c_api::ContextConfig option_of(c_api::HtpContextCustomConfig& custom) {
    c_api::ContextConfig option{};
    option.option = c_api::ContextConfigOption::custom;
    option.custom_config = &custom;
    return option;
  }

  c_api::DeviceHandle device = nullptr;
  std::vector<std::byte> binary;
  c_api::ContextHandle made = nullptr;
  DeferredConfig deferred;
};

TEST_F(sim_failed_creation, EXT_09_a_limit_without_a_persistent_binary_leaves_a_live_context) {
  const auto hint = limit();
  EXPECT_EQ(create_with({&hint}), 5010u);
  expect_alive();
}

TEST_F(sim_failed_creation, EXT_04_a_deferred_context_with_a_limit_is_refused_and_left_alive) {
  const auto hint = limit();
  EXPECT_EQ(create_with({&deferred.defer, &hint}), 1000u);
  expect_alive();
}

TEST_F(sim_failed_creation, EXT_02_a_deferred_context_of_a_group_is_refused_and_left_alive) {
  auto custom = group(nullptr, 4096);
  const auto option = option_of(custom);
  EXPECT_EQ(create_with({&option, &deferred.defer}), 1000u);
  expect_alive();
}

TEST_F(sim_failed_creation, EXT_03_concurrent_sharing_is_refused_and_left_alive) {
  c_api::HtpContextCustomConfig custom{};
  custom.option = c_api::HtpContextConfigOption::register_concurrent_resource_sharing;
  const auto option = option_of(custom);
  EXPECT_EQ(create_with({&option}), 1000u);
  expect_alive();
}

TEST_F(sim_failed_creation, GRP_01_a_group_that_is_too_small_is_refused_and_left_alive) {
  auto custom = group(nullptr, 16);
  const auto option = option_of(custom);
  EXPECT_EQ(create_with({&option}), 5010u);
  expect_alive();
}

TEST_F(sim_failed_creation, GRP_01_a_group_of_no_size_leaves_a_number_of_no_context) {
  auto custom = group(nullptr, 0);
  const auto option = option_of(custom);
  EXPECT_EQ(create_with({&option}), 5010u);
  ASSERT_NE(made, nullptr);
  const std::uint64_t misuses = control().counters().misuses;
  EXPECT_EQ(code(qnn().context_free(made, nullptr)), 5002u);
  EXPECT_EQ(control().counters().misuses, misuses) << "nobody can know that it is dead";
  EXPECT_EQ(code(qnn().device_free(device)), 0u);
}

TEST_F(sim_failed_creation, other_failures_leave_nothing) {
  const auto junk = std::vector<std::byte>(4096, std::byte{7});
  made = reinterpret_cast<c_api::ContextHandle>(std::uintptr_t{0x4711});
  EXPECT_NE(code(qnn().context_create_from_binary(backend, device, nullptr, junk.data(),
                                                  junk.size(), &made, nullptr)),
            0u);
  EXPECT_EQ(made, reinterpret_cast<c_api::ContextHandle>(std::uintptr_t{0x4711}));
  EXPECT_EQ(code(qnn().device_free(device)), 0u);
}

TEST_F(sim_deferred, another_binary_in_the_place_of_the_first_is_caught) {
  std::vector<std::byte> place = binary_of({Chain{.layers = 4}});
  const auto other = binary_of({Chain{.layers = 3}});
  ASSERT_LT(other.size(), place.size());
  DeferredConfig config;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(place, config.configs(), context), 0u);
  std::copy(other.begin(), other.end(), place.begin());
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5005u);

  place = binary_of({Chain{.seed = 1}});
  const auto same_size = binary_of({Chain{.seed = 2}});
  ASSERT_EQ(same_size.size(), place.size());
  ASSERT_EQ(create(place, config.configs(), context), 0u);
  std::copy(same_size.begin(), same_size.end(), place.begin());
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5005u);
  EXPECT_EQ(control().counters().misuses, 1u);
}

TEST_F(sim_deferred, nothing_is_brought_up_before_finalize) {
  const auto binary = binary_of({Chain{}});
  DeferredConfig config;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  sim::Counters counters = control().counters();
  EXPECT_EQ(counters.internal_bytes, 0u);
  EXPECT_EQ(counters.live_graphs, 0u);
  EXPECT_EQ(counters.pd_used_bytes[0], 0u);
  c_api::GraphHandle graph = nullptr;
  EXPECT_EQ(code(qnn().graph_retrieve(context, "chain", &graph)), 6023u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  counters = control().counters();
  EXPECT_GT(counters.internal_bytes, 0u);
  EXPECT_EQ(counters.live_graphs, 1u);
  EXPECT_GT(counters.pd_used_bytes[0], 0u);
}

TEST_F(sim_deferred, EXT_08_as_on_Linux_registers_external_weights_and_does_not_finalize_them) {
  const Chain chain;
  const auto binary = binary_of({chain});
  sim::Config linux_host = control().config();
  linux_host.linux_weights = 1;
  ASSERT_TRUE(control().set_config(linux_host));
  DeferredConfig config;
  for (const bool has_weights : {true, false}) {
    c_api::ContextHandle context = nullptr;
    ASSERT_EQ(create(binary, config.configs(), context), 0u);
    const AskedFor need = ask(context);
    EXPECT_GT(need.weights, 0u) << "the size is told all the same";
    Dma weights{need.weights}, spill_fill{need.spill_fill};
    ExternalDescriptor one{c_api::HtpMemType::weights_buffer, weights.fd, need.weights};
    ExternalDescriptor other{c_api::HtpMemType::shared_spillfill_buffer, spill_fill.fd,
                             need.spill_fill};
    c_api::MemHandle handle = nullptr;
    if (has_weights) {
      ASSERT_EQ(code(qnn().mem_register(context, &one.descriptor, 1, &handle)), 0u);
    }
    ASSERT_EQ(code(qnn().mem_register(context, &other.descriptor, 1, &handle)), 0u);
    EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), has_weights ? 1002u : 0u);
    EXPECT_EQ(free_context(context), 0u);
  }
  EXPECT_EQ(control().counters().misuses, 0u);
}

TEST_F(sim_deferred, one_spill_fill_buffer_serves_many_contexts_and_counts_once) {
  const Chain small{.width = 64, .seed = 3};
  const Chain large{.width = 128, .seed = 4};
  const auto first = binary_of({small});
  const auto second = binary_of({large});
  DeferredConfig config;
  c_api::ContextHandle a = nullptr;
  c_api::ContextHandle b = nullptr;
  ASSERT_EQ(create(first, config.configs(), a), 0u);
  ASSERT_EQ(create(second, config.configs(), b), 0u);
  const std::uint64_t need = std::max(ask(a).spill_fill, ask(b).spill_fill);
  ASSERT_NE(ask(a).spill_fill, ask(b).spill_fill);
  Dma shared{need};
  ExternalDescriptor descriptor{c_api::HtpMemType::shared_spillfill_buffer, shared.fd, need};
  c_api::MemHandle handle = nullptr;
  for (const c_api::ContextHandle context : {a, b}) {
    ASSERT_EQ(code(qnn().mem_register(context, &descriptor.descriptor, 1, &handle)), 0u);
    ASSERT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  }
  const sim::Counters counters = control().counters();
  EXPECT_EQ(counters.external_spill_fill_bytes, need);
  EXPECT_EQ(counters.live_spill_fill_registrations, 2u);
  std::vector<float> out;
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(run_raw(graph_of(a), small, out), 0u);
    EXPECT_LT(largest_difference(small.reference(small.input()), out.data()), 1e-5f);
    ASSERT_EQ(run_raw(graph_of(b), large, out), 0u);
    EXPECT_LT(largest_difference(large.reference(large.input()), out.data()), 1e-4f);
  }
  EXPECT_EQ(control().counters().parallel_sharers, 0u);
}

}  // namespace
}  // namespace sim_test
