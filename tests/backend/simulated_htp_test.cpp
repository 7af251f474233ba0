// The backend layer on the simulated HTP: the same calls, with a library that behaves like the real
// one.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/sim/control.hpp"

#include "simulated.hpp"

namespace {

using qnnpp::Backend;
using qnnpp::Htp;
using qnnpp::sim::Slot;

constexpr auto deferred_contexts = qnnpp::c_api::PropertyKey::context_support_deferred_graph_init;
constexpr qnnpp::c_api::PropertyKey no_such_capability{0x7FFF'0000};

class simulated_htp : public SimulatedTest {
 protected:
  static qnnpp::Result<Backend<Htp>> load() {
    return Backend<Htp>::load(
        {.library = simulated_path, .log = qnnpp::log_to_platform(qnnpp::c_api::LogLevel::error)});
  }
};

TEST_F(simulated_htp, is_loaded_with_log_backend_device_and_system_library) {
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(control.counters().live_logs, 1u);
  EXPECT_EQ(control.counters().live_backends, 1u);
  EXPECT_EQ(control.counters().live_devices, 1u);
  EXPECT_EQ(loaded->core_version().major, 2u);
  EXPECT_GE(loaded->core_version().minor, 27u);
  EXPECT_NE(loaded->build_id().value(), "");
  EXPECT_TRUE(qnnpp::detail::Access::block(*loaded)->system.has_value());
}

TEST_F(simulated_htp, LOAD_01_leaves_nothing_open_whichever_call_fails) {
  for (const Slot slot : {Slot::log_create, Slot::backend_create, Slot::device_create}) {
    control.fail_call(slot, 1, 1002);
    const auto loaded = load();
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code, 1002);
    EXPECT_EQ(control.counters().live_logs, 0u);
    EXPECT_EQ(control.counters().live_backends, 0u);
  }
}

TEST_F(simulated_htp, names_in_one_line_what_is_missing_at_the_start) {
  using qnnpp::sim::StartFailure;
  const struct {
    StartFailure failure;
    std::uint16_t code;
    const char* words[2];
  } cases[] = {
      {StartFailure::no_stub,
       14001,
       {"libQnnHtpV79Stub.so: cannot open", "the stub library (libQnnHtpV79Stub.so) cannot be"}},
      {StartFailure::no_skel, 14001, {"skel library", "ADSP_LIBRARY_PATH is"}},
      {StartFailure::no_fastrpc, 14001, {"libcdsprpc.so: cannot open", "FastRPC (libcdsprpc.so)"}},
      {StartFailure::unknown_soc, 4000, {"no supported SoC was detected", "this SoC"}},
      {StartFailure::other_sdk,
       1008,
       {"the skel library (libQnnHtpV..Skel.so) is of build v1.2.3, needed is qnnpp-sim; ",
        "its folder is unknown; ADSP_LIBRARY_PATH is"}},
      {StartFailure::other_stub,
       1008,
       {"the stub library (its file is unknown) is of build v1.2.3, needed is qnnpp-sim; ",
        "put the stub of the backend library's SDK beside the backend library; "}}};
  for (const auto& each : cases) {
    auto config = control.config();
    config.start_failure = static_cast<std::uint32_t>(each.failure);
    ASSERT_TRUE(control.set_config(config));
    const auto loaded = Backend<Htp>::load({.library = simulated_path});
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code, each.code);
    const std::string message = loaded.error().message();
    for (const char* const words : each.words)
      EXPECT_NE(message.find(words), std::string::npos) << words << " is not in: " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    // The message names the missing part early, and does not list other possible causes.
    if (each.code == 14001) {
      EXPECT_LT(message.find("cannot be loaded"), message.size() / 2) << message;
      EXPECT_EQ(message.find("is missing or"), std::string::npos) << message;
    }
  }
}

TEST_F(simulated_htp, LOAD_06_is_understood_with_bits_above_its_codes) {
  auto config = control.config();
  config.error_high_bits = 0xBEEF;
  ASSERT_TRUE(control.set_config(config));
  control.fail_call(Slot::device_create, 1, 14002);
  const auto loaded = load();
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().code, 14002);
  EXPECT_NE(loaded.error().native, 14002u);
}

TEST_F(simulated_htp, without_devices_gives_a_null_device) {
  control.fail_call(Slot::device_create, 1, 1000);
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->native_device(), nullptr);
}

TEST_F(simulated_htp, close_returns_the_error_of_a_free) {
  control.fail_call(Slot::backend_free, 1, 4002);
  auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  const auto closed = std::move(*loaded).close();
  ASSERT_FALSE(closed.has_value());
  EXPECT_EQ(closed.error().code, 4002);
}

TEST_F(simulated_htp, LOAD_04_has_the_capability_of_deferred_contexts) {
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->capability(deferred_contexts), qnnpp::Capability::supported);
  EXPECT_EQ(loaded->capability(no_such_capability), qnnpp::Capability::unknown);
}

TEST_F(simulated_htp,
       LOAD_04_lacks_the_capability_of_deferred_contexts_where_they_are_switched_off) {
  auto config = control.config();
  config.deferred_init = 0;
  ASSERT_TRUE(control.set_config(config));
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->capability(deferred_contexts), qnnpp::Capability::unsupported);
}

TEST_F(simulated_htp, refuses_bytes_that_are_no_context_binary) {
  const auto loaded = load();
  ASSERT_TRUE(loaded.has_value());
  ASSERT_TRUE(qnnpp::detail::Access::block(*loaded)->system.has_value());
  const std::array<std::byte, 64> bytes{};
  const auto read = qnnpp::detail::Access::block(*loaded)->system->metadata(bytes, "junk.bin");
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, 30010);
  EXPECT_EQ(read.error().object, "junk.bin");
}

}  // namespace
