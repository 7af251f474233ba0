#pragma once

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/log.hpp"
#include "qnnpp/abi/system_context.hpp"

namespace qnnpp::abi {

/// Qnn_MappingType_t.
enum class MappingType : std::uint32_t {
  tensor = 0,
  op = 1,
};
static_assert(std::uint32_t(MappingType::tensor) == 0u);
static_assert(std::uint32_t(MappingType::op) == 1u);

/// Qnn_OpMappingPair_t.
struct OpMappingPair {
  const char* name;
  MappingType type;
};
static_assert(sizeof(OpMappingPair) == 16 && alignof(OpMappingPair) == 8);
static_assert(offsetof(OpMappingPair, name) == 0);
static_assert(offsetof(OpMappingPair, type) == 8);

/// Qnn_Mapping_t.
struct Mapping {
  const char* name;
  OpMappingPair* pair;
  std::uint32_t num_pairs;
};
static_assert(sizeof(Mapping) == 24 && alignof(Mapping) == 8);
static_assert(offsetof(Mapping, name) == 0);
static_assert(offsetof(Mapping, pair) == 8);
static_assert(offsetof(Mapping, num_pairs) == 16);

/// Qnn_OpMappingVersion_t.
enum class OpMappingVersion : std::uint32_t {
  v1 = 1,
};
static_assert(std::uint32_t(OpMappingVersion::v1) == 1u);

/// Qnn_OpMappingV1_t.
struct OpMappingV1 {
  const char* graph_name;
  Mapping* op_mappings;
  std::uint32_t num_op_mappings;
  Mapping* tensor_mappings;
  std::uint32_t num_tensor_mappings;
};
static_assert(sizeof(OpMappingV1) == 40 && alignof(OpMappingV1) == 8);
static_assert(offsetof(OpMappingV1, graph_name) == 0);
static_assert(offsetof(OpMappingV1, op_mappings) == 8);
static_assert(offsetof(OpMappingV1, num_op_mappings) == 16);
static_assert(offsetof(OpMappingV1, tensor_mappings) == 24);
static_assert(offsetof(OpMappingV1, num_tensor_mappings) == 32);

/// Qnn_OpMapping_t.
struct OpMapping {
  OpMappingVersion version;
  union {
    OpMappingV1* v1;
  };
};
static_assert(sizeof(OpMapping) == 16 && alignof(OpMapping) == 8);
static_assert(offsetof(OpMapping, version) == 0);
static_assert(offsetof(OpMapping, v1) == 8);

/// QnnSystemContext_GraphConfigInfoVersion_t.
enum class SystemContextGraphConfigInfoVersion : std::uint32_t {
  version_1 = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(SystemContextGraphConfigInfoVersion::version_1) == 1u);
static_assert(std::uint32_t(SystemContextGraphConfigInfoVersion::undefined) == 0x7FFFFFFFu);

/// QnnSystemDlc_GraphConfigInfoV1_t.
struct SystemDlcGraphConfigInfoV1 {
  const char* graph_name;
  const GraphConfig** graph_configs;
  std::uint32_t num_configs;
};
static_assert(sizeof(SystemDlcGraphConfigInfoV1) == 24 && alignof(SystemDlcGraphConfigInfoV1) == 8);
static_assert(offsetof(SystemDlcGraphConfigInfoV1, graph_name) == 0);
static_assert(offsetof(SystemDlcGraphConfigInfoV1, graph_configs) == 8);
static_assert(offsetof(SystemDlcGraphConfigInfoV1, num_configs) == 16);

/// QnnSystemDlc_GraphConfigInfo_t.
struct SystemDlcGraphConfigInfo {
  SystemContextGraphConfigInfoVersion version;
  union {
    SystemDlcGraphConfigInfoV1 v1;
  };
};
static_assert(sizeof(SystemDlcGraphConfigInfo) == 32 && alignof(SystemDlcGraphConfigInfo) == 8);
static_assert(offsetof(SystemDlcGraphConfigInfo, version) == 0);
static_assert(offsetof(SystemDlcGraphConfigInfo, v1) == 8);

/// QnnSystemProfile_SerializationTargetType_t.
enum class SystemProfileSerializationTargetType : std::uint32_t {
  file = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(SystemProfileSerializationTargetType::file) == 1u);
static_assert(std::uint32_t(SystemProfileSerializationTargetType::undefined) == 0x7FFFFFFFu);

/// QnnSystemProfile_SerializationTargetFile_t.
struct SystemProfileSerializationTargetFile {
  const char* file_name;
  const char* file_directory;
};
static_assert(sizeof(SystemProfileSerializationTargetFile) == 16 && alignof(SystemProfileSerializationTargetFile) == 8);
static_assert(offsetof(SystemProfileSerializationTargetFile, file_name) == 0);
static_assert(offsetof(SystemProfileSerializationTargetFile, file_directory) == 8);

/// QnnSystemProfile_SerializationTarget_t.
struct SystemProfileSerializationTarget {
  SystemProfileSerializationTargetType type;
  union {
    SystemProfileSerializationTargetFile file;
  };
};
static_assert(sizeof(SystemProfileSerializationTarget) == 24 && alignof(SystemProfileSerializationTarget) == 8);
static_assert(offsetof(SystemProfileSerializationTarget, type) == 0);
static_assert(offsetof(SystemProfileSerializationTarget, file) == 8);

/// QnnSystemProfile_SerializationFileHeader_t.
struct SystemProfileSerializationFileHeader {
  const char* app_name;
  const char* app_version;
  const char* backend_version;
};
static_assert(sizeof(SystemProfileSerializationFileHeader) == 24 && alignof(SystemProfileSerializationFileHeader) == 8);
static_assert(offsetof(SystemProfileSerializationFileHeader, app_name) == 0);
static_assert(offsetof(SystemProfileSerializationFileHeader, app_version) == 8);
static_assert(offsetof(SystemProfileSerializationFileHeader, backend_version) == 16);

/// QnnSystemProfile_SerializationTargetConfigType_t.
enum class SystemProfileSerializationTargetConfigType : std::uint32_t {
  max_num_messages = 0,
  serialization_header = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(SystemProfileSerializationTargetConfigType::max_num_messages) == 0u);
static_assert(std::uint32_t(SystemProfileSerializationTargetConfigType::serialization_header) == 1u);
static_assert(std::uint32_t(SystemProfileSerializationTargetConfigType::undefined) == 0x7FFFFFFFu);

/// QnnSystemProfile_SerializationTargetConfig_t.
struct SystemProfileSerializationTargetConfig {
  SystemProfileSerializationTargetConfigType type;
  union {
    std::uint32_t max_num_messages;
    SystemProfileSerializationFileHeader serialization_header;
  };
};
static_assert(sizeof(SystemProfileSerializationTargetConfig) == 32 && alignof(SystemProfileSerializationTargetConfig) == 8);
static_assert(offsetof(SystemProfileSerializationTargetConfig, type) == 0);
static_assert(offsetof(SystemProfileSerializationTargetConfig, max_num_messages) == 8);
static_assert(offsetof(SystemProfileSerializationTargetConfig, serialization_header) == 8);

struct SystemProfileProfileData;
struct OpaqueSystemProfileSerializationTarget;
using SystemProfileSerializationTargetHandle = OpaqueSystemProfileSerializationTarget*;

using SystemContextCreateFn = ErrorHandle (*)(SystemContextHandle* sys_ctx_handle);
using SystemContextGetBinaryInfoFn = ErrorHandle (*)(SystemContextHandle sys_ctx_handle, void* binary_buffer, std::uint64_t binary_buffer_size, const SystemContextBinaryInfo** binary_info, ContextBinarySize* binary_info_size);
using SystemContextGetMetaDataFn = ErrorHandle (*)(SystemContextHandle sys_ctx_handle, const void* binary_buffer, std::uint64_t binary_buffer_size, const SystemContextBinaryInfo** binary_info);
using SystemContextFreeFn = ErrorHandle (*)(SystemContextHandle sys_ctx_handle);
using SystemTensorGetMemoryFootprintFn = ErrorHandle (*)(Tensor tensor, std::uint64_t* footprint);
using SystemLogCreateFn = ErrorHandle (*)(LogCallback callback, LogLevel max_log_level, LogHandle* logger);
using SystemLogSetLogLevelFn = ErrorHandle (*)(LogHandle logger, LogLevel max_log_level);
using SystemLogFreeFn = ErrorHandle (*)(LogHandle logger);
using SystemDlcCreateFromFileFn = ErrorHandle (*)(LogHandle logger, const char* dlc_path, SystemDlcHandle* dlc_handle);
using SystemDlcCreateFromBinaryFn = ErrorHandle (*)(LogHandle logger, const std::uint8_t* buffer, const ContextBinarySize buffer_size, SystemDlcHandle* dlc_handle);
using SystemDlcComposeGraphsFn = ErrorHandle (*)(SystemDlcHandle dlc_handle, const SystemDlcGraphConfigInfo** graph_configs, const std::uint32_t num_graph_configs, BackendHandle backend, ContextHandle context, Interface interface, SystemContextGraphInfoVersion graph_version, SystemContextGraphInfo** graphs, std::uint32_t* num_graphs);
using SystemDlcGetOpMappingsFn = ErrorHandle (*)(SystemDlcHandle dlc_handle, const OpMapping** op_mappings, std::uint32_t* num_op_mappings);
using SystemDlcFreeFn = ErrorHandle (*)(SystemDlcHandle dlc_handle);
using SystemProfileCreateSerializationTargetFn = ErrorHandle (*)(SystemProfileSerializationTarget serialization_target_info, SystemProfileSerializationTargetConfig* configs, std::uint32_t num_configs, SystemProfileSerializationTargetHandle* serialization_target);
using SystemProfileSerializeEventDataFn = ErrorHandle (*)(SystemProfileSerializationTargetHandle serialization_target, const SystemProfileProfileData** event_data, std::uint32_t num_events);
using SystemProfileFreeSerializationTargetFn = ErrorHandle (*)(SystemProfileSerializationTargetHandle serialization_target);

struct SystemInterfaceTable {
  SystemContextCreateFn system_context_create;
  SystemContextGetBinaryInfoFn system_context_get_binary_info;
  SystemContextGetMetaDataFn system_context_get_meta_data;
  SystemContextFreeFn system_context_free;
  SystemTensorGetMemoryFootprintFn system_tensor_get_memory_footprint;
  SystemLogCreateFn system_log_create;
  SystemLogSetLogLevelFn system_log_set_log_level;
  SystemLogFreeFn system_log_free;
  SystemDlcCreateFromFileFn system_dlc_create_from_file;
  SystemDlcCreateFromBinaryFn system_dlc_create_from_binary;
  SystemDlcComposeGraphsFn system_dlc_compose_graphs;
  SystemDlcGetOpMappingsFn system_dlc_get_op_mappings;
  SystemDlcFreeFn system_dlc_free;
  SystemProfileCreateSerializationTargetFn system_profile_create_serialization_target;
  SystemProfileSerializeEventDataFn system_profile_serialize_event_data;
  SystemProfileFreeSerializationTargetFn system_profile_free_serialization_target;
};

static_assert(offsetof(SystemInterfaceTable, system_context_create) == 0);
static_assert(offsetof(SystemInterfaceTable, system_context_get_binary_info) == 8);
static_assert(offsetof(SystemInterfaceTable, system_context_get_meta_data) == 16);
static_assert(offsetof(SystemInterfaceTable, system_context_free) == 24);
static_assert(offsetof(SystemInterfaceTable, system_tensor_get_memory_footprint) == 32);
static_assert(offsetof(SystemInterfaceTable, system_log_create) == 40);
static_assert(offsetof(SystemInterfaceTable, system_log_set_log_level) == 48);
static_assert(offsetof(SystemInterfaceTable, system_log_free) == 56);
static_assert(offsetof(SystemInterfaceTable, system_dlc_create_from_file) == 64);
static_assert(offsetof(SystemInterfaceTable, system_dlc_create_from_binary) == 72);
static_assert(offsetof(SystemInterfaceTable, system_dlc_compose_graphs) == 80);
static_assert(offsetof(SystemInterfaceTable, system_dlc_get_op_mappings) == 88);
static_assert(offsetof(SystemInterfaceTable, system_dlc_free) == 96);
static_assert(offsetof(SystemInterfaceTable, system_profile_create_serialization_target) == 104);
static_assert(offsetof(SystemInterfaceTable, system_profile_serialize_event_data) == 112);
static_assert(offsetof(SystemInterfaceTable, system_profile_free_serialization_target) == 120);
static_assert(sizeof(SystemInterfaceTable) == 128);

struct SystemInterface {
  std::uint32_t backend_id;
  const char* provider_name;
  Version system_api_version;
  SystemInterfaceTable table;
};
static_assert(offsetof(SystemInterface, table) == 32);

using SystemInterfaceGetProvidersFn = ErrorHandle (*)(const SystemInterface*** provider_list, std::uint32_t* num_providers);

}  // namespace qnnpp::abi
