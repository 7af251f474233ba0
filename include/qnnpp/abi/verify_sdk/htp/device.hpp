// Part of verify_sdk.hpp; do not include it alone. Compares abi/htp/device.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/htp/device.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/htp/device.hpp"

// clang-format off
namespace qnnpp::c_api {

#if defined(QNNPP_VERIFY_HTP)
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
QNNPP_SAME_VALUE(HtpDeviceConfigOption::dynamic_partitioning, QNN_HTP_DEVICE_CONFIG_OPTION_DYNAMIC_PARTITIONING);
QNNPP_SAME_VALUE(HtpDeviceConfigOption::app_uid, QNN_HTP_DEVICE_CONFIG_OPTION_APP_UID);
QNNPP_SAME_VALUE(HtpDeviceConfigOption::htp_extension, QNN_HTP_DEVICE_CONFIG_OPTION_HTP_EXTENSION);
#endif
QNNPP_SAME_VALUE(HtpDeviceConfigOption::unknown, QNN_HTP_DEVICE_CONFIG_OPTION_UNKNOWN);
QNNPP_SAME_SIZE(HtpDeviceMinimumArch, QnnHtpDevice_Minimum_Arch_t);
QNNPP_SAME_FIELD(HtpDeviceMinimumArch, device_id, QnnHtpDevice_Minimum_Arch_t, deviceId);
QNNPP_SAME_FIELD(HtpDeviceMinimumArch, arch, QnnHtpDevice_Minimum_Arch_t, arch);
QNNPP_SAME_SIZE(HtpDeviceUseSignedProcessDomain, QnnHtpDevice_UseSignedProcessDomain_t);
QNNPP_SAME_FIELD(HtpDeviceUseSignedProcessDomain, device_id, QnnHtpDevice_UseSignedProcessDomain_t, deviceId);
QNNPP_SAME_FIELD(HtpDeviceUseSignedProcessDomain, use_signed_process_domain, QnnHtpDevice_UseSignedProcessDomain_t, useSignedProcessDomain);
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_SIZE(HtpDeviceUseSecureProcessDomain, QnnHtpDevice_UseSecureProcessDomain_t);
QNNPP_SAME_FIELD(HtpDeviceUseSecureProcessDomain, device_id, QnnHtpDevice_UseSecureProcessDomain_t, deviceId);
QNNPP_SAME_FIELD(HtpDeviceUseSecureProcessDomain, use_secure_process_domain, QnnHtpDevice_UseSecureProcessDomain_t, useSecureProcessDomain);
#endif
#if QNN_HTP_API_VERSION_MINOR <= 43
QNNPP_SAME_SIZE(HtpDeviceCustomConfig, QnnHtpDevice_CustomConfig_t);
QNNPP_SAME_FIELD(HtpDeviceCustomConfig, option, QnnHtpDevice_CustomConfig_t, option);
QNNPP_SAME_FIELD(HtpDeviceCustomConfig, soc_model, QnnHtpDevice_CustomConfig_t, socModel);
QNNPP_SAME_FIELD(HtpDeviceCustomConfig, arch, QnnHtpDevice_CustomConfig_t, arch);
QNNPP_SAME_FIELD(HtpDeviceCustomConfig, use_signed_process_domain, QnnHtpDevice_CustomConfig_t, useSignedProcessDomain);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36 && QNN_HTP_API_VERSION_MINOR <= 43
QNNPP_SAME_FIELD(HtpDeviceCustomConfig, use_secure_process_domain, QnnHtpDevice_CustomConfig_t, useSecureProcessDomain);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 50
QNNPP_SAME_SIZE(HtpDeviceAsyncExecute, QnnHtpDevice_AsyncExecute_t);
QNNPP_SAME_FIELD(HtpDeviceAsyncExecute, device_id, QnnHtpDevice_AsyncExecute_t, deviceId);
QNNPP_SAME_FIELD(HtpDeviceAsyncExecute, enable_async_execute, QnnHtpDevice_AsyncExecute_t, enableAsyncExecute);
QNNPP_SAME_SIZE(HtpDeviceUseDynamicPartitioning, QnnHtpDevice_UseDynamicPartitioning_t);
QNNPP_SAME_FIELD(HtpDeviceUseDynamicPartitioning, device_id, QnnHtpDevice_UseDynamicPartitioning_t, deviceId);
QNNPP_SAME_FIELD(HtpDeviceUseDynamicPartitioning, use_dynamic_partitioning, QnnHtpDevice_UseDynamicPartitioning_t, useDynamicPartitioning);
QNNPP_SAME_FIELD(HtpDeviceUseDynamicPartitioning, rsm_handle, QnnHtpDevice_UseDynamicPartitioning_t, rsmHandle);
QNNPP_SAME_SIZE(HtpDeviceCustomConfigWide, QnnHtpDevice_CustomConfig_t);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, option, QnnHtpDevice_CustomConfig_t, option);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, soc_model, QnnHtpDevice_CustomConfig_t, socModel);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, arch, QnnHtpDevice_CustomConfig_t, arch);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, use_signed_process_domain, QnnHtpDevice_CustomConfig_t, useSignedProcessDomain);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, use_secure_process_domain, QnnHtpDevice_CustomConfig_t, useSecureProcessDomain);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, async_execute, QnnHtpDevice_CustomConfig_t, asyncExecute);
QNNPP_SAME_FIELD(HtpDeviceCustomConfigWide, use_dynamic_partitioning, QnnHtpDevice_CustomConfig_t, useDynamicPartitioning);
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
QNNPP_SAME_FIELD(HtpDeviceOnChipDeviceInfoExtension, vtcm_size, QnnHtpDevice_OnChipDeviceInfoExtension_t, vtcmSize);
QNNPP_SAME_FIELD(HtpDeviceOnChipDeviceInfoExtension, soc_model, QnnHtpDevice_OnChipDeviceInfoExtension_t, socModel);
QNNPP_SAME_FIELD(HtpDeviceOnChipDeviceInfoExtension, signed_pd_support, QnnHtpDevice_OnChipDeviceInfoExtension_t, signedPdSupport);
QNNPP_SAME_FIELD(HtpDeviceOnChipDeviceInfoExtension, dlbc_support, QnnHtpDevice_OnChipDeviceInfoExtension_t, dlbcSupport);
QNNPP_SAME_FIELD(HtpDeviceOnChipDeviceInfoExtension, arch, QnnHtpDevice_OnChipDeviceInfoExtension_t, arch);
QNNPP_SAME_SIZE(HtpDeviceDeviceInfoExtension, QnnHtpDevice_DeviceInfoExtension_t);
QNNPP_SAME_FIELD(HtpDeviceDeviceInfoExtension, dev_type, QnnHtpDevice_DeviceInfoExtension_t, devType);
QNNPP_SAME_FIELD(HtpDeviceDeviceInfoExtension, on_chip_device, QnnHtpDevice_DeviceInfoExtension_t, onChipDevice);
QNNPP_SAME_SIZE(HtpDevicePerfInfrastructure, QnnHtpDevice_PerfInfrastructure_t);
QNNPP_SAME_FIELD(HtpDevicePerfInfrastructure, create_power_config_id, QnnHtpDevice_PerfInfrastructure_t, createPowerConfigId);
QNNPP_SAME_FIELD(HtpDevicePerfInfrastructure, destroy_power_config_id, QnnHtpDevice_PerfInfrastructure_t, destroyPowerConfigId);
QNNPP_SAME_FIELD(HtpDevicePerfInfrastructure, set_power_config, QnnHtpDevice_PerfInfrastructure_t, setPowerConfig);
QNNPP_SAME_FIELD(HtpDevicePerfInfrastructure, set_memory_config, QnnHtpDevice_PerfInfrastructure_t, setMemoryConfig);
QNNPP_SAME_VALUE(HtpDeviceInfrastructureType::perf, QNN_HTP_DEVICE_INFRASTRUCTURE_TYPE_PERF);
QNNPP_SAME_VALUE(HtpDeviceInfrastructureType::unknown, QNN_HTP_DEVICE_INFRASTRUCTURE_TYPE_UNKNOWN);
QNNPP_SAME_SIZE(HtpDeviceInfrastructure, QnnHtpDevice_Infrastructure_t);
QNNPP_SAME_FIELD(HtpDeviceInfrastructure, infra_type, QnnHtpDevice_Infrastructure_t, infraType);
QNNPP_SAME_FIELD(HtpDeviceInfrastructure, perf_infra, QnnHtpDevice_Infrastructure_t, perfInfra);
#endif  // htp

}  // namespace qnnpp::c_api

#endif
