// The calls on graphs.
//
// Profile and signal arguments may be NULL. Codes are explained in error.hpp.
#pragma once

#include "qnnpp/abi/graph.hpp"
#include "qnnpp/abi/op.hpp"

namespace qnnpp::c_api {

/// Creates a graph in a context that did not come from a binary. Lives as long as the context.
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

/// Finds a graph by name. The handle lives as long as the context; all callers get the same one.
/// C: QnnGraph_retrieve. Codes: 6001, 6002, 6003, 6034.
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
