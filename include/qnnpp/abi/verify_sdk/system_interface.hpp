// Part of verify_sdk.hpp; do not include it alone. Compares abi/system_interface.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/system_interface.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/system_interface.hpp"

// clang-format off
namespace qnnpp::c_api {

#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_VALUE(MappingType::tensor, QNN_OP_MAPPING_TYPE_TENSOR);
QNNPP_SAME_VALUE(MappingType::op, QNN_OP_MAPPING_TYPE_OP);
QNNPP_SAME_SIZE(OpMappingPair, Qnn_OpMappingPair_t);
QNNPP_SAME_FIELD(OpMappingPair, name, Qnn_OpMappingPair_t, name);
QNNPP_SAME_FIELD(OpMappingPair, type, Qnn_OpMappingPair_t, type);
QNNPP_SAME_SIZE(Mapping, Qnn_Mapping_t);
QNNPP_SAME_FIELD(Mapping, name, Qnn_Mapping_t, name);
QNNPP_SAME_FIELD(Mapping, pair, Qnn_Mapping_t, pair);
QNNPP_SAME_FIELD(Mapping, num_pairs, Qnn_Mapping_t, numPairs);
QNNPP_SAME_VALUE(OpMappingVersion::v1, QNN_OP_MAPPING_VERSION_1);
QNNPP_SAME_SIZE(OpMappingV1, Qnn_OpMappingV1_t);
QNNPP_SAME_FIELD(OpMappingV1, graph_name, Qnn_OpMappingV1_t, graphName);
QNNPP_SAME_FIELD(OpMappingV1, op_mappings, Qnn_OpMappingV1_t, opMappings);
QNNPP_SAME_FIELD(OpMappingV1, num_op_mappings, Qnn_OpMappingV1_t, numOpMappings);
QNNPP_SAME_FIELD(OpMappingV1, tensor_mappings, Qnn_OpMappingV1_t, tensorMappings);
QNNPP_SAME_FIELD(OpMappingV1, num_tensor_mappings, Qnn_OpMappingV1_t, numTensorMappings);
QNNPP_SAME_SIZE(OpMapping, Qnn_OpMapping_t);
QNNPP_SAME_FIELD(OpMapping, version, Qnn_OpMapping_t, version);
QNNPP_SAME_FIELD(OpMapping, v1, Qnn_OpMapping_t, v1);
#endif
#if defined(QNNPP_VERIFY_SYSTEM)
#if QNN_SYSTEM_API_VERSION_MINOR >= 4
QNNPP_SAME_VALUE(SystemContextGraphConfigInfoVersion::version_1, QNN_SYSTEM_DLC_GRAPH_CONFIG_INFO_VERSION_1);
QNNPP_SAME_VALUE(SystemContextGraphConfigInfoVersion::undefined, QNN_SYSTEM_DLC_GRAPH_CONFIG_INFO_UNDEFINED);
QNNPP_SAME_SIZE(SystemDlcGraphConfigInfoV1, QnnSystemDlc_GraphConfigInfoV1_t);
QNNPP_SAME_FIELD(SystemDlcGraphConfigInfoV1, graph_name, QnnSystemDlc_GraphConfigInfoV1_t, graphName);
QNNPP_SAME_FIELD(SystemDlcGraphConfigInfoV1, graph_configs, QnnSystemDlc_GraphConfigInfoV1_t, graphConfigs);
QNNPP_SAME_FIELD(SystemDlcGraphConfigInfoV1, num_configs, QnnSystemDlc_GraphConfigInfoV1_t, numConfigs);
QNNPP_SAME_SIZE(SystemDlcGraphConfigInfo, QnnSystemDlc_GraphConfigInfo_t);
QNNPP_SAME_FIELD(SystemDlcGraphConfigInfo, version, QnnSystemDlc_GraphConfigInfo_t, version);
QNNPP_SAME_FIELD(SystemDlcGraphConfigInfo, v1, QnnSystemDlc_GraphConfigInfo_t, v1);
#endif
QNNPP_SAME_FIELD(SystemInterfaceTable, system_context_create, QNN_SYSTEM_INTERFACE_VER_TYPE, systemContextCreate);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_context_get_binary_info, QNN_SYSTEM_INTERFACE_VER_TYPE, systemContextGetBinaryInfo);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_context_get_meta_data, QNN_SYSTEM_INTERFACE_VER_TYPE, systemContextGetMetaData);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_context_free, QNN_SYSTEM_INTERFACE_VER_TYPE, systemContextFree);
#if QNN_SYSTEM_API_VERSION_MINOR >= 4
QNNPP_SAME_FIELD(SystemInterfaceTable, system_tensor_get_memory_footprint, QNN_SYSTEM_INTERFACE_VER_TYPE, systemTensorGetMemoryFootprint);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_log_create, QNN_SYSTEM_INTERFACE_VER_TYPE, systemLogCreate);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_log_set_log_level, QNN_SYSTEM_INTERFACE_VER_TYPE, systemLogSetLogLevel);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_log_free, QNN_SYSTEM_INTERFACE_VER_TYPE, systemLogFree);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_dlc_create_from_file, QNN_SYSTEM_INTERFACE_VER_TYPE, systemDlcCreateFromFile);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_dlc_create_from_binary, QNN_SYSTEM_INTERFACE_VER_TYPE, systemDlcCreateFromBinary);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_dlc_compose_graphs, QNN_SYSTEM_INTERFACE_VER_TYPE, systemDlcComposeGraphs);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_dlc_get_op_mappings, QNN_SYSTEM_INTERFACE_VER_TYPE, systemDlcGetOpMappings);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_dlc_free, QNN_SYSTEM_INTERFACE_VER_TYPE, systemDlcFree);
#endif
#if QNN_SYSTEM_API_VERSION_MINOR >= 6
QNNPP_SAME_FIELD(SystemInterfaceTable, system_profile_create_serialization_target, QNN_SYSTEM_INTERFACE_VER_TYPE, systemProfileCreateSerializationTarget);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_profile_serialize_event_data, QNN_SYSTEM_INTERFACE_VER_TYPE, systemProfileSerializeEventData);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_profile_free_serialization_target, QNN_SYSTEM_INTERFACE_VER_TYPE, systemProfileFreeSerializationTarget);
#endif
QNNPP_SAME_FIELD(SystemInterface, backend_id, QnnSystemInterface_t, backendId);
QNNPP_SAME_FIELD(SystemInterface, provider_name, QnnSystemInterface_t, providerName);
QNNPP_SAME_FIELD(SystemInterface, system_api_version, QnnSystemInterface_t, systemApiVersion);
QNNPP_SAME_PLACE(SystemInterface, table, QnnSystemInterface_t, QNN_SYSTEM_INTERFACE_VER_NAME);
#endif  // system

}  // namespace qnnpp::c_api

#endif
