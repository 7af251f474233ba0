// Graphs: options, properties, execution environments, validation, and the calls on graphs.
//
// Profile and signal arguments may be NULL. error.hpp explains the codes.
#pragma once

#include "qnnpp/abi/op.hpp"
#include "qnnpp/abi/tensor.hpp"

namespace qnnpp::c_api {

/// Selects the member of GraphConfig's union. The values 1 and 2 are not used.
/// C: QnnGraph_ConfigOption_t.
enum class GraphConfigOption : std::uint32_t {
  custom = 0,               ///< custom_config, defined by the backend; HTP: HtpGraphCustomConfig.
  priority = 3,             ///< priority.
  profile_handle = 4,       ///< profile_handle.
  set_profiling_state = 5,  ///< profiling_state.
  set_profiling_num_executions = 6,  ///< num_profiling_executions.
  /// enable_binary_section_weights_updates. Core 2.32.
  enable_binary_section_weights_updates = 7,
  undefined = 0x7FFFFFFF,
};

/// Whether a graph's continuous profile collects. C: QnnGraph_ProfilingState_t.
enum class GraphProfilingState : std::uint32_t {
  enabled = 1,   ///< The profile collects; the default.
  disabled = 2,  ///< The profile does not collect.
  undefined = 0x7FFFFFFF,
};

/// Pointer to an option that the backend defines. C: QnnGraph_CustomConfig_t.
using GraphCustomConfig = void*;

/// Option of a graph. Calls use a NULL-ended array of pointers to options; NULL selects the
/// defaults. The last of repeated options applies (CFG-01). C: QnnGraph_Config_t.
struct GraphConfig {
  GraphConfigOption option;  ///< Selects the union member.
  union {
    GraphCustomConfig custom_config;  ///< HTP: pointer to an HtpGraphCustomConfig.
    Priority priority;                ///< Priority of the graph; replaces the context's priority.
    /// Profile that collects from every execution; requires calls with a NULL profile argument.
    ProfileHandle profile_handle;
    GraphProfilingState profiling_state;     ///< Enables or disables profile_handle.
    std::uint32_t num_profiling_executions;  ///< Number of executions to profile; later ones are
                                             ///< not profiled.
    /// Nonzero: sections may update the weights. Core 2.32.
    std::uint8_t enable_binary_section_weights_updates;
  };
};

/// Selects the member of GraphProperty's union. C: QnnGraph_PropertyOption_t.
enum class GraphPropertyOption : std::uint32_t {
  custom = 0,  ///< custom_property, defined by the backend.
  undefined = 0x7FFFFFFF,
};

/// Pointer to a property that the backend defines. C: QnnGraph_CustomProperty_t.
using GraphCustomProperty = void*;

/// Property of a graph: the client sets option and the backend fills the rest.
/// C: QnnGraph_Property_t.
struct GraphProperty {
  GraphPropertyOption option;  ///< Selects the union member.
  union {
    GraphCustomProperty custom_property;  ///< Property that the backend defines.
  };
};

/// Content of an execution environment. C: QnnGraph_ExecuteEnvironmentOption_t.
enum class GraphExecuteEnvironmentOption : std::uint32_t {
  bind_mem_handles = 0,      ///< The client's memory handles, bound before execution.
  populate_client_bufs = 1,  ///< Buffers that the backend supplies.
  undefined = 0x7FFFFFFF,
};

/// Tensors prepared before execution. Released by graph_release_execution_environment or with the
/// context. C: QnnGraph_ExecuteEnvironment_t.
struct GraphExecuteEnvironment {
  GraphExecuteEnvironmentOption option;  ///< Content of the environment.
  union {
    TensorSet tensor_set;  ///< The tensors.
  };
};

/// Selects the member of GraphValidateConfig's union. C: QnnGraph_ValidateOption_t. Core 2.39.
enum class GraphValidateOption : std::uint32_t {
  custom = 0,  ///< custom_config, defined by the backend.
  undefined = 0x7FFFFFFF,
};

/// Pointer to an option that the backend defines. C: QnnGraph_CustomValidateConfig_t. Core 2.39.
using GraphCustomValidateConfig = void*;

/// Option of graph_validate. C: QnnGraph_ValidateConfig_t. Core 2.39.
struct GraphValidateConfig {
  GraphValidateOption option;  ///< Selects the union member.
  union {
    GraphCustomValidateConfig custom_config;  ///< Option that the backend defines.
  };
};

/// Whether the backend can run a node. C: QnnGraph_NodeValidationStatus_t. Core 2.39.
enum class GraphNodeValidationStatus : std::uint32_t {
  supported = 0,    ///< The backend can run the node.
  unsupported = 1,  ///< The backend cannot run the node.
  undefined = 0x7FFFFFFF,
};

/// Validation result of one node. C: QnnGraph_NodeValidationResult_t. Core 2.39.
struct GraphNodeValidationResult {
  const char* node_name;             ///< Name of the node.
  GraphNodeValidationStatus status;  ///< Whether the backend can run the node.
  ErrorHandle error_code;            ///< Code of the reason; 0 if the node is supported.
  const char* error_message;         ///< Text of the reason; may be NULL.
};

/// Validation result of a graph. Release it with graph_free_validation_result.
/// C: QnnGraph_ValidationResult_t. Core 2.39.
struct GraphValidationResult {
  std::uint32_t num_results;                 ///< Length of results.
  const GraphNodeValidationResult* results;  ///< One result for each node.
  ErrorHandle overall_status;                ///< 0 if the backend can run the graph.
};

/// Creates a graph in a context that was not created from a binary. The graph is freed with the
/// context. C: QnnGraph_create. Codes: 1000, 1002, 1005, 6000, 6001, 6003, 6020, 6032.
using GraphCreateFn = ErrorHandle (*)(ContextHandle context_handle, const char* graph_name,
                                      const GraphConfig** config, GraphHandle* graph_handle);

/// Creates a graph that a node of another graph runs. C: QnnGraph_createSubgraph. Codes: 1000,
/// 1002, 1005, 6000, 6001, 6003, 6020.
using GraphCreateSubgraphFn = ErrorHandle (*)(GraphHandle graph_handle, const char* graph_name,
                                              GraphHandle* subgraph_handle);

/// Changes options of a graph. Most options can change only before the graph is finalized.
/// C: QnnGraph_setConfig. Codes: 1000, 1007, 1011, 6000, 6001, 6024, 6032, 6034.
using GraphSetConfigFn = ErrorHandle (*)(GraphHandle graph_handle, const GraphConfig** config);

/// Fills a NULL-ended array of pointers to properties. C: QnnGraph_getProperty. Codes: 1000, 6000,
/// 6001.
using GraphGetPropertyFn = ErrorHandle (*)(GraphHandle graph_handle, GraphProperty** properties);

/// Adds a node. Requires that its tensors exist and that the nodes that compute its inputs were
/// added before (ORD-11). The node is copied. C: QnnGraph_addNode. Codes: 1000, 6001, 6004, 6005,
/// 6007, 6024.
using GraphAddNodeFn = ErrorHandle (*)(GraphHandle graph_handle, OpConfig op_config);

/// Reports for each node of a graph whether the backend can run it. Release the result with
/// graph_free_validation_result. C: QnnGraph_validate. Core 2.39.
using GraphValidateFn = ErrorHandle (*)(GraphHandle graph_handle,
                                        const GraphValidateConfig** config,
                                        GraphValidationResult** validation_result);

/// Releases the result of graph_validate. C: QnnGraph_freeValidationResult. Core 2.39.
using GraphFreeValidationResultFn = ErrorHandle (*)(GraphValidationResult* validation_result);

/// Prepares a graph for execution. A retrieved graph supports this call only with
/// PropertyKey::graph_support_finalize_deserialized_graph. C: QnnGraph_finalize. Codes: 1000, 1007,
/// 1011, 6000, 6001, 6006, 6020, 6021, 6022, 6030, 6031, 6033, 6034.
using GraphFinalizeFn = ErrorHandle (*)(GraphHandle graph_handle, ProfileHandle profile_handle,
                                        SignalHandle signal_handle);

/// Returns the graph with a name. All calls return the same handle, which is valid until the
/// context is freed. C: QnnGraph_retrieve. Codes: 6001, 6002, 6003, 6034.
using GraphRetrieveFn = ErrorHandle (*)(ContextHandle context_handle, const char* graph_name,
                                        GraphHandle* graph_handle);

/// Prepares tensors before execution. C: QnnGraph_prepareExecutionEnvironment. Codes: 1000, 6000,
/// 6001.
using GraphPrepareExecutionEnvironmentFn = ErrorHandle (*)(GraphHandle graph_handle,
                                                           GraphExecuteEnvironment** envs,
                                                           std::uint32_t env_size);

/// Releases the environments of graph_prepare_execution_environment.
/// C: QnnGraph_releaseExecutionEnvironment. Codes: 1000, 6000, 6001.
using GraphReleaseExecutionEnvironmentFn = ErrorHandle (*)(GraphHandle graph_handle,
                                                           const GraphExecuteEnvironment** envs,
                                                           std::uint32_t env_size);

/// Executes a graph and returns when the outputs are written. The call finds tensors by id and uses
/// memory, batch and dynamic dimensions of the arguments; the other properties come from the
/// created tensors. Profile and signal may be NULL. C: QnnGraph_execute. Codes: 1000, 1007, 1011,
/// 6000, 6001, 6004, 6006, 6023, 6030, 6031, 6033, 6034, 6035, 6036, 6037, 6038, 6039.
using GraphExecuteFn = ErrorHandle (*)(GraphHandle graph_handle, const Tensor* inputs,
                                       std::uint32_t num_inputs, Tensor* outputs,
                                       std::uint32_t num_outputs, ProfileHandle profile_handle,
                                       SignalHandle signal_handle);

/// Queues an execution; blocks while the queue is full. The backend calls notify_fn on one of its
/// threads, in any order. If this call fails, notify_fn is not called. C: QnnGraph_executeAsync.
/// Codes: 1000, 1007, 1011, 6000, 6001, 6004, 6023, 6030, 6031, 6033, 6034, 6035, 6036, 6037, 6038,
/// 6039.
using GraphExecuteAsyncFn = ErrorHandle (*)(GraphHandle graph_handle, const Tensor* inputs,
                                            std::uint32_t num_inputs, Tensor* outputs,
                                            std::uint32_t num_outputs, ProfileHandle profile_handle,
                                            SignalHandle signal_handle, NotifyFn notify_fn,
                                            void* notify_param);

}  // namespace qnnpp::c_api
