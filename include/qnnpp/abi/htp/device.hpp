// HTP devices: architecture, process domain, device information and performance functions.
#pragma once

#include <cstddef>

#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/htp/perf.hpp"

namespace qnnpp::c_api {

/// Architectures of the HTP. C: QnnHtpDevice_Arch_t.
enum class HtpDeviceArch : std::uint32_t {
  none = 0,  ///< Not specified.
  v68 = 68,  ///< Hexagon v68.
  v69 = 69,  ///< Hexagon v69.
  v73 = 73,  ///< Hexagon v73.
  v75 = 75,  ///< Hexagon v75.
  v79 = 79,  ///< Hexagon v79. HTP 5.30.
  v81 = 81,  ///< Hexagon v81. HTP 5.36.
  v85 = 85,  ///< Hexagon v85. HTP 5.43.
  v89 = 89,  ///< Hexagon v89. HTP 5.50.
  unknown = 0x7FFFFFFF,
};

/// Selects the member of HtpDeviceCustomConfig's union. C: QnnHtpDevice_ConfigOption_t.
enum class HtpDeviceConfigOption : std::uint32_t {
  soc = 0,       ///< soc_model.
  arch = 1,      ///< arch.
  signedpd = 2,  ///< use_signed_process_domain.
  /// use_secure_process_domain; not with external buffers (EXT-06). HTP 5.36.
  securepd = 3,
  async_execute = 4,           ///< async_execute. HTP 5.47.
  dynamic_partitioning = 5,    ///< use_dynamic_partitioning. HTP 5.48.
  app_uid = 6,                 ///< app_uid. HTP 5.48.
  htp_extension = 0x7FFF0000,  ///< For internal use of the backend. HTP 5.47.
  unknown = 0x7FFFFFFF,
};

/// Oldest architecture to prepare for. C: QnnHtpDevice_Minimum_Arch_t.
struct HtpDeviceMinimumArch {
  std::uint32_t device_id;  ///< Number of the device.
  HtpDeviceArch arch;       ///< Preparation uses only ops of this architecture.
};

/// Choice of the process domain. C: QnnHtpDevice_UseSignedProcessDomain_t.
struct HtpDeviceUseSignedProcessDomain {
  std::uint32_t device_id;         ///< Number of the device.
  bool use_signed_process_domain;  ///< Whether to use a signed process domain.
};

/// Choice of a secure process domain. C: QnnHtpDevice_UseSecureProcessDomain_t. HTP 5.36.
struct HtpDeviceUseSecureProcessDomain {
  std::uint32_t device_id;         ///< Number of the device.
  bool use_secure_process_domain;  ///< Whether to use a secure process domain.
};

/// Target of DeviceConfig::custom_config in HTP 5.25 to 5.46 and 5.49. Other versions use
/// HtpDeviceCustomConfigWide instead (CFG-05). C: QnnHtpDevice_CustomConfig_t.
struct HtpDeviceCustomConfig {
  HtpDeviceConfigOption option;  ///< Selects the union member.
  union {
    std::uint32_t soc_model;                                    ///< SocModel as a number.
    HtpDeviceMinimumArch arch;                                  ///< Oldest architecture.
    HtpDeviceUseSignedProcessDomain use_signed_process_domain;  ///< Signed process domain.
    /// Secure process domain. HTP 5.36.
    HtpDeviceUseSecureProcessDomain use_secure_process_domain;
  };
};

/// Choice of asynchronous execution. C: QnnHtpDevice_AsyncExecute_t. HTP 5.47.
struct HtpDeviceAsyncExecute {
  std::uint32_t device_id;    ///< Number of the device.
  bool enable_async_execute;  ///< Whether to enable graph_execute_async.
};

/// Choice of dynamic partitioning. HTP 5.48 reads no rsm_handle: there the struct has 8 bytes.
/// C: QnnHtpDevice_UseDynamicPartitioning_t. HTP 5.48.
struct HtpDeviceUseDynamicPartitioning {
  std::uint32_t device_id;        ///< Number of the device.
  bool use_dynamic_partitioning;  ///< Whether to use dynamic partitioning.
  void* rsm_handle;               ///< Handle of the resource manager. HTP 5.50.
};

/// HtpDeviceCustomConfig with the union at byte 8: HTP 5.47, 5.48, and 5.50 on. Choose the struct
/// by the backend API's minor (CFG-05). C: QnnHtpDevice_CustomConfig_t. HTP 5.47.
struct HtpDeviceCustomConfigWide {
  HtpDeviceConfigOption option;  ///< Selects the union member.
  union {
    std::uint32_t soc_model;                                    ///< SocModel as a number.
    HtpDeviceMinimumArch arch;                                  ///< Oldest architecture.
    HtpDeviceUseSignedProcessDomain use_signed_process_domain;  ///< Signed process domain.
    HtpDeviceUseSecureProcessDomain use_secure_process_domain;  ///< Secure process domain.
    HtpDeviceAsyncExecute async_execute;                        ///< Asynchronous execution.
    HtpDeviceUseDynamicPartitioning use_dynamic_partitioning;   ///< Dynamic partitioning.
    /// User id of the app that uses the device.
    std::uint32_t app_uid;
  };
};

/// Location of the HTP: DeviceHardwareDeviceInfoV1::device_type. C: QnnHtpDevice_DeviceType_t.
enum class HtpDeviceDeviceType : std::uint32_t {
  on_chip = 0,  ///< In the SoC.
  unknown = 0x7FFFFFFF,
};

/// Kind of a core: DeviceCoreInfoV1::core_type. C: QnnHtpDevice_CoreType_t.
enum class HtpDeviceCoreType : std::uint32_t {
  nsp = 0,    ///< Neural signal processor.
  hpass = 1,  ///< High-performance audio subsystem. HTP 5.36.
  max = 2,    ///< Number of kinds; 1 before HTP 5.36.
  unknown = 0x7FFFFFFF,
};

/// Properties of an HTP in the SoC. C: QnnHtpDevice_OnChipDeviceInfoExtension_t.
struct HtpDeviceOnChipDeviceInfoExtension {
  std::size_t vtcm_size;    ///< VTCM in megabytes.
  std::uint32_t soc_model;  ///< SocModel as a number.
  bool signed_pd_support;   ///< Whether signed process domains are supported.
  bool dlbc_support;        ///< Whether bandwidth compression is supported.
  HtpDeviceArch arch;       ///< Architecture.
};

/// Target of DeviceHardwareDeviceInfoV1::device_info_extension.
/// C: QnnHtpDevice_DeviceInfoExtension_t.
struct HtpDeviceDeviceInfoExtension {
  HtpDeviceDeviceType dev_type;  ///< Selects the union member.
  union {
    HtpDeviceOnChipDeviceInfoExtension on_chip_device;  ///< An HTP in the SoC.
  };
};

/// Functions for performance votes. The backend owns the table.
/// C: QnnHtpDevice_PerfInfrastructure_t.
struct HtpDevicePerfInfrastructure {
  /// Creates a power configuration.
  HtpPerfInfrastructureCreatePowerConfigIdFn create_power_config_id;
  /// Destroys a power configuration and its votes.
  HtpPerfInfrastructureDestroyPowerConfigIdFn destroy_power_config_id;
  /// Votes for power settings.
  HtpPerfInfrastructureSetPowerConfigFn set_power_config;
  /// Configures the heap of a core.
  HtpPerfInfrastructureSetMemoryConfigFn set_memory_config;
};

/// Selects the member of HtpDeviceInfrastructure's union. C: QnnHtpDevice_InfrastructureType_t.
enum class HtpDeviceInfrastructureType : std::uint32_t {
  perf = 0,  ///< perf_infra.
  unknown = 0x7FFFFFFF,
};

/// Target of DeviceInfrastructure. The backend owns it; do not free it.
/// C: QnnHtpDevice_Infrastructure_t.
struct HtpDeviceInfrastructure {
  HtpDeviceInfrastructureType infra_type;  ///< Selects the union member.
  union {
    HtpDevicePerfInfrastructure perf_infra;  ///< Functions for performance votes.
  };
};

}  // namespace qnnpp::c_api
