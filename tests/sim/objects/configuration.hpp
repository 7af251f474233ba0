// The configuration of a device: its defaults, known chips, and the variables of the environment.
#pragma once

#include "qnnpp/platform.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/abi/soc_model.hpp"
#include "qnnpp/sim/control.hpp"

#include "sim/engine/libraries.hpp"
#include "sim/objects/start.hpp"
#include "sim/tables/environment.hpp"
#include "sim/tables/host_library.hpp"
#include "sim/tables/unconfirmed.hpp"

namespace qnnpp::sim {

/// Configuration of an unconfigured device: a v79 with numbers from published measurements.
[[nodiscard]] inline Config default_config() noexcept {
  Config config{};
  config.vtcm_bytes = std::uint64_t{8} << 20;
  config.start_alignment_bytes = 4096;
  config.pd_budget_bytes = drawn(0, Unconfirmed::domain_bytes);
  config.pd_count = 4;
  config.estimate_per_mille_x10 = 10000;
  config.arch = 79;
  config.soc_model = 69;
  config.external_buffers = 1;
  config.deferred_init = 1;
  config.lockstep_timeout_ms = 200;
  config.host_library = static_cast<std::uint32_t>(default_host_library);
  config.dsp_aborts = 1;
  return config;
}

/// Draws new values for device properties that no host library confirms. Keeps values that were set
/// explicitly, that is values that differ from the draw of `config.seed`.
[[nodiscard]] inline Config with_seed(Config config, std::uint64_t seed) noexcept {
  const auto draw = [&](auto Config::* member, Unconfirmed answer) {
    using Member = std::remove_reference_t<decltype(config.*member)>;
    if (config.*member == static_cast<Member>(drawn(config.seed, answer)))
      config.*member = static_cast<Member>(drawn(seed, answer));
  };
  draw(&Config::start_alignment_bytes, Unconfirmed::start_alignment);
  draw(&Config::pd_count, Unconfirmed::process_domains);
  draw(&Config::pd_budget_bytes, Unconfirmed::domain_bytes);
  draw(&Config::error_high_bits, Unconfirmed::error_high_bits);
  config.seed = seed;
  return config;
}

/// A chip and its architecture.
struct Chip {
  c_api::SocModel model;
  c_api::HtpDeviceArch arch;
};
/// Known chips; the first one of each architecture is its usual chip.
inline constexpr Chip known_chips[] = {{c_api::SocModel::sm8350, c_api::HtpDeviceArch::v68},
                                       {c_api::SocModel::sm8450, c_api::HtpDeviceArch::v69},
                                       {c_api::SocModel::sm8550, c_api::HtpDeviceArch::v73},
                                       {c_api::SocModel::sm8650, c_api::HtpDeviceArch::v75},
                                       {c_api::SocModel::sm8750, c_api::HtpDeviceArch::v79},
                                       {c_api::SocModel::sm8850, c_api::HtpDeviceArch::v81},
                                       {c_api::SocModel::sa8295, c_api::HtpDeviceArch::v68},
                                       {c_api::SocModel::sm8475, c_api::HtpDeviceArch::v69},
                                       {c_api::SocModel::sxr2230p, c_api::HtpDeviceArch::v69},
                                       {c_api::SocModel::sxr1230p, c_api::HtpDeviceArch::v73},
                                       {c_api::SocModel::ssg2115p, c_api::HtpDeviceArch::v73},
                                       {c_api::SocModel::sa8255, c_api::HtpDeviceArch::v73},
                                       {c_api::SocModel::ssg2125p, c_api::HtpDeviceArch::v73},
                                       {c_api::SocModel::qcs9100, c_api::HtpDeviceArch::v73},
                                       {c_api::SocModel::sxr2330p, c_api::HtpDeviceArch::v79}};

/// The chip with this number, or NULL.
[[nodiscard]] inline const Chip* chip_of_model(std::uint32_t model) noexcept {
  for (const Chip& chip : known_chips)
    if (static_cast<std::uint32_t>(chip.model) == model) return &chip;
  return nullptr;
}
/// The usual chip of this architecture, or NULL.
[[nodiscard]] inline const Chip* chip_of_arch(std::uint32_t arch) noexcept {
  for (const Chip& chip : known_chips)
    if (static_cast<std::uint32_t>(chip.arch) == arch) return &chip;
  return nullptr;
}

/// Completes `changed` if exactly one of architecture and chip differs from `before`: sets the chip
/// from the architecture, or the architecture from the chip. An unknown value changes nothing.
inline void complete_chip(Config& changed, const Config& before) noexcept {
  const bool other_arch = changed.arch != before.arch;
  const bool other_model = changed.soc_model != before.soc_model;
  if (other_arch == other_model) return;
  const Chip* const chip =
      other_arch ? chip_of_arch(changed.arch) : chip_of_model(changed.soc_model);
  if (chip == nullptr) return;
  if (other_arch) changed.soc_model = static_cast<std::uint32_t>(chip->model);
  if (other_model) changed.arch = static_cast<std::uint32_t>(chip->arch);
}

/// False for values that describe no possible device.
[[nodiscard]] inline bool is_valid(const Config& config) noexcept {
  const std::uint64_t alignment = config.start_alignment_bytes;
  return alignment != 0 && (alignment & (alignment - 1)) == 0 && config.pd_count >= 1 &&
         config.pd_count <= 16 && config.vtcm_bytes != 0 && config.vtcm_bytes <= 0xFFFFFFFFull &&
         config.pd_budget_bytes != 0 && config.estimate_per_mille_x10 != 0 &&
         config.start_failure <= static_cast<std::uint32_t>(StartFailure::other_stub) &&
         config.host_library < std::size(host_libraries);
}

/// Applies a variable whose values are names. Prints one line to stderr for an unknown name.
inline void read_name(const char* name, const char* kind, std::uint32_t Config::* member,
                      std::span<const std::string_view> names, Config& config) {
  const std::string_view value = variable(name);
  if (value.empty()) return;
  if (const std::uint32_t number = number_of(value, names); number < names.size()) {
    config.*member = number;
    return;
  }
  std::string list;
  for (const std::string_view each : names) list.append(list.empty() ? "" : ", ").append(each);
  std::fprintf(stderr, "simulated HTP: %s: no such %s: '%.*s'; use one of %s\n", name, kind,
               static_cast<int>(value.size()), value.data(), list.c_str());
}

/// Applies the QNNPP_SIM_<NAME> variables. Ignores values that are not numbers or describe no
/// possible device, and prints one line to stderr for each.
[[nodiscard]] inline Config config_from_environment(Config config) noexcept {
  const Config before = config;
  const auto read = [&config](const char* name, auto Config::* member) {
    using Member = std::remove_reference_t<decltype(config.*member)>;
    const auto number = read_variable(name, std::numeric_limits<Member>::max());
    if (!number) return;
    Config changed = config;
    changed.*member = static_cast<Member>(*number);
    if (is_valid(changed))
      config = changed;
    else
      report_value(name, variable(name), "describes no possible device, ignored");
  };
  if (const auto seed = read_variable("QNNPP_SIM_SEED", UINT64_MAX))
    config = with_seed(config, *seed);
  if (engine::folder() != nullptr) {  // It knows the binaries of the newest SDK.
    config.host_library = static_cast<std::uint32_t>(HostLibrary::v2_51_0);
    if (::access((std::string{engine::folder()} + "/libQnnHtp.so").c_str(), R_OK) != 0)
      report_value("QNNPP_SIM_ENGINE", engine::folder(),
                   "has no libQnnHtp.so: binaries of the SDK are refused");
  }
  read("QNNPP_SIM_VTCM_BYTES", &Config::vtcm_bytes);
  read("QNNPP_SIM_START_ALIGNMENT_BYTES", &Config::start_alignment_bytes);
  read("QNNPP_SIM_PD_BUDGET_BYTES", &Config::pd_budget_bytes);
  read("QNNPP_SIM_PD_COUNT", &Config::pd_count);
  read("QNNPP_SIM_ESTIMATE_PER_MILLE_X10", &Config::estimate_per_mille_x10);
  read("QNNPP_SIM_MAX_CONTEXTS", &Config::max_contexts);
  read("QNNPP_SIM_MAX_MAPPINGS", &Config::max_mappings);
  read("QNNPP_SIM_MAX_MAPPED_BYTES", &Config::max_mapped_bytes);
  read("QNNPP_SIM_ARCH", &Config::arch);
  read("QNNPP_SIM_SOC_MODEL", &Config::soc_model);
  read("QNNPP_SIM_EXTERNAL_BUFFERS", &Config::external_buffers);
  read("QNNPP_SIM_DEFERRED_INIT", &Config::deferred_init);
  read("QNNPP_SIM_NODE_DELAY_US", &Config::node_delay_us);
  read("QNNPP_SIM_LOCKSTEP_EXECUTIONS", &Config::lockstep_executions);
  read("QNNPP_SIM_LOCKSTEP_TIMEOUT_MS", &Config::lockstep_timeout_ms);
  read("QNNPP_SIM_ERROR_HIGH_BITS", &Config::error_high_bits);
  read("QNNPP_SIM_MAX_IO_COPY_BYTES", &Config::max_io_copy_bytes);
  read("QNNPP_SIM_DMA_BUF", &Config::dma_buf);
  read("QNNPP_SIM_LINUX_WEIGHTS", &Config::linux_weights);
  read("QNNPP_SIM_UNDEFINED_LOADS", &Config::undefined_loads);
  read_name("QNNPP_SIM_START_FAILURE", "failure", &Config::start_failure, start_failure_names,
            config);
  read_name("QNNPP_SIM_HOST_LIBRARY", "host library", &Config::host_library, host_library_names,
            config);
  read("QNNPP_SIM_RECYCLED_HANDLES", &Config::recycled_handles);
  read("QNNPP_SIM_CRASH", &Config::crash);
  read("QNNPP_SIM_FAILING_DOMAINS", &Config::failing_domains);
  read("QNNPP_SIM_SHARED_RESOURCES", &Config::shared_resources);
  read("QNNPP_SIM_DYNAMIC_DIMENSIONS", &Config::dynamic_dimensions);
  read("QNNPP_SIM_POWER_OPTIONS", &Config::power_options);
  read("QNNPP_SIM_SECURE_DOMAINS", &Config::secure_domains);
  read("QNNPP_SIM_SEE_SYNCS", &Config::see_syncs);
  read("QNNPP_SIM_LOAD_DELAY_US", &Config::load_delay_us);
  read("QNNPP_SIM_DSP_ABORTS", &Config::dsp_aborts);
  complete_chip(config, before);
  return config;
}

}  // namespace qnnpp::sim
