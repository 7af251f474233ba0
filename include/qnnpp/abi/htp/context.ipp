// Numbers of context.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/htp/context.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum HtpContextConfigOption;
  using detail::is;
  return is(weight_sharing_enabled, 1) && is(register_multi_contexts, 2) &&
         is(file_read_memory_budget, 3) && is(dsp_memory_profiling_enabled, 4) &&
         is(share_resources, 5) && is(io_mem_estimation, 6) && is(prepare_only, 7) &&
         is(init_acceleration, 8) && is(skip_validation_on_binary_section, 9) &&
         is(share_resources_optimization_type, 10) && is(use_extended_udma, 11) &&
         is(register_concurrent_resource_sharing, 12) && is(lora_weight_sharing_enabled, 13) &&
         is(reserved_14, 14) && is(reserved_15, 15) &&
         is(lora_weight_sharing_ram_preload_enabled, 16) && is(reused_io_limit, 17) &&
         is(reference_weight_sharing_enabled, 18) &&
         is(concurrent_deserialization_extra_size, 19) && is(graph_splitting_enabled, 20) &&
         is(concurrent_deserialization_patch, 21) && is(graph_splitting_configs, 22) &&
         is(lora_preload_buffer_groups, 23) && is(reserved_24, 24) &&
         is(parallel_weight_loading, 25) && is(unknown, 0x7FFFFFFF);
}());

static_assert([] {
  using enum HtpContextShareResourcesOptimizationType;
  using detail::is;
  return is(sequential_with_va_optimization, 0) && is(sequential_without_va_optimization, 1) &&
         is(concurrent_optimization, 2);
}());

static_assert([] {
  using enum HtpContextParallelWeightLoadingMode;
  using detail::is;
  return is(adaptive, 0) && is(on, 1) && is(off, 2);
}());

static_assert([] {
  using enum HtpContextPropertyOption;
  using detail::is;
  return is(buffer_start_alignment, 1) && is(max_spillfill_buffer_size, 2) &&
         is(weights_buffer_size, 3) && is(reserved_4, 4) && is(reserved_5, 5) &&
         is(max_vtcmbackup_buffer_size, 6) && is(reserved_7, 7) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
