// Contexts: options, properties and the parameters of asynchronous creation.
#pragma once

#include "qnnpp/abi/memory.hpp"

namespace qnnpp::c_api {

/// Which member of ContextConfig's union is set. C: QnnContext_ConfigOption_t.
enum class ContextConfigOption : std::uint32_t {
  /// custom_config, defined by the backend; HTP: HtpContextCustomConfig. May stand several times in
  /// one array.
  custom = 0,
  priority = 1,
  error_reporting = 2,              ///< error_config.
  oem_string = 3,                   ///< oem_string; deprecated.
  async_execution_queue_depth = 4,  ///< async_exe_queue_depth.
  enable_graphs = 5,
  memory_limit_hint = 6,
  persistent_binary = 7,       ///< is_persistent_binary.
  binary_compatibility = 8,    ///< binary_compatibility_type.
  defer_graph_init = 9,        ///< is_graph_init_deferred (ORD-01). Core 2.27.
  graph_retention_order = 10,  ///< Core 2.30.
  undefined = 0x7FFFFFFF,
};

/// What to do with a binary that would run, but not well. The pad value has seven digits.
/// C: QnnContext_BinaryCompatibilityType_t.
enum class ContextBinaryCompatibilityType : std::uint32_t {
  permissive = 0,  ///< Take it; the default.
  strict = 1,      ///< Refuse it with ContextError::binary_suboptimal.
  undefined = 0x7FFFFFF,
};

/// Which member of ContextAsyncExecutionQueueDepth's union is set. The pad value has seven digits.
/// C: QnnContext_AsyncExecutionQueueDepthType_t.
enum class ContextAsyncExecutionQueueDepthType : std::uint32_t {
  numeric = 0,  ///< depth.
  undefined = 0x7FFFFFF,
};

/// Length of the queue of asynchronous executions. C: QnnContext_AsyncExecutionQueueDepth_t.
struct ContextAsyncExecutionQueueDepth {
  ContextAsyncExecutionQueueDepthType type;  ///< Selects the union member.
  union {
    std::uint32_t depth;  ///< Executions; the backend bounds it.
  };
};

/// Pointer to an option that the backend defines. C: QnnContext_CustomConfig_t.
using ContextCustomConfig = void*;

/// An option of a context. Calls take a NULL-ended array of pointers to these; NULL is the
/// defaults, and the last of equal options wins (CFG-01). With a deferred context keep array,
/// options and what they point to until context_finalize has returned (ORD-05).
/// C: QnnContext_Config_t.
struct ContextConfig {
  ContextConfigOption option;  ///< Selects the union member.
  union {
    /// HTP: pointer to an HtpContextCustomConfig.
    ContextCustomConfig custom_config;
    /// Default of the context's graphs.
    Priority priority;
    /// How much is remembered about errors.
    ErrorReportingConfig error_config;
    /// NUL-ended text.
    const char* oem_string;
    /// Queue of graph_execute_async.
    ContextAsyncExecutionQueueDepth async_exe_queue_depth;
    /// NULL-ended names of the graphs to bring up; the others answer GraphError::disabled. An
    /// unknown name is an error.
    const char* const* enable_graphs;
    /// Peak of the deserialized context in megabytes; 0 is no limit. With is_persistent_binary it
    /// turns graph switching on (EXT-04).
    std::uint64_t memory_limit_hint;
    /// Not 0: the binary stays readable at its address until context_free.
    std::uint8_t is_persistent_binary;
    /// Answer to a binary that would run badly.
    ContextBinaryCompatibilityType binary_compatibility_type;
    /// Not 0: context_finalize brings the graphs up; buffers are registered before it (ORD-03).
    /// Core 2.27.
    std::uint8_t is_graph_init_deferred;
    /// NULL-ended names: which graphs graph switching keeps longest. Core 2.30.
    const char* const* graph_retention_order;
  };
};

/// Which member of ContextProperty's union is meant. C: QnnContext_PropertyOption_t. Core 2.23.
enum class ContextPropertyOption : std::uint32_t {
  custom = 0,  ///< custom_property, defined by the backend; HTP: HtpContextCustomProperty.
  undefined = 0x7FFFFFFF,
};

/// Pointer to a property that the backend defines. C: QnnContext_CustomProperty_t.
using ContextCustomProperty = void*;

/// A property of a context: the client sets option and what the pointer points to, the backend
/// fills the rest. C: QnnContext_Property_t. Core 2.23.
struct ContextProperty {
  ContextPropertyOption option;  ///< Selects the union member.
  union {
    ContextCustomProperty custom_property;  ///< HTP: pointer to an HtpContextCustomProperty.
  };
};

/// What a ContextNotifyFn reports on. The pad value has seven digits.
/// C: QnnContext_createFromBinaryAsyncNotifyType_t.
enum class ContextNotifyType : std::uint32_t {
  graph_init = 0,    ///< One graph is up or has failed.
  context_init = 1,  ///< The context is up or has failed; the last report on it.
  undefined = 0x7FFFFFF,
};

/// Reports on a context of a list: once for each graph, then once for the context, whose handle
/// comes only here. Make no other call on them before. status is 0 or the reason of the failure.
/// C: QnnContext_createFromBinaryNotifyFn_t.
using ContextNotifyFn = void (*)(ContextHandle context, GraphHandle graph, const char* graph_name,
                                 ContextNotifyType notify_type, void* notify_param,
                                 ErrorHandle status);

/// Which member of ContextParams' union is set. C: QnnContext_ParamsVersion_t.
enum class ContextParamsVersion : std::uint32_t {
  v1 = 1,  ///< v1, by value.
  v2 = 2,  ///< v2, by pointer. Core 2.32.
  undefined = 0x7FFFFFFF,
};

/// One context of context_create_from_binary_list_async. Everything it points to lives until the
/// context's context_init report (ASY-01). C: QnnContext_ParamsV1_t.
struct ContextParamsV1 {
  const ContextConfig** config;  ///< NULL-ended array of options, or NULL.
  const void* binary_buffer;     ///< The binary.
  /// Its bytes; not 0. Const: the struct can be initialized, but not assigned.
  const ContextBinarySize binary_buffer_size;
  ProfileHandle profile;        ///< Collects figures, or NULL.
  ContextNotifyFn notify_func;  ///< Called for each graph and for the context; not NULL.
  void* notify_param;           ///< Handed to notify_func.
};

}  // namespace qnnpp::c_api
