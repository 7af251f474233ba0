#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::abi {

/// QnnHtpPerfInfrastructure_ClkPerfMode_t.
enum class HtpPerfInfrastructureClkPerfMode : std::uint32_t {
  high = 0,
  low = 1,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpPerfInfrastructureClkPerfMode::high) == 0u);
static_assert(std::uint32_t(HtpPerfInfrastructureClkPerfMode::low) == 1u);
static_assert(std::uint32_t(HtpPerfInfrastructureClkPerfMode::unknown) == 0x7FFFFFFFu);

/// QnnHtpPerfInfrastructure_VoltageCorner_t.
enum class HtpPerfInfrastructureVoltageCorner : std::uint32_t {
  disable = 16,
  min_voltage_corner = 32,
  svs2 = 48,
  svs = 64,
  svs_plus = 80,
  nom = 96,
  nom_plus = 112,
  turbo = 128,
  turbo_plus = 144,
  turbo_l2 = 146,
  turbo_l3 = 147,
  turbo_l4 = 148,
  turbo_l5 = 149,
  max_voltage_corner = 160,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::disable) == 16u);
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::min_voltage_corner) == 32u);
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::svs2) == 48u);
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::svs) == 64u);
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::svs_plus) == 80u);
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::nom) == 96u);
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::nom_plus) == 112u);
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::turbo) == 128u);
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::turbo_plus) == 144u);
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::turbo_l2) == 146u);
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::turbo_l3) == 147u);
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::turbo_l4) == 148u);
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::turbo_l5) == 149u);
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::max_voltage_corner) == 160u);
static_assert(std::uint32_t(HtpPerfInfrastructureVoltageCorner::unknown) == 0x7FFFFFFFu);

/// QnnHtpPerfInfrastructure_ExpVoltageCorner_t.
enum class HtpPerfInfrastructureExpVoltageCorner : std::uint32_t {
  disable = 0,
  min = 256,
  low_svs_d2 = 308,
  low_svs_d1 = 312,
  low_svs = 320,
  low_svs_l0 = 332,
  svs = 384,
  svs_l0 = 400,
  svs_l1 = 448,
  svs_l2 = 480,
  nom = 512,
  nom_l1 = 576,
  nom_l2 = 592,
  tur = 640,
  tur_l1 = 672,
  tur_l2 = 688,
  tur_l3 = 704,
  max = 65535,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::disable) == 0u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::min) == 256u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::low_svs_d2) == 308u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::low_svs_d1) == 312u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::low_svs) == 320u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::low_svs_l0) == 332u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::svs) == 384u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::svs_l0) == 400u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::svs_l1) == 448u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::svs_l2) == 480u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::nom) == 512u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::nom_l1) == 576u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::nom_l2) == 592u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::tur) == 640u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::tur_l1) == 672u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::tur_l2) == 688u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::tur_l3) == 704u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::max) == 65535u);
static_assert(std::uint32_t(HtpPerfInfrastructureExpVoltageCorner::unknown) == 0x7FFFFFFFu);

/// QnnHtpPerfInfrastructure_PowerMode_t.
enum class HtpPerfInfrastructurePowerMode : std::uint32_t {
  adjust_up_down = 1,
  adjust_only_up = 2,
  power_saver_mode = 4,
  power_saver_aggressive_mode = 8,
  performance_mode = 16,
  duty_cycle_mode = 32,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpPerfInfrastructurePowerMode::adjust_up_down) == 1u);
static_assert(std::uint32_t(HtpPerfInfrastructurePowerMode::adjust_only_up) == 2u);
static_assert(std::uint32_t(HtpPerfInfrastructurePowerMode::power_saver_mode) == 4u);
static_assert(std::uint32_t(HtpPerfInfrastructurePowerMode::power_saver_aggressive_mode) == 8u);
static_assert(std::uint32_t(HtpPerfInfrastructurePowerMode::performance_mode) == 16u);
static_assert(std::uint32_t(HtpPerfInfrastructurePowerMode::duty_cycle_mode) == 32u);
static_assert(std::uint32_t(HtpPerfInfrastructurePowerMode::unknown) == 0x7FFFFFFFu);

using HtpPerfInfrastructureAdaptivePollingTime = std::uint32_t;
using HtpPerfInfrastructureDcvsEnable = std::uint32_t;
using HtpPerfInfrastructureDdrPerfMode = std::uint32_t;
using HtpPerfInfrastructureHmxDefaultVote = std::uint32_t;
using HtpPerfInfrastructureHmxTimeoutIntervalUs = std::uint32_t;
using HtpPerfInfrastructureMemGrowSize = std::uint32_t;
using HtpPerfInfrastructureRpcControlLatency = std::uint32_t;
using HtpPerfInfrastructureRpcPollingTime = std::uint32_t;
using HtpPerfInfrastructureSetBusParams = std::uint32_t;
using HtpPerfInfrastructureSetCoreParams = std::uint32_t;
using HtpPerfInfrastructureSetDcvsEnable = std::uint32_t;
using HtpPerfInfrastructureSetSleepDisable = std::uint32_t;
using HtpPerfInfrastructureSetSleepLatency = std::uint32_t;
using HtpPerfInfrastructureSleepDisable = std::uint32_t;
using HtpPerfInfrastructureSleepLatency = std::uint32_t;

/// QnnHtpPerfInfrastructure_DcvsV3_t.
struct HtpPerfInfrastructureDcvsV3 {
  std::uint32_t context_id;
  HtpPerfInfrastructureSetDcvsEnable set_dcvs_enable;
  HtpPerfInfrastructureDcvsEnable dcvs_enable;
  HtpPerfInfrastructurePowerMode power_mode;
  HtpPerfInfrastructureSetSleepLatency set_sleep_latency;
  HtpPerfInfrastructureSleepLatency sleep_latency;
  HtpPerfInfrastructureSetSleepDisable set_sleep_disable;
  HtpPerfInfrastructureSleepDisable sleep_disable;
  HtpPerfInfrastructureSetBusParams set_bus_params;
  HtpPerfInfrastructureVoltageCorner bus_voltage_corner_min;
  HtpPerfInfrastructureVoltageCorner bus_voltage_corner_target;
  HtpPerfInfrastructureVoltageCorner bus_voltage_corner_max;
  HtpPerfInfrastructureSetCoreParams set_core_params;
  HtpPerfInfrastructureVoltageCorner core_voltage_corner_min;
  HtpPerfInfrastructureVoltageCorner core_voltage_corner_target;
  HtpPerfInfrastructureVoltageCorner core_voltage_corner_max;
};
static_assert(sizeof(HtpPerfInfrastructureDcvsV3) == 64 && alignof(HtpPerfInfrastructureDcvsV3) == 4);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, context_id) == 0);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, set_dcvs_enable) == 4);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, dcvs_enable) == 8);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, power_mode) == 12);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, set_sleep_latency) == 16);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, sleep_latency) == 20);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, set_sleep_disable) == 24);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, sleep_disable) == 28);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, set_bus_params) == 32);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, bus_voltage_corner_min) == 36);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, bus_voltage_corner_target) == 40);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, bus_voltage_corner_max) == 44);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, set_core_params) == 48);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, core_voltage_corner_min) == 52);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, core_voltage_corner_target) == 56);
static_assert(offsetof(HtpPerfInfrastructureDcvsV3, core_voltage_corner_max) == 60);

/// QnnHtpPerfInfrastructure_HmxV2_t.
struct HtpPerfInfrastructureHmxV2 {
  HtpPerfInfrastructureHmxDefaultVote hmx_pick_default;
  HtpPerfInfrastructureExpVoltageCorner hmx_voltage_corner_min;
  HtpPerfInfrastructureExpVoltageCorner hmx_voltage_corner_target;
  HtpPerfInfrastructureExpVoltageCorner hmx_voltage_corner_max;
  HtpPerfInfrastructureClkPerfMode hmx_perf_mode;
};
static_assert(sizeof(HtpPerfInfrastructureHmxV2) == 20 && alignof(HtpPerfInfrastructureHmxV2) == 4);
static_assert(offsetof(HtpPerfInfrastructureHmxV2, hmx_pick_default) == 0);
static_assert(offsetof(HtpPerfInfrastructureHmxV2, hmx_voltage_corner_min) == 4);
static_assert(offsetof(HtpPerfInfrastructureHmxV2, hmx_voltage_corner_target) == 8);
static_assert(offsetof(HtpPerfInfrastructureHmxV2, hmx_voltage_corner_max) == 12);
static_assert(offsetof(HtpPerfInfrastructureHmxV2, hmx_perf_mode) == 16);

/// QnnHtpPerfInfrastructure_PowerConfigOption_t.
enum class HtpPerfInfrastructurePowerConfigOption : std::uint32_t {
  dcvs_v3 = 1,
  rpc_control_latency = 2,
  rpc_polling_time = 3,
  hmx_timeout_interval_us = 4,
  hmx_v2 = 5,
  adaptive_polling_time = 6,
  ddr_perf_mode = 7,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpPerfInfrastructurePowerConfigOption::dcvs_v3) == 1u);
static_assert(std::uint32_t(HtpPerfInfrastructurePowerConfigOption::rpc_control_latency) == 2u);
static_assert(std::uint32_t(HtpPerfInfrastructurePowerConfigOption::rpc_polling_time) == 3u);
static_assert(std::uint32_t(HtpPerfInfrastructurePowerConfigOption::hmx_timeout_interval_us) == 4u);
static_assert(std::uint32_t(HtpPerfInfrastructurePowerConfigOption::hmx_v2) == 5u);
static_assert(std::uint32_t(HtpPerfInfrastructurePowerConfigOption::adaptive_polling_time) == 6u);
static_assert(std::uint32_t(HtpPerfInfrastructurePowerConfigOption::ddr_perf_mode) == 7u);
static_assert(std::uint32_t(HtpPerfInfrastructurePowerConfigOption::unknown) == 0x7FFFFFFFu);

/// QnnHtpPerfInfrastructure_PowerConfig_t.
struct HtpPerfInfrastructurePowerConfig {
  HtpPerfInfrastructurePowerConfigOption option;
  union {
    HtpPerfInfrastructureDcvsV3 dcvs_v3_config;
    HtpPerfInfrastructureRpcControlLatency rpc_control_latency_config;
    HtpPerfInfrastructureRpcPollingTime rpc_polling_time_config;
    HtpPerfInfrastructureHmxTimeoutIntervalUs hmx_timeout_interval_us_config;
    HtpPerfInfrastructureHmxV2 hmx_v2_config;
    HtpPerfInfrastructureAdaptivePollingTime adaptive_polling_time_config;
    HtpPerfInfrastructureDdrPerfMode ddr_perf_mode_config;
  };
};
static_assert(sizeof(HtpPerfInfrastructurePowerConfig) == 68 && alignof(HtpPerfInfrastructurePowerConfig) == 4);
static_assert(offsetof(HtpPerfInfrastructurePowerConfig, option) == 0);
static_assert(offsetof(HtpPerfInfrastructurePowerConfig, dcvs_v3_config) == 4);
static_assert(offsetof(HtpPerfInfrastructurePowerConfig, rpc_control_latency_config) == 4);
static_assert(offsetof(HtpPerfInfrastructurePowerConfig, rpc_polling_time_config) == 4);
static_assert(offsetof(HtpPerfInfrastructurePowerConfig, hmx_timeout_interval_us_config) == 4);
static_assert(offsetof(HtpPerfInfrastructurePowerConfig, hmx_v2_config) == 4);
static_assert(offsetof(HtpPerfInfrastructurePowerConfig, adaptive_polling_time_config) == 4);
static_assert(offsetof(HtpPerfInfrastructurePowerConfig, ddr_perf_mode_config) == 4);

/// QnnHtpPerfInfrastructure_MemoryConfigOption_t.
enum class HtpPerfInfrastructureMemoryConfigOption : std::uint32_t {
  grow_size = 1,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpPerfInfrastructureMemoryConfigOption::grow_size) == 1u);
static_assert(std::uint32_t(HtpPerfInfrastructureMemoryConfigOption::unknown) == 0x7FFFFFFFu);

/// QnnHtpPerfInfrastructure_MemoryConfig_t.
struct HtpPerfInfrastructureMemoryConfig {
  HtpPerfInfrastructureMemoryConfigOption option;
  union {
    HtpPerfInfrastructureMemGrowSize mem_grow_size_config;
  };
};
static_assert(sizeof(HtpPerfInfrastructureMemoryConfig) == 8 && alignof(HtpPerfInfrastructureMemoryConfig) == 4);
static_assert(offsetof(HtpPerfInfrastructureMemoryConfig, option) == 0);
static_assert(offsetof(HtpPerfInfrastructureMemoryConfig, mem_grow_size_config) == 4);

using HtpPerfInfrastructureCreatePowerConfigIdFn = ErrorHandle (*)(std::uint32_t device_id, std::uint32_t core_id, std::uint32_t* power_config_id);
using HtpPerfInfrastructureDestroyPowerConfigIdFn = ErrorHandle (*)(std::uint32_t power_config_id);
using HtpPerfInfrastructureSetPowerConfigFn = ErrorHandle (*)(std::uint32_t power_config_id, const HtpPerfInfrastructurePowerConfig** config);
using HtpPerfInfrastructureSetMemoryConfigFn = ErrorHandle (*)(std::uint32_t device_id, std::uint32_t core_id, const HtpPerfInfrastructureMemoryConfig** config);

}  // namespace qnnpp::abi
