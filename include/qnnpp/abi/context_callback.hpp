#pragma once

#include "qnnpp/abi/context.hpp"

namespace qnnpp::abi {

/// Qnn_ContextBinaryDataRequest_t.
struct ContextBinaryDataRequest {
  ContextBinarySize offset;
  ContextBinarySize size;
  std::uint8_t is_backend_mapping_needed;
};
static_assert(sizeof(ContextBinaryDataRequest) == 24 && alignof(ContextBinaryDataRequest) == 8);
static_assert(offsetof(ContextBinaryDataRequest, offset) == 0);
static_assert(offsetof(ContextBinaryDataRequest, size) == 8);
static_assert(offsetof(ContextBinaryDataRequest, is_backend_mapping_needed) == 16);

/// Qnn_ContextBinaryRawDataResponse_t.
struct ContextBinaryRawDataResponse {
  void* mem_ptr;
  ContextBinarySize data_start_offset;
  ContextBinarySize aligned_size;
};
static_assert(sizeof(ContextBinaryRawDataResponse) == 24 && alignof(ContextBinaryRawDataResponse) == 8);
static_assert(offsetof(ContextBinaryRawDataResponse, mem_ptr) == 0);
static_assert(offsetof(ContextBinaryRawDataResponse, data_start_offset) == 8);
static_assert(offsetof(ContextBinaryRawDataResponse, aligned_size) == 16);

/// Qnn_ContextBinaryDmaDataResponse_t.
struct ContextBinaryDmaDataResponse {
  MemDmaBufInfo dma_buffer;
  ContextBinarySize data_start_offset;
  ContextBinarySize aligned_size;
};
static_assert(sizeof(ContextBinaryDmaDataResponse) == 32 && alignof(ContextBinaryDmaDataResponse) == 8);
static_assert(offsetof(ContextBinaryDmaDataResponse, dma_buffer) == 0);
static_assert(offsetof(ContextBinaryDmaDataResponse, data_start_offset) == 16);
static_assert(offsetof(ContextBinaryDmaDataResponse, aligned_size) == 24);

/// Qnn_ContextBinaryRawDataMem_t.
struct ContextBinaryRawDataMem {
  void* mem_ptr;
  ContextBinarySize mem_size;
};
static_assert(sizeof(ContextBinaryRawDataMem) == 16 && alignof(ContextBinaryRawDataMem) == 8);
static_assert(offsetof(ContextBinaryRawDataMem, mem_ptr) == 0);
static_assert(offsetof(ContextBinaryRawDataMem, mem_size) == 8);

/// Qnn_ContextBinaryDmaDataMem_t.
struct ContextBinaryDmaDataMem {
  MemDmaBufInfo dma_buffer;
  ContextBinarySize mem_size;
};
static_assert(sizeof(ContextBinaryDmaDataMem) == 24 && alignof(ContextBinaryDmaDataMem) == 8);
static_assert(offsetof(ContextBinaryDmaDataMem, dma_buffer) == 0);
static_assert(offsetof(ContextBinaryDmaDataMem, mem_size) == 16);

using ContextBinaryRawDataProviderFn = void (*)();
using ContextBinaryRawDataReleaseFn = void (*)();
using ContextBinaryDmaDataProviderFn = void (*)();
using ContextBinaryDmaDataReleaseFn = void (*)();

/// Qnn_ContextBinaryRawBufferCallbackVersion_t.
enum class ContextBinaryRawBufferCallbackVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ContextBinaryRawBufferCallbackVersion::v1) == 1u);
static_assert(std::uint32_t(ContextBinaryRawBufferCallbackVersion::undefined) == 0x7FFFFFFFu);

/// Qnn_ContextBinaryRawBufferCallbackV1_t.
struct ContextBinaryRawBufferCallbackV1 {
  ContextBinaryRawDataProviderFn data_provide;
  ContextBinaryRawDataReleaseFn data_release;
  void* notify_param;
};
static_assert(sizeof(ContextBinaryRawBufferCallbackV1) == 24 && alignof(ContextBinaryRawBufferCallbackV1) == 8);
static_assert(offsetof(ContextBinaryRawBufferCallbackV1, data_provide) == 0);
static_assert(offsetof(ContextBinaryRawBufferCallbackV1, data_release) == 8);
static_assert(offsetof(ContextBinaryRawBufferCallbackV1, notify_param) == 16);

/// Qnn_ContextBinaryRawBufferCallback_t.
struct ContextBinaryRawBufferCallback {
  ContextBinaryRawBufferCallbackVersion version;
  union {
    ContextBinaryRawBufferCallbackV1 v1;
  };
};
static_assert(sizeof(ContextBinaryRawBufferCallback) == 32 && alignof(ContextBinaryRawBufferCallback) == 8);
static_assert(offsetof(ContextBinaryRawBufferCallback, version) == 0);
static_assert(offsetof(ContextBinaryRawBufferCallback, v1) == 8);

/// Qnn_ContextBinaryDmaBufferCallbackVersion_t.
enum class ContextBinaryDmaBufferCallbackVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ContextBinaryDmaBufferCallbackVersion::v1) == 1u);
static_assert(std::uint32_t(ContextBinaryDmaBufferCallbackVersion::undefined) == 0x7FFFFFFFu);

/// Qnn_ContextBinaryDmaBufferCallbackV1_t.
struct ContextBinaryDmaBufferCallbackV1 {
  ContextBinaryDmaDataProviderFn data_provide;
  ContextBinaryDmaDataReleaseFn data_release;
  void* notify_param;
};
static_assert(sizeof(ContextBinaryDmaBufferCallbackV1) == 24 && alignof(ContextBinaryDmaBufferCallbackV1) == 8);
static_assert(offsetof(ContextBinaryDmaBufferCallbackV1, data_provide) == 0);
static_assert(offsetof(ContextBinaryDmaBufferCallbackV1, data_release) == 8);
static_assert(offsetof(ContextBinaryDmaBufferCallbackV1, notify_param) == 16);

/// Qnn_ContextBinaryDmaBufferCallback_t.
struct ContextBinaryDmaBufferCallback {
  ContextBinaryDmaBufferCallbackVersion version;
  union {
    ContextBinaryDmaBufferCallbackV1 v1;
  };
};
static_assert(sizeof(ContextBinaryDmaBufferCallback) == 32 && alignof(ContextBinaryDmaBufferCallback) == 8);
static_assert(offsetof(ContextBinaryDmaBufferCallback, version) == 0);
static_assert(offsetof(ContextBinaryDmaBufferCallback, v1) == 8);

/// Qnn_ContextBinaryCallbackType_t.
enum class ContextBinaryCallbackType : std::uint32_t {
  raw_buffer = 1,
  dma_buffer = 2,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ContextBinaryCallbackType::raw_buffer) == 1u);
static_assert(std::uint32_t(ContextBinaryCallbackType::dma_buffer) == 2u);
static_assert(std::uint32_t(ContextBinaryCallbackType::undefined) == 0x7FFFFFFFu);

/// Qnn_ContextBinaryCallback_t.
struct ContextBinaryCallback {
  ContextBinaryCallbackType type;
  union {
    ContextBinaryRawBufferCallback raw_buffer_callback;
    ContextBinaryDmaBufferCallback dma_buffer_callback;
  };
};
static_assert(sizeof(ContextBinaryCallback) == 40 && alignof(ContextBinaryCallback) == 8);
static_assert(offsetof(ContextBinaryCallback, type) == 0);
static_assert(offsetof(ContextBinaryCallback, raw_buffer_callback) == 8);
static_assert(offsetof(ContextBinaryCallback, dma_buffer_callback) == 8);

/// QnnContext_ParamsV2_t.
struct ContextParamsV2 {
  const ContextConfig** config;
  const void* binary_buffer;
  const ContextBinarySize binary_buffer_size;
  ProfileHandle profile;
  ContextNotifyFn notify_func;
  void* notify_param;
  const ContextBinaryCallback* callback;
};
static_assert(sizeof(ContextParamsV2) == 56 && alignof(ContextParamsV2) == 8);
static_assert(offsetof(ContextParamsV2, config) == 0);
static_assert(offsetof(ContextParamsV2, binary_buffer) == 8);
static_assert(offsetof(ContextParamsV2, binary_buffer_size) == 16);
static_assert(offsetof(ContextParamsV2, profile) == 24);
static_assert(offsetof(ContextParamsV2, notify_func) == 32);
static_assert(offsetof(ContextParamsV2, notify_param) == 40);
static_assert(offsetof(ContextParamsV2, callback) == 48);

/// QnnContext_Params_t.
struct ContextParams {
  ContextParamsVersion version;
  union {
    ContextParamsV1 v1;
    ContextParamsV2* v2;
  };
};
static_assert(sizeof(ContextParams) == 56 && alignof(ContextParams) == 8);
static_assert(offsetof(ContextParams, version) == 0);
static_assert(offsetof(ContextParams, v1) == 8);
static_assert(offsetof(ContextParams, v2) == 8);

}  // namespace qnnpp::abi
