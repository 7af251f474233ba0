// DLCs, the SDK's model files: their graphs and the names of their source model.
#pragma once

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/system_context.hpp"

namespace qnnpp::c_api {

/// What a name stands for. C: Qnn_MappingType_t. Core 2.23.
enum class MappingType : std::uint32_t {
  tensor = 0,  ///< A tensor.
  op = 1,      ///< An op.
};

/// One name on the other side of a mapping. C: Qnn_OpMappingPair_t. Core 2.23.
struct OpMappingPair {
  const char* name;  ///< The name.
  MappingType type;  ///< What it stands for.
};

/// A name and the names it maps to. C: Qnn_Mapping_t. Core 2.23.
struct Mapping {
  const char* name;         ///< The name.
  OpMappingPair* pair;      ///< num_pairs names.
  std::uint32_t num_pairs;  ///< Length of pair.
};

/// Which member of OpMapping's union is set. C: Qnn_OpMappingVersion_t. Core 2.23.
enum class OpMappingVersion : std::uint32_t {
  v1 = 1,
};

/// Names of a graph mapped to those of its source model. C: Qnn_OpMappingV1_t. Core 2.23.
struct OpMappingV1 {
  const char* graph_name;             ///< The graph.
  Mapping* op_mappings;               ///< num_op_mappings ops.
  std::uint32_t num_op_mappings;      ///< Length of op_mappings.
  Mapping* tensor_mappings;           ///< num_tensor_mappings tensors.
  std::uint32_t num_tensor_mappings;  ///< Length of tensor_mappings.
};

/// Mappings of a graph, any version. Belong to the DLC. C: Qnn_OpMapping_t. Core 2.23.
struct OpMapping {
  OpMappingVersion version;  ///< Selects the union member.
  union {
    OpMappingV1* v1;  ///< By pointer.
  };
};

/// Which member of SystemDlcGraphConfigInfo's union is set.
/// C: QnnSystemContext_GraphConfigInfoVersion_t. System 1.4.
enum class SystemContextGraphConfigInfoVersion : std::uint32_t {
  version_1 = 1,
  undefined = 0x7FFFFFFF,
};

/// Options for one graph of a DLC. C: QnnSystemDlc_GraphConfigInfoV1_t. System 1.4.
struct SystemDlcGraphConfigInfoV1 {
  const char* graph_name;             ///< The graph.
  const GraphConfig** graph_configs;  ///< NULL-ended array of options.
  std::uint32_t num_configs;          ///< Number of options.
};

/// Options for one graph, any version. C: QnnSystemDlc_GraphConfigInfo_t. System 1.4.
struct SystemDlcGraphConfigInfo {
  SystemContextGraphConfigInfoVersion version;  ///< Selects the union member.
  union {
    SystemDlcGraphConfigInfoV1 v1;
  };
};

/// Opens a DLC. Free with system_dlc_free. C: QnnSystemDlc_createFromFile. System 1.4. Codes: 1000,
/// 1002, 1007, 1011, 30001.
using SystemDlcCreateFromFileFn = ErrorHandle (*)(LogHandle logger, const char* dlc_path,
                                                  SystemDlcHandle* dlc_handle);

/// Opens a DLC in memory, which stays valid until system_dlc_free.
/// C: QnnSystemDlc_createFromBinary. System 1.4. Codes: 1000, 1002, 1007, 1011, 30001.
using SystemDlcCreateFromBinaryFn = ErrorHandle (*)(LogHandle logger, const std::uint8_t* buffer,
                                                    ContextBinarySize buffer_size,
                                                    SystemDlcHandle* dlc_handle);

/// Composes the graphs of a DLC in a context through a backend's interface, and tells their
/// metadata. C: QnnSystemDlc_composeGraphs. System 1.4. Codes: 1000, 1002, 1007, 1011, 30000,
/// 30001.
using SystemDlcComposeGraphsFn =
    ErrorHandle (*)(SystemDlcHandle dlc_handle, const SystemDlcGraphConfigInfo** graph_configs,
                    std::uint32_t num_graph_configs, BackendHandle backend, ContextHandle context,
                    Interface backend_interface, SystemContextGraphInfoVersion graph_version,
                    SystemContextGraphInfo** graphs, std::uint32_t* num_graphs);

/// Names of ops and tensors mapped to the source model's. The result belongs to the DLC.
/// C: QnnSystemDlc_getOpMappings. System 1.4. Codes: 1000, 1007, 1011, 30000.
using SystemDlcGetOpMappingsFn = ErrorHandle (*)(SystemDlcHandle dlc_handle,
                                                 const OpMapping** op_mappings,
                                                 std::uint32_t* num_op_mappings);

/// Frees a DLC. C: QnnSystemDlc_free. System 1.4. Codes: 1000, 1007, 1011, 30000.
using SystemDlcFreeFn = ErrorHandle (*)(SystemDlcHandle dlc_handle);

}  // namespace qnnpp::c_api
