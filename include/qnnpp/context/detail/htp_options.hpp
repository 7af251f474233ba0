// Options of contexts that only the HTP has, and the libraries that know them (CFG-04).
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/htp/context.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// An option, and the first version 5.`minor` of the HTP library in which its number has that
/// meaning; 0: every version.
struct HtpOption {
  c_api::HtpContextConfigOption option;
  const char* name;
  std::uint32_t minor;

  [[nodiscard]] constexpr bool is_newer_than(const c_api::Version& library) const noexcept {
    return minor != 0 && (library.major < 5 || (library.major == 5 && library.minor < minor));
  }
};

/// All options. The library's version decides whether an option may be set, because its answer is
/// not reliable: 5.43 accepts the number 17, 5.45 refuses it, and 5.50 gives it a meaning.
inline constexpr HtpOption htp_options[] = {
    {c_api::HtpContextConfigOption::weight_sharing_enabled, "WEIGHT_SHARING_ENABLED", 0},
    {c_api::HtpContextConfigOption::register_multi_contexts, "REGISTER_MULTI_CONTEXTS", 0},
    {c_api::HtpContextConfigOption::file_read_memory_budget, "FILE_READ_MEMORY_BUDGET", 0},
    {c_api::HtpContextConfigOption::dsp_memory_profiling_enabled, "DSP_MEMORY_PROFILING_ENABLED",
     0},
    {c_api::HtpContextConfigOption::share_resources, "SHARE_RESOURCES", 0},
    {c_api::HtpContextConfigOption::io_mem_estimation, "IO_MEM_ESTIMATION", 0},
    {c_api::HtpContextConfigOption::prepare_only, "PREPARE_ONLY", 30},
    {c_api::HtpContextConfigOption::init_acceleration, "INIT_ACCELERATION", 36},
    {c_api::HtpContextConfigOption::skip_validation_on_binary_section,
     "SKIP_VALIDATION_ON_BINARY_SECTION", 36},
    {c_api::HtpContextConfigOption::share_resources_optimization_type,
     "SHARE_RESOURCES_OPTIMIZATION_TYPE", 36},
    {c_api::HtpContextConfigOption::use_extended_udma, "USE_EXTENDED_UDMA", 36},
    {c_api::HtpContextConfigOption::register_concurrent_resource_sharing,
     "REGISTER_CONCURRENT_RESOURCE_SHARING", 36},
    {c_api::HtpContextConfigOption::lora_weight_sharing_enabled, "LORA_WEIGHT_SHARING_ENABLED", 40},
    {c_api::HtpContextConfigOption::lora_weight_sharing_ram_preload_enabled,
     "LORA_WEIGHT_SHARING_RAM_PRELOAD_ENABLED", 50},
    {c_api::HtpContextConfigOption::reused_io_limit, "REUSED_IO_LIMIT", 50},
    {c_api::HtpContextConfigOption::reference_weight_sharing_enabled,
     "REFERENCE_WEIGHT_SHARING_ENABLED", 50},
    {c_api::HtpContextConfigOption::concurrent_deserialization_extra_size,
     "CONCURRENT_DESERIALIZATION_EXTRA_SIZE", 50},
    {c_api::HtpContextConfigOption::graph_splitting_enabled, "GRAPH_SPLITTING_ENABLED", 50},
    {c_api::HtpContextConfigOption::concurrent_deserialization_patch,
     "CONCURRENT_DESERIALIZATION_PATCH", 50},
    {c_api::HtpContextConfigOption::graph_splitting_configs, "GRAPH_SPLITTING_CONFIGS", 50},
    {c_api::HtpContextConfigOption::lora_preload_buffer_groups, "LORA_PRELOAD_BUFFER_GROUPS", 50},
    {c_api::HtpContextConfigOption::parallel_weight_loading, "PARALLEL_WEIGHT_LOADING", 50},
};

/// Row of an option; null for an unknown number.
[[nodiscard]] constexpr const HtpOption* find_htp_option(
    c_api::HtpContextConfigOption option) noexcept {
  for (const HtpOption& row : htp_options)
    if (row.option == option) return &row;
  return nullptr;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
