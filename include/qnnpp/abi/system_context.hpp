#pragma once

#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/tensor.hpp"

namespace qnnpp::abi {

struct OpaqueSystemContext;
using SystemContextHandle = OpaqueSystemContext*;

/// QnnSystemContext_GraphInfoVersion_t.
enum class SystemContextGraphInfoVersion : std::uint32_t {
  v1 = 1,
  v2 = 2,
  v3 = 3,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(SystemContextGraphInfoVersion::v1) == 1u);
static_assert(std::uint32_t(SystemContextGraphInfoVersion::v2) == 2u);
static_assert(std::uint32_t(SystemContextGraphInfoVersion::v3) == 3u);
static_assert(std::uint32_t(SystemContextGraphInfoVersion::undefined) == 0x7FFFFFFFu);

/// QnnSystemContext_GraphInfoV1_t.
struct SystemContextGraphInfoV1 {
  const char* graph_name;
  std::uint32_t num_graph_inputs;
  Tensor* graph_inputs;
  std::uint32_t num_graph_outputs;
  Tensor* graph_outputs;
};
static_assert(sizeof(SystemContextGraphInfoV1) == 40 && alignof(SystemContextGraphInfoV1) == 8);
static_assert(offsetof(SystemContextGraphInfoV1, graph_name) == 0);
static_assert(offsetof(SystemContextGraphInfoV1, num_graph_inputs) == 8);
static_assert(offsetof(SystemContextGraphInfoV1, graph_inputs) == 16);
static_assert(offsetof(SystemContextGraphInfoV1, num_graph_outputs) == 24);
static_assert(offsetof(SystemContextGraphInfoV1, graph_outputs) == 32);

/// QnnSystemContext_GraphInfoV2_t.
struct SystemContextGraphInfoV2 {
  const char* graph_name;
  std::uint32_t num_graph_inputs;
  Tensor* graph_inputs;
  std::uint32_t num_graph_outputs;
  Tensor* graph_outputs;
  std::uint32_t num_updateable_tensors;
  Tensor* updateable_tensors;
};
static_assert(sizeof(SystemContextGraphInfoV2) == 56 && alignof(SystemContextGraphInfoV2) == 8);
static_assert(offsetof(SystemContextGraphInfoV2, graph_name) == 0);
static_assert(offsetof(SystemContextGraphInfoV2, num_graph_inputs) == 8);
static_assert(offsetof(SystemContextGraphInfoV2, graph_inputs) == 16);
static_assert(offsetof(SystemContextGraphInfoV2, num_graph_outputs) == 24);
static_assert(offsetof(SystemContextGraphInfoV2, graph_outputs) == 32);
static_assert(offsetof(SystemContextGraphInfoV2, num_updateable_tensors) == 40);
static_assert(offsetof(SystemContextGraphInfoV2, updateable_tensors) == 48);

/// QnnSystemContext_GraphInfoV3_t.
struct SystemContextGraphInfoV3 {
  const char* graph_name;
  std::uint32_t num_graph_inputs;
  Tensor* graph_inputs;
  std::uint32_t num_graph_outputs;
  Tensor* graph_outputs;
  std::uint32_t num_updateable_tensors;
  Tensor* updateable_tensors;
  std::uint32_t graph_blob_info_size;
  void* graph_blob_info;
  std::uint32_t start_op_index;
  std::uint32_t end_op_index;
};
static_assert(sizeof(SystemContextGraphInfoV3) == 80 && alignof(SystemContextGraphInfoV3) == 8);
static_assert(offsetof(SystemContextGraphInfoV3, graph_name) == 0);
static_assert(offsetof(SystemContextGraphInfoV3, num_graph_inputs) == 8);
static_assert(offsetof(SystemContextGraphInfoV3, graph_inputs) == 16);
static_assert(offsetof(SystemContextGraphInfoV3, num_graph_outputs) == 24);
static_assert(offsetof(SystemContextGraphInfoV3, graph_outputs) == 32);
static_assert(offsetof(SystemContextGraphInfoV3, num_updateable_tensors) == 40);
static_assert(offsetof(SystemContextGraphInfoV3, updateable_tensors) == 48);
static_assert(offsetof(SystemContextGraphInfoV3, graph_blob_info_size) == 56);
static_assert(offsetof(SystemContextGraphInfoV3, graph_blob_info) == 64);
static_assert(offsetof(SystemContextGraphInfoV3, start_op_index) == 72);
static_assert(offsetof(SystemContextGraphInfoV3, end_op_index) == 76);

/// QnnSystemContext_GraphInfo_t.
struct SystemContextGraphInfo {
  SystemContextGraphInfoVersion version;
  union {
    SystemContextGraphInfoV1 graph_info_v1;
    SystemContextGraphInfoV2 graph_info_v2;
    SystemContextGraphInfoV3 graph_info_v3;
  };
};
static_assert(sizeof(SystemContextGraphInfo) == 88 && alignof(SystemContextGraphInfo) == 8);
static_assert(offsetof(SystemContextGraphInfo, version) == 0);
static_assert(offsetof(SystemContextGraphInfo, graph_info_v1) == 8);
static_assert(offsetof(SystemContextGraphInfo, graph_info_v2) == 8);
static_assert(offsetof(SystemContextGraphInfo, graph_info_v3) == 8);

/// QnnSystemContext_BinaryInfoVersion_t.
enum class SystemContextBinaryInfoVersion : std::uint32_t {
  v1 = 1,
  v2 = 2,
  v3 = 3,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(SystemContextBinaryInfoVersion::v1) == 1u);
static_assert(std::uint32_t(SystemContextBinaryInfoVersion::v2) == 2u);
static_assert(std::uint32_t(SystemContextBinaryInfoVersion::v3) == 3u);
static_assert(std::uint32_t(SystemContextBinaryInfoVersion::undefined) == 0x7FFFFFFFu);

/// QnnSystemContext_BinaryInfoV1_t.
struct SystemContextBinaryInfoV1 {
  std::uint32_t backend_id;
  const char* build_id;
  Version core_api_version;
  Version backend_api_version;
  const char* soc_version;
  Version hw_info_blob_version;
  Version context_blob_version;
  std::uint32_t hw_info_blob_size;
  void* hw_info_blob;
  std::uint64_t context_blob_size;
  std::uint32_t num_context_tensors;
  Tensor* context_tensors;
  std::uint32_t num_graphs;
  SystemContextGraphInfo* graphs;
};
static_assert(sizeof(SystemContextBinaryInfoV1) == 128 && alignof(SystemContextBinaryInfoV1) == 8);
static_assert(offsetof(SystemContextBinaryInfoV1, backend_id) == 0);
static_assert(offsetof(SystemContextBinaryInfoV1, build_id) == 8);
static_assert(offsetof(SystemContextBinaryInfoV1, core_api_version) == 16);
static_assert(offsetof(SystemContextBinaryInfoV1, backend_api_version) == 28);
static_assert(offsetof(SystemContextBinaryInfoV1, soc_version) == 40);
static_assert(offsetof(SystemContextBinaryInfoV1, hw_info_blob_version) == 48);
static_assert(offsetof(SystemContextBinaryInfoV1, context_blob_version) == 60);
static_assert(offsetof(SystemContextBinaryInfoV1, hw_info_blob_size) == 72);
static_assert(offsetof(SystemContextBinaryInfoV1, hw_info_blob) == 80);
static_assert(offsetof(SystemContextBinaryInfoV1, context_blob_size) == 88);
static_assert(offsetof(SystemContextBinaryInfoV1, num_context_tensors) == 96);
static_assert(offsetof(SystemContextBinaryInfoV1, context_tensors) == 104);
static_assert(offsetof(SystemContextBinaryInfoV1, num_graphs) == 112);
static_assert(offsetof(SystemContextBinaryInfoV1, graphs) == 120);

/// QnnSystemContext_BinaryInfoV2_t.
struct SystemContextBinaryInfoV2 {
  std::uint32_t backend_id;
  const char* build_id;
  Version core_api_version;
  Version backend_api_version;
  const char* soc_version;
  Version hw_info_blob_version;
  Version context_blob_version;
  std::uint32_t hw_info_blob_size;
  void* hw_info_blob;
  std::uint64_t context_blob_size;
  std::uint32_t num_context_tensors;
  Tensor* context_tensors;
  std::uint32_t num_graphs;
  SystemContextGraphInfo* graphs;
  DevicePlatformInfo* platform_info;
};
static_assert(sizeof(SystemContextBinaryInfoV2) == 136 && alignof(SystemContextBinaryInfoV2) == 8);
static_assert(offsetof(SystemContextBinaryInfoV2, backend_id) == 0);
static_assert(offsetof(SystemContextBinaryInfoV2, build_id) == 8);
static_assert(offsetof(SystemContextBinaryInfoV2, core_api_version) == 16);
static_assert(offsetof(SystemContextBinaryInfoV2, backend_api_version) == 28);
static_assert(offsetof(SystemContextBinaryInfoV2, soc_version) == 40);
static_assert(offsetof(SystemContextBinaryInfoV2, hw_info_blob_version) == 48);
static_assert(offsetof(SystemContextBinaryInfoV2, context_blob_version) == 60);
static_assert(offsetof(SystemContextBinaryInfoV2, hw_info_blob_size) == 72);
static_assert(offsetof(SystemContextBinaryInfoV2, hw_info_blob) == 80);
static_assert(offsetof(SystemContextBinaryInfoV2, context_blob_size) == 88);
static_assert(offsetof(SystemContextBinaryInfoV2, num_context_tensors) == 96);
static_assert(offsetof(SystemContextBinaryInfoV2, context_tensors) == 104);
static_assert(offsetof(SystemContextBinaryInfoV2, num_graphs) == 112);
static_assert(offsetof(SystemContextBinaryInfoV2, graphs) == 120);
static_assert(offsetof(SystemContextBinaryInfoV2, platform_info) == 128);

/// QnnSystemContext_BinaryInfoV3_t.
struct SystemContextBinaryInfoV3 {
  std::uint32_t backend_id;
  const char* build_id;
  Version core_api_version;
  Version backend_api_version;
  const char* soc_version;
  Version context_blob_version;
  std::uint64_t context_blob_size;
  std::uint32_t num_context_tensors;
  Tensor* context_tensors;
  std::uint32_t num_graphs;
  SystemContextGraphInfo* graphs;
  DevicePlatformInfo* platform_info;
  std::uint32_t context_metadata_size;
  void* context_metadata;
  std::uint32_t soc_model;
};
static_assert(sizeof(SystemContextBinaryInfoV3) == 136 && alignof(SystemContextBinaryInfoV3) == 8);
static_assert(offsetof(SystemContextBinaryInfoV3, backend_id) == 0);
static_assert(offsetof(SystemContextBinaryInfoV3, build_id) == 8);
static_assert(offsetof(SystemContextBinaryInfoV3, core_api_version) == 16);
static_assert(offsetof(SystemContextBinaryInfoV3, backend_api_version) == 28);
static_assert(offsetof(SystemContextBinaryInfoV3, soc_version) == 40);
static_assert(offsetof(SystemContextBinaryInfoV3, context_blob_version) == 48);
static_assert(offsetof(SystemContextBinaryInfoV3, context_blob_size) == 64);
static_assert(offsetof(SystemContextBinaryInfoV3, num_context_tensors) == 72);
static_assert(offsetof(SystemContextBinaryInfoV3, context_tensors) == 80);
static_assert(offsetof(SystemContextBinaryInfoV3, num_graphs) == 88);
static_assert(offsetof(SystemContextBinaryInfoV3, graphs) == 96);
static_assert(offsetof(SystemContextBinaryInfoV3, platform_info) == 104);
static_assert(offsetof(SystemContextBinaryInfoV3, context_metadata_size) == 112);
static_assert(offsetof(SystemContextBinaryInfoV3, context_metadata) == 120);
static_assert(offsetof(SystemContextBinaryInfoV3, soc_model) == 128);

/// QnnSystemContext_BinaryInfo_t.
struct SystemContextBinaryInfo {
  SystemContextBinaryInfoVersion version;
  union {
    SystemContextBinaryInfoV1 context_binary_info_v1;
    SystemContextBinaryInfoV2 context_binary_info_v2;
    SystemContextBinaryInfoV3 context_binary_info_v3;
  };
};
static_assert(sizeof(SystemContextBinaryInfo) == 144 && alignof(SystemContextBinaryInfo) == 8);
static_assert(offsetof(SystemContextBinaryInfo, version) == 0);
static_assert(offsetof(SystemContextBinaryInfo, context_binary_info_v1) == 8);
static_assert(offsetof(SystemContextBinaryInfo, context_binary_info_v2) == 8);
static_assert(offsetof(SystemContextBinaryInfo, context_binary_info_v3) == 8);

}  // namespace qnnpp::abi
