// Three networks that spill under one external spill-fill buffer, and the ways to break it.
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <memory>
#include <thread>

#include "stacks.hpp"

namespace engine { namespace {

using sim_test::ask;
using sim_test::code;
using sim_test::Dma;
using sim_test::qnn;

class engine_spill_fill : public EngineTest {
 protected:
  /// Returns one of three networks, which is made once. They need the same spill-fill, in pieces of
  /// 2 MiB.
  static const Stack& stack(std::size_t i) {
    static std::array<std::unique_ptr<Stack>, 3> made;
    static constexpr std::array names{"first", "second", "third"};
    const auto n = static_cast<std::uint32_t>(i);
    if (made[i] == nullptr) made[i] = std::make_unique<Stack>(make_stack(names[i], 16 + n, 1 + n));
    return *made[i];
  }
  static constexpr std::uint64_t need = std::uint64_t{4} << 20;
};

TEST_F(engine_spill_fill, BUF_11_of_three_networks_is_one_buffer_and_each_is_right) {
  std::vector<Loaded> loaded;
  const Dma shared{need};
  for (std::size_t i = 0; i < 3; ++i) {
    const Description description(stack(i).binary);
    qnnpp::c_api::HtpSystemContextGraphBlobInfo blob{};
    std::memcpy(&blob, description.graph().graph_blob_info, sizeof blob);
    const auto& needs = blob.context_binary_graph_blob_info_v1;
    EXPECT_GT(needs.spill_fill_buffer_size, std::uint64_t{2} << 20);
    EXPECT_EQ(needs.vtcm_size, 1u << 20);
    loaded.push_back(load(stack(i), &shared));
    EXPECT_EQ(ask(loaded.back().context).spill_fill, need);
  }
  for (int round = 0; round < 2; ++round)
    for (const Loaded& one : loaded) EXPECT_EQ(execute(one), Output::right) << one.stack.name;
  EXPECT_EQ(control().counters().misuses, 0u) << control().misuse_text(0);
  EXPECT_EQ(control().counters().external_spill_fill_bytes, need);
}

TEST_F(engine_spill_fill, of_the_device_is_right_too) {
  const Loaded loaded = load(stack(0), nullptr);
  EXPECT_EQ(execute(loaded), Output::right);
  EXPECT_EQ(control().counters().misuses, 0u) << control().misuse_text(0);
}

TEST_F(engine_spill_fill, BUF_10_of_one_page_less_is_refused_and_counted) {
  using enum qnnpp::c_api::HtpMemType;
  const Dma small{need - 4096};
  sim_test::DeferredConfig config;
  qnnpp::c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(stack(0).binary, config.configs(), context), 0u);
  EXPECT_EQ(add(context, shared_spillfill_buffer, small.fd, small.bytes), 8000u);
  EXPECT_EQ(control().misuses("BUF-10"), 1u);
  // A descriptor that states what the file does not have: FastRPC cannot map it.
  EXPECT_EQ(add(context, shared_spillfill_buffer, small.fd, need), 0u);
  EXPECT_EQ(control().misuses("BUF-16"), 1u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 1002u);
}

TEST_F(engine_spill_fill, BUF_06_that_is_freed_early_spoils_the_outputs) {
  Dma shared{need};
  const Loaded first = load(stack(0), &shared);
  const Loaded second = load(stack(1), &shared);
  ASSERT_EQ(execute(first), Output::right);
  shared.release();
  EXPECT_EQ(execute(first), Output::spoiled);
  EXPECT_EQ(execute(second), Output::spoiled);
  EXPECT_EQ(control().misuses("BUF-06"), 1u);
  EXPECT_EQ(control().counters().misuses, 1u);
}

TEST_F(engine_spill_fill, BUF_05_that_the_program_writes_to_spoils_the_outputs) {
  const Dma shared{need};
  const Loaded loaded = load(stack(0), &shared);
  shared.data[0] = std::byte{1};  // Between executions nothing is lost.
  ASSERT_EQ(execute(loaded), Output::right);
  std::atomic<bool> done{false};
  std::thread writer{[&] {
    auto* const bytes = reinterpret_cast<volatile unsigned char*>(shared.data);
    while (!done)
      for (int i = 0; i < 64; ++i) bytes[i] = 0;
  }};
  EXPECT_EQ(execute(loaded), Output::spoiled);
  done = true;
  writer.join();
  EXPECT_EQ(control().misuses("BUF-05"), 1u);
  EXPECT_EQ(control().counters().misuses, 1u);
  EXPECT_EQ(execute(loaded), Output::right);
}

TEST_F(engine_spill_fill, BUF_12_that_two_executions_use_at_once_spoils_both) {
  const Dma shared{need};
  const Loaded first = load(stack(0), &shared);
  const Loaded second = load(stack(1), &shared);
  set(&qnnpp::sim::Config::lockstep_executions, 2);
  set(&qnnpp::sim::Config::lockstep_timeout_ms, 60000);
  Output other{};
  std::thread beside{[&] { other = execute(second); }};
  EXPECT_EQ(execute(first), Output::spoiled);
  beside.join();
  EXPECT_EQ(other, Output::spoiled);
  EXPECT_EQ(control().misuses("BUF-12"), 1u);
  EXPECT_EQ(control().counters().misuses, 1u);
}

TEST_F(engine_spill_fill, of_one_context_each_is_right_while_others_run_and_are_loaded) {
  const Loaded first = load(stack(0), nullptr);
  const Loaded second = load(stack(1), nullptr);
  Output other{};
  std::thread beside{[&] { other = execute(second); }};
  EXPECT_EQ(execute(first), Output::right);
  beside.join();
  EXPECT_EQ(other, Output::right);

  std::atomic<bool> done{false};
  std::thread running{[&] {
    other = execute(second);
    done = true;
  }};
  for (int loads = 0; loads == 0 || !done; ++loads)
    EXPECT_EQ(free_context(load(stack(0), nullptr).context), 0u);
  running.join();
  EXPECT_EQ(other, Output::right);
  EXPECT_EQ(execute(first), Output::right);
  EXPECT_EQ(control().counters().parallel_sharers, 0u);
}

TEST_F(engine_spill_fill, BUF_05_weights_that_the_program_writes_to_spoil_the_outputs) {
  const Loaded loaded = load(stack(0), nullptr);
  ASSERT_EQ(execute(loaded), Output::right);
  std::byte& weight = loaded.weights->data[loaded.weights->bytes - 1];
  const std::byte before = std::exchange(weight, ~weight);
  EXPECT_EQ(execute(loaded), Output::spoiled);
  EXPECT_EQ(control().misuses("BUF-05"), 1u);
  weight = before;
  EXPECT_EQ(execute(loaded), Output::right);
}

TEST_F(engine_spill_fill, BUF_06_weights_that_are_freed_early_spoil_the_outputs) {
  const Loaded loaded = load(stack(0), nullptr);
  loaded.weights->release();
  EXPECT_EQ(execute(loaded), Output::spoiled);
  EXPECT_EQ(control().misuses("BUF-06"), 1u);
  EXPECT_EQ(control().counters().misuses, 1u);
}

}}  // namespace engine
