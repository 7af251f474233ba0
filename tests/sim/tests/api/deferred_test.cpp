// External weights and spill-fill buffers through the C API of the simulated HTP.
#include <array>
#include <initializer_list>
#include <thread>
#include <utility>

#include "fixture.hpp"
#include "pages.hpp"

namespace sim_test { namespace {

class sim_deferred : public SimTest {};

/// Everything that contextFinalize reads again after the creation, each in separate pages.
struct LentToFinalize {
  Pages variable{4096}, array{4096}, config{4096}, custom{4096};
  Pages binary;
  std::size_t binary_bytes;

  explicit LentToFinalize(const std::vector<std::byte>& bytes)
      : binary(bytes.size()), binary_bytes(bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), binary.data());
    auto* const htp = custom.make<c_api::HtpContextCustomConfig>();
    htp->option = c_api::HtpContextConfigOption::io_mem_estimation;
    auto* const options = config.make<std::array<c_api::ContextConfig, 2>>();
    (*options)[0].option = c_api::ContextConfigOption::defer_graph_init;
    (*options)[0].is_graph_init_deferred = 1;
    (*options)[1].option = c_api::ContextConfigOption::custom;
    (*options)[1].custom_config = htp;
    *array.make<std::array<const c_api::ContextConfig*, 3>>() = {&(*options)[0], &(*options)[1],
                                                                 nullptr};
  }
  [[nodiscard]] c_api::ContextHandle create(c_api::BackendHandle backend) const {
    auto* const made = variable.make<c_api::ContextHandle>();
    EXPECT_EQ(code(qnn().context_create_from_binary(
                  backend, nullptr, reinterpret_cast<const c_api::ContextConfig**>(array.data()),
                  binary.data(), binary_bytes, made, nullptr)),
              0u);
    return *made;
  }
};

TEST_F(sim_deferred, a_context_runs_from_external_buffers_and_the_numbers_are_right) {
  const Chain chain;
  const auto binary = binary_of({chain});
  DeferredConfig config;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  const AskedFor asked = ask(context);
  EXPECT_EQ(asked.alignment, 4096u);
  EXPECT_EQ(asked.weights, piece_bytes);
  EXPECT_EQ(asked.spill_fill, piece_bytes);

  ExternalBuffers buffers{asked};
  ASSERT_EQ(buffers.add_to(context), 0u);
  ASSERT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  EXPECT_EQ(std::memcmp(buffers.weights.data, chain.weights(0).data(),
                        chain.width * chain.width * sizeof(float)),
            0)
      << "contextFinalize copies the weights into the client's buffer";

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
      << "memory freed too early gives wrong numbers";
}

TEST_F(sim_deferred, CFG_02_ORD_05_ORD_12_memory_that_is_gone_before_finalize_crashes_nothing) {
  const auto binary = binary_of({Chain{}});
  struct Row {
    const Pages LentToFinalize::* gone;
    const char* rule;
    std::uint32_t expected;
  };
  for (const Row& row :
       {Row{&LentToFinalize::variable, "ORD-12", 5002}, Row{&LentToFinalize::array, "CFG-02", 5010},
        Row{&LentToFinalize::config, "CFG-02", 5010}, Row{&LentToFinalize::custom, "CFG-02", 5010},
        Row{&LentToFinalize::binary, "ORD-05", 5005}}) {
    control().reset_counters();
    const LentToFinalize lent(binary);
    const c_api::ContextHandle context = lent.create(backend);
    (lent.*row.gone).take_away();
    EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), row.expected) << row.rule;
    EXPECT_EQ(control().misuses(row.rule), 1u) << row.rule;
    EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);
  }
  const LentToFinalize lent(binary);
  const c_api::ContextHandle context = lent.create(backend);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  for (const Pages* const all : {&lent.variable, &lent.array, &lent.config, &lent.custom})
    all->take_away();
  lent.binary.take_away();
  std::vector<float> out;
  EXPECT_EQ(run_raw(graph_of(context), Chain{}, out), 0u)
      << "contextFinalize is the last call that reads them";
  EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);
}

TEST_F(sim_deferred, CFG_01_configs_that_point_nowhere_are_named_at_the_creation) {
  const auto binary = binary_of({Chain{}});
  const Pages gone(4096);
  gone.take_away();
  c_api::ContextConfig custom{};
  custom.custom_config = gone.data();
  c_api::ContextConfig names{};
  names.option = c_api::ContextConfigOption::enable_graphs;
  names.enable_graphs = reinterpret_cast<const char* const*>(gone.data());
  const c_api::ContextConfig* arrays[][2] = {
      {&custom, nullptr},
      {&names, nullptr},
      {reinterpret_cast<const c_api::ContextConfig*>(gone.data()), nullptr}};
  c_api::ContextHandle context = nullptr;
  for (auto& array : arrays) EXPECT_EQ(create(binary, array, context), 5010u);
  EXPECT_EQ(create(binary, reinterpret_cast<const c_api::ContextConfig**>(gone.data()), context),
            5010u);
  EXPECT_EQ(control().misuses("CFG-01"), 4u);
  EXPECT_EQ(code(qnn().context_create_from_binary(backend, nullptr, nullptr, gone.data(), 4096,
                                                  &context, nullptr)),
            5005u);
  EXPECT_EQ(control().misuses("ORD-05"), 1u);
}

TEST_F(sim_deferred, options_are_judged_by_finalize) {
  const auto binary = binary_of({Chain{}});
  DeferredConfig config;
  c_api::ContextConfig unknown{};
  unknown.option = static_cast<c_api::ContextConfigOption>(77);
  const c_api::ContextConfig* both[] = {&config.defer, &unknown, nullptr};
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, both, context), 0u);
  ExternalBuffers buffers{ask(context)};
  ASSERT_EQ(buffers.add_to(context), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 1000u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5005u)
      << "a second call fails (ORD-13)";
  EXPECT_EQ(free_context(context), 0u);
  EXPECT_EQ(control().counters().mapped_fds, 0u);
  EXPECT_EQ(control().misuses("ION-04"), 0u);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(code(qnn().mem_de_register(buffers.handles, 2)), 0u)
        << "memDeRegister returns 0 although contextFree has released them";
  EXPECT_EQ(control().misuses("ION-04"), 4u);
}

TEST_F(sim_deferred, ORD_12_a_context_whose_variable_is_NULL_is_stuck_until_the_backend_ends) {
  const auto binary = binary_of({Chain{}});
  DeferredConfig config;
  c_api::BackendHandle other = nullptr;
  c_api::DeviceHandle device = nullptr;
  ASSERT_EQ(code(qnn().backend_create(nullptr, nullptr, &other)), 0u);
  ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
  c_api::ContextHandle variable = nullptr;
  ASSERT_EQ(code(qnn().context_create_from_binary(other, device, config.configs(), binary.data(),
                                                  binary.size(), &variable, nullptr)),
            0u);
  const c_api::ContextHandle context = std::exchange(variable, nullptr);
  ExternalBuffers buffers{ask(context)};
  ASSERT_EQ(buffers.add_to(context), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5002u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5005u);
  EXPECT_EQ(code(qnn().mem_de_register(buffers.handles, 2)), 8000u);
  EXPECT_GT(ask(context).weights, 0u);
  EXPECT_EQ(code(qnn().context_free(context, nullptr)), 5002u);
  EXPECT_EQ(code(qnn().device_free(device)), 14003u);
  EXPECT_EQ(code(qnn().backend_free(other)), 0u);
  EXPECT_EQ(control().misuses("ORD-08"), 2u) << "device and backend are freed before the context";
  EXPECT_EQ(code(qnn().device_free(device)), 0u);
  EXPECT_EQ(control().counters().mapped_fds, 0u);
}

TEST_F(sim_deferred, ORD_08_backendFree_ends_the_contexts_that_are_left) {
  const auto binary = binary_of({Chain{}});
  c_api::BackendHandle other = nullptr;
  ASSERT_EQ(code(qnn().backend_create(nullptr, nullptr, &other)), 0u);
  c_api::ContextHandle kept = nullptr;
  ASSERT_EQ(create(binary, nullptr, kept), 0u);
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(code(qnn().context_create_from_binary(other, nullptr, nullptr, binary.data(),
                                                  binary.size(), &context, nullptr)),
            0u);
  const Dma memory{256};
  const TensorDescriptor tensor{memory.fd, 64};
  c_api::MemHandle handle = nullptr;
  ASSERT_EQ(code(qnn().mem_register(context, &tensor.descriptor, 1, &handle)), 0u);
  EXPECT_EQ(code(qnn().backend_free(other)), 0u);
  EXPECT_EQ(control().misuses("ORD-08"), 1u);
  EXPECT_EQ(control().counters().live_contexts, 1u);
  EXPECT_EQ(control().counters().mapped_fds, 0u);
  EXPECT_EQ(code(qnn().mem_de_register(&handle, 1)), 0u);
  EXPECT_EQ(code(qnn().context_free(context, nullptr)), 5002u);
  EXPECT_EQ(free_context(kept), 0u);
}

TEST_F(sim_deferred, EXT_10_only_a_deferred_context_tells_its_needs) {
  const auto binary = binary_of({Chain{}});
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  c_api::HtpContextCustomProperty custom{};
  custom.option = c_api::HtpContextPropertyOption::weights_buffer_size;
  custom.weights_buffer_size = 17;
  c_api::ContextProperty property{};
  property.option = c_api::ContextPropertyOption::custom;
  property.custom_property = &custom;
  c_api::ContextProperty* list[] = {&property, nullptr};
  EXPECT_EQ(code(qnn().context_get_property(context, list)), 1000u);
  EXPECT_EQ(custom.weights_buffer_size, 17u);
  EXPECT_EQ(control().misuses("EXT-10"), 1u);
  EXPECT_EQ(code(qnn().context_get_property(context, nullptr)), 6000u);
  EXPECT_EQ(code(qnn().context_get_property(context, list + 1)), 0u) << "the list is empty";
  property.custom_property = nullptr;
  EXPECT_EQ(code(qnn().context_get_property(context, list)), 5000u);
  EXPECT_EQ(control().misuses("ORD-02"), 1u);
}

TEST_F(sim_deferred, EXT_05_extended_udma_beside_deferral_is_accepted_and_named) {
  const auto binary = binary_of({Chain{}});
  DeferredConfig config;
  c_api::HtpContextCustomConfig udma{};
  udma.option = c_api::HtpContextConfigOption::use_extended_udma;
  udma.use_extended_udma = true;
  c_api::ContextConfig option{};
  option.custom_config = &udma;
  const c_api::ContextConfig* both[] = {&config.defer, &option, nullptr};
  c_api::ContextHandle context = nullptr;
  EXPECT_EQ(create(binary, both, context), 0u);
  EXPECT_EQ(control().misuses("EXT-05"), 1u);
}

TEST_F(sim_deferred, a_binary_or_config_dropped_before_finalize_is_caught) {
  const auto binary = binary_of({Chain{}});
  DeferredConfig config;
  std::vector<std::byte> copy = binary;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(copy, config.configs(), context), 0u);
  std::fill(copy.begin(), copy.end(), std::byte{0x5A});
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5005u);
  copy = binary;
  c_api::ContextHandle other = nullptr;
  ASSERT_EQ(create(copy, config.configs(), other), 0u);
  config.defer.option = static_cast<c_api::ContextConfigOption>(77);
  EXPECT_EQ(code(qnn().context_finalize(other, nullptr)), 1000u);
  EXPECT_EQ(control().misuses("ORD-05"), 1u);
  EXPECT_EQ(control().misuses("CFG-02"), 1u);
}

TEST_F(sim_deferred, CFG_02_a_priority_that_is_set_later_stays_and_is_no_misuse) {
  const auto binary = binary_of({Chain{}});
  DeferredConfig config;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  c_api::ContextConfig high{};
  high.option = c_api::ContextConfigOption::priority;
  high.priority = c_api::Priority::high;
  const c_api::ContextConfig* later[] = {&high, nullptr};
  EXPECT_EQ(code(qnn().context_set_config(context, later)), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  EXPECT_EQ(control().counters().misuses, 0u);
  EXPECT_EQ(free_context(context), 0u);
}

TEST_F(sim_deferred, CFG_02_the_names_of_graphs_are_not_read_again) {
  const auto binary = binary_of({Chain{}});
  const Pages names{4096};
  auto* const name = names.make<std::array<const char*, 2>>();
  *name = {"chain", nullptr};
  c_api::ContextConfig enable{};
  enable.option = c_api::ContextConfigOption::enable_graphs;
  enable.enable_graphs = name->data();
  DeferredConfig config;
  const c_api::ContextConfig* both[] = {&config.defer, &enable, nullptr};
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, both, context), 0u);
  names.take_away();
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  EXPECT_EQ(control().counters().misuses, 0u);
  EXPECT_EQ(free_context(context), 0u);
}

TEST_F(sim_deferred, THR_01_of_two_finalizes_of_one_context_at_a_time_one_brings_it_up) {
  const auto binary = binary_of({Chain{.width = 512}});
  DeferredConfig config;
  const auto loaded = [] { return control().counters().weights_loaded_bytes; };
  std::uint64_t once = 0;
  for (int round = 0; round < 10; ++round) {
    c_api::ContextHandle context = nullptr;
    ASSERT_EQ(create(binary, config.configs(), context), 0u);
    const std::uint64_t before = loaded();
    const auto finalize = [&] { return code(qnn().context_finalize(context, nullptr)); };
    std::uint32_t other = 0;
    std::thread beside;
    if (round != 0) beside = std::thread{[&] { other = finalize(); }};
    const std::uint32_t own = finalize();
    if (beside.joinable()) beside.join();
    EXPECT_TRUE(own == 0 || other == 0) << own << " " << other;
    if (round == 0) once = loaded() - before;  // alone
    EXPECT_EQ(loaded() - before, once);
    EXPECT_EQ(free_context(context), 0u);
  }
}

TEST_F(sim_deferred, weights_that_may_have_been_damaged_from_the_start_are_no_misuse) {
  auto binary = binary_of({Chain{}});
  std::fill(binary.end() - 1000, binary.end(), std::byte{0x5A});
  DeferredConfig config;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 30010u);
  EXPECT_EQ(control().counters().misuses, 0u);
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
    EXPECT_EQ(free_context(spoilt), number == 0 ? 5002u : 0u);
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
  EXPECT_EQ(run_raw(graph_of(context, "b"), Chain{.name = "b"}, out, ids_of(Chain{}).out + 1),
            6001u)
      << "ENABLE_GRAPHS keeps its value from the creation";
}

TEST_F(sim_deferred, ORD_13_finalize_has_one_try_and_succeeds_again_after_success) {
  const auto binary = binary_of({Chain{}});
  DeferredConfig config;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  control().fail_call(sim::Slot::context_finalize, 1, 1002);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 1002u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5005u)
      << "the same code for every first cause";
  EXPECT_EQ(control().counters().misuses, 1u);
  EXPECT_GT(ask(context).weights, 0u) << "its properties can still be read";
  EXPECT_EQ(free_context(context), 0u);
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u) << "already finalized";
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
  void TearDown() override {
    control().reset_config();
    SimTest::TearDown();
  }
  /// Creates a context with these options on `device`; `made` receives the value of the variable.
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

TEST_F(sim_failed_creation, EXT_03_concurrent_sharing_behind_deferral_blocks_the_device_for_ever) {
  c_api::HtpContextCustomConfig custom{};
  custom.option = c_api::HtpContextConfigOption::register_concurrent_resource_sharing;
  const auto option = option_of(custom);
  EXPECT_EQ(create_with({&deferred.defer, &option}), 1000u);
  EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
  EXPECT_EQ(code(qnn().device_free(device)), 14003u);
  EXPECT_EQ(code(qnn().backend_free(backend)), 4011u);
  control().reset_config();
  EXPECT_EQ(code(qnn().device_free(device)), 0u);
}

TEST_F(sim_failed_creation, GRP_02_a_group_is_judged_before_what_it_does_not_go_with) {
  auto custom = group(reinterpret_cast<c_api::ContextHandle>(std::uintptr_t{0x4711}), 4096);
  const auto option = option_of(custom);
  EXPECT_EQ(create_with({&option, &deferred.defer}), 5010u);
  EXPECT_EQ(code(qnn().context_free(made, nullptr)), 5002u);
  EXPECT_EQ(code(qnn().device_free(device)), 0u);
}

TEST_F(sim_failed_creation, RES_03_one_after_a_load_that_failed_on_every_domain_leaves_a_context) {
  sim::Config config = control().config();
  config.failing_domains = config.pd_count;
  ASSERT_TRUE(control().set_config(config));
  EXPECT_EQ(create_with({}), 1002u);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(create_with({}), 0xFFFFu) << "0x7fffffff";
  expect_alive();
  EXPECT_EQ(control().config().failing_domains, 0u) << "the load has consumed it";
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
  EXPECT_EQ(control().counters().misuses, misuses) << "the client cannot know that it is dead";
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
  EXPECT_EQ(control().misuses("ORD-05"), 2u);
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
    EXPECT_GT(need.weights, 0u) << "the size is still reported";
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

TEST_F(sim_deferred, EXT_08_as_on_Linux_registers_weights_whose_fd_is_not_open) {
  const auto binary = binary_of({Chain{}});
  sim::Config linux_host = control().config();
  linux_host.linux_weights = 1;
  ASSERT_TRUE(control().set_config(linux_host));
  DeferredConfig config;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  const std::uint64_t bytes = ask(context).weights;
  ExternalDescriptor none{c_api::HtpMemType::weights_buffer, -1, bytes};
  ExternalDescriptor closed{c_api::HtpMemType::weights_buffer, 1000000, bytes};
  c_api::MemHandle handle = nullptr;
  EXPECT_EQ(code(qnn().mem_register(context, &none.descriptor, 1, &handle)), 8003u);
  EXPECT_EQ(code(qnn().mem_register(context, &closed.descriptor, 1, &handle)), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 1002u);
  EXPECT_EQ(free_context(context), 0u);
}

TEST_F(sim_deferred, one_spill_fill_buffer_serves_many_contexts_and_counts_once) {
  const Chain small{.width = 64, .seed = 3};
  const Chain large{.width = 128, .seed = 4, .spill_mib = 3};
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

}}  // namespace sim_test
