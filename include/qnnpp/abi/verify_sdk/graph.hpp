// Part of verify_sdk.hpp; do not include it alone. Compares abi/graph.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/graph.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/graph.hpp"

// clang-format off
namespace qnnpp::c_api {

QNNPP_SAME_VALUE(GraphConfigOption::custom, QNN_GRAPH_CONFIG_OPTION_CUSTOM);
QNNPP_SAME_VALUE(GraphConfigOption::priority, QNN_GRAPH_CONFIG_OPTION_PRIORITY);
QNNPP_SAME_VALUE(GraphConfigOption::profile_handle, QNN_GRAPH_CONFIG_OPTION_PROFILE_HANDLE);
QNNPP_SAME_VALUE(GraphConfigOption::set_profiling_state, QNN_GRAPH_CONFIG_OPTION_SET_PROFILING_STATE);
QNNPP_SAME_VALUE(GraphConfigOption::set_profiling_num_executions, QNN_GRAPH_CONFIG_OPTION_SET_PROFILING_NUM_EXECUTIONS);
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_VALUE(GraphConfigOption::enable_binary_section_weights_updates, QNN_GRAPH_CONFIG_OPTION_ENABLE_BINARY_SECTION_WEIGHTS_UPDATES);
#endif
QNNPP_SAME_VALUE(GraphConfigOption::undefined, QNN_GRAPH_CONFIG_OPTION_UNDEFINED);
QNNPP_SAME_VALUE(GraphProfilingState::enabled, QNN_GRAPH_PROFILING_STATE_ENABLED);
QNNPP_SAME_VALUE(GraphProfilingState::disabled, QNN_GRAPH_PROFILING_STATE_DISABLED);
QNNPP_SAME_VALUE(GraphProfilingState::undefined, QNN_GRAPH_PROFILING_STATE_UNDEFINED);
QNNPP_SAME_SIZE(GraphConfig, QnnGraph_Config_t);
QNNPP_SAME_FIELD(GraphConfig, option, QnnGraph_Config_t, option);
QNNPP_SAME_FIELD(GraphConfig, custom_config, QnnGraph_Config_t, customConfig);
QNNPP_SAME_FIELD(GraphConfig, priority, QnnGraph_Config_t, priority);
QNNPP_SAME_FIELD(GraphConfig, profile_handle, QnnGraph_Config_t, profileHandle);
QNNPP_SAME_FIELD(GraphConfig, profiling_state, QnnGraph_Config_t, profilingState);
QNNPP_SAME_FIELD(GraphConfig, num_profiling_executions, QnnGraph_Config_t, numProfilingExecutions);
#if QNN_API_VERSION_MINOR >= 32
QNNPP_SAME_FIELD(GraphConfig, enable_binary_section_weights_updates, QnnGraph_Config_t, enableBinarySectionWeightsUpdates);
#endif
QNNPP_SAME_VALUE(GraphPropertyOption::custom, QNN_GRAPH_PROPERTY_OPTION_CUSTOM);
QNNPP_SAME_VALUE(GraphPropertyOption::undefined, QNN_GRAPH_PROPERTY_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(GraphProperty, QnnGraph_Property_t);
QNNPP_SAME_FIELD(GraphProperty, option, QnnGraph_Property_t, option);
QNNPP_SAME_FIELD(GraphProperty, custom_property, QnnGraph_Property_t, customProperty);
QNNPP_SAME_VALUE(GraphExecuteEnvironmentOption::bind_mem_handles, QNN_GRAPH_EXECUTE_ENVIRONMENT_OPTION_BIND_MEM_HANDLES);
QNNPP_SAME_VALUE(GraphExecuteEnvironmentOption::populate_client_bufs, QNN_GRAPH_EXECUTE_ENVIRONMENT_OPTION_POPULATE_CLIENT_BUFS);
QNNPP_SAME_VALUE(GraphExecuteEnvironmentOption::undefined, QNN_GRAPH_EXECUTE_ENVIRONMENT_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(GraphExecuteEnvironment, QnnGraph_ExecuteEnvironment_t);
QNNPP_SAME_FIELD(GraphExecuteEnvironment, option, QnnGraph_ExecuteEnvironment_t, option);
QNNPP_SAME_FIELD(GraphExecuteEnvironment, tensor_set, QnnGraph_ExecuteEnvironment_t, tensorSet);
#if QNN_API_VERSION_MINOR >= 39
QNNPP_SAME_VALUE(GraphValidateOption::custom, QNN_GRAPH_VALIDATE_OPTION_CUSTOM);
QNNPP_SAME_VALUE(GraphValidateOption::undefined, QNN_GRAPH_VALIDATE_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(GraphValidateConfig, QnnGraph_ValidateConfig_t);
QNNPP_SAME_FIELD(GraphValidateConfig, option, QnnGraph_ValidateConfig_t, option);
QNNPP_SAME_FIELD(GraphValidateConfig, custom_config, QnnGraph_ValidateConfig_t, customConfig);
QNNPP_SAME_VALUE(GraphNodeValidationStatus::supported, QNN_GRAPH_NODE_VALIDATION_STATUS_SUPPORTED);
QNNPP_SAME_VALUE(GraphNodeValidationStatus::unsupported, QNN_GRAPH_NODE_VALIDATION_STATUS_UNSUPPORTED);
QNNPP_SAME_VALUE(GraphNodeValidationStatus::undefined, QNN_GRAPH_NODE_VALIDATION_STATUS_UNDEFINED);
QNNPP_SAME_SIZE(GraphNodeValidationResult, QnnGraph_NodeValidationResult_t);
QNNPP_SAME_FIELD(GraphNodeValidationResult, node_name, QnnGraph_NodeValidationResult_t, nodeName);
QNNPP_SAME_FIELD(GraphNodeValidationResult, status, QnnGraph_NodeValidationResult_t, status);
QNNPP_SAME_FIELD(GraphNodeValidationResult, error_code, QnnGraph_NodeValidationResult_t, errorCode);
QNNPP_SAME_FIELD(GraphNodeValidationResult, error_message, QnnGraph_NodeValidationResult_t, errorMessage);
QNNPP_SAME_SIZE(GraphValidationResult, QnnGraph_ValidationResult_t);
QNNPP_SAME_FIELD(GraphValidationResult, num_results, QnnGraph_ValidationResult_t, numResults);
QNNPP_SAME_FIELD(GraphValidationResult, results, QnnGraph_ValidationResult_t, results);
QNNPP_SAME_FIELD(GraphValidationResult, overall_status, QnnGraph_ValidationResult_t, overallStatus);
#endif
#if defined(QNN_GRAPH_CONFIG_INIT)
QNNPP_SAME_INIT(QnnGraph_Config_t, QNN_GRAPH_CONFIG_INIT, option, GraphConfigOption::undefined);
#endif

}  // namespace qnnpp::c_api

#endif
