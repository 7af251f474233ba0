// The calls on contexts.
//
// Profile and signal arguments may be NULL. Codes are explained in error.hpp; a call that reaches
// the DSP may also return 1007 or 1011.
#pragma once

#include "qnnpp/abi/context.hpp"
#include "qnnpp/abi/context_callback.hpp"
#include "qnnpp/abi/context_section.hpp"
#include "qnnpp/abi/tensor.hpp"

namespace qnnpp::c_api {

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
