// Ways to devices and their power: the platform, options of the device, and votes.
#pragma once

#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/backend/performance.hpp"

#include "flow/ways.hpp"

namespace flow {

/// Loads a backend with options of its device and executes the graphs of the first binary.
inline std::string execute_on(Tools& t, DeviceOptions options) {
  const auto backend =
      must(Backend<Htp>::load({.library = t.given.htp, .device = std::move(options)}));
  execute_all(must(Context<Finalized>::restore(backend, t.binary())), t.rpcmem());
  return {};
}

/// Votes, executes the graphs of the first binary, and returns what the device refused.
inline std::string execute_under(Tools& t, const PerformanceSettings& settings) {
  const auto vote = must(Performance::vote(t.backend(), settings));
  execute_all(must(Context<Finalized>::restore(t.backend(), t.binary())), t.rpcmem());
  std::string refused;
  for (const Error& each : vote.refused())
    refused += std::string(refused.empty() ? "without " : ", ") + each.object;
  return refused;
}

inline void add_device_ways(Ways& ways) {
  ways.push_back({"device.platform", [](Tools& t) {
                    const auto platform = must(t.backend().platform_info());
                    const auto chip = t.backend().chip();
                    const bool is_same =
                        !platform.empty() && chip && chip->soc_model == platform.front().soc_model;
                    return std::string(is_same ? "" : "another chip");
                  }});
  ways.push_back({"device.soc_model", [](Tools& t) { return execute_on(t, {.soc_model = 57}); }});
  ways.push_back(
      {"device.unknown_soc_model", [](Tools& t) { return execute_on(t, {.soc_model = 4711}); }});
  ways.push_back(
      {"device.arch", [](Tools& t) { return execute_on(t, {.arch = c_api::HtpDeviceArch::v68}); }});
  ways.push_back({"device.unsigned_process_domain", [](Tools& t) {
                    return execute_on(t, {.process_domain = ProcessDomainKind::unsigned_});
                  }});
  ways.push_back({"device.signed_process_domain", [](Tools& t) {
                    return execute_on(t, {.process_domain = ProcessDomainKind::signed_});
                  }});
  ways.push_back({"device.secure_process_domain", [](Tools& t) {
                    return execute_on(t, {.process_domain = ProcessDomainKind::secure});
                  }});
  ways.push_back({"device.platform_of_its_own", [](Tools& t) {
                    auto platform = must(must(t.load()).platform_info());
                    return execute_on(t, {.platform = std::move(platform)});
                  }});
  ways.push_back({"device.first_device_only", [](Tools& t) {
                    auto platform = must(must(t.load()).platform_info());
                    platform.resize(1);
                    return execute_on(t, {.platform = std::move(platform)});
                  }});
}

inline void add_power_ways(Ways& ways) {
  ways.push_back({"power.each_mode", [](Tools& t) {
                    for (auto mode = PerformanceMode::burst;
                         mode <= PerformanceMode::extreme_power_saver;
                         mode = static_cast<PerformanceMode>(static_cast<int>(mode) + 1))
                      must(must(Performance::vote(t.backend(), mode)).close());
                    return std::string();
                  }});
  ways.push_back({"power.around_executions",
                  [](Tools& t) { return execute_under(t, settings_of(PerformanceMode::burst)); }});
  ways.push_back({"power.changed", [](Tools& t) {
                    auto vote = must(Performance::vote(t.backend(), PerformanceMode::burst));
                    must(vote.change(PerformanceMode::power_saver));
                    must(vote.change({.rpc_polling_us = 100}));
                    must(std::move(vote).close());
                    return std::string();
                  }});
  ways.push_back({"power.every_setting_but_hmx_and_ddr_mode", [](Tools& t) {
                    PerformanceSettings settings = settings_of(PerformanceMode::balanced);
                    settings.sleep_disabled = true;
                    settings.rpc_control_latency_us = 100;
                    settings.rpc_polling_us = 9999;
                    settings.adaptive_polling_us = 1000;
                    settings.hmx_timeout_us = 300'000;
                    return execute_under(t, settings);
                  }});
  ways.push_back({"power.hmx", [](Tools& t) {
                    PerformanceSettings settings = settings_of(PerformanceMode::burst);
                    settings.hmx = Corners<HmxVoltageCorner>::at(HmxVoltageCorner::tur);
                    return execute_under(t, settings);
                  }});
  ways.push_back({"power.hmx_default", [](Tools& t) {
                    PerformanceSettings settings = settings_of(PerformanceMode::burst);
                    settings.hmx_clock = HmxClock::high;
                    return execute_under(t, settings);
                  }});
  ways.push_back({"power.ddr_mode", [](Tools& t) {
                    PerformanceSettings settings = settings_of(PerformanceMode::burst);
                    settings.ddr_mode = 1;
                    return execute_under(t, settings);
                  }});
  ways.push_back({"power.two_votes", [](Tools& t) {
                    const auto high = must(Performance::vote(t.backend(), PerformanceMode::burst));
                    const auto low =
                        must(Performance::vote(t.backend(), PerformanceMode::power_saver));
                    return std::string(high.id() == low.id() ? "one id" : "");
                  }});
  ways.push_back({"power.four_threads", [](Tools& t) {
                    const auto& backend = t.backend();
                    std::vector<Result<void>> done(4);
                    std::vector<std::thread> threads;
                    for (auto& each : done)
                      threads.emplace_back([&backend, &each] {
                        auto vote = Performance::vote(backend, PerformanceMode::burst);
                        if (vote)
                          each = std::move(*vote).close();
                        else
                          each = fail(std::move(vote).error());
                      });
                    for (std::thread& thread : threads) thread.join();
                    for (auto& each : done) must(std::move(each));
                    return std::string();
                  }});
  ways.push_back({"power.held_longer_than_the_backend_object", [](Tools& t) {
                    auto vote = must(Performance::vote(must(t.load()), PerformanceMode::burst));
                    must(vote.change(PerformanceMode::balanced));
                    must(std::move(vote).close());
                    return std::string();
                  }});
  ways.push_back({"power.no_such_core", [](Tools& t) {
                    (void)must(Performance::vote(t.backend(), PerformanceMode::burst, {0, 1}));
                    return std::string();
                  }});
  ways.push_back({"power.value_outside_its_range",
                  [](Tools& t) { return execute_under(t, {.rpc_polling_us = 10'000}); }});
}

}  // namespace flow
