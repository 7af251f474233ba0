// Contexts: options, properties, sections of binaries, parameters of asynchronous creation, and the
// calls on contexts.
//
// Profile and signal arguments may be NULL. error.hpp explains the codes; a call that reaches the
// DSP can also return 1007 or 1011.
#pragma once

#include "qnnpp/abi/context_callback.hpp"
#include "qnnpp/abi/memory.hpp"
#include "qnnpp/abi/tensor.hpp"

namespace qnnpp::c_api {

/// Selects the member of ContextConfig's union. C: QnnContext_ConfigOption_t.
enum class ContextConfigOption : std::uint32_t {
  /// custom_config, defined by the backend; HTP: HtpContextCustomConfig. An array may have several
  /// of them.
  custom = 0,
  priority = 1,                     ///< priority.
  error_reporting = 2,              ///< error_config.
  oem_string = 3,                   ///< oem_string; deprecated.
  async_execution_queue_depth = 4,  ///< async_exe_queue_depth.
  enable_graphs = 5,                ///< enable_graphs.
  memory_limit_hint = 6,            ///< memory_limit_hint.
  persistent_binary = 7,            ///< is_persistent_binary.
  binary_compatibility = 8,         ///< binary_compatibility_type.
  defer_graph_init = 9,             ///< is_graph_init_deferred (ORD-01). Core 2.27.
  graph_retention_order = 10,       ///< graph_retention_order. Core 2.30.
  undefined = 0x7FFFFFFF,
};

/// Response to a binary that would run with poor performance. The pad value has seven digits.
/// C: QnnContext_BinaryCompatibilityType_t.
enum class ContextBinaryCompatibilityType : std::uint32_t {
  permissive = 0,  ///< Accept it; the default.
  strict = 1,      ///< Refuse it with ContextError::binary_suboptimal.
  undefined = 0x7FFFFFF,
};

/// Selects the member of ContextAsyncExecutionQueueDepth's union. The pad value has seven digits.
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

/// Option of a context. Calls use a NULL-ended array of pointers to options; NULL selects the
/// defaults. The last of repeated options applies (CFG-01). A deferred context requires the
/// array, the options and their targets until context_finalize has returned (ORD-05).
/// C: QnnContext_Config_t.
struct ContextConfig {
  ContextConfigOption option;  ///< Selects the union member.
  union {
    /// HTP: pointer to an HtpContextCustomConfig.
    ContextCustomConfig custom_config;
    /// Default priority of the context's graphs.
    Priority priority;
    /// Amount of error information to keep.
    ErrorReportingConfig error_config;
    /// NUL-ended text.
    const char* oem_string;
    /// Length of the queue of graph_execute_async.
    ContextAsyncExecutionQueueDepth async_exe_queue_depth;
    /// NULL-ended names of the graphs to initialize; executing another graph returns
    /// GraphError::disabled or, from known libraries, GraphError::invalid_handle. Unknown names are
    /// accepted (CFG-03).
    const char* const* enable_graphs;
    /// Memory limit of the deserialized context in megabytes; 0 is no limit. With
    /// is_persistent_binary it enables graph switching (EXT-04).
    std::uint64_t memory_limit_hint;
    /// Nonzero: the binary stays readable at its address until context_free.
    std::uint8_t is_persistent_binary;
    /// Response to a binary that would run with poor performance.
    ContextBinaryCompatibilityType binary_compatibility_type;
    /// Nonzero: context_finalize initializes the graphs. Register buffers before that call
    /// (ORD-03). Core 2.27.
    std::uint8_t is_graph_init_deferred;
    /// NULL-ended names of the graphs that graph switching keeps longest. Core 2.30.
    const char* const* graph_retention_order;
  };
};

/// Selects the member of ContextProperty's union. C: QnnContext_PropertyOption_t. Core 2.23.
enum class ContextPropertyOption : std::uint32_t {
  custom = 0,  ///< custom_property, defined by the backend; HTP: HtpContextCustomProperty.
  undefined = 0x7FFFFFFF,
};

/// Pointer to a property that the backend defines. C: QnnContext_CustomProperty_t.
using ContextCustomProperty = void*;

/// Property of a context: the client sets option and the pointer's target, and the backend fills
/// the rest. C: QnnContext_Property_t. Core 2.23.
struct ContextProperty {
  ContextPropertyOption option;  ///< Selects the union member.
  union {
    ContextCustomProperty custom_property;  ///< HTP: pointer to an HtpContextCustomProperty.
  };
};

/// Subject of a report to ContextNotifyFn. The pad value has seven digits.
/// C: QnnContext_createFromBinaryAsyncNotifyType_t.
enum class ContextNotifyType : std::uint32_t {
  graph_init = 0,    ///< A graph is initialized or has failed.
  context_init = 1,  ///< The context is created or has failed; the last report on it.
  undefined = 0x7FFFFFF,
};

/// Callback that reports on a context of a list: once for each graph, then once for the context.
/// Only this callback receives the context's handle. Make no other call on the context or its
/// graphs before its context_init report. status is 0 or the code of the failure.
/// C: QnnContext_createFromBinaryNotifyFn_t.
using ContextNotifyFn = void (*)(ContextHandle context, GraphHandle graph, const char* graph_name,
                                 ContextNotifyType notify_type, void* notify_param,
                                 ErrorHandle status);

/// Selects the member of ContextParams' union. C: QnnContext_ParamsVersion_t.
enum class ContextParamsVersion : std::uint32_t {
  v1 = 1,  ///< v1, by value.
  v2 = 2,  ///< v2, by pointer. Core 2.32.
  undefined = 0x7FFFFFFF,
};

/// Context to create with context_create_from_binary_list_async. Keep everything that it points to
/// until the context's context_init report (ASY-01). C: QnnContext_ParamsV1_t.
struct ContextParamsV1 {
  const ContextConfig** config;  ///< NULL-ended array of options, or NULL.
  const void* binary_buffer;     ///< The binary.
  /// Size of the binary in bytes; not 0. The member is const, so the struct cannot be assigned.
  const ContextBinarySize binary_buffer_size;
  ProfileHandle profile;        ///< Profile that the creation fills, or NULL.
  ContextNotifyFn notify_func;  ///< Called for each graph and for the context; not NULL.
  void* notify_param;           ///< Argument for notify_func.
};

/// ContextParamsV1 with a callback for the weights. C: QnnContext_ParamsV2_t. Core 2.32.
struct ContextParamsV2 {
  const ContextConfig** config;  ///< NULL-ended array of options, or NULL.
  const void* binary_buffer;     ///< The binary.
  /// Size of the binary in bytes; not 0. The member is const, so the struct cannot be assigned.
  const ContextBinarySize binary_buffer_size;
  ProfileHandle profile;                  ///< Profile that the creation fills, or NULL.
  ContextNotifyFn notify_func;            ///< Called for each graph and for the context; not NULL.
  void* notify_param;                     ///< Argument for notify_func.
  const ContextBinaryCallback* callback;  ///< Supplies the weights' memory, or NULL.
};

/// Context of a list, any version. C: QnnContext_Params_t.
struct ContextParams {
  ContextParamsVersion version;  ///< Selects the union member.
  union {
    ContextParamsV1 v1;  ///< By value.
    /// By pointer; keep the target valid while the list is created. Core 2.32.
    ContextParamsV2* v2;
  };
};

/// Part of a context binary that can be serialized and applied separately.
/// C: QnnContext_SectionType_t.
enum class ContextSectionType : std::uint32_t {
  updatable = 1,               ///< Everything that can be updated.
  updatable_weights = 2,       ///< Only weights. Core 2.27.
  updatable_quant_params = 3,  ///< Only quantization parameters. Core 2.27.
  undefined = 0x7FFFFFFF,
};

/// Selects the member of ContextBufferV1's union. C: QnnContext_MemType_t.
enum class ContextMemType : std::uint32_t {
  raw = 0,        ///< binary_buf.
  memhandle = 1,  ///< mem_handle.
  undefined = 0x7FFFFFFF,
};

/// Ordinary memory for a section. C: Qnn_BinaryBuffer_t.
struct BinaryBuffer {
  void* data;                   ///< Start.
  ContextBinarySize data_size;  ///< Size in bytes.
};

/// Selects the member of ContextBuffer's union. C: QnnContext_BufferVersion_t.
enum class ContextBufferVersion : std::uint32_t {
  v1 = 1,  ///< v1.
  undefined = 0x7FFFFFFF,
};

/// Memory of a section. With a persistent binary, keep it from the first apply until context_free.
/// C: QnnContext_BufferV1_t.
struct ContextBufferV1 {
  ContextMemType mem_type;  ///< Selects the union member.
  union {
    BinaryBuffer binary_buf;  ///< Ordinary memory.
    MemHandle mem_handle;     ///< Registered memory.
  };
};

/// Memory of a section, any version. C: QnnContext_Buffer_t.
struct ContextBuffer {
  ContextBufferVersion version;  ///< Selects the union member.
  union {
    ContextBufferV1 v1;  ///< By value.
  };
};

/// Creates an empty context for composing graphs. A NULL device is the default device.
/// C: QnnContext_create. Codes: 1000, 1002, 1007, 1011, 5000, 5002, 5010.
using ContextCreateFn = ErrorHandle (*)(BackendHandle backend, DeviceHandle device,
                                        const ContextConfig** config, ContextHandle* context);

/// Changes options of a context: all of them or, on failure, none. C: QnnContext_setConfig. Codes:
/// 1000, 1007, 1011, 5000, 5002.
using ContextSetConfigFn = ErrorHandle (*)(ContextHandle context, const ContextConfig** config);

/// Fills a NULL-ended array of pointers to properties (ORD-02). C: QnnContext_getProperty.
/// Core 2.23. Codes: 1000, 5000, 5002.
using ContextGetPropertyFn = ErrorHandle (*)(ContextHandle context_handle,
                                             ContextProperty** properties);

/// Returns the bytes that context_get_binary needs. Requires that all graphs are finalized and that
/// the context was composed, not created from a binary (ORD-10). C: QnnContext_getBinarySize.
/// Codes: 1000, 1002, 1005, 5000, 5002, 5003, 5006.
using ContextGetBinarySizeFn = ErrorHandle (*)(ContextHandle context,
                                               ContextBinarySize* binary_buffer_size);

/// Serializes a context into the client's buffer and reports the number of bytes written.
/// C: QnnContext_getBinary. Codes: 1000, 1002, 1005, 5000, 5002, 5003, 5007.
using ContextGetBinaryFn = ErrorHandle (*)(ContextHandle context, void* binary_buffer,
                                           ContextBinarySize binary_buffer_size,
                                           ContextBinarySize* written_buffer_size);

/// Returns the next piece of the serialized context and its offset. Pieces arrive in any order. Do
/// not use the context until all pieces are released. C: QnnContext_getIncrementalBinary.
/// Core 2.27. Codes: 1000, 1002, 1005, 5000, 5002, 5003, 5007.
using ContextGetIncrementalBinaryFn = ErrorHandle (*)(ContextHandle context,
                                                      const void** binary_buffer,
                                                      ContextBinarySize* start_offset,
                                                      ContextBinarySize* written_buffer_size);

/// Releases a piece. C: QnnContext_releaseIncrementalBinary. Core 2.27. Codes: 1000, 1002, 1005,
/// 5000, 5002, 5003, 5014.
using ContextReleaseIncrementalBinaryFn = ErrorHandle (*)(ContextHandle context,
                                                          const void* binary_buffer,
                                                          ContextBinarySize start_offset);

/// Reports whether a binary fits the library and the device; creates no context.
/// C: QnnContext_validateBinary. Codes: 1000, 1002, 5000, 5002, 5004, 5005, 5008, 5010, 5011.
using ContextValidateBinaryFn = ErrorHandle (*)(BackendHandle backend, DeviceHandle device,
                                                const ContextConfig** config,
                                                const void* binary_buffer,
                                                ContextBinarySize binary_buffer_size);

/// Creates a context from a binary; no graphs can be added. context_finalize completes a deferred
/// context (ORD-01). The binary may be freed afterwards unless the context is deferred or the
/// binary persistent (ORD-05). C: QnnContext_createFromBinary. Codes: 1000, 1002, 1007, 1011, 5000,
/// 5002, 5004, 5005, 5008, 5009, 5010, 5011.
using ContextCreateFromBinaryFn = ErrorHandle (*)(BackendHandle backend, DeviceHandle device,
                                                  const ContextConfig** config,
                                                  const void* binary_buffer,
                                                  ContextBinarySize binary_buffer_size,
                                                  ContextHandle* context, ProfileHandle profile);

/// Creates a context, as context_create_from_binary does; a signal can abort the call or limit its
/// time. C: QnnContext_createFromBinaryWithSignal. Codes: 1000, 1002, 5000, 5002, 5004, 5005, 5008,
/// 5009, 5010, 5011, 5012, 5013.
using ContextCreateFromBinaryWithSignalFn =
    ErrorHandle (*)(BackendHandle backend, DeviceHandle device, const ContextConfig** config,
                    const void* binary_buffer, ContextBinarySize binary_buffer_size,
                    ContextHandle* context, ProfileHandle profile, SignalHandle signal);

/// Creates a context, as context_create_from_binary does, with weights in memory that the client
/// supplies. C: QnnContext_createFromBinaryWithCallback. Core 2.28. Codes: 1000, 1002, 5000, 5002,
/// 5004, 5005, 5008, 5009, 5010, 5011, 5012, 5013.
using ContextCreateFromBinaryWithCallbackFn =
    ErrorHandle (*)(BackendHandle backend, DeviceHandle device, const ContextConfig** config,
                    const ContextBinaryCallback* callback, const void* binary_buffer,
                    ContextBinarySize binary_buffer_size, ContextHandle* context,
                    ProfileHandle profile, SignalHandle signal);

/// Creates several contexts; each reports to its notify function (ASY-01). Options of the list
/// override options of a context. C: QnnContext_createFromBinaryListAsync. Codes: 1000, 1002, 5000,
/// 5002, 5004, 5005, 5008, 5009, 5010, 5011, 5012, 5013.
using ContextCreateFromBinaryListAsyncFn = ErrorHandle (*)(BackendHandle backend,
                                                           DeviceHandle device,
                                                           const ContextParams** context_params,
                                                           const ContextConfig** list_config,
                                                           SignalHandle signal);

/// Completes a deferred context: initializes its graphs with the buffers registered so far
/// (ORD-03). Reads the binary again (ORD-05). C: QnnContext_finalize. Core 2.27. Codes: 1000, 1002,
/// 1007, 1011, 5000, 5002, 5004, 5005, 5008, 5009, 5010, 5011.
using ContextFinalizeFn = ErrorHandle (*)(ContextHandle context, ProfileHandle profile);

/// Returns the bytes that context_get_binary_section needs. A NULL graph selects the whole context.
/// C: QnnContext_getBinarySectionSize. Codes: 1000, 1002, 1005, 5000, 5002, 5003, 5006.
using ContextGetBinarySectionSizeFn = ErrorHandle (*)(ContextHandle context, GraphHandle graph,
                                                      ContextSectionType section,
                                                      ContextBinarySize* binary_buffer_size);

/// Serializes a section into the client's buffer and reports the number of bytes written.
/// C: QnnContext_getBinarySection. Codes: 1000, 1002, 1005, 5000, 5002, 5003, 5007.
using ContextGetBinarySectionFn = ErrorHandle (*)(ContextHandle context, GraphHandle graph,
                                                  ContextSectionType section,
                                                  const ContextBuffer* binary_buffer,
                                                  ContextBinarySize* written_buffer_size,
                                                  ProfileHandle profile, SignalHandle signal);

/// Applies a section. On failure the context keeps its old state and stays usable.
/// C: QnnContext_applyBinarySection. Codes: 1000, 1002, 5000, 5002, 5009.
using ContextApplyBinarySectionFn = ErrorHandle (*)(ContextHandle context, GraphHandle graph,
                                                    ContextSectionType section,
                                                    const ContextBuffer* binary_buffer,
                                                    ProfileHandle profile, SignalHandle signal);

/// Creates a section from tensors. Release the result with context_free_binary_section_update;
/// auxiliary_buffer is NULL. C: QnnContext_getBinarySectionUpdate. Core 2.32. Codes: 1000, 1002,
/// 5000, 7002, 7007.
using ContextGetBinarySectionUpdateFn =
    ErrorHandle (*)(const ContextBuffer* binary_buffer, const ContextBuffer* auxiliary_buffer,
                    const Tensor** tensors, std::uint64_t num_tensors, std::uint8_t keep_updatable,
                    LogHandle logger, ProfileHandle profile, SignalHandle signal,
                    ContextBuffer* binary_section_update);

/// Releases the result of context_get_binary_section_update. C: QnnContext_freeBinarySectionUpdate.
/// Core 2.32. Codes: 1000, 1002, 5000, 5002.
using ContextFreeBinarySectionUpdateFn = ErrorHandle (*)(ContextBuffer binary_section_update,
                                                         LogHandle logger);

/// Adds the serialized context to a DLC. C: QnnContext_addToDlc. Core 2.34.
using ContextAddToDlcFn = ErrorHandle (*)(ContextHandle context, SystemDlcHandle dlc_handle);

/// Frees a context with its graphs, tensors and registered memory (ORD-06). C: QnnContext_free.
/// Codes: 1002, 1007, 1011, 5000, 5002, 5009.
using ContextFreeFn = ErrorHandle (*)(ContextHandle context, ProfileHandle profile);

}  // namespace qnnpp::c_api
