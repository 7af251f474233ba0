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

/// Entry of the array that SystemContextBinaryInfoV2::hw_info_blob points to.
/// C: QnnHtpSystemContext_HwBlobInfo_t.
struct HtpSystemContextHwBlobInfo {
  HtpSystemContextHwInfoBlobVersion version;  ///< Selects the union member.
  union {
    HtpSystemContextHwBlobInfoV1 context_binary_hw_info_blob_v1_t;
  };
};

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

/// Needs of one graph, version 1. Look at version before anything else.
/// C: QnnHtpSystemContext_GraphBlobInfo_t. HTP 5.30.
struct HtpSystemContextGraphBlobInfo {
  HtpSystemContextGraphInfoBlobVersion version;  ///< Selects the union member.
  union {
    HtpSystemContextGraphBlobInfoV1 context_binary_graph_blob_info_v1;
  };
};

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

/// What SystemContextBinaryInfoV3::context_metadata points to.
/// C: QnnHtpSystemContext_ContextBlobInfo_t. HTP 5.30.
struct HtpSystemContextContextBlobInfo {
  HtpSystemContextContextInfoBlobVersion version;  ///< Selects the union member.
  union {
    HtpSystemContextContextBlobInfoV1 context_binary_context_blob_info_v1;
  };
};

}  // namespace qnnpp::c_api
