// Part of verify_sdk.hpp; do not include it alone. Compares devices and power settings of HTP.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include <cstddef>
#include <cstdint>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/abi/htp/perf.hpp"

namespace qnnpp::c_api {

// htp/perf.hpp
QNNPP_SAME_VALUE(HtpPerfInfrastructureError::invalid_handle_ptr,
                 QNN_HTP_PERF_INFRASTRUCTURE_ERROR_INVALID_HANDLE_PTR);
QNNPP_SAME_VALUE(HtpPerfInfrastructureError::invalid_input,
                 QNN_HTP_PERF_INFRASTRUCTURE_ERROR_INVALID_INPUT);
QNNPP_SAME_VALUE(HtpPerfInfrastructureError::unsupported_config,
                 QNN_HTP_PERF_INFRASTRUCTURE_ERROR_UNSUPPORTED_CONFIG);
QNNPP_SAME_VALUE(HtpPerfInfrastructureError::transport,
                 QNN_HTP_PERF_INFRASTRUCTURE_ERROR_TRANSPORT);
QNNPP_SAME_VALUE(HtpPerfInfrastructureError::unsupported,
                 QNN_HTP_PERF_INFRASTRUCTURE_ERROR_UNSUPPORTED);
QNNPP_SAME_VALUE(HtpPerfInfrastructureError::mem_alloc,
                 QNN_HTP_PERF_INFRASTRUCTURE_ERROR_MEM_ALLOC);
QNNPP_SAME_VALUE(HtpPerfInfrastructureError::failed, QNN_HTP_PERF_INFRASTRUCTURE_ERROR_FAILED);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high, QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::low, QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_LOW);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::unknown,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_UNKNOWN);
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::disable, DCVS_VOLTAGE_CORNER_DISABLE);
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::min_voltage_corner,
                 DCVS_VOLTAGE_VCORNER_MIN_VOLTAGE_CORNER);
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::svs2, DCVS_VOLTAGE_VCORNER_SVS2);
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::svs, DCVS_VOLTAGE_VCORNER_SVS);
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::svs_plus, DCVS_VOLTAGE_VCORNER_SVS_PLUS);
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::nom, DCVS_VOLTAGE_VCORNER_NOM);
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::nom_plus, DCVS_VOLTAGE_VCORNER_NOM_PLUS);
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::turbo, DCVS_VOLTAGE_VCORNER_TURBO);
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::turbo_plus, DCVS_VOLTAGE_VCORNER_TURBO_PLUS);
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::turbo_l2, DCVS_VOLTAGE_VCORNER_TURBO_L2);
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::turbo_l3, DCVS_VOLTAGE_VCORNER_TURBO_L3);
#if QNN_HTP_API_VERSION_MINOR >= 43
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::turbo_l4, DCVS_VOLTAGE_VCORNER_TURBO_L4);
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::turbo_l5, DCVS_VOLTAGE_VCORNER_TURBO_L5);
#endif
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::max_voltage_corner,
                 DCVS_VOLTAGE_VCORNER_MAX_VOLTAGE_CORNER);
QNNPP_SAME_VALUE(HtpPerfInfrastructureVoltageCorner::unknown, DCVS_VOLTAGE_VCORNER_UNKNOWN);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::disable, DCVS_EXP_VCORNER_DISABLE);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::min, DCVS_EXP_VCORNER_MIN);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::low_svs_d2, DCVS_EXP_VCORNER_LOW_SVS_D2);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::low_svs_d1, DCVS_EXP_VCORNER_LOW_SVS_D1);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::low_svs, DCVS_EXP_VCORNER_LOW_SVS);
#if QNN_HTP_API_VERSION_MINOR >= 43
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::low_svs_l0, DCVS_EXP_VCORNER_LOW_SVS_L0);
#endif
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::svs, DCVS_EXP_VCORNER_SVS);
#if QNN_HTP_API_VERSION_MINOR >= 43
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::svs_l0, DCVS_EXP_VCORNER_SVS_L0);
#endif
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::svs_l1, DCVS_EXP_VCORNER_SVS_L1);
#if QNN_HTP_API_VERSION_MINOR >= 43
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::svs_l2, DCVS_EXP_VCORNER_SVS_L2);
#endif
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::nom, DCVS_EXP_VCORNER_NOM);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::nom_l1, DCVS_EXP_VCORNER_NOM_L1);
#if QNN_HTP_API_VERSION_MINOR >= 43
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::nom_l2, DCVS_EXP_VCORNER_NOM_L2);
#endif
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::tur, DCVS_EXP_VCORNER_TUR);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::tur_l1, DCVS_EXP_VCORNER_TUR_L1);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::tur_l2, DCVS_EXP_VCORNER_TUR_L2);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::tur_l3, DCVS_EXP_VCORNER_TUR_L3);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::max, DCVS_EXP_VCORNER_MAX);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::unknown, DCVS_EXP_VCORNER_UNKNOWN);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerMode::adjust_up_down,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_ADJUST_UP_DOWN);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerMode::adjust_only_up,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_ADJUST_ONLY_UP);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerMode::power_saver_mode,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_POWER_SAVER_MODE);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerMode::power_saver_aggressive_mode,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_POWER_SAVER_AGGRESSIVE_MODE);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerMode::performance_mode,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_PERFORMANCE_MODE);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerMode::duty_cycle_mode,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_DUTY_CYCLE_MODE);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerMode::unknown,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWERMODE_UNKNOWN);
QNNPP_SAME_SIZE(HtpPerfInfrastructureDcvsV3, QnnHtpPerfInfrastructure_DcvsV3_t);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, context_id, QnnHtpPerfInfrastructure_DcvsV3_t,
                 contextId);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, set_dcvs_enable, QnnHtpPerfInfrastructure_DcvsV3_t,
                 setDcvsEnable);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, dcvs_enable, QnnHtpPerfInfrastructure_DcvsV3_t,
                 dcvsEnable);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, power_mode, QnnHtpPerfInfrastructure_DcvsV3_t,
                 powerMode);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, set_sleep_latency, QnnHtpPerfInfrastructure_DcvsV3_t,
                 setSleepLatency);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, sleep_latency, QnnHtpPerfInfrastructure_DcvsV3_t,
                 sleepLatency);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, set_sleep_disable, QnnHtpPerfInfrastructure_DcvsV3_t,
                 setSleepDisable);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, sleep_disable, QnnHtpPerfInfrastructure_DcvsV3_t,
                 sleepDisable);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, set_bus_params, QnnHtpPerfInfrastructure_DcvsV3_t,
                 setBusParams);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, bus_voltage_corner_min,
                 QnnHtpPerfInfrastructure_DcvsV3_t, busVoltageCornerMin);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, bus_voltage_corner_target,
                 QnnHtpPerfInfrastructure_DcvsV3_t, busVoltageCornerTarget);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, bus_voltage_corner_max,
                 QnnHtpPerfInfrastructure_DcvsV3_t, busVoltageCornerMax);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, set_core_params, QnnHtpPerfInfrastructure_DcvsV3_t,
                 setCoreParams);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, core_voltage_corner_min,
                 QnnHtpPerfInfrastructure_DcvsV3_t, coreVoltageCornerMin);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, core_voltage_corner_target,
                 QnnHtpPerfInfrastructure_DcvsV3_t, coreVoltageCornerTarget);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3, core_voltage_corner_max,
                 QnnHtpPerfInfrastructure_DcvsV3_t, coreVoltageCornerMax);
QNNPP_SAME_SIZE(HtpPerfInfrastructureHmxV2, QnnHtpPerfInfrastructure_HmxV2_t);
QNNPP_SAME_FIELD(HtpPerfInfrastructureHmxV2, hmx_pick_default, QnnHtpPerfInfrastructure_HmxV2_t,
                 hmxPickDefault);
QNNPP_SAME_FIELD(HtpPerfInfrastructureHmxV2, hmx_voltage_corner_min,
                 QnnHtpPerfInfrastructure_HmxV2_t, hmxVoltageCornerMin);
QNNPP_SAME_FIELD(HtpPerfInfrastructureHmxV2, hmx_voltage_corner_target,
                 QnnHtpPerfInfrastructure_HmxV2_t, hmxVoltageCornerTarget);
QNNPP_SAME_FIELD(HtpPerfInfrastructureHmxV2, hmx_voltage_corner_max,
                 QnnHtpPerfInfrastructure_HmxV2_t, hmxVoltageCornerMax);
QNNPP_SAME_FIELD(HtpPerfInfrastructureHmxV2, hmx_perf_mode, QnnHtpPerfInfrastructure_HmxV2_t,
                 hmxPerfMode);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerConfigOption::dcvs_v3,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerConfigOption::rpc_control_latency,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_CONTROL_LATENCY);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerConfigOption::rpc_polling_time,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_POLLING_TIME);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerConfigOption::hmx_timeout_interval_us,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_HMX_TIMEOUT_INTERVAL_US);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerConfigOption::hmx_v2,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_HMX_V2);
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerConfigOption::adaptive_polling_time,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_ADAPTIVE_POLLING_TIME);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 43
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerConfigOption::ddr_perf_mode,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DDR_PERF_MODE);
#endif
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerConfigOption::unknown,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_UNKNOWN);
QNNPP_SAME_SIZE(HtpPerfInfrastructurePowerConfig, QnnHtpPerfInfrastructure_PowerConfig_t);
QNNPP_SAME_FIELD(HtpPerfInfrastructurePowerConfig, option, QnnHtpPerfInfrastructure_PowerConfig_t,
                 option);
QNNPP_SAME_FIELD(HtpPerfInfrastructurePowerConfig, dcvs_v3_config,
                 QnnHtpPerfInfrastructure_PowerConfig_t, dcvsV3Config);
QNNPP_SAME_FIELD(HtpPerfInfrastructurePowerConfig, rpc_control_latency_config,
                 QnnHtpPerfInfrastructure_PowerConfig_t, rpcControlLatencyConfig);
QNNPP_SAME_FIELD(HtpPerfInfrastructurePowerConfig, rpc_polling_time_config,
                 QnnHtpPerfInfrastructure_PowerConfig_t, rpcPollingTimeConfig);
QNNPP_SAME_FIELD(HtpPerfInfrastructurePowerConfig, hmx_timeout_interval_us_config,
                 QnnHtpPerfInfrastructure_PowerConfig_t, hmxTimeoutIntervalUsConfig);
QNNPP_SAME_FIELD(HtpPerfInfrastructurePowerConfig, hmx_v2_config,
                 QnnHtpPerfInfrastructure_PowerConfig_t, hmxV2Config);
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_FIELD(HtpPerfInfrastructurePowerConfig, adaptive_polling_time_config,
                 QnnHtpPerfInfrastructure_PowerConfig_t, adaptivePollingTimeConfig);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 43
QNNPP_SAME_FIELD(HtpPerfInfrastructurePowerConfig, ddr_perf_mode_config,
                 QnnHtpPerfInfrastructure_PowerConfig_t, ddrPerfModeConfig);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 48
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d1,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D1);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d2,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D2);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d3,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D3);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d4,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D4);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d5,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D5);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d6,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D6);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d7,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D7);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d8,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D8);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d9,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D9);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d10,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D10);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d11,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D11);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d12,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D12);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d13,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D13);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d14,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D14);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::high_d15,
                 QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_HIGH_D15);
QNNPP_SAME_VALUE(HtpPerfInfrastructureClkPerfMode::max, QNN_HTP_PERF_INFRASTRUCTURE_CLK_PERF_MAX);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::min_svs, DCVS_EXP_VCORNER_MIN_SVS);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::low_svs_d3, DCVS_EXP_VCORNER_LOW_SVS_D3);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::low_svs_d2_1,
                 DCVS_EXP_VCORNER_LOW_SVS_D2_1);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::low_svs_d1_1,
                 DCVS_EXP_VCORNER_LOW_SVS_D1_1);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::low_svs_d0, DCVS_EXP_VCORNER_LOW_SVS_D0);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::low_svs_p1, DCVS_EXP_VCORNER_LOW_SVS_P1);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::low_svs_l1, DCVS_EXP_VCORNER_LOW_SVS_L1);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::low_svs_l2, DCVS_EXP_VCORNER_LOW_SVS_L2);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::nom_l0, DCVS_EXP_VCORNER_NOM_L0);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::tur_l0, DCVS_EXP_VCORNER_TUR_L0);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::tur_l4, DCVS_EXP_VCORNER_TUR_L4);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::tur_l5, DCVS_EXP_VCORNER_TUR_L5);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::super_turbo, DCVS_EXP_VCORNER_SUPER_TURBO);
QNNPP_SAME_VALUE(HtpPerfInfrastructureExpVoltageCorner::super_turbo_no_cpr,
                 DCVS_EXP_VCORNER_SUPER_TURBO_NO_CPR);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerConfigOption::ceng,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_CENG);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerConfigOption::dcvs_v3_exp,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3_EXP);
QNNPP_SAME_VALUE(HtpPerfInfrastructurePowerConfigOption::ceng_exp,
                 QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_CENG_EXP);
QNNPP_SAME_SIZE(HtpPerfInfrastructureCeng, QnnHtpPerfInfrastructure_Ceng_t);
QNNPP_SAME_FIELD(HtpPerfInfrastructureCeng, ceng_voltage_corner_min,
                 QnnHtpPerfInfrastructure_Ceng_t, cengVoltageCornerMin);
QNNPP_SAME_FIELD(HtpPerfInfrastructureCeng, ceng_voltage_corner_target,
                 QnnHtpPerfInfrastructure_Ceng_t, cengVoltageCornerTarget);
QNNPP_SAME_FIELD(HtpPerfInfrastructureCeng, ceng_voltage_corner_max,
                 QnnHtpPerfInfrastructure_Ceng_t, cengVoltageCornerMax);
QNNPP_SAME_FIELD(HtpPerfInfrastructureCeng, ceng_perf_mode, QnnHtpPerfInfrastructure_Ceng_t,
                 cengPerfMode);
QNNPP_SAME_SIZE(HtpPerfInfrastructureCengExp, QnnHtpPerfInfrastructure_CengExp_t);
QNNPP_SAME_FIELD(HtpPerfInfrastructureCengExp, ceng_voltage_corner_min,
                 QnnHtpPerfInfrastructure_CengExp_t, cengVoltageCornerMin);
QNNPP_SAME_FIELD(HtpPerfInfrastructureCengExp, ceng_voltage_corner_target,
                 QnnHtpPerfInfrastructure_CengExp_t, cengVoltageCornerTarget);
QNNPP_SAME_FIELD(HtpPerfInfrastructureCengExp, ceng_voltage_corner_max,
                 QnnHtpPerfInfrastructure_CengExp_t, cengVoltageCornerMax);
QNNPP_SAME_FIELD(HtpPerfInfrastructureCengExp, ceng_perf_mode, QnnHtpPerfInfrastructure_CengExp_t,
                 cengPerfMode);
QNNPP_SAME_SIZE(HtpPerfInfrastructureDcvsV3Exp, QnnHtpPerfInfrastructure_DcvsV3Exp_t);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, context_id, QnnHtpPerfInfrastructure_DcvsV3Exp_t,
                 contextId);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, power_mode, QnnHtpPerfInfrastructure_DcvsV3Exp_t,
                 powerMode);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, set_sleep_latency,
                 QnnHtpPerfInfrastructure_DcvsV3Exp_t, setSleepLatency);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, sleep_latency,
                 QnnHtpPerfInfrastructure_DcvsV3Exp_t, sleepLatency);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, set_sleep_disable,
                 QnnHtpPerfInfrastructure_DcvsV3Exp_t, setSleepDisable);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, sleep_disable,
                 QnnHtpPerfInfrastructure_DcvsV3Exp_t, sleepDisable);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, set_bus_params,
                 QnnHtpPerfInfrastructure_DcvsV3Exp_t, setBusParams);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, bus_voltage_corner_min,
                 QnnHtpPerfInfrastructure_DcvsV3Exp_t, busVoltageCornerMin);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, bus_voltage_corner_target,
                 QnnHtpPerfInfrastructure_DcvsV3Exp_t, busVoltageCornerTarget);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, bus_voltage_corner_max,
                 QnnHtpPerfInfrastructure_DcvsV3Exp_t, busVoltageCornerMax);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, set_core_params,
                 QnnHtpPerfInfrastructure_DcvsV3Exp_t, setCoreParams);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, core_voltage_corner_min,
                 QnnHtpPerfInfrastructure_DcvsV3Exp_t, coreVoltageCornerMin);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, core_voltage_corner_target,
                 QnnHtpPerfInfrastructure_DcvsV3Exp_t, coreVoltageCornerTarget);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, core_voltage_corner_max,
                 QnnHtpPerfInfrastructure_DcvsV3Exp_t, coreVoltageCornerMax);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, core_perf_mode,
                 QnnHtpPerfInfrastructure_DcvsV3Exp_t, corePerfMode);
QNNPP_SAME_FIELD(HtpPerfInfrastructureDcvsV3Exp, bus_perf_mode,
                 QnnHtpPerfInfrastructure_DcvsV3Exp_t, busPerfMode);
QNNPP_SAME_FIELD(HtpPerfInfrastructurePowerConfig, ceng_config,
                 QnnHtpPerfInfrastructure_PowerConfig_t, cengConfig);
QNNPP_SAME_FIELD(HtpPerfInfrastructurePowerConfig, dcvs_v3_exp_config,
                 QnnHtpPerfInfrastructure_PowerConfig_t, dcvsV3ExpConfig);
QNNPP_SAME_FIELD(HtpPerfInfrastructurePowerConfig, ceng_exp_config,
                 QnnHtpPerfInfrastructure_PowerConfig_t, cengExpConfig);
#endif
QNNPP_SAME_VALUE(HtpPerfInfrastructureMemoryConfigOption::grow_size,
                 QNN_HTP_PERF_INFRASTRUCTURE_MEMORY_CONFIGOPTION_GROW_SIZE);
QNNPP_SAME_VALUE(HtpPerfInfrastructureMemoryConfigOption::unknown,
                 QNN_HTP_PERF_INFRASTRUCTURE_MEMORY_CONFIGOPTION_UNKNOWN);
QNNPP_SAME_SIZE(HtpPerfInfrastructureMemoryConfig, QnnHtpPerfInfrastructure_MemoryConfig_t);
QNNPP_SAME_FIELD(HtpPerfInfrastructureMemoryConfig, option, QnnHtpPerfInfrastructure_MemoryConfig_t,
                 option);
QNNPP_SAME_FIELD(HtpPerfInfrastructureMemoryConfig, mem_grow_size_config,
                 QnnHtpPerfInfrastructure_MemoryConfig_t, memGrowSizeConfig);

// htp/device.hpp
QNNPP_SAME_VALUE(HtpDeviceArch::none, QNN_HTP_DEVICE_ARCH_NONE);
QNNPP_SAME_VALUE(HtpDeviceArch::v68, QNN_HTP_DEVICE_ARCH_V68);
QNNPP_SAME_VALUE(HtpDeviceArch::v69, QNN_HTP_DEVICE_ARCH_V69);
QNNPP_SAME_VALUE(HtpDeviceArch::v73, QNN_HTP_DEVICE_ARCH_V73);
QNNPP_SAME_VALUE(HtpDeviceArch::v75, QNN_HTP_DEVICE_ARCH_V75);
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(HtpDeviceArch::v79, QNN_HTP_DEVICE_ARCH_V79);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpDeviceArch::v81, QNN_HTP_DEVICE_ARCH_V81);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 43
QNNPP_SAME_VALUE(HtpDeviceArch::v85, QNN_HTP_DEVICE_ARCH_V85);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 50
QNNPP_SAME_VALUE(HtpDeviceArch::v89, QNN_HTP_DEVICE_ARCH_V89);
#endif
QNNPP_SAME_VALUE(HtpDeviceArch::unknown, QNN_HTP_DEVICE_ARCH_UNKNOWN);
QNNPP_SAME_VALUE(HtpDeviceConfigOption::soc, QNN_HTP_DEVICE_CONFIG_OPTION_SOC);
QNNPP_SAME_VALUE(HtpDeviceConfigOption::arch, QNN_HTP_DEVICE_CONFIG_OPTION_ARCH);
QNNPP_SAME_VALUE(HtpDeviceConfigOption::signedpd, QNN_HTP_DEVICE_CONFIG_OPTION_SIGNEDPD);
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpDeviceConfigOption::securepd, QNN_HTP_DEVICE_CONFIG_OPTION_SECUREPD);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 50
QNNPP_SAME_VALUE(HtpDeviceConfigOption::async_execute, QNN_HTP_DEVICE_CONFIG_OPTION_ASYNC_EXECUTE);
QNNPP_SAME_VALUE(HtpDeviceConfigOption::dynamic_partitioning,
                 QNN_HTP_DEVICE_CONFIG_OPTION_DYNAMIC_PARTITIONING);
QNNPP_SAME_VALUE(HtpDeviceConfigOption::app_uid, QNN_HTP_DEVICE_CONFIG_OPTION_APP_UID);
QNNPP_SAME_VALUE(HtpDeviceConfigOption::htp_extension, QNN_HTP_DEVICE_CONFIG_OPTION_HTP_EXTENSION);
#endif
QNNPP_SAME_VALUE(HtpDeviceConfigOption::unknown, QNN_HTP_DEVICE_CONFIG_OPTION_UNKNOWN);
QNNPP_SAME_SIZE(HtpDeviceMinimumArch, QnnHtpDevice_Minimum_Arch_t);
QNNPP_SAME_FIELD(HtpDeviceMinimumArch, device_id, QnnHtpDevice_Minimum_Arch_t, deviceId);
QNNPP_SAME_FIELD(HtpDeviceMinimumArch, arch, QnnHtpDevice_Minimum_Arch_t, arch);
QNNPP_SAME_SIZE(HtpDeviceUseSignedProcessDomain, QnnHtpDevice_UseSignedProcessDomain_t);
QNNPP_SAME_FIELD(HtpDeviceUseSignedProcessDomain, device_id, QnnHtpDevice_UseSignedProcessDomain_t,
                 deviceId);
QNNPP_SAME_FIELD(HtpDeviceUseSignedProcessDomain, use_signed_process_domain,
                 QnnHtpDevice_UseSignedProcessDomain_t, useSignedProcessDomain);
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_SIZE(HtpDeviceUseSecureProcessDomain, QnnHtpDevice_UseSecureProcessDomain_t);
QNNPP_SAME_FIELD(HtpDeviceUseSecureProcessDomain, device_id, QnnHtpDevice_UseSecureProcessDomain_t,
                 deviceId);
QNNPP_SAME_FIELD(HtpDeviceUseSecureProcessDomain, use_secure_process_domain,
                 QnnHtpDevice_UseSecureProcessDomain_t, useSecureProcessDomain);
#endif
#if QNN_HTP_API_VERSION_MINOR <= 43
QNNPP_SAME_SIZE(HtpDeviceCustomConfig, QnnHtpDevice_CustomConfig_t);
QNNPP_SAME_FIELD(HtpDeviceCustomConfig, option, QnnHtpDevice_CustomConfig_t, option);
QNNPP_SAME_FIELD(HtpDeviceCustomConfig, soc_model, QnnHtpDevice_CustomConfig_t, socModel);
QNNPP_SAME_FIELD(HtpDeviceCustomConfig, arch, QnnHtpDevice_CustomConfig_t, arch);
QNNPP_SAME_FIELD(HtpDeviceCustomConfig, use_signed_process_domain, QnnHtpDevice_CustomConfig_t,
                 useSignedProcessDomain);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36 && QNN_HTP_API_VERSION_MINOR <= 43
QNNPP_SAME_FIELD(HtpDeviceCustomConfig, use_secure_process_domain, QnnHtpDevice_CustomConfig_t,
                 useSecureProcessDomain);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 50
QNNPP_SAME_SIZE(HtpDeviceAsyncExecute, QnnHtpDevice_AsyncExecute_t);
QNNPP_SAME_FIELD(HtpDeviceAsyncExecute, device_id, QnnHtpDevice_AsyncExecute_t, deviceId);
QNNPP_SAME_FIELD(HtpDeviceAsyncExecute, enable_async_execute, QnnHtpDevice_AsyncExecute_t,
                 enableAsyncExecute);
QNNPP_SAME_SIZE(HtpDeviceUseDynamicPartitioning, QnnHtpDevice_UseDynamicPartitioning_t);
QNNPP_SAME_FIELD(HtpDeviceUseDynamicPartitioning, device_id, QnnHtpDevice_UseDynamicPartitioning_t,
                 deviceId);
QNNPP_SAME_FIELD(HtpDeviceUseDynamicPartitioning, use_dynamic_partitioning,
                 QnnHtpDevice_UseDynamicPartitioning_t, useDynamicPartitioning);
QNNPP_SAME_FIELD(HtpDeviceUseDynamicPartitioning, rsm_handle, QnnHtpDevice_UseDynamicPartitioning_t,
                 rsmHandle);
QNNPP_SAME_SIZE(HtpDeviceCustomConfigWide, QnnHtpDevice_CustomConfig_t);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, option, QnnHtpDevice_CustomConfig_t, option);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, soc_model, QnnHtpDevice_CustomConfig_t, socModel);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, arch, QnnHtpDevice_CustomConfig_t, arch);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, use_signed_process_domain, QnnHtpDevice_CustomConfig_t,
                 useSignedProcessDomain);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, use_secure_process_domain, QnnHtpDevice_CustomConfig_t,
                 useSecureProcessDomain);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, async_execute, QnnHtpDevice_CustomConfig_t,
                 asyncExecute);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, use_dynamic_partitioning, QnnHtpDevice_CustomConfig_t,
                 useDynamicPartitioning);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, app_uid, QnnHtpDevice_CustomConfig_t, appUid);
#endif
QNNPP_SAME_VALUE(HtpDeviceDeviceType::on_chip, QNN_HTP_DEVICE_TYPE_ON_CHIP);
QNNPP_SAME_VALUE(HtpDeviceDeviceType::unknown, QNN_HTP_DEVICE_TYPE_UNKNOWN);
QNNPP_SAME_VALUE(HtpDeviceCoreType::nsp, QNN_HTP_CORE_TYPE_NSP);
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpDeviceCoreType::hpass, QNN_HTP_CORE_TYPE_HPASS);
QNNPP_SAME_VALUE(HtpDeviceCoreType::max, QNN_HTP_CORE_TYPE_MAX);
#endif
QNNPP_SAME_VALUE(HtpDeviceCoreType::unknown, QNN_HTP_CORE_TYPE_UNKNOWN);
QNNPP_SAME_SIZE(HtpDeviceOnChipDeviceInfoExtension, QnnHtpDevice_OnChipDeviceInfoExtension_t);
QNNPP_SAME_FIELD(HtpDeviceOnChipDeviceInfoExtension, vtcm_size,
                 QnnHtpDevice_OnChipDeviceInfoExtension_t, vtcmSize);
QNNPP_SAME_FIELD(HtpDeviceOnChipDeviceInfoExtension, soc_model,
                 QnnHtpDevice_OnChipDeviceInfoExtension_t, socModel);
QNNPP_SAME_FIELD(HtpDeviceOnChipDeviceInfoExtension, signed_pd_support,
                 QnnHtpDevice_OnChipDeviceInfoExtension_t, signedPdSupport);
QNNPP_SAME_FIELD(HtpDeviceOnChipDeviceInfoExtension, dlbc_support,
                 QnnHtpDevice_OnChipDeviceInfoExtension_t, dlbcSupport);
QNNPP_SAME_FIELD(HtpDeviceOnChipDeviceInfoExtension, arch, QnnHtpDevice_OnChipDeviceInfoExtension_t,
                 arch);
QNNPP_SAME_SIZE(HtpDeviceDeviceInfoExtension, QnnHtpDevice_DeviceInfoExtension_t);
QNNPP_SAME_FIELD(HtpDeviceDeviceInfoExtension, dev_type, QnnHtpDevice_DeviceInfoExtension_t,
                 devType);
QNNPP_SAME_FIELD(HtpDeviceDeviceInfoExtension, on_chip_device, QnnHtpDevice_DeviceInfoExtension_t,
                 onChipDevice);
QNNPP_SAME_SIZE(HtpDevicePerfInfrastructure, QnnHtpDevice_PerfInfrastructure_t);
QNNPP_SAME_FIELD(HtpDevicePerfInfrastructure, create_power_config_id,
                 QnnHtpDevice_PerfInfrastructure_t, createPowerConfigId);
QNNPP_SAME_FIELD(HtpDevicePerfInfrastructure, destroy_power_config_id,
                 QnnHtpDevice_PerfInfrastructure_t, destroyPowerConfigId);
QNNPP_SAME_FIELD(HtpDevicePerfInfrastructure, set_power_config, QnnHtpDevice_PerfInfrastructure_t,
                 setPowerConfig);
QNNPP_SAME_FIELD(HtpDevicePerfInfrastructure, set_memory_config, QnnHtpDevice_PerfInfrastructure_t,
                 setMemoryConfig);
QNNPP_SAME_VALUE(HtpDeviceInfrastructureType::perf, QNN_HTP_DEVICE_INFRASTRUCTURE_TYPE_PERF);
QNNPP_SAME_VALUE(HtpDeviceInfrastructureType::unknown, QNN_HTP_DEVICE_INFRASTRUCTURE_TYPE_UNKNOWN);
QNNPP_SAME_SIZE(HtpDeviceInfrastructure, QnnHtpDevice_Infrastructure_t);
QNNPP_SAME_FIELD(HtpDeviceInfrastructure, infra_type, QnnHtpDevice_Infrastructure_t, infraType);
QNNPP_SAME_FIELD(HtpDeviceInfrastructure, perf_infra, QnnHtpDevice_Infrastructure_t, perfInfra);

}  // namespace qnnpp::c_api

#endif
