// Part of verify_sdk.hpp; do not include it alone. Compares abi/op.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/op.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/op.hpp"

// clang-format off
namespace qnnpp::c_api {

QNNPP_SAME_VALUE(ParamType::scalar, QNN_PARAMTYPE_SCALAR);
QNNPP_SAME_VALUE(ParamType::tensor, QNN_PARAMTYPE_TENSOR);
QNNPP_SAME_VALUE(ParamType::undefined, QNN_PARAMTYPE_UNDEFINED);
QNNPP_SAME_SIZE(Param, Qnn_Param_t);
QNNPP_SAME_FIELD(Param, param_type, Qnn_Param_t, paramType);
QNNPP_SAME_FIELD(Param, name, Qnn_Param_t, name);
QNNPP_SAME_FIELD(Param, scalar_param, Qnn_Param_t, scalarParam);
QNNPP_SAME_FIELD(Param, tensor_param, Qnn_Param_t, tensorParam);
QNNPP_SAME_VALUE(OpConfigVersion::v1, QNN_OPCONFIG_VERSION_1);
QNNPP_SAME_VALUE(OpConfigVersion::undefined, QNN_OPCONFIG_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(OpConfigV1, Qnn_OpConfigV1_t);
QNNPP_SAME_FIELD(OpConfigV1, name, Qnn_OpConfigV1_t, name);
QNNPP_SAME_FIELD(OpConfigV1, package_name, Qnn_OpConfigV1_t, packageName);
QNNPP_SAME_FIELD(OpConfigV1, type_name, Qnn_OpConfigV1_t, typeName);
QNNPP_SAME_FIELD(OpConfigV1, num_of_params, Qnn_OpConfigV1_t, numOfParams);
QNNPP_SAME_FIELD(OpConfigV1, params, Qnn_OpConfigV1_t, params);
QNNPP_SAME_FIELD(OpConfigV1, num_of_inputs, Qnn_OpConfigV1_t, numOfInputs);
QNNPP_SAME_FIELD(OpConfigV1, input_tensors, Qnn_OpConfigV1_t, inputTensors);
QNNPP_SAME_FIELD(OpConfigV1, num_of_outputs, Qnn_OpConfigV1_t, numOfOutputs);
QNNPP_SAME_FIELD(OpConfigV1, output_tensors, Qnn_OpConfigV1_t, outputTensors);
QNNPP_SAME_SIZE(OpConfig, Qnn_OpConfig_t);
QNNPP_SAME_FIELD(OpConfig, version, Qnn_OpConfig_t, version);
QNNPP_SAME_FIELD(OpConfig, v1, Qnn_OpConfig_t, v1);
#if defined(QNN_OP_PACKAGE_NAME_QTI_AISW)
QNNPP_SAME_TEXT(op_names::package_qti_aisw, QNN_OP_PACKAGE_NAME_QTI_AISW);
#endif
#if defined(QNN_OP_MAT_MUL)
QNNPP_SAME_TEXT(op_names::mat_mul::type, QNN_OP_MAT_MUL);
#endif
#if defined(QNN_OP_MAT_MUL_PARAM_TRANSPOSE_IN0)
QNNPP_SAME_TEXT(op_names::mat_mul::transpose_in0, QNN_OP_MAT_MUL_PARAM_TRANSPOSE_IN0);
#endif
#if defined(QNN_OP_MAT_MUL_PARAM_TRANSPOSE_IN1)
QNNPP_SAME_TEXT(op_names::mat_mul::transpose_in1, QNN_OP_MAT_MUL_PARAM_TRANSPOSE_IN1);
#endif
#if defined(QNN_OP_FULLY_CONNECTED)
QNNPP_SAME_TEXT(op_names::fully_connected::type, QNN_OP_FULLY_CONNECTED);
#endif
#if defined(QNN_OP_FULLY_CONNECTED_PARAM_KEEP_DIMS)
QNNPP_SAME_TEXT(op_names::fully_connected::keep_dims, QNN_OP_FULLY_CONNECTED_PARAM_KEEP_DIMS);
#endif
#if defined(QNN_OP_ELEMENT_WISE_ADD)
QNNPP_SAME_TEXT(op_names::element_wise_add::type, QNN_OP_ELEMENT_WISE_ADD);
#endif
#if defined(QNN_OP_ELEMENT_WISE_MULTIPLY)
QNNPP_SAME_TEXT(op_names::element_wise_multiply::type, QNN_OP_ELEMENT_WISE_MULTIPLY);
#endif
#if defined(QNN_OP_RELU)
QNNPP_SAME_TEXT(op_names::relu::type, QNN_OP_RELU);
#endif
#if defined(QNN_OP_SOFTMAX)
QNNPP_SAME_TEXT(op_names::softmax::type, QNN_OP_SOFTMAX);
#endif
#if defined(QNN_OP_SOFTMAX_PARAM_AXIS)
QNNPP_SAME_TEXT(op_names::softmax::axis, QNN_OP_SOFTMAX_PARAM_AXIS);
#endif
#if defined(QNN_OP_SOFTMAX_PARAM_BETA)
QNNPP_SAME_TEXT(op_names::softmax::beta, QNN_OP_SOFTMAX_PARAM_BETA);
#endif
#if defined(QNN_OP_RESHAPE)
QNNPP_SAME_TEXT(op_names::reshape::type, QNN_OP_RESHAPE);
#endif
#if defined(QNN_OP_CONVERT)
QNNPP_SAME_TEXT(op_names::convert::type, QNN_OP_CONVERT);
#endif
#if defined(QNN_OP_TRANSPOSE)
QNNPP_SAME_TEXT(op_names::transpose::type, QNN_OP_TRANSPOSE);
#endif
#if defined(QNN_OP_TRANSPOSE_PARAM_PERM)
QNNPP_SAME_TEXT(op_names::transpose::perm, QNN_OP_TRANSPOSE_PARAM_PERM);
#endif
#if defined(QNN_OP_CONV_2D)
QNNPP_SAME_TEXT(op_names::conv2d::type, QNN_OP_CONV_2D);
#endif
#if defined(QNN_OP_CONV_2D_PARAM_STRIDE)
QNNPP_SAME_TEXT(op_names::conv2d::stride, QNN_OP_CONV_2D_PARAM_STRIDE);
#endif
#if defined(QNN_OP_CONV_2D_PARAM_PAD_AMOUNT)
QNNPP_SAME_TEXT(op_names::conv2d::pad_amount, QNN_OP_CONV_2D_PARAM_PAD_AMOUNT);
#endif
#if defined(QNN_OP_CONV_2D_PARAM_DILATION)
QNNPP_SAME_TEXT(op_names::conv2d::dilation, QNN_OP_CONV_2D_PARAM_DILATION);
#endif
#if defined(QNN_OP_CONV_2D_PARAM_GROUP)
QNNPP_SAME_TEXT(op_names::conv2d::group, QNN_OP_CONV_2D_PARAM_GROUP);
#endif
#if defined(QNN_OPCONFIG_INIT)
QNNPP_SAME_INIT(Qnn_OpConfig_t, QNN_OPCONFIG_INIT, version, OpConfigVersion::v1);
#endif

}  // namespace qnnpp::c_api

#endif
