// Options and properties of contexts on HTP.
#pragma once

#include "qnnpp/abi/context.hpp"

namespace qnnpp::c_api {

/// Selects the member of HtpContextCustomConfig's union. C: QnnHtpContext_ConfigOption_t.
enum class HtpContextConfigOption : std::uint32_t {
  weight_sharing_enabled = 1,        ///< weight_sharing_enabled.
  register_multi_contexts = 2,       ///< group_registration; not with external buffers (EXT-02).
  file_read_memory_budget = 3,       ///< file_read_memory_budget_in_mb.
  dsp_memory_profiling_enabled = 4,  ///< dsp_memory_profiling_enabled.
  share_resources = 5,               ///< share_resources.
  io_mem_estimation = 6,             ///< io_mem_estimation.
  prepare_only = 7,                  ///< is_prepare_only. HTP 5.30.
  init_acceleration = 8,             ///< init_acceleration. HTP 5.36.
  /// skip_validation_on_binary_section. HTP 5.36.
  skip_validation_on_binary_section = 9,
  share_resources_optimization_type = 10,  ///< share_res_opt_type. HTP 5.36.
  /// use_extended_udma; not with external buffers (EXT-05). HTP 5.36.
  use_extended_udma = 11,
  /// concurrent_group_registration; not with external buffers (EXT-03). HTP 5.36.
  register_concurrent_resource_sharing = 12,
  lora_weight_sharing_enabled = 13,  ///< lora_weight_sharing_enabled. HTP 5.40.
  reserved_14 = 14,                  ///< Reserved. HTP 5.40.
  reserved_15 = 15,                  ///< Reserved. HTP 5.40.
  /// lora_weight_sharing_ram_preload_enabled. HTP 5.45.
  lora_weight_sharing_ram_preload_enabled = 16,
  /// reused_io_limit_mb. HTP 5.43 in the options of a list; 5.43 and from 5.49 on elsewhere too.
  reused_io_limit = 17,
  reference_weight_sharing_enabled = 18,  ///< reference_weight_sharing_enabled. HTP 5.45.
  /// concurrent_deserialization_extra_size_kb. HTP 5.46.
  concurrent_deserialization_extra_size = 19,
  /// graph_splitting_enabled; deprecated, use graph_splitting_configs. HTP 5.47.
  graph_splitting_enabled = 20,
  concurrent_deserialization_patch = 21,  ///< concurrent_deserialization_patch_fd. HTP 5.47.
  graph_splitting_configs = 22,           ///< graph_splitting_configs. HTP 5.49.
  lora_preload_buffer_groups = 23,        ///< lora_preload_buffer_groups. HTP 5.50.
  reserved_24 = 24,                       ///< Reserved. HTP 5.50.
  parallel_weight_loading = 25,           ///< parallel_weight_loading. HTP 5.50.
  reserved_26 = 26,                       ///< Known to libraries; meaning unknown. HTP 5.51.
  unknown = 0x7FFFFFFF,
};

/// Execution pattern of contexts that share resources.
/// C: QnnHtpContext_ShareResourcesOptimizationType_t. HTP 5.36.
enum class HtpContextShareResourcesOptimizationType : std::uint32_t {
  sequential_with_va_optimization = 0,     ///< Executed in turn; they share address space.
  sequential_without_va_optimization = 1,  ///< Executed in turn.
  concurrent_optimization = 2,             ///< Executed at one priority, possibly concurrently.
};

/// Membership in a group of contexts that share one spill-fill buffer. Requires offline-prepared
/// binaries. Members must never execute at the same time. C: QnnHtpContext_GroupRegistration_t.
struct HtpContextGroupRegistration {
  /// NULL for the group's head; the head's handle for a member (GRP-02).
  ContextHandle first_group_handle;
  /// Head: the largest spill-fill need of the group in bytes (GRP-01). Ignored for members.
  std::uint64_t max_spill_fill_buffer;
};

/// Loading of weights by several threads. C: QnnHtpContext_ParallelWeightLoadingMode_t. HTP 5.50.
enum class HtpContextParallelWeightLoadingMode : std::uint32_t {
  adaptive = 0,  ///< The backend decides by size.
  on = 1,        ///< Always.
  off = 2,       ///< Never.
};

/// Configuration of graph splitting. C: QnnHtpContext_GraphSplit_t. HTP 5.49.
struct HtpContextGraphSplit {
  bool graph_splitting_enabled;  ///< Whether the backend may split graphs.
};

/// Loading of weights by several threads. C: QnnHtpContext_ParallelWeightLoading_t. HTP 5.50.
struct HtpContextParallelWeightLoading {
  HtpContextParallelWeightLoadingMode mode;  ///< When several threads load.
  /// Minimum size for adaptive in megabytes; 0 selects the backend's default.
  std::uint64_t threshold_in_mb_override;
};

/// Graphs that share a preloaded LoRA buffer. C: QnnHtpContext_LoraPreloadGroup_t. HTP 5.50.
struct HtpContextLoraPreloadGroup {
  const char** graph_names;  ///< Names of the graphs.
  std::uint32_t num_graphs;  ///< Length of graph_names.
};

/// LoRA preload groups of a context. C: QnnHtpContext_LoraPreloadBufferGroups_t. HTP 5.50.
struct HtpContextLoraPreloadBufferGroups {
  const HtpContextLoraPreloadGroup* groups;  ///< The groups.
  std::uint32_t num_groups;                  ///< Length of groups.
};

/// Target of ContextConfig::custom_config. Each has one option; an array of ContextConfig may have
/// several. C: QnnHtpContext_CustomConfig_t.
struct HtpContextCustomConfig {
  HtpContextConfigOption option;  ///< Selects the union member.
  union {
    /// For preparation: graphs of the context share identical weights.
    bool weight_sharing_enabled;
    /// Group that shares a spill-fill buffer.
    HtpContextGroupRegistration group_registration;
    /// Piece size in megabytes for reading a binary that is mapped from a file; 0 reads it in one
    /// piece.
    std::uint64_t file_read_memory_budget_in_mb;
    /// The profile has events about the DSP's memory.
    bool dsp_memory_profiling_enabled;
    /// Contexts of a list share resources; only for the list options of
    /// context_create_from_binary_list_async.
    bool share_resources;
    /// Estimates I/O memory before deserialization, if there are several process domains.
    bool io_mem_estimation;
    /// Prepares without mapping to the DSP; context_create only. HTP 5.30.
    bool is_prepare_only;
    /// Deserializes with all hardware threads; execute no graph during the call. HTP 5.36.
    bool init_acceleration;
    /// Skips the checksum of adapter sections. HTP 5.36.
    bool skip_validation_on_binary_section;
    /// Only with share_resources. HTP 5.36.
    HtpContextShareResourcesOptimizationType share_res_opt_type;
    /// For preparation: places weights and spill-fill in far memory; V81 and later. HTP 5.36.
    bool use_extended_udma;
    /// Group that shares resources among graphs of one priority. HTP 5.36.
    HtpContextGroupRegistration concurrent_group_registration;
    /// Uses one replaceable blob of weights for all graphs. HTP 5.40.
    bool lora_weight_sharing_enabled;
    /// Keeps that blob in memory. HTP 5.45.
    bool lora_weight_sharing_ram_preload_enabled;
    /// Groups for LoRA preloading; valid while the config is valid. HTP 5.50.
    const HtpContextLoraPreloadBufferGroups* lora_preload_buffer_groups;
    /// Most megabytes of input and output that are registered at a time. The room of a context
    /// counts them instead of all inputs and outputs. HTP 5.43.
    std::uint64_t reused_io_limit_mb;
    /// Shares weights by reference. HTP 5.45.
    bool reference_weight_sharing_enabled;
    /// Extra memory for concurrent deserialization in kilobytes, at most 102400. HTP 5.46.
    std::uint32_t concurrent_deserialization_extra_size_kb;
    /// Whether the backend may split graphs; deprecated, use graph_splitting_configs. HTP 5.47.
    bool graph_splitting_enabled;
    /// File descriptor of the patch, open for reading and writing. HTP 5.47.
    int concurrent_deserialization_patch_fd;
    /// Configuration of graph splitting. HTP 5.49.
    HtpContextGraphSplit graph_splitting_configs;
    /// Loading of weights by several threads. HTP 5.50.
    HtpContextParallelWeightLoading parallel_weight_loading;
  };
};

/// Selects the member of HtpContextCustomProperty's union that the backend fills.
/// C: QnnHtpContext_GetPropertyOption_t. HTP 5.36.
enum class HtpContextPropertyOption : std::uint32_t {
  buffer_start_alignment = 1,      ///< buffer_start_alignment (BUF-02).
  max_spillfill_buffer_size = 2,   ///< spillfill_buffer_size (BUF-10).
  weights_buffer_size = 3,         ///< weights_buffer_size (BUF-03).
  reserved_4 = 4,                  ///< Reserved. HTP 5.40.
  reserved_5 = 5,                  ///< Reserved. HTP 5.40.
  max_vtcmbackup_buffer_size = 6,  ///< vtcm_backup_buffer_size. HTP 5.46.
  reserved_7 = 7,                  ///< Reserved. HTP 5.48.
  undefined = 0x7FFFFFFF,
};

/// Target of ContextProperty::custom_property: the client sets option and the backend fills one
/// size. A size of 0 means that no buffer is needed (BUF-09). Do not use a size from a failed query
/// (ORD-02). C: QnnHtpContext_CustomProperty_t. HTP 5.36.
struct HtpContextCustomProperty {
  HtpContextPropertyOption option;  ///< Selects the union member.
  union {
    /// Start alignment of an external buffer in bytes.
    std::uint64_t buffer_start_alignment;
    std::uint64_t spillfill_buffer_size;    ///< Bytes of the largest graph's spill-fill.
    std::uint64_t weights_buffer_size;      ///< Bytes of all weights.
    std::uint64_t vtcm_backup_buffer_size;  ///< Bytes of the largest backup of VTCM. HTP 5.46.
  };
};

}  // namespace qnnpp::c_api
