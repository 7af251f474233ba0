// Definitions of device.hpp.
#pragma once

#include "qnnpp/backend/device.hpp"

#include <cstddef>
#include <cstring>
#include <utility>

#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/soc_model.hpp"
#include "qnnpp/core/tensor_spec.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE std::optional<std::uint32_t> asked_arch(const DeviceOptions& options) noexcept {
  if (!options.soc_model) {
    if (options.arch.value_or(c_api::HtpDeviceArch::none) == c_api::HtpDeviceArch::none) return {};
    return static_cast<std::uint32_t>(*options.arch);
  }
  switch (static_cast<c_api::SocModel>(*options.soc_model)) {
    using enum c_api::SocModel;
    case sm8350:
    case sa8295: return 68;
    case sm8450:
    case sm8475:
    case sxr2230p: return 69;
    case sm8550:
    case sxr1230p:
    case ssg2115p:
    case sa8255:
    case ssg2125p:
    case qcs9100: return 73;
    case sm8650: return 75;
    case sm8750:
    case sxr2330p: return 79;
    case sm8850: return 81;
    default: return {};
  }
}

QNNPP_INLINE c_api::DeviceConfig& DeviceConfigs::add(c_api::DeviceConfigOption option) {
  c_api::DeviceConfig& config = configs_[count_];
  config.option = option;
  pointers_[count_++] = &config;
  return config;
}

QNNPP_INLINE DeviceConfigs::Custom& DeviceConfigs::add_custom(
    const c_api::HtpDeviceCustomConfig& option) {
  Custom& custom = customs_[count_];
  if (is_wide_) {
    custom.wide = {};
    custom.wide.option = option.option;
    // All members of the union begin where it does. This one is as large as any.
    std::memcpy(&custom.wide.arch, &option.arch, sizeof(option.arch));
  } else {
    custom.narrow = option;
  }
  add(c_api::DeviceConfigOption::custom).custom_config = &custom;
  return custom;
}

QNNPP_INLINE DeviceConfigs::DeviceConfigs(const DeviceOptions& options, std::uint32_t backend_minor)
    : is_wide_(has_wide_device_options(backend_minor)) {
  using enum c_api::HtpDeviceConfigOption;
  const std::uint32_t device = options.platform.empty() ? 0 : options.platform.front().id;
  if (options.soc_model) {
    Custom& made = add_custom({.option = soc, .soc_model = *options.soc_model});
    // At both places, so that a library in the other layout reads it too.
    made.wide.soc_model = *options.soc_model;
    std::memcpy(
        reinterpret_cast<std::byte*>(&made) + offsetof(c_api::HtpDeviceCustomConfig, soc_model),
        &*options.soc_model, sizeof(*options.soc_model));
  }
  if (options.arch && *options.arch != c_api::HtpDeviceArch::none)
    add_custom({.option = arch, .arch = {device, *options.arch}});
  switch (options.process_domain) {
    case ProcessDomainKind::automatic: break;
    case ProcessDomainKind::unsigned_:
    case ProcessDomainKind::signed_: {
      const bool is_signed = options.process_domain == ProcessDomainKind::signed_;
      add_custom({.option = signedpd, .use_signed_process_domain = {device, is_signed}});
      break;
    }
    case ProcessDomainKind::secure:
      add_custom({.option = securepd, .use_secure_process_domain = {device, true}});
      break;
  }
  if (!options.platform.empty()) add_platform(options.platform);
}

QNNPP_INLINE void DeviceConfigs::add_platform(const std::vector<DeviceInfo>& platform) {
  std::size_t cores = 0;
  for (const DeviceInfo& device : platform) cores += device.cores.size();
  cores_ = std::vector<c_api::DeviceCoreInfo>(cores);
  devices_ = std::vector<c_api::DeviceHardwareDeviceInfo>(platform.size());
  extensions_ = std::vector<c_api::HtpDeviceDeviceInfoExtension>(platform.size());
  c_api::DeviceCoreInfo* next_core = cores_.data();
  for (std::size_t i = 0; i < platform.size(); ++i) {
    const DeviceInfo& device = platform[i];
    c_api::HtpDeviceDeviceInfoExtension& extension = extensions_[i];
    extension.dev_type = c_api::HtpDeviceDeviceType::on_chip;
    extension.on_chip_device.vtcm_size = static_cast<std::size_t>(device.vtcm_bytes >> 20);
    extension.on_chip_device.soc_model = device.soc_model;
    extension.on_chip_device.signed_pd_support = device.supports_signed_process_domain;
    extension.on_chip_device.dlbc_support = device.supports_dlbc;
    extension.on_chip_device.arch = device.arch;
    c_api::DeviceHardwareDeviceInfo& made = devices_[i];
    made.version = c_api::DeviceHardwareDeviceInfoVersion::v1;
    made.v1.device_id = device.id;
    made.v1.device_type =
        static_cast<std::uint32_t>(device.is_on_chip ? c_api::HtpDeviceDeviceType::on_chip
                                                     : c_api::HtpDeviceDeviceType::unknown);
    made.v1.num_cores = static_cast<std::uint32_t>(device.cores.size());
    made.v1.cores = device.cores.empty() ? nullptr : next_core;
    if (device.is_on_chip)
      made.v1.device_info_extension =
          reinterpret_cast<c_api::DeviceDeviceInfoExtension>(&extension);
    for (const Core& core : device.cores) {
      c_api::DeviceCoreInfo& each = *next_core++;
      each.version = c_api::DeviceCoreInfoVersion::v1;
      each.v1.core_id = core.core;
      each.v1.core_type = static_cast<std::uint32_t>(core.type);
    }
  }
  platform_.version = c_api::DevicePlatformInfoVersion::v1;
  platform_.v1.num_hw_devices = static_cast<std::uint32_t>(devices_.size());
  platform_.v1.hw_devices = devices_.data();
  add(c_api::DeviceConfigOption::platform_info).hardware_info = &platform_;
}

QNNPP_INLINE Result<void> check_device_options(const DeviceOptions& options,
                                               const std::string& library) {
  if (options.process_domain > ProcessDomainKind::secure)
    return fail(Errc::invalid_argument, name_of(c_api::Slot::device_create), library,
                {"DeviceOptions::process_domain is ", static_cast<unsigned>(options.process_domain),
                 "; give an enumerator of ProcessDomainKind"});
  return {};
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Result<void> require_device(
    const std::vector<DeviceInfo>& platform, const DeviceInfo& wanted, const char* option,
    const char* step, const std::string& library) {
  const auto name = [](std::uint32_t device, const Core* core) {
    return core == nullptr ? joined({"device ", device})
                           : joined({"core ", core->core, " of device ", device});
  };
  const auto has = [&](const Core* core) {
    for (const DeviceInfo& device : platform) {
      if (device.id != wanted.id) continue;
      if (core == nullptr) return true;
      for (const Core& each : device.cores)
        if (each.core == core->core) return true;
    }
    return false;
  };
  const auto refuse = [&](const Core* core) {
    const std::string asked = name(wanted.id, core);
    NameList there(asked);
    for (const DeviceInfo& device : platform) {
      if (core == nullptr) there.add("", name(device.id, nullptr));
      for (std::size_t i = 0; core != nullptr && i < device.cores.size(); ++i)
        there.add("", name(device.id, &device.cores[i]));
    }
    return fail(Errc::invalid_argument, step, library,
                {option, " names ", asked, ", which the platform does not have; use ",
                 there.empty() ? "the platform's own" : there.text()});
  };
  if (!has(nullptr)) return refuse(nullptr);
  for (const Core& core : wanted.cores)
    if (!has(&core)) return refuse(&core);
  return {};
}

QNNPP_INLINE Result<std::vector<DeviceInfo>> read_platform(const c_api::DevicePlatformInfo& info,
                                                           const std::string& library) {
  constexpr const char* step = name_of(c_api::Slot::device_get_platform_info);
  const auto unknown = [&](const char* what, std::uint32_t version) {
    return fail(Errc::malformed, step, library, {what, " has version ", version, ", not 1"});
  };
  if (info.version != c_api::DevicePlatformInfoVersion::v1)
    return unknown("the platform", static_cast<std::uint32_t>(info.version));
  QNNPP_TRY(check_count(info.v1.num_hw_devices, most::devices, info.v1.hw_devices, "devices",
                        Errc::malformed, step, library));
  std::vector<DeviceInfo> devices(info.v1.num_hw_devices);
  for (std::uint32_t i = 0; i < info.v1.num_hw_devices; ++i) {
    const c_api::DeviceHardwareDeviceInfo& from = info.v1.hw_devices[i];
    if (from.version != c_api::DeviceHardwareDeviceInfoVersion::v1)
      return unknown("a device", static_cast<std::uint32_t>(from.version));
    QNNPP_TRY(check_count(from.v1.num_cores, most::cores, from.v1.cores, "cores", Errc::malformed,
                          step, library));
    DeviceInfo& device = devices[i];
    device.id = from.v1.device_id;
    device.cores = std::vector<Core>(from.v1.num_cores);
    for (std::uint32_t j = 0; j < from.v1.num_cores; ++j) {
      const c_api::DeviceCoreInfo& core = from.v1.cores[j];
      if (core.version != c_api::DeviceCoreInfoVersion::v1)
        return unknown("a core", static_cast<std::uint32_t>(core.version));
      device.cores[j] = {device.id, core.v1.core_id,
                         static_cast<c_api::HtpDeviceCoreType>(core.v1.core_type)};
    }
    const auto* const extension =
        reinterpret_cast<const c_api::HtpDeviceDeviceInfoExtension*>(from.v1.device_info_extension);
    if (extension == nullptr || extension->dev_type != c_api::HtpDeviceDeviceType::on_chip)
      continue;
    const c_api::HtpDeviceOnChipDeviceInfoExtension& chip = extension->on_chip_device;
    device.is_on_chip = true;
    device.soc_model = chip.soc_model;
    device.arch = chip.arch;
    device.vtcm_bytes = std::uint64_t{chip.vtcm_size} << 20;
    device.supports_signed_process_domain = chip.signed_pd_support;
    device.supports_dlbc = chip.dlbc_support;
  }
  return devices;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
