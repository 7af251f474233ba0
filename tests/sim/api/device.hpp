// Devices of the C API: platform information, creation, and the performance infrastructure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/abi/interface.hpp"

#include "sim/api/call.hpp"
#include "sim/api/power.hpp"
#include "sim/objects/client_structs.hpp"
#include "sim/objects/device.hpp"
#include "sim/objects/lifetime.hpp"

namespace qnnpp::sim::api {

namespace internal {

/// Describes one or two devices with one core each, according to the configuration. The host
/// library describes two devices of a chip with one HTP; only device 0 can be used.
inline void describe(const Config& config, std::uint32_t devices, PlatformInfo& made) {
  made.core.version = c_api::DeviceCoreInfoVersion::v1;
  made.core.v1.core_id = 0;
  made.core.v1.core_type = static_cast<std::uint32_t>(c_api::HtpDeviceCoreType::nsp);
  made.extension.dev_type = c_api::HtpDeviceDeviceType::on_chip;
  made.extension.on_chip_device.vtcm_size = static_cast<std::size_t>(config.vtcm_bytes >> 20);
  made.extension.on_chip_device.soc_model = config.soc_model;
  made.extension.on_chip_device.signed_pd_support = true;
  made.extension.on_chip_device.dlbc_support = true;
  made.extension.on_chip_device.arch = static_cast<c_api::HtpDeviceArch>(config.arch);
  for (std::uint32_t id = 0; id < devices; ++id) {
    c_api::DeviceHardwareDeviceInfo& hardware = made.hardware[id];
    hardware.version = c_api::DeviceHardwareDeviceInfoVersion::v1;
    hardware.v1.device_id = id;
    hardware.v1.device_type = static_cast<std::uint32_t>(c_api::HtpDeviceDeviceType::on_chip);
    hardware.v1.num_cores = 1;
    hardware.v1.cores = &made.core;
    hardware.v1.device_info_extension =
        reinterpret_cast<c_api::DeviceDeviceInfoExtension>(&made.extension);
  }
  made.info.version = c_api::DevicePlatformInfoVersion::v1;
  made.info.v1.num_hw_devices = devices;
  made.info.v1.hw_devices = made.hardware;
}

/// Copies an HTP option from the host library's layout. Returns nullopt for memory that cannot be
/// read.
inline std::optional<c_api::HtpDeviceCustomConfig> copy_htp_device_option(const HostAnswers& host,
                                                                          const void* from) {
  c_api::HtpDeviceCustomConfig copy{};
  constexpr std::size_t copy_at = offsetof(c_api::HtpDeviceCustomConfig, soc_model);
  const std::size_t from_at = host.has_wide_device_options
                                  ? offsetof(c_api::HtpDeviceCustomConfigWide, soc_model)
                                  : copy_at;
  const auto* const bytes = static_cast<const std::byte*>(from);
  if (!is_readable(from, from_at + sizeof copy - copy_at)) return std::nullopt;
  std::memcpy(&copy.option, from, sizeof copy.option);
  std::memcpy(&copy.soc_model, bytes + from_at, sizeof copy - copy_at);
  return copy;
}

/// Reads one HTP option. A chip, or an architecture, is what composed graphs are prepared for; a
/// chip comes first. As the host library does, logs an architecture that it does not know, and
/// ignores it (CFG-05).
inline Status read_htp_device_option(Call& call, const Config& config,
                                     const c_api::HtpDeviceCustomConfig& custom,
                                     DeviceState& state) {
  const auto invalid = [](const char* what) {
    return failure(c_api::DeviceError::invalid_config, what);
  };
  const ClientBoolean boolean = boolean_of(custom, host_of(config).has_wide_device_options);
  call.odd_boolean(boolean);
  switch (custom.option) {
    case c_api::HtpDeviceConfigOption::soc:
      if (const Chip* const chip = chip_of_model(custom.soc_model)) {
        state.soc_model = custom.soc_model;
        state.dsp_arch = static_cast<std::uint32_t>(chip->arch);
      }
      return success();
    case c_api::HtpDeviceConfigOption::arch: {
      const auto arch = static_cast<std::uint32_t>(custom.arch.arch);
      const Chip* const chip = chip_of_arch(arch);
      if (chip == nullptr) {
        call.log(c_api::LogLevel::error, text("Unsupported HTP Arch 1 %u", arch));
      } else if (state.soc_model == 0) {
        state.soc_model = static_cast<std::uint32_t>(chip->model);
        state.dsp_arch = arch;
      }
      return success();
    }
    case c_api::HtpDeviceConfigOption::signedpd:
      return custom.use_signed_process_domain.device_id == 0 ? success()
                                                             : invalid("only device 0 exists");
    case c_api::HtpDeviceConfigOption::securepd:
      // The host library refuses the option even if it asks for no secure process domain.
      if (config.secure_domains == 0)
        return failure(c_api::DeviceError::unsupported_feature,
                       "this device has no secure process domains");
      if (custom.use_secure_process_domain.device_id != 0) return invalid("only device 0 exists");
      state.secure_domain = boolean.byte != 0;
      return success();
    default: break;
  }
  const auto option = static_cast<std::uint32_t>(custom.option);
  return option < 32 && (host_of(config).more_device_options >> option & 1) != 0
             ? success()
             : invalid("unknown HTP device option");
}

inline Status read_device_configs(Call& call, const Config& config,
                                  const c_api::DeviceConfig** configs, DeviceState& state) {
  if (configs == nullptr) return success();
  if (!are_readable_configs(configs))
    return dead_pointer(c_api::DeviceError::invalid_config, "a config of the device");
  for (const c_api::DeviceConfig** entry = configs; *entry != nullptr; ++entry) {
    switch ((*entry)->option) {
      case c_api::DeviceConfigOption::custom: {
        if ((*entry)->custom_config == nullptr)
          return failure(c_api::DeviceError::invalid_config,
                         "option CUSTOM with a NULL custom config");
        const auto custom = copy_htp_device_option(host_of(config), (*entry)->custom_config);
        if (!custom)
          return dead_pointer(c_api::DeviceError::invalid_config, "a custom config of the device");
        if (Status status = read_htp_device_option(call, config, *custom, state); !status.ok())
          return status;
        break;
      }
      case c_api::DeviceConfigOption::platform_info: {
        const c_api::DevicePlatformInfo* const info = (*entry)->hardware_info;
        if (!is_readable_array(info, 1))
          return dead_pointer(c_api::DeviceError::invalid_config, "the platform info");
        if (info == nullptr || info->version != c_api::DevicePlatformInfoVersion::v1 ||
            info->v1.num_hw_devices == 0)
          return failure(c_api::DeviceError::invalid_config,
                         "no platform info, one without devices, or of an unknown version");
        break;
      }
      default: return failure(c_api::DeviceError::invalid_config, "unknown device option");
    }
  }
  return success();
}

}  // namespace internal

inline c_api::ErrorHandle device_get_platform_info(c_api::LogHandle logger,
                                                   const c_api::DevicePlatformInfo** info) {
  Call call{Slot::device_get_platform_info};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  if (logger != nullptr && d.logs.find(logger) == nullptr)
    return call.fail(unknown(call, call.dev().logs, logger, c_api::DeviceError::invalid_handle));
  call.about_logger(id_of(logger));
  if (info == nullptr)
    return call.fail(c_api::DeviceError::invalid_argument, "platform info is NULL");
  d.platform_infos.push_back(std::make_unique<PlatformInfo>());
  internal::describe(d.config, 2, *d.platform_infos.back());
  *info = &d.platform_infos.back()->info;
  return call.ok();
}

inline c_api::ErrorHandle device_free_platform_info(c_api::LogHandle logger,
                                                    const c_api::DevicePlatformInfo* info) {
  Call call{Slot::device_free_platform_info};
  Device& d = call.dev();
  if (logger != nullptr && d.logs.find(logger) == nullptr)
    return call.fail(unknown(call, call.dev().logs, logger, c_api::DeviceError::invalid_handle));
  if (info == nullptr)
    return call.fail(c_api::DeviceError::invalid_argument, "platform info is NULL");
  const auto found = std::find_if(d.platform_infos.begin(), d.platform_infos.end(),
                                  [info](const auto& each) { return &each->info == info; });
  if (found == d.platform_infos.end())
    call.misuse("ORD-09", "the pointer is no platform info of the library, which returns 0");
  else
    d.platform_infos.erase(found);
  return call.ok();
}

inline c_api::ErrorHandle device_create(c_api::LogHandle logger, const c_api::DeviceConfig** config,
                                        c_api::DeviceHandle* out) {
  Call call{Slot::device_create};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  if (logger != nullptr && d.logs.find(logger) == nullptr)
    return call.fail(unknown(call, call.dev().logs, logger, c_api::LogError::invalid_argument));
  call.about_logger(id_of(logger));
  if (out == nullptr) return call.fail(c_api::DeviceError::invalid_argument, "device is NULL");
  auto made = std::make_shared<DeviceState>();
  made->logger = id_of(logger);
  if (Status status = internal::read_device_configs(call, d.config, config, *made); !status.ok())
    return call.fail(status);
  *out = handle_of<c_api::DeviceHandle>(d.devices.insert(std::move(made)));
  call.log(c_api::LogLevel::info, "device opened");
  return call.ok();
}

namespace internal {
/// Returns 14003 while contexts of the device are alive.
inline Status unused(const Call& call, std::uint64_t id) {
  const Device& d = call.dev();
  if (d.devices.find(id) == nullptr)
    return unknown(call, d.devices, id, c_api::DeviceError::invalid_handle);
  if (d.any_context([id](const Context& context) { return context.device == id; }) ||
      std::any_of(d.remnants.begin(), d.remnants.end(),
                  [id](const Remnant& remnant) { return remnant.device == id; }))
    return failure(c_api::DeviceError::associated_to_context,
                   "contexts of the device are not freed yet");
  return success();
}

/// Ends the device's contexts that are from a binary and not finalized.
inline void end_unfinalized(Call& call, std::uint64_t device) {
  for (const auto& [id, context] : call.dev().contexts.copy()) {
    if (context->device != device || context->composed || context->finalized) continue;
    if (!context->is_left_over)
      call.misuse("ORD-08", "the device is freed before its contexts, which end with it");
    drop_context(call.dev(), id);
  }
}
}  // namespace internal

/// Accepts a chip and an architecture, which change nothing, also while contexts are alive.
inline c_api::ErrorHandle device_set_config(c_api::DeviceHandle handle,
                                            const c_api::DeviceConfig** config) {
  Call call{Slot::device_set_config};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  if (d.devices.find(handle) == nullptr)
    return call.fail(unknown(call, d.devices, handle, c_api::DeviceError::invalid_handle));
  if (config == nullptr) return call.ok();
  DeviceState ignored;
  Config any_domain = d.config;
  any_domain.secure_domains = 1;
  if (Status status = internal::read_device_configs(call, any_domain, config, ignored);
      !status.ok())
    return call.fail(status);
  for (const c_api::DeviceConfig** entry = config; *entry != nullptr; ++entry) {
    if ((*entry)->option != c_api::DeviceConfigOption::custom) continue;
    const auto& custom = *static_cast<const c_api::HtpDeviceCustomConfig*>((*entry)->custom_config);
    if (custom.option != c_api::HtpDeviceConfigOption::soc &&
        custom.option != c_api::HtpDeviceConfigOption::arch)
      return call.fail(c_api::DeviceError::invalid_config,
                       "the process domain is chosen at the creation of the device");
  }
  return call.ok();
}

inline c_api::ErrorHandle device_get_info(c_api::DeviceHandle handle,
                                          const c_api::DevicePlatformInfo** info) {
  Call call{Slot::device_get_info};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  if (d.devices.find(handle) == nullptr)
    return call.fail(unknown(call, call.dev().devices, handle, c_api::DeviceError::invalid_handle));
  if (info == nullptr)
    return call.fail(c_api::DeviceError::invalid_argument, "platform info is NULL");
  if (d.own_platform_info == nullptr) d.own_platform_info = std::make_unique<PlatformInfo>();
  internal::describe(d.config, 1, *d.own_platform_info);
  *info = &d.own_platform_info->info;
  return call.ok();
}

inline c_api::ErrorHandle device_free(c_api::DeviceHandle handle) {
  Call call{Slot::device_free};
  Device& d = call.dev();
  if (!d.started) {
    if (handle != nullptr)
      call.misuse("ORD-09", "no call has returned this handle; the library returns 0");
    return call.ok();
  }
  if (d.host().device_free_ends_contexts) internal::end_unfinalized(call, id_of(handle));
  if (Status status = internal::unused(call, id_of(handle)); !status.ok()) {
    if (d.devices.find(handle) != nullptr)
      call.misuse("ORD-08", "the device is freed before its contexts");
    return call.fail(status);
  }
  d.devices.erase(id_of(handle));
  if (!internal::is_open(d)) d.power.end_all();
  return call.freed(id_of(handle));
}

/// Writes to `out` despite its const, as the C API requires.
inline c_api::ErrorHandle device_get_infrastructure(const c_api::DeviceInfrastructure* out) {
  Call call{Slot::device_get_infrastructure};
  if (const auto code = call.gate()) return call.fail(code);
  if (out == nullptr)
    return call.fail(c_api::DeviceError::invalid_argument, "infrastructure is NULL");
  // Written once: clients read it on any thread.
  static const c_api::HtpDeviceInfrastructure infrastructure = [] {
    c_api::HtpDeviceInfrastructure made{};
    made.infra_type = c_api::HtpDeviceInfrastructureType::perf;
    made.perf_infra = {perf_create_power_config_id, perf_destroy_power_config_id,
                       perf_set_power_config, perf_set_memory_config};
    return made;
  }();
  *const_cast<c_api::DeviceInfrastructure*>(out) = reinterpret_cast<c_api::DeviceInfrastructure>(
      const_cast<c_api::HtpDeviceInfrastructure*>(&infrastructure));
  return call.ok();
}

}  // namespace qnnpp::sim::api
