// Devices: what a platform reports, and the options that QnnDevice_create receives.
#include "qnnpp/backend/device.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/format.hpp"

#include "simulated.hpp"

namespace {

using qnnpp::Backend;
using qnnpp::DeviceOptions;
using qnnpp::Errc;
using qnnpp::Htp;
using qnnpp::ProcessDomainKind;
using qnnpp::detail::DeviceConfigs;
using qnnpp::sim::Slot;
namespace c_api = qnnpp::c_api;

class device : public SimulatedTest {
 protected:
  static qnnpp::Result<Backend<Htp>> load_with(DeviceOptions options) {
    return Backend<Htp>::load({.library = simulated_path, .device = std::move(options)});
  }
};

TEST_F(device, reports_the_platform_as_a_value) {
  const auto backend = load();
  ASSERT_TRUE(backend.has_value());
  const auto platform = backend->platform_info();
  ASSERT_TRUE(platform.has_value()) << platform.error().message();
  ASSERT_FALSE(platform->empty());
  const qnnpp::DeviceInfo& first = (*platform)[0];
  EXPECT_EQ(first.id, 0u);
  EXPECT_TRUE(first.is_on_chip);
  EXPECT_EQ(first.arch, c_api::HtpDeviceArch::v79);
  EXPECT_EQ(first.soc_model, 69u);
  EXPECT_EQ(first.vtcm_bytes, std::uint64_t{8} << 20);
  ASSERT_EQ(first.cores.size(), 1u);
  EXPECT_EQ(first.cores[0], (qnnpp::Core{first.id, 0, c_api::HtpDeviceCoreType::nsp}));
  EXPECT_EQ(fmt::format("{}", first), "device 0: v79, SoC 69, 8.0 MiB VTCM, 1 core");
  EXPECT_EQ(control.counters().live_platform_infos, 0u);
  const auto chip = backend->chip();
  EXPECT_EQ(chip, first);
}

TEST_F(device, frees_the_platform_once_on_every_path) {
  const auto backend = load();
  ASSERT_TRUE(backend.has_value());
  control.fail_call(Slot::device_get_platform_info, 1, 1002);
  const auto failed = backend->platform_info();
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, 1002);
  EXPECT_EQ(failed.error().detail.find("log: "), 0u) << failed.error().detail;
  EXPECT_EQ(control.calls(Slot::device_free_platform_info), 0u);
  control.fail_call(Slot::device_free_platform_info, 1, 14000);
  const auto unfreed = backend->platform_info();
  ASSERT_FALSE(unfreed.has_value());
  EXPECT_STREQ(unfreed.error().step, "QnnDevice_freePlatformInfo");
  EXPECT_EQ(unfreed.error().detail.find("log: "), 0u) << unfreed.error().detail;
  EXPECT_EQ(control.calls(Slot::device_free_platform_info), 1u);
  EXPECT_EQ(control.counters().live_platform_infos, 0u);
}

TEST_F(device, is_opened_with_each_option) {
  std::vector<qnnpp::DeviceInfo> platform;
  {
    const auto backend = load();
    platform = backend->platform_info().value();
  }
  const DeviceOptions cases[] = {
      {.soc_model = 69},
      {.arch = c_api::HtpDeviceArch::v79},
      {.process_domain = ProcessDomainKind::unsigned_},
      {.process_domain = ProcessDomainKind::signed_},
      {.platform = platform},
      {.soc_model = 69,
       .arch = c_api::HtpDeviceArch::v79,
       .process_domain = ProcessDomainKind::signed_,
       .platform = platform},
  };
  for (const DeviceOptions& options : cases) {
    const auto backend = load_with(options);
    ASSERT_TRUE(backend.has_value()) << backend.error().message();
    EXPECT_NE(backend->native_device(), nullptr);
  }
}

TEST_F(device, of_a_core_or_number_that_the_platform_lacks_is_refused_with_those_it_has) {
  std::vector<qnnpp::DeviceInfo> platform;
  {
    const auto backend = load();
    platform = backend->platform_info().value();
  }
  auto other_core = platform;
  other_core[0].cores[0].core = 3;
  auto other_device = platform;
  other_device[1].id = 7;
  for (const auto& [wanted, detail] :
       {std::pair{other_core,
                  "DeviceOptions::platform names core 3 of device 0, which the platform does not "
                  "have; use core 0 of device 0, core 0 of device 1"},
        {other_device,
         "DeviceOptions::platform names device 7, which the platform does not have; use device 0, "
         "device 1"}}) {
    const std::uint64_t before = control.calls(Slot::device_create);
    const auto backend = load_with({.platform = wanted});
    ASSERT_FALSE(backend.has_value());
    EXPECT_EQ(backend.error().kind, Errc::invalid_argument);
    EXPECT_STREQ(backend.error().step, "QnnDevice_create");
    EXPECT_EQ(backend.error().detail, detail);
    EXPECT_EQ(control.calls(Slot::device_create), before);
    EXPECT_EQ(control.counters().live_platform_infos, 0u);
    control.fail_call(Slot::device_get_platform_info, 1, 1000);
    EXPECT_TRUE(load_with({.platform = wanted}).has_value()) << "nothing lists the devices";
    EXPECT_EQ(control.calls(Slot::device_create), before + 1);
  }
}

TEST_F(device, adds_the_log_to_an_error_of_close) {
  auto backend = load();
  ASSERT_TRUE(backend.has_value());
  control.fail_call(Slot::device_free, 1, 14000);
  const auto closed = std::move(*backend).close();
  ASSERT_FALSE(closed.has_value());
  EXPECT_EQ(closed.error().code, 14000);
  EXPECT_EQ(closed.error().detail.find("log: "), 0u) << closed.error().detail;
}

TEST_F(device, of_a_number_that_is_no_process_domain_is_refused_before_any_call) {
  const auto calls = control.counters().calls;
  const auto backend = load_with({.process_domain = static_cast<ProcessDomainKind>(200)});
  ASSERT_FALSE(backend.has_value());
  EXPECT_EQ(backend.error().kind, Errc::invalid_argument);
  EXPECT_EQ(backend.error().detail,
            "DeviceOptions::process_domain is 200; give an enumerator of ProcessDomainKind");
  EXPECT_EQ(control.counters().calls, calls);
}

TEST_F(device, that_refuses_its_options_is_an_error_and_no_backend_without_devices) {
  const struct {
    DeviceOptions options;
    const char* words;
  } cases[] = {
      {{.process_domain = ProcessDomainKind::secure}, "the device refused a secure process domain"},
      {{.soc_model = 69}, "the device refused its options"},
  };
  for (const auto& each : cases) {
    // The simulated HTP refuses a secure process domain itself.
    if (each.options.soc_model) control.fail_call(Slot::device_create, 1, 1000);
    const auto backend = load_with(each.options);
    ASSERT_FALSE(backend.has_value());
    EXPECT_EQ(backend.error().code, 1000);
    EXPECT_STREQ(backend.error().step, "QnnDevice_create");
    EXPECT_NE(backend.error().message().find(each.words), std::string::npos)
        << backend.error().message();
    EXPECT_EQ(control.counters().live_backends, 0u);
    control.clear_faults();
  }
  control.fail_call(Slot::device_create, 1, 1000);
  const auto without = load_with({});
  ASSERT_TRUE(without.has_value());
  EXPECT_EQ(without->native_device(), nullptr);
}

/// Reads an option of the HTP in the layout of a backend API.
template <class Custom>
const Custom& custom_of(const c_api::DeviceConfig* config) {
  EXPECT_EQ(config->option, c_api::DeviceConfigOption::custom);
  return *static_cast<const Custom*>(config->custom_config);
}

template <class Custom>
void expect_options(std::uint32_t backend_minor) {
  using enum c_api::HtpDeviceConfigOption;
  DeviceConfigs configs({.soc_model = 57,
                         .arch = c_api::HtpDeviceArch::v75,
                         .process_domain = ProcessDomainKind::signed_},
                        backend_minor);
  const c_api::DeviceConfig** list = configs.native();
  ASSERT_NE(list, nullptr);
  for (int i = 0; i < 3; ++i) ASSERT_NE(list[i], nullptr);
  EXPECT_EQ(list[3], nullptr);
  EXPECT_EQ(custom_of<Custom>(list[0]).option, soc);
  EXPECT_EQ(custom_of<Custom>(list[0]).soc_model, 57u);
  EXPECT_EQ(custom_of<Custom>(list[1]).option, arch);
  EXPECT_EQ(custom_of<Custom>(list[1]).arch.arch, c_api::HtpDeviceArch::v75);
  EXPECT_EQ(custom_of<Custom>(list[2]).option, signedpd);
  EXPECT_TRUE(custom_of<Custom>(list[2]).use_signed_process_domain.use_signed_process_domain);
  DeviceConfigs secure({.process_domain = ProcessDomainKind::secure}, backend_minor);
  EXPECT_EQ(custom_of<Custom>(secure.native()[0]).option, securepd);
  EXPECT_TRUE(
      custom_of<Custom>(secure.native()[0]).use_secure_process_domain.use_secure_process_domain);
}

TEST(device_options, CFG_05_have_the_layout_of_the_backend_api) {
  for (const std::uint32_t minor : {25u, 43u, 45u, 46u, 49u})
    expect_options<c_api::HtpDeviceCustomConfig>(minor);
  for (const std::uint32_t minor : {47u, 48u, 50u, 51u, 52u, 99u})
    expect_options<c_api::HtpDeviceCustomConfigWide>(minor);
  EXPECT_EQ(DeviceConfigs({}, 43).native(), nullptr);
}

TEST(device_options, CFG_05_name_the_chip_in_both_layouts) {
  for (const std::uint32_t minor : {43u, 51u}) {
    DeviceConfigs configs({.soc_model = 57}, minor);
    EXPECT_EQ(custom_of<c_api::HtpDeviceCustomConfig>(configs.native()[0]).soc_model, 57u);
    EXPECT_EQ(custom_of<c_api::HtpDeviceCustomConfigWide>(configs.native()[0]).soc_model, 57u);
  }
}

TEST_F(device, CFG_05_of_an_architecture_that_the_library_does_not_know_is_an_error) {
  const auto backend = load_with({.arch = static_cast<c_api::HtpDeviceArch>(99)});
  ASSERT_FALSE(backend.has_value());
  EXPECT_EQ(backend.error().kind, Errc::invalid_argument);
  EXPECT_NE(backend.error().message().find("DeviceOptions::arch v99 is not known to the library"),
            std::string::npos)
      << backend.error().message();
  EXPECT_TRUE(load_with({.arch = c_api::HtpDeviceArch::v75}).has_value());
}

TEST(device_options, are_for_the_first_device_of_their_platform) {
  using Custom = c_api::HtpDeviceCustomConfig;
  const std::vector<qnnpp::DeviceInfo> second{{.id = 1, .is_on_chip = true, .cores = {}}};
  for (const auto& [platform, id] : {std::pair{second, 1u}, {{}, 0u}}) {
    DeviceConfigs configs({.arch = c_api::HtpDeviceArch::v75,
                           .process_domain = ProcessDomainKind::unsigned_,
                           .platform = platform},
                          43);
    EXPECT_EQ(custom_of<Custom>(configs.native()[0]).arch.device_id, id);
    EXPECT_EQ(custom_of<Custom>(configs.native()[1]).use_signed_process_domain.device_id, id);
    DeviceConfigs secure({.process_domain = ProcessDomainKind::secure, .platform = platform}, 43);
    EXPECT_EQ(custom_of<Custom>(secure.native()[0]).use_secure_process_domain.device_id, id);
  }
}

TEST(device_options, name_the_devices_and_cores_to_use) {
  const std::vector<qnnpp::DeviceInfo> platform{
      {.id = 0,
       .is_on_chip = true,
       .cores = {{.core = 0}, {.core = 3, .type = c_api::HtpDeviceCoreType::hpass}},
       .soc_model = 69,
       .arch = c_api::HtpDeviceArch::v79,
       .vtcm_bytes = std::uint64_t{8} << 20,
       .supports_signed_process_domain = true,
       .supports_dlbc = true},
      {.id = 1, .cores = {{.device = 1, .core = 2}}},
  };
  DeviceConfigs configs({.platform = platform}, 43);
  ASSERT_NE(configs.native(), nullptr);
  EXPECT_EQ(configs.native()[0]->option, c_api::DeviceConfigOption::platform_info);
  EXPECT_EQ(configs.native()[1], nullptr);
  const c_api::DevicePlatformInfo& native = *configs.native()[0]->hardware_info;
  EXPECT_EQ(native.v1.hw_devices[0].v1.device_type,
            static_cast<std::uint32_t>(c_api::HtpDeviceDeviceType::on_chip));
  EXPECT_EQ(native.v1.hw_devices[1].v1.device_type,
            static_cast<std::uint32_t>(c_api::HtpDeviceDeviceType::unknown));
  const auto read = qnnpp::detail::read_platform(native, "lib");
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(*read, platform);
}

TEST(a_platform, with_lists_that_cannot_be_read_is_malformed) {
  c_api::DeviceCoreInfo core{};
  core.version = c_api::DeviceCoreInfoVersion::v1;
  c_api::DeviceHardwareDeviceInfo hardware{};
  hardware.version = c_api::DeviceHardwareDeviceInfoVersion::v1;
  hardware.v1 = {0, 0, 1, &core, nullptr};
  c_api::DevicePlatformInfo info{};
  info.version = c_api::DevicePlatformInfoVersion::v1;
  info.v1 = {1, &hardware};
  const auto words = [&] {
    const auto read = qnnpp::detail::read_platform(info, "lib");
    if (read) return std::string("read");
    EXPECT_EQ(read.error().kind, Errc::malformed);
    return read.error().message();
  };
  const auto has = [&](const char* part) {
    const std::string text = words();
    return text.find(part) != std::string::npos ? std::string() : text;
  };
  EXPECT_EQ(words(), "read");
  info.v1.num_hw_devices = 257;
  EXPECT_EQ(has("257 devices; at most 256"), "");
  info.v1 = {1, nullptr};
  EXPECT_EQ(has("their address is null"), "");
  info.v1 = {1, &hardware};
  hardware.v1.num_cores = 4'000'000'000;
  EXPECT_EQ(has("4000000000 cores; at most 256"), "");
  hardware.v1.num_cores = 1;
  core.version = c_api::DeviceCoreInfoVersion{7};
  EXPECT_EQ(has("a core has version 7, not 1"), "");
  hardware.version = c_api::DeviceHardwareDeviceInfoVersion{8};
  EXPECT_EQ(has("a device has version 8, not 1"), "");
  info.version = c_api::DevicePlatformInfoVersion{9};
  EXPECT_EQ(has("the platform has version 9, not 1"), "");
}

}  // namespace
