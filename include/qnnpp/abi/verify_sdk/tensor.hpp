// Part of verify_sdk.hpp; do not include it alone. Compares abi/tensor.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/tensor.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/tensor.hpp"

// clang-format off
namespace qnnpp::c_api {

QNNPP_SAME_VALUE(TensorType::app_write, QNN_TENSOR_TYPE_APP_WRITE);
QNNPP_SAME_VALUE(TensorType::app_read, QNN_TENSOR_TYPE_APP_READ);
QNNPP_SAME_VALUE(TensorType::app_readwrite, QNN_TENSOR_TYPE_APP_READWRITE);
QNNPP_SAME_VALUE(TensorType::native, QNN_TENSOR_TYPE_NATIVE);
QNNPP_SAME_VALUE(TensorType::static_, QNN_TENSOR_TYPE_STATIC);
QNNPP_SAME_VALUE(TensorType::null_, QNN_TENSOR_TYPE_NULL);
QNNPP_SAME_VALUE(TensorType::updateable_static, QNN_TENSOR_TYPE_UPDATEABLE_STATIC);
QNNPP_SAME_VALUE(TensorType::updateable_native, QNN_TENSOR_TYPE_UPDATEABLE_NATIVE);
QNNPP_SAME_VALUE(TensorType::updateable_app_write, QNN_TENSOR_TYPE_UPDATEABLE_APP_WRITE);
QNNPP_SAME_VALUE(TensorType::updateable_app_read, QNN_TENSOR_TYPE_UPDATEABLE_APP_READ);
QNNPP_SAME_VALUE(TensorType::updateable_app_readwrite, QNN_TENSOR_TYPE_UPDATEABLE_APP_READWRITE);
#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_VALUE(TensorType::optional_app_write, QNN_TENSOR_TYPE_OPTIONAL_APP_WRITE);
QNNPP_SAME_VALUE(TensorType::optional_app_read, QNN_TENSOR_TYPE_OPTIONAL_APP_READ);
QNNPP_SAME_VALUE(TensorType::optional_app_readwrite, QNN_TENSOR_TYPE_OPTIONAL_APP_READWRITE);
#endif
QNNPP_SAME_VALUE(TensorType::undefined, QNN_TENSOR_TYPE_UNDEFINED);
#if defined(QNN_TENSOR_DATA_FORMAT_DENSE)
QNNPP_SAME_VALUE(tensor_data_format::dense, QNN_TENSOR_DATA_FORMAT_DENSE);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER)
QNNPP_SAME_VALUE(tensor_data_format::flat_buffer, QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_SPARSE)
QNNPP_SAME_VALUE(tensor_data_format::sparse, QNN_TENSOR_DATA_FORMAT_SPARSE);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_CODEBOOK)
QNNPP_SAME_VALUE(tensor_data_format::codebook, QNN_TENSOR_DATA_FORMAT_CODEBOOK);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_MX)
QNNPP_SAME_VALUE(tensor_data_format::mx, QNN_TENSOR_DATA_FORMAT_MX);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_RGBA8888)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_rgba8888, QNN_TENSOR_DATA_FORMAT_UBWC_RGBA8888);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV12)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv12, QNN_TENSOR_DATA_FORMAT_UBWC_NV12);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV12_Y)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv12_y, QNN_TENSOR_DATA_FORMAT_UBWC_NV12_Y);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV12_UV)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv12_uv, QNN_TENSOR_DATA_FORMAT_UBWC_NV12_UV);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT)
QNNPP_SAME_VALUE(tensor_data_format::hmx_weight_layout, QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV124R)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv124r, QNN_TENSOR_DATA_FORMAT_UBWC_NV124R);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV124R_Y)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv124r_y, QNN_TENSOR_DATA_FORMAT_UBWC_NV124R_Y);
#endif
#if defined(QNN_TENSOR_DATA_FORMAT_UBWC_NV124R_UV)
QNNPP_SAME_VALUE(tensor_data_format::ubwc_nv124r_uv, QNN_TENSOR_DATA_FORMAT_UBWC_NV124R_UV);
#endif
QNNPP_SAME_VALUE(TensorMemType::raw, QNN_TENSORMEMTYPE_RAW);
QNNPP_SAME_VALUE(TensorMemType::memhandle, QNN_TENSORMEMTYPE_MEMHANDLE);
#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_VALUE(TensorMemType::retrieve_raw, QNN_TENSORMEMTYPE_RETRIEVE_RAW);
#endif
QNNPP_SAME_VALUE(TensorMemType::undefined, QNN_TENSORMEMTYPE_UNDEFINED);
QNNPP_SAME_SIZE(ClientBuffer, Qnn_ClientBuffer_t);
QNNPP_SAME_FIELD(ClientBuffer, data, Qnn_ClientBuffer_t, data);
QNNPP_SAME_FIELD(ClientBuffer, data_size, Qnn_ClientBuffer_t, dataSize);
#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_SIZE(TensorRetrieveRaw, Qnn_TensorRetrieveRaw_t);
QNNPP_SAME_FIELD(TensorRetrieveRaw, get_tensor_data, Qnn_TensorRetrieveRaw_t, getTensorData);
QNNPP_SAME_FIELD(TensorRetrieveRaw, free_tensor_data, Qnn_TensorRetrieveRaw_t, freeTensorData);
#endif
QNNPP_SAME_VALUE(TensorVersion::v1, QNN_TENSOR_VERSION_1);
QNNPP_SAME_VALUE(TensorVersion::v2, QNN_TENSOR_VERSION_2);
QNNPP_SAME_VALUE(TensorVersion::undefined, QNN_TENSOR_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(TensorV1, Qnn_TensorV1_t);
QNNPP_SAME_FIELD(TensorV1, id, Qnn_TensorV1_t, id);
QNNPP_SAME_FIELD(TensorV1, name, Qnn_TensorV1_t, name);
QNNPP_SAME_FIELD(TensorV1, type, Qnn_TensorV1_t, type);
QNNPP_SAME_FIELD(TensorV1, data_format, Qnn_TensorV1_t, dataFormat);
QNNPP_SAME_FIELD(TensorV1, data_type, Qnn_TensorV1_t, dataType);
QNNPP_SAME_FIELD(TensorV1, quantize_params, Qnn_TensorV1_t, quantizeParams);
QNNPP_SAME_FIELD(TensorV1, rank, Qnn_TensorV1_t, rank);
QNNPP_SAME_FIELD(TensorV1, dimensions, Qnn_TensorV1_t, dimensions);
QNNPP_SAME_FIELD(TensorV1, mem_type, Qnn_TensorV1_t, memType);
QNNPP_SAME_FIELD(TensorV1, client_buf, Qnn_TensorV1_t, clientBuf);
QNNPP_SAME_FIELD(TensorV1, mem_handle, Qnn_TensorV1_t, memHandle);
QNNPP_SAME_VALUE(SparseLayoutType::hybrid_coo, QNN_SPARSE_LAYOUT_HYBRID_COO);
QNNPP_SAME_VALUE(SparseLayoutType::undefined, QNN_SPARSE_LAYOUT_UNDEFINED);
QNNPP_SAME_SIZE(SparseLayoutHybridCoo, Qnn_SparseLayoutHybridCoo_t);
QNNPP_SAME_FIELD(SparseLayoutHybridCoo, num_specified_elements, Qnn_SparseLayoutHybridCoo_t, numSpecifiedElements);
QNNPP_SAME_FIELD(SparseLayoutHybridCoo, num_sparse_dimensions, Qnn_SparseLayoutHybridCoo_t, numSparseDimensions);
QNNPP_SAME_SIZE(SparseParams, Qnn_SparseParams_t);
QNNPP_SAME_FIELD(SparseParams, type, Qnn_SparseParams_t, type);
QNNPP_SAME_FIELD(SparseParams, hybrid_coo, Qnn_SparseParams_t, hybridCoo);
QNNPP_SAME_SIZE(TensorV2, Qnn_TensorV2_t);
QNNPP_SAME_FIELD(TensorV2, id, Qnn_TensorV2_t, id);
QNNPP_SAME_FIELD(TensorV2, name, Qnn_TensorV2_t, name);
QNNPP_SAME_FIELD(TensorV2, type, Qnn_TensorV2_t, type);
QNNPP_SAME_FIELD(TensorV2, data_format, Qnn_TensorV2_t, dataFormat);
QNNPP_SAME_FIELD(TensorV2, data_type, Qnn_TensorV2_t, dataType);
QNNPP_SAME_FIELD(TensorV2, quantize_params, Qnn_TensorV2_t, quantizeParams);
QNNPP_SAME_FIELD(TensorV2, rank, Qnn_TensorV2_t, rank);
QNNPP_SAME_FIELD(TensorV2, dimensions, Qnn_TensorV2_t, dimensions);
QNNPP_SAME_FIELD(TensorV2, mem_type, Qnn_TensorV2_t, memType);
QNNPP_SAME_FIELD(TensorV2, client_buf, Qnn_TensorV2_t, clientBuf);
QNNPP_SAME_FIELD(TensorV2, mem_handle, Qnn_TensorV2_t, memHandle);
#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_FIELD(TensorV2, retrieve_raw, Qnn_TensorV2_t, retrieveRaw);
#endif
QNNPP_SAME_FIELD(TensorV2, is_dynamic_dimensions, Qnn_TensorV2_t, isDynamicDimensions);
QNNPP_SAME_FIELD(TensorV2, sparse_params, Qnn_TensorV2_t, sparseParams);
QNNPP_SAME_FIELD(TensorV2, is_produced, Qnn_TensorV2_t, isProduced);
QNNPP_SAME_SIZE(Tensor, Qnn_Tensor_t);
QNNPP_SAME_FIELD(Tensor, version, Qnn_Tensor_t, version);
QNNPP_SAME_FIELD(Tensor, v1, Qnn_Tensor_t, v1);
QNNPP_SAME_FIELD(Tensor, v2, Qnn_Tensor_t, v2);
QNNPP_SAME_VALUE(TensorSetVersion::v1, QNN_TENSOR_SET_VERSION_1);
QNNPP_SAME_VALUE(TensorSetVersion::undefined, QNN_TENSOR_SET_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(TensorSetV1, Qnn_TensorSetV1_t);
QNNPP_SAME_FIELD(TensorSetV1, num_inputs, Qnn_TensorSetV1_t, numInputs);
QNNPP_SAME_FIELD(TensorSetV1, inputs, Qnn_TensorSetV1_t, inputs);
QNNPP_SAME_FIELD(TensorSetV1, num_outputs, Qnn_TensorSetV1_t, numOutputs);
QNNPP_SAME_FIELD(TensorSetV1, outputs, Qnn_TensorSetV1_t, outputs);
QNNPP_SAME_SIZE(TensorSet, Qnn_TensorSet_t);
QNNPP_SAME_FIELD(TensorSet, version, Qnn_TensorSet_t, version);
QNNPP_SAME_FIELD(TensorSet, v1, Qnn_TensorSet_t, v1);
#if defined(QNN_TENSOR_INIT)
QNNPP_SAME_INIT(Qnn_Tensor_t, QNN_TENSOR_INIT, version, TensorVersion::v1);
#endif

}  // namespace qnnpp::c_api

#endif
