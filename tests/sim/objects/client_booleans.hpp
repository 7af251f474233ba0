// Booleans of a client's options. C gives them a byte, so a pointer or a struct that stands in the
// same union makes them neither 0 nor 1 (CFG-01).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "qnnpp/abi/htp/context.hpp"
#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/abi/htp/graph.hpp"

#include "sim/tables/text.hpp"

namespace qnnpp::sim {

/// A boolean in an option, as the byte that the client has written.
struct ClientBoolean {
  const char* option = nullptr;  ///< name in the C API; NULL for an option without a boolean
  std::uint8_t byte = 0;

  /// Returns what is wrong with it; empty for 0, 1, and an option without a boolean.
  [[nodiscard]] std::string fault() const {
    if (option == nullptr || byte <= 1) return {};
    return text(
        "the boolean of %s is %u, neither 0 nor 1: its union has the value of another "
        "option, or was never set",
        option, static_cast<unsigned>(byte));
  }
};

namespace detail {
/// Returns the byte at this offset of a struct. Reading it as a bool would be undefined.
template <class Struct>
[[nodiscard]] ClientBoolean boolean_at(const char* option, const Struct& from,
                                       std::size_t offset) noexcept {
  ClientBoolean found{option, 0};
  std::memcpy(&found.byte, reinterpret_cast<const std::byte*>(&from) + offset, 1);
  return found;
}
}  // namespace detail

/// Returns the boolean of an HTP option of a context; all stand at the start of the union.
[[nodiscard]] inline ClientBoolean boolean_of(
    const c_api::HtpContextCustomConfig& custom) noexcept {
  using Option = c_api::HtpContextConfigOption;
  const auto named = [&custom](const char* option) {
    return detail::boolean_at(option, custom,
                              offsetof(c_api::HtpContextCustomConfig, weight_sharing_enabled));
  };
  switch (custom.option) {
    case Option::weight_sharing_enabled: return named("WEIGHT_SHARING_ENABLED");
    case Option::dsp_memory_profiling_enabled: return named("DSP_MEMORY_PROFILING_ENABLED");
    case Option::share_resources: return named("SHARE_RESOURCES");
    case Option::io_mem_estimation: return named("IO_MEM_ESTIMATION");
    case Option::prepare_only: return named("PREPARE_ONLY");
    case Option::init_acceleration: return named("INIT_ACCELERATION");
    case Option::skip_validation_on_binary_section:
      return named("SKIP_VALIDATION_ON_BINARY_SECTION");
    case Option::use_extended_udma: return named("USE_EXTENDED_UDMA");
    case Option::lora_weight_sharing_enabled: return named("LORA_WEIGHT_SHARING_ENABLED");
    case Option::lora_weight_sharing_ram_preload_enabled:
      return named("LORA_WEIGHT_SHARING_RAM_PRELOAD_ENABLED");
    case Option::reference_weight_sharing_enabled: return named("REFERENCE_WEIGHT_SHARING_ENABLED");
    case Option::graph_splitting_enabled: return named("GRAPH_SPLITTING_ENABLED");
    case Option::graph_splitting_configs: return named("GRAPH_SPLITTING_CONFIGS");
    default: return {};
  }
}

/// Returns the boolean of an HTP option of a graph; all stand at the start of the union.
[[nodiscard]] inline ClientBoolean boolean_of(const c_api::HtpGraphCustomConfig& custom) noexcept {
  using Option = c_api::HtpGraphConfigOption;
  const auto named = [&custom](const char* option) {
    return detail::boolean_at(option, custom,
                              offsetof(c_api::HtpGraphCustomConfig, weights_packing));
  };
  switch (custom.option) {
    case Option::fold_relu_activation_into_conv_off:
      return named("FOLD_RELU_ACTIVATION_INTO_CONV_OFF");
    case Option::short_depth_conv_on_hmx_off: return named("SHORT_DEPTH_CONV_ON_HMX_OFF");
    case Option::weights_packing: return named("WEIGHTS_PACKING");
    case Option::assume_same_quant: return named("ASSUME_SAME_QUANT");
    case Option::share_io_buffer: return named("SHARE_IO_BUFFER");
    case Option::advanced_activation_fusion: return named("ADVANCED_ACTIVATION_FUSION");
    case Option::high_precision_sigmoid: return named("HIGH_PRECISION_SIGMOID");
    case Option::monolithic_lstm: return named("MONOLITHIC_LSTM");
    case Option::precision_compensation: return named("PRECISION_COMPENSATION");
    default: return {};
  }
}

/// Returns the boolean of an HTP option of a device, behind the number of the device. `is_wide`:
/// the library has options that came with HtpDeviceCustomConfigWide.
[[nodiscard]] inline ClientBoolean boolean_of(const c_api::HtpDeviceCustomConfig& custom,
                                              bool is_wide) noexcept {
  using Option = c_api::HtpDeviceConfigOption;
  const auto named = [&custom](const char* option) {
    return detail::boolean_at(
        option, custom,
        offsetof(c_api::HtpDeviceCustomConfig, use_signed_process_domain) +
            offsetof(c_api::HtpDeviceUseSignedProcessDomain, use_signed_process_domain));
  };
  switch (custom.option) {
    case Option::signedpd: return named("SIGNEDPD");
    case Option::securepd: return named("SECUREPD");
    case Option::async_execute: return is_wide ? named("ASYNC_EXECUTE") : ClientBoolean{};
    case Option::dynamic_partitioning:
      return is_wide ? named("DYNAMIC_PARTITIONING") : ClientBoolean{};
    default: return {};
  }
}

}  // namespace qnnpp::sim
