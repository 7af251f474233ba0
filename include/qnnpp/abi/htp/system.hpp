// HTP's part of the metadata of a context binary.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Selects the member of HtpSystemContextHwBlobInfo's union.
/// C: QnnHtpSystemContext_HwInfoBlobVersion_t.
enum class HtpSystemContextHwInfoBlobVersion : std::uint32_t {
  version_v1 = 1,  ///< Version 1.
  undefined = 0x7FFFFFFF,
};

/// Spill-fill of one graph. C: QnnHtpSystemContext_HwBlobInfoV1_t.
struct HtpSystemContextHwBlobInfoV1 {
  std::uint32_t graph_list_index;        ///< Index of the graph in the metadata.
  std::uint64_t spill_fill_buffer_size;  ///< Size in bytes.
};

/// Entry of the array that SystemContextBinaryInfoV2::hw_info_blob points to.
/// C: QnnHtpSystemContext_HwBlobInfo_t.
struct HtpSystemContextHwBlobInfo {
  HtpSystemContextHwInfoBlobVersion version;  ///< Selects the union member.
  union {
    HtpSystemContextHwBlobInfoV1 context_binary_hw_info_blob_v1_t;  ///< Version 1.
  };
};

/// Selects the struct that SystemContextGraphInfoV3::graph_blob_info points to.
/// C: QnnHtpSystemContext_GraphInfoBlobVersion_t. HTP 5.30.
enum class HtpSystemContextGraphInfoBlobVersion : std::uint32_t {
  version_v1 = 1,  ///< HtpSystemContextGraphBlobInfo with its V1 member.
  version_v2 = 2,  ///< HtpSystemContextGraphBlobInfoV2, a separate struct. HTP 5.40.
  undefined = 0x7FFFFFFF,
};

/// Resource needs of one graph. C: QnnHtpSystemContext_GraphBlobInfoV1_t. HTP 5.30.
struct HtpSystemContextGraphBlobInfoV1 {
  /// Size in bytes; always 0 in binaries of SDKs before 2.35.
  std::uint64_t spill_fill_buffer_size;
  /// VTCM. Megabytes by the SDK's header; bytes in binaries of SDKs 2.29 to 2.51.
  std::uint32_t vtcm_size;
  std::uint32_t optimization_level;  ///< Effort of preparation.
  std::uint8_t htp_dlbc;             ///< Nonzero: bandwidth compression.
  std::uint64_t num_hvx_threads;     ///< Number of vector threads.
};

/// Resource needs of one graph, version 1. Check version first.
/// C: QnnHtpSystemContext_GraphBlobInfo_t. HTP 5.30.
struct HtpSystemContextGraphBlobInfo {
  HtpSystemContextGraphInfoBlobVersion version;  ///< Selects the union member.
  union {
    HtpSystemContextGraphBlobInfoV1 context_binary_graph_blob_info_v1;  ///< Version 1.
  };
};

/// Resource needs of one graph, version 2. It stands behind HtpSystemContextGraphBlobInfo in the
/// same blob; it is not a member of that union. C: QnnHtpSystemContext_GraphBlobInfoV2_t. HTP 5.40.
struct HtpSystemContextGraphBlobInfoV2 {
  HtpSystemContextGraphInfoBlobVersion version;  ///< Always version_v2.
  std::uint64_t native_k_channel_size;           ///< Channels in the native layout of a K cache.
  std::uint64_t native_v_channel_size;           ///< Channels in the native layout of a V cache.
  std::uint32_t is_safe_share_io;                ///< Nonzero: inputs and outputs may share memory.
  std::uint64_t io_tensor_size;                  ///< Bytes of inputs and outputs.
  std::uint64_t op_data_size;                    ///< Bytes of op data.
  std::uint64_t const_size;                      ///< Bytes of constants.
  std::uint64_t ddr_tensor_size;                 ///< Bytes of tensors in DDR.
  std::uint64_t shared_weights_size;             ///< Bytes of weights that graphs share.
};

/// Selects the member of HtpSystemContextContextBlobInfo's union.
/// C: QnnHtpSystemContext_ContextInfoBlobVersion_t. HTP 5.30.
enum class HtpSystemContextContextInfoBlobVersion : std::uint32_t {
  version_v1 = 1,  ///< Version 1.
  undefined = 0x7FFFFFFF,
};

/// Device that the context was prepared for. C: QnnHtpSystemContext_ContextBlobInfoV1_t. HTP 5.30.
struct HtpSystemContextContextBlobInfoV1 {
  std::uint32_t dsp_arch;  ///< HtpDeviceArch as a number.
};

/// Target of SystemContextBinaryInfoV3::context_metadata. C: QnnHtpSystemContext_ContextBlobInfo_t.
/// HTP 5.30.
struct HtpSystemContextContextBlobInfo {
  HtpSystemContextContextInfoBlobVersion version;  ///< Selects the union member.
  union {
    HtpSystemContextContextBlobInfoV1 context_binary_context_blob_info_v1;  ///< Version 1.
  };
};

}  // namespace qnnpp::c_api
