#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::abi {

/// QnnHtpSystemContext_HwInfoBlobVersion_t.
enum class HtpSystemContextHwInfoBlobVersion : std::uint32_t {
  version_v1 = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpSystemContextHwInfoBlobVersion::version_v1) == 1u);
static_assert(std::uint32_t(HtpSystemContextHwInfoBlobVersion::undefined) == 0x7FFFFFFFu);

/// QnnHtpSystemContext_HwBlobInfoV1_t.
struct HtpSystemContextHwBlobInfoV1 {
  std::uint32_t graph_list_index;
  std::uint64_t spill_fill_buffer_size;
};
static_assert(sizeof(HtpSystemContextHwBlobInfoV1) == 16 && alignof(HtpSystemContextHwBlobInfoV1) == 8);
static_assert(offsetof(HtpSystemContextHwBlobInfoV1, graph_list_index) == 0);
static_assert(offsetof(HtpSystemContextHwBlobInfoV1, spill_fill_buffer_size) == 8);

/// QnnHtpSystemContext_HwBlobInfo_t.
struct HtpSystemContextHwBlobInfo {
  HtpSystemContextHwInfoBlobVersion version;
  union {
    HtpSystemContextHwBlobInfoV1 context_binary_hw_info_blob_v1_t;
  };
};
static_assert(sizeof(HtpSystemContextHwBlobInfo) == 24 && alignof(HtpSystemContextHwBlobInfo) == 8);
static_assert(offsetof(HtpSystemContextHwBlobInfo, version) == 0);
static_assert(offsetof(HtpSystemContextHwBlobInfo, context_binary_hw_info_blob_v1_t) == 8);

/// QnnHtpSystemContext_GraphInfoBlobVersion_t.
enum class HtpSystemContextGraphInfoBlobVersion : std::uint32_t {
  version_v1 = 1,
  version_v2 = 2,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpSystemContextGraphInfoBlobVersion::version_v1) == 1u);
static_assert(std::uint32_t(HtpSystemContextGraphInfoBlobVersion::version_v2) == 2u);
static_assert(std::uint32_t(HtpSystemContextGraphInfoBlobVersion::undefined) == 0x7FFFFFFFu);

/// QnnHtpSystemContext_GraphBlobInfoV1_t.
struct HtpSystemContextGraphBlobInfoV1 {
  std::uint64_t spill_fill_buffer_size;
  std::uint32_t vtcm_size;
  std::uint32_t optimization_level;
  std::uint8_t htp_dlbc;
  std::uint64_t num_hvx_threads;
};
static_assert(sizeof(HtpSystemContextGraphBlobInfoV1) == 32 && alignof(HtpSystemContextGraphBlobInfoV1) == 8);
static_assert(offsetof(HtpSystemContextGraphBlobInfoV1, spill_fill_buffer_size) == 0);
static_assert(offsetof(HtpSystemContextGraphBlobInfoV1, vtcm_size) == 8);
static_assert(offsetof(HtpSystemContextGraphBlobInfoV1, optimization_level) == 12);
static_assert(offsetof(HtpSystemContextGraphBlobInfoV1, htp_dlbc) == 16);
static_assert(offsetof(HtpSystemContextGraphBlobInfoV1, num_hvx_threads) == 24);

/// QnnHtpSystemContext_GraphBlobInfo_t.
struct HtpSystemContextGraphBlobInfo {
  HtpSystemContextGraphInfoBlobVersion version;
  union {
    HtpSystemContextGraphBlobInfoV1 context_binary_graph_blob_info_v1;
  };
};
static_assert(sizeof(HtpSystemContextGraphBlobInfo) == 40 && alignof(HtpSystemContextGraphBlobInfo) == 8);
static_assert(offsetof(HtpSystemContextGraphBlobInfo, version) == 0);
static_assert(offsetof(HtpSystemContextGraphBlobInfo, context_binary_graph_blob_info_v1) == 8);

/// QnnHtpSystemContext_GraphBlobInfoV2_t.
struct HtpSystemContextGraphBlobInfoV2 {
  HtpSystemContextGraphInfoBlobVersion version;
  std::uint64_t native_k_channel_size;
  std::uint64_t native_v_channel_size;
  std::uint32_t is_safe_share_io;
  std::uint64_t io_tensor_size;
  std::uint64_t op_data_size;
  std::uint64_t const_size;
  std::uint64_t ddr_tensor_size;
  std::uint64_t shared_weights_size;
};
static_assert(sizeof(HtpSystemContextGraphBlobInfoV2) == 72 && alignof(HtpSystemContextGraphBlobInfoV2) == 8);
static_assert(offsetof(HtpSystemContextGraphBlobInfoV2, version) == 0);
static_assert(offsetof(HtpSystemContextGraphBlobInfoV2, native_k_channel_size) == 8);
static_assert(offsetof(HtpSystemContextGraphBlobInfoV2, native_v_channel_size) == 16);
static_assert(offsetof(HtpSystemContextGraphBlobInfoV2, is_safe_share_io) == 24);
static_assert(offsetof(HtpSystemContextGraphBlobInfoV2, io_tensor_size) == 32);
static_assert(offsetof(HtpSystemContextGraphBlobInfoV2, op_data_size) == 40);
static_assert(offsetof(HtpSystemContextGraphBlobInfoV2, const_size) == 48);
static_assert(offsetof(HtpSystemContextGraphBlobInfoV2, ddr_tensor_size) == 56);
static_assert(offsetof(HtpSystemContextGraphBlobInfoV2, shared_weights_size) == 64);

/// QnnHtpSystemContext_ContextInfoBlobVersion_t.
enum class HtpSystemContextContextInfoBlobVersion : std::uint32_t {
  version_v1 = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpSystemContextContextInfoBlobVersion::version_v1) == 1u);
static_assert(std::uint32_t(HtpSystemContextContextInfoBlobVersion::undefined) == 0x7FFFFFFFu);

/// QnnHtpSystemContext_ContextBlobInfoV1_t.
struct HtpSystemContextContextBlobInfoV1 {
  std::uint32_t dsp_arch;
};
static_assert(sizeof(HtpSystemContextContextBlobInfoV1) == 4 && alignof(HtpSystemContextContextBlobInfoV1) == 4);
static_assert(offsetof(HtpSystemContextContextBlobInfoV1, dsp_arch) == 0);

/// QnnHtpSystemContext_ContextBlobInfo_t.
struct HtpSystemContextContextBlobInfo {
  HtpSystemContextContextInfoBlobVersion version;
  union {
    HtpSystemContextContextBlobInfoV1 context_binary_context_blob_info_v1;
  };
};
static_assert(sizeof(HtpSystemContextContextBlobInfo) == 8 && alignof(HtpSystemContextContextBlobInfo) == 4);
static_assert(offsetof(HtpSystemContextContextBlobInfo, version) == 0);
static_assert(offsetof(HtpSystemContextContextBlobInfo, context_binary_context_blob_info_v1) == 4);

}  // namespace qnnpp::abi
