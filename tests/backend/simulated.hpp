// A test on the simulated HTP that expects that nothing is left.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/sim/control.hpp"

/// Resets the simulated HTP before each test. Expects after it that nothing is alive and that no
/// misuse was reported.
class SimulatedTest : public ::testing::Test {
 protected:
  static constexpr const char* simulated_path = QNNPP_SIM_DIR "/libQnnHtp.so";

  void SetUp() override {
    control = qnnpp::sim::Control::from(::dlopen(simulated_path, RTLD_NOW | RTLD_LOCAL));
    ASSERT_TRUE(control);
    control.reset_config();
    control.reset_counters();
  }
  void TearDown() override {
    const auto counters = control.counters();
    EXPECT_EQ(counters.live_logs, 0u);
    EXPECT_EQ(counters.live_backends, 0u);
    EXPECT_EQ(counters.live_devices, 0u);
    EXPECT_EQ(counters.live_power_configs, 0u);
    EXPECT_EQ(counters.live_platform_infos, 0u);
    EXPECT_EQ(counters.misuses, 0u) << control.misuse_text(0);
    control.clear_faults();
  }
  static qnnpp::Result<qnnpp::Backend<qnnpp::Htp>> load() {
    return qnnpp::Backend<qnnpp::Htp>::load({.library = simulated_path});
  }

  qnnpp::sim::Control control;
};
