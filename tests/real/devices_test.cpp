// Chips and architectures that the library prepares for.
#include <cstdint>
#include <string>
#include <utility>

#include "library.hpp"
#include "one_relu.hpp"

namespace real { namespace {

using namespace qnnpp;

/// Architecture of the binary that a backend with these options makes; 0 after a failure.
std::uint32_t arch_by(DeviceOptions options) {
  const auto backend = load(std::move(options));
  if (!backend) {
    ADD_FAILURE() << backend.error().message();
    return 0;
  }
  const auto bytes = binary(*backend);
  const auto reader = System::load(system());
  if (!bytes || !reader) {
    ADD_FAILURE() << (bytes ? reader.error() : bytes.error()).message();
    return 0;
  }
  const auto spec = reader->metadata(*bytes, "net");
  return spec ? spec->dsp_arch.value_or(0) : 0;
}

TEST(devices, CFG_05_a_chip_is_prepared_for) {
  const std::pair<c_api::SocModel, std::uint32_t> chips[] = {
      {c_api::SocModel::sm8350, 68},   {c_api::SocModel::sa8295, 68},
      {c_api::SocModel::sm8450, 69},   {c_api::SocModel::sm8475, 69},
      {c_api::SocModel::sxr2230p, 69}, {c_api::SocModel::sm8550, 73},
      {c_api::SocModel::sxr1230p, 73}, {c_api::SocModel::ssg2115p, 73},
      {c_api::SocModel::sa8255, 73},   {c_api::SocModel::ssg2125p, 73},
      {c_api::SocModel::qcs9100, 73},  {c_api::SocModel::sm8650, 75},
      {c_api::SocModel::sm8750, 79},   {c_api::SocModel::sxr2330p, 79},
      {c_api::SocModel::sm8850, 81}};
  for (const auto& [chip, arch] : chips)
    EXPECT_EQ(arch_by({.soc_model = static_cast<std::uint32_t>(chip)}), arch)
        << static_cast<std::uint32_t>(chip);
}

TEST(devices, CFG_05_an_architecture_is_prepared_for) {
  for (const std::uint32_t arch : {68u, 69u, 73u, 75u, 79u, 81u})
    EXPECT_EQ(arch_by({.arch = static_cast<c_api::HtpDeviceArch>(arch)}), arch);
}

TEST(devices, CFG_05_an_architecture_that_the_library_does_not_know_is_refused) {
  const auto backend = load({.arch = static_cast<c_api::HtpDeviceArch>(99)});
  ASSERT_FALSE(backend.has_value());
  EXPECT_EQ(backend.error().kind, Errc::invalid_argument) << backend.error().message();
}

TEST(devices, CFG_05_a_chip_that_the_library_does_not_know_is_refused_by_its_number) {
  const auto backend = load({.soc_model = 9999});
  ASSERT_FALSE(backend.has_value());
  EXPECT_EQ(backend.error().kind, Errc::invalid_argument) << backend.error().message();
  EXPECT_NE(backend.error().message().find("soc_model 9999"), std::string::npos)
      << backend.error().message();
}

TEST(devices, CFG_05_no_architecture_is_the_library_s_choice) {
  EXPECT_EQ(arch_by({.arch = c_api::HtpDeviceArch::none}), 68u);
}

TEST(devices, CFG_05_a_binary_for_another_architecture_than_asked_for_is_not_serialised) {
  // The platform gets the log's lines, so only the binary tells.
  const auto backend =
      Backend<Htp>::load({.library = htp(),
                          .system_library = system(),
                          .log = log_to_platform(c_api::LogLevel::error),
                          .device = {.arch = static_cast<c_api::HtpDeviceArch>(99)}});
  ASSERT_TRUE(backend.has_value()) << backend.error().message();
  const auto bytes = binary(*backend);
  ASSERT_FALSE(bytes.has_value());
  EXPECT_EQ(bytes.error().kind, Errc::wrong_architecture) << bytes.error().message();
}

TEST(devices, a_signed_process_domain_is_accepted) {
  const auto backend = load({.process_domain = ProcessDomainKind::signed_});
  EXPECT_TRUE(backend.has_value()) << backend.error().message();
}

}}  // namespace real
