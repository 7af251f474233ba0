// Power votes: what each power configuration has voted for.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "qnnpp/abi/htp/perf.hpp"

#include "sim/tables/status.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim {

/// Idle times of the matrix unit that the host library accepts, in microseconds.
inline constexpr std::uint32_t least_hmx_timeout_us = 100;
inline constexpr std::uint32_t most_hmx_timeout_us = 1'000'000;
/// Longest polling time of FastRPC, in microseconds, on v75 and newer.
inline constexpr std::uint32_t most_rpc_polling_us = 9999;

/// Votes of one power configuration. A later vote replaces only what it names.
struct PowerVotes {
  bool any = false;               ///< has voted
  bool dcvs = false;              ///< has voted for clocks and voltage
  bool highest_bus = false;       ///< has voted for the bus at its highest corner
  std::uint32_t core_corner = 0;  ///< target; 0: no vote
  std::uint32_t polling_us = 0;   ///< polling time of FastRPC
};

/// Power configurations by id. The device's mutex guards them.
struct PowerConfigs {
  std::map<std::uint32_t, PowerVotes> live;
  /// Ids that a restart or the end of the device has ended, until they are destroyed.
  std::set<std::uint32_t> dead;
  /// The host library's ids are large, too.
  static constexpr std::uint32_t before_first = 0x1000'0000;
  std::uint32_t last = before_first;

  /// True for an id that createPowerConfigId has returned.
  [[nodiscard]] bool has_made(std::uint32_t id) const noexcept {
    return id > before_first && id <= last;
  }

  /// Ends all votes with the session on the DSP. Their ids can still be destroyed.
  void end_all() {
    for (const auto& [id, votes] : live) dead.insert(id);
    live.clear();
  }
};

/// True if a chip has a power option. `options` is Config::power_options: a mask of 1 << option, or
/// 0 for the options of the architecture.
[[nodiscard]] inline bool has_power_option(std::uint32_t arch, std::uint32_t options,
                                           c_api::HtpPerfInfrastructurePowerConfigOption option) {
  using Option = c_api::HtpPerfInfrastructurePowerConfigOption;
  if (options != 0) return (options >> static_cast<std::uint32_t>(option) & 1) != 0;
  switch (option) {
    case Option::hmx_v2:
    case Option::ceng: return arch >= 75;
    case Option::dcvs_v3_exp:
    case Option::ceng_exp: return arch >= 85;
    case Option::ddr_perf_mode: return arch >= 81;
    default: return true;
  }
}

/// Adds a vote for clocks and voltage. Corners up to `none` are no vote.
inline void add_dcvs_vote(const auto& vote, std::uint32_t none, auto highest, PowerVotes& votes) {
  votes.dcvs = true;
  const auto corner = static_cast<std::uint32_t>(vote.core_voltage_corner_target);
  if (vote.set_core_params != 0) votes.core_corner = corner <= none ? 0 : corner;
  if (vote.set_bus_params != 0)
    votes.highest_bus = vote.bus_voltage_corner_min == highest &&
                        vote.bus_voltage_corner_target == highest &&
                        vote.bus_voltage_corner_max == highest;
}

/// Adds one entry of setPowerConfig to the votes of a configuration, or returns the failure that
/// ends the whole call. `newest_option` is the highest number that the library knows.
inline Status add_power_vote(std::uint32_t arch, std::uint32_t options, std::uint32_t newest_option,
                             std::uint32_t id,
                             const c_api::HtpPerfInfrastructurePowerConfig& config,
                             PowerVotes& votes) {
  using Option = c_api::HtpPerfInfrastructurePowerConfigOption;
  using Error = c_api::HtpPerfInfrastructureError;
  const auto number = static_cast<std::uint32_t>(config.option);
  if (number < 1 || number > newest_option)
    return failure(Error::unsupported_config, text("unknown power option %u", number));
  if (!has_power_option(arch, options, config.option))
    return failure(Error::unsupported,
                   text("power option %u is not supported in architecture %u", number, arch));
  switch (config.option) {
    case Option::dcvs_v3:
    case Option::dcvs_v3_exp: {
      using Corner = c_api::HtpPerfInfrastructureVoltageCorner;
      const bool is_expanded = config.option == Option::dcvs_v3_exp;
      const auto& plain = config.dcvs_v3_config;
      const auto& expanded = config.dcvs_v3_exp_config;
      if ((is_expanded ? expanded.context_id : plain.context_id) != id)
        return failure(Error::invalid_input, "context_id is not the id of the call");
      if (is_expanded)
        add_dcvs_vote(expanded, 0, c_api::HtpPerfInfrastructureExpVoltageCorner::max, votes);
      else
        add_dcvs_vote(plain, static_cast<std::uint32_t>(Corner::disable),
                      Corner::max_voltage_corner, votes);
      break;
    }
    case Option::hmx_v2:
    case Option::ceng:
    case Option::ceng_exp:
      if (!votes.dcvs)
        return failure(Error::invalid_input,
                       text("the id has no DCVS vote before power option %u", number));
      break;
    case Option::ddr_perf_mode:
      if (!votes.highest_bus)
        return failure(Error::invalid_input,
                       "the id has no DCVS vote for the bus at its highest corner before this");
      break;
    case Option::hmx_timeout_interval_us: {
      // The host library checks the time only of an id with a DCVS vote.
      const std::uint32_t time = config.hmx_timeout_interval_us_config;
      if (votes.dcvs && (time < least_hmx_timeout_us || time > most_hmx_timeout_us))
        return failure(Error::invalid_input, "HMX timeout out of range");
      break;
    }
    case Option::rpc_polling_time:
      if (arch >= 75 && config.rpc_polling_time_config > most_rpc_polling_us)
        return failure(Error::failed, "RPC polling time out of range");
      votes.polling_us = config.rpc_polling_time_config;
      break;
    default: break;
  }
  votes.any = true;
  return success();
}

}  // namespace qnnpp::sim
