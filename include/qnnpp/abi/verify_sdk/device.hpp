// Part of verify_sdk.hpp; do not include it alone. Compares abi/device.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/device.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/device.hpp"

// clang-format off
namespace qnnpp::c_api {

QNNPP_SAME_VALUE(DeviceCoreInfoVersion::v1, QNN_DEVICE_CORE_INFO_VERSION_1);
QNNPP_SAME_VALUE(DeviceCoreInfoVersion::undefined, QNN_DEVICE_CORE_INFO_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(DeviceCoreInfoV1, QnnDevice_CoreInfoV1_t);
QNNPP_SAME_FIELD(DeviceCoreInfoV1, core_id, QnnDevice_CoreInfoV1_t, coreId);
QNNPP_SAME_FIELD(DeviceCoreInfoV1, core_type, QnnDevice_CoreInfoV1_t, coreType);
QNNPP_SAME_FIELD(DeviceCoreInfoV1, core_info_extension, QnnDevice_CoreInfoV1_t, coreInfoExtension);
QNNPP_SAME_SIZE(DeviceCoreInfo, QnnDevice_CoreInfo_t);
QNNPP_SAME_FIELD(DeviceCoreInfo, version, QnnDevice_CoreInfo_t, version);
QNNPP_SAME_FIELD(DeviceCoreInfo, v1, QnnDevice_CoreInfo_t, v1);
QNNPP_SAME_VALUE(DeviceHardwareDeviceInfoVersion::v1, QNN_DEVICE_HARDWARE_DEVICE_INFO_VERSION_1);
QNNPP_SAME_VALUE(DeviceHardwareDeviceInfoVersion::undefined, QNN_DEVICE_HARDWARE_DEVICE_INFO_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(DeviceHardwareDeviceInfoV1, QnnDevice_HardwareDeviceInfoV1_t);
QNNPP_SAME_FIELD(DeviceHardwareDeviceInfoV1, device_id, QnnDevice_HardwareDeviceInfoV1_t, deviceId);
QNNPP_SAME_FIELD(DeviceHardwareDeviceInfoV1, device_type, QnnDevice_HardwareDeviceInfoV1_t, deviceType);
QNNPP_SAME_FIELD(DeviceHardwareDeviceInfoV1, num_cores, QnnDevice_HardwareDeviceInfoV1_t, numCores);
QNNPP_SAME_FIELD(DeviceHardwareDeviceInfoV1, cores, QnnDevice_HardwareDeviceInfoV1_t, cores);
QNNPP_SAME_FIELD(DeviceHardwareDeviceInfoV1, device_info_extension, QnnDevice_HardwareDeviceInfoV1_t, deviceInfoExtension);
QNNPP_SAME_SIZE(DeviceHardwareDeviceInfo, QnnDevice_HardwareDeviceInfo_t);
QNNPP_SAME_FIELD(DeviceHardwareDeviceInfo, version, QnnDevice_HardwareDeviceInfo_t, version);
QNNPP_SAME_FIELD(DeviceHardwareDeviceInfo, v1, QnnDevice_HardwareDeviceInfo_t, v1);
QNNPP_SAME_VALUE(DevicePlatformInfoVersion::v1, QNN_DEVICE_PLATFORM_INFO_VERSION_1);
QNNPP_SAME_VALUE(DevicePlatformInfoVersion::undefined, QNN_DEVICE_PLATFORM_INFO_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(DevicePlatformInfoV1, QnnDevice_PlatformInfoV1_t);
QNNPP_SAME_FIELD(DevicePlatformInfoV1, num_hw_devices, QnnDevice_PlatformInfoV1_t, numHwDevices);
QNNPP_SAME_FIELD(DevicePlatformInfoV1, hw_devices, QnnDevice_PlatformInfoV1_t, hwDevices);
QNNPP_SAME_SIZE(DevicePlatformInfo, QnnDevice_PlatformInfo_t);
QNNPP_SAME_FIELD(DevicePlatformInfo, version, QnnDevice_PlatformInfo_t, version);
QNNPP_SAME_FIELD(DevicePlatformInfo, v1, QnnDevice_PlatformInfo_t, v1);
QNNPP_SAME_VALUE(DeviceConfigOption::custom, QNN_DEVICE_CONFIG_OPTION_CUSTOM);
QNNPP_SAME_VALUE(DeviceConfigOption::platform_info, QNN_DEVICE_CONFIG_OPTION_PLATFORM_INFO);
QNNPP_SAME_VALUE(DeviceConfigOption::undefined, QNN_DEVICE_CONFIG_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(DeviceConfig, QnnDevice_Config_t);
QNNPP_SAME_FIELD(DeviceConfig, option, QnnDevice_Config_t, option);
QNNPP_SAME_FIELD(DeviceConfig, custom_config, QnnDevice_Config_t, customConfig);
QNNPP_SAME_FIELD(DeviceConfig, hardware_info, QnnDevice_Config_t, hardwareInfo);

}  // namespace qnnpp::c_api

#endif
