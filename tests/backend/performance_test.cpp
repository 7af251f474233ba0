// Performance: votes for clocks and sleep, the values that are refused, and what is released.
#include "qnnpp/backend/performance.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/format.hpp"

#include "recorder.hpp"
#include "simulated.hpp"

namespace {

using qnnpp::Backend;
using qnnpp::Core;
using qnnpp::Corners;
using qnnpp::Errc;
using qnnpp::HmxVoltageCorner;
using qnnpp::Htp;
using qnnpp::Performance;
using qnnpp::PerformanceMode;
using qnnpp::PerformanceSettings;
using qnnpp::PowerMode;
using qnnpp::VoltageCorner;
using qnnpp::sim::Slot;

constexpr PerformanceMode all_modes[] = {
    PerformanceMode::burst,
    PerformanceMode::sustained_high_performance,
    PerformanceMode::high_performance,
    PerformanceMode::balanced,
    PerformanceMode::low_balanced,
    PerformanceMode::high_power_saver,
    PerformanceMode::power_saver,
    PerformanceMode::low_power_saver,
    PerformanceMode::extreme_power_saver,
};

using PowerConfig = qnnpp::c_api::HtpPerfInfrastructurePowerConfig;
using Option = qnnpp::c_api::HtpPerfInfrastructurePowerConfigOption;

/// Cores that createPowerConfigId was called for.
std::vector<Core> created_for;
/// Notes the core, and replaces it by core 0: the simulated HTP has no other.
void note_core(std::size_t slot, bool entering, const void* const* arguments) {
  if (!entering || slot != static_cast<std::size_t>(Slot::perf_create_power_config_id)) return;
  const auto& core = support::argument<std::uint32_t>(arguments, 1);
  created_for.push_back({support::argument<std::uint32_t>(arguments, 0), core});
  const_cast<std::uint32_t&>(core) = 0;
}

/// Settings that setPowerConfig was called with, and the id of the last call.
std::vector<PowerConfig> sent_configs;
std::uint32_t sent_id = 0;
void note_configs(std::size_t slot, bool entering, const void* const* arguments) {
  if (!entering || slot != static_cast<std::size_t>(Slot::perf_set_power_config)) return;
  sent_id = support::argument<std::uint32_t>(arguments, 0);
  for (const auto* const* each = support::argument<const PowerConfig**>(arguments, 1);
       *each != nullptr; ++each)
    sent_configs.push_back(**each);
}

/// Expects that QNN received this DCVS vote.
void expect_same(const PowerConfig& sent, const PerformanceSettings& vote) {
  ASSERT_EQ(sent.option, Option::dcvs_v3);
  const auto& dcvs = sent.dcvs_v3_config;
  EXPECT_EQ(dcvs.context_id, sent_id);
  EXPECT_EQ(dcvs.set_dcvs_enable, vote.scaling ? 1u : 0u);
  EXPECT_EQ(dcvs.dcvs_enable, vote.scaling.value_or(false) ? 1u : 0u);
  EXPECT_EQ(dcvs.power_mode, vote.power_mode.value_or(PowerMode::performance_mode));
  EXPECT_EQ(dcvs.set_sleep_latency, vote.sleep_latency_us ? 1u : 0u);
  EXPECT_EQ(dcvs.sleep_latency, vote.sleep_latency_us.value_or(0));
  EXPECT_EQ(dcvs.set_sleep_disable, vote.sleep_disabled ? 1u : 0u);
  EXPECT_EQ(dcvs.sleep_disable, vote.sleep_disabled.value_or(false) ? 1u : 0u);
  constexpr auto none = Corners<VoltageCorner>::at(VoltageCorner::disable);
  EXPECT_EQ(dcvs.set_bus_params, vote.bus ? 1u : 0u);
  EXPECT_EQ((Corners<VoltageCorner>{dcvs.bus_voltage_corner_min, dcvs.bus_voltage_corner_target,
                                    dcvs.bus_voltage_corner_max}),
            vote.bus.value_or(none));
  EXPECT_EQ(dcvs.set_core_params, vote.core ? 1u : 0u);
  EXPECT_EQ((Corners<VoltageCorner>{dcvs.core_voltage_corner_min, dcvs.core_voltage_corner_target,
                                    dcvs.core_voltage_corner_max}),
            vote.core.value_or(none));
}

constexpr PerformanceMode decode_modes[] = {
    PerformanceMode::llm_decode_burst,
    PerformanceMode::llm_decode_sustained_high_performance,
    PerformanceMode::llm_decode_high_performance,
    PerformanceMode::llm_decode_balanced,
    PerformanceMode::llm_decode_low_balanced,
    PerformanceMode::llm_decode_high_power_saver,
    PerformanceMode::llm_decode_power_saver,
    PerformanceMode::llm_decode_low_power_saver,
    PerformanceMode::llm_decode_extreme_power_saver,
};

/// Settings with expanded corners of everything that has them.
PerformanceSettings expanded_settings() {
  using Hmx = HmxVoltageCorner;
  using qnnpp::HmxClock;
  PerformanceSettings settings{.scaling = true,
                               .sleep_latency_us = 77,
                               .bus = Corners<VoltageCorner>::at(VoltageCorner::nom),
                               .core = Corners<VoltageCorner>::at(VoltageCorner::svs),
                               .hmx_clock = HmxClock::high,
                               .ceng = Corners<VoltageCorner>::at(VoltageCorner::turbo)};
  settings.expanded = {.bus = {{Hmx::nom, Hmx::tur_l1, Hmx::tur_l3}},
                       .core = {{Hmx::svs, Hmx::nom_l0, Hmx::tur}},
                       .ceng = {{Hmx::min_svs, Hmx::nom, Hmx::super_turbo}},
                       .bus_clock = HmxClock::high_d1,
                       .core_clock = HmxClock::high_d15,
                       .ceng_clock = HmxClock::low};
  return settings;
}

/// A backend on the simulated HTP.
class performance : public SimulatedTest {
 protected:
  /// Makes the device one of this chip and library.
  void become(std::uint32_t arch, qnnpp::sim::HostLibrary library) {
    auto config = control.config();
    config.arch = arch;
    config.host_library = static_cast<std::uint32_t>(library);
    ASSERT_TRUE(control.set_config(config));
  }
  void SetUp() override {
    SimulatedTest::SetUp();
    backend_.emplace(load().value());
  }
  void TearDown() override {
    backend_.reset();
    SimulatedTest::TearDown();
  }
  const Backend<Htp>& backend() const { return *backend_; }
  void drop_backend() { backend_.reset(); }
  std::uint64_t live() const { return control.counters().live_power_configs; }
  static Backend<Htp> recorded() { return Backend<Htp>::load({.library = QNNPP_RECORDER}).value(); }

  /// Returns what QNN receives for a vote, on a device that has every setting.
  std::vector<PowerConfig> sent_for(const PerformanceSettings& settings) {
    auto config = control.config();
    config.power_options = 0x7FE;
    EXPECT_TRUE(control.set_config(config));
    sent_configs.clear();
    const support::Recording recording(&note_configs);
    const auto vote = Performance::vote(recorded(), settings);
    EXPECT_TRUE(vote && vote->refused().empty());
    return sent_configs;
  }

 private:
  std::optional<Backend<Htp>> backend_;
};

TEST_F(performance, is_voted_for_until_the_object_ends) {
  for (const PerformanceMode mode : all_modes) {
    const auto vote = Performance::vote(backend(), mode);
    ASSERT_TRUE(vote.has_value()) << vote.error().message();
    EXPECT_EQ(live(), 1u);
    EXPECT_NE(vote->id(), 0u);
    EXPECT_TRUE(vote->refused().empty());
  }
  EXPECT_EQ(live(), 0u);
  EXPECT_EQ(control.calls(Slot::perf_create_power_config_id), std::size(all_modes));
  EXPECT_EQ(control.calls(Slot::perf_destroy_power_config_id), std::size(all_modes));
}

TEST_F(performance, keeps_the_backend_alive) {
  auto vote = Performance::vote(backend(), PerformanceMode::burst);
  ASSERT_TRUE(vote.has_value());
  drop_backend();
  EXPECT_EQ(control.counters().live_backends, 1u);
  EXPECT_TRUE(vote->change(PerformanceMode::balanced).has_value());
  EXPECT_TRUE(std::move(*vote).close().has_value());
  EXPECT_EQ(control.counters().live_backends, 0u);
}

TEST_F(performance, assigned_to_another_vote_ends_the_old_vote_before_its_backend) {
  auto other = load();
  auto vote = Performance::vote(*other, PerformanceMode::burst);
  ASSERT_TRUE(vote.has_value());
  other = qnnpp::fail(qnnpp::Error());
  auto second = Performance::vote(backend(), PerformanceMode::balanced);
  ASSERT_TRUE(second.has_value());
  const std::uint32_t id = second->id();
  *vote = std::move(*second);
  EXPECT_EQ(live(), 1u);
  EXPECT_EQ(vote->id(), id);
  EXPECT_EQ(control.counters().live_backends, 1u);
}

TEST_F(performance, is_changed_by_a_new_vote_before_the_old_one_ends) {
  auto vote = Performance::vote(backend(), PerformanceMode::burst);
  ASSERT_TRUE(vote.has_value());
  const std::uint32_t id = vote->id();
  const auto before = control.calls(Slot::perf_set_power_config);
  ASSERT_TRUE(vote->change(PerformanceMode::power_saver).has_value());
  EXPECT_NE(vote->id(), id);
  EXPECT_EQ(vote->settings(), settings_of(PerformanceMode::power_saver));
  ASSERT_TRUE(vote->change(PerformanceSettings{.rpc_polling_us = 100}).has_value());
  EXPECT_EQ(vote->settings(), PerformanceSettings{.rpc_polling_us = 100});
  EXPECT_EQ(control.calls(Slot::perf_set_power_config), before + 3);
  EXPECT_EQ(control.calls(Slot::perf_create_power_config_id), 3u);
  EXPECT_EQ(control.calls(Slot::perf_destroy_power_config_id), 2u);
  EXPECT_EQ(live(), 1u);
}

TEST_F(performance, changed_to_a_mode_keeps_no_setting_of_the_old_vote) {
  PerformanceSettings settings = settings_of(PerformanceMode::burst);
  settings.sleep_disabled = true;
  settings.adaptive_polling_us = 1000;
  settings.hmx_timeout_us = 300'000;
  auto vote = Performance::vote(backend(), settings);
  ASSERT_TRUE(vote.has_value());
  ASSERT_TRUE(vote->change(PerformanceMode::low_power_saver).has_value());
  // All votes of the old id have ended with it.
  EXPECT_EQ(control.counters().live_power_votes, 1u);
  EXPECT_EQ(vote->settings(), settings_of(PerformanceMode::low_power_saver));
  settings = vote->settings();
  settings.rpc_control_latency_us = 200;
  ASSERT_TRUE(vote->change(settings).has_value());
  EXPECT_EQ(vote->settings(), settings);
}

TEST_F(performance, is_changed_for_its_own_core) {
  created_for.clear();
  const support::Recording recording(&note_core);
  control.fail_call(Slot::device_get_platform_info, 1, 1000);  // It would list core 0 alone.
  auto vote = Performance::vote(recorded(), PerformanceSettings{}, {.device = 0, .core = 3});
  ASSERT_TRUE(vote.has_value());
  ASSERT_TRUE(vote->change(PerformanceMode::balanced).has_value());
  EXPECT_EQ(created_for, (std::vector<Core>{{0, 3}, {0, 3}}));
}

TEST_F(performance, of_several_votes_has_several_ids) {
  const auto first = Performance::vote(backend(), PerformanceMode::burst);
  const auto second = Performance::vote(backend(), PerformanceMode::power_saver);
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->id(), second->id());
  EXPECT_EQ(live(), 2u);
}

TEST_F(performance, of_several_votes_is_the_highest) {
  const auto corner = [this] { return control.counters().power_core_corner; };
  const auto of = [](VoltageCorner each) { return static_cast<std::uint64_t>(each); };
  const auto low = Performance::vote(backend(), PerformanceMode::balanced);
  ASSERT_TRUE(low.has_value());
  EXPECT_EQ(corner(), of(VoltageCorner::nom_plus));
  {
    const auto high = Performance::vote(backend(), PerformanceMode::burst);
    const auto inner = Performance::vote(backend(), PerformanceMode::power_saver);
    ASSERT_TRUE(high && inner);
    EXPECT_EQ(control.counters().live_power_votes, 3u);
    EXPECT_EQ(corner(), of(VoltageCorner::max_voltage_corner));
    EXPECT_EQ(control.counters().power_polling_us, 9999u);
  }
  EXPECT_EQ(corner(), of(VoltageCorner::nom_plus));
  EXPECT_EQ(control.counters().power_polling_us, 0u);
}

TEST_F(performance, changed_to_a_mode_that_does_not_poll_polls_no_more) {
  auto vote = Performance::vote(backend(), PerformanceMode::burst);
  ASSERT_TRUE(vote.has_value());
  EXPECT_EQ(control.counters().power_polling_us, 9999u);
  ASSERT_TRUE(vote->change(PerformanceMode::balanced).has_value());
  EXPECT_EQ(control.counters().power_polling_us, 0u);
  EXPECT_EQ(control.counters().power_core_corner,
            static_cast<std::uint64_t>(VoltageCorner::nom_plus));
}

TEST_F(performance, of_the_matrix_unit_is_had_by_v75_and_lacked_by_v73) {
  PerformanceSettings settings = settings_of(PerformanceMode::burst);
  settings.hmx = Corners<HmxVoltageCorner>::at(HmxVoltageCorner::tur);
  for (const std::uint32_t arch : {73u, 75u}) {
    auto config = control.config();
    config.arch = arch;
    ASSERT_TRUE(control.set_config(config));
    const auto vote = Performance::vote(backend(), settings);
    ASSERT_TRUE(vote.has_value()) << vote.error().message();
    ASSERT_EQ(vote->refused().size(), arch == 73 ? 1u : 0u);
    if (arch == 73) {
      EXPECT_EQ(vote->refused()[0].code, 13004);
      EXPECT_EQ(vote->refused()[0].object, "HMX");
    }
    EXPECT_EQ(control.counters().power_polling_us, 9999u) << "the others are voted for";
  }
}

TEST_F(performance, is_for_core_0_of_device_0_unless_another_is_named) {
  EXPECT_EQ(Core{}, (Core{.device = 0, .core = 0}));
  const auto vote = Performance::vote(backend(), PerformanceMode::burst, Core{.device = 1});
  ASSERT_FALSE(vote.has_value());
  EXPECT_EQ(vote.error().code, 13001) << "the platform has it, but it cannot be used";
  EXPECT_STREQ(vote.error().step, "QnnHtpPerfInfrastructure_createPowerConfigId");
  EXPECT_EQ(vote.error().detail.find("device 1, core 0; "), 0u) << vote.error().detail;
  EXPECT_NE(vote.error().detail.find("; log: "), std::string::npos) << vote.error().detail;
  EXPECT_NE(vote.error().message().find("use core 0 of device 0"), std::string::npos)
      << vote.error().message();
  EXPECT_EQ(live(), 0u);
}

TEST_F(performance, for_a_core_or_device_that_the_platform_lacks_is_refused_with_those_it_has) {
  const std::uint64_t before = control.calls(Slot::perf_create_power_config_id);
  for (const auto& [core, detail] :
       {std::pair{Core{.core = 9},
                  "the vote names core 9 of device 0, which the platform does not have; use core 0 "
                  "of device 0, core 0 of device 1"},
        {Core{.device = 9},
         "the vote names device 9, which the platform does not have; use device 0, device 1"}}) {
    const auto vote = Performance::vote(backend(), PerformanceMode::burst, core);
    ASSERT_FALSE(vote.has_value());
    EXPECT_EQ(vote.error().kind, Errc::invalid_argument);
    EXPECT_EQ(vote.error().detail, detail);
    control.fail_call(Slot::device_get_platform_info, 1, 1000);
    const auto unlisted = Performance::vote(backend(), PerformanceMode::burst, core);
    ASSERT_FALSE(unlisted.has_value());
    EXPECT_EQ(unlisted.error().code, 13001) << "nothing lists the cores";
  }
  EXPECT_EQ(control.calls(Slot::perf_create_power_config_id), before + 2);
}

TEST_F(performance, without_a_setting_that_the_device_lacks_keeps_the_others) {
  PerformanceSettings settings = settings_of(PerformanceMode::burst);
  settings.ddr_mode = 1;
  auto vote = Performance::vote(backend(), settings);
  ASSERT_TRUE(vote.has_value()) << vote.error().message();
  ASSERT_EQ(vote->refused().size(), 1u);
  EXPECT_EQ(vote->refused()[0].code, 13004);
  EXPECT_EQ(
      vote->refused()[0].message(),
      "DDR mode: QnnHtpPerfInfrastructure_setPowerConfig returned 13004 "
      "HTP_PERF_INFRASTRUCTURE_UNSUPPORTED: this chip does not have the setting; do without it");
  EXPECT_EQ(control.calls(Slot::perf_set_power_config), 4u);
  ASSERT_TRUE(vote->change(PerformanceMode::balanced).has_value());
  EXPECT_TRUE(vote->refused().empty());
}

TEST_F(performance, with_a_setting_that_the_library_does_not_know_says_so) {
  control.fail_call(Slot::perf_set_power_config, 1, 13002);
  const auto vote = Performance::vote(backend(), PerformanceSettings{.hmx_timeout_us = 1'000});
  ASSERT_TRUE(vote.has_value());
  EXPECT_EQ(vote->refused()[0].object, "HMX timeout");
  EXPECT_EQ(vote->refused()[0].code, 13002);
}

TEST_F(performance, without_settings_votes_for_nothing_until_it_is_changed) {
  auto vote = Performance::vote(backend(), PerformanceSettings{});
  ASSERT_TRUE(vote.has_value());
  EXPECT_EQ(live(), 1u);
  EXPECT_EQ(control.counters().live_power_votes, 0u);
  EXPECT_TRUE(vote->change(PerformanceMode::burst).has_value());
  EXPECT_EQ(control.counters().live_power_votes, 1u);
}

TEST_F(performance, of_a_number_that_is_no_mode_is_refused) {
  constexpr auto none = static_cast<PerformanceMode>(77);
  const auto refused = Performance::vote(backend(), none);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, Errc::invalid_argument);
  EXPECT_EQ(refused.error().detail, "mode is 77; give an enumerator of PerformanceMode");
  auto vote = Performance::vote(backend(), PerformanceMode::burst);
  const auto changed = vote->change(none);
  ASSERT_FALSE(changed.has_value());
  EXPECT_EQ(changed.error().kind, Errc::invalid_argument);
}

TEST_F(performance, that_fails_names_the_setting) {
  PerformanceSettings settings = settings_of(PerformanceMode::burst);
  settings.hmx_clock = qnnpp::HmxClock::high;
  settings.adaptive_polling_us = 5;
  std::uint64_t call = 0;
  for (const char* name :
       {"DCVS", "HMX", "RPC control latency", "RPC polling", "adaptive polling"}) {
    control.fail_call(Slot::perf_set_power_config, ++call, 13006);
    const auto vote = Performance::vote(backend(), settings);
    ASSERT_FALSE(vote.has_value());
    EXPECT_EQ(vote.error().detail.find(std::string("setting ") + name), 0u) << vote.error().detail;
    control.clear_faults();
  }
}

TEST_F(performance, whose_dcvs_is_refused_votes_neither_for_the_matrix_unit_nor_for_ddr) {
  control.fail_call(Slot::perf_set_power_config, 1, 13004);
  PerformanceSettings settings = settings_of(PerformanceMode::burst);
  settings.hmx_clock = qnnpp::HmxClock::high;
  settings.ddr_mode = 1;
  const auto vote = Performance::vote(backend(), settings);
  ASSERT_TRUE(vote.has_value()) << vote.error().message();
  ASSERT_EQ(vote->refused().size(), 3u);
  EXPECT_EQ(vote->refused()[0].object, "DCVS");
  EXPECT_EQ(vote->refused()[1].object, "HMX");
  EXPECT_EQ(vote->refused()[2].object, "DDR mode");
  EXPECT_EQ(control.calls(Slot::perf_set_power_config), 3u) << "DCVS and two of RPC";
}

TEST_F(performance, that_fails_leaves_nothing_and_names_the_function) {
  for (const std::uint64_t call : {1u, 2u})
    for (const std::uint32_t code : {13001u, 13003u, 13005u, 13006u}) {
      control.fail_call(Slot::perf_set_power_config, call, code);
      const auto vote = Performance::vote(backend(), PerformanceMode::burst);
      ASSERT_FALSE(vote.has_value());
      EXPECT_EQ(vote.error().code, code);
      EXPECT_STREQ(vote.error().step, "QnnHtpPerfInfrastructure_setPowerConfig");
      EXPECT_EQ(live(), 0u);
      control.clear_faults();
    }
  EXPECT_TRUE(Performance::vote(backend(), PerformanceMode::burst).has_value());
}

TEST_F(performance, whose_change_fails_at_any_call_stays_as_it_was) {
  auto vote = Performance::vote(backend(), PerformanceMode::burst);
  ASSERT_TRUE(vote.has_value());
  const std::uint32_t id = vote->id();
  for (const Slot slot : {Slot::device_get_infrastructure, Slot::perf_create_power_config_id,
                          Slot::perf_set_power_config}) {
    control.fail_call(slot, 1, 13003);
    const auto changed = vote->change(PerformanceMode::balanced);
    ASSERT_FALSE(changed.has_value());
    EXPECT_NE(changed.error().message().find("the DSP restarts; make the vote again"),
              std::string::npos)
        << changed.error().message();
    control.clear_faults();
    EXPECT_EQ(vote->id(), id);
    EXPECT_EQ(vote->settings(), settings_of(PerformanceMode::burst));
    EXPECT_EQ(live(), 1u);
    EXPECT_EQ(control.counters().power_core_corner,
              static_cast<std::uint64_t>(VoltageCorner::max_voltage_corner));
  }
  EXPECT_TRUE(vote->change(PerformanceMode::balanced).has_value());
}

TEST_F(performance, whose_old_vote_cannot_end_is_changed_and_says_so) {
  auto vote = Performance::vote(backend(), PerformanceMode::burst);
  ASSERT_TRUE(vote.has_value());
  control.fail_call(Slot::perf_destroy_power_config_id, 1, 13003);
  const auto changed = vote->change(PerformanceMode::balanced);
  ASSERT_FALSE(changed.has_value());
  EXPECT_EQ(changed.error().code, 13003);
  EXPECT_STREQ(changed.error().step, "QnnHtpPerfInfrastructure_destroyPowerConfigId");
  EXPECT_EQ(vote->settings(), settings_of(PerformanceMode::balanced));
  EXPECT_EQ(control.calls(Slot::perf_destroy_power_config_id), 1u);
}

TEST_F(performance, that_is_closed_returns_the_error_and_is_released_once) {
  auto vote = Performance::vote(backend(), PerformanceMode::burst);
  ASSERT_TRUE(vote.has_value());
  control.fail_call(Slot::perf_destroy_power_config_id, 1, 13006);
  const auto closed = std::move(*vote).close();
  ASSERT_FALSE(closed.has_value());
  EXPECT_EQ(closed.error().code, 13006);
  EXPECT_NE(closed.error().detail.find("log: "), std::string::npos) << closed.error().detail;
  EXPECT_EQ(live(), 0u);
  EXPECT_EQ(control.calls(Slot::perf_destroy_power_config_id), 1u);
}

TEST_F(performance, SSR_01_is_released_once_without_an_error_after_a_restart) {
  auto closed = Performance::vote(backend(), PerformanceMode::burst);
  ASSERT_TRUE(closed.has_value());
  control.fail_call(Slot::perf_create_power_config_id, 1, 1007);
  const auto reported = Performance::vote(backend(), PerformanceMode::burst);
  ASSERT_FALSE(reported.has_value());
  EXPECT_EQ(reported.error().code, 1007);
  const auto destroyed = control.calls(Slot::perf_destroy_power_config_id);
  control.fail_call(Slot::perf_destroy_power_config_id, 1, 13001);
  EXPECT_TRUE(std::move(*closed).close().has_value());
  EXPECT_EQ(control.calls(Slot::perf_destroy_power_config_id), destroyed + 1);
}

TEST_F(performance, SSR_01_is_voted_for_again_by_a_change_after_a_restart) {
  auto vote = Performance::vote(backend(), PerformanceMode::burst);
  ASSERT_TRUE(vote.has_value());
  const std::uint32_t id = vote->id();
  control.restart_subsystem(false);
  EXPECT_EQ(control.counters().live_power_votes, 0u);
  ASSERT_TRUE(vote->change(PerformanceMode::balanced).has_value());
  EXPECT_NE(vote->id(), id);
  EXPECT_EQ(control.counters().live_power_votes, 1u);
  EXPECT_TRUE(std::move(*vote).close().has_value());
}

TEST_F(performance, SSR_01_whose_change_notices_a_restart_is_changed_the_next_time) {
  auto vote = Performance::vote(backend(), PerformanceMode::burst);
  ASSERT_TRUE(vote.has_value());
  control.fail_call(Slot::perf_set_power_config, 1, 1007);
  EXPECT_EQ(vote->change(PerformanceMode::balanced).error().code, 1007);
  EXPECT_TRUE(vote->change(PerformanceMode::balanced).has_value());
  EXPECT_EQ(control.counters().live_power_votes, 1u);
}

TEST_F(performance, is_refused_with_values_outside_their_ranges_before_any_call) {
  const auto dcvs = [](auto change) {
    PerformanceSettings settings = settings_of(PerformanceMode::burst);
    change(settings);
    return settings;
  };
  const auto hmx = [](HmxVoltageCorner min, HmxVoltageCorner target, HmxVoltageCorner max) {
    PerformanceSettings settings = settings_of(PerformanceMode::burst);
    settings.hmx = {{min, target, max}};
    return settings;
  };
  const auto wider = [](auto change) {
    PerformanceSettings settings = expanded_settings();
    change(settings);
    return settings;
  };
  const auto corner = [](std::uint32_t number) { return static_cast<VoltageCorner>(number); };
  using enum qnnpp::c_api::HtpPerfInfrastructureVoltageCorner;
  const struct {
    PerformanceSettings settings;
    const char* words;
  } cases[] = {
      {dcvs([](auto& d) { d.sleep_latency_us = 9; }), "sleep_latency_us is 9; give 10 to 6553"},
      {dcvs([](auto& d) { d.sleep_latency_us = 65536; }), "sleep_latency_us is 65536; give 10"},
      {dcvs([](auto& d) { d.power_mode = PowerMode{3}; }), "power_mode is 3; give an enum"},
      {dcvs([](auto& d) { d.power_mode = PowerMode::unknown; }), "power_mode is 2147483647"},
      {dcvs([&](auto& d) { d.bus->min = corner(77); }), "bus.min is 77; give an enumerator"},
      {dcvs([&](auto& d) { d.bus->target = corner(0); }), "bus.target is 0; give an enum"},
      {dcvs([&](auto& d) { d.core->max = corner(161); }), "core.max is 161; give an enum"},
      {dcvs([](auto& d) { d.core->max = VoltageCorner::unknown; }), "core.max is 2147483647"},
      {dcvs([](auto& d) { d.core = {nom, svs, turbo}; }), "core.target is 64; give a corner"},
      {dcvs([](auto& d) { d.bus = {svs, turbo, nom}; }), "bus.max is 96; give a corner that"},
      {dcvs([](auto& d) { d.bus = {turbo, disable, nom}; }),
       "bus.min is 128; give a corner that is not above max"},
      {dcvs([](auto& d) { d.bus = {turbo, nom, svs}; }),
       "bus.min is 128; give a corner that is not above max"},
      {hmx(HmxVoltageCorner{1}, HmxVoltageCorner::nom, HmxVoltageCorner::nom), "hmx.min i"},
      {hmx(HmxVoltageCorner::nom, HmxVoltageCorner::nom, HmxVoltageCorner::unknown),
       "hmx.max is 2147483647"},
      {hmx(HmxVoltageCorner::nom, HmxVoltageCorner::svs, HmxVoltageCorner::nom),
       "hmx.target is 384"},
      {{.scaling = false, .hmx_clock = qnnpp::HmxClock{2}}, "hmx_clock is 2; give high or low"},
      {{.hmx_clock = qnnpp::HmxClock::high}, "hmx needs a DCVS vote"},
      {{.ddr_mode = 1}, "ddr_mode needs a DCVS vote of the same id with the bus at its highest"},
      {{.bus = settings_of(PerformanceMode::balanced).bus, .ddr_mode = 1}, "ddr_mode needs"},
      {{.ceng = Corners<VoltageCorner>::at(nom)}, "ceng needs a DCVS vote"},
      {dcvs([](auto& d) { d.ceng = {nom, svs, turbo}; }), "ceng.target is 64; give a corner"},
      {dcvs([](auto& d) { d.ceng_clock = qnnpp::HmxClock::high_d1; }), "ceng_clock is 2; give"},
      {wider([](auto& d) { d.scaling = false; }), "an expanded vote scales; set scaling to true"},
      {wider([](auto& d) { d.bus.reset(); }), "an expanded vote needs bus and core expanded and"},
      {wider([](auto& d) { d.expanded.core.reset(); }), "an expanded vote needs bus and core"},
      {wider([](auto& d) { d.ceng.reset(); }), "expanded.ceng needs ceng"},
      {wider([](auto& d) { d.expanded.bus->min = HmxVoltageCorner{96}; }),
       "expanded.bus.min is 96"},
      {wider([](auto& d) { d.expanded.core->max = HmxVoltageCorner{307 + 1000}; }),
       "expanded.core.max is 1307"},
      {wider([](auto& d) { d.expanded.ceng->target = HmxVoltageCorner::max; }),
       "expanded.ceng.max is 720; give a corner that is not below target"},
      {wider([](auto& d) { d.expanded.bus_clock = qnnpp::HmxClock::max; }),
       "a clock of expanded is 255; give high to high_d15, or low"},
      {wider([](auto& d) {
         d.bus = Corners<VoltageCorner>::at(max_voltage_corner);
         d.ddr_mode = 1;
       }),
       "ddr_mode needs"},
      {{.adaptive_polling_us = 1000}, "adaptive_polling_us needs polling; set rpc_polling_us"},
      {{.rpc_polling_us = 0, .adaptive_polling_us = 1000}, "adaptive_polling_us needs polling"},
      {{.rpc_polling_us = 10000}, "rpc_polling_us is 10000; give less than 10000"},
      {{.hmx_timeout_us = 99}, "hmx_timeout_us is 99; give 100 to 1000000"},
      {{.hmx_timeout_us = 1000001}, "hmx_timeout_us is 1000001; give 100 to 1000000"},
  };
  auto old = Performance::vote(backend(), PerformanceMode::burst);
  ASSERT_TRUE(old.has_value());
  const auto calls = control.counters().calls;
  for (const auto& each : cases) {
    const auto vote = Performance::vote(backend(), each.settings);
    ASSERT_FALSE(vote.has_value()) << each.words;
    EXPECT_EQ(vote.error().kind, Errc::invalid_argument);
    EXPECT_NE(vote.error().message().find(each.words), std::string::npos)
        << each.words << " is not in: " << vote.error().message();
    EXPECT_FALSE(old->change(each.settings).has_value());
  }
  EXPECT_EQ(control.counters().calls, calls);
}

TEST_F(performance, is_voted_for_with_the_limits_of_each_range) {
  for (const std::uint32_t latency : {10u, 65535u})
    for (const std::uint32_t polling : {0u, 9999u}) {
      PerformanceSettings settings = settings_of(PerformanceMode::burst);
      settings.sleep_latency_us = latency;
      settings.sleep_disabled = true;
      settings.rpc_polling_us = polling;
      settings.rpc_control_latency_us = 100;
      settings.hmx_timeout_us = latency == 10 ? 100 : 1'000'000;
      settings.adaptive_polling_us = polling == 0 ? 0 : 1000;
      EXPECT_TRUE(Performance::vote(backend(), settings).has_value());
    }
}

TEST_F(performance, is_voted_for_with_each_corner_and_each_mode_of_scaling) {
  const auto is_voted_for = [&](auto change) {
    PerformanceSettings settings = settings_of(PerformanceMode::burst);
    change(settings);
    return Performance::vote(backend(), settings).has_value();
  };
  using Corner = VoltageCorner;
  for (const Corner corner :
       {Corner::disable, Corner::min_voltage_corner, Corner::svs2, Corner::svs, Corner::svs_plus,
        Corner::nom, Corner::nom_plus, Corner::turbo, Corner::turbo_plus, Corner::turbo_l2,
        Corner::turbo_l3, Corner::turbo_l4, Corner::turbo_l5, Corner::max_voltage_corner})
    EXPECT_TRUE(is_voted_for([&](auto& settings) {
      settings.bus = settings.core = Corners<Corner>::at(corner);
    })) << static_cast<std::uint32_t>(corner);
  using Hmx = HmxVoltageCorner;
  for (const Hmx corner : {Hmx::disable,
                           Hmx::min,
                           Hmx::min_svs,
                           Hmx::low_svs_d3,
                           Hmx::low_svs_d2_1,
                           Hmx::low_svs_d2,
                           Hmx::low_svs_d1,
                           Hmx::low_svs_d1_1,
                           Hmx::low_svs_d0,
                           Hmx::low_svs,
                           Hmx::low_svs_p1,
                           Hmx::low_svs_l0,
                           Hmx::low_svs_l1,
                           Hmx::low_svs_l2,
                           Hmx::svs,
                           Hmx::svs_l0,
                           Hmx::svs_l1,
                           Hmx::svs_l2,
                           Hmx::nom,
                           Hmx::nom_l0,
                           Hmx::nom_l1,
                           Hmx::nom_l2,
                           Hmx::tur,
                           Hmx::tur_l0,
                           Hmx::tur_l1,
                           Hmx::tur_l2,
                           Hmx::tur_l3,
                           Hmx::tur_l4,
                           Hmx::tur_l5,
                           Hmx::super_turbo,
                           Hmx::super_turbo_no_cpr,
                           Hmx::max})
    EXPECT_TRUE(is_voted_for([&](auto& settings) { settings.hmx = Corners<Hmx>::at(corner); }))
        << static_cast<std::uint32_t>(corner);
  for (const PowerMode mode : {PowerMode::adjust_up_down, PowerMode::adjust_only_up,
                               PowerMode::power_saver_mode, PowerMode::power_saver_aggressive_mode,
                               PowerMode::performance_mode, PowerMode::duty_cycle_mode})
    EXPECT_TRUE(is_voted_for([&](auto& settings) { settings.power_mode = mode; }))
        << static_cast<std::uint32_t>(mode);
}

TEST_F(performance, sends_limits_that_it_leaves_as_they_are) {
  PerformanceSettings settings = settings_of(PerformanceMode::burst);
  using enum qnnpp::c_api::HtpPerfInfrastructureVoltageCorner;
  for (const Corners<VoltageCorner> corners :
       {Corners<VoltageCorner>{svs2, turbo, disable}, Corners<VoltageCorner>{disable, turbo, turbo},
        Corners<VoltageCorner>{svs, disable, nom}}) {
    settings.bus = settings.core = corners;
    EXPECT_TRUE(Performance::vote(backend(), settings).has_value());
  }
}

TEST_F(performance, sends_each_field_of_dcvs_of_each_mode) {
  for (const PerformanceMode mode : all_modes) {
    const PerformanceSettings settings = settings_of(mode);
    const std::vector<PowerConfig> sent = sent_for(settings);
    const bool is_high = mode <= PerformanceMode::high_performance;
    ASSERT_EQ(sent.size(), is_high ? 3u : 2u);
    expect_same(sent[0], settings);
    if (is_high) {
      EXPECT_EQ(sent[1].option, Option::rpc_control_latency);
      EXPECT_EQ(sent[1].rpc_control_latency_config, 100u);
    }
    EXPECT_EQ(sent.back().option, Option::rpc_polling_time);
    EXPECT_EQ(sent.back().rpc_polling_time_config, is_high ? 9999u : 0u);
  }
}

TEST_F(performance, sends_each_field_of_settings_of_the_programs_own) {
  using enum qnnpp::c_api::HtpPerfInfrastructureVoltageCorner;
  using Hmx = HmxVoltageCorner;
  PerformanceSettings settings{.scaling = true,
                               .power_mode = PowerMode::adjust_up_down,
                               .sleep_latency_us = 77,
                               .sleep_disabled = true,
                               .bus = Corners<VoltageCorner>::at(max_voltage_corner),
                               .core = {{svs, nom, turbo}},
                               .hmx = {{Hmx::svs, Hmx::nom, Hmx::tur}},
                               .hmx_clock = qnnpp::HmxClock::low,
                               .rpc_control_latency_us = 33,
                               .rpc_polling_us = 44,
                               .adaptive_polling_us = 55,
                               .hmx_timeout_us = 666,
                               .ddr_mode = 7};
  std::vector<PowerConfig> sent = sent_for(settings);
  ASSERT_EQ(sent.size(), 7u);
  expect_same(sent[0], settings);
  EXPECT_EQ(sent[1].option, Option::hmx_v2);
  EXPECT_EQ(sent[1].hmx_v2_config.hmx_pick_default, 0u);
  EXPECT_EQ(sent[1].hmx_v2_config.hmx_voltage_corner_min, Hmx::svs);
  EXPECT_EQ(sent[1].hmx_v2_config.hmx_voltage_corner_target, Hmx::nom);
  EXPECT_EQ(sent[1].hmx_v2_config.hmx_voltage_corner_max, Hmx::tur);
  EXPECT_EQ(sent[1].hmx_v2_config.hmx_perf_mode, qnnpp::HmxClock::low);
  EXPECT_EQ(sent[2].option, Option::ddr_perf_mode);
  EXPECT_EQ(sent[2].ddr_perf_mode_config, 7u);
  EXPECT_EQ(sent[3].option, Option::hmx_timeout_interval_us);
  EXPECT_EQ(sent[3].hmx_timeout_interval_us_config, 666u);
  EXPECT_EQ(sent[4].rpc_control_latency_config, 33u);
  EXPECT_EQ(sent[5].rpc_polling_time_config, 44u);
  EXPECT_EQ(sent[6].option, Option::adaptive_polling_time);
  EXPECT_EQ(sent[6].adaptive_polling_time_config, 55u);

  settings = {.sleep_disabled = false, .hmx_clock = qnnpp::HmxClock::high};
  sent = sent_for(settings);
  ASSERT_EQ(sent.size(), 2u);
  expect_same(sent[0], settings);
  EXPECT_EQ(sent[1].hmx_v2_config.hmx_pick_default, 1u);
}

// ---- modes for decoding, and expanded corners -----------------------------------------------

/// Names of the settings that the device refused.
std::vector<std::string> refused_by(const Performance& vote) {
  std::vector<std::string> names;
  for (const auto& error : vote.refused())
    names.push_back(error.object + " " + std::to_string(error.code));
  return names;
}

using Names = std::vector<std::string>;

TEST_F(performance, for_decoding_is_refused_by_name_on_a_chip_before_v79) {
  become(75, qnnpp::sim::HostLibrary::v2_48_40);
  auto old = Performance::vote(backend(), PerformanceMode::burst);
  ASSERT_TRUE(old.has_value());
  for (const PerformanceMode mode : decode_modes) {
    const auto vote = Performance::vote(backend(), mode);
    ASSERT_FALSE(vote.has_value());
    EXPECT_EQ(vote.error().kind, Errc::capability_missing);
    EXPECT_NE(vote.error().message().find(
                  "the modes for decoding need a chip from v79 on, and this one is v75; use a mode "
                  "without llm_decode"),
              std::string::npos)
        << vote.error().message();
    EXPECT_EQ(old->change(mode).error().kind, Errc::capability_missing);
  }
  EXPECT_EQ(live(), 1u);
}

TEST_F(performance, for_decoding_is_voted_for_from_v79_on_but_for_what_chip_and_library_lack) {
  for (const PerformanceMode mode : decode_modes) {
    become(81, qnnpp::sim::HostLibrary::v2_48_40);
    const auto newest = Performance::vote(backend(), mode);
    ASSERT_TRUE(newest.has_value()) << newest.error().message();
    EXPECT_EQ(refused_by(*newest), Names{});
    EXPECT_EQ(newest->settings(), settings_of(mode));
  }
  become(79, qnnpp::sim::HostLibrary::v2_48_40);
  const auto older = Performance::vote(backend(), PerformanceMode::llm_decode_burst);
  ASSERT_TRUE(older.has_value());
  EXPECT_EQ(refused_by(*older), Names{"DDR mode 13004"});
  become(79, qnnpp::sim::HostLibrary::v2_43_1);
  const auto oldest = Performance::vote(backend(), PerformanceMode::llm_decode_balanced);
  ASSERT_TRUE(oldest.has_value());
  EXPECT_EQ(refused_by(*oldest), Names{"CENG 13002"});
}

TEST_F(performance, for_decoding_sends_corners_of_the_matrix_unit_and_of_the_compression_engine) {
  become(81, qnnpp::sim::HostLibrary::v2_48_40);
  for (const PerformanceMode mode : decode_modes) {
    const PerformanceSettings settings = settings_of(mode);
    const std::vector<PowerConfig> sent = sent_for(settings);
    ASSERT_GE(sent.size(), 4u);
    expect_same(sent[0], settings);
    EXPECT_EQ(sent[1].option, Option::hmx_v2);
    EXPECT_EQ(sent[1].hmx_v2_config.hmx_voltage_corner_target, settings.hmx->target);
    EXPECT_EQ(sent[1].hmx_v2_config.hmx_perf_mode, settings.hmx_clock);
    EXPECT_EQ(sent[2].option, Option::ceng);
    const auto& ceng = sent[2].ceng_config;
    EXPECT_EQ((Corners<VoltageCorner>{ceng.ceng_voltage_corner_min, ceng.ceng_voltage_corner_target,
                                      ceng.ceng_voltage_corner_max}),
              settings.ceng);
    EXPECT_EQ(ceng.ceng_perf_mode, settings.ceng_clock);
    EXPECT_EQ(sent[3].option == Option::ddr_perf_mode, mode == PerformanceMode::llm_decode_burst);
  }
}

TEST_F(performance, with_expanded_corners_sends_them_alone_from_v85_on) {
  become(85, qnnpp::sim::HostLibrary::v2_48_40);
  const PerformanceSettings settings = expanded_settings();
  const std::vector<PowerConfig> sent = sent_for(settings);
  ASSERT_EQ(sent.size(), 3u);
  ASSERT_EQ(sent[0].option, Option::dcvs_v3_exp);
  const auto& dcvs = sent[0].dcvs_v3_exp_config;
  EXPECT_EQ(dcvs.context_id, sent_id);
  EXPECT_EQ(dcvs.power_mode, PowerMode::performance_mode);
  EXPECT_EQ(dcvs.set_sleep_latency, 1u);
  EXPECT_EQ(dcvs.sleep_latency, 77u);
  EXPECT_EQ(dcvs.set_sleep_disable, 0u);
  using Fine = Corners<HmxVoltageCorner>;
  EXPECT_EQ((Fine{dcvs.bus_voltage_corner_min, dcvs.bus_voltage_corner_target,
                  dcvs.bus_voltage_corner_max}),
            settings.expanded.bus);
  EXPECT_EQ((Fine{dcvs.core_voltage_corner_min, dcvs.core_voltage_corner_target,
                  dcvs.core_voltage_corner_max}),
            settings.expanded.core);
  EXPECT_EQ(dcvs.set_bus_params + dcvs.set_core_params, 2u);
  EXPECT_EQ(dcvs.bus_perf_mode, settings.expanded.bus_clock);
  EXPECT_EQ(dcvs.core_perf_mode, settings.expanded.core_clock);
  EXPECT_EQ(sent[1].option, Option::hmx_v2);
  ASSERT_EQ(sent[2].option, Option::ceng_exp);
  const auto& ceng = sent[2].ceng_exp_config;
  EXPECT_EQ((Fine{ceng.ceng_voltage_corner_min, ceng.ceng_voltage_corner_target,
                  ceng.ceng_voltage_corner_max}),
            settings.expanded.ceng);
  EXPECT_EQ(ceng.ceng_perf_mode, settings.expanded.ceng_clock);
}

TEST_F(performance, with_expanded_corners_votes_for_the_others_where_there_are_none) {
  const auto refused = [this](std::uint32_t arch, qnnpp::sim::HostLibrary library) {
    become(arch, library);
    sent_configs.clear();
    const support::Recording recording(&note_configs);
    const auto vote = Performance::vote(recorded(), expanded_settings());
    EXPECT_TRUE(vote.has_value());
    std::vector<Option> options;
    for (const PowerConfig& config : sent_configs) options.push_back(config.option);
    EXPECT_EQ(options, (std::vector{Option::dcvs_v3_exp, Option::dcvs_v3, Option::hmx_v2,
                                    Option::ceng_exp, Option::ceng}));
    expect_same(sent_configs.at(1), expanded_settings());
    return vote ? refused_by(*vote) : Names{};
  };
  EXPECT_EQ(refused(81, qnnpp::sim::HostLibrary::v2_48_40),
            (Names{"expanded DCVS 13004", "expanded CENG 13004"}));
  EXPECT_EQ(refused(79, qnnpp::sim::HostLibrary::v2_43_1),
            (Names{"expanded DCVS 13002", "expanded CENG 13002", "CENG 13002"}));
}

TEST_F(performance, with_expanded_corners_names_the_setting_that_fails) {
  become(85, qnnpp::sim::HostLibrary::v2_48_40);
  std::uint64_t call = 0;
  for (const char* name : {"expanded DCVS", "HMX", "expanded CENG"}) {
    control.fail_call(Slot::perf_set_power_config, ++call, 13006);
    const auto vote = Performance::vote(backend(), expanded_settings());
    ASSERT_FALSE(vote.has_value());
    EXPECT_EQ(vote.error().detail.find(std::string("setting ") + name), 0u) << vote.error().detail;
    control.clear_faults();
  }
  // Neither vote for the clocks: what needs one is not tried.
  control.fail_call(Slot::perf_set_power_config, 1, 13004);
  control.fail_call(Slot::perf_set_power_config, 2, 13004);
  const auto vote = Performance::vote(backend(), expanded_settings());
  ASSERT_TRUE(vote.has_value());
  EXPECT_EQ(refused_by(*vote), (Names{"expanded DCVS 13004", "DCVS 13004", "HMX 13004",
                                      "expanded CENG 13004", "CENG 13004"}));
}

TEST_F(performance, is_voted_for_by_several_threads_at_once) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([this] {
      for (const PerformanceMode mode : all_modes) {
        auto vote = Performance::vote(backend(), mode);
        ASSERT_TRUE(vote.has_value());
        EXPECT_TRUE(vote->change(PerformanceMode::balanced).has_value());
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(live(), 0u);
}

TEST(performance_modes, descend_from_the_fastest_to_the_most_economical) {
  std::uint32_t last = UINT32_MAX;
  for (const PerformanceMode mode : all_modes) {
    const PerformanceSettings settings = settings_of(mode);
    ASSERT_TRUE(settings.core && settings.bus);
    const auto corner = static_cast<std::uint32_t>(settings.core->target);
    EXPECT_LE(corner, last);
    last = corner;
    EXPECT_EQ(settings.bus, settings.core);
    const bool is_high = mode <= PerformanceMode::high_performance;
    EXPECT_EQ(settings.rpc_polling_us, is_high ? 9999u : 0u);
    EXPECT_EQ(settings.rpc_control_latency_us.has_value(), is_high);
  }
  static_assert(settings_of(PerformanceMode::burst).sleep_latency_us == 40);
  EXPECT_EQ(fmt::format("{}", PerformanceMode::burst), "burst");
  EXPECT_EQ(fmt::format("{}", PerformanceMode::extreme_power_saver), "extreme_power_saver");
  EXPECT_EQ(fmt::format("{}", PerformanceMode::llm_decode_burst), "llm_decode_burst");
  EXPECT_EQ(fmt::format("{}", PerformanceMode::llm_decode_extreme_power_saver),
            "llm_decode_extreme_power_saver");
  EXPECT_EQ(fmt::format("{}", PerformanceMode{18}), "?");
}

}  // namespace
