// Options of graphs on HTP.
#pragma once

#include "qnnpp/abi/graph.hpp"

namespace qnnpp::c_api {

/// Optimization that HtpGraphOptimizationOption sets. C: QnnHtpGraph_OptimizationType_t.
enum class HtpGraphOptimizationType : std::uint32_t {
  schedule_threshold = 1,                 ///< Threshold of the scheduler.
  finalize_retries = 2,                   ///< Number of retries in finalize.
  finalize_optimization_flag = 3,         ///< Effort of preparation, 1 to 3.
  enable_dlbc = 4,                        ///< Bandwidth compression of activations, 0 or 1.
  enable_dlbc_weights = 5,                ///< Bandwidth compression of weights, 0 or 1. HTP 5.30.
  enable_sparse_weights_compression = 6,  ///< Compression of sparse weights. HTP 5.36.
  /// Allocates from the system-level cache, 0 or 1. HTP 5.36.
  enable_slc_allocator = 7,
  enable_vtcm_retention = 8,  ///< Keeps VTCM between executions, 0 or 1. HTP 5.48.
  enable_cached_weights = 9,  ///< Reads weights through a cache, 0 or not 0. HTP 5.48.
  unknown = 0x7FFFFFFF,
};

/// Optimization and its value. C: QnnHtpGraph_OptimizationOption_t.
struct HtpGraphOptimizationOption {
  HtpGraphOptimizationType type;  ///< Optimization.
  float float_value;              ///< Value, also of flags and counts.
};

/// Part of VTCM that a graph uses. C: QnnHtpGraph_VtcmConfig_t. HTP 5.36.
struct HtpGraphVtcmConfig {
  std::uint32_t size_in_bytes;        ///< Size of the part in bytes.
  std::uint32_t offset_in_bytes;      ///< Offset of the part in bytes.
  std::uint32_t size_total_in_bytes;  ///< Bytes of VTCM that concurrent graphs share.
  std::uint32_t reserved[3];          ///< 0.
};

/// Whether a graph runs concurrently with others. C: QnnHtpGraph_ConcurrencyOption_t. HTP 5.36.
enum class HtpGraphConcurrencyOption : std::uint32_t {
  none = 0,        ///< Runs alone.
  default_ = 0,    ///< Another name of none.
  all_shared = 1,  ///< Runs concurrently and shares all resources.
  unknown = 0x7FFFFFFF,
};

/// Configuration of concurrent execution. C: QnnHtpGraph_ParallelGraphExecutionConfig_t. HTP 5.36.
struct HtpGraphParallelGraphExecutionConfig {
  HtpGraphConcurrencyOption concurrency;  ///< Whether the graph runs concurrently.
  HtpGraphVtcmConfig vtcm_config;         ///< Part of VTCM for the graph.
  std::uint32_t reserved[4];              ///< 0.
};

/// Target clocks for which preparation balances matrix and vector work.
/// C: QnnHtp_HmxBoundingInfo_t. HTP 5.36.
struct HtpHmxBoundingInfo {
  float target_hmx_freq_hz;    ///< Clock of the matrix unit in hertz.
  float target_dsp_core_freq;  ///< Clock of the DSP's core.
};

/// Named setting of preparation. C: QnnHtpGraph_FinalizeConfig_t. HTP 5.30.
struct HtpGraphFinalizeConfig {
  const char* key;  ///< Name of the setting.
  Scalar value;     ///< Value of the setting.
};

/// Selects the member of HtpGraphCustomConfig's union. C: QnnHtpGraph_ConfigOption_t.
enum class HtpGraphConfigOption : std::uint32_t {
  optimization = 1,                        ///< optimization_option.
  precision = 2,                           ///< precision.
  vtcm_size_in_mb = 3,                     ///< vtcm_size_in_mb.
  vtcm_size = 3,                           ///< Another name of vtcm_size_in_mb.
  fold_relu_activation_into_conv_off = 4,  ///< fold_relu_activation_into_conv_off.
  short_depth_conv_on_hmx_off = 5,         ///< short_depth_conv_on_hmx_off.
  num_hvx_threads = 6,                     ///< num_hvx_threads.
  finalize_config = 7,                     ///< finalize_config. HTP 5.30.
  num_cores = 8,                           ///< num_cores. HTP 5.36.
  parallel_graph_execution_config = 9,     ///< parallel_graph_execution_config. HTP 5.36.
  vtcm_size_in_bytes = 10,                 ///< vtcm_size_in_bytes. HTP 5.36.
  hmx_bounding = 11,                       ///< hmx_bounding_info. HTP 5.36.
  weights_packing = 12,                    ///< weights_packing. HTP 5.30.
  assume_same_quant = 13,                  ///< assume_same_quant. HTP 5.30.
  share_io_buffer = 14,                    ///< share_io_buffer. HTP 5.36.
  advanced_activation_fusion = 15,         ///< advanced_activation_fusion. HTP 5.40.
  high_precision_sigmoid = 16,             ///< high_precision_sigmoid. HTP 5.40.
  monolithic_lstm = 17,                    ///< monolithic_lstm. HTP 5.43.
  precision_compensation = 18,             ///< precision_compensation. HTP 5.48.
  reserved = 0x7FFF0000,                   ///< For internal use of the backend.
  unknown = 0x7FFFFFFF,
};

/// Target of GraphConfig::custom_config. The struct has 16 bytes in HTP 5.25, 32 in 5.30 and 56
/// since 5.36. The union's offset is the same in all versions, so older libraries read their
/// options correctly. C: QnnHtpGraph_CustomConfig_t.
struct HtpGraphCustomConfig {
  HtpGraphConfigOption option;  ///< Selects the union member.
  union {
    HtpGraphOptimizationOption optimization_option;  ///< Optimization.
    Precision precision;                             ///< Precision of float graphs.
    std::uint32_t vtcm_size_in_mb;                   ///< VTCM in megabytes; 0 selects the maximum.
    /// Disables fusing Relu into the preceding convolution.
    bool fold_relu_activation_into_conv_off;
    bool short_depth_conv_on_hmx_off;        ///< Keeps shallow convolutions off the matrix unit.
    std::uint64_t num_hvx_threads;           ///< Number of vector threads.
    void* reserved;                          ///< For internal use of the backend.
    HtpGraphFinalizeConfig finalize_config;  ///< Named setting. HTP 5.30.
    std::uint32_t num_cores;                 ///< Number of cores. HTP 5.36.
    /// Concurrent execution. HTP 5.36.
    HtpGraphParallelGraphExecutionConfig parallel_graph_execution_config;
    std::uint32_t vtcm_size_in_bytes;      ///< VTCM in bytes. HTP 5.36.
    HtpHmxBoundingInfo hmx_bounding_info;  ///< Target clocks. HTP 5.36.
    bool weights_packing;                  ///< Packs weights with few bits. HTP 5.30.
    /// Assumes that inputs and outputs of some ops have the same quantization. HTP 5.30.
    bool assume_same_quant;
    bool share_io_buffer;             ///< Inputs and outputs may share memory. HTP 5.36.
    bool advanced_activation_fusion;  ///< Fuses more activations. HTP 5.40.
    bool high_precision_sigmoid;      ///< Computes Sigmoid with more bits. HTP 5.40.
    bool monolithic_lstm;             ///< Runs LSTM as one op. HTP 5.43.
    bool precision_compensation;      ///< Compensates for lost precision; v81 and later. HTP 5.48.
  };
};

}  // namespace qnnpp::c_api
