// Devices: platforms, hardware devices, cores, options, and the calls on devices.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Pointer to a backend's extension of the core information. C: QnnDevice_CoreInfoExtension_t.
using DeviceCoreInfoExtension = void*;

struct OpaqueDeviceInfoExtension;
/// Pointer to a backend's extension of the device information. HTP: HtpDeviceDeviceInfoExtension*.
/// C: QnnDevice_DeviceInfoExtension_t.
using DeviceDeviceInfoExtension = OpaqueDeviceInfoExtension*;

struct OpaqueDeviceInfrastructure;
/// Pointer to functions that the backend defines. HTP: HtpDeviceInfrastructure*.
/// C: QnnDevice_Infrastructure_t.
using DeviceInfrastructure = OpaqueDeviceInfrastructure*;

/// Pointer to an option that the backend defines. C: QnnDevice_CustomConfig_t.
using DeviceCustomConfig = void*;

/// Selects the member of DeviceCoreInfo's union. C: QnnDevice_CoreInfoVersion_t.
enum class DeviceCoreInfoVersion : std::uint32_t {
  v1 = 1,  ///< v1.
  undefined = 0x7FFFFFFF,
};

/// Core of a device. C: QnnDevice_CoreInfoV1_t.
struct DeviceCoreInfoV1 {
  std::uint32_t core_id;    ///< Number of the core within the device.
  std::uint32_t core_type;  ///< Kind of core; HTP: HtpDeviceCoreType.
  /// Extension that the backend defines; may be NULL.
  DeviceCoreInfoExtension core_info_extension;
};

/// Core, any version. C: QnnDevice_CoreInfo_t.
struct DeviceCoreInfo {
  DeviceCoreInfoVersion version;  ///< Selects the union member.
  union {
    DeviceCoreInfoV1 v1;  ///< By value.
  };
};

/// Selects the member of DeviceHardwareDeviceInfo's union.
/// C: QnnDevice_HardwareDeviceInfoVersion_t.
enum class DeviceHardwareDeviceInfoVersion : std::uint32_t {
  v1 = 1,  ///< v1.
  undefined = 0x7FFFFFFF,
};

/// Device and its cores. C: QnnDevice_HardwareDeviceInfoV1_t.
struct DeviceHardwareDeviceInfoV1 {
  std::uint32_t device_id;    ///< Number of the device, an argument of the perf functions.
  std::uint32_t device_type;  ///< Kind of device; HTP: HtpDeviceDeviceType.
  std::uint32_t num_cores;    ///< Length of cores.
  DeviceCoreInfo* cores;      ///< The cores.
  /// Extension that the backend defines; HTP: HtpDeviceDeviceInfoExtension.
  DeviceDeviceInfoExtension device_info_extension;
};

/// Device, any version. C: QnnDevice_HardwareDeviceInfo_t.
struct DeviceHardwareDeviceInfo {
  DeviceHardwareDeviceInfoVersion version;  ///< Selects the union member.
  union {
    DeviceHardwareDeviceInfoV1 v1;  ///< By value.
  };
};

/// Selects the member of DevicePlatformInfo's union. C: QnnDevice_PlatformInfoVersion_t.
enum class DevicePlatformInfoVersion : std::uint32_t {
  v1 = 1,  ///< v1.
  undefined = 0x7FFFFFFF,
};

/// All devices of a platform. C: QnnDevice_PlatformInfoV1_t.
struct DevicePlatformInfoV1 {
  std::uint32_t num_hw_devices;          ///< Length of hw_devices.
  DeviceHardwareDeviceInfo* hw_devices;  ///< The devices.
};

/// Platform, any version. Release the result of device_get_platform_info with
/// device_free_platform_info. The device owns the result of device_get_info.
/// C: QnnDevice_PlatformInfo_t.
struct DevicePlatformInfo {
  DevicePlatformInfoVersion version;  ///< Selects the union member.
  union {
    DevicePlatformInfoV1 v1;  ///< By value.
  };
};

/// Selects the member of DeviceConfig's union. C: QnnDevice_ConfigOption_t.
enum class DeviceConfigOption : std::uint32_t {
  custom = 0,         ///< custom_config, defined by the backend; HTP: HtpDeviceCustomConfig.
  platform_info = 1,  ///< hardware_info: the devices and cores to use.
  undefined = 0x7FFFFFFF,
};

/// Option of a device. Calls use a NULL-ended array of pointers to options; NULL selects all
/// devices and cores. C: QnnDevice_Config_t.
struct DeviceConfig {
  DeviceConfigOption option;  ///< Selects the union member.
  union {
    DeviceCustomConfig custom_config;   ///< HTP: pointer to an HtpDeviceCustomConfig.
    DevicePlatformInfo* hardware_info;  ///< Platform to prepare for, or its part to use.
  };
};

/// Returns the devices and cores of the platform. Release the result with
/// device_free_platform_info. C: QnnDevice_getPlatformInfo. Codes: 1000, 1002, 1004, 14000.
using DeviceGetPlatformInfoFn = ErrorHandle (*)(LogHandle logger,
                                                const DevicePlatformInfo** platform_info);

/// Releases the result of device_get_platform_info. C: QnnDevice_freePlatformInfo. Codes: 1000,
/// 1002, 1004, 14000.
using DeviceFreePlatformInfoFn = ErrorHandle (*)(LogHandle logger,
                                                 const DevicePlatformInfo* platform_info);

/// Writes the pointer to the backend's infrastructure into the argument, although it is const. HTP:
/// the pointer is to an HtpDeviceInfrastructure that the backend owns.
/// C: QnnDevice_getInfrastructure. Codes: 1000, 1002, 1004, 14000.
using DeviceGetInfrastructureFn = ErrorHandle (*)(const DeviceInfrastructure* device_infra);

/// Creates a device. Returns 1000 if the backend has no devices; continue with a NULL device.
/// C: QnnDevice_create. Codes: 1000, 1002, 1004, 1007, 1011, 14000, 14001, 14002.
using DeviceCreateFn = ErrorHandle (*)(LogHandle logger, const DeviceConfig** config,
                                       DeviceHandle* device);

/// Changes options of a device that has no contexts. C: QnnDevice_setConfig. Codes: 1000, 1004,
/// 14000, 14001, 14003.
using DeviceSetConfigFn = ErrorHandle (*)(DeviceHandle device, const DeviceConfig** config);

/// Returns the devices and cores that a device represents. The device owns the result.
/// C: QnnDevice_getInfo. Codes: 1000, 1004, 14000.
using DeviceGetInfoFn = ErrorHandle (*)(DeviceHandle device,
                                        const DevicePlatformInfo** platform_info);

/// Frees a device that has no contexts. C: QnnDevice_free. Codes: 1000, 1002, 14000, 14003.
using DeviceFreeFn = ErrorHandle (*)(DeviceHandle device);

}  // namespace qnnpp::c_api
