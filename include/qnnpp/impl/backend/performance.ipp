// Definitions of performance.hpp.
#pragma once

#include "qnnpp/backend/performance.hpp"

#include <string>

#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/core/detail/access.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

namespace detail {

/// Error for a member of the settings with a value outside its range.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE Error wrong_setting(const char* member, std::uint64_t value,
                                                          const char* range,
                                                          const std::string& library) {
  return Error::make(Errc::invalid_argument, name_of(c_api::Slot::perf_set_power_config), library,
                     std::string(member) + " is " + std::to_string(value) + "; give " + range);
}

/// Checks a mode before any C call.
[[nodiscard]] QNNPP_INLINE Result<void> check_mode(PerformanceMode mode,
                                                   const std::string& library) {
  if (mode <= PerformanceMode::extreme_power_saver) return {};
  return fail(wrong_setting("mode", static_cast<std::uint64_t>(mode),
                            "an enumerator of PerformanceMode", library));
}

/// Whether a corner is one of those of bus and core.
[[nodiscard]] constexpr bool is_corner(VoltageCorner corner) noexcept {
  switch (corner) {
    using enum c_api::HtpPerfInfrastructureVoltageCorner;
    case disable:
    case min_voltage_corner:
    case svs2:
    case svs:
    case svs_plus:
    case nom:
    case nom_plus:
    case turbo:
    case turbo_plus:
    case turbo_l2:
    case turbo_l3:
    case turbo_l4:
    case turbo_l5:
    case max_voltage_corner: return true;
    case unknown: break;
  }
  return false;
}

/// Whether a corner is one of those of the matrix unit.
[[nodiscard]] constexpr bool is_corner(HmxVoltageCorner corner) noexcept {
  switch (corner) {
    using enum c_api::HtpPerfInfrastructureExpVoltageCorner;
    case disable:
    case min:
    case low_svs_d2:
    case low_svs_d1:
    case low_svs:
    case low_svs_l0:
    case svs:
    case svs_l0:
    case svs_l1:
    case svs_l2:
    case nom:
    case nom_l1:
    case nom_l2:
    case tur:
    case tur_l1:
    case tur_l2:
    case tur_l3:
    case max: return true;
    case unknown: break;
  }
  return false;
}

/// Whether a mode is one of those of scaling.
[[nodiscard]] constexpr bool is_power_mode(PowerMode mode) noexcept {
  switch (mode) {
    using enum c_api::HtpPerfInfrastructurePowerMode;
    case adjust_up_down:
    case adjust_only_up:
    case power_saver_mode:
    case power_saver_aggressive_mode:
    case performance_mode:
    case duty_cycle_mode: return true;
    case unknown: break;
  }
  return false;
}

/// Names of the three corners of a vote, for errors.
struct CornerNames {
  const char* min;
  const char* target;
  const char* max;
};

/// Checks that three corners exist, and that those that are not `disable` ascend.
template <class Corner>
[[nodiscard]] Result<void> check_corners(const std::optional<Corners<Corner>>& corners,
                                         const CornerNames& names, const std::string& library) {
  if (!corners) return {};
  const auto wrong = [&](const char* member, Corner value, const char* range) {
    return fail(wrong_setting(member, static_cast<std::uint64_t>(value), range, library));
  };
  const auto [min, target, max] = *corners;
  constexpr const char* known = "an enumerator of the corners, except unknown";
  if (!is_corner(min)) return wrong(names.min, min, known);
  if (!is_corner(target)) return wrong(names.target, target, known);
  if (!is_corner(max)) return wrong(names.max, max, known);
  const auto is_below = [](Corner low, Corner high) {
    return low != Corner::disable && high != Corner::disable && low < high;
  };
  if (is_below(target, min)) return wrong(names.target, target, "a corner from min to max");
  if (is_below(max, target)) return wrong(names.max, max, "a corner that is not below target");
  if (is_below(max, min)) return wrong(names.max, max, "a corner that is not below min");
  return {};
}

/// Error for a setting without the other setting that it needs.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE Error lacking_setting(const char* needs,
                                                            const std::string& library) {
  return Error::make(Errc::invalid_argument, name_of(c_api::Slot::perf_set_power_config), library,
                     needs);
}

/// Checks settings before any C call.
[[nodiscard]] QNNPP_INLINE Result<void> check_settings(const PerformanceSettings& settings,
                                                       const std::string& library) {
  const auto wrong = [&](const char* member, std::uint64_t value, const char* range) {
    return fail(wrong_setting(member, value, range, library));
  };
  if (const auto& dcvs = settings.dcvs) {
    if (!is_power_mode(dcvs->power_mode))
      return wrong("dcvs.power_mode", static_cast<std::uint64_t>(dcvs->power_mode),
                   "an enumerator of PowerMode, except unknown");
    if (dcvs->sleep_latency_us && (*dcvs->sleep_latency_us < 10 || *dcvs->sleep_latency_us > 65535))
      return wrong("dcvs.sleep_latency_us", *dcvs->sleep_latency_us, "10 to 65535");
    QNNPP_TRY(
        check_corners(dcvs->bus, {"dcvs.bus.min", "dcvs.bus.target", "dcvs.bus.max"}, library));
    QNNPP_TRY(
        check_corners(dcvs->core, {"dcvs.core.min", "dcvs.core.target", "dcvs.core.max"}, library));
  }
  if (const auto& hmx = settings.hmx) {
    if (!settings.dcvs)
      return fail(lacking_setting("hmx needs a DCVS vote of the same id; set dcvs too", library));
    if (hmx->clock != HmxClock::high && hmx->clock != HmxClock::low)
      return wrong("hmx.clock", static_cast<std::uint64_t>(hmx->clock), "high or low");
    QNNPP_TRY(check_corners(hmx->corners,
                            {"hmx.corners.min", "hmx.corners.target", "hmx.corners.max"}, library));
  }
  if (settings.ddr_mode) {
    constexpr auto highest = Corners<VoltageCorner>::at(VoltageCorner::max_voltage_corner);
    if (!settings.dcvs || settings.dcvs->bus != highest)
      return fail(lacking_setting(
          "ddr_mode needs a DCVS vote of the same id with the bus at its highest corner; set "
          "dcvs.bus to max_voltage_corner",
          library));
  }
  if (settings.rpc_polling_us && *settings.rpc_polling_us > most_rpc_polling_us)
    return wrong("rpc_polling_us", *settings.rpc_polling_us, "less than 10000");
  if (settings.adaptive_polling_us.value_or(0) != 0 && settings.rpc_polling_us.value_or(0) == 0)
    return fail(
        lacking_setting("adaptive_polling_us needs polling; set rpc_polling_us too", library));
  if (settings.hmx_timeout_us && (*settings.hmx_timeout_us < least_hmx_timeout_us ||
                                  *settings.hmx_timeout_us > most_hmx_timeout_us))
    return wrong("hmx_timeout_us", *settings.hmx_timeout_us, "100 to 1000000");
  return {};
}

/// Writes three corners into the members of the C struct.
template <class Corner>
void put(const Corners<Corner>& corners, Corner& min, Corner& target, Corner& max) noexcept {
  min = corners.min;
  target = corners.target;
  max = corners.max;
}

/// The C struct of a DCVS vote of the power configuration `id`.
[[nodiscard]] QNNPP_INLINE c_api::HtpPerfInfrastructurePowerConfig dcvs_config(
    const DcvsVote& vote, std::uint32_t id) noexcept {
  c_api::HtpPerfInfrastructurePowerConfig config = {};
  config.option = c_api::HtpPerfInfrastructurePowerConfigOption::dcvs_v3;
  c_api::HtpPerfInfrastructureDcvsV3& dcvs = config.dcvs_v3_config;
  dcvs = {};
  dcvs.context_id = id;
  dcvs.set_dcvs_enable = vote.scaling.has_value();
  dcvs.dcvs_enable = vote.scaling.value_or(false);
  dcvs.power_mode = vote.power_mode;
  dcvs.set_sleep_latency = vote.sleep_latency_us.has_value();
  dcvs.sleep_latency = vote.sleep_latency_us.value_or(0);
  dcvs.set_sleep_disable = vote.sleep_disabled.has_value();
  dcvs.sleep_disable = vote.sleep_disabled.value_or(false);
  constexpr auto none = Corners<VoltageCorner>::at(VoltageCorner::disable);
  dcvs.set_bus_params = vote.bus.has_value();
  put(vote.bus.value_or(none), dcvs.bus_voltage_corner_min, dcvs.bus_voltage_corner_target,
      dcvs.bus_voltage_corner_max);
  dcvs.set_core_params = vote.core.has_value();
  put(vote.core.value_or(none), dcvs.core_voltage_corner_min, dcvs.core_voltage_corner_target,
      dcvs.core_voltage_corner_max);
  return config;
}

/// The C struct of a vote for the matrix unit.
[[nodiscard]] QNNPP_INLINE c_api::HtpPerfInfrastructurePowerConfig hmx_config(
    const HmxVote& vote) noexcept {
  c_api::HtpPerfInfrastructurePowerConfig config = {};
  config.option = c_api::HtpPerfInfrastructurePowerConfigOption::hmx_v2;
  c_api::HtpPerfInfrastructureHmxV2& hmx = config.hmx_v2_config;
  hmx = {};
  hmx.hmx_pick_default = !vote.corners.has_value();
  put(vote.corners.value_or(Corners<HmxVoltageCorner>::at(HmxVoltageCorner::disable)),
      hmx.hmx_voltage_corner_min, hmx.hmx_voltage_corner_target, hmx.hmx_voltage_corner_max);
  hmx.hmx_perf_mode = vote.clock;
  return config;
}

/// The backend's performance functions. Errors: `slot_missing`, `slot_null`, `qnn`;
/// `capability_missing` for an infrastructure of another kind.
[[nodiscard]] QNNPP_INLINE Result<const c_api::HtpDevicePerfInfrastructure*> performance_functions(
    const BackendBlock& backend) {
  constexpr const char* step = name_of(c_api::Slot::device_get_infrastructure);
  const auto get = backend.provider.find<&c_api::InterfaceTable::device_get_infrastructure>();
  if (!get) return fail(get.error());
  const std::uint64_t logged = error_lines->count();
  c_api::DeviceInfrastructure infrastructure = nullptr;
  if (auto got = check((*get)(&infrastructure), step, backend.library.path()); !got)
    return fail(with_log(std::move(got).error(), logged));
  const auto* const htp = reinterpret_cast<const c_api::HtpDeviceInfrastructure*>(infrastructure);
  if (htp == nullptr || htp->infra_type != c_api::HtpDeviceInfrastructureType::perf)
    return fail(Error::make(Errc::capability_missing, step, backend.library.path(),
                            "the backend has no performance functions"));
  const c_api::HtpDevicePerfInfrastructure& functions = htp->perf_infra;
  const auto missing = [&](c_api::Slot slot) {
    return fail(Error::make(Errc::slot_null, name_of(slot), backend.library.path()));
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
  QNNPP_EXPECTS(block, detail::moved_backend);
  QNNPP_TRY(detail::check_mode(mode, block->library.path()));
  return vote(block, settings_of(mode), core);
}

QNNPP_INLINE Result<Performance> Performance::vote(const Backend<Htp>& backend,
                                                   const PerformanceSettings& settings, Core core) {
  const Ref<detail::BackendBlock>& block = detail::Access::block(backend);
  QNNPP_EXPECTS(block, detail::moved_backend);
  return vote(block, settings, core);
}

QNNPP_INLINE Result<Performance> Performance::vote(const Ref<detail::BackendBlock>& backend,
                                                   const PerformanceSettings& settings, Core core) {
  const std::string& library = backend->library.path();
  QNNPP_TRY(detail::check_settings(settings, library));
  if (backend->restart_log->has_ended())
    return fail(backend->after_exit(name_of(c_api::Slot::device_get_infrastructure)));
  const auto functions = detail::performance_functions(*backend);
  if (!functions) return fail(functions.error());
  const auto epoch = detail::Epoch::of_new_context(*backend->restart_log);
  const std::uint64_t logged = detail::error_lines->count();
  const std::uint64_t created = epoch.contexts_created();
  std::uint32_t id = 0;
  const std::uint64_t native = (*functions)->create_power_config_id(core.device, core.core, &id);
  epoch.record(native, created);
  if (auto made = check(native, name_of(c_api::Slot::perf_create_power_config_id), library);
      !made) {
    Error error = std::move(made).error();
    error.detail = "device " + std::to_string(core.device) + ", core " + std::to_string(core.core);
    return fail(detail::with_log(std::move(error), logged));
  }
  Performance performance({backend, *functions, id, epoch}, settings, core);
  QNNPP_TRY(performance.set_all());
  return performance;
}

QNNPP_INLINE Result<void> Performance::change(PerformanceMode mode) {
  QNNPP_EXPECTS(power_, detail::moved_performance);
  QNNPP_TRY(detail::check_mode(mode, power_.get().backend->library.path()));
  return change(settings_of(mode));
}

QNNPP_INLINE Result<void> Performance::change(const PerformanceSettings& settings) {
  QNNPP_EXPECTS(power_, detail::moved_performance);
  QNNPP_LET(next, vote(power_.get().backend, settings, core_));
  std::swap(*this, *next);
  return (*std::move(next)).close();
}

QNNPP_INLINE Result<void> Performance::set(const char* name,
                                           const c_api::HtpPerfInfrastructurePowerConfig& config) {
  const c_api::HtpPerfInfrastructurePowerConfig* list[] = {&config, nullptr};
  const std::uint64_t logged = detail::error_lines->count();
  const detail::PowerPolicy::Value& power = power_.get();
  const std::uint64_t created = power.epoch.contexts_created();
  const std::uint64_t native = power.functions->set_power_config(power.id, list);
  if (is_success(native)) return {};
  power.epoch.record(native, created);
  using enum c_api::HtpPerfInfrastructureError;
  const std::uint16_t code = c_api::code_of(native);
  if (code == c_api::code_of(unsupported) || code == c_api::code_of(unsupported_config)) {
    add_refused(name, code);
    return {};
  }
  Error error = Error::from_qnn(native, name_of(c_api::Slot::perf_set_power_config),
                                power.backend->library.path());
  error.detail = std::string("setting ") + name;
  return fail(detail::with_log(std::move(error), logged));
}

QNNPP_INLINE Result<void> Performance::set_all() {
  using Config = c_api::HtpPerfInfrastructurePowerConfig;
  using enum c_api::HtpPerfInfrastructurePowerConfigOption;
  // Each setting has a call of its own, because one that the device does not have fails the whole
  // call. HMX and DDR mode count only after a DCVS vote of the same id.
  Result<void> done;
  if (settings_.dcvs) done = set("DCVS", detail::dcvs_config(*settings_.dcvs, power_.get().id));
  const bool has_dcvs = refused_count_ == 0;
  const auto set_after_dcvs = [&](const char* name, const Config& config) {
    if (!done) return;
    if (has_dcvs)
      done = set(name, config);
    else
      add_refused(name, refused_[0].code);
  };
  const auto number = [](c_api::HtpPerfInfrastructurePowerConfigOption option,
                         std::uint32_t Config::* member, std::uint32_t value) {
    Config config = {};
    config.option = option;
    config.*member = value;
    return config;
  };
  if (settings_.hmx) set_after_dcvs("HMX", detail::hmx_config(*settings_.hmx));
  if (settings_.ddr_mode)
    set_after_dcvs("DDR mode",
                   number(ddr_perf_mode, &Config::ddr_perf_mode_config, *settings_.ddr_mode));
  const auto set_number =
      [&](const char* name, c_api::HtpPerfInfrastructurePowerConfigOption option,
          std::uint32_t Config::* member, const std::optional<std::uint32_t>& value) {
        if (done && value) done = set(name, number(option, member, *value));
      };
  set_number("HMX timeout", hmx_timeout_interval_us, &Config::hmx_timeout_interval_us_config,
             settings_.hmx_timeout_us);
  set_number("RPC control latency", rpc_control_latency, &Config::rpc_control_latency_config,
             settings_.rpc_control_latency_us);
  set_number("RPC polling", rpc_polling_time, &Config::rpc_polling_time_config,
             settings_.rpc_polling_us);
  set_number("adaptive polling", adaptive_polling_time, &Config::adaptive_polling_time_config,
             settings_.adaptive_polling_us);
  return done;
}

QNNPP_INLINE Result<void> Performance::close() && {
  QNNPP_EXPECTS(power_, detail::moved_performance);
  const Ref<detail::BackendBlock> backend = power_.get().backend;
  const std::uint64_t logged = detail::error_lines->count();
  auto closed = check(power_.close(), name_of(c_api::Slot::perf_destroy_power_config_id),
                      backend->library.path());
  if (!closed) return fail(detail::with_log(std::move(closed).error(), logged));
  return closed;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
