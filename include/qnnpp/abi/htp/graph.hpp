#pragma once

#include "qnnpp/abi/graph.hpp"

namespace qnnpp::abi {

/// QnnHtpGraph_OptimizationType_t.
enum class HtpGraphOptimizationType : std::uint32_t {
  schedule_threshold = 1,
  finalize_retries = 2,
  finalize_optimization_flag = 3,
  enable_dlbc = 4,
  enable_dlbc_weights = 5,
  enable_sparse_weights_compression = 6,
  enable_slc_allocator = 7,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpGraphOptimizationType::schedule_threshold) == 1u);
static_assert(std::uint32_t(HtpGraphOptimizationType::finalize_retries) == 2u);
static_assert(std::uint32_t(HtpGraphOptimizationType::finalize_optimization_flag) == 3u);
static_assert(std::uint32_t(HtpGraphOptimizationType::enable_dlbc) == 4u);
static_assert(std::uint32_t(HtpGraphOptimizationType::enable_dlbc_weights) == 5u);
static_assert(std::uint32_t(HtpGraphOptimizationType::enable_sparse_weights_compression) == 6u);
static_assert(std::uint32_t(HtpGraphOptimizationType::enable_slc_allocator) == 7u);
static_assert(std::uint32_t(HtpGraphOptimizationType::unknown) == 0x7FFFFFFFu);

/// QnnHtpGraph_OptimizationOption_t.
struct HtpGraphOptimizationOption {
  HtpGraphOptimizationType type;
  float float_value;
};
static_assert(sizeof(HtpGraphOptimizationOption) == 8 && alignof(HtpGraphOptimizationOption) == 4);
static_assert(offsetof(HtpGraphOptimizationOption, type) == 0);
static_assert(offsetof(HtpGraphOptimizationOption, float_value) == 4);

/// QnnHtpGraph_VtcmConfig_t.
struct HtpGraphVtcmConfig {
  std::uint32_t size_in_bytes;
  std::uint32_t offset_in_bytes;
  std::uint32_t size_total_in_bytes;
  std::uint32_t reserved[3];
};
static_assert(sizeof(HtpGraphVtcmConfig) == 24 && alignof(HtpGraphVtcmConfig) == 4);
static_assert(offsetof(HtpGraphVtcmConfig, size_in_bytes) == 0);
static_assert(offsetof(HtpGraphVtcmConfig, offset_in_bytes) == 4);
static_assert(offsetof(HtpGraphVtcmConfig, size_total_in_bytes) == 8);
static_assert(offsetof(HtpGraphVtcmConfig, reserved) == 12);

/// QnnHtpGraph_ConcurrencyOption_t.
enum class HtpGraphConcurrencyOption : std::uint32_t {
  none = 0,
  default_ = 0,
  all_shared = 1,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpGraphConcurrencyOption::none) == 0u);
static_assert(std::uint32_t(HtpGraphConcurrencyOption::default_) == 0u);
static_assert(std::uint32_t(HtpGraphConcurrencyOption::all_shared) == 1u);
static_assert(std::uint32_t(HtpGraphConcurrencyOption::unknown) == 0x7FFFFFFFu);

/// QnnHtpGraph_ParallelGraphExecutionConfig_t.
struct HtpGraphParallelGraphExecutionConfig {
  HtpGraphConcurrencyOption concurrency;
  HtpGraphVtcmConfig vtcm_config;
  std::uint32_t reserved[4];
};
static_assert(sizeof(HtpGraphParallelGraphExecutionConfig) == 44 && alignof(HtpGraphParallelGraphExecutionConfig) == 4);
static_assert(offsetof(HtpGraphParallelGraphExecutionConfig, concurrency) == 0);
static_assert(offsetof(HtpGraphParallelGraphExecutionConfig, vtcm_config) == 4);
static_assert(offsetof(HtpGraphParallelGraphExecutionConfig, reserved) == 28);

/// QnnHtp_HmxBoundingInfo_t.
struct HtpHmxBoundingInfo {
  float target_hmx_freq_hz;
  float target_dsp_core_freq;
};
static_assert(sizeof(HtpHmxBoundingInfo) == 8 && alignof(HtpHmxBoundingInfo) == 4);
static_assert(offsetof(HtpHmxBoundingInfo, target_hmx_freq_hz) == 0);
static_assert(offsetof(HtpHmxBoundingInfo, target_dsp_core_freq) == 4);

/// QnnHtpGraph_FinalizeConfig_t.
struct HtpGraphFinalizeConfig {
  const char* key;
  Scalar value;
};
static_assert(sizeof(HtpGraphFinalizeConfig) == 24 && alignof(HtpGraphFinalizeConfig) == 8);
static_assert(offsetof(HtpGraphFinalizeConfig, key) == 0);
static_assert(offsetof(HtpGraphFinalizeConfig, value) == 8);

/// QnnHtpGraph_ConfigOption_t.
enum class HtpGraphConfigOption : std::uint32_t {
  optimization = 1,
  precision = 2,
  vtcm_size_in_mb = 3,
  vtcm_size = 3,
  fold_relu_activation_into_conv_off = 4,
  short_depth_conv_on_hmx_off = 5,
  num_hvx_threads = 6,
  finalize_config = 7,
  num_cores = 8,
  parallel_graph_execution_config = 9,
  vtcm_size_in_bytes = 10,
  hmx_bounding = 11,
  weights_packing = 12,
  assume_same_quant = 13,
  share_io_buffer = 14,
  advanced_activation_fusion = 15,
  high_precision_sigmoid = 16,
  monolithic_lstm = 17,
  reserved = 0x7FFF0000,
  unknown = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpGraphConfigOption::optimization) == 1u);
static_assert(std::uint32_t(HtpGraphConfigOption::precision) == 2u);
static_assert(std::uint32_t(HtpGraphConfigOption::vtcm_size_in_mb) == 3u);
static_assert(std::uint32_t(HtpGraphConfigOption::vtcm_size) == 3u);
static_assert(std::uint32_t(HtpGraphConfigOption::fold_relu_activation_into_conv_off) == 4u);
static_assert(std::uint32_t(HtpGraphConfigOption::short_depth_conv_on_hmx_off) == 5u);
static_assert(std::uint32_t(HtpGraphConfigOption::num_hvx_threads) == 6u);
static_assert(std::uint32_t(HtpGraphConfigOption::finalize_config) == 7u);
static_assert(std::uint32_t(HtpGraphConfigOption::num_cores) == 8u);
static_assert(std::uint32_t(HtpGraphConfigOption::parallel_graph_execution_config) == 9u);
static_assert(std::uint32_t(HtpGraphConfigOption::vtcm_size_in_bytes) == 10u);
static_assert(std::uint32_t(HtpGraphConfigOption::hmx_bounding) == 11u);
static_assert(std::uint32_t(HtpGraphConfigOption::weights_packing) == 12u);
static_assert(std::uint32_t(HtpGraphConfigOption::assume_same_quant) == 13u);
static_assert(std::uint32_t(HtpGraphConfigOption::share_io_buffer) == 14u);
static_assert(std::uint32_t(HtpGraphConfigOption::advanced_activation_fusion) == 15u);
static_assert(std::uint32_t(HtpGraphConfigOption::high_precision_sigmoid) == 16u);
static_assert(std::uint32_t(HtpGraphConfigOption::monolithic_lstm) == 17u);
static_assert(std::uint32_t(HtpGraphConfigOption::reserved) == 0x7FFF0000u);
static_assert(std::uint32_t(HtpGraphConfigOption::unknown) == 0x7FFFFFFFu);

/// QnnHtpGraph_CustomConfig_t.
struct HtpGraphCustomConfig {
  HtpGraphConfigOption option;
  union {
    HtpGraphOptimizationOption optimization_option;
    Precision precision;
    std::uint32_t vtcm_size_in_mb;
    bool fold_relu_activation_into_conv_off;
    bool short_depth_conv_on_hmx_off;
    std::uint64_t num_hvx_threads;
    void* reserved;
    HtpGraphFinalizeConfig finalize_config;
    std::uint32_t num_cores;
    HtpGraphParallelGraphExecutionConfig parallel_graph_execution_config;
    std::uint32_t vtcm_size_in_bytes;
    HtpHmxBoundingInfo hmx_bounding_info;
    bool weights_packing;
    bool assume_same_quant;
    bool share_io_buffer;
    bool advanced_activation_fusion;
    bool high_precision_sigmoid;
    bool monolithic_lstm;
  };
};
static_assert(sizeof(HtpGraphCustomConfig) == 56 && alignof(HtpGraphCustomConfig) == 8);
static_assert(offsetof(HtpGraphCustomConfig, option) == 0);
static_assert(offsetof(HtpGraphCustomConfig, optimization_option) == 8);
static_assert(offsetof(HtpGraphCustomConfig, precision) == 8);
static_assert(offsetof(HtpGraphCustomConfig, vtcm_size_in_mb) == 8);
static_assert(offsetof(HtpGraphCustomConfig, fold_relu_activation_into_conv_off) == 8);
static_assert(offsetof(HtpGraphCustomConfig, short_depth_conv_on_hmx_off) == 8);
static_assert(offsetof(HtpGraphCustomConfig, num_hvx_threads) == 8);
static_assert(offsetof(HtpGraphCustomConfig, reserved) == 8);
static_assert(offsetof(HtpGraphCustomConfig, finalize_config) == 8);
static_assert(offsetof(HtpGraphCustomConfig, num_cores) == 8);
static_assert(offsetof(HtpGraphCustomConfig, parallel_graph_execution_config) == 8);
static_assert(offsetof(HtpGraphCustomConfig, vtcm_size_in_bytes) == 8);
static_assert(offsetof(HtpGraphCustomConfig, hmx_bounding_info) == 8);
static_assert(offsetof(HtpGraphCustomConfig, weights_packing) == 8);
static_assert(offsetof(HtpGraphCustomConfig, assume_same_quant) == 8);
static_assert(offsetof(HtpGraphCustomConfig, share_io_buffer) == 8);
static_assert(offsetof(HtpGraphCustomConfig, advanced_activation_fusion) == 8);
static_assert(offsetof(HtpGraphCustomConfig, high_precision_sigmoid) == 8);
static_assert(offsetof(HtpGraphCustomConfig, monolithic_lstm) == 8);

}  // namespace qnnpp::abi
