// Part of verify_sdk.hpp, and nothing without it: backends, devices, memory, loggers, profiles and
// signals.
#pragma once

#if defined(QNNPP_SAME_FIELD)

#include <cstddef>
#include <cstdint>

#include "qnnpp/abi/backend.hpp"
#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/global_config.hpp"
#include "qnnpp/abi/log.hpp"
#include "qnnpp/abi/memory.hpp"
#include "qnnpp/abi/profile.hpp"
#include "qnnpp/abi/signal.hpp"

namespace qnnpp::c_api {

// log.hpp
QNNPP_SAME_VALUE(LogLevel::error, QNN_LOG_LEVEL_ERROR);
QNNPP_SAME_VALUE(LogLevel::warn, QNN_LOG_LEVEL_WARN);
QNNPP_SAME_VALUE(LogLevel::info, QNN_LOG_LEVEL_INFO);
QNNPP_SAME_VALUE(LogLevel::verbose, QNN_LOG_LEVEL_VERBOSE);
QNNPP_SAME_VALUE(LogLevel::debug, QNN_LOG_LEVEL_DEBUG);
QNNPP_SAME_VALUE(LogLevel::max, QNN_LOG_LEVEL_MAX);

// backend.hpp
QNNPP_SAME_VALUE(BackendConfigOption::custom, QNN_BACKEND_CONFIG_OPTION_CUSTOM);
QNNPP_SAME_VALUE(BackendConfigOption::error_reporting, QNN_BACKEND_CONFIG_OPTION_ERROR_REPORTING);
QNNPP_SAME_VALUE(BackendConfigOption::platform, QNN_BACKEND_CONFIG_OPTION_PLATFORM);
QNNPP_SAME_VALUE(BackendConfigOption::undefined, QNN_BACKEND_CONFIG_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(BackendConfig, QnnBackend_Config_t);
QNNPP_SAME_FIELD(BackendConfig, option, QnnBackend_Config_t, option);
QNNPP_SAME_FIELD(BackendConfig, custom_config, QnnBackend_Config_t, customConfig);
QNNPP_SAME_FIELD(BackendConfig, error_config, QnnBackend_Config_t, errorConfig);
QNNPP_SAME_FIELD(BackendConfig, platform_option, QnnBackend_Config_t, platformOption);
QNNPP_SAME_SIZE(BackendOperationName, QnnBackend_OperationName_t);
QNNPP_SAME_FIELD(BackendOperationName, package_name, QnnBackend_OperationName_t, packageName);
QNNPP_SAME_FIELD(BackendOperationName, name, QnnBackend_OperationName_t, name);
QNNPP_SAME_FIELD(BackendOperationName, target, QnnBackend_OperationName_t, target);
#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_VALUE(BackendPropertyOption::custom, QNN_BACKEND_PROPERTY_OPTION_CUSTOM);
QNNPP_SAME_VALUE(BackendPropertyOption::undefined, QNN_BACKEND_PROPERTY_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(BackendProperty, QnnBackend_Property_t);
QNNPP_SAME_FIELD(BackendProperty, option, QnnBackend_Property_t, option);
QNNPP_SAME_FIELD(BackendProperty, custom_property, QnnBackend_Property_t, customProperty);
#endif

// device.hpp
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
QNNPP_SAME_VALUE(DeviceHardwareDeviceInfoVersion::undefined,
                 QNN_DEVICE_HARDWARE_DEVICE_INFO_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(DeviceHardwareDeviceInfoV1, QnnDevice_HardwareDeviceInfoV1_t);
QNNPP_SAME_FIELD(DeviceHardwareDeviceInfoV1, device_id, QnnDevice_HardwareDeviceInfoV1_t, deviceId);
QNNPP_SAME_FIELD(DeviceHardwareDeviceInfoV1, device_type, QnnDevice_HardwareDeviceInfoV1_t,
                 deviceType);
QNNPP_SAME_FIELD(DeviceHardwareDeviceInfoV1, num_cores, QnnDevice_HardwareDeviceInfoV1_t, numCores);
QNNPP_SAME_FIELD(DeviceHardwareDeviceInfoV1, cores, QnnDevice_HardwareDeviceInfoV1_t, cores);
QNNPP_SAME_FIELD(DeviceHardwareDeviceInfoV1, device_info_extension,
                 QnnDevice_HardwareDeviceInfoV1_t, deviceInfoExtension);
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

// memory.hpp
QNNPP_SAME_VALUE(MemType::ion, QNN_MEM_TYPE_ION);
QNNPP_SAME_VALUE(MemType::custom, QNN_MEM_TYPE_CUSTOM);
QNNPP_SAME_VALUE(MemType::dma_buf, QNN_MEM_TYPE_DMA_BUF);
QNNPP_SAME_VALUE(MemType::undefined, QNN_MEM_TYPE_UNDEFINED);
QNNPP_SAME_SIZE(MemShape, Qnn_MemShape_t);
QNNPP_SAME_FIELD(MemShape, num_dim, Qnn_MemShape_t, numDim);
QNNPP_SAME_FIELD(MemShape, dim_size, Qnn_MemShape_t, dimSize);
QNNPP_SAME_FIELD(MemShape, shape_config, Qnn_MemShape_t, shapeConfig);
QNNPP_SAME_SIZE(MemIonInfo, Qnn_MemIonInfo_t);
QNNPP_SAME_FIELD(MemIonInfo, fd, Qnn_MemIonInfo_t, fd);
QNNPP_SAME_SIZE(MemDmaBufInfo, Qnn_MemDmaBufInfo_t);
QNNPP_SAME_FIELD(MemDmaBufInfo, fd, Qnn_MemDmaBufInfo_t, fd);
QNNPP_SAME_FIELD(MemDmaBufInfo, data, Qnn_MemDmaBufInfo_t, data);
QNNPP_SAME_SIZE(MemDescriptor, Qnn_MemDescriptor_t);
QNNPP_SAME_FIELD(MemDescriptor, mem_shape, Qnn_MemDescriptor_t, memShape);
QNNPP_SAME_FIELD(MemDescriptor, data_type, Qnn_MemDescriptor_t, dataType);
QNNPP_SAME_FIELD(MemDescriptor, mem_type, Qnn_MemDescriptor_t, memType);
QNNPP_SAME_FIELD(MemDescriptor, ion_info, Qnn_MemDescriptor_t, ionInfo);
QNNPP_SAME_FIELD(MemDescriptor, custom_info, Qnn_MemDescriptor_t, customInfo);
QNNPP_SAME_FIELD(MemDescriptor, dma_buf_info, Qnn_MemDescriptor_t, dmaBufInfo);

// profile.hpp
QNNPP_SAME_SIZE(ProfileEventData, QnnProfile_EventData_t);
QNNPP_SAME_FIELD(ProfileEventData, type, QnnProfile_EventData_t, type);
QNNPP_SAME_FIELD(ProfileEventData, unit, QnnProfile_EventData_t, unit);
QNNPP_SAME_FIELD(ProfileEventData, value, QnnProfile_EventData_t, value);
QNNPP_SAME_FIELD(ProfileEventData, identifier, QnnProfile_EventData_t, identifier);
QNNPP_SAME_SIZE(ProfileBackendOpaqueObject, QnnProfile_BackendOpaqueObject_t);
QNNPP_SAME_FIELD(ProfileBackendOpaqueObject, opaque_object, QnnProfile_BackendOpaqueObject_t,
                 opaqueObject);
QNNPP_SAME_FIELD(ProfileBackendOpaqueObject, file_name, QnnProfile_BackendOpaqueObject_t, fileName);
QNNPP_SAME_VALUE(ProfileExtendedEventDataVersion::v1, QNN_PROFILE_DATA_VERSION_1);
QNNPP_SAME_VALUE(ProfileExtendedEventDataVersion::undefined, QNN_PROFILE_DATA_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(ProfileExtendedEventDataV1, QnnProfile_ExtendedEventDataV1_t);
QNNPP_SAME_FIELD(ProfileExtendedEventDataV1, type, QnnProfile_ExtendedEventDataV1_t, type);
QNNPP_SAME_FIELD(ProfileExtendedEventDataV1, unit, QnnProfile_ExtendedEventDataV1_t, unit);
QNNPP_SAME_FIELD(ProfileExtendedEventDataV1, value, QnnProfile_ExtendedEventDataV1_t, value);
QNNPP_SAME_FIELD(ProfileExtendedEventDataV1, backend_opaque_object,
                 QnnProfile_ExtendedEventDataV1_t, backendOpaqueObject);
QNNPP_SAME_FIELD(ProfileExtendedEventDataV1, timestamp, QnnProfile_ExtendedEventDataV1_t,
                 timestamp);
QNNPP_SAME_FIELD(ProfileExtendedEventDataV1, identifier, QnnProfile_ExtendedEventDataV1_t,
                 identifier);
QNNPP_SAME_SIZE(ProfileExtendedEventData, QnnProfile_ExtendedEventData_t);
QNNPP_SAME_FIELD(ProfileExtendedEventData, version, QnnProfile_ExtendedEventData_t, version);
QNNPP_SAME_FIELD(ProfileExtendedEventData, v1, QnnProfile_ExtendedEventData_t, v1);
QNNPP_SAME_VALUE(ProfileConfigOption::custom, QNN_PROFILE_CONFIG_OPTION_CUSTOM);
QNNPP_SAME_VALUE(ProfileConfigOption::max_events, QNN_PROFILE_CONFIG_OPTION_MAX_EVENTS);
QNNPP_SAME_VALUE(ProfileConfigOption::enable_optrace, QNN_PROFILE_CONFIG_OPTION_ENABLE_OPTRACE);
QNNPP_SAME_VALUE(ProfileConfigOption::undefined, QNN_PROFILE_CONFIG_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(ProfileConfig, QnnProfile_Config_t);
QNNPP_SAME_FIELD(ProfileConfig, option, QnnProfile_Config_t, option);
QNNPP_SAME_FIELD(ProfileConfig, custom_config, QnnProfile_Config_t, customConfig);
QNNPP_SAME_FIELD(ProfileConfig, num_max_events, QnnProfile_Config_t, numMaxEvents);
QNNPP_SAME_FIELD(ProfileConfig, enable_optrace, QnnProfile_Config_t, enableOptrace);

// signal.hpp
QNNPP_SAME_VALUE(SignalConfigOption::custom, QNN_SIGNAL_CONFIG_OPTION_CUSTOM);
QNNPP_SAME_VALUE(SignalConfigOption::abort, QNN_SIGNAL_CONFIG_OPTION_ABORT);
QNNPP_SAME_VALUE(SignalConfigOption::timeout, QNN_SIGNAL_CONFIG_OPTION_TIMEOUT);
QNNPP_SAME_VALUE(SignalConfigOption::undefined, QNN_SIGNAL_CONFIG_UNDEFINED);
QNNPP_SAME_SIZE(SignalConfig, QnnSignal_Config_t);
QNNPP_SAME_FIELD(SignalConfig, option, QnnSignal_Config_t, option);
QNNPP_SAME_FIELD(SignalConfig, custom_config, QnnSignal_Config_t, customConfig);
QNNPP_SAME_FIELD(SignalConfig, timeout_duration_us, QnnSignal_Config_t, timeoutDurationUs);

// global_config.hpp
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(GlobalConfigConfigOption::soc_model, QNN_GLOBAL_CONFIG_OPTION_SOC_MODEL);
QNNPP_SAME_VALUE(GlobalConfigConfigOption::undefined, QNN_GLOBAL_CONFIG_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(GlobalConfig, QnnGlobalConfig_t);
QNNPP_SAME_FIELD(GlobalConfig, option, QnnGlobalConfig_t, option);
QNNPP_SAME_FIELD(GlobalConfig, soc_model, QnnGlobalConfig_t, socModel);
#endif

}  // namespace qnnpp::c_api

#endif
