// Part of verify_sdk.hpp; do not include it alone. Compares abi/htp/graph.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/htp/graph.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/htp/graph.hpp"

// clang-format off
namespace qnnpp::c_api {

#if defined(QNNPP_VERIFY_HTP)
QNNPP_SAME_VALUE(HtpGraphOptimizationType::schedule_threshold, QNN_HTP_GRAPH_OPTIMIZATION_TYPE_SCHEDULE_THRESHOLD);
QNNPP_SAME_VALUE(HtpGraphOptimizationType::finalize_retries, QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_RETRIES);
QNNPP_SAME_VALUE(HtpGraphOptimizationType::finalize_optimization_flag, QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_OPTIMIZATION_FLAG);
QNNPP_SAME_VALUE(HtpGraphOptimizationType::enable_dlbc, QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC);
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(HtpGraphOptimizationType::enable_dlbc_weights, QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC_WEIGHTS);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpGraphOptimizationType::enable_sparse_weights_compression, QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SPARSE_WEIGHTS_COMPRESSION);
QNNPP_SAME_VALUE(HtpGraphOptimizationType::enable_slc_allocator, QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SLC_ALLOCATOR);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 48
QNNPP_SAME_VALUE(HtpGraphOptimizationType::enable_vtcm_retention, QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_VTCM_RETENTION);
QNNPP_SAME_VALUE(HtpGraphOptimizationType::enable_cached_weights, QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_CACHED_WEIGHTS);
#endif
QNNPP_SAME_VALUE(HtpGraphOptimizationType::unknown, QNN_HTP_GRAPH_OPTIMIZATION_TYPE_UNKNOWN);
QNNPP_SAME_SIZE(HtpGraphOptimizationOption, QnnHtpGraph_OptimizationOption_t);
QNNPP_SAME_FIELD(HtpGraphOptimizationOption, type, QnnHtpGraph_OptimizationOption_t, type);
QNNPP_SAME_FIELD(HtpGraphOptimizationOption, float_value, QnnHtpGraph_OptimizationOption_t, floatValue);
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_SIZE(HtpGraphVtcmConfig, QnnHtpGraph_VtcmConfig_t);
QNNPP_SAME_FIELD(HtpGraphVtcmConfig, size_in_bytes, QnnHtpGraph_VtcmConfig_t, sizeInBytes);
QNNPP_SAME_FIELD(HtpGraphVtcmConfig, offset_in_bytes, QnnHtpGraph_VtcmConfig_t, offsetInBytes);
QNNPP_SAME_FIELD(HtpGraphVtcmConfig, size_total_in_bytes, QnnHtpGraph_VtcmConfig_t, sizeTotalInBytes);
QNNPP_SAME_FIELD(HtpGraphVtcmConfig, reserved, QnnHtpGraph_VtcmConfig_t, reserved);
QNNPP_SAME_VALUE(HtpGraphConcurrencyOption::none, QNN_HTP_GRAPH_CONCURRENCY_OPTION_NONE);
QNNPP_SAME_VALUE(HtpGraphConcurrencyOption::default_, QNN_HTP_GRAPH_CONCURRENCY_OPTION_DEFAULT);
QNNPP_SAME_VALUE(HtpGraphConcurrencyOption::all_shared, QNN_HTP_GRAPH_CONCURRENCY_OPTION_ALL_SHARED);
QNNPP_SAME_VALUE(HtpGraphConcurrencyOption::unknown, QNN_HTP_GRAPH_CONCURRENCY_OPTION_UNKNOWN);
QNNPP_SAME_SIZE(HtpGraphParallelGraphExecutionConfig, QnnHtpGraph_ParallelGraphExecutionConfig_t);
QNNPP_SAME_FIELD(HtpGraphParallelGraphExecutionConfig, concurrency, QnnHtpGraph_ParallelGraphExecutionConfig_t, concurrency);
QNNPP_SAME_FIELD(HtpGraphParallelGraphExecutionConfig, vtcm_config, QnnHtpGraph_ParallelGraphExecutionConfig_t, vtcmConfig);
QNNPP_SAME_FIELD(HtpGraphParallelGraphExecutionConfig, reserved, QnnHtpGraph_ParallelGraphExecutionConfig_t, reserved);
QNNPP_SAME_SIZE(HtpHmxBoundingInfo, QnnHtp_HmxBoundingInfo_t);
QNNPP_SAME_FIELD(HtpHmxBoundingInfo, target_hmx_freq_hz, QnnHtp_HmxBoundingInfo_t, targetHmxFreqHz);
QNNPP_SAME_FIELD(HtpHmxBoundingInfo, target_dsp_core_freq, QnnHtp_HmxBoundingInfo_t, targetDspCoreFreq);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_SIZE(HtpGraphFinalizeConfig, QnnHtpGraph_FinalizeConfig_t);
QNNPP_SAME_FIELD(HtpGraphFinalizeConfig, key, QnnHtpGraph_FinalizeConfig_t, key);
QNNPP_SAME_FIELD(HtpGraphFinalizeConfig, value, QnnHtpGraph_FinalizeConfig_t, value);
#endif
QNNPP_SAME_VALUE(HtpGraphConfigOption::optimization, QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION);
QNNPP_SAME_VALUE(HtpGraphConfigOption::precision, QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION);
QNNPP_SAME_VALUE(HtpGraphConfigOption::vtcm_size_in_mb, QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB);
QNNPP_SAME_VALUE(HtpGraphConfigOption::vtcm_size, QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE);
QNNPP_SAME_VALUE(HtpGraphConfigOption::fold_relu_activation_into_conv_off, QNN_HTP_GRAPH_CONFIG_OPTION_FOLD_RELU_ACTIVATION_INTO_CONV_OFF);
QNNPP_SAME_VALUE(HtpGraphConfigOption::short_depth_conv_on_hmx_off, QNN_HTP_GRAPH_CONFIG_OPTION_SHORT_DEPTH_CONV_ON_HMX_OFF);
QNNPP_SAME_VALUE(HtpGraphConfigOption::num_hvx_threads, QNN_HTP_GRAPH_CONFIG_OPTION_NUM_HVX_THREADS);
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(HtpGraphConfigOption::finalize_config, QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpGraphConfigOption::num_cores, QNN_HTP_GRAPH_CONFIG_OPTION_NUM_CORES);
QNNPP_SAME_VALUE(HtpGraphConfigOption::parallel_graph_execution_config, QNN_HTP_GRAPH_CONFIG_OPTION_PARALLEL_GRAPH_EXECUTION_CONFIG);
QNNPP_SAME_VALUE(HtpGraphConfigOption::vtcm_size_in_bytes, QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_BYTES);
QNNPP_SAME_VALUE(HtpGraphConfigOption::hmx_bounding, QNN_HTP_GRAPH_CONFIG_OPTION_HMX_BOUNDING);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(HtpGraphConfigOption::weights_packing, QNN_HTP_GRAPH_CONFIG_OPTION_WEIGHTS_PACKING);
QNNPP_SAME_VALUE(HtpGraphConfigOption::assume_same_quant, QNN_HTP_GRAPH_CONFIG_OPTION_ASSUME_SAME_QUANT);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpGraphConfigOption::share_io_buffer, QNN_HTP_GRAPH_CONFIG_OPTION_SHARE_IO_BUFFER);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 40
QNNPP_SAME_VALUE(HtpGraphConfigOption::advanced_activation_fusion, QNN_HTP_GRAPH_CONFIG_OPTION_ADVANCED_ACTIVATION_FUSION);
QNNPP_SAME_VALUE(HtpGraphConfigOption::high_precision_sigmoid, QNN_HTP_GRAPH_CONFIG_OPTION_HIGH_PRECISION_SIGMOID);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 43
QNNPP_SAME_VALUE(HtpGraphConfigOption::monolithic_lstm, QNN_HTP_GRAPH_CONFIG_OPTION_MONOLITHIC_LSTM);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 48
QNNPP_SAME_VALUE(HtpGraphConfigOption::precision_compensation, QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION_COMPENSATION);
#endif
QNNPP_SAME_VALUE(HtpGraphConfigOption::reserved, QNN_HTP_GRAPH_CONFIG_OPTION_RESERVED);
QNNPP_SAME_VALUE(HtpGraphConfigOption::unknown, QNN_HTP_GRAPH_CONFIG_OPTION_UNKNOWN);
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_SIZE(HtpGraphCustomConfig, QnnHtpGraph_CustomConfig_t);
#endif
QNNPP_SAME_FIELD(HtpGraphCustomConfig, option, QnnHtpGraph_CustomConfig_t, option);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, optimization_option, QnnHtpGraph_CustomConfig_t, optimizationOption);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, precision, QnnHtpGraph_CustomConfig_t, precision);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, vtcm_size_in_mb, QnnHtpGraph_CustomConfig_t, vtcmSizeInMB);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, fold_relu_activation_into_conv_off, QnnHtpGraph_CustomConfig_t, foldReluActivationIntoConvOff);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, short_depth_conv_on_hmx_off, QnnHtpGraph_CustomConfig_t, shortDepthConvOnHmxOff);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, num_hvx_threads, QnnHtpGraph_CustomConfig_t, numHvxThreads);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, reserved, QnnHtpGraph_CustomConfig_t, reserved);
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_FIELD(HtpGraphCustomConfig, finalize_config, QnnHtpGraph_CustomConfig_t, finalizeConfig);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_FIELD(HtpGraphCustomConfig, num_cores, QnnHtpGraph_CustomConfig_t, numCores);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, parallel_graph_execution_config, QnnHtpGraph_CustomConfig_t, parallelGraphExecutionConfig);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, vtcm_size_in_bytes, QnnHtpGraph_CustomConfig_t, vtcmSizeInBytes);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, hmx_bounding_info, QnnHtpGraph_CustomConfig_t, hmxBoundingInfo);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_FIELD(HtpGraphCustomConfig, weights_packing, QnnHtpGraph_CustomConfig_t, weightsPacking);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, assume_same_quant, QnnHtpGraph_CustomConfig_t, assumeSameQuant);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_FIELD(HtpGraphCustomConfig, share_io_buffer, QnnHtpGraph_CustomConfig_t, shareIOBuffer);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 40
QNNPP_SAME_FIELD(HtpGraphCustomConfig, advanced_activation_fusion, QnnHtpGraph_CustomConfig_t, advancedActivationFusion);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, high_precision_sigmoid, QnnHtpGraph_CustomConfig_t, highPrecisionSigmoid);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 43
QNNPP_SAME_FIELD(HtpGraphCustomConfig, monolithic_lstm, QnnHtpGraph_CustomConfig_t, monolithicLstm);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 48
QNNPP_SAME_FIELD(HtpGraphCustomConfig, precision_compensation, QnnHtpGraph_CustomConfig_t, precisionCompensation);
#endif
#endif  // htp

}  // namespace qnnpp::c_api

#endif
