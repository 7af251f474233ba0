// Votes for clocks, voltage, sleep and heap on HTP.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Clock of the matrix unit within its voltage corner. C: QnnHtpPerfInfrastructure_ClkPerfMode_t.
enum class HtpPerfInfrastructureClkPerfMode : std::uint32_t {
  high = 0,  ///< The highest.
  low = 1,   ///< The lowest.
  unknown = 0x7FFFFFFF,
};

/// Voltage corners of bus and core, from sleep to turbo.
/// C: QnnHtpPerfInfrastructure_VoltageCorner_t.
enum class HtpPerfInfrastructureVoltageCorner : std::uint32_t {
  disable = 16,             ///< No vote.
  min_voltage_corner = 32,  ///< The lowest.
  svs2 = 48,
  svs = 64,
  svs_plus = 80,
  nom = 96,
  nom_plus = 112,
  turbo = 128,
  turbo_plus = 144,
  turbo_l2 = 146,
  turbo_l3 = 147,
  turbo_l4 = 148,            ///< HTP 5.43.
  turbo_l5 = 149,            ///< HTP 5.43.
  max_voltage_corner = 160,  ///< The highest.
  unknown = 0x7FFFFFFF,
};

/// Voltage corners of the matrix unit. C: QnnHtpPerfInfrastructure_ExpVoltageCorner_t.
enum class HtpPerfInfrastructureExpVoltageCorner : std::uint32_t {
  disable = 0,  ///< No vote.
  min = 256,    ///< The lowest.
  low_svs_d2 = 308,
  low_svs_d1 = 312,
  low_svs = 320,
  low_svs_l0 = 332,  ///< HTP 5.43.
  svs = 384,
  svs_l0 = 400,  ///< HTP 5.43.
  svs_l1 = 448,
  svs_l2 = 480,  ///< HTP 5.43.
  nom = 512,
  nom_l1 = 576,
  nom_l2 = 592,  ///< HTP 5.43.
  tur = 640,
  tur_l1 = 672,
  tur_l2 = 688,
  tur_l3 = 704,
  max = 65535,  ///< The highest.
  unknown = 0x7FFFFFFF,
};

/// How dynamic clock and voltage scaling behaves. C: QnnHtpPerfInfrastructure_PowerMode_t.
enum class HtpPerfInfrastructurePowerMode : std::uint32_t {
  adjust_up_down = 1,               ///< Moves both ways.
  adjust_only_up = 2,               ///< Never below the vote.
  power_saver_mode = 4,             ///< Saves power; slow to go up.
  power_saver_aggressive_mode = 8,  ///< Saves more.
  performance_mode = 16,            ///< Quick to go up.
  duty_cycle_mode = 32,             ///< For work that comes at regular intervals.
  unknown = 0x7FFFFFFF,
};

// C: QnnHtpPerfInfrastructure_AdaptivePollingTime_t and so on; HmxDefaultVote is HmxDefault_Vote_t.
using HtpPerfInfrastructureAdaptivePollingTime =
    std::uint32_t;  ///< Microseconds of adaptive polling. HTP 5.30.
using HtpPerfInfrastructureDcvsEnable = std::uint32_t;      ///< 0 is off.
using HtpPerfInfrastructureDdrPerfMode = std::uint32_t;     ///< Mode of the memory bus. HTP 5.43.
using HtpPerfInfrastructureHmxDefaultVote = std::uint32_t;  ///< 0 is off.
using HtpPerfInfrastructureHmxTimeoutIntervalUs = std::uint32_t;  ///< Microseconds.
using HtpPerfInfrastructureMemGrowSize = std::uint32_t;           ///< Bytes.
using HtpPerfInfrastructureRpcControlLatency = std::uint32_t;     ///< Microseconds.
using HtpPerfInfrastructureRpcPollingTime = std::uint32_t;        ///< Microseconds.
using HtpPerfInfrastructureSetBusParams = std::uint32_t;          ///< 0 is off.
using HtpPerfInfrastructureSetCoreParams = std::uint32_t;         ///< 0 is off.
using HtpPerfInfrastructureSetDcvsEnable = std::uint32_t;         ///< 0 is off.
using HtpPerfInfrastructureSetSleepDisable = std::uint32_t;       ///< 0 is off.
using HtpPerfInfrastructureSetSleepLatency = std::uint32_t;       ///< 0 is off.
using HtpPerfInfrastructureSleepDisable = std::uint32_t;          ///< 0 is off.
using HtpPerfInfrastructureSleepLatency = std::uint32_t;          ///< Microseconds.

/// A vote for clocks, voltage and sleep. A set_ flag of 0 leaves its values out.
/// C: QnnHtpPerfInfrastructure_DcvsV3_t.
struct HtpPerfInfrastructureDcvsV3 {
  std::uint32_t context_id;                                ///< The power configuration's id.
  HtpPerfInfrastructureSetDcvsEnable set_dcvs_enable;      ///< Whether dcvs_enable counts.
  HtpPerfInfrastructureDcvsEnable dcvs_enable;             ///< Scaling on or off.
  HtpPerfInfrastructurePowerMode power_mode;               ///< How it behaves.
  HtpPerfInfrastructureSetSleepLatency set_sleep_latency;  ///< Whether sleep_latency counts.
  /// Microseconds, 10 to 65535; short keeps the DSP awake.
  HtpPerfInfrastructureSleepLatency sleep_latency;
  HtpPerfInfrastructureSetSleepDisable set_sleep_disable;        ///< Whether sleep_disable counts.
  HtpPerfInfrastructureSleepDisable sleep_disable;               ///< Not 0: no low-power modes.
  HtpPerfInfrastructureSetBusParams set_bus_params;              ///< Whether the bus corners count.
  HtpPerfInfrastructureVoltageCorner bus_voltage_corner_min;     ///< Never below.
  HtpPerfInfrastructureVoltageCorner bus_voltage_corner_target;  ///< Aim.
  HtpPerfInfrastructureVoltageCorner bus_voltage_corner_max;     ///< Never above.
  /// Whether the core corners count.
  HtpPerfInfrastructureSetCoreParams set_core_params;
  HtpPerfInfrastructureVoltageCorner core_voltage_corner_min;     ///< Never below.
  HtpPerfInfrastructureVoltageCorner core_voltage_corner_target;  ///< Aim.
  HtpPerfInfrastructureVoltageCorner core_voltage_corner_max;     ///< Never above.
};

/// A vote for the matrix unit. C: QnnHtpPerfInfrastructure_HmxV2_t.
struct HtpPerfInfrastructureHmxV2 {
  /// Not 0: the default vote; the corners do not count.
  HtpPerfInfrastructureHmxDefaultVote hmx_pick_default;
  HtpPerfInfrastructureExpVoltageCorner hmx_voltage_corner_min;     ///< Never below.
  HtpPerfInfrastructureExpVoltageCorner hmx_voltage_corner_target;  ///< Aim.
  HtpPerfInfrastructureExpVoltageCorner hmx_voltage_corner_max;     ///< Never above.
  HtpPerfInfrastructureClkPerfMode hmx_perf_mode;                   ///< Clock within the corner.
};

/// Which member of HtpPerfInfrastructurePowerConfig's union is set.
/// C: QnnHtpPerfInfrastructure_PowerConfigOption_t.
enum class HtpPerfInfrastructurePowerConfigOption : std::uint32_t {
  dcvs_v3 = 1,
  rpc_control_latency = 2,
  rpc_polling_time = 3,
  hmx_timeout_interval_us = 4,
  hmx_v2 = 5,
  adaptive_polling_time = 6,  ///< HTP 5.30.
  ddr_perf_mode = 7,          ///< HTP 5.43.
  unknown = 0x7FFFFFFF,
};

/// One power setting; set_power_config takes a NULL-ended array of pointers to these.
/// C: QnnHtpPerfInfrastructure_PowerConfig_t.
struct HtpPerfInfrastructurePowerConfig {
  HtpPerfInfrastructurePowerConfigOption option;  ///< Selects the union member.
  union {
    /// Clocks, voltage, sleep.
    HtpPerfInfrastructureDcvsV3 dcvs_v3_config;
    /// Wanted latency of FastRPC in microseconds.
    HtpPerfInfrastructureRpcControlLatency rpc_control_latency_config;
    /// Microseconds that FastRPC polls before it sleeps, up to 9999.
    HtpPerfInfrastructureRpcPollingTime rpc_polling_time_config;
    /// Microseconds after which an idle matrix unit goes off.
    HtpPerfInfrastructureHmxTimeoutIntervalUs hmx_timeout_interval_us_config;
    /// Vote for the matrix unit.
    HtpPerfInfrastructureHmxV2 hmx_v2_config;
    /// Microseconds of adaptive polling. HTP 5.30.
    HtpPerfInfrastructureAdaptivePollingTime adaptive_polling_time_config;
    /// Mode of the memory bus. HTP 5.43.
    HtpPerfInfrastructureDdrPerfMode ddr_perf_mode_config;
  };
};

/// Which member of HtpPerfInfrastructureMemoryConfig's union is set.
/// C: QnnHtpPerfInfrastructure_MemoryConfigOption_t.
enum class HtpPerfInfrastructureMemoryConfigOption : std::uint32_t {
  grow_size = 1,
  unknown = 0x7FFFFFFF,
};

/// One setting of the DSP's heap; set_memory_config takes a NULL-ended array of pointers to these.
/// C: QnnHtpPerfInfrastructure_MemoryConfig_t.
struct HtpPerfInfrastructureMemoryConfig {
  HtpPerfInfrastructureMemoryConfigOption option;  ///< Selects the union member.
  union {
    HtpPerfInfrastructureMemGrowSize mem_grow_size_config;  ///< Bytes by which the heap grows.
  };
};

/// Creates a power configuration for a core. Destroy it with destroy_power_config_id. An id of 0
/// stands for no client, and its settings go before all others of the process.
/// C: QnnHtpPerfInfrastructure_CreatePowerConfigIdFn_t.
using HtpPerfInfrastructureCreatePowerConfigIdFn = ErrorHandle (*)(std::uint32_t device_id,
                                                                   std::uint32_t core_id,
                                                                   std::uint32_t* power_config_id);

/// Destroys a power configuration with its votes.
/// C: QnnHtpPerfInfrastructure_DestroyPowerConfigIdFn_t.
using HtpPerfInfrastructureDestroyPowerConfigIdFn = ErrorHandle (*)(std::uint32_t power_config_id);

/// Votes; config is a NULL-ended array of pointers. C: QnnHtpPerfInfrastructure_SetPowerConfigFn_t.
using HtpPerfInfrastructureSetPowerConfigFn =
    ErrorHandle (*)(std::uint32_t power_config_id, const HtpPerfInfrastructurePowerConfig** config);

/// Sets up the heap of a core; config is a NULL-ended array of pointers.
/// C: QnnHtpPerfInfrastructure_SetMemoryConfigFn_t.
using HtpPerfInfrastructureSetMemoryConfigFn =
    ErrorHandle (*)(std::uint32_t device_id, std::uint32_t core_id,
                    const HtpPerfInfrastructureMemoryConfig** config);

}  // namespace qnnpp::c_api
