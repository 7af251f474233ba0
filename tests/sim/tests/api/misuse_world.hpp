// One handle of each kind, for table-driven tests of wrong calls.
#pragma once

#include "fixture.hpp"

namespace sim_test {

/// Live objects for a case: one of each kind.
struct World {
  c_api::BackendHandle backend = nullptr;
  c_api::LogHandle logger = nullptr;
  c_api::DeviceHandle device = nullptr;
  c_api::ContextHandle composed = nullptr;  ///< has an unfinished graph
  c_api::GraphHandle open_graph = nullptr;
  c_api::ContextHandle restored = nullptr;
  c_api::GraphHandle graph = nullptr;
  c_api::ContextHandle deferred = nullptr;
  c_api::ProfileHandle profile = nullptr;
  c_api::SignalHandle signal = nullptr;
  std::vector<std::byte> binary;
  Chain chain;

  [[nodiscard]] std::uint32_t create(const c_api::ContextConfig& option) const {
    const c_api::ContextConfig* configs[] = {&option, nullptr};
    c_api::ContextHandle made = nullptr;
    const std::uint32_t error = code(qnn().context_create_from_binary(
        backend, nullptr, configs, binary.data(), binary.size(), &made, nullptr));
    if (made != nullptr) static_cast<void>(qnn().context_free(made, nullptr));
    return error;
  }
  [[nodiscard]] std::uint32_t create_custom(void* custom) const {
    c_api::ContextConfig option{};
    option.option = c_api::ContextConfigOption::custom;
    option.custom_config = custom;
    return create(option);
  }
  [[nodiscard]] std::uint32_t execute(const c_api::Tensor& in, c_api::Tensor out,
                                      std::uint32_t inputs = 1, std::uint32_t outputs = 1) const {
    return code(qnn().graph_execute(graph, &in, inputs, &out, outputs, nullptr, nullptr));
  }
};

/// One wrong call and its expected code.
struct Case {
  const char* name;
  std::uint32_t expected;
  std::uint32_t (*run)(World& world);
};

template <class Handle>
Handle nonsense() {
  return reinterpret_cast<Handle>(std::uintptr_t{0x1234});
}

inline std::vector<float>& floats() {
  static std::vector<float> values(64, 1.0f);
  return values;
}
inline c_api::Tensor good_in(const World& world) {
  return raw(ids_of(world.chain).in, c_api::TensorType::app_write, floats().data(), 256);
}
inline c_api::Tensor good_out(const World& world) {
  static std::vector<float> values(64);
  return raw(ids_of(world.chain).out, c_api::TensorType::app_read, values.data(), 256);
}

class MisuseTest : public SimTest, public ::testing::WithParamInterface<Case> {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    // Cases pass handles of the wrong kind, so no number may serve two kinds.
    sim::Config device = control().config();
    device.recycled_handles = 0;
    ASSERT_TRUE(control().set_config(device));
    world.backend = backend;
    world.binary = binary_of({world.chain});
    ASSERT_EQ(code(qnn().log_create(nullptr, c_api::LogLevel::error, &world.logger)), 0u);
    ASSERT_EQ(code(qnn().device_create(world.logger, nullptr, &world.device)), 0u);
    ASSERT_EQ(code(qnn().context_create(backend, world.device, nullptr, &world.composed)), 0u);
    ASSERT_EQ(code(qnn().graph_create(world.composed, "open", nullptr, &world.open_graph)), 0u);
    ASSERT_EQ(
        code(qnn().context_create_from_binary(backend, world.device, nullptr, world.binary.data(),
                                              world.binary.size(), &world.restored, nullptr)),
        0u);
    ASSERT_EQ(code(qnn().graph_retrieve(world.restored, "chain", &world.graph)), 0u);
    ASSERT_EQ(code(qnn().context_create_from_binary(backend, nullptr, config.configs(),
                                                    world.binary.data(), world.binary.size(),
                                                    &world.deferred, nullptr)),
              0u);
    ASSERT_EQ(code(qnn().profile_create(backend, 1, &world.profile)), 0u);
    ASSERT_EQ(code(qnn().signal_create(backend, nullptr, &world.signal)), 0u);
  }
  void TearDown() override {
    EXPECT_EQ(code(qnn().signal_free(world.signal)), 0u);
    EXPECT_EQ(code(qnn().profile_free(world.profile)), 0u);
    EXPECT_EQ(code(qnn().context_free(world.deferred, nullptr)), 0u);
    if (world.restored != nullptr) {
      EXPECT_EQ(code(qnn().context_free(world.restored, nullptr)), 0u);
    }
    EXPECT_EQ(code(qnn().context_free(world.composed, nullptr)), 0u);
    EXPECT_EQ(code(qnn().device_free(world.device)), 0u);
    EXPECT_EQ(code(qnn().log_free(world.logger)), 0u);
    SimTest::TearDown();
  }

  /// Runs the case. Checks its code, and that it creates nothing.
  void check() {
    const sim::Counters before = control().counters();
    EXPECT_EQ(GetParam().run(world), GetParam().expected);
    if (world.restored == nullptr) return;
    const sim::Counters after = control().counters();
    EXPECT_EQ(before.live_contexts, after.live_contexts) << "a refused call creates nothing";
    EXPECT_EQ(before.live_graphs, after.live_graphs);
    EXPECT_EQ(before.live_backends, after.live_backends);
    EXPECT_EQ(before.mapped_fds, after.mapped_fds);
  }

  World world;
  DeferredConfig config;
};

}  // namespace sim_test
