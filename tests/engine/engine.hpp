// The simulated HTP with Qualcomm's library for x86-64 as its engine, for tests.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "controls.hpp"
#include "digits_network.hpp"
#include "library.hpp"

namespace engine {

/// Names the engine before a test loads the simulated HTP.
class Named : public testing::Environment {
 public:
  void SetUp() override {
    const std::string folder = std::filesystem::path(real::htp()).parent_path();
    ::setenv("QNNPP_SIM_ENGINE", folder.c_str(), 1);
  }
};
inline testing::Environment* const named = testing::AddGlobalTestEnvironment(new Named);

/// Names of the digits network's segments, in the order of execution.
inline const std::vector<std::string> digits_segments = {"stem", "features", "gate", "classifier"};

/// Returns the binaries of the digits network for a chip, in the order of execution. Throws
/// qnnpp::Exception.
[[nodiscard]] inline std::vector<std::vector<std::byte>> digits_binaries(
    const real::Chip& chip, const std::vector<float>& weights) {
  const auto backend = real::backend_for(chip);
  std::vector<std::vector<std::byte>> binaries;
  for (const digits::Segment& segment : digits::make_segments(weights))
    binaries.push_back(digits::make_binary<qnnpp::RegisteredIo>(backend, segment));
  return binaries;
}

/// Returns a backend of the simulated HTP.
[[nodiscard]] inline qnnpp::Backend<qnnpp::Htp> simulated() {
  return qnnpp::value_or_throw(qnnpp::Backend<qnnpp::Htp>::load(
      {.library = support::htp_library, .system_library = support::system_library}));
}
[[nodiscard]] inline qnnpp::AnyAllocator rpcmem() {
  return qnnpp::value_or_throw(qnnpp::RpcmemAllocator::load(support::rpcmem_library));
}

/// Makes the simulated HTP the device of this architecture, with nothing counted so far.
inline void be_device(std::uint32_t arch) {
  const auto& control = support::control();
  control.reset_config();
  control.reset_counters();
  qnnpp::sim::Config config = control.config();
  config.arch = arch;
  ASSERT_TRUE(control.set_config(config));
}

/// Checks that nothing is alive on the simulated HTP, and that the client broke no rule.
inline void expect_nothing_left() {
  const auto counters = support::control().counters();
  EXPECT_EQ(counters.misuses, 0u) << support::control().misuse_text(0);
  EXPECT_EQ(counters.live_contexts + counters.live_backends + counters.live_devices, 0u);
  EXPECT_EQ(counters.mapped_fds, 0u);
  EXPECT_EQ(counters.device_bytes + counters.internal_bytes, 0u);
  for (const std::uint64_t used : counters.pd_used_bytes) EXPECT_EQ(used, 0u);
}

}  // namespace engine
