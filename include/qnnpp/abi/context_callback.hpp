// Callbacks of a client that supplies the memory of a context's weights, piece by piece.
#pragma once

#include "qnnpp/abi/memory.hpp"

namespace qnnpp::c_api {

/// Piece of the binary's data that the backend requests in memory.
/// C: Qnn_ContextBinaryDataRequest_t. Core 2.28.
struct ContextBinaryDataRequest {
  ContextBinarySize offset;  ///< Start of the piece within the binary, in bytes.
  ContextBinarySize size;    ///< Size of the piece in bytes.
  /// Dma buffers: nonzero requests fd and address, 0 only the address.
  std::uint8_t is_backend_mapping_needed;
};

/// Ordinary memory that holds the piece. C: Qnn_ContextBinaryRawDataResponse_t. Core 2.28.
struct ContextBinaryRawDataResponse {
  void* mem_ptr;                        ///< Start of the memory.
  ContextBinarySize data_start_offset;  ///< Offset of the piece in it, in bytes.
  ContextBinarySize aligned_size;       ///< Size of the memory in bytes, alignment included.
};

/// Dma buffer that holds the piece. C: Qnn_ContextBinaryDmaDataResponse_t. Core 2.28.
struct ContextBinaryDmaDataResponse {
  MemDmaBufInfo dma_buffer;             ///< The fd and the address, as requested.
  ContextBinarySize data_start_offset;  ///< Offset of the piece in it, in bytes.
  ContextBinarySize aligned_size;       ///< Size of the buffer in bytes, alignment included.
};

/// Memory that the backend no longer needs. C: Qnn_ContextBinaryRawDataMem_t. Core 2.28.
struct ContextBinaryRawDataMem {
  void* mem_ptr;               ///< Same as in the response.
  ContextBinarySize mem_size;  ///< Size in bytes.
};

/// Dma buffer that the backend no longer needs. C: Qnn_ContextBinaryDmaDataMem_t. Core 2.28.
struct ContextBinaryDmaDataMem {
  MemDmaBufInfo dma_buffer;    ///< Same as in the response.
  ContextBinarySize mem_size;  ///< Size in bytes.
};

/// Callback that supplies ordinary memory with the requested piece. Returns 0, 1002 or 5000.
/// C: Qnn_ContextBinaryRawDataProviderFn_t. Core 2.28.
using ContextBinaryRawDataProviderFn = ErrorHandle (*)(ContextBinaryDataRequest request,
                                                       ContextBinaryRawDataResponse* response,
                                                       void* notify_param);

/// Callback that receives the memory when the backend no longer needs it.
/// C: Qnn_ContextBinaryRawDataReleaseFn_t. Core 2.28.
using ContextBinaryRawDataReleaseFn = ErrorHandle (*)(ContextBinaryRawDataMem data_mem,
                                                      void* notify_param);

/// Callback that supplies a dma buffer with the requested piece. Returns 0, 1002 or 5000.
/// C: Qnn_ContextBinaryDmaDataProviderFn_t. Core 2.28.
using ContextBinaryDmaDataProviderFn = ErrorHandle (*)(ContextBinaryDataRequest request,
                                                       ContextBinaryDmaDataResponse* response,
                                                       void* notify_param);

/// Callback that receives the buffer when the backend no longer needs it.
/// C: Qnn_ContextBinaryDmaDataReleaseFn_t. Core 2.28.
using ContextBinaryDmaDataReleaseFn = ErrorHandle (*)(ContextBinaryDmaDataMem data_mem,
                                                      void* notify_param);

/// Selects the member of ContextBinaryRawBufferCallback's union.
/// C: Qnn_ContextBinaryRawBufferCallbackVersion_t. Core 2.28.
enum class ContextBinaryRawBufferCallbackVersion : std::uint32_t {
  v1 = 1,  ///< v1.
  undefined = 0x7FFFFFFF,
};

/// Provider of ordinary memory. C: Qnn_ContextBinaryRawBufferCallbackV1_t. Core 2.28.
struct ContextBinaryRawBufferCallbackV1 {
  ContextBinaryRawDataProviderFn data_provide;  ///< Supplies memory; not NULL.
  ContextBinaryRawDataReleaseFn data_release;   ///< Receives it back; not NULL.
  void* notify_param;                           ///< Argument for both; valid until context_free.
};

/// Provider of ordinary memory, any version. C: Qnn_ContextBinaryRawBufferCallback_t. Core 2.28.
struct ContextBinaryRawBufferCallback {
  ContextBinaryRawBufferCallbackVersion version;  ///< Selects the union member.
  union {
    ContextBinaryRawBufferCallbackV1 v1;  ///< By value.
  };
};

/// Selects the member of ContextBinaryDmaBufferCallback's union.
/// C: Qnn_ContextBinaryDmaBufferCallbackVersion_t. Core 2.28.
enum class ContextBinaryDmaBufferCallbackVersion : std::uint32_t {
  v1 = 1,  ///< v1.
  undefined = 0x7FFFFFFF,
};

/// Provider of dma buffers. C: Qnn_ContextBinaryDmaBufferCallbackV1_t. Core 2.28.
struct ContextBinaryDmaBufferCallbackV1 {
  ContextBinaryDmaDataProviderFn data_provide;  ///< Supplies a buffer; not NULL.
  ContextBinaryDmaDataReleaseFn data_release;   ///< Receives it back; not NULL.
  void* notify_param;                           ///< Argument for both; valid until context_free.
};

/// Provider of dma buffers, any version. C: Qnn_ContextBinaryDmaBufferCallback_t. Core 2.28.
struct ContextBinaryDmaBufferCallback {
  ContextBinaryDmaBufferCallbackVersion version;  ///< Selects the union member.
  union {
    ContextBinaryDmaBufferCallbackV1 v1;  ///< By value.
  };
};

/// Selects the member of ContextBinaryCallback's union. C: Qnn_ContextBinaryCallbackType_t.
/// Core 2.28.
enum class ContextBinaryCallbackType : std::uint32_t {
  raw_buffer = 1,  ///< raw_buffer_callback.
  dma_buffer = 2,  ///< dma_buffer_callback.
  undefined = 0x7FFFFFFF,
};

/// Callbacks that supply the memory of a context's weights. C: Qnn_ContextBinaryCallback_t.
/// Core 2.28.
struct ContextBinaryCallback {
  ContextBinaryCallbackType type;  ///< Selects the union member.
  union {
    ContextBinaryRawBufferCallback raw_buffer_callback;  ///< Ordinary memory.
    ContextBinaryDmaBufferCallback dma_buffer_callback;  ///< Dma buffers.
  };
};

}  // namespace qnnpp::c_api
