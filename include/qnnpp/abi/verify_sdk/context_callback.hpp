// Part of verify_sdk.hpp; do not include it alone. Compares abi/context_callback.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/context_callback.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/context_callback.hpp"

// clang-format off
namespace qnnpp::c_api {

#if QNN_API_VERSION_MINOR >= 30
QNNPP_SAME_SIZE(ContextBinaryDataRequest, Qnn_ContextBinaryDataRequest_t);
QNNPP_SAME_FIELD(ContextBinaryDataRequest, offset, Qnn_ContextBinaryDataRequest_t, offset);
QNNPP_SAME_FIELD(ContextBinaryDataRequest, size, Qnn_ContextBinaryDataRequest_t, size);
QNNPP_SAME_FIELD(ContextBinaryDataRequest, is_backend_mapping_needed, Qnn_ContextBinaryDataRequest_t, isBackendMappingNeeded);
QNNPP_SAME_SIZE(ContextBinaryRawDataResponse, Qnn_ContextBinaryRawDataResponse_t);
QNNPP_SAME_FIELD(ContextBinaryRawDataResponse, mem_ptr, Qnn_ContextBinaryRawDataResponse_t, memPtr);
QNNPP_SAME_FIELD(ContextBinaryRawDataResponse, data_start_offset, Qnn_ContextBinaryRawDataResponse_t, dataStartOffset);
QNNPP_SAME_FIELD(ContextBinaryRawDataResponse, aligned_size, Qnn_ContextBinaryRawDataResponse_t, alignedSize);
QNNPP_SAME_SIZE(ContextBinaryDmaDataResponse, Qnn_ContextBinaryDmaDataResponse_t);
QNNPP_SAME_FIELD(ContextBinaryDmaDataResponse, dma_buffer, Qnn_ContextBinaryDmaDataResponse_t, dmaBuffer);
QNNPP_SAME_FIELD(ContextBinaryDmaDataResponse, data_start_offset, Qnn_ContextBinaryDmaDataResponse_t, dataStartOffset);
QNNPP_SAME_FIELD(ContextBinaryDmaDataResponse, aligned_size, Qnn_ContextBinaryDmaDataResponse_t, alignedSize);
QNNPP_SAME_SIZE(ContextBinaryRawDataMem, Qnn_ContextBinaryRawDataMem_t);
QNNPP_SAME_FIELD(ContextBinaryRawDataMem, mem_ptr, Qnn_ContextBinaryRawDataMem_t, memPtr);
QNNPP_SAME_FIELD(ContextBinaryRawDataMem, mem_size, Qnn_ContextBinaryRawDataMem_t, memSize);
QNNPP_SAME_SIZE(ContextBinaryDmaDataMem, Qnn_ContextBinaryDmaDataMem_t);
QNNPP_SAME_FIELD(ContextBinaryDmaDataMem, dma_buffer, Qnn_ContextBinaryDmaDataMem_t, dmaBuffer);
QNNPP_SAME_FIELD(ContextBinaryDmaDataMem, mem_size, Qnn_ContextBinaryDmaDataMem_t, memSize);
QNNPP_SAME_VALUE(ContextBinaryRawBufferCallbackVersion::v1, QNN_CONTEXT_CALLBACK_RAW_BUFFER_VERSION_1);
QNNPP_SAME_VALUE(ContextBinaryRawBufferCallbackVersion::undefined, QNN_CONTEXT_CALLBACK_RAW_BUFFER_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(ContextBinaryRawBufferCallbackV1, Qnn_ContextBinaryRawBufferCallbackV1_t);
QNNPP_SAME_FIELD(ContextBinaryRawBufferCallbackV1, data_provide, Qnn_ContextBinaryRawBufferCallbackV1_t, dataProvide);
QNNPP_SAME_FIELD(ContextBinaryRawBufferCallbackV1, data_release, Qnn_ContextBinaryRawBufferCallbackV1_t, dataRelease);
QNNPP_SAME_FIELD(ContextBinaryRawBufferCallbackV1, notify_param, Qnn_ContextBinaryRawBufferCallbackV1_t, notifyParam);
QNNPP_SAME_SIZE(ContextBinaryRawBufferCallback, Qnn_ContextBinaryRawBufferCallback_t);
QNNPP_SAME_FIELD(ContextBinaryRawBufferCallback, version, Qnn_ContextBinaryRawBufferCallback_t, version);
QNNPP_SAME_FIELD(ContextBinaryRawBufferCallback, v1, Qnn_ContextBinaryRawBufferCallback_t, v1);
QNNPP_SAME_VALUE(ContextBinaryDmaBufferCallbackVersion::v1, QNN_CONTEXT_CALLBACK_DMA_BUFFER_VERSION_1);
QNNPP_SAME_VALUE(ContextBinaryDmaBufferCallbackVersion::undefined, QNN_CONTEXT_CALLBACK_DMA_BUFFER_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(ContextBinaryDmaBufferCallbackV1, Qnn_ContextBinaryDmaBufferCallbackV1_t);
QNNPP_SAME_FIELD(ContextBinaryDmaBufferCallbackV1, data_provide, Qnn_ContextBinaryDmaBufferCallbackV1_t, dataProvide);
QNNPP_SAME_FIELD(ContextBinaryDmaBufferCallbackV1, data_release, Qnn_ContextBinaryDmaBufferCallbackV1_t, dataRelease);
QNNPP_SAME_FIELD(ContextBinaryDmaBufferCallbackV1, notify_param, Qnn_ContextBinaryDmaBufferCallbackV1_t, notifyParam);
QNNPP_SAME_SIZE(ContextBinaryDmaBufferCallback, Qnn_ContextBinaryDmaBufferCallback_t);
QNNPP_SAME_FIELD(ContextBinaryDmaBufferCallback, version, Qnn_ContextBinaryDmaBufferCallback_t, version);
QNNPP_SAME_FIELD(ContextBinaryDmaBufferCallback, v1, Qnn_ContextBinaryDmaBufferCallback_t, v1);
QNNPP_SAME_VALUE(ContextBinaryCallbackType::raw_buffer, QNN_CONTEXT_CALLBACK_RAW_BUFFER);
QNNPP_SAME_VALUE(ContextBinaryCallbackType::dma_buffer, QNN_CONTEXT_CALLBACK_DMA_BUFFER);
QNNPP_SAME_VALUE(ContextBinaryCallbackType::undefined, QNN_CONTEXT_CALLBACK_UNDEFINED);
QNNPP_SAME_SIZE(ContextBinaryCallback, Qnn_ContextBinaryCallback_t);
QNNPP_SAME_FIELD(ContextBinaryCallback, type, Qnn_ContextBinaryCallback_t, type);
QNNPP_SAME_FIELD(ContextBinaryCallback, raw_buffer_callback, Qnn_ContextBinaryCallback_t, rawBufferCallback);
QNNPP_SAME_FIELD(ContextBinaryCallback, dma_buffer_callback, Qnn_ContextBinaryCallback_t, dmaBufferCallback);
#endif

}  // namespace qnnpp::c_api

#endif
