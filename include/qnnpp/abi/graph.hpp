// Graphs: options, properties, execution environments, validation, and the calls on them.
//
// Profile and signal arguments may be NULL. Codes are explained in error.hpp.
#pragma once

#include "qnnpp/abi/op.hpp"
#include "qnnpp/abi/tensor.hpp"

namespace qnnpp::c_api {

/// Which member of GraphConfig's union is set. 1 and 2 are not used. C: QnnGraph_ConfigOption_t.
enum class GraphConfigOption : std::uint32_t {
  custom = 0,  ///< custom_config, defined by the backend; HTP: HtpGraphCustomConfig.
  priority = 3,
  profile_handle = 4,
  set_profiling_state = 5,                    ///< profiling_state.
  set_profiling_num_executions = 6,           ///< num_profiling_executions.
  enable_binary_section_weights_updates = 7,  ///< Core 2.32.
  undefined = 0x7FFFFFFF,
};

/// Whether a graph's continuous profile collects. C: QnnGraph_ProfilingState_t.
enum class GraphProfilingState : std::uint32_t {
  enabled = 1,   ///< It does; the default.
  disabled = 2,  ///< It does not.
  undefined = 0x7FFFFFFF,
};

/// Pointer to an option that the backend defines. C: QnnGraph_CustomConfig_t.
using GraphCustomConfig = void*;

/// An option of a graph. Calls take a NULL-ended array of pointers to these; NULL is the defaults,
/// and the last of equal options wins (CFG-01). C: QnnGraph_Config_t.
struct GraphConfig {
  GraphConfigOption option;  ///< Selects the union member.
  union {
    GraphCustomConfig custom_config;  ///< HTP: pointer to an HtpGraphCustomConfig.
    Priority priority;                ///< Goes before the context's.
    /// Collects from every execution; the calls' own profile arguments are NULL then.
    ProfileHandle profile_handle;
    GraphProfilingState profiling_state;     ///< Switches profile_handle on and off.
    std::uint32_t num_profiling_executions;  ///< Executions to profile; the rest run without.
    /// Not 0: weights may be updated by sections. Core 2.32.
    std::uint8_t enable_binary_section_weights_updates;
  };
};

/// Which member of GraphProperty's union is meant. C: QnnGraph_PropertyOption_t.
enum class GraphPropertyOption : std::uint32_t {
  custom = 0,  ///< custom_property, defined by the backend.
  undefined = 0x7FFFFFFF,
};

/// Pointer to a property that the backend defines. C: QnnGraph_CustomProperty_t.
using GraphCustomProperty = void*;

/// A property of a graph: the client sets option, the backend fills the rest.
/// C: QnnGraph_Property_t.
struct GraphProperty {
  GraphPropertyOption option;  ///< Selects the union member.
  union {
    GraphCustomProperty custom_property;
  };
};

/// What an execution environment prepares. C: QnnGraph_ExecuteEnvironmentOption_t.
enum class GraphExecuteEnvironmentOption : std::uint32_t {
  bind_mem_handles = 0,      ///< The client's memory handles are bound ahead of execution.
  populate_client_bufs = 1,  ///< The backend fills in buffers of its own.
  undefined = 0x7FFFFFFF,
};

/// Tensors prepared ahead of execution. Released by graph_release_execution_environment or with the
/// context. C: QnnGraph_ExecuteEnvironment_t.
struct GraphExecuteEnvironment {
  GraphExecuteEnvironmentOption option;  ///< What is prepared.
  union {
    TensorSet tensor_set;  ///< The tensors.
  };
};

/// Which member of GraphValidateConfig's union is set. C: QnnGraph_ValidateOption_t. Core 2.39.
enum class GraphValidateOption : std::uint32_t {
  custom = 0,  ///< custom_config, defined by the backend.
  undefined = 0x7FFFFFFF,
};

/// Pointer to an option that the backend defines. C: QnnGraph_CustomValidateConfig_t. Core 2.39.
using GraphCustomValidateConfig = void*;

/// An option of graph_validate. C: QnnGraph_ValidateConfig_t. Core 2.39.
struct GraphValidateConfig {
  GraphValidateOption option;  ///< Selects the union member.
  union {
    GraphCustomValidateConfig custom_config;
  };
};

/// Whether a node can run. C: QnnGraph_NodeValidationStatus_t. Core 2.39.
enum class GraphNodeValidationStatus : std::uint32_t {
  supported = 0,    ///< It can.
  unsupported = 1,  ///< It cannot.
  undefined = 0x7FFFFFFF,
};

/// Verdict on one node. C: QnnGraph_NodeValidationResult_t. Core 2.39.
struct GraphNodeValidationResult {
  const char* node_name;             ///< Name of the node.
  GraphNodeValidationStatus status;  ///< Whether it can run.
  ErrorHandle error_code;            ///< Why not; 0 if it can.
  const char* error_message;         ///< The same in words; may be NULL.
};

/// Verdict on a graph; give it back with graph_free_validation_result.
/// C: QnnGraph_ValidationResult_t. Core 2.39.
struct GraphValidationResult {
  std::uint32_t num_results;                 ///< Length of results.
  const GraphNodeValidationResult* results;  ///< One for each node.
  ErrorHandle overall_status;                ///< 0 if the graph can run.
};

/// Creates a graph in a context that did not come from a binary. Freed with the context.
/// C: QnnGraph_create. Codes: 1000, 1002, 1005, 6000, 6001, 6003, 6020, 6032.
using GraphCreateFn = ErrorHandle (*)(ContextHandle context_handle, const char* graph_name,
                                      const GraphConfig** config, GraphHandle* graph_handle);

/// Creates a graph that a node of another graph runs. C: QnnGraph_createSubgraph. Codes: 1000,
/// 1002, 1005, 6000, 6001, 6003, 6020.
using GraphCreateSubgraphFn = ErrorHandle (*)(GraphHandle graph_handle, const char* graph_name,
                                              GraphHandle* subgraph_handle);

/// Changes options of a graph; most of them only before it is finalized. C: QnnGraph_setConfig.
/// Codes: 1000, 1007, 1011, 6000, 6001, 6024, 6032, 6034.
using GraphSetConfigFn = ErrorHandle (*)(GraphHandle graph_handle, const GraphConfig** config);

/// Fills a NULL-ended array of pointers to properties. C: QnnGraph_getProperty. Codes: 1000, 6000,
/// 6001.
using GraphGetPropertyFn = ErrorHandle (*)(GraphHandle graph_handle, GraphProperty** properties);

/// Adds a node; its tensors exist already, and the nodes that make its inputs come first (ORD-11).
/// The node is copied. C: QnnGraph_addNode. Codes: 1000, 6001, 6004, 6005, 6007, 6024.
using GraphAddNodeFn = ErrorHandle (*)(GraphHandle graph_handle, OpConfig op_config);

/// Whether the backend can run a graph, node by node. Give the result back with
/// graph_free_validation_result. C: QnnGraph_validate. Core 2.39.
using GraphValidateFn = ErrorHandle (*)(GraphHandle graph_handle,
                                        const GraphValidateConfig** config,
                                        GraphValidationResult** validation_result);

/// Takes back what graph_validate gave. C: QnnGraph_freeValidationResult. Core 2.39.
using GraphFreeValidationResultFn = ErrorHandle (*)(GraphValidationResult* validation_result);

/// Prepares the graph for execution. A retrieved graph takes it only with
/// PropertyKey::graph_support_finalize_deserialized_graph. C: QnnGraph_finalize. Codes: 1000, 1007,
/// 1011, 6000, 6001, 6006, 6020, 6021, 6022, 6030, 6031, 6033, 6034.
using GraphFinalizeFn = ErrorHandle (*)(GraphHandle graph_handle, ProfileHandle profile_handle,
                                        SignalHandle signal_handle);

/// Finds a graph by name. All callers get the same handle, which is valid until the context is
/// freed. C: QnnGraph_retrieve. Codes: 6001, 6002, 6003, 6034.
using GraphRetrieveFn = ErrorHandle (*)(ContextHandle context_handle, const char* graph_name,
                                        GraphHandle* graph_handle);

/// Prepares tensors ahead of execution. C: QnnGraph_prepareExecutionEnvironment. Codes: 1000, 6000,
/// 6001.
using GraphPrepareExecutionEnvironmentFn = ErrorHandle (*)(GraphHandle graph_handle,
                                                           GraphExecuteEnvironment** envs,
                                                           std::uint32_t env_size);

/// Releases what graph_prepare_execution_environment prepared.
/// C: QnnGraph_releaseExecutionEnvironment. Codes: 1000, 6000, 6001.
using GraphReleaseExecutionEnvironmentFn = ErrorHandle (*)(GraphHandle graph_handle,
                                                           const GraphExecuteEnvironment** envs,
                                                           std::uint32_t env_size);

/// Runs a graph and returns when outputs are written. Tensors are found by id; memory, batch and
/// dynamic dimensions are taken from the arguments, the rest as registered. Profile and signal may
/// be NULL. C: QnnGraph_execute. Codes: 1000, 1007, 1011, 6000, 6001, 6004, 6006, 6023, 6030, 6031,
/// 6033, 6034, 6035, 6036, 6037, 6038, 6039.
using GraphExecuteFn = ErrorHandle (*)(GraphHandle graph_handle, const Tensor* inputs,
                                       std::uint32_t num_inputs, Tensor* outputs,
                                       std::uint32_t num_outputs, ProfileHandle profile_handle,
                                       SignalHandle signal_handle);

/// Queues a run; blocks while the queue is full. notify_fn is called on a thread of the backend, in
/// any order, and never if this call fails. C: QnnGraph_executeAsync. Codes: 1000, 1007, 1011,
/// 6000, 6001, 6004, 6023, 6030, 6031, 6033, 6034, 6035, 6036, 6037, 6038, 6039.
using GraphExecuteAsyncFn = ErrorHandle (*)(GraphHandle graph_handle, const Tensor* inputs,
                                            std::uint32_t num_inputs, Tensor* outputs,
                                            std::uint32_t num_outputs, ProfileHandle profile_handle,
                                            SignalHandle signal_handle, NotifyFn notify_fn,
                                            void* notify_param);

}  // namespace qnnpp::c_api
