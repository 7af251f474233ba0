// Part of verify_sdk.hpp; do not include it alone. Compares backends, devices, memory, loggers,
// profiles and signals; property keys, if the SDK has them.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include <cstddef>
#include <cstdint>

#include "qnnpp/abi/backend.hpp"
#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/log.hpp"
#include "qnnpp/abi/memory.hpp"
#include "qnnpp/abi/profile.hpp"
#include "qnnpp/abi/property.hpp"
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

// backend.hpp: options of a whole library
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(GlobalConfigConfigOption::soc_model, QNN_GLOBAL_CONFIG_OPTION_SOC_MODEL);
QNNPP_SAME_VALUE(GlobalConfigConfigOption::undefined, QNN_GLOBAL_CONFIG_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(GlobalConfig, QnnGlobalConfig_t);
QNNPP_SAME_FIELD(GlobalConfig, option, QnnGlobalConfig_t, option);
QNNPP_SAME_FIELD(GlobalConfig, soc_model, QnnGlobalConfig_t, socModel);
#endif

// property.hpp
#if defined(QNN_PROPERTY_GROUP_CORE)
QNNPP_SAME_VALUE(PropertyKey::group_core, QNN_PROPERTY_GROUP_CORE);
#endif
#if defined(QNN_PROPERTY_GROUP_BACKEND)
QNNPP_SAME_VALUE(PropertyKey::group_backend, QNN_PROPERTY_GROUP_BACKEND);
#endif
#if defined(QNN_PROPERTY_BACKEND_SUPPORT_OP_PACKAGE)
QNNPP_SAME_VALUE(PropertyKey::backend_support_op_package, QNN_PROPERTY_BACKEND_SUPPORT_OP_PACKAGE);
#endif
#if defined(QNN_PROPERTY_BACKEND_SUPPORT_PLATFORM_OPTIONS)
QNNPP_SAME_VALUE(PropertyKey::backend_support_platform_options,
                 QNN_PROPERTY_BACKEND_SUPPORT_PLATFORM_OPTIONS);
#endif
#if defined(QNN_PROPERTY_BACKEND_SUPPORT_COMPOSITION)
QNNPP_SAME_VALUE(PropertyKey::backend_support_composition,
                 QNN_PROPERTY_BACKEND_SUPPORT_COMPOSITION);
#endif
#if defined(QNN_PROPERTY_BACKEND_SUPPORT_CUSTOM_PROPERTY)
QNNPP_SAME_VALUE(PropertyKey::backend_support_custom_property,
                 QNN_PROPERTY_BACKEND_SUPPORT_CUSTOM_PROPERTY);
#endif
#if defined(QNN_PROPERTY_GROUP_CONTEXT)
QNNPP_SAME_VALUE(PropertyKey::group_context, QNN_PROPERTY_GROUP_CONTEXT);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CACHING)
QNNPP_SAME_VALUE(PropertyKey::context_support_caching, QNN_PROPERTY_CONTEXT_SUPPORT_CACHING);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CONFIGURATION)
QNNPP_SAME_VALUE(PropertyKey::context_support_configuration,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CONFIGURATION);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_ENABLE_GRAPHS)
QNNPP_SAME_VALUE(PropertyKey::context_support_config_enable_graphs,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_ENABLE_GRAPHS);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_MEMORY_LIMIT_HINT)
QNNPP_SAME_VALUE(PropertyKey::context_support_config_memory_limit_hint,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_MEMORY_LIMIT_HINT);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_PERSISTENT_BINARY)
QNNPP_SAME_VALUE(PropertyKey::context_support_config_persistent_binary,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_PERSISTENT_BINARY);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_BINARY_COMPATIBILITY_TYPE)
QNNPP_SAME_VALUE(PropertyKey::context_support_config_binary_compatibility_type,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_BINARY_COMPATIBILITY_TYPE);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_VALIDATE_BINARY)
QNNPP_SAME_VALUE(PropertyKey::context_support_validate_binary,
                 QNN_PROPERTY_CONTEXT_SUPPORT_VALIDATE_BINARY);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_WITH_SIGNALS)
QNNPP_SAME_VALUE(PropertyKey::context_support_create_from_binary_with_signals,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_WITH_SIGNALS);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_LIST_ASYNC)
QNNPP_SAME_VALUE(PropertyKey::context_support_create_from_binary_list_async,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_LIST_ASYNC);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_UPDATES)
QNNPP_SAME_VALUE(PropertyKey::context_support_binary_updates,
                 QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_UPDATES);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_SECTION_FULL_CONTEXT)
QNNPP_SAME_VALUE(PropertyKey::context_support_binary_section_full_context,
                 QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_SECTION_FULL_CONTEXT);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CUSTOM_PROPERTY)
QNNPP_SAME_VALUE(PropertyKey::context_support_custom_property,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CUSTOM_PROPERTY);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_INCREMENTAL_BINARY)
QNNPP_SAME_VALUE(PropertyKey::context_support_incremental_binary,
                 QNN_PROPERTY_CONTEXT_SUPPORT_INCREMENTAL_BINARY);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_DEFERRED_GRAPH_INIT)
QNNPP_SAME_VALUE(PropertyKey::context_support_deferred_graph_init,
                 QNN_PROPERTY_CONTEXT_SUPPORT_DEFERRED_GRAPH_INIT);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_WEIGHT_ONLY_UPDATES)
QNNPP_SAME_VALUE(PropertyKey::context_support_binary_weight_only_updates,
                 QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_WEIGHT_ONLY_UPDATES);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_QUANT_ONLY_UPDATES)
QNNPP_SAME_VALUE(PropertyKey::context_support_binary_quant_only_updates,
                 QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_QUANT_ONLY_UPDATES);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_WITH_CALLBACK)
QNNPP_SAME_VALUE(PropertyKey::context_support_create_from_binary_with_callback,
                 QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_WITH_CALLBACK);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_GRAPH_RETENTION_ORDER)
QNNPP_SAME_VALUE(PropertyKey::context_support_graph_retention_order,
                 QNN_PROPERTY_CONTEXT_SUPPORT_GRAPH_RETENTION_ORDER);
#endif
#if defined(QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_SECTION_UPDATES)
QNNPP_SAME_VALUE(PropertyKey::context_support_binary_section_updates,
                 QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_SECTION_UPDATES);
#endif
#if defined(QNN_PROPERTY_GROUP_GRAPH)
QNNPP_SAME_VALUE(PropertyKey::group_graph, QNN_PROPERTY_GROUP_GRAPH);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_CONFIG)
QNNPP_SAME_VALUE(PropertyKey::graph_support_config, QNN_PROPERTY_GRAPH_SUPPORT_CONFIG);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_SIGNALS)
QNNPP_SAME_VALUE(PropertyKey::graph_support_signals, QNN_PROPERTY_GRAPH_SUPPORT_SIGNALS);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_ASYNC_EXECUTION)
QNNPP_SAME_VALUE(PropertyKey::graph_support_async_execution,
                 QNN_PROPERTY_GRAPH_SUPPORT_ASYNC_EXECUTION);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_NULL_INPUTS)
QNNPP_SAME_VALUE(PropertyKey::graph_support_null_inputs, QNN_PROPERTY_GRAPH_SUPPORT_NULL_INPUTS);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_PRIORITY_CONTROL)
QNNPP_SAME_VALUE(PropertyKey::graph_support_priority_control,
                 QNN_PROPERTY_GRAPH_SUPPORT_PRIORITY_CONTROL);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_FINALIZE_SIGNAL)
QNNPP_SAME_VALUE(PropertyKey::graph_support_finalize_signal,
                 QNN_PROPERTY_GRAPH_SUPPORT_FINALIZE_SIGNAL);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_SIGNAL)
QNNPP_SAME_VALUE(PropertyKey::graph_support_execute_signal,
                 QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_SIGNAL);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_ASYNC_SIGNAL)
QNNPP_SAME_VALUE(PropertyKey::graph_support_execute_async_signal,
                 QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_ASYNC_SIGNAL);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_CONTINUOUS_PROFILING)
QNNPP_SAME_VALUE(PropertyKey::graph_support_continuous_profiling,
                 QNN_PROPERTY_GRAPH_SUPPORT_CONTINUOUS_PROFILING);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE)
QNNPP_SAME_VALUE(PropertyKey::graph_support_execute, QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_BATCH_MULTIPLE)
QNNPP_SAME_VALUE(PropertyKey::graph_support_batch_multiple,
                 QNN_PROPERTY_GRAPH_SUPPORT_BATCH_MULTIPLE);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_PER_API_PROFILING)
QNNPP_SAME_VALUE(PropertyKey::graph_support_execute_per_api_profiling,
                 QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_PER_API_PROFILING);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_SUBGRAPH)
QNNPP_SAME_VALUE(PropertyKey::graph_support_subgraph, QNN_PROPERTY_GRAPH_SUPPORT_SUBGRAPH);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_PROFILING_STATE)
QNNPP_SAME_VALUE(PropertyKey::graph_support_profiling_state,
                 QNN_PROPERTY_GRAPH_SUPPORT_PROFILING_STATE);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_SET_PROFILING_NUM_EXECUTIONS)
QNNPP_SAME_VALUE(PropertyKey::graph_support_set_profiling_num_executions,
                 QNN_PROPERTY_GRAPH_SUPPORT_SET_PROFILING_NUM_EXECUTIONS);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_ENV_OPTION_BIND_MEM_HANDLES)
QNNPP_SAME_VALUE(PropertyKey::graph_support_env_option_bind_mem_handles,
                 QNN_PROPERTY_GRAPH_SUPPORT_ENV_OPTION_BIND_MEM_HANDLES);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_ENV_OPTION_POPULATE_CLIENT_BUFS)
QNNPP_SAME_VALUE(PropertyKey::graph_support_env_option_populate_client_bufs,
                 QNN_PROPERTY_GRAPH_SUPPORT_ENV_OPTION_POPULATE_CLIENT_BUFS);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_FINALIZE_DESERIALIZED_GRAPH)
QNNPP_SAME_VALUE(PropertyKey::graph_support_finalize_deserialized_graph,
                 QNN_PROPERTY_GRAPH_SUPPORT_FINALIZE_DESERIALIZED_GRAPH);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_CUSTOM_PROPERTY)
QNNPP_SAME_VALUE(PropertyKey::graph_support_custom_property,
                 QNN_PROPERTY_GRAPH_SUPPORT_CUSTOM_PROPERTY);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_EARLY_TERMINATION)
QNNPP_SAME_VALUE(PropertyKey::graph_support_early_termination,
                 QNN_PROPERTY_GRAPH_SUPPORT_EARLY_TERMINATION);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_ONLINE_PREPARE)
QNNPP_SAME_VALUE(PropertyKey::graph_support_online_prepare,
                 QNN_PROPERTY_GRAPH_SUPPORT_ONLINE_PREPARE);
#endif
#if defined(QNN_PROPERTY_GRAPH_SUPPORT_UPDATABLE_WEIGHTS_BINARY_SECTION_CREATION)
QNNPP_SAME_VALUE(PropertyKey::graph_support_updatable_weights_binary_section_creation,
                 QNN_PROPERTY_GRAPH_SUPPORT_UPDATABLE_WEIGHTS_BINARY_SECTION_CREATION);
#endif
#if defined(QNN_PROPERTY_GROUP_OP_PACKAGE)
QNNPP_SAME_VALUE(PropertyKey::group_op_package, QNN_PROPERTY_GROUP_OP_PACKAGE);
#endif
#if defined(QNN_PROPERTY_OP_PACKAGE_SUPPORTS_VALIDATION)
QNNPP_SAME_VALUE(PropertyKey::op_package_supports_validation,
                 QNN_PROPERTY_OP_PACKAGE_SUPPORTS_VALIDATION);
#endif
#if defined(QNN_PROPERTY_OP_PACKAGE_SUPPORTS_OP_IMPLS)
QNNPP_SAME_VALUE(PropertyKey::op_package_supports_op_impls,
                 QNN_PROPERTY_OP_PACKAGE_SUPPORTS_OP_IMPLS);
#endif
#if defined(QNN_PROPERTY_OP_PACKAGE_SUPPORTS_DUPLICATE_NAMES)
QNNPP_SAME_VALUE(PropertyKey::op_package_supports_duplicate_names,
                 QNN_PROPERTY_OP_PACKAGE_SUPPORTS_DUPLICATE_NAMES);
#endif
#if defined(QNN_PROPERTY_GROUP_TENSOR)
QNNPP_SAME_VALUE(PropertyKey::group_tensor, QNN_PROPERTY_GROUP_TENSOR);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_MEMHANDLE_TYPE)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_memhandle_type,
                 QNN_PROPERTY_TENSOR_SUPPORT_MEMHANDLE_TYPE);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_CONTEXT_TENSORS)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_context_tensors,
                 QNN_PROPERTY_TENSOR_SUPPORT_CONTEXT_TENSORS);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_DYNAMIC_DIMENSIONS)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_dynamic_dimensions,
                 QNN_PROPERTY_TENSOR_SUPPORT_DYNAMIC_DIMENSIONS);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_SPARSITY)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_sparsity, QNN_PROPERTY_TENSOR_SUPPORT_SPARSITY);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_STATIC_TENSORS)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_updateable_static_tensors,
                 QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_STATIC_TENSORS);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_NATIVE_TENSORS)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_updateable_native_tensors,
                 QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_NATIVE_TENSORS);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_APP_TENSORS)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_updateable_app_tensors,
                 QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_APP_TENSORS);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_SCALE_OFFSET)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_scale_offset,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_SCALE_OFFSET);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_axis_scale_offset,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_SCALE_OFFSET)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_bw_scale_offset,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_SCALE_OFFSET);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_bw_axis_scale_offset,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BLOCK)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_block,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BLOCK);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_blockwise_expansion,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_VECTOR)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_vector,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_VECTOR);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_RETRIEVE_RAW)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_retrieve_raw,
                 QNN_PROPERTY_TENSOR_SUPPORT_RETRIEVE_RAW);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_WRITE)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_optional_app_write,
                 QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_WRITE);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_READ)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_optional_app_read,
                 QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_READ);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_READWRITE)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_optional_app_readwrite,
                 QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_READWRITE);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_MX_DATA_FORMAT)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_mx_data_format,
                 QNN_PROPERTY_TENSOR_SUPPORT_MX_DATA_FORMAT);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UBWC_RGBA8888)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_ubwc_rgba8888,
                 QNN_PROPERTY_TENSOR_SUPPORT_UBWC_RGBA8888);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV12)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_ubwc_nv12, QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV12);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV12_Y)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_ubwc_nv12_y, QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV12_Y);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV12_UV)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_ubwc_nv12_uv,
                 QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV12_UV);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV124R)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_ubwc_nv124r, QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV124R);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV124R_Y)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_ubwc_nv124r_y,
                 QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV124R_Y);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV124R_UV)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_ubwc_nv124r_uv,
                 QNN_PROPERTY_TENSOR_SUPPORT_UBWC_NV124R_UV);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_FLOAT_BLOCK)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_float_block,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_FLOAT_BLOCK);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET_MAPPED)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_bw_axis_scale_offset_mapped,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET_MAPPED);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_BLOCK_SCALE_OFFSET_MAPPED)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_bw_block_scale_offset_mapped,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_BLOCK_SCALE_OFFSET_MAPPED);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_BLOCKWISE_EXPANSION_MAPPED)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_bw_blockwise_expansion_mapped,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_BLOCKWISE_EXPANSION_MAPPED);
#endif
#if defined(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_FLOAT_BLOCK)
QNNPP_SAME_VALUE(PropertyKey::tensor_support_quantization_encoding_bw_float_block,
                 QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_FLOAT_BLOCK);
#endif
#if defined(QNN_PROPERTY_GROUP_ERROR)
QNNPP_SAME_VALUE(PropertyKey::group_error, QNN_PROPERTY_GROUP_ERROR);
#endif
#if defined(QNN_PROPERTY_ERROR_GET_VERBOSE_MESSAGE)
QNNPP_SAME_VALUE(PropertyKey::error_get_verbose_message, QNN_PROPERTY_ERROR_GET_VERBOSE_MESSAGE);
#endif
#if defined(QNN_PROPERTY_GROUP_MEMORY)
QNNPP_SAME_VALUE(PropertyKey::group_memory, QNN_PROPERTY_GROUP_MEMORY);
#endif
#if defined(QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_ION)
QNNPP_SAME_VALUE(PropertyKey::memory_support_mem_type_ion,
                 QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_ION);
#endif
#if defined(QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_CUSTOM)
QNNPP_SAME_VALUE(PropertyKey::memory_support_mem_type_custom,
                 QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_CUSTOM);
#endif
#if defined(QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_DMA_BUF)
QNNPP_SAME_VALUE(PropertyKey::memory_support_mem_type_dma_buf,
                 QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_DMA_BUF);
#endif
#if defined(QNN_PROPERTY_GROUP_SIGNAL)
QNNPP_SAME_VALUE(PropertyKey::group_signal, QNN_PROPERTY_GROUP_SIGNAL);
#endif
#if defined(QNN_PROPERTY_SIGNAL_SUPPORT_ABORT)
QNNPP_SAME_VALUE(PropertyKey::signal_support_abort, QNN_PROPERTY_SIGNAL_SUPPORT_ABORT);
#endif
#if defined(QNN_PROPERTY_SIGNAL_SUPPORT_TIMEOUT)
QNNPP_SAME_VALUE(PropertyKey::signal_support_timeout, QNN_PROPERTY_SIGNAL_SUPPORT_TIMEOUT);
#endif
#if defined(QNN_PROPERTY_GROUP_LOG)
QNNPP_SAME_VALUE(PropertyKey::group_log, QNN_PROPERTY_GROUP_LOG);
#endif
#if defined(QNN_PROPERTY_LOG_SUPPORTS_DEFAULT_STREAM)
QNNPP_SAME_VALUE(PropertyKey::log_supports_default_stream,
                 QNN_PROPERTY_LOG_SUPPORTS_DEFAULT_STREAM);
#endif
#if defined(QNN_PROPERTY_GROUP_PROFILE)
QNNPP_SAME_VALUE(PropertyKey::group_profile, QNN_PROPERTY_GROUP_PROFILE);
#endif
#if defined(QNN_PROPERTY_PROFILE_SUPPORT_CUSTOM_CONFIG)
QNNPP_SAME_VALUE(PropertyKey::profile_support_custom_config,
                 QNN_PROPERTY_PROFILE_SUPPORT_CUSTOM_CONFIG);
#endif
#if defined(QNN_PROPERTY_PROFILE_SUPPORT_MAX_EVENTS_CONFIG)
QNNPP_SAME_VALUE(PropertyKey::profile_support_max_events_config,
                 QNN_PROPERTY_PROFILE_SUPPORT_MAX_EVENTS_CONFIG);
#endif
#if defined(QNN_PROPERTY_PROFILE_SUPPORTS_EXTENDED_EVENT)
QNNPP_SAME_VALUE(PropertyKey::profile_supports_extended_event,
                 QNN_PROPERTY_PROFILE_SUPPORTS_EXTENDED_EVENT);
#endif
#if defined(QNN_PROPERTY_PROFILE_SUPPORT_OPTRACE_CONFIG)
QNNPP_SAME_VALUE(PropertyKey::profile_support_optrace_config,
                 QNN_PROPERTY_PROFILE_SUPPORT_OPTRACE_CONFIG);
#endif
#if defined(QNN_PROPERTY_GROUP_DEVICE)
QNNPP_SAME_VALUE(PropertyKey::group_device, QNN_PROPERTY_GROUP_DEVICE);
#endif
#if defined(QNN_PROPERTY_DEVICE_SUPPORT_INFRASTRUCTURE)
QNNPP_SAME_VALUE(PropertyKey::device_support_infrastructure,
                 QNN_PROPERTY_DEVICE_SUPPORT_INFRASTRUCTURE);
#endif
#if defined(QNN_PROPERTY_GROUP_CUSTOM)
QNNPP_SAME_VALUE(PropertyKey::group_custom, QNN_PROPERTY_GROUP_CUSTOM);
#endif
#if defined(QNN_PROPERTY_CUSTOM_HTP_UNSIGNED_PD_SUPPORT)
QNNPP_SAME_VALUE(PropertyKey::custom_htp_unsigned_pd_support,
                 QNN_PROPERTY_CUSTOM_HTP_UNSIGNED_PD_SUPPORT);
#endif

}  // namespace qnnpp::c_api

#endif
