// Callbacks by which a client supplies the memory of a context's weights, piece by piece.
#pragma once

#include "qnnpp/abi/context.hpp"

namespace qnnpp::c_api {

/// A piece of the binary's data that the backend wants in memory.
/// C: Qnn_ContextBinaryDataRequest_t. Core 2.28.
struct ContextBinaryDataRequest {
  ContextBinarySize offset;  ///< Start of the piece within the binary, in bytes.
  ContextBinarySize size;    ///< Bytes.
  /// Dma buffers: not 0 asks for fd and address, 0 for the address alone.
  std::uint8_t is_backend_mapping_needed;
};

/// Ordinary memory that holds the piece. C: Qnn_ContextBinaryRawDataResponse_t. Core 2.28.
struct ContextBinaryRawDataResponse {
  void* mem_ptr;                        ///< Start of the memory.
  ContextBinarySize data_start_offset;  ///< Where the piece starts in it, in bytes.
  ContextBinarySize aligned_size;       ///< Bytes of the memory, alignment included.
};

/// Dma buffer that holds the piece. C: Qnn_ContextBinaryDmaDataResponse_t. Core 2.28.
struct ContextBinaryDmaDataResponse {
  MemDmaBufInfo dma_buffer;             ///< The buffer: its fd and its address, as asked for.
  ContextBinarySize data_start_offset;  ///< Where the piece starts in it, in bytes.
  ContextBinarySize aligned_size;       ///< Bytes of the buffer, alignment included.
};

/// Memory that the backend gives back. C: Qnn_ContextBinaryRawDataMem_t. Core 2.28.
struct ContextBinaryRawDataMem {
  void* mem_ptr;               ///< As in the response.
  ContextBinarySize mem_size;  ///< Bytes.
};

/// Dma buffer that the backend gives back. C: Qnn_ContextBinaryDmaDataMem_t. Core 2.28.
struct ContextBinaryDmaDataMem {
  MemDmaBufInfo dma_buffer;    ///< As in the response.
  ContextBinarySize mem_size;  ///< Bytes.
};

/// Answers a request with ordinary memory that holds the piece. Returns 0, 1002 or 5000.
/// C: Qnn_ContextBinaryRawDataProviderFn_t. Core 2.28.
using ContextBinaryRawDataProviderFn = ErrorHandle (*)(ContextBinaryDataRequest request,
                                                       ContextBinaryRawDataResponse* response,
                                                       void* notify_param);

/// Takes the memory back. C: Qnn_ContextBinaryRawDataReleaseFn_t. Core 2.28.
using ContextBinaryRawDataReleaseFn = ErrorHandle (*)(ContextBinaryRawDataMem data_mem,
                                                      void* notify_param);

/// Answers a request with a dma buffer that holds the piece. Returns 0, 1002 or 5000.
/// C: Qnn_ContextBinaryDmaDataProviderFn_t. Core 2.28.
using ContextBinaryDmaDataProviderFn = ErrorHandle (*)(ContextBinaryDataRequest request,
                                                       ContextBinaryDmaDataResponse* response,
                                                       void* notify_param);

/// Takes the buffer back. C: Qnn_ContextBinaryDmaDataReleaseFn_t. Core 2.28.
using ContextBinaryDmaDataReleaseFn = ErrorHandle (*)(ContextBinaryDmaDataMem data_mem,
                                                      void* notify_param);

/// Which member of ContextBinaryRawBufferCallback's union is set.
/// C: Qnn_ContextBinaryRawBufferCallbackVersion_t. Core 2.28.
enum class ContextBinaryRawBufferCallbackVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};

/// Provider of ordinary memory. C: Qnn_ContextBinaryRawBufferCallbackV1_t. Core 2.28.
struct ContextBinaryRawBufferCallbackV1 {
  ContextBinaryRawDataProviderFn data_provide;  ///< Not NULL.
  ContextBinaryRawDataReleaseFn data_release;   ///< Not NULL.
  void* notify_param;                           ///< Handed to both; lives until context_free.
};

/// Provider of ordinary memory, any version. C: Qnn_ContextBinaryRawBufferCallback_t. Core 2.28.
struct ContextBinaryRawBufferCallback {
  ContextBinaryRawBufferCallbackVersion version;  ///< Selects the union member.
  union {
    ContextBinaryRawBufferCallbackV1 v1;
  };
};

/// Which member of ContextBinaryDmaBufferCallback's union is set.
/// C: Qnn_ContextBinaryDmaBufferCallbackVersion_t. Core 2.28.
enum class ContextBinaryDmaBufferCallbackVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};

/// Provider of dma buffers. C: Qnn_ContextBinaryDmaBufferCallbackV1_t. Core 2.28.
struct ContextBinaryDmaBufferCallbackV1 {
  ContextBinaryDmaDataProviderFn data_provide;  ///< Not NULL.
  ContextBinaryDmaDataReleaseFn data_release;   ///< Not NULL.
  void* notify_param;                           ///< Handed to both; lives until context_free.
};

/// Provider of dma buffers, any version. C: Qnn_ContextBinaryDmaBufferCallback_t. Core 2.28.
struct ContextBinaryDmaBufferCallback {
  ContextBinaryDmaBufferCallbackVersion version;  ///< Selects the union member.
  union {
    ContextBinaryDmaBufferCallbackV1 v1;
  };
};

/// Which member of ContextBinaryCallback's union is set. C: Qnn_ContextBinaryCallbackType_t.
/// Core 2.28.
enum class ContextBinaryCallbackType : std::uint32_t {
  raw_buffer = 1,  ///< raw_buffer_callback.
  dma_buffer = 2,  ///< dma_buffer_callback.
  undefined = 0x7FFFFFFF,
};

/// How the client supplies the memory of a context's weights. C: Qnn_ContextBinaryCallback_t.
/// Core 2.28.
struct ContextBinaryCallback {
  ContextBinaryCallbackType type;  ///< Selects the union member.
  union {
    ContextBinaryRawBufferCallback raw_buffer_callback;
    ContextBinaryDmaBufferCallback dma_buffer_callback;
  };
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
    ContextParamsV2* v2;  ///< By pointer; lives as long as what it points to. Core 2.32.
  };
};

}  // namespace qnnpp::c_api
