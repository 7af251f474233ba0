// Devices of HTP: architecture, process domain, what is special about them, and their own
// functions.
#pragma once

#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/htp/perf.hpp"

namespace qnnpp::c_api {

/// Architectures of the HTP. C: QnnHtpDevice_Arch_t.
enum class HtpDeviceArch : std::uint32_t {
  none = 0,  ///< Not told.
  v68 = 68,
  v69 = 69,
  v73 = 73,
  v75 = 75,
  v79 = 79,  ///< HTP 5.30.
  v81 = 81,  ///< HTP 5.36.
  v85 = 85,  ///< HTP 5.43.
  v89 = 89,  ///< HTP 5.50.
  unknown = 0x7FFFFFFF,
};

/// Which member of HtpDeviceCustomConfig's union is set. C: QnnHtpDevice_ConfigOption_t.
enum class HtpDeviceConfigOption : std::uint32_t {
  soc = 0,  ///< soc_model.
  arch = 1,
  signedpd = 2,  ///< use_signed_process_domain.
  /// use_secure_process_domain; not with external buffers (EXT-06). HTP 5.36.
  securepd = 3,
  async_execute = 4,           ///< HTP 5.50.
  dynamic_partitioning = 5,    ///< use_dynamic_partitioning. HTP 5.50.
  app_uid = 6,                 ///< HTP 5.50.
  htp_extension = 0x7FFF0000,  ///< For the backend itself. HTP 5.50.
  unknown = 0x7FFFFFFF,
};

/// Oldest architecture to prepare for. C: QnnHtpDevice_Minimum_Arch_t.
struct HtpDeviceMinimumArch {
  std::uint32_t device_id;  ///< The device.
  HtpDeviceArch arch;       ///< Ops that this architecture has are used.
};

/// Choice of the process domain. C: QnnHtpDevice_UseSignedProcessDomain_t.
struct HtpDeviceUseSignedProcessDomain {
  std::uint32_t device_id;         ///< The device.
  bool use_signed_process_domain;  ///< Whether it is signed instead of unsigned.
};

/// Choice of a secure process domain. C: QnnHtpDevice_UseSecureProcessDomain_t. HTP 5.36.
struct HtpDeviceUseSecureProcessDomain {
  std::uint32_t device_id;         ///< The device.
  bool use_secure_process_domain;  ///< Whether it is wanted.
};

/// What DeviceConfig::custom_config points to. This is the layout of HTP 5.25 to 5.43; HTP 5.50 has
/// HtpDeviceCustomConfigWide instead. C: QnnHtpDevice_CustomConfig_t.
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

/// Choice of asynchronous execution. C: QnnHtpDevice_AsyncExecute_t. HTP 5.50.
struct HtpDeviceAsyncExecute {
  std::uint32_t device_id;    ///< The device.
  bool enable_async_execute;  ///< Whether graph_execute_async is wanted.
};

/// Choice of dynamic partitioning. C: QnnHtpDevice_UseDynamicPartitioning_t. HTP 5.50.
struct HtpDeviceUseDynamicPartitioning {
  std::uint32_t device_id;        ///< The device.
  bool use_dynamic_partitioning;  ///< Whether it is wanted.
  void* rsm_handle;               ///< Handle of the resource manager.
};

/// HtpDeviceCustomConfig as HTP 5.50 reads it: the union has moved to byte 8. Choose by the backend
/// API's minor. C: QnnHtpDevice_CustomConfig_t. HTP 5.50.
struct HtpDeviceCustomConfigWide {
  HtpDeviceConfigOption option;  ///< Selects the union member.
  union {
    std::uint32_t soc_model;                                    ///< SocModel as a number.
    HtpDeviceMinimumArch arch;                                  ///< Oldest architecture.
    HtpDeviceUseSignedProcessDomain use_signed_process_domain;  ///< Signed process domain.
    HtpDeviceUseSecureProcessDomain use_secure_process_domain;  ///< Secure process domain.
    HtpDeviceAsyncExecute async_execute;                        ///< Asynchronous execution.
    HtpDeviceUseDynamicPartitioning use_dynamic_partitioning;   ///< Dynamic partitioning.
    /// User id of the app that the work is for.
    std::uint32_t app_uid;
  };
};

/// Where the HTP sits: DeviceHardwareDeviceInfoV1::device_type. C: QnnHtpDevice_DeviceType_t.
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

/// What is special about an HTP in the SoC. C: QnnHtpDevice_OnChipDeviceInfoExtension_t.
struct HtpDeviceOnChipDeviceInfoExtension {
  std::size_t vtcm_size;    ///< VTCM in megabytes.
  std::uint32_t soc_model;  ///< SocModel as a number.
  bool signed_pd_support;   ///< Signed process domains can be had.
  bool dlbc_support;        ///< Bandwidth compression can be had.
  HtpDeviceArch arch;       ///< Architecture.
};

/// What DeviceHardwareDeviceInfoV1::device_info_extension points to.
/// C: QnnHtpDevice_DeviceInfoExtension_t.
struct HtpDeviceDeviceInfoExtension {
  HtpDeviceDeviceType dev_type;  ///< Selects the union member.
  union {
    HtpDeviceOnChipDeviceInfoExtension on_chip_device;  ///< An HTP in the SoC.
  };
};

/// Functions that vote for performance. Belong to the backend.
/// C: QnnHtpDevice_PerfInfrastructure_t.
struct HtpDevicePerfInfrastructure {
  HtpPerfInfrastructureCreatePowerConfigIdFn create_power_config_id;
  HtpPerfInfrastructureDestroyPowerConfigIdFn destroy_power_config_id;
  HtpPerfInfrastructureSetPowerConfigFn set_power_config;
  HtpPerfInfrastructureSetMemoryConfigFn set_memory_config;
};

/// Which member of HtpDeviceInfrastructure's union is set. C: QnnHtpDevice_InfrastructureType_t.
enum class HtpDeviceInfrastructureType : std::uint32_t {
  perf = 0,  ///< perf_infra.
  unknown = 0x7FFFFFFF,
};

/// What DeviceInfrastructure points to. Belongs to the backend; never freed.
/// C: QnnHtpDevice_Infrastructure_t.
struct HtpDeviceInfrastructure {
  HtpDeviceInfrastructureType infra_type;  ///< Selects the union member.
  union {
    HtpDevicePerfInfrastructure perf_infra;  ///< Votes for performance.
  };
};

}  // namespace qnnpp::c_api
