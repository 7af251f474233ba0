// Devices: platforms, hardware devices and cores, options, and the calls on them.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Pointer to what a backend adds to a core. C: QnnDevice_CoreInfoExtension_t.
using DeviceCoreInfoExtension = void*;

struct OpaqueDeviceInfoExtension;
/// What a backend adds to a device. HTP: HtpDeviceDeviceInfoExtension*.
/// C: QnnDevice_DeviceInfoExtension_t.
using DeviceDeviceInfoExtension = OpaqueDeviceInfoExtension*;

struct OpaqueDeviceInfrastructure;
/// A backend's own functions. HTP: HtpDeviceInfrastructure*. C: QnnDevice_Infrastructure_t.
using DeviceInfrastructure = OpaqueDeviceInfrastructure*;

/// Pointer to an option that the backend defines. C: QnnDevice_CustomConfig_t.
using DeviceCustomConfig = void*;

/// Which member of DeviceCoreInfo's union is set. C: QnnDevice_CoreInfoVersion_t.
enum class DeviceCoreInfoVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};

/// A core of a device. C: QnnDevice_CoreInfoV1_t.
struct DeviceCoreInfoV1 {
  std::uint32_t core_id;                        ///< Number of the core within the device.
  std::uint32_t core_type;                      ///< Kind of core; HTP: HtpDeviceCoreType.
  DeviceCoreInfoExtension core_info_extension;  ///< More, defined by the backend; may be NULL.
};

/// A core of any version. C: QnnDevice_CoreInfo_t.
struct DeviceCoreInfo {
  DeviceCoreInfoVersion version;  ///< Selects the union member.
  union {
    DeviceCoreInfoV1 v1;
  };
};

/// Which member of DeviceHardwareDeviceInfo's union is set.
/// C: QnnDevice_HardwareDeviceInfoVersion_t.
enum class DeviceHardwareDeviceInfoVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};

/// A device and its cores. C: QnnDevice_HardwareDeviceInfoV1_t.
struct DeviceHardwareDeviceInfoV1 {
  std::uint32_t device_id;    ///< Number of the device; the perf functions take it.
  std::uint32_t device_type;  ///< Kind of device; HTP: HtpDeviceDeviceType.
  std::uint32_t num_cores;    ///< Length of cores.
  DeviceCoreInfo* cores;      ///< The cores.
  /// More, defined by the backend; HTP: HtpDeviceDeviceInfoExtension.
  DeviceDeviceInfoExtension device_info_extension;
};

/// A device of any version. C: QnnDevice_HardwareDeviceInfo_t.
struct DeviceHardwareDeviceInfo {
  DeviceHardwareDeviceInfoVersion version;  ///< Selects the union member.
  union {
    DeviceHardwareDeviceInfoV1 v1;
  };
};

/// Which member of DevicePlatformInfo's union is set. C: QnnDevice_PlatformInfoVersion_t.
enum class DevicePlatformInfoVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};

/// All devices of a platform. C: QnnDevice_PlatformInfoV1_t.
struct DevicePlatformInfoV1 {
  std::uint32_t num_hw_devices;          ///< Length of hw_devices.
  DeviceHardwareDeviceInfo* hw_devices;  ///< The devices.
};

/// A platform of any version. From device_get_platform_info: give it back with
/// device_free_platform_info. From device_get_info: belongs to the device.
/// C: QnnDevice_PlatformInfo_t.
struct DevicePlatformInfo {
  DevicePlatformInfoVersion version;  ///< Selects the union member.
  union {
    DevicePlatformInfoV1 v1;
  };
};

/// Which member of DeviceConfig's union is set. C: QnnDevice_ConfigOption_t.
enum class DeviceConfigOption : std::uint32_t {
  custom = 0,         ///< custom_config, defined by the backend; HTP: HtpDeviceCustomConfig.
  platform_info = 1,  ///< hardware_info, which devices and cores to use.
  undefined = 0x7FFFFFFF,
};

/// An option of a device. Calls take a NULL-ended array of pointers to these; NULL is all devices
/// and cores. C: QnnDevice_Config_t.
struct DeviceConfig {
  DeviceConfigOption option;  ///< Selects the union member.
  union {
    DeviceCustomConfig custom_config;
    DevicePlatformInfo* hardware_info;  ///< The platform to prepare for, or the part of it to use.
  };
};

/// Devices and cores of the platform. Give the result back with device_free_platform_info.
/// C: QnnDevice_getPlatformInfo. Codes: 1000, 1002, 1004, 14000.
using DeviceGetPlatformInfoFn = ErrorHandle (*)(LogHandle logger,
                                                const DevicePlatformInfo** platform_info);

/// Takes back what device_get_platform_info gave. C: QnnDevice_freePlatformInfo. Codes: 1000, 1002,
/// 1004, 14000.
using DeviceFreePlatformInfoFn = ErrorHandle (*)(LogHandle logger,
                                                 const DevicePlatformInfo* platform_info);

/// Writes the backend's infrastructure into the argument, in spite of const. HTP: points to an
/// HtpDeviceInfrastructure that belongs to the backend. C: QnnDevice_getInfrastructure. Codes:
/// 1000, 1002, 1004, 14000.
using DeviceGetInfrastructureFn = ErrorHandle (*)(const DeviceInfrastructure* device_infra);

/// Creates a device. Answers 1000 where the backend has none: go on with a NULL device.
/// C: QnnDevice_create. Codes: 1000, 1002, 1004, 1007, 1011, 14000, 14001, 14002.
using DeviceCreateFn = ErrorHandle (*)(LogHandle logger, const DeviceConfig** config,
                                       DeviceHandle* device);

/// Changes options of a device that has no contexts. C: QnnDevice_setConfig. Codes: 1000, 1004,
/// 14000, 14001, 14003.
using DeviceSetConfigFn = ErrorHandle (*)(DeviceHandle device, const DeviceConfig** config);

/// Devices and cores that this device stands for. The result belongs to the device.
/// C: QnnDevice_getInfo. Codes: 1000, 1004, 14000.
using DeviceGetInfoFn = ErrorHandle (*)(DeviceHandle device,
                                        const DevicePlatformInfo** platform_info);

/// Frees a device that has no contexts. C: QnnDevice_free. Codes: 1000, 1002, 14000, 14003.
using DeviceFreeFn = ErrorHandle (*)(DeviceHandle device);

}  // namespace qnnpp::c_api
