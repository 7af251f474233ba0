// Devices: what the backend reports about the chip, and the options of the device that it opens.
#pragma once

#include "qnnpp/config.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Core of a device, as DeviceInfo::cores lists it and Performance::vote() accepts it. The host
/// libraries refuse votes for device 1 although they list it.
struct Core {
  std::uint32_t device = 0;  ///< DeviceInfo::id.
  std::uint32_t core = 0;    ///< Number of the core within its device.
  /// Kind of the core; `nsp` executes graphs. Votes ignore it.
  c_api::HtpDeviceCoreType type = c_api::HtpDeviceCoreType::nsp;
  /// Compares all members.
  bool operator==(const Core&) const = default;
};

/// Device of a platform. The properties after `cores` are those of an HTP in the SoC; they have
/// their defaults for a device of another kind.
struct DeviceInfo {
  std::uint32_t id = 0;     ///< Number of the device.
  bool is_on_chip = false;  ///< Whether the device is an HTP in the SoC.
  std::vector<Core> cores;  ///< The cores.

  std::uint32_t soc_model = 0;                             ///< c_api::SocModel as a number.
  c_api::HtpDeviceArch arch = c_api::HtpDeviceArch::none;  ///< Hexagon architecture.
  std::uint64_t vtcm_bytes = 0;                            ///< Size of the VTCM.
  bool supports_signed_process_domain = false;             ///< Signed process domains.
  bool supports_dlbc = false;                              ///< Bandwidth compression.
  /// Compares all members.
  bool operator==(const DeviceInfo&) const = default;
};

/// Kind of the process domain on the DSP in which contexts live.
enum class ProcessDomainKind : std::uint8_t {
  automatic,  ///< The backend chooses.
  unsigned_,  ///< Unsigned: what an app may use without a signature of the vendor.
  signed_,    ///< Signed: the DSP loads signed libraries only.
  /// Secure, for protected content. It takes no external buffers (EXT-06). HTP 5.36.
  secure,
};

/// Options of the device that Backend::load() opens (QnnDevice_create): BackendOptions::device.
/// Without options, the backend executes on device 0. `arch` and `process_domain` are options of
/// the first device of `platform`, or of device 0.
struct DeviceOptions {
  /// Chip for which graphs are prepared: c_api::SocModel as a number. Changes nothing for contexts
  /// that are restored from binaries. If the chip is listed in docs/devices.md, serialize() refuses
  /// a binary for another architecture (CFG-05).
  std::optional<std::uint32_t> soc_model = {};
  /// Oldest architecture for which graphs are prepared. QNN ignores it if there is a `soc_model`.
  /// Changes nothing for contexts that are restored from binaries. Libraries ignore an architecture
  /// that they do not know; load() or serialize() then fails (CFG-05).
  std::optional<c_api::HtpDeviceArch> arch = {};
  /// Process domain of the contexts.
  ProcessDomainKind process_domain = ProcessDomainKind::automatic;
  /// Devices and cores to use, or platform to prepare for: the result of Backend::platform_info(),
  /// or a part of it. Empty: the backend's own. A device or core that the library does not list is
  /// `invalid_argument`, if it lists any.
  std::vector<DeviceInfo> platform = {};

  /// Whether any option differs from its default.
  [[nodiscard]] bool any() const noexcept {
    return soc_model || arch || process_domain != ProcessDomainKind::automatic || !platform.empty();
  }
};

namespace detail {

/// Architecture for which `options` ask that graphs are prepared, such as 79. Empty if they ask for
/// none, or for a chip whose architecture is not known here.
[[nodiscard]] std::optional<std::uint32_t> asked_arch(const DeviceOptions& options) noexcept;

/// Whether the union of HtpDeviceCustomConfig begins at byte 8, not 4, in this minor version of the
/// HTP's API (CFG-05). Each version up to 5.51 was asked; newer ones have the layout of the newest.
[[nodiscard]] constexpr bool has_wide_device_options(std::uint32_t backend_minor) noexcept {
  return backend_minor == 47 || backend_minor == 48 || backend_minor >= 50;
}

/// Options of a device as the C API reads them. The C API keeps none of them after the call. Keeps
/// pointers to its own memory: not movable.
class DeviceConfigs {
 public:
  /// `backend_minor` is the minor version of the backend API, which decides the layout of the
  /// options.
  DeviceConfigs(const DeviceOptions& options, std::uint32_t backend_minor);
  DeviceConfigs(const DeviceConfigs&) = delete;
  DeviceConfigs& operator=(const DeviceConfigs&) = delete;

  /// Array for QnnDevice_create, which ends with NULL; null without options.
  [[nodiscard]] const c_api::DeviceConfig** native() noexcept {
    return count_ == 0 ? nullptr : pointers_.data();
  }

 private:
  /// Storage for one option of the HTP, in either layout.
  union Custom {
    c_api::HtpDeviceCustomConfig narrow;
    c_api::HtpDeviceCustomConfigWide wide;
  };
  [[nodiscard]] c_api::DeviceConfig& add(c_api::DeviceConfigOption option);
  Custom& add_custom(const c_api::HtpDeviceCustomConfig& option);
  void add_platform(const std::vector<DeviceInfo>& platform);

  static constexpr std::size_t most = 4;  // Three options of the HTP and the platform.

  bool is_wide_;
  std::size_t count_ = 0;
  std::array<Custom, most> customs_ = {};
  std::array<c_api::DeviceConfig, most> configs_ = {};
  std::array<const c_api::DeviceConfig*, most + 1> pointers_ = {};
  c_api::DevicePlatformInfo platform_ = {};
  std::vector<c_api::DeviceHardwareDeviceInfo> devices_;
  std::vector<c_api::DeviceCoreInfo> cores_;
  std::vector<c_api::HtpDeviceDeviceInfoExtension> extensions_;
};

/// Checks options before any C call. Error: `invalid_argument` for an unknown process domain.
[[nodiscard]] Result<void> check_device_options(const DeviceOptions& options,
                                                const std::string& library);

/// Checks that a platform has a device and its cores. `option`: what names them. Error:
/// `invalid_argument` with the devices or the cores that are there.
[[nodiscard]] Result<void> require_device(const std::vector<DeviceInfo>& platform,
                                          const DeviceInfo& wanted, const char* option,
                                          const char* step, const std::string& library);

/// Copies a platform's description. Error: `malformed` for a version that is not known, or for
/// lists that are too long or null.
[[nodiscard]] Result<std::vector<DeviceInfo>> read_platform(const c_api::DevicePlatformInfo& info,
                                                            const std::string& library);

}  // namespace detail

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/device.ipp"
#endif
