// External weights and spill-fill buffers through the C API of the simulated HTP.
#include "fixture.hpp"

namespace sim_test {
namespace {

class sim_deferred : public SimTest {};

TEST_F(sim_deferred, a_context_runs_from_external_buffers_and_the_numbers_are_right) {
  const Chain chain;
  const auto binary = binary_of({chain});
  DeferredConfig config;
  abi::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  const AskedFor asked = ask(context);
  EXPECT_EQ(asked.alignment, 4096u);
  EXPECT_EQ(asked.weights, chain.layers * chain.width * chain.width * sizeof(float));
  EXPECT_GT(asked.spill_fill, 0u);

  Dma weights{asked.weights};
  Dma spill_fill{asked.spill_fill};
  ExternalDescriptor first{abi::HtpMemType::weights_buffer, weights.fd, asked.weights};
  ExternalDescriptor second{abi::HtpMemType::shared_spillfill_buffer, spill_fill.fd,
                            asked.spill_fill};
  const abi::MemDescriptor descriptors[2] = {first.descriptor, second.descriptor};
  abi::MemHandle handles[2];
  ASSERT_EQ(code(qnn().mem_register(context, descriptors, 2, handles)), 0u);
  ASSERT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  EXPECT_EQ(
      std::memcmp(weights.data, chain.weights(0).data(), chain.width * chain.width * sizeof(float)),
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
  abi::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  const AskedFor asked = ask(context);
  Dma weights{asked.weights};
  ExternalDescriptor descriptor{abi::HtpMemType::weights_buffer, weights.fd, asked.weights};
  abi::MemHandle handle = nullptr;
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
  abi::ContextHandle context = nullptr;
  ASSERT_EQ(create(copy, config.configs(), context), 0u);
  std::fill(copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2), copy.end(),
            std::byte{0x5A});
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5005u);
  copy = binary;
  config.defer.option = static_cast<abi::ContextConfigOption>(77);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5010u);
  EXPECT_EQ(control().counters().misuses, 1u);
  config.defer.option = abi::ContextConfigOption::defer_graph_init;
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5000u) << "once only";
}

TEST_F(sim_deferred, another_binary_in_the_place_of_the_first_is_caught) {
  std::vector<std::byte> place = binary_of({Chain{.layers = 4}});
  const auto other = binary_of({Chain{.layers = 3}});
  ASSERT_LT(other.size(), place.size());
  DeferredConfig config;
  abi::ContextHandle context = nullptr;
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
  abi::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, config.configs(), context), 0u);
  sim::Counters counters = control().counters();
  EXPECT_EQ(counters.internal_bytes, 0u);
  EXPECT_EQ(counters.live_graphs, 0u);
  EXPECT_EQ(counters.pd_used_bytes[0], 0u);
  abi::GraphHandle graph = nullptr;
  EXPECT_EQ(code(qnn().graph_retrieve(context, "chain", &graph)), 6002u);
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
    abi::ContextHandle context = nullptr;
    ASSERT_EQ(create(binary, config.configs(), context), 0u);
    const AskedFor need = ask(context);
    EXPECT_GT(need.weights, 0u) << "the size is told all the same";
    Dma weights{need.weights}, spill_fill{need.spill_fill};
    ExternalDescriptor one{abi::HtpMemType::weights_buffer, weights.fd, need.weights};
    ExternalDescriptor other{abi::HtpMemType::shared_spillfill_buffer, spill_fill.fd,
                             need.spill_fill};
    abi::MemHandle handle = nullptr;
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
  abi::ContextHandle a = nullptr;
  abi::ContextHandle b = nullptr;
  ASSERT_EQ(create(first, config.configs(), a), 0u);
  ASSERT_EQ(create(second, config.configs(), b), 0u);
  const std::uint64_t need = std::max(ask(a).spill_fill, ask(b).spill_fill);
  ASSERT_NE(ask(a).spill_fill, ask(b).spill_fill);
  Dma shared{need};
  ExternalDescriptor descriptor{abi::HtpMemType::shared_spillfill_buffer, shared.fd, need};
  abi::MemHandle handle = nullptr;
  for (const abi::ContextHandle context : {a, b}) {
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
