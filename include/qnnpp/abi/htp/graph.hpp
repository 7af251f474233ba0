// Options of graphs on HTP.
#pragma once

#include "qnnpp/abi/graph.hpp"

namespace qnnpp::c_api {

/// What HtpGraphOptimizationOption sets. C: QnnHtpGraph_OptimizationType_t.
enum class HtpGraphOptimizationType : std::uint32_t {
  schedule_threshold = 1,                 ///< Threshold of the scheduler.
  finalize_retries = 2,                   ///< How often finalize tries again.
  finalize_optimization_flag = 3,         ///< Effort of preparation, 1 to 3.
  enable_dlbc = 4,                        ///< Bandwidth compression of activations, 0 or 1.
  enable_dlbc_weights = 5,                ///< Bandwidth compression of weights, 0 or 1. HTP 5.30.
  enable_sparse_weights_compression = 6,  ///< Compression of sparse weights. HTP 5.36.
  /// Allocates from the system-level cache, 0 or 1. HTP 5.36.
  enable_slc_allocator = 7,
  unknown = 0x7FFFFFFF,
};

/// One optimization and its value. C: QnnHtpGraph_OptimizationOption_t.
struct HtpGraphOptimizationOption {
  HtpGraphOptimizationType type;  ///< Which.
  float float_value;              ///< Its value, also where it is a flag or a count.
};

/// The part of VTCM that a graph uses. C: QnnHtpGraph_VtcmConfig_t. HTP 5.36.
struct HtpGraphVtcmConfig {
  std::uint32_t size_in_bytes;        ///< Bytes used.
  std::uint32_t offset_in_bytes;      ///< Where they start.
  std::uint32_t size_total_in_bytes;  ///< Bytes of VTCM that concurrent graphs divide.
  std::uint32_t reserved[3];          ///< 0.
};

/// Whether a graph runs beside others. C: QnnHtpGraph_ConcurrencyOption_t. HTP 5.36.
enum class HtpGraphConcurrencyOption : std::uint32_t {
  none = 0,        ///< Alone.
  default_ = 0,    ///< Another name of none.
  all_shared = 1,  ///< Beside others, everything shared.
  unknown = 0x7FFFFFFF,
};

/// How a graph runs beside others. C: QnnHtpGraph_ParallelGraphExecutionConfig_t. HTP 5.36.
struct HtpGraphParallelGraphExecutionConfig {
  HtpGraphConcurrencyOption concurrency;  ///< Whether it does.
  HtpGraphVtcmConfig vtcm_config;         ///< Its part of VTCM.
  std::uint32_t reserved[4];              ///< 0.
};

/// Clocks for which preparation balances matrix and vector work. C: QnnHtp_HmxBoundingInfo_t.
/// HTP 5.36.
struct HtpHmxBoundingInfo {
  float target_hmx_freq_hz;    ///< Clock of the matrix unit in hertz.
  float target_dsp_core_freq;  ///< Clock of the DSP's core.
};

/// A named setting of preparation. C: QnnHtpGraph_FinalizeConfig_t. HTP 5.30.
struct HtpGraphFinalizeConfig {
  const char* key;  ///< Its name.
  Scalar value;     ///< Its value.
};

/// Which member of HtpGraphCustomConfig's union is set. C: QnnHtpGraph_ConfigOption_t.
enum class HtpGraphConfigOption : std::uint32_t {
  optimization = 1,
  precision = 2,
  vtcm_size_in_mb = 3,
  vtcm_size = 3,  ///< Another name of vtcm_size_in_mb.
  fold_relu_activation_into_conv_off = 4,
  short_depth_conv_on_hmx_off = 5,
  num_hvx_threads = 6,
  finalize_config = 7,                  ///< HTP 5.30.
  num_cores = 8,                        ///< HTP 5.36.
  parallel_graph_execution_config = 9,  ///< HTP 5.36.
  vtcm_size_in_bytes = 10,              ///< HTP 5.36.
  hmx_bounding = 11,                    ///< HTP 5.36.
  weights_packing = 12,                 ///< HTP 5.30.
  assume_same_quant = 13,               ///< HTP 5.30.
  share_io_buffer = 14,                 ///< HTP 5.36.
  advanced_activation_fusion = 15,      ///< HTP 5.40.
  high_precision_sigmoid = 16,          ///< HTP 5.40.
  monolithic_lstm = 17,                 ///< HTP 5.43.
  reserved = 0x7FFF0000,                ///< For the backend itself.
  unknown = 0x7FFFFFFF,
};

/// What GraphConfig::custom_config points to. 16 bytes in HTP 5.25, 32 in 5.30, 56 since 5.36; the
/// union has not moved, so the options of an older library are read right.
/// C: QnnHtpGraph_CustomConfig_t.
struct HtpGraphCustomConfig {
  HtpGraphConfigOption option;  ///< Selects the union member.
  union {
    HtpGraphOptimizationOption optimization_option;  ///< One optimization.
    Precision precision;                             ///< Precision of float graphs.
    std::uint32_t vtcm_size_in_mb;                   ///< VTCM in megabytes; 0 is the largest.
    /// Keeps Relu apart from the convolution before it.
    bool fold_relu_activation_into_conv_off;
    bool short_depth_conv_on_hmx_off;        ///< Keeps shallow convolutions off the matrix unit.
    std::uint64_t num_hvx_threads;           ///< Vector threads.
    void* reserved;                          ///< For the backend itself.
    HtpGraphFinalizeConfig finalize_config;  ///< A named setting. HTP 5.30.
    std::uint32_t num_cores;                 ///< Cores to run on. HTP 5.36.
    /// Running beside others. HTP 5.36.
    HtpGraphParallelGraphExecutionConfig parallel_graph_execution_config;
    std::uint32_t vtcm_size_in_bytes;      ///< VTCM in bytes. HTP 5.36.
    HtpHmxBoundingInfo hmx_bounding_info;  ///< Target clocks. HTP 5.36.
    bool weights_packing;                  ///< Packs weights of few bits. HTP 5.30.
    /// Takes inputs and outputs of some ops as quantized alike. HTP 5.30.
    bool assume_same_quant;
    bool share_io_buffer;             ///< Inputs and outputs may share memory. HTP 5.36.
    bool advanced_activation_fusion;  ///< Fuses more activations. HTP 5.40.
    bool high_precision_sigmoid;      ///< Sigmoid with more bits. HTP 5.40.
    bool monolithic_lstm;             ///< LSTM as one op. HTP 5.43.
  };
};

}  // namespace qnnpp::c_api
