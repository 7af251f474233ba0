// Definitions of performance.hpp.
#pragma once

#include "qnnpp/backend/performance.hpp"

#include <initializer_list>
#include <string>

#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/core/detail/access.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

/// Error for a member of the settings with a value outside its range.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE Error wrong_setting(
    const std::string& member, std::uint64_t value, const char* range, const std::string& library) {
  return Error::make(Errc::invalid_argument, name_of(c_api::Slot::perf_set_power_config), library,
                     {member, " is ", value, "; give ", range});
}

/// Checks a mode before any vote. A chip that the backend does not report is not checked.
[[nodiscard]] QNNPP_INLINE Result<void> check_mode(PerformanceMode mode,
                                                   const BackendBlock& backend) {
  const std::string& library = backend.library.path();
  if (mode > PerformanceMode::llm_decode_extreme_power_saver)
    return fail(wrong_setting("mode", static_cast<std::uint64_t>(mode),
                              "an enumerator of PerformanceMode", library));
  if (!is_llm_decode(mode)) return {};
  const std::optional<DeviceInfo> chip = backend.chip();
  if (!chip || chip->arch == c_api::HtpDeviceArch::none || chip->arch >= c_api::HtpDeviceArch::v79)
    return {};
  return fail(
      Error::make(Errc::capability_missing, name_of(c_api::Slot::perf_set_power_config), library,
                  {"the modes for decoding need a chip from v79 on, and this one is v",
                   static_cast<std::uint32_t>(chip->arch), "; use a mode without llm_decode"}));
}

template <class Enum>
[[nodiscard]] constexpr bool is_one_of(Enum value, std::initializer_list<Enum> all) noexcept {
  for (const Enum each : all)
    if (each == value) return true;
  return false;
}

/// Whether a corner is one of those of bus and core.
[[nodiscard]] constexpr bool is_corner(VoltageCorner corner) noexcept {
  using enum c_api::HtpPerfInfrastructureVoltageCorner;
  return is_one_of(
      corner, {disable, min_voltage_corner, svs2, svs, svs_plus, nom, nom_plus, turbo, turbo_plus,
               turbo_l2, turbo_l3, turbo_l4, turbo_l5, max_voltage_corner});
}

/// Whether a corner is one of those of the matrix unit and of the expanded votes.
[[nodiscard]] constexpr bool is_corner(HmxVoltageCorner corner) noexcept {
  using enum c_api::HtpPerfInfrastructureExpVoltageCorner;
  return is_one_of(corner, {disable,
                            min,
                            min_svs,
                            low_svs_d3,
                            low_svs_d2_1,
                            low_svs_d2,
                            low_svs_d1_1,
                            low_svs_d1,
                            low_svs_d0,
                            low_svs,
                            low_svs_p1,
                            low_svs_l0,
                            low_svs_l1,
                            low_svs_l2,
                            svs,
                            svs_l0,
                            svs_l1,
                            svs_l2,
                            nom,
                            nom_l0,
                            nom_l1,
                            nom_l2,
                            tur,
                            tur_l0,
                            tur_l1,
                            tur_l2,
                            tur_l3,
                            tur_l4,
                            tur_l5,
                            super_turbo,
                            super_turbo_no_cpr,
                            max});
}

/// Whether a mode is one of those of scaling.
[[nodiscard]] constexpr bool is_power_mode(PowerMode mode) noexcept {
  using enum c_api::HtpPerfInfrastructurePowerMode;
  return is_one_of(mode, {adjust_up_down, adjust_only_up, power_saver_mode,
                          power_saver_aggressive_mode, performance_mode, duty_cycle_mode});
}

/// Checks that the three corners of `member` exist, and that those that are not `disable` ascend.
template <class Corner>
[[nodiscard]] Result<void> check_corners(const std::optional<Corners<Corner>>& corners,
                                         const std::string& member, const std::string& library) {
  if (!corners) return {};
  const auto wrong = [&](const char* limit, Corner value, const char* range) {
    return fail(wrong_setting(member + limit, static_cast<std::uint64_t>(value), range, library));
  };
  const auto [min, target, max] = *corners;
  constexpr const char* known = "an enumerator of the corners, except unknown";
  if (!is_corner(min)) return wrong(".min", min, known);
  if (!is_corner(target)) return wrong(".target", target, known);
  if (!is_corner(max)) return wrong(".max", max, known);
  const auto is_below = [](Corner low, Corner high) {
    return low != Corner::disable && high != Corner::disable && low < high;
  };
  if (is_below(max, min)) return wrong(".min", min, "a corner that is not above max");
  if (is_below(target, min)) return wrong(".target", target, "a corner from min to max");
  if (is_below(max, target)) return wrong(".max", max, "a corner that is not below target");
  return {};
}

/// Checks the expanded corners before any C call.
[[nodiscard]] QNNPP_INLINE Result<void> check_expanded(const PerformanceSettings& settings,
                                                       const std::string& library) {
  const ExpandedCorners& expanded = settings.expanded;
  const bool votes_dcvs = expanded.bus || expanded.core;
  if (votes_dcvs && (expanded.bus.has_value() != settings.bus.has_value() ||
                     expanded.core.has_value() != settings.core.has_value()))
    return fail(Errc::invalid_argument, name_of(c_api::Slot::perf_set_power_config), library,
                "an expanded vote needs bus and core expanded and not expanded alike, for chips "
                "that have no expanded votes; give each of the two both ways or not at all");
  if (votes_dcvs && !settings.scaling.value_or(true))
    return fail(Errc::invalid_argument, name_of(c_api::Slot::perf_set_power_config), library,
                "an expanded vote scales; set scaling to true");
  if (expanded.ceng && !settings.ceng)
    return fail(Errc::invalid_argument, name_of(c_api::Slot::perf_set_power_config), library,
                "expanded.ceng needs ceng, for chips that have no expanded votes; give ceng too");
  QNNPP_TRY(check_corners(expanded.bus, "expanded.bus", library));
  QNNPP_TRY(check_corners(expanded.core, "expanded.core", library));
  QNNPP_TRY(check_corners(expanded.ceng, "expanded.ceng", library));
  for (const HmxClock clock : {expanded.bus_clock, expanded.core_clock, expanded.ceng_clock})
    if (clock > HmxClock::high_d15)
      return fail(wrong_setting("a clock of expanded", static_cast<std::uint64_t>(clock),
                                "high to high_d15, or low", library));
  return {};
}

/// Checks settings before any C call.
[[nodiscard]] QNNPP_INLINE Result<void> check_settings(const PerformanceSettings& settings,
                                                       const std::string& library) {
  const auto wrong = [&](const char* member, std::uint64_t value, const char* range) {
    return fail(wrong_setting(member, value, range, library));
  };
  /// Error for a setting without the other setting that it needs.
  const auto lacking = [&](const char* needs) {
    return fail(Errc::invalid_argument, name_of(c_api::Slot::perf_set_power_config), library,
                needs);
  };
  if (settings.power_mode && !is_power_mode(*settings.power_mode))
    return wrong("power_mode", static_cast<std::uint64_t>(*settings.power_mode),
                 "an enumerator of PowerMode, except unknown");
  if (const auto us = settings.sleep_latency_us; us && (*us < 10 || *us > 65535))
    return wrong("sleep_latency_us", *us, "10 to 65535");
  QNNPP_TRY(check_corners(settings.bus, "bus", library));
  QNNPP_TRY(check_corners(settings.core, "core", library));
  if ((settings.hmx || settings.hmx_clock) && !settings.votes_dcvs())
    return lacking("hmx needs a DCVS vote of the same id; set scaling, bus or core too");
  if (const auto clock = settings.hmx_clock.value_or(HmxClock::high);
      clock != HmxClock::high && clock != HmxClock::low)
    return wrong("hmx_clock", static_cast<std::uint64_t>(clock), "high or low");
  QNNPP_TRY(check_corners(settings.hmx, "hmx", library));
  if (settings.ceng && !settings.votes_dcvs())
    return lacking("ceng needs a DCVS vote of the same id; set scaling, bus or core too");
  if (settings.ceng_clock > HmxClock::low)
    return wrong("ceng_clock", static_cast<std::uint64_t>(settings.ceng_clock), "high or low");
  QNNPP_TRY(check_corners(settings.ceng, "ceng", library));
  QNNPP_TRY(check_expanded(settings, library));
  constexpr auto highest = Corners<HmxVoltageCorner>::at(HmxVoltageCorner::max);
  if (settings.ddr_mode &&
      (settings.bus != Corners<VoltageCorner>::at(VoltageCorner::max_voltage_corner) ||
       settings.expanded.bus.value_or(highest) != highest))
    return lacking(
        "ddr_mode needs a DCVS vote of the same id with the bus at its highest corner; set bus to "
        "max_voltage_corner");
  if (settings.rpc_polling_us && *settings.rpc_polling_us > most_rpc_polling_us)
    return wrong("rpc_polling_us", *settings.rpc_polling_us, "less than 10000");
  if (settings.adaptive_polling_us.value_or(0) != 0 && settings.rpc_polling_us.value_or(0) == 0)
    return lacking("adaptive_polling_us needs polling; set rpc_polling_us too");
  if (const auto us = settings.hmx_timeout_us;
      us && (*us < least_hmx_timeout_us || *us > most_hmx_timeout_us))
    return wrong("hmx_timeout_us", *us, "100 to 1000000");
  return {};
}

/// Writes three corners into the members of the C struct.
template <class Corner>
void put(const Corners<Corner>& corners, Corner& min, Corner& target, Corner& max) noexcept {
  min = corners.min;
  target = corners.target;
  max = corners.max;
}

/// The C struct of the DCVS vote of the power configuration `id`.
[[nodiscard]] QNNPP_INLINE c_api::HtpPerfInfrastructurePowerConfig dcvs_config(
    const PerformanceSettings& settings, std::uint32_t id) noexcept {
  c_api::HtpPerfInfrastructurePowerConfig config = {};
  config.option = c_api::HtpPerfInfrastructurePowerConfigOption::dcvs_v3;
  c_api::HtpPerfInfrastructureDcvsV3& dcvs = config.dcvs_v3_config;
  dcvs = {};
  dcvs.context_id = id;
  dcvs.set_dcvs_enable = settings.scaling.has_value();
  dcvs.dcvs_enable = settings.scaling.value_or(false);
  dcvs.power_mode = settings.power_mode.value_or(PowerMode::performance_mode);
  dcvs.set_sleep_latency = settings.sleep_latency_us.has_value();
  dcvs.sleep_latency = settings.sleep_latency_us.value_or(0);
  dcvs.set_sleep_disable = settings.sleep_disabled.has_value();
  dcvs.sleep_disable = settings.sleep_disabled.value_or(false);
  constexpr auto none = Corners<VoltageCorner>::at(VoltageCorner::disable);
  dcvs.set_bus_params = settings.bus.has_value();
  put(settings.bus.value_or(none), dcvs.bus_voltage_corner_min, dcvs.bus_voltage_corner_target,
      dcvs.bus_voltage_corner_max);
  dcvs.set_core_params = settings.core.has_value();
  put(settings.core.value_or(none), dcvs.core_voltage_corner_min, dcvs.core_voltage_corner_target,
      dcvs.core_voltage_corner_max);
  return config;
}

/// The C struct of the expanded DCVS vote of the power configuration `id`.
[[nodiscard]] QNNPP_INLINE c_api::HtpPerfInfrastructurePowerConfig expanded_dcvs_config(
    const PerformanceSettings& settings, std::uint32_t id) noexcept {
  c_api::HtpPerfInfrastructurePowerConfig config = {};
  config.option = c_api::HtpPerfInfrastructurePowerConfigOption::dcvs_v3_exp;
  c_api::HtpPerfInfrastructureDcvsV3Exp& dcvs = config.dcvs_v3_exp_config;
  dcvs = {};
  dcvs.context_id = id;
  dcvs.power_mode = settings.power_mode.value_or(PowerMode::performance_mode);
  dcvs.set_sleep_latency = settings.sleep_latency_us.has_value();
  dcvs.sleep_latency = settings.sleep_latency_us.value_or(0);
  dcvs.set_sleep_disable = settings.sleep_disabled.has_value();
  dcvs.sleep_disable = settings.sleep_disabled.value_or(false);
  const ExpandedCorners& expanded = settings.expanded;
  constexpr auto none = Corners<HmxVoltageCorner>::at(HmxVoltageCorner::disable);
  dcvs.set_bus_params = expanded.bus.has_value();
  put(expanded.bus.value_or(none), dcvs.bus_voltage_corner_min, dcvs.bus_voltage_corner_target,
      dcvs.bus_voltage_corner_max);
  dcvs.set_core_params = expanded.core.has_value();
  put(expanded.core.value_or(none), dcvs.core_voltage_corner_min, dcvs.core_voltage_corner_target,
      dcvs.core_voltage_corner_max);
  dcvs.bus_perf_mode = expanded.bus_clock;
  dcvs.core_perf_mode = expanded.core_clock;
  return config;
}

/// The C struct of a vote for the compression engine, expanded or not: `member` and `option`.
template <class Ceng, class Corner>
[[nodiscard]] c_api::HtpPerfInfrastructurePowerConfig ceng_config(
    c_api::HtpPerfInfrastructurePowerConfigOption option,
    Ceng c_api::HtpPerfInfrastructurePowerConfig::* member, const Corners<Corner>& corners,
    HmxClock clock) noexcept {
  c_api::HtpPerfInfrastructurePowerConfig config = {};
  config.option = option;
  Ceng& ceng = config.*member;
  ceng = {};
  put(corners, ceng.ceng_voltage_corner_min, ceng.ceng_voltage_corner_target,
      ceng.ceng_voltage_corner_max);
  ceng.ceng_perf_mode = clock;
  return config;
}

/// The C struct of the vote for the matrix unit.
[[nodiscard]] QNNPP_INLINE c_api::HtpPerfInfrastructurePowerConfig hmx_config(
    const PerformanceSettings& settings) noexcept {
  c_api::HtpPerfInfrastructurePowerConfig config = {};
  config.option = c_api::HtpPerfInfrastructurePowerConfigOption::hmx_v2;
  c_api::HtpPerfInfrastructureHmxV2& hmx = config.hmx_v2_config;
  hmx = {};
  hmx.hmx_pick_default = !settings.hmx.has_value();
  put(settings.hmx.value_or(Corners<HmxVoltageCorner>::at(HmxVoltageCorner::disable)),
      hmx.hmx_voltage_corner_min, hmx.hmx_voltage_corner_target, hmx.hmx_voltage_corner_max);
  hmx.hmx_perf_mode = settings.hmx_clock.value_or(HmxClock::high);
  return config;
}

/// The backend's performance functions. Errors: `slot_missing`, `slot_null`, `qnn`;
/// `capability_missing` for an infrastructure of another kind.
[[nodiscard]] QNNPP_INLINE Result<const c_api::HtpDevicePerfInfrastructure*> performance_functions(
    const BackendBlock& backend) {
  constexpr const char* step = name_of(c_api::Slot::device_get_infrastructure);
  QNNPP_LET(get, backend.provider.find<&c_api::InterfaceTable::device_get_infrastructure>());
  const std::uint64_t logged = error_lines->count();
  c_api::DeviceInfrastructure infrastructure = nullptr;
  if (auto got = check((*get)(&infrastructure), step, backend.library.path()); !got)
    return fail(with_log(std::move(got).error(), logged));
  const auto* const htp = reinterpret_cast<const c_api::HtpDeviceInfrastructure*>(infrastructure);
  if (htp == nullptr || htp->infra_type != c_api::HtpDeviceInfrastructureType::perf)
    return fail(Errc::capability_missing, step, backend.library.path(),
                "the backend has no performance functions");
  const c_api::HtpDevicePerfInfrastructure& functions = htp->perf_infra;
  const auto missing = [&](c_api::Slot slot) {
    return fail(Errc::slot_null, name_of(slot), backend.library.path());
  };
  if (functions.create_power_config_id == nullptr)
    return missing(c_api::Slot::perf_create_power_config_id);
  if (functions.destroy_power_config_id == nullptr)
    return missing(c_api::Slot::perf_destroy_power_config_id);
  if (functions.set_power_config == nullptr) return missing(c_api::Slot::perf_set_power_config);
  return &functions;
}

}  // namespace detail

QNNPP_INLINE Result<Performance> Performance::vote(const Backend<Htp>& backend,
                                                   PerformanceMode mode, Core core) {
  const Ref<detail::BackendBlock>& block = detail::Access::block(backend);
  qnnpp::detail::expects(block, detail::moved_backend);
  QNNPP_TRY(detail::check_mode(mode, *block));
  return vote(backend, settings_of(mode), core);
}

QNNPP_INLINE Result<Performance> Performance::vote(const Backend<Htp>& backend,
                                                   const PerformanceSettings& settings, Core core) {
  const Ref<detail::BackendBlock>& block = detail::Access::block(backend);
  qnnpp::detail::expects(block, detail::moved_backend);
  QNNPP_TRY(detail::check_settings(settings, block->library.path()));
  if (core.device != 0 || core.core != 0)  // Every platform has the first core.
    QNNPP_TRY(block->check_devices(std::vector<DeviceInfo>{{.id = core.device, .cores = {core}}},
                                   "the vote", name_of(c_api::Slot::perf_create_power_config_id)));
  return vote(block, settings, core);
}

QNNPP_INLINE Result<Performance> Performance::vote(const Ref<detail::BackendBlock>& backend,
                                                   const PerformanceSettings& settings, Core core) {
  const std::string& library = backend->library.path();
  QNNPP_TRY(detail::check_settings(settings, library));
  if (backend->restart_log->has_ended())
    return fail(backend->after_exit(name_of(c_api::Slot::device_get_infrastructure)));
  QNNPP_LET(functions, detail::performance_functions(*backend));
  const auto epoch = detail::Epoch::of_new_context(*backend->restart_log);
  const std::uint64_t logged = detail::error_lines->count();
  const std::uint64_t created = epoch.contexts_created();
  std::uint32_t id = 0;
  const std::uint64_t native = (*functions)->create_power_config_id(core.device, core.core, &id);
  epoch.record(native, created);
  if (auto made = check(native, name_of(c_api::Slot::perf_create_power_config_id), library);
      !made) {
    Error error = std::move(made).error();
    error.detail = detail::joined({"device ", core.device, ", core ", core.core});
    return fail(detail::with_log(std::move(error), logged));
  }
  Performance performance({backend, *functions, id, epoch}, settings, core);
  QNNPP_TRY(performance.set_all());
  return performance;
}

QNNPP_INLINE Result<void> Performance::change(PerformanceMode mode) {
  qnnpp::detail::expects(power_, detail::moved_performance);
  QNNPP_TRY(detail::check_mode(mode, *power_.get().backend));
  return change(settings_of(mode));
}

QNNPP_INLINE Result<void> Performance::change(const PerformanceSettings& settings) {
  qnnpp::detail::expects(power_, detail::moved_performance);
  QNNPP_LET(next, vote(power_.get().backend, settings, core_));
  std::swap(*this, *next);
  return (*std::move(next)).close();
}

QNNPP_INLINE Result<bool> Performance::set(const char* name,
                                           const c_api::HtpPerfInfrastructurePowerConfig& config) {
  const c_api::HtpPerfInfrastructurePowerConfig* list[] = {&config, nullptr};
  constexpr const char* step = name_of(c_api::Slot::perf_set_power_config);
  const std::uint64_t logged = detail::error_lines->count();
  const detail::PowerPolicy::Value& power = power_.get();
  const std::uint64_t created = power.epoch.contexts_created();
  const std::uint64_t native = power.functions->set_power_config(power.id, list);
  if (is_success(native)) return true;
  power.epoch.record(native, created);
  using enum c_api::HtpPerfInfrastructureError;
  const std::uint16_t code = c_api::code_of(native);
  if (code == c_api::code_of(unsupported) || code == c_api::code_of(unsupported_config)) {
    refused_.push_back(Error::from_qnn(native, step, name));
    return false;
  }
  Error error = Error::from_qnn(native, step, power.backend->library.path());
  error.detail = detail::joined({"setting ", name});
  return fail(detail::with_log(std::move(error), logged));
}

QNNPP_INLINE Result<bool> Performance::set_dcvs() {
  if (!settings_.votes_dcvs()) return true;
  const std::uint32_t id = power_.get().id;
  if (settings_.expanded.bus || settings_.expanded.core) {
    QNNPP_LET(has, set("expanded DCVS", detail::expanded_dcvs_config(settings_, id)));
    if (*has) return true;
  }
  return set("DCVS", detail::dcvs_config(settings_, id));
}

QNNPP_INLINE Result<void> Performance::set_all() {
  using Config = c_api::HtpPerfInfrastructurePowerConfig;
  using enum c_api::HtpPerfInfrastructurePowerConfigOption;
  // Each setting has a call of its own, because one that the device does not have fails the whole
  // call. HMX, CENG and DDR mode count only after a DCVS vote of the same id.
  QNNPP_LET(has_dcvs, set_dcvs());
  const auto set_after_dcvs = [&, dcvs = refused_.size()](const char* name,
                                                          const Config& config) -> Result<bool> {
    if (*has_dcvs) return set(name, config);
    refused_.push_back(refused_[dcvs - 1]);
    refused_.back().object = name;
    return false;
  };
  const auto number = [](c_api::HtpPerfInfrastructurePowerConfigOption option,
                         std::uint32_t Config::* member, std::uint32_t value) {
    Config config = {};
    config.option = option;
    config.*member = value;
    return config;
  };
  const auto set_number = [&](const char* name,
                              c_api::HtpPerfInfrastructurePowerConfigOption option,
                              std::uint32_t Config::* member,
                              const std::optional<std::uint32_t>& value) -> Result<void> {
    if (value) QNNPP_TRY(set(name, number(option, member, *value)));
    return {};
  };
  if (settings_.hmx || settings_.hmx_clock)
    QNNPP_TRY(set_after_dcvs("HMX", detail::hmx_config(settings_)));
  bool has_ceng = !settings_.ceng;
  if (const auto& corners = settings_.expanded.ceng) {
    QNNPP_LET(has, set_after_dcvs("expanded CENG",
                                  detail::ceng_config(ceng_exp, &Config::ceng_exp_config, *corners,
                                                      settings_.expanded.ceng_clock)));
    has_ceng = *has;
  }
  if (!has_ceng)
    QNNPP_TRY(set_after_dcvs("CENG", detail::ceng_config(ceng, &Config::ceng_config,
                                                         *settings_.ceng, settings_.ceng_clock)));
  if (settings_.ddr_mode)
    QNNPP_TRY(set_after_dcvs(
        "DDR mode", number(ddr_perf_mode, &Config::ddr_perf_mode_config, *settings_.ddr_mode)));
  QNNPP_TRY(set_number("HMX timeout", hmx_timeout_interval_us,
                       &Config::hmx_timeout_interval_us_config, settings_.hmx_timeout_us));
  QNNPP_TRY(set_number("RPC control latency", rpc_control_latency,
                       &Config::rpc_control_latency_config, settings_.rpc_control_latency_us));
  QNNPP_TRY(set_number("RPC polling", rpc_polling_time, &Config::rpc_polling_time_config,
                       settings_.rpc_polling_us));
  return set_number("adaptive polling", adaptive_polling_time,
                    &Config::adaptive_polling_time_config, settings_.adaptive_polling_us);
}

QNNPP_INLINE Result<void> Performance::close() && {
  qnnpp::detail::expects(power_, detail::moved_performance);
  const Ref<detail::BackendBlock> backend = power_.get().backend;
  const std::uint64_t logged = detail::error_lines->count();
  return detail::with_log(check(power_.close(), name_of(c_api::Slot::perf_destroy_power_config_id),
                                backend->library.path()),
                          logged);
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
