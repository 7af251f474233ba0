// Contexts: options, properties, sections of binaries, the parameters of asynchronous creation, and
// the calls on them.
//
// Profile and signal arguments may be NULL. Codes are explained in error.hpp; a call that reaches
// the DSP may also return 1007 or 1011.
#pragma once

#include "qnnpp/abi/context_callback.hpp"
#include "qnnpp/abi/memory.hpp"
#include "qnnpp/abi/tensor.hpp"

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

/// ContextParamsV1 with a callback. C: QnnContext_ParamsV2_t. Core 2.32.
struct ContextParamsV2 {
  const ContextConfig** config;  ///< NULL-ended array of options, or NULL.
  const void* binary_buffer;     ///< The binary.
  /// Its bytes; not 0. Const: the struct can be initialized, but not assigned.
  const ContextBinarySize binary_buffer_size;
  ProfileHandle profile;                  ///< Collects figures, or NULL.
  ContextNotifyFn notify_func;            ///< Called for each graph and for the context; not NULL.
  void* notify_param;                     ///< Handed to notify_func.
  const ContextBinaryCallback* callback;  ///< Supplies the weights' memory, or NULL.
};

/// One context of a list, any version. C: QnnContext_Params_t.
struct ContextParams {
  ContextParamsVersion version;  ///< Selects the union member.
  union {
    ContextParamsV1 v1;   ///< By value.
    ContextParamsV2* v2;  ///< By pointer; keep it valid while the list is created. Core 2.32.
  };
};

/// A part of a context binary that can be taken out and put in alone. C: QnnContext_SectionType_t.
enum class ContextSectionType : std::uint32_t {
  updatable = 1,               ///< All that may be updated.
  updatable_weights = 2,       ///< Weights alone. Core 2.27.
  updatable_quant_params = 3,  ///< Quantization alone. Core 2.27.
  undefined = 0x7FFFFFFF,
};

/// Which member of ContextBufferV1's union is set. C: QnnContext_MemType_t.
enum class ContextMemType : std::uint32_t {
  raw = 0,        ///< binary_buf.
  memhandle = 1,  ///< mem_handle.
  undefined = 0x7FFFFFFF,
};

/// Ordinary memory for a section. C: Qnn_BinaryBuffer_t.
struct BinaryBuffer {
  void* data;                   ///< Start.
  ContextBinarySize data_size;  ///< Bytes, 64 bits.
};

/// Which member of ContextBuffer's union is set. C: QnnContext_BufferVersion_t.
enum class ContextBufferVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};

/// Memory of a section. With a persistent binary it lives from the first apply until context_free.
/// C: QnnContext_BufferV1_t.
struct ContextBufferV1 {
  ContextMemType mem_type;  ///< Selects the union member.
  union {
    BinaryBuffer binary_buf;
    MemHandle mem_handle;
  };
};

/// Memory of a section, any version. C: QnnContext_Buffer_t.
struct ContextBuffer {
  ContextBufferVersion version;  ///< Selects the union member.
  union {
    ContextBufferV1 v1;
  };
};

/// Creates an empty context for composing. A NULL device is the default one. C: QnnContext_create.
/// Codes: 1000, 1002, 1007, 1011, 5000, 5002, 5010.
using ContextCreateFn = ErrorHandle (*)(BackendHandle backend, DeviceHandle device,
                                        const ContextConfig** config, ContextHandle* context);

/// Changes options of a context; all or none. C: QnnContext_setConfig. Codes: 1000, 1007, 1011,
/// 5000, 5002.
using ContextSetConfigFn = ErrorHandle (*)(ContextHandle context, const ContextConfig** config);

/// Fills a NULL-ended array of pointers to properties (ORD-02). C: QnnContext_getProperty.
/// Core 2.23. Codes: 1000, 5000, 5002.
using ContextGetPropertyFn = ErrorHandle (*)(ContextHandle context_handle,
                                             ContextProperty** properties);

/// Bytes that context_get_binary needs. All graphs are finalized; not on a context that came from a
/// binary (ORD-10). C: QnnContext_getBinarySize. Codes: 1000, 1002, 1005, 5000, 5002, 5003, 5006.
using ContextGetBinarySizeFn = ErrorHandle (*)(ContextHandle context,
                                               ContextBinarySize* binary_buffer_size);

/// Serializes the context into the client's buffer and tells the bytes written.
/// C: QnnContext_getBinary. Codes: 1000, 1002, 1005, 5000, 5002, 5003, 5007.
using ContextGetBinaryFn = ErrorHandle (*)(ContextHandle context, void* binary_buffer,
                                           ContextBinarySize binary_buffer_size,
                                           ContextBinarySize* written_buffer_size);

/// Next piece of the serialized context, with its place in the whole. Pieces come in any order.
/// Leave the context alone meanwhile. C: QnnContext_getIncrementalBinary. Core 2.27. Codes: 1000,
/// 1002, 1005, 5000, 5002, 5003, 5007.
using ContextGetIncrementalBinaryFn = ErrorHandle (*)(ContextHandle context,
                                                      const void** binary_buffer,
                                                      ContextBinarySize* start_offset,
                                                      ContextBinarySize* written_buffer_size);

/// Takes back a piece. C: QnnContext_releaseIncrementalBinary. Core 2.27. Codes: 1000, 1002, 1005,
/// 5000, 5002, 5003, 5014.
using ContextReleaseIncrementalBinaryFn = ErrorHandle (*)(ContextHandle context,
                                                          const void* binary_buffer,
                                                          ContextBinarySize start_offset);

/// Whether a binary fits library and device, without creating a context.
/// C: QnnContext_validateBinary. Codes: 1000, 1002, 5000, 5002, 5004, 5005, 5008, 5010, 5011.
using ContextValidateBinaryFn = ErrorHandle (*)(BackendHandle backend, DeviceHandle device,
                                                const ContextConfig** config,
                                                const void* binary_buffer,
                                                ContextBinarySize binary_buffer_size);

/// Creates a context from a binary; its graphs are fixed. Deferred: context_finalize completes it
/// (ORD-01). The binary is not needed afterwards unless it is deferred or persistent (ORD-05).
/// C: QnnContext_createFromBinary. Codes: 1000, 1002, 1007, 1011, 5000, 5002, 5004, 5005, 5008,
/// 5009, 5010, 5011.
using ContextCreateFromBinaryFn = ErrorHandle (*)(BackendHandle backend, DeviceHandle device,
                                                  const ContextConfig** config,
                                                  const void* binary_buffer,
                                                  ContextBinarySize binary_buffer_size,
                                                  ContextHandle* context, ProfileHandle profile);

/// context_create_from_binary that a signal can end. C: QnnContext_createFromBinaryWithSignal.
/// Codes: 1000, 1002, 5000, 5002, 5004, 5005, 5008, 5009, 5010, 5011, 5012, 5013.
using ContextCreateFromBinaryWithSignalFn =
    ErrorHandle (*)(BackendHandle backend, DeviceHandle device, const ContextConfig** config,
                    const void* binary_buffer, ContextBinarySize binary_buffer_size,
                    ContextHandle* context, ProfileHandle profile, SignalHandle signal);

/// context_create_from_binary with weights in memory that the client supplies.
/// C: QnnContext_createFromBinaryWithCallback. Core 2.28. Codes: 1000, 1002, 5000, 5002, 5004,
/// 5005, 5008, 5009, 5010, 5011, 5012, 5013.
using ContextCreateFromBinaryWithCallbackFn =
    ErrorHandle (*)(BackendHandle backend, DeviceHandle device, const ContextConfig** config,
                    const ContextBinaryCallback* callback, const void* binary_buffer,
                    ContextBinarySize binary_buffer_size, ContextHandle* context,
                    ProfileHandle profile, SignalHandle signal);

/// Creates several contexts; each reports by its notify function (ASY-01). Options for the list go
/// before those of a context. C: QnnContext_createFromBinaryListAsync. Codes: 1000, 1002, 5000,
/// 5002, 5004, 5005, 5008, 5009, 5010, 5011, 5012, 5013.
using ContextCreateFromBinaryListAsyncFn = ErrorHandle (*)(BackendHandle backend,
                                                           DeviceHandle device,
                                                           const ContextParams** context_params,
                                                           const ContextConfig** list_config,
                                                           SignalHandle signal);

/// Completes a deferred context: brings its graphs up, with the buffers registered so far (ORD-03).
/// The binary is read again (ORD-05). C: QnnContext_finalize. Core 2.27. Codes: 1000, 1002, 1007,
/// 1011, 5000, 5002, 5004, 5005, 5008, 5009, 5010, 5011.
using ContextFinalizeFn = ErrorHandle (*)(ContextHandle context, ProfileHandle profile);

/// Bytes that context_get_binary_section needs. A NULL graph is the whole context.
/// C: QnnContext_getBinarySectionSize. Codes: 1000, 1002, 1005, 5000, 5002, 5003, 5006.
using ContextGetBinarySectionSizeFn = ErrorHandle (*)(ContextHandle context, GraphHandle graph,
                                                      ContextSectionType section,
                                                      ContextBinarySize* binary_buffer_size);

/// Serializes a section into the client's buffer and tells the bytes written.
/// C: QnnContext_getBinarySection. Codes: 1000, 1002, 1005, 5000, 5002, 5003, 5007.
using ContextGetBinarySectionFn = ErrorHandle (*)(ContextHandle context, GraphHandle graph,
                                                  ContextSectionType section,
                                                  const ContextBuffer* binary_buffer,
                                                  ContextBinarySize* written_buffer_size,
                                                  ProfileHandle profile, SignalHandle signal);

/// Puts a section in. On failure the old state stays, and the context stays usable.
/// C: QnnContext_applyBinarySection. Codes: 1000, 1002, 5000, 5002, 5009.
using ContextApplyBinarySectionFn = ErrorHandle (*)(ContextHandle context, GraphHandle graph,
                                                    ContextSectionType section,
                                                    const ContextBuffer* binary_buffer,
                                                    ProfileHandle profile, SignalHandle signal);

/// Makes a section from tensors. Give the result back with context_free_binary_section_update;
/// auxiliary_buffer is NULL. C: QnnContext_getBinarySectionUpdate. Core 2.32. Codes: 1000, 1002,
/// 5000, 7002, 7007.
using ContextGetBinarySectionUpdateFn =
    ErrorHandle (*)(const ContextBuffer* binary_buffer, const ContextBuffer* auxiliary_buffer,
                    const Tensor** tensors, std::uint64_t num_tensors, std::uint8_t keep_updatable,
                    LogHandle logger, ProfileHandle profile, SignalHandle signal,
                    ContextBuffer* binary_section_update);

/// Takes back what context_get_binary_section_update gave. C: QnnContext_freeBinarySectionUpdate.
/// Core 2.32. Codes: 1000, 1002, 5000, 5002.
using ContextFreeBinarySectionUpdateFn = ErrorHandle (*)(ContextBuffer binary_section_update,
                                                         LogHandle logger);

/// Adds the serialized context to a DLC. C: QnnContext_addToDlc. Core 2.39.
using ContextAddToDlcFn = ErrorHandle (*)(ContextHandle context, SystemDlcHandle dlc_handle);

/// Frees a context with its graphs, tensors and registered memory (ORD-06). C: QnnContext_free.
/// Codes: 1002, 1007, 1011, 5000, 5002, 5009.
using ContextFreeFn = ErrorHandle (*)(ContextHandle context, ProfileHandle profile);

}  // namespace qnnpp::c_api
