#pragma once

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/quantization.hpp"

namespace qnnpp::abi {

/// Qnn_TensorType_t.
enum class TensorType : std::uint32_t {
  app_write = 0,
  app_read = 1,
  app_readwrite = 2,
  native = 3,
  static_ = 4,
  null_ = 5,
  updateable_static = 6,
  updateable_native = 7,
  updateable_app_write = 8,
  updateable_app_read = 9,
  updateable_app_readwrite = 10,
  optional_app_write = 11,
  optional_app_read = 12,
  optional_app_readwrite = 13,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(TensorType::app_write) == 0u);
static_assert(std::uint32_t(TensorType::app_read) == 1u);
static_assert(std::uint32_t(TensorType::app_readwrite) == 2u);
static_assert(std::uint32_t(TensorType::native) == 3u);
static_assert(std::uint32_t(TensorType::static_) == 4u);
static_assert(std::uint32_t(TensorType::null_) == 5u);
static_assert(std::uint32_t(TensorType::updateable_static) == 6u);
static_assert(std::uint32_t(TensorType::updateable_native) == 7u);
static_assert(std::uint32_t(TensorType::updateable_app_write) == 8u);
static_assert(std::uint32_t(TensorType::updateable_app_read) == 9u);
static_assert(std::uint32_t(TensorType::updateable_app_readwrite) == 10u);
static_assert(std::uint32_t(TensorType::optional_app_write) == 11u);
static_assert(std::uint32_t(TensorType::optional_app_read) == 12u);
static_assert(std::uint32_t(TensorType::optional_app_readwrite) == 13u);
static_assert(std::uint32_t(TensorType::undefined) == 0x7FFFFFFFu);

using TensorDataFormat = std::uint32_t;

/// Qnn_TensorMemType_t.
enum class TensorMemType : std::uint32_t {
  raw = 0,
  memhandle = 1,
  retrieve_raw = 2,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(TensorMemType::raw) == 0u);
static_assert(std::uint32_t(TensorMemType::memhandle) == 1u);
static_assert(std::uint32_t(TensorMemType::retrieve_raw) == 2u);
static_assert(std::uint32_t(TensorMemType::undefined) == 0x7FFFFFFFu);

/// Qnn_ClientBuffer_t.
struct ClientBuffer {
  void* data;
  std::uint32_t data_size;
};
static_assert(sizeof(ClientBuffer) == 16 && alignof(ClientBuffer) == 8);
static_assert(offsetof(ClientBuffer, data) == 0);
static_assert(offsetof(ClientBuffer, data_size) == 8);

using GetTensorRawDataFn = void (*)();
using FreeTensorRawDataFn = void (*)();

/// Qnn_TensorRetrieveRaw_t.
struct TensorRetrieveRaw {
  GetTensorRawDataFn get_tensor_data;
  FreeTensorRawDataFn free_tensor_data;
};
static_assert(sizeof(TensorRetrieveRaw) == 16 && alignof(TensorRetrieveRaw) == 8);
static_assert(offsetof(TensorRetrieveRaw, get_tensor_data) == 0);
static_assert(offsetof(TensorRetrieveRaw, free_tensor_data) == 8);

/// Qnn_TensorVersion_t.
enum class TensorVersion : std::uint32_t {
  v1 = 1,
  v2 = 2,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(TensorVersion::v1) == 1u);
static_assert(std::uint32_t(TensorVersion::v2) == 2u);
static_assert(std::uint32_t(TensorVersion::undefined) == 0x7FFFFFFFu);

/// Qnn_TensorV1_t.
struct TensorV1 {
  std::uint32_t id;
  const char* name;
  TensorType type;
  TensorDataFormat data_format;
  DataType data_type;
  QuantizeParams quantize_params;
  std::uint32_t rank;
  std::uint32_t* dimensions;
  TensorMemType mem_type;
  union {
    ClientBuffer client_buf;
    MemHandle mem_handle;
  };
};
static_assert(sizeof(TensorV1) == 112 && alignof(TensorV1) == 8);
static_assert(offsetof(TensorV1, id) == 0);
static_assert(offsetof(TensorV1, name) == 8);
static_assert(offsetof(TensorV1, type) == 16);
static_assert(offsetof(TensorV1, data_format) == 20);
static_assert(offsetof(TensorV1, data_type) == 24);
static_assert(offsetof(TensorV1, quantize_params) == 32);
static_assert(offsetof(TensorV1, rank) == 72);
static_assert(offsetof(TensorV1, dimensions) == 80);
static_assert(offsetof(TensorV1, mem_type) == 88);
static_assert(offsetof(TensorV1, client_buf) == 96);
static_assert(offsetof(TensorV1, mem_handle) == 96);

/// Qnn_SparseLayoutType_t.
enum class SparseLayoutType : std::uint32_t {
  hybrid_coo = 0,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(SparseLayoutType::hybrid_coo) == 0u);
static_assert(std::uint32_t(SparseLayoutType::undefined) == 0x7FFFFFFFu);

/// Qnn_SparseLayoutHybridCoo_t.
struct SparseLayoutHybridCoo {
  std::uint32_t num_specified_elements;
  std::uint32_t num_sparse_dimensions;
};
static_assert(sizeof(SparseLayoutHybridCoo) == 8 && alignof(SparseLayoutHybridCoo) == 4);
static_assert(offsetof(SparseLayoutHybridCoo, num_specified_elements) == 0);
static_assert(offsetof(SparseLayoutHybridCoo, num_sparse_dimensions) == 4);

/// Qnn_SparseParams_t.
struct SparseParams {
  SparseLayoutType type;
  union {
    SparseLayoutHybridCoo hybrid_coo;
  };
};
static_assert(sizeof(SparseParams) == 12 && alignof(SparseParams) == 4);
static_assert(offsetof(SparseParams, type) == 0);
static_assert(offsetof(SparseParams, hybrid_coo) == 4);

/// Qnn_TensorV2_t.
struct TensorV2 {
  std::uint32_t id;
  const char* name;
  TensorType type;
  TensorDataFormat data_format;
  DataType data_type;
  QuantizeParams quantize_params;
  std::uint32_t rank;
  std::uint32_t* dimensions;
  TensorMemType mem_type;
  union {
    ClientBuffer client_buf;
    MemHandle mem_handle;
    TensorRetrieveRaw* retrieve_raw;
  };
  std::uint8_t* is_dynamic_dimensions;
  SparseParams sparse_params;
  std::uint8_t is_produced;
};
static_assert(sizeof(TensorV2) == 136 && alignof(TensorV2) == 8);
static_assert(offsetof(TensorV2, id) == 0);
static_assert(offsetof(TensorV2, name) == 8);
static_assert(offsetof(TensorV2, type) == 16);
static_assert(offsetof(TensorV2, data_format) == 20);
static_assert(offsetof(TensorV2, data_type) == 24);
static_assert(offsetof(TensorV2, quantize_params) == 32);
static_assert(offsetof(TensorV2, rank) == 72);
static_assert(offsetof(TensorV2, dimensions) == 80);
static_assert(offsetof(TensorV2, mem_type) == 88);
static_assert(offsetof(TensorV2, client_buf) == 96);
static_assert(offsetof(TensorV2, mem_handle) == 96);
static_assert(offsetof(TensorV2, retrieve_raw) == 96);
static_assert(offsetof(TensorV2, is_dynamic_dimensions) == 112);
static_assert(offsetof(TensorV2, sparse_params) == 120);
static_assert(offsetof(TensorV2, is_produced) == 132);

/// Qnn_Tensor_t.
struct Tensor {
  TensorVersion version;
  union {
    TensorV1 v1;
    TensorV2 v2;
  };
};
static_assert(sizeof(Tensor) == 144 && alignof(Tensor) == 8);
static_assert(offsetof(Tensor, version) == 0);
static_assert(offsetof(Tensor, v1) == 8);
static_assert(offsetof(Tensor, v2) == 8);

/// Qnn_TensorSetVersion_t.
enum class TensorSetVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(TensorSetVersion::v1) == 1u);
static_assert(std::uint32_t(TensorSetVersion::undefined) == 0x7FFFFFFFu);

/// Qnn_TensorSetV1_t.
struct TensorSetV1 {
  std::uint32_t num_inputs;
  Tensor* inputs;
  std::uint32_t num_outputs;
  Tensor* outputs;
};
static_assert(sizeof(TensorSetV1) == 32 && alignof(TensorSetV1) == 8);
static_assert(offsetof(TensorSetV1, num_inputs) == 0);
static_assert(offsetof(TensorSetV1, inputs) == 8);
static_assert(offsetof(TensorSetV1, num_outputs) == 16);
static_assert(offsetof(TensorSetV1, outputs) == 24);

/// Qnn_TensorSet_t.
struct TensorSet {
  TensorSetVersion version;
  union {
    TensorSetV1 v1;
  };
};
static_assert(sizeof(TensorSet) == 40 && alignof(TensorSet) == 8);
static_assert(offsetof(TensorSet, version) == 0);
static_assert(offsetof(TensorSet, v1) == 8);

}  // namespace qnnpp::abi
