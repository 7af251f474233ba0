// Part of verify_sdk.hpp; do not include it alone. Compares options, properties and metadata of
// HTP.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include <cstddef>
#include <cstdint>

#include "qnnpp/abi/htp/context.hpp"
#include "qnnpp/abi/htp/graph.hpp"
#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/htp/system.hpp"

namespace qnnpp::c_api {

// htp/memory.hpp
QNNPP_SAME_VALUE(HtpMemType::qurt, QNN_HTP_MEM_QURT);
QNNPP_SAME_VALUE(HtpMemType::shared_buffer, QNN_HTP_MEM_SHARED_BUFFER);
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpMemType::weights_buffer, QNN_HTP_MEM_WEIGHTS_BUFFER);
QNNPP_SAME_VALUE(HtpMemType::shared_spillfill_buffer, QNN_HTP_MEM_SHARED_SPILLFILL_BUFFER);
#endif
QNNPP_SAME_VALUE(HtpMemType::undefined, QNN_HTP_MEM_UNDEFINED);
QNNPP_SAME_SIZE(HtpMemSharedBufferConfig, QnnHtpMem_SharedBufferConfig_t);
QNNPP_SAME_FIELD(HtpMemSharedBufferConfig, fd, QnnHtpMem_SharedBufferConfig_t, fd);
QNNPP_SAME_FIELD(HtpMemSharedBufferConfig, offset, QnnHtpMem_SharedBufferConfig_t, offset);
QNNPP_SAME_SIZE(HtpMemDescriptor, QnnMemHtp_Descriptor_t);
QNNPP_SAME_FIELD(HtpMemDescriptor, type, QnnMemHtp_Descriptor_t, type);
QNNPP_SAME_FIELD(HtpMemDescriptor, size, QnnMemHtp_Descriptor_t, size);
QNNPP_SAME_FIELD(HtpMemDescriptor, qurt_address, QnnMemHtp_Descriptor_t, qurtAddress);
QNNPP_SAME_FIELD(HtpMemDescriptor, shared_buffer_config, QnnMemHtp_Descriptor_t,
                 sharedBufferConfig);
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_FIELD(HtpMemDescriptor, weights_buffer_config, QnnMemHtp_Descriptor_t,
                 weightsBufferConfig);
QNNPP_SAME_FIELD(HtpMemDescriptor, shared_spillfill_buffer_config, QnnMemHtp_Descriptor_t,
                 sharedSpillfillBufferConfig);
#endif

// htp/context.hpp
QNNPP_SAME_VALUE(HtpContextConfigOption::weight_sharing_enabled,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED);
QNNPP_SAME_VALUE(HtpContextConfigOption::register_multi_contexts,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS);
QNNPP_SAME_VALUE(HtpContextConfigOption::file_read_memory_budget,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_FILE_READ_MEMORY_BUDGET);
QNNPP_SAME_VALUE(HtpContextConfigOption::dsp_memory_profiling_enabled,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_DSP_MEMORY_PROFILING_ENABLED);
QNNPP_SAME_VALUE(HtpContextConfigOption::share_resources,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES);
QNNPP_SAME_VALUE(HtpContextConfigOption::io_mem_estimation,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_IO_MEM_ESTIMATION);
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(HtpContextConfigOption::prepare_only, QNN_HTP_CONTEXT_CONFIG_OPTION_PREPARE_ONLY);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpContextConfigOption::init_acceleration,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_INIT_ACCELERATION);
QNNPP_SAME_VALUE(HtpContextConfigOption::skip_validation_on_binary_section,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_SKIP_VALIDATION_ON_BINARY_SECTION);
QNNPP_SAME_VALUE(HtpContextConfigOption::share_resources_optimization_type,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES_OPTIMIZATION_TYPE);
QNNPP_SAME_VALUE(HtpContextConfigOption::use_extended_udma,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_USE_EXTENDED_UDMA);
QNNPP_SAME_VALUE(HtpContextConfigOption::register_concurrent_resource_sharing,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_CONCURRENT_RESOURCE_SHARING);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 40
QNNPP_SAME_VALUE(HtpContextConfigOption::lora_weight_sharing_enabled,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_ENABLED);
QNNPP_SAME_VALUE(HtpContextConfigOption::reserved_14, QNN_HTP_CONTEXT_CONFIG_OPTION_RESERVED_14);
QNNPP_SAME_VALUE(HtpContextConfigOption::reserved_15, QNN_HTP_CONTEXT_CONFIG_OPTION_RESERVED_15);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 50
QNNPP_SAME_VALUE(HtpContextConfigOption::lora_weight_sharing_ram_preload_enabled,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_RAM_PRELOAD_ENABLED);
QNNPP_SAME_VALUE(HtpContextConfigOption::reused_io_limit,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_REUSED_IO_LIMIT);
QNNPP_SAME_VALUE(HtpContextConfigOption::reference_weight_sharing_enabled,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_REFERENCE_WEIGHT_SHARING_ENABLED);
QNNPP_SAME_VALUE(HtpContextConfigOption::concurrent_deserialization_extra_size,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_CONCURRENT_DESERIALIZATION_EXTRA_SIZE);
QNNPP_SAME_VALUE(HtpContextConfigOption::graph_splitting_enabled,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_GRAPH_SPLITTING_ENABLED);
QNNPP_SAME_VALUE(HtpContextConfigOption::concurrent_deserialization_patch,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_CONCURRENT_DESERIALIZATION_PATCH);
QNNPP_SAME_VALUE(HtpContextConfigOption::graph_splitting_configs,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_GRAPH_SPLITTING_CONFIGS);
QNNPP_SAME_VALUE(HtpContextConfigOption::lora_preload_buffer_groups,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_PRELOAD_BUFFER_GROUPS);
QNNPP_SAME_VALUE(HtpContextConfigOption::reserved_24, QNN_HTP_CONTEXT_CONFIG_OPTION_RESERVED_24);
QNNPP_SAME_VALUE(HtpContextConfigOption::parallel_weight_loading,
                 QNN_HTP_CONTEXT_CONFIG_OPTION_PARALLEL_WEIGHT_LOADING);
#endif
QNNPP_SAME_VALUE(HtpContextConfigOption::unknown, QNN_HTP_CONTEXT_CONFIG_OPTION_UNKNOWN);
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpContextShareResourcesOptimizationType::sequential_with_va_optimization,
                 SEQUENTIAL_WITH_VA_OPTIMIZATION);
QNNPP_SAME_VALUE(HtpContextShareResourcesOptimizationType::sequential_without_va_optimization,
                 SEQUENTIAL_WITHOUT_VA_OPTIMIZATION);
QNNPP_SAME_VALUE(HtpContextShareResourcesOptimizationType::concurrent_optimization,
                 CONCURRENT_OPTIMIZATION);
#endif
QNNPP_SAME_SIZE(HtpContextGroupRegistration, QnnHtpContext_GroupRegistration_t);
QNNPP_SAME_FIELD(HtpContextGroupRegistration, first_group_handle, QnnHtpContext_GroupRegistration_t,
                 firstGroupHandle);
QNNPP_SAME_FIELD(HtpContextGroupRegistration, max_spill_fill_buffer,
                 QnnHtpContext_GroupRegistration_t, maxSpillFillBuffer);
#if QNN_HTP_API_VERSION_MINOR >= 50
QNNPP_SAME_VALUE(HtpContextParallelWeightLoadingMode::adaptive,
                 QNN_HTP_PARALLEL_WEIGHT_LOADING_MODE_ADAPTIVE);
QNNPP_SAME_VALUE(HtpContextParallelWeightLoadingMode::on, QNN_HTP_PARALLEL_WEIGHT_LOADING_MODE_ON);
QNNPP_SAME_VALUE(HtpContextParallelWeightLoadingMode::off,
                 QNN_HTP_PARALLEL_WEIGHT_LOADING_MODE_OFF);
QNNPP_SAME_SIZE(HtpContextGraphSplit, QnnHtpContext_GraphSplit_t);
QNNPP_SAME_FIELD(HtpContextGraphSplit, graph_splitting_enabled, QnnHtpContext_GraphSplit_t,
                 graphSplittingEnabled);
QNNPP_SAME_SIZE(HtpContextParallelWeightLoading, QnnHtpContext_ParallelWeightLoading_t);
QNNPP_SAME_FIELD(HtpContextParallelWeightLoading, mode, QnnHtpContext_ParallelWeightLoading_t,
                 mode);
QNNPP_SAME_FIELD(HtpContextParallelWeightLoading, threshold_in_mb_override,
                 QnnHtpContext_ParallelWeightLoading_t, thresholdInMbOverride);
QNNPP_SAME_SIZE(HtpContextLoraPreloadGroup, QnnHtpContext_LoraPreloadGroup_t);
QNNPP_SAME_FIELD(HtpContextLoraPreloadGroup, graph_names, QnnHtpContext_LoraPreloadGroup_t,
                 graphNames);
QNNPP_SAME_FIELD(HtpContextLoraPreloadGroup, num_graphs, QnnHtpContext_LoraPreloadGroup_t,
                 numGraphs);
QNNPP_SAME_SIZE(HtpContextLoraPreloadBufferGroups, QnnHtpContext_LoraPreloadBufferGroups_t);
QNNPP_SAME_FIELD(HtpContextLoraPreloadBufferGroups, groups, QnnHtpContext_LoraPreloadBufferGroups_t,
                 groups);
QNNPP_SAME_FIELD(HtpContextLoraPreloadBufferGroups, num_groups,
                 QnnHtpContext_LoraPreloadBufferGroups_t, numGroups);
#endif
QNNPP_SAME_SIZE(HtpContextCustomConfig, QnnHtpContext_CustomConfig_t);
QNNPP_SAME_FIELD(HtpContextCustomConfig, option, QnnHtpContext_CustomConfig_t, option);
QNNPP_SAME_FIELD(HtpContextCustomConfig, weight_sharing_enabled, QnnHtpContext_CustomConfig_t,
                 weightSharingEnabled);
QNNPP_SAME_FIELD(HtpContextCustomConfig, group_registration, QnnHtpContext_CustomConfig_t,
                 groupRegistration);
QNNPP_SAME_FIELD(HtpContextCustomConfig, file_read_memory_budget_in_mb,
                 QnnHtpContext_CustomConfig_t, fileReadMemoryBudgetInMb);
QNNPP_SAME_FIELD(HtpContextCustomConfig, dsp_memory_profiling_enabled, QnnHtpContext_CustomConfig_t,
                 dspMemoryProfilingEnabled);
QNNPP_SAME_FIELD(HtpContextCustomConfig, share_resources, QnnHtpContext_CustomConfig_t,
                 shareResources);
QNNPP_SAME_FIELD(HtpContextCustomConfig, io_mem_estimation, QnnHtpContext_CustomConfig_t,
                 ioMemEstimation);
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_FIELD(HtpContextCustomConfig, is_prepare_only, QnnHtpContext_CustomConfig_t,
                 isPrepareOnly);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_FIELD(HtpContextCustomConfig, init_acceleration, QnnHtpContext_CustomConfig_t,
                 initAcceleration);
QNNPP_SAME_FIELD(HtpContextCustomConfig, skip_validation_on_binary_section,
                 QnnHtpContext_CustomConfig_t, skipValidationOnBinarySection);
QNNPP_SAME_FIELD(HtpContextCustomConfig, share_res_opt_type, QnnHtpContext_CustomConfig_t,
                 shareResOptType);
QNNPP_SAME_FIELD(HtpContextCustomConfig, use_extended_udma, QnnHtpContext_CustomConfig_t,
                 useExtendedUdma);
QNNPP_SAME_FIELD(HtpContextCustomConfig, concurrent_group_registration,
                 QnnHtpContext_CustomConfig_t, concurrentGroupRegistration);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 40
QNNPP_SAME_FIELD(HtpContextCustomConfig, lora_weight_sharing_enabled, QnnHtpContext_CustomConfig_t,
                 loraWeightSharingEnabled);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 50
QNNPP_SAME_FIELD(HtpContextCustomConfig, lora_weight_sharing_ram_preload_enabled,
                 QnnHtpContext_CustomConfig_t, loraWeightSharingRamPreloadEnabled);
QNNPP_SAME_FIELD(HtpContextCustomConfig, lora_preload_buffer_groups, QnnHtpContext_CustomConfig_t,
                 loraPreloadBufferGroups);
QNNPP_SAME_FIELD(HtpContextCustomConfig, reused_io_limit_mb, QnnHtpContext_CustomConfig_t,
                 reusedIoLimitMb);
QNNPP_SAME_FIELD(HtpContextCustomConfig, reference_weight_sharing_enabled,
                 QnnHtpContext_CustomConfig_t, referenceWeightSharingEnabled);
QNNPP_SAME_FIELD(HtpContextCustomConfig, concurrent_deserialization_extra_size_kb,
                 QnnHtpContext_CustomConfig_t, concurrentDeserializationExtraSizeKB);
QNNPP_SAME_FIELD(HtpContextCustomConfig, graph_splitting_enabled, QnnHtpContext_CustomConfig_t,
                 graphSplittingEnabled);
QNNPP_SAME_FIELD(HtpContextCustomConfig, concurrent_deserialization_patch_fd,
                 QnnHtpContext_CustomConfig_t, concurrentDeserializationPatchFd);
QNNPP_SAME_FIELD(HtpContextCustomConfig, graph_splitting_configs, QnnHtpContext_CustomConfig_t,
                 graphSplittingConfigs);
QNNPP_SAME_FIELD(HtpContextCustomConfig, parallel_weight_loading, QnnHtpContext_CustomConfig_t,
                 parallelWeightLoading);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpContextPropertyOption::buffer_start_alignment,
                 QNN_HTP_CONTEXT_GET_PROP_BUFFER_START_ALIGNMENT);
QNNPP_SAME_VALUE(HtpContextPropertyOption::max_spillfill_buffer_size,
                 QNN_HTP_CONTEXT_GET_PROP_MAX_SPILLFILL_BUFFER_SIZE);
QNNPP_SAME_VALUE(HtpContextPropertyOption::weights_buffer_size,
                 QNN_HTP_CONTEXT_GET_PROP_WEIGHTS_BUFFER_SIZE);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 40
QNNPP_SAME_VALUE(HtpContextPropertyOption::reserved_4, QNN_HTP_CONTEXT_GET_PROP_RESERVED_4);
QNNPP_SAME_VALUE(HtpContextPropertyOption::reserved_5, QNN_HTP_CONTEXT_GET_PROP_RESERVED_5);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 50
QNNPP_SAME_VALUE(HtpContextPropertyOption::max_vtcmbackup_buffer_size,
                 QNN_HTP_CONTEXT_GET_PROP_MAX_VTCMBACKUP_BUFFER_SIZE);
QNNPP_SAME_VALUE(HtpContextPropertyOption::reserved_7, QNN_HTP_CONTEXT_GET_PROP_RESERVED_7);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpContextPropertyOption::undefined, QNN_HTP_CONTEXT_GET_PROP_UNDEFINED);
QNNPP_SAME_SIZE(HtpContextCustomProperty, QnnHtpContext_CustomProperty_t);
QNNPP_SAME_FIELD(HtpContextCustomProperty, option, QnnHtpContext_CustomProperty_t, option);
QNNPP_SAME_FIELD(HtpContextCustomProperty, buffer_start_alignment, QnnHtpContext_CustomProperty_t,
                 bufferStartAlignment);
QNNPP_SAME_FIELD(HtpContextCustomProperty, spillfill_buffer_size, QnnHtpContext_CustomProperty_t,
                 spillfillBufferSize);
QNNPP_SAME_FIELD(HtpContextCustomProperty, weights_buffer_size, QnnHtpContext_CustomProperty_t,
                 weightsBufferSize);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 50
QNNPP_SAME_FIELD(HtpContextCustomProperty, vtcm_backup_buffer_size, QnnHtpContext_CustomProperty_t,
                 vtcmBackupBufferSize);
#endif

// htp/graph.hpp
QNNPP_SAME_VALUE(HtpGraphOptimizationType::schedule_threshold,
                 QNN_HTP_GRAPH_OPTIMIZATION_TYPE_SCHEDULE_THRESHOLD);
QNNPP_SAME_VALUE(HtpGraphOptimizationType::finalize_retries,
                 QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_RETRIES);
QNNPP_SAME_VALUE(HtpGraphOptimizationType::finalize_optimization_flag,
                 QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_OPTIMIZATION_FLAG);
QNNPP_SAME_VALUE(HtpGraphOptimizationType::enable_dlbc,
                 QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC);
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(HtpGraphOptimizationType::enable_dlbc_weights,
                 QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC_WEIGHTS);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpGraphOptimizationType::enable_sparse_weights_compression,
                 QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SPARSE_WEIGHTS_COMPRESSION);
QNNPP_SAME_VALUE(HtpGraphOptimizationType::enable_slc_allocator,
                 QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SLC_ALLOCATOR);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 48
QNNPP_SAME_VALUE(HtpGraphOptimizationType::enable_vtcm_retention,
                 QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_VTCM_RETENTION);
QNNPP_SAME_VALUE(HtpGraphOptimizationType::enable_cached_weights,
                 QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_CACHED_WEIGHTS);
QNNPP_SAME_VALUE(HtpGraphConfigOption::precision_compensation,
                 QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION_COMPENSATION);
#endif
QNNPP_SAME_VALUE(HtpGraphOptimizationType::unknown, QNN_HTP_GRAPH_OPTIMIZATION_TYPE_UNKNOWN);
QNNPP_SAME_SIZE(HtpGraphOptimizationOption, QnnHtpGraph_OptimizationOption_t);
QNNPP_SAME_FIELD(HtpGraphOptimizationOption, type, QnnHtpGraph_OptimizationOption_t, type);
QNNPP_SAME_FIELD(HtpGraphOptimizationOption, float_value, QnnHtpGraph_OptimizationOption_t,
                 floatValue);
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_SIZE(HtpGraphVtcmConfig, QnnHtpGraph_VtcmConfig_t);
QNNPP_SAME_FIELD(HtpGraphVtcmConfig, size_in_bytes, QnnHtpGraph_VtcmConfig_t, sizeInBytes);
QNNPP_SAME_FIELD(HtpGraphVtcmConfig, offset_in_bytes, QnnHtpGraph_VtcmConfig_t, offsetInBytes);
QNNPP_SAME_FIELD(HtpGraphVtcmConfig, size_total_in_bytes, QnnHtpGraph_VtcmConfig_t,
                 sizeTotalInBytes);
QNNPP_SAME_FIELD(HtpGraphVtcmConfig, reserved, QnnHtpGraph_VtcmConfig_t, reserved);
QNNPP_SAME_VALUE(HtpGraphConcurrencyOption::none, QNN_HTP_GRAPH_CONCURRENCY_OPTION_NONE);
QNNPP_SAME_VALUE(HtpGraphConcurrencyOption::default_, QNN_HTP_GRAPH_CONCURRENCY_OPTION_DEFAULT);
QNNPP_SAME_VALUE(HtpGraphConcurrencyOption::all_shared,
                 QNN_HTP_GRAPH_CONCURRENCY_OPTION_ALL_SHARED);
QNNPP_SAME_VALUE(HtpGraphConcurrencyOption::unknown, QNN_HTP_GRAPH_CONCURRENCY_OPTION_UNKNOWN);
QNNPP_SAME_SIZE(HtpGraphParallelGraphExecutionConfig, QnnHtpGraph_ParallelGraphExecutionConfig_t);
QNNPP_SAME_FIELD(HtpGraphParallelGraphExecutionConfig, concurrency,
                 QnnHtpGraph_ParallelGraphExecutionConfig_t, concurrency);
QNNPP_SAME_FIELD(HtpGraphParallelGraphExecutionConfig, vtcm_config,
                 QnnHtpGraph_ParallelGraphExecutionConfig_t, vtcmConfig);
QNNPP_SAME_FIELD(HtpGraphParallelGraphExecutionConfig, reserved,
                 QnnHtpGraph_ParallelGraphExecutionConfig_t, reserved);
QNNPP_SAME_SIZE(HtpHmxBoundingInfo, QnnHtp_HmxBoundingInfo_t);
QNNPP_SAME_FIELD(HtpHmxBoundingInfo, target_hmx_freq_hz, QnnHtp_HmxBoundingInfo_t, targetHmxFreqHz);
QNNPP_SAME_FIELD(HtpHmxBoundingInfo, target_dsp_core_freq, QnnHtp_HmxBoundingInfo_t,
                 targetDspCoreFreq);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_SIZE(HtpGraphFinalizeConfig, QnnHtpGraph_FinalizeConfig_t);
QNNPP_SAME_FIELD(HtpGraphFinalizeConfig, key, QnnHtpGraph_FinalizeConfig_t, key);
QNNPP_SAME_FIELD(HtpGraphFinalizeConfig, value, QnnHtpGraph_FinalizeConfig_t, value);
#endif
QNNPP_SAME_VALUE(HtpGraphConfigOption::optimization, QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION);
QNNPP_SAME_VALUE(HtpGraphConfigOption::precision, QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION);
QNNPP_SAME_VALUE(HtpGraphConfigOption::vtcm_size_in_mb,
                 QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB);
QNNPP_SAME_VALUE(HtpGraphConfigOption::vtcm_size, QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE);
QNNPP_SAME_VALUE(HtpGraphConfigOption::fold_relu_activation_into_conv_off,
                 QNN_HTP_GRAPH_CONFIG_OPTION_FOLD_RELU_ACTIVATION_INTO_CONV_OFF);
QNNPP_SAME_VALUE(HtpGraphConfigOption::short_depth_conv_on_hmx_off,
                 QNN_HTP_GRAPH_CONFIG_OPTION_SHORT_DEPTH_CONV_ON_HMX_OFF);
QNNPP_SAME_VALUE(HtpGraphConfigOption::num_hvx_threads,
                 QNN_HTP_GRAPH_CONFIG_OPTION_NUM_HVX_THREADS);
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(HtpGraphConfigOption::finalize_config,
                 QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpGraphConfigOption::num_cores, QNN_HTP_GRAPH_CONFIG_OPTION_NUM_CORES);
QNNPP_SAME_VALUE(HtpGraphConfigOption::parallel_graph_execution_config,
                 QNN_HTP_GRAPH_CONFIG_OPTION_PARALLEL_GRAPH_EXECUTION_CONFIG);
QNNPP_SAME_VALUE(HtpGraphConfigOption::vtcm_size_in_bytes,
                 QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_BYTES);
QNNPP_SAME_VALUE(HtpGraphConfigOption::hmx_bounding, QNN_HTP_GRAPH_CONFIG_OPTION_HMX_BOUNDING);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(HtpGraphConfigOption::weights_packing,
                 QNN_HTP_GRAPH_CONFIG_OPTION_WEIGHTS_PACKING);
QNNPP_SAME_VALUE(HtpGraphConfigOption::assume_same_quant,
                 QNN_HTP_GRAPH_CONFIG_OPTION_ASSUME_SAME_QUANT);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpGraphConfigOption::share_io_buffer,
                 QNN_HTP_GRAPH_CONFIG_OPTION_SHARE_IO_BUFFER);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 40
QNNPP_SAME_VALUE(HtpGraphConfigOption::advanced_activation_fusion,
                 QNN_HTP_GRAPH_CONFIG_OPTION_ADVANCED_ACTIVATION_FUSION);
QNNPP_SAME_VALUE(HtpGraphConfigOption::high_precision_sigmoid,
                 QNN_HTP_GRAPH_CONFIG_OPTION_HIGH_PRECISION_SIGMOID);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 43
QNNPP_SAME_VALUE(HtpGraphConfigOption::monolithic_lstm,
                 QNN_HTP_GRAPH_CONFIG_OPTION_MONOLITHIC_LSTM);
#endif
QNNPP_SAME_VALUE(HtpGraphConfigOption::reserved, QNN_HTP_GRAPH_CONFIG_OPTION_RESERVED);
QNNPP_SAME_VALUE(HtpGraphConfigOption::unknown, QNN_HTP_GRAPH_CONFIG_OPTION_UNKNOWN);
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_SIZE(HtpGraphCustomConfig, QnnHtpGraph_CustomConfig_t);
#endif
QNNPP_SAME_FIELD(HtpGraphCustomConfig, option, QnnHtpGraph_CustomConfig_t, option);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, optimization_option, QnnHtpGraph_CustomConfig_t,
                 optimizationOption);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, precision, QnnHtpGraph_CustomConfig_t, precision);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, vtcm_size_in_mb, QnnHtpGraph_CustomConfig_t, vtcmSizeInMB);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, fold_relu_activation_into_conv_off,
                 QnnHtpGraph_CustomConfig_t, foldReluActivationIntoConvOff);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, short_depth_conv_on_hmx_off, QnnHtpGraph_CustomConfig_t,
                 shortDepthConvOnHmxOff);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, num_hvx_threads, QnnHtpGraph_CustomConfig_t, numHvxThreads);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, reserved, QnnHtpGraph_CustomConfig_t, reserved);
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_FIELD(HtpGraphCustomConfig, finalize_config, QnnHtpGraph_CustomConfig_t, finalizeConfig);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_FIELD(HtpGraphCustomConfig, num_cores, QnnHtpGraph_CustomConfig_t, numCores);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, parallel_graph_execution_config, QnnHtpGraph_CustomConfig_t,
                 parallelGraphExecutionConfig);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, vtcm_size_in_bytes, QnnHtpGraph_CustomConfig_t,
                 vtcmSizeInBytes);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, hmx_bounding_info, QnnHtpGraph_CustomConfig_t,
                 hmxBoundingInfo);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_FIELD(HtpGraphCustomConfig, weights_packing, QnnHtpGraph_CustomConfig_t, weightsPacking);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, assume_same_quant, QnnHtpGraph_CustomConfig_t,
                 assumeSameQuant);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_FIELD(HtpGraphCustomConfig, share_io_buffer, QnnHtpGraph_CustomConfig_t, shareIOBuffer);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 40
QNNPP_SAME_FIELD(HtpGraphCustomConfig, advanced_activation_fusion, QnnHtpGraph_CustomConfig_t,
                 advancedActivationFusion);
QNNPP_SAME_FIELD(HtpGraphCustomConfig, high_precision_sigmoid, QnnHtpGraph_CustomConfig_t,
                 highPrecisionSigmoid);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 43
QNNPP_SAME_FIELD(HtpGraphCustomConfig, monolithic_lstm, QnnHtpGraph_CustomConfig_t, monolithicLstm);
#endif

// htp/system.hpp
QNNPP_SAME_VALUE(HtpSystemContextHwInfoBlobVersion::version_v1,
                 QNN_SYSTEM_CONTEXT_HTP_HW_INFO_BLOB_VERSION_V1);
QNNPP_SAME_VALUE(HtpSystemContextHwInfoBlobVersion::undefined,
                 QNN_SYSTEM_CONTEXT_HTP_HW_INFO_BLOB_UNDEFINED);
QNNPP_SAME_SIZE(HtpSystemContextHwBlobInfoV1, QnnHtpSystemContext_HwBlobInfoV1_t);
QNNPP_SAME_FIELD(HtpSystemContextHwBlobInfoV1, graph_list_index, QnnHtpSystemContext_HwBlobInfoV1_t,
                 graphListIndex);
QNNPP_SAME_FIELD(HtpSystemContextHwBlobInfoV1, spill_fill_buffer_size,
                 QnnHtpSystemContext_HwBlobInfoV1_t, spillFillBufferSize);
QNNPP_SAME_SIZE(HtpSystemContextHwBlobInfo, QnnHtpSystemContext_HwBlobInfo_t);
QNNPP_SAME_FIELD(HtpSystemContextHwBlobInfo, version, QnnHtpSystemContext_HwBlobInfo_t, version);
QNNPP_SAME_FIELD(HtpSystemContextHwBlobInfo, context_binary_hw_info_blob_v1_t,
                 QnnHtpSystemContext_HwBlobInfo_t, contextBinaryHwInfoBlobV1_t);
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(HtpSystemContextGraphInfoBlobVersion::version_v1,
                 QNN_SYSTEM_CONTEXT_HTP_GRAPH_INFO_BLOB_VERSION_V1);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 40
QNNPP_SAME_VALUE(HtpSystemContextGraphInfoBlobVersion::version_v2,
                 QNN_SYSTEM_CONTEXT_HTP_GRAPH_INFO_BLOB_VERSION_V2);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(HtpSystemContextGraphInfoBlobVersion::undefined,
                 QNN_SYSTEM_CONTEXT_HTP_GRAPH_INFO_BLOB_UNDEFINED);
QNNPP_SAME_SIZE(HtpSystemContextGraphBlobInfoV1, QnnHtpSystemContext_GraphBlobInfoV1_t);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfoV1, spill_fill_buffer_size,
                 QnnHtpSystemContext_GraphBlobInfoV1_t, spillFillBufferSize);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfoV1, vtcm_size, QnnHtpSystemContext_GraphBlobInfoV1_t,
                 vtcmSize);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfoV1, optimization_level,
                 QnnHtpSystemContext_GraphBlobInfoV1_t, optimizationLevel);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfoV1, htp_dlbc, QnnHtpSystemContext_GraphBlobInfoV1_t,
                 htpDlbc);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfoV1, num_hvx_threads,
                 QnnHtpSystemContext_GraphBlobInfoV1_t, numHvxThreads);
QNNPP_SAME_SIZE(HtpSystemContextGraphBlobInfo, QnnHtpSystemContext_GraphBlobInfo_t);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfo, version, QnnHtpSystemContext_GraphBlobInfo_t,
                 version);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfo, context_binary_graph_blob_info_v1,
                 QnnHtpSystemContext_GraphBlobInfo_t, contextBinaryGraphBlobInfoV1);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 40
QNNPP_SAME_SIZE(HtpSystemContextGraphBlobInfoV2, QnnHtpSystemContext_GraphBlobInfoV2_t);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfoV2, version, QnnHtpSystemContext_GraphBlobInfoV2_t,
                 version);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfoV2, native_k_channel_size,
                 QnnHtpSystemContext_GraphBlobInfoV2_t, nativeKChannelSize);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfoV2, native_v_channel_size,
                 QnnHtpSystemContext_GraphBlobInfoV2_t, nativeVChannelSize);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfoV2, is_safe_share_io,
                 QnnHtpSystemContext_GraphBlobInfoV2_t, isSafeShareIO);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfoV2, io_tensor_size,
                 QnnHtpSystemContext_GraphBlobInfoV2_t, ioTensorSize);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfoV2, op_data_size,
                 QnnHtpSystemContext_GraphBlobInfoV2_t, opDataSize);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfoV2, const_size, QnnHtpSystemContext_GraphBlobInfoV2_t,
                 constSize);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfoV2, ddr_tensor_size,
                 QnnHtpSystemContext_GraphBlobInfoV2_t, ddrTensorSize);
QNNPP_SAME_FIELD(HtpSystemContextGraphBlobInfoV2, shared_weights_size,
                 QnnHtpSystemContext_GraphBlobInfoV2_t, sharedWeightsSize);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 30
QNNPP_SAME_VALUE(HtpSystemContextContextInfoBlobVersion::version_v1,
                 QNN_SYSTEM_CONTEXT_HTP_CONTEXT_INFO_BLOB_VERSION_V1);
QNNPP_SAME_VALUE(HtpSystemContextContextInfoBlobVersion::undefined,
                 QNN_SYSTEM_CONTEXT_HTP_CONTEXT_INFO_BLOB_UNDEFINED);
QNNPP_SAME_SIZE(HtpSystemContextContextBlobInfoV1, QnnHtpSystemContext_ContextBlobInfoV1_t);
QNNPP_SAME_FIELD(HtpSystemContextContextBlobInfoV1, dsp_arch,
                 QnnHtpSystemContext_ContextBlobInfoV1_t, dspArch);
QNNPP_SAME_SIZE(HtpSystemContextContextBlobInfo, QnnHtpSystemContext_ContextBlobInfo_t);
QNNPP_SAME_FIELD(HtpSystemContextContextBlobInfo, version, QnnHtpSystemContext_ContextBlobInfo_t,
                 version);
QNNPP_SAME_FIELD(HtpSystemContextContextBlobInfo, context_binary_context_blob_info_v1,
                 QnnHtpSystemContext_ContextBlobInfo_t, contextBinaryContextBlobInfoV1);
#endif

}  // namespace qnnpp::c_api

#endif
