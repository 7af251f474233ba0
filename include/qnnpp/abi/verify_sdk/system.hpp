// Part of verify_sdk.hpp; do not include it alone. Compares the system library.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include <cstddef>
#include <cstdint>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/system_context.hpp"
#include "qnnpp/abi/system_interface.hpp"
#include "qnnpp/abi/system_profile.hpp"

namespace qnnpp::c_api {

// error.hpp
#if QNN_SYSTEM_API_VERSION_MINOR >= 6
QNNPP_SAME_VALUE(SystemCommonError::unsupported_feature,
                 QNN_SYSTEM_COMMON_ERROR_UNSUPPORTED_FEATURE);
QNNPP_SAME_VALUE(SystemCommonError::invalid_handle, QNN_SYSTEM_COMMON_ERROR_INVALID_HANDLE);
QNNPP_SAME_VALUE(SystemCommonError::invalid_argument, QNN_SYSTEM_COMMON_ERROR_INVALID_ARGUMENT);
#endif
QNNPP_SAME_VALUE(SystemInterfaceError::not_supported, QNN_SYSTEM_INTERFACE_ERROR_NOT_SUPPORTED);
QNNPP_SAME_VALUE(SystemInterfaceError::invalid_parameter,
                 QNN_SYSTEM_INTERFACE_ERROR_INVALID_PARAMETER);
QNNPP_SAME_VALUE(SystemContextError::unsupported_feature,
                 QNN_SYSTEM_CONTEXT_ERROR_UNSUPPORTED_FEATURE);
QNNPP_SAME_VALUE(SystemContextError::invalid_handle, QNN_SYSTEM_CONTEXT_ERROR_INVALID_HANDLE);
QNNPP_SAME_VALUE(SystemContextError::invalid_argument, QNN_SYSTEM_CONTEXT_ERROR_INVALID_ARGUMENT);
QNNPP_SAME_VALUE(SystemContextError::operation_failed, QNN_SYSTEM_CONTEXT_ERROR_OPERATION_FAILED);
QNNPP_SAME_VALUE(SystemContextError::malformed_binary, QNN_SYSTEM_CONTEXT_ERROR_MALFORMED_BINARY);
#if QNN_SYSTEM_API_VERSION_MINOR >= 4
QNNPP_SAME_VALUE(SystemTensorError::unsupported_feature,
                 QNN_SYSTEM_TENSOR_ERROR_UNSUPPORTED_FEATURE);
QNNPP_SAME_VALUE(SystemTensorError::invalid_argument, QNN_SYSTEM_TENSOR_ERROR_INVALID_ARGUMENT);
QNNPP_SAME_VALUE(SystemTensorError::invalid_tensor, QNN_SYSTEM_TENSOR_ERROR_INVALID_TENSOR);
QNNPP_SAME_VALUE(SystemDlcError::unsupported_feature, QNN_SYSTEM_DLC_ERROR_UNSUPPORTED_FEATURE);
QNNPP_SAME_VALUE(SystemDlcError::invalid_handle, QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE);
QNNPP_SAME_VALUE(SystemDlcError::invalid_argument, QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT);
QNNPP_SAME_VALUE(SystemDlcError::operation_failed, QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED);
QNNPP_SAME_VALUE(SystemDlcError::malformed_binary, QNN_SYSTEM_DLC_ERROR_MALFORMED_BINARY);
#endif
#if QNN_SYSTEM_API_VERSION_MINOR >= 6
QNNPP_SAME_VALUE(SystemProfileError::unsupported_feature,
                 QNN_SYSTEM_PROFILE_ERROR_UNSUPPORTED_FEATURE);
QNNPP_SAME_VALUE(SystemProfileError::invalid_handle, QNN_SYSTEM_PROFILE_ERROR_INVALID_HANDLE);
QNNPP_SAME_VALUE(SystemProfileError::invalid_argument, QNN_SYSTEM_PROFILE_ERROR_INVALID_ARGUMENT);
QNNPP_SAME_VALUE(SystemProfileError::mem_alloc, QNN_SYSTEM_PROFILE_ERROR_MEM_ALLOC);
#endif

// system_context.hpp
QNNPP_SAME_VALUE(SystemContextGraphInfoVersion::v1, QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_1);
QNNPP_SAME_VALUE(SystemContextGraphInfoVersion::v2, QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_2);
#if QNN_SYSTEM_API_VERSION_MINOR >= 2
QNNPP_SAME_VALUE(SystemContextGraphInfoVersion::v3, QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_3);
#endif
QNNPP_SAME_VALUE(SystemContextGraphInfoVersion::undefined, QNN_SYSTEM_CONTEXT_GRAPH_INFO_UNDEFINED);
QNNPP_SAME_SIZE(SystemContextGraphInfoV1, QnnSystemContext_GraphInfoV1_t);
QNNPP_SAME_FIELD(SystemContextGraphInfoV1, graph_name, QnnSystemContext_GraphInfoV1_t, graphName);
QNNPP_SAME_FIELD(SystemContextGraphInfoV1, num_graph_inputs, QnnSystemContext_GraphInfoV1_t,
                 numGraphInputs);
QNNPP_SAME_FIELD(SystemContextGraphInfoV1, graph_inputs, QnnSystemContext_GraphInfoV1_t,
                 graphInputs);
QNNPP_SAME_FIELD(SystemContextGraphInfoV1, num_graph_outputs, QnnSystemContext_GraphInfoV1_t,
                 numGraphOutputs);
QNNPP_SAME_FIELD(SystemContextGraphInfoV1, graph_outputs, QnnSystemContext_GraphInfoV1_t,
                 graphOutputs);
QNNPP_SAME_SIZE(SystemContextGraphInfoV2, QnnSystemContext_GraphInfoV2_t);
QNNPP_SAME_FIELD(SystemContextGraphInfoV2, graph_name, QnnSystemContext_GraphInfoV2_t, graphName);
QNNPP_SAME_FIELD(SystemContextGraphInfoV2, num_graph_inputs, QnnSystemContext_GraphInfoV2_t,
                 numGraphInputs);
QNNPP_SAME_FIELD(SystemContextGraphInfoV2, graph_inputs, QnnSystemContext_GraphInfoV2_t,
                 graphInputs);
QNNPP_SAME_FIELD(SystemContextGraphInfoV2, num_graph_outputs, QnnSystemContext_GraphInfoV2_t,
                 numGraphOutputs);
QNNPP_SAME_FIELD(SystemContextGraphInfoV2, graph_outputs, QnnSystemContext_GraphInfoV2_t,
                 graphOutputs);
QNNPP_SAME_FIELD(SystemContextGraphInfoV2, num_updateable_tensors, QnnSystemContext_GraphInfoV2_t,
                 numUpdateableTensors);
QNNPP_SAME_FIELD(SystemContextGraphInfoV2, updateable_tensors, QnnSystemContext_GraphInfoV2_t,
                 updateableTensors);
#if QNN_SYSTEM_API_VERSION_MINOR >= 2
QNNPP_SAME_SIZE(SystemContextGraphInfoV3, QnnSystemContext_GraphInfoV3_t);
QNNPP_SAME_FIELD(SystemContextGraphInfoV3, graph_name, QnnSystemContext_GraphInfoV3_t, graphName);
QNNPP_SAME_FIELD(SystemContextGraphInfoV3, num_graph_inputs, QnnSystemContext_GraphInfoV3_t,
                 numGraphInputs);
QNNPP_SAME_FIELD(SystemContextGraphInfoV3, graph_inputs, QnnSystemContext_GraphInfoV3_t,
                 graphInputs);
QNNPP_SAME_FIELD(SystemContextGraphInfoV3, num_graph_outputs, QnnSystemContext_GraphInfoV3_t,
                 numGraphOutputs);
QNNPP_SAME_FIELD(SystemContextGraphInfoV3, graph_outputs, QnnSystemContext_GraphInfoV3_t,
                 graphOutputs);
QNNPP_SAME_FIELD(SystemContextGraphInfoV3, num_updateable_tensors, QnnSystemContext_GraphInfoV3_t,
                 numUpdateableTensors);
QNNPP_SAME_FIELD(SystemContextGraphInfoV3, updateable_tensors, QnnSystemContext_GraphInfoV3_t,
                 updateableTensors);
QNNPP_SAME_FIELD(SystemContextGraphInfoV3, graph_blob_info_size, QnnSystemContext_GraphInfoV3_t,
                 graphBlobInfoSize);
QNNPP_SAME_FIELD(SystemContextGraphInfoV3, graph_blob_info, QnnSystemContext_GraphInfoV3_t,
                 graphBlobInfo);
QNNPP_SAME_FIELD(SystemContextGraphInfoV3, start_op_index, QnnSystemContext_GraphInfoV3_t,
                 startOpIndex);
QNNPP_SAME_FIELD(SystemContextGraphInfoV3, end_op_index, QnnSystemContext_GraphInfoV3_t,
                 endOpIndex);
QNNPP_SAME_SIZE(SystemContextGraphInfo, QnnSystemContext_GraphInfo_t);
#endif
QNNPP_SAME_FIELD(SystemContextGraphInfo, version, QnnSystemContext_GraphInfo_t, version);
QNNPP_SAME_FIELD(SystemContextGraphInfo, graph_info_v1, QnnSystemContext_GraphInfo_t, graphInfoV1);
QNNPP_SAME_FIELD(SystemContextGraphInfo, graph_info_v2, QnnSystemContext_GraphInfo_t, graphInfoV2);
#if QNN_SYSTEM_API_VERSION_MINOR >= 2
QNNPP_SAME_FIELD(SystemContextGraphInfo, graph_info_v3, QnnSystemContext_GraphInfo_t, graphInfoV3);
#endif
QNNPP_SAME_VALUE(SystemContextBinaryInfoVersion::v1, QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_1);
QNNPP_SAME_VALUE(SystemContextBinaryInfoVersion::v2, QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_2);
#if QNN_SYSTEM_API_VERSION_MINOR >= 2
QNNPP_SAME_VALUE(SystemContextBinaryInfoVersion::v3, QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_3);
#endif
QNNPP_SAME_VALUE(SystemContextBinaryInfoVersion::undefined,
                 QNN_SYSTEM_CONTEXT_BINARY_INFO_UNDEFINED);
QNNPP_SAME_SIZE(SystemContextBinaryInfoV1, QnnSystemContext_BinaryInfoV1_t);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV1, backend_id, QnnSystemContext_BinaryInfoV1_t, backendId);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV1, build_id, QnnSystemContext_BinaryInfoV1_t, buildId);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV1, core_api_version, QnnSystemContext_BinaryInfoV1_t,
                 coreApiVersion);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV1, backend_api_version, QnnSystemContext_BinaryInfoV1_t,
                 backendApiVersion);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV1, soc_version, QnnSystemContext_BinaryInfoV1_t,
                 socVersion);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV1, hw_info_blob_version, QnnSystemContext_BinaryInfoV1_t,
                 hwInfoBlobVersion);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV1, context_blob_version, QnnSystemContext_BinaryInfoV1_t,
                 contextBlobVersion);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV1, hw_info_blob_size, QnnSystemContext_BinaryInfoV1_t,
                 hwInfoBlobSize);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV1, hw_info_blob, QnnSystemContext_BinaryInfoV1_t,
                 hwInfoBlob);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV1, context_blob_size, QnnSystemContext_BinaryInfoV1_t,
                 contextBlobSize);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV1, num_context_tensors, QnnSystemContext_BinaryInfoV1_t,
                 numContextTensors);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV1, context_tensors, QnnSystemContext_BinaryInfoV1_t,
                 contextTensors);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV1, num_graphs, QnnSystemContext_BinaryInfoV1_t, numGraphs);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV1, graphs, QnnSystemContext_BinaryInfoV1_t, graphs);
QNNPP_SAME_SIZE(SystemContextBinaryInfoV2, QnnSystemContext_BinaryInfoV2_t);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, backend_id, QnnSystemContext_BinaryInfoV2_t, backendId);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, build_id, QnnSystemContext_BinaryInfoV2_t, buildId);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, core_api_version, QnnSystemContext_BinaryInfoV2_t,
                 coreApiVersion);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, backend_api_version, QnnSystemContext_BinaryInfoV2_t,
                 backendApiVersion);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, soc_version, QnnSystemContext_BinaryInfoV2_t,
                 socVersion);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, hw_info_blob_version, QnnSystemContext_BinaryInfoV2_t,
                 hwInfoBlobVersion);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, context_blob_version, QnnSystemContext_BinaryInfoV2_t,
                 contextBlobVersion);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, hw_info_blob_size, QnnSystemContext_BinaryInfoV2_t,
                 hwInfoBlobSize);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, hw_info_blob, QnnSystemContext_BinaryInfoV2_t,
                 hwInfoBlob);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, context_blob_size, QnnSystemContext_BinaryInfoV2_t,
                 contextBlobSize);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, num_context_tensors, QnnSystemContext_BinaryInfoV2_t,
                 numContextTensors);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, context_tensors, QnnSystemContext_BinaryInfoV2_t,
                 contextTensors);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, num_graphs, QnnSystemContext_BinaryInfoV2_t, numGraphs);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, graphs, QnnSystemContext_BinaryInfoV2_t, graphs);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV2, platform_info, QnnSystemContext_BinaryInfoV2_t,
                 platformInfo);
#if QNN_SYSTEM_API_VERSION_MINOR >= 2
QNNPP_SAME_SIZE(SystemContextBinaryInfoV3, QnnSystemContext_BinaryInfoV3_t);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, backend_id, QnnSystemContext_BinaryInfoV3_t, backendId);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, build_id, QnnSystemContext_BinaryInfoV3_t, buildId);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, core_api_version, QnnSystemContext_BinaryInfoV3_t,
                 coreApiVersion);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, backend_api_version, QnnSystemContext_BinaryInfoV3_t,
                 backendApiVersion);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, soc_version, QnnSystemContext_BinaryInfoV3_t,
                 socVersion);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, context_blob_version, QnnSystemContext_BinaryInfoV3_t,
                 contextBlobVersion);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, context_blob_size, QnnSystemContext_BinaryInfoV3_t,
                 contextBlobSize);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, num_context_tensors, QnnSystemContext_BinaryInfoV3_t,
                 numContextTensors);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, context_tensors, QnnSystemContext_BinaryInfoV3_t,
                 contextTensors);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, num_graphs, QnnSystemContext_BinaryInfoV3_t, numGraphs);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, graphs, QnnSystemContext_BinaryInfoV3_t, graphs);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, platform_info, QnnSystemContext_BinaryInfoV3_t,
                 platformInfo);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, context_metadata_size, QnnSystemContext_BinaryInfoV3_t,
                 contextMetadataSize);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, context_metadata, QnnSystemContext_BinaryInfoV3_t,
                 contextMetadata);
QNNPP_SAME_FIELD(SystemContextBinaryInfoV3, soc_model, QnnSystemContext_BinaryInfoV3_t, socModel);
#endif
QNNPP_SAME_SIZE(SystemContextBinaryInfo, QnnSystemContext_BinaryInfo_t);
QNNPP_SAME_FIELD(SystemContextBinaryInfo, version, QnnSystemContext_BinaryInfo_t, version);
QNNPP_SAME_FIELD(SystemContextBinaryInfo, context_binary_info_v1, QnnSystemContext_BinaryInfo_t,
                 contextBinaryInfoV1);
QNNPP_SAME_FIELD(SystemContextBinaryInfo, context_binary_info_v2, QnnSystemContext_BinaryInfo_t,
                 contextBinaryInfoV2);
#if QNN_SYSTEM_API_VERSION_MINOR >= 2
QNNPP_SAME_FIELD(SystemContextBinaryInfo, context_binary_info_v3, QnnSystemContext_BinaryInfo_t,
                 contextBinaryInfoV3);
#endif

// system_interface.hpp: DLCs
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
#if QNN_SYSTEM_API_VERSION_MINOR >= 4
QNNPP_SAME_VALUE(SystemContextGraphConfigInfoVersion::version_1,
                 QNN_SYSTEM_DLC_GRAPH_CONFIG_INFO_VERSION_1);
QNNPP_SAME_VALUE(SystemContextGraphConfigInfoVersion::undefined,
                 QNN_SYSTEM_DLC_GRAPH_CONFIG_INFO_UNDEFINED);
QNNPP_SAME_SIZE(SystemDlcGraphConfigInfoV1, QnnSystemDlc_GraphConfigInfoV1_t);
QNNPP_SAME_FIELD(SystemDlcGraphConfigInfoV1, graph_name, QnnSystemDlc_GraphConfigInfoV1_t,
                 graphName);
QNNPP_SAME_FIELD(SystemDlcGraphConfigInfoV1, graph_configs, QnnSystemDlc_GraphConfigInfoV1_t,
                 graphConfigs);
QNNPP_SAME_FIELD(SystemDlcGraphConfigInfoV1, num_configs, QnnSystemDlc_GraphConfigInfoV1_t,
                 numConfigs);
QNNPP_SAME_SIZE(SystemDlcGraphConfigInfo, QnnSystemDlc_GraphConfigInfo_t);
QNNPP_SAME_FIELD(SystemDlcGraphConfigInfo, version, QnnSystemDlc_GraphConfigInfo_t, version);
QNNPP_SAME_FIELD(SystemDlcGraphConfigInfo, v1, QnnSystemDlc_GraphConfigInfo_t, v1);
#endif

// system_profile.hpp
#if QNN_SYSTEM_API_VERSION_MINOR >= 6
QNNPP_SAME_VALUE(SystemProfileSerializationTargetType::file,
                 QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_FILE);
QNNPP_SAME_VALUE(SystemProfileSerializationTargetType::undefined,
                 QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_UNDEFINED);
QNNPP_SAME_SIZE(SystemProfileSerializationTargetFile, QnnSystemProfile_SerializationTargetFile_t);
QNNPP_SAME_FIELD(SystemProfileSerializationTargetFile, file_name,
                 QnnSystemProfile_SerializationTargetFile_t, fileName);
QNNPP_SAME_FIELD(SystemProfileSerializationTargetFile, file_directory,
                 QnnSystemProfile_SerializationTargetFile_t, fileDirectory);
QNNPP_SAME_SIZE(SystemProfileSerializationTarget, QnnSystemProfile_SerializationTarget_t);
QNNPP_SAME_FIELD(SystemProfileSerializationTarget, type, QnnSystemProfile_SerializationTarget_t,
                 type);
QNNPP_SAME_FIELD(SystemProfileSerializationTarget, file, QnnSystemProfile_SerializationTarget_t,
                 file);
QNNPP_SAME_SIZE(SystemProfileSerializationFileHeader, QnnSystemProfile_SerializationFileHeader_t);
QNNPP_SAME_FIELD(SystemProfileSerializationFileHeader, app_name,
                 QnnSystemProfile_SerializationFileHeader_t, appName);
QNNPP_SAME_FIELD(SystemProfileSerializationFileHeader, app_version,
                 QnnSystemProfile_SerializationFileHeader_t, appVersion);
QNNPP_SAME_FIELD(SystemProfileSerializationFileHeader, backend_version,
                 QnnSystemProfile_SerializationFileHeader_t, backendVersion);
QNNPP_SAME_VALUE(SystemProfileSerializationTargetConfigType::max_num_messages,
                 QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_CONFIG_MAX_NUM_MESSAGES);
QNNPP_SAME_VALUE(SystemProfileSerializationTargetConfigType::serialization_header,
                 QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_CONFIG_SERIALIZATION_HEADER);
QNNPP_SAME_VALUE(SystemProfileSerializationTargetConfigType::undefined,
                 QNN_SYSTEM_PROFILE_SERIALIZATION_TARGET_CONFIG_UNDEFINED);
QNNPP_SAME_SIZE(SystemProfileSerializationTargetConfig,
                QnnSystemProfile_SerializationTargetConfig_t);
QNNPP_SAME_FIELD(SystemProfileSerializationTargetConfig, type,
                 QnnSystemProfile_SerializationTargetConfig_t, type);
QNNPP_SAME_FIELD(SystemProfileSerializationTargetConfig, max_num_messages,
                 QnnSystemProfile_SerializationTargetConfig_t, maxNumMessages);
QNNPP_SAME_FIELD(SystemProfileSerializationTargetConfig, serialization_header,
                 QnnSystemProfile_SerializationTargetConfig_t, serializationHeader);
QNNPP_SAME_VALUE(SystemProfileVisibility::public_, QNN_SYSTEM_PROFILE_VISIBILITY_PUBLIC);
QNNPP_SAME_VALUE(SystemProfileVisibility::private_, QNN_SYSTEM_PROFILE_VISIBILITY_PRIVATE);
QNNPP_SAME_VALUE(SystemProfileMethodType::none, QNN_SYSTEM_PROFILE_METHOD_TYPE_NONE);
QNNPP_SAME_VALUE(SystemProfileMethodType::backend_execute,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_EXECUTE);
QNNPP_SAME_VALUE(SystemProfileMethodType::backend_finalize,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_FINALIZE);
QNNPP_SAME_VALUE(SystemProfileMethodType::backend_execute_async,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_EXECUTE_ASYNC);
QNNPP_SAME_VALUE(SystemProfileMethodType::backend_create_from_binary,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_CREATE_FROM_BINARY);
QNNPP_SAME_VALUE(SystemProfileMethodType::backend_deinit,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_DEINIT);
QNNPP_SAME_VALUE(SystemProfileMethodType::app_context_create,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_APP_CONTEXT_CREATE);
QNNPP_SAME_VALUE(SystemProfileMethodType::app_compose_graphs,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_APP_COMPOSE_GRAPHS);
QNNPP_SAME_VALUE(SystemProfileMethodType::app_execute_ips,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_APP_EXECUTE_IPS);
QNNPP_SAME_VALUE(SystemProfileMethodType::backend_graph_component,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_GRAPH_COMPONENT);
QNNPP_SAME_VALUE(SystemProfileMethodType::app_backend_lib_load,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_APP_BACKEND_LIB_LOAD);
QNNPP_SAME_VALUE(SystemProfileMethodType::backend_apply_binary_section,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_APPLY_BINARY_SECTION);
QNNPP_SAME_VALUE(SystemProfileMethodType::context_finalize,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_CONTEXT_FINALIZE);
QNNPP_SAME_VALUE(SystemProfileMethodType::context_get_binary_size,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_CONTEXT_GET_BINARY_SIZE);
QNNPP_SAME_VALUE(SystemProfileMethodType::context_get_binary,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_CONTEXT_GET_BINARY);
QNNPP_SAME_VALUE(SystemProfileMethodType::context_get_binary_section_size,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_CONTEXT_GET_BINARY_SECTION_SIZE);
#endif
#if QNN_SYSTEM_API_VERSION_MINOR >= 7
QNNPP_SAME_VALUE(SystemProfileMethodType::backend_finalize_tensor_updates,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_FINALIZE_TENSOR_UPDATES);
QNNPP_SAME_VALUE(SystemProfileMethodType::backend_update_binary_section,
                 QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_UPDATE_BINARY_SECTION);
#endif
#if QNN_SYSTEM_API_VERSION_MINOR >= 6
QNNPP_SAME_VALUE(SystemProfileEventDataType::event_data, QNN_SYSTEM_PROFILE_EVENT_DATA);
QNNPP_SAME_VALUE(SystemProfileEventDataType::extended_event_data,
                 QNN_SYSTEM_PROFILE_EXTENDED_EVENT_DATA);
QNNPP_SAME_VALUE(SystemProfileEventDataType::undefined, QNN_SYSTEM_PROFILE_EVENT_DATA_UNDEFINED);
QNNPP_SAME_SIZE(SystemProfileHeaderV1, QnnSystemProfile_HeaderV1_t);
QNNPP_SAME_FIELD(SystemProfileHeaderV1, start_time, QnnSystemProfile_HeaderV1_t, startTime);
QNNPP_SAME_FIELD(SystemProfileHeaderV1, stop_time, QnnSystemProfile_HeaderV1_t, stopTime);
QNNPP_SAME_FIELD(SystemProfileHeaderV1, start_mem, QnnSystemProfile_HeaderV1_t, startMem);
QNNPP_SAME_FIELD(SystemProfileHeaderV1, stop_mem, QnnSystemProfile_HeaderV1_t, stopMem);
QNNPP_SAME_FIELD(SystemProfileHeaderV1, method_type, QnnSystemProfile_HeaderV1_t, methodType);
QNNPP_SAME_FIELD(SystemProfileHeaderV1, visibility, QnnSystemProfile_HeaderV1_t, visibility);
QNNPP_SAME_FIELD(SystemProfileHeaderV1, graph_name, QnnSystemProfile_HeaderV1_t, graphName);
QNNPP_SAME_SIZE(SystemProfileProfileEventV1, QnnSystemProfile_ProfileEventV1_t);
QNNPP_SAME_FIELD(SystemProfileProfileEventV1, type, QnnSystemProfile_ProfileEventV1_t, type);
QNNPP_SAME_FIELD(SystemProfileProfileEventV1, event_data, QnnSystemProfile_ProfileEventV1_t,
                 eventData);
QNNPP_SAME_FIELD(SystemProfileProfileEventV1, extended_event_data,
                 QnnSystemProfile_ProfileEventV1_t, extendedEventData);
QNNPP_SAME_FIELD(SystemProfileProfileEventV1, profile_sub_event_data,
                 QnnSystemProfile_ProfileEventV1_t, profileSubEventData);
QNNPP_SAME_FIELD(SystemProfileProfileEventV1, num_sub_events, QnnSystemProfile_ProfileEventV1_t,
                 numSubEvents);
QNNPP_SAME_VALUE(SystemProfileProfileDataVersion::v1, QNN_SYSTEM_PROFILE_DATA_VERSION_1);
QNNPP_SAME_VALUE(SystemProfileProfileDataVersion::undefined,
                 QNN_SYSTEM_PROFILE_DATA_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(SystemProfileProfileDataV1, QnnSystemProfile_ProfileDataV1_t);
QNNPP_SAME_FIELD(SystemProfileProfileDataV1, header, QnnSystemProfile_ProfileDataV1_t, header);
QNNPP_SAME_FIELD(SystemProfileProfileDataV1, profiling_events, QnnSystemProfile_ProfileDataV1_t,
                 profilingEvents);
QNNPP_SAME_FIELD(SystemProfileProfileDataV1, num_profiling_events, QnnSystemProfile_ProfileDataV1_t,
                 numProfilingEvents);
QNNPP_SAME_SIZE(SystemProfileProfileData, QnnSystemProfile_ProfileData_t);
QNNPP_SAME_FIELD(SystemProfileProfileData, version, QnnSystemProfile_ProfileData_t, version);
QNNPP_SAME_FIELD(SystemProfileProfileData, v1, QnnSystemProfile_ProfileData_t, v1);
#endif

// system_interface.hpp
QNNPP_SAME_FIELD(SystemInterfaceTable, system_context_create, QNN_SYSTEM_INTERFACE_VER_TYPE,
                 systemContextCreate);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_context_get_binary_info,
                 QNN_SYSTEM_INTERFACE_VER_TYPE, systemContextGetBinaryInfo);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_context_get_meta_data, QNN_SYSTEM_INTERFACE_VER_TYPE,
                 systemContextGetMetaData);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_context_free, QNN_SYSTEM_INTERFACE_VER_TYPE,
                 systemContextFree);
#if QNN_SYSTEM_API_VERSION_MINOR >= 4
QNNPP_SAME_FIELD(SystemInterfaceTable, system_tensor_get_memory_footprint,
                 QNN_SYSTEM_INTERFACE_VER_TYPE, systemTensorGetMemoryFootprint);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_log_create, QNN_SYSTEM_INTERFACE_VER_TYPE,
                 systemLogCreate);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_log_set_log_level, QNN_SYSTEM_INTERFACE_VER_TYPE,
                 systemLogSetLogLevel);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_log_free, QNN_SYSTEM_INTERFACE_VER_TYPE,
                 systemLogFree);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_dlc_create_from_file, QNN_SYSTEM_INTERFACE_VER_TYPE,
                 systemDlcCreateFromFile);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_dlc_create_from_binary, QNN_SYSTEM_INTERFACE_VER_TYPE,
                 systemDlcCreateFromBinary);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_dlc_compose_graphs, QNN_SYSTEM_INTERFACE_VER_TYPE,
                 systemDlcComposeGraphs);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_dlc_get_op_mappings, QNN_SYSTEM_INTERFACE_VER_TYPE,
                 systemDlcGetOpMappings);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_dlc_free, QNN_SYSTEM_INTERFACE_VER_TYPE,
                 systemDlcFree);
#endif
#if QNN_SYSTEM_API_VERSION_MINOR >= 6
QNNPP_SAME_FIELD(SystemInterfaceTable, system_profile_create_serialization_target,
                 QNN_SYSTEM_INTERFACE_VER_TYPE, systemProfileCreateSerializationTarget);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_profile_serialize_event_data,
                 QNN_SYSTEM_INTERFACE_VER_TYPE, systemProfileSerializeEventData);
QNNPP_SAME_FIELD(SystemInterfaceTable, system_profile_free_serialization_target,
                 QNN_SYSTEM_INTERFACE_VER_TYPE, systemProfileFreeSerializationTarget);
#endif

QNNPP_SAME_FIELD(SystemInterface, backend_id, QnnSystemInterface_t, backendId);
QNNPP_SAME_FIELD(SystemInterface, provider_name, QnnSystemInterface_t, providerName);
QNNPP_SAME_FIELD(SystemInterface, system_api_version, QnnSystemInterface_t, systemApiVersion);
static_assert(offsetof(SystemInterface, table) ==
              offsetof(QnnSystemInterface_t, QNN_SYSTEM_INTERFACE_VER_NAME));

}  // namespace qnnpp::c_api

#endif
