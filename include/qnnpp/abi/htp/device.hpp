#pragma once

#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/htp/perf.hpp"

namespace qnnpp::abi {

/// QnnHtpDevice_Arch_t.
enum class HtpDeviceArch : std::uint32_t {
  none = 0,
  v68 = 68,
  v69 = 69,
  v73 = 73,
  v75 = 75,
  v79 = 79,
  v81 = 81,
  v85 = 85,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpDeviceArch::none) == 0u);
static_assert(std::uint32_t(HtpDeviceArch::v68) == 68u);
static_assert(std::uint32_t(HtpDeviceArch::v69) == 69u);
static_assert(std::uint32_t(HtpDeviceArch::v73) == 73u);
static_assert(std::uint32_t(HtpDeviceArch::v75) == 75u);
static_assert(std::uint32_t(HtpDeviceArch::v79) == 79u);
static_assert(std::uint32_t(HtpDeviceArch::v81) == 81u);
static_assert(std::uint32_t(HtpDeviceArch::v85) == 85u);
static_assert(std::uint32_t(HtpDeviceArch::unknown) == 0x7FFFFFFFu);

/// QnnHtpDevice_ConfigOption_t.
enum class HtpDeviceConfigOption : std::uint32_t {
  soc = 0,
  arch = 1,
  signedpd = 2,
  securepd = 3,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpDeviceConfigOption::soc) == 0u);
static_assert(std::uint32_t(HtpDeviceConfigOption::arch) == 1u);
static_assert(std::uint32_t(HtpDeviceConfigOption::signedpd) == 2u);
static_assert(std::uint32_t(HtpDeviceConfigOption::securepd) == 3u);
static_assert(std::uint32_t(HtpDeviceConfigOption::unknown) == 0x7FFFFFFFu);

/// QnnHtpDevice_Minimum_Arch_t.
struct HtpDeviceMinimumArch {
  std::uint32_t device_id;
  HtpDeviceArch arch;
};
static_assert(sizeof(HtpDeviceMinimumArch) == 8 && alignof(HtpDeviceMinimumArch) == 4);
static_assert(offsetof(HtpDeviceMinimumArch, device_id) == 0);
static_assert(offsetof(HtpDeviceMinimumArch, arch) == 4);

/// QnnHtpDevice_UseSignedProcessDomain_t.
struct HtpDeviceUseSignedProcessDomain {
  std::uint32_t device_id;
  bool use_signed_process_domain;
};
static_assert(sizeof(HtpDeviceUseSignedProcessDomain) == 8 && alignof(HtpDeviceUseSignedProcessDomain) == 4);
static_assert(offsetof(HtpDeviceUseSignedProcessDomain, device_id) == 0);
static_assert(offsetof(HtpDeviceUseSignedProcessDomain, use_signed_process_domain) == 4);

/// QnnHtpDevice_UseSecureProcessDomain_t.
struct HtpDeviceUseSecureProcessDomain {
  std::uint32_t device_id;
  bool use_secure_process_domain;
};
static_assert(sizeof(HtpDeviceUseSecureProcessDomain) == 8 && alignof(HtpDeviceUseSecureProcessDomain) == 4);
static_assert(offsetof(HtpDeviceUseSecureProcessDomain, device_id) == 0);
static_assert(offsetof(HtpDeviceUseSecureProcessDomain, use_secure_process_domain) == 4);

/// QnnHtpDevice_CustomConfig_t.
struct HtpDeviceCustomConfig {
  HtpDeviceConfigOption option;
  union {
    std::uint32_t soc_model;
    HtpDeviceMinimumArch arch;
    HtpDeviceUseSignedProcessDomain use_signed_process_domain;
    HtpDeviceUseSecureProcessDomain use_secure_process_domain;
  };
};
static_assert(sizeof(HtpDeviceCustomConfig) == 12 && alignof(HtpDeviceCustomConfig) == 4);
static_assert(offsetof(HtpDeviceCustomConfig, option) == 0);
static_assert(offsetof(HtpDeviceCustomConfig, soc_model) == 4);
static_assert(offsetof(HtpDeviceCustomConfig, arch) == 4);
static_assert(offsetof(HtpDeviceCustomConfig, use_signed_process_domain) == 4);
static_assert(offsetof(HtpDeviceCustomConfig, use_secure_process_domain) == 4);

/// QnnHtpDevice_DeviceType_t.
enum class HtpDeviceDeviceType : std::uint32_t {
  on_chip = 0,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpDeviceDeviceType::on_chip) == 0u);
static_assert(std::uint32_t(HtpDeviceDeviceType::unknown) == 0x7FFFFFFFu);

/// QnnHtpDevice_CoreType_t.
enum class HtpDeviceCoreType : std::uint32_t {
  nsp = 0,
  hpass = 1,
  max = 2,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpDeviceCoreType::nsp) == 0u);
static_assert(std::uint32_t(HtpDeviceCoreType::hpass) == 1u);
static_assert(std::uint32_t(HtpDeviceCoreType::max) == 2u);
static_assert(std::uint32_t(HtpDeviceCoreType::unknown) == 0x7FFFFFFFu);

/// QnnHtpDevice_OnChipDeviceInfoExtension_t.
struct HtpDeviceOnChipDeviceInfoExtension {
  std::size_t vtcm_size;
  std::uint32_t soc_model;
  bool signed_pd_support;
  bool dlbc_support;
  HtpDeviceArch arch;
};
static_assert(sizeof(HtpDeviceOnChipDeviceInfoExtension) == 24 && alignof(HtpDeviceOnChipDeviceInfoExtension) == 8);
static_assert(offsetof(HtpDeviceOnChipDeviceInfoExtension, vtcm_size) == 0);
static_assert(offsetof(HtpDeviceOnChipDeviceInfoExtension, soc_model) == 8);
static_assert(offsetof(HtpDeviceOnChipDeviceInfoExtension, signed_pd_support) == 12);
static_assert(offsetof(HtpDeviceOnChipDeviceInfoExtension, dlbc_support) == 13);
static_assert(offsetof(HtpDeviceOnChipDeviceInfoExtension, arch) == 16);

/// QnnHtpDevice_DeviceInfoExtension_t.
struct HtpDeviceDeviceInfoExtension {
  HtpDeviceDeviceType dev_type;
  union {
    HtpDeviceOnChipDeviceInfoExtension on_chip_device;
  };
};
static_assert(sizeof(HtpDeviceDeviceInfoExtension) == 32 && alignof(HtpDeviceDeviceInfoExtension) == 8);
static_assert(offsetof(HtpDeviceDeviceInfoExtension, dev_type) == 0);
static_assert(offsetof(HtpDeviceDeviceInfoExtension, on_chip_device) == 8);

/// QnnHtpDevice_PerfInfrastructure_t.
struct HtpDevicePerfInfrastructure {
  HtpPerfInfrastructureCreatePowerConfigIdFn create_power_config_id;
  HtpPerfInfrastructureDestroyPowerConfigIdFn destroy_power_config_id;
  HtpPerfInfrastructureSetPowerConfigFn set_power_config;
  HtpPerfInfrastructureSetMemoryConfigFn set_memory_config;
};
static_assert(sizeof(HtpDevicePerfInfrastructure) == 32 && alignof(HtpDevicePerfInfrastructure) == 8);
static_assert(offsetof(HtpDevicePerfInfrastructure, create_power_config_id) == 0);
static_assert(offsetof(HtpDevicePerfInfrastructure, destroy_power_config_id) == 8);
static_assert(offsetof(HtpDevicePerfInfrastructure, set_power_config) == 16);
static_assert(offsetof(HtpDevicePerfInfrastructure, set_memory_config) == 24);

/// QnnHtpDevice_InfrastructureType_t.
enum class HtpDeviceInfrastructureType : std::uint32_t {
  perf = 0,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpDeviceInfrastructureType::perf) == 0u);
static_assert(std::uint32_t(HtpDeviceInfrastructureType::unknown) == 0x7FFFFFFFu);

/// QnnHtpDevice_Infrastructure_t.
struct HtpDeviceInfrastructure {
  HtpDeviceInfrastructureType infra_type;
  union {
    HtpDevicePerfInfrastructure perf_infra;
  };
};
static_assert(sizeof(HtpDeviceInfrastructure) == 40 && alignof(HtpDeviceInfrastructure) == 8);
static_assert(offsetof(HtpDeviceInfrastructure, infra_type) == 0);
static_assert(offsetof(HtpDeviceInfrastructure, perf_infra) == 8);

}  // namespace qnnpp::abi
