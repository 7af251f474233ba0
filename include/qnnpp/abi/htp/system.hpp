// HTP's part of a context binary's metadata.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Which member of HtpSystemContextHwBlobInfo's union is set.
/// C: QnnHtpSystemContext_HwInfoBlobVersion_t.
enum class HtpSystemContextHwInfoBlobVersion : std::uint32_t {
  version_v1 = 1,
  undefined = 0x7FFFFFFF,
};

/// Spill-fill of one graph. C: QnnHtpSystemContext_HwBlobInfoV1_t.
struct HtpSystemContextHwBlobInfoV1 {
  std::uint32_t graph_list_index;        ///< Index of the graph in the metadata.
  std::uint64_t spill_fill_buffer_size;  ///< Bytes.
};
static_assert(sizeof(HtpSystemContextHwBlobInfoV1) == 16 &&
              alignof(HtpSystemContextHwBlobInfoV1) == 8 &&
              offsetof(HtpSystemContextHwBlobInfoV1, graph_list_index) == 0 &&
              offsetof(HtpSystemContextHwBlobInfoV1, spill_fill_buffer_size) == 8);

/// Entry of the array that SystemContextBinaryInfoV2::hw_info_blob points to.
/// C: QnnHtpSystemContext_HwBlobInfo_t.
struct HtpSystemContextHwBlobInfo {
  HtpSystemContextHwInfoBlobVersion version;  ///< Selects the union member.
  union {
    HtpSystemContextHwBlobInfoV1 context_binary_hw_info_blob_v1_t;
  };
};
static_assert(sizeof(HtpSystemContextHwBlobInfo) == 24 &&
              alignof(HtpSystemContextHwBlobInfo) == 8 &&
              offsetof(HtpSystemContextHwBlobInfo, version) == 0 &&
              offsetof(HtpSystemContextHwBlobInfo, context_binary_hw_info_blob_v1_t) == 8);

/// Which struct SystemContextGraphInfoV3::graph_blob_info points to.
/// C: QnnHtpSystemContext_GraphInfoBlobVersion_t. HTP 5.30.
enum class HtpSystemContextGraphInfoBlobVersion : std::uint32_t {
  version_v1 = 1,  ///< HtpSystemContextGraphBlobInfo with its V1 member.
  version_v2 = 2,  ///< HtpSystemContextGraphBlobInfoV2, a struct of its own. HTP 5.40.
  undefined = 0x7FFFFFFF,
};

/// Needs of one graph. C: QnnHtpSystemContext_GraphBlobInfoV1_t. HTP 5.30.
struct HtpSystemContextGraphBlobInfoV1 {
  /// Bytes; 0 in binaries made before SDK 2.35, whatever the need.
  std::uint64_t spill_fill_buffer_size;
  std::uint32_t vtcm_size;           ///< VTCM in megabytes.
  std::uint32_t optimization_level;  ///< Effort of preparation.
  std::uint8_t htp_dlbc;             ///< Not 0: bandwidth compression.
  std::uint64_t num_hvx_threads;     ///< Vector threads.
};
static_assert(sizeof(HtpSystemContextGraphBlobInfoV1) == 32 &&
              alignof(HtpSystemContextGraphBlobInfoV1) == 8 &&
              offsetof(HtpSystemContextGraphBlobInfoV1, spill_fill_buffer_size) == 0 &&
              offsetof(HtpSystemContextGraphBlobInfoV1, vtcm_size) == 8 &&
              offsetof(HtpSystemContextGraphBlobInfoV1, optimization_level) == 12 &&
              offsetof(HtpSystemContextGraphBlobInfoV1, htp_dlbc) == 16 &&
              offsetof(HtpSystemContextGraphBlobInfoV1, num_hvx_threads) == 24);

/// Needs of one graph, version 1. Look at version before anything else.
/// C: QnnHtpSystemContext_GraphBlobInfo_t. HTP 5.30.
struct HtpSystemContextGraphBlobInfo {
  HtpSystemContextGraphInfoBlobVersion version;  ///< Selects the union member.
  union {
    HtpSystemContextGraphBlobInfoV1 context_binary_graph_blob_info_v1;
  };
};
static_assert(sizeof(HtpSystemContextGraphBlobInfo) == 40 &&
              alignof(HtpSystemContextGraphBlobInfo) == 8 &&
              offsetof(HtpSystemContextGraphBlobInfo, version) == 0 &&
              offsetof(HtpSystemContextGraphBlobInfo, context_binary_graph_blob_info_v1) == 8);

/// Needs of one graph, version 2: not a member of the union above, but in its place.
/// C: QnnHtpSystemContext_GraphBlobInfoV2_t. HTP 5.40.
struct HtpSystemContextGraphBlobInfoV2 {
  HtpSystemContextGraphInfoBlobVersion version;  ///< Always version_v2.
  std::uint64_t native_k_channel_size;           ///< Channels in the native layout of a K cache.
  std::uint64_t native_v_channel_size;           ///< Channels in the native layout of a V cache.
  std::uint32_t is_safe_share_io;                ///< Not 0: inputs and outputs may share memory.
  std::uint64_t io_tensor_size;                  ///< Bytes of inputs and outputs.
  std::uint64_t op_data_size;                    ///< Bytes of op data.
  std::uint64_t const_size;                      ///< Bytes of constants.
  std::uint64_t ddr_tensor_size;                 ///< Bytes of tensors in DDR.
  std::uint64_t shared_weights_size;             ///< Bytes of weights that graphs share.
};
static_assert(sizeof(HtpSystemContextGraphBlobInfoV2) == 72 &&
              alignof(HtpSystemContextGraphBlobInfoV2) == 8 &&
              offsetof(HtpSystemContextGraphBlobInfoV2, version) == 0 &&
              offsetof(HtpSystemContextGraphBlobInfoV2, native_k_channel_size) == 8 &&
              offsetof(HtpSystemContextGraphBlobInfoV2, native_v_channel_size) == 16 &&
              offsetof(HtpSystemContextGraphBlobInfoV2, is_safe_share_io) == 24 &&
              offsetof(HtpSystemContextGraphBlobInfoV2, io_tensor_size) == 32 &&
              offsetof(HtpSystemContextGraphBlobInfoV2, op_data_size) == 40 &&
              offsetof(HtpSystemContextGraphBlobInfoV2, const_size) == 48 &&
              offsetof(HtpSystemContextGraphBlobInfoV2, ddr_tensor_size) == 56 &&
              offsetof(HtpSystemContextGraphBlobInfoV2, shared_weights_size) == 64);

/// Which member of HtpSystemContextContextBlobInfo's union is set.
/// C: QnnHtpSystemContext_ContextInfoBlobVersion_t. HTP 5.30.
enum class HtpSystemContextContextInfoBlobVersion : std::uint32_t {
  version_v1 = 1,
  undefined = 0x7FFFFFFF,
};

/// Device that the context was prepared for. C: QnnHtpSystemContext_ContextBlobInfoV1_t. HTP 5.30.
struct HtpSystemContextContextBlobInfoV1 {
  std::uint32_t dsp_arch;  ///< HtpDeviceArch as a number.
};
static_assert(sizeof(HtpSystemContextContextBlobInfoV1) == 4 &&
              alignof(HtpSystemContextContextBlobInfoV1) == 4 &&
              offsetof(HtpSystemContextContextBlobInfoV1, dsp_arch) == 0);

/// What SystemContextBinaryInfoV3::context_metadata points to.
/// C: QnnHtpSystemContext_ContextBlobInfo_t. HTP 5.30.
struct HtpSystemContextContextBlobInfo {
  HtpSystemContextContextInfoBlobVersion version;  ///< Selects the union member.
  union {
    HtpSystemContextContextBlobInfoV1 context_binary_context_blob_info_v1;
  };
};
static_assert(sizeof(HtpSystemContextContextBlobInfo) == 8 &&
              alignof(HtpSystemContextContextBlobInfo) == 4 &&
              offsetof(HtpSystemContextContextBlobInfo, version) == 0 &&
              offsetof(HtpSystemContextContextBlobInfo, context_binary_context_blob_info_v1) == 4);

}  // namespace qnnpp::c_api

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/abi/htp/system.ipp"
#endif
