#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::abi {

using DeviceCoreInfoExtension = void*;
struct OpaqueDeviceInfoExtension;
using DeviceDeviceInfoExtension = OpaqueDeviceInfoExtension*;
struct OpaqueDeviceInfrastructure;
using DeviceInfrastructure = OpaqueDeviceInfrastructure*;
using DeviceCustomConfig = void*;

/// QnnDevice_CoreInfoVersion_t.
enum class DeviceCoreInfoVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(DeviceCoreInfoVersion::v1) == 1u);
static_assert(std::uint32_t(DeviceCoreInfoVersion::undefined) == 0x7FFFFFFFu);

/// QnnDevice_CoreInfoV1_t.
struct DeviceCoreInfoV1 {
  std::uint32_t core_id;
  std::uint32_t core_type;
  DeviceCoreInfoExtension core_info_extension;
};
static_assert(sizeof(DeviceCoreInfoV1) == 16 && alignof(DeviceCoreInfoV1) == 8);
static_assert(offsetof(DeviceCoreInfoV1, core_id) == 0);
static_assert(offsetof(DeviceCoreInfoV1, core_type) == 4);
static_assert(offsetof(DeviceCoreInfoV1, core_info_extension) == 8);

/// QnnDevice_CoreInfo_t.
struct DeviceCoreInfo {
  DeviceCoreInfoVersion version;
  union {
    DeviceCoreInfoV1 v1;
  };
};
static_assert(sizeof(DeviceCoreInfo) == 24 && alignof(DeviceCoreInfo) == 8);
static_assert(offsetof(DeviceCoreInfo, version) == 0);
static_assert(offsetof(DeviceCoreInfo, v1) == 8);

/// QnnDevice_HardwareDeviceInfoVersion_t.
enum class DeviceHardwareDeviceInfoVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(DeviceHardwareDeviceInfoVersion::v1) == 1u);
static_assert(std::uint32_t(DeviceHardwareDeviceInfoVersion::undefined) == 0x7FFFFFFFu);

/// QnnDevice_HardwareDeviceInfoV1_t.
struct DeviceHardwareDeviceInfoV1 {
  std::uint32_t device_id;
  std::uint32_t device_type;
  std::uint32_t num_cores;
  DeviceCoreInfo* cores;
  DeviceDeviceInfoExtension device_info_extension;
};
static_assert(sizeof(DeviceHardwareDeviceInfoV1) == 32 && alignof(DeviceHardwareDeviceInfoV1) == 8);
static_assert(offsetof(DeviceHardwareDeviceInfoV1, device_id) == 0);
static_assert(offsetof(DeviceHardwareDeviceInfoV1, device_type) == 4);
static_assert(offsetof(DeviceHardwareDeviceInfoV1, num_cores) == 8);
static_assert(offsetof(DeviceHardwareDeviceInfoV1, cores) == 16);
static_assert(offsetof(DeviceHardwareDeviceInfoV1, device_info_extension) == 24);

/// QnnDevice_HardwareDeviceInfo_t.
struct DeviceHardwareDeviceInfo {
  DeviceHardwareDeviceInfoVersion version;
  union {
    DeviceHardwareDeviceInfoV1 v1;
  };
};
static_assert(sizeof(DeviceHardwareDeviceInfo) == 40 && alignof(DeviceHardwareDeviceInfo) == 8);
static_assert(offsetof(DeviceHardwareDeviceInfo, version) == 0);
static_assert(offsetof(DeviceHardwareDeviceInfo, v1) == 8);

/// QnnDevice_PlatformInfoVersion_t.
enum class DevicePlatformInfoVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(DevicePlatformInfoVersion::v1) == 1u);
static_assert(std::uint32_t(DevicePlatformInfoVersion::undefined) == 0x7FFFFFFFu);

/// QnnDevice_PlatformInfoV1_t.
struct DevicePlatformInfoV1 {
  std::uint32_t num_hw_devices;
  DeviceHardwareDeviceInfo* hw_devices;
};
static_assert(sizeof(DevicePlatformInfoV1) == 16 && alignof(DevicePlatformInfoV1) == 8);
static_assert(offsetof(DevicePlatformInfoV1, num_hw_devices) == 0);
static_assert(offsetof(DevicePlatformInfoV1, hw_devices) == 8);

/// QnnDevice_PlatformInfo_t.
struct DevicePlatformInfo {
  DevicePlatformInfoVersion version;
  union {
    DevicePlatformInfoV1 v1;
  };
};
static_assert(sizeof(DevicePlatformInfo) == 24 && alignof(DevicePlatformInfo) == 8);
static_assert(offsetof(DevicePlatformInfo, version) == 0);
static_assert(offsetof(DevicePlatformInfo, v1) == 8);

/// QnnDevice_ConfigOption_t.
enum class DeviceConfigOption : std::uint32_t {
  custom = 0,
  platform_info = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(DeviceConfigOption::custom) == 0u);
static_assert(std::uint32_t(DeviceConfigOption::platform_info) == 1u);
static_assert(std::uint32_t(DeviceConfigOption::undefined) == 0x7FFFFFFFu);

/// QnnDevice_Config_t.
struct DeviceConfig {
  DeviceConfigOption option;
  union {
    DeviceCustomConfig custom_config;
    DevicePlatformInfo* hardware_info;
  };
};
static_assert(sizeof(DeviceConfig) == 16 && alignof(DeviceConfig) == 8);
static_assert(offsetof(DeviceConfig, option) == 0);
static_assert(offsetof(DeviceConfig, custom_config) == 8);
static_assert(offsetof(DeviceConfig, hardware_info) == 8);

}  // namespace qnnpp::abi
