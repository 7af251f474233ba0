// Function table of the system library, and the symbol that returns it; DLCs, the SDK's model
// files, with their graphs and the names in their source models.
//
// As with interface.hpp, read a late slot only if the library's system API version has it. SDK 2.44
// (core 2.33) has the table in another order: do not use the system library of that SDK.
#pragma once

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/log.hpp"
#include "qnnpp/abi/system_context.hpp"
#include "qnnpp/abi/system_profile.hpp"

namespace qnnpp::c_api {

/// Returns the bytes of a tensor's data. C: QnnSystemTensor_getMemoryFootprint. System 1.4. Codes:
/// 1000, 1007, 1011, 30001, 30002.
using SystemTensorGetMemoryFootprintFn = ErrorHandle (*)(Tensor tensor, std::uint64_t* footprint);

/// Creates a logger for the system library; a NULL callback selects the platform's log.
/// C: QnnSystemLog_create. System 1.4. Codes: 1000, 1002, 11002, 11003.
using SystemLogCreateFn = ErrorHandle (*)(LogCallback callback, LogLevel max_log_level,
                                          LogHandle* logger);

/// Changes the level of a logger. C: QnnSystemLog_setLogLevel. System 1.4. Codes: 11003, 11004.
using SystemLogSetLogLevelFn = ErrorHandle (*)(LogHandle logger, LogLevel max_log_level);

/// Frees a logger. C: QnnSystemLog_free. System 1.4. Codes: 1002, 11004.
using SystemLogFreeFn = ErrorHandle (*)(LogHandle logger);

/// Kind of object that a name identifies. C: Qnn_MappingType_t. Core 2.23.
enum class MappingType : std::uint32_t {
  tensor = 0,  ///< A tensor.
  op = 1,      ///< An op.
};

/// Name on the other side of a mapping. C: Qnn_OpMappingPair_t. Core 2.23.
struct OpMappingPair {
  const char* name;  ///< The name.
  MappingType type;  ///< Kind of object.
};

/// Name and the names that it maps to. C: Qnn_Mapping_t. Core 2.23.
struct Mapping {
  const char* name;         ///< The name.
  OpMappingPair* pair;      ///< num_pairs names.
  std::uint32_t num_pairs;  ///< Length of pair.
};

/// Selects the member of OpMapping's union. C: Qnn_OpMappingVersion_t. Core 2.23.
enum class OpMappingVersion : std::uint32_t {
  v1 = 1,  ///< v1.
};

/// Mapping of a graph's names to the names in its source model. C: Qnn_OpMappingV1_t. Core 2.23.
struct OpMappingV1 {
  const char* graph_name;             ///< The graph.
  Mapping* op_mappings;               ///< Mappings of ops.
  std::uint32_t num_op_mappings;      ///< Length of op_mappings.
  Mapping* tensor_mappings;           ///< Mappings of tensors.
  std::uint32_t num_tensor_mappings;  ///< Length of tensor_mappings.
};

/// Mappings of a graph, any version. The DLC owns them. C: Qnn_OpMapping_t. Core 2.23.
struct OpMapping {
  OpMappingVersion version;  ///< Selects the union member.
  union {
    OpMappingV1* v1;  ///< By pointer.
  };
};

/// Selects the member of SystemDlcGraphConfigInfo's union.
/// C: QnnSystemContext_GraphConfigInfoVersion_t. System 1.4.
enum class SystemContextGraphConfigInfoVersion : std::uint32_t {
  version_1 = 1,  ///< v1.
  undefined = 0x7FFFFFFF,
};

/// Options of one graph of a DLC. C: QnnSystemDlc_GraphConfigInfoV1_t. System 1.4.
struct SystemDlcGraphConfigInfoV1 {
  const char* graph_name;             ///< The graph.
  const GraphConfig** graph_configs;  ///< NULL-ended array of options.
  std::uint32_t num_configs;          ///< Number of options.
};

/// Options of one graph, any version. C: QnnSystemDlc_GraphConfigInfo_t. System 1.4.
struct SystemDlcGraphConfigInfo {
  SystemContextGraphConfigInfoVersion version;  ///< Selects the union member.
  union {
    SystemDlcGraphConfigInfoV1 v1;  ///< By value.
  };
};

/// Opens a DLC. Free it with system_dlc_free. C: QnnSystemDlc_createFromFile. System 1.4. Codes:
/// 1000, 1002, 1007, 1011, 30001.
using SystemDlcCreateFromFileFn = ErrorHandle (*)(LogHandle logger, const char* dlc_path,
                                                  SystemDlcHandle* dlc_handle);

/// Opens a DLC in memory. Keep the memory until system_dlc_free. C: QnnSystemDlc_createFromBinary.
/// System 1.4. Codes: 1000, 1002, 1007, 1011, 30001.
using SystemDlcCreateFromBinaryFn = ErrorHandle (*)(LogHandle logger, const std::uint8_t* buffer,
                                                    ContextBinarySize buffer_size,
                                                    SystemDlcHandle* dlc_handle);

/// Composes the graphs of a DLC in a context through a backend's interface, and returns their
/// metadata. C: QnnSystemDlc_composeGraphs. System 1.4. Codes: 1000, 1002, 1007, 1011, 30000,
/// 30001.
using SystemDlcComposeGraphsFn =
    ErrorHandle (*)(SystemDlcHandle dlc_handle, const SystemDlcGraphConfigInfo** graph_configs,
                    std::uint32_t num_graph_configs, BackendHandle backend, ContextHandle context,
                    Interface backend_interface, SystemContextGraphInfoVersion graph_version,
                    SystemContextGraphInfo** graphs, std::uint32_t* num_graphs);

/// Returns the mapping of op and tensor names to the names in the source model. The DLC owns the
/// result. C: QnnSystemDlc_getOpMappings. System 1.4. Codes: 1000, 1007, 1011, 30000.
using SystemDlcGetOpMappingsFn = ErrorHandle (*)(SystemDlcHandle dlc_handle,
                                                 const OpMapping** op_mappings,
                                                 std::uint32_t* num_op_mappings);

/// Frees a DLC. C: QnnSystemDlc_free. System 1.4. Codes: 1000, 1007, 1011, 30000.
using SystemDlcFreeFn = ErrorHandle (*)(SystemDlcHandle dlc_handle);

/// Functions of the system library, in the order of system 1.7. Each comment is the slot's number
/// and, if some versions lack the slot, the first system version that has it.
/// C: QnnSystemInterface_ImplementationV1_7_t; older versions are its beginning.
struct SystemInterfaceTable {
  SystemContextCreateFn system_context_create;                          ///< 0
  SystemContextGetBinaryInfoFn system_context_get_binary_info;          ///< 1
  SystemContextGetMetaDataFn system_context_get_meta_data;              ///< 2
  SystemContextFreeFn system_context_free;                              ///< 3
  SystemTensorGetMemoryFootprintFn system_tensor_get_memory_footprint;  ///< 4, system 1.4
  SystemLogCreateFn system_log_create;                                  ///< 5, system 1.4
  SystemLogSetLogLevelFn system_log_set_log_level;                      ///< 6, system 1.4
  SystemLogFreeFn system_log_free;                                      ///< 7, system 1.4
  SystemDlcCreateFromFileFn system_dlc_create_from_file;                ///< 8, system 1.4
  SystemDlcCreateFromBinaryFn system_dlc_create_from_binary;            ///< 9, system 1.4
  SystemDlcComposeGraphsFn system_dlc_compose_graphs;                   ///< 10, system 1.4
  SystemDlcGetOpMappingsFn system_dlc_get_op_mappings;                  ///< 11, system 1.4
  SystemDlcFreeFn system_dlc_free;                                      ///< 12, system 1.4
  /// 13, system 1.6
  SystemProfileCreateSerializationTargetFn system_profile_create_serialization_target;
  SystemProfileSerializeEventDataFn system_profile_serialize_event_data;  ///< 14, system 1.6
  /// 15, system 1.6
  SystemProfileFreeSerializationTargetFn system_profile_free_serialization_target;
};

/// Interface of the system library, which owns it. C: QnnSystemInterface_t.
struct SystemInterface {
  std::uint32_t backend_id;    ///< Not used.
  const char* provider_name;   ///< "SYSTEM_QTI_AISW"; may be NULL.
  Version system_api_version;  ///< Check it before reading any slot after 3.
  SystemInterfaceTable table;  ///< The functions.
};

/// Returns the interfaces of the library. Exported symbol QnnSystemInterface_getProviders. The list
/// and its entries are valid while the library is loaded. Codes: 1000, 1004.
using SystemInterfaceGetProvidersFn = ErrorHandle (*)(const SystemInterface*** provider_list,
                                                      std::uint32_t* num_providers);

}  // namespace qnnpp::c_api
