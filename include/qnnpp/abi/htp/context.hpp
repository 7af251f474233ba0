#pragma once

#include "qnnpp/abi/context.hpp"

namespace qnnpp::abi {

/// QnnHtpContext_ConfigOption_t.
enum class HtpContextConfigOption : std::uint32_t {
  weight_sharing_enabled = 1,
  register_multi_contexts = 2,
  file_read_memory_budget = 3,
  dsp_memory_profiling_enabled = 4,
  share_resources = 5,
  io_mem_estimation = 6,
  prepare_only = 7,
  init_acceleration = 8,
  skip_validation_on_binary_section = 9,
  share_resources_optimization_type = 10,
  use_extended_udma = 11,
  register_concurrent_resource_sharing = 12,
  lora_weight_sharing_enabled = 13,
  reserved_14 = 14,
  reserved_15 = 15,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpContextConfigOption::weight_sharing_enabled) == 1u);
static_assert(std::uint32_t(HtpContextConfigOption::register_multi_contexts) == 2u);
static_assert(std::uint32_t(HtpContextConfigOption::file_read_memory_budget) == 3u);
static_assert(std::uint32_t(HtpContextConfigOption::dsp_memory_profiling_enabled) == 4u);
static_assert(std::uint32_t(HtpContextConfigOption::share_resources) == 5u);
static_assert(std::uint32_t(HtpContextConfigOption::io_mem_estimation) == 6u);
static_assert(std::uint32_t(HtpContextConfigOption::prepare_only) == 7u);
static_assert(std::uint32_t(HtpContextConfigOption::init_acceleration) == 8u);
static_assert(std::uint32_t(HtpContextConfigOption::skip_validation_on_binary_section) == 9u);
static_assert(std::uint32_t(HtpContextConfigOption::share_resources_optimization_type) == 10u);
static_assert(std::uint32_t(HtpContextConfigOption::use_extended_udma) == 11u);
static_assert(std::uint32_t(HtpContextConfigOption::register_concurrent_resource_sharing) == 12u);
static_assert(std::uint32_t(HtpContextConfigOption::lora_weight_sharing_enabled) == 13u);
static_assert(std::uint32_t(HtpContextConfigOption::reserved_14) == 14u);
static_assert(std::uint32_t(HtpContextConfigOption::reserved_15) == 15u);
static_assert(std::uint32_t(HtpContextConfigOption::unknown) == 0x7FFFFFFFu);

/// QnnHtpContext_ShareResourcesOptimizationType_t.
enum class HtpContextShareResourcesOptimizationType : std::uint32_t {
  sequential_with_va_optimization = 0,
  sequential_without_va_optimization = 1,
  concurrent_optimization = 2,
};
static_assert(std::uint32_t(HtpContextShareResourcesOptimizationType::sequential_with_va_optimization) == 0u);
static_assert(std::uint32_t(HtpContextShareResourcesOptimizationType::sequential_without_va_optimization) == 1u);
static_assert(std::uint32_t(HtpContextShareResourcesOptimizationType::concurrent_optimization) == 2u);

/// QnnHtpContext_GroupRegistration_t.
struct HtpContextGroupRegistration {
  ContextHandle first_group_handle;
  std::uint64_t max_spill_fill_buffer;
};
static_assert(sizeof(HtpContextGroupRegistration) == 16 && alignof(HtpContextGroupRegistration) == 8);
static_assert(offsetof(HtpContextGroupRegistration, first_group_handle) == 0);
static_assert(offsetof(HtpContextGroupRegistration, max_spill_fill_buffer) == 8);

/// QnnHtpContext_CustomConfig_t.
struct HtpContextCustomConfig {
  HtpContextConfigOption option;
  union {
    bool weight_sharing_enabled;
    HtpContextGroupRegistration group_registration;
    std::uint64_t file_read_memory_budget_in_mb;
    bool dsp_memory_profiling_enabled;
    bool share_resources;
    bool io_mem_estimation;
    bool is_prepare_only;
    bool init_acceleration;
    bool skip_validation_on_binary_section;
    HtpContextShareResourcesOptimizationType share_res_opt_type;
    bool use_extended_udma;
    HtpContextGroupRegistration concurrent_group_registration;
    bool lora_weight_sharing_enabled;
  };
};
static_assert(sizeof(HtpContextCustomConfig) == 24 && alignof(HtpContextCustomConfig) == 8);
static_assert(offsetof(HtpContextCustomConfig, option) == 0);
static_assert(offsetof(HtpContextCustomConfig, weight_sharing_enabled) == 8);
static_assert(offsetof(HtpContextCustomConfig, group_registration) == 8);
static_assert(offsetof(HtpContextCustomConfig, file_read_memory_budget_in_mb) == 8);
static_assert(offsetof(HtpContextCustomConfig, dsp_memory_profiling_enabled) == 8);
static_assert(offsetof(HtpContextCustomConfig, share_resources) == 8);
static_assert(offsetof(HtpContextCustomConfig, io_mem_estimation) == 8);
static_assert(offsetof(HtpContextCustomConfig, is_prepare_only) == 8);
static_assert(offsetof(HtpContextCustomConfig, init_acceleration) == 8);
static_assert(offsetof(HtpContextCustomConfig, skip_validation_on_binary_section) == 8);
static_assert(offsetof(HtpContextCustomConfig, share_res_opt_type) == 8);
static_assert(offsetof(HtpContextCustomConfig, use_extended_udma) == 8);
static_assert(offsetof(HtpContextCustomConfig, concurrent_group_registration) == 8);
static_assert(offsetof(HtpContextCustomConfig, lora_weight_sharing_enabled) == 8);

/// QnnHtpContext_GetPropertyOption_t.
enum class HtpContextPropertyOption : std::uint32_t {
  buffer_start_alignment = 1,
  max_spillfill_buffer_size = 2,
  weights_buffer_size = 3,
  reserved_4 = 4,
  reserved_5 = 5,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpContextPropertyOption::buffer_start_alignment) == 1u);
static_assert(std::uint32_t(HtpContextPropertyOption::max_spillfill_buffer_size) == 2u);
static_assert(std::uint32_t(HtpContextPropertyOption::weights_buffer_size) == 3u);
static_assert(std::uint32_t(HtpContextPropertyOption::reserved_4) == 4u);
static_assert(std::uint32_t(HtpContextPropertyOption::reserved_5) == 5u);
static_assert(std::uint32_t(HtpContextPropertyOption::undefined) == 0x7FFFFFFFu);

/// QnnHtpContext_CustomProperty_t.
struct HtpContextCustomProperty {
  HtpContextPropertyOption option;
  union {
    std::uint64_t buffer_start_alignment;
    std::uint64_t spillfill_buffer_size;
    std::uint64_t weights_buffer_size;
  };
};
static_assert(sizeof(HtpContextCustomProperty) == 16 && alignof(HtpContextCustomProperty) == 8);
static_assert(offsetof(HtpContextCustomProperty, option) == 0);
static_assert(offsetof(HtpContextCustomProperty, buffer_start_alignment) == 8);
static_assert(offsetof(HtpContextCustomProperty, spillfill_buffer_size) == 8);
static_assert(offsetof(HtpContextCustomProperty, weights_buffer_size) == 8);

}  // namespace qnnpp::abi
