// Options and properties of contexts on HTP.
#pragma once

#include "qnnpp/abi/context.hpp"

namespace qnnpp::c_api {

/// Which member of HtpContextCustomConfig's union is set. C: QnnHtpContext_ConfigOption_t.
enum class HtpContextConfigOption : std::uint32_t {
  weight_sharing_enabled = 1,
  register_multi_contexts = 2,  ///< group_registration; not with external buffers (EXT-02).
  file_read_memory_budget = 3,  ///< file_read_memory_budget_in_mb.
  dsp_memory_profiling_enabled = 4,
  share_resources = 5,
  io_mem_estimation = 6,
  prepare_only = 7,                        ///< is_prepare_only. HTP 5.30.
  init_acceleration = 8,                   ///< HTP 5.36.
  skip_validation_on_binary_section = 9,   ///< HTP 5.36.
  share_resources_optimization_type = 10,  ///< share_res_opt_type. HTP 5.36.
  /// use_extended_udma; not with external buffers (EXT-05). HTP 5.36.
  use_extended_udma = 11,
  /// concurrent_group_registration; not with external buffers (EXT-03). HTP 5.36.
  register_concurrent_resource_sharing = 12,
  lora_weight_sharing_enabled = 13,              ///< HTP 5.40.
  reserved_14 = 14,                              ///< HTP 5.40.
  reserved_15 = 15,                              ///< HTP 5.40.
  lora_weight_sharing_ram_preload_enabled = 16,  ///< HTP 5.50.
  reused_io_limit = 17,                          ///< reused_io_limit_mb. HTP 5.50.
  reference_weight_sharing_enabled = 18,         ///< HTP 5.50.
  /// concurrent_deserialization_extra_size_kb. HTP 5.50.
  concurrent_deserialization_extra_size = 19,
  /// graph_splitting_enabled; deprecated for graph_splitting_configs. HTP 5.50.
  graph_splitting_enabled = 20,
  concurrent_deserialization_patch = 21,  ///< concurrent_deserialization_patch_fd. HTP 5.50.
  graph_splitting_configs = 22,           ///< HTP 5.50.
  lora_preload_buffer_groups = 23,        ///< HTP 5.50.
  reserved_24 = 24,                       ///< HTP 5.50.
  parallel_weight_loading = 25,           ///< HTP 5.50.
  unknown = 0x7FFFFFFF,
};

/// What contexts that share resources may rely on.
/// C: QnnHtpContext_ShareResourcesOptimizationType_t. HTP 5.36.
enum class HtpContextShareResourcesOptimizationType : std::uint32_t {
  sequential_with_va_optimization = 0,     ///< They run one after another and share address space.
  sequential_without_va_optimization = 1,  ///< They run one after another.
  concurrent_optimization = 2,             ///< They run at one priority and may overlap.
};

/// Membership in a group of contexts that share one spill-fill buffer. Offline-prepared binaries
/// only; members never execute at the same time. C: QnnHtpContext_GroupRegistration_t.
struct HtpContextGroupRegistration {
  /// NULL for the head, the head's handle for a member (GRP-02).
  ContextHandle first_group_handle;
  /// Head: largest need of all, in bytes (GRP-01). Ignored for members.
  std::uint64_t max_spill_fill_buffer;
};

/// Whether weights are loaded by several threads. C: QnnHtpContext_ParallelWeightLoadingMode_t.
/// HTP 5.50.
enum class HtpContextParallelWeightLoadingMode : std::uint32_t {
  adaptive = 0,  ///< The backend decides by size.
  on = 1,        ///< Always.
  off = 2,       ///< Never.
};

/// Splitting of graphs. C: QnnHtpContext_GraphSplit_t. HTP 5.50.
struct HtpContextGraphSplit {
  bool graph_splitting_enabled;  ///< Whether graphs may be split.
};

/// Loading of weights by several threads. C: QnnHtpContext_ParallelWeightLoading_t. HTP 5.50.
struct HtpContextParallelWeightLoading {
  HtpContextParallelWeightLoadingMode mode;  ///< When.
  /// Megabytes from which adaptive does it; 0 is the backend's choice.
  std::uint64_t threshold_in_mb_override;
};

/// Graphs that share a preloaded LoRA buffer. C: QnnHtpContext_LoraPreloadGroup_t. HTP 5.50.
struct HtpContextLoraPreloadGroup {
  const char** graph_names;  ///< num_graphs names.
  std::uint32_t num_graphs;  ///< Length of graph_names.
};

/// All groups of a context. C: QnnHtpContext_LoraPreloadBufferGroups_t. HTP 5.50.
struct HtpContextLoraPreloadBufferGroups {
  const HtpContextLoraPreloadGroup* groups;  ///< num_groups groups.
  std::uint32_t num_groups;                  ///< Length of groups.
};

/// What ContextConfig::custom_config points to. One inner option each; several may stand in one
/// array. C: QnnHtpContext_CustomConfig_t.
struct HtpContextCustomConfig {
  HtpContextConfigOption option;  ///< Selects the union member.
  union {
    /// Preparation: graphs of the context share equal weights.
    bool weight_sharing_enabled;
    /// Spill-fill shared by a group.
    HtpContextGroupRegistration group_registration;
    /// Reads a binary that is mapped from a file in pieces of this many megabytes; 0 is at once.
    std::uint64_t file_read_memory_budget_in_mb;
    /// The profile holds figures of the DSP's memory.
    bool dsp_memory_profiling_enabled;
    /// Contexts of one list share what they can; list option of
    /// context_create_from_binary_list_async only.
    bool share_resources;
    /// Counts I/O memory before deserializing, where there are several process domains.
    bool io_mem_estimation;
    /// Prepares without mapping on the DSP; context_create only. HTP 5.30.
    bool is_prepare_only;
    /// All hardware threads deserialize; execute nothing meanwhile. HTP 5.36.
    bool init_acceleration;
    /// No checksum for sections of adapters. HTP 5.36.
    bool skip_validation_on_binary_section;
    /// With share_resources only. HTP 5.36.
    HtpContextShareResourcesOptimizationType share_res_opt_type;
    /// Preparation: weights and spill-fill in far memory, V81 and later. HTP 5.36.
    bool use_extended_udma;
    /// Resources shared by graphs of one priority. HTP 5.36.
    HtpContextGroupRegistration concurrent_group_registration;
    /// One replaceable blob of weights for all graphs. HTP 5.40.
    bool lora_weight_sharing_enabled;
    /// Keeps that blob in memory. HTP 5.50.
    bool lora_weight_sharing_ram_preload_enabled;
    /// Lives as long as the config. HTP 5.50.
    const HtpContextLoraPreloadBufferGroups* lora_preload_buffer_groups;
    /// Most I/O memory that is used again, in megabytes. HTP 5.50.
    std::uint64_t reused_io_limit_mb;
    /// Weights shared by reference. HTP 5.50.
    bool reference_weight_sharing_enabled;
    /// Memory to overlap deserializing, in kilobytes; cut off at 102400. HTP 5.50.
    std::uint32_t concurrent_deserialization_extra_size_kb;
    /// Deprecated for graph_splitting_configs. HTP 5.50.
    bool graph_splitting_enabled;
    /// File with the patch. HTP 5.50.
    int concurrent_deserialization_patch_fd;
    /// Splitting of graphs. HTP 5.50.
    HtpContextGraphSplit graph_splitting_configs;
    /// Loading by several threads. HTP 5.50.
    HtpContextParallelWeightLoading parallel_weight_loading;
  };
};

/// Which member of HtpContextCustomProperty's union is filled.
/// C: QnnHtpContext_GetPropertyOption_t. HTP 5.36.
enum class HtpContextPropertyOption : std::uint32_t {
  buffer_start_alignment = 1,      ///< buffer_start_alignment (BUF-02).
  max_spillfill_buffer_size = 2,   ///< spillfill_buffer_size (BUF-10).
  weights_buffer_size = 3,         ///< weights_buffer_size (BUF-03).
  reserved_4 = 4,                  ///< HTP 5.40.
  reserved_5 = 5,                  ///< HTP 5.40.
  max_vtcmbackup_buffer_size = 6,  ///< vtcm_backup_buffer_size. HTP 5.50.
  reserved_7 = 7,                  ///< HTP 5.50.
  undefined = 0x7FFFFFFF,
};

/// What ContextProperty::custom_property points to: the client sets option, the backend fills one
/// size. 0 bytes means that no buffer is needed (BUF-09). Take no size from a query that failed
/// (ORD-02). C: QnnHtpContext_CustomProperty_t. HTP 5.36.
struct HtpContextCustomProperty {
  HtpContextPropertyOption option;  ///< Selects the union member.
  union {
    /// Alignment in bytes of where an external buffer starts.
    std::uint64_t buffer_start_alignment;
    std::uint64_t spillfill_buffer_size;    ///< Bytes of the largest graph's spill-fill.
    std::uint64_t weights_buffer_size;      ///< Bytes of all weights.
    std::uint64_t vtcm_backup_buffer_size;  ///< Bytes of the largest backup of VTCM. HTP 5.50.
  };
};

}  // namespace qnnpp::c_api
