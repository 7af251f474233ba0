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

TEST_F(sim_domains, PD_01_the_estimate_is_the_sum_over_all_graphs_times_a_factor) {
  const Chain a{.name = "a"};
  const Chain b{.name = "b", .seed = 2, .spill_mib = 3};
  constexpr std::uint64_t op_data = 7 * 512 + 12 * 128;
  constexpr std::uint64_t more_op_data = 512 + 3 * 128;  // the product of b
  const auto rest_of = [](std::uint64_t op_data_bytes, std::uint64_t spill_fill) {
    const std::uint64_t run_list = op_data_bytes + (op_data_bytes / 2 + 255) / 256 * 256;
    return 2 * Chain{}.io_bytes() + run_list + spill_fill + (1u << 20);
  };
  const std::uint64_t rest_a = rest_of(op_data, 256);
  const std::uint64_t rest_b = rest_of(op_data + more_op_data, 3u << 20);
  EXPECT_EQ(control().config().estimate_per_mille_x10, 10000u)
      << "the host library's estimate is the plain sum";
  EXPECT_EQ(estimate(binary_of({a})), piece_bytes + rest_a);
  EXPECT_EQ(estimate(binary_of({a, b})), 2 * piece_bytes + rest_a + rest_b);
  EXPECT_EQ(estimate(binary_of({a, b}, SharedWeights{}.configs())), piece_bytes + rest_a + rest_b);
  sim::Config config = control().config();
  config.estimate_per_mille_x10 = 20000;
  ASSERT_TRUE(control().set_config(config));
  EXPECT_EQ(estimate(binary_of({a})), 2 * (piece_bytes + rest_a));
}

/// A graph that only copies: without constants and spill-fill, so that its I/O fills its estimate.
struct Copy {
  static constexpr std::uint64_t run_list_bytes = 768 + 512;  // of 512 + 2 * 128
  std::string name;
  std::uint64_t estimate_bytes;
  std::uint32_t vtcm_mib = 1;

  [[nodiscard]] std::uint64_t io_bytes() const {
    return estimate_bytes - (std::uint64_t{vtcm_mib} << 20) - run_list_bytes;
  }
  std::uint32_t compose(c_api::ContextHandle context) const {
    std::uint32_t dims[1] = {static_cast<std::uint32_t>(io_bytes() / 8)};
    c_api::Tensor tensors[2]{};
    c_api::HtpGraphCustomConfig vtcm{};
    vtcm.option = c_api::HtpGraphConfigOption::vtcm_size_in_mb;
    vtcm.vtcm_size_in_mb = vtcm_mib;
    c_api::GraphConfig config{};
    config.option = c_api::GraphConfigOption::custom;
    config.custom_config = &vtcm;
    const c_api::GraphConfig* configs[] = {&config, nullptr};
    c_api::GraphHandle graph = nullptr;
    if (const auto error = code(
            qnn().graph_create(context, name.c_str(), vtcm_mib == 1 ? nullptr : configs, &graph)))
      return error;
    for (c_api::Tensor& tensor : tensors) {
      const bool is_input = &tensor == tensors;
      tensor.version = c_api::TensorVersion::v1;
      tensor.v1.name = is_input ? "in" : "out";
      tensor.v1.type = is_input ? c_api::TensorType::app_write : c_api::TensorType::app_read;
      tensor.v1.data_type = c_api::DataType::float_32;
      tensor.v1.quantize_params.encoding_definition = c_api::Definition::undefined;
      tensor.v1.quantize_params.quantization_encoding = c_api::QuantizationEncoding::undefined;
      tensor.v1.rank = 1;
      tensor.v1.dimensions = dims;
      tensor.v1.mem_type = c_api::TensorMemType::memhandle;  // no memory before an execution
      if (const auto error = code(qnn().tensor_create_graph_tensor(graph, &tensor))) return error;
    }
    c_api::OpConfig op{};
    op.version = c_api::OpConfigVersion::v1;
    op.v1 = {"relu", "qti.aisw", "Relu", 0, nullptr, 1, &tensors[0], 1, &tensors[1]};
    if (const auto error = code(qnn().graph_add_node(graph, op))) return error;
    return code(qnn().graph_finalize(graph, nullptr, nullptr));
  }
};

/// Options with REUSED_IO_LIMIT, of a context or of a list.
struct IoLimit {
  c_api::HtpContextCustomConfig custom{};
  c_api::ContextConfig config{};
  const c_api::ContextConfig* array[2] = {&config, nullptr};
  explicit IoLimit(std::uint64_t megabytes) {
    custom.option = c_api::HtpContextConfigOption::reused_io_limit;
    custom.reused_io_limit_mb = megabytes;
    config.option = c_api::ContextConfigOption::custom;
    config.custom_config = &custom;
  }
  IoLimit(const IoLimit&) = delete;
  IoLimit& operator=(const IoLimit&) = delete;
};

TEST_F(sim_domains, PD_01_PD_02_a_domain_holds_as_many_contexts_as_with_the_host_library) {
  const auto expect_to_hold = [&](const std::vector<Copy>& graphs, std::uint64_t bytes,
                                  std::size_t each,
                                  const c_api::ContextConfig** configs = nullptr) {
    const auto binary = binary_by(nullptr, [&](c_api::ContextHandle made) {
      for (const Copy& graph : graphs) EXPECT_EQ(graph.compose(made), 0u);
    });
    c_api::ContextHandle context = nullptr;
    const auto used = [&](std::size_t domain) {
      return control().counters().pd_used_bytes[domain];
    };
    for (const std::size_t domain : {0u, 2u, 3u, 1u}) {
      EXPECT_EQ(used(domain), 0u);
      for (std::size_t i = 0; i < each; ++i) ASSERT_EQ(create(binary, configs, context), 0u);
      EXPECT_EQ(used(domain), each * bytes) << domain;
    }
    EXPECT_EQ(create(binary, configs, context), 1002u);
    while (!contexts.empty()) EXPECT_EQ(free_context(contexts.back()), 0u);
  };
  expect_to_hold({{"one", 79'838'720}}, 79'838'720, 45);
  expect_to_hold({{"one", 80'732'928}, {"two", 80'732'928}, {"three", 80'732'928}}, 242'198'784,
                 15);

  // A context with 39 MB of I/O, and 41 MB of other things.
  sim::Config config = control().config();
  config.vtcm_bytes = std::uint64_t{8} << 20;
  ASSERT_TRUE(control().set_config(config));
  std::vector<Copy> graphs;
  for (const std::uint32_t vtcm_mib : {8u, 8u, 8u, 8u, 7u})
    graphs.push_back(
        {std::string(1, static_cast<char>('a' + graphs.size())), 15'967'744, vtcm_mib});
  std::uint64_t io = 0;
  for (const Copy& graph : graphs) io += graph.io_bytes();
  expect_to_hold(graphs, 79'838'720, 45);
  expect_to_hold(graphs, 79'838'720 - io + (1u << 20), 87, IoLimit(1).array);
  expect_to_hold(graphs, 79'838'720 - io + (500u << 20), 6, IoLimit(500).array);
  expect_to_hold(graphs, 79'838'720, 45, IoLimit(0).array);
}

TEST_F(sim_domains, PD_02_the_limit_of_a_list_counts_once) {
  const Copy graph{"one", 79'838'720};
  const auto binary = binary_by(
      nullptr, [&](c_api::ContextHandle context) { EXPECT_EQ(graph.compose(context), 0u); });
  static std::vector<c_api::ContextHandle> made;
  made.clear();
  const auto keep = [](c_api::ContextHandle context, c_api::GraphHandle, const char*,
                       c_api::ContextNotifyType, void*, c_api::ErrorHandle) {
    if (context != nullptr) made.push_back(context);
  };
  IoLimit ignored(100), limit(3);
  const c_api::ContextParams params{
      c_api::ContextParamsVersion::v1,
      {.v1 = {ignored.array, binary.data(), binary.size(), nullptr, keep, nullptr}}};
  const c_api::ContextParams* list[] = {&params, &params, &params, nullptr};
  ASSERT_EQ(code(qnn().context_create_from_binary_list_async(backend, nullptr, list, limit.array,
                                                             nullptr)),
            0u);
  const std::uint64_t rest = 79'838'720 - graph.io_bytes();
  EXPECT_EQ(control().counters().pd_used_bytes[0], 3 * rest + (3u << 20));
  for (const c_api::ContextHandle context : made)
    EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);
  EXPECT_EQ(control().counters().pd_used_bytes[0], 0u);
}

TEST_F(sim_domains, PD_02_more_registered_io_than_the_limit_is_misuse) {
  constexpr std::uint32_t width = 200'000;  // 800,000 bytes of float32
  const auto binary = binary_of({Chain{}});
  IoLimit limit(1);
  c_api::ContextHandle limited = nullptr, free = nullptr;
  ASSERT_EQ(create(binary, limit.array, limited), 0u);
  ASSERT_EQ(create(binary, nullptr, free), 0u);
  const Dma one(width * 4), two(width * 4), whole(2u << 20);
  const auto add = [](c_api::ContextHandle context, const TensorDescriptor& descriptor,
                      c_api::MemHandle& handle) {
    return code(qnn().mem_register(context, &descriptor.descriptor, 1, &handle));
  };
  c_api::MemHandle handles[5]{};
  EXPECT_EQ(add(limited, TensorDescriptor(one.fd, width), handles[0]), 0u);
  EXPECT_EQ(add(limited, TensorDescriptor(one.fd, width / 2), handles[1]), 0u);
  EXPECT_EQ(add(free, TensorDescriptor(two.fd, width), handles[2]), 0u);
  EXPECT_EQ(control().misuses("PD-02"), 0u) << "a file counts once, and each context for itself";
  EXPECT_EQ(add(limited, TensorDescriptor(two.fd, width), handles[3]), 0u);
  EXPECT_EQ(control().misuses("PD-02"), 1u);
  EXPECT_EQ(code(qnn().mem_de_register(handles, 2)), 0u);
  EXPECT_EQ(code(qnn().mem_de_register(handles + 3, 1)), 0u);
  EXPECT_EQ(add(limited, TensorDescriptor(whole.fd, 64, whole.bytes, 0), handles[4]), 0u);
  EXPECT_EQ(control().misuses("PD-02"), 2u) << "a shared buffer is mapped as a whole";
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

TEST_F(sim_domains, graphs_that_are_not_enabled_need_buffers_but_no_room_and_cannot_be_executed) {
  const auto binary =
      binary_of({Chain{.name = "a"}, Chain{.name = "b", .seed = 2, .spill_mib = 3}});
  const char* names[] = {"a", nullptr};
  c_api::ContextConfig enable{};
  enable.option = c_api::ContextConfigOption::enable_graphs;
  enable.enable_graphs = names;
  DeferredConfig deferred;
  const c_api::ContextConfig* configs[] = {&enable, nullptr, nullptr};
  EXPECT_EQ(estimate(binary, configs), estimate(binary_of({Chain{.name = "a"}})));
  EXPECT_LT(estimate(binary, configs), estimate(binary));
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, configs, context), 0u);
  std::vector<float> out;
  EXPECT_EQ(run_raw(graph_of(context, "a"), Chain{.name = "a"}, out), 0u);
  EXPECT_EQ(run_raw(graph_of(context, "b"), Chain{.name = "b"}, out, 12), 6001u);
  configs[1] = &deferred.defer;
  ASSERT_EQ(create(binary, configs, context), 0u);
  EXPECT_EQ(ask(context).weights, 2 * piece_bytes);
  EXPECT_EQ(ask(context).spill_fill, 2 * piece_bytes) << "3 MiB of b, rounded up";
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
