// Power votes on HTP: clocks, voltage and sleep; and the heap of a core.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Clock within a voltage corner: the highest, and those below it step by step.
/// C: QnnHtpPerfInfrastructure_ClkPerfMode_t.
enum class HtpPerfInfrastructureClkPerfMode : std::uint32_t {
  high = 0,       ///< The highest.
  low = 1,        ///< The lowest.
  high_d1 = 2,    ///< One step below high; for the expanded votes, as all below. HTP 5.48.
  high_d2 = 3,    ///< HTP 5.48.
  high_d3 = 4,    ///< HTP 5.48.
  high_d4 = 5,    ///< HTP 5.48.
  high_d5 = 6,    ///< HTP 5.48.
  high_d6 = 7,    ///< HTP 5.48.
  high_d7 = 8,    ///< HTP 5.48.
  high_d8 = 9,    ///< HTP 5.48.
  high_d9 = 10,   ///< HTP 5.48.
  high_d10 = 11,  ///< HTP 5.48.
  high_d11 = 12,  ///< HTP 5.48.
  high_d12 = 13,  ///< HTP 5.48.
  high_d13 = 14,  ///< HTP 5.48.
  high_d14 = 15,  ///< HTP 5.48.
  high_d15 = 16,  ///< HTP 5.48.
  max = 255,      ///< Upper bound of the numbers. HTP 5.48.
  unknown = 0x7FFFFFFF,
};

/// Voltage corners of bus and core, in ascending order; the enumerators are the corners' names.
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

/// Voltage corners of the matrix unit and of the expanded votes, in ascending order; the
/// enumerators are the corners' names. C: QnnHtpPerfInfrastructure_ExpVoltageCorner_t.
enum class HtpPerfInfrastructureExpVoltageCorner : std::uint32_t {
  disable = 0,         ///< No vote.
  min = 256,           ///< The lowest.
  min_svs = 304,       ///< HTP 5.48.
  low_svs_d3 = 306,    ///< HTP 5.48.
  low_svs_d2_1 = 307,  ///< HTP 5.48.
  low_svs_d2 = 308,
  low_svs_d1_1 = 310,  ///< HTP 5.48.
  low_svs_d1 = 312,
  low_svs_d0 = 316,  ///< HTP 5.48.
  low_svs = 320,
  low_svs_p1 = 328,  ///< HTP 5.48.
  low_svs_l0 = 332,  ///< HTP 5.43.
  low_svs_l1 = 336,  ///< HTP 5.48.
  low_svs_l2 = 352,  ///< HTP 5.48.
  svs = 384,
  svs_l0 = 400,  ///< HTP 5.43.
  svs_l1 = 448,
  svs_l2 = 480,  ///< HTP 5.43.
  nom = 512,
  nom_l0 = 544,  ///< HTP 5.48.
  nom_l1 = 576,
  nom_l2 = 592,  ///< HTP 5.43.
  tur = 640,
  tur_l0 = 656,  ///< HTP 5.48.
  tur_l1 = 672,
  tur_l2 = 688,
  tur_l3 = 704,
  tur_l4 = 708,              ///< HTP 5.48.
  tur_l5 = 712,              ///< HTP 5.48.
  super_turbo = 720,         ///< HTP 5.48.
  super_turbo_no_cpr = 736,  ///< HTP 5.48.
  max = 65535,               ///< The highest.
  unknown = 0x7FFFFFFF,
};

/// Behavior of dynamic clock and voltage scaling. C: QnnHtpPerfInfrastructure_PowerMode_t.
enum class HtpPerfInfrastructurePowerMode : std::uint32_t {
  adjust_up_down = 1,               ///< Adjusts up and down.
  adjust_only_up = 2,               ///< Never below the vote.
  power_saver_mode = 4,             ///< Saves power; raises clocks slowly.
  power_saver_aggressive_mode = 8,  ///< Saves more power.
  performance_mode = 16,            ///< Raises clocks quickly.
  duty_cycle_mode = 32,             ///< For work at regular intervals.
  unknown = 0x7FFFFFFF,
};

/// Vote for clocks, voltage and sleep. If a set_ flag is 0, its values do not apply.
/// C: QnnHtpPerfInfrastructure_DcvsV3_t.
struct HtpPerfInfrastructureDcvsV3 {
  std::uint32_t context_id;                   ///< Id of the power configuration.
  std::uint32_t set_dcvs_enable;              ///< Nonzero: dcvs_enable applies.
  std::uint32_t dcvs_enable;                  ///< Nonzero: enables scaling.
  HtpPerfInfrastructurePowerMode power_mode;  ///< Behavior of scaling.
  std::uint32_t set_sleep_latency;            ///< Nonzero: sleep_latency applies.
  /// Microseconds, 10 to 65535; a short latency keeps the DSP awake.
  std::uint32_t sleep_latency;
  std::uint32_t set_sleep_disable;  ///< Nonzero: sleep_disable applies.
  std::uint32_t sleep_disable;      ///< Nonzero: disables low-power modes.
  std::uint32_t set_bus_params;     ///< Nonzero: the bus corners apply.
  HtpPerfInfrastructureVoltageCorner bus_voltage_corner_min;     ///< Lower limit.
  HtpPerfInfrastructureVoltageCorner bus_voltage_corner_target;  ///< Target.
  HtpPerfInfrastructureVoltageCorner bus_voltage_corner_max;     ///< Upper limit.
  /// Nonzero: the core corners apply.
  std::uint32_t set_core_params;
  HtpPerfInfrastructureVoltageCorner core_voltage_corner_min;     ///< Lower limit.
  HtpPerfInfrastructureVoltageCorner core_voltage_corner_target;  ///< Target.
  HtpPerfInfrastructureVoltageCorner core_voltage_corner_max;     ///< Upper limit.
};

/// Vote for the matrix unit. C: QnnHtpPerfInfrastructure_HmxV2_t.
struct HtpPerfInfrastructureHmxV2 {
  /// Nonzero: uses the default vote; the corners do not apply.
  std::uint32_t hmx_pick_default;
  HtpPerfInfrastructureExpVoltageCorner hmx_voltage_corner_min;     ///< Lower limit.
  HtpPerfInfrastructureExpVoltageCorner hmx_voltage_corner_target;  ///< Target.
  HtpPerfInfrastructureExpVoltageCorner hmx_voltage_corner_max;     ///< Upper limit.
  HtpPerfInfrastructureClkPerfMode hmx_perf_mode;                   ///< Clock within the corner.
};

/// Vote for the compression engine. Requires a DCVS vote of the same id; v75 and later.
/// C: QnnHtpPerfInfrastructure_Ceng_t. HTP 5.45.
struct HtpPerfInfrastructureCeng {
  HtpPerfInfrastructureVoltageCorner ceng_voltage_corner_min;     ///< Lower limit.
  HtpPerfInfrastructureVoltageCorner ceng_voltage_corner_target;  ///< Target.
  HtpPerfInfrastructureVoltageCorner ceng_voltage_corner_max;     ///< Upper limit.
  HtpPerfInfrastructureClkPerfMode ceng_perf_mode;                ///< Clock within the corner.
};

/// Expanded vote for the compression engine; v85 and later, else 13004.
/// C: QnnHtpPerfInfrastructure_CengExp_t. HTP 5.48.
struct HtpPerfInfrastructureCengExp {
  HtpPerfInfrastructureExpVoltageCorner ceng_voltage_corner_min;     ///< Lower limit.
  HtpPerfInfrastructureExpVoltageCorner ceng_voltage_corner_target;  ///< Target.
  HtpPerfInfrastructureExpVoltageCorner ceng_voltage_corner_max;     ///< Upper limit.
  HtpPerfInfrastructureClkPerfMode ceng_perf_mode;                   ///< Clock within the corner.
};

/// Expanded vote for clocks, voltage and sleep, with scaling; v85 and later, else 13004. If a set_
/// flag is 0, its values do not apply. C: QnnHtpPerfInfrastructure_DcvsV3Exp_t. HTP 5.48.
struct HtpPerfInfrastructureDcvsV3Exp {
  std::uint32_t context_id;                   ///< Id of the power configuration.
  HtpPerfInfrastructurePowerMode power_mode;  ///< Behavior of scaling.
  std::uint32_t set_sleep_latency;            ///< Nonzero: sleep_latency applies.
  std::uint32_t sleep_latency;                ///< Microseconds, 10 to 65535.
  std::uint32_t set_sleep_disable;            ///< Nonzero: sleep_disable applies.
  std::uint32_t sleep_disable;                ///< Nonzero: disables low-power modes.
  std::uint32_t set_bus_params;               ///< Nonzero: the bus corners apply.
  HtpPerfInfrastructureExpVoltageCorner bus_voltage_corner_min;     ///< Lower limit.
  HtpPerfInfrastructureExpVoltageCorner bus_voltage_corner_target;  ///< Target.
  HtpPerfInfrastructureExpVoltageCorner bus_voltage_corner_max;     ///< Upper limit.
  /// Nonzero: the core corners apply.
  std::uint32_t set_core_params;
  HtpPerfInfrastructureExpVoltageCorner core_voltage_corner_min;     ///< Lower limit.
  HtpPerfInfrastructureExpVoltageCorner core_voltage_corner_target;  ///< Target.
  HtpPerfInfrastructureExpVoltageCorner core_voltage_corner_max;     ///< Upper limit.
  HtpPerfInfrastructureClkPerfMode core_perf_mode;                   ///< Clock within the corner.
  HtpPerfInfrastructureClkPerfMode bus_perf_mode;                    ///< Clock within the corner.
};

/// Selects the member of HtpPerfInfrastructurePowerConfig's union.
/// C: QnnHtpPerfInfrastructure_PowerConfigOption_t.
enum class HtpPerfInfrastructurePowerConfigOption : std::uint32_t {
  dcvs_v3 = 1,                  ///< dcvs_v3_config.
  rpc_control_latency = 2,      ///< rpc_control_latency_config.
  rpc_polling_time = 3,         ///< rpc_polling_time_config.
  hmx_timeout_interval_us = 4,  ///< hmx_timeout_interval_us_config.
  hmx_v2 = 5,                   ///< hmx_v2_config.
  adaptive_polling_time = 6,    ///< adaptive_polling_time_config. HTP 5.30.
  ddr_perf_mode = 7,            ///< ddr_perf_mode_config. HTP 5.43.
  ceng = 8,                     ///< ceng_config. HTP 5.45.
  dcvs_v3_exp = 9,              ///< dcvs_v3_exp_config; not with dcvs_v3. HTP 5.48.
  ceng_exp = 10,                ///< ceng_exp_config; not with ceng. HTP 5.48.
  unknown = 0x7FFFFFFF,
};

/// Power setting. set_power_config uses a NULL-ended array of pointers to settings.
/// C: QnnHtpPerfInfrastructure_PowerConfig_t.
struct HtpPerfInfrastructurePowerConfig {
  HtpPerfInfrastructurePowerConfigOption option;  ///< Selects the union member.
  union {
    /// Vote for clocks, voltage and sleep.
    HtpPerfInfrastructureDcvsV3 dcvs_v3_config;
    /// Target latency of FastRPC in microseconds.
    std::uint32_t rpc_control_latency_config;
    /// Time that FastRPC polls before it sleeps, in microseconds, up to 9999.
    std::uint32_t rpc_polling_time_config;
    /// Idle time in microseconds after which the matrix unit is switched off.
    std::uint32_t hmx_timeout_interval_us_config;
    /// Vote for the matrix unit.
    HtpPerfInfrastructureHmxV2 hmx_v2_config;
    /// Adaptive polling time in microseconds. HTP 5.30.
    std::uint32_t adaptive_polling_time_config;
    /// Mode of the memory bus. HTP 5.43.
    std::uint32_t ddr_perf_mode_config;
    /// Vote for the compression engine. HTP 5.45.
    HtpPerfInfrastructureCeng ceng_config;
    /// Expanded vote for clocks, voltage and sleep. HTP 5.48.
    HtpPerfInfrastructureDcvsV3Exp dcvs_v3_exp_config;
    /// Expanded vote for the compression engine. HTP 5.48.
    HtpPerfInfrastructureCengExp ceng_exp_config;
  };
};

/// Selects the member of HtpPerfInfrastructureMemoryConfig's union.
/// C: QnnHtpPerfInfrastructure_MemoryConfigOption_t.
enum class HtpPerfInfrastructureMemoryConfigOption : std::uint32_t {
  grow_size = 1,  ///< mem_grow_size_config.
  unknown = 0x7FFFFFFF,
};

/// Setting of the DSP's heap. set_memory_config uses a NULL-ended array of pointers to settings.
/// C: QnnHtpPerfInfrastructure_MemoryConfig_t.
struct HtpPerfInfrastructureMemoryConfig {
  HtpPerfInfrastructureMemoryConfigOption option;  ///< Selects the union member.
  union {
    std::uint32_t mem_grow_size_config;  ///< Bytes by which the heap grows.
  };
};

/// Creates a power configuration for a core. Destroy it with destroy_power_config_id. The id 0
/// represents no client; its settings precede all others of the process.
/// C: QnnHtpPerfInfrastructure_CreatePowerConfigIdFn_t.
using HtpPerfInfrastructureCreatePowerConfigIdFn = ErrorHandle (*)(std::uint32_t device_id,
                                                                   std::uint32_t core_id,
                                                                   std::uint32_t* power_config_id);

/// Destroys a power configuration and its votes.
/// C: QnnHtpPerfInfrastructure_DestroyPowerConfigIdFn_t.
using HtpPerfInfrastructureDestroyPowerConfigIdFn = ErrorHandle (*)(std::uint32_t power_config_id);

/// Votes for power settings; config is a NULL-ended array of pointers.
/// C: QnnHtpPerfInfrastructure_SetPowerConfigFn_t.
using HtpPerfInfrastructureSetPowerConfigFn =
    ErrorHandle (*)(std::uint32_t power_config_id, const HtpPerfInfrastructurePowerConfig** config);

/// Configures the heap of a core; config is a NULL-ended array of pointers.
/// C: QnnHtpPerfInfrastructure_SetMemoryConfigFn_t.
using HtpPerfInfrastructureSetMemoryConfigFn =
    ErrorHandle (*)(std::uint32_t device_id, std::uint32_t core_id,
                    const HtpPerfInfrastructureMemoryConfig** config);

}  // namespace qnnpp::c_api
