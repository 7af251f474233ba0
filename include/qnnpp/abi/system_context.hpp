// Metadata of a context binary, which the system library reads without a backend.
#pragma once

#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/tensor.hpp"

namespace qnnpp::c_api {

struct OpaqueSystemContext;
/// System context, which owns metadata; created by system_context_create.
/// C: QnnSystemContext_Handle_t.
using SystemContextHandle = OpaqueSystemContext*;

/// Selects the member of SystemContextGraphInfo's union. C: QnnSystemContext_GraphInfoVersion_t.
enum class SystemContextGraphInfoVersion : std::uint32_t {
  v1 = 1,  ///< graph_info_v1.
  v2 = 2,  ///< graph_info_v2.
  v3 = 3,  ///< graph_info_v3. System 1.2.
  undefined = 0x7FFFFFFF,
};

/// Graph in a binary. C: QnnSystemContext_GraphInfoV1_t.
struct SystemContextGraphInfoV1 {
  const char* graph_name;           ///< Name of the graph.
  std::uint32_t num_graph_inputs;   ///< Length of graph_inputs.
  Tensor* graph_inputs;             ///< Input tensors without data.
  std::uint32_t num_graph_outputs;  ///< Length of graph_outputs.
  Tensor* graph_outputs;            ///< Output tensors without data.
};

/// SystemContextGraphInfoV1 with updateable tensors. C: QnnSystemContext_GraphInfoV2_t.
struct SystemContextGraphInfoV2 {
  const char* graph_name;                ///< Name of the graph.
  std::uint32_t num_graph_inputs;        ///< Length of graph_inputs.
  Tensor* graph_inputs;                  ///< Input tensors without data.
  std::uint32_t num_graph_outputs;       ///< Length of graph_outputs.
  Tensor* graph_outputs;                 ///< Output tensors without data.
  std::uint32_t num_updateable_tensors;  ///< Length of updateable_tensors.
  Tensor* updateable_tensors;            ///< Tensors that a section can update.
};

/// SystemContextGraphInfoV2 with data that the backend defines. C: QnnSystemContext_GraphInfoV3_t.
/// System 1.2.
struct SystemContextGraphInfoV3 {
  const char* graph_name;                ///< Name of the graph.
  std::uint32_t num_graph_inputs;        ///< Length of graph_inputs.
  Tensor* graph_inputs;                  ///< Input tensors without data.
  std::uint32_t num_graph_outputs;       ///< Length of graph_outputs.
  Tensor* graph_outputs;                 ///< Output tensors without data.
  std::uint32_t num_updateable_tensors;  ///< Length of updateable_tensors.
  Tensor* updateable_tensors;            ///< Tensors that a section can update.
  std::uint32_t graph_blob_info_size;    ///< Bytes of graph_blob_info.
  /// HTP: HtpSystemContextGraphBlobInfo, and HtpSystemContextGraphBlobInfoV2 behind it in newer
  /// binaries; test the size and the version of each first.
  void* graph_blob_info;
  std::uint32_t start_op_index;  ///< First op, if the graph is part of a larger graph.
  std::uint32_t end_op_index;    ///< Last op, if the graph is part of a larger graph.
};

/// Graph, any version. The size is 64 bytes in libraries before core 2.23, and 88 bytes since. With
/// an older library, iterate over an array by the library's size, not by sizeof.
/// C: QnnSystemContext_GraphInfo_t.
struct SystemContextGraphInfo {
  SystemContextGraphInfoVersion version;  ///< Selects the union member.
  union {
    SystemContextGraphInfoV1 graph_info_v1;  ///< For v1.
    SystemContextGraphInfoV2 graph_info_v2;  ///< For v2.
    SystemContextGraphInfoV3 graph_info_v3;  ///< For v3. System 1.2.
  };
};

/// Selects the member of SystemContextBinaryInfo's union. C: QnnSystemContext_BinaryInfoVersion_t.
enum class SystemContextBinaryInfoVersion : std::uint32_t {
  v1 = 1,  ///< context_binary_info_v1.
  v2 = 2,  ///< context_binary_info_v2.
  v3 = 3,  ///< context_binary_info_v3. System 1.2.
  undefined = 0x7FFFFFFF,
};

/// Content of a context binary. C: QnnSystemContext_BinaryInfoV1_t.
struct SystemContextBinaryInfoV1 {
  std::uint32_t backend_id;           ///< Backend that created the binary; 6 is HTP.
  const char* build_id;               ///< Build id of the SDK that created the binary.
  Version core_api_version;           ///< Core API of the library that created it.
  Version backend_api_version;        ///< Backend API of the library that created it.
  const char* soc_version;            ///< Chip that it is prepared for; may be NULL.
  Version hw_info_blob_version;       ///< Version of hw_info_blob.
  Version context_blob_version;       ///< Version of the binary's format.
  std::uint32_t hw_info_blob_size;    ///< Bytes of hw_info_blob.
  void* hw_info_blob;                 ///< HTP: array of HtpSystemContextHwBlobInfo.
  std::uint64_t context_blob_size;    ///< Bytes of the serialized context.
  std::uint32_t num_context_tensors;  ///< Length of context_tensors.
  Tensor* context_tensors;            ///< Tensors that graphs share.
  std::uint32_t num_graphs;           ///< Length of graphs.
  SystemContextGraphInfo* graphs;  ///< The graphs; SystemContextGraphInfo describes the iteration.
};

/// SystemContextBinaryInfoV1 with the platform. C: QnnSystemContext_BinaryInfoV2_t.
struct SystemContextBinaryInfoV2 {
  std::uint32_t backend_id;           ///< Backend that created the binary; 6 is HTP.
  const char* build_id;               ///< Build id of the SDK that created the binary.
  Version core_api_version;           ///< Core API of the library that created it.
  Version backend_api_version;        ///< Backend API of the library that created it.
  const char* soc_version;            ///< Chip that it is prepared for; may be NULL.
  Version hw_info_blob_version;       ///< Version of hw_info_blob.
  Version context_blob_version;       ///< Version of the binary's format.
  std::uint32_t hw_info_blob_size;    ///< Bytes of hw_info_blob.
  void* hw_info_blob;                 ///< HTP: array of HtpSystemContextHwBlobInfo.
  std::uint64_t context_blob_size;    ///< Bytes of the serialized context.
  std::uint32_t num_context_tensors;  ///< Length of context_tensors.
  Tensor* context_tensors;            ///< Tensors that graphs share.
  std::uint32_t num_graphs;           ///< Length of graphs.
  SystemContextGraphInfo* graphs;  ///< The graphs; SystemContextGraphInfo describes the iteration.
  DevicePlatformInfo* platform_info;  ///< Devices that it is prepared for; may be NULL.
};

/// Content of a context binary. The data that the backend defines is in the graphs and in
/// context_metadata. C: QnnSystemContext_BinaryInfoV3_t. System 1.2.
struct SystemContextBinaryInfoV3 {
  std::uint32_t backend_id;           ///< Backend that created the binary; 6 is HTP.
  const char* build_id;               ///< Build id of the SDK that created the binary.
  Version core_api_version;           ///< Core API of the library that created it.
  Version backend_api_version;        ///< Backend API of the library that created it.
  const char* soc_version;            ///< Chip that it is prepared for; may be NULL.
  Version context_blob_version;       ///< Version of the binary's format.
  std::uint64_t context_blob_size;    ///< Bytes of the serialized context.
  std::uint32_t num_context_tensors;  ///< Length of context_tensors.
  Tensor* context_tensors;            ///< Tensors that graphs share.
  std::uint32_t num_graphs;           ///< Length of graphs.
  SystemContextGraphInfo* graphs;  ///< The graphs; SystemContextGraphInfo describes the iteration.
  DevicePlatformInfo* platform_info;    ///< Devices that it is prepared for; may be NULL.
  std::uint32_t context_metadata_size;  ///< Bytes of context_metadata.
  void* context_metadata;               ///< HTP: HtpSystemContextContextBlobInfo.
  std::uint32_t soc_model;              ///< SocModel as a number.
};

/// Metadata of a context binary, any version. The system context owns it.
/// C: QnnSystemContext_BinaryInfo_t.
struct SystemContextBinaryInfo {
  SystemContextBinaryInfoVersion version;  ///< Selects the union member.
  union {
    SystemContextBinaryInfoV1 context_binary_info_v1;  ///< For v1.
    SystemContextBinaryInfoV2 context_binary_info_v2;  ///< For v2.
    SystemContextBinaryInfoV3 context_binary_info_v3;  ///< For v3. System 1.2.
  };
};

/// Creates a system context, which owns metadata. Free it with system_context_free.
/// C: QnnSystemContext_create. Codes: 1000, 1002, 1007, 1011, 30001.
using SystemContextCreateFn = ErrorHandle (*)(SystemContextHandle* sys_ctx_handle);

/// Returns the metadata, as system_context_get_meta_data does, and its size. Deprecated: the binary
/// is not const. C: QnnSystemContext_getBinaryInfo. Codes: 1000, 1007, 1011, 30000, 30001, 30002,
/// 30010.
using SystemContextGetBinaryInfoFn = ErrorHandle (*)(SystemContextHandle sys_ctx_handle,
                                                     void* binary_buffer,
                                                     std::uint64_t binary_buffer_size,
                                                     const SystemContextBinaryInfo** binary_info,
                                                     ContextBinarySize* binary_info_size);

/// Returns the metadata of a context binary. The system context owns the result.
/// C: QnnSystemContext_getMetadata. Codes: 1000, 1007, 1011, 30000, 30001, 30002, 30010.
using SystemContextGetMetaDataFn = ErrorHandle (*)(SystemContextHandle sys_ctx_handle,
                                                   const void* binary_buffer,
                                                   std::uint64_t binary_buffer_size,
                                                   const SystemContextBinaryInfo** binary_info);

/// Frees a system context and its metadata. C: QnnSystemContext_free. Codes: 1000, 1007, 1011,
/// 30000.
using SystemContextFreeFn = ErrorHandle (*)(SystemContextHandle sys_ctx_handle);

}  // namespace qnnpp::c_api
