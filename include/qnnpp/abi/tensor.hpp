// Tensors: inputs, outputs and constants of graphs, and the memory of their data.
#pragma once

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/quantization.hpp"

namespace qnnpp::c_api {

/// Role of a tensor in its graph. C: Qnn_TensorType_t.
enum class TensorType : std::uint32_t {
  app_write = 0,             ///< Input of the graph.
  app_read = 1,              ///< Output of the graph.
  app_readwrite = 2,         ///< Input and output, such as a cache that an execution updates.
  native = 3,                ///< Between nodes; the backend owns its memory.
  static_ = 4,               ///< Constant; its data is copied when the tensor is created.
  null_ = 5,                 ///< Omitted optional input.
  updateable_static = 6,     ///< Constant that a binary section can replace.
  updateable_native = 7,     ///< As native, with quantization that an update can replace.
  updateable_app_write = 8,  ///< As app_write, with quantization that an update can replace.
  updateable_app_read = 9,   ///< As app_read, with quantization that an update can replace.
  /// As app_readwrite, with quantization that an update can replace.
  updateable_app_readwrite = 10,
  optional_app_write = 11,      ///< Input that an execution may omit. Core 2.23.
  optional_app_read = 12,       ///< Output that an execution may omit. Core 2.23.
  optional_app_readwrite = 13,  ///< Input and output that an execution may omit. Core 2.23.
  undefined = 0x7FFFFFFF,
};

/// Whether a tensor is an input and an output at once.
[[nodiscard]] constexpr bool is_read_write(TensorType type) noexcept {
  return type == TensorType::app_readwrite || type == TensorType::updateable_app_readwrite ||
         type == TensorType::optional_app_readwrite;
}

/// Layout of a tensor in memory; tensor_data_format has the values. C: Qnn_TensorDataFormat_t.
using TensorDataFormat = std::uint32_t;

/// Values of TensorDataFormat. C: QNN_TENSOR_DATA_FORMAT_...
namespace tensor_data_format {
/// Contiguous; the last dimension varies fastest.
inline constexpr TensorDataFormat dense = 0;
/// Another name of dense.
inline constexpr TensorDataFormat flat_buffer = dense;
/// Sparse, described by SparseParams; native tensors only.
inline constexpr TensorDataFormat sparse = 1;
/// Code book, described by VectorEncoding; static tensors only.
inline constexpr TensorDataFormat codebook = 2;
/// Microscaling.
inline constexpr TensorDataFormat mx = 3;
/// Compressed RGBA.
inline constexpr TensorDataFormat ubwc_rgba8888 = 4;
/// Compressed NV12.
inline constexpr TensorDataFormat ubwc_nv12 = 5;
/// Its Y plane alone.
inline constexpr TensorDataFormat ubwc_nv12_y = 6;
/// Its UV plane alone.
inline constexpr TensorDataFormat ubwc_nv12_uv = 7;
/// Weights for the matrix unit.
inline constexpr TensorDataFormat hmx_weight_layout = 8;
/// Compressed NV12, 4R variant.
inline constexpr TensorDataFormat ubwc_nv124r = 9;
/// Its Y plane alone.
inline constexpr TensorDataFormat ubwc_nv124r_y = 10;
/// Its UV plane alone.
inline constexpr TensorDataFormat ubwc_nv124r_uv = 11;
}  // namespace tensor_data_format

/// Selects the member of a tensor's memory union. C: Qnn_TensorMemType_t.
enum class TensorMemType : std::uint32_t {
  raw = 0,        ///< client_buf, ordinary memory.
  memhandle = 1,  ///< mem_handle, registered memory.
  /// retrieve_raw, callbacks that supply ordinary memory. TensorV2 only. Core 2.23.
  retrieve_raw = 2,
  undefined = 0x7FFFFFFF,
};

/// Ordinary memory of the client. C: Qnn_ClientBuffer_t.
struct ClientBuffer {
  void* data;               ///< Start; NULL if the tensor has no data yet.
  std::uint32_t data_size;  ///< Size in bytes; less than 4 GiB, as it has 32 bits (SHB-06).
};

/// Callback that supplies the data of a static tensor; graph is NULL for a context tensor. The
/// backend may call it several times for one tensor. Returns 0, 7002, 1004 or 1010.
/// C: Qnn_GetTensorRawDataFn_t. Core 2.23.
using GetTensorRawDataFn = ErrorHandle (*)(ContextHandle context, GraphHandle graph,
                                           std::uint64_t id, ClientBuffer* client_buf);

/// Callback that receives the data of one GetTensorRawDataFn call when the backend no longer needs
/// it. Returns 0 or 7002. C: Qnn_FreeTensorRawDataFn_t. Core 2.23.
using FreeTensorRawDataFn = ErrorHandle (*)(ContextHandle context, GraphHandle graph,
                                            std::uint64_t id);

/// Callbacks from which the backend fetches a static tensor's data when it needs the data. Keep the
/// struct and its functions until the graph is finalized. C: Qnn_TensorRetrieveRaw_t. Core 2.23.
struct TensorRetrieveRaw {
  GetTensorRawDataFn get_tensor_data;    ///< Supplies the data.
  FreeTensorRawDataFn free_tensor_data;  ///< Receives the data back, once for each get.
};

/// Selects the member of Tensor's union. C: Qnn_TensorVersion_t.
enum class TensorVersion : std::uint32_t {
  v1 = 1,  ///< TensorV1.
  v2 = 2,  ///< TensorV2.
  undefined = 0x7FFFFFFF,
};

/// Tensor: shape, type and data. The client owns names, dimensions and data. C: Qnn_TensorV1_t.
struct TensorV1 {
  /// Set by the backend when the tensor is created. Execution finds the tensor by its id.
  std::uint32_t id;
  const char* name;                ///< Unique in its graph, or in its context for context tensors.
  TensorType type;                 ///< Role in the graph.
  TensorDataFormat data_format;    ///< Layout in memory; usually dense.
  DataType data_type;              ///< Type of the elements.
  QuantizeParams quantize_params;  ///< Meaning of fixed-point elements.
  std::uint32_t rank;              ///< Number of dimensions; 0 for a scalar.
  std::uint32_t* dimensions;       ///< rank extents, the last varies fastest; NULL when rank is 0.
  TensorMemType mem_type;          ///< Selects the union member.
  union {
    ClientBuffer client_buf;  ///< Ordinary memory.
    MemHandle mem_handle;     ///< Memory registered in the tensor's context (ION-01).
  };
};

/// Layout of a sparse tensor. C: Qnn_SparseLayoutType_t.
enum class SparseLayoutType : std::uint32_t {
  hybrid_coo = 0,  ///< Coordinates of the first dimensions, dense in the rest.
  undefined = 0x7FFFFFFF,
};

/// Coordinate list of a sparse tensor. C: Qnn_SparseLayoutHybridCoo_t.
struct SparseLayoutHybridCoo {
  /// Number of elements; when the tensor is created, their upper limit.
  std::uint32_t num_specified_elements;
  /// Number of leading dimensions with coordinates, from 1 to the rank.
  std::uint32_t num_sparse_dimensions;
};

/// Sparsity of a tensor; applies only if its data_format is sparse. C: Qnn_SparseParams_t.
struct SparseParams {
  SparseLayoutType type;  ///< Selects the union member.
  union {
    SparseLayoutHybridCoo hybrid_coo;  ///< Coordinate list.
  };
};

/// TensorV1 with dynamic dimensions, sparsity and callbacks. C: Qnn_TensorV2_t.
struct TensorV2 {
  /// Set by the backend when the tensor is created. Execution finds the tensor by its id.
  std::uint32_t id;
  const char* name;                ///< Unique in its graph, or in its context for context tensors.
  TensorType type;                 ///< Role in the graph.
  TensorDataFormat data_format;    ///< Layout in memory; usually dense.
  DataType data_type;              ///< Type of the elements.
  QuantizeParams quantize_params;  ///< Meaning of fixed-point elements.
  std::uint32_t rank;              ///< Number of dimensions, never dynamic; 0 for a scalar.
  std::uint32_t* dimensions;       ///< rank extents, the last varies fastest; NULL when rank is 0.
  TensorMemType mem_type;          ///< Selects the union member.
  union {
    ClientBuffer client_buf;          ///< Ordinary memory.
    MemHandle mem_handle;             ///< Memory registered in the tensor's context (ION-01).
    TensorRetrieveRaw* retrieve_raw;  ///< Callbacks for a static tensor's data. Core 2.23.
  };
  /// rank flags; nonzero if the execution sets the extent. NULL if no extent is dynamic.
  std::uint8_t* is_dynamic_dimensions;
  /// Applies only if data_format is sparse.
  SparseParams sparse_params;
  /// Set by an execution: nonzero if it wrote this output. Only for graphs that can end early.
  std::uint8_t is_produced;
};

/// Tensor, any version. Set version first. C: Qnn_Tensor_t.
struct Tensor {
  TensorVersion version;  ///< Selects the union member.
  union {
    TensorV1 v1;  ///< Version 1.
    TensorV2 v2;  ///< Version 2.
  };
};

/// Selects the member of TensorSet's union. C: Qnn_TensorSetVersion_t.
enum class TensorSetVersion : std::uint32_t {
  v1 = 1,  ///< TensorSetV1.
  undefined = 0x7FFFFFFF,
};

/// Inputs and outputs of a graph. C: Qnn_TensorSetV1_t.
struct TensorSetV1 {
  std::uint32_t num_inputs;   ///< Length of inputs.
  Tensor* inputs;             ///< Input tensors.
  std::uint32_t num_outputs;  ///< Length of outputs.
  Tensor* outputs;            ///< Output tensors.
};

/// Set of tensors, any version. C: Qnn_TensorSet_t.
struct TensorSet {
  TensorSetVersion version;  ///< Selects the union member.
  union {
    TensorSetV1 v1;  ///< By value.
  };
};

/// Creates a tensor that all graphs of the context can use, and writes its id into the argument.
/// C: QnnTensor_createContextTensor. Codes: 1000, 1002, 7001, 7004, 7005.
using TensorCreateContextTensorFn = ErrorHandle (*)(ContextHandle context, Tensor* tensor);

/// Creates a tensor of one graph, and writes its id into the argument. Static data is copied.
/// C: QnnTensor_createGraphTensor. Codes: 1000, 1002, 7001, 7004, 7005.
using TensorCreateGraphTensorFn = ErrorHandle (*)(GraphHandle graph, Tensor* tensor);

/// Updates tensors of a graph; the change applies after the next finalize.
/// C: QnnTensor_updateGraphTensors. Codes: 1000, 1002, 6023, 7001, 7004, 7005, 7007.
using TensorUpdateGraphTensorsFn = ErrorHandle (*)(GraphHandle graph, const Tensor** tensor,
                                                   std::uint64_t num_tensors);

/// Updates tensors of a context; the change applies after the next finalize.
/// C: QnnTensor_updateContextTensors. Codes: 1000, 1002, 7001, 7004, 7005, 7007.
using TensorUpdateContextTensorsFn = ErrorHandle (*)(ContextHandle context, const Tensor** tensor,
                                                     std::uint64_t num_tensors);

}  // namespace qnnpp::c_api
