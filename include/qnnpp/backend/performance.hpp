// Performance: a vote for the clocks and the sleep of the HTP, held while the object lives.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "qnnpp/abi/htp/perf.hpp"
#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/detail/epoch.hpp"
#include "qnnpp/backend/device.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/owner.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {
/// Longest time that FastRPC may poll, in microseconds.
inline constexpr std::uint32_t most_rpc_polling_us = 9'999;
/// Shortest and longest idle time of the matrix unit, in microseconds.
inline constexpr std::uint32_t least_hmx_timeout_us = 100;
inline constexpr std::uint32_t most_hmx_timeout_us = 1'000'000;
}  // namespace detail

/// Voltage corner of bus or core.
using VoltageCorner = c_api::HtpPerfInfrastructureVoltageCorner;
/// Voltage corner of the matrix unit (HMX), and of the expanded votes.
using HmxVoltageCorner = c_api::HtpPerfInfrastructureExpVoltageCorner;
/// Behaviour of dynamic clock and voltage scaling.
using PowerMode = c_api::HtpPerfInfrastructurePowerMode;
/// Clock within a corner: `high` or `low` for the matrix unit and the compression engine; the
/// expanded votes also know the steps `high_d1` to `high_d15` below `high`.
using HmxClock = c_api::HtpPerfInfrastructureClkPerfMode;

/// Limits of a vote for voltage corners, and the corner to begin with; `min <= target <= max`,
/// without the corners that are `disable`, which leave a limit or the target as it is.
template <class Corner>
struct Corners {
  Corner min;     ///< Lower limit.
  Corner target;  ///< Corner to begin with.
  Corner max;     ///< Upper limit.

  /// The same corner for all three.
  [[nodiscard]] static constexpr Corners at(Corner corner) noexcept {
    return {corner, corner, corner};
  }
  /// Compares all members.
  bool operator==(const Corners&) const = default;
};

/// Finer corners of an expanded vote, which chips from v85 on have. HTP 5.48.
struct ExpandedCorners {
  std::optional<Corners<HmxVoltageCorner>> bus = {};   ///< Corners of the bus.
  std::optional<Corners<HmxVoltageCorner>> core = {};  ///< Corners of the core.
  std::optional<Corners<HmxVoltageCorner>> ceng = {};  ///< Corners of the compression engine.
  HmxClock bus_clock = HmxClock::high;                 ///< Clock of the bus within its corner.
  HmxClock core_clock = HmxClock::high;                ///< Clock of the core within its corner.
  HmxClock ceng_clock = HmxClock::high;                ///< Clock of the compression engine.
  /// Compares all members.
  bool operator==(const ExpandedCorners&) const = default;
};

/// Settings of a vote. What is empty is not voted for. The HTP library checks almost none of the
/// values, so Performance does.
///
/// The members up to `core` make one vote for the DSP, the DCVS vote
/// (QnnHtpPerfInfrastructure_DcvsV3_t); `hmx` and `hmx_clock` one for the matrix unit
/// (QnnHtpPerfInfrastructure_HmxV2_t), `ceng` and `ceng_clock` one for the compression engine
/// (QnnHtpPerfInfrastructure_Ceng_t), which chips from v75 on have.
struct PerformanceSettings {
  /// Whether the DSP may scale its clocks between the limits; `false` asks for the target corners.
  std::optional<bool> scaling = {};
  /// Behaviour of scaling; performance_mode for a DCVS vote without it. The DSP ignores it unless
  /// `scaling` is true, except duty_cycle_mode.
  std::optional<PowerMode> power_mode = {};
  /// Longest time to wake up, in microseconds: 10 to 65535. A short time keeps the DSP awake.
  std::optional<std::uint32_t> sleep_latency_us = {};
  /// Whether low-power modes are off.
  std::optional<bool> sleep_disabled = {};
  /// Corners of the bus.
  std::optional<Corners<VoltageCorner>> bus = {};
  /// Corners of the core.
  std::optional<Corners<VoltageCorner>> core = {};
  /// Corners of the matrix unit; without them, `hmx_clock` makes the default vote. Requires a DCVS
  /// vote.
  std::optional<Corners<HmxVoltageCorner>> hmx = {};
  /// Clock of the matrix unit within its corner; the highest for a vote without it. Requires a DCVS
  /// vote.
  std::optional<HmxClock> hmx_clock = {};
  /// Corners of the compression engine. Requires a DCVS vote. HTP 5.45.
  std::optional<Corners<VoltageCorner>> ceng = {};
  /// Clock of the compression engine within its corner. Requires `ceng`.
  HmxClock ceng_clock = HmxClock::high;
  /// Finer corners, voted for instead of those of the same name. Each needs its namesake: a chip
  /// without expanded votes is voted for by that one. Expanded corners of bus or core need scaling.
  ExpandedCorners expanded = {};
  /// Target latency of FastRPC on the CPU in microseconds.
  std::optional<std::uint32_t> rpc_control_latency_us = {};
  /// Time that FastRPC polls for an answer before it sleeps, in microseconds: 0 to 9999.
  std::optional<std::uint32_t> rpc_polling_us = {};
  /// Shortest execution for which polling is adaptive, in microseconds: FastRPC sleeps and polls
  /// only at its end. Requires `rpc_polling_us`. HTP 5.30.
  std::optional<std::uint32_t> adaptive_polling_us = {};
  /// Idle time after which the matrix unit is switched off, in microseconds: 100 to 1000000.
  std::optional<std::uint32_t> hmx_timeout_us = {};
  /// Mode of the memory bus. Requires `bus` at max_voltage_corner. HTP 5.43.
  std::optional<std::uint32_t> ddr_mode = {};

  /// Whether any setting of the DCVS vote is set.
  [[nodiscard]] constexpr bool votes_dcvs() const noexcept {
    return scaling || power_mode || sleep_latency_us || sleep_disabled || bus || core;
  }
  /// Compares all members.
  bool operator==(const PerformanceSettings&) const = default;
};

/// Known settings, from the fastest to the most economical, for any graph and again for the
/// decoding of a language model. docs/power.md has their values.
enum class PerformanceMode : std::uint8_t {
  burst,                       ///< Highest clocks, for short work.
  sustained_high_performance,  ///< High clocks, for long work.
  high_performance,            ///< As sustained_high_performance.
  balanced,
  low_balanced,
  high_power_saver,
  power_saver,
  low_power_saver,
  extreme_power_saver,
  // For graphs that decode one token, on chips from v79 on.
  llm_decode_burst,
  llm_decode_sustained_high_performance,
  llm_decode_high_performance,
  llm_decode_balanced,
  llm_decode_low_balanced,  ///< As llm_decode_balanced.
  llm_decode_high_power_saver,
  llm_decode_power_saver,
  llm_decode_low_power_saver,
  llm_decode_extreme_power_saver,
};

namespace detail {

/// Whether a mode is for the decoding of a language model.
[[nodiscard]] constexpr bool is_llm_decode(PerformanceMode mode) noexcept {
  return mode >= PerformanceMode::llm_decode_burst &&
         mode <= PerformanceMode::llm_decode_extreme_power_saver;
}

/// Corners of a mode for decoding: of the bus, the core, the matrix unit and the compression
/// engine.
struct DecodeCorners {
  VoltageCorner bus;
  VoltageCorner core;
  HmxVoltageCorner hmx;
  VoltageCorner ceng;
};

/// The corners of the modes for decoding, in the order of the modes.
inline constexpr DecodeCorners decode_corners[] = {
    {VoltageCorner::max_voltage_corner, VoltageCorner::max_voltage_corner, HmxVoltageCorner::svs_l1,
     VoltageCorner::turbo_plus},
    {VoltageCorner::turbo_plus, VoltageCorner::nom, HmxVoltageCorner::low_svs_d1,
     VoltageCorner::nom},
    {VoltageCorner::turbo, VoltageCorner::svs_plus, HmxVoltageCorner::low_svs_d1,
     VoltageCorner::nom},
    {VoltageCorner::nom, VoltageCorner::svs_plus, HmxVoltageCorner::disable, VoltageCorner::nom},
    {VoltageCorner::nom, VoltageCorner::svs_plus, HmxVoltageCorner::disable, VoltageCorner::nom},
    {VoltageCorner::nom, VoltageCorner::svs, HmxVoltageCorner::disable, VoltageCorner::svs_plus},
    {VoltageCorner::svs_plus, VoltageCorner::svs2, HmxVoltageCorner::disable, VoltageCorner::svs},
    {VoltageCorner::svs2, VoltageCorner::disable, HmxVoltageCorner::disable, VoltageCorner::svs2},
    {VoltageCorner::disable, VoltageCorner::disable, HmxVoltageCorner::disable,
     VoltageCorner::disable},
};

}  // namespace detail

/// Returns the settings of a mode; those of extreme_power_saver for a number that is no mode.
[[nodiscard]] constexpr PerformanceSettings settings_of(PerformanceMode mode) noexcept {
  if (detail::is_llm_decode(mode)) {
    using enum PerformanceMode;
    const auto place =
        static_cast<std::uint8_t>(mode) - static_cast<std::uint8_t>(llm_decode_burst);
    const detail::DecodeCorners& corners = detail::decode_corners[place];
    PerformanceSettings settings = settings_of(static_cast<PerformanceMode>(place));
    settings.bus = Corners<VoltageCorner>::at(corners.bus);
    settings.core = Corners<VoltageCorner>::at(corners.core);
    settings.hmx = Corners<HmxVoltageCorner>::at(corners.hmx);
    settings.hmx_clock = mode == llm_decode_burst ? HmxClock::high : HmxClock::low;
    settings.ceng = Corners<VoltageCorner>::at(corners.ceng);
    settings.ceng_clock = mode <= llm_decode_low_balanced ? HmxClock::high : HmxClock::low;
    if (mode == llm_decode_burst) settings.ddr_mode = 1;
    return settings;
  }
  const auto corner = [mode] {
    switch (mode) {
      case PerformanceMode::burst: return VoltageCorner::max_voltage_corner;
      case PerformanceMode::sustained_high_performance:
      case PerformanceMode::high_performance: return VoltageCorner::turbo;
      case PerformanceMode::balanced: return VoltageCorner::nom_plus;
      case PerformanceMode::low_balanced: return VoltageCorner::nom;
      case PerformanceMode::high_power_saver: return VoltageCorner::svs_plus;
      case PerformanceMode::power_saver: return VoltageCorner::svs;
      case PerformanceMode::low_power_saver: return VoltageCorner::svs2;
      default: break;
    }
    return VoltageCorner::disable;
  }();
  const auto corners = Corners<VoltageCorner>::at(corner);
  PerformanceSettings settings{.scaling = false,
                               .power_mode = PowerMode::performance_mode,
                               .sleep_latency_us = 1'000,
                               .bus = corners,
                               .core = corners,
                               .rpc_polling_us = 0};
  if (mode <= PerformanceMode::high_performance) {
    settings.sleep_latency_us = mode == PerformanceMode::burst ? 40 : 100;
    settings.rpc_control_latency_us = 100;
    settings.rpc_polling_us = detail::most_rpc_polling_us;
  }
  return settings;
}

namespace detail {

/// Contract message for a vote that was given up.
inline constexpr char moved_performance[] =
    "the performance vote was moved from or closed; vote again";

/// Power configuration of the HTP: its id, the functions that set and destroy it, and its backend,
/// which lives until it is destroyed.
struct PowerPolicy {
  struct Value {
    Ref<BackendBlock> backend = {};
    const c_api::HtpDevicePerfInfrastructure* functions = nullptr;
    std::uint32_t id = 0;
    Epoch epoch = {};
    bool operator==(const Value&) const = default;
  };
  static Value null() noexcept { return {}; }
  static std::uint64_t close(Value value) noexcept {
    return value.epoch.release(
        [&value] { return value.functions->destroy_power_config_id(value.id); });
  }
};

}  // namespace detail

/// Owner of one vote for the performance of the HTP (a power configuration).
///
/// The vote counts until the object is closed or destroyed; hold it while work goes on. A vote for
/// one execution is a scope around execute(), and costs a remote call for each setting. Each vote
/// is a client of its own: a lower vote inside a higher one does not lower the clocks until the
/// higher one ends (docs/power.md). Keeps the backend alive. A restart of the DSP (SSR-01) ends the
/// vote; change() votes again.
///
/// Threads: any number of threads may hold votes of one backend at the same time. One vote is for
/// one thread at a time.
class QNNPP_LINEAR Performance {
 public:
  QNNPP_MOVE_ONLY(Performance, "a vote has one owner; write std::move(performance)");
  template <detail::ResultOf<Performance> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *performance, or use "
      "value_or_throw()",
      Performance, const R&);

  /// Votes for a mode (QnnHtpPerfInfrastructure_createPowerConfigId, _setPowerConfig).
  ///
  /// Settings that the device does not have are no error; refused() lists them. Errors:
  /// `invalid_argument` for a number that is no mode, and for a core that the platform does not
  /// have, with those that it has; `capability_missing` for a mode for decoding
  /// on a chip before v79; `slot_null` and `slot_missing` if the backend
  /// has no performance functions; `qnn` with the code of the C function: 13001 if there is no such
  /// core, 13003 if the DSP cannot be reached. Error::detail names the core or the setting. On an
  /// error no vote is left.
  [[nodiscard]] static Result<Performance> vote(const Backend<Htp>& backend, PerformanceMode mode,
                                                Core core = {});
  /// Votes for settings of your own; without any, for nothing until change(). Errors:
  /// `invalid_argument`, which names the member, its value and its range, before any C call; the
  /// others as for a mode.
  [[nodiscard]] static Result<Performance> vote(const Backend<Htp>& backend,
                                                const PerformanceSettings& settings,
                                                Core core = {});

  /// Replaces the whole vote by another mode: votes for it with a new id, then ends the old vote,
  /// so that the clocks do not fall between the two. Errors: as for vote(), and the old vote then
  /// stays as it was; as for close() if only the end of the old vote fails, and the new vote then
  /// holds.
  [[nodiscard]] QNNPP_LIVE Result<void> change(PerformanceMode mode);
  /// Replaces the whole vote by other settings, in the same way. To keep some of them, change a
  /// copy of settings().
  [[nodiscard]] QNNPP_LIVE Result<void> change(const PerformanceSettings& settings);

  /// Settings that are voted for, those in refused() included.
  [[nodiscard]] QNNPP_LIVE const PerformanceSettings& settings() const& {
    qnnpp::detail::expects(power_, detail::moved_performance);
    return settings_;
  }
  /// Copy of the settings of a temporary.
  [[nodiscard]] QNNPP_LIVE PerformanceSettings settings() const&& {
    qnnpp::detail::expects(power_, detail::moved_performance);
    return settings_;
  }

  /// Errors of the settings that the device does not have: Error::object is the setting, such as
  /// "DDR mode"; the code is 13004, or 13002 if the library does not know the setting. If the
  /// device refuses "DCVS", qnnpp does not vote for "HMX", "CENG" and "DDR mode", which need it,
  /// and lists them with the same code. "expanded DCVS" and "expanded CENG" are in the list if the
  /// corners that are not expanded were voted for instead.
  [[nodiscard]] QNNPP_LIVE std::span<const Error> refused() const& {
    qnnpp::detail::expects(power_, detail::moved_performance);
    return refused_;
  }
  QNNPP_REFUSE("refused() of a temporary would dangle; name the vote first", std::span<const Error>,
               refused() const&&);

  /// Id of the power configuration, for other functions of the C API; change() makes a new one.
  [[nodiscard]] QNNPP_LIVE std::uint32_t id() const {
    qnnpp::detail::expects(power_, detail::moved_performance);
    return power_.get().id;
  }

  /// Ends the vote now (QnnHtpPerfInfrastructure_destroyPowerConfigId) and returns the error; the
  /// destructor does the same and ignores the error. After a restart of the DSP there is no error.
  [[nodiscard]] QNNPP_CONSUMES Result<void> close() &&;
  QNNPP_REFUSE("close() consumes the vote; write std::move(performance).close()", Result<void>,
               close() const&);

 private:
  Performance(detail::PowerPolicy::Value power, const PerformanceSettings& settings, Core core)
      : power_(std::move(power)), settings_(settings), core_(core) {}

  [[nodiscard]] static Result<Performance> vote(const Ref<detail::BackendBlock>& backend,
                                                const PerformanceSettings& settings, Core core);
  /// Calls setPowerConfig for one setting. Returns whether the device has it, and records it if
  /// not.
  [[nodiscard]] Result<bool> set(const char* name,
                                 const c_api::HtpPerfInfrastructurePowerConfig& config);
  /// Votes for bus, core and sleep: by the expanded vote, if there is one and the device has it.
  /// Returns whether there is a vote.
  [[nodiscard]] Result<bool> set_dcvs();
  /// Votes for `settings_`.
  [[nodiscard]] Result<void> set_all();
  Owner<detail::PowerPolicy> power_;
  PerformanceSettings settings_;
  Core core_;
  std::vector<Error> refused_;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/performance.ipp"
#endif
